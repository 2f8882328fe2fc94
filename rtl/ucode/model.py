"""The accelerator's machine, cycle by cycle, and point multiplication as the textbook has it.

The microprogram's tool checks every image on this model, and the test bench on the bus takes its
expected values from it. Elements are Python integers, bit i the coefficient of t^i.
"""
import os
import random

# The fields of a word, from the least significant bit on.
FIELDS = [("ra", 5), ("rb", 5), ("mul", 1), ("sop", 2), ("cond", 2), ("cnt", 2), ("w", 2), ("wa", 4),
          ("test", 3), ("key", 1), ("hold", 1), ("expo", 1), ("ctl", 3), ("target", 11)]
WORD_BITS = sum(bits for _, bits in FIELDS)
ADDRESS_BITS = dict(FIELDS)["target"]
SOP = {"none": 0, "xor": 1, "pass": 2, "sel": 3}
COND = {"key": 0, "last": 1, "infinite": 2, "negated": 3}
W_MUL, W_SQR = 1, 2
TEST = {"offcurve": 1, "infinite": 2, "negated": 3, "fault": 4}
CTL = {"next": 0, "count": 1, "loop": 2, "jump": 3, "jump if b1": 4, "jump unless bit": 5,
       "jump until inverted": 6, "end": 7}
X, Y, LAMBDA, MU, RESULT_X, RESULT_Y, A, B, ROOT = 0, 1, 2, 5, 14, 15, 16, 17, 18


