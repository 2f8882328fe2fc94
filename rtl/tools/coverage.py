#!/usr/bin/env python3
"""Coverage of the RTL by the tests of tests/rtl, as Verilator counts it.

    coverage.py [--jobs N] [--release DIR] [--again]     (part of make rtl-full)

Lines are those of procedural blocks and functions; a line is covered when one instance of its
module, in any of the tests' builds, has executed it. Branches are the arms of if and case; an if
without an else has two. States are the covers of states.sv. Words are those of all images of the
microprogram that the builds have; a word is covered when it has been executed, and not when its
table has been read at its address only. At least 95 % of all lines, of all branches and of all
words have to be covered, and all states; and uncovered.txt has to explain each place that is not
covered, cut to 100 columns. An entry there that is covered, or is no place, is an error. --again
evaluates the last run.

Not measured: constants and functions of elaboration and the answers of the known-answer test
(coverage.vlt), the Wishbone shim, which rtl/bench tests, and the two sides of a conditional
expression (?:), which mutants.py changes. A run takes about 7 minutes of processor time.
"""
import argparse
import collections
import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys

from programs import HERE, NAMES, ROOT, VERILATOR, build, program, sources

WORK = os.path.join(ROOT, "build/rtl-coverage")
DATA = os.path.join(WORK, "data")
STATES, OFF = "rtl/tools/states.sv", "rtl/tools/coverage.vlt"
EXPLAINED = os.path.join(HERE, "uncovered.txt")
IMAGES = os.path.join(ROOT, "rtl/ucode/gen/ty_ucode.sv")
WANTED = 0.95
BRANCHES = ("if", "else", "elsif", "case")


def run(name):
    """All tests of a program."""
    env = {k: v for k, v in os.environ.items() if k != "TONGYU_RTL_FULL"}
    r = subprocess.run([program(WORK, name), "--gtest_brief=1"], check=False,
                       env={**env, "TY_COVERAGE": DATA}, capture_output=True, text=True)
    if r.returncode:
        raise SystemExit(f"coverage: test-rtl-{name} fails\n{r.stdout[-4000:]}")
    print(f"coverage: test-rtl-{name} has run", flush=True)


def numbers(ranges):
    """The lines of "3,5-7"."""
    for one in filter(None, ranges.split(",")):
        first, _, last = one.partition("-")
        yield from range(int(first), int(last or first) + 1)


def merged():
    """{(file, line, column, kind, lines): how often it was executed, in all tests}"""
    found = collections.Counter()
    for path in glob.glob(os.path.join(DATA, "*.dat")):
        with open(path, encoding="latin-1") as f:
            for entry in f:
                if not entry.startswith("C '"):
                    continue
                text, count = entry[3:].rsplit("' ", 1)
                key = dict(part.split("\2", 1) for part in text.split("\1") if part)
                found[key["f"], int(key["l"]), int(key["n"]), key["o"], key.get("S", "")] += int(
                    count)
    return found


def words():
    """{image: {address: whether it was executed}}"""
    ran = collections.defaultdict(set)      # (c, generic, multipliers): addresses
    for path in glob.glob(os.path.join(DATA, "*.words")):
        with open(path, encoding="utf-8") as f:
            for entry in f:
                *image, address = map(int, entry.split())
                ran[tuple(image)].add(address)
    found, key, name = {}, None, ""
    with open(IMAGES, encoding="utf-8") as f:
        for line in f:
            image = re.match(r"  if \(C == (\d+) && (?:GENERIC == (\d) && )?MULTIPLIERS == (\d)\)"
                             r" begin : g_(\w+)", line)
            word = re.match(r"        (\d+): word = ", line)
            if image:
                key, name = tuple(int(n or 0) for n in image.groups()[:3]), image[4]
            elif word and key in ran:
                found.setdefault(name, {})[int(word[1])] = int(word[1]) in ran[key]
    return found


def ranges(table):
    """The addresses that were not executed, as "3" or "5-7": those with no other word between."""
    known, first = sorted(table), None
    for n, address in enumerate(known):
        if table[address]:
            continue
        first = address if first is None else first
        if n + 1 == len(known) or table[known[n + 1]]:
            yield str(first) if first == address else f"{first}-{address}"
            first = None


