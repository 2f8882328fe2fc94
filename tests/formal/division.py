"""Division by rows: models of src/limb/div_adx.S, instruction by instruction, and of the estimate
of a digit in src/limb/limb_div.c.

They are proved as in carries.py: for all values of short words, for words of 64 bits with z3, and
for words of any width the facts on which these two depend.
"""
from fractions import Fraction

import words
from carries import row
from proof import claim


def constants():
    return {
        # limb/div_adx.S: what is added to a guess that fits, and whether one that is too small by 1
        # is corrected; whether a row begins with g, and whether g is subtracted from the top
        "guess": (1, 1), "begin": (1, 1),
        "recip": (768, 1, 1),               # limb/limb_div.c: the constants in v0, d40 and v1
        "tests": 1,                  # limb/limb_div.c: how often a guess by one limb may be lowered
    }


# --- Division -------------------------------------------------------------------------------------

def guess(m, c, u, d, v):
    """DIGITS of div_adx.S up to .Lless: u2 u1 u0 by d1 d0; the digit, and the remainder"""
    (u0, u1, u2), (d0, d1) = u, d
    high, low = m.mul(u2, v)
    low, carry = m.add(low, u1)
    g, _ = m.add(high, u2, carry)
    r0, borrow = m.sub(u0, d0)
    r1, _ = m.sub(u1, d1, borrow)
    high, p = m.mul(g, d0)
    r1, _ = m.sub(r1, m.mul(g, d1)[1])
    r0, borrow = m.sub(r0, p)
    r1, _ = m.sub(r1, high, borrow)
    fits = m.below(r1, low)                              # then g + 1 holds, else d is added back
    g, _ = m.add(g, m.pick(fits, c["guess"][0], 0))
    r0, carry = m.add(r0, m.pick(fits, 0, d0))
    r1, _ = m.add(r1, m.pick(fits, 0, d1), carry)
    s0, borrow = m.sub(r0, d0)
    s1, borrow = m.sub(r1, d1, borrow)
    more = borrow == 0 if c["guess"][1] else borrow == 2
    return m.add(g, m.pick(more, 1, 0))[0], m.pick(more, s0, r0), m.pick(more, s1, r1)


def take_off(m, c, u, e, g, r0, r1):
    """The fast row, after g is subtracted from the two limbs on top. Returns the limbs, the borrow
    of that subtraction (the row is valid only if it is 0), and the carry."""
    low, below = m.sub(r0, g if c["begin"][1] else 0)
    high, below = m.sub(r1, 0, below)
    m.fact(m.below(m.value(u) + m.times(e, g) + m.value([g]),
                   m.value([0] * len(u) + [g]) + m.value([0] * len(u) + [1])),
           "division: a row carries out g at most")
    out, above = row(m, c, u, e, g, before=g if c["begin"][0] else 0)
    low, carry = m.add(low, above)
    high, carry = m.add(high, 0, carry)
    return out + [low, high], below, carry


def slow(m, u, e, d, g, r):
    """.Lslow: u + g ~d + g, and r above it, three limbs in two's complement; if that is negative, d
    is added back"""
    out, before = [], g
    for ui, ei in zip(u, e):
        high, low = m.mul(ei, g)
        low, carry = m.add(low, before)
        high, more = m.add(high, 0, carry)
        low, carry = m.add(low, ui)
        before, again = m.add(high, 0, carry)
        m.claim(more + again == 0, "slow row: no carry")
        out.append(low)
    low, carry = m.add(before, r[0])
    high, carry = m.add(r[1], 0, carry)
    sign, _ = m.add(r[2], 0, carry)
    if sign == 0:
        return g, out + [low, high]
    claim(sign == m.b - 1, "slow row: below zero by less than B^2")
    carry, back = 0, []
    for oi, di in zip(out + [low, high], [m.invert(x) for x in e] + d):
        total, carry = m.add(oi, di, carry)
        back.append(total)
    m.claim(carry == 1, "slow row: d once is enough")
    return g - 1, back


