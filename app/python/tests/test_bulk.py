"""docs/bulk.md tells the truth: its recipes run, in Python and in the shell."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "bulk.md"
pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")


def recipes():
    """Blocks of code; one marked `continue` goes on where the one before it stopped."""
    found = []
    for match in re.finditer(
        r"```(python|python continue|sh)\n(.*?)```", PAGE.read_text(), re.DOTALL
    ):
        if match[1] == "python continue":
            found[-1] = (found[-1][0], found[-1][1] + match[2])
        else:
            found.append((match[1], match[2]))
    return found


def test_recipes(tmp_path):
    if not PAGE.exists():
        pytest.skip("the page is not beside the tests")
    found = recipes()
    assert [kind for kind, _ in found] == ["python", "sh", "python", "python"]
    (tmp_path / "tongyu-ledger").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m tongyu.ledger "$@"\n'
    )
    (tmp_path / "tongyu-ledger").chmod(0o755)
    for kind, code in found:
        words = [sys.executable, "-c", code] if kind == "python" else ["sh", "-euc", code]
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        run = subprocess.run(words, cwd=tmp_path, env={**os.environ, "PATH": path},
                             capture_output=True, text=True, check=False)  # fmt: skip
        assert run.returncode == 0, run.stderr
    assert '"bad": 0' in (tmp_path / "summary.json").read_text()
