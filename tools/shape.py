#!/usr/bin/env python3
"""The structure of src/ in figures that measure how hard it is to read.

    shape.py [ROOT...]     print a column for each tree (default: this one), to compare for instance
                           the trees before and after a change
    shape.py --check       check the rules: only data in .inc files, no computed include, no
                           template that includes a template, no template with more than 8 listed
                           parameters, no file name twice, no include cycle; the walks of
                           docs/architecture.md agree with the code and have at most 8 files; and no
                           text file of the repository has a line of more than 100 columns, or a
                           conflict marker
    shape.py --sample N    print the names of N text files written by hand, in an order given by the
                           hash of the current commit, to be reviewed by a reader new to them
    shape.py --self-test   prove that each of these checks can fail

Longer lines are allowed in files that say at their beginning that they are generated, in pictures
(.svg), licences, the schedule that a solver writes (.sched), rows of tables in Markdown, rows of
numbers in cards, and where a single word, such as an address, is too long with its indentation.

A file is generated if its first line says so. A text inclusion is an #include of a file without an
include guard, other than the two that begin and end a level, which are in every tier. A template is
such a file that is not data; its parameters are the names that its first comment lists, one per
line, indented by three spaces or more.
"""
import hashlib
import os
import re
import subprocess
import sys
import tempfile

LEVEL = ("base/level_begin.h", "base/level_end.h")
WALK = 8   # files from a public call to the innermost kernel, besides src/base
SOURCES = (".c", ".h", ".inc", ".S")
COLUMNS = 100
FREE = (".svg", ".sched")   # lines of any length
GENERATED = r"(Generated|Written|Made) by (tools|rtl|app)/"
READ = ("src", "include", "app", "tests", "tools", "docs", "fw", "rtl", "compat", "bench")
DATA = FREE + (".json", ".card", ".pem", ".key", ".sum", ".lock", "requirements.txt")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def repository(root):
    """(name, text) of the files that git tracks; without git, of all but hidden ones and build/"""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    names = [os.fsdecode(n) for n in listed.stdout.split(b"\0") if n]
    if not names:
        for where, folders, files in os.walk(root):
            folders[:] = [f for f in folders if f[0] != "." and f != "build"]
            names += [os.path.relpath(os.path.join(where, f), root) for f in files]
    for name in sorted(names):
        path = os.path.join(root, name)
        if os.path.isfile(path) and not os.path.islink(path):
            with open(path, "rb") as f:
                data = f.read()
            try:
                yield name, data.decode()
            except UnicodeDecodeError:
                pass


def long_lines(name, text):
    """(number, columns) of each line that could be broken"""
    if (name.endswith(FREE) or name.startswith("LICENSE") or "\0" in text
            or generated(text)):
        return
    for number, line in enumerate(text.split("\n"), 1):
        table = (name.endswith(".md") and line.lstrip().startswith("|")
                 or name.endswith(".card") and not line.startswith("#"))
        if len(line) > COLUMNS and not table:
            indent = len(line) - len(line.lstrip())
            if indent + max(map(len, line.split())) <= COLUMNS:
                yield number, len(line)


def conflict_markers(name, text):
    """The number of each line with a conflict marker; in Markdown seven = underline a heading."""
    markers = r"(<{7}|>{7}|\|{7})(\s|$)" + ("" if name.endswith(".md") else "|={7}\r?$")
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(markers, line):
            yield number


def generated(text):
    return re.search(GENERATED, "\n".join(text.split("\n", 5)[:5])) is not None


def sample(root, commit, count):
    """The names of the first files in the order of SHA-256(hash of the commit, name)"""
    names = [name for name, text in repository(root)
             if name.split("/")[0] in READ and not name.endswith(DATA) and text.strip()
             and "\0" not in text and not generated(text)]
    names.sort(key=lambda name: hashlib.sha256(f"{commit} {name}".encode()).digest())
    return names[:count]


def code(text):
    """The text without comments"""
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


