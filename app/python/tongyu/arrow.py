"""Functions from Arrow arrays to Arrow arrays: verify, sign, hash, encrypt and chain whole columns.

A column is a pyarrow Array or ChunkedArray of binary, string, their large forms, fixed-size binary
or views, which may be sliced or dictionary-encoded. The result for a ChunkedArray is a
ChunkedArray. Where a row is null, so is its result. Install tongyu[arrow].

Keys are bytes, or objects of tongyu.sm2. A bad row is false or null with errors="null", and
errors="raise" names the first one instead; a result is never a value that was not authenticated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from . import _tongyu as _c
from ._tongyu import Error, InvalidSignature, InvalidTag, SM2PrivateKey, TextError
from .sm2 import DEFAULT_ID

VERDICTS = ("good", "null", "wrong signature", "malformed signature", "bad key", "id too long")
"""The outcomes in verify_reasons and in the ledger's summary, in the order of their codes."""

KEYS_READY = {"sm2": 2048, "mldsa": 256}
"""Keys that stay precomputed, for each concurrent call: 15 KB each for SM2, 67 KB for ML-DSA."""

FIRST_LINK = bytes(32)
"""The default link before the first row of a chain."""

Column = Any
"""A pyarrow Array or ChunkedArray."""

_SLICE = 8192  # the fewest rows for a thread: a batch of the ledger
_MOST = 2**31 - 1  # bytes that an array of binary, whose offsets have 32 bits, can hold
_idle: dict[str, list[object]] = {"sm2": [], "mldsa": []}  # ledgers that no call is using


def _as_bytes(value: Any, name: str) -> bytes:
    """A copy of a bytes-like object. A number is refused, because bytes(n) is n zeros."""
    if isinstance(value, str):
        raise TextError(f"{name} is text where bytes belong: encode it first, as in text.encode()")
    try:
        return bytes(memoryview(value))
    except TypeError:
        raise TypeError(f"{name} must be bytes-like, not {type(value).__name__}") from None


