#!/usr/bin/env python3
"""The stack that public calls use, as measured by tests/fault/stacks.c.

    stacks.py PROGRAM --check    no call uses more than docs/stacks.md says, and the page is not out
                                 of date; what uses more than 32 KB has a header that says so, and
                                 only the calls of ABOVE use more than 64 KB
    stacks.py PROGRAM --near     for another version of the compiler: no call uses much more than
                                 the page says
    stacks.py PROGRAM --write    rewrite the page's table
    stacks.py --self-test        a wrong table, a missing row and a header without a figure are
                                 detected

The page is for a CPU that has every level: without one of them calls may use less than it says."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "stacks.md")
STATED, MOST = 32, 64                 # KB
# These keep the matrix of an ML-DSA key on the stack; their headers say how much they use.
ABOVE = {"ty_mldsa_sign", "ty_mldsa_sign_mu", "ty_mldsa_sign_hash", "ty_mldsa_sign_checked",
         "ty_mldsa_many_sign", "ty_mldsa_many_verify", "ty_mldsa_key_read"}


def kb(n):
    return -(-n // 1024)


def declarations(root=ROOT):
    """name: (header, (the header's first comment, the one before the declaration))"""
    found = {}
    for name in sorted(os.listdir(os.path.join(root, "include/tongyu"))):
        if not name.endswith(".h"):
            continue
        text = open(os.path.join(root, "include/tongyu", name)).read()
        comments = list(re.finditer(r"/\*.*?\*/", text, re.S))
        for m in re.finditer(r"TY_API[^;]*?\b(ty_\w+)\s*\(", text, re.S):
            before = [c[0] for c in comments if c.start() < m.start()]
            found.setdefault(m[1], (name, (before[0], before[-1]) if before else ("", "")))
    return found


def stated(name, where):
    """The largest number of KB of stack in the comments"""
    numbers = []
    for comment in where[1]:
        words = re.sub(r"\n \*", " ", comment)
        numbers += re.findall(r"stack[:,]?\s[^.;]{0,40}?(\d+) KB", words)
        numbers += re.findall(r"(\d+) KB of\s+stack", words)
    return max(map(int, numbers), default=0)


def measured(program):
    """name: bytes; and whether this CPU has every level"""
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    rows = dict(line.split() for line in run.stdout.splitlines())
    return {name: int(n) for name, n in rows.items()}, "NO LEVEL" not in run.stderr


def table(page):
    return {m[1]: int(m[2]) for m in re.finditer(r"^\| `(ty_\w+)` \| (\d+) \|", page, re.M)}


def deeper(have, page):
    """The calls that exceed the page's figure by more than a quarter and 2 KB"""
    listed = table(page)
    wrong = [f"{name} takes {n} bytes of stack; docs/stacks.md says {listed.get(name, 0)} KB"
             for name, n in have.items() if kb(n) > 1.25 * listed.get(name, 0) + 2]
    return wrong if have else ["nothing was measured"]


def faults(have, page, known, every_level=True):
    """What is wrong with the page or with the headers"""
    listed, wrong = table(page), []
    for name, n in have.items():
        if name not in listed:
            wrong.append(f"{name} is not in docs/stacks.md")
        elif kb(n) > listed[name]:
            wrong.append(f"{name} takes {n} bytes of stack; docs/stacks.md says {listed[name]} KB")
        elif every_level and listed[name] > kb(n) + 2 and listed[name] > 1.3 * kb(n):
            wrong.append(f"{name} takes {n} bytes of stack, less than docs/stacks.md says")
        if kb(n) > MOST and name not in ABOVE:
            wrong.append(f"{name} takes {kb(n)} KB of stack, more than {MOST}")
        if kb(n) > STATED and stated(name, known[name]) < kb(n):
            wrong.append(f"{name} takes {kb(n)} KB of stack, and {known[name][0]} does not say so")
    wrong += [f"docs/stacks.md has {n}, which is not measured" for n in listed if n not in have]
    return wrong if have else ["nothing was measured"]


def write(have):
    text = open(PAGE).read()
    head = text[:text.index("| call |")]
    rows = sorted(have.items(), key=lambda r: (-kb(r[1]), r[0]))
    body = "".join(f"| `{n}` | {kb(b)} |\n" for n, b in rows)
    open(PAGE, "w").write(head + "| call | KB |\n|---|---|\n" + body)


def self_test():
    top = "/* banner */\n"
    known = {"ty_a": ("a.h", (top, "/* stack: 40 KB */")), "ty_b": ("a.h", (top, "/* time */"))}
    page = "| call | KB |\n| `ty_a` | 40 |\n| `ty_b` | 3 |\n"
    good = {"ty_a": 40000, "ty_b": 3000}
    cases = [(good, page, True), ({}, page, False), ({**good, "ty_a": 41000}, page, False),
             ({**good, "ty_b": 40000}, page.replace("| 3 |", "| 40 |"), False),
             ({**good, "ty_a": 70000}, page.replace("| 40 |", "| 69 |"), False),
             ({**good, "ty_a": 4000}, page, False), ({"ty_a": 40000}, page, False)]
    wrong = [str(c) for c in cases if bool(faults(c[0], c[1], known)) == c[2]]
    near = [({**good, "ty_a": 52000}, True), ({**good, "ty_a": 54000}, False), ({}, False)]
    wrong += [str(have) for have, right in near if bool(deeper(have, page)) == right]
    if faults({**good, "ty_a": 4000}, page, known, every_level=False):
        wrong.append("a level that this CPU lacks may be the deepest")
    print("\n".join(wrong) or f"{len(cases) + len(near) + 1} cases")
    return bool(wrong)


def main():
    if "--self-test" in sys.argv:
        return self_test()
    have, every_level = measured(os.path.abspath(sys.argv[1]))
    if "--write" in sys.argv:
        write(have)
    known = declarations()
    page = open(PAGE).read()
    wrong = deeper(have, page) if "--near" in sys.argv else faults(have, page, known, every_level)
    print("\n".join(wrong) or f"{len(have)} calls of the {len(known)} that are declared, "
          f"the deepest {kb(max(have.values()))} KB")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
