"""Limbs: division steps, inverses, the turns of a Montgomery product and digits in doubles; every
bound that a comment of src/limb/* and src/modn/* states."""
import struct

from proof import claim


def constants():
    return {
        "steps": (10, 3, 20),   # rounds, matrices in each, steps in each
        "limb": 60,   # bits of a limb of limb/divstep64.h
        "packed": (41, 62),   # where a word's other two numbers start: ty_div_20
        "turn": 2,   # limb/mont_adx.S: t stays below this many B^n
        "vector": (30, 63),   # limb/inv_adx.c: bits of a digit, the bias of a sum
        "hull": (9437, 4096),   # steps for b bits: (9437 b + 1)/4096 are enough
        # modn/lanes.h, lanes_fma.h: bits of a digit, digits, spare bits of m; top, and low in units
        # of 2^(digit - 1); the offset
        "lanes": (52, 200, 3), "split": (104, 3), "offset": 62,
        # modn/ifma.h: digits; halves of products that a row adds to each column
        "ifma": (160, 4),
        # modn/reals.h: bits of a digit, digits; spare bits of R; the exponent of top beyond those
        # bits
        "reals": [(47, 62), (46, 126)], "reals_spare": 2, "reals_top": 52, "reals_columns": 2,
    }


# --- division steps -------------------------------------------------------------------------------

def divsteps(c):
    """limb/divstep64.h: the three numbers in a word stay apart, words hold their sums, d and e keep
    their range.

    Rows (u, v) of f and (q, r) of g, scaled so that after i steps f = (u f0 + v g0)/2^i: a step
    doubles the row of f, or that of g becomes the new one, doubled; and adds the row of f to that
    of g, subtracts it, or does nothing. So |u| + |v| <= 2^i and |q| + |r| <= 2^i by induction, and
    the determinant is 2^i up to its sign, never 0. Hence after any step |q| < 2^i: |q| = 2^i would
    need |u| = |q| = 2^(i-1) and v = r = 0 before, a determinant of 0. And u = -2^i cannot be
    either: that row is 2^i (1, 0), the first, or was one of g's. So -2^i < q, u <= 2^i: used
    below."""
    rounds, parts, k = c["steps"]
    bits, (u_at, v_at) = c["limb"], c["packed"]
    claim(rounds * parts * k >= 590, "division steps: enough for 256 bits")
    claim(parts * k == bits, "division steps: a round is one limb")
    claim(4 * bits < 256 + 2 < 5 * bits, "five limbs hold 256 bits, a doubling and a sign")
    # The words after k steps: rest - u 2^(u_at-k) - v 2^(v_at-k), the rest of f and g in [-2^k,
    # 2^k).
    one, two = 2**(u_at - k), 2**(v_at - k)
    claim(one == 2 * 2**k, "ty_div_20: rounding removes the rest")
    # u = 2^k, and u = -(2^k - 1)
    lowest, highest = -2**k - 2**k * one, 2**k - 1 + (2**k - 1) * one
    rounding = two // 2 + 2**k
    claim(0 <= lowest + rounding and highest + rounding < two,
          "ty_div_20: rounding removes rest and u")
    for i in range(k):
        # before the halving of step i + 1: |V| <= 2^(i+1) - j and |U| <= j, j = |u| + |q|, which is
        # 1 at least
        ends = [(2**(i + 1) - j) * 2**(v_at - i) + j * 2**(u_at - i) + 2**(k + 1)
                for j in (1, 2**(i + 1))]
        claim(max(ends) < 2**63, "ty_div_20: no sum passes 63 bits")
    # (f, g), (d, e) times a matrix, limb by limb with a carry, in 128 bits; the multiple k m that
    # is added has |k| <= 2^60 + 2^60, which fits 64 bits
    matrix = 2**(parts * k)
    claim(2 * matrix < 2**63, "apply_mod: the number of multiples of m fits a word")
    carry = 0
    for _ in range(5):
        most = matrix * 2**bits + 2 * matrix * 2**bits + carry
        claim(most < 2**127, "apply: sums fit in 128 bits")
        carry = (most >> bits) + 1
    for name in ("p", "n"):
        m = c[name]   # d, e after adding m to the negative ones: (-m, m)
        low, high = -matrix * (m - 1) - (matrix - 1) * m, matrix * (m - 1)
        claim(-2 * m * matrix < low and high < m * matrix, "apply_mod: d and e stay in (-2m, m)")


