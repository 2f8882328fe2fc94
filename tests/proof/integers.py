"""The domain of integers: a word is an exact polynomial over Q in the inputs and in fresh words,
with an interval. A sum whose bounds rule out a carry stays exact; else its word is fresh and
the carry is (sum - word)/2^n. A product's low word is fresh and the high one is (product -
low)/2^64. So carries cancel in the end, and a claim is one subtraction of polynomials.

A monomial is a sorted tuple of variables, a polynomial a dict from monomials to coefficients."""

from fractions import Fraction

from outcome import Infeasible, Refused

B = 1 << 64


def poly_add(p, q, k=1):
    r = dict(p)
    for monomial, c in q.items():
        value = r.get(monomial, 0) + c * k
        if value:
            r[monomial] = value
        else:
            r.pop(monomial, None)
    return r


def poly_multiply(p, q):
    r = {}
    for a, c in p.items():
        for b, d in q.items():
            monomial = tuple(sorted(a + b))
            value = r.get(monomial, 0) + c * d
            if value:
                r[monomial] = value
            else:
                r.pop(monomial, None)
    return r


def poly_scale(p, k):
    return {monomial: c * k for monomial, c in p.items()} if k else {}


def constant(c):
    return {(): c} if c else {}


def floor(f):
    return f.numerator // f.denominator


