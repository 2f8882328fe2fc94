"""tongyu.arrow: results equal those of one call per row, whatever layout the columns have."""

from __future__ import annotations

import hashlib
import hmac
import os
import random

import pytest

import tongyu
from tongyu import aead, mldsa, sm2

pa = pytest.importorskip("pyarrow")
from tongyu import arrow as ta  # noqa: E402

KEY = bytes(range(16))
NEW = bytes(range(1, 17))


def layouts(values):
    """One column in every layout: each gives the same rows."""
    whole = pa.array(values, pa.binary())
    yield whole
    yield pa.array(values, pa.large_binary())
    yield pa.concat_arrays([pa.array([b"before", None], pa.binary()), whole]).slice(2)
    yield pa.chunked_array([whole.slice(0, 3), whole.slice(3, 0), whole.slice(3)])
    yield whole.dictionary_encode()
    yield pa.chunked_array(
        [whole.slice(0, 5).dictionary_encode(), whole.slice(5).dictionary_encode()]
    )


VALUES = [os.urandom(n) if n % 7 else None for n in range(1, 60)] + [b"", b"same", b"same"]


def check(call, want):
    """Makes the call on every layout, on one thread and on several."""
    for column in layouts(VALUES):
        for threads in (1, 3):
            got = call(column, threads=threads)
            assert got.to_pylist() == want
            assert isinstance(got, pa.ChunkedArray) == isinstance(column, pa.ChunkedArray)
            got.validate(full=True)


def test_sm3():
    check(ta.sm3, [v if v is None else tongyu.sm3(v).digest() for v in VALUES])
    assert ta.sm3(pa.array([b"abc"]))[0].as_py().hex().startswith("66c7f0f462eeedd9")
    assert ta.sm3(pa.array(["abc"])) == ta.sm3(pa.array([b"abc"]))
    assert ta.sm3(pa.array([], pa.binary())).to_pylist() == []
    assert ta.sm3(pa.array([None, None])).to_pylist() == [None, None]


def test_threads(monkeypatch):
    """A call uses the number of threads that it is given: each part is hashed by one of them."""
    counts = []

    def counted(many):
        def call(*args, threads=0, **named):
            counts.append(threads)
            return many(*args, threads=threads, **named)

        return call

    for name in ("sm3_many", "sm2_sign_many"):
        monkeypatch.setattr(ta._c, name, counted(getattr(ta._c, name)))
    column = pa.array([b"row"] * 20000)
    ta.sm3(column, threads=2)
    ta.sm2_sign(column.slice(0, 3), sm2.SM2PrivateKey.generate())
    assert counts == [1, 1, 1]


@pytest.mark.parametrize("length", [0, 16, 63, 64, 65, 200])
def test_hmac(length):
    key = os.urandom(length)
    long = [os.urandom(n) for n in range(150, 250)]
    check(
        lambda c, threads: ta.hmac_sm3(c, key, threads=threads),
        [v if v is None else tongyu.hmac_sm3(key, v) for v in VALUES],
    )
    assert ta.hmac_sm3(pa.array(long), key).to_pylist() == [tongyu.hmac_sm3(key, v) for v in long]


def test_hmac_equals_hashlib():
    if "sm3" not in hashlib.algorithms_available:
        pytest.skip("this Python's hashlib has no SM3")
    assert ta.hmac_sm3(pa.array([b"x"]), KEY)[0].as_py() == hmac.digest(KEY, b"x", "sm3")


@pytest.mark.parametrize("aad", [None, b"table.column", "column"])
@pytest.mark.parametrize("seal, open_, more", [
    (ta.sm4_gcm_seal, ta.sm4_gcm_open, 28),
    (lambda c, k, a=None, threads=1: ta.sm4_gcm_seal(c, k, a, unique=c, threads=threads),
     ta.sm4_gcm_open, 28),
    (ta.sm4_gcm_siv_seal, ta.sm4_gcm_siv_open, 16),
])  # fmt: skip
def test_sealing(seal, open_, more, aad):
    if aad == "column":
        aad = pa.array([os.urandom(i % 5) for i in range(len(VALUES))], pa.binary())
    for column in layouts(VALUES):
        for threads in (1, 2):
            sealed = seal(column, KEY, aad, threads=threads)
            sealed.validate(full=True)
            lengths = [v if v is None else len(v) for v in sealed.to_pylist()]
            assert lengths == [v if v is None else len(v) + more for v in VALUES]
            assert open_(sealed, KEY, aad, threads=threads).to_pylist() == VALUES
    nothing = [None] * len(VALUES)
    assert open_(sealed, NEW, aad).to_pylist() == nothing, "another key"
    assert open_(sealed, KEY, b"other").to_pylist() == nothing, "other data"


