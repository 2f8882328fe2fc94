#!/usr/bin/env python3
"""Mutation testing: changes the library in one place at a time and runs the tests that should
detect the change.

    mutate.py --build DIR [--vectors DIR] [--only WORD] [--sample N] [--jobs N] [--minutes N]
              [--state FILE]
    mutate.py --list        list all changes
    mutate.py --table FILE  print the results in a state file
    mutate.py --check       fail if a change of the list no longer applies to the sources
    mutate.py --self-test

tools/mutants.toml names the files, the tests that cover each, and changes written by hand (wipes,
parsers, bounds). The other changes are made by operators (tools/mutations.py), of which the same
sample is taken every time.

For each change, one object is compiled anew with the flags of DIR (a release build whose named test
programs are built) and put before the library where the tests are linked: its symbols are then
taken instead of the archive's. A header is changed for one unit alone, which the list names. The
file's tests (`wipes` if a wipe is dropped, else `tests`) run before the others, in each group the
quickest first, and none after one has failed. Outcomes: `killed` (a test failed, crashed, or took
more than eight times its usual time or 8 GB), `survived`, `same` (the object is byte for byte that
of the unchanged file), `broken` (it does not compile or link).

Each outcome is appended to the state file at once, so that a run that was killed continues where it
stopped; a record is valid as long as the file and the change are the same, that of a survivor as
long as its test programs are the same, too. Vector files are hidden from the tests, unless
--vectors gives their folder: then mutants that survived without them run again.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import shlex
import signal
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import mutations

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "tools", "mutants.toml")
WALL = 600           # seconds by the clock: in a deadlock a program takes no processor time
LEAST = 5            # seconds of processor time that every program is given


def source(path):
    return open(os.path.join(ROOT, path)).read()


# --- the list -----------------------------------------------------------------------------------

class Mutant:
    def __init__(self, entry, more, kind, old, new, at):
        self.path, self.kind, self.old, self.new, self.at = entry["path"], kind, old, new, at
        self.unit = entry.get("unit", self.path)
        wipes = entry.get("wipes", []) if kind == "wipe dropped" else []
        self.tests = wipes + entry["tests"]
        for prefix, tests in more.items():       # these run if the others pass
            if self.path.startswith(prefix):
                self.tests += [t for t in tests if t not in self.tests]
        self.first = len(wipes) or len(entry["tests"])
        self.why = None                          # why no test can detect it

    def text(self):
        whole = source(self.path)
        return whole[:self.at] + self.new + whole[self.at + len(self.old):]

    def lines(self):
        """The line of the change, before and after"""
        return (mutations.line_at(source(self.path), self.at),
                mutations.line_at(self.text(), self.at))

    def key(self):
        facts = [self.path, source(self.path), str(self.at), self.new, self.unit]
        return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:20]

    def name(self):
        line = source(self.path)[:self.at].count("\n") + 1
        return f"{self.path}:{line} {self.kind}"


def load(path=LIST):
    """All mutants of the list, and messages about its errors"""
    data, found, wrong = tomllib.load(open(path, "rb")), [], []
    for f in data["files"]:
        text = source(f["path"])
        got = mutations.chosen(f["path"], text, f["count"], data["seed"])
        if len(got) < f["count"]:
            wrong.append(f"{f['path']}: {len(got)} changes of {f['count']}")
        found += [Mutant(f, data["more"], kind, text[a:b], new, a) for kind, a, b, new in got]
    for m in data.get("mutants", []):
        text = source(m["path"])
        if text.count(m["old"]) != 1:
            wrong.append(f"{m['path']}: {text.count(m['old'])} places for {m['old']!r}: "
                         "adapt tools/mutants.toml")
            continue
        kind = "by hand: " + m["what"]
        found.append(Mutant(m, data["more"], kind, m["old"], m["new"], text.index(m["old"])))
    reasons = {(e["path"], e["old"], e["new"]): e["why"] for e in data.get("equivalent", [])}
    for m in found:
        m.why = reasons.get((m.path, *m.lines()))
    wrong += [f"{path}: {old!r} is not there: adapt or remove its reason in tools/mutants.toml"
              for path, old, _ in reasons if old not in source(path)]
    return found, wrong


# --- one run ------------------------------------------------------------------------------------

class Spent:
    """Processor seconds of all programs that were started"""
    lock, seconds = threading.Lock(), 0.0


def run(words, folder, seconds=600, environment=None):
    """(the status, processor seconds) of a program that gets 8 GB and these processor seconds"""
    limits = f"ulimit -c 0; ulimit -v 8000000; ulimit -t {int(seconds + 1)}; exec \"$@\""
    process = subprocess.Popen(["sh", "-c", limits, "sh", *words], cwd=folder, env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    timer = threading.Timer(WALL, os.killpg, (process.pid, signal.SIGKILL))
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    spent = usage.ru_utime + usage.ru_stime
    with Spent.lock:
        Spent.seconds += spent
    return process.returncode, spent


class Test:
    """One of the list's names: "mp-mp", "mldsa-mldsa Mldsa.Sign*", "cli-seal" """

    def __init__(self, name, build, environment):
        self.name, self.build, self.environment, self.seconds = name, build, environment, None
        self.target, _, self.filter = name.partition(" ")
        self.lock, self.script = threading.Lock(), None
        if self.target.startswith("cli-"):
            self.script = os.path.join(ROOT, "tests/cli", f"test_{self.target[4:]}.py")
            self.target = "tongyu-cli"
        if not os.path.exists(self.program()):
            sys.exit(f"mutate.py: {self.program()} is not built: `make test` first")
        content = open(self.program(), "rb").read()
        self.key = f"{name} {hashlib.sha256(content).hexdigest()}"

    def output(self):
        return "tongyu" if self.script else "test-" + self.target

    def program(self):
        return os.path.join(self.build, "bin", self.output())

    def passes(self, program):
        if self.script:
            words, environment = [sys.executable, "-B", self.script, "-f"], dict(self.environment)
            environment.update(TONGYU=program, TONGYU_SOURCE=ROOT)
        else:
            words, environment = [program, "--gtest_brief=1", "--gtest_fail_fast"], self.environment
            words += [f"--gtest_filter={self.filter}"] if self.filter else []
        limit = max(LEAST, 8 * self.seconds)
        status, self.last = run(words, self.build, limit, environment)
        return status == 0

    def measure(self, times):
        """Sets its time with the unchanged library; `times` has those of earlier runs."""
        with self.lock:
            if self.seconds is None:
                if self.key not in times:
                    times[self.key] = 60
                    self.seconds = 60
                    if not self.passes(self.program()):
                        raise RuntimeError(f"{self.name} fails unchanged: `make test` first")
                    times[self.key] = self.last
                self.seconds = times[self.key]


