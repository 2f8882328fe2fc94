"""The five jobs of docs/bulk.md in DuckDB, through Arrow and the extension, and in Spark, which
must agree row by row; some rows are also checked by the command tongyu.

jobs.py [ROWS]   of a ledger under build/bulk-full; the command is $TONGYU_COMMAND or
                 build/release/bin/tongyu
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import tongyu.duckdb
from costs import cost, cost_of_all
from demo import EXTENSION, session
from ledgers import make
from pyspark.sql import SparkSession
from tongyu import arrow, sm2
from tongyu import spark as ty_spark

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(os.environ.get("TONGYU_COMMAND", ROOT / "build/release/bin/tongyu"))
KEYS = {"old": os.urandom(16), "new": os.urandom(16)}
AAD = b"ledger.msg"
SAMPLED = 1000
NONCE, TAG = 12, 16

FIRST = {
    "good": "sm2_verify(msg, sig, pub)",
    "sealed": "sm4_gcm_encrypt(msg, 'old', {aad})",
    "by_pub": "sm4_gcm_encrypt_unique(msg, 'old', {aad}, pub)",  # pub is not unique
    "siv": "sm4_gcm_siv_encrypt(msg, 'old', {aad})",
    "token": "sm3_hmac(msg, 'old')",
}
THEN = {
    "opened": "sm4_gcm_decrypt(sealed, 'old', {aad})",
    "moved": "sm4_reencrypt(sealed, 'old', 'new', {aad})",
    "siv_opened": "sm4_gcm_siv_decrypt(siv, 'old', {aad})",
}
LAST = {
    "new": "sm4_gcm_decrypt(moved, 'new', {aad})",
    "old": "sm4_gcm_decrypt(moved, 'old', {aad})",
}
Run = Callable[[pa.Table, dict[str, str]], pa.Table]


def columns(jobs: dict[str, str], aad: str) -> str:
    return ", ".join(f"{sql.format(aad=aad)} as {name}" for name, sql in jobs.items())


def in_duckdb(extension: bool, folder: Path) -> Run:
    settings = {"allow_unsigned_extensions": "true"} if extension else {}
    con = duckdb.connect(config={**settings, "threads": 2})
    if extension:
        con.execute(f"LOAD '{EXTENSION}'")
        for name in KEYS:
            con.execute("select tongyu_key_file(?, ?)", [name, str(folder / name)]).fetchall()
    else:
        tongyu.duckdb.register(con, keys=KEYS)

    def run(rows: pa.Table, jobs: dict[str, str]) -> pa.Table:
        con.register("ledger", rows)
        aad = f"'{AAD.decode()}'::blob"
        return con.sql(f"select id, {columns(jobs, aad)} from ledger order by id").to_arrow_table()

    return run


def in_spark(spark: SparkSession, folder: Path) -> Run:
    """Spark's workers read the keys from files; rows are read from and written to Parquet."""
    ty_spark.register(spark, keys={name: folder / name for name in KEYS})

    def run(rows: pa.Table, jobs: dict[str, str]) -> pa.Table:
        pq.write_table(rows, folder / "in.parquet", row_group_size=50_000, compression="zstd")
        spark.read.parquet(str(folder / "in.parquet")).createOrReplaceTempView("ledger")
        aad = f"binary('{AAD.decode()}')"
        found = spark.sql(f"select id, {columns(jobs, aad)} from ledger")
        found.write.parquet(str(folder / "out"), mode="overwrite", compression="zstd")
        return ds.dataset(folder / "out").to_table().sort_by("id")

    return run


# --- Properties of the results ---


def same(one: pa.Table, other: pa.Table, names: str) -> bool:
    return all(one[n].combine_chunks() == other[n].combine_chunks() for n in names.split())


def distinct_nonces(column: pa.ChunkedArray) -> int:
    return pc.count_distinct(pc.binary_slice(column, 0, NONCE)).as_py()


def check_chain(engine: str, msg: pa.ChunkedArray, links: pa.ChunkedArray) -> None:
    """An engine's column matches the links, and with a row edited, swapped or dropped it does
    not."""
    n = len(msg)
    at = n * 2 // 3
    other = pa.chunked_array([[b"edited"]], pa.binary())
    edited = pa.chunked_array([*msg[:at].chunks, *other.chunks, *msg[at + 1 :].chunks])
    swapped = pc.take(msg, pa.array([*range(at), at + 1, at, *range(at + 2, n)]))
    dropped = pa.chunked_array([*msg[:at].chunks, *msg[at + 1 :].chunks])
    assert arrow.chain_verify(msg, links) is None, f"{engine}: another order of rows"
    for altered in (edited, swapped):
        assert arrow.chain_verify(altered, links) == at
    assert arrow.chain_verify(dropped, links[: n - 1]) == at


def three_steps(engine: Run, rows: pa.Table) -> pa.Table:
    first = engine(rows, FIRST)
    then = engine(first, THEN)
    last = engine(then, LAST)
    for table in (then, last):
        for name in table.column_names[1:]:
            first = first.append_column(name, table[name])
    return first


