"""The recipes of docs/bulk.md run, in Python and in the shell."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from shutil import which

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "bulk.md"
pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")


def recipes():
    """Blocks of code; one marked `continue` is appended to the one before it."""
    found = []
    for match in re.finditer(
        r"```(python|python continue|python spark|sh)\n(.*?)```", PAGE.read_text(), re.DOTALL
    ):
        if match[1] == "python continue":
            found[-1] = (found[-1][0], found[-1][1] + match[2])
        else:
            found.append((match[1], match[2]))
    return found


def test_recipes(tmp_path):
    if not PAGE.exists():
        pytest.skip("docs/bulk.md is missing")
    found = recipes()
    assert [kind for kind, _ in found] == ["python", "sh", "python", "python", "python spark"]
    (tmp_path / "tongyu-ledger").write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m tongyu.ledger "$@"\n'
    )
    (tmp_path / "tongyu-ledger").chmod(0o755)
    skipped = []
    for kind, code in found:
        if kind == "python spark" and not (importlib.util.find_spec("pyspark") and which("java")):
            skipped.append(kind)
            continue
        command = ["sh", "-euc", code] if kind == "sh" else [sys.executable, "-c", code]
        env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
               "PYSPARK_PYTHON": sys.executable}  # fmt: skip
        run = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
    assert '"bad": 0' in (tmp_path / "summary.json").read_text()
    if skipped:
        pytest.skip("the recipe for Spark needs pyspark and Java; the others ran")


def test_results_of_another_build(tmp_path, monkeypatch):
    """`make bulk-full` resumes its own results, not those of the package before a change."""
    scripts = ROOT / "tests" / "bulk"
    if not scripts.exists():
        pytest.skip("tests/bulk is missing")
    monkeypatch.syspath_prepend(str(scripts))
    full = pytest.importorskip("full")
    monkeypatch.setattr(full, "MADE", tmp_path / "made")
    folder = tmp_path / "1000"
    found = [folder.with_suffix(f".arrow{end}") for end in ("", ".bad", ".json")]

    def left(made):
        full.MADE.write_text(made)
        for path in found:
            path.write_text("of the run before")
        full.forget_other_builds(folder)
        return [path.exists() for path in found]

    assert left("one") == [False] * 3
    assert left("one") == [True] * 3
    assert left("two") == [False] * 3