class Runner:
    def __init__(self, mutants, build, vectors, times):
        self.build, self.links, self.compiles, self.before = os.path.abspath(build), {}, {}, {}
        self.lock, self.times = threading.Lock(), times
        hidden = os.path.join(self.build, "no-vectors")
        self.environment = dict(os.environ, TONGYU_VECTORS=os.path.abspath(vectors or hidden))
        for entry in json.load(open(os.path.join(self.build, "compile_commands.json"))):
            path = os.path.join(entry["directory"], entry["file"])
            words = shlex.split(entry["command"])
            while os.path.basename(words[0]) == "ccache":
                words = words[1:]
            if "tongyu-objects" in entry["command"]:
                self.compiles[os.path.relpath(path, ROOT)] = words
            elif "/Unity/" in path and "tongyu-cli" in path:      # several files of the command
                for line in open(path):
                    if line.startswith("#include"):
                        self.compiles[os.path.relpath(line.split('"')[1], ROOT)] = words
        names = sorted({t for m in mutants for t in m.tests})
        self.tests = {n: Test(n, self.build, self.environment) for n in names}

    def programs(self, mutant):
        """A hash of the test programs that a survivor survived"""
        facts = sorted(self.tests[n].key for n in mutant.tests)
        return hashlib.sha256("\0".join(facts).encode()).hexdigest()[:20]

    def compiled(self, unit, folder, changed, text):
        """The object of a unit in which one file has this text, or None"""
        words = list(self.compiles[unit])
        out, at = os.path.join(folder, "unit.o"), words.index("-c") + 1
        file = os.path.join(folder, changed.removeprefix("src/"))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        open(file, "w").write(text)
        if "/Unity/" in words[at]:                    # several files, of which one is changed
            listed = open(words[at]).read().replace(os.path.join(ROOT, changed), file)
            words[at] = os.path.join(folder, os.path.basename(words[at]))
            open(words[at], "w").write(listed)
        elif unit == changed:
            words[at] = file
        words[words.index("-o") + 1] = out
        here = os.path.dirname(os.path.join(ROOT, changed))
        words[1:1] = ["-w", f"-ffile-prefix-map={folder}=.", f"-I{folder}", f"-I{here}"]
        return out if run(words, self.build)[0] == 0 else None

    def same(self, mutant, obj, folder):
        """Whether the object is the one of the unchanged file"""
        digest = hashlib.sha256(open(obj, "rb").read()).hexdigest()
        place = (mutant.unit, mutant.path)
        with self.lock:
            known = self.before.get(place)
        if not known:
            kept = obj + ".mutant"
            os.rename(obj, kept)
            plain = self.compiled(mutant.unit, folder, mutant.path, source(mutant.path))
            if not plain:
                raise RuntimeError(f"{mutant.path} does not compile unchanged")
            known = hashlib.sha256(open(plain, "rb").read()).hexdigest()
            os.rename(kept, obj)
            with self.lock:
                self.before[place] = known
        return digest == known

    def link_words(self, test):
        with self.lock:
            if test.target not in self.links:
                name = "tongyu-cli" if test.script else "test-" + test.target
                done = subprocess.run(["ninja", "-C", self.build, "-t", "commands", name],
                                      capture_output=True, text=True, check=True)
                lines = [k for k in done.stdout.splitlines() if f" -o bin/{test.output()} " in k]
                self.links[test.target] = lines[-1].removeprefix(": && ").split(" && ")[0]
            return shlex.split(self.links[test.target])

    def linked(self, test, mutant, obj, folder):
        words, out = self.link_words(test), os.path.join(folder, test.output())
        words[words.index("-o") + 1] = out
        compile_ = self.compiles[mutant.unit]
        own = compile_[compile_.index("-o") + 1]
        if own in words:
            words[words.index(own)] = obj
        else:
            words.insert(next(i for i, w in enumerate(words) if w.endswith("libtongyu.a")), obj)
        return out if run(words, self.build)[0] == 0 else None

    def in_order(self, mutant):
        """Its own tests before the others, in each group the quickest first; they are measured when
        they are needed"""
        own = [self.tests[n] for n in mutant.tests[:mutant.first]]
        others = [self.tests[n] for n in mutant.tests[mutant.first:]]
        for tests in (own, others):
            for t in tests:
                t.measure(self.times)
            yield from sorted(tests, key=lambda t: t.seconds)

    def run(self, mutant):
        """(outcome, name of the test that failed)"""
        folder = tempfile.mkdtemp(prefix="mutate-")
        try:
            obj = self.compiled(mutant.unit, folder, mutant.path, mutant.text())
            if not obj:
                return "broken", ""
            if self.same(mutant, obj, folder):
                return "same", ""
            for test in self.in_order(mutant):
                program = self.linked(test, mutant, obj, folder)
                if not program:
                    return "broken", ""
                if not test.passes(program):
                    return "killed", test.name
                os.remove(program)
            return "survived", ""
        finally:
            shutil.rmtree(folder)


