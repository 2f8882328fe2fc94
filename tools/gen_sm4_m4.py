#!/usr/bin/env python3
"""SM4's S-box on bit planes for a Cortex-M4: the circuit of src/sm4/sm4_sbox.inc in 13 registers.

    tools/gen_sm4_m4.py                     writes src/sm4/sm4_m4.inc: the macro SBOX
    tools/gen_sm4_m4.py --check             exits 1 if that file is not what would be written
    tools/gen_sm4_m4.py --search SECONDS    looks for an order of gates that needs fewer moves

The gates are in the order of ORDER. Registers are allocated by Belady's rule: the value whose next
use is furthest away is spilled, once, to a place of its own, and is reloaded when it is needed.
"""
import pathlib
import random
import re
import sys
import time

SM4 = pathlib.Path(__file__).resolve().parent.parent / "src/sm4"
SOURCE, TARGET = SM4 / "sm4_sbox.inc", SM4 / "sm4_m4.inc"
REGISTERS = 13
ORDER = [f"t{i}" for i in (   # from --search
    9, 1, 3, 4, 0, 10, 5, 6, 8, 11, 22, 19, 25, 20, 2, 13, 7, 12, 32, 29, 16, 23, 36, 17, 14,
    26, 18, 37, 30, 15, 24, 28, 27, 21, 34, 38, 31, 33, 35, 39, 42, 44, 41, 40, 45, 43, 46, 49,
    48, 50, 47, 51, 61, 52, 53, 60, 54, 58, 73, 72, 69, 63, 64, 83, 56, 55, 57, 65, 66, 78, 84,
    70, 74, 101, 85, 59, 103, 62, 81, 87, 67, 68, 104, 79, 71, 77, 86, 76, 75, 82, 89, 88, 90,
    91, 92, 99, 80, 102, 93, 94, 98, 96, 95, 100, 97,
)]


def circuit():
    """Gates as {name: (op, a, b)}, and the values that x[0] to x[7] get at the end."""
    text = SOURCE.read_text(encoding="ascii")
    gates = {}
    for name, a, op, b in re.findall(r"const W (t\d+) = (\w+) ([\^&|]) (~?\w+);", text):
        gates[name] = ("bic" if b[0] == "~" else {"^": "eor", "&": "and", "|": "orr"}[op], a,
                       b.lstrip("~"))
    outputs = [x[1] for x in sorted(re.findall(r"x\[(\d)\] = (t\d+);", text))]
    if len(outputs) != 8 or len(gates) != text.count("const W t"):
        sys.exit(f"gen_sm4_m4.py: {SOURCE} is not as expected")
    return gates, outputs


def allocate(gates, outputs, order):
    """The moves and instructions of the gates in this order, with x[i] in ri at the start; and the
    registers of the outputs."""
    uses = {}
    for i, name in enumerate(order):
        for value in gates[name][1:]:
            uses.setdefault(value, []).append(i)
    for value in outputs:
        uses.setdefault(value, []).append(len(order))
    where = {f"x{i}": i for i in range(8)}       # value: register
    kept, slots, code = {}, set(range(99)), []   # value: its place in memory

    def forget(value, i):
        while uses[value] and uses[value][0] <= i:
            uses[value].pop(0)
        if not uses[value]:
            where.pop(value, None)
            if value in kept:
                slots.add(kept.pop(value))

    def a_register(busy):
        free = set(range(REGISTERS)) - set(where.values())
        if free:
            return min(free)
        # a value that is in memory already costs no store
        value = max((v for v in where if v not in busy), key=lambda v: (uses[v][0], v in kept, v))
        if value not in kept:
            kept[value] = min(slots)
            slots.remove(kept[value])
            code.append(("KEEP", where[value], kept[value]))
        return where.pop(value)

    for i, name in enumerate(order):
        op, a, b = gates[name]
        for value in (a, b):
            if value not in where:
                to = a_register({a, b})
                where[value] = to
                code.append(("BACK", to, kept[value]))
        ra, rb = where[a], where[b]
        forget(a, i)
        forget(b, i)
        to = a_register({a, b})
        where[name] = to
        code.append((op, to, ra, rb))
    for value in outputs:
        if value not in where:
            to = a_register(set(outputs))
            where[value] = to
            code.append(("BACK", to, kept[value]))
    return code, [where[v] for v in outputs]


def moves(code):
    return sum(c[0] in ("KEEP", "BACK") for c in code)


def search(gates, outputs, seconds):
    """Simulated annealing: moves one gate at a time, and keeps an order that is no worse, and a
    worse one with a probability that falls with time."""
    rng = random.Random()
    best = order = ORDER
    fewest = now = moves(allocate(gates, outputs, order)[0])
    readers = {}
    for name, (_, a, b) in gates.items():
        readers.setdefault(a, []).append(name)
        readers.setdefault(b, []).append(name)
    begin = time.time()
    while (spent := time.time() - begin) < seconds:
        heat = 1.2 * (1 - spent / seconds) + 0.05
        trial = order[:]
        i = rng.randrange(len(trial))
        name = trial.pop(i)
        place = {n: k for k, n in enumerate(trial)}
        low = max((place[v] + 1 for v in gates[name][1:] if v in place), default=0)
        high = min((place[v] for v in readers.get(name, [])), default=len(trial))
        trial.insert(rng.randint(low, high), name)
        cost = moves(allocate(gates, outputs, trial)[0])
        if cost <= now or rng.random() < 2.718 ** ((now - cost) / heat):
            order, now = trial, cost
            if cost < fewest:
                best, fewest = trial, cost
    print(f"# {fewest} moves")
    print([int(n[1:]) for n in best])


def text(gates, outputs):
    """The file: which registers hold the planes of the output, which are free, and the macros."""
    code, at = allocate(gates, outputs, ORDER)
    places = 1 + max(c[2] for c in code if c[0] == "KEEP")
    yield (f"// Generated by tools/gen_sm4_m4.py: {len(gates)} gates and {moves(code)} moves, "
           f"{places} places outside of registers.")
    yield f"#define SBOX_PLACES {places}"
    for p, r in enumerate(at):
        yield f"#define OUT{p} r{r}"
    for i, r in enumerate(sorted(set(range(REGISTERS)) - set(at))):
        yield f"#define FREE{i} r{r}"
    yield "        .macro SBOX"
    for c in code:
        if c[0] in ("KEEP", "BACK"):
            yield f"        {c[0]}    r{c[1]}, {c[2]}"
        else:
            yield f"        {c[0]}     r{c[1]}, r{c[2]}, r{c[3]}"
    yield "        .endm"
    yield "        .macro WIPE_PLACES r"
    for i in range(places):
        yield f"        KEEP    \\r, {i}"
    yield "        .endm"


def main():
    gates, outputs = circuit()
    if sys.argv[1:2] == ["--search"]:
        return search(gates, outputs, float(sys.argv[2]))
    wanted = "\n".join(text(gates, outputs)) + "\n"
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text(encoding="ascii") != wanted:
            sys.exit(f"gen_sm4_m4.py: {TARGET} is not what would be written")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        TARGET.write_text(wanted, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
