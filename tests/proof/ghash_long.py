"""GHASH and POLYVAL of more blocks than one reduction takes (src/mod/f2_128.h). Each element that a
kernel keeps, a power of h or a partial sum, is computed here from the same words, proved correct
mod P, and replaced by new variables; where the kernel computes the same word, it is replaced by
these, too. So no product has more than two variables, and the result is known as a sum of blocks
times powers of h.

Montgomery's product of A and a primed H, which is h z, is (A H + a multiple of P)/z^128 == A h."""

import random

from bits import Bits, Domain
from contract import Concrete, In, InOut, _shown
from ghash import P, PLACES, Ghash, anywhere, big_endian, little_endian
from outcome import Refused, Violation
from polynomials import check_zero, product, symbolic
from words import same

USES = ["bits", "polynomials", "ghash", "words"]
DIGIT = 0xC2 << 56  # the upper word of P - 2^128, by which the reduction multiplies


class Renaming(Domain):
    """The domain of bits, in which named words of 64 bits are replaced by new variables wherever
    they are computed"""

    def __init__(self):
        super().__init__()
        self.names = {}

    def xor(self, a, b, size):
        word = super().xor(a, b, size)
        if size == 8 and self.names and type(word) is Bits:
            return self.names.get(word.whole_key(), word)
        return word

    def named(self, word):
        if type(word) is int or word.unknown:
            raise Refused("a word that cannot be renamed")
        return self.names.setdefault(word.whole_key(), self.input())


class Element:
    """An element and its meaning. words: two words, the lower one first, or one integer. meaning:
    {source: k} for a sum of sources, blocks or y, each times its h^k; {"h": k} for h^k itself"""

    def __init__(self, words, meaning):
        self.words, self.meaning = words, meaning


class Numbers:
    """The operations of the steps on numbers: the words of an element are one integer."""

    def element(self, value, meaning):
        return Element(value, meaning)

    def plus(self, a, b):
        return Element(a.words ^ b.words, added(a.meaning, b.meaning))

    def sum_of_products(self, terms, _):
        total = 0
        for a, h in terms:
            total ^= product(a.words, h.words)
        for _ in range(128):
            total = (total ^ P if total & 1 else total) >> 1
        return Element(total, sum_meaning(terms))

    def kept(self, element):
        return element


class Words(Numbers):
    """The operations of the steps on words of symbolic bits. show: whether each sum of products is
    proved correct."""

    def __init__(self, domain, show):
        self.domain, self.show = domain, show

    def plus(self, a, b):
        words = [self.domain.xor(v, w, 8) for v, w in zip(a.words, b.words)]
        return Element(words, added(a.meaning, b.meaning))

    def sum_of_products(self, terms, karatsuba):
        """The reduced sum; `karatsuba`: whether the kernel computes products by Karatsuba's
        method."""
        d = self.domain
        t = [0, 0, 0, 0]
        for a, h in terms:
            (a0, a1), (h0, h1) = a.words, h.words
            low, high = d.carryless_words(a0, h0), d.carryless_words(a1, h1)
            if karatsuba:
                middle = d.carryless_words(d.xor(a0, a1, 8), d.xor(h0, h1, 8))
                middle = [self._xor(w, low[k], high[k]) for k, w in enumerate(middle)]
            else:
                one, two = d.carryless_words(a1, h0), d.carryless_words(a0, h1)
                middle = [self._xor(one[k], two[k]) for k in (0, 1)]
            parts = (low[0], self._xor(low[1], middle[0]), self._xor(high[0], middle[1]), high[1])
            t = [self._xor(v, w) for v, w in zip(t, parts)]
        low = t[:2]
        for _ in (0, 1):
            fold = d.carryless_words(low[0], DIGIT)
            low = [self._xor(low[1], fold[0]), self._xor(low[0], fold[1])]
        words = [self._xor(t[2], low[0]), self._xor(t[3], low[1])]
        if self.show:
            claim = symbolic(words).map(lambda c: c << 128)
            for a, h in terms:
                claim = claim - symbolic(a.words) * symbolic(h.words)
            check_zero(d, claim, P, 0)
        return Element(words, sum_meaning(terms))

    def _xor(self, *words):
        total = 0
        for w in words:
            total = self.domain.xor(total, w, 8)
        return total

    def kept(self, element):
        return Element([self.domain.named(w) for w in element.words], element.meaning)


def added(a, b):
    if a.keys() & b.keys():
        raise Refused("a block that is counted twice")
    return {**a, **b}


def sum_meaning(terms):
    """The meaning of a sum of elements, each multiplied by a power of h"""
    total = {}
    for a, h in terms:
        total = added(total, {source: k + h.meaning["h"] for source, k in a.meaning.items()})
    return total


# --- the steps of each tier -----------------------------------------------------------------------
def eight_at_once(ops, y, x, h, karatsuba):
    """The sum y after at most eight more blocks, with one reduction"""
    terms = [(ops.plus(y, x[0]), h[len(x)])] + [(b, h[len(x) - k]) for k, b in enumerate(x) if k]
    return ops.kept(ops.sum_of_products(terms, karatsuba))


def by_eights(ops, y, x, h, first=0):
    """The sum y after all blocks, in groups of eight; in the first `first` blocks, products are
    computed by Karatsuba's method."""
    for at in range(0, len(x), 8):
        y = eight_at_once(ops, y, x[at : at + 8], h, at < first)
    return y


def sum_apart(ops, y, x, h):
    """The same, with the partial sum multiplied separately"""
    for at in range(0, len(x), 8):
        some = x[at : at + 8]
        terms = [(y, h[len(some)])] + [(b, h[len(some) - k]) for k, b in enumerate(some)]
        y = ops.kept(ops.sum_of_products(terms, False))
    return y