def explained():
    """{place: why it is not executed}"""
    found = {}
    with open(EXPLAINED, encoding="utf-8") as f:
        for block in f.read().split("\n\n"):
            lines = [line for line in block.split("\n") if line and not line.startswith("#")]
            for line in lines[1:]:
                found[line.strip()] = lines[0]
    return found


def share(covered, everything):
    return f"{100 * covered / everything:5.1f} %" if everything else "      -"


def judge():
    places = merged()
    texts = {}
    for path in {place[0] for place in places}:
        with open(os.path.join(ROOT, path), encoding="utf-8") as f:
            texts[path] = [" ".join(line.split()) for line in f]
    lines, branches, missing = (collections.defaultdict(dict) for _ in range(3))
    counts = collections.Counter()
    for (path, line, column, kind, block), count in places.items():
        counts[path, line, column, kind] += count
        for n in numbers(block):
            lines[path][n] = lines[path].get(n, False) or count > 0
    for (path, line, column, kind), count in sorted(counts.items()):
        if path == STATES and kind != "cover":
            continue
        if kind in BRANCHES or path == STATES:
            branches[path][line, column, kind] = count
        if not count:
            place = f"{os.path.basename(path)} | {kind} | {texts[path][line - 1]}"[:100].rstrip()
            missing[place][line] = True
    images = words()
    for name, table in images.items():
        for place in ranges(table):
            missing[f"{os.path.basename(IMAGES)} | {name} | {place}"][0] = True
    known, wrong = explained(), 0
    for place in sorted(missing):
        at = ", ".join(str(line) for line in missing[place] if line)
        print(f"{'explained' if place in known else 'NOT EXPLAINED'}{at and ', line ' + at}: "
              f"{place}")
        wrong += place not in known
    for place in known:
        if place not in missing:
            print(f"in uncovered.txt, but covered or no place: {place}")
            wrong += 1
    print(f"{'file':24}{'lines':>16}{'':10}{'branches':>13}")
    totals = [0, 0, 0, 0]
    for path in sorted(set(lines) | set(branches)):
        row = [sum(lines[path].values()), len(lines[path]),
               sum(map(bool, branches[path].values())), len(branches[path])]
        if path == STATES:
            print(f"{'states':24}{'':26}{row[2]:7} of {row[3]:5}")
            wrong += row[2] < row[3]
            continue
        totals = [a + b for a, b in zip(totals, row)]
        print(f"{os.path.basename(path):24}{row[0]:7} of {row[1]:5} {share(row[0], row[1])} "
              f"{row[2]:7} of {row[3]:5} {share(row[2], row[3])}")
    print(f"{'all':24}{totals[0]:7} of {totals[1]:5} {share(totals[0], totals[1])} "
          f"{totals[2]:7} of {totals[3]:5} {share(totals[2], totals[3])}")
    images["all"] = dict(enumerate(ran for table in images.values() for ran in table.values()))
    for name, table in images.items():
        ran = sum(table.values())
        print(f"{'words of ' + name:24}{ran:7} of {len(table):5} {share(ran, len(table))}")
    totals += [ran, len(table)]
    wrong += any(not all_of or covered < WANTED * all_of
                 for covered, all_of in zip(totals[::2], totals[1::2]))
    print(f"coverage: {'FAILED' if wrong else 'passed'}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--release", default=os.path.join(ROOT, "build/release"),
                        help="a release build with tests")
    parser.add_argument("--again", action="store_true", help="evaluate the last run")
    args = parser.parse_args()
    if not args.again:
        shutil.rmtree(DATA, ignore_errors=True)
        os.makedirs(DATA)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for name in NAMES:
                build(name, WORK, [os.path.join("rtl", n) for n in sources()],
                      os.path.abspath(args.release), pool,
                      verilator=["--coverage-line", "--coverage-user", OFF], tops=[STATES],
                      more=[os.path.join(VERILATOR, "verilated_cov.cpp")], own=True)
            list(pool.map(run, NAMES))
    return judge()


if __name__ == "__main__":
    sys.exit(main())
