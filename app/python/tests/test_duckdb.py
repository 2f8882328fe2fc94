"""tongyu.duckdb, and the extension (TONGYU_DUCKDB_EXTENSION names its file): the SQL functions
return what tongyu.arrow returns, on threads and with nulls."""

from __future__ import annotations

import os
import random

import pytest

import tongyu
from tongyu import sm2

duckdb = pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
from tongyu import arrow as ta  # noqa: E402
from tongyu import duckdb as td  # noqa: E402

KEYS = {"old": bytes(range(16)), "new": bytes(range(1, 17))}
N = 5000
EXTENSION = os.environ.get("TONGYU_DUCKDB_EXTENSION")
needs_extension = pytest.mark.skipif(not EXTENSION, reason="TONGYU_DUCKDB_EXTENSION names no file")


@pytest.fixture(scope="module")
def table():
    random.seed(2)
    keys = [sm2.SM2PrivateKey.generate() for _ in range(5)]
    pubs = [k.public_key().public_bytes("point") for k in keys]
    rows = [(i, random.randrange(5), os.urandom(i % 90)) for i in range(N)]
    sigs = sm2.sign_many([keys[w] for _, w, _ in rows], [m for *_, m in rows])
    sig = [bytes(sigs[64 * i : 64 * i + 64]) for i in range(N)]
    for i in range(0, N, 97):
        sig[i] = bytes(64)
    return pa.table({
        "id": pa.array(range(N), pa.int64()),
        "msg": pa.array([m if i % 50 else None for i, _, m in rows], pa.binary()),
        "sig": pa.array(sig, pa.binary()),
        "pub": pa.array([pubs[w] for _, w, _ in rows], pa.binary()),
    })  # fmt: skip


def connect(extension, keys, folder):
    if not extension:
        con = duckdb.connect()
        td.register(con, keys=keys)
        return con
    con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    con.execute(f"LOAD '{EXTENSION}'")
    for name, key in keys.items():
        (folder / name).write_bytes(key)
        con.execute("select tongyu_key_file(?, ?)", [name, str(folder / name)]).fetchall()
    return con


@pytest.fixture(params=["python 1", "python 4", pytest.param("extension 1", marks=needs_extension),
                        pytest.param("extension 4", marks=needs_extension)])  # fmt: skip
def con(request, table, tmp_path):
    api, threads = request.param.split()
    con = connect(api == "extension", KEYS, tmp_path)
    con.execute(f"SET threads={threads}")
    con.register("arrow_t", table)
    con.execute("create table t as select * from arrow_t")
    return con


def column(con, sql):
    rows = con.execute(f"select id, {sql} as x from t order by id").fetchall()
    return [x for _, x in rows]


def test_hashes(con, table):
    assert column(con, "sm3(msg)") == ta.sm3(table["msg"]).to_pylist()
    assert column(con, "sm3_hmac(msg, 'old')") == ta.hmac_sm3(table["msg"], KEYS["old"]).to_pylist()


def test_verify(con, table):
    want = ta.sm2_verify(table["msg"], table["sig"], table["pub"]).to_pylist()
    assert True in want and False in want and None in want
    assert column(con, "sm2_verify(msg, sig, pub)") == want
    assert column(con, "sm2_verify_id(msg, sig, pub, '1234567812345678'::blob)") == want
    assert True not in column(con, "sm2_verify_id(msg, sig, pub, 'other'::blob)")
    bad = con.execute("select count(*) from t where not sm2_verify(msg, sig, pub)").fetchone()[0]
    assert bad == want.count(False)


@pytest.mark.parametrize("extension", [False, pytest.param(True, marks=needs_extension)])
def test_sign(table, tmp_path, extension):
    key = sm2.SM2PrivateKey.generate()
    raw = key.scalar()
    keys = {"signer": raw, "zero": bytes(32), "sm4": KEYS["old"]}
    con = connect(extension, keys, tmp_path)
    con.register("arrow_t", table)
    con.execute("create table t as select id, msg, sm2_sign(msg, 'signer') as x from arrow_t")
    msg, sig = (con.sql(f"select {c} from t order by id").to_arrow_table()[c]
                for c in ("msg", "x"))  # fmt: skip
    pub = pa.array([key.public_key().public_bytes("point")] * N)
    good = ta.sm2_verify(msg, sig, pub)
    assert good.to_pylist() == [None if m is None else True for m in table["msg"].to_pylist()]
    fresh = con.execute("select sm2_sign('same', 'signer') from range(99)").fetchall()
    assert len(set(fresh)) == 99, "each signature has a new nonce"
    for name in ("zero", "sm4"):
        with pytest.raises(duckdb.Error):
            con.execute(f"select sm2_sign('x', '{name}')").fetchall()