# --- all of them --------------------------------------------------------------------------------

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


def known(mutant, row, runner, vectors):
    """Whether a record is what this run would find"""
    if not row or (row["outcome"] == "killed" and row["by"] not in mutant.tests):
        return False
    if row["outcome"] != "survived":
        return vectors or not row["vectors"]
    return row["vectors"] == vectors and row["programs"] == runner.programs(mutant)


def run_all(mutants, args):
    done, end = read_state(args.state), time.time() + 60 * args.minutes
    times = args.state + ".times"
    vectors = bool(args.vectors)
    runner = Runner(mutants, args.build, args.vectors,
                    json.load(open(times)) if os.path.exists(times) else {})

    def one(mutant):
        key = mutant.key()
        if known(mutant, done.get(key), runner, vectors) or time.time() > end:
            return
        begin = time.time()
        outcome, by = runner.run(mutant)
        row = {"key": key, "name": mutant.name(), "outcome": outcome, "by": by, "old": mutant.old,
               "new": mutant.new, "vectors": vectors, "seconds": round(time.time() - begin, 1),
               "programs": runner.programs(mutant)}
        with open(args.state, "a") as f:
            f.write(json.dumps(row) + "\n")
        done[key] = row
        print(f"{outcome:9}{row['name']}{'  ' + by if by else ''}", flush=True)

    before = len(done)
    mutants = sorted(mutants, key=lambda m: m.key() in done)     # survivors of old tests at the end
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for future in [pool.submit(one, m) for m in mutants]:
            future.result()
    json.dump(runner.times, open(times, "w"), indent=0)
    print(f"{len(done) - before} new, {Spent.seconds:.0f} s of processor time")
    return [(m, done[m.key()]) for m in mutants if m.key() in done]


