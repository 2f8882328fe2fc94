#!/usr/bin/env python3
"""Mutation testing of the accelerator: changes the RTL in one place at a time and runs its tests.

    mutants.py [--count N] [--jobs N] [--release DIR] [--list]     (make rtl-mutate)

All changes are in one build: each changed expression becomes a choice by a number, which the
simulation reads from the environment (TY_MUTANT). The tests are those of tests/rtl, unchanged; a
change is killed when one of them fails or takes ten times its usual time. The results are kept in
build/rtl-mutate/state.json as long as sources and changes are the same.

survivors.txt explains each change that no test can detect; one that survives and is not in it fails
the run, and so does a share of less than 95 % killed. The changes: an operator (^ && == << ...), a
negation, a constant, a register instead of another, swapped arms of a conditional expression, a
condition that is always or never true, an expression that is 0, a register that keeps its value.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../.."))
WORK = os.path.join(ROOT, "build/rtl-mutate")
SOURCES, STATE = os.path.join(WORK, "src"), os.path.join(WORK, "state.json")
LIBRARIES = ("rtl/sim/libtongyu-sim.a", "libtongyu.a", "tests/libtest-support.a")
# constants, and a file that tests/rtl does not use
LEFT_OUT = ("ty_field_pkg.sv", "ty_word_pkg.sv", "ty_accel_wb.sv")
SEED, COUNT, WANTED = 18, 300, 0.95
TESTS = ("device", "generic", "field")

# These run the device that the library itself is linked with, in which nothing is changed.
UNCHANGED = "Device.AgreesWithTheLibraryOnEveryCurve:Device.AddsOnEveryCurve:Device.KnownAnswersOfEveryField:Device.ScalarsByDefinition:Device.PublishedPoints:" \
       "Generic.EveryCurveSquaringsOnTheMultiplier:Generic.DensePolynomials:" \
       "Generic.Cycles:Generic.RefusesWhatIsWrong:Generic.ACurveMadeAnewAtOneAddress"

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
    elif kind != "port" and expr.strip() not in ("'0", "1'b0"):
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
    """The sources with all the changes, and a package with the number, whose name the tests' units
    take, too."""
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


def call(*args):
    r = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, check=False)
    if r.returncode:
        raise SystemExit(f"mutants: {' '.join(args)}\n{(r.stdout + r.stderr)[-6000:]}")


def build(name, release):
    """test-rtl-NAME as tests/rtl/CMakeLists.txt has it, on the changed sources; the rest is that of
    a release build."""
    with open(os.path.join(ROOT, "tests/rtl/CMakeLists.txt"), encoding="utf-8") as f:
        lists = f.read()
    with open(os.path.join(ROOT, "rtl/files.f"), encoding="utf-8") as f:
        files = [line.strip() for line in f if line.strip() and "_wb" not in line]
    files = [os.path.join(SOURCES, "ty_mutant_gf2m.sv")] + [
        os.path.join(SOURCES, os.path.basename(n)) if n.startswith("src/")
        else os.path.join(ROOT, "rtl", n) for n in files]
    folders = []
    for prefix, top, flags in re.findall(rf"^model\({name} (\w+) (\w+)([^)]*)\)", lists, re.M):
        folders.append(os.path.join(WORK, name, prefix))
        os.makedirs(folders[-1], exist_ok=True)
        units = [n for n in files if re.search("field_pkg|gf2m", os.path.basename(n))]
        call("verilator", "--cc", "-Wall", "-O3", "--x-assign", "unique", "--x-initial", "unique",
             "--top", top, *flags.split(),
             "--prefix", prefix, "--Mdir", folders[-1], *(units if "gf2m" in top else files))
    include = [*folders, "/usr/share/verilator/include", "/usr/share/verilator/include/vltstd",
               "src", "tests", "include",
               "rtl/sim", os.path.join(release, "rtl/sim/CMakeFiles/tongyu-sim.dir/Vaccel.dir")]
    tests = re.search(rf"add_executable\(test-rtl-{name} ([^)]*)\)", lists)[1].split()
    objects = []
    for path in [os.path.join(f, n) for f in folders
                 for n in sorted(os.listdir(f)) if n.endswith(".cpp")] + [
                     os.path.join("tests/rtl", n) for n in tests]:
        objects.append(os.path.join(WORK, name, os.path.basename(path) + ".o"))
        call("g++", "-O1", "-std=gnu++17", "-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0",
             "-DVM_TRACE_FST=0",
             *(f"-I{i}" for i in include), "-c", path, "-o", objects[-1])
    program = os.path.join(WORK, name, f"test-rtl-{name}")
    call("g++", "-o", program, *objects, *(os.path.join(release, n) for n in LIBRARIES),
         "-lgtest_main", "-lgtest",
         "-lpthread", "-latomic")
    return program


def run(path, number, limit):
    """True where the tests pass."""
    try:
        return subprocess.run([path, "--gtest_fail_fast", "--gtest_brief=1",
                               f"--gtest_filter=-{UNCHANGED}"], timeout=limit, check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              env={**os.environ, "TY_MUTANT": str(number)}).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def is_killed(seen):
    """seen: the tests that passed, and the one that did not"""
    return bool(seen) and seen[-1].startswith("killed")


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
    everything = sorted(candidates(), key=lambda c: c["key"])
    chosen = random.Random(SEED).sample(everything, min(args.count, len(everything)))
    chosen.sort(key=lambda c: c["key"])
    if args.list:
        print("\n".join(c["key"] for c in chosen))
        print(f"mutants: {len(chosen)} of {len(everything)}")
        return 0
    os.makedirs(WORK, exist_ok=True)
    digest = hashlib.sha256(json.dumps([c["key"] + c["new"] for c in chosen]).encode())
    for folder in ("rtl/src", "tests/rtl"):
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            with open(os.path.join(ROOT, folder, name), "rb") as f:
                digest.update(f.read())
    state = {"digest": digest.hexdigest(), "outcome": {}}
    if os.path.exists(STATE):
        with open(STATE, encoding="utf-8") as f:
            old = json.load(f)
        state = old if old["digest"] == state["digest"] else state
    if any(not is_killed(state["outcome"].get(c["key"], [])) for c in chosen):
        write_sources(chosen)
        for name in TESTS:                 # survivors of one run in the next
            before = [state["outcome"].get(c["key"], []) for c in chosen]
            missing = [n for n, seen in enumerate(before, 1) if name not in seen
                       and not is_killed(seen)]
            if not missing:
                continue
            path, begun = build(name, os.path.abspath(args.release)), time.monotonic()
            if not run(path, 0, 3600):
                raise SystemExit(f"mutants: test-rtl-{name} fails without a change")
            limit = 10 * (time.monotonic() - begun) + 10
            print(f"mutants: test-rtl-{name} passes without a change; {len(missing)} changes",
                  flush=True)
            with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
                for number, passed in zip(missing,
                                          pool.map(lambda n: run(path, n, limit), missing)):
                    seen = state["outcome"].setdefault(chosen[number - 1]["key"], [])
                    seen.append(name if passed else f"killed by {name}")
                    with open(STATE, "w", encoding="utf-8") as f:
                        json.dump(state, f, indent=1)
    alive = [c["key"] for c in chosen if not is_killed(state["outcome"][c["key"]])]
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
