#!/usr/bin/env python3
"""tongyu derive on the simulated device and on the library: the same secrets.

    derive.py TONGYU [KEYS]     KEYS new ones on each of ten curves, or 1000
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

NAMED = ["sect113r1", "sect131r1", "sect163k1", "sect163r2", "sect193r1", "sect233r1"]
GENERIC = ["c2pnb163v1", "c2tnb191v1", "dstu4145-179", "c2tnb239v1"]


def command(tongyu, *args):
    return subprocess.run([tongyu, *args], capture_output=True, check=True).stdout


def agree(tongyu, curve, keys):
    """The cycles of a multiplication, or what is wrong."""
    cycles = set()
    with tempfile.TemporaryDirectory() as folder:
        mine, theirs = os.path.join(folder, "0.pem"), os.path.join(folder, "1.pem")
        command(tongyu, "keygen", "--curve", curve, "-o", mine)
        for i in range(keys):
            mine, theirs = theirs, mine    # each key is used with the one before and after it
            command(tongyu, "keygen", "--curve", curve, "-f", "-o", mine)
            soft, hard = (json.loads(command(tongyu, "derive", "--json", "-k", mine, "-p", theirs,
                                             "--engine", engine)) for engine in ("library", "sim"))
            if soft["secret"] != hard["secret"] or hard["engine"] != "sim":
                with open(mine, encoding="utf-8") as a, open(theirs, encoding="utf-8") as b:
                    return f"{curve}: another secret, {hard} for {soft}, with\n{a.read()}{b.read()}"
            cycles.add(hard["cycles"])
    if len(cycles) != 1:
        return f"{curve}: cycles depend on the key: {sorted(cycles)}"
    return cycles.pop()


def main():
    tongyu, keys = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    curves, wrong = NAMED + GENERIC, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for curve, got in zip(curves, pool.map(lambda curve: agree(tongyu, curve, keys), curves)):
            good = isinstance(got, int)
            wrong += not good
            said = f"{curve}: {keys} keys, {got} cycles each" if good else got
            print(f"derive: {said}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