def pack(word):
    value, shift = 0, 0
    for name, bits in FIELDS:
        field = word.get(name, 0)
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
    """Those of tools/curves_f2.txt, by name."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/curves_f2.txt")
    with open(path, encoding="utf-8") as f:
        rows = [line.split() for line in f if line.strip() and not line.startswith("#")]
    found = {}
    for i in range(0, len(rows), 4):
        name, _, m, ks, _ = rows[i]
        poly = 1 | 1 << int(m) | sum(1 << int(k) for k in ks.split(","))
        a, b, x, y, n = (int(v, 16) for row in rows[i + 1:i + 4] for v in row)
        found[name] = Curve(name, poly, a, b, (x, y), n)
    return found


# --- The machine -----------------------------------------------------------------------------

class Machine:
    """One run; result is None where the point is infinite. squarings: those of one cycle."""

    def __init__(self, image, c, curve, squarings=1):
        self.image, self.c, self.curve, self.squarings = image, c, curve, squarings

    def run(self, k, point, steps, randoms=(1, 1)):
        poly, m, c = self.curve.poly, self.curve.m, self.c
        reg = [None] * 16 + [self.curve.a, self.curve.b, self.curve.root] + [None] * 13
        reg[X], reg[Y] = point
        reg[LAMBDA], reg[MU] = randoms
        flags = dict.fromkeys(TEST, 0)
        bit = before = 0
        key = [k >> i & 1 for i in reversed(range(steps))]
        count, expo, chain = 0, 1, [int(v) for v in bin(m - 1)[3:]]
        products, squared = [], None  # (value, first and last cycle in which it is there); value, squarings left
        pc, cycle = 0, 0
        while True:
            w = self.image[pc]
            cycle += 1
            if squared and w.get("hold"):
                while squared[1] > self.squarings:
                    value = squared[0]
                    for _ in range(self.squarings):
                        value = multiply(value, value, poly)
                    squared = value, squared[1] - self.squarings
                    cycle += 1
            result = None
            if squared:
                result = squared[0]
                for _ in range(squared[1]):
                    result = multiply(result, result, poly)
            if w.get("w") == W_SQR:
                reg[w["wa"]] = result
            if w.get("w") == W_MUL:
                there = [p[0] for p in products if p[1] <= cycle and (p[2] is None or cycle <= p[2])]
                assert len(there) == 1, "a product is read too early or too late"
                reg[w["wa"]] = there[0]
            a, b = reg[w.get("ra", 0)], reg[w.get("rb", 0)]
            conditions = {0: bit ^ before, 1: bit, 2: flags["infinite"], 3: flags["negated"]}
            test = w.get("test", 0)
            if test:
                assert result is not None
                name = [n for n, code in TEST.items() if code == test][0]
                if name in ("offcurve", "fault"):
                    flags[name] |= result != 0 and not (name == "fault" and flags["infinite"])
                else:
                    flags[name] = result == 0
            squared = None
            if w.get("sop"):
                value = {1: lambda: a ^ b, 2: lambda: a, 3: lambda: b if conditions[w.get("cond", 0)] else a}
                squared = value[w["sop"]](), {0: 0, 1: 1, 2: expo}[w.get("cnt", 0)]
            if w.get("mul"):
                if products:
                    earlier = products[-1]
                    assert cycle + 1 >= earlier[1], "the multiplier is busy"
                    earlier[2] = cycle + 1
                products = products[-1:] + [[multiply(a, b, poly), cycle + c + 1, None]]
            if w.get("key"):
                before, bit = bit, key.pop(0)
            code, pc = w.get("ctl", 0), pc + 1
            jump = code == CTL["jump"]
            if code == CTL["count"]:
                count = steps - w["target"]
            elif code == CTL["loop"]:
                jump, count = count != 0, count - 1
            elif code == CTL["jump if b1"]:
                jump = self.curve.b == 1
            elif code == CTL["jump unless bit"]:
                jump = not chain[0]
            elif code == CTL["jump until inverted"]:
                chain.pop(0)
                jump = bool(chain)
            elif code == CTL["end"]:
                break
            if w.get("expo"):
                expo = 2 * expo + chain[0]
            if jump:
                pc = w["target"]
        self.cycles = cycle
        self.offcurve, self.fault = flags["offcurve"], flags["fault"]
        assert not key
        return None if flags["infinite"] else (reg[RESULT_X], reg[RESULT_Y])


def self_check(images):
    """Every image against the textbook on a field of its own; corner cases on one of them."""
    known, rng = curves(), random.Random(1)
    names = ["sect113r1", "sect131r1", "sect163k1", "sect163r2", "sect193r1", "sect233k1", "sect239k1"]
    for c, image in images.items():
        for name in names if c in (3, 4) else [names[c % len(names)]]:
            curve = known[name]
            machine = Machine(image, c, curve, 1 + c % 2)
            steps = curve.n.bit_length()
            ks = [rng.randrange(1, curve.n)]
            if name == "sect163r2" and c == 3:
                ks += [0, 1, 2, 3, curve.n - 1, curve.n, curve.n + 1, (1 << steps) - 1]
            for k in ks:
                lam, mu = (rng.getrandbits(curve.m) | 1 for _ in range(2))
                got = machine.run(k, curve.g, steps, (lam, mu))
                if got != curve.times(k, curve.g) or machine.fault or machine.offcurve:
                    raise SystemExit(f"ucode: c = {c}, {name}: the model computes a wrong point")
    curve = known["sect163r2"]
    machine = Machine(images[3], 3, curve)
    two = (0, curve.root)
    if machine.run(7, two, 163, (5, 9)) != two or machine.run(6, two, 163, (5, 9)) is not None:
        raise SystemExit("ucode: the point of order two")
    machine.run(7, (curve.g[0], curve.g[1] ^ 1), 163, (5, 9))
    if not machine.offcurve:
        raise SystemExit("ucode: a point off the curve was not seen")


# What a run takes beside the microprogram: the cycle of START, and the wipe of all registers but the result.
START_CYCLES, WIPE_CYCLES = 1, 14
PAPER = {163: 9503, 193: 12390, 233: 14962}
ROWS = [("sect163r2", 55), ("sect193r1", 49), ("sect233r1", 59), ("sect163k1", 55), ("sect233k1", 59),
        ("sect163r2", 82), ("sect193r1", 82), ("sect233r1", 82), ("sect193r1", 97), ("sect233r1", 117),
        ("sect163r2", 16), ("sect193r1", 16), ("sect233r1", 16)]


def cycles_table(images):
    """The table of docs/accelerator.md, by the model."""
    known = curves()
    out = ["| field | b | D | c | cycles | with two squarings a cycle | bound | paper |", "|---|---|---|---|---|---|---|---|"]
    for name, digit in ROWS:
        curve = known[name]
        c = -(-curve.m // digit)
        cycles = []
        for squarings in (1, 2):
            machine = Machine(images[c], c, curve, squarings)
            machine.run(5, curve.g, curve.m, (3, 7))
            cycles.append(machine.cycles + START_CYCLES + WIPE_CYCLES)
        products = 5 if curve.b == 1 else 6
        out.append(f"| {curve.m} | {'1' if curve.b == 1 else 'any'} | {digit} | {c} | {cycles[0]:,} | {cycles[1]:,} | "
                   f"{curve.m * products * c:,} | {PAPER[curve.m]:,} |")
    return "\n".join(out)
