"""make demo-bulk: a ledger of 200,000 entries and 2,000 signers, checked by several engines, which
must agree.

demo.py [ENTRIES]   nine of ten entries are signed with SM2, the others with ML-DSA-65
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import tongyu.duckdb
from costs import cost, cost_of_all
from ledgers import make
from pyspark.sql import SparkSession
from tongyu import arrow
from tongyu import spark as ty_spark

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "build/duckdb/tongyu.duckdb_extension"
FAMILIES = {"sm2": 0.9, "mldsa": 0.1}
Answer = tuple[list[bool], float, float]


def in_c(folder: Path, family: str) -> Answer:
    """By the kernel in C, on arrays in memory."""
    table = ds.dataset(folder).to_table().combine_chunks()
    columns = [table[name].chunk(0) for name in ("msg", "sig", "pub")]
    columns[2] = columns[2].cast(pa.binary()) if columns[2].type != pa.binary() else columns[2]
    verify = arrow.sm2_verify if family == "sm2" else arrow.mldsa_verify
    good, cpu, wall = min((cost(lambda: verify(*columns)) for _ in range(2)), key=lambda c: c[1])
    return good.to_pylist(), cpu, wall


def in_duckdb(folder: Path, family: str, extension: bool) -> Answer:
    settings = {"allow_unsigned_extensions": "true"} if extension else {}
    con = duckdb.connect(config={**settings, "threads": 2})
    if extension:
        con.execute(f"LOAD '{EXTENSION}'")
    else:
        tongyu.duckdb.register(con)
    sql = f"select id, {family}_verify(msg, sig, pub) from '{folder}/*.parquet' order by id"
    rows, cpu, wall = cost(lambda: con.sql(sql).to_arrow_table())
    return rows.column(1).to_pylist(), cpu, wall


def timed(family: str) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            start = time.process_time()
            arrow.verify_reasons(family, batch["msg"], batch["sig"], batch["pub"])
            yield pa.RecordBatch.from_pydict({"cpu": [time.process_time() - start]})

    return work


def in_spark(spark: SparkSession, folder: Path, family: str) -> tuple[Answer, float]:
    """The whole job, and the CPU seconds inside the workers in a second run."""
    frame = spark.read.parquet(str(folder))

    def job() -> pa.Table:
        return ty_spark.verify(frame, family=family).select("id", "good").orderBy("id").toArrow()

    found, cpu, wall = cost_of_all(job)
    inside = frame.mapInArrow(timed(family), "cpu double").toArrow()["cpu"]
    return (found["good"].to_pylist(), cpu, wall), sum(inside.to_pylist())


def session() -> SparkSession:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    return (
        SparkSession.builder.master("local[2]").appName("demo-bulk")
        .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "ERROR").config("spark.sql.files.maxPartitionBytes", "32m")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "16384").getOrCreate()
    )  # fmt: skip


def main() -> int:
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    signers = max(2, entries // 100)
    differ = 0
    with tempfile.TemporaryDirectory() as made:
        start = time.perf_counter()
        for family, share in FAMILIES.items():
            make(Path(made) / family, family, int(share * entries), max(1, int(share * signers)))
        print(f"{entries} entries of {signers} signers made in {time.perf_counter() - start:.0f} s")
        spark, _, began = cost(session)
        print(f"Spark {spark.version} began in {began:.0f} s, DuckDB {duckdb.__version__}")
        head = f"{'':8} {'checked by':26} {'rows':>8} {'good':>8} {'bad':>5}"
        print(f"{head} {'CPU s':>7} {'wall s':>7} {'per CPU s':>13} {'of C':>6}  bitmap")
        for family in FAMILIES:
            folder = Path(made) / family
            base = in_c(folder, family)
            found = {"C, arrays in memory": base, "DuckDB, Arrow": in_duckdb(folder, family, False)}
            if EXTENSION.exists():
                found["DuckDB, extension"] = in_duckdb(folder, family, True)
            whole, inside = in_spark(spark, folder, family)
            found["Spark local[2], whole job"] = whole
            found["Spark, inside the workers"] = (whole[0], inside, 0.0)
            for name, (good, cpu, wall) in found.items():
                same = good == base[0]
                differ += not same
                line = f"{family:8} {name:26} {len(good):8} {good.count(True):8}"
                line += f" {len(good) - good.count(True):5} {cpu:7.2f} {wall:7.2f}"
                line += f" {len(good) / cpu:13.0f} {100 * base[1] / cpu:5.1f}%"
                print(line, " the same" if same else " DIFFERENT", flush=True)
            expected = -(-len(base[0]) // 1000)
            differ += base[0].count(False) != expected
            day = 86400 * len(base[0]) / base[1]
            print(f"{family:8} {expected} were forged; {day:.2e} per core and day", flush=True)
        spark.stop()
    return differ != 0


if __name__ == "__main__":
    sys.exit(main())
