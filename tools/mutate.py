#!/usr/bin/env python3
"""Do the tests notice when the library is wrong? Changes it in one place at a time and runs the
tests that should see it.

    mutate.py --build DIR [--only WORD] [--sample N] [--jobs N] [--minutes N] [--state FILE]
    mutate.py --list        what there is to run
    mutate.py --table FILE  what a state file holds
    mutate.py --check       every change of the list still applies to the sources
    mutate.py --self-test

tools/mutants.toml names the files, the tests that answer for each, and changes written by hand
(wipes, parsers, bounds). Other changes are made by operators, chosen with a fixed seed: in C a
condition, a comparison, a constant, an operator, a dropped statement or wipe; in assembly a carry,
a register, an immediate, a dropped instruction.

For each, the one object is compiled anew with the flags of DIR (a release build whose named test
programs are built) and put before the library where the tests are linked: its symbols are then
taken instead of the archive's. Outcomes: `killed` (a test failed, crashed, or took more than two
minutes or 8 GB), `survived`, `same` (the object is what it was, byte for byte), `broken` (it does
not compile, or not link). Each is appended to the state file at once, so that a run that was killed goes on
where it stopped; a record counts as long as the source and the change are the same.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "tools", "mutants.toml")
LIMIT = 120          # seconds for one test program


# --- changes by operators -----------------------------------------------------------------------

def blanked(text):
    """The text with comments, strings and preprocessor lines blanked, of the same length."""
    def blank(m):
        return re.sub(r"[^\n]", " ", m[0])
    text = re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)
    text = re.sub(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)


def closing(text, at):
    """Where the bracket at text[at] is closed, or -1"""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return -1


PAIRS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
         (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "),
         (r" \+ ", " - "), (r" - ", " + "), (r" & ", " | "), (r" \| ", " & "),
         (r" << ", " >> "), (r" >> ", " << "), (r" \^ ", " | "), (r" \+= ", " -= "),
         (r" \|= ", " = ")]
CALL = r"^([ \t]+)((?:\(void\)!?)?[a-z_][\w>.-]*\([^;{}]*\));"
ASSIGNMENT = r"^([ \t]+)([a-z_][\w\[\].>+ *-]*? [|&^+-]?= [^;{}]*);"
DECLARATION = r"(const|static|uint\w+|size_t|int|unsigned|ty_\w+|return)\b"


def in_c(text):
    """(operator, from, to, replacement) of every change of a C file"""
    code = blanked(text)
    begin = re.search(r"^\w[^;=]*\)\s*\{", code, re.M)     # behind tables and declarations
    start = begin.start() if begin else 0
    for pattern, new in PAIRS:
        for m in re.finditer(pattern, code[start:]):
            kind = "operator" + m[0].rstrip() + " to" + new.rstrip()
            yield kind, start + m.start(), start + m.end(), new
    for m in re.finditer(r"\bif \(", code[start:]):
        at = start + m.end() - 1
        end = closing(code, at)
        if end > 0:
            yield "condition never", at, end + 1, "(0 && " + text[at:end + 1] + ")"
            yield "condition always", at, end + 1, "(1 || " + text[at:end + 1] + ")"
    for m in re.finditer(CALL, code[start:], re.M):
        wipe = "wipe" in m[2].split("(")[0] or "forget" in m[2].split("(")[0]
        yield "wipe dropped" if wipe else "call dropped", start + m.start(2), start + m.end(2), ""
    for m in re.finditer(ASSIGNMENT, code[start:], re.M):
        if not re.match(DECLARATION, m[2]):
            yield "assignment dropped", start + m.start(2), start + m.end(2), ""
    for m in re.finditer(r"(?<![\w.])(\d+)u?(?![\w.\]])", code[start:]):
        yield "constant", start + m.start(1), start + m.end(1), str(int(m[1]) + 1)


SWAPS = [("adc", "add"), ("sbb", "sub"), ("adcx", "adox"), ("adox", "adcx"), ("add", "sub"),
         ("sub", "add"), ("xor", "or"), ("vpaddd", "vpsubd"), ("vpaddq", "vpsubq"),
         ("vpxor", "vpor"), ("vpxord", "vpord"), ("vpand", "vpor"), ("shl", "shr"), ("shr", "shl"),
         ("rol", "ror"), ("vpunpckldq", "vpunpckhdq")]


def in_assembly(text):
    """The same of assembly: instructions are the indented lines."""
    code = re.sub(r"//[^\n]*", lambda m: " " * len(m[0]), blanked(text))
    for m in re.finditer(r"^[ \t]+([a-z]\w+)[ \t]+([^\n]*%[^\n]*|[^\n]*\\[^\n]*)$", code, re.M):
        name = m[1]
        if re.match(r"(push|pop|lea|ret|j\w+|call|endbr64|cmp|test)", name):
            continue
        for old, new in SWAPS:
            if name in (old, old + "q", old + "l"):
                yield f"{old} to {new}", m.start(1), m.end(1), new + name[len(old):]
        yield "instruction dropped", m.start(1), m.end(2), ""
        for r in re.finditer(r"%(r(?:8|9|1[0-5])|[xyz]mm\d+)\b", m[2]):
            n = int(re.search(r"\d+$", r[1])[0])
            other = r[1][:-len(str(n))] + str(n + 1 if n < 15 else n - 1)
            yield "register", m.start(2) + r.start(1), m.start(2) + r.end(1), other
        i = re.search(r"\$(\d+|0x[0-9a-f]+)", m[2])
        if i:
            yield "immediate", m.start(2) + i.start(1), m.start(2) + i.end(1), str(int(i[1], 0) + 1)


# --- the list -----------------------------------------------------------------------------------

class Mutant:
    def __init__(self, path, kind, old, new, at, tests):
        self.path, self.kind, self.old, self.new = path, kind, old, new
        self.at, self.tests = at, tests

    def text(self):
        whole = open(os.path.join(ROOT, self.path)).read()
        return whole[:self.at] + self.new + whole[self.at + len(self.old):]

    def key(self):
        whole = open(os.path.join(ROOT, self.path)).read()
        facts = [self.path, whole, str(self.at), self.new, " ".join(self.tests)]
        return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:20]

    def name(self):
        line = open(os.path.join(ROOT, self.path)).read()[:self.at].count("\n") + 1
        return f"{self.path}:{line} {self.kind}"


def by_operators(path, count, tests, seed):
    text = open(os.path.join(ROOT, path)).read()
    all_ = list((in_assembly if path.endswith(".S") else in_c)(text))
    kinds = {}
    for c in all_:
        kinds.setdefault(c[0].split()[0], []).append(c)
    rng = random.Random(f"{seed} {path}")
    for of_kind in kinds.values():
        rng.shuffle(of_kind)
    chosen = []                       # a kind at a time, so that the rare ones are there
    while len(chosen) < count and any(kinds.values()):
        for kind in sorted(kinds):
            if kinds[kind] and len(chosen) < count:
                chosen.append(kinds[kind].pop())
    return [Mutant(path, kind, text[a:b], new, a, tests) for kind, a, b, new in chosen]


def load(path=LIST):
    data, found, wrong = tomllib.load(open(path, "rb")), [], []
    for f in data["files"]:
        got = by_operators(f["path"], f["count"], f["tests"], data["seed"])
        if len(got) < f["count"]:
            wrong.append(f"{f['path']}: {len(got)} changes of {f['count']}")
        found += got
    for m in data.get("mutants", []):
        text = open(os.path.join(ROOT, m["path"])).read()
        if text.count(m["old"]) != 1:
            wrong.append(f"{m['path']}: {text.count(m['old'])} places for {m['old']!r}: "
                         "adapt tools/mutants.toml")
            continue
        found.append(Mutant(m["path"], "by hand: " + m["what"], m["old"], m["new"],
                            text.index(m["old"]), m["tests"]))
    return found, wrong


# --- one run ------------------------------------------------------------------------------------

def commands(build, target):
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", target], capture_output=True,
                          text=True, check=True)
    return [line for line in done.stdout.splitlines() if line.strip()]


def passes(program, filter_, folder, limit):
    words = ["sh", "-c", "ulimit -v 8000000; exec \"$@\"", "sh", program]
    words += [f"--gtest_filter={filter_}"] if filter_ else []
    try:
        return subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=limit).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Runner:
    def __init__(self, build, limit=LIMIT):
        self.build, self.limit, self.links, self.compiles = os.path.abspath(build), limit, {}, {}
        for entry in json.load(open(os.path.join(self.build, "compile_commands.json"))):
            path = os.path.relpath(os.path.join(entry["directory"], entry["file"]), ROOT)
            if "tongyu-objects" in entry["command"] or "tongyu-objects" in entry.get("output", ""):
                self.compiles[path] = entry["command"]

    def compiled(self, path, source, folder, name):
        words = shlex.split(self.compiles[path])
        while os.path.basename(words[0]) == "ccache":
            words = words[1:]
        out = os.path.join(folder, name)
        words[words.index("-o") + 1] = out
        words[words.index("-c") + 1] = source
        words += ["-w", f"-I{os.path.dirname(os.path.join(ROOT, path))}"]
        done = subprocess.run(words, cwd=self.build, capture_output=True, text=True)
        return out if done.returncode == 0 else None

    def linked(self, test, obj, folder):
        if test not in self.links:
            self.links[test] = commands(self.build, "test-" + test)[-1]
        words = shlex.split(self.links[test].removeprefix(": && ").removesuffix(" && :"))
        out = os.path.join(folder, test)
        words[words.index("-o") + 1] = out
        library = next(i for i, w in enumerate(words) if w.endswith("libtongyu.a"))
        words.insert(library, obj)
        done = subprocess.run(words, cwd=self.build, capture_output=True, text=True)
        return out if done.returncode == 0 else None

    def killed_by(self, mutant, before, obj, folder):
        """The test; "" if none does; None if no program can be made of the object"""
        for test in mutant.tests:
            name, _, filter_ = test.partition(" ")
            program = self.linked(name, obj, folder)
            if not program:
                if not self.linked(name, before, folder):
                    raise RuntimeError(f"{name} does not link as it is")
                return None
            if not passes(program, filter_, self.build, self.limit):
                return test
        return ""

    def run(self, mutant):
        with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
            # one name for both, which objects may hold
            source = os.path.join(folder, os.path.basename(mutant.path))
            shutil.copy(os.path.join(ROOT, mutant.path), source)
            before = self.compiled(mutant.path, source, folder, "before.o")
            if not before:
                raise RuntimeError(f"{mutant.path} does not compile as it is")
            open(source, "w").write(mutant.text())
            obj = self.compiled(mutant.path, source, folder, "mutant.o")
            if not obj:
                return "broken", ""
            if open(obj, "rb").read() == open(before, "rb").read():
                return "same", ""
            by = self.killed_by(mutant, before, obj, folder)
            if by is None:
                return "broken", ""
            return ("killed", by) if by else ("survived", "")


def read_state(path):
    if not path or not os.path.exists(path):
        return {}
    rows = {}
    for line in open(path):
        try:
            row = json.loads(line)
            rows[row["key"]] = row
        except ValueError:
            pass                        # a line that was cut off
    return rows


def run_all(mutants, args):
    done, end, runner = read_state(args.state), time.time() + 60 * args.minutes, Runner(args.build)
    for test in sorted({t for m in mutants for t in m.tests}):   # what fails as it is says nothing
        name, _, filter_ = test.partition(" ")
        program = os.path.join(runner.build, "bin", "test-" + name)
        if not passes(program, filter_, runner.build, runner.limit):
            sys.exit(f"mutate.py: {test} fails or is not built: `make test` first")

    def one(mutant):
        if mutant.key() in done or time.time() > end:
            return
        outcome, by = runner.run(mutant)
        row = {"key": mutant.key(), "name": mutant.name(), "outcome": outcome, "by": by,
               "old": mutant.old, "new": mutant.new}
        with open(args.state, "a") as f:
            f.write(json.dumps(row) + "\n")
        done[mutant.key()] = row
        print(f"{outcome:9}{row['name']}{'  ' + by if by else ''}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, mutants))
    return [done[m.key()] for m in mutants if m.key() in done]


def summary(mutants, rows):
    by = {}
    for row in rows:
        area = "/".join(row["name"].split("/")[:2])
        by.setdefault(area, {}).setdefault(row["outcome"], 0)
        by[area][row["outcome"]] += 1
    print("| part | killed | survived | the same object | does not compile |")
    print("|---|---|---|---|---|")
    for area in sorted(by):
        counts = [str(by[area].get(o, 0)) for o in ("killed", "survived", "same", "broken")]
        print(f"| `{area}` | {' | '.join(counts)} |")
    killed = sum(r["outcome"] == "killed" for r in rows)
    lived = [r for r in rows if r["outcome"] == "survived"]
    print(f"\n{len(rows)} of {len(mutants)} were run; "
          f"{killed} of {killed + len(lived)} that count were killed")
    for r in lived:
        print(f"survived: {r['name']}: {r['old'].strip()!r} -> {r['new'].strip()!r}")
    return not rows


def self_test():
    c = ("/* a < b */\nstatic int f(int x)\n{\n    if (x < 3) return 1;\n    ty_wipe(&x, 4);\n"
         "    x |= 1;\n    return 0;\n}\n")
    kinds = {k for k, *_ in in_c(c)}
    want = {"operator < to <=", "condition never", "condition always", "wipe dropped",
            "assignment dropped", "constant"}
    wrong = [f"no {k}" for k in want - kinds]
    wrong += [f"{k} in a comment" for k, a, *_ in in_c(c) if a < 12]
    s = "        adcx    %r8, %r9   // adc\n        ret\n"
    kinds = {k for k, *_ in in_assembly(s)}
    wrong += [f"no {k}" for k in {"adcx to adox", "instruction dropped", "register"} - kinds]
    twice = [[m.key() for m in by_operators("src/mldsa/hint.c", 5, [], 1)] for _ in range(2)]
    if twice[0] != twice[1]:
        wrong.append("a choice by chance")
    print("\n".join(wrong) or "operators as they should be")
    return bool(wrong)


def main():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build")
    p.add_argument("--only", default="")
    p.add_argument("--sample", type=int, default=0)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--minutes", type=float, default=120)
    p.add_argument("--state", default="mutants.jsonl")
    p.add_argument("--table")
    for flag in ("--list", "--check", "--self-test"):
        p.add_argument(flag, action="store_true")
    args = p.parse_args()
    if args.self_test:
        return self_test()
    mutants, wrong = load()
    if args.check or wrong:
        print("\n".join(wrong) or f"{len(mutants)} changes apply")
        return bool(wrong)
    mutants = [m for m in mutants if args.only in m.name()]
    if args.sample:
        mutants = random.Random(1).sample(mutants, min(args.sample, len(mutants)))
    if args.list:
        print("\n".join(m.name() for m in mutants))
        return not mutants
    if args.table:
        rows = read_state(args.table)
        return summary(mutants, [rows[m.key()] for m in mutants if m.key() in rows])
    if not args.build:
        p.error("one of --build, --list, --table, --check and --self-test; or make mutate")
    return summary(mutants, run_all(mutants, args))


if __name__ == "__main__":
    sys.exit(main())
