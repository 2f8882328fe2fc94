#!/usr/bin/env python3
"""Mutation testing of the accelerator: changes the RTL in one place at a time and runs its tests.

    mutants.py [--count N] [--jobs N] [--release DIR] [--list]     (make rtl-mutate)

All changes are in one build: each changed expression becomes a choice by a number, which the
simulation reads from the environment (TY_MUTANT). The tests are those of tests/rtl, unchanged, each
a process of its own, the shortest first; a change is killed when one of them fails or takes ten
times its usual processor time.

Which changes are tried depends on a hash of each one alone, so that an edit of one line leaves the
choice of the others as it was. A verdict is kept in build/rtl-mutate/state.json as long as the
change, its file, the file of the test that killed it and the headers are the same; that of a
survivor as long as all of tests/rtl and rtl/sim is. Other modules may have changed since: remove
state.json to try everything anew. A run that was stopped continues where it was.

survivors.txt explains each change that no test can detect; a survivor that is not in it fails the
run, and so does a share of less than 95 % killed. The changes: an operator (^ && == << ...), a
negation, a constant, a register instead of another, swapped arms of a conditional expression, a
condition that is always or never true, an expression that is 0, a register that keeps its value.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time

from programs import HERE, LIBRARIES, NAMES, ROOT, build, program, sources, tests_of

WORK = os.path.join(ROOT, "build/rtl-mutate")
SOURCES, STATE, BUILD = (os.path.join(WORK, n) for n in ("src", "state.json", "build.json"))
# constants, and a file that tests/rtl does not use
LEFT_OUT = ("ty_field_pkg.sv", "ty_word_pkg.sv", "ty_accel_wb.sv")
SEED, COUNT, WANTED = "18", 300, 0.95
KILLED = "killed by "

SWAPS = [("read_a", "read_b"), ("product", "squared"), ("a_q", "b_q"), ("r_q", "s_q"),
         ("u_q", "v_q"), ("bit_q", "before_q"),
         ("infinite_q", "negated_q"), ("offcurve_q", "fault_q"), ("lambda_q", "mu_q"),
         ("once", "twice"), ("bvalid", "rvalid"),
         ("put", "get"), ("abort", "zeroise"), ("key_q", "data_q"), ("context_we", "config_we"),
         ("data_we", "key_we")]
SWAP = {a: b for pair in SWAPS for a, b in (pair, pair[::-1])}
OPERATORS = [(" ^ ", " | "), (" && ", " || "), (" || ", " && "), (" == ", " != "), (" != ", " == "),
             (" & ", " | "),
             (" | ", " & "), (" << ", " >> "), (" >> ", " << "), (" < ", " >= "), (" > ", " <= "),
             (" >= ", " < "),
             (" <= ", " > ")]
QUIET = "".join(f"/* verilator lint_off {name} */ " for name in
                ("WIDTH", "UNSIGNED", "CMPCONST", "LATCH", "UNUSED", "UNOPTFLAT", "ENUMVALUE"))
ZEROS = ("'0", "1'b0", "ERR_NONE", "CONTEXT", "Okay", "WIPE_ALL", "IDLE")   # 0 already
BUILT = "((FIELDS >> i) & 1) != 0"      # selects what is built, and is not part of a circuit


def blank(text, start, end):
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def closing(text, start):
    """The position after the parenthesis that closes the one at start."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise SystemExit("mutants: a parenthesis is not closed")


def outputs():
    """Names of output ports, whose connections are not expressions that could be changed."""
    found = set()
    for name in os.listdir(os.path.join(ROOT, "rtl/src")):
        with open(os.path.join(ROOT, "rtl/src", name), encoding="utf-8") as f:
            found |= set(re.findall(r"\boutput\s+[^,;)]*?(\w+)\s*(?=[,)\n])", f.read()))
    return found


OUTPUTS = outputs()


