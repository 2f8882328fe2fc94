#!/usr/bin/env python3
"""A table of docs/speed.md, from the arena's results: the operations in which opponents are
closest, ours by default and the best other library's, for one CPU.

speed_rows.py CPU [RESULTS]           prints it; RESULTS is build/arena.json if it is not named
speed_rows.py --write CPU [RESULTS]   puts it into the page, which has marks for that CPU
speed_rows.py --check CPU [RESULTS]   fails if the page says something else
"""

import json
import os
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../docs/speed.md")
OURS = "tongyu"
SIXTEEN = "16 messages, a key each: "

# family, operation, its name in the table, sizes; sizes of 16 messages are those of all together
ROWS = [
    ("sm2", "verify", "SM2 verify", [0]),
    ("sm2", "verify-msg-batch8", "SM2 verify, one of 8, keys differ", [0]),
    ("sm2", "verify-batch-key", "SM2 verify, one of 32, same key", [0]),
    ("sm2", "verify-cached", "SM2 verify, precomputed key", [0]),
    ("sm2", "sign", "SM2 sign", [0]),
    ("sm2", "sign-msg-batch8", "SM2 sign, one of 8", [0]),
    ("sm2", "sign-batch", "SM2 sign, one of 32", [0]),
    ("sm2", "keygen-batch8", "SM2 key pair, one of 8", [0]),
    ("sm2", "ecdh", "SM2 ECDH", [0]),
    ("sm2", "ecdh-batch8", "SM2 ECDH, one of 8", [0]),
    ("sm2", "encrypt-32-batch8", "SM2 encrypt 32 bytes, one of 8", [0]),
    ("sm2", "decrypt-32-batch8", "SM2 decrypt 32 bytes, one of 8", [0]),
    ("sm3", "hash", "SM3", [64, 8192]),
    ("sm3", "hash-x16", "SM3, one of 16", [64, 1024]),
    ("sm4", "x16-init", "SM4, 16 keys", [256]),
    ("sm4", "x16-ecb-enc", SIXTEEN + "ECB", [1024, 4096]),
    ("sm4", "x16-ctr", SIXTEEN + "CTR", [1024, 4096]),
    ("sm4", "x16-cbc-enc", SIXTEEN + "CBC", [256, 1024, 4096, 16384]),
    ("sm4", "x16-gcm-seal", SIXTEEN + "GCM seal", [1024, 4096]),
    ("sm4", "x16-xts-enc", SIXTEEN + "XTS", [1024, 4096]),
    ("sm4", "ecb-enc", "SM4 ECB", [64, 256, 8192]),
    ("sm4", "ctr", "SM4 CTR", [64, 256, 8192]),
    ("sm4", "cfb-dec", "SM4 CFB decryption", [64, 256, 8192, 1 << 20]),
    ("sm4", "cbc-dec", "SM4 CBC decryption", [8192, 1 << 20]),
    ("sm4", "gcm-seal", "SM4 GCM seal", [256, 8192, 1 << 20]),
    ("sm4", "gmac", "SM4 GMAC", [8192, 1 << 20]),
    ("sm4", "ocb-seal", "SM4 OCB seal", [8192]),
    ("sm4", "gcm-siv-seal", "SM4 GCM-SIV seal", [8192]),
    ("mldsa", "44-keygen", "ML-DSA-44 key", [0]),
    ("mldsa", "65-keygen", "ML-DSA-65 key", [0]),
    ("mldsa", "87-keygen", "ML-DSA-87 key", [0]),
    ("mldsa", "87-sign", "ML-DSA-87 sign", [0]),
    ("mldsa", "87-sign-ready", "ML-DSA-87 sign, ready key", [0]),
    ("mldsa", "44-verify-ready-batch8", "ML-DSA-44 verify, ready key, one of 8", [0]),
    ("mldsa", "65-verify-ready-batch8", "ML-DSA-65 verify, ready key, one of 8", [0]),
    ("mldsa", "87-verify-ready-batch8", "ML-DSA-87 verify, ready key, one of 8", [0]),
    ("ec2m", "sect163r2/kp", "sect163r2, kP", [0]),
    ("ec2m", "sect233r1/kp", "sect233r1, kP", [0]),
    ("ec2m", "sect233k1/kp", "sect233k1, kP", [0]),
    ("ec2m", "sect233k1/kp-fixed", "sect233k1, kG", [0]),
    ("ec2m", "sect571r1/kp", "sect571r1, kP", [0]),
    ("mp", "mul/256", "256 bits, multiply", [0]),
    ("mp", "mul/512", "512 bits, multiply", [0]),
    ("mp", "sqr/512", "512 bits, square", [0]),
    ("mp", "sqr/1024", "1024 bits, square", [0]),
    ("mp", "expmod-ct-batch2/1024", "1024 bits, x^y mod m, one of 2, constant time", [0]),
    ("mp", "expmod-ct-batch2/2048", "2048 bits, x^y mod m, one of 2, constant time", [0]),
    ("mp", "expmod-ct-batch8/1024", "1024 bits, x^y mod m, one of 8, constant time", [0]),
    ("mp", "expmod-ct-batch8/2048", "2048 bits, x^y mod m, one of 8, constant time", [0]),
]


