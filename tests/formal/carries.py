"""Rows of products with two carry chains: models, instruction by instruction, of the kernels of
src/limb/limb_adx.S, limb_adx_1.S, short_adx.h and mont_adx.S.

For each, two things are shown: its result is the number that the kernel's comment states, and a
carry that is not examined is 0. Models run on all values of short words (every_...; for numbers of
three words, where all values would be too many, on extremes), and on words of 64 bits with z3
(..._of_words), where bounds of products are taken as facts: rows_fit proves these, for words of any
width.
"""
import words
from proof import claim


def constants():
    return {
        "flags": (1, 1),          # whether the carry of each chain goes into the limb above a row
        "held": 1,    # limb/mont_adx.S: the carry of limb n + i is in limb i until the next row
        "less": 1,                      # the value of t's highest bit for which m is subtracted
    }


# --- Rows -----------------------------------------------------------------------------------------

def fit(m, number, limbs, what):
    m.fact(m.below(number, m.value([0] * limbs + [1])), what)


def ends(m, c, high, carry, over, what):
    """The limb above with the carries of both chains; it has no carry itself."""
    high, out = m.add(high, 0, carry if c["flags"][0] else 0)
    high, more = m.add(high, 0, over if c["flags"][1] else 0)
    m.claim(out + more == 0, f"{what}: no carry out of the limb above")
    return high


def row(m, c, z, x, y, before=0, minus=False):
    """limb_adx_1.S: z + xy, or by complements z - xy, and the limb above; div_adx.S begins with a
    limb from below"""
    carry = over = 0
    out, z = [], [m.invert(zi) if minus else zi for zi in z]
    fit(m, m.value(z) + m.times(x, y) + m.value([before]), len(x) + 1,
        "row: the sum fits in one more limb")
    for zi, xi in zip(z, x):
        high, low = m.mul(xi, y)
        low, carry = m.add(low, before, carry)
        low, over = m.add(low, zi, over)
        out.append(m.invert(low) if minus else low)
        before = high
    return out, ends(m, c, before, carry, over, "row")


def window(m, c, r, limb, x, y):
    """limb_adx.S: a window of as many limbs as x, its lowest with z[k] added, and xy; one limb
    more"""
    fit(m, m.value(r) + m.value([limb]) + m.times(x, y), len(x) + 1,
        "window: the sum fits in one more limb")
    r = list(r)
    r[0], over = m.add(r[0], limb)
    carry = 0
    for j, xj in enumerate(x):
        high, low = m.mul(xj, y)
        r[j], carry = m.add(r[j], low, carry)
        if j < len(x) - 1:
            r[j + 1], over = m.add(r[j + 1], high, over)
    return r + [ends(m, c, high, carry, over, "window")]


def first(m, x, y):
    """FIRST of short_adx.h and BEGIN of mont_adx.S: xy, with nothing to add to; one chain"""
    fit(m, m.times(x, y), len(x) + 1, "first row: the product fits in one more limb")
    out, carry, high = [], 0, 0
    for xj in x:
        before, (high, low) = high, m.mul(xj, y)
        low, carry = m.add(before, low, carry)
        out.append(low)
    high, carry = m.add(high, 0, carry)
    m.claim(carry == 0, "first row: no carry")
    return out + [high]


def along(m, c, t, at, x, y):
    """ALONG of short_adx.h: xy added to t from limb `at` on, where t has as many limbs as x; the
    highest limb of the sum is new"""
    n = len(x)
    fit(m, m.value(t[at:at + n]) + m.times(x, y), n + 1, "along: the sum fits in one more limb")
    carry = over = 0
    for j, xj in enumerate(x):
        high, low = m.mul(xj, y)
        t[at + j], carry = m.add(t[at + j], low, carry)
        if j < n - 1:
            t[at + j + 1], over = m.add(t[at + j + 1], high, over)
    t[at + n] = ends(m, c, high, carry, over, "along")


def product(m, c, x, y):
    """short_adx.S"""
    t = first(m, x, y[0]) + [0] * (len(x) - 1)
    for i in range(1, len(y)):
        along(m, c, t, i, x, y[i])
    return t


def square(m, c, x):
    """ROWS and LIMBS of short_adx.h: each product of two limbs once, then twice that and the
    squares"""
    n = len(x)
    t = [0] + first(m, x[1:], x[0]) + [0] * (n - 1)
    for i in range(1, n - 1):
        along(m, c, t, 2 * i + 1, x[i + 1:], x[i])
    squares = [part for xi in x for part in m.mul(xi, xi)[::-1]]
    fit(m, m.value(t) + m.value(t) + m.value(squares), 2 * n, "square: 2n limbs")
    carry = over = 0
    for k in range(2 * n):
        t[k], carry = m.add(t[k], t[k], carry)
        t[k], over = m.add(t[k], squares[k], over)
    m.claim(carry + over == 0, "square: no carry")
    return t


