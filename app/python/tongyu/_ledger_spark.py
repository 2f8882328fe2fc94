"""The engine spark of tongyu-ledger: Spark distributes row groups, and its workers read and check
them.

A task is a row group: its file and number go to a worker, which reads it with pyarrow. So no row
passes through the JVM. At the end of a task its result reaches the driver through an accumulator,
so that finished row groups are recorded while the job is running; the job's own result contains
them again.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from py4j.protocol import Py4JError
from pyspark import RDD, SparkConf, SparkContext
from pyspark.accumulators import AccumulatorParam
from pyspark.errors import PySparkException

from .ledger import IO, USAGE, Group, Job, Refused, by_arrow

_HERE = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "480m",  # the least that Spark starts with
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
}


class _Texts(AccumulatorParam[list[str]]):  # type: ignore[misc]
    def zero(self, value: list[str]) -> list[str]:
        return []

    def addInPlace(self, value1: list[str], value2: list[str]) -> list[str]:  # noqa: N802
        return value1 + value2


def _context(threads: int) -> tuple[SparkContext, bool]:
    """Spark's context, and whether it was started here. spark-submit chooses the cluster; without
    it Spark runs on threads of this machine."""
    active = SparkContext._active_spark_context
    if active is not None:
        return active, False
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setAppName("tongyu-ledger").set("spark.log.level", "ERROR")
    if not os.environ.keys() & {"PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS"}:
        conf.setMaster(f"local[{threads}]").setAll(list(_HERE.items()))
    try:
        return SparkContext.getOrCreate(conf), True
    except (PySparkException, Py4JError) as e:
        text = f"Spark does not start (is there Java 17 or newer?): {_line(e)}"
        raise Refused(USAGE, text) from e


def _line(error: BaseException) -> str:
    """The line of Spark's message that names an exception."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    for line in lines:
        if "Exception:" in line:
            return line.rpartition("Exception: ")[2].strip()
    return lines[0]


def _checker(job: Job, texts: Any) -> Callable[[tuple[int, Group]], tuple[int, str]]:
    """The function by which a worker checks a row group, given with its index."""

    def check_group(task: tuple[int, Group]) -> tuple[int, str]:
        place, group = task
        try:
            found = next(found for _, found in by_arrow(job, [group], 1))
        except Refused as e:
            place, found = -1, {"refused": str(e)}
        text = json.dumps(found)
        texts.add([json.dumps([place, text])])
        return place, text

    return check_group


def by_spark(job: Job, wanted: list[Group], threads: int) -> Iterator[tuple[Group, dict[str, Any]]]:
    """Row groups checked by Spark, in the order in which they are finished."""
    missing = dict(enumerate(wanted))
    tasks = [(p, replace(g, file=os.path.abspath(g.file))) for p, g in missing.items()]
    context, ours = _context(threads)
    try:
        texts = context.accumulator([], _Texts())
        result = context.parallelize(tasks, len(tasks)).map(_checker(job, texts))
        for place, text in _as_they_come(context, result, texts):
            found = json.loads(text)
            if place < 0:
                raise Refused(IO, found["refused"])
            if place in missing:
                yield missing.pop(place), found
    except (PySparkException, Py4JError) as e:
        raise Refused(IO, f"columns {', '.join(job.names())}: {_line(e)}") from e
    finally:
        if ours:
            context.stop()


def _as_they_come(
    context: SparkContext, result: RDD[tuple[int, str]], texts: Any
) -> Iterator[tuple[int, str]]:
    """The entries of finished tasks while the job runs, and then its whole result."""
    name = f"tongyu-ledger {id(result)}"

    def collect() -> list[tuple[int, str]]:
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
            if not job.done():  # the caller stopped early
                context.cancelJobGroup(name)
        yield from job.result()
