#!/usr/bin/env python3
"""What a signature of ML-DSA takes for each amount of stack, in modelled cycles, as the table of
docs/firmware.md has it:

    tools/fw_signing.py BUILD              the folder of a build with the target `signing`; prints
                                           the table, and fails where the page says something else
                                           by more than 2 %
    tools/fw_signing.py BUILD --update     write the figures into the page

Each image of fw/signing.c makes a few signatures in the cycle model, which sees the attempts of
each: calls of lean_attempt(). One attempt is what those signatures take that need no second. For
the mean of many, the parts are means of the sample: what a signature takes beside its attempts,
what a rejected attempt takes and how much more where it is the first, which makes the polynomials
of A that are kept, and what an accepted one takes. The mean is then that of REPETITIONS attempts,
the standard's number, because the sample's own is too small to say it; that the sum of parts is the
sample's mean for the sample's number of attempts is checked.
"""
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/firmware.md"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/m4cycles"))
from machine import Fault, Image, Machine          # noqa: E402

REPETITIONS = {44: 4.25, 65: 5.1, 87: 3.85}        # FIPS 204, table 1
SPEED = {44: 32768, 65: 49152, 87: 79872}          # everything is kept, unpacked
BUDGETS = [(44, 5248), (44, 16384), (44, 32768), (65, 6720), (65, 16384), (65, 32768), (65, 49152),
           (87, 8192),
           (87, 16384), (87, 32768), (87, 65536), (87, 79872)]


def attempts_of(path):
    """(attempts of each signature, cycles each; what each signature takes beside them; bytes of
    stack)"""
    image = Image(path)
    name = next((n for n in image.symbols if n.split(".")[0] == "lean_attempt"), None)
    if not name:
        raise Fault(f"{path}: no function lean_attempt")
    machine = Machine(image, ["bench_sign", name])
    status = machine.run()
    if status or b"signing: passed" not in machine.output:
        raise Fault(f"{path}: it ends with {status}: {machine.output.decode(errors='replace')}")
    signatures, beside, stack, mine = [], [], 0, []
    for i in range(machine.state.contents.records):   # in the order in which calls end
        record = machine.state.contents.record[i]
        if record.watched:
            mine.append(record.used.cycles)
            continue
        signatures.append(mine)
        beside.append(record.used.cycles - sum(mine))
        stack, mine = max(stack, record.stack), []
    if mine or not signatures or not all(signatures):
        raise Fault(f"{path}: the attempts are not those of the signatures")
    return signatures, beside, stack


def mean(values, otherwise):
    values = list(values)
    return statistics.fmean(values) if values else otherwise


def parts(signatures, beside):
    """(beside, more for the first attempt, a rejected one, an accepted one)"""
    rejected = mean((a for s in signatures for a in s[1:-1]), None)
    first = mean((s[0] for s in signatures if len(s) > 1), None)
    accepted = mean((s[-1] for s in signatures if len(s) > 1), None)
    if None in (rejected, first, accepted):
        raise Fault("the sample has too few attempts")
    return statistics.fmean(beside), first - rejected, rejected, accepted


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--update"]):
        sys.exit(__doc__)
    page, wrong, means, rows = PAGE.read_text(encoding="utf-8"), 0, {}, []
    try:
        for number, ram in BUDGETS:
            signatures, beside, stack = attempts_of(f"{sys.argv[1]}/bin/signing/signing-{number}-"
                                                    f"{ram}.elf")
            fixed, more, rejected, accepted = parts(signatures, beside)
            n = statistics.fmean(map(len, signatures))
            real = statistics.fmean(map(sum, signatures)) + statistics.fmean(beside)
            sum_of_parts = fixed + more + (n - 1) * rejected + accepted
            if abs(sum_of_parts / real - 1) > 0.03:
                raise Fault(f"ML-DSA-{number} in {ram} bytes: {real:.0f} cycles on average, and "
                            f"{sum_of_parts:.0f} by parts")
            means[number, ram] = fixed + more + (REPETITIONS[number] - 1) * rejected + accepted
            once = mean((s[0] + b for s, b in zip(signatures, beside) if len(s) == 1), None)
            if once is None:
                raise Fault(f"ML-DSA-{number}: no signature of one attempt in the sample")
            rows.append((number, ram, stack, once, means[number, ram]))
    except (Fault, OSError) as e:
        print(f"fw_signing.py: {e}", file=sys.stderr)
        return 2
    for number, ram, stack, once, average in rows:
        figures = [stack, round(once / 1e6, 3), round(average / 1e6, 2),
                   round(average / means[number, SPEED[number]], 2)]
        row = f"ML-DSA-{number}, `TY_MLDSA_RAM={ram}`"
        print(f"{row}: {figures[0]} bytes of stack, {figures[1]} M for one attempt, {figures[2]} "
              f"M on average, {figures[3]} times the quickest")
        line = re.search(rf"^\| {re.escape(row)} \| ([0-9]+) \| ([0-9.]+) M \| ([0-9.]+) M \| "
                         r"([0-9.]+) \|", page, re.M)
        if not line:
            sys.exit(f"fw_signing.py: {PAGE} has no row '{row}'")
        if "--update" in sys.argv:
            page = page.replace(line[0],
                                f"| {row} | {figures[0]} | {figures[1]:.3f} M | {figures[2]:.2f} "
                                f"M | {figures[3]:.2f} |")
        elif any(abs(now - float(said)) > 0.02 * now + 0.005
                 for now, said in zip(figures, line.groups())):
            print(f"fw_signing.py: the page says {', '.join(line.groups())}: --update",
                  file=sys.stderr)
            wrong += 1
    if "--update" in sys.argv:
        PAGE.write_text(page, encoding="utf-8")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