# --- Turns and squares of mont_adx.S --------------------------------------------------------------

def chain(m, c, t, p, y):
    """CHAIN: t += yp for t of two limbs more than p, of which the highest is 0: carries go there"""
    carry = over = 0
    for j, pj in enumerate(p):
        high, low = m.mul(pj, y)
        t[j], carry = m.add(t[j], low, carry)
        t[j + 1], over = m.add(t[j + 1], high, over)
    t[-2], carry = m.add(t[-2], 0, carry)
    t[-1], out = m.add(t[-1], 0, carry if c["flags"][0] else 0)
    t[-1], more = m.add(t[-1], 0, over if c["flags"][1] else 0)
    m.claim(out + more == 0, "chain: its highest limb holds both carries")


def take(m, c, t, mod):
    """z = t less `mod` times the bit above: TOP and LESS, TAKE"""
    n = len(mod)
    m.fact(m.below(m.value(t), m.value([0] * n + [1]) + m.value(mod)), "mont: t is below B^n + m")
    z, borrow = [], 0
    for ti, mi in zip(t, mod):
        zi, borrow = m.sub(ti, m.pick(t[n] == c["less"], mi, 0), borrow)
        z.append(zi)
    m.claim(borrow == t[n], "mont: the bit above is taken by what is subtracted")
    return z


def mont(m, c, x, y, mod, minv):
    """ty_limb_mont_adx: z, the digits q, and the bit; (z + bit m) B^n = xy + qm, m is `mod`"""
    n = len(x)
    t, q = first(m, x, y[0]) + [0], []
    for i in range(n):
        if i:
            chain(m, c, t, x, y[i])
        q.append(m.mul(t[0], minv)[1])
        chain(m, c, t, mod, q[i])
        m.fact(t[0] == 0, "mont: the lowest limb is cleared")
        t = t[1:] + [0]
    return take(m, c, t, mod), q, t[n]


def mont_square(m, c, x, mod, minv):
    """ty_limb_mont2_adx: the same for y = x; the carry out of limb n + i is kept in limb i, which
    is 0 then"""
    n = len(x)
    t, q, held = square(m, c, x), [], 0
    for i in range(n):
        q.append(m.mul(t[i], minv)[1])
        fit(m, m.times(mod, q[i]) + m.value([0] * n + [1]), n + 1,
            "mont2: a row leaves room for a bit")
        carry = over = 0
        for j, mj in enumerate(mod):
            high, low = m.mul(mj, q[i])
            t[i + j], carry = m.add(t[i + j], low, carry)
            t[i + j + 1], over = m.add(t[i + j + 1], high, over)
        t[i + n], carry = m.add(t[i + n], held, carry)
        m.fact(t[i] == 0, "mont2: the lowest limb is cleared")
        held = carry + over if c["held"] else 0
        m.claim(m.below(held, 2), "mont2: what is held is a bit")
    return take(m, c, t[n:] + [held], mod), q, held


# --- All widths -----------------------------------------------------------------------------------

def rows_fit(c):
    """What the models take as facts, for all widths and lengths: each is a bound of a sum of
    products, which is largest at the ends of its words."""
    for b in [2**w for w in (2, 3, 8, 32, 64)]:
        for n in range(1, 33):
            most = b**n - 1
            claim(most + most * (b - 1) + b - 1 < b**(n + 1),
                  "row, window: z, xy and a limb from below are n + 1 limbs")
            claim(most * (b - 1) + b**n < b**(n + 1), "mont2: a row leaves room for a bit")
            claim(most * most < b**(2 * n), "square: 2n limbs")
            claim(all(most * most + most * m < b**n * (b**n + m) for m in (1, most)),
                  "mont: t is below B^n + m")
            # the sum of rows 0 to i - 1 is a product of n and of i limbs, or less
            for i in range(1, 9):
                claim(most * (b**i - 1) < b**(n + i), "along: n + i limbs")


# --- Short words, all values ----------------------------------------------------------------------

