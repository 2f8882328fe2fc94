"""Spark: verify() for ledgers, and the SQL functions of tongyu.duckdb. Install tongyu[spark].

The kernels work in Spark's Python workers, on the Arrow batches that Spark passes to them; no
Python object is made for a row. Every worker must be able to import tongyu: install it there, or
send it in a packed virtual environment (spark-submit --archives).

Queries refer to keys by name: register(spark, keys={"pii": key}) sends the bytes to the workers as
a broadcast, and keys={"pii": Path("/etc/keys/pii")} names a file that each worker reads for itself.
So no key is in a query, a plan or the event log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import arrow_udf
from pyspark.sql.types import BinaryType, BooleanType, StructField, StructType

from . import _sql, arrow
from ._tongyu import Error


class _Keys:
    """Keys by their names: only the broadcast's id and names of files are sent to a worker."""

    def __init__(self, context: SparkContext, keys: Mapping[str, bytes | PathLike[str]]) -> None:
        self.files = {name: fspath(key) for name, key in keys.items() if isinstance(key, PathLike)}
        sent = {
            name: _sql.key_bytes(name, key)
            for name, key in keys.items()
            if not isinstance(key, PathLike)
        }
        self.sent = context.broadcast(sent) if sent else None

    def of(self, column: pa.Array) -> bytes:
        name = _sql.one(column, "a key's name")
        if name in self.files:
            try:
                return Path(self.files[name]).read_bytes()
            except OSError as e:
                raise Error(f"the key {name!r}: {e.filename}: {e.strerror}") from None
        sent = self.sent.value if self.sent else {}
        if name not in sent:
            raise _sql.no_key(name, [*self.files, *sent])
        return bytes(sent[name])


def _call(name: str, keys: _Keys, errors: str, columns: tuple[pa.Array, ...]) -> pa.Array:
    return next(f for f in _sql.functions(keys.of, errors) if f.name == name).call(*columns)


def _worker(name: str, keys: _Keys, errors: str) -> Callable[..., pa.Array]:
    return lambda *columns: _call(name, keys, errors, columns)


def register(
    spark: SparkSession,
    *,
    keys: Mapping[str, bytes | PathLike[str]] | None = None,
    errors: str = "null",
) -> None:
    """Register the functions of tongyu.duckdb.register with the session's SQL, under the same
    names, as Arrow UDFs (Spark 4.1 or newer).

    A key is bytes, or the path of a file on the workers that holds them. Spark keeps a broadcast in
    files of spark.local.dir: set spark.io.encryption.enabled where others can read those.
    """
    arrow._check_errors(errors)
    held = _Keys(spark.sparkContext, keys or {})
    for function in _sql.functions(held.of, errors):
        result = BooleanType() if function.returns == "boolean" else BinaryType()
        udf = arrow_udf(_worker(function.name, held, errors), result)
        spark.udf.register(function.name, udf.asNondeterministic() if function.fresh else udf)


def verify(
    frame: DataFrame,
    msg: str = "msg",
    sig: str = "sig",
    pub: str = "pub",
    id: str | bytes | None = None,
    *,
    family: str = "sm2",
    format: str = "raw",
    good: str = "good",
) -> DataFrame:
    """The frame with one more column, called good by default and computed by mapInArrow: whether
    the signature is good, null where a field is null. msg, sig and pub are names of columns, as is
    id if it is a string; an id of bytes applies to all rows (for ML-DSA it is the context)."""
    if family not in arrow.KEYS_READY:
        raise ValueError(f'family is "sm2" or "mldsa", not {family!r}')
    for name in (msg, sig, pub, *([id] if isinstance(id, str) else [])):
        if name not in frame.columns:
            raise Error(f"no column is called {name} (there are {', '.join(frame.columns)})")
    if good in frame.columns:
        raise Error(f"there is a column called {good} already: choose another name with good=")

    def work(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            ids = batch[id] if isinstance(id, str) else id
            answers, _ = arrow.verify_reasons(
                family, batch[msg], batch[sig], batch[pub], ids, format=format
            )
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, answers], [*batch.schema.names, good]
            )

    schema = StructType([*frame.schema.fields, StructField(good, BooleanType())])
    return frame.mapInArrow(work, schema)
