"""The SQL functions that tongyu.duckdb and tongyu.spark register, each declared once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from . import arrow
from ._tongyu import Error, SM2PrivateKey

Kind = Literal["blob", "text", "boolean"]


class Function(NamedTuple):
    """Its name in SQL, the function on Arrow arrays, and the types of parameters and result."""

    name: str
    call: Callable[..., Any]
    takes: tuple[Kind, ...]
    returns: Kind = "blob"
    fresh: bool = False  # every call has another result, because it draws nonces


def one(column: Any, what: str) -> Any:
    """The value of a constant column, such as the name of a key; None if it has no rows."""
    for value in column.unique() if len(column) else []:
        if value != column[0]:
            raise Error(f"{what} differs from row to row: write it as one constant")
    return column[0].as_py() if len(column) else None


def key_bytes(name: str, key: bytes) -> bytes:
    """A copy of key; text is refused, because it could be meant as a path."""
    return arrow._as_bytes(key, f"the key {name!r}, if not a pathlib.Path,")


def no_key(name: object, known: list[str]) -> Error:
    names = ", ".join(sorted(known)) or "none"
    return Error(f"no key is called {name!r} (known: {names}): pass it to register(keys=...)")


def functions(key_of: Callable[[Any], bytes], errors: str) -> list[Function]:
    """All functions. key_of returns the key that a column names; errors, for rows that do not open,
    is "null" or "raise"."""
    a = arrow
    return [
        Function("sm3", a.sm3, ("blob",)),
        Function("sm3_hmac", lambda v, k: a.hmac_sm3(v, key_of(k)), ("blob", "text")),
        Function(
            "sm4_gcm_encrypt",
            lambda v, k, aad: a.sm4_gcm_seal(v, key_of(k), aad),
            ("blob", "text", "blob"),
            fresh=True,
        ),
        Function(
            "sm4_gcm_encrypt_unique",
            lambda v, k, aad, u: a.sm4_gcm_seal(v, key_of(k), aad, unique=u),
            ("blob", "text", "blob", "blob"),
        ),
        Function(
            "sm4_gcm_decrypt",
            lambda v, k, aad: a.sm4_gcm_open(v, key_of(k), aad, errors=errors),
            ("blob", "text", "blob"),
        ),
        Function(
            "sm4_gcm_siv_encrypt",
            lambda v, k, aad: a.sm4_gcm_siv_seal(v, key_of(k), aad),
            ("blob", "text", "blob"),
        ),
        Function(
            "sm4_gcm_siv_decrypt",
            lambda v, k, aad: a.sm4_gcm_siv_open(v, key_of(k), aad, errors=errors),
            ("blob", "text", "blob"),
        ),
        Function(
            "sm4_reencrypt",
            lambda v, old, new, aad: a.reencrypt(v, key_of(old), key_of(new), aad, errors=errors),
            ("blob", "text", "text", "blob"),
            fresh=True,
        ),
        Function(
            "sm2_sign",
            lambda v, k: a.sm2_sign(v, SM2PrivateKey.from_scalar(key_of(k))),
            ("blob", "text"),
            fresh=True,
        ),
        Function("sm2_verify", a.sm2_verify, ("blob", "blob", "blob"), "boolean"),
        Function("sm2_verify_id", a.sm2_verify, ("blob", "blob", "blob", "blob"), "boolean"),
        Function("mldsa_verify", a.mldsa_verify, ("blob", "blob", "blob"), "boolean"),
    ]