def length(size):
    units = ((1 << 20, "MB"), (1 << 10, "KB"), (1, "bytes"))
    return next(f"{size // n} {unit}" for n, unit in units if size >= n)


def amount(cycles, size, many):
    if size > 256 or many:
        return f"{cycles / size:.2f} c/B"
    if cycles < 1000:
        return f"{cycles:.1f}" if cycles < 100 else f"{cycles:.0f}"
    return f"{cycles / 1e6:.3g} M" if cycles >= 999500 else f"{cycles / 1000:.3g} k"


def table(results):
    """Our default tier, as programs use it, and the quickest of the other libraries."""
    lines = ["| | ours | best other | other / ours |", "|---|---|---|---|"]
    for family, op, name, sizes in ROWS:
        for size in sizes:
            these = [r for r in results if (r["family"], r["op"], r["size"]) == (family, op, size)]
            ours = [r for r in these if r["lib"] == OURS and r["tier"] == "default"]
            others = [r for r in these if r["lib"] != OURS]
            if not ours or not others:
                print(f"speed_rows: no row for {op} {size or ''}: no result of "
                      + ("ours" if others else "others"), file=sys.stderr)
                continue
            best = min(others, key=lambda r: r["cycles_min"])
            mine, theirs = ours[0]["cycles_min"], best["cycles_min"]
            many = name.startswith(SIXTEEN)
            each = size // 16 if many else size
            full = f"{name}, {length(each)}" if size and op != "x16-init" else name
            lines.append(f"| {full} | {amount(mine, size, many)} | {amount(theirs, size, many)} "
                         f"({best['lib']} {best['version']}) | {theirs / mine:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    args = sys.argv[1:]
    mode = args.pop(0) if args and args[0] in ("--write", "--check") else ""
    if len(args) not in (1, 2) or args[0].startswith("-"):
        print(__doc__.strip())
        return 2
    cpu, path = (args + ["build/arena.json"])[:2]
    with open(path, encoding="utf-8") as f:
        text = table(json.load(f))
    if not mode:
        sys.stdout.write(text)
        return 0
    begin, end = f"<!-- table: tools/speed_rows.py, {cpu} -->\n", "<!-- end of the table -->\n"
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    if begin not in page:
        sys.exit(f"docs/speed.md has no mark for {cpu}: {begin}")
    head, rest = page.split(begin)
    old, tail = rest.split(end, 1)
    if mode == "--check":
        if old == text:
            return 0
        sys.exit(f"the table for {cpu} in docs/speed.md differs from {path}; run speed_rows.py "
                 "--write with the same file")
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(head + begin + text + end + tail)
    return 0


if __name__ == "__main__":
    sys.exit(main())
