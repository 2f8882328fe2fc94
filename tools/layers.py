#!/usr/bin/env python3
"""Check that includes go downwards, and draw the layers.

    layers.py [ROOT]        check every #include of src/, bench/sm2_field, app/, compat/ and
                            include/; exit 1 on a violation
    layers.py --dot [ROOT]  print the graph for Graphviz: folders as boxes, an arrow from each
                            folder to each that it uses, without those that other arrows imply
    layers.py --self-test   prove that each rule can fail

The rules: a folder includes only folders of lower layers, or its own layer through a header (.h);
never a .c; the public headers count as the folder that implements them; app may include only the
public headers, and the header of the code that `tongyu speed sm2-field` measures; only os makes
system calls and only mp may allocate (and compat, which has other libraries' interfaces), so that
the rest includes nothing of the C library but <string.h> and freestanding headers.
"""
import os
import re
import sys
import tempfile

LAYERS = [
    ["base"],
    ["limb", "os"],
    ["mod", "modn", "f2m", "f2m_any"],
    ["ec", "ec_f2", "sm3", "sm4", "sha2", "keccak", "mp"],
    ["mac", "kdf", "aead", "sm2", "mldsa", "ecdsa"],
    ["many", "accel"],
    ["box"],
    ["key"],
    ["about"],
    ["bench"],
    ["app", "compat"],
]
LEVEL = {name: i for i, row in enumerate(LAYERS) for name in row}
# Folders of public headers whose names do not begin with the folder's name; <tongyu/tongyu.h>
# includes all headers
PUBLIC = {"tongyu": "app",
          "sm4_aead": "aead", "ec_any": "ecdsa", "dstu4145": "ecdsa", "ec_key": "key",
          "ec_many": "many", "cert": "key", "cms": "key", "ecdsa_many": "many",
          "ledger": "many", "mldsa_key": "key",
          "mldsa_many": "many", "sm4_mac": "mac", "sm4_many": "many", "sm2_many": "many",
          "compat/tommath": "compat", "compat/bn": "compat", "compat/mpi": "compat"}
FREESTANDING = re.compile(
    r"(std(def|int|bool|atomic|arg|align|noreturn)|limits|float|iso646|string)\.h"
    r"|\w*intrin\.h|cpuid\.h|arm_\w+\.h|valgrind/memcheck\.h|sanitizer/msan_interface\.h")
# base: the auxiliary vector, which the kernel filled when the program began; no system call
ALSO = {"base": re.compile(r"sys/auxv\.h"),
        "mp": re.compile(r"stdlib\.h"), "os": re.compile(r".*"), "app": re.compile(r".*"),
        "compat": re.compile(r".*")}
SOURCES = (".c", ".h", ".inc", ".S", ".cc", ".hpp", ".cpp")


def folder_of(stem):
    """The folder that implements a public header."""
    return PUBLIC.get(stem) or (stem if stem in LEVEL else stem.split("_")[0])


