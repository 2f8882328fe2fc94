#!/usr/bin/env python3
"""Modelled cycles of a signature of ML-DSA for each amount of stack, as in the table of
docs/firmware.md:

    tools/fw_signing.py BUILD              the folder of a build with the target `signing`; prints
                                           the table, and fails where the page differs by more than
                                           2 %
    tools/fw_signing.py BUILD --update     write the figures into the page
    tools/fw_signing.py BUILD --only 44-32768,...   these images alone

The mean is that of 1,000 signatures, MANY below. A signature takes several attempts, and an attempt
consists of the commitment and of the parts of the response up to the one that is rejected.
fw/attempts.c, which runs the library's code on this machine, makes all 1,000 signatures and counts
the parts of each attempt. Each image of fw/signing.c makes the first 20 of them in the cycle model,
where the attempts are the same, part by part, and each part is measured. The figure for one attempt
is the mean of the signatures that need only one.

Also checked: the model's attempts are those that were counted, with all their parts; and the mean
of each half of the signatures that the model ran follows, within half a percent, from the parts of
the other half. A build with -DTONGYU_FW_SIGNATURES=1000 runs all of them in the model, which takes
minutes for each image.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/firmware.md"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/m4cycles"))
import fw_compiler                                 # noqa: E402
from machine import Fault, Image, Machine          # noqa: E402

MANY = 1000
STANDARD = {44: 4.25, 65: 5.1, 87: 3.85}           # attempts expected, FIPS 204, table 1
SPEED = {44: 32768, 65: 49152, 87: 79872}          # everything is kept, unpacked
BUDGETS = [(44, 5248), (44, 16384), (44, 32768), (65, 6720), (65, 16384), (65, 32768),
           (65, 49152), (87, 8192), (87, 16384), (87, 32768), (87, 65536), (87, 79872)]
PARTS = ("take_s2", "give_z", "make_hint")         # functions of src/mldsa/lean_rows.c
SOURCES = ("mldsa/*.c", "keccak/*.c", "base/*.c", "mod/q_mldsa*.c")


def counted(numbers):
    """For each set and each of MANY signatures, how many parts each attempt has."""
    sources = [f for pattern in SOURCES for f in sorted((ROOT / "src").glob(pattern))
               if f.name != "lean_rows.c"]         # which fw/attempts.c includes
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "attempts"
        subprocess.run(["cc", "-O2", "-DTY_TIER=c", f"-I{ROOT}/src", f"-I{ROOT}/include",
                        ROOT / "fw/attempts.c", *sources, "-o", program], check=True)
        found = {}
        for number in numbers:
            done = subprocess.run([program, str(number), str(MANY)], capture_output=True,
                                  text=True, check=False)
            if done.returncode:
                raise Fault(f"ML-DSA-{number} on this machine: {done.stderr} {done.returncode}")
            found[number] = [[int(n) for n in line.split()] for line in done.stdout.splitlines()]
            n = attempts(found[number])
            if len(found[number]) != MANY or abs(n / STANDARD[number] - 1) > 0.1:
                raise Fault(f"ML-DSA-{number}: {n} attempts on average of {len(found[number])}")
    return found


def attempts(signatures):
    return statistics.fmean(map(len, signatures))


class Attempt:
    def __init__(self, cycles, parts):
        self.parts, self.rest = parts, cycles - sum(parts)


def modelled(path):
    """(attempts of each signature, cycles of each signature outside them, bytes of stack)"""
    image = Image(path)
    names = ["bench_sign"]
    for wanted in ("lean_attempt", *PARTS):        # the compiler may add .isra.0 to a name
        names += [n for n in image.symbols if n.split(".")[0] == wanted][:1]
    if len(names) != 2 + len(PARTS):
        raise Fault(f"{path}: it has {', '.join(names)}, and parts of an attempt are missing")
    machine = Machine(image, names)
    status = machine.run()
    if status or b"signing: passed" not in machine.output:
        raise Fault(f"{path}: it ends with {status}: {machine.output.decode(errors='replace')}")
    signatures, beside, stack, current, parts = [], [], 0, [], []
    for i in range(machine.state.contents.records):   # in the order in which calls end
        record = machine.state.contents.record[i]
        cycles = record.used.cycles
        if record.watched > 1:
            parts.append(cycles)
        elif record.watched == 1:
            current.append(Attempt(cycles, parts))
            parts = []
        else:
            signatures.append(current)
            beside.append(cycles - sum(a.rest + sum(a.parts) for a in current))
            stack, current = max(stack, record.stack), []
    if current or parts or not signatures or not all(signatures):
        raise Fault(f"{path}: it has no signature, one without attempts, or an attempt outside any")
    return signatures, beside, stack


def mean(values, what):
    values = list(values)
    if not values:
        raise Fault(f"the sample has no {what}")
    return statistics.fmean(values)


class Costs:
    """Mean cycles from a sample of signatures: `part` of each part of an attempt, `later` of the
    rest of an attempt, `first` and `last` of what the rest of the first and of the last attempt
    takes in addition, and `beside` of what is outside the attempts."""

    def __init__(self, signatures, beside):
        every = [a for s in signatures for a in s]
        self.beside = statistics.fmean(beside)
        self.part = [mean((a.parts[i] for a in every if len(a.parts) > i), f"part {i}")
                     for i in range(max(len(a.parts) for a in every))]
        self.later = mean((a.rest for s in signatures for a in s[1:-1]),
                          "signature of three attempts")
        # the first one makes the polynomials of A that are kept, the last one packs the hint
        self.first = mean((s[0].rest for s in signatures if len(s) > 1),
                          "signature of two attempts") - self.later
        self.last = mean((s[-1].rest for s in signatures if len(s) > 1),
                         "signature of two attempts") - self.later

    def of(self, signatures):
        """The mean of these signatures, each given as the number of parts of each attempt."""
        reached = [statistics.fmean(sum(n > i for n in s) for s in signatures)
                   for i in range(len(self.part))]
        return (self.beside + self.first + self.last + attempts(signatures) * self.later +
                sum(n * cost for n, cost in zip(reached, self.part)))


def whole(signature, beside):
    return beside + sum(a.rest + sum(a.parts) for a in signature)


def halves(signatures, beside):
    """The larger error of the two means that the parts of each half predict for the other half."""
    worst, n = 0, len(signatures) // 2
    for known, asked in ((slice(n), slice(n, None)), (slice(n, None), slice(n))):
        costs = Costs(signatures[known], beside[known])
        real = statistics.fmean(map(whole, signatures[asked], beside[asked]))
        parts = [[len(a.parts) for a in s] for s in signatures[asked]]
        worst = max(worst, abs(costs.of(parts) / real - 1))
    return worst


def measured(build, number, ram, many):
    """(bytes of stack, cycles of a signature of one attempt, mean cycles of many signatures)"""
    signatures, beside, stack = modelled(f"{build}/bin/signing/signing-{number}-{ram}.elf")
    depths = [[len(a.parts) for a in s] for s in signatures]
    if depths != many[:len(depths)]:
        raise Fault(f"ML-DSA-{number} in {ram} bytes: the model's attempts are not those counted")
    error = halves(signatures, beside)
    print(f"ML-DSA-{number}, {ram} bytes: the {len(depths)} signatures that the model ran take "
          f"{statistics.fmean(map(whole, signatures, beside)) / 1e6:.3f} M on average; each half "
          f"predicts the mean of the other within {100 * error:.2f} %", flush=True)
    if error > 0.005:
        raise Fault("that is more than 0.5 %")
    once = mean((whole(s, b) for s, b in zip(signatures, beside) if len(s) == 1),
                f"signature of one attempt for ML-DSA-{number}")
    return stack, once, Costs(signatures, beside).of(many)


def main():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("build")
    p.add_argument("--update", action="store_true")
    p.add_argument("--only", metavar="SET-BYTES,...", type=lambda s: s.split(","))
    a = p.parse_args()
    page, wrong, rows = PAGE.read_text(encoding="utf-8"), 0, {}
    try:
        many = counted(SPEED)
        for number, signatures in many.items():
            print(f"ML-DSA-{number}: {attempts(signatures):.2f} attempts on average of {MANY} "
                  f"signatures, {STANDARD[number]} by the standard")
        for number, ram in BUDGETS:
            if not a.only or f"{number}-{ram}" in a.only:
                rows[number, ram] = measured(a.build, number, ram, many[number])
    except (Fault, OSError, subprocess.SubprocessError) as e:
        print(f"fw_signing.py: {e}", file=sys.stderr)
        return 2
    if a.only:
        return 0
    for (number, ram), (stack, once, average) in rows.items():
        figures = [stack, round(once / 1e6, 3), round(average / 1e6, 2),
                   round(average / rows[number, SPEED[number]][2], 2)]
        row = f"ML-DSA-{number}, `TY_MLDSA_RAM={ram}`"
        print(f"{row}: {figures[0]} bytes of stack, {figures[1]} M for one attempt, {figures[2]} M "
              f"for the mean of {MANY}, {figures[3]} times the quickest")
        line = re.search(rf"^\| {re.escape(row)} \| ([0-9]+) \| ([0-9.]+) M \| ([0-9.]+) M \| "
                         r"([0-9.]+) \|", page, re.M)
        if not line:
            sys.exit(f"fw_signing.py: {PAGE} has no row '{row}'")
        if a.update:
            page = page.replace(line[0], f"| {row} | {figures[0]} | {figures[1]:.3f} M | "
                                         f"{figures[2]:.2f} M | {figures[3]:.2f} |")
        elif any(abs(now - float(said)) > 0.02 * now + 0.005
                 for now, said in zip(figures, line.groups())):
            print(f"fw_signing.py: {row}: the page says {', '.join(line.groups())}, and other "
                  "figures were measured; --update writes them into the page", file=sys.stderr)
            wrong += 1
    if a.update:
        PAGE.write_text(page, encoding="utf-8")
    return wrong != 0 and not fw_compiler.is_other_gcc("fw_signing.py")


if __name__ == "__main__":
    sys.exit(main())
