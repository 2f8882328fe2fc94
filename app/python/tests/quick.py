"""The quick tests, for ctest. Exit status 77 (1 if TONGYU_ALL_TIERS=1), and a reason, if a package
they need is missing.

quick.py [arguments of pytest]
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

missing = [name for name in ("pytest", "hypothesis") if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: no Python package {' and '.join(missing)} (tools/setup.sh test)")
    sys.exit(1 if os.environ.get("TONGYU_ALL_TIERS") == "1" else 77)

import hypothesis  # noqa: E402
import pytest  # noqa: E402

# Twenty examples of each property: the stage `python` of tools/check.sh takes a hundred.
hypothesis.settings.register_profile("quick", max_examples=20, deadline=None)
hypothesis.settings.load_profile("quick")
sys.exit(pytest.main(["-q", "-m", "not slow", str(HERE), *sys.argv[1:]]))
