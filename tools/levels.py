#!/usr/bin/env python3
"""Check that no code uses an instruction that its level does not have, and that the lists agree.

    levels.py LIB.a         disassemble a library of x86-64, AArch64 or ARM; exit 1 on a fault;
                            --one-tier: it was built with -DTY_TIER, so its lists have one tier each
    levels.py --sources     compare src/base/levels.h, the tier files and src/about/families.h
    levels.py --self-test   prove that each rule can fail

The level of a kernel is the last part of its symbol: ty_sm3_step_avx2. Every other symbol may use
only what each CPU of the architecture has. An instruction that belongs to no feature of any level
(VNNI, LZCNT ...) is a fault wherever it is, and so is a gather or a scatter: its addresses are in a
vector, where no check of constant time examines them. A kernel that calls one whose level its own
does not include, an ops struct that names one, and an ops struct that is in no list of tiers are
faults, too. On 32-bit ARM the compiler's flags decide whether the level m4 exists: every symbol but
m4's may use what these flags allow, and m4's only what ARMv7E-M has, so that one file serves
Cortex-M and ARMv7-A. OBJDUMP in the environment names another tool (cross builds).
"""
import bisect
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ENGLISH = {**os.environ, "LC_ALL": "C"}   # objdump translates "file format"

# The compiler's names for what a target grants, in terms of the features of base/cpu.h.
TARGETS = {
    "sse4.1": ["SSE41"], "aes": ["AES"], "pclmul": ["CLMUL"], "avx2": ["AVX2"], "bmi": ["BMI2"],
    "bmi2": ["BMI2"], "popcnt": ["AVX2"], "fma": ["FMA"], "adx": ["ADX"], "vaes": ["VAES"],
    "vpclmulqdq": ["VCLMUL"], "sha": ["SHA256"], "gfni": ["GFNI"], "avx512f": ["AVX512"],
    "avx512bw": ["AVX512"], "avx512dq": ["AVX512"], "avx512vl": ["AVX512"], "avx512ifma": ["IFMA"],
    "avx512vbmi": ["IFMA"], "avx512vbmi2": ["VBMI2"],
    "+simd": ["ASIMD"], "+crypto": ["ASIMD", "AES", "CLMUL", "SHA256"],
    "arch=armv8.2-a+crypto+sha3": ["ASIMD", "AES", "CLMUL", "SHA256", "SHA3"],
    "arch=armv8.2-a+crypto+sm4": ["ASIMD", "AES", "CLMUL", "SHA256", "SM3", "SM4"],
}

# Patterns of objdump's text, and the feature that each instruction needs; all that match count.
# NONE: the feature is not part of any level, or the instruction is not allowed.
X86 = [
    (r"v?gf2p8", "GFNI"),
    (r"vpmadd52|vperm(b|i2b|t2b|i2w|t2w) .*%[xyz]mm|vpmultishiftqb", "IFMA"),
    (r"vpsh[lr]d(v?[wdq])", "VBMI2"),
    (r"sha(1|256)", "SHA256"),
    (r".*%zmm|.*%k[0-7]\b", "AVX512"),   # and each instruction with the EVEX prefix, byte 62
    (r"vpclmul.* .*%[yz]mm", "VCLMUL"),
    (r"vaes.* .*%[yz]mm", "VAES"),
    (r"v?pclmul", "CLMUL"),
    (r"v?aes", "AES"),
    (r"vfn?m(add|sub)", "FMA"),
    (r"ad[co]x", "ADX"),
    (r"mulx|rorx|shlx|shrx|sarx|pdep|pext |pextl|pextq .*%r..,%r|bzhi|andn[lq]? |bextr|bls",
     "BMI2"),
    (r"v[a-z]|popcnt", "AVX2"),
    (r"pshufb|palignr|pabs|ph(add|sub)|pmulhrsw|psign|pmaddubsw|pblend|blend|pinsr[bdq]|pextr[bdq] "
     r".*%xmm"
     r"|ptest|pmov[sz]x|pmul(dq|ld)|pcmpeqq|packusdw|p(max|min)(sb|sd|ud|uw)|round[sp][sd]|movntdqa"
     r"|insertps|extractps|movddup|movs[hl]dup|h(add|sub)p|lddqu|addsub", "SSE41"),
    (r"vp?(gather|scatter)|lzcnt|movbe|crc32|pcmpgtq|pcmp[ei]str|vcvtp[hs]2p[hs]|vpdp|vpopcnt"
     r"|vp(compress|expand)[bw]"
     r"|vpconflict|vplzcnt|vpshufbitqmb|vdpbf16|vcvtne", "NONE"),
]
ARM64 = [
    (r"eor3|rax1|xar|bcax|sha512", "SHA3"),
    (r"sm3", "SM3"),
    (r"sm4", "SM4"),
    (r"sha(1|256)", "SHA256"),
    (r"aes", "AES"),
    (r"pmull2?\s.*\.1q", "CLMUL"),
    (r".*\bz\d+\.[bhsdq]|.*\bp\d+/[mz]|crc32|ldapr|(cas|swp|ld(add|clr|set|eor))[alb]*\s|[su]dot|fm"
     r"lal", "NONE"),
]
# ARMV7A is what only the application profile has: vectors, arithmetic in double precision, the
# upper registers of the FPU, exclusive pairs.
ARM32 = [
    (r"v(?!ld[rm]|st[rm]|push|pop|mov )\w+(\.\w+)* "
     r".*\bd\d|v\w+\.f64|.*\b(q\d|d(1[6-9]|[23]\d)\b)|ldrexd|strexd|pldw|swp|setend|srs|rfe",
     "ARMV7A"),
    (r"[su]?mm|smm(ul|la|ls)|umaal|[us](h|q)?(add|sub)(8|16)|[us]el "
     r"|sml|smul|smu|pkh|[us]xt[ab]|q(d)?(add|sub)", "DSP"),
]
MACHINES = {"elf64-x86-64": (X86, set()), "elf64-littleaarch64": (ARM64, {"ASIMD"}),
            "elf32-littlearm": (ARM32, {"ARMV7A", "DSP"})}
