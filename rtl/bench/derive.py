#!/usr/bin/env python3
"""Check that the simulated device, the library and OpenSSL derive the same secrets.

    derive.py TONGYU [KEYS]     KEYS new keys on each of ten curves (default: 1000)

OpenSSL takes part with the first twenty keys on the curves in OPENSSL, from the same key files.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

NAMED = ["sect113r1", "sect131r1", "sect163k1", "sect163r2", "sect193r1", "sect233r1"]
OPENSSL = {"sect163r2", "sect233r1"}
GENERIC = ["c2pnb163v1", "c2tnb191v1", "dstu4145-179", "c2tnb239v1"]


def command(*args):
    return subprocess.run(args, capture_output=True, check=True).stdout


def by_openssl(mine, theirs):
    """The secret in hexadecimal digits; None where there is no OpenSSL with binary curves."""
    if not shutil.which("openssl"):
        return None
    if b"sect163r2" not in command("openssl", "ecparam", "-list_curves"):
        return None
    public = theirs + ".pub"
    command("openssl", "pkey", "-in", theirs, "-pubout", "-out", public)
    return command("openssl", "pkeyutl", "-derive", "-inkey", mine, "-peerkey", public).hex()


def agree(tongyu, curve, keys):
    """The cycles of a multiplication, or a message about what is wrong."""
    cycles, asked = set(), 0
    with tempfile.TemporaryDirectory() as folder:
        mine, theirs = os.path.join(folder, "0.pem"), os.path.join(folder, "1.pem")
        command(tongyu, "keygen", "--curve", curve, "-o", mine)
        for i in range(keys):
            mine, theirs = theirs, mine    # each key is used with the ones before and after it
            command(tongyu, "keygen", "--curve", curve, "-f", "-o", mine)
            soft, hard = (json.loads(command(tongyu, "derive", "--json", "-k", mine, "-p", theirs,
                                             "--engine", engine)) for engine in ("library", "sim"))
            if soft["secret"] != hard["secret"] or hard["engine"] != "sim":
                with open(mine, encoding="utf-8") as a, open(theirs, encoding="utf-8") as b:
                    return f"{curve}: {hard} instead of {soft}, with\n{a.read()}{b.read()}"
            cycles.add(hard["cycles"])
            other = by_openssl(mine, theirs) if curve in OPENSSL and i < 20 else None
            asked += other is not None
            if other not in (None, hard["secret"]):
                return f"{curve}: OpenSSL's secret differs: {other}, and not {hard['secret']}"
    if len(cycles) != 1:
        return f"{curve}: cycles depend on the key: {sorted(cycles)}"
    if asked:
        print(f"derive: {curve}: OpenSSL's secret is the same {asked} times", flush=True)
    return cycles.pop()


def main():
    tongyu, keys = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    curves, wrong = NAMED + GENERIC, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for curve, got in zip(curves, pool.map(lambda curve: agree(tongyu, curve, keys), curves)):
            good = isinstance(got, int)
            wrong += not good
            line = f"{curve}: {keys} keys, {got} cycles each" if good else got
            print(f"derive: {line}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