def places(text):
    """(start, end, kind, left side) of each expression that describes a circuit."""
    found = []
    for m in list(re.finditer(r"//[^\n]*", text)):
        text = blank(text, *m.span())
    for m in list(re.finditer(r"\b(localparam|parameter|typedef)\b[^;]*;|\bfor (?=\()|#\((?=\s*\n"
                              r"?\s*\.)", text)):
        end = m.end() if m[1] else closing(text, text.index("(", m.start()))
        text = blank(text, m.start(), end)
    for m in list(re.finditer(r"\bif (?=\()", text)):
        end = closing(text, m.end())
        if not re.match(r"\s*begin\s*:\s*g_", text[end:]):
            found.append((m.end() + 1, end - 1, "if", ""))
        text = blank(text, m.start(), end)
    left = r"([a-z]\w*(?:\.\w+)*(?:\[(?:[^\[\]]|\[[^\]]*\])*\])*)\s*"
    for m in list(re.finditer(r"\bassign\s+" + left + r"=\s*([^;]+);", text)):
        if not m[1].startswith("unused"):
            found.append((*m.span(2), "assign", m[1]))
        text = blank(text, *m.span())
    for m in re.finditer(r"(?<=[\s;:)])" + left + r"(<=|\^=|\|=|=)\s*([^;]+);", text):
        found.append((*m.span(3), m[2], m[1]))
    for m in re.finditer(r"\.([a-z]\w*)\(([^()]*(?:\([^()]*\))?[^()]*)\)", text):
        if m[1] not in OUTPUTS and (" " in m[2] or m[2] in SWAP):
            found.append((*m.span(2), "port", ""))
    return sorted(found)


def changes(expr, kind, left):
    """(what, new expression)"""
    hidden = expr.replace(BUILT, "@" * len(BUILT))
    for old, new in OPERATORS:
        for m in re.finditer(re.escape(old), hidden):
            yield f"{old.strip()} -> {new.strip()}", expr[:m.start()] + new + expr[m.end():]
    for m in re.finditer(r"[!~](?=[\w(])", hidden):
        yield f"without {m[0]}", expr[:m.start()] + expr[m.end():]
    for m in re.finditer(r"\b1'b([01])", hidden):
        other = f"1'b{1 - int(m[1])}"
        yield f"{m[0]} -> {other}", expr[:m.start()] + other + expr[m.end():]
    for m in re.finditer(r"\b(\d+)'d(\d+)\b", hidden):
        other = f"{m[1]}'d{(int(m[2]) + 1) % (1 << int(m[1]))}"
        yield f"{m[0]} -> {other}", expr[:m.start()] + other + expr[m.end():]
    for m in re.finditer(r" ([+-]) (?=1'b1|8'd|gap\b)", hidden):
        other = {"+": "-", "-": "+"}[m[1]]
        yield f"{m[1]} -> {other}", expr[:m.start()] + f" {other} " + expr[m.end():]
    for m in re.finditer(r"(?<![\w.'])([a-z]\w*)\b(?!\s*[('])", hidden):
        if m[1] in SWAP:
            yield f"{m[1]} -> {SWAP[m[1]]}", expr[:m.start()] + SWAP[m[1]] + expr[m.end():]
    m = re.search(r"\? ([\w.\[\]']+) : ([\w.\[\]']+)$", hidden)
    if m:
        yield "arms swapped", expr[:m.start()] + f"? {m[2]} : {m[1]}"
    if kind == "if":
        yield "always", "1'b1"
        yield "never", "1'b0"
    elif kind != "port" and expr.strip() not in ZEROS:
        yield "0", "'0"
    if kind == "<=":
        yield "keeps its value", left


def names_of(text):
    return set(re.findall(r"\b[a-z]\w*", text))