def montgomery_turns(c):
    """limb/mont_adx.S and mont of limb_c.c: t of n limbs and a bit, one limb more within a turn,
    for all x, y, m < B^n."""
    for bits in (32, 64):
        for n in range(1, 9):
            b = 2**bits
            whole, t = b**n, c["turn"] * b**n - 1
            row = (whole - 1) * (b - 1)                          # x y[i], and q m
            claim(t // whole <= 1, "turn: the limb above n is a bit")
            claim((t + row) // (b * whole) <= 1, "turn: with x y[i], a bit above n + 1 limbs")
            claim((t + 2 * row) // (b * whole) <= 1, "turn: with q m, a bit above n + 1 limbs")
            claim((t + 2 * row) // b <= t, "turn: t keeps its range")
            claim((whole * whole - 1 + whole * (whole - 1)) // whole - (whole - 1) <= whole,
                  "turn: at most m too large")
            # clearing a square: n limbs, the next with the bit, q m
            above = whole - 1 + (b - 1 + 1) * whole + row
            claim(above // (b * whole) <= 1, "square: what a row carries out is a bit")


def inverse_digits(c):
    """limb/inv_adx.c: lanes hold their sums, halves fit the 32 bits that a product reads, numbers
    fit their digits."""
    d, bias = c["vector"]
    digit, top = 2**d - 1, 2**(d - 1)                            # a highest digit is in [-top, top)
    matrix = 2**(2 * d)
    claim(2 * d == c["limb"], "inverse: a round is two digits")
    # k of the multiple k m that is added: up to 2^60 of either sign for negative d and e, less up
    # to 2^60 - 1 to clear the lowest 60 bits
    k_low, k_high = -2 * matrix + 1, matrix
    halves = [x >> d for x in (-matrix, matrix, k_low, k_high)]
    claim(all(-2**31 <= h < 2**31 for h in halves) and digit < 2**31, "inverse: halves fit 32 bits")
    upper = 2**d + 2   # |u_hi| + |v_hi|: each rounded down
    most = 2 * digit * digit + upper * digit + digit * digit + (k_high >> d) * digit
    least = -2 * digit * top - upper * digit + (k_low >> d) * digit
    carry = (2**63 >> d) + 1
    claim(-2**bias <= least - carry and most + carry < 2**64 - 2**bias,
          "inverse: a lane holds the sum and the bias")
    claim((2**bias >> d) << d == 2**bias, "inverse: the bias leaves a whole number behind")
    steps, per = c["hull"]
    for n in range(1, 1025):
        b = 64 * n
        k = (b + 31) // 30 + (n == 1)                            # TY_LIMB_INV_DIGITS
        claim(k * d >= b + 2 and k >= 4, "inverse: digits hold the numbers, a doubling and a sign")
        claim(k + 1 >= 2 * n + 2, "inverse: room for two numbers of n + 1 limbs")
        # limb/divstep.c
        rounds = (2 * b + b // 4096 * 1245 + (b % 4096 * 1245 + 4096) // 4096) // 60 + 1
        claim(60 * rounds * per >= steps * b + 1, "inverse: enough steps")


def fma_split(c):
    """modn/lanes_fma.h: both halves of a product of digits come out of two FMAs exactly, for all
    digits."""
    d, split = c["lanes"][0], c["split"]
    top, low = 2**split[0], split[1] * 2**(d - 1)
    most, step = (2**d - 1)**2, 2**(split[0] - 52)         # step: between doubles from top to 2 top
    claim(top + most < 2 * top, "split: h stays in its binade")
    claim(step == 2**d, "split: h counts the digits above")
    h_most = (2 * most + step) // (2 * step)                     # rounded to nearest
    claim((top - low) % 2**(d - 1) == 0 and (top - low) // 2**(d - 1) < 2**53,
          "split: top - low is a double")
    claim(low % 2**(d - 1) == 0 and (low + h_most * step) // 2**(d - 1) < 2**53,
          "split: top - low - h is one")
    half = step // 2   # |ab - H D| after rounding to nearest
    claim(2**52 <= low - half and low + half <= 2**53,
          "split: l is an integer of one binade, or its upper end")
    for h in (0, 1, h_most):
        claim(double_bits(top + h * step) == 1127 * 2**52 + h, "split: h as an integer, HI_EXCESS")
    for rest in (-half, -1, 0, 1, half):
        claim(double_bits(rest - low) == 2**63 + 1075 * 2**52 + 2**51 - rest,
              "split: l as an integer, LO_EXCESS")


def double_bits(x):
    """The bits of the double that is the integer x; it has to be one."""
    claim(int(float(x)) == x, "a double")
    return int.from_bytes(struct.pack(">d", float(x)), "big")


def lanes_ranges(c):
    """modn/lanes.h: columns fit 64 bits with their offset, loose numbers stay loose. Those of
    modn/lanes_gfni512.c are the same sums without an offset; doubled, a square's have as many
    products."""
    d, digits, spare = c["lanes"]
    # halves of products, lower and upper, and a carry
    column = 2 * digits * 2 * 2**d + (2**64 >> d)
    claim(column < 2**c["offset"], "lanes: the offset keeps columns above 0")
    claim(column + 2**c["offset"] < 2**64, "lanes: columns stay below 2^64")
    claim(2**c["offset"] % 2**d == 0, "lanes: the offset does not touch the digit")
    for n in (2, 3, digits):
        r = 2**(d * n)
        m = r // 2**spare - 1

        def most(x, y):
            # n - 1 digits by f, which is below D m
            t = (x * y + (r // 2**d - 1) * 2**d * m) // (r // 2**d)
            return (t + (2**d - 1) * m) // 2**d
        claim(most(4 * m - 1, 4 * m - 1) < 4 * m, "lanes: a product of loose numbers is loose")
        claim(most(r // 8, m) < 3 * m, "lanes: a conversion to Montgomery form")
        claim(most(4 * m - 1, 1) <= 2 * m, "lanes: a conversion from Montgomery form")


def ifma_ranges(c):
    """modn/ifma_gfni512.c: columns fit 64 bits, one pass of carries leaves digits that carry 1 at
    most. Loose numbers: as for lanes."""
    d, (digits, halves) = c["lanes"][0], c["ifma"]
    claim(digits <= c["lanes"][1], "ifma: no more digits than lanes have")
    column = digits * halves * (2**d - 1)
    column += (column >> d) + 1   # and the carry from the column below
    claim(column < 2**64, "ifma: columns fit a word")
    digit = 2**d - 1 + (column >> d)                             # after the first pass
    claim(digit <= 2**d + 2**10, "ifma: the excess over a digit is small")
    claim((digit + 1) >> d <= 1, "ifma: a digit carries 1 at most, with 1 from below")


def reals_ranges(c):
    """modn/reals.h, reals_avx2.c: sums of products are exact, digits stay digits, loose numbers
    stay loose."""
    for b, n in c["reals"]:
        unit, top = 2**b, 3 * 2**(b + c["reals_top"] - 1)
        low, high = 2**(b + c["reals_top"]), 2**(b + c["reals_top"] + 1)
        digit = unit // 2 + n + 1
        cut = n * unit // 2                                      # what n roundings cut off, and l
        h = n * digit**2 + cut                                   # h - top
        claim(low == 2**52 * unit, "reals: from low to high doubles are 2^b apart")
        claim(low <= top - h and top + h <= high, "reals: h stays in its binade")
        claim(high - low <= 2**53 * unit, "reals: h - u is exact")
        claim(unit // 2 < 2**53 and cut < 2**53, "reals: what is cut off, and its sum, are exact")
        column = h // unit + cut + digit                         # with a digit of T
        claim(column < 2**53, "reals: a column is exact")
        claim(low <= top - column and top + column <= high,
              "reals: and rounded to a multiple of 2^b")
        carry = (column + unit // 2) // unit
        claim(unit // 2 + carry <= digit, "reals: digits stay in range")
        k = c["reals_columns"]   # T + qm is a multiple of R: so many columns below R give its carry
        # the columns below these, as a part of the first
        lower = (n * digit**2 + digit) // (unit - 1) + 1
        claim(digit * (unit**k - 1) // (unit - 1) + lower < unit**k,
              "reals: two columns have the carry out of all")
        r = unit**n
        whole = digit * ((r - 1) // (unit - 1))                  # n digits, the most they can be
        m = r // 2**c["reals_spare"] - 1
        for x in (m, r // 4):                                    # loose, and an input
            claim((x * m + whole * m) // r + 1 < m, "reals: a product is loose")
            claim(x + whole // unit < (unit // 2 - carry) * unit**(n - 1),
                  "reals: nothing leaves the highest digit")

EXACT = [divsteps, montgomery_turns, inverse_digits, fma_split, lanes_ranges, ifma_ranges,
         reals_ranges]
BITS = []
SPOILED = [
    ("steps", lambda v: (9, 3, 20)), ("steps", lambda v: (10, 3, 21)), ("limb", lambda v: 62),
    ("packed", lambda v: (40, 62)), ("packed", lambda v: (41, 61)), ("packed", lambda v: (41, 63)),
    ("packed", lambda v: (42, 62)), ("turn", lambda v: 1), ("turn", lambda v: 3),
    ("vector", lambda v: (30, 62)),
    ("vector", lambda v: (30, 64)), ("vector", lambda v: (29, 63)), ("vector", lambda v: (31, 63)),
    ("hull", lambda v: (9500, 4096)), ("lanes", lambda v: (53, 200, 3)),
    ("lanes", lambda v: (51, 200, 3)),
    ("lanes", lambda v: (52, 300, 3)), ("lanes", lambda v: (52, 200, 2)),
    ("split", lambda v: (105, 3)),
    ("split", lambda v: (103, 3)), ("split", lambda v: (104, 2)), ("split", lambda v: (104, 4)),
    ("ifma", lambda v: (208, 4)), ("ifma", lambda v: (160, 8)), ("offset", lambda v: 60),
    ("offset", lambda v: 64), ("reals", lambda v: [(48, 62)]), ("reals", lambda v: [(47, 64)]),
    ("reals", lambda v: [(46, 128)]), ("reals_spare", lambda v: 0), ("reals_columns", lambda v: 1),
    ("reals_top", lambda v: 51), ("reals_top", lambda v: 53),
]
SPOILED_BITS = []