def ceiling(f):
    return -(-f.numerator // f.denominator)


class Word:
    """`flag`, if given: the word is a mask, all ones where the flag is 1 and 0 where it is 0;
    `zeros`: the number of lowest bits that are 0"""

    __slots__ = ("poly", "lo", "hi", "size", "flag", "zeros")

    def __init__(self, poly, lo, hi, size=8, flag=None, zeros=0):
        self.poly, self.lo, self.hi, self.size = poly, lo, hi, size
        self.flag, self.zeros = flag, zeros


class Number:
    """A polynomial with the operators of Python, in which a contract is written."""

    def __init__(self, poly):
        self.poly = poly

    @staticmethod
    def of(value):
        return value.poly if isinstance(value, Number) else constant(value)

    def __add__(self, other):
        return Number(poly_add(self.poly, Number.of(other)))

    def __sub__(self, other):
        return Number(poly_add(self.poly, Number.of(other), -1))

    def __mul__(self, other):
        return Number(poly_multiply(self.poly, Number.of(other)))

    def __rsub__(self, other):
        return Number(poly_add(Number.of(other), self.poly, -1))

    __radd__, __rmul__ = __add__, __mul__


class Integers:
    lane_size = 8

    def __init__(self, decisions=()):
        self.ranges, self.fresh, self.eliminated = [], set(), {}
        self.residues = {}  # variable -> a polynomial with integer coefficients, equal mod 2^64
        self.pairs = []  # (u, v, k): u v == k mod 2^64
        self.leading = []  # (lowest limb, whole number, polynomial of the other limbs)
        self.bounded = []  # (polynomial, lo, hi)
        self.grouped = set()  # variables that are factored out for bounds: by_groups
        self.decisions, self.used, self.parts = list(decisions), 0, {}

    # --- variables and bounds ---------------------------------------------------------------------
    def variable(self, lo=0, hi=B - 1, fresh=False):
        self.ranges.append((lo, hi))
        if fresh:
            self.fresh.add(len(self.ranges) - 1)
        return len(self.ranges) - 1

    def input(self, size=8, lo=0, hi=None):
        hi = (1 << 8 * size) - 1 if hi is None else hi
        return Word({(self.variable(lo, hi),): 1}, lo, hi, size)

    def whole(self, limbs, below):
        """States that the number with these limbs is below `below`: its lowest limb is the number
        minus the others."""
        total = {}
        for k, limb in enumerate(limbs):
            total = poly_add(total, limb.poly, B**k)
        lowest = next(iter(limbs[0].poly))[0]
        number = self.variable(0, below - 1)
        self.leading.append((lowest, number, poly_add(total, limbs[0].poly, -1)))
        self.bounded.append((total, 0, below - 1))
        return number

    def normal(self, p):
        """p without the variables that equations have eliminated."""
        while self.eliminated:
            hit = [m for m in p if any(v in self.eliminated for v in m)]
            if not hit:
                break
            p = dict(p)
            for monomial in hit:
                q = constant(p.pop(monomial))
                for v in monomial:
                    q = poly_multiply(q, self.eliminated.get(v, {(v,): 1}))
                p = poly_add(p, q)
        return p

    def by_monomials(self, p):
        low = high = 0
        for monomial, c in p.items():
            a = b = 1
            for v in monomial:
                lo, hi = self.ranges[v]
                ends = a * lo, a * hi, b * lo, b * hi
                a, b = min(ends), max(ends)
            low, high = (low + c * a, high + c * b) if c > 0 else (low + c * b, high + c * a)
        return low, high

    def substituted(self, p, variable, q):
        r = {}
        for monomial, c in p.items():
            term = constant(c)
            for v in monomial:
                term = poly_multiply(term, q if v == variable else {(v,): 1})
            r = poly_add(r, term)
        return r

    def by_groups(self, p):
        """Bounds with each grouped variable factored out of the monomials in which it occurs."""
        groups, rest = {}, {}
        for monomial, c in p.items():
            v = next((v for v in monomial if v in self.grouped), None)
            if v is None:
                rest[monomial] = c
            else:
                left = list(monomial)
                left.remove(v)
                groups.setdefault(v, {})[tuple(left)] = c
        low, high = self.by_monomials(rest)
        for v, q in groups.items():
            (a, b), (lo, hi) = self.by_monomials(q), self.ranges[v]
            ends = a * lo, a * hi, b * lo, b * hi
            low, high = low + min(ends), high + max(ends)
        return low, high

    def bounds(self, p, deep=True):
        """An interval that contains p: the intersection of several."""
        p = self.normal(p)
        low, high = self.by_monomials(p)
        forms, all_in_one = [], p
        for lowest, number, rest in self.leading:
            q = poly_add({(number,): 1}, rest, -1)
            forms.append(self.substituted(p, lowest, q))
            all_in_one = self.substituted(all_in_one, lowest, q)
        for form in forms + ([all_in_one] if len(forms) > 1 else []):
            a, b = self.by_monomials(form)
            low, high = max(low, a), min(high, b)
        if self.grouped:
            a, b = self.by_groups(p)
            low, high = max(low, a), min(high, b)
        for q, lo, hi in self.bounded if deep else ():
            q = self.normal(q)
            common = [m for m in q if m and m in p]
            if common:
                monomial = max(common, key=lambda m: abs(q[m]))
                k = Fraction(p[monomial]) / q[monomial]
                a, b = self.bounds(poly_add(p, q, -k), False)
                low, high = (
                    max(low, a + k * (lo if k > 0 else hi)),
                    min(high, b + k * (hi if k > 0 else lo)),
                )
        return low, high

    def range_of(self, p, lo, hi):
        low, high = self.bounds(p)
        return max(lo, ceiling(low)), min(hi, floor(high))

    # --- words ------------------------------------------------------------------------------------
    def poly(self, value):
        if type(value) is not int and not isinstance(value, Word):
            raise Refused("an undefined register is used")
        return constant(value) if type(value) is int else value.poly

    def interval(self, value):
        self.poly(value)
        return (value, value) if type(value) is int else (value.lo, value.hi)

    def word(self, p, lo, hi, size):
        if not p:
            return 0
        if len(p) == 1 and () in p and p[()] == int(p[()]):
            return int(p[()])
        return Word(p, lo, hi, size)

    def wrap(self, p, lo, hi, size):
        """p mod 2^(8 size), and floor(p / 2^(8 size))"""
        base = 1 << 8 * size
        lo, hi = self.range_of(p, lo, hi)
        if lo > hi:
            raise Infeasible
        first, last = lo // base, hi // base
        if first == last:
            return (
                self.word(
                    poly_add(p, constant(first * base), -1),
                    lo - first * base,
                    hi - first * base,
                    size,
                ),
                first,
            )
        residue = self.residue(p) if size == 8 else None
        if residue == {}:
            return 0, Word(poly_scale(p, Fraction(1, base)), first, last, 8)
        v = self.variable(0, base - 1, fresh=True)
        self.residues[v] = residue
        q = {(v,): 1}
        return (
            Word(q, 0, base - 1, size),
            Word(poly_scale(poly_add(p, q, -1), Fraction(1, base)), first, last, 8),
        )

    def residue(self, p):
        """p mod 2^64 in variables that have no residue of their own; None where it is not known."""
        p = self.normal(p)
        for _ in range(200):
            monomial = next(
                (m for m in p if any(self.residues.get(v) is not None for v in m)), None
            )
            if monomial is None:
                break
            p, left = dict(p), list(monomial)
            v = next(v for v in monomial if self.residues.get(v) is not None)
            left.remove(v)
            p = poly_add(
                {m: c for m, c in p.items() if m != monomial},
                poly_multiply({tuple(left): p[monomial]}, self.residues[v]),
            )
        else:
            return None
        for u, v, k in self.pairs:
            while (monomial := next((m for m in p if u in m and v in m), None)) is not None:
                left, c = list(monomial), p.pop(monomial)
                left.remove(u)
                left.remove(v)
                p = poly_add(p, {tuple(left): c * k})
        if any(c != int(c) for c in p.values()):
            return None
        return {m: int(c) % B for m, c in p.items() if int(c) % B}

    def add(self, a, b, carry, size):
        for x, y in ((a, b), (b, a)):
            if (
                type(carry) is int
                and carry == 0
                and type(x) is int
                and x == 0
                and isinstance(y, Word)
            ):
                return self.resize(y, size), 0
        if a is b and type(a) is Word and carry == 0:  # the carry is a part of a
            return self.shift("shl", a, 1, size), self.above(a, 8 * size - 1)
        p = poly_add(poly_add(self.poly(a), self.poly(b)), self.poly(carry))
        ends = [self.interval(v) for v in (a, b, carry)]
        return self.wrap(p, sum(e[0] for e in ends), sum(e[1] for e in ends), size)

    def subtract(self, a, b, borrow, size):
        if (
            type(borrow) is int
            and borrow == 0
            and type(a) is int
            and a == 0
            and type(b) is Word
            and (b.hi <= 1 or b.flag)
        ):
            return (b.flag, b.flag) if b.flag else (self.mask(b, size), b)
        if (
            type(borrow) is int
            and borrow == 0
            and type(b) is int
            and b == 0
            and isinstance(a, Word)
        ):
            return self.resize(a, size), 0
        if type(a) is Word and a.flag and type(b) is int and b == 0 and type(borrow) is Word:
            p = poly_add(a.flag.poly, borrow.poly)
            if self.range_of(p, 0, 2)[1] <= 1:  # never both: nothing is subtracted from ones
                return self.mask(Word(p, 0, 1, 8), size), borrow
        p = poly_add(poly_add(self.poly(a), self.poly(b), -1), self.poly(borrow), -1)
        (a0, a1), (b0, b1), (c0, c1) = (self.interval(v) for v in (a, b, borrow))
        value, out = self.wrap(p, a0 - b1 - c1, a1 - b0 - c0, size)
        if type(out) is int:
            return value, -out
        return value, Word(poly_scale(out.poly, -1), -out.hi, -out.lo, 8)

    def mask(self, flag, size):
        """All ones where the flag is 1, else 0"""
        ones = (1 << 8 * size) - 1
        return Word(poly_scale(flag.poly, ones), 0, ones, size, flag)

    def multiply(self, a, b):
        for u, v in ((a, b), (b, a)):
            if type(u) is Word and u.hi <= 1:  # a flag as a factor: a fork
                return (v if self.decide(u) else 0), 0
        p = poly_multiply(self.poly(a), self.poly(b))
        (a0, a1), (b0, b1) = self.interval(a), self.interval(b)
        lo, hi = self.range_of(p, a0 * b0, a1 * b1)
        return self.wrap(p, lo, hi, 8)

    def product_low(self, a, b, size):
        if size != 8:
            raise Refused("product of 32 bits")
        return self.multiply(a, b)[0]

    def linear(self, parts, known, size):
        p, lo, hi = constant(known), known, known
        if any(not isinstance(value, Word) for value, _ in parts):
            raise Refused("an undefined register is used")
        total = sum(k for _, k in parts)
        if (
            not known
            and len({id(value) for value, _ in parts}) == 1
            and total > 0
            and total & total - 1 == 0
        ):
            return self.shift("shl", parts[0][0], total.bit_length() - 1, size)
        for value, k in parts:
            p = poly_add(p, value.poly, k)
            ends = sorted((value.lo * k, value.hi * k))
            lo, hi = lo + ends[0], hi + ends[1]
        return self.wrap(p, lo, hi, size)[0]

    # --- parts of words ---------------------------------------------------------------------------
    def above(self, value, bits):
        """floor(value / 2^bits), as a variable of its own that stays the same for the same word"""
        if bits == 0:
            return value
        if value.flag:
            ones = (1 << 8 * value.size) - 1 >> bits
            return Word(poly_scale(value.flag.poly, ones), 0, ones, 8)
        if value.hi >> bits == 0:
            return 0
        key = id(value), bits
        if key not in self.parts:
            lo, hi = value.lo >> bits, value.hi >> bits
            v = self.variable(lo, hi, fresh=True)
            self.bounded.append((poly_add(value.poly, {(v,): 1 << bits}, -1), 0, (1 << bits) - 1))
            self.parts[key] = Word({(v,): 1}, lo, hi, 8), value
        return self.parts[key][0]

    def field(self, value, start, end, size):
        """The bits from start to end as a word"""
        if value.flag and end <= 8 * value.size:
            if end - start == 8 * size:
                return self.mask(value.flag, size)
            ones = (1 << end - start) - 1
            return Word(poly_scale(value.flag.poly, ones), 0, ones, size)
        low = self.above(value, start)
        if type(low) is int or low.hi < 1 << end - start:
            return low if type(low) is int else Word(low.poly, low.lo, low.hi, size)
        p = poly_add(low.poly, poly_scale(self.poly(self.above(value, end)), 1 << end - start), -1)
        return self.word(p, 0, (1 << end - start) - 1, size)

    def resize(self, value, size):
        return (
            value
            if type(value) is int
            else Word(
                value.poly, value.lo, value.hi, size, value.flag if size == value.size else None
            )
        )

    def join(self, cells):
        """The word that consists of these parts of words, lowest first"""
        first = cells[0]
        if (
            type(first) is tuple
            and first[0].flag
            and all(type(c) is tuple and c[0] is first[0] for c in cells)
        ):
            return self.mask(first[0].flag, len(cells))  # any bytes of a mask
        p, hi, at, n = {}, 0, 0, len(cells)
        while at < n:
            if type(cells[at]) is int:
                p, hi, at = (
                    poly_add(p, constant(cells[at] << 8 * at)),
                    hi + (cells[at] << 8 * at),
                    at + 1,
                )
                continue
            w, first = cells[at]
            end = at
            while (
                end < n
                and type(cells[end]) is tuple
                and cells[end][0] is w
                and cells[end][1] == first + end - at
            ):
                end += 1
            part = self.field(w, 8 * first, 8 * (first + end - at), 8)
            p = poly_add(p, poly_scale(self.poly(part), 1 << 8 * at))
            hi, at = hi + (self.interval(part)[1] << 8 * at), end
        return self.word(p, 0, hi, n)

    def split(self, value, size):
        if not isinstance(value, Word):
            raise Refused("a part of something undefined")
        value = (
            self.field(value, 0, 8 * size, size) if size < value.size else self.resize(value, size)
        )
        return (
            [(value, k) for k in range(size)]
            if type(value) is Word
            else list(value.to_bytes(size, "little"))
        )

    def shift(self, kind, value, count, size):
        if kind == "shr":
            return self.resize(self.above(value, count), size)
        if kind == "shl":
            out = self.above(value, 8 * size - count)
            p = poly_add(
                poly_scale(value.poly, 1 << count), poly_scale(self.poly(out), 1 << 8 * size), -1
            )
            return Word(
                p, 0, min(value.hi << count, (1 << 8 * size) - (1 << count)), size, None, count
            )
        raise Refused("arithmetic shift of data")

    def extend(self, value, old, size):
        if value.hi < 1 << 8 * old - 1:
            return self.resize(value, size)
        raise Refused("sign of data")

    def logic(self, name, a, b, size):
        for x, y in ((a, b), (b, a)):
            if type(x) is Word and x.flag and type(y) is int and name == "and":
                return self.word(poly_scale(x.flag.poly, y), 0, y, size)
            if type(x) is Word and type(y) is Word and max(x.hi, y.hi) <= 1 and name != "andn":
                p = poly_add(x.poly, y.poly)
                if self.range_of(p, 0, 2)[1] <= 1:  # never both
                    return 0 if name == "and" else self.word(p, 0, 1, size)
            if type(x) is Word and (x.hi <= 1 or x.flag):  # a flag or a mask: a fork
                value = self.decide(x.flag or x)
                value = -value & (1 << 8 * size) - 1 if x.flag else value
                return self._with_known(name, value, y, size, x is a)
            if name == "and" and type(x) is int and type(y) is Word and x & x + 1 == 0:
                return self.field(y, 0, x.bit_length(), size)
            if name in ("or", "xor") and type(x) is Word:
                top = self.interval(y)[1].bit_length()
                if x.zeros >= top or all(
                    c == int(c) and int(c) % (1 << top) == 0 for c in x.poly.values()
                ):
                    p = poly_add(x.poly, self.poly(y))  # no bit in common
                    return self.word(p, x.lo, x.hi + self.interval(y)[1], size)
        if name == "xor" and type(b) is int and b == (1 << 8 * size) - 1:
            return self.word(poly_add(constant(b), a.poly, -1), b - a.hi, b - a.lo, size)
        raise Refused(f"{name} of data")

    def _with_known(self, name, value, other, size, first):
        from rows import logic

        return logic(self.machine, name, *((value, other) if first else (other, value)), size)

    def lane(self, name, a, b, size):
        return self.logic(name, a, b, size)

    def carryless(self, a, b):
        raise Refused("carry-less product of integers")

    def lookup(self, table, at):
        raise Refused("table of data")

    def is_zero(self, word):
        """0 or 1, with a fork where it depends on data"""
        if word.lo > 0:
            return 0
        if word.hi > 1:
            raise Refused("whether a word of data is zero")
        return 1 - self.decide(word)

    # --- forks ------------------------------------------------------------------------------------
    def decide(self, word):
        """0 or 1: the run is repeated for the other value; the equation eliminates a fresh
        word."""
        lo, hi = self.range_of(word.poly, word.lo, word.hi)
        if lo > hi:
            raise Infeasible
        if lo == hi:
            return lo
        if (lo, hi) != (0, 1):
            raise Refused("a fork into more than two")
        if self.used == len(self.decisions):
            self.decisions.append(0)
        value = self.decisions[self.used]
        self.used += 1
        p = self.normal(word.poly)
        linear = {m[0] for m in p if len(m) == 1} & self.fresh
        for m in p:
            if len(m) > 1:
                linear -= set(m)
        if not linear:
            raise Refused("a fork on something that has no fresh word")
        v = max(linear)
        c = p[(v,)]
        q = poly_scale(poly_add(poly_add(p, {(v,): c}, -1), constant(value), -1), Fraction(-1) / c)
        self.eliminated[v] = q
        self.residues.pop(v, None)
        lo, hi = self.ranges[v]
        self.bounded.append((q, lo, hi))
        a, b = self.bounds(q)
        if a > hi or b < lo:
            raise Infeasible
        return value


# --- claims ---------------------------------------------------------------------------------------
def check_equal(domain, a, b):
    rest = domain.normal((a - b).poly) if isinstance(a - b, Number) else constant(a - b)
    if rest:
        raise Refused(f"not shown equal: {len(rest)} terms are left")


def check_congruent(domain, a, b, modulus):
    """Every variable is an integer: so is the quotient if every coefficient is a multiple."""
    for c in domain.normal((a - b).poly).values():
        if c != int(c) or int(c) % modulus:
            raise Refused("not shown congruent")


def check_below(domain, a, bound):
    """0 <= a < bound. Only the bound is checked: a number made of words is not negative."""
    if floor(domain.bounds(a.poly)[1]) >= bound:
        raise Refused("not shown to be in range")


def check_multiple(domain, a, limbs):
    """a is a multiple of the number with these limbs: with the lowest one written as the number
    minus the others, every term is a multiple of it."""
    number = domain.variable()
    rest = {(number,): 1}
    for k, limb in enumerate(limbs[1:], 1):
        rest = poly_add(rest, limb.poly, -(B**k))
    lowest = next(iter(limbs[0].poly))[0]
    for monomial, c in domain.substituted(domain.normal(a.poly), lowest, rest).items():
        if number not in monomial or c != int(c):
            raise Refused("not shown to be a multiple")


def each_path(run, most=64):
    """Calls run(domain) for every combination of forks; returns the number of paths that some input
    may take."""
    todo, done = [[]], 0
    while todo:
        decisions = todo.pop()
        domain = Integers(decisions)
        try:
            run(domain)
            done += 1
        except Infeasible:
            pass
        todo += [domain.decisions[:k] + [1] for k in range(len(decisions), len(domain.decisions))]
        if done + len(todo) > most:
            raise Refused("too many forks")
    return done
