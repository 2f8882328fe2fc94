#!/usr/bin/env python3
"""The names that libtommath.so.1 exports are those that our header declares, and those of the
LibTomMath that is installed.

    abi.py LIB.so [THEIRS]   exported names == declared ones; the SONAME; none of our names is
                             undefined; and every public name of THEIRS (by default the
                             distribution's libtommath.so.1, if there is one) is among them
    abi.py --self-test
"""
import glob
import os
import re
import subprocess
import sys

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "../../include/tongyu/compat/tommath.h")
DISTRIBUTION = glob.glob("/usr/lib/*/libtommath.so.1") + glob.glob("/usr/lib/libtommath.so.1")
# Exported by LibTomMath 1.2, which exports everything, but not declared in its headers: internal
# functions, and their names before 1.2.
PRIVATE = re.compile(r"s_mp_|fast_|mp_s_rmap|mp_(balance_mul|exptmod_fast|invmod_slow|karatsuba_(m"
                     r"ul|sqr)|toom_(mul|sqr))$")
SINCE_13 = {"mp_expt_n", "mp_log_n", "mp_root_n"}


def declared(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(\\\n|[^\n])*", "", text, flags=re.M)
    names = set()
    for statement in text.split(";"):
        statement = re.sub(r"\bMP_DEPRECATED\(\w+\)", "", statement)
        if "typedef" in statement:
            continue
        function = re.search(r"\b(mp_\w+)\s*\((?!\s*\*)", statement)
        if "extern" in statement and not function:
            names |= set(re.findall(r"\b(\w+_CUTOFF|ltm_\w+)\b", statement))
        elif function:
            names.add(function.group(1))
    return names


def symbols(library, which):
    out = subprocess.run(["nm", "-D", which, "-P", library], check=True, capture_output=True,
                         text=True).stdout
    return {line.split()[0].split("@")[0] for line in out.splitlines()}


def exported(library):
    return symbols(library, "--defined-only")


def undefined(library):
    """Our names that are undefined in the library: no program could load it."""
    return sorted(n for n in symbols(library, "--undefined-only") if n.startswith(("ty_", "mp_")))


def soname(library):
    out = subprocess.run(["readelf", "-dW", library], check=True, capture_output=True,
                         text=True).stdout
    return re.search(r"SONAME.*\[(.*)\]", out).group(1)


def faults(have, want, theirs):
    bad = [f"declared and missing: {n}" for n in sorted(want - have)]
    bad += [f"exported and not declared: {n}" for n in sorted(have - want)]
    if theirs is not None:
        public = {n for n in theirs if not PRIVATE.match(n)}
        bad += [f"in the distribution's library and not in ours: {n}"
                for n in sorted(public - have)]
        bad += [f"in ours and not in the distribution's library: {n}"
                for n in sorted(have - public - SINCE_13)]
    return bad


def self_test():
    header = """#define mp_macro(a) mp_b(a)
    extern int X_CUTOFF, Y_CUTOFF; extern const mp_digit ltm_tab[4];
    typedef int mp_type(int a); /* mp_comment(x); */
    MP_DEPRECATED(mp_b) mp_err mp_a(const mp_int *a) MP_WUR;
    void mp_source(mp_err (*source)(void *out, size_t size));"""
    names = {"X_CUTOFF", "Y_CUTOFF", "ltm_tab", "mp_a", "mp_source"}
    assert declared(header) == names, declared(header)
    assert not faults(names, names, names | {"s_mp_add", "fast_mp_invmod"})
    assert len(faults(names - {"mp_a"}, names, None)) == 1
    assert len(faults(names | {"ty_mp_add"}, names, None)) == 1
    assert len(faults(names, names, names | {"mp_new"})) == 1
    assert len(faults(names, names, names - {"mp_a"})) == 1
    print("abi.py --self-test: 4 differences are detected")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    theirs = sys.argv[2] if len(sys.argv) == 3 else DISTRIBUTION[0] if DISTRIBUTION else None
    with open(HEADER, encoding="utf-8") as f:
        want = declared(f.read())
    have = exported(sys.argv[1])
    bad = faults(have, want, exported(theirs) if theirs else None)
    bad += [f"undefined: {n}" for n in undefined(sys.argv[1])]
    if soname(sys.argv[1]) != "libtommath.so.1":
        bad.append(f"SONAME is {soname(sys.argv[1])}")
    for b in bad:
        print(b, file=sys.stderr)
    if not bad:
        print(f"abi: {len(have)} names, as declared" +
              (f", and as in {theirs}" if theirs
               else "; no LibTomMath is installed to compare with"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
