"""Transforms over three primes: every range that a comment of src/mod/ntt* states, on all tiers.

A value here stands for the largest absolute value that the kernel's can have. All operations are
monotonic, so where a level's output is no larger than its input, all levels are proved. The bound
of an operation is proved where it is defined, for all operands of such sizes.
"""
from fractions import Fraction

from proof import card, claim


def constants():
    return {
        # p = 2^32 times this, plus 1
        "ntt_primes": tuple(card("ntt").value(name) // 2**32 for name in "abc"),
        # bits of a digit, and the most digits of the shorter factor
        "ntt_digits": {64: 2**21, 56: 2**30},
        "ntt_fits": (30, 56),   # ntt.c: log2 of the most digits, their bits
        "ntt_roots": 30,                                         # of orders 2^2, 2^3, ..
        # ntt_doubles.h: the constant that rounds doubles to integers; and ranges in hundredths of
        # p, of ntt_avx2.c and of ntt_avx512.c
        "ntt_magic": (3, 51),
        "ntt_doubles": {"forward": 170, "leaf": 290, "product": 90, "inverse": 112, "columns": 240,
                        "apart": 170,
                        "joined": 350},
        "ntt_eights": {"forward": 225, "leaf": 225, "product": 70, "inverse": 112, "columns": 240,
                       "apart": 170, "joined": 350},
        # ntt_c.c: the logarithms of the scales of a factor and of the inverse of p; the multiple
        # of p that is added to a difference; ranges
        "ntt_quotient": (14, 113), "ntt_many": 64,
        "ntt_words": {"forward": 13000, "leaf": 13000, "product": 500, "inverse": 1000,
                      "columns": 13800, "apart": 7400,
                      "joined": 20200},
        "ntt_carry": {64: 85, 56: 86},         # ntt_digits.h: its logarithm, by the bits of a digit
    }


def primes(c):
    return [k * 2**32 + 1 for k in c["ntt_primes"]]


# --- The bounds of one operation ------------------------------------------------------------------

def half_gap(most):
    """The largest error of a number up to most as a double"""
    e = 0
    while most > 2**e:
        e += 1
    return Fraction(2**e, 2**54)


class Doubles:
    """ntt_doubles.h: whole numbers with a sign"""
    WIDTH = 4

    def __init__(self, p, c):
        self.p, self.half, self.magic = p, (p - 1) // 2, c["ntt_magic"][0] * 2**c["ntt_magic"][1]
        self.over = abs(Fraction(1 / p) - Fraction(1, p))        # the error of 1/p
        self.factor = self.quotients()

    def quotients(self):
        """How far v is from w/p, |w| < p/2. The first guess has two roundings, its own and that of
        1/p. The remainder w - vp is a multiple of the gap between doubles near v, by fewer than
        2^53, and so is exact; so before it is rounded, the second guess is w/p with no error but
        that of 1/p. It is rounded to the double nearest to w/p: as w 2^55 is even and (2j + 1)p is
        odd, no w/p is nearer than 1/(p 2^55) to the middle of two doubles from 1/4 on."""
        relative = Fraction(1, 2**53) + self.over * self.p
        relative += relative * relative
        claim(relative * 2**53 * self.p < 2**53, "quotients: what the first guess misses is exact")
        error = relative / 2 * self.p * self.over
        claim(error < Fraction(1, self.p * 2**55), "quotients: so the second is the nearest double")
        claim(Fraction(1, 2**56) + error < Fraction(1, 2**55), "quotients: below 1/4 too, nearly")
        return Fraction(1, 2**55)

    def whole(self, most, what):
        claim(most <= 2**53, f"{what}: a whole number that is a double")
        return most

    def nearest(self, most, what):
        claim(2**52 <= self.magic - most and self.magic + most <= 2**53,
              f"{what}: its quotient has whole doubles beside it")

    def add(self, *parts):
        return self.whole(sum(parts), "sum")

    sub = add

    def times(self, x):
        low = half_gap(x * self.half)
        self.nearest(Fraction(x, 2), "times")
        r = int(self.p * (Fraction(1, 2) + x * self.factor))
        self.whole(r + low, "times: h - qp")
        return r

    def reduce(self, x):
        """x/p is 1/(2p) or more away from what is halfway between whole numbers, for p is odd.
        Where that is more than the error, the quotient is the nearest whole number."""
        self.nearest(x * (Fraction(1, self.p) + self.over), "reduce")
        error = x * self.over
        r = self.half if error < Fraction(1, 2 * self.p) else int(self.p * (Fraction(1, 2) + error))
        return self.whole(r, "reduce")

    def canonical(self, x):
        claim(self.reduce(x) == self.half, "canonical: the nearest, so that p once is enough")
        return self.p - 1

    def product(self, x, y):
        low = half_gap(x * y)
        h = x * y + low
        self.nearest(h * (Fraction(1, self.p) + self.over), "product")
        r = int(self.p * (Fraction(1, 2) + h * self.over) + low)
        self.whole(r + low, "product: h - qp")
        return r

    def digit(self):
        """Two halves of a digit, whose bits below an exponent make 2^84 + high 2^32 and 2^52 +
        low"""
        claim(half_gap(2**85) * 2 == 2**32 and half_gap(2**53) * 2 == 1,
              "digits: exponents that fit")
        return self.add(self.reduce(2**64 - 2**32), 2**32 - 1)


class Eights(Doubles):
    """ntt_avx512.c: three levels at once"""
    WIDTH = 8


class Words:
    """ntt_c.c: 64 bits, differences with 64p added"""
    WIDTH = 1

    def __init__(self, p, c):
        self.p, self.many = p, c["ntt_many"] * p
        up, inverse = c["ntt_quotient"]
        claim(p * 2**up <= 2**64 and 2**inverse // p < 2**64 and inverse + up + 1 == 2 * 64,
              "quotients: words")
        # the error of floor(2^inverse/p) is less than 1, so that of a product by w 2^up less than
        # that factor, and that of its upper half less than 1 more
        missed = 2 * (1 + Fraction(p * 2**up, 2**64))
        # a product's quotient misses 1 and x missed/2^64
        self.most = {"times": 5 * p - 1, "reduce": 2 * p - 1}
        claim(missed <= 4, "times: below 5p")
        claim(p < 2**64 - 5 * p, "times: what is left has no sign")

    def word(self, x, what):
        claim(x < 2**64, f"{what}: a word")
        return x

    def add(self, *parts):
        return self.word(sum(parts), "sum")

    def sub(self, x, y):
        claim(y <= self.many, "difference: not below zero")
        return self.word(x + self.many, "difference")

    def times(self, x):
        self.word(x, "times")
        return self.most["times"]

    def reduce(self, x):
        self.word(x, "reduce")
        return self.most["reduce"]

    def canonical(self, x):
        claim(self.reduce(x) < 2 * self.p < 2**63,
              "canonical: p once is enough, and a sign is seen")
        return self.p - 1

    def product(self, x, y):
        self.canonical(y)
        return self.times(x)

    def digit(self):
        return self.reduce(2**64 - 1)


# --- Levels, as in ntt_body.h ---------------------------------------------------------------------

def forward_2(t, x):
    u, v = t.reduce(x), t.times(x)
    return max(t.add(u, v), t.sub(u, v))


def down(t, a, x):
    """forward_4 and a half of a leaf: of `a`, x, x and x"""
    c = d = t.times(x)
    s, r = t.add(a, c), t.sub(a, c)
    u, v = t.times(t.add(x, d)), t.times(t.sub(x, d))
    return max(t.add(s, u), t.sub(s, u), t.add(r, v), t.sub(r, v))


def forward_4(t, x):
    return down(t, t.reduce(x), x)


def forward_8(t, x):
    """and both halves of a leaf of 64"""
    a = [t.reduce(x)] + 7 * [x]
    for h in (4, 2, 1):
        for i in (i for i in range(8) if not i & h):
            c = t.times(a[i + h])
            a[i], a[i + h] = t.add(a[i], c), t.sub(a[i], c)
    return max(a)


def inverse_8(t, x):
    """and both halves of a leaf of 64"""
    a = 8 * [x]
    for h in (1, 2, 4):
        for i in (i for i in range(8) if not i & h):
            total = t.add(a[i], a[i + h])
            a[i + h] = t.times(t.sub(a[i + h], a[i]))
            a[i] = t.reduce(total) if (h, i) in ((2, 0), (2, 4), (4, 1), (4, 2)) else total
    return max(a)


def leaf_forward(t, x):
    if t.WIDTH == 8:
        return forward_8(t, forward_8(t, x))
    half = forward_4(t, x)
    return half if t.WIDTH == 1 else down(t, half, half)


def inverse_2(t, x):
    return max(t.reduce(t.add(x, x)), t.times(t.sub(x, x)))


def inverse_4(t, x):
    """and both halves of a leaf"""
    s = t.add(x, x)
    u = v = t.times(t.sub(x, x))
    return max(t.reduce(t.add(s, s)), t.add(u, v), t.times(t.sub(s, s)), t.times(t.sub(v, u)))


PARTS = {1: [(0, 1)], 3: [(0, 2), (2, 1)], 5: [(0, 4), (4, 1)], 7: [(0, 4), (4, 2), (6, 1)]}


def remainder(t, f, start, size, count, first):
    total = f[start + (count - 1) * size]
    for i in reversed(range(count - 1)):
        total = t.add(total if first else t.times(total), f[start + i * size])
    return total


def columns_forward(t, columns, x):
    f = [x] * columns
    return max(remainder(t, f, n, size, (columns - n + size - 1) // size, at == 0)
               for at, size in PARTS[columns] for n in range(size))


def columns_inverse(t, columns, x):
    """The largest result, and the largest difference that is multiplied"""
    f, apart, parts = [x] * columns, 0, PARTS[columns]
    for i, (start, size) in enumerate(parts[1:], 1):
        below, e = parts[i - 1][0], []
        for n in range(size):
            difference = t.sub(f[start + n],
                               t.reduce(remainder(t, f, n, size, start // size, False)))
            apart = max(apart, difference)
            e.append(t.times(difference))
        for n in range(size):
            if i == 2:
                up, low = parts[1][1] + n, t.times(e[n])
                f[below + size * 2 + n] = e[n]
                f[parts[0][1] + n] = t.add(f[parts[0][1] + n], low)
                f[up] = t.sub(f[up], e[n])
                f[n] = t.sub(f[n], low)
            else:
                f[start + n], f[n] = e[n], t.sub(f[n], e[n])
    return max(f), apart


# --- The proofs -----------------------------------------------------------------------------------

def ranges(c):
    """All tiers, all primes: from digits to digits."""
    for p in primes(c):
        for tier, key in ((Doubles, "ntt_doubles"), (Eights, "ntt_eights"), (Words, "ntt_words")):
            t, most = tier(p, c), {name: int(Fraction(r, 100) * p) for name, r in c[key].items()}

            def within(x, name):
                claim(x <= most[name], f"{key}: {name} stays in its range")

            digit = t.digit()
            for columns in PARTS:
                within(columns_forward(t, columns, digit), "forward")
                out, apart = columns_inverse(t, columns, most["inverse"])
                within(out, "columns")
                within(apart, "apart")
            for level in (forward_2, forward_4) + (forward_8,) * (t.WIDTH == 8):
                within(level(t, most["forward"]), "forward")
            within(leaf_forward(t, most["forward"]), "leaf")
            within(t.product(t.times(most["leaf"]), most["leaf"]), "product")
            within(most["product"], "inverse")
            for level in (inverse_2, inverse_4) + (inverse_8,) * (t.WIDTH == 8):
                within(level(t, most["inverse"]), "inverse")
            joined(t, c, most["columns"], within)
            t.canonical(t.times(most["forward"]))            # roots, in more_roots and part_factors


def joined(t, c, x, within):
    """garner: a difference with a number below another prime; the result is a digit for
    put_digits"""
    apart = t.sub(x, max(primes(c)) - 1)
    within(apart, "joined")
    v = t.canonical(t.times(apart))
    claim(t.canonical(t.add(t.times(apart), t.times(v))) < 2**52, "joined: a mixed digit")


def doubles_tight(c):
    """The largest sizes that ntt_doubles.h states for one operation."""
    for p in primes(c):
        t = Doubles(p, c)
        claim(t.times(2**52) * 100 < 63 * p, "times: 0.63 p for all below 2^52")
        claim(half_gap(2**52 * t.half) * 4 < p, "times: h - qp is less than p/4 more")
        claim(t.reduce(2**52) == t.half, "reduce: to the nearest for all below 2^52")
        claim(45 * p < 10 * 2**52, "4.5 p are below 2^52")


def reach(c):
    """The largest coefficient: a sum of as many products of two digits as the shorter factor has
    digits."""
    a, b, z = primes(c)
    claim(a * b * z > 2**149, "the card: the product of the primes")
    for bits, digits in c["ntt_digits"].items():
        claim(digits * (2**bits - 1)**2 < a * b * z,
              f"coefficients of digits of {bits} bits are below the product of the primes")
    log, bits = c["ntt_fits"]
    claim(2**log <= c["ntt_digits"][bits], "fits: no longer than that")
    for limb in (32, 64):
        limbs = 2**log // 64 * bits // (64 // limb) - 1
        claim(-(-limbs * limb // bits) <= 2**log, "fits: the digits of so many limbs")
    longest = 2 * 2**log   # of both factors, so a power of two suffices
    for columns, parts in PARTS.items():
        step = 64
        while columns * step <= longest:
            first = 4 if columns >= 4 else columns - 1
            roots = columns * step // 2 if columns == 1 else first * step
            claim(roots <= 2**c["ntt_roots"], "plan: there are as many roots")
            claim(all((p - 1) % (2 * roots) == 0 and (p - 1) % (parts[0][1] * step) == 0
                      for p in (a, b, z)), "plan: 1/m")
            step *= 2


def carry_words(c):
    """ty_ntt_sum_add: coefficients in mixed-radix digits, each a digit above the one before."""
    a, b, z = primes(c)
    low, high = a * b % 2**64, a * b >> 64
    for bits, digits in c["ntt_digits"].items():
        largest, carry = digits * (2**bits - 1)**2, 2**c["ntt_carry"][bits] - 1
        claim((largest + carry) >> bits <= carry, "sum: the carry keeps its range")
        word = 2**64 - 1
        one = a * (b - 1) + a - 1
        claim(one < 2**101, "sum: the first two digits")
        two = low * (z - 1) + word
        claim(two < 2**128, "sum: the third one's lower part")
        three = high * (z - 1) + (one >> 64) + (two >> 64)
        claim(three < 2**87 and three + (carry >> 64) + 1 < 2**128,
              "sum: its upper part, and the carry's")
        claim((one + (low + (high << 64)) * (z - 1) + carry) >> bits < 2**128,
              "sum: shifted to the next digit")


EXACT = [ranges, doubles_tight, reach, carry_words]
BITS = []


def less(key, by=1):
    return lambda v: {**v, key: v[key] - by}


SPOILED = [
    ("ntt_primes", lambda v: (2 * v[0], v[1], v[2])),
    ("ntt_primes", lambda v: (v[0] // 2, v[1], v[2])),
    ("ntt_digits", lambda v: {**v, 64: 2**22}), ("ntt_digits", lambda v: {**v, 56: 2**29}),
    ("ntt_digits", lambda v: {**v, 56: 2**38}),
    ("ntt_fits", lambda v: (31, 56)), ("ntt_fits", lambda v: (30, 64)), ("ntt_roots", lambda v: 29),
    ("ntt_magic", lambda v: (2, 51)), ("ntt_magic", lambda v: (3, 50)),
    ("ntt_magic", lambda v: (4, 51)),
    ("ntt_quotient", lambda v: (15, 112)), ("ntt_quotient", lambda v: (14, 112)),
    ("ntt_quotient", lambda v: (13, 114)),
    ("ntt_many", lambda v: 19), ("ntt_many", lambda v: 2**13),
    ("ntt_carry", less(64)), ("ntt_carry", less(56)),
] + [("ntt_doubles", less(name, by)) for name, by in
     (("forward", 20), ("leaf", 20), ("product", 20), ("inverse", 1), ("columns", 25),
      ("apart", 10), ("joined", 11))
     ] + [("ntt_eights", less(name, by)) for name, by in
          (("forward", 3), ("leaf", 3), ("product", 8), ("inverse", 1), ("columns", 25),
           ("apart", 10), ("joined", 11))
          ] + [("ntt_words", less(name))
               for name in ("forward", "leaf", "product", "inverse", "columns", "apart", "joined")]
SPOILED_BITS = []
