"""The field of SM2 and its order: every bound that a comment of src/mod/p_sm2*, src/mod/n_sm2*,
src/ec/ec_sm2_four.h, ec_sm2_eight*.h and ec_sm2_chain.h states."""
from proof import card, claim, prove

W = 2**32
R = 2**256


def constants():
    p, order = card("p_sm2"), card("n_sm2")
    return {
        "p": p.value("p"),
        "n": order.value("n"),
        # mod/p_sm2_fold.h: what c8..c15 add to r0..r7
        "fold": [[1, 1, 1, 1, 1, 2, 2, 2], [0, 1, 1, 1, 1, 1, 2, 2], [-1, -1, 0, 0, 0, -1, -1, 0],
                 [1, 0, 0, 1, 1, 2, 1, 1], [0, 1, 0, 0, 1, 1, 2, 1], [0, 0, 1, 0, 0, 1, 1, 2],
                 [0, 0, 0, 1, 0, 0, 1, 1], [1, 1, 1, 1, 2, 2, 2, 3]],
        "identity": {0: 1, 64: -1, 96: 1, 224: 1},                    # 2^256 == sum of these, mod p
        "clear": {192: 1, 160: -1, 32: -1, 0: 1},                # 2^-64 == sum of these, mod p
        "k_max": 13,   # the largest carry that is folded again
        "table": [k * p.value("p") % R for k in range(14)],
        "square": p.value("p")**2,
        "n0": order.value("MINUS_INV"),
        # mod/p_sm2_four.h: the shifts of two neighbouring digits; p + 1 as column, shift, sign; its
        # constants
        "four": (6, 21),
        "four_p": [(2, 6, 1), (3, 9, -1), (7, 21, -1), (8, 24, 1)],
        "four_one": [(0, 32), (2, -2048), (3, 2**14), (7, 2**26)],
        "four_8p": [(0, -8), (2, 2**9), (3, -2**12), (7, -2**24), (8, 2**27)],
        # mod/p_sm2_eight.h: A, and its constants digit by digit
        "eight": 2**44 - 2**12,
        "eight_p": [-1, 2**12 - 2**44, 0, 0, 2**48 - 2**16],
        "eight_one": [16, 2**48 - 2**16, 0, 0, 2**20],
        "eight_r2": [0x20000000300, 0xffffffff00000, 0x100000002, 0x200000001000, 0x4000000],
        "eight_r256": [0x2000000030, 0x2ffffffff0000, 0x10000000, 0x20000000100, 0x400000],
    }


# --- folding --------------------------------------------------------------------------------------

def fold_matrix(c):
    """The columns are right: every word c_i stands for 2^(32 i) mod p exactly, as the integer in
    [0, p)."""
    for i in range(8):
        value = sum(c["fold"][j][i] * W**j for j in range(8))
        claim(value == W**(8 + i) % c["p"],
              f"fold: the column of c{8 + i} is 2^{32 * (8 + i)} mod p")
    claim(sum(s * 2**e for e, s in c["identity"].items()) == R - c["p"], "fold: the identity of p")


