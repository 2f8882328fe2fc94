"""The engine spark of tongyu-ledger: Spark reads the files, and its workers check row groups.

A task is about one row group. What it found comes back at its end by an accumulator, so that the
driver notes finished row groups while the job goes on; the job's own result says it once more.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.accumulators import AccumulatorParam
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from .ledger import IO, PIECE, USAGE, Group, Job, Refused, check, groups_of, sum_of

FILE, ROW = "tongyu file", "tongyu row"  # of no user's column
_RESULT = "place int, found string"
_HERE = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
}


class _Texts(AccumulatorParam[list[str]]):  # type: ignore[misc]
    def zero(self, value: list[str]) -> list[str]:
        return []

    def addInPlace(self, value1: list[str], value2: list[str]) -> list[str]:  # noqa: N802
        return value1 + value2


def _session(threads: int) -> tuple[SparkSession, bool]:
    """The session, and whether it was begun here. spark-submit says which cluster; without it,
    threads of this machine."""
    active = SparkSession.getActiveSession()
    if active is not None:
        return active, False
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("tongyu-ledger").config("spark.log.level", "ERROR")
    if not os.environ.keys() & {"PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS"}:
        builder = builder.master(f"local[{threads}]").config(map=_HERE)
    try:
        return builder.getOrCreate(), True
    except (PySparkException, Py4JError) as e:
        text = f"Spark does not start (is there Java 17 or newer?): {_line(e)}"
        raise Refused(USAGE, text) from e


def _line(error: BaseException) -> str:
    """The line of Spark's many that names a file, or else an exception."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    for mark in ("file:", "Exception:"):
        for line in lines:
            if mark in line:
                return line.rpartition("Exception: ")[2].strip()
    return lines[0]


def _read(spark: SparkSession, job: Job, files: list[str], groups: int) -> DataFrame:
    """The columns of the job, and where each row stands, in tasks of about a row group."""
    size = sum(os.path.getsize(file) for file in files) // groups
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(max(size, 1 << 16)))
    spark.conf.set("spark.sql.files.openCostInBytes", str(1 << 16))
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(PIECE))
    paths = [_literal(os.path.abspath(file)) for file in files]
    frame = spark.read.option("recursiveFileLookup", "true").parquet(*paths)
    quoted = {name: "`" + name.replace("`", "``") + "`" for name in job.names()}
    texts = {job.columns[what] for what in ("msg", "sig", "pub", "id") if what in job.columns}
    return frame.selectExpr(
        *(f"cast({q} as binary) as {q}" if n in texts else q for n, q in quoted.items()),
        f"_metadata.file_path as `{FILE}`",
        f"_metadata.row_index as `{ROW}`",
    )


def _literal(path: str) -> str:
    """The path, where Hadoop would take it for a pattern."""
    return "".join("\\" + c if c in "\\*?[]{}" else c for c in path)


def _pieces(
    batch: pa.RecordBatch, places: dict[str, list[tuple[int, Group, int]]]
) -> Iterator[tuple[int, Group, int, pa.RecordBatch]]:
    """The rows of each row group in the batch: the group's place among all, the group, and the
    number in the ledger of the first of these rows."""
    rows = batch[ROW].to_numpy()
    files = batch[FILE]
    at = 0
    while at < len(batch):
        path = unquote(urlsplit(files[at].as_py()).path)
        place, group, before = next(p for p in reversed(places[path]) if p[2] <= rows[at])
        end = at + 1
        last = min(len(batch), at + group.rows - int(rows[at] - before))
        together = rows[last - 1] - rows[at] == last - 1 - at and files[last - 1] == files[at]
        if together:
            end = last
        yield place, group, group.first + int(rows[at] - before), batch.slice(at, end - at)
        at = end


def _checker(
    job: Job, groups: list[Group], missing: set[Group], texts: Any
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a worker does with the rows of a task."""
    places: dict[str, list[tuple[int, Group, int]]] = {}
    for place, group in enumerate(groups):
        known = places.setdefault(os.path.abspath(group.file), [])
        known.append((place, group, group.first - (known[0][1].first if known else group.first)))

    def check_task(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        parts: dict[int, list[dict[str, Any]]] = {}
        try:
            for batch in batches:
                for place, group, first, piece in _pieces(batch, places):
                    if group in missing:
                        found = check(job, piece, group.where(), first)
                        parts.setdefault(place, []).append(found)
            found_here = {place: sum_of(part) for place, part in parts.items()}
        except Refused as e:
            found_here = {-1: {"refused": str(e)}}
        entries = [[place, json.dumps(found)] for place, found in found_here.items()]
        texts.add([json.dumps(entry) for entry in entries])
        yield pa.RecordBatch.from_arrays(
            [pa.array([p for p, _ in entries], pa.int32()),
             pa.array([f for _, f in entries], pa.string())],
            ["place", "found"],
        )  # fmt: skip

    return check_task


def by_spark(job: Job, wanted: list[Group], threads: int) -> Iterator[tuple[Group, dict[str, Any]]]:
    """Read and checked by Spark, row groups in the order in which they are finished."""
    groups, missing = groups_of(job), set(wanted)
    files = list(dict.fromkeys(group.file for group in wanted))
    spark, ours = _session(threads)
    try:
        texts = spark.sparkContext.accumulator([], _Texts())
        frame = _read(spark, job, files, sum(g.file in set(files) for g in groups))
        result = frame.mapInArrow(_checker(job, groups, missing, texts), _RESULT)
        for place, text in _as_they_come(result, texts):
            found = json.loads(text)
            if place < 0:
                raise Refused(IO, found["refused"])
            group = groups[place]
            rows = sum(found["counts"].values())
            if rows != group.rows:
                raise Refused(IO, f"{group.where()}: {rows} of {group.rows} rows were there")
            if group in missing:
                missing.remove(group)
                yield group, found
    except (PySparkException, Py4JError) as e:
        raise Refused(IO, f"columns {', '.join(job.names())}: {_line(e)}") from e
    finally:
        if ours:
            spark.stop()
    if missing:
        group = min(missing, key=lambda g: g.first)
        raise Refused(IO, f"{group.where()}: 0 of {group.rows} rows were there")


def _as_they_come(result: DataFrame, texts: Any) -> Iterator[tuple[int, str]]:
    """The entries of finished tasks, while the job runs, and then all of its result."""
    context, name = result.sparkSession.sparkContext, f"tongyu-ledger {id(result)}"

    def collect() -> list[Any]:
        context.setJobGroup(name, "tongyu-ledger")
        return list(result.collect())

    with ThreadPoolExecutor(1) as pool:
        job, taken = pool.submit(collect), 0
        try:
            while not job.done():
                time.sleep(0.05)
                entries = list(texts.value)
                for text in entries[taken:]:
                    place, found = json.loads(text)
                    yield place, found
                taken = len(entries)
        finally:
            if not job.done():  # the caller wants no more
                context.cancelJobGroup(name)
        yield from ((row["place"], row["found"]) for row in job.result())