def check_one(name: str, rows: pa.Table, found: pa.Table) -> None:
    """Properties of one engine's columns."""
    n, msg = len(rows), rows["msg"].combine_chunks()
    assert found["id"].combine_chunks() == rows["id"].combine_chunks(), name
    assert pc.sum(pc.invert(found["good"])).as_py() == -(-n // 1000), f"{name}: not the forged rows"
    for column in ("opened", "siv_opened", "new"):
        assert found[column].combine_chunks().cast(pa.binary()) == msg, f"{name}: {column}"
    assert found["old"].null_count == n, f"{name}: the old key opens what was moved"
    for column in ("sealed", "moved", "by_pub"):  # all rows differ, so their nonces must differ
        assert distinct_nonces(found[column]) == n, f"{name}: {column} has a nonce twice"


# --- The command ---


def output(words: list[str]) -> bytes | None:
    """The command's output, or None if it fails."""
    run = subprocess.run([COMMAND, *words], capture_output=True, check=False)
    return run.stdout if run.returncode == 0 else None


def opened(folder: Path, key: str, sealed: bytes, siv: bool) -> bytes | None:
    nonce, body = (bytes(NONCE), sealed) if siv else (sealed[:NONCE], sealed[NONCE:])
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(body[:-TAG])
        file.flush()
        return output(["cipher", "-d", "--alg", "sm4-gcm-siv" if siv else "sm4-gcm", "--key-bytes",
                       str(folder / key), "--iv-hex", nonce.hex(), "--tag-hex", body[-TAG:].hex(),
                       "--aad-hex", AAD.hex(), file.name])  # fmt: skip


def check_row(folder: Path, row: dict, previous: bytes) -> None:
    """The command's result of each job for one row; `previous` is the link of the row before it."""
    name = folder / f"row{row['id']}"
    key = sm2.SM2PublicKey.from_point(b"\4" + row["pub"]).public_bytes("pem")
    linked = previous + b"\1" + row["msg"]
    for end, data in ((".msg", row["msg"]), (".sig", row["sig"]), (".pem", key), (".link", linked)):
        name.with_suffix(end).write_bytes(data)
    verified = output(["verify", "-q", "-k", f"{name}.pem", "-s", f"{name}.sig", f"{name}.msg"])
    assert (verified is not None) == row["good"], row["id"]
    for key_name, column in (("old", "sealed"), ("old", "by_pub"), ("new", "moved")):
        assert opened(folder, key_name, row[column], False) == row["msg"], (row["id"], column)
    assert opened(folder, "old", row["siv"], True) == row["msg"], row["id"]
    assert opened(folder, "old", row["moved"], False) is None, "the command opens with the old key"
    mac = output(["mac", "--key-bytes", str(folder / "old"), f"{name}.msg"]) or b""
    assert mac.startswith(row["token"].hex().encode()), row["id"]
    link = output(["hash", "--no-names", f"{name}.link"]) or b""
    assert link.strip() == row["link"].hex().encode(), row["id"]


def check_by_command(folder: Path, found: pa.Table, links: pa.Array) -> None:
    count = min(SAMPLED, len(found) // 2)
    # odd: then fewer of these rows are multiples of 1,000, which are forged
    step = (max(1, len(found) // count) - 1) | 1
    places = range(0, len(found), step)[:count]
    rows = found.append_column("link", links).take(pa.array(places)).to_pylist()
    before = [links[i - 1].as_py() if i else arrow.FIRST_LINK for i in places]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda pair: check_row(folder, *pair), zip(rows, before, strict=True)))
    forged = sum(not row["good"] for row in rows)
    assert forged
    print(f"{len(rows)} rows by the command, {forged} of them forged: the same", flush=True)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    ledger = ROOT / f"build/bulk-full/{n}"
    make(ledger, "sm2", n, 2000)
    rows = ds.dataset(ledger).to_table()
    rows = rows.set_column(3, "pub", rows["pub"].cast(pa.binary())).sort_by("id")
    links = arrow.chain(rows["msg"].combine_chunks())
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, key in KEYS.items():
            (folder / name).write_bytes(key)
        spark = session()
        engines = {"DuckDB, Arrow": in_duckdb(False, folder), "Spark": in_spark(spark, folder)}
        if EXTENSION.exists():
            engines["DuckDB, extension"] = in_duckdb(True, folder)
        base = None
        for name, engine in engines.items():
            whole = cost_of_all if name == "Spark" else cost  # DuckDB works in this process
            found, cpu, wall = whole(lambda: three_steps(engine, rows))  # noqa: B023
            check_one(name, rows, found)
            base = base or found
            assert same(base, found, "good by_pub siv token"), f"{name} has other results"
            check_chain(name, found["new"].cast(pa.binary()), pa.chunked_array([links]))
            print(f"{name:18} {n} rows: {cpu:6.1f} s of CPU {wall:6.1f} s, the same", flush=True)
        for name, engine in engines.items():  # each must open the rows that the first one sealed
            there = engine(base, {"opened": THEN["opened"]})
            assert same(base, there, "opened"), f"{name} does not open what DuckDB sealed"
        spark.stop()
        if not COMMAND.exists():
            print(f"skipped: no command {COMMAND}")
            return
        for name in ("msg", "sig", "pub"):
            base = base.append_column(name, rows[name])
        check_by_command(folder, base, links)


if __name__ == "__main__":
    main()
