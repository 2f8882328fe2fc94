"""SQL functions for DuckDB: tongyu.duckdb.register(connection). Install tongyu[duckdb].

Queries refer to keys by name: register(connection, keys={"pii": key}) holds the bytes in this
process, and SQL calls sm4_gcm_encrypt(value, 'pii'), so that no key is in a query, a plan or a log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import pyarrow as pa
from duckdb import DuckDBPyConnection, InvalidInputException
from duckdb.sqltypes import BLOB, BOOLEAN, VARCHAR

from . import _sql, arrow

_TYPES = {"blob": BLOB, "text": VARCHAR, "boolean": BOOLEAN}

# DuckDB counts a function's parameters, and would count *columns as one.
_BY_COUNT: list[Callable[[Callable[..., Any]], Callable[..., Any]]] = [
    lambda f: lambda a: f(a),
    lambda f: lambda a, b: f(a, b),
    lambda f: lambda a, b, c: f(a, b, c),
    lambda f: lambda a, b, c, d: f(a, b, c, d),
]


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    if isinstance(column, pa.ChunkedArray):
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column


def _of_arrays(function: _sql.Function) -> Callable[..., Any]:
    def call(*columns: pa.Array | pa.ChunkedArray) -> pa.Array:
        if len(columns[0]) == 0:
            return pa.array([], pa.bool_() if function.returns == "boolean" else pa.binary())
        return function.call(*(_whole(c) for c in columns))

    return _BY_COUNT[len(function.takes) - 1](call)


def _key(name: str, key: bytes | PathLike[str]) -> bytes:
    return Path(key).read_bytes() if isinstance(key, PathLike) else _sql.key_bytes(name, key)


def register(
    connection: DuckDBPyConnection,
    *,
    keys: Mapping[str, bytes | PathLike[str]] | None = None,
    errors: str = "null",
) -> None:
    """Register the functions with the connection. A second call, with other keys or errors,
    replaces them.

    sm3(v), sm3_hmac(v, key), sm4_gcm_encrypt(v, key, aad), sm4_gcm_encrypt_unique(v, key, aad,
    unique), sm4_gcm_decrypt(v, key, aad), sm4_gcm_siv_encrypt(v, key, aad), sm4_gcm_siv_decrypt(v,
    key, aad), sm4_reencrypt(v, old, new, aad), sm2_sign(msg, key): BLOB. sm2_verify(msg, sig, pub),
    sm2_verify_id(msg, sig, pub, id), mldsa_verify(msg, sig, pub): BOOLEAN. key, old and new are
    names in keys; a key is bytes, or the path of a file that holds them, which is read now: 16
    bytes for SM4, the 32 of the private scalar for SM2, any number for HMAC. errors="raise" stops a
    query at the first row that does not open.
    """
    arrow._check_errors(errors)
    held = {name: _key(name, key) for name, key in (keys or {}).items()}

    def key_of(column: pa.Array) -> bytes:
        name = _sql.one(column, "a key's name")
        if name not in held:
            raise _sql.no_key(name, list(held))
        return held[name]

    for function in _sql.functions(key_of, errors):
        with suppress(InvalidInputException):  # no such function is registered
            connection.remove_function(function.name)
        connection.create_function(
            function.name,
            _of_arrays(function),
            [_TYPES[kind] for kind in function.takes],
            _TYPES[function.returns],
            type="arrow",
            null_handling="special",
            side_effects=function.fresh,
        )