def fold_range(c):
    """0 <= F, the carry k of F above 2^256 is 0..13, and F - k p < 2p: for any v < 2^512. And
    bounds of F/p for any v and for v < p^2."""
    p, top = c["p"], W - 1
    columns = [W**(8 + i) % p for i in range(8)]
    claim(all(x >= 0 for x in columns), "fold: no column is negative")
    most = R - 1 + sum(x * top for x in columns)
    claim(most // R == c["k_max"], "fold: the largest carry")
    for k in range(most // R + 1):
        largest = min(R - 1, most - k * R)                  # the low words that go with the carry k
        claim(largest + k * (R - p) < 2 * p, f"fold: after k = {k} one subtraction is enough")
    claim(most * 10**10 < 140000000010 * p, "fold: below 14.0000000010 p for any v")
    # v < p^2: its upper half is at most that of p^2 - 1. Either it is equal to that, or equal down
    # to some word, smaller there, and free below.
    words = [((c["square"] - 1) // R) >> 32 * i & top for i in range(8)]
    ends = [sum(x * w for x, w in zip(columns, words))]
    for cut in range(8):
        if words[cut]:
            ends.append(sum(columns[i] * words[i] for i in range(cut + 1, 8)) +
                        columns[cut] * (words[cut] - 1)
                        + sum(columns[i] * top for i in range(cut)))
    claim((max(ends) + R - 1) * 10**10 < 139999999996 * p,
          "fold: below 13.9999999996 p for v < p^2")
    claim((max(ends) + R - 1) // R == c["k_max"],
          "fold: so the carry of products is 13 at most, too")


def fold_words(c):
    """The signed sums, word after word: they fit in 64 bits for words of 32, and in 128 for words
    of 64."""
    low = high = 0
    for row in c["fold"]:                                        # 32-bit words, 64-bit sums
        low = (low >> 32) + sum(x * (W - 1) for x in row if x < 0)
        high = (high >> 32) + W - 1 + sum(x * (W - 1) for x in row if x > 0)
        claim(-2**63 <= low and high < 2**63, "fold32: a sum fits its 64 bits")
    low = high = 0
    for j in range(0, 8, 2):                             # 64-bit words: two columns at once
        parts = [x * (W - 1) for i in range(8) for x in (c["fold"][j][i], W * c["fold"][j + 1][i])]
        low = (low >> 64) + sum(x for x in parts if x < 0)
        high = (high >> 64) + 2**64 - 1 + sum(x for x in parts if x > 0)
        claim(-2**127 <= low and high < 2**127, "fold64: a sum fits its 128 bits")
    claim(sum(c["fold"][0]) == 11, "fold: s = r0 - c0 is below 11 2^32")
    for i in range(8):   # what the code shares between words
        r = [row[i] for row in c["fold"]]
        claim(r[1] == r[0] - (i in (0, 5)) and r[7] == r[0] + (i in (4, 7)), "fold: r1 and r7 by s")


def fold_again(c):
    """(k << 32) - k in two words of 32 bits is (0 - k, k - [k > 0]); and the table of k p in closed
    form."""
    for k in range(c["k_max"] + 1):
        below = -k % W
        claim((below + W * (k - (below >> 31))) == k * W - k, "fold32: the words of (k << 32) - k")
        row = [-k % W, W - 1, (k - 1) % W, -k % W, W - 1, W - 1, W - 1, ~k % W] if k else [0] * 8
        claim(sum(x * W**i for i, x in enumerate(row)) == c["table"][k], f"sums: row {k} is {k} p")
        claim(c["table"][k] == k * c["p"] - (k - 1) * R or k == 0,
              f"sums: above row {k} is {k} - 1")
    claim(len(c["table"]) == 14, "sums: a row for every carry")
    claim(c["square"] == c["p"]**2, "the limit of the input is p^2")


# --- clearing -------------------------------------------------------------------------------------

def clear_range(c):
    """(w + m p)/2^64 is (w - m)/2^64 + m (2^192 - 2^160 - 2^32 + 1), below 2^256 for w < 2^256, and
    after four steps <= p."""
    p = c["p"]
    bracket = sum(s * 2**e for e, s in c["clear"].items())
    claim((p + 1) % 2**64 == 0 and bracket == (p + 1) // 2**64,
          "clear: the multiple of p by shifts")
    claim(bracket > 0, "clear: plus - minus is never negative")
    largest = R - 1
    for _ in range(4):
        largest = (largest + (2**64 - 1) * p) // 2**64
        claim(largest < R, "clear: the last carry is 0")
    claim((R - 1 + (R - 1) * p) // R <= p, "clear: four steps leave p or less")
    claim(p + (p - 1) < 2 * p, "clear: with the upper half below p one subtraction is enough")
    claim((p - 1)**2 < p * R and (R - 1) * (p - 1) < p * R,
          "clear: products are in its domain, set's too")
    # xy - w with both below p 2^256; p 2^256 is added if that is negative
    claim(-(p * R - 1) + p * R > 0, "mul_less: the difference is brought into [0, p 2^256)")


def clear_asm(c):
    """mod/p_sm2_adx.h subtracts x:rdx = (2^32 - 1) a, then 2^32 a two words up, from (a d c b): the
    same number."""
    # (a d c b) is w - a shifted down, plus a 2^192; the two subtractions start at 2^0 and at 2^128
    subtract = {0: 2**32 - 1, 128: 2**32}
    claim(2**192 - sum(v * 2**e for e, v in subtract.items()) ==
          sum(s * 2**e for e, s in c["clear"].items()),
          "TY_CLEAR: its words")
    claim((2**32 - 1) * (2**64 - 1) < 2**96,
          "TY_CLEAR: the product by shifts has no carry out of x")


def montgomery(c):
    """limb256_redc and the row-wise product, for n and any modulus m < 2^256 with its top bit
    set."""
    for name in ("p", "n"):
        m = c[name]
        claim(2**255 < m < R, "any: one subtraction makes 256 bits canonical")
        claim((R * (m - 1) + m - 1 + (R - 1) * m) // R < 2 * m, f"redc: below 2{name}")
        for bits in (32, 64):
            b = 2**bits
            t = 2 * m - 1   # rows of ty_mont_mul: t stays below 2m
            claim((t + (m - 1) * (b - 1) + (b - 1) * m) // b < 2 * m,
                  "mont: a row leaves less than 2m")
            claim((b - 1)**2 + 2 * (b - 1) == b * b - 1, "mac: a product and two words fit exactly")
            claim(c["n0"] % b * c["n"] % b == b - 1, "redc: -1/n")
            claim(-pow(c["p"], -1, b) % b == 1, "redc: -1/p is 1")


# --- four at a time -------------------------------------------------------------------------------

class Range:
    """An element of mod/p_sm2_four.h: the ends of its limbs 0 to 7, and of its value; limb 8
    follows from both."""
    BITS = 29

    def __init__(self, low, high, least, most):
        self.limb, self.value = (low, high), (least, most)
        rest = [sum(end * 2**(self.BITS * i) for i in range(8)) for end in self.limb]
        top = 2**(self.BITS * 8)
        last = ((least - rest[1]) // top, -((rest[0] - most) // top))
        self.ends = (min(low, last[0]), max(high, last[1]))          # of all nine limbs

    def size(self):
        return max(map(abs, self.ends))

    def __add__(self, y):
        return Range(*(sum(ends) for ends in zip(self.limb + self.value, y.limb + y.value)))

    def __neg__(self):
        return Range(-self.limb[1], -self.limb[0], -self.value[1], -self.value[0])

    def __sub__(self, y):
        return self + -y

    def carried(self):
        claim(self.size() < 2**62, "four: a carry stays in 63 bits")
        return Range(0, 2**self.BITS - 1, *self.value)

    def either(self, y):
        ends = zip(self.limb + self.value, y.limb + y.value)
        return Range(*(pick(two) for pick, two in zip((min, max, min, max), ends)))

    def within(self, y):
        return all(y_end[0] <= end[0] and end[1] <= y_end[1]
                   for end, y_end in ((self.limb, y.limb), (self.value, y.value)))


def product(c, plus, less=(), minus=None):
    """The sum of the products of pairs in `plus`, less those in `less` and the element
    `minus`, reduced."""
    big = 2**(9 * Range.BITS)
    for x, y in (*plus, *less):
        claim(x.size() < 2**31 and y.size() < 2**31, "four: a factor's limb has 32 bits")
    columns = 9 * sum(x.size() * y.size()
                      for x, y in (*plus, *less)) + (minus.size() if minus else 0)
    digit = 2**Range.BITS
    cleared = sum(8 * digit * 2**shift for shift in c["four"])     # two neighbours' digits, shifted
    claim(columns + cleared + 2**(63 - Range.BITS) < 2**63, "four: a column stays in 63 bits")
    ends = [0, 0]
    for pairs, swap in ((plus, False), (less, True)):
        for x, y in pairs:
            corners = [a * b for a in x.value for b in y.value]
            low, high = (0, max(corners)) if x is y else (min(corners), max(corners))
            ends = [ends[0] - high, ends[1] - low] if swap else [ends[0] + low, ends[1] + high]
    z = Range(0, digit - 1, ends[0] // big, -(-(ends[1] + big * c["p"]) // big))
    return (z - minus).carried() if minus else z


def square(c, x, minus=None):
    claim(2 * x.size() < 2**31, "four_sqr: twice a limb has 32 bits")
    return product(c, [(x, x)], minus=minus)


def four_points(c):
    """ec/ec_sm2_four.h: with coordinates in the ranges it states, both formulas stay in them, step
    by step as there."""
    p = c["p"]
    tight = (0, 2**Range.BITS - 1)
    claim(sum(sign * 2**(Range.BITS * at + shift) for at, shift, sign in c["four_p"]) == p + 1,
          "four: p in columns")
    claim(sum(limb * 2**(Range.BITS * i) for i, limb in c["four_one"]) % p == 2**261 % p,
          "four_one_limbs")
    claim(sum(limb * 2**(Range.BITS * i) for i, limb in c["four_8p"]) == 8 * p, "four_8p_limbs")
    x, y, z = (Range(-2**26, 2**29 + 2**26, -bound * p // 10, bound * p // 10)
               for bound in (60, 32, 14))
    y, z = Range(*tight, *y.value), Range(-2**12, tight[1], *z.value)
    # what a table's entry is: 261 bits whose top five, t < 32, are folded; a negative y is carried
    entry = Range(-2**11, 2**29 + 2**26, 0, 2**256 + 32 * (2**224 + 2**96))
    claim(31 * 2**21 < 2**26 and 31 * 2**6 < 2**11, "four_spread: its limbs")
    qx, qy = entry, entry.either(-entry).carried()
    one = Range(-2**11, 2**26, 2**229 - 2**69, 2**229 + 2**102)
    start = (qx, qy, one)
    for mine, start_of in zip((x, y, z), start):
        claim(start_of.within(mine), "four: an entry is a point")

    zz, yy2 = square(c, z), (lambda yy: (yy + yy).carried())(square(c, y))
    m = product(c, [(x - zz, x + zz)])
    m = (m + m + m).carried()
    s = product(c, [(x, yy2)])
    doubled_z = product(c, [(y + y, z)])
    s = s + s
    doubled_x = square(c, m, minus=s + s)
    s = (s - doubled_x).carried()
    doubled_y = product(c, [(m, s)], less=[(yy2 + yy2, yy2)])

    s, u = product(c, [(product(c, [(qy, z)]), zz)]), product(c, [(qx, zz)])
    h, r = u - x, s - y
    sum_z, h2 = product(c, [(z, h)]), square(c, h)
    h3, v = product(c, [(h2, h)]), product(c, [(x, h2)])
    sum_x = square(c, r, minus=v + v + h3)
    sum_y = product(c, [(r, v - sum_x)], less=[(y, h3)])

    for made in ((doubled_x, doubled_y, doubled_z), (sum_x, sum_y, sum_z)):
        for name, mine, new in zip("XYZ", (x, y, z), made):
            claim(new.within(mine), f"four: {name} is in its range again")
            claim(-8 * p < new.value[0] and new.value[1] < 8 * p, "four_get: 8p makes it positive")
    claim(16 * p * 2**251 < p * 2**256, "four_get: in the domain of the reduction")


# --- eight at a time ------------------------------------------------------------------------------

class Eight:
    """Values of mod/p_sm2_eight.h and p_sm2_quad.h as (least, most)."""

    def __init__(self, c):
        self.p, self.big = c["p"], 2**260

    def up_to(self, tenths):
        return 0, tenths * self.p // 10

    def carried(self, x):
        claim(0 <= x[0] and x[1] < self.big,
              "eight: an element with its carries done is below 2^260")
        return x

    def product(self, x, y, k=1):
        self.carried(x), self.carried(y)
        return self.carried((0, k * (x[1] * y[1] // self.big + self.p)))

    def minus(self, x, y, times=2):
        """x - y + `times` p, carried"""
        return self.carried(plus(x, (times * self.p - y[1], times * self.p - y[0])))

    def fold(self, x):
        """The range after eight_fold of a value whose digits 0 to 3 may be as long as columns, so
        that its top digit is known only up to blur."""
        blur = 2**(59 + 156 + 1)
        claim(x[0] >= 2 * self.p and x[1] + blur < 17 * 2**256, "eight_fold: what it takes")
        claim(x[0] - blur >= 2**256 and 2**224 > blur, "eight_fold: not below 0")
        return self.carried((0, 2**256 + blur + 17 * (2**224 + 2**96)))

    def less(self, x, y, u, w, k=1):
        for factor in (x, y, u, w):
            self.carried(factor)
        return self.fold((8 * self.p - k * u[1] * w[1] // self.big - 1,
                          9 * self.p + x[1] * y[1] // self.big))

    def sqr_less(self, x, w):
        return self.fold(plus(self.product(x, x), (8 * self.p - w[1], 8 * self.p - w[0])))

    def sum(self, u, s, h, r):
        """eight_sum: X, Y, H^2, H^3"""
        h2 = self.product(h, h)
        v, h3 = self.product(u, h2), self.product(h2, h)
        x = self.sqr_less(r, plus(times(2, v), h3))
        return x, self.less(r, self.minus(v, x), s, h3), h2, h3


def plus(x, y):
    return x[0] + y[0], x[1] + y[1]


def times(k, x):
    return k * x[0], k * x[1]


def number(digits):
    return sum(d << 52 * i for i, d in enumerate(digits))


def in_range_again(mine, made):
    for name, old, new in zip("XYZ", mine, made):
        claim(new[1] <= old[1], f"eight: {name} is in its range again")


def eight_points(c):
    """mod/p_sm2_eight.h and ec/ec_sm2_eight.h: values step by step as there."""
    e, p, a, big = Eight(c), c["p"], c["eight"], 2**260
    product, minus, up_to = e.product, e.minus, e.up_to
    claim(number([0, -a, 0, 0, 16 * a]) - 1 == p, "eight: p by A")
    claim(number(c["eight_p"]) == p, "eight_add_p")
    claim(number(c["eight_one"]) == big % p and number(c["eight_r2"]) == big * big % p,
          "eight: its constants")
    claim(a < 2**52 and -pow(p, -1, 2**52) % 2**52 == 1, "eight: a quotient digit is the column")
    column = 10 * (2**52 - 1)                                    # five lower and five upper halves
    shared = 2 * (2**52 - 1)
    claim(5 * column + 17 * shared + 2**12 < 2**59,
          "eight: columns of x y - 2 w^2 have 60 bits, signed")

    x, y, z = mine = up_to(11), up_to(20), up_to(27)
    qx, qy = up_to(11), up_to(20)
    spread = (0, 2**256 + 16 * (2**224 + 2**96))                 # of four words, times 16
    claim(spread[1] <= qx[1] and minus((0, 0), spread)[1] <= qy[1], "eight: an entry is a point")
    claim(product(spread, up_to(10))[1] <= qx[1], "eight: a multiple of P, and eight_set_bytes")

    zz, yy2 = product(z, z), product(y, y, 2)
    s, m = product(x, yy2, 2), product(minus(x, zz), e.carried(plus(x, zz)), 3)
    doubled_z, doubled_x = product(y, z, 2), e.sqr_less(m, times(2, s))
    claim(doubled_x[1] <= 2 * p and zz[1] <= 2 * p, "eight_sub_carry: at most 2p")
    doubled_y = e.less(m, minus(s, doubled_x), yy2, yy2, 2)

    u, s = product(qx, zz), product(product(qy, z), zz)
    h, r = minus(u, x), minus(s, y)
    sum_x, sum_y, _, _ = e.sum(x, y, h, r)
    in_range_again(mine, (sum_x, sum_y, product(z, h)))
    u, s = product(x, zz), product(product(y, z), zz)            # eight_add_point
    h, r = minus(u, u), minus(s, s)
    sum_x, sum_y, _, _ = e.sum(u, s, h, r)
    in_range_again(mine, (sum_x, sum_y, product(product(z, z), h)))
    z2, z3 = up_to(15), up_to(13)                                # eight_add_affine_zz: Z^2, Z^3
    h, r = minus(product(qx, z2), x), minus(product(qy, z3), y)
    sum_x, sum_y, h2, h3 = e.sum(x, y, h, r)
    in_range_again((x, y), (sum_x, sum_y))
    one = (0, number(c["eight_one"]))
    for old, new in ((z2, product(z2, h2)), (z2, product(z, z)), (z2, one), (z3, product(z3, h3)),
                     (z3, product(zz, z)), (z3, one)):
        claim(new[1] <= old[1], "eight_add_affine_zz: Z^2 and Z^3 are in their ranges again")
    z2 = up_to(12)                       # eight_base_sums, where Z^2 begins with 1: before the end
    claim(one[1] <= z2[1] and product(z2, h2)[1] <= z2[1], "eight_base_sums: Z^2 is in its range")
    in_range_again(mine, (product(x, z2), product(y, z3), z2))
    # ec/ec_sm2_eight_mul.h: the range of an inverse, and the affine point, whose y is negated and
    # whose digits are the output
    zi = product(spread, z)
    zi2 = product(zi, zi)
    affine_x, affine_y = product(x, zi2), product(product(y, zi2), zi)
    claim(zi[1] <= 2 * p and affine_y[1] <= 2 * p, "eight_negate_if: at most 2p")
    for end in (affine_x, affine_y, minus((0, 0), affine_y)):
        claim(end[1] < big and (end[1] + (big - 1) * p) // big <= p, "eight_plain: at most p")
    in_range_again(mine, (doubled_x, doubled_y, doubled_z))
    in_range_again(mine, (qx, qy, one))
    claim(max(end for _, end in mine) < 15 * p and 15 * p * 2**252 < p * 2**256,
          "eight_get: what is reduced")


def eight_chain(c):
    """ec/ec_sm2_chain.h: one doubling; ec/ec_sm2_eight_one.h: an entry of a table."""
    e, p = Eight(c), c["p"]
    product, minus, up_to = e.product, e.minus, e.up_to
    claim(21 * max(abs(d) for d in c["eight_p"]) < 2**58, "quad_mul_add: digits of a multiple of p")
    x = y = e.fold((2 * p, 16 * p))
    z, t = up_to(23), up_to(14)
    m = product(minus(x, t), e.carried(plus(x, t)), 3)
    yy2, new_z = product(y, y, 2), product(y, z, 2)
    mm, s, y4 = product(m, m), product(e.carried(times(2, x)), yy2), product(yy2, yy2)
    new_t = product(e.carried(times(2, t)), yy2)
    claim(21 - 2 * 8 == 5 and 3 * 8 - 21 == 3, "chain_dbl: the multiples of p in X' and S - X'")
    e.fold(plus(mm, (5 * p - 2 * s[1], 5 * p)))
    d = minus(times(3, s), mm, 3)
    e.fold(plus(product(m, d), (5 * p - 2 * y4[1], 5 * p)))
    claim(new_z[1] <= z[1] and new_t[1] <= t[1], "chain: Z and T are in their ranges again")
    claim(z[1] <= up_to(27)[1], "chain: the point is one of ec_sm2_eight.h")
    one = (0, number(c["eight_one"]))
    claim(one[1] <= z[1] and one[1] <= t[1], "chain: Z = T = 1 at the beginning")

    claim(number(c["eight_r256"]) == 2**516 % p, "eight: 2^256 R")
    x1, y1, zi = up_to(12), up_to(20), product((0, 2**256 + 2**229), up_to(32))
    h = minus(x1, x)
    h2, v = product(h, h), minus(y1, y)
    new_x1, u = product(x1, h2), product(x, h2)
    claim(u[1] <= 2 * p and product(y1, minus(new_x1, u))[1] <= y1[1] and new_x1[1] <= x1[1],
          "table: 2b is in its range again")
    e.sqr_less(v, plus(u, new_x1))
    claim(x[1] < 2**257 and x[1] - p < 2**256, "eight_entries_set: below 2^256 if folded again")
    w = product(v, minus(new_x1, x))
    e.fold((4 * p - y1[1], w[1] + 4 * p))
    claim(h[1] <= up_to(32)[1], "table: the quotient of two Z")
    z2 = product(product(zi, zi), up_to(10))
    for end in (product(x, z2), product(product(y, zi), z2)):
        claim((end[1] + (2**260 - 1) * p) // 2**260 <= p, "eight_plain: at most p")


# --- the machine's own operations -----------------------------------------------------------------

def bit_vectors(c):
    """With z3, for all words: carries and borrows by logic, the folded carry, one subtraction at
    the end."""
    import z3
    x, y, i = z3.BitVecs("x y i", 32)
    bit = z3.And(z3.UGE(i, 0), z3.ULE(i, 1))
    wide = lambda v: z3.ZeroExt(2, v)   # noqa: E731
    s, d = x + y + i, x - y - i
    total, rest = wide(x) + wide(y) + wide(i), wide(x) - wide(y) - wide(i)
    carry = z3.LShR((x & y) | ((x | y) & ~s), 31)
    borrow = z3.LShR((~x & y) | ((~x | y) & d), 31)
    prove(z3, z3.Implies(bit, wide(s) + wide(carry) * 2**32 == total), "add32: its carry")
    prove(z3, z3.Implies(bit, wide(d) - wide(borrow) * 2**32 == rest), "sub32: its borrow")
    prove(z3, (z3.LShR(~x & (x - 1), 31) == 1) == (x == 0), "mask: the top bit of ~x & (x - 1)")

    a = z3.BitVec("a", 64)                                       # TY_CLEAR: (2^32 - 1) a
    big = z3.ZeroExt(64, a)
    pair = z3.Concat(z3.LShR(a, 32), a << 32)
    prove(z3, pair - big == big * (2**32 - 1), "TY_CLEAR: x:rdx")

    p = c["p"]
    w, k = z3.BitVec("w", 260), z3.BitVec("k", 260)              # fold_carry and canon, whole
    folded = sum(sign * 2**e for e, sign in c["identity"].items())
    within = z3.And(z3.ULT(w, R), z3.ULE(k, c["k_max"]), z3.ULE(k * R + w, 14 * p + 2**226))
    sum_ = w + k * folded
    out = z3.If(z3.UGE(sum_, p), sum_ - p, sum_)
    prove(z3, z3.Implies(within, z3.ULT(out, p)), "fold_carry: canonical after one subtraction")
    same = z3.Or(out == w + k * R - k * p, out == w + k * R - k * p - p)
    prove(z3, z3.Implies(within, same), "fold_carry: the same class")

def one_more(row, column):
    def change(v):
        v[row][column] += 1
        return v
    return change


EXACT = [fold_matrix, fold_range, fold_words, fold_again, clear_range, clear_asm, montgomery,
         four_points, eight_points, eight_chain]
BITS = [bit_vectors]
SPOILED = [
    ("p", lambda v: v + 2), ("n", lambda v: v - 2), ("identity", lambda v: {**v, 64: 1}),
    ("clear", lambda v: {**v, 160: 1}), ("clear", lambda v: {**v, 192: 0}), ("k_max", lambda v: 12),
    ("k_max", lambda v: 14), ("table", lambda v: v[:13] + [v[13] ^ 1]), ("table", lambda v: v[:13]),
    ("square", lambda v: v + 1), ("n0", lambda v: v ^ 2),
    ("four", lambda v: (6, 31)), ("four_p", lambda v: v[:3] + [(8, 25, 1)]),
    ("four_one", lambda v: v[:3]),
    ("four_8p", lambda v: v[:4] + [(8, 2**26)]),
    ("eight", lambda v: v + 1), ("eight_p", lambda v: v[:4] + [2**48]),
    ("eight_one", lambda v: v[:4] + [2**19]),
    ("eight_r2", lambda v: v[:4] + [0x4000001]), ("eight_r256", lambda v: v[:4] + [0x400001]),
] + [("fold", one_more(row, column)) for row in range(8) for column in range(8)]
SPOILED_BITS = [("identity", lambda v: {**v, 224: 2}), ("p", lambda v: v - 2**240)]