@pytest.mark.parametrize("aad", ["null", "'t.msg'::blob", "id::varchar::blob"])
def test_encryption(con, table, aad):
    msg = table["msg"].to_pylist()
    null = [None] * N
    want = null if aad == "null" else msg
    for seal, open_ in (
        (f"sm4_gcm_encrypt(msg, 'old', {aad})", "sm4_gcm_decrypt"),
        (f"sm4_gcm_encrypt_unique(msg, 'old', {aad}, id::varchar::blob)", "sm4_gcm_decrypt"),
        (f"sm4_gcm_siv_encrypt(msg, 'old', {aad})", "sm4_gcm_siv_decrypt"),
    ):
        assert column(con, f"{open_}({seal}, 'old', {aad})") == want
        assert column(con, f"{open_}({seal}, 'new', {aad})") == null
    moved = f"sm4_reencrypt(sm4_gcm_encrypt(msg, 'old', {aad}), 'old', 'new', {aad})"
    assert column(con, f"sm4_gcm_decrypt({moved}, 'new', {aad})") == want


@pytest.mark.parametrize("length", [12, 13, 20_000, 1_500_000])
def test_rows_of_all_lengths(con, length):
    """DuckDB compares short and long strings correctly, also those that the functions returned."""
    rows = [os.urandom(length) if i % 3 else b"short" for i in range(70)]
    plain = pa.table({"id": range(70), "msg": rows, "hash": ta.sm3(pa.array(rows))})
    con.register("plain", plain)
    con.execute("create or replace table t as select * from plain")
    con.execute("create table s as select *, sm4_gcm_encrypt(msg, 'old', ''::blob) x from t")
    for same in ("sm4_gcm_decrypt(x, 'old', ''::blob) = msg", "sm3(msg) = hash",
                 "sm3(sm4_gcm_decrypt(x, 'old', ''::blob)) = hash"):  # fmt: skip
        assert con.execute(f"select count(*) from s where {same}").fetchone() == (70,), same
    sealed = "sm4_gcm_siv_encrypt(msg, 'new', ''::blob)"
    opened = f"sm4_gcm_siv_decrypt({sealed}, 'new', ''::blob)"
    found = con.execute(f"select {opened} from t order by {opened} desc").fetchall()
    assert [x for (x,) in found] == sorted(rows, reverse=True)


def test_nonces_differ_between_rows(con):
    sealed = column(con, "sm4_gcm_encrypt('same'::blob, 'old', ''::blob)")
    assert len({s[:12] for s in sealed}) == N


def test_joins_on_ciphertexts(con):
    con.execute("create table a as select id, sm4_gcm_siv_encrypt(msg, 'old', ''::blob) x from t")
    con.execute("create table b as select id, sm4_gcm_siv_encrypt(msg, 'old', ''::blob) x from t")
    plain = con.execute("select count(*) from t a join t b using (msg)").fetchone()
    assert con.execute("select count(*) from a join b using (x)").fetchone() == plain


def test_errors(con):
    with pytest.raises(duckdb.Error, match="no key is called"):
        column(con, "sm3_hmac(msg, 'nobody')")
    with pytest.raises(duckdb.Error, match="one constant"):
        column(con, "sm3_hmac(msg, case when id = 7 then 'old' else 'new' end)")


@pytest.mark.parametrize("text", ["电话 %d", r"\x41 %d", "phone %d"])
def test_text(con, text):
    """encode() returns the bytes of text; a cast to BLOB refuses some, and reads \\x41 as A."""
    rows = [text % i for i in range(10)]
    con.register("plain", pa.table({"t": rows}))
    sql = "decode(sm4_gcm_decrypt(sm4_gcm_encrypt(encode(t), 'old', 'c'), 'old', 'c')) = t"
    assert con.execute(f"select count(*) from plain where {sql}").fetchone() == (10,)
    found = con.execute("select sm3(encode(t)) from plain").fetchall()
    assert [x for (x,) in found] == [tongyu.sm3(t.encode()).digest() for t in rows]


def test_keys(tmp_path):
    (tmp_path / "key").write_bytes(KEYS["old"])
    con = duckdb.connect()
    td.register(con, keys={"file": tmp_path / "key", "view": memoryview(KEYS["old"])})
    token = ta.hmac_sm3(pa.array([b"x"]), KEYS["old"])[0].as_py()
    for name in ("file", "view"):
        assert con.execute(f"select sm3_hmac('x', '{name}')").fetchone() == (token,)
    with pytest.raises(FileNotFoundError):
        td.register(con, keys={"file": tmp_path / "none"})
    with pytest.raises(tongyu.TextError, match="the key 'k'"):
        td.register(con, keys={"k": "/etc/keys/k"})
    for number in (16, None):  # bytes(16) would be sixteen zeros
        with pytest.raises(TypeError, match="the key 'k'"):
            td.register(con, keys={"k": number})


