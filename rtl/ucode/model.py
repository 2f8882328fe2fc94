"""A cycle-accurate model of the accelerator, and point multiplication by the textbook's formulas.

ucode.py checks every image of the microprogram on this model, and rtl/bench takes its expected
values from it. Elements are Python integers, bit i the coefficient of t^i.
"""
import os
import random
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools"))
from generate.card import load

# The fields of a word, from the least significant bit on.
FIELDS = [("ra", 5), ("rb", 5), ("mul", 1), ("sop", 2), ("cond", 2), ("cnt", 2), ("w", 2),
          ("wa", 4),
          ("test", 3), ("key", 1), ("fa", 1), ("fb", 1), ("mul2", 1), ("add2", 1), ("hold", 1),
          ("delay", 6), ("expo", 1), ("ctl", 4), ("target", 9)]
WORD_BITS = sum(bits for _, bits in FIELDS)
ADDRESS_BITS = dict(FIELDS)["target"]
SOP = {"none": 0, "xor": 1, "pass": 2, "sel": 3}
COND = {"key": 0, "last": 1, "infinite": 2, "negated": 3}
W_MUL, W_SQR, W_OTHER = 1, 2, 3
TEST = {"offcurve": 1, "infinite": 2, "negated": 3, "fault": 4}
CTL = {"next": 0, "count": 1, "loop": 2, "jump": 3, "jump if b1": 4, "jump unless bit": 5,
       "jump until inverted": 6, "end": 7, "jump if generic": 8, "jump if divider": 9,
       "exponent": 10, "jump unless second": 11}
X, Y, LAMBDA, MU, RESULT_X, RESULT_Y, A, B, ROOT = 0, 1, 2, 5, 14, 15, 16, 17, 18


def pack(word):
    value, shift = 0, 0
    for name, bits in FIELDS:
        field = word.get(name, 0)
        if name == "delay":    # stored negated; its sign tells that the word still waits
            if field >> bits - 1:
                raise SystemExit(f"delay = {field} does not fit {bits} bits with a sign")
            field = -field % (1 << bits)
        if field >> bits:
            raise SystemExit(f"{name} = {field} does not fit {bits} bits")
        value |= field << shift
        shift += bits
    return value


# --- Fields and curves -----------------------------------------------------------------------

def multiply(a, b, poly):
    m, r = poly.bit_length() - 1, 0
    for i in reversed(range(b.bit_length())):
        r <<= 1
        if r >> m:
            r ^= poly
        if b >> i & 1:
            r ^= a
    return r


def inverse(a, poly):
    """By Euclid's algorithm: u = a v and w = a z modulo poly throughout."""
    u, v, w, z = a, 1, poly, 0
    while u != 1:
        shift = u.bit_length() - w.bit_length()
        if shift < 0:
            u, v, w, z, shift = w, z, u, v, -shift
        u, v = u ^ w << shift, v ^ z << shift
    return v


def root(a, poly):
    for _ in range(poly.bit_length() - 2):
        a = multiply(a, a, poly)
    return a


class Curve:
    def __init__(self, name, poly, a, b, g, n):
        self.name, self.poly, self.a, self.b, self.g, self.n = name, poly, a, b, g, n
        self.m, self.root = poly.bit_length() - 1, root(b, poly)

    def add(self, p, q):
        """None is the point at infinity."""
        if p is None or q is None:
            return q if p is None else p
        (x1, y1), (x2, y2), f = p, q, self.poly
        if x1 == x2:
            if y1 ^ y2 == x1:
                return None
            s = x1 ^ multiply(y1, inverse(x1, f), f)
            x = multiply(s, s, f) ^ s ^ self.a
            return x, multiply(x1, x1, f) ^ multiply(s ^ 1, x, f)
        s = multiply(y1 ^ y2, inverse(x1 ^ x2, f), f)
        x = multiply(s, s, f) ^ s ^ x1 ^ x2 ^ self.a
        return x, multiply(s, x1 ^ x, f) ^ x ^ y1

    def times(self, k, p):
        r = None
        for bit in bin(k)[2:]:
            r = self.add(r, r)
            if bit == "1":
                r = self.add(r, p)
        return r


