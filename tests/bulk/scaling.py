"""Two threads compared with one: the kernel on arrays in memory, and DuckDB through Arrow and
the extension.

scaling.py [ROWS]   of a ledger under build/bulk-full; one and two threads in turn, the least time

DuckDB gives a thread whole row groups of a Parquet file, so a file with few of them has no work for
two threads: here a row group has 5,000 rows. Exit status 1 if two threads are not 1.9 times as fast
as one, or take over 5 % more CPU time: then check first whether two cores were free.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import tongyu.duckdb
from costs import cost
from demo import EXTENSION, ROOT
from ledgers import make
from tongyu import arrow

GROUP = 5_000
TURNS = 8
FASTER, MORE = 1.9, 1.05
Job = Callable[[int], int]  # of a number of threads: how many rows are good


def in_c(rows: pa.Table) -> Job:
    columns = [rows[name].chunk(0) for name in ("msg", "sig", "pub")]
    return lambda threads: sum(arrow.sm2_verify(*columns, threads=threads).to_pylist())


def in_duckdb(file: Path, extension: bool) -> Job:
    """A database for each number of threads, because precomputed keys are lost with their
    thread."""
    settings = {"allow_unsigned_extensions": "true"} if extension else {}
    databases = {n: duckdb.connect(config={**settings, "threads": n}) for n in (1, 2)}
    for con in databases.values():
        if extension:
            con.execute(f"LOAD '{EXTENSION}'")
        else:
            tongyu.duckdb.register(con)
    sql = f"select count(*) filter (sm2_verify(msg, sig, pub)) from '{file}'"
    return lambda threads: databases[threads].sql(sql).fetchall()[0][0]


def measure(name: str, job: Job, good: int) -> bool:
    """Prints a line; returns whether the goals are met."""
    least = {threads: [float("inf")] * 2 for threads in (1, 2)}
    for _ in range(TURNS):
        for threads, times in least.items():
            found, *taken = cost(lambda: job(threads))  # noqa: B023
            assert found == good, f"{name}: {found} good rows, not {good}"
            times[:] = map(min, times, taken)
    (cpu, wall), (cpu_2, wall_2) = least.values()
    met = wall / wall_2 >= FASTER and cpu_2 / cpu <= MORE
    line = f"{name:18} one {wall:6.2f} s, two {wall_2:6.2f} s: {wall / wall_2:5.2f} times;"
    print(f"{line} CPU {cpu:6.2f} s, {cpu_2:6.2f} s: {cpu_2 / cpu:5.3f}", flush=True)
    return met


def main() -> int:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    folder = ROOT / f"build/bulk-full/{n}"
    make(folder, "sm2", n, 2000)
    rows = ds.dataset(folder).to_table()
    rows = rows.set_column(3, "pub", rows["pub"].cast(pa.binary())).combine_chunks()
    file = folder.with_suffix(".groups.parquet")
    pq.write_table(rows, file, row_group_size=GROUP, compression="zstd", compression_level=1)
    jobs = {"C": in_c(rows), "DuckDB, Arrow": in_duckdb(file, False)}
    if EXTENSION.exists():
        jobs["DuckDB, extension"] = in_duckdb(file, True)
    good = n - -(-n // 1000)
    return not all([measure(name, job, good) for name, job in jobs.items()])


if __name__ == "__main__":
    sys.exit(main())