class Tree:
    def __init__(self, root):
        self.files = {}
        for where, _, names in os.walk(os.path.join(root, "src")):
            for name in names:
                if name.endswith(SOURCES):
                    path = os.path.join(where, name)
                    self.files[os.path.relpath(path, os.path.join(root, "src"))] = read(path)
        self.code = {name: code(text) for name, text in self.files.items()}
        self.generated = {name for name, text in self.files.items()
                          if re.match(r"(/\*|//) (Generated|Written|Made) by tools/", text)}
        self.hand = set(self.files) - self.generated
        self.root = root
        page = os.path.join(root, "docs", "architecture.md")
        self.page = read(page) if os.path.exists(page) else ""

    def guarded(self, name):
        return re.search(r"^#ifndef (\w+)\n#\s*define \1\b", self.code[name], re.M) is not None

    def includes(self, name):
        return re.findall(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', self.code[name], re.M)

    def text_inclusions(self, name):
        return [i for i in self.includes(name) if i in self.files and i not in LEVEL
                and not self.guarded(i)]

    def transitive(self, name):
        """The number of text inclusions in a unit, direct and indirect: those in guarded headers
        once, the others each time."""
        seen, count = set(), 0

        def walk(file):
            nonlocal count
            for i in self.includes(file):
                if i not in self.files or i in LEVEL:
                    continue
                if self.guarded(i):
                    if i in seen:
                        continue
                    seen.add(i)
                else:
                    count += 1
                walk(i)
        walk(name)
        return count

    def cycles(self):
        """Include cycles, each as the list of its files"""
        done = set()

        def walk(name, path):
            if name in path:
                yield path[path.index(name):] + [name]
            elif name not in done:
                for i in self.includes(name):
                    if i in self.files:
                        yield from walk(i, path + [name])
                done.add(name)
        for name in sorted(self.files):
            yield from walk(name, [])

    def walks(self):
        """(title, [(file, names in backticks)]) of the page"""
        for m in re.finditer(r"^\*\*Walk: (.*?)\*\*\n\n((?:\|.*\n)+)", self.page, re.M):
            yield m[1], [(file, re.findall(r"`(?:\w+->)?([A-Za-z_]\w*)", text))
                         for file, text in re.findall(r"^\| `src/(\S+)` \|(.*)\|$", m[2], re.M)]

    def walk_faults(self):
        def has(text, name):
            """Whether the name occurs, alone or between underscores, or in V_NAME()"""
            plain = re.sub(r"_v(128|256|512)$", "", name)
            return re.search(rf"(?<![a-zA-Z0-9])({name}|V_NAME\({plain}\))(?![a-zA-Z0-9])", text)

        for title, rows in self.walks():
            if not 2 <= len(rows) <= WALK:
                yield f"walk of {title}: {len(rows)} files, but the maximum is {WALK}"
            before = ""
            for file, names in rows:
                if file not in self.files:
                    yield f"walk of {title}: there is no {file}"
                    continue
                for name in names:
                    if not has(self.code[file], name):
                        yield f"walk of {title}: {file} has no {name}"
                # an earlier file may call it with or without its level
                called = names + [re.sub(r"^ty_(\w+)_\w+?$", r"\1", name) for name in names]
                if before and file not in before and not any(has(before, name) for name in called):
                    yield f"walk of {title}: no earlier file includes or calls {file}"
                before += self.code[file]

    def is_template(self, name):
        return (name.endswith((".h", ".inc")) and name not in LEVEL and name in self.hand
                and not self.guarded(name) and re.search(r"[;{]", self.code[name]) is not None)

    def parameters(self, name):
        """The number of names in the first comment, one on a line"""
        comment = re.match(r"/\*(.*?)\*/", self.files[name], re.S)
        return len(re.findall(r"^ \* {3,}[A-Z]\w*(?:[ ,(]|$)", comment[1], re.M)) if comment else 0

    def functions(self):
        """(lines, name) of functions written by hand in C, whose brace is in the first column"""
        for name in self.hand:
            if name.endswith(".S"):
                continue
            for m in re.finditer(r"^([^\n#/ ][^\n]*\n(?:[ \t][^\n]*\n)*)\{\n(.*?)^\}$",
                                 self.files[name], re.M | re.S):
                called = re.search(r"(\w+(?:\(\w+\))?)\(", m[1])
                if called:
                    yield m[2].count("\n"), f"{called[1]} in {name}"

    def figures(self):
        lines = {name: self.files[name].count("\n") for name in self.files}
        hand = sum(lines[n] for n in self.hand)
        data = {n for n in self.generated if not n.endswith(".c")
                or re.search(r"\{\s*[-{.0-9]", self.code[n])}
        macros = sum(len(re.findall(r"^[ \t]*#[ \t]*define\b", self.code[n], re.M))
                     for n in self.hand)
        longest = max(self.functions(), default=(0, "-"))
        file = max(((lines[n], n) for n in self.hand), default=(0, "-"))
        most = max(((self.transitive(n), n) for n in self.files if n.endswith(".c")),
                   default=(0, "-"))
        inc = [n for n in self.files if n.endswith(".inc")]
        return [(".inc files", len(inc)),
                ("  of them written by hand", sum(n in self.hand for n in inc)),
                ("text inclusions", sum(len(self.text_inclusions(n)) for n in self.files)),
                ("  in one .c file, at most", f"{most[0]} ({most[1]})"),
                ("include cycles", sum(1 for _ in self.cycles())),
                ("files of the longest walk",
                 max((len(rows) for _, rows in self.walks()), default=0)),
                ("macros per 1,000 lines", f"{1000 * macros / max(hand, 1):.1f}"),
                ("lines without generated tables", sum(lines[n] for n in set(self.files) - data)),
                ("  written by hand", hand),
                (f"lines of more than {COLUMNS} columns",
                 sum(1 for file in repository(self.root) for _ in long_lines(*file))),
                ("longest file", f"{file[0]} ({file[1]})"),
                ("longest function", f"{longest[0]} ({longest[1]})")]

    def faults(self):
        yield from self.walk_faults()
        for name, text in repository(self.root):
            for number, columns in long_lines(name, text):
                yield f"{name}:{number}: {columns} columns, but the maximum is {COLUMNS}"
            for number in conflict_markers(name, text):
                yield f"{name}:{number}: a conflict marker"
        for cycle in self.cycles():
            yield f"{cycle[0]}: an include cycle, {', '.join(cycle[1:])}"
        folders = {}
        for name in sorted(self.files):
            folders.setdefault(os.path.basename(name), []).append(os.path.dirname(name))
        for base, where in folders.items():
            if len(where) > 1:
                yield f"{base}: the name of a file in {' and in '.join(where)}"
        for name in sorted(self.files):
            if name.endswith(".inc") and name in self.hand and re.search("[;{#]", self.code[name]):
                yield f"{name}: hand-written code belongs in a .h file; .inc is for data"
            for line in re.findall(r"^[ \t]*#[ \t]*include[ \t]+([A-Za-z_]\w*)", self.code[name],
                                   re.M):
                yield f"{name}: an include computed by the macro {line}"
            if not self.is_template(name):
                continue
            for i in self.text_inclusions(name):
                if self.is_template(i):
                    yield f"{name}: a template that includes the template {i}"
            if self.parameters(name) > 8:
                yield f"{name}: {self.parameters(name)} parameters"


def sample_faults():
    """Messages about errors in the samples of a small tree"""
    texts = {f"src/{i}.c": "int x;\n" for i in range(20)}
    left_out = {"src/t_const.h": "/* Generated by tools/gen.py. */\n", "src/t.pem": "M\n",
                "README.md": "Words.\n", "docs/p.svg": "<svg/>\n"}
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**texts, **left_out}.items():
            os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
            with open(os.path.join(root, name), "w", encoding="utf-8") as f:
                f.write(text)
        a, b = sample(root, "a", 99), sample(root, "b", 99)
        if sorted(a) != sorted(texts):
            yield f"sample: {a}"
        if a == b or a == sorted(a) or sample(root, "a", 5) != a[:5]:
            yield "sample: the order does not depend on the commit"