def every_row(c):
    for w, n in ((2, 1), (3, 1), (2, 2)):
        m = words.Numbers(w)
        power = m.b**(n + 1)
        for x in m.all(n):
            for y in range(m.b):
                xy = m.value(x) * y
                m.claim(m.value(first(m, x, y)) == xy, "first row: xy")
                for z in m.all(n):
                    out, above = row(m, c, z, x, y)
                    m.claim(m.value(out + [above]) == m.value(z) + xy, "row: z + xy")
                    out, above = row(m, c, z, x, y, minus=True)
                    m.claim(m.value(out) - above * m.b**n == m.value(z) - xy, "row: z - xy")
                    for limb in (0, m.b - 1):
                        out = window(m, c, z, limb, x, y)
                        m.claim(m.value(out) == m.value(z) + limb + xy < power, "window: with z[k]")


def extremes(m, n):
    """All numbers of n words of 0, 1 and all ones, where every number would be too many"""
    return [[(0, 1, m.b - 1)[k // 3**i % 3] for i in range(n)] for k in range(3**n)]


def every_product(c):
    for w, n in ((2, 2), (3, 2), (2, 3)):
        m = words.Numbers(w)
        for x in m.all(n):
            m.claim(m.value(square(m, c, x)) == m.value(x)**2, "square: x^2")
            for y in m.all(n) if n < 3 else extremes(m, n):
                m.claim(m.value(product(m, c, x, y)) == m.value(x) * m.value(y), "product: xy")


def every_turn(c):
    for w, n in ((2, 2), (2, 3)):
        m = words.Numbers(w)
        numbers = list(m.all(n)) if n < 3 else extremes(m, n)
        factors = [y for y in numbers if n < 3 or 1 not in y]
        for mod in [x for x in numbers if x[0] % 2]:
            minv = -pow(mod[0], -1, m.b) % m.b
            for x in numbers:
                for y in factors:
                    check_mont(m, mont(m, c, x, y, mod, minv), m.value(x) * m.value(y), mod)
                check_mont(m, mont_square(m, c, x, mod, minv), m.value(x)**2, mod)


def check_mont(m, made, xy, mod):
    z, q, bit = made
    power = m.b**len(mod)
    m.claim(bit <= 1, "mont: t is n limbs and a bit")
    m.claim(m.value(z) * power + bit * m.value(mod) * power == xy + m.value(q) * m.value(mod),
            "mont: xy/B^n")


# --- The machine's words --------------------------------------------------------------------------

def rows_of_words(c):
    for n in (1, 2, 8):
        m, x, _, z, (y, limb, _, _) = words.symbols(n)
        m.claim(m.value(first(m, x, y)) == m.times(x, y), "first row: xy")
        out, above = row(m, c, z, x, y)
        m.claim(m.value(out + [above]) == m.value(z) + m.times(x, y), "row: z + xy")
        out, above = row(m, c, z, x, y, minus=True)
        m.claim(m.value(out) + m.times(x, y) == m.value(z + [above]), "row: z - xy")
        m.claim(m.value(window(m, c, z, limb, x, y)) == m.value(z) + m.value([limb]) +
                m.times(x, y), "window: with z[k]")


def products_of_words(c):
    for n in (3, 6):
        m, x, y, _, _ = words.symbols(n)
        xy = [m.times(x, yi) * m.b**i for i, yi in enumerate(y)]
        m.claim(m.value(product(m, c, x, y)) == sum(xy), "product: xy")
    for n in (3, 8):
        m, x, _, _, _ = words.symbols(n)
        xx = [m.times(x, xi) * m.b**i for i, xi in enumerate(x)]
        m.claim(m.value(square(m, c, x)) == sum(xx), "square: x^2")


def turns_of_words(c):
    for n in (2, 3):
        for squares in (False, True):
            m, x, y, mod, (minv, _, _, _) = words.symbols(n)
            z, q, bit = mont_square(m, c, x, mod, minv) if squares else mont(m, c, x, y, mod, minv)
            xy = [(m.times(x, yi) + m.times(mod, qi)) * m.b**i
                  for i, (yi, qi) in enumerate(zip(x if squares else y, q))]
            taken = m.value([0] * n + [m.pick(bit == 1, mi, 0) for mi in mod])
            m.claim(m.value([0] * n + z) + taken == sum(xy), "mont: xy/B^n")


EXACT = [rows_fit, every_row, every_product, every_turn]
BITS = [turns_of_words, rows_of_words, products_of_words]
SPOILED = [
    ("flags", lambda v: (0, 1)), ("flags", lambda v: (1, 0)), ("held", lambda v: 0),
    ("less", lambda v: 0),
]
SPOILED_BITS = [
    ("flags", lambda v: (0, 1)), ("flags", lambda v: (1, 0)), ("held", lambda v: 0),
    ("less", lambda v: 0),
]
