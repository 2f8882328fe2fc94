"""Rows of products with two carry chains: models, instruction by instruction, of the kernels of src/limb/limb_adx.S,
limb_adx_1.S, short_adx.inc, mont_adx.S and div_adx.S.

Each shows two things of what it makes: it is the number that the kernel's comment says, and where a carry is not looked at there
is none. Models run on all values of short words (every_...), and on words of 64 bits with z3 (..._of_words), where the sizes of
products are given: these, for words of any width, are in rows_fit, guess_fits and digit_fits.
"""
import words
from proof import claim


def constants():
    return {
        "flags": (1, 1),                # which of the two chains goes into the limb above a row, in which order
        "held": 1,                      # limb/mont_adx.S: the carry of limb n + i stands in limb i until the next row
        "less": 1,                      # what the last bit of t is times m
        # limb/div_adx.S: a guess has one more; it may be one too small yet; g begins a row; and goes off the top
        "guess": (1, 1), "begin": (1, 1),
    }


# --- Rows ------------------------------------------------------------------------------------------------------

def fit(m, number, limbs, what):
    m.fact(m.below(number, m.value([0] * limbs + [1])), what)


def ends(m, c, high, carry, over, what):
    """Both chains into the limb above; nothing comes out."""
    high, out = m.add(high, 0, carry if c["flags"][0] else 0)
    high, more = m.add(high, 0, over if c["flags"][1] else 0)
    m.claim(out + more == 0, f"{what}: no carry out of the limb above")
    return high


def row(m, c, z, x, y, before=0, minus=False):
    """limb_adx_1.S: z + xy, or by complements z - xy, and the limb above; div_adx.S begins with a limb from below"""
    carry = over = 0
    out, z = [], [m.invert(zi) if minus else zi for zi in z]
    fit(m, m.value(z) + m.times(x, y) + m.value([before]), len(x) + 1, "row: all of it is a limb more")
    for zi, xi in zip(z, x):
        high, low = m.mul(xi, y)
        low, carry = m.add(low, before, carry)
        low, over = m.add(low, zi, over)
        out.append(m.invert(low) if minus else low)
        before = high
    return out, ends(m, c, before, carry, over, "row")


def window(m, c, r, first, x, y):
    """limb_adx.S: a window of as many limbs as x, its lowest with z[k] added, and xy; one limb more"""
    fit(m, m.value(r) + m.value([first]) + m.times(x, y), len(x) + 1, "window: all of it is a limb more")
    r = list(r)
    r[0], over = m.add(r[0], first)
    carry = 0
    for j, xj in enumerate(x):
        high, low = m.mul(xj, y)
        r[j], carry = m.add(r[j], low, carry)
        if j < len(x) - 1:
            r[j + 1], over = m.add(r[j + 1], high, over)
    return r + [ends(m, c, high, carry, over, "window")]


def first(m, x, y):
    """FIRST of short_adx.inc and BEGIN of mont_adx.S: xy where nothing is yet; one chain"""
    fit(m, m.times(x, y), len(x) + 1, "first row: a limb more")
    out, carry, high = [], 0, 0
    for xj in x:
        before, (high, low) = high, m.mul(xj, y)
        low, carry = m.add(before, low, carry)
        out.append(low)
    high, carry = m.add(high, 0, carry)
    m.claim(carry == 0, "first row: no carry")
    return out + [high]


def along(m, c, t, at, x, y):
    """ALONG of short_adx.inc: xy added to t from limb at on, where as many limbs are; the last of its limbs is new"""
    n = len(x)
    fit(m, m.value(t[at:at + n]) + m.times(x, y), n + 1, "along: all of it is a limb more")
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
    """ROWS and LIMBS of short_adx.inc: each product of two limbs once, then twice that and the squares"""
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


# --- Turns and squares of mont_adx.S -----------------------------------------------------------------------------

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
    """z = t less mod times the bit above: TOP and LESS, TAKE"""
    n = len(mod)
    m.fact(m.below(m.value(t), m.value([0] * n + [1]) + m.value(mod)), "mont: t is below B^n + m")
    z, borrow = [], 0
    for ti, mi in zip(t, mod):
        zi, borrow = m.sub(ti, m.pick(t[n] == c["less"], mi, 0), borrow)
        z.append(zi)
    m.claim(borrow == t[n], "mont: the bit above is taken by what is subtracted")
    return z