def candidates():
    with open(os.path.join(ROOT, "rtl/files.f"), encoding="utf-8") as f:
        files = [line.strip() for line in f if line.startswith("src/")]
    for name in files:
        if os.path.basename(name) in LEFT_OUT:
            continue
        with open(os.path.join(ROOT, "rtl", name), encoding="utf-8") as f:
            text = f.read()
        known, seen = names_of(text), {}
        for start, end, kind, left in places(text):
            expr = text[start:end]
            for what, new in changes(expr, kind, left):
                if not names_of(new) <= known or " ".join(new.split()) == " ".join(expr.split()):
                    continue
                line = text.rfind("\n", 0, start) + 1
                where = " ".join(text[line:max(end, text.index("\n", start))].split())
                key = f"{os.path.basename(name)} | {where} | {what}"
                seen[key] = seen.get(key, 0) + 1
                yield {"file": name, "span": (start, end), "new": new,
                       "key": key if seen[key] == 1 else f"{key}, {seen[key]}"}


def write_sources(chosen):
    """Writes the sources with all the changes, and a package with the number of the one to make.
    "gf2m" in its name includes it in the files that programs.build() gives to tests of units."""
    shutil.rmtree(SOURCES, ignore_errors=True)
    os.makedirs(SOURCES)
    with open(os.path.join(SOURCES, "ty_mutant_gf2m.sv"), "w", encoding="utf-8") as f:
        f.write(QUIET + 'package ty_mutant_gf2m;\n  int id = $c32("[]{ '
                'const char *s = getenv(\\"TY_MUTANT\\"); '
                'return s ? atoi(s) : 0; }()");\nendpackage\n')
    for name in sorted(os.listdir(os.path.join(ROOT, "rtl/src"))):
        with open(os.path.join(ROOT, "rtl/src", name), encoding="utf-8") as f:
            text = f.read()
        by_span = {}
        for number, mutant in enumerate(chosen, 1):
            if os.path.basename(mutant["file"]) == name:
                by_span.setdefault(mutant["span"], []).append((number, mutant["new"]))
        for (start, end), here in sorted(by_span.items(), reverse=True):
            choice = "".join(f"ty_mutant_gf2m::id == {number} ? ({new}) : " for number, new in here)
            text = text[:start] + choice + "(" + text[start:end] + ")" + text[end:]
        if by_span:
            text = QUIET + text
        with open(os.path.join(SOURCES, name), "w", encoding="utf-8") as f:
            f.write(text)


