"""Batches: every shape of input, one result for each item, broken input refused unread."""

from __future__ import annotations

import array
import ctypes
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tongyu
from tongyu import aead, mldsa, sm2

KEY = sm2.SM2PrivateKey.generate()
ITEMS = [b"", b"a", b"bc" * 30, b"d" * 1000, b"", b"e" * 17]
FLAT = b"".join(ITEMS)


def offsets(kind: str, items=ITEMS) -> array.array:
    out = array.array(kind, [0])
    for item in items:
        out.append(out[-1] + len(item))
    return out


def shapes():
    yield "list", ITEMS
    yield "tuple of buffers", tuple(bytearray(x) for x in ITEMS)
    yield "generator", (memoryview(x) for x in ITEMS)
    yield "int32 offsets", (offsets("i"), FLAT)
    yield "int64 offsets", (offsets("q"), bytearray(FLAT))


def digests(items) -> bytes:
    return b"".join(tongyu.sm3_digest(x) for x in items)


@pytest.mark.parametrize("shape", list(shapes()), ids=lambda s: s[0])
@pytest.mark.parametrize("threads", [0, 1, 3])
def test_shapes(shape, threads):
    if shape[0] == "generator":
        shape = ("generator", (memoryview(x) for x in ITEMS))
    assert tongyu.sm3_many(shape[1], threads=threads) == digests(ITEMS)


def test_rows():
    rows = memoryview(bytes(range(96))).cast("B", (3, 32))
    assert tongyu.sm3_many(rows) == digests(bytes(range(96))[i : i + 32] for i in (0, 32, 64))
    assert tongyu.sm3_many([]) == b""
    with pytest.raises(ValueError, match="one buffer"):
        tongyu.sm3_many(b"abc")
    with pytest.raises(TypeError):
        tongyu.sm3_many("abc")
    with pytest.raises(TypeError, match="data must be"):
        tongyu.sm3_many(5)
    with pytest.raises(TypeError, match="data must be bytes-like"):
        tongyu.sm3_many([b"a", 5])
    with pytest.raises(ValueError, match="item 1 is missing"):
        tongyu.sm3_many([b"a", None])


@pytest.mark.parametrize("kind", [ctypes.c_int32, ctypes.c_int64])
def test_offsets_order(kind):
    """Offsets are accepted in the machine's byte order, however the format names it, and refused in
    the other."""
    little, big = (getattr(kind, f"__ctype_{x}e__") * 3 for x in "lb")
    native, other = (little, big) if sys.byteorder == "little" else (big, little)
    assert tongyu.sm3_many((native(0, 1, 3), b"abc")) == digests([b"a", b"bc"])
    assert memoryview(native()).format[0] != memoryview(other()).format[0]
    with pytest.raises(ValueError, match="machine's byte order"):
        tongyu.sm3_many((other(0, 1, 3), b"abc"))


@settings(max_examples=200)
@given(st.lists(st.integers(-5, 40), min_size=0, max_size=8), st.sampled_from("iq"))
def test_bad_offsets(values, kind):
    good = bool(values) and all(0 <= v <= 20 for v in values) and sorted(values) == values
    data, table = bytes(range(20)), array.array(kind, values)
    if good:
        assert tongyu.sm3_many((table, data)) == digests(
            data[a:b] for a, b in zip(values, values[1:])
        )
    elif values:
        with pytest.raises(ValueError, match="decreases or is beyond"):
            tongyu.sm3_many((table, data))


# --- numpy, Arrow, polars, duckdb, DLPack -------------------------------------------------------


def test_numpy():
    np = pytest.importorskip("numpy")
    rows = np.arange(320, dtype=np.uint8).reshape(10, 32)
    want = digests(row.tobytes() for row in rows)
    assert tongyu.sm3_many(rows) == want
    assert np.frombuffer(tongyu.sm3_many(rows), np.uint8).reshape(10, 32).shape == (10, 32)
    assert tongyu.sm3_many((np.array([0, 1, 3], np.int32), b"abc")) == digests([b"a", b"bc"])
    assert tongyu.sm3_many(
        (np.array([0, 1, 3], np.int64), np.frombuffer(b"abc", np.uint8))
    ) == digests([b"a", b"bc"])
    with pytest.raises(BufferError):
        tongyu.sm3_many(rows[:, ::2])
    with pytest.raises(BufferError):
        tongyu.sm3(rows[:, ::2])
    with pytest.raises(ValueError):
        tongyu.sm3_many(rows.astype(np.uint16))


