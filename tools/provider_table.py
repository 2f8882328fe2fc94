#!/usr/bin/env python3
"""The table of docs/openssl.md, from the files that tests/provider/clients.sh wrote.

provider_table.py ROWS-3.0 ROWS-3.5 ROWS-4.0           prints it
provider_table.py --write ROWS-3.0 ROWS-3.5 ROWS-4.0   puts it into the page
provider_table.py --check ROWS-3.0 ROWS-3.5 ROWS-4.0   fails if the page says something else
"""

import os
import sys

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../docs/openssl.md")
BEGIN, END = "<!-- table: tools/provider_table.py -->\n", "<!-- end of the table -->\n"
VERSIONS = ["3.0", "3.5", "4.0"]


def rows_of(path):
    with open(path, encoding="utf-8") as f:
        return {
            name: (verdict, detail)
            for verdict, name, detail in (line.rstrip("\n").split("\t") for line in f)
        }


def cell(entry):
    if entry is None:
        return ""
    verdict, detail = entry
    if verdict == "ok":
        return "yes"
    return {"not there": "no" + (f": {detail}" if detail else ""), "skipped": ""}.get(
        verdict, verdict
    )


def table(paths):
    columns = [rows_of(p) for p in paths]
    names = []
    for column in columns:  # in the order of the script, whichever version has them
        for name in column:
            if name not in names and column[name][0] != "skipped":
                names.append(name)
    out = ["| | " + " | ".join(VERSIONS) + " |", "|---|" + "---|" * len(VERSIONS)]
    out += [f"| {n} | " + " | ".join(cell(c.get(n)) for c in columns) + " |" for n in names]
    return "\n".join(out) + "\n"


def main():
    args = sys.argv[1:]
    mode = args.pop(0) if args and args[0] in ("--write", "--check") else ""
    if len(args) != len(VERSIONS) or any(a.startswith("-") for a in args):
        print(__doc__.strip())
        return 2
    text = table(args)
    if not mode:
        sys.stdout.write(text)
        return 0
    with open(PAGE, encoding="utf-8") as f:
        page = f.read()
    head, rest = page.split(BEGIN)
    old, tail = rest.split(END)
    if mode == "--check":
        if old == text:
            return 0
        print(
            "the table of docs/openssl.md differs from the tests' results; "
            "run provider_table.py --write with the same files",
            file=sys.stderr,
        )
        return 1
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(head + BEGIN + text + END + tail)
    return 0


if __name__ == "__main__":
    sys.exit(main())