def self_test():
    good = {"a/data.inc": "/* Generated by tools/x.py. */\n1, 2\n",
            "a/a.c": '#include "a/t.h"\nint x;\n',
            "a/t.h": "/* T. Template:\n *   V    the type */\nstatic int f(V x);\n",
            "../t.md": "| " + 60 * "word " + "|\n", "../p.svg": 60 * "<g/> ",
            "../c.card": "curve x\n  " + 60 * "1f " + "\n", "../u.md": "<" + 110 * "u" + ">\n",
            "../h.md": "Words\n" + 7 * "=" + "\n\nHeading\n" + 8 * "=" + "\n",
            "../h.sh": "cat " + 7 * "<" + "\n" + 8 * "=" + "\n"}
    bad = [("hand-written", {"a/hand.inc": "int x;\n"}),
           ("long", {"a/b.c": 20 * "int x; " + "\n"}),
           ("long Python", {"../tools/b.py": "x = (" + 60 * "1, " + ")\n"}),
           ("long prose", {"../b.md": 60 * "word " + "\n"}),
           ("ours", {"../LICENSE-X": "a\n" + 7 * "<" + " HEAD\nb\n"}),
           ("theirs", {"../v.md": "a\n" + 7 * ">" + " branch\n"}),
           ("before", {"a/b.c": 7 * "|" + " base\n"}),
           ("between", {"../b.txt": "a\n" + 7 * "=" + "\nb\n"}),
           ("computed", {"a/b.c": "#define F <x.h>\n#include F\n"}),
           ("twice", {"b/a.c": "int y;\n"}),
           ("nested", {"a/u.h": '#include "a/t.h"\nstatic int g(V x);\n'}),
           ("parameters", {"a/u.h": "/* U.\n" + "".join(f" *     P{i}   is\n" for i in range(9)) +
                           " */\nint P1;\n"})]
    walk = "**Walk: a call**\n\n| file | |\n|---|---|\n| `src/a/a.c` | `x` |\n"
    walk += "| `src/a/t.h` | `f` |\n"
    page = "../docs/architecture.md"
    good[page] = walk
    bad += [("circle", {"a/b.h": '#ifndef B\n#define B\n#include "a/c.h"\n#endif\n',
                        "a/c.h": '#ifndef C\n#define C\n#include "a/b.h"\n#endif\n'}),
            ("long walk", {page: walk + 7 * "| `src/a/t.h` | `f` |\n"}),
            ("walk to a name", {page: walk + "| `src/a/t.h` | `g` |\n"}),
            ("walk to a file", {page: walk + "| `src/a/u.h` | `f` |\n"}),
            ("walk to a file that is not called",
             {page: walk + "| `src/a/b.c` | `g` |\n", "a/b.c": "int g;\n"})]
    wrong = []
    for what, more in [("good", {})] + bad:
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**good, **more}.items():
                path = os.path.join(root, "src", name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            faults = list(Tree(root).faults())
            if bool(faults) != (what != "good"):
                wrong.append(f"{what}: {faults}")
    wrong += sample_faults()
    for w in wrong:
        print("shape.py --self-test:", w, file=sys.stderr)
    if not wrong:
        print(f"shape.py --self-test: a good tree passes, {len(bad)} bad ones are caught")
    return 1 if wrong else 0


def main():
    args, here = sys.argv[1:], os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    if "-h" in args or "--help" in args:
        print(__doc__.strip())
        return 0
    if args == ["--self-test"]:
        return self_test()
    if len(args) == 2 and args[0] == "--sample" and args[1].isdecimal():
        commit = subprocess.run(["git", "-C", here, "rev-parse", "HEAD"], capture_output=True,
                                check=True, text=True).stdout.strip()
        print(*sample(here, commit, int(args[1])), sep="\n")
        return 0
    if args == ["--check"]:
        faults = list(Tree(here).faults())
        print(*faults, sep="\n", file=sys.stderr, end="\n" if faults else "")
        if not faults:
            print("shape: all rules hold")
        return 1 if faults else 0
    columns = [Tree(root).figures() for root in args or [here]]
    for row in zip(*columns):
        print(f"{row[0][0]:34}", *(f"{value!s:<44}" for _, value in row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
