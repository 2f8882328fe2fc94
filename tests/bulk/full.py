"""make bulk-full: a large ledger checked by tongyu-ledger on every engine, and in part by openssl.

full.py [ROWS]   ROWS is at least 1,000; the files are under build/bulk-full; if a run is stopped,
                 the next one resumes there, unless the package was built again since

The results of pyarrow's reader with the C kernel, of DuckDB and of Spark must be the same row by
row, also on all rows sorted by signer; memory must stay below 1 GB.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from costs import Watch, cost
from ledgers import GROUP, make
from tongyu import sm2

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 1 << 30
SIGNERS = 2000
ENGINES = ("arrow", "duckdb", "spark")
MADE = ROOT / "build/venv-bulk/made"  # setup.sh writes it: the sources of the installed package


def forget_other_builds(folder: Path) -> None:
    """Removes what another build of the package found, which says nothing about this one."""
    stamp = folder.with_suffix(".made")
    made = MADE.read_text() if MADE.exists() else ""
    if stamp.exists() and stamp.read_text() == made:
        return
    for engine in ENGINES:
        for end in (".json", ".bad", ""):
            folder.with_suffix(f".{engine}{end}").unlink(missing_ok=True)
    stamp.write_text(made)


def check(folder: Path, engine: str) -> tuple[str, str]:
    """The bad rows, and the summary; from an earlier run, if that was finished."""
    bad, summary = (folder.with_suffix(f".{engine}.{what}") for what in ("bad", "json"))
    if summary.exists():
        print(f"{folder.name:15} {engine:7} was done")
        return bad.read_text(), summary.read_text()
    state = folder.with_suffix(f".{engine}")
    command = [sys.executable, "-P", "-m", "tongyu.ledger", "verify", str(folder),
               "--engine", engine, "--columns", "row=id", "--threads", "2", "--state", str(state),
               "--bad", str(bad), "--summary", str(summary)]  # fmt: skip
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}

    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, env=env, stderr=errors)
        watch = Watch(process.pid)
        status = process.wait()
        watch.stop()
        errors.seek(0)
        assert status == 1, f"{engine}: status {status}\n{errors.read()[-3000:]}"
    wall = time.perf_counter() - start
    line = f"{folder.name:15} {engine:7} {watch.below:8.1f} s of CPU {wall:8.1f} s"
    print(f"{line} {watch.bytes >> 20:5} MB", flush=True)
    if watch.bytes >= LIMIT:
        for path in (summary, bad, state):  # so that the next run does not take this one as done
            path.unlink()
        raise AssertionError(f"{engine} took {watch.bytes} bytes")
    return bad.read_text(), summary.read_text()


def sort(folder: Path, target: Path) -> None:
    """Writes the rows of all files, sorted by signer, to the same number of files."""
    target.mkdir(exist_ok=True)
    con = duckdb.connect(config={"threads": 2, "memory_limit": "700MB"})
    ledger = f"read_parquet('{folder}/*.parquet')"
    signers = [p for (p,) in con.sql(f"select distinct pub from {ledger} order by 1").fetchall()]
    count = len(list(folder.glob("*.parquet")))
    for i in range(count):
        path = target / f"{i:05}.parquet"
        if path.exists():
            continue
        of = signers[len(signers) * i // count : len(signers) * (i + 1) // count]
        temporary = path.with_suffix(".tmp")
        con.execute(f"""copy (select * from {ledger} where pub between unhex('{of[0].hex()}')
            and unhex('{of[-1].hex()}') order by pub, id) to '{temporary}'
            (format parquet, compression zstd, compression_level 1, row_group_size {GROUP})""")
        os.replace(temporary, path)


def der(number: bytes) -> bytes:
    number = number.lstrip(b"\0") or b"\0"
    number = b"\0" + number if number[0] & 0x80 else number
    return bytes([2, len(number)]) + number


def by_openssl(row: dict, folder: Path) -> bool:
    """Whether the command accepts the row's signature."""
    name = folder / str(row["id"])
    body = der(row["sig"][:32]) + der(row["sig"][32:])
    pub = sm2.SM2PublicKey.from_point(b"\4" + row["pub"]).public_bytes("pem")
    sig = b"\x30" + bytes([len(body)]) + body
    for what, data in (("sig", sig), ("msg", row["msg"]), ("pem", pub)):
        name.with_suffix("." + what).write_bytes(data)
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", f"{name}.pem", "-rawin",
               "-digest", "sm3", "-in", f"{name}.msg", "-sigfile", f"{name}.sig",
               "-pkeyopt", "distid:1234567812345678"]  # fmt: skip
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def check_by_openssl(folder: Path, bad: set[int], count: int) -> None:
    """Compares count rows, some of them forged, with openssl's verdicts."""
    table = pq.read_table(sorted(folder.glob("*.parquet"))[0])
    # odd: then fewer of these rows are multiples of 1,000, which are forged
    step = (max(1, len(table) // count) - 1) | 1
    rows = table.take(pa.array(range(0, len(table), step)[:count])).to_pylist()
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda row: by_openssl(row, Path(made)), rows))
    assert answers == [row["id"] not in bad for row in rows], "openssl has other results"
    assert False in answers
    print(f"{len(rows)} rows by openssl, {answers.count(False)} of them forged: the same")


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else "10000000"
    if not given.isdecimal() or int(given) < 1000:
        sys.exit(f"full.py: ROWS is a number of at least 1000, not {given}")
    rows = int(given)
    folder = ROOT / f"build/bulk-full/{rows}"
    _, cpu, _ = cost(lambda: make(folder, "sm2", rows, SIGNERS))
    ordered = folder.with_name(f"{rows}-by-signer")
    forget_other_builds(folder)
    forget_other_builds(ordered)
    print(f"{rows} rows in {folder.relative_to(ROOT)}: {cpu:.0f} s of CPU to make them", flush=True)
    bad, summary = check(folder, "arrow")
    assert len(bad.splitlines()) == -(-rows // 1000), "not as many as were forged"
    for engine in ("duckdb", "spark"):
        assert check(folder, engine) == (bad, summary), f"{engine} has other results"
    check_by_openssl(folder, {int(x) for x in bad.splitlines()}, min(10_000, rows // 100))
    sort(folder, ordered)
    for engine in ("arrow", "duckdb"):
        again, its_summary = check(ordered, engine)
        assert sorted(again.splitlines()) == sorted(bad.splitlines()) and its_summary == summary
    print(f"{len(bad.splitlines())} bad rows, the same by every engine, sorted and unsorted")


if __name__ == "__main__":
    main()