def _is_bytes(kind: pa.DataType) -> bool:
    """Whether a column of this type has bytes or text in it."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    t = pa.types
    return bool(
        t.is_binary(kind) or t.is_large_binary(kind) or t.is_fixed_size_binary(kind)
        or t.is_string(kind) or t.is_large_string(kind)
        or t.is_binary_view(kind) or t.is_string_view(kind)
    )  # fmt: skip


def _plain(column: Column) -> Column:
    """The column as binary or string, without a dictionary."""
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        raise TypeError(f"a column must be a pyarrow Array, not {type(column).__name__}")
    kind = column.type
    if pa.types.is_null(kind):
        return column.cast(pa.binary())
    if not _is_bytes(kind):
        raise Error(f"a column has the type {kind}, which is neither binary nor string")
    return pc.cast(column, kind.value_type) if pa.types.is_dictionary(kind) else column


def _chunks(columns: list[Column | None], threads: int) -> list[list[Column | None]]:
    """The rows of all columns, cut at the same places so that no part crosses a chunk's end."""
    plain = [None if c is None else _plain(c) for c in columns]
    n = len(plain[0])  # type: ignore[arg-type]
    ends = {n}
    for column in plain:
        if column is None:
            continue
        if len(column) != n:
                raise Error(f"columns of {n} and {len(column)} rows: they are used row by row")
        if isinstance(column, pa.ChunkedArray):
            at = 0
            for chunk in column.chunks:
                at += len(chunk)
                ends.add(at)
    if threads > 1:
        ends.update(range(max(_SLICE, -(-n // threads)), n, max(_SLICE, -(-n // threads))))
    parts: list[list[Column | None]] = []
    start = 0
    for end in sorted(ends):
        if end > start or (n == 0 and not parts):
            parts.append(
                [None if c is None else _whole(c.slice(start, end - start)) for c in plain]
            )
        start = end
    return parts


def _whole(column: Column) -> pa.Array:
    if isinstance(column, pa.Array):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _run(
    work: Callable[..., pa.Array], columns: list[Column | None], threads: int, out: pa.DataType
) -> Column:
    """The results of `work` for every part of the columns, chunked if the input is. `work` is
    called with the index of a part's first row, and with the part of each column."""
    parts = _chunks(columns, threads)
    starts, at = [], 0
    for part in parts:
        starts.append(at)
        at += len(part[0])  # type: ignore[arg-type]
    if threads > 1 and len(parts) > 1:
        with ThreadPoolExecutor(threads) as pool:
            done = list(pool.map(lambda i: work(starts[i], *parts[i]), range(len(parts))))
    else:
        done = [work(start, *part) for start, part in zip(starts, parts, strict=True)]
    return _join(done, isinstance(columns[0], pa.ChunkedArray), out)


def _join(parts: list[pa.Array], chunked: bool, out: pa.DataType) -> Column:
    """The parts as one column of the type `out`; of large_binary instead of binary where a part is,
    or where one array of binary cannot hold them."""
    if pa.types.is_binary(out) and (
        any(pa.types.is_large_binary(p.type) for p in parts)
        or (not chunked and len(parts) > 1 and sum(p.nbytes for p in parts) > _MOST)
    ):
        out = pa.large_binary()
    same = [p if p.type == out else p.cast(out) for p in parts]
    if chunked:
        return pa.chunked_array(same, type=out)
    return same[0] if len(same) == 1 else pa.concat_arrays(same)


def _valid(*columns: pa.Array | None) -> pa.Array | None:
    """Which rows have no null, as a boolean array; None if no row has one."""
    result = None
    for column in columns:
        if column is None or column.null_count == 0:
            continue
        here = pc.is_valid(column)
        result = here if result is None else pc.and_(result, here)
    return result


def _bitmap(valid: pa.Array | None) -> pa.Buffer | None:
    if valid is None:
        return None
    buffer = valid.buffers()[1]
    return buffer if valid.offset == 0 else pa.concat_arrays([valid]).buffers()[1]


def _filled(column: pa.Array, valid: pa.Array | None) -> pa.Array:
    """The column with empty rows for nulls; large_binary, because it may be above 2 GiB."""
    if valid is None:
        return column
    kind = pa.large_binary()
    return pc.if_else(valid, column.cast(kind), pa.scalar(b"", kind))


def _fixed(data: bytearray, width: int, valid: pa.Array | None, n: int) -> pa.Array:
    """Rows of width bytes as a binary array, which every engine accepts."""
    buffers = [_bitmap(valid), pa.py_buffer(data)]
    kind = pa.large_binary() if width * n > _MOST else pa.binary()
    return pa.Array.from_buffers(pa.binary(width), n, buffers).cast(kind)


def _strings(result: tuple[bytearray, bytearray, bytearray, int], n: int) -> pa.Array:
    valid, offsets, data, _ = result
    wide = len(offsets) == 8 * (n + 1)
    buffers = [pa.py_buffer(valid), pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_binary() if wide else pa.binary(), n, buffers)


def _check_errors(errors: str) -> bool:
    """Whether a bad row stops the call."""
    if errors not in ("null", "raise"):
        raise ValueError(f'errors is "null" or "raise", not {errors!r}')
    return errors == "raise"


# --- Signatures ---


def _verify_part(family: str, *columns: Any) -> tuple[bytearray, bytearray]:
    """Verify with an idle ledger, which has the keys of earlier calls, or with a new one."""
    idle = _idle[family]
    try:
        ledger = idle.pop()
    except IndexError:
        ledger = _c._column_ledger(family, KEYS_READY[family])
    try:
        return _c._column_verify(ledger, *columns)
    finally:
        idle.append(ledger)


def _verify(
    family: str, msg: Column, sig: Column, pub: Column, id: Any, format: str, threads: int
) -> list[tuple[pa.Array, bytearray, int]]:
    """For every part in order: good rows (null where a field is), reasons, and its first row."""
    if family not in KEYS_READY:
        raise ValueError(f'family is "sm2" or "mldsa", not {family!r}')
    ids = id if isinstance(id, (pa.Array, pa.ChunkedArray)) else None
    one_id = None if id is None or ids is not None else _as_bytes(id, "id or context")
    found: dict[int, tuple[pa.Array, bytearray, int]] = {}

    def work(
        start: int, msg: pa.Array, sig: pa.Array, pub: pa.Array, ids: pa.Array | None
    ) -> pa.Array:
        which = one_id if ids is None else ids
        bits, why = _verify_part(family, sig, msg, pub, which, format)
        valid = _bitmap(_valid(msg, sig, pub, ids))
        good = pa.Array.from_buffers(pa.bool_(), len(msg), [valid, pa.py_buffer(bits)])
        found[start] = (good, why, start)
        return good

    _run(work, [msg, sig, pub, ids], threads, pa.bool_())
    return [found[start] for start in sorted(found)]


def _answer(parts: list[tuple[pa.Array, bytearray, int]], chunked: bool, stop: bool) -> Column:
    for _, why, start in parts:
        bad = next((i for i, reason in enumerate(why) if reason > 1), None) if stop else None
        if bad is not None:
            raise InvalidSignature(f"row {start + bad}: {VERDICTS[why[bad]]}")
    arrays = [good for good, _, _ in parts]
    if chunked:
        return pa.chunked_array(arrays, type=pa.bool_())
    return arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays)


def sm2_verify(
    msg: Column,
    sig: Column,
    pub: Column,
    id: Any = None,
    *,
    format: str = "raw",
    errors: str = "null",
    threads: int = 1,
) -> Column:
    """Whether each signature is good: true or false, null where a field is null.

    sig is r || s, or DER with format="der"; pub has 64, 65 or 33 bytes; id is the name of all
    signers, or a column, and tongyu.sm2.DEFAULT_ID by default. Keys stay precomputed between calls.
    """
    parts = _verify("sm2", msg, sig, pub, id, format, threads)
    return _answer(parts, isinstance(msg, pa.ChunkedArray), _check_errors(errors))


def mldsa_verify(
    msg: Column,
    sig: Column,
    pub: Column,
    context: Any = None,
    *,
    errors: str = "null",
    threads: int = 1,
) -> Column:
    """The same for ML-DSA; a row's parameter set is that of its key. context is bytes, or a
    column."""
    parts = _verify("mldsa", msg, sig, pub, context, "raw", threads)
    return _answer(parts, isinstance(msg, pa.ChunkedArray), _check_errors(errors))


def verify_reasons(
    family: str,
    msg: Column,
    sig: Column,
    pub: Column,
    id: Any = None,
    *,
    format: str = "raw",
    threads: int = 1,
) -> tuple[Column, dict[str, int]]:
    """The result of sm2_verify (family "sm2") or mldsa_verify ("mldsa"), and the number of rows
    with each of VERDICTS."""
    parts = _verify(family, msg, sig, pub, id, format, threads)
    counts: Counter[int] = Counter()
    for _, why, _ in parts:
        for reason in range(len(VERDICTS)):
            counts[reason] += why.count(reason)
    chunked = isinstance(msg, pa.ChunkedArray)
    return _answer(parts, chunked, False), {VERDICTS[r]: counts[r] for r in range(len(VERDICTS))}


def sm2_sign(
    msg: Column,
    key: SM2PrivateKey,
    id: bytes | None = None,
    *,
    format: str = "raw",
    threads: int = 1,
) -> Column:
    """A signature of each row, r || s or DER."""

    def work(start: int, msg: pa.Array) -> pa.Array:
        valid = _valid(msg)
        there = _filled(msg, valid)
        name = DEFAULT_ID if id is None else id
        raw = _fixed(_c.sm2_sign_many(key, there, id=name, threads=1), 64, valid, len(msg))
        if format == "raw":
            return raw
        return pa.array([None if s is None else _der(s) for s in raw.to_pylist()], pa.binary())

    if format not in ("raw", "der"):
        raise ValueError(f'format is "raw" or "der", not {format!r}')
    return _run(work, [msg], threads, pa.binary())


def _der(raw: bytes) -> bytes:
    parts = b""
    for half in (raw[:32], raw[32:]):
        number = half.lstrip(b"\0")
        if not number or number[0] & 0x80:
            number = b"\0" + number
        parts += bytes([2, len(number)]) + number
    return bytes([0x30, len(parts)]) + parts


# --- Hashes ---


def sm3(column: Column, *, threads: int = 1) -> Column:
    """SM3 of each row, 32 bytes."""

    def work(start: int, data: pa.Array) -> pa.Array:
        valid = _valid(data)
        there = _filled(data, valid)
        return _fixed(_c.sm3_many(there, threads=1), 32, valid, len(data))

    return _run(work, [column], threads, pa.binary())


def hmac_sm3(column: Column, key: bytes, *, threads: int = 1) -> Column:
    """HMAC-SM3 of each row: a token, the same for the same value under the same key."""

    def work(start: int, data: pa.Array) -> pa.Array:
        return _fixed(_c._column_hmac(key, data), 32, _valid(data), len(data))

    return _run(work, [column], threads, pa.binary())


def chain(column: Column, previous: bytes = FIRST_LINK) -> Column:
    """Links that reveal changes of rows and of their order: the link of a row is
    SM3(previous link || 1 || row), of a null SM3(previous link || 0), so that a null has a link,
    too. previous is the last link of the rows before; the last link here depends on all rows."""

    done = []
    for (data,) in _chunks([column], 1):
        links = _c._column_chain(data, previous)
        previous = bytes(links[-32:]) if links else previous
        done.append(_fixed(links, 32, None, len(data)))  # type: ignore[arg-type]
    return _join(done, isinstance(column, pa.ChunkedArray), pa.binary())


def chain_verify(column: Column, links: Column, previous: bytes = FIRST_LINK) -> int | None:
    """The index of the first row whose link is not that of chain(), because rows were edited,
    dropped or reordered; None if all are right. If the numbers of rows and links differ, and all
    rows with links are right, the result is the smaller number."""
    n = min(len(column), len(links))
    want = chain(column.slice(0, n), previous).cast(pa.large_binary())
    there = _plain(links).slice(0, n).cast(pa.large_binary())
    bad = pc.index(pc.fill_null(pc.equal(want, there), False), False).as_py()
    return bad if bad >= 0 else None if len(column) == len(links) else n


# --- Encryption ---


def _seal(
    column: Column, key: bytes, aad: Any, unique: Column | None, siv: bool, threads: int
) -> Column:
    def work(start: int, data: pa.Array, aad: pa.Array | None, unique: pa.Array | None) -> pa.Array:
        return _strings(_c._column_seal(key, data, aad, siv, unique), len(data))

    return _run(work, [column, _each(aad, column), unique], threads, pa.binary())


def _open(column: Column, key: bytes, aad: Any, siv: bool, errors: str, threads: int) -> Column:
    stop = _check_errors(errors)

    def work(start: int, data: pa.Array, aad: pa.Array | None) -> pa.Array:
        result = _c._column_open(key, data, aad, siv)
        if stop and result[3] >= 0:
            raise InvalidTag(f"row {start + result[3]}: altered, or sealed under another key")
        return _strings(result, len(data))

    return _run(work, [column, _each(aad, column)], threads, pa.binary())


def _each(aad: Any, column: Column) -> Column | None:
    """Additional data as a column: bytes are repeated for every row."""
    if aad is None or isinstance(aad, (pa.Array, pa.ChunkedArray)):
        return aad
    value = _as_bytes(aad, "aad")
    large = len(value) * len(column) > _MOST
    one = pa.array([value], pa.large_binary() if large else pa.binary())
    return pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), len(column)), one)


