"""Division by reciprocals: src/mp/reciprocal.c. The bound of Newton's step for words of six bits or
more, and models of it and of the estimated quotient on all values of short words.
"""
from fractions import Fraction

from proof import claim


def constants():
    # what is subtracted from a reciprocal; limbs of the shorter one beyond half of the longer
    return {"newton_less": 4, "newton_guard": 1}


def reciprocals(c, b, n, d):
    """All X that count as a reciprocal: 4 <= B^2n/D - X < 6"""
    return range((b ** (2 * n) - 6 * d) // d + 1, (b ** (2 * n) - c["newton_less"] * d) // d + 1)


def step_fits(c):
    """The errors of two floors, and of the remainder's square, (R/B^h)^2/D < 36 D/B^2h, D < B^n"""
    for b in [2**w for w in (6, 8, 32, 64)]:
        for n in range(4, 40):
            h = n // 2 + c["newton_guard"]
            claim(1 + Fraction(2, b) + 36 * Fraction(b) ** (n - 2 * h) < 2,
                  "reciprocal: Newton's step")
    claim(2 + 7 + 1 <= 10 < 64, "quotient: corrections, and a limb above the remainder")


def every_step(c):
    """step() from every reciprocal of two words to one of two and of three, with a few values of
    the lowest word"""
    for b, n in ((64, 2), (64, 3)):
        h = n // 2 + c["newton_guard"]
        for e in range(b**h // 2, b**h):
            for low in {0, 1, b ** (n - h) // 2, b ** (n - h) - 1}:
                d = e * b ** (n - h) + low
                for y in reciprocals(c, b, h, e):
                    r = b ** (n + h) - y * d
                    claim(0 < r <= 6 * d and r < b ** (n + 1) - b,
                          "reciprocal: what is left is known")
                    x = y * b ** (n - h) + y * (r // b ** (h - 1)) // b ** (h + 1) - 4
                    claim(x in reciprocals(c, b, n, d), "reciprocal: what a step gives")


def every_guess(c):
    """Estimates by all reciprocals of n limbs, for divisors of n limbs, or of one more limb, the
    least and the largest; all qn; the least and the largest dividend of some quotients"""
    for b in (8, 16):
        for n, dn in ((1, 1), (1, 2), (2, 2), (2, 3)):
            for e in range(b**n // 2, b**n):
                for d in {e * b ** (dn - n), (e + 1) * b ** (dn - n) - 1}:
                    for x in reciprocals(c, b, n, e):
                        for qn in range(1, n + 1):
                            z, one = x // b ** (n - qn), Fraction(1, b**qn)
                            gap = Fraction(b**dn, d) - z * one
                            claim(0 <= gap < 7 * one, "quotient: the reciprocal's part")
                            for q in (0, 1, b**qn // 2, b**qn - 1):
                                for u in (q * d, (q + 1) * d - 1):
                                    guess = (u // b**dn) * z // b**qn
                                    claim(0 <= q - guess <= 9, "quotient: at most nine too small")


EXACT = [step_fits, every_step, every_guess]
BITS = []
SPOILED = [("newton_less", lambda v: 0), ("newton_guard", lambda v: 0)]
SPOILED_BITS = []