EXACT = {"m4"}   # levels whose symbols may use only their own features, not all that every CPU has


def read(path):
    with open(path, encoding="utf-8") as f:
        return re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.S)


class Levels:
    """What src/base/levels.h and cpu.h declare: the features that each level needs, those that its
    target grants, and the bit of each feature."""

    def __init__(self, root):
        self.path, self.need, self.grant, self.line, self.faults = ("src/base/levels.h", {}, {}, {},
                                                                    [])
        with open(f"{root}/{self.path}", encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if m := re.match(r"#\s*define TY_((?:NEED|TARGET)_\w+)\s", line):
                    self.line.setdefault(m[1], number)
        text = read(f"{root}/{self.path}").replace("\\\n", " ")
        self.names = re.findall(r"X\((\w+)\)",
                                text[text.index("#define TY_LEVELS(X)"):].split("\n\n")[0])
        for kind, name, body in re.findall(r"#\s*define TY_(NEED|TARGET)_(\w+)[ \t]+([^\n]*)",
                                           text):
            table = self.need if kind == "NEED" else self.grant
            own = (set(re.findall(r"TY_CPU_(\w+)", body)) if kind ==
                   "NEED" else self.granted(name, body))
            for below in re.findall(rf"TY_{kind}_(\w+)", body):
                own |= table[below]
            table[name] = own
        portable = re.findall(r"#define TY_PORTABLE_(\w+)", read(f"{root}/src/base/level_begin.h"))
        for at, name in enumerate(self.names):
            if name not in self.need:
                self.faults.append(f"{self.path}: {name} has no TY_NEED_{name}")
                continue
            if name not in self.grant and name not in portable:
                self.fault("NEED", name, f"{name} has no TY_TARGET_{name}")
            for later in self.names[at + 1:]:
                if later in self.need and self.need[later] < self.need[name]:
                    self.fault("NEED", name,
                               f"{name} stands before {later} in TY_LEVELS and needs more")
        for name, grant in self.grant.items():
            for feature in sorted(grant - self.need.get(name, set())):
                self.fault("TARGET", name,
                           f"TY_TARGET_{name} grants {feature}, which TY_NEED_{name} lacks")
        self.features(root)

    def fault(self, kind, name, what):
        self.faults.append(f"{self.path}:{self.line[f'{kind}_{name}']}: {what}")

    def granted(self, name, body):
        words = [w for part in re.findall(r'"([^"]*)"', body) for w in part.split(",") if w]
        for w in words:
            if w not in TARGETS:
                self.fault("TARGET", name,
                           f"TY_TARGET_{name}: '{w}' is unknown to TARGETS of tools/levels.py")
        return {feature for w in words for feature in TARGETS.get(w, [])}

    def features(self, root):
        """Faults where a feature has no bit of its own, or cpu.c does not detect it."""
        detected = set(re.findall(r"TY_CPU_(\w+)", read(f"{root}/src/base/cpu.c")))
        owner = {}
        with open(f"{root}/src/base/cpu.h", encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if not (m := re.match(r"#define TY_CPU_(\w+)\s+\(1u << (\d+)\)", line)):
                    continue
                if owner.setdefault(m[2], m[1]) != m[1]:
                    self.faults.append(f"src/base/cpu.h:{number}: TY_CPU_{m[1]} has the bit of "
                                       f"TY_CPU_{owner[m[2]]}")
                if m[1] not in detected:
                    self.faults.append(f"src/base/cpu.h:{number}: nothing in src/base/cpu.c "
                                       f"detects TY_CPU_{m[1]}")


def code_faults(library, levels):
    """Faults of the instructions in a library, and the numbers of instructions and kernels."""
    tool = os.environ.get("OBJDUMP", "objdump")
    try:
        dump = subprocess.run([tool, "-d", "-w", library], check=True, env=ENGLISH,
                              capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as e:
        sys.exit(f"levels.py: {tool} {library}: {getattr(e, 'stderr', '') or e}")
    machine = re.search(r"file format (\S+)", dump)
    if not machine or machine[1] not in MACHINES:
        sys.exit(f"levels.py: {library}: no code of x86-64, AArch64 or little-endian ARM")
    rules_of, everywhere = MACHINES[machine[1]]
    rules = [(re.compile(pattern), feature) for pattern, feature in rules_of]
    faults, kernels, count, symbol, level, allowed, known = {}, set(), 0, "", "", everywhere, {}
    for line in dump.splitlines():
        if m := re.match(r"[0-9a-f]+ <([^>]+)>:", line):
            symbol = m[1].split(".")[0]
            level = symbol.rsplit("_", 1)[-1]
            allowed = levels.need.get(level, set()) | (set() if level in EXACT else everywhere)
            if level in levels.need:
                kernels.add(symbol)
        elif m := re.match(r"\s+[0-9a-f]+:\s+((?:[0-9a-f]{2} )+|[0-9a-f]{8}|[0-9a-f]{4}(?: "
                           r"[0-9a-f]{4})?)\s+(\S.*)", line):
            text = re.sub(r"\s+", " ", m[2]).split(" #")[0] + " "
            # The target of a branch is not an operand: d30 <ty_x+0xd30>
            text = re.sub(r"\b[0-9a-f]+ (?=<)", "", text)
            if text.startswith("."):   # data among code
                continue
            count += 1
            if rules_of is ARM32 and re.fullmatch(r"[0-9a-f]{8}", m[1]) and level in EXACT:
                faults.setdefault((symbol, "ARM state"), text.strip())
            evex = rules_of is X86 and re.match(r"(26|2e|36|3e|64|65|67| )*62 ", m[1]) is not None
            if (text, evex) not in known:
                known[text, evex] = {feature for rule, feature in rules if rule.match(text)} | (
                    {"AVX512"} if evex else set())
            for feature in known[text, evex] - allowed:
                faults.setdefault((symbol, feature), text.strip())
    return ([f"{where}: needs {feature}: {text}"
             for (where, feature), text in sorted(faults.items())], count, len(kernels))


def references(library):
    """(object, symbol, symbol that it refers to): the relocations of a library; and its defined
    symbols, with their objects."""
    tool = os.environ.get("OBJDUMP", "objdump")
    dump = subprocess.run([tool, "-t", "-r", "-w", library], check=True, env=ENGLISH,
                          capture_output=True, text=True).stdout
    found, defined = [], {}
    for part in re.split(r"^(?=\S+: +file format)", dump, flags=re.M):
        name, section, places = part.split(":", 1)[0], None, {}
        for address, where, symbol in re.findall(r"^([0-9a-f]+) .{7} (\S+)\t[0-9a-f]+ +(?:\.hidden "
                                                 r")?(\w+)$", part, re.M):
            if where != "*UND*":
                places.setdefault(where, []).append((int(address, 16), symbol))
                defined[symbol] = name
        for symbols in places.values():
            symbols.sort()
        for line in part.splitlines():
            if m := re.match(r"RELOCATION RECORDS FOR \[(.*)\]:", line):
                section = m[1]
            elif section and (m := re.match(r"([0-9a-f]+) R_\S+ +(\w+)", line)):
                symbols = places.get(section, [])
                if at := bisect.bisect(symbols, (int(m[1], 16), "~")):
                    found.append((name, symbols[at - 1][1], m[2]))
    return found, defined


def reference_faults(library, levels, one_tier=False):
    """References from a kernel or an ops struct to a level that its own does not include, and tiers
    that are in no list; with -DTY_TIER a list has only one of them."""
    found, defined = references(library)
    faults = set()
    for name, user, used in found:
        has, needs = (levels.need.get(symbol.rsplit("_", 1)[-1]) for symbol in (user, used))
        if has is not None and needs is not None and needs - has:
            faults.add(f"{name}: {user} refers to {used}, which needs "
                       f"{', '.join(sorted(needs - has))}")
    listed = {used for _, user, used in found if user.endswith("_tiers")}
    for symbol, name in defined.items():
        if not one_tier and (m := re.fullmatch(r"ty_\w+_ops_([a-z0-9]+)",
                                               symbol)) and m[
                                                   1] in levels.need and symbol not in listed:
            faults.add(f"{name}: {symbol} is in no list of tiers of this machine")
    return sorted(faults)


def source_faults(root, levels):
    """Faults where a tier file has another level than its name, or more than one, or a list of
    tiers is not in families.h; and the number of families."""
    faults = list(levels.faults)
    listed = re.findall(r"X\(\w+, *(\w+)\)", read(f"{root}/src/about/families.h"))
    macros, families, shared = {}, {}, {}
    for path in sorted(glob.glob(f"{root}/src/*/*.[ch]")):
        text, name = read(path), os.path.relpath(path, root)
        own = set(re.findall(r"#define TY_LEVEL (\w+)", text))
        if len(own) > 1:
            faults.append(f"{name}: one file, one level, not {', '.join(sorted(own))}")
        for level in own - set(levels.names):
            faults.append(f"{name}: {level} is not a level")
        stem = re.sub(r"\.[ch]$", "", os.path.basename(path)).rsplit("_", 1)[-1]
        if own and stem in levels.names and stem not in own:
            faults.append(f"{name}: its level is {', '.join(own)}")
        if re.search(r"#\s*(if|elif).*\bTY_TIER\b", text) and not name.startswith("src/base/"):
            faults.append(f"{name}: only base/levels.h may test TY_TIER")
        # #define TY_EC_F2_113_TIERS(X) TY_EC_F2_TIERS(X, ec_f2_113): the tiers of many families in
        # one list, perhaps with more
        shared |= dict(re.findall(r"#define (\w+)\(X\) +(\w+)\(X, \w+\)(?: TY_ON_.*)?\n", text))
        for family, macro in re.findall(r"\bTY_FAMILY\((\w+), *(\w+)\)", text):
            if "#define TY_FAMILY(" not in text:
                families[family] = macro
                macros.setdefault(macro, name)
    reachable = {shared.get(families[family], families[family])
                 for family in listed if family in families}
    faults += [f"src/about/families.h: {family} is not a family"
               for family in listed if family not in families]
    faults += [f"{name}: no family of {macro} is in src/about/families.h"
               for macro, name in macros.items() if shared.get(macro, macro) not in reachable]
    return faults, len(families)


X86_CASES = [
    ("vpaddq %zmm1,%zmm2,%zmm3", "AVX512"), ("vpaddd %ymm17,%ymm2,%ymm3", "AVX512"),
    ("kmovb %k1,%eax", "AVX512"), ("vpmullq %ymm1,%ymm2,%ymm3", "AVX512"),
    ("vpabsq %xmm1,%xmm2", "AVX512"), ("vpscatterqd %ymm1,(%rax,%zmm2){%k1}", "NONE"),
    ("vpgatherdd %ymm1,(%rax,%ymm2),%ymm3", "NONE"), ("vpermb %zmm1,%zmm2,%zmm3", "IFMA"),
    ("lzcnt %rax,%rax", "NONE"),
    ("vaesenc %ymm1,%ymm2,%ymm3", "VAES"), ("vpclmulqdq $0,%ymm1,%ymm2,%ymm3", "VCLMUL"),
    ("mulx %rax,%rbx,%rcx", "BMI2"), ("adcx %rax,%rbx", "ADX"), ("pshufb %xmm1,%xmm2", "SSE41"),
    ("vfmadd231pd %ymm1,%ymm2,%ymm3", "FMA"), ("gf2p8affineqb $0,%xmm1,%xmm2", "GFNI"),
    ("sha256rnds2 %xmm1,%xmm2", "SHA256"), ("vpaddd %xmm1,%xmm2,%xmm3", "AVX2"),
    ("aesenc %xmm1,%xmm2", "AES"), ("pclmulqdq $0,%xmm1,%xmm2", "CLMUL"),
    ("popcnt %rax,%rax", "AVX2")]
ARM32_CASES = [
    (".fpu neon\n vadd.i32 q0,q1,q2", "ARMV7A"), ("vadd.f64 d0,d1,d2", "ARMV7A"),
    ("ldrexd r0,r1,[r2]", "ARMV7A"),
    (".fpu neon\n vldr d16,[r0]", "ARMV7A"), (".arm\n add r0,r1,r2", "ARM state")]
# The branch's target, d30, looks like the name of a register.
ARM32_RIGHT = ("umaal r0,r1,r2,r3\n smmulr r0,r1,r2\n mls r0,r1,r2,r3\n vmov r0,s3\n vldmia "
               "r0!,{s0-s13}\n vldr d7,[r0]\n sadd8 r0,r1,r2\n b 9f\n .org 0xd30\n9:")
X86_RIGHT = "add %rax,%rbx\n paddd %xmm1,%xmm2\n pmaxub %xmm1,%xmm2"


def in_french(path):
    """Makes OBJDUMP a program that translates as objdump does, if it is not told otherwise."""
    tool = os.environ.get("OBJDUMP", "objdump")
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"""#!/bin/sh
[ "$LC_ALL" = C ] && exec {tool} "$@"
{tool} "$@" | sed 's/file format/format de fichier/'
""")
    os.chmod(path, 0o755)
    os.environ.update(OBJDUMP=path, LC_ALL="fr_FR.UTF-8")


def self_test():
    """Each rule on an instruction that breaks it, and code that breaks none."""
    cc = os.environ.get("CC", "cc")
    machine = subprocess.run([cc, "-dumpmachine"], check=True, capture_output=True,
                             text=True).stdout
    if machine.startswith("x86_64"):
        cases, right, head, word = X86_CASES, X86_RIGHT, ".text\nty_x_c64:\n", ".quad"
    elif machine.startswith("arm"):
        cases, right, word = ARM32_CASES, ARM32_RIGHT, ".word"
        head = ".syntax unified\n.thumb\n.text\n.type ty_x_m4,%function\nty_x_m4:\n"
    else:
        print(f"levels.py --self-test: SKIPPED: no cases for {machine.strip()}")
        return 77
    wrong = []
    with tempfile.TemporaryDirectory() as d:
        source, obj = os.path.join(d, "x.s"), os.path.join(d, "x.o")
        in_french(os.path.join(d, "objdump"))

        def assemble(text):
            with open(source, "w", encoding="utf-8") as f:
                f.write(text)
            subprocess.run([cc, "-c", source, "-o", obj], check=True)

        def faults(text):
            assemble(f"{head} {text}\n nop\n")
            return code_faults(obj, Levels(ROOT))[0]

        def table(text):
            assemble(f".data\n.globl ty_x_ops_c, ty_x_tiers\nty_x_ops_c: {word} ty_f_{text}\n"
                     f"ty_x_tiers: {word} ty_x_ops_{text}\n")
            return reference_faults(obj, Levels(ROOT))

        for text, feature in cases:
            found = faults(text)
            if not any(f"needs {feature}:" in f for f in found):
                wrong.append(f"{text}: {found or 'not caught'}")
        wrong += faults(right) + table("c")
        above = "avx2" if word == ".quad" else "m4"
        if [f.split(": ", 1)[1] for f in table(above)] != [
                "ty_x_ops_c is in no list of tiers of this machine",
                f"ty_x_ops_c refers to ty_f_{above}, which needs "
                + ", ".join(sorted(Levels(ROOT).need[above] - {"C"}))]:
            wrong.append(f"an ops struct with a kernel above its level, in no list: {table(above)}")
    for w in wrong:
        print("levels.py --self-test:", w, file=sys.stderr)
    if not wrong:
        print(f"levels.py --self-test: {len(cases)} instructions and a reference above their "
              "level are caught")
    return bool(wrong)


def main():
    args = [a for a in sys.argv[1:] if a != "--one-tier"]
    if "-h" in args or "--help" in args:
        print(__doc__.strip())
        return 0
    if args == ["--self-test"]:
        return self_test()
    if len(args) not in (1, 2) or (args[0].startswith("-") and args[0] != "--sources"):
        print("levels.py: one library or --sources, please; try --help", file=sys.stderr)
        return 2
    root = args[1] if len(args) == 2 else ROOT
    levels = Levels(root)
    if args[0] == "--sources":
        faults, count = source_faults(root, levels)
        summary = f"levels: {len(levels.need)} levels and {count} families agree"
    else:
        faults, count, kernels = code_faults(args[0], levels)
        faults = (levels.faults + faults + reference_faults(args[0], levels,
                                                            "--one-tier" in sys.argv))
        summary = f"levels: {count} instructions, {kernels} kernels keep to their levels"
        if not kernels:
            faults.append(f"{args[0]}: it has no kernels")
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(summary)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