def test_gcm_equals_aead():
    sealed = ta.sm4_gcm_seal(pa.array([b"text"]), KEY, b"aad")[0].as_py()
    assert aead.SM4GCM(KEY).decrypt(sealed[:12], sealed[12:], b"aad") == b"text"
    sealed = ta.sm4_gcm_siv_seal(pa.array([b"text"]), KEY, b"aad")[0].as_py()
    assert aead.SM4GCMSIV(KEY).decrypt(bytes(12), sealed, b"aad") == b"text"


def test_results_above_2_gib(monkeypatch):
    """Parts of both widths become one column, and rows that are too many for an array of binary
    become large_binary, whatever the number of threads."""
    parts = iter([pa.array([b"a"], pa.binary()), pa.array([b"b", None], pa.large_binary())])
    column = pa.chunked_array([[b"x"], [b"y", b"z"]])
    got = ta._run(lambda start, data: next(parts), [column], 1, pa.binary())
    assert got.type == pa.large_binary() and got.to_pylist() == [b"a", b"b", None]
    monkeypatch.setattr(ta, "_MOST", 1 << 19)  # as if that were 2 GiB
    values = [b"%d" % i for i in range(20000)]
    digests = [tongyu.sm3(v).digest() for v in values]
    column = pa.array(values)
    for threads in (1, 2):
        sealed = ta.sm4_gcm_seal(column, KEY, threads=threads)
        assert ta.sm4_gcm_open(sealed, KEY, threads=threads).to_pylist() == values
        assert ta.sm3(column, threads=threads).to_pylist() == digests
        assert ta.sm3(column, threads=threads).type == pa.large_binary()
    assert sealed.type == pa.large_binary()
    assert ta.chain_verify(column, ta.chain(column)) is None


def test_nulls_in_columns_above_2_gib():
    """Nulls are filled without a conversion to binary, which cannot hold as much."""
    column = pa.array([b"a", None, b"c"], pa.large_binary())
    filled = ta._filled(column, ta._valid(column))
    assert filled.type == pa.large_binary() and filled.to_pylist() == [b"a", b"", b"c"]


def test_additional_data_above_2_gib():
    """Repeated for all rows, it may be longer than an array of binary can be."""
    column = pa.nulls(1 << 15, pa.binary())
    assert ta._each(bytes(1 << 16), column).type.value_type == pa.large_binary()
    assert ta._each(bytes((1 << 16) - 1), column).type.value_type == pa.binary()


def test_altered_rows():
    values = [b"a" * n for n in range(200)]
    sealed = ta.sm4_gcm_seal(pa.array(values), KEY).to_pylist()
    for row in (3, 70, 199):
        place = row % len(sealed[row])
        sealed[row] = (
            sealed[row][:place] + bytes([sealed[row][place] ^ 1]) + sealed[row][place + 1 :]
        )
    sealed[9] = sealed[9][:27]
    column = pa.array(sealed, pa.binary())
    opened = ta.sm4_gcm_open(column, KEY)
    want = [None if i in (3, 9, 70, 199) else v for i, v in enumerate(values)]
    assert opened.to_pylist() == want
    with pytest.raises(tongyu.InvalidTag, match="row 3:"):
        ta.sm4_gcm_open(column, KEY, errors="raise")
    chunks = pa.chunked_array([ta.sm4_gcm_seal(pa.array(values[:70]), KEY), column.slice(70)])
    with pytest.raises(tongyu.InvalidTag, match="row 70:"):
        ta.sm4_gcm_open(chunks, KEY, errors="raise")
    with pytest.raises(ValueError, match="errors"):
        ta.sm4_gcm_open(column, KEY, errors="ignore")


def test_what_did_not_open_is_not_in_memory():
    """Its plaintext is not even in the data of a null."""
    secret = b"personal data of customers"
    sealed = ta.sm4_gcm_seal(pa.array([secret] * 3), KEY).to_pylist()
    sealed[1] = sealed[1][:-1] + bytes([sealed[1][-1] ^ 1])
    opened = ta.sm4_gcm_open(pa.array(sealed), KEY)
    assert opened.buffers()[2].to_pybytes() == secret + bytes(len(secret)) + secret


