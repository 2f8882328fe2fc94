"""Checks that costs are measured correctly however processes end:  check_costs.py

Processes below this one use a known amount of CPU time, and Watch must find it, also if no parent
waits for a process, or if its parent ends first. Time used before the watch began is not counted.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from costs import Watch, cost, cost_of_all  # noqa: E402

BURN = 0.6  # CPU seconds of a process
SLACK = 0.05  # for the resolution of ticks, and for starting a process


def burn(seconds: float = BURN) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def child(work: Callable[[], None]) -> int:
    number = os.fork()
    if number == 0:
        try:
            work()
        finally:
            os._exit(0)
    return number


def gone(number: int) -> bool:
    return not os.path.exists(f"/proc/{number}")


def until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.2)  # not more often, because that uses CPU time


def wait_for_scan(watch: Watch) -> None:
    """Waits until all processes have been scanned at least once after this call."""
    looks = watch.looks
    until(lambda: watch.looks >= looks + 2)


# --- The cases: each uses BURN or a multiple of it in processes below this one ---


def waited_for(_: Watch) -> None:
    os.waitpid(child(burn), 0)


def below_another(watch: Watch) -> None:
    os.waitpid(child(lambda: (waited_for(watch), burn())), 0)


def a_program(_: Watch) -> None:
    code = f"import time\nwhile time.process_time() < {BURN}: pass"
    subprocess.run([sys.executable, "-S", "-c", code], check=True)


def daemon_of(work: Callable[[], None]) -> int:
    """A process that does not wait for its worker, as Spark's daemon is."""

    def daemon() -> None:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        worker = child(work)
        until(lambda: gone(worker))

    return child(daemon)


def no_parent_waits(watch: Watch) -> None:
    (ready, say), (wait, go) = os.pipe(), os.pipe()
    daemon = daemon_of(lambda: (burn(), os.write(say, b"."), os.read(wait, 1)))
    os.read(ready, 1)
    wait_for_scan(watch)
    os.write(go, b".")
    os.waitpid(daemon, 0)


def its_parent_ends_first(watch: Watch) -> None:
    """The process then has another parent, which is not below this one."""
    (ready, say), (wait, go), (parent_wait, parent_go) = os.pipe(), os.pipe(), os.pipe()

    def work() -> None:
        os.read(wait, 1)
        burn()
        os.write(say, b".")
        os.read(wait, 1)

    parent = child(lambda: (os.write(say, b"%d" % child(work)), os.read(parent_wait, 1)))
    worker = int(os.read(ready, 20))
    wait_for_scan(watch)
    os.write(parent_go, b".")
    os.waitpid(parent, 0)
    os.write(go, b".")
    os.read(ready, 1)
    wait_for_scan(watch)
    os.write(go, b".")
    until(lambda: gone(worker))


def expect(call: Callable[[Watch], None], want: float) -> None:
    watch = Watch()
    call(watch)
    watch.stop()
    print(f"{call.__name__:22} {want:4.1f} s used, {watch.below:5.2f} found", flush=True)
    assert abs(watch.below - want) < SLACK, call.__name__


def main() -> None:
    expect(waited_for, BURN)
    expect(below_another, 2 * BURN)
    expect(a_program, BURN)
    expect(no_parent_waits, BURN)
    expect(its_parent_ends_first, BURN)

    (ready, say), (wait, go) = os.pipe(), os.pipe()
    daemon = daemon_of(lambda: (burn(2 * BURN), os.write(say, b"."), os.read(wait, 1)))
    os.read(ready, 1)

    def an_idle_one_ends(watch: Watch) -> None:
        """It used CPU time before the watch began: its end changes nothing."""
        os.write(go, b".")
        os.waitpid(daemon, 0)
        waited_for(watch)

    expect(an_idle_one_ends, BURN)
    _, cpu, _ = cost_of_all(lambda: (burn(), os.waitpid(child(burn), 0)))
    assert abs(cpu - 2 * BURN) < 2 * SLACK, "this process and those below"
    _, cpu, _ = cost(lambda: os.waitpid(child(burn), 0))
    assert cpu < SLACK, "cost() counts this process alone"


if __name__ == "__main__":
    main()
