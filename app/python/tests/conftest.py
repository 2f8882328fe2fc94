"""Shared by all tests: access to the project's vector files, where they are present."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
VECTORS = Path(os.environ.get("TONGYU_VECTORS", ROOT.parent / "shared" / "vectors"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--calls", type=int, default=0, help="how often test_resident_memory calls everything"
    )


def load(name: str) -> Any:
    """The vector file of this name, or a skipped test."""
    path = VECTORS / name
    if not path.exists():
        pytest.skip(f"no vector file {name}: set TONGYU_VECTORS")
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        return json.load(file)


def cases(name: str, alg: str) -> list[dict[str, Any]]:
    """The cases of one algorithm in a file of the project's own format; at least one."""
    data = load(name)
    found = [t for t in data["published"] + data["differential"] if t["alg"] == alg]
    assert found, f"{name} has no {alg}"
    return found


def unhex(case: dict[str, Any], *names: str) -> list[bytes]:
    return [bytes.fromhex(case[name]) for name in names]