def test_nonces():
    column = pa.array([b"v"] * 5000)
    nonces = {v[:12] for v in ta.sm4_gcm_seal(column, KEY).to_pylist()}
    assert len(nonces) == 5000, "random nonces do not repeat"
    ids = pa.array([b"%d" % (i // 2) for i in range(5000)])
    texts = pa.array([b"%d" % i for i in range(5000)])
    derived = ta.sm4_gcm_seal(texts, KEY, unique=ids)
    assert len({v[:12] for v in derived.to_pylist()}) == 5000, "ids that repeat are not enough"
    assert derived == ta.sm4_gcm_seal(texts, KEY, unique=ids)
    aads = pa.array([b"%d" % i for i in range(5000)])
    same = ta.sm4_gcm_seal(column, KEY, aads, unique=column)
    assert len({v[:12] for v in same.to_pylist()}) == 5000, "other additional data"
    split = ta.sm4_gcm_seal(pa.array([b"bc", b"c"]), KEY, unique=pa.array([b"a", b"ab"]))
    assert split[0].as_py()[:12] != split[1].as_py()[:12]


def test_deterministic():
    first, second = (ta.sm4_gcm_siv_seal(pa.array([b"x", b"y", b"x"]), KEY) for _ in range(2))
    assert first == second and first[0] == first[2] and first[0] != first[1]


def test_reencrypt():
    sealed = ta.sm4_gcm_seal(pa.array(VALUES, pa.binary()), KEY, b"aad")
    moved = ta.reencrypt(sealed, KEY, NEW, b"aad")
    assert ta.sm4_gcm_open(moved, NEW, b"aad").to_pylist() == VALUES
    assert ta.sm4_gcm_open(moved, KEY, b"aad").null_count == len(VALUES)
    with pytest.raises(tongyu.InvalidTag):
        ta.reencrypt(moved, KEY, NEW, b"aad")
    with pytest.raises(tongyu.Error, match="fresh"):
        ta.reencrypt(sealed, KEY, KEY)


def test_chain():
    want, link = [], bytes(32)
    for value in VALUES:
        link = tongyu.sm3(link + (b"\0" if value is None else b"\1" + value)).digest()
        want.append(link)
    for column in layouts(VALUES):
        assert ta.chain(column).to_pylist() == want
        assert ta.chain_verify(column, ta.chain(column)) is None
    column = pa.array(VALUES, pa.binary())
    links = ta.chain(column)
    assert ta.chain(column.slice(9), links[8].as_py()).to_pylist() == want[9:]
    for edit, row in (
        (lambda v: v[:5] + [b"x"] + v[6:], 5),  # edited
        (lambda v: v[:7] + v[8:] + [b""], 7),  # dropped
        (lambda v: v[:10] + [v[11], v[10]] + v[12:], 10),  # in another order
        (lambda v: [b""] + v[1:], 0),
        (lambda v: v[:6] + [b""] + v[7:], 6),  # a null made empty
    ):
        assert ta.chain_verify(pa.array(edit(VALUES), pa.binary()), links) == row
    assert ta.chain_verify(column, links, bytes([1]) + bytes(31)) == 0
    n = len(VALUES)
    assert ta.chain_verify(column.slice(0, n - 1), links) == n - 1, "the last row is missing"
    assert ta.chain_verify(column, links.slice(0, n - 2)) == n - 2, "two links are missing"
    shorter = pa.concat_arrays([column.slice(0, 9), column.slice(10)])
    assert ta.chain_verify(shorter, links) == 9, "a row is missing, its link is there"


# --- Signatures ---


@pytest.fixture(scope="module")
def rows():
    """Signed rows of seven signers, some of them bad, and the verdict on each."""
    random.seed(1)
    keys = [sm2.SM2PrivateKey.generate() for _ in range(7)]
    out = []
    for i in range(300):
        key, msg = random.choice(keys), os.urandom(random.randrange(80))
        form = random.choice(["point", "compressed", "point"])
        pub = key.public_key().public_bytes(form)
        pub = pub[1:] if i % 3 == 0 and form == "point" else pub
        row = {"msg": msg, "sig": key.sign(msg, format="raw"), "pub": pub, "want": "good"}
        change = {
            3: ("sig", bytes(64), "wrong signature"),
            7: ("msg", msg + b"!", "wrong signature"),
            11: ("sig", b"short", "malformed signature"),
            13: ("pub", bytes(64), "bad key"),
            17: ("pub", None, "null"),
            19: ("msg", None, "null"),
        }.get(i % 20)
        if change:
            row[change[0]], row["want"] = change[1], change[2]
        out.append(row)
    return out


def columns(rows, *names):
    return [pa.array([r[n] for r in rows], pa.binary()) for n in names]


@pytest.mark.parametrize("threads", [1, 2])
def test_sm2_verify(rows, threads):
    want = [None if r["want"] == "null" else r["want"] == "good" for r in rows]
    msg, sig, pub = columns(rows, "msg", "sig", "pub")
    assert ta.sm2_verify(msg, sig, pub, threads=threads).to_pylist() == want
    pieces = pa.chunked_array([msg.slice(0, 100), msg.slice(100)])
    many = pa.chunked_array([pub.slice(0, 7), pub.slice(7)]).dictionary_encode()
    got = ta.sm2_verify(pieces, sig, many, threads=threads)
    assert got.to_pylist() == want and isinstance(got, pa.ChunkedArray)
    tail = ta.sm2_verify(msg.slice(33), sig.slice(33), pub.slice(33))
    assert tail.to_pylist() == want[33:]
    _, counts = ta.verify_reasons("sm2", msg, sig, pub)
    assert counts == {v: sum(r["want"] == v for r in rows) for v in ta.VERDICTS}
    with pytest.raises(tongyu.InvalidSignature, match="row 3: wrong signature"):
        ta.sm2_verify(msg, sig, pub, errors="raise")


def test_sm2_der_and_names():
    key = sm2.SM2PrivateKey.generate()
    msg = pa.array([b"a", None, b"c"])
    pub = pa.array([key.public_key().public_bytes("point")] * 3)
    for name in (None, b"", b"Alice", b"n" * 100):
        for form in ("raw", "der"):
            sig = ta.sm2_sign(msg, key, name, format=form)
            for text, one in zip(msg.to_pylist(), sig.to_pylist(), strict=True):
                if text is not None:
                    key.public_key().verify(
                        one, text, id=name or (b"" if name == b"" else sm2.DEFAULT_ID), format=form
                    )
            assert ta.sm2_verify(msg, sig, pub, name, format=form).to_pylist() == [True, None, True]
            assert not any(ta.sm2_verify(msg, sig, pub, b"else", format=form).to_pylist())
    names = pa.array([b"x", b"y", None])
    sig = pa.array(
        [key.sign(b"a", b"x", format="raw"), key.sign(b"a", b"y", format="raw")] * 2
    ).slice(0, 3)
    same = pa.array([b"a"] * 3)
    assert ta.sm2_verify(same, sig, pub, names).to_pylist() == [True, True, None]
    assert ta.sm2_verify(same, sig, pub, b"n" * 8192).to_pylist() == [False] * 3


def test_mldsa():
    keys = [mldsa.MLDSA44PrivateKey.generate(), mldsa.MLDSA65PrivateKey.generate()]
    rows = [(keys[i % 2], os.urandom(i)) for i in range(30)]
    msg = pa.array([m for _, m in rows])
    sig = pa.array([k.sign(m, context=b"c") if i != 4 else b"" for i, (k, m) in enumerate(rows)])
    pub = pa.array([k.public_key().public_bytes("raw") for k, _ in rows])
    assert ta.mldsa_verify(msg, sig, pub, b"c").to_pylist() == [i != 4 for i in range(30)]
    assert not any(ta.mldsa_verify(msg, sig, pub).to_pylist())


def test_few_ready_keys(monkeypatch):
    monkeypatch.setattr(ta, "KEYS_READY", {"sm2": 2, "mldsa": 1})
    monkeypatch.setattr(ta, "_idle", {"sm2": [], "mldsa": []})
    keys = [sm2.SM2PrivateKey.generate() for _ in range(9)]
    rows = [(keys[i % 9], b"%d" % i) for i in range(200)]
    msg = pa.array([m for _, m in rows])
    sig = pa.array([k.sign(m, format="raw") for k, m in rows])
    pub = pa.array([k.public_key().public_bytes("point") for k, _ in rows])
    for _ in range(3):
        assert all(ta.sm2_verify(msg, sig, pub).to_pylist())


def test_misuse():
    column = pa.array([b"a"])
    for bad in ([b"a"], b"a", None):
        with pytest.raises(TypeError):
            ta.sm3(bad)
    with pytest.raises(tongyu.Error, match="int64, which is neither binary nor string"):
        ta.sm3(pa.array([1, 2]))
    with pytest.raises(ValueError):
        ta.sm4_gcm_seal(column, b"short")
    # A number must not become that many zero bytes, and text is not bytes.
    for call in (
        lambda x: ta.sm4_gcm_seal(column, KEY, x),
        lambda x: ta.sm4_gcm_seal(column, x),
        lambda x: ta.reencrypt(ta.sm4_gcm_seal(column, KEY), KEY, x),
        lambda x: ta.reencrypt(ta.sm4_gcm_seal(column, bytes(16)), x, KEY),
        lambda x: ta.sm2_verify(column, column, column, x),
        lambda x: ta.mldsa_verify(column, column, column, x),
    ):
        with pytest.raises(TypeError, match="bytes-like"):
            call(16)
        with pytest.raises(tongyu.TextError, match="encode it first"):
            call("0123456789abcdef")
    with pytest.raises(ValueError, match="family"):
        ta.verify_reasons("rsa", column, column, column)
    with pytest.raises(tongyu.Error, match="row by row"):
        ta.sm2_verify(column, column, pa.array([b"a", b"b"]))
    offsets = pa.py_buffer(b"".join(n.to_bytes(4, "little") for n in (0, 5, 2)))
    broken = pa.Array.from_buffers(pa.binary(), 2, [None, offsets, pa.py_buffer(b"abcde")])
    with pytest.raises(tongyu.Error, match="decreases"):
        ta.sm3(broken)