def code(text):
    """The text without comments; strings stay, since an include is one."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)


def files(root):
    """(path, folder) of everything that belongs to a layer."""
    for top in ("src", "include/tongyu", "bench/sm2_field", "app", "compat"):
        for where, _, names in os.walk(os.path.join(root, top)):
            for name in sorted(names):
                if not name.endswith(SOURCES):
                    continue
                rel = os.path.relpath(os.path.join(where, name), root)
                parts = rel.split(os.sep)
                if top in ("app", "compat"):
                    yield rel, top
                elif top == "bench/sm2_field":
                    yield rel, "bench"
                elif top == "src":
                    yield rel, parts[1] if len(parts) > 2 else None
                else:
                    stem = "/".join(parts[2:]).rsplit(".", 1)[0]
                    yield rel, folder_of(stem)


def owner(name, path, root):
    """The folder a quoted include leads to, or None when it leads nowhere."""
    here = os.path.join(os.path.dirname(path), name)
    if name.startswith("tongyu/"):
        stem = name[7:].rsplit(".", 1)[0]
        return folder_of(stem) if os.path.exists(os.path.join(root, "include", name)) else None
    if os.path.exists(os.path.join(root, "src", name)):
        return name.split("/")[0]
    if name.startswith("sm2_field/"):
        return "bench" if os.path.exists(os.path.join(root, "bench", name)) else None
    if os.path.exists(os.path.join(root, here)):
        top = path.split(os.sep)[0]
        return top if top in ("app", "compat") else path.split(os.sep)[1]
    return None


def judge(path, folder, kind, name, root):
    """(folder that is used or None, what is wrong or None)"""
    if kind == "<":
        allowed = FREESTANDING.fullmatch(name) or (folder in ALSO and ALSO[folder].fullmatch(name))
        return (None,
                None if allowed
                else f"<{name}> is not for {folder}: only os calls the system, only mp allocates")
    target = owner(name, path, root)
    if target is None:
        return None, f'"{name}" does not exist'
    if target not in LEVEL:
        return None, f'"{name}": no layer is called {target}'
    if (folder == "app" and target != "app" and not name.startswith("tongyu/")
        and name != "sm2_field/sm2_field.h"):
        return target, f'"{name}": app sees the public headers alone'
    if path.startswith("include") and not name.startswith("tongyu/"):
        return target, f'"{name}": a public header includes public headers alone'
    if name.endswith(".c"):
        return target, f'"{name}": a .c is never included'
    if LEVEL[target] > LEVEL[folder]:
        return target, f'"{name}": upwards, from {folder} to {target}'
    if LEVEL[target] == LEVEL[folder] and target != folder and not name.endswith(".h"):
        return target, f'"{name}": across from {folder} to {target}, and not through a header'
    return target, None


def check(root):
    """(violations, uses, number of includes seen)"""
    bad, uses, seen = [], set(), 0
    for path, folder in files(root):
        if folder not in LEVEL:
            bad.append(f"{path}: no layer is called {folder}")
            continue
        with open(os.path.join(root, path), encoding="utf-8") as f:
            for number, line in enumerate(code(f.read()).split("\n"), 1):
                m = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
                if not m:
                    continue
                seen += 1
                target, wrong = judge(path, folder, m.group(1), m.group(2), root)
                if wrong:
                    bad.append(f"{path}:{number}: {wrong}")
                if target and target != folder:
                    uses.add((folder, target))
    return bad, uses, seen


def dot(uses):
    out = ["digraph layers {",
           "    rankdir = BT; node [shape = box, style = rounded, fontname = Helvetica];"]
    present = {name for pair in uses for name in pair}
    for row in LAYERS:
        names = [n for n in row if n in present]
        if names:
            out.append("    { rank = same; " + " ".join(names) + " }")
    out += [f"    {a} -> {b};" for a, b in sorted(reduce(uses), key=lambda u: (LEVEL[u[0]], u))]
    return "\n".join(out + ["}"])


def reduce(uses):
    """The transitive reduction: without the arrows that others imply, such as most of those to
    base."""
    def reach(a, b, without):
        queue, done = [a], set()
        while queue:
            x = queue.pop()
            for y, z in uses:
                if y == x and (y, z) != without and z not in done:
                    done.add(z)
                    queue.append(z)
        return b in done
    return {u for u in uses if not reach(u[0], u[1], u)}


def self_test():
    clean = {
        "include/tongyu/base.h": "#include <stddef.h>\n",
        "include/tongyu/sm3.h": '#include "tongyu/base.h"\n',
        "src/base/ct.h":
        "#include <stdint.h>\n/* #include \"key/der.h\" in a comment does not count */\n",
        "src/limb/limb.inc": '#include "base/ct.h"\n', "src/mod/p.h": '#include "limb/limb.inc"\n',
        "src/sm3/sm3.h": "",
        "src/sm3/sm3.c": '#include "sm3/sm3.h"\n#include "tongyu/sm3.h"\n#include <string.h>\n',
        "src/sm4/sm4.c": '#include "sm3/sm3.h"\n#include <immintrin.h>\n', "src/sm3/body.inc": "",
        "src/mp/alloc.c": "#include <stdlib.h>\n", "src/os/file_posix.c": "#include <unistd.h>\n",
        "bench/sm2_field/sm2_field.h": "",
        "bench/sm2_field/ways.c": '#include "mod/p.h"\n#include "sm2_field/sm2_field.h"\n',
        "app/cli/field.cc": '#include "sm2_field/sm2_field.h"\n',
        "app/cli/main.cc": '#include "tongyu/sm3.h"\n#include "io.hpp"\n#include <vector>\n',
        "app/cli/io.hpp": "",
    }
    broken = [
        ("upwards", "src/base/bad.c", '#include "sm3/sm3.h"\n'),
        ("upwards, public", "src/base/bad.c", '#include "tongyu/sm3.h"\n'),
        ("upwards, with spaces", "src/limb/bad.c", '  #  include "mod/p.h"\n'),
        ("across a body", "src/sm4/bad.c", '#include "sm3/body.inc"\n'),
        ("a .c", "src/sm3/bad.c", '#include "sm3/sm3.c"\n'),
        ("nowhere", "src/sm3/bad.c", '#include "sm3/missing.h"\n'),
        ("system call", "src/sm3/bad.c", "#include <unistd.h>\n"),
        ("allocation", "src/key/bad.c", "#include <stdlib.h>\n"),
        ("app looks inside", "app/cli/bad.cc", '#include "sm3/sm3.h"\n'),
        ("app looks inside a benchmark", "app/cli/bad.cc", '#include "sm2_field/ways.c"\n'),
        ("the library uses a benchmark", "src/mod/bad.c", '#include "sm2_field/sm2_field.h"\n'),
        ("private in public", "include/tongyu/sm3.h", '#include "sm3/sm3.h"\n'),
        ("public upwards", "include/tongyu/base.h", '#include "tongyu/sm3.h"\n'),
        ("unknown folder", "src/misc/bad.c", ""),
        ("after a comment", "src/base/bad.h",
         '/* one\n two */ #include <stdint.h>\n#include "mod/p.h"\n'),
    ]

    def run(tree):
        with tempfile.TemporaryDirectory() as root:
            for path, text in tree.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                    f.write(text)
            return check(root)[0]

    wrong = [f"a clean tree was refused: {b}" for b in run(clean)]
    wrong += [f"not caught: {what}" for what, path, text in broken
              if len(run({**clean, path: text})) != 1]
    for w in wrong:
        print("layers.py --self-test:", w, file=sys.stderr)
    if not wrong:
        print(f"layers.py --self-test: a clean tree passes, {len(broken)} violations are caught")
    return 1 if wrong else 0


def main():
    args = sys.argv[1:]
    if "-h" in args or "--help" in args:
        print(__doc__.strip())
        return 0
    if "--self-test" in args:
        return self_test()
    roots = [a for a in args if not a.startswith("-")]
    unknown = [a for a in args if a.startswith("-") and a != "--dot"]
    if unknown or len(roots) > 1:
        print(f"layers.py: unexpected argument {' '.join(unknown or roots[1:])}; try --help",
              file=sys.stderr)
        return 2
    root = roots[0] if roots else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    bad, uses, seen = check(root)
    if "--dot" in args:
        print(dot(uses))
    for b in bad:
        print(b, file=sys.stderr)
    if not seen:
        print(f"layers.py: no includes found under {root}: is that the repository?",
              file=sys.stderr)
        return 1
    if not bad and "--dot" not in args:
        print(f"layers: {seen} includes, all downwards")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
