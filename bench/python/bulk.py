"""The overhead of an engine: CPU seconds of DuckDB, and of the kernel on the same arrays in memory.

bulk.py [ROWS]     minima of three rounds
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import time

import duckdb
import pyarrow as pa
import tongyu.duckdb
from tongyu import arrow, sm2

KEY = os.urandom(16)


def ledger(n: int, signers: int) -> pa.Table:
    keys = [sm2.SM2PrivateKey.generate() for _ in range(signers)]
    pubs = [k.public_key().public_bytes("point")[1:] for k in keys]
    who = [random.randrange(signers) for _ in range(n)]
    msg = [b'{"id":%d,"from":"acct-%06d"}' % (i, w) for i, w in enumerate(who)]
    sigs = sm2.sign_many([keys[w] for w in who], msg)
    sig = [bytes(sigs[64 * i : 64 * i + 64]) for i in range(n)]
    columns = {"msg": msg, "sig": sig, "pub": [pubs[w] for w in who]}
    columns["v"] = [os.urandom(64) for _ in range(n)]
    columns["w"] = [v[:32] for v in columns["v"]]
    return pa.table({name: pa.array(c, pa.binary()) for name, c in columns.items()})


def cpu(call, rounds=3):
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    table = ledger(n, 100)
    m, s, p, v, w = (table[c].chunk(0) for c in ("msg", "sig", "pub", "v", "w"))
    cons = {}
    for threads in (1, 2):
        con = duckdb.connect()
        con.execute(f"SET threads={threads}")
        tongyu.duckdb.register(con, keys={"k": KEY})
        con.create_function("hashlib_sm3", lambda x: hashlib.new("sm3", x).digest(),
                            ["BLOB"], "BLOB")
        con.register("a", table)
        con.execute("create table t as select * from a")
        cons[threads] = con
    jobs = [
        ("SM2 verify, 100 signers", lambda: arrow.sm2_verify(m, s, p),
         "count(*) filter (sm2_verify(msg, sig, pub))"),
        ("SM3 of 64 bytes", lambda: arrow.sm3(v), "max(octet_length(sm3(v)))"),
        ("SM4-GCM of 64 bytes", lambda: arrow.sm4_gcm_seal(v, KEY),
         "max(octet_length(sm4_gcm_encrypt(v, 'k', ''::blob)))"),
        ("HMAC-SM3 of 32 bytes", lambda: arrow.hmac_sm3(w, KEY),
         "max(octet_length(sm3_hmac(w, 'k')))"),
    ]  # fmt: skip
    for name, kernel, sql in jobs:
        best = cpu(kernel)
        line = f"{name:26} {n / best:10.0f} a second;"
        for threads, con in cons.items():
            engine = cpu(lambda: con.execute(f"select {sql} from t").fetchall())  # noqa: B023
            line += f" DuckDB, {threads} threads: {n / engine:9.0f}, {100 * best / engine:5.1f} %;"
        print(line, flush=True)
    per_row = cpu(
        lambda: cons[1].execute("select max(octet_length(hashlib_sm3(w))) from t").fetchall(), 1)
    built_in = cpu(
        lambda: cons[1].execute("select max(octet_length(sm3_hmac(w, 'k'))) from t").fetchall())
    print(f"HMAC-SM3 in DuckDB against hashlib.new for each row: {per_row / built_in:.1f} times")


if __name__ == "__main__":
    main()
