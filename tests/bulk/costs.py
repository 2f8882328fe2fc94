"""What a call costs: wall time, CPU time and memory of this process and all below it (Linux)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

TICK = os.sysconf("SC_CLK_TCK")


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(path.parent.name))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def cpu(root: int | None = None) -> float:
    """CPU seconds so far, those of children that have ended included."""
    total = 0
    for pid in _tree(root or os.getpid()):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / TICK


def memory(root: int) -> int:
    """Bytes, pages that several processes share counted once."""
    total = 0
    for pid in _tree(root):
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(x.split()[1]) for x in text.splitlines() if x.startswith("Pss:"))
    return total << 10


def cost(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """What it gives, its CPU seconds and its wall seconds."""
    start = cpu(), time.perf_counter()
    result = call()
    return result, cpu() - start[0], time.perf_counter() - start[1]


class Peak:
    """The most memory that a process and those below it had, and their CPU seconds, looked at four
    times a second: what a process did is no longer known when all above it have ended."""

    def __init__(self, root: int) -> None:
        self.bytes, self.cpu, self.root, self.end = 0, 0.0, root, threading.Event()
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self) -> None:
        while not self.end.wait(0.25):
            self.bytes = max(self.bytes, memory(self.root))
            self.cpu = max(self.cpu, cpu(self.root))

    def stop(self) -> None:
        self.end.set()
        self.thread.join()