def digit(m, c, u, d, v):
    """A whole digit, on numbers: u has one limb more than d, and its upper part is below d"""
    k, low = len(d) - 2, u[:len(d) - 2]
    (u0, u1, u2), (d0, d1) = u[k:], d[k:]
    e = [m.invert(x) for x in d[:k]]
    if u2 == d1 and u1 == d0:                            # .Lequal
        g = m.b - 1
        rest = (u2 << m.w) + u1 + u0 - g & m.b**3 - 1
        return slow(m, low, e, [d0, d1], g,
                    [rest & m.b - 1, rest >> m.w & m.b - 1, rest >> 2 * m.w])
    g, r0, r1 = guess(m, c, (u0, u1, u2), (d0, d1), v)
    out, below, carry = take_off(m, c, low, e, g, r0, r1)
    if not below:
        claim(carry == 0, "division: what is left has no carry")
        return g, out
    r0, borrow = m.sub(r0, g)
    return slow(m, low, e, [d0, d1], g, [r0, m.sub(r1, 0, borrow)[0], m.b - 1])


def reciprocal(m, d0, d1):
    """recip_2_vt of limb_div.c [Moeller and Granlund, algorithm 6], from the reciprocal of d1"""
    v = (m.b**2 - 1) // d1 - m.b
    p = (d1 * v + d0) % m.b
    if p < d0:
        v -= 1
        if p >= d1:
            v, p = v - 1, p - d1
        p = (p - d1) % m.b
    high, low = m.mul(v, d0)
    p = (p + high) % m.b
    if p < high:
        v -= 1
        if p > d1 or (p == d1 and low >= d0):
            v -= 1
    return v


def div_2by1(m, u1, u0, d, v):
    """limb_div.c, u1 < d: quotient and remainder"""
    high, low = m.mul(v, u1)
    low, carry = m.add(low, u0)
    q = m.add(m.add(high, u1, carry)[0], 1)[0]
    x = m.sub(u0, m.mul(q, d)[1])[0]
    if low < x:
        q, x = m.sub(q, 1)[0], m.add(x, d)[0]
    y, borrow = m.sub(x, d)
    return (q, x) if borrow else (m.add(q, 1)[0], y)


def knuth(m, c, u, d, v):
    """guess of limb_div.c, u2 u1 <= d1 d0: two limbs by one, then lowered once if the third limb
    shows it too large"""
    (u0, u1, u2), (d0, d1) = u, d
    q, r = (m.b - 1, u1 + d1) if u2 == d1 else div_2by1(m, u2, u1, d1, v)
    for _ in range(c["tests"]):
        if r < m.b and q * d0 > r * m.b + u0:
            q, r = q - 1, r + d1
    return q


# --- All widths -----------------------------------------------------------------------------------

def reciprocal_fits(c):
    """ty_limb_recip of limb_div.c for all d of 64 bits, 2^63 <= d: for each value d9 of the highest
    nine bits, with bounds of the rest. Each step rounds down, by some t from 0 to 1; d40 2^24
    exceeds d by h, at most 2^24. The errors E, where d v2 and d v3 should be 2^97 and 2^128:
        v1 = v0 (2^50 + E0)/2^40 - t      E0 = 2^50 - v0 d40
                                          E1 = 2^60 - v1 d40 = E0^2/2^40 + t d40
        v2 = v1 (2^60 + E1)/2^47 - t      E2 = 2^97 - v2 d
                                             = E1^2/2^23 + t d + h v1 (2^60 + E1)/2^47
                                          e = floor(E2/2)
        v3 = v2 (2^97 + E2)/2^66 - t'     E3 = 2^128 - v3 d = E2^2/2^66 + t' d
                                          t' at most 1 + v2/2^66
    0 < E3 < 2d means that v3 is floor((2^128 - 1)/d) or 1 less, and the last step detects which of
    the two: (v3 + 1)d is between 2^128 and 2^128 + 2^64, or else between 2^128 - 2^64 and
    2^128."""
    offset, above, less = c["recip"]
    for d9 in range(256, 512):
        v0, d_most, d40_most = ((2**19 - offset) // d9, (d9 + 1) * 2**55 - 1,
                                (d9 + 1) * 2**31 - 1 + above)
        claim(1024 <= v0 < 2048, "reciprocal: eleven bits")
        ends_0 = (2**50 - v0 * d40_most, 2**50 - v0 * (d9 * 2**31 + above))
        e1 = Fraction(max(e * e for e in ends_0), 2**40) + d40_most
        v1 = Fraction(v0 * (2**50 + max(ends_0)), 2**40)
        claim(above * 2**24 > 2**24 - 1 and less >= 1, "reciprocal: h and E1 are above 0")
        claim(v0 * v0 * d40_most < 2**64 and v1 * e1 < 2**64, "reciprocal: words")
        v2 = v1 * (2**60 + e1) / 2**47
        e2 = e1 * e1 / 2**23 + d_most + 2**24 * v2
        claim(v2 < 2**64 and e2 / 2 < 2**64, "reciprocal: words, v2 and e")
        d_least = d9 * 2**55
        claim(e2 * e2 / 2**66 < d_least * (1 - v2 / 2**66), "reciprocal: E3 is below 2d")


