"""Contracts about polynomials over GF(2). A buffer is a polynomial with the bits of its words as
coefficients, to which a contract may apply a linear map. Claims are evaluated on numbers, which may
refute them, and on sums of products of the inputs' bits, which prove them."""

import bits
from bits import MOST, Bits
from contract import B, Concrete, In, InOut, Known, Limb, Out, Theorem, _Names, _shown
from outcome import Refused, Violation
import random


def product(a, b):
    """The carry-less product"""
    total = 0
    while b:
        low = b & -b
        total ^= a << low.bit_length() - 1
        b ^= low
    return total


def remainder(a, modulus):
    top = modulus.bit_length()
    while a.bit_length() >= top:
        a ^= modulus << a.bit_length() - top
    return a


class Polynomial:
    """{product of variables: its coefficient, a polynomial in t}; () is the empty product."""

    def __init__(self, terms):
        self.terms = terms

    def __xor__(self, other):
        total = dict(self.terms)
        for monomial, c in other.terms.items():
            total[monomial] = total.get(monomial, 0) ^ c
        return Polynomial({m: c for m, c in total.items() if c})

    __add__ = __sub__ = __xor__

    def __mul__(self, other):
        total = {}
        for a, c in self.terms.items():
            for b, d in other.terms.items():
                monomial = tuple(sorted({*a, *b}))  # the square of a bit is that bit
                total[monomial] = total.get(monomial, 0) ^ product(c, d)
        return Polynomial({m: c for m, c in total.items() if c})

    def map(self, f):
        """f of each coefficient, f being linear"""
        found = {m: f(c) for m, c in self.terms.items()}
        return Polynomial({m: c for m, c in found.items() if c})

    def power(self, n, modulus):
        """x^(2^n) mod the modulus, for x that is linear in the bits, as is the result then"""
        if any(len(m) > 1 for m in self.terms):
            raise Refused("a power of products")

        def f(c):
            for _ in range(n):
                c = remainder(product(c, c), modulus)
            return c

        return self.map(f)


def equal(a, b):
    return a - b, None


def congruent(a, b, modulus):
    return a - b, modulus


class Over2(Theorem):
    """A theorem about polynomials over GF(2). An input `below` 2^n has n bits."""

    method = "sums of products of bits over GF(2)"
    align = 32

    def refute(self, image, seed=1, cases=None):
        rnd = random.Random(seed)
        for _ in range(min(cases or 3, self.cases)):
            words = self._sample(rnd)
            try:
                m, places = self._call(image, Concrete(), words, layout=2 + rnd.randrange(8))
                results = self._results(m, places)
            except Violation as e:
                return f"{e}; input {_shown(words)}"
            values = {
                k: Polynomial({(): v} if v else {})
                for k, v in {
                    k: sum(v << 64 * n for n, v in enumerate(w))
                    for k, w in {**words, **results}.items()
                }.items()
            }
            for n, (rest, modulus) in enumerate(self.ensures(_Names(values))):
                value = rest.terms.get((), 0)
                if remainder(value, modulus) if modulus else value:
                    return f"claim {n + 1} is false; input {_shown(words)}"
            broken = self._too_long({k: (w, None) for k, w in results.items()})
            if broken:
                return f"{broken}; input {_shown(words)}"
        return None

    def prove(self, image):
        domain = bits.Domain()
        words = self._symbols(domain)
        m, places = self._call(image, domain, words, layout=1)
        results = self._results(m, places)
        values = {k: symbolic(w) for k, w in {**words, **results}.items()}
        names = _Names(values)
        broken = self._too_long({k: (w, domain) for k, w in results.items()})
        if broken:
            raise Refused(broken)
        for n, (rest, modulus) in enumerate(self.ensures(names)):
            check_zero(domain, rest, modulus, n)
        return m

    def _too_long(self, results):
        """A message about the first output that is not below its bound 2^n, or None"""
        for a in self.arguments:
            name = getattr(a, "after", None) or (a.name if isinstance(a, Out) else None)
            below = getattr(a, "result_below", None)
            if name and below:
                words, _ = results[name]
                for k, w in enumerate(words):
                    if (w if type(w) is int else w.may) & ~(below - 1 >> 64 * k) & B - 1:
                        return f"{name} has bits that it should not have"
        return None

    def _symbols(self, domain):
        words = {}
        for a in self.arguments:
            if isinstance(a, Known):
                words[a.name] = list(a.numbers)
            elif isinstance(a, (In, InOut)):
                n = a.below.bit_length() - 1 if a.below else 64 * a.limbs
                words[a.name] = [
                    domain.input(min(64, n - 64 * k)) if n > 64 * k else 0 for k in range(a.limbs)
                ]
            elif isinstance(a, Limb):
                words[a.name] = [domain.input()]
        return words


def symbolic(words):
    """A list of words as a polynomial in their variables"""
    total = {}
    for k, w in enumerate(words):
        if type(w) is int:
            if w:
                total[()] = total.get((), 0) ^ w << 64 * k
            continue
        if not isinstance(w, Bits) or w.unknown:
            raise Refused("a result of which a bit is not known")
        for variable, column in w.lanes():
            monomial = () if variable < MOST else (variable,)
            total[monomial] = total.get(monomial, 0) ^ column << 64 * k
    return Polynomial({m: c for m, c in total.items() if c})


def check_zero(domain, rest, modulus, n):
    """Checks that rest is 0 mod the modulus. Variables that stand for products are expanded, except
    those that are factors of the claim themselves."""
    factors = {v // MOST for m in rest.terms if len(m) > 1 for v in m}
    total, columns = {}, {}
    for monomial, c in rest.terms.items():
        group = monomial[0] // MOST if len(monomial) == 1 else 0
        known = domain.defined[group]
        if known and known[0] in ("product", "and") and group not in factors:
            columns.setdefault(group, {})[monomial[0] % MOST] = c
        else:
            total[monomial] = total.get(monomial, 0) ^ c
    for group, lanes in columns.items():
        expand(total, domain.defined[group], lanes)
    seen = {}
    for monomial, c in total.items():
        if c and modulus:
            if c not in seen:
                seen[c] = remainder(c, modulus)
            c = seen[c]
        if c:
            raise Refused(f"claim {n + 1} is not shown")


def expand(total, definition, lanes):
    """total += the coefficients of these lanes times their definition"""
    kind, x, y = definition
    ys = [(v, [k for k in range(64) if c >> k & 1]) for v, c in y.lanes()]
    for v, c in x.lanes():
        for i in range(64):
            if c >> i & 1:
                for w, places in ys:
                    if v < MOST or w < MOST or v == w:
                        monomial = tuple(sorted({u for u in (v, w) if u >= MOST}))
                    else:
                        monomial = (v, w) if v < w else (w, v)
                    for j in places:
                        lane = i + j if kind == "product" else i if i == j else -1
                        column = lanes.get(lane)
                        if column:
                            total[monomial] = total.get(monomial, 0) ^ column