def mont(m, c, x, y, mod, minv):
    """ty_limb_mont_adx: z, and the digits q and the bit of z B^n + bit mod B^n = xy + q mod"""
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
    """ty_limb_mont2_adx: the same for y = x; what comes out of limb n + i waits in limb i, which is 0 then"""
    n = len(x)
    t, q, held = square(m, c, x), [], 0
    for i in range(n):
        q.append(m.mul(t[i], minv)[1])
        fit(m, m.times(mod, q[i]) + m.value([0] * n + [1]), n + 1, "mont2: a row leaves room for a bit")
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


# --- Division --------------------------------------------------------------------------------------------------

def guess(m, c, u, d, v):
    """DIGITS of div_adx.S up to .Lless: of u2 u1 u0 by d1 d0; the digit, and what it leaves"""
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
    fits = m.below(r1, low)                              # then one more it is, or d comes back
    g, _ = m.add(g, m.pick(fits, c["guess"][0], 0))
    r0, carry = m.add(r0, m.pick(fits, 0, d0))
    r1, _ = m.add(r1, m.pick(fits, 0, d1), carry)
    s0, borrow = m.sub(r0, d0)
    s1, borrow = m.sub(r1, d1, borrow)
    more = borrow == 0 if c["guess"][1] else borrow == 2
    return m.add(g, m.pick(more, 1, 0))[0], m.pick(more, s0, r0), m.pick(more, s1, r1)


def take_off(m, c, u, e, g, r0, r1):
    """The fast row, whose two limbs on top have had g taken off: the limbs below, the top, and whether it was allowed"""
    low, below = m.sub(r0, g if c["begin"][1] else 0)
    high, below = m.sub(r1, 0, below)
    m.fact(m.below(m.value(u) + m.times(e, g) + m.value([g]), m.value([0] * len(u) + [g]) + m.value([0] * len(u) + [1])),
           "division: a row carries out g at most")
    out, above = row(m, c, u, e, g, before=g if c["begin"][0] else 0)
    low, carry = m.add(low, above)
    high, carry = m.add(high, 0, carry)
    return out + [low, high], below, carry


def slow(m, u, e, d, g, r):
    """.Lslow with r, three limbs with a sign: adds, and where that is below zero gives d back"""
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
    """A digit whole, for numbers: u of one limb more than d, whose upper part is below d"""
    k, low = len(d) - 2, u[:len(d) - 2]
    (u0, u1, u2), (d0, d1) = u[k:], d[k:]
    e = [m.invert(x) for x in d[:k]]
    if u2 == d1 and u1 == d0:                            # .Lequal
        g = m.b - 1
        rest = (u2 << m.w) + u1 + u0 - g & m.b**3 - 1
        return slow(m, low, e, [d0, d1], g, [rest & m.b - 1, rest >> m.w & m.b - 1, rest >> 2 * m.w])
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


# --- All widths ------------------------------------------------------------------------------------------------

def rows_fit(c):
    """What models call facts, for all widths and lengths: each is a sum of products that is largest at the ends of its words."""
    for b in [2**w for w in (2, 3, 8, 32, 64)]:
        for n in range(1, 33):
            most = b**n - 1
            claim(most + most * (b - 1) + b - 1 < b**(n + 1), "row, window: z, xy and a limb from below are n + 1 limbs")
            claim(most * (b - 1) + b**n < b**(n + 1), "mont2: a row leaves room for a bit")
            claim(most * most < b**(2 * n), "square: 2n limbs")
            claim(most * most + most * most < b**n * (b**n + most), "mont: xy + qm is below B^n (B^n + m), largest for m")
            for i in range(1, 9):                        # the sum of rows 0 to i - 1 is a product of n and of i limbs, or less
                claim(most * (b**i - 1) < b**(n + i), "along: n + i limbs")


