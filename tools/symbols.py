#!/usr/bin/env python3
"""Check that a library exports what the headers declare, and is built soundly.

    symbols.py LIB.so    exported symbols == functions marked TY_API in include/tongyu/*.h, with
                         names that begin with ty_; and the ELF file: no executable stack, no text
                         relocations, no lazy binding
    symbols.py LIB.a     every declared function is there, and the names of all other global symbols
                         begin with ty_, too, so that they do not clash with those of a static
                         program; on x86-64 and AArch64 every object is marked as fit for CET (IBT,
                         SHSTK) or BTI, and on x86-64 no function takes more than a page of stack in
                         one step, which might skip the guard page; and a test, or a program that
                         the tests run, calls every declared function
    symbols.py --names LIB.a
                         no two objects have a text symbol of the same name, so that a profile and
                         grep tell functions apart, except those of SHARED, below
    symbols.py --provider MODULE.so
                         only OSSL_provider_init is exported, only libc is needed, nothing is taken
                         from libcrypto; the ELF file is sound, and has at most 1.5 MB
    symbols.py --self-test

NM, READELF and OBJDUMP in the environment name other tools (cross builds).
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


# The names that --names allows in several objects: small helpers without a level or family in their
# names, for compilers that do not inline them.
SHARED = set()


def tool(variable, default, *args):
    command = [os.environ.get(variable, default), *args]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as e:
        sys.exit(f"symbols.py: {' '.join(command)}: {getattr(e, 'stderr', '') or e}")


def declared(root=ROOT):
    """Names of the functions and objects that the public headers mark TY_API."""
    names = set()
    for path in sorted(glob.glob(os.path.join(root, "include/tongyu/*.h"))):
        with open(path, encoding="utf-8") as f:
            text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", f.read(), flags=re.S)
        text = re.sub(r"^\s*#(\\\n|[^\n])*", "", text, flags=re.M)
        for m in re.finditer(r"\bTY_API\b([^;{]*)", text):
            plain = re.sub(r"\b(TY_MUST_CHECK|__attribute__\s*\(\(.*?\)\))", "", m.group(1)).strip()
            name = re.search(r"(\w+)\s*(\(|\[|$)", plain)
            if not name:
                sys.exit(f"symbols.py: {path}: cannot read 'TY_API{m.group(1)}'")
            names.add(name.group(1))
    return names


def uncalled(root=ROOT):
    """The declared functions that no source in tests/ and app/ names; stacks_calls.inc, the list of
    calls whose stack is measured, does not count."""
    called = set()
    for top in ("tests", "app"):
        for where, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".c", ".cc", ".h", ".hh", ".hpp",
                                  ".inc")) and name != "stacks_calls.inc":
                    with open(os.path.join(where, name), encoding="utf-8", errors="replace") as f:
                        called |= set(re.findall(r"\bty_\w+", f.read()))
    return [f"{name} is declared, and no test calls it" for name in sorted(declared(root) - called)]


def exported(library):
    """Names of the defined global symbols: dynamic ones of a shared library, all of an archive."""
    dynamic = [] if library.endswith(".a") else ["-D"]
    names = set()
    for line in tool("NM", "nm", "-P", "-g", "--defined-only", *dynamic, library).splitlines():
        fields = line.split()
        if len(fields) >= 2 and fields[1] not in "AU":    # A: the name of the version node
            names.add(fields[0].split("@")[0])
    return names


def shared_names(library):
    """Text symbols that two objects of an archive share; clones that the compiler made count as the
    functions from which they were made."""
    owners = {}
    for line in tool("NM", "nm", "-A", "--defined-only", library).splitlines():
        where, _, kind, name = re.match(r"(\S+?):(?:([0-9a-f]+)\s+)?(\w) (\S+)$", line).groups()
        if kind in "tT" and not name.startswith(".L"):
            owners.setdefault(name.split(".")[0], set()).add(where.rsplit(":", 1)[-1])
    return {name: objects for name, objects in owners.items() if len(objects) > 1}


def elf_faults(library):
    faults, stack = [], None
    for line in tool("READELF", "readelf", "-lW", library).splitlines():
        if "GNU_STACK" in line:
            stack = line.split()[-2]
    if stack is None or "E" in stack:
        faults.append(f"executable stack ({'no GNU_STACK header' if stack is None else stack}): "
                      "an assembly file lacks .note.GNU-stack")
    dynamic = tool("READELF", "readelf", "-dW", library)
    if "TEXTREL" in dynamic:
        faults.append("text relocations: something was compiled without -fPIC")
    if not re.search(r"BIND_NOW|FLAGS_1.*NOW", dynamic):
        faults.append("lazy binding: link with -z relro -z now")
    return faults


def check_provider(library):
    """Faults of the module for OpenSSL, which must have one entry point and need only the C
    library."""
    have = exported(library)
    faults = [f"exported, in addition to OSSL_provider_init: {n}"
              for n in sorted(have - {"OSSL_provider_init"})]
    if "OSSL_provider_init" not in have:
        faults.append("OSSL_provider_init is missing")
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", tool("READELF", "readelf", "-dW", library))
    faults += [f"needs {n}: the C library alone is allowed"
               for n in needed if not n.startswith(("libc.so", "ld-linux"))]
    for line in tool("NM", "nm", "-P", "-D", "--undefined-only", library).splitlines():
        name = line.split()[0]
        if re.match(r"(OSSL|OPENSSL|EVP|ERR|BIO|CRYPTO)_", name):
            faults.append(f"taken from libcrypto: {name}")
    if os.path.getsize(library) > 1500000:
        faults.append(f"has {os.path.getsize(library)} bytes, more than 1.5 MB")
    return faults + elf_faults(library)


def unmarked(archive):
    """Faults of a static library whose objects lack the note without which the linker turns CET or
    BTI off."""
    machine = re.search(r"Machine: +(.*)", tool("READELF", "readelf", "-hW", archive))
    needs = {"Advanced Micro Devices X86-64": ("IBT", "SHSTK"),
             "AArch64": ("BTI",)}.get(machine[1] if machine else "", ())
    lacks = {n: [] for n in needs}
    for part in tool("READELF", "readelf", "-nW", archive).split("\nFile: ")[1:]:
        name = re.search(r"\((.*?)\)", part.split("\n", 1)[0])[1]
        features = re.search(r"feature: (.*)", part)
        have = re.split(r"[, ]+", features[1]) if features else []
        for n in needs:
            if n not in have:
                lacks[n].append(name)
    return [f"{len(names)} objects are not marked as fit for {n}: {', '.join(names[:5])}"
            for n, names in lacks.items() if names]


PAGE = 4096


def strides(archive):
    """Functions that lower the stack pointer by more than a page at once, without a store to each
    page (x86-64)."""
    text, faults, function = tool("OBJDUMP", "objdump", "-d", "--no-show-raw-insn",
                                  "--no-addresses", archive), [], ""
    for line in text.splitlines():
        name = re.match(r"<(.*)>:$", line)
        function = name[1] if name else function
        step = re.search(r"\b(?:sub +\$|lea +-)(0x[0-9a-f]+)(?:,|\(%rsp\),)%rsp", line)
        # 2^63 or more is a negative number: the stack pointer increases
        if step and PAGE < int(step[1], 16) < 1 << 63:
            faults.append(f"{function} takes {int(step[1], 16)} bytes of stack in one step")
    return faults


def check(library, root=ROOT):
    want, have = declared(root), exported(library)
    faults = [f"declared but not defined: {n}" for n in sorted(want - have)]
    if library.endswith(".a"):
        faults += [f"global name without ty_: {n}" for n in sorted(have) if not n.startswith("ty_")]
        faults += unmarked(library) + uncalled(root)
        if "X86-64" in tool("READELF", "readelf", "-hW", library):
            faults += strides(library)
    else:
        faults += [f"exported but not declared: {n}" for n in sorted(have - want)]
        faults += [f"exported without ty_: {n}" for n in sorted(have) if not n.startswith("ty_")]
        faults += elf_faults(library)
    if not want:
        faults.append("no TY_API in the headers: is that the repository?")
    return faults, len(want)


def self_test():
    header = "#define TY_API __attribute__((visibility(\"default\")))\n" \
             "TY_API int ty_a(void);\n/* TY_API int ty_no(void); */\n" \
             "TY_API TY_MUST_CHECK ty_err\n    ty_b(uint8_t out[TY_AT_LEAST(3)], int (*f)(void));\n"
    sound = ["-shared", "-fPIC", "-Wl,-z,relro,-z,now", "-fvisibility=hidden"]
    public = "#pragma GCC visibility push(default)\n"
    a, b = "int ty_a(void) { return 1; }\n", "int ty_b(void) { return 2; }\n"
    cases = [
        ("what is declared", public + a + b, sound, True),
        ("one missing", public + a, sound, False),
        ("one hidden", public + a + "#pragma GCC visibility pop\n" + b, sound, False),
        ("one too many", public + a + b + "int ty_x(void) { return 1; }\n", sound, False),
        ("a foreign name", public + a + b + "int other;\n", sound, False),
        ("an executable stack", public + a + b, sound + ["-Wl,-z,execstack"], False),
        ("lazy binding", public + a + b, ["-shared", "-fPIC", "-Wl,-z,lazy"], False),
    ]
    wrong = []
    with tempfile.TemporaryDirectory() as d:
        os.makedirs(os.path.join(d, "include/tongyu"))
        with open(os.path.join(d, "include/tongyu/x.h"), "w", encoding="utf-8") as f:
            f.write(header)
        if declared(d) != {"ty_a", "ty_b"}:
            wrong.append(f"declared: {sorted(declared(d))}")
        os.mkdir(os.path.join(d, "tests"))
        with open(os.path.join(d, "tests/x.cc"), "w", encoding="utf-8") as f:
            f.write("TEST(X, A) { ty_a(); }\n")
        if uncalled(d) != ["ty_b is declared, and no test calls it"]:
            wrong.append(f"uncalled: {uncalled(d)}")
        for what, text, flags, fine in cases:
            c, so = os.path.join(d, "x.c"), os.path.join(d, "x.so")
            with open(c, "w", encoding="utf-8") as f:
                f.write(text)
            subprocess.run([os.environ.get("CC", "cc"), *flags, c, "-o", so], check=True)
            faults = check(so, d)[0]
            if bool(faults) == fine:
                wrong.append(f"{what}: {faults or 'not caught'}")
        entry = ("__attribute__((visibility(\"default\"))) int OSSL_provider_init(void) { return "
                 "1; }\n")
        modules = [
            ("a module", entry, sound, True),
            ("a module with two entry points", public + entry + "int ty_a(void) { return 1; }\n",
             sound, False),
            ("a module without an entry point", a, sound, False),
            ("a module on libcrypto", "int EVP_x(void);\n" + entry.replace("1;", "EVP_x();"), sound,
             False),
            ("a module on another library", entry, sound + ["-Wl,--no-as-needed", "-lm"], False),
        ]
        for what, text, flags, fine in modules:
            c, so = os.path.join(d, "m.c"), os.path.join(d, "m.so")
            with open(c, "w", encoding="utf-8") as f:
                f.write(text)
            subprocess.run([os.environ.get("CC", "cc"), c, *flags, "-o", so], check=True)
            if bool(check_provider(so)) == fine:
                wrong.append(f"{what}: {check_provider(so) or 'not caught'}")
        cases += modules[1:]
    with tempfile.TemporaryDirectory() as d:   # one object is protected, the other is not
        for name, flags in (("a", ["-fcf-protection=full", "-fstack-clash-protection"]),
                            ("b", ["-fcf-protection=none", "-fno-stack-clash-protection"])):
            with open(os.path.join(d, f"{name}.c"), "w", encoding="utf-8") as f:
                f.write(f"void use(char *);\nint ty_{name}(void) {{ char far[9000]; use(far); "
                        f"return far[1]; }}\n")
            subprocess.run([os.environ.get("CC", "cc"), *flags, "-c", f"{d}/{name}.c", "-o",
                            f"{d}/{name}.o"], check=True)
            subprocess.run(["ar", "rc", f"{d}/{name}.a", f"{d}/{name}.o"], check=True)
        if unmarked(f"{d}/a.a") or len(unmarked(f"{d}/b.a")) != 2:
            wrong.append(f"notes: {unmarked(d + '/a.a')} {unmarked(d + '/b.a')}")
        if strides(f"{d}/a.a") or len(strides(f"{d}/b.a")) != 1:
            wrong.append(f"strides: {strides(d + '/a.a')} {strides(d + '/b.a')}")
    # two objects with a function of one name, which is local to both
    with tempfile.TemporaryDirectory() as d:
        for name, helper in (("a", "helper"), ("b", "helper"), ("c", "other")):
            with open(os.path.join(d, f"{name}.c"), "w", encoding="utf-8") as f:
                f.write(f"__attribute__((noinline)) static int {helper}(int x) {{ return x; }}\n"
                        f"int ty_{name}(int x) {{ return {helper}(x); }}\n")
            subprocess.run([os.environ.get("CC", "cc"), "-c", f"{d}/{name}.c", "-o",
                            f"{d}/{name}.o"], check=True)
        subprocess.run(["ar", "rc", f"{d}/x.a", *(f"{d}/{name}.o" for name in "abc")], check=True)
        if set(shared_names(f"{d}/x.a")) != {"helper"}:
            wrong.append(f"--names: {sorted(shared_names(d + '/x.a'))} instead of helper")
    for w in wrong:
        print("symbols.py --self-test:", w, file=sys.stderr)
    if not wrong:
        print(f"symbols.py --self-test: {len(cases) - 1} wrong libraries are caught")
    return 1 if wrong else 0


def main():
    args = sys.argv[1:]
    if "-h" in args or "--help" in args:
        print(__doc__.strip())
        return 0
    if args == ["--self-test"]:
        return self_test()
    if len(args) == 2 and args[0] == "--names":
        shared = shared_names(args[1])
        faults = [f"{name} is in {', '.join(sorted(objects))}"
                  for name, objects in sorted(shared.items())
                  if name not in SHARED]
        faults += [f"SHARED lists {name}, which no two objects share"
                   for name in sorted(SHARED - set(shared))]
        for f in faults:
            print(f"{args[1]}: {f}", file=sys.stderr)
        if not faults:
            print(f"symbols: no two objects share a name, except {len(shared)} in the list")
        return 1 if faults else 0
    if len(args) == 2 and args[0] == "--provider":
        faults = check_provider(args[1])
        for f in faults:
            print(f"{args[1]}: {f}", file=sys.stderr)
        if not faults:
            print(f"symbols: {os.path.basename(args[1])} exports only OSSL_provider_init and "
                  "needs only libc")
        return 1 if faults else 0
    if len(args) != 1 or args[0].startswith("-"):
        print("symbols.py: one library, please; try --help", file=sys.stderr)
        return 2
    faults, count = check(args[0])
    for f in faults:
        print(f"{args[0]}: {f}", file=sys.stderr)
    if not faults:
        print(f"symbols: {os.path.basename(args[0])} has the {count} declared functions and no "
              "foreign name")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
