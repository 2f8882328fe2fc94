"""Contracts of the named fields GF(2^m) (src/f2m): elements are polynomials of degree below 64 W,
or in the vectors of some fields below 8 F2_BYTES (f2m_size.h), and are congruent to what they
should be mod the field's polynomial."""

import os
import re

from contract import In, InOut, Out
from polynomials import Over2, congruent, equal, remainder

USES = ["bits", "polynomials"]
CARDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/f2m")
FIELDS = (113, 131, 163, 193, 233, 239, 283, 409, 571)
TIERS = ("c", "c64", "aesni", "vaes")
WIDE = (163, 233, 571)  # those that have a tier gfni512


class Field:
    """Constants of a card: the modulus, the exponents whose sum is the trace, and the sizes of
    f2m_size.h"""

    def __init__(self, m):
        text = open(os.path.join(CARDS, f"f2_{m}_const.h")).read()
        card = {k: int(v) for k, v in re.findall(r"#define F2_(\w+) +(\d+)", text)}
        self.m, self.terms = card["M"], {0, *(card[k] for k in ("K1", "K2", "K3"))}
        self.modulus = 1 << m | sum(1 << k for k in self.terms)
        self.words, self.bytes = m // 64 + 1, (m + 7) // 8
        cut = 16 * self.bytes - 128 * (m // 128)
        tight = self.words % 2 and cut - m + card["K1"] < 64
        self.loose = 8 * self.bytes if tight else 64 * self.words  # F2_LOOSE
        self.trace = sum(bit << k for k, bit in enumerate(self.power_sums()))

    def power_sums(self):
        """The traces of t^0 to t^(m - 1), by Newton's identities: with e_j the coefficient of
        t^(m - j), s_i = e_1 s_(i - 1) + ... + e_(i - 1) s_1 + i e_i"""
        sums = [self.m & 1]
        for i in range(1, self.m):
            total = i & (self.m - i in self.terms)
            for k in self.terms:
                if 0 < self.m - k < i:
                    total ^= sums[i - (self.m - k)]
            sums.append(total & 1)
        return sums

    def limbs(self, tier):
        """(words of an element in memory, its bits)"""
        if tier in ("c", "c64"):
            return self.words, 64 * self.words
        return self.words + self.words % 2, self.loose


def parity(x):
    return bin(x).count("1") & 1


def in_bytes(count):
    """The map from big-endian bytes that were read as little-endian words to the polynomial"""
    return lambda c: int.from_bytes(c.to_bytes(count, "little"), "big")


class OutBelow(Out):
    def __init__(self, name, limbs, at=None, result_below=None):
        super().__init__(name, limbs, at)
        self.result_below = result_below


def theorems():
    for m in FIELDS:
        field = Field(m)
        for tier in TIERS + (("gfni512",) if m in WIDE else ()):
            yield from of_tier(field, tier)


def of_tier(field, tier):
    m, f, (limbs, loose) = field.m, field.modulus, field.limbs(tier)
    member = f"ec_f2_{m}_{tier}.c.o"
    x = lambda name: In(name, limbs, below=1 << loose)

    def theorem(kernel, text, arguments, ensures, aliases="apart", lengths=f"m = {m}", **more):
        symbol = f"ty_f2_{m}_{kernel}_{tier}"
        return Over2(
            "f2m", tier, member, symbol, lengths, text, arguments, ensures, aliases=aliases, **more
        )

    z = lambda at=None: OutBelow("z", limbs, at, 1 << loose)
    for aliases, at in (("apart", None), ("z = x", "x"), ("z = y", "y")):
        if m > 400 and tier in ("c", "c64") and at:
            continue  # they take seconds; the shorter fields have the same code
        yield theorem(
            "mul",
            "z == x y",
            [z(at), x("x"), x("y")],
            lambda v: [congruent(v.z, v.x * v.y, f)],
            aliases,
        )
    for aliases, at in (("apart", None), ("z = x", "x")):
        yield theorem(
            "sqr",
            "z == x^2",
            [z(at), x("x")],
            lambda v: [congruent(v.z, v.x.power(1, f), f)],
            aliases,
        )
    if 113 < m < 193:  # the others take minutes; for 113 the compiler changes the arguments
        yield theorem(
            "sqrt",
            "z == x^(2^(m - 1)), whose square is x",
            [z(), x("x")],
            lambda v: [congruent(v.z, v.x.power(m - 1, f), f), congruent(v.z.power(1, f), v.x, f)],
            cases=1,
        )
    if m > 113 or tier not in ("c", "c64"):
        for n in (1, 2, 3):
            yield theorem(
                "sqr_n",
                "z == x^(2^n)",
                [z(), x("x"), n],
                lambda v, n=n: [congruent(v.z, v.x.power(n, f), f)],
                lengths=f"n = {n}, m = {m}",
            )
    word = InOut("x", field.words, "z", below=1 << loose)
    word.result_below = 1 << m
    yield theorem(
        "canon", "z == x, deg z < m", [word], lambda v: [congruent(v.z, v.x, f)], "in place"
    )
    if m > 113 or tier in ("c", "c64"):
        yield theorem(
            "trace",
            "all ones if Tr(x) = 1, else 0",
            [x("x")],
            lambda v: [
                equal(v.t, v.x.map(lambda c: -parity(remainder(c, f) & field.trace) % 2**64))
            ],
            result="t",
        )
