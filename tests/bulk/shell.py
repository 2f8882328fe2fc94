"""Tests the extension in the DuckDB shell, whose version is not that of the Python module.

shell.py EXTENSION
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow as pa
from tongyu import arrow

KEY = bytes(range(16))


def main() -> None:
    shell = Path(sys.executable).parent / "duckdb"
    with tempfile.NamedTemporaryFile() as key:
        key.write(KEY)
        key.flush()
        sql = f"""LOAD '{sys.argv[1]}';
            CREATE TABLE k AS SELECT tongyu_key_file('k', '{key.name}') x;
            SELECT version() AS version, hex(sm3('abc'::BLOB)) AS sm3,
                hex(sm3_hmac('abc'::BLOB, 'k')) AS token,
                sm4_gcm_decrypt(sm4_gcm_encrypt('abc'::BLOB, 'k', ''::BLOB), 'k', ''::BLOB)
                    = 'abc'::BLOB AS opens,
                sm2_verify('a'::BLOB, 'b'::BLOB, 'c'::BLOB) AS good,
                (SELECT sm2_verify_agg('a'::BLOB, 'b'::BLOB, 'c'::BLOB) FROM range(10)) AS count;"""
        out = subprocess.run(
            [shell, "-unsigned", "-json", "-c", sql], capture_output=True, text=True, check=False
        )
    assert out.returncode == 0, out.stderr
    found = json.loads(out.stdout.splitlines()[-1])[0]
    abc = pa.array([b"abc"])
    assert found["sm3"] == arrow.sm3(abc)[0].as_py().hex().upper()
    assert found["token"] == arrow.hmac_sm3(abc, KEY)[0].as_py().hex().upper()
    assert (found["opens"], found["good"], found["count"]) == (True, False, 0)
    print(f"the extension works in the shell of {found['version']}, as in {duckdb.__version__}")


if __name__ == "__main__":
    main()
