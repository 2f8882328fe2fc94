"""Contracts of ty_q_ops (src/mod/q_mldsa.h): the transforms, as 256 linear forms mod q, and the
sum of products, as 256 sums of products of two inputs."""

import random

from contract import Concrete
from lanes import Q, Lanes
from machine import Machine, Region
from outcome import Refused, Violation

USES = ["lanes"]
ROOT = 1753
PLACES = {"c": "q_mldsa.c.o", "avx2": "q_mldsa_avx2.c.o", "avx512": "q_mldsa_avx512.c.o"}


def reversed_bits(k):
    return int(f"{k:08b}"[::-1], 2)


def forward():
    """Row j: powers of the root at which the polynomial equals coefficient j of its transform"""
    return [[pow(ROOT, (2 * reversed_bits(j) + 1) * i, Q) for i in range(256)] for j in range(256)]


def backward():
    """The inverse of forward() times R = 2^32"""
    scale = pow(2, 32, Q) * pow(256, -1, Q) % Q
    rows = [[0] * 256 for _ in range(256)]
    for j in range(256):
        w, value = pow(ROOT, -(2 * reversed_bits(j) + 1), Q), scale
        for i in range(256):
            rows[i][j] = value
            value = value * w % Q
    return rows


class Transform:
    """a = M a mod q in place, for |a[i]| < q, with |result| below a bound."""

    method = "linear forms mod q with intervals"
    aliases, lengths, family = "in place", "256", "mldsa"

    def __init__(self, tier, kernel, matrix, bound, text, most=Q - 1):
        self.most = most  # of |a[i]|
        self.tier, self.member, self.symbol = tier, PLACES[tier], f"ty_q_{kernel}_{tier}"
        self.matrix, self.bound, self.statement = matrix, bound, text

    @property
    def name(self):
        return f"{self.member}:{self.symbol}(256)"

    def _call(self, image, domain, lanes, layout):
        m = Machine(image, domain, stack=0x7FF0_0000_0000 + (layout << 24))
        at = (0x10 + layout << 32) + 64 * layout
        m.place(Region("a", at, 1024, True), [c for lane in lanes for c in m.split(lane, 4)])
        m.call(image.address(image.main, self.symbol), [at])
        return m, [m.join(m.load(at + 4 * k, 4)) for k in range(256)]

    def prove(self, image):
        domain = Lanes()
        m, out = self._call(
            image, domain, [domain.input(k, -self.most, self.most) for k in range(256)], 1
        )
        for j, lane in enumerate(out):
            if type(lane) is int or lane.form is None:
                raise Refused(f"coefficient {j} is not known mod q")
            if any(lane.form.get(i, 0) != c for i, c in enumerate(self.matrix[j])):
                raise Refused(f"coefficient {j} is not shown to be what it should be")
            if max(-lane.lo, lane.hi) >= self.bound:
                raise Refused(f"coefficient {j} is not shown to be in range")
        return m

    def refute(self, image, seed=1, cases=2):
        rnd = random.Random(seed)
        for n in range(min(cases or 2, 4)):
            a = [
                (
                    rnd.choice((-self.most, self.most))
                    if n % 2 == 0
                    else rnd.randint(-self.most, self.most)
                )
                for _ in range(256)
            ]
            try:
                _, out = self._call(image, Concrete(), [v & 0xFFFF_FFFF for v in a], 2 + n)
            except Violation as e:
                return f"{e}; seed {seed}, case {n}"
            for j, row in enumerate(self.matrix):
                value = out[j] - (1 << 32) if out[j] >> 31 else out[j]
                if (value - sum(c * v for c, v in zip(row, a))) % Q or abs(value) >= self.bound:
                    return f"coefficient {j} is wrong; seed {seed}, case {n}"
        return None


class Dot:
    """z = (x_0 y_0 + x_1 y_1 + ...)/R mod q for each coefficient, |x|, |y| < 5.1 q and |z| < q."""

    method, aliases, family = Transform.method, "apart", "mldsa"
    statement = "z = (x_0 y_0 + ... + x_(n-1) y_(n-1))/R mod q, |z| < q, for |x|, |y| < 5.1 q"
    WIDE = 51 * Q // 10

    def __init__(self, tier, n):
        self.tier, self.member, self.symbol, self.n = tier, PLACES[tier], f"ty_q_dot_{tier}", n
        self.lengths = f"n = {n}"

    @property
    def name(self):
        return f"{self.member}:{self.symbol}({self.lengths})"

    def _call(self, image, domain, x, y, layout):
        m = Machine(image, domain, stack=0x7FF0_0000_0000 + (layout << 24))
        at = [(0x10 + layout << 32) + k * (1 << 20) + 64 * layout for k in range(3)]
        m.place(Region("z", at[0], 1024, True), [])
        for name, where, lanes in (("x", at[1], x), ("y", at[2], y)):
            m.place(
                Region(name, where, 1024 * self.n, False),
                [c for lane in lanes for c in m.split(lane, 4)],
            )
        m.call(image.address(image.main, self.symbol), [*at, self.n])
        return m, [m.join(m.load(at[0] + 4 * k, 4)) for k in range(256)]

    def prove(self, image):
        domain, count = Lanes(), 256 * self.n
        x, y = (
            [domain.input((name, k), -self.WIDE, self.WIDE) for k in range(count)] for name in "xy"
        )
        m, out = self._call(image, domain, x, y, 1)
        inverse = pow(1 << 32, -1, Q)
        for k, lane in enumerate(out):
            want = {(("x", i), ("y", i)): inverse for i in range(k, count, 256)}
            if type(lane) is int or lane.form is None:
                raise Refused(f"coefficient {k} is not known mod q")
            if {tuple(sorted(pair)): c for pair, c in lane.form.items()} != want:
                raise Refused(f"coefficient {k} is not shown to be what it should be")
            if max(-lane.lo, lane.hi) >= Q:
                raise Refused(f"coefficient {k} is not shown to be in range")
        return m

    def refute(self, image, seed=1, cases=2):
        rnd, count = random.Random(seed), 256 * self.n
        for n in range(min(cases or 2, 4)):
            pick = lambda: (
                rnd.choice((-self.WIDE, self.WIDE))
                if n % 2 == 0
                else rnd.randint(-self.WIDE, self.WIDE)
            )
            x, y = ([pick() for _ in range(count)] for _ in "xy")
            try:
                _, out = self._call(
                    image, Concrete(), *([v & 0xFFFF_FFFF for v in w] for w in (x, y)), 2 + n
                )
            except Violation as e:
                return f"{e}; seed {seed}, case {n}"
            for k in range(256):
                value = out[k] - (1 << 32) if out[k] >> 31 else out[k]
                total = sum(x[i] * y[i] for i in range(k, count, 256))
                if (value * (1 << 32) - total) % Q or abs(value) >= Q:
                    return f"coefficient {k} is wrong; seed {seed}, case {n}"
        return None


def theorems():
    ntt, intt = forward(), backward()
    for tier in PLACES:
        yield Transform(
            tier, "ntt", ntt, 51 * Q // 10, "a = NTT(a) mod q (FIPS 204, algorithm 41), |a| < 5.1 q"
        )
        yield Transform(tier, "intt", intt, Q, "a = R NTT^-1(a) mod q (algorithm 42), |a| < q")
        for n in range(1, 9):
            yield Dot(tier, n)