def test_dlpack():
    np = pytest.importorskip("numpy")
    rows = np.arange(96, dtype=np.uint8).reshape(3, 32)

    class Only:
        """An array that has DLPack's methods and no buffer, as in some other libraries."""

        def __init__(self, inner):
            self.inner = inner

        def __dlpack__(self, **how):
            return self.inner.__dlpack__(**how)

    class Old(Only):
        """One from before DLPack had versions."""

        def __dlpack__(self):
            with warnings.catch_warnings(action="ignore"):
                return self.inner.__dlpack__()

    for shown in (Only(rows), Old(rows)):
        assert tongyu.sm3_many(shown) == digests(row.tobytes() for row in rows)
    for bad in (rows[:, ::2], rows.astype(np.float32), rows[0]):
        with pytest.raises((ValueError, BufferError)):
            tongyu.sm3_many(Only(bad))


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    views = [pa.binary_view()] if hasattr(pa, "binary_view") else []
    for kind in [pa.binary(), pa.large_binary(), *views]:
        whole = pa.array(ITEMS * 3, kind)
        assert tongyu.sm3_many(whole) == digests(ITEMS * 3)
        assert tongyu.sm3_many(whole[2:9]) == digests((ITEMS * 3)[2:9])
        chunked = pa.chunked_array([whole[1:4], whole[:0], whole[5:]])
        assert tongyu.sm3_many(chunked) == digests((ITEMS * 3)[1:4] + (ITEMS * 3)[5:])
    assert tongyu.sm3_many(pa.array(["a", "é"])) == digests([b"a", "é".encode()])
    assert tongyu.sm3_many(pa.array([b"ab", b"cd"], pa.binary(2))) == digests([b"ab", b"cd"])
    assert tongyu.sm3_many(pa.array([b"ab", b"cd"], pa.binary(2))[1:]) == digests([b"cd"])
    with pytest.raises(ValueError, match="item 1 is missing"):
        tongyu.sm3_many(pa.array([b"a", None]))
    with pytest.raises(ValueError, match="format is 'l'"):
        tongyu.sm3_many(pa.array([1, 2]))


def test_arrow_broken():
    """Offsets that no correct producer writes are refused, not followed."""
    pa = pytest.importorskip("pyarrow")
    for table in ([0, 5, 3, 6], [0, 7, 6, 6]):
        buffers = [None, pa.py_buffer(array.array("i", table)), pa.py_buffer(b"abcdef")]
        with pytest.raises(ValueError, match="decreases or is beyond"):
            tongyu.sm3_many(pa.Array.from_buffers(pa.binary(), 3, buffers))


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"x": ITEMS})
    assert tongyu.sm3_many(frame["x"]) == digests(ITEMS)
    assert tongyu.sm3_many(pl.concat([frame, frame], rechunk=False)["x"]) == digests(ITEMS * 2)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    rows = duckdb.sql("select encode('row ' || i) as x from range(5000) t(i)")
    table = rows.to_arrow_table()
    assert tongyu.sm3_many(table.column("x")) == digests(b"row %d" % i for i in range(5000))


# --- SM2 ----------------------------------------------------------------------------------------


def ledger(n: int):
    """Signed rows by three signers in mixed order."""
    keys = [KEY, sm2.SM2PrivateKey.generate(), sm2.SM2PrivateKey.generate()]
    msgs = [b"row %d" % i for i in range(n)]
    signers = [keys[i % 3] for i in range(n)]
    return signers, msgs, bytes(sm2.sign_many(signers, msgs))


@pytest.mark.parametrize("n", [0, 1, 2, 33, 600])
def test_sm2(n):
    signers, msgs, flat = ledger(n)
    sigs = [flat[64 * i : 64 * i + 64] for i in range(n)]
    pubs = [k.public_key() for k in signers]
    for sig, msg, pub in zip(sigs, msgs, pubs):
        pub.verify(sig, msg, format="raw")
    for form in (
        pubs,
        [p.public_bytes("point") for p in pubs],
        [p.public_bytes("compressed") for p in pubs],
    ):
        assert sm2.verify_many(sigs, msgs, form) == b"\1" * n
    if n > 1:
        forged = list(sigs)
        forged[1] = bytes(64)
        forged[0] = b"short"
        msgs[n - 1] += b"!"
        want = bytearray(b"\1" * n)
        want[0] = want[1] = want[n - 1] = 0
        assert sm2.verify_many(forged, msgs, pubs) == want
        points = [p.public_bytes("point") for p in pubs]
        points[0] = b"no key"
        assert sm2.verify_many(sigs, msgs, points)[0] == 0


