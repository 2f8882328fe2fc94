#!/usr/bin/env python3
"""Modelled cycles of fw/bench.c: run it in QEMU for its results and in the cycle model for its
figures.

    tools/fw_bench.py IMAGE.elf             print the table, and fail where a row exceeds its limit
                                            in tests/fw/limits.json by more than 1 % of cycles, 64
                                            bytes of stack or 256 bytes of flash, or where
                                            docs/firmware.md is more than 1 % off
    tools/fw_bench.py IMAGE.elf --update    write the limits and the page's column from this run
    tools/fw_bench.py IMAGE.elf --csv FILE  write the table to a file, too

Needs the packages of tools/m4cycles/requirements.txt, which `make fw-bench` installs.
"""
import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = ROOT / "tests/fw/limits.json"
PAGE = ROOT / "docs/firmware.md"
ROOM = {"cycles": lambda x: x * 1.01, "stack": lambda x: x + 64, "flash": lambda x: x + 256}
# row of the page's table: row of the bench, whose cycles are the last column
SHOWN = {
    "ML-DSA transform": "q_ntt", "its inverse": "q_intt", "sum of 4 products": "q_dot4",
    "sum of 7 products": "q_dot7",
    "Keccak-f1600 in the tier's form": "keccak", "Keccak-f1600 on 64-bit lanes": "keccak_lanes",
    "SM3, 16 blocks": "sm3_16_blocks", "SM4, 64 blocks": "sm4_64_blocks",
    "SM4, one block": "sm4_1_block", "SM4, a key": "sm4_key",
    "SM2 key": "sm2_keygen", "SM2 signature": "sm2_sign", "SM2 verification": "sm2_verify",
    "SM2 ECDH": "sm2_ecdh",
    **{f"ML-DSA-{n} {what}": f"mldsa{n}_{op}" for n in (44, 65, 87)
       for what, op in (("key", "keygen"), ("verification", "verify"))},
}
# the same for the page's table of parts, which has only the tier m4
PARTS = {"a polynomial of A": "mldsa_a",
         "challenge times two polynomials of s1 or s2, in one transform": "mldsa_c_times_two",
         **{f"challenge times one of them by windows, ML-DSA-{n}": f"mldsa{n}_c_times"
            for n in (44, 65, 87)},
         "SM2 product": "p_sm2_product", "SM2 square": "p_sm2_square"}
# kernels in assembly that C does not call: their rows have the fewest cycles of any call
WITHIN = {"ty_p_sm2_product_m4": "p_sm2_product", "ty_p_sm2_square_m4": "p_sm2_square"}
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/m4cycles"))
import fw_compiler                                 # noqa: E402
import m4cycles                                    # noqa: E402
from machine import Fault, Image                   # noqa: E402


def table(path):
    """A row for each function bench_* and each kernel of WITHIN, and one for the image."""
    status, output = m4cycles.in_qemu(path)
    if status or b"failed" in output:
        raise Fault(f"{path}: in QEMU it ends with {status}: {output.decode(errors='replace')}")
    names = sorted(n for n in Image(path).symbols if n.startswith("bench_"))
    if not names:
        raise Fault(f"{path}: no function bench_*")
    found = m4cycles.measure(path, names + list(WITHIN))
    if found["status"] or "failed" in found["output"]:
        raise Fault(f"{path}: in the model it ends with {found['status']}: {found['output']}")
    rows = {WITHIN.get(n) or fw_compiler.plain(n)[len("bench_"):]: {
        "cycles": f["min" if n in WITHIN else "max"], "instructions": f["ops"],
        "loads": f["loads"], "stores": f["stores"], "stack": f["stack"]}
        for n, f in found["functions"].items()}
    return rows | {"image": {"flash": found["flash"]}}


def worse(rows, limits):
    """Messages about rows that exceed their limits, have none, or are missing."""
    faults = [f"{name}: has no limit; add it with --update" for name in rows if name not in limits]
    faults += [f"{name}: is not in the image" for name in limits if name not in rows]
    for name in rows.keys() & limits.keys():
        for what, limit in limits[name].items():
            if rows[name][what] > ROOM[what](limit):
                faults.append(f"{name}: {rows[name][what]} {what}, and the limit is {limit}")
    return sorted(faults)


def shown(rows, page):
    """(messages about wrong figures of the page, the page with the cycles of these rows)"""
    faults = []
    for what, name in (SHOWN | PARTS).items():
        before = "" if what in PARTS else r"[0-9,]+ \| "
        line = re.search(rf"^(\| {re.escape(what)} \| {before})([0-9,]+) \|$", page, re.M)
        if not line:
            faults.append(f"{PAGE} has no row '{what}'")
            continue
        if name not in rows:
            continue                               # worse() reports it
        now = rows[name]["cycles"]
        if abs(int(line[2].replace(",", "")) - now) > now / 100:
            faults.append(f"{PAGE}: {what} takes {now:,} cycles, and not {line[2]}; "
                          "write it with --update")
        page = page.replace(line[0], f"{line[1]}{now:,} |")
    return faults, page


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("image")
    p.add_argument("--update", action="store_true")
    p.add_argument("--csv", metavar="FILE")
    a = p.parse_args()
    try:
        rows = table(a.image)
    except (Fault, OSError) as e:
        print(f"fw_bench.py: {e}", file=sys.stderr)
        return 2
    columns = ("cycles", "instructions", "loads", "stores", "stack")
    lines = [",".join(("row", *columns))] + [",".join([n, *(str(r[c]) for c in columns)])
                                             for n, r in rows.items() if n != "image"]
    for line in lines:
        cells = line.split(",")
        print(f"{cells[0]:18}" + "".join(f"{c:>14}" for c in cells[1:]))
    print(f"flash of the image: {rows['image']['flash']} bytes")
    if a.csv:
        pathlib.Path(a.csv).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if a.update:
        kept = {n: {k: v for k, v in r.items() if k in ROOM} for n, r in rows.items()}
        LIMITS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(shown(rows, PAGE.read_text(encoding="utf-8"))[1], encoding="utf-8")
        return 0
    faults = worse(rows, json.loads(LIMITS.read_text(encoding="utf-8")))
    faults += shown(rows, PAGE.read_text(encoding="utf-8"))[0]
    for fault in faults:
        print(f"fw_bench.py: {fault}", file=sys.stderr)
    if not faults:
        print(f"{len(rows)} rows within tests/fw/limits.json")
    return bool(faults) and not fw_compiler.is_other_gcc("fw_bench.py")


if __name__ == "__main__":
    sys.exit(main())
