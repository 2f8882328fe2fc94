#!/usr/bin/env python3
"""The programs that came with LibTomMath 0.11 (tag 0.11 of its repository), on our bn.h and
library.

    old_programs.py LIBTOMMATH.A [CHECKOUT]   by default CHECKOUT is $TONGYU_LTM011; without either
                                              the exit status is 77

demo.c checks what mtest/mtest.c, with the MPI of its time, computes from random numbers
(2000 cases, or TONGYU_LTM011_CASES); etc/mersenne.c finds Mersenne primes; etc/pprime.c makes a
prime; poly.c compiles. The checkout is not changed: its programs are compiled unchanged, with the
flags of its makefile, in a temporary folder."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ["-w", "-ansi", "-O2"]     # those of its makefile, without warnings
MERSENNE = [3, 5, 7, 13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279]


def compile_all(folder, checkout, library):
    cc = os.environ.get("CC", "cc")
    for source in ("demo.c", "poly.c", "poly.h", "etc/mersenne.c", "etc/pprime.c"):
        shutil.copy(checkout / source, folder)
    shutil.copytree(checkout / "mtest", folder / "mtest")
    (folder / "bn.h").write_text('#include "tongyu/compat/bn.h"\n')
    include = [f"-I{folder}", f"-I{ROOT / 'include'}"]
    for name in ("demo", "mersenne", "pprime"):
        subprocess.run([cc, *FLAGS, *include, folder / f"{name}.c", library, "-pthread", "-o",
                        folder / name], check=True)
    subprocess.run([cc, *FLAGS, *include, "-c", folder / "poly.c", "-o", folder / "poly.o"],
                   check=True)
    # MPI's sums of 16-bit digits overflow an int: without -fwrapv its results are wrong
    subprocess.run([cc, *FLAGS, "-fwrapv", folder / "mtest/mtest.c", "-o", folder / "mtest/mtest"],
                   check=True)


def cases(folder, wanted):
    """`wanted` cases of mtest, which never ends: each begins with the name of an operation."""
    lines, begun = [], 0
    with subprocess.Popen([folder / "mtest/mtest"], stdout=subprocess.PIPE) as mtest:
        for line in mtest.stdout:
            begun += line[:1].islower()
            if begun > wanted:
                break
            lines.append(line)
        mtest.kill()
    return b"".join(lines)


def demo(folder, wanted):
    """Runs the demo on these cases; returns the number of operations that it counts. The demo ends
    only at a case that differs, with a message."""
    run = subprocess.Popen([folder / "demo"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    # a line that is not an operation makes it show the counters again
    run.stdin.write(cases(folder, wanted) + b"end\n")
    run.stdin.flush()
    text = b""
    while b"end  ]" not in text and (more := run.stdout.read1()):
        text += more
    run.kill()
    run.wait()
    found = re.findall(rb"((?: *\d+/){11})", text)
    counts = [int(n) for n in found[-1].rstrip(b"/").split(b"/")] if found else []
    if b"fail" in text or sum(counts) != wanted or min(counts) == 0:
        sys.exit(f"old_programs.py: demo: {counts} of {wanted}: "
                 f"{text[-600:].decode(errors='replace')}")
    return len(counts)


def mersenne(folder):
    found = []
    with subprocess.Popen(["stdbuf", "-oL", folder / "mersenne"], stdout=subprocess.PIPE,
                          text=True) as run:
        for line in run.stdout:
            if m := re.match(r"2\^(\d+) *- 1 is prime", line):
                found.append(int(m[1]))
            if len(found) >= len(MERSENNE):
                break
        run.kill()
    if found != MERSENNE:
        sys.exit(f"old_programs.py: mersenne: {found}")


def pprime(folder):
    output = subprocess.run([folder / "pprime"], input="60\n8\n", capture_output=True, text=True,
                            check=True).stdout
    prime = int(re.search(r"^P == (\d+)$", output, re.M)[1])
    if prime.bit_length() > 61 or any(pow(base, prime - 1, prime) != 1
                                      for base in (2, 3, 5, 7, 11, 13)):
        sys.exit(f"old_programs.py: pprime: {prime} is not a prime of 60 bits")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    checkout = sys.argv[2] if len(sys.argv) == 3 else os.environ.get("TONGYU_LTM011")
    if not checkout:
        print("skipped: TONGYU_LTM011 names no checkout of LibTomMath 0.11")
        sys.exit(77)
    wanted = int(os.environ.get("TONGYU_LTM011_CASES", "2000"))
    with tempfile.TemporaryDirectory() as d:
        folder = pathlib.Path(d)
        compile_all(folder, pathlib.Path(checkout), sys.argv[1])
        kinds = demo(folder, wanted)
        mersenne(folder)
        pprime(folder)
    print(f"old programs: demo agrees with MPI in {wanted} cases of {kinds} operations; "
          f"mersenne up to 2^{MERSENNE[-1]} - 1, pprime, poly.c")


if __name__ == "__main__":
    main()
