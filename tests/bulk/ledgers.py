"""Makes ledgers to check: Parquet files of signed entries, of which one in 1,000 is forged."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tongyu import mldsa, sm2

FORGED = 1000  # one row in this many is forged
GROUP = 50_000  # rows of a row group
PART = 500_000  # rows of a file


def _signers(family: str, n: int) -> tuple[list, list[bytes]]:
    """n key pairs, derived from their numbers, so that every file of a ledger has the same ones."""
    seeds = [hashlib.sha256(b"signer %d" % i).digest() for i in range(n)]
    if family == "sm2":
        keys = [sm2.SM2PrivateKey.from_scalar(seed) for seed in seeds]
        return keys, [k.public_key().public_bytes("point")[1:] for k in keys]
    keys = [mldsa.MLDSA65PrivateKey.from_seed_bytes(seed) for seed in seeds]
    return keys, [k.public_key().public_bytes("raw") for k in keys]


def part(family: str, first: int, rows: int, keys: list, pubs: list[bytes]) -> pa.Table:
    """Entries first, first + 1, ..., each by a signer drawn at random."""
    who = np.random.default_rng(first).integers(0, len(keys), rows)
    msg = [b'{"id":%d,"from":"account-%06d","amount":%d}' % (first + i, w, 7 * i)
           for i, w in enumerate(who)]  # fmt: skip
    signers = [keys[w] for w in who]
    if family == "sm2":
        data = bytearray(sm2.sign_many(signers, msg))
        forged = slice(10, 64 * rows, 64 * FORGED)
        data[forged] = bytes(b ^ 1 for b in data[forged])
        sig = pa.Array.from_buffers(pa.binary(64), rows, [None, pa.py_buffer(data)])
    else:
        made = mldsa.sign_many(signers, msg)
        made[::FORGED] = [s[:10] + bytes([s[10] ^ 1]) + s[11:] for s in made[::FORGED]]
        sig = pa.array(made, pa.binary())
    pub = pa.DictionaryArray.from_arrays(pa.array(who, pa.int32()), pa.array(pubs, pa.binary()))
    return pa.table({
        "id": pa.array(range(first, first + rows), pa.int64()),
        "msg": pa.array(msg, pa.binary()), "sig": sig.cast(pa.binary()), "pub": pub,
    })  # fmt: skip


def make(folder: Path, family: str, rows: int, signers: int) -> None:
    """Makes the missing files of a ledger. A file that exists is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, rows, PART):
        path = folder / f"{first // PART:05}.parquet"
        if path.exists():
            continue
        keys, pubs = _signers(family, signers)
        table = part(family, first, min(PART, rows - first), keys, pubs)
        tmp = path.with_suffix(".tmp")
        pq.write_table(table, tmp, row_group_size=GROUP, compression="zstd", compression_level=1)
        os.replace(tmp, path)
