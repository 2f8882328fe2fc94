#!/usr/bin/env python3
"""Compare the sizes of the public structs with the record in tools/sizes.txt.

    sizes.py            compile a probe with $CC (default cc) and compare; exit 1 on any difference
    sizes.py --write    rewrite the record: a deliberate change of the binary interface, for a major
                        version
    sizes.py --self-test

A program compiled against one version keeps the sizes of that version, so a struct that grows
breaks it silently. The record is for 64-bit machines; elsewhere the probe is compiled and run, and
nothing is compared.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
RECORD = os.path.join(ROOT, "tools/sizes.txt")
HEAD = ("# size and alignment of every public struct on 64-bit machines; written by "
        "tools/sizes.py --write\n")


HEADERS = sorted(glob.glob(os.path.join(ROOT, "include/tongyu/*.h")))


def structs():
    """Names of the complete struct types that the public headers define."""
    names = []
    for path in HEADERS:
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)
        names += re.findall(r"\bstruct\s+(ty_\w+)\s*\{", text)
    return sorted(set(names))


def measure():
    lines = "".join(f'    printf("{n} %zu %zu\\n", sizeof(struct {n}), _Alignof(struct {n}));\n'
                    for n in structs())
    with tempfile.TemporaryDirectory() as d:
        source, probe = os.path.join(d, "probe.c"), os.path.join(d, "probe")
        with open(source, "w", encoding="utf-8") as f:
            f.write("".join(f'#include "tongyu/{os.path.basename(h)}"\n' for h in HEADERS) +
                    "#include <stdio.h>\nint main(void)\n{\n"
                    '    printf("pointer %zu\\n", sizeof(void *));\n' + lines +
                    "    return 0;\n}\n")
        cc = os.environ.get("CC", "cc").split()
        if subprocess.run([*cc, "-std=c11", "-I" + os.path.join(ROOT, "include"), source, "-o",
                           probe]).returncode:
            sys.exit("sizes.py: the probe does not compile")
        out = subprocess.run([probe], check=True, capture_output=True,
                             text=True).stdout.splitlines()
    return out[0], out[1:]


def compare(record, now):
    was, has = ({line.split()[0]: line.split()[1:] for line in lines} for lines in (record, now))
    faults = [f"{n} was {' '.join(was[n])} and is {' '.join(has[n])} (size, alignment)"
              for n in sorted(was) if n in has and was[n] != has[n]]
    faults += [f"{n} is gone" for n in sorted(was) if n not in has]
    return faults + [f"{n} is new: record it with tools/sizes.py --write"
                     for n in sorted(has) if n not in was]


def self_test():
    same = ["ty_a 8 4", "ty_b 16 8"]
    caught = [compare(same, other)
              for other in (["ty_a 12 4", "ty_b 16 8"], ["ty_a 8 8", "ty_b 16 8"], ["ty_a 8 4"],
                            same + ["ty_c 1 1"])]
    ok = compare(same, same) == [] and all(len(c) == 1 for c in caught)
    print("sizes.py --self-test: " +
          (f"{len(caught)} differences are caught" if ok else f"FAILED: {caught}"))
    return 0 if ok else 1


def main():
    args = sys.argv[1:]
    if "-h" in args or "--help" in args:
        print(__doc__.strip())
        return 0
    if args == ["--self-test"]:
        return self_test()
    if args not in ([], ["--write"]):
        print("sizes.py: unknown argument; try --help", file=sys.stderr)
        return 2
    pointer, now = measure()
    if not now:
        print("sizes.py: no structs in the headers", file=sys.stderr)
        return 1
    if pointer != "pointer 8":
        print(f"sizes: {len(now)} structs compile; the record is for 64-bit machines")
        return 0
    if args:
        with open(RECORD, "w", encoding="utf-8") as f:
            f.write(HEAD + "\n".join(now) + "\n")
        return 0
    with open(RECORD, encoding="utf-8") as f:
        faults = compare([line for line in f.read().splitlines() if not line.startswith("#")], now)
    for fault in faults:
        print("sizes:", fault, file=sys.stderr)
    if not faults:
        print(f"sizes: {len(now)} public structs, as recorded")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