def curves():
    """Those of cards/sec2.card, by name."""
    found = {}
    for _, (name, _, field, _, *numbers) in load("sec2").curves:
        a, b, x, y, n = (int(v, 16) for v in numbers)
        found[name] = Curve(name, load(field).value("m"), a, b, (x, y), n)
    return found


# --- The machine -----------------------------------------------------------------------------

class Machine:
    """The machine with an image; run() returns kP, or `kept` + kP, or None where that is infinite.

    squarings   per cycle, in named fields
    generic     None, or the variant of a generic image, "product" or "folded"
    divider     whether the divider inverts
    digit       bits of a digit: where M has terms close to each other, each word takes a cycle for
                each fold that a digit needs
    only_count  compute no values, only the number of cycles
    """

    def __init__(self, image, c, curve, squarings=1, generic=None, divider=False, digit=1,
                 only_count=False):
        self.image, self.c, self.curve, self.squarings = image, c, curve, squarings
        self.generic, self.divider = generic, divider
        gap = curve.m - (curve.poly ^ 1 << curve.m).bit_length() + 1
        self.folds = -(-digit // min(gap, digit)) if generic else 1
        self.multiply = (lambda a, b, poly: 1) if only_count else multiply
        self.inverse = (lambda a, poly: 1) if only_count else inverse

    def run(self, k, point, steps, randoms=(1, 1), kept=None):
        poly, m, c = self.curve.poly, self.curve.m, self.c
        reg = [None] * 16 + [self.curve.a, self.curve.b, self.curve.root] + [None] * 13
        reg[X], reg[Y] = point
        reg[LAMBDA], reg[MU] = randoms
        reg[RESULT_X], reg[RESULT_Y] = kept or (None, None)
        second = False
        flags = dict.fromkeys(TEST, 0)
        bit = before = 0
        key = [k >> i & 1 for i in reversed(range(steps))]
        count, expo, chain = 0, 1, [int(v) for v in bin(m - 1)[3:]]
        # of each unit: [value, first and last cycle in which it is there]
        products, products2, squares = [], [], []
        # value and squarings left; value and cycle from which on it is there
        squared, inverted = None, None
        pc, cycle, tested = 0, 0, {}
        while True:
            w = self.image[pc]
            # taken: the cycle in which the word before is executed and this one is loaded
            taken, cycle = cycle, cycle + w.get("delay", 0) + 1
            # cycles for which this word is held
            waited = 0
            if w.get("hold"):
                if squared and self.generic != "folded":
                    while squared[1] > self.squarings:
                        value = squared[0]
                        for _ in range(self.squarings):
                            value = self.multiply(value, value, poly)
                        squared = value, squared[1] - self.squarings
                        waited += 1
                elif squares:
                    waited = max(0, squares[-1][1] - cycle)
                if inverted:
                    waited = -(-max(0, inverted[1] - self.folds * cycle) // self.folds)
                cycle += waited
            result, before_write = None, reg[w.get("wa", 0)]
            if squared:
                result = squared[0]
                for _ in range(squared[1]):
                    result = self.multiply(result, result, poly)

            def output(unit):
                there = [p[0] for p in unit if p[1] <= cycle and (p[2] is None or cycle <= p[2])]
                assert len(there) == 1, "a product is read too early or too late"
                return there[0]

            kind = w.get("w")
            writes = bool(kind or w.get("add2"))
            if kind == W_SQR:
                reg[w["wa"]] = result
            elif kind == W_OTHER and inverted:
                reg[w["wa"]], inverted = inverted[0], None
            elif writes:
                reg[w["wa"]] = output(products if kind == W_MUL else squares) if kind else 0
            if w.get("add2"):
                reg[w["wa"]] ^= output(products2)
            if kept and not second and writes and w["wa"] in (RESULT_X, RESULT_Y):
                reg[w["wa"]] = before_write
            # A register has the value before this word's write, unless the word has the bypass
            # bit.
            a, b = (reg[w.get("wa", 0)] if w.get(forward) else
                    before_write if writes and w.get(read, 0) ==
                    w.get("wa", 0) else reg[w.get(read, 0)]
                    for read, forward in (("ra", "fa"), ("rb", "fb")))
            if w.get("sop") == SOP["sel"] and w.get("cond", 0) >= COND["infinite"]:
                flag = "infinite" if w["cond"] == COND["infinite"] else "negated"
                assert taken >= tested[flag] + 2, "the flag is not there yet"
            conditions = {0: bit ^ before, 1: bit, 2: flags["infinite"], 3: flags["negated"]}
            test = w.get("test", 0)
            if test:
                assert result is not None
                name = [n for n, code in TEST.items() if code == test][0]
                tested[name] = cycle
                if name in ("offcurve", "fault"):
                    flags[name] |= result != 0 and not (name == "fault" and flags["infinite"])
                else:
                    flags[name] = result == 0
            squared = None

            # more: 1 where a result outlives the next one's start
            def issue(unit, value, words, more):
                if unit:
                    assert cycle + more >= unit[-1][1], "the unit is busy"
                    unit[-1][2] = cycle + more
                unit[:] = unit[-1:] + [[value, cycle + words + more, None]]

            if w.get("sop"):
                value = {1: lambda: a ^ b, 2: lambda: a,
                         3: lambda: b if conditions[w.get("cond", 0)] else a}
                value, times = value[w["sop"]](), {0: 0, 1: 1, 2: expo, 3: 0}[w.get("cnt", 0)]
                if w.get("cnt") == 3:
                    inverted = self.inverse(value,
                                            poly) if value else 0, self.folds * cycle + 2 * m + 1
                elif times and self.generic == "folded":
                    for _ in range(times):
                        value = self.multiply(value, value, poly)
                    issue(squares, value, c * times, 0)
                else:
                    squared = value, times
            if w.get("mul"):
                issue(products, self.multiply(a, b, poly), c, 1)
            if w.get("mul2"):
                issue(products2, self.multiply(a, b, poly), c, 1)
            if w.get("key"):
                before, bit = bit, key.pop(0)
            code, pc = w.get("ctl", 0), pc + 1
            jump = code == CTL["jump"]
            if code == CTL["count"]:
                count = steps - w["target"]
            elif code == CTL["loop"]:
                jump, count = count != 0, count - 1
            elif code == CTL["exponent"]:
                count = expo - 1
            elif code == CTL["jump if generic"]:
                jump = bool(self.generic)
            elif code == CTL["jump if divider"]:
                jump = self.divider
            elif code == CTL["jump if b1"]:
                jump = self.curve.b == 1
            elif code == CTL["jump unless bit"]:
                jump = not chain[0]
            elif code == CTL["jump until inverted"]:
                chain.pop(0)
                jump = bool(chain)
            elif code == CTL["jump unless second"]:
                jump = not second
            elif code == CTL["end"]:
                if not kept or second:
                    break
                jump = second = True
                expo, chain = 1, [int(v) for v in bin(m - 1)[3:]]
            if w.get("expo"):
                expo = 2 * expo + chain[0]
            if jump:
                pc = w["target"]
        self.cycles = cycle * self.folds
        self.offcurve, self.fault = flags["offcurve"], flags["fault"]
        assert not key
        return None if flags["infinite"] else (reg[RESULT_X], reg[RESULT_Y])


def self_check(images):
    """Compares the images with the textbook's formulas, over fields that vary with c, and in corner
    cases over 163 bits. Of the images that were stretched and not solved for, which are similar,
    only a sample is checked."""
    known, rng = curves(), random.Random(1)
    names = ["sect113r1", "sect131r1", "sect163k1", "sect163r2", "sect193r1", "sect233k1",
             "sect239k1"]
    for (c, variant), image in images.items():
        if c > 6 and c not in (7, 11, 13, 15, 16, 30):
            continue
        generic = None if variant in ("named", "two") else variant
        every = c == 3 and variant in ("named", "two")
        for name in names if every else [names[c % 5]] if c < 7 else names[:1]:
            curve = known[name]
            for divider in (False, True) if c < 7 else (c % 2 == 0,):
                machine = Machine(image, c, curve, 1 + c % 2, generic, divider)
                steps = curve.n.bit_length()
                ks = [rng.randrange(1, curve.n)]
                if name == "sect163r2" and c == 3:
                    ks += [0, 1, 2, 3, curve.n - 1, curve.n, curve.n + 1, (1 << steps) - 1]
                for k in ks:
                    lam, mu = (rng.getrandbits(curve.m) | 1 for _ in range(2))
                    got = machine.run(k, curve.g, steps, (lam, mu))
                    if got != curve.times(k, curve.g) or machine.fault or machine.offcurve:
                        raise SystemExit(f"ucode: c = {c}, {variant}, {name}: the model computes "
                                         "a wrong point")
                    # kept + kP: any point, P, -P, 2P, infinite kP
                    few = [1, 2, curve.n - 1] if k < 4 else []
                    for times in [rng.randrange(1, curve.n)] + few:
                        kept = curve.times(times, curve.g)
                        got = machine.run(k, curve.g, steps, (mu, lam), kept)
                        if got != curve.add(kept, curve.times(k, curve.g)) or machine.fault:
                            raise SystemExit(f"ucode: c = {c}, {variant}, {name}: the model "
                                             "computes a wrong sum")
    curve = known["sect163r2"]
    two = (0, curve.root)
    for variant in ("named", "two", "product", "folded"):
        for divider in (False, True):
            machine = Machine(images[3, variant], 3, curve, 1,
                              None if variant in ("named", "two") else variant, divider)
            if (machine.run(7, two, 163, (5, 9)) != two
                or machine.run(6, two, 163, (5, 9)) is not None
                or machine.run(7, two, 163, (5, 9), two) is not None
                or machine.run(6, two, 163, (5, 9), two) != two
                or machine.run(7, two, 163, (5, 9), curve.g) != curve.add(two, curve.g)):
                raise SystemExit(f"ucode: {variant}: wrong for the point of order two")
            machine.run(7, (curve.g[0], curve.g[1] ^ 1), 163, (5, 9))
            if not machine.offcurve:
                raise SystemExit(f"ucode: {variant}: a point off the curve was not detected")
            machine.run(7, curve.g, 163, (5, 9), (curve.g[0], curve.g[1] ^ 1))
            if not machine.fault:
                raise SystemExit(f"ucode: {variant}: a result off the curve was not detected")


# The cycles of a run in addition to the microprogram: the cycle of START, and the wipe of all
# registers except the result.
START_CYCLES, WIPE_CYCLES = 1, 14
# Cycles of kP in the paper (docs/accelerator.md): hard-wired, and by partial reduction.
PAPER = {163: (9503, 61767), 193: (12390, 72887), 233: (14962, 87715)}
ROWS = [("sect163r2", 55), ("sect193r1", 49), ("sect233r1", 59), ("sect163k1", 55),
        ("sect233k1", 59),
        ("sect163r2", 82), ("sect193r1", 82), ("sect233r1", 82), ("sect193r1", 97),
        ("sect233r1", 117),
        ("sect163r2", 16), ("sect193r1", 16), ("sect233r1", 16)]
GENERIC_ROWS = [("sect163r2", 64), ("sect193r1", 64), ("sect233r1", 64), ("sect163k1", 64),
                ("sect233k1", 64),
                ("sect163r2", 128), ("sect193r1", 128), ("sect233r1", 128),
                ("sect163r2", 32), ("sect193r1", 32), ("sect233r1", 32)]


def run_cycles(image, c, curve, *how, steps=None, kept=None):
    machine = Machine(image, c, curve, *how, only_count=True)
    machine.run(5, curve.g, steps or curve.m, (3, 7), kept)
    return machine.cycles + START_CYCLES + WIPE_CYCLES


def step_cycles(image, c, curve):
    """Of one more step of the ladder."""
    return run_cycles(image, c, curve, steps=curve.m + 1) - run_cycles(image, c, curve)


def sum_cycles(image, c, curve, *how, steps=None):
    """Of uG + vP: START and ADD."""
    return sum(run_cycles(image, c, curve, *how, steps=steps, kept=kept)
               for kept in (None, curve.g))


def sums_table(images):
    known = curves()
    out = ["uG + vP, by a START and an ADD; the bound counts the products of both ladders. Named "
           "fields:", "",
           "| field | b | D | c | cycles | two squarings a cycle | divider | bound | "
           "two multipliers and squarings | bound |",
           "|---|---|---|---|---|---|---|---|---|---|"]
    for name, digit in ROWS:
        curve = known[name]
        c = -(-curve.m // digit)
        bound = 2 * curve.m * (5 if curve.b == 1 else 6) * c
        cells = [sum_cycles(images[c, "named"], c, curve, *how)
                 for how in ((1,), (2,), (1, None, True))]
        cells += [bound, sum_cycles(images[c, "two"], c, curve, 2), bound // 2]
        out.append(f"| {curve.m} | {'1' if curve.b == 1 else 'any'} | {digit} | {c} | " +
                   " | ".join(f"{n:,}" for n in cells) + " |")
    out += ["", "The same in generic mode:", "",
            "| degree | b | D | c | squarings are products, divider | bound | GENERIC_SQUARER, no "
            "divider | bound |",
            "|---|---|---|---|---|---|---|---|"]
    for name, digit in GENERIC_ROWS:
        curve = known[name]
        c = -(-curve.m // digit)
        products = 5 if curve.b == 1 else 6
        cells = []
        for variant, count in (("product", products + 4), ("folded", products)):
            cells += [sum_cycles(images[c, variant], c, curve, 1, variant, variant == "product"),
                      2 * curve.m * count * c]
        out.append(f"| {curve.m} | {'1' if curve.b == 1 else 'any'} | {digit} | {c} | " +
                   " | ".join(f"{n:,}" for n in cells) + " |")
    return out


def two_multipliers_table(images):
    known = curves()
    out = ["The same with two multipliers (MULTIPLIERS = 2); a step is one of the ladder, and its "
           "bound half", "the cycles of its products:", "",
           "| field | b | D | c | a step | its bound | cycles | two squarings a cycle | divider | "
           "one multiplier, two squarings |",
           "|---|---|---|---|---|---|---|---|---|---|"]
    for name, digit in ROWS:
        curve = known[name]
        c = -(-curve.m // digit)
        cycles = [run_cycles(images[c, "two"], c, curve, *how)
                  for how in ((1,), (2,), (1, None, True))]
        cycles.append(run_cycles(images[c, "named"], c, curve, 2))
        products = 5 if curve.b == 1 else 6
        out.append(f"| {curve.m} | {'1' if curve.b == 1 else 'any'} | {digit} | {c} | "
                   f"{step_cycles(images[c, 'two'], c, curve)} | {products * c / 2:g} | " +
                   " | ".join(f"{n:,}" for n in cycles) + " |")
    return out


def cycles_table(images):
    """The tables of docs/accelerator.md, by the model."""
    known = curves()
    out = ["Named fields, inversion by Itoh and Tsujii, or with one squaring a cycle by the "
           "divider:", "",
           "| field | b | D | c | cycles | two squarings a cycle | divider | bound | paper |",
           "|---|---|---|---|---|---|---|---|---|"]
    for name, digit in ROWS:
        curve = known[name]
        c = -(-curve.m // digit)
        cycles = [run_cycles(images[c, "named"], c, curve, *how)
                  for how in ((1,), (2,), (1, None, True))]
        products = 5 if curve.b == 1 else 6
        out.append(f"| {curve.m} | {'1' if curve.b == 1 else 'any'} | {digit} | {c} | " +
                   " | ".join(f"{n:,}" for n in cycles) +
                   f" | {curve.m * products * c:,} | {PAPER[curve.m][0]:,} |")
    out += [""] + two_multipliers_table(images)
    out += ["", "Generic mode, where m - k is D or more, k the second exponent of M. Squarings "
            "are products, or, with",
            "GENERIC_SQUARER, made beside them; the inverse comes from the divider, or from Itoh "
            "and Tsujii:", "",
            "| degree | b | D | c | squarings are products | the same, no divider | bound | "
            "GENERIC_SQUARER | the same, no divider | bound | paper, partial |",
            "|---|---|---|---|---|---|---|---|---|---|---|"]
    for name, digit in GENERIC_ROWS:
        curve = known[name]
        c = -(-curve.m // digit)
        cells = []
        products = 5 if curve.b == 1 else 6
        for variant, count in (("product", products + 4), ("folded", products)):
            cells += [run_cycles(images[c, variant], c, curve, 1, variant, divider)
                      for divider in (True, False)]
            cells.append(curve.m * count * c)
        out.append(f"| {curve.m} | {'1' if curve.b == 1 else 'any'} | {digit} | {c} | " +
                   " | ".join(f"{n:,}" for n in cells) + f" | {PAPER[curve.m][1]:,} |")
    return "\n".join(out + [""] + sums_table(images))