def every_reciprocal(c):
    """The first division of ty_limb_recip, for all d9; and its division bit by bit, which 32-bit
    limbs use, for all d of words of 2, 4 and 8 bits: the remainder stays below d"""
    for d9 in range(256, 512):
        r, v = 2**19 - c["recip"][0] - (d9 << 10), 1024
        for i in reversed(range(10)):
            if r >= d9 << i:
                r, v = r - (d9 << i), v | 1 << i
        claim(0 <= r < d9 and v * d9 + r == 2**19 - c["recip"][0],
              "reciprocal: the first eleven bits")
    for w in (2, 4, 8):
        m = words.Numbers(w)
        for d in range(m.b // 2, m.b):
            r, q = m.invert(d), 0
            for _ in range(w):
                r, q = 2 * r + 1, 2 * q
                if r >= d:
                    r, q = r - d, q + 1
                claim(r < d, "reciprocal: a remainder")
            claim(q == (m.b**2 - 1) // d - m.b, "reciprocal: bit by bit")


def guess_fits(c):
    """Moeller and Granlund's algorithm 5, three limbs by two, here for B = 4, 8, 16 and all d, u2,
    u1, and for any B:

    Let k = B^3 - (B + v)d, 1 <= k <= d, and v u2 + u2 B + u1 = q1 B + q0. The remainder with the
    quotient q1 + 1 is
        r = (u2 k + u1 (B^2 - d) + u0 B + q0 d)/B - d.
    It is at least -d and, because q0 d/B - d > q0 B - B^2, at least (q0 - B)B. And it is below the
    larger of B^2 - d and q0 B. If B (B^2 - d) >= d: with k <= d, u0 < B and u2 B <= d - 1 - u1 it
    grows with u1, and for u1 = B - 1 it is at most
        (1 - s)(B^2 - d) + s q0 B - 1, a mean of the two less 1, where s = d/B^2.
    Else B + v < B + 1, so v = 0, q0 = u1, k = B (B^2 - d), B^2 - d < B, and r = u2 (B^2 - d) + q0 B
    + u0 - d < q0 B. The upper limb of r modulo B^2 is compared with q0. If r < 0 it is not smaller,
    and d is added back. If r >= 0 and it is not smaller, then r < B^2 - d <= d: d is added back and
    subtracted again. Else r < B^2 <= 2d: d is subtracted once, or not at all."""
    first_one, more = c["guess"]
    for b in (4, 8, 16):
        for d in range(b * b // 2, b * b):
            v = (b**3 - 1) // d - b
            k, over = b**3 - (b + v) * d, b * b - d
            claim(0 <= v < b and 1 <= k <= d, "guess: the reciprocal is a limb")
            claim(b * over >= d or (v == 0 and over < b), "guess: two cases")
            for u in range(0, b * d, b):   # u0 = 0; with u0 = b - 1, r is b - 1 larger
                (u2, u1), (q1, q0) = divmod(u // b, b), divmod(v * (u // b // b) + u // b, b)
                r = u - (q1 + first_one) * d
                claim(b * (r + d) == u2 * k + u1 * over + q0 * d, "guess: what it leaves")
                claim(max(-d, (q0 - b) * b) <= r, "guess: the remainder is not too small")
                most = (over * over + q0 * b * d) // (b * b) if b * over >= d else q0 * b
                claim(r + b - 1 < most and most <= max(over, q0 * b),
                      "guess: the remainder is not too large")
                for r in (r, r + b - 1):
                    back = r % (b * b) // b >= q0
                    claim(back or r >= 0, "guess: a negative remainder is detected")
                    claim(0 <= r + back * d < b * b, "guess: d is added back at most once")
                    claim(r + back * d < (1 + more) * d, "guess: d is subtracted at most once")


def digit_fits(c):
    """The row is u - gd + g B^k for the k lower limbs of d. Since u < B^k, it carries out at most
    g, which was subtracted from the limbs above before: if that gave no borrow, this gives no
    carry. Checked at the ends of u and d, for words of five widths."""
    begins, taken = c["begin"]
    for b in [2**w for w in (2, 3, 8, 32, 64)]:
        for k in range(1, 9):
            power = b**k
            for g in (0, 1, b - 1):
                for d in (0, power - 1):                  # its lower part; ~d is power - 1 - d
                    least, most = (u + g * (power - 1 - d) + g * begins for u in (0, power - 1))
                    claim((least, most) == (-g * d + g * power, power - 1 - g * d + g * power),
                          "division: a row is a sum")
                    claim(most // power <= g * taken,
                          "division: what a row carries out was subtracted before")


# --- Short words, all values ----------------------------------------------------------------------

def every_digit(c):
    for w in (2, 3, 4, 5):
        m = words.Numbers(w)
        for d1 in range(m.b // 2, m.b):
            for d0 in range(m.b):
                claim(reciprocal(m, d0, d1) == (m.b**3 - 1) // (d1 * m.b + d0) - m.b,
                      "division: the reciprocal")
    for w, k in ((2, 0), (3, 0), (2, 1)):
        m = words.Numbers(w)
        for d in m.all(k + 2):
            if d[-1] < m.b // 2:
                continue
            v, whole = reciprocal(m, d[-2], d[-1]), m.value(d)
            for u in m.all(k + 3):
                if m.value(u[1:]) < whole:
                    g, rest = digit(m, c, u, d, v) if k else two_limbs(m, c, u, d, v)
                    m.claim(0 <= g < m.b and g * whole + m.value(rest) == m.value(u),
                            "division: u = gd + r")
                    m.claim(m.value(rest) < whole, "division: r < d")


def every_guess(c):
    """The constant-time estimate: exact for a divisor of one limb, at most one too large for
    longer ones, so that d is added back once; and never too small."""
    for w in (2, 3, 4, 5):
        m = words.Numbers(w)
        for d in range(m.b // 2, m.b):
            v = (m.b**2 - 1) // d - m.b
            for u in range(d * m.b):
                m.claim(div_2by1(m, u >> w, u & m.b - 1, d, v) == divmod(u, d),
                        "division by a limb")
    for w, n in ((2, 2), (3, 2), (2, 3)):
        m = words.Numbers(w)
        for d in m.all(n):
            if d[-1] < m.b // 2:
                continue
            whole, v = m.value(d), (m.b**2 - 1) // d[-1] - m.b
            for u in m.all(n + 1):
                if m.value(u[1:]) < whole:
                    m.claim(0 <= knuth(m, c, u[-3:], d[-2:], v) - m.value(u) // whole <= 1,
                            "division: one too large at most")


def two_limbs(m, c, u, d, v):
    g, r0, r1 = guess(m, c, u, d, v)
    return g, [r0, r1]


# --- The machine's words --------------------------------------------------------------------------

def digits_of_words(c):
    for k in (1, 3, 8):
        m, e, _, u, (g, r0, r1, _) = words.symbols(k)
        out, below, carry = take_off(m, c, u, e, g, r0, r1)
        all_of_it = m.value(u + [r0, r1]) + m.times(e, g) + m.value([g])
        m.fact(below == 0, "division: the fast row")
        m.claim(carry == 0, "division: no carry")
        m.claim(m.value(out) + m.value([0] * k + [g]) == all_of_it, "division: a row")


EXACT = [reciprocal_fits, every_reciprocal, guess_fits, digit_fits, every_digit, every_guess]
BITS = [digits_of_words]
SPOILED = [("guess", lambda v: (0, 1)), ("guess", lambda v: (1, 0)), ("begin", lambda v: (0, 1)),
           ("begin", lambda v: (1, 0)), ("tests", lambda v: 0),
           ("recip", lambda v: (300, 1, 1)), ("recip", lambda v: (1500, 1, 1)),
           ("recip", lambda v: (768, 0, 1)),
           ("recip", lambda v: (768, 1, 0))]
SPOILED_BITS = [("begin", lambda v: (0, 1)), ("begin", lambda v: (1, 0))]