def aesni(ops, y, x, h):
    return by_eights(ops, y, x, h)


def vaes(ops, y, x, h):
    return by_eights(ops, y, x, h, len(x) // 8 * 8 if len(x) >= 32 else 0)


def gfni512(ops, y, x, h):
    done = 0
    if len(x) >= 32:
        rows = 4 if len(x) < 96 else 8
        done = len(x) // (4 * rows) * 4 * rows
        times = lambda i, j: ops.kept(ops.sum_of_products([(h[i], h[j])], False))
        h = {**h, 12: times(4, 8), 16: times(8, 8)}
        if rows == 8:
            h.update({k: times(k - 16, 16) for k in (20, 24, 28, 32)})
        parts = [None] * 4  # a sum in each part of 128 bits, for a quarter of the blocks
        for at in range(0, done, 4 * rows):
            for p in range(4):
                column = x[at + p : at + 4 * rows : 4]
                if at == p == 0:
                    column[0] = ops.plus(y, column[0])
                terms = [(b, h[4 * (rows - 1 - k)]) for k, b in enumerate(column[:-1])]
                if at:
                    terms.append((parts[p], h[4 * rows]))
                parts[p] = ops.kept(ops.plus(ops.sum_of_products(terms, True), column[-1]))
        y = ops.kept(ops.sum_of_products([(s, h[4 - p]) for p, s in enumerate(parts)], False))
    return sum_apart(ops, y, x[done:], h)


STEPS = {"aesni": aesni, "vaes": vaes, "gfni512": gfni512}
LENGTHS = {"aesni": (9, 17), "vaes": (9, 35), "gfni512": (9, 35, 101)}


class Long(Ghash):
    """GHASH or POLYVAL of n blocks: power = h^1 to h^8 for any h; y and x are any bytes."""

    method = "sums of products of bits over GF(2), each kept sum proved and renamed"

    def __init__(self, tier, kernel, n):
        self.steps, self.n, self.shown = STEPS[tier], n, False
        self.read = big_endian if kernel == "horner" else little_endian
        super().__init__(
            "ghash",
            tier,
            PLACES[tier],
            f"ty_f2_128_{kernel}_{tier}",
            f"n = {n}",
            "z == y h^n + x_0 h^n + ... + x_(n-1) h mod P, power being h^1 to h^8"
            + (", bytes in the opposite order" if kernel == "polyval" else ""),
            [anywhere(InOut("y", 2, "z")), anywhere(In("x", 2 * n)), n, In("power", 16)],
            None,
            aliases="in place",
        )

    def _places(self):
        """The index in power of the lower word of h^1 to h^8"""
        return {k: 2 * (k - 1 if self.tier == "aesni" else 8 - k) for k in range(1, 9)}

    def _computed(self, ops, y, x, powers):
        """The words of z, computed by the steps from y, the blocks and the powers"""
        x = [ops.element(b, {k: 0}) for k, b in enumerate(x)]
        h = {k: ops.element(v, {"h": k}) for k, v in powers.items()}
        z = self.steps(ops, ops.element(y, {"y": 0}), x, h)
        if z.meaning != {"y": self.n, **{k: self.n - k for k in range(self.n)}}:
            raise Refused("a block times a wrong power of h")
        return z.words

    # --- on numbers
    def _sample(self, rnd):
        words = super()._sample(rnd)
        h = power = rnd.getrandbits(rnd.choice((1, 128, 128, 128)))
        for at in self._places().values():
            words["power"][at : at + 2] = [power & (1 << 64) - 1, power >> 64]
            power = Numbers().sum_of_products([(Element(power, {}), Element(h, {"h": 1}))], 0).words
        return words

    def refute(self, image, seed=1, cases=None):
        rnd = random.Random(seed)
        for _ in range(min(cases or 3, 3)):
            words = self._sample(rnd)
            try:
                m, places = self._call(image, Concrete(), words, layout=2 + rnd.randrange(8))
                found = self._results(m, places)["z"]
            except Violation as e:
                return f"{e}; input {_shown(words)[:200]}"
            number = lambda pair: pair[0] | pair[1] << 64
            z, h = self.read(number(words["y"])), number(words["power"][self._places()[1] :][:2])
            for k in range(self.n):
                z ^= self.read(number(words["x"][2 * k : 2 * k + 2]))
                z = Numbers().sum_of_products([(Element(z, {}), Element(h, {"h": 1}))], 0).words
            if self.read(number(found)) != z:
                return f"z is wrong; input {_shown(words)[:200]}"
        return None

    # --- on words of bits
    def prove(self, image):
        domain = Renaming()
        words = self._symbols(domain)
        ordered = lambda pair: pair if self.read is little_endian else [
            domain.join([(w, k) for k in range(7, -1, -1)]) for w in pair[::-1]
        ]
        z = self._computed(
            Words(domain, not self.shown),
            ordered(words["y"]),
            [ordered(words["x"][k : k + 2]) for k in range(0, 2 * self.n, 2)],
            {k: words["power"][at : at + 2] for k, at in self._places().items()},
        )
        self.shown = True  # the claims do not depend on the kernel
        m, places = self._call(image, domain, words, layout=1)
        found = self._results(m, places)["z"]
        if any(type(w) is int for w in found) or not all(map(same, ordered(found), z)):
            raise Refused("z is not shown to be what it should be")
        return m


def theorems():
    for tier, lengths in LENGTHS.items():
        for kernel in ("horner", "polyval"):
            for n in lengths:
                yield Long(tier, kernel, n)