def sm4_gcm_seal(
    column: Column, key: bytes, aad: Any = None, *, unique: Column | None = None, threads: int = 1
) -> Column:
    """Each row encrypted by SM4-GCM: nonce (12 bytes), ciphertext, tag (16).

    The nonce is random without unique: up to 2^32 rows under one key. With unique, a column such as
    the primary key, it is an HMAC of unique, aad and the row together, so that two rows which
    differ in any of them have different nonces; sealing a row again returns the same bytes. aad is
    bytes, or a column; it is authenticated, and needed to open.
    """
    return _seal(column, key, aad, unique, False, threads)


def sm4_gcm_open(
    column: Column, key: bytes, aad: Any = None, *, errors: str = "null", threads: int = 1
) -> Column:
    """The plaintexts of sm4_gcm_seal's rows; null where a row was altered, or sealed under another
    key or aad."""
    return _open(column, key, aad, False, errors, threads)


def sm4_gcm_siv_seal(column: Column, key: bytes, aad: Any = None, *, threads: int = 1) -> Column:
    """Each row encrypted by SM4-GCM-SIV under a nonce of zeros: ciphertext, tag (16). Equal rows
    with equal aad have equal ciphertexts, so that joins and GROUP BY work, but everybody can also
    see which rows are equal."""
    return _seal(column, key, aad, None, True, threads)


def sm4_gcm_siv_open(
    column: Column, key: bytes, aad: Any = None, *, errors: str = "null", threads: int = 1
) -> Column:
    """The plaintexts of sm4_gcm_siv_seal's rows; null as in sm4_gcm_open."""
    return _open(column, key, aad, True, errors, threads)


def reencrypt(
    column: Column,
    old: bytes,
    new: bytes,
    aad: Any = None,
    *,
    unique: Column | None = None,
    errors: str = "raise",
    threads: int = 1,
) -> Column:
    """A column of sm4_gcm_seal, sealed again under another key. A row that does not open raises
    InvalidTag, so that none is lost; with errors="null" it becomes null."""
    if _as_bytes(old, "old") == _as_bytes(new, "new"):
        raise Error("the old key and the new one are the same: rotate to a fresh key")
    plain = _open(column, old, aad, False, errors, threads)
    return _seal(plain, new, aad, unique, False, threads)
