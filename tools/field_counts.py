#!/usr/bin/env python3
"""Instructions that one reduction and one product in the field of SM2 take by each method, on
machines that QEMU emulates.

    field_counts.py [MACHINE...]   a table in Markdown: i686 armv7 aarch64 riscv64, or those that
                                   are named
    field_counts.py --check        checks only that on i686 and armv7 a product with folding takes
                                   fewer instructions than one with the Montgomery reduction that
                                   works for any modulus, and no more than one with the Montgomery
                                   reduction that needs no multiplications, all on 32-bit words;
                                   exit 1 if not, 77 without the tools

Each count is the difference of two runs with more and fewer rounds, so that the program's start is
not counted; QEMU executes one instruction at a time and logs each. Needs the cross compilers and
qemu-user.
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
MACHINES = {
    "i686": ("i686-linux-gnu-gcc", "qemu-i386"), "armv7": ("arm-linux-gnueabihf-gcc", "qemu-arm"),
    "aarch64": ("aarch64-linux-gnu-gcc", "qemu-aarch64"),
    "riscv64": ("riscv64-linux-gnu-gcc", "qemu-riscv64"),
}
ROUNDS = 8


def build(machine, folder):
    """The counted program for a machine, or None without its tools."""
    cc, qemu = MACHINES[machine]
    if not shutil.which(cc) or not shutil.which(qemu):
        return None
    program = os.path.join(folder, machine)
    sources = [os.path.join(ROOT, "bench/mod/count_p_sm2.c")]
    for pattern in ("bench/sm2_field/*.c", "src/mod/p_sm2_neon.S", "src/base/*.c"):
        sources += sorted(glob.glob(os.path.join(ROOT, pattern)))
    subprocess.run([cc, "-O2", "-static", "-I" + os.path.join(ROOT, "src"),
                    "-I" + os.path.join(ROOT, "include"),
                    "-I" + os.path.join(ROOT, "bench"),
                    *sources, "-o", program], check=True)
    return program


class Counter:
    def __init__(self, machine, program):
        self.qemu, self.program = MACHINES[machine][1], program
        shown = subprocess.run([self.qemu, "--help"], capture_output=True, text=True).stdout
        self.one = "-one-insn-per-tb" if "one-insn-per-tb" in shown else "-singlestep"
        names = subprocess.run([self.qemu, program], capture_output=True, text=True,
                               check=True).stdout
        self.methods = names.split()

    def executed(self, method, what, rounds):
        trace = subprocess.run([self.qemu, self.one, "-d", "exec,nochain", "-D", "/dev/stdout",
                                self.program, method, what,
                                str(rounds)], capture_output=True, check=True).stdout
        return trace.count(b"\nTrace ")

    def per_round(self, method, what):
        more, fewer = (self.executed(method, what, k * ROUNDS) for k in (2, 1))
        return (more - fewer) / ROUNDS


def table(machines, folder):
    print("| machine | method | reduction | product |\n|---|---|---|---|")
    for machine in machines:
        program = build(machine, folder)
        if not program:
            print(f"field_counts.py: {machine}: {' or '.join(MACHINES[machine])} is missing",
                  file=sys.stderr)
            continue
        counter = Counter(machine, program)
        for method in counter.methods:
            counts = [round(counter.per_round(method, what)) for what in ("reduce", "mul")]
            print(f"| {machine} | {method} | {counts[0]} | {counts[1]} |", flush=True)
    return 0


def check(folder):
    status = 77
    for machine in ("i686", "armv7"):
        program = build(machine, folder)
        if not program:
            continue
        counter = Counter(machine, program)
        mul = {name: counter.per_round(name, "mul") for name in ("fold32", "clear32", "mont32")}
        best = min(mul.values())
        counts = ", ".join(f"{method} {count:.0f}" for method, count in mul.items())
        good = 0 < mul["fold32"] == best and mul["fold32"] < mul["mont32"]
        print(f"field_counts: {machine}, instructions of a product: "
              f"{counts}{'' if good else ': folding is not the best'}")
        status = max(status % 77, 0 if good else 1)
    return status


def main():
    args = sys.argv[1:]
    wrong = [a for a in args if a not in MACHINES and a != "--check"]
    if wrong or len(args) > 1 and "--check" in args:
        print(__doc__.strip())
        return 0 if wrong in (["-h"], ["--help"]) else 2
    with tempfile.TemporaryDirectory() as folder:
        return check(folder) if args == ["--check"] else table(args or list(MACHINES), folder)


if __name__ == "__main__":
    sys.exit(main())