def test_sm2_forms():
    msgs = [b"a", b"b"]
    pub = KEY.public_key()
    rows = memoryview(sm2.sign_many(KEY, msgs)).cast("B", (2, 64))
    assert sm2.verify_many(rows, msgs, pub) == b"\1\1"
    assert sm2.verify_many([KEY.sign(m) for m in msgs], msgs, pub, format="der") == b"\1\1"
    assert sm2.verify_many([None, bytes(64)], msgs, pub) == b"\0\0"
    ident = sm2.sign_many(KEY, msgs, id=b"Alice")
    assert (
        sm2.verify_many(memoryview(ident).cast("B", (2, 64)), msgs, pub, id=b"Alice", threads=2)
        == b"\1\1"
    )
    assert sm2.verify_many(memoryview(ident).cast("B", (2, 64)), msgs, pub) == b"\0\0"
    with pytest.raises(ValueError, match="messages has 1 items, and 2"):
        sm2.verify_many(rows, msgs[:1], pub)
    with pytest.raises(ValueError, match="public_keys has"):
        sm2.verify_many(rows, msgs, [pub])
    with pytest.raises(TypeError):
        sm2.sign_many(pub, msgs)
    with pytest.raises(ValueError, match="threads"):
        sm2.sign_many(KEY, msgs, threads=65)


def test_sm2_arrow():
    pa = pytest.importorskip("pyarrow")
    signers, msgs, flat = ledger(300)
    pubs = pa.array([k.public_key().public_bytes("point")[1:] for k in signers], pa.binary(64))
    sigs = pa.array(
        [flat[64 * i : 64 * i + 64] if i != 7 else None for i in range(300)], pa.binary(64)
    )
    out = sm2.verify_many(sigs, pa.array(msgs), pubs)
    assert out[7] == 0 and sum(out) == 299
    assert sm2.verify_many(sigs[10:], pa.array(msgs)[10:], pubs[10:]) == b"\1" * 290


# --- ML-DSA and GCM -----------------------------------------------------------------------------


@pytest.mark.parametrize("private", [mldsa.MLDSA44PrivateKey, mldsa.MLDSA87PrivateKey])
def test_mldsa(private):
    keys = mldsa.generate_many(private, 5)
    msgs = [b"%d" % i for i in range(5)]
    sigs = mldsa.sign_many(keys, msgs, context=b"c")
    pubs = [k.public_key() for k in keys]
    assert mldsa.verify_many(sigs, msgs, pubs, context=b"c") == b"\1" * 5
    assert mldsa.verify_many(sigs, msgs, [p.verifier() for p in pubs], context=b"c") == b"\1" * 5
    assert mldsa.verify_many(sigs, msgs, pubs) == bytes(5)
    assert mldsa.verify_many([None, b"", *sigs[2:]], msgs, pubs, context=b"c") == b"\0\0\1\1\1"
    one = mldsa.sign_many(keys[0].signer(), msgs, deterministic=True)
    assert one == [keys[0].sign(m, deterministic=True) for m in msgs]
    assert mldsa.verify_many(one, msgs, pubs[0]) == b"\1" * 5
    with pytest.raises(TypeError):
        mldsa.sign_many([KEY] * 5, msgs)
    with pytest.raises(TypeError):
        mldsa.generate_many(sm2.SM2PrivateKey, 1)


def test_gcm():
    gcm = aead.SM4GCM(bytes(16))
    nonces = [i.to_bytes(12, "big") for i in range(100)]
    data = [bytes(i * 11) for i in range(100)]
    aad = [b"%d" % i for i in range(100)]
    sealed = gcm.seal_many(nonces, data, aad)
    assert sealed == [gcm.encrypt(*x) for x in zip(nonces, data, aad)]
    assert gcm.open_many(nonces, sealed, aad, threads=2) == data
    assert gcm.open_many(nonces, gcm.seal_many(nonces, data)) == data
    sealed[3] = sealed[3][:-1] + bytes([sealed[3][-1] ^ 1])
    sealed[4] = b"short"
    opened = gcm.open_many(nonces, sealed, aad)
    assert opened[3] is None and opened[4] is None and opened[5:] == data[5:]
    with pytest.raises(ValueError, match="nonces has 99"):
        gcm.seal_many(nonces[1:], data)
    with pytest.raises(ValueError, match="nonce is empty"):
        gcm.seal_many([b""] * 100, data)
    assert gcm.seal_many([], []) == []
    assert not hasattr(aead.SM4CCM(bytes(16)), "seal_many")
