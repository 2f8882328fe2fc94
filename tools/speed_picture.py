#!/usr/bin/env python3
"""Draw docs/speed.svg from the arena's results: for a few operations, the speed of Tongyu and of
the best library besides OpenSSL, relative to OpenSSL's.

    tools/speed_picture.py [build/arena.json [docs/speed.svg]]        needs matplotlib

With --table it prints the same rows as a Markdown table instead."""
import json
import sys

BASE = "openssl"
SHOWN = [  # family, op, size, label
    ("sm4", "ctr", 8192, "SM4-CTR, 8 KB"), ("sm4", "gcm-seal", 8192, "SM4-GCM, 8 KB"),
    ("sm4", "cbc-dec", 8192, "SM4-CBC decrypt, 8 KB"), ("sm3", "hash", 16384, "SM3, 16 KB"),
    ("sm3", "hmac", 64, "HMAC-SM3, 64 B"), ("sm3", "pbkdf2-1000", 0, "PBKDF2-SM3, 1000 rounds"),
    ("sm2", "sign", 0, "SM2 sign"), ("sm2", "verify", 0, "SM2 verify"),
    ("sm2", "decrypt-32", 0, "SM2 decrypt, 32 B"),
]


def best(rows, family, op, size):
    """The least cycles of each library's tiers for one operation, and the libraries' versions."""
    cycles, version = {}, {}
    for r in rows:
        if (r["family"], r["op"]) == (family, op) and (size == 0 or r["size"] == size):
            cycles[r["lib"]] = min(r["cycles_min"], cycles.get(r["lib"], float("inf")))
            version[r["lib"]] = r["version"]
    return cycles, version


def figures(rows):
    for family, op, size, name in SHOWN:
        cycles, version = best(rows, family, op, size)
        if "tongyu" not in cycles or BASE not in cycles:
            sys.exit(f"speed_picture: no rows of tongyu and {BASE} for {family} {op}: run make "
                     "arena first")
        others = {lib: c for lib, c in cycles.items() if lib not in ("tongyu", BASE)}
        rival = min(others, key=others.get)
        yield name, size, cycles["tongyu"], cycles[BASE], f"{rival} {version[rival]}", others[rival]


def amount(cycles, size):
    if size > 64:
        return f"{cycles / size:.2f} c/B"
    return f"{cycles / 1e6:.2f} M" if cycles >= 999500 else f"{cycles / 1000:.3g} k"


def table(rows):
    print("| | Tongyu | OpenSSL 4.0 | best other | Tongyu against the best |\n"
          "|---|---|---|---|---|")
    for name, size, ours, base, rival, theirs in figures(rows):
        print(f"| {name} | {amount(ours, size)} | {amount(base, size)} | {amount(theirs, size)} "
              f"({rival}) | {min(base, theirs) / ours:.2f}× |")


def picture(rows, out):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tongyu"   # the same file for the same figures
    from matplotlib import pyplot as plt
    data = list(figures(rows))[::-1]
    fig, ax = plt.subplots(figsize=(9, 5))
    for i, (name, _, ours, base, rival, theirs) in enumerate(data):
        ax.barh(i + 0.19, base / ours, 0.36, color="#0f766e", label="Tongyu" if i == 0 else None)
        ax.barh(i - 0.19, base / theirs, 0.36, color="#94a3b8",
                label="best other library" if i == 0 else None)
        ax.text(base / ours, i + 0.19, f" {base / ours:.1f}×", va="center", fontsize=8)
        ax.text(base / theirs, i - 0.19, f" {base / theirs:.1f}×  {rival}", va="center", fontsize=8,
                color="#475569")
    ax.axvline(1, color="#334155", linewidth=1)
    ax.set_yticks(range(len(data)), [row[0] for row in data])
    ax.set_xlabel("speed relative to OpenSSL 4.0 (the line at 1), measured in one run; longer is "
                  "better")
    ax.set_xlim(0, max(max(b / o, b / t) for _, _, o, b, _, t in data) * 1.25)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower right", frameon=False)
    fig.tight_layout()
    fig.savefig(out, metadata={"Date": None})


def main():
    args = [a for a in sys.argv[1:] if a != "--table"]
    if any(a.startswith("-") for a in args):
        sys.exit(__doc__)
    with open(args[0] if args else "build/arena.json") as f:
        rows = json.load(f)
    if "--table" in sys.argv:
        table(rows)
    else:
        picture(rows, args[1] if len(args) > 1 else "docs/speed.svg")


if __name__ == "__main__":
    main()
