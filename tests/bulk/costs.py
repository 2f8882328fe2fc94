"""The cost of a call: wall time, CPU time and memory of this process, or also of all processes
below it (Linux).

A process that has ended is in its parent's CPU time only if the parent waited for it. The daemon
that starts Spark's Python workers ignores SIGCHLD, so that the kernel discards their times; and a
process whose parent ends first is no longer below this one. So Watch scans all processes several
times a second, and keeps the last times of those that would otherwise be lost.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

TICK = os.sysconf("SC_CLK_TCK")
PERIOD = 0.2
Process = tuple[int, int]  # its number, and when it began, because numbers are reused


class Times(NamedTuple):
    """Of a process: its parent's number, its own ticks, and those of children it waited for."""

    parent: int
    own: int
    waited: int


def _scan() -> tuple[dict[Process, Times], set[int]]:
    """All processes, and the numbers of those that ended before they could be read."""
    found, gone = {}, set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            gone.add(int(name))
            continue
        ticks = [int(x) for x in fields[11:15]]
        times = Times(int(fields[1]), sum(ticks[:2]), sum(ticks[2:]))
        found[int(name), int(fields[19])] = times
    return found, gone


def _below(roots: set[Process], now: dict[Process, Times]) -> set[Process]:
    """The roots that exist, and all processes below them."""
    children = defaultdict(list)
    for process, times in now.items():
        children[times.parent].append(process)
    found = roots & now.keys()
    todo = list(found)
    while todo:
        fresh = [p for p in children[todo.pop()[0]] if p not in found]
        found.update(fresh)
        todo.extend(fresh)
    return found


def memory(root: int) -> int:
    """Bytes of a process and all below it; pages that several share are counted once."""
    now, _ = _scan()
    total = 0
    for number, _ in _below({p for p in now if p[0] == root}, now):
        try:
            text = Path(f"/proc/{number}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(x.split()[1]) for x in text.splitlines() if x.startswith("Pss:"))
    return total << 10


class Watch:
    """From its construction to stop(): `below`, the CPU seconds of all processes below this one,
    and `bytes`, the peak memory of the process with the number `of` and of those below it."""

    def __init__(self, of: int | None = None) -> None:
        self.of, self.bytes, self.own_cpu = of, 0, 0.0
        self.me = os.getpid()
        self.lost = self.looks = 0
        now, _ = _scan()
        self.seen = {p: now[p] for p in _below({p for p in now if p[0] == self.me}, now)}
        self.first = self._ticks()
        self.end = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _ticks(self) -> int:
        """All ticks so far, without this process's own, but with those of children it waited
        for."""
        own = sum(t.waited + (t.own if p[0] != self.me else 0) for p, t in self.seen.items())
        return own + self.lost

    def _look(self) -> None:
        # until no process ended during the scan: its parent would count its time again
        while True:
            now, gone = _scan()
            members = _below(set(self.seen), now)
            known = {p[0] for p in self.seen}
            if not gone & known and all(os.path.exists(f"/proc/{p[0]}") for p in members):
                break
        owed: Counter[Process | None] = Counter()
        for process, times in self.seen.items():
            if process not in now:
                owed[self._above(process, now)] += times.own + times.waited
        for above, ticks in owed.items():
            gained = now[above].waited - self.seen[above].waited if above else 0
            self.lost += max(0, ticks - gained)
        self.seen = {p: now[p] for p in members}
        self.looks += 1

    def _above(self, process: Process, now: dict[Process, Times]) -> Process | None:
        """Its nearest ancestor that still exists."""
        numbers = {p[0]: p for p in self.seen}
        above = numbers.get(self.seen[process].parent)
        while above and above not in now:
            above = numbers.get(self.seen[above].parent)
        return above

    def _watch(self) -> None:
        while not self.end.wait(PERIOD):
            self._look()
            if self.of:
                self.bytes = max(self.bytes, memory(self.of))
        self.own_cpu = time.thread_time()
        self._look()

    def stop(self) -> None:
        self.end.set()
        self.thread.join()

    @property
    def below(self) -> float:
        return (self._ticks() - self.first) / TICK


def cost(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """The call's result, the CPU seconds of this process alone, and the wall seconds."""
    start = time.process_time(), time.perf_counter()
    result = call()
    return result, time.process_time() - start[0], time.perf_counter() - start[1]


def cost_of_all(call: Callable[[], Any]) -> tuple[Any, float, float]:
    """The same with the CPU seconds of all processes below this one as well."""
    watch = Watch()
    try:
        result, cpu, wall = cost(call)
    finally:
        watch.stop()
    return result, cpu + watch.below - watch.own_cpu, wall
