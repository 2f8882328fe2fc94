"""The documentation is right: every snippet runs, and the reference equals the docstrings."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from conftest import ROOT

PAGES = [ROOT / "docs" / "python.md", ROOT / "app" / "python" / "README.md", ROOT / "README.md"]


def snippets():
    for page in PAGES:
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        for match in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
            line = text[: match.start()].count("\n") + 2
            yield pytest.param(match[1], id=f"{page.parent.name}/{page.name}:{line}")


@pytest.mark.parametrize("code", list(snippets()))
def test_snippet(code, tmp_path):
    file = tmp_path / "snippet.py"
    file.write_text(code, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-W", "error", str(file)], capture_output=True, text=True, cwd=tmp_path
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(not PAGES[0].exists(), reason="the pages of docs/ are missing")
def test_there_are_snippets():
    assert len(list(snippets())) >= 10


def test_reference():
    if not PAGES[0].exists():
        pytest.skip("the pages of docs/ are missing")
    script = ROOT / "app" / "python" / "docs.py"
    check = [sys.executable, "-P", str(script), "--check"]
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the page is written by Python 3.11, and versions differ in what inspect shows")
    run = subprocess.run(check, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