def guess_fits(c):
    """Moeller and Granlund's algorithm 4, three limbs by two, here for B = 4, 8, 16 and all d, u2, u1, and for any B:

    Let k = B^3 - (B + v)d, 1 <= k <= d, and v u2 + u2 B + u1 = q1 B + q0. What q1 + 1 leaves is the number
        r = (u2 k + u1 (B^2 - d) + u0 B + q0 d)/B - d.
    It is -d at least, and with q0 d/B - d > q0 B - B^2 also (q0 - B)B. And it is below the larger of B^2 - d and q0 B:
    if B (B^2 - d) >= d: with k <= d, u0 < B and u2 B <= d - 1 - u1 it grows with u1, and for u1 = B - 1 it is at most
        (1 - s)(B^2 - d) + s q0 B - 1, a mean of the two less 1, where s = d/B^2;
    else B + v < B + 1, so v = 0, q0 = u1, k = B (B^2 - d), B^2 - d < B, and r = u2 (B^2 - d) + q0 B + u0 - d < q0 B.
    The upper limb of r modulo B^2 is compared with q0. If r < 0 it is not smaller, and d comes back. If r >= 0 and it is not
    smaller, then r < B^2 - d <= d: d comes back and goes off again. Else r < B^2 <= 2d: d goes off once, or not at all."""
    first_one, more = c["guess"]
    for b in (4, 8, 16):
        for d in range(b * b // 2, b * b):
            v = (b**3 - 1) // d - b
            k, over = b**3 - (b + v) * d, b * b - d
            claim(0 <= v < b and 1 <= k <= d, "guess: the reciprocal is a limb")
            claim(b * over >= d or (v == 0 and over < b), "guess: two cases")
            for u in range(b, b * d, b):                         # and u0 = b - 1; 0 leaves less by that
                (u2, u1), (q1, q0) = divmod(u // b, b), divmod(v * (u // b // b) + u // b, b)
                r = u - (q1 + first_one) * d
                claim(b * (r + d) == u2 * k + u1 * over + q0 * d, "guess: what it leaves")
                claim(max(-d, (q0 - b) * b) <= r, "guess: it leaves not too little")
                most = (over * over + q0 * b * d) // (b * b) if b * over >= d else q0 * b
                claim(r + b - 1 < most and most <= max(over, q0 * b), "guess: it leaves not too much")
                for r in (r, r + b - 1):
                    back = r % (b * b) // b >= q0
                    claim(back or r >= 0, "guess: what is below zero is seen")
                    claim(0 <= r + back * d < b * b, "guess: d comes back at most once")
                    claim(r + back * d < (1 + more) * d, "guess: it goes off again at most once")


def digit_fits(c):
    """u - gd + g B^k, the row, and the limbs above that have lost g: no carry, where they had not less, for all widths."""
    begins, taken = c["begin"]
    for b in [2**w for w in (2, 3, 8, 32, 64)]:
        for k in range(1, 9):
            power = b**k
            for g in (0, 1, b - 1):
                for d in (0, power - 1):                  # its lower part; ~d is power - 1 - d
                    least, most = (u + g * (power - 1 - d) + g * begins for u in (0, power - 1))
                    claim((least, most) == (-g * d + g * power, power - 1 - g * d + g * power), "division: a row is a sum")
                    claim(most // power <= g * taken, "division: what a row carries out has been taken off before")


# --- Short words, all values -----------------------------------------------------------------------------------

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


def ends_of(m, n):
    """All numbers of n words of 0, 1 and all ones, where every number would be too many"""
    return [[(0, 1, m.b - 1)[k // 3**i % 3] for i in range(n)] for k in range(3**n)]


def every_product(c):
    for w, n in ((2, 2), (3, 2), (2, 3)):
        m = words.Numbers(w)
        for x in m.all(n):
            m.claim(m.value(square(m, c, x)) == m.value(x)**2, "square: x^2")
            for y in m.all(n) if n < 3 else ends_of(m, n):
                m.claim(m.value(product(m, c, x, y)) == m.value(x) * m.value(y), "product: xy")


def every_turn(c):
    for w, n in ((2, 2), (2, 3)):
        m = words.Numbers(w)
        numbers = list(m.all(n)) if n < 3 else ends_of(m, n)
        for mod in [x for x in numbers if x[0] % 2]:
            minv = -pow(mod[0], -1, m.b) % m.b
            for x in numbers:
                for y in numbers:
                    check_mont(m, mont(m, c, x, y, mod, minv), m.value(x) * m.value(y), mod)
                check_mont(m, mont_square(m, c, x, mod, minv), m.value(x)**2, mod)


def check_mont(m, made, xy, mod):
    z, q, bit = made
    power = m.b**len(mod)
    m.claim(bit <= 1, "mont: t is n limbs and a bit")
    m.claim(m.value(z) * power + bit * m.value(mod) * power == xy + m.value(q) * m.value(mod), "mont: xy/B^n")


def every_digit(c):
    for w in (2, 3, 4, 5):
        m = words.Numbers(w)
        for d1 in range(m.b // 2, m.b):
            for d0 in range(m.b):
                claim(reciprocal(m, d0, d1) == (m.b**3 - 1) // (d1 * m.b + d0) - m.b, "division: the reciprocal")
    for w, k in ((2, 0), (3, 0), (2, 1)):
        m = words.Numbers(w)
        for d in m.all(k + 2):
            if d[-1] < m.b // 2:
                continue
            v, whole = reciprocal(m, d[-2], d[-1]), m.value(d)
            for u in m.all(k + 3):
                if m.value(u[1:]) < whole:
                    g, rest = digit(m, c, u, d, v) if k else two_limbs(m, c, u, d, v)
                    m.claim(0 <= g < m.b and g * whole + m.value(rest) == m.value(u), "division: u = gd + r")
                    m.claim(m.value(rest) < whole, "division: r < d")


def two_limbs(m, c, u, d, v):
    g, r0, r1 = guess(m, c, u, d, v)
    return g, [r0, r1]


# --- The machine's words ---------------------------------------------------------------------------------------

def symbols(n):
    import z3
    m = words.Symbols(z3, 64)
    return m, m.words(n), m.words(n), m.words(n), m.words(4)


def rows_of_words(c):
    for n in (1, 2, 8):
        m, x, _, z, (y, limb, _, _) = symbols(n)
        m.claim(m.value(first(m, x, y)) == m.times(x, y), "first row: xy")
        out, above = row(m, c, z, x, y)
        m.claim(m.value(out + [above]) == m.value(z) + m.times(x, y), "row: z + xy")
        out, above = row(m, c, z, x, y, minus=True)
        m.claim(m.value(out) + m.times(x, y) == m.value(z + [above]), "row: z - xy")
        m.claim(m.value(window(m, c, z, limb, x, y)) == m.value(z) + m.value([limb]) + m.times(x, y), "window: with z[k]")


def products_of_words(c):
    for n in (3, 6):
        m, x, y, _, _ = symbols(n)
        xy = [m.times(x, yi) * m.b**i for i, yi in enumerate(y)]
        m.claim(m.value(product(m, c, x, y)) == sum(xy), "product: xy")
    for n in (3, 8):
        m, x, _, _, _ = symbols(n)
        xx = [m.times(x, xi) * m.b**i for i, xi in enumerate(x)]
        m.claim(m.value(square(m, c, x)) == sum(xx), "square: x^2")


def turns_of_words(c):
    for n in (2, 3):
        for squares in (False, True):
            m, x, y, mod, (minv, _, _, _) = symbols(n)
            z, q, bit = mont_square(m, c, x, mod, minv) if squares else mont(m, c, x, y, mod, minv)
            xy = [(m.times(x, yi) + m.times(mod, qi)) * m.b**i for i, (yi, qi) in enumerate(zip(x if squares else y, q))]
            taken = m.value([0] * n + [m.pick(bit == 1, mi, 0) for mi in mod])
            m.claim(m.value([0] * n + z) + taken == sum(xy), "mont: xy/B^n")


def digits_of_words(c):
    for k in (1, 3, 8):
        m, e, _, u, (g, r0, r1, _) = symbols(k)
        out, below, carry = take_off(m, c, u, e, g, r0, r1)
        all_of_it = m.value(u + [r0, r1]) + m.times(e, g) + m.value([g])
        m.fact(below == 0, "division: the fast row")
        m.claim(carry == 0, "division: no carry")
        m.claim(m.value(out) + m.value([0] * k + [g]) == all_of_it, "division: a row")


EXACT = [rows_fit, guess_fits, digit_fits, every_row, every_product, every_turn, every_digit]
BITS = [digits_of_words, turns_of_words, rows_of_words, products_of_words]
SPOILED = [
    ("flags", lambda v: (0, 1)), ("flags", lambda v: (1, 0)), ("held", lambda v: 0), ("less", lambda v: 0),
    ("guess", lambda v: (0, 1)), ("guess", lambda v: (1, 0)), ("begin", lambda v: (0, 1)), ("begin", lambda v: (1, 0)),
]
SPOILED_BITS = [
    ("flags", lambda v: (0, 1)), ("flags", lambda v: (1, 0)), ("held", lambda v: 0), ("less", lambda v: 0),
    ("begin", lambda v: (0, 1)), ("begin", lambda v: (1, 0)),
]