def tier_of(mutant):
    """The level that a unit's name ends with"""
    levels = ("c", "c64", "adx", "x86", "aesni", "avx2", "vaes", "gfni", "avx512", "gfni512",
              "clmul512")
    name = os.path.splitext(os.path.basename(mutant.unit))[0]
    last = name.removesuffix("_1").split("_")[-1]
    return last if "_" in name and last in levels else "every"


def table(pairs, title, of):
    outcomes = ("killed", "survived", "equivalent", "same", "broken")
    rows = {}
    for m, row in pairs:
        outcome = "equivalent" if row["outcome"] == "survived" and m.why else row["outcome"]
        rows.setdefault(of(m), dict.fromkeys(outcomes, 0))[outcome] += 1
    print(f"| {title} | killed | survived | equivalent | the same object | does not compile |")
    print("|---|---|---|---|---|---|")
    for name in sorted(rows):
        print(f"| `{name}` | {' | '.join(str(rows[name][o]) for o in outcomes)} |")
    print()


def summary(mutants, pairs):
    table(pairs, "part", lambda m: "/".join(m.path.split("/")[:2]))
    table(pairs, "tier", tier_of)
    killed = sum(row["outcome"] == "killed" for _, row in pairs)
    lived = [(m, row) for m, row in pairs if row["outcome"] == "survived" and not m.why]
    equal = sum(row["outcome"] == "survived" and bool(m.why) for m, row in pairs)
    print(f"{len(pairs)} of {len(mutants)} were run; {killed} of {killed + len(lived)} that tests "
          f"can detect were killed: {100 * killed / max(1, killed + len(lived)):.1f} %; "
          f"{equal} more are equivalent")
    for m, row in lived:
        print(f"survived: {m.name()}: {' -> '.join(map(repr, m.lines()))}")
    return not pairs


def arguments():
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build")
    p.add_argument("--vectors")
    p.add_argument("--only", default="")
    p.add_argument("--sample", type=int, default=0)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--minutes", type=float, default=120)
    p.add_argument("--state", default="mutants.jsonl")
    p.add_argument("--table")
    for flag in ("--list", "--check", "--self-test"):
        p.add_argument(flag, action="store_true")
    return p, p.parse_args()


def main():
    p, args = arguments()
    if args.self_test:
        wrong = mutations.self_test()
        print("\n".join(wrong) or "all operators make the expected changes")
        return bool(wrong)
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
        return summary(mutants, [(m, rows[m.key()]) for m in mutants if m.key() in rows])
    if not args.build:
        p.error("--build, --list, --table, --check or --self-test is needed; or run make mutate")
    return summary(mutants, run_all(mutants, args))


if __name__ == "__main__":
    sys.exit(main())
