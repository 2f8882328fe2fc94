"""Spark's whole job compared with the kernel: tongyu-ledger in a Spark that is already running.

whole.py [ROWS]   of a ledger of 2,000 signers under build/bulk-full, which is made if it is missing

Prints the CPU seconds of all processes for the job in fresh workers and, as the least of several
runs, in workers that have run it before, and those of the kernel on the same rows in memory. Exit
status 1 if the job in fresh workers has less than 60 % of the kernel's speed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
from costs import cost, cost_of_all
from demo import ROOT, session
from ledgers import make
from tongyu import arrow, ledger

SIGNERS, TURNS, GOAL = 2_000, 3, 60


def in_spark(folder: Path) -> float:
    with tempfile.TemporaryDirectory() as made:
        arguments = ["verify", str(folder), "--engine", "spark", "--columns", "row=id",
                     "--threads", "2", "--bad", f"{made}/bad",
                     "--summary", f"{made}/summary"]  # fmt: skip
        status, cpu, _ = cost_of_all(lambda: ledger.main(arguments))
    assert status == 1, f"tongyu-ledger ended with {status}: some rows are forged, so 1 is expected"
    return cpu


def in_c(folder: Path) -> float:
    rows = ds.dataset(folder).to_table()
    rows = rows.set_column(3, "pub", rows["pub"].cast(pa.binary())).combine_chunks()
    columns = [rows[name].chunk(0) for name in ("msg", "sig", "pub")]
    return min(cost(lambda: arrow.sm2_verify(*columns))[1] for _ in range(TURNS))


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    folder = ROOT / "build" / "bulk-full" / f"whole-{rows}"
    make(folder, "sm2", rows, SIGNERS)
    kernel = in_c(folder)
    spark = session()
    fresh, *later = (in_spark(folder) for _ in range(1 + TURNS))
    spark.stop()
    print(f"{rows} rows, {SIGNERS} signers: the kernel {kernel:.2f} s of CPU")
    for name, cpu in ("fresh workers", fresh), ("the same workers again", min(later)):
        share = 100 * kernel / cpu
        print(f"tongyu-ledger, {name}: {cpu:.2f} s of CPU, {share:.0f} % of the kernel")
    return 100 * kernel / fresh < GOAL


if __name__ == "__main__":
    sys.exit(main())
