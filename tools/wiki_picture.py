#!/usr/bin/env python3
"""Draw docs/wiki.svg: two charts of the benchmarks of `make arena FAMILY=wiki`. Left: the speed of
each optimization step that gmsm's wiki describes, relative to the first; the figures are in
bench/arena/runner/src/wiki.rs. Right: the speed of each of our tiers, relative to the current gmsm,
from one run.

    tools/wiki_picture.py [build/arena.json [docs/wiki.svg]]        needs matplotlib"""
import json
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).parent.parent / "bench/arena/runner/src/wiki.rs"
TITLES = {"cbc": "CBC", "cfb": "CFB", "ofb": "OFB", "ctr": "CTR", "gmac": "GCM", "gcm": "GCM",
          "ccm": "CCM", "xts": "XTS"}
VERBS = {"enc": " encrypt", "dec": " decrypt", "seal": " seal", "open": " open", "sign": " sign",
         "": ""}


def name(op, size):
    mode, _, verb = op.partition("-")
    return f"{TITLES[mode]}{VERBS['sign' if op == 'gmac' else verb]}, {size}"


def wiki_table():
    """The steps' names, and (op, size, MB/s of each step or None)."""
    text = SOURCE.read_text()
    steps = re.findall(r'"([^"]+)"', re.search(r"STEPS: \[&str; \d+\] = \[(.*?)\]", text).group(1))
    lines = re.findall(r'\("([a-z-]+)",\s*(\d+), \[([^\]]*)\]\)', text)
    number = lambda word: None if word == "NO" else float(word)
    return steps, [(op, int(size), [number(w.strip()) for w in row.split(",")])
                   for op, size, row in lines]


def ours(rows, op, size):
    """Each tier's speed over gmsm's, weakest tier first."""
    here = [r for r in rows if (r["family"], r["op"], r["size"]) == ("wiki", op, size)]
    gmsm = [r["cycles_min"] for r in here if r["lib"] == "gmsm"]
    if not gmsm:
        sys.exit(f"wiki_picture: no row of gmsm for {op}, {size}: run make arena FAMILY=wiki first")
    return {r["tier"]: gmsm[0] / r["cycles_min"] for r in here if r["lib"] == "tongyu"}


def chart(ax, rows, colours, title):
    """A line for each benchmark, with a dot for each step; rows: {step: speed} of each."""
    for y, steps in enumerate(rows):
        shown = {step: x for step, x in steps.items() if x}
        ax.plot([min(shown.values()), max(shown.values())], [y, y], color="#cbd5e1", linewidth=1,
                zorder=1)
        for step, x in shown.items():
            ax.plot(x, y, "o", color=colours[step], markersize=5, zorder=2)
    for step, colour in colours.items():
        ax.plot([], [], "o", color=colour, label=step)
    ax.axvline(1, color="#334155", linewidth=1)
    ax.set_xscale("log")
    ticks = [t for t in (0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30) if ax.get_xlim()[0] <= t <=
             ax.get_xlim()[1]]
    ax.set_xticks(ticks, [f"{t:g}×" for t in ticks])
    ax.minorticks_off()
    ax.set_title(title, fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, -0.16), ncol=len(colours), frameon=False,
              fontsize=8, handletextpad=0)


def picture(rows, out):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "tongyu"   # the same file for the same figures
    from matplotlib import pyplot as plt
    steps, table = wiki_table()
    table.reverse()
    right = [ours(rows, op, size) for op, size, _ in table]
    left = []
    for _, _, row in table:
        first = next(x for x in row if x)
        left.append({step: x and x / first for step, x in zip(steps, row)})
    tiers = list(right[-1])
    shade = lambda i, n: plt.get_cmap("viridis")(0.92 - 0.85 * i / max(n - 1, 1))
    fig, (a, b) = plt.subplots(1, 2, sharey=True, figsize=(10, 7))
    chart(a, left, {s: shade(i, len(steps)) for i, s in enumerate(steps)},
          "the steps of gmsm's wiki on its i5-9500, relative to the first")
    chart(b, right, {t: shade(i, len(tiers)) for i, t in enumerate(tiers)},
          "our tiers on this machine, relative to the current gmsm (the line), one run")
    a.set_yticks(range(len(table)), [name(op, size) for op, size, _ in table], fontsize=8)
    fig.tight_layout()
    fig.savefig(out, metadata={"Date": None})


def main():
    args = sys.argv[1:]
    if any(a.startswith("-") for a in args):
        sys.exit(__doc__)
    with open(args[0] if args else "build/arena.json") as f:
        picture(json.load(f), args[1] if len(args) > 1 else "docs/wiki.svg")


if __name__ == "__main__":
    main()
