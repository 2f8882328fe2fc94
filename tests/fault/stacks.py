#!/usr/bin/env python3
"""The stack of every public call that takes some, as tests/fault/stacks.c measures it.

    stacks.py PROGRAM --check    no call is deeper than docs/stacks.md says, and the page is not out
                                 of date; above 32 KB the header says so, above 64 KB only ABOVE
    stacks.py PROGRAM --near     for another version of the compiler: no call is much deeper than
                                 the page says
    stacks.py PROGRAM --write    the page's table anew
    stacks.py --self-test        a wrong table, a missing row and a silent header are refused

The page is of a CPU that has every level: without one of them calls may take less than it says."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "stacks.md")
SAYS, MOST = 32, 64                   # KB
# These want the caller's memory in their place; their headers say how much they take.
ABOVE = {"ty_mldsa_sign", "ty_mldsa_sign_mu", "ty_mldsa_sign_hash", "ty_mldsa_sign_checked",
         "ty_mldsa_many_sign", "ty_mldsa_many_verify", "ty_mldsa_key_read"}


def kb(n):
    return -(-n // 1024)


def declarations(root=ROOT):
    """name: (header, the comment before its declaration and the header's own)"""
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
    """The largest number of KB of stack that the comments name"""
    said = []
    for comment in where[1]:
        words = re.sub(r"\n \*", " ", comment)
        said += re.findall(r"stack[:,]?\s[^.;]{0,40}?(\d+) KB", words)
        said += re.findall(r"(\d+) KB of\s+stack", words)
    return max(map(int, said), default=0)


def measured(program):
    """name: bytes; and whether this CPU has every level"""
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    rows = dict(line.split() for line in run.stdout.splitlines())
    return {name: int(n) for name, n in rows.items()}, "NO LEVEL" not in run.stderr


def table(page):
    return {m[1]: int(m[2]) for m in re.finditer(r"^\| `(ty_\w+)` \| (\d+) \|", page, re.M)}


def deeper(have, page):
    """What another compiler puts on the stack beyond a quarter and 2 KB more"""
    said = table(page)
    wrong = [f"{name} takes {n} bytes of stack; docs/stacks.md says {said.get(name, 0)} KB"
             for name, n in have.items() if kb(n) > 1.25 * said.get(name, 0) + 2]
    return wrong if have else ["nothing was measured"]


def faults(have, page, known, every_level=True):
    said, wrong = table(page), []
    for name, n in have.items():
        if name not in said:
            wrong.append(f"{name} is not in docs/stacks.md")
        elif kb(n) > said[name]:
            wrong.append(f"{name} takes {n} bytes of stack; docs/stacks.md says {said[name]} KB")
        elif every_level and said[name] > kb(n) + 2 and said[name] > 1.3 * kb(n):
            wrong.append(f"{name} takes {n} bytes of stack, less than docs/stacks.md says")
        if kb(n) > MOST and name not in ABOVE:
            wrong.append(f"{name} takes {kb(n)} KB of stack, more than {MOST}")
        if kb(n) > SAYS and stated(name, known[name]) < kb(n):
            wrong.append(f"{name} takes {kb(n)} KB of stack, and {known[name][0]} does not say so")
    wrong += [f"docs/stacks.md has {n}, which is not measured" for n in said if n not in have]
    return wrong if have else ["nothing was measured"]


def write(have):
    text = open(PAGE).read()
    head = text[:text.index("| call |")]
    rows = sorted(have.items(), key=lambda r: (-kb(r[1]), r[0]))
    body = "".join(f"| `{n}` | {kb(b)} |\n" for n, b in rows)
    open(PAGE, "w").write(head + "| call | KB |\n|---|---|\n" + body)


def self_test():
    said = "/* banner */\n"
    known = {"ty_a": ("a.h", (said, "/* stack: 40 KB */")), "ty_b": ("a.h", (said, "/* time */"))}
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