def test_register_again():
    con = duckdb.connect()
    td.register(con, keys={"k": KEYS["old"]})
    ((sealed,),) = con.execute("select sm4_gcm_encrypt('x', 'k', '')").fetchall()
    td.register(con, keys={"k": KEYS["new"]}, errors="raise")
    with pytest.raises(duckdb.Error, match="row 0: altered"):
        con.execute("select sm4_gcm_decrypt(?, 'k', '')", [sealed]).fetchall()
    with pytest.raises(ValueError, match="errors"):
        td.register(con, errors="stop")


def test_errors_raise():
    strict = duckdb.connect()
    td.register(strict, keys=KEYS, errors="raise")
    with pytest.raises(duckdb.Error, match="row 0: altered"):
        strict.execute("select sm4_gcm_decrypt('no'::blob, 'old', ''::blob)").fetchall()


def test_keys_are_in_no_plan(con):
    plan = str(
        con.execute("explain select sm4_gcm_encrypt(msg, 'old', ''::blob) from t").fetchall()
    )
    assert KEYS["old"].hex() not in plan.lower() and "sm4_gcm_encrypt" in plan


def test_nothing(con):
    assert con.execute("select sm3(msg) from t where id < 0").fetchall() == []
    assert con.execute("select sm3(''::blob)").fetchone()[0] == tongyu.sm3(b"").digest()


@needs_extension
def test_extension_equals_python(table, tmp_path):
    """The extension's ciphertexts equal Python's, and its aggregates count what the scalars do."""
    ext, own = (connect(extension, KEYS, tmp_path) for extension in (True, False))
    for con in (ext, own):
        con.register("arrow_t", table)
        con.execute("create table t as select * from arrow_t")
    for sql in ("sm4_gcm_siv_encrypt(msg, 'old', 'x'::blob)",
                "sm4_gcm_encrypt_unique(msg, 'new', ''::blob, id::varchar::blob)"):  # fmt: skip
        assert column(ext, sql) == column(own, sql)
    rows = ext.execute("""select id % 7, sm2_verify_agg(msg, sig, pub),
        count(*) filter (sm2_verify(msg, sig, pub)) from t group by all""").fetchall()
    assert len(rows) == 7 and all(agg == one > 0 for _, agg, one in rows)
    whole = ext.execute("""select sm2_verify_agg(m, s, p), count(*) filter (sm2_verify(m, s, p))
        from (select msg m, sig s, pub p from t, range(5))""").fetchone()
    assert whole[0] == whole[1] > 8192, "more than an aggregate collects at a time"
    none = ext.execute("select sm2_verify_agg(msg, sig, pub) from t where id < 0").fetchone()
    assert none == (0,)
    assert ext.execute("select mldsa_verify_agg(msg, sig, pub) from t").fetchone() == (0,)


@needs_extension
def test_keys_of_the_extension(tmp_path, monkeypatch):
    con = connect(True, {}, tmp_path)

    def refused(sql, words):
        with pytest.raises(duckdb.Error, match=words):
            con.execute(sql).fetchall()

    (tmp_path / "short").write_bytes(bytes(15))
    (tmp_path / "long").write_bytes(bytes(257))
    (tmp_path / "empty").write_bytes(b"")
    refused(f"select tongyu_key_file('k', '{tmp_path}/none')", "key 'k': the file cannot be read")
    refused(f"select tongyu_key_file('k', '{tmp_path}/long')", "1 to 256 bytes")
    refused(f"select tongyu_key_file('k', '{tmp_path}/empty')", "1 to 256 bytes")
    refused(f"select tongyu_key_file('', '{tmp_path}/short')", "1 to 64 bytes")
    refused("select tongyu_key_file('k', null)", "the path of a file")
    refused("select tongyu_key_env('k', 'TONGYU_NO_SUCH')", "no such environment variable")
    con.execute(f"select tongyu_key_file('short', '{tmp_path}/short')").fetchall()
    refused("select sm4_gcm_encrypt('x'::blob, 'short', ''::blob)", "16 bytes")
    refused("select sm3_hmac('x'::blob, null)", "one constant")
    token = con.execute("select sm3_hmac('x'::blob, 'short')").fetchone()[0]
    assert token == ta.hmac_sm3(pa.array([b"x"]), bytes(15))[0].as_py()
    (tmp_path / "short").write_bytes(bytes(14) + b"1")
    con.execute(f"select tongyu_key_file('short', '{tmp_path}/short')").fetchall()
    other = con.execute("select sm3_hmac('x'::blob, 'short')").fetchone()[0]
    assert other == ta.hmac_sm3(pa.array([b"x"]), bytes(14) + b"1")[0].as_py(), "the new key"
