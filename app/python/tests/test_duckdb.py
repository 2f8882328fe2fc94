"""tongyu.duckdb: the SQL functions give what tongyu.arrow gives, on threads and with nulls."""

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


@pytest.fixture(params=[1, 4])
def con(request, table):
    con = duckdb.connect()
    con.execute(f"SET threads={request.param}")
    td.register(con, keys=KEYS)
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


def test_random_nonces_are_not_folded(con):
    sealed = column(con, "sm4_gcm_encrypt('same'::blob, 'old', ''::blob)")
    assert len({s[:12] for s in sealed}) == N


def test_joins_survive(con):
    con.execute("create table a as select id, sm4_gcm_siv_encrypt(msg, 'old', ''::blob) x from t")
    con.execute("create table b as select id, sm4_gcm_siv_encrypt(msg, 'old', ''::blob) x from t")
    plain = con.execute("select count(*) from t a join t b using (msg)").fetchone()
    assert con.execute("select count(*) from a join b using (x)").fetchone() == plain


def test_errors(con):
    with pytest.raises(duckdb.Error, match="no key is called"):
        column(con, "sm3_hmac(msg, 'nobody')")
    with pytest.raises(duckdb.Error, match="one constant"):
        column(con, "sm3_hmac(msg, case when id = 7 then 'old' else 'new' end)")
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
