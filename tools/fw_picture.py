#!/usr/bin/env python3
"""Draw docs/firmware.svg from the table of modelled cycles in docs/firmware.md: the tier m4 beside
plain C.

    tools/fw_picture.py            write it
    tools/fw_picture.py --check    fail if the file is not what the table gives
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE, PICTURE = ROOT / "docs/firmware.md", ROOT / "docs/firmware.svg"
LEFT, WIDTH, STEP = 200, 420, 22                   # of the bars; from row to row
OURS, THEIRS, INK, PALE = "#0f766e", "#cbd5e1", "#334155", "#64748b"


def rows():
    """(name, plain C, m4) of the table"""
    text = PAGE.read_text(encoding="utf-8").split("| | plain C | tier m4 |", 1)
    if len(text) != 2:
        sys.exit(f"fw_picture.py: {PAGE} has no table of plain C and tier m4")
    found = []
    for line in text[1].splitlines()[2:]:
        cells = re.fullmatch(r"\| (.+) \| ([0-9,]+) \| ([0-9,]+) \|", line)
        if not cells:
            break
        found.append((cells[1], *(int(c.replace(",", "")) for c in cells.groups()[1:])))
    if not found:
        sys.exit(f"fw_picture.py: the table of {PAGE} is empty")
    return found


def amount(cycles):
    return f"{cycles / 1e6:.2f} M" if cycles >= 999500 else f"{cycles / 1000:.1f} k"


def text(x, y, what, colour=INK, anchor="start"):
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}">{what}</text>'


def picture(data):
    height = STEP * len(data) + 56
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="760" height="{height}" fill="white"/>',
           text(LEFT, 20,
                "modelled cycles on a Cortex-M4, the tier m4 as a share of plain C; shorter is "
                "better")]
    for i, (name, plain, ours) in enumerate(data):
        y = 34 + STEP * i
        part = ours / plain
        out += [text(LEFT - 8, y + 12, name.replace("&", "&amp;").replace("<", "&lt;"),
                     anchor="end"),
                f'<rect x="{LEFT}" y="{y}" width="{WIDTH}" height="16" fill="{THEIRS}"/>',
                f'<rect x="{LEFT}" y="{y}" width="{WIDTH * part:.1f}" height="16" fill="{OURS}"/>',
                text(LEFT + 5, y + 12, f"{amount(ours)}, {100 * part:.0f} %", "white"),
                text(LEFT + WIDTH + 8, y + 12, amount(plain), PALE)]
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    drawn = picture(rows())
    if not sys.argv[1:]:
        PICTURE.write_text(drawn, encoding="utf-8")
    elif not PICTURE.exists() or PICTURE.read_text(encoding="utf-8") != drawn:
        print(f"fw_picture.py: {PICTURE} is not what the table gives: run tools/fw_picture.py",
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