def sha256(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def text_of(*names):
    """The texts of files, and of the files in folders."""
    found = []
    for name in names:
        path = os.path.join(ROOT, name)
        for at in sorted(os.listdir(path)) if os.path.isdir(path) else [""]:
            with open(os.path.join(path, at) if at else path, encoding="latin-1") as f:
                found.append(at + f.read())
    return "".join(found)


def passes(name, test, number, limit):
    """Whether a test, with a change, passes in at most `limit` seconds of processor time."""
    return subprocess.run(["prlimit", f"--cpu={limit}", program(WORK, name), "--gtest_fail_fast",
                           f"--gtest_filter={test}"], check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL,
                          env={**os.environ, "TY_MUTANT": str(number)}).returncode == 0


TESTS = {name: text_of(os.path.join(folder, name)) for folder in ("tests/rtl", "rtl/sim")
         for name in sorted(os.listdir(os.path.join(ROOT, folder)))}


def tests_digest(outcome):
    """A hash of the tests on which a verdict depends, as they were when this program started."""
    test = outcome.removeprefix(KILLED).replace(".", ", ") + ")"
    return sha256(*(text for name, text in TESTS.items()
                    if not outcome.startswith(KILLED) or name.endswith(".hh") or test in text))


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def prepare(chosen, release, pool):
    """Builds the programs, unless the last build was of the same files and changes, and returns
    [(seconds, program, test)], the shortest first."""
    key = sha256(text_of("rtl/src", "rtl/regs/gen", "rtl/ucode/gen", "rtl/sim", "tests/rtl",
                         *(os.path.join(release, n) for n in LIBRARIES)),
                 *(c["key"] for c in chosen))
    if os.path.exists(BUILD):
        with open(BUILD, encoding="utf-8") as f:
            known = json.load(f)
        if known["key"] == key:
            return known["tests"]
    write_sources(chosen)
    tests = []
    files = [os.path.join(SOURCES, "ty_mutant_gf2m.sv")] + [
        os.path.join(SOURCES, os.path.basename(n)) if n.startswith("src/")
        else os.path.join(ROOT, "rtl", n) for n in sources()]
    for name in NAMES:
        build(name, WORK, files, release, pool)
        for test in tests_of(WORK, name):
            begun = processor_time()
            if not passes(name, test, 0, 3600):
                raise SystemExit(f"mutants: {test} fails without a change")
            tests.append((round(processor_time() - begun, 2), name, test))
        print(f"mutants: test-rtl-{name} passes without a change", flush=True)
    tests.sort()
    with open(BUILD, "w", encoding="utf-8") as f:
        json.dump({"key": key, "tests": tests}, f)
    return tests


def verdict(number, change, tests):
    for seconds, name, test in tests:
        units = name == "field" or test.startswith("GenericUnits.")     # of gf2m files only
        if units and "gf2m" not in change["file"]:
            continue
        if not passes(name, test, number, int(10 * seconds) + 2):
            return KILLED + test
    return "survived"


def survivors():
    """{change: why no test can detect it}"""
    found = {}
    with open(os.path.join(HERE, "survivors.txt"), encoding="utf-8") as f:
        for block in f.read().split("\n\n"):
            lines = [line for line in block.split("\n") if line and not line.startswith("#")]
            for line in lines[1:]:
                found[line.strip()] = lines[0]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--release", default=os.path.join(ROOT, "build/release"),
                        help="a release build with tests")
    args = parser.parse_args()
    everything = sorted(candidates(), key=lambda c: sha256(SEED, c["key"]))
    chosen = sorted(everything[:args.count], key=lambda c: c["key"])
    if args.list:
        print("\n".join(c["key"] for c in chosen))
        print(f"mutants: {len(chosen)} of {len(everything)}")
        return 0
    os.makedirs(WORK, exist_ok=True)
    for c in chosen:
        c["digest"] = sha256(c["key"], c["new"], text_of("rtl/" + c["file"]))
    verdicts = {}
    if os.path.exists(STATE):
        with open(STATE, encoding="utf-8") as f:
            verdicts = json.load(f)
    verdicts = {digest: v for digest, v in verdicts.items() if v[2] == tests_digest(v[1])}
    missing = [n for n, c in enumerate(chosen, 1) if c["digest"] not in verdicts]
    if missing:
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            tests = prepare(chosen, os.path.abspath(args.release), pool)
            print(f"mutants: {len(missing)} changes to try, {len(tests)} tests of "
                  f"{sum(t[0] for t in tests):.0f} seconds", flush=True)
            running = {pool.submit(verdict, n, chosen[n - 1], tests): chosen[n - 1]
                       for n in missing}
            for done in concurrent.futures.as_completed(running):
                verdicts[running[done]["digest"]] = [running[done]["key"], done.result(),
                                                     tests_digest(done.result())]
                with open(STATE + ".new", "w", encoding="utf-8") as f:
                    json.dump(verdicts, f, indent=1)
                os.replace(STATE + ".new", STATE)
        print(f"mutants: {(time.monotonic() - begun) / 60:.0f} minutes, "
              f"{processor_time() / 60:.0f} of processor time", flush=True)
    alive = [c["key"] for c in chosen if not verdicts[c["digest"]][1].startswith(KILLED)]
    known = survivors()
    for key in alive:
        print(f"{'explained' if key in known else 'NOT EXPLAINED'}: {key}")
    stale = [key for key in known if key not in alive]
    for key in stale:
        print(f"in survivors.txt, but it did not survive: {key}")
    share = 1 - len(alive) / len(chosen)
    print(f"mutants: {len(chosen)} of {len(everything)} changes tried, {len(chosen) - len(alive)} "
          f"killed ({100 * share:.1f} %), {len(alive)} survived, {sum(k in known for k in alive)} "
          "of them explained")
    return 1 if share < WANTED or stale or any(k not in known for k in alive) else 0


if __name__ == "__main__":
    sys.exit(main())
