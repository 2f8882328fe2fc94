"""SQL functions for DuckDB: tongyu.duckdb.register(connection). Install tongyu[duckdb].

Keys are names, not bytes: register(connection, keys={"pii": key}) holds them in this process, and
SQL says sm4_gcm_encrypt(value, 'pii'), so that no key stands in a query, a plan or a log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyarrow as pa
from duckdb import DuckDBPyConnection
from duckdb.sqltypes import BLOB, BOOLEAN, VARCHAR

from . import arrow
from ._tongyu import Error


def _one(column: pa.Array | pa.ChunkedArray, what: str) -> Any:
    """The value that all rows of a column have: a key's name, an id."""
    for value in column.unique() if len(column) else []:
        if value != column[0]:
            raise Error(f"{what} differs from row to row: write it as one constant")
    return column[0].as_py() if len(column) else None


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    if isinstance(column, pa.ChunkedArray):
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    return column


# DuckDB counts a function's parameters, and takes *columns for one.
_BY_COUNT: list[Callable[[Callable[..., Any]], Callable[..., Any]]] = [
    lambda f: lambda a: f(a),
    lambda f: lambda a, b: f(a, b),
    lambda f: lambda a, b, c: f(a, b, c),
    lambda f: lambda a, b, c, d: f(a, b, c, d),
]


def register(
    connection: DuckDBPyConnection,
    *,
    keys: Mapping[str, bytes] | None = None,
    errors: str = "null",
) -> None:
    """Make the functions known to the connection.

    sm3(v), sm3_hmac(v, key), sm4_gcm_encrypt(v, key, aad), sm4_gcm_encrypt_unique(v, key, aad,
    unique), sm4_gcm_decrypt(v, key, aad), sm4_gcm_siv_encrypt(v, key, aad), sm4_gcm_siv_decrypt(v,
    key, aad), sm4_reencrypt(v, old, new, aad): BLOB. sm2_verify(msg, sig, pub), sm2_verify_id(msg,
    sig, pub, id), mldsa_verify(msg, sig, pub): BOOLEAN. key, old and new are names in keys.
    errors="raise" stops a query at the first row that does not open.
    """
    held = {name: bytes(key) for name, key in (keys or {}).items()}

    def key_of(column: pa.Array | pa.ChunkedArray) -> bytes:
        name = _one(column, "a key's name")
        if name not in held:
            known = ", ".join(sorted(held)) or "none"
            raise Error(
                f"no key is called {name!r} (known: {known}): give it to register(keys=...)"
            )
        return held[name]

    def add(
        name: str,
        call: Callable[..., Any],
        takes: list[Any],
        gives: Any = BLOB,
        fresh: bool = False,
    ) -> None:
        def of_arrays(*columns: pa.Array | pa.ChunkedArray) -> pa.Array:
            if len(columns[0]) == 0:
                return pa.array([], pa.bool_() if gives is BOOLEAN else pa.binary())
            return call(*(_whole(c) for c in columns))

        connection.create_function(
            name,
            _BY_COUNT[len(takes) - 1](of_arrays),
            takes,
            gives,
            type="arrow",
            null_handling="special",
            side_effects=fresh,
        )

    add("sm3", arrow.sm3, [BLOB])
    add("sm3_hmac", lambda v, k: arrow.hmac_sm3(v, key_of(k)), [BLOB, VARCHAR])
    add(
        "sm4_gcm_encrypt",
        lambda v, k, a: arrow.sm4_gcm_seal(v, key_of(k), a),
        [BLOB, VARCHAR, BLOB],
        fresh=True,
    )
    add(
        "sm4_gcm_encrypt_unique",
        lambda v, k, a, u: arrow.sm4_gcm_seal(v, key_of(k), a, unique=u),
        [BLOB, VARCHAR, BLOB, BLOB],
    )
    add(
        "sm4_gcm_decrypt",
        lambda v, k, a: arrow.sm4_gcm_open(v, key_of(k), a, errors=errors),
        [BLOB, VARCHAR, BLOB],
    )
    add(
        "sm4_gcm_siv_encrypt",
        lambda v, k, a: arrow.sm4_gcm_siv_seal(v, key_of(k), a),
        [BLOB, VARCHAR, BLOB],
    )
    add(
        "sm4_gcm_siv_decrypt",
        lambda v, k, a: arrow.sm4_gcm_siv_open(v, key_of(k), a, errors=errors),
        [BLOB, VARCHAR, BLOB],
    )
    add(
        "sm4_reencrypt",
        lambda v, o, n, a: arrow.reencrypt(v, key_of(o), key_of(n), a, errors=errors),
        [BLOB, VARCHAR, VARCHAR, BLOB],
        fresh=True,
    )
    add("sm2_verify", arrow.sm2_verify, [BLOB, BLOB, BLOB], BOOLEAN)
    add("sm2_verify_id", arrow.sm2_verify, [BLOB, BLOB, BLOB, BLOB], BOOLEAN)
    add("mldsa_verify", arrow.mldsa_verify, [BLOB, BLOB, BLOB], BOOLEAN)
