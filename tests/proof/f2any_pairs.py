"""Contracts of two elements of GF(2)[t]/M side by side (src/f2m/f2_any_pairs.h): a lane of four
words has two of the first element and two of the second."""

from contract import In, Known, Out
from f2any import as_limbs, fields
from polynomials import Over2, congruent

USES = ["bits", "polynomials", "f2m", "f2any"]
TIER = "vaes"


def place(k):
    """(element, word of it) of word k of a pair"""
    return k % 4 // 2, 2 * (k // 4) + k % 2


def element(which, count):
    """The linear map from a pair of `count` words to one of its elements"""

    def pick(c):
        total = 0
        for k in range(count):
            half, word = place(k)
            if half == which:
                total |= (c >> 64 * k & 2**64 - 1) << 64 * word
        return total

    return lambda pair: pair.map(pick)


class Pairs(Over2):
    """Theorems about pairs: each of their elements has `bits` bits, before and after."""

    def __init__(self, *args, bits, **more):
        super().__init__(*args, **more)
        self.bits = bits

    def _used(self, k):
        return max(0, min(64, self.bits - 64 * place(k)[1]))

    def _sample(self, rnd):
        words = super()._sample(rnd)
        for name in ("x", "y"):
            if name in words:
                words[name] = [w & (1 << self._used(k)) - 1 for k, w in enumerate(words[name])]
        return words

    def _symbols(self, domain):
        words = {}
        for a in self.arguments:
            if isinstance(a, Known):
                words[a.name] = list(a.numbers)
            elif isinstance(a, In):
                used = [self._used(k) for k in range(a.limbs)]
                words[a.name] = [domain.input(n) if n else 0 for n in used]
        return words

    def _too_long(self, results):
        for k, w in enumerate(results["z"][0]):
            if (w if type(w) is int else w.may) >> self._used(k):
                return "z has bits that it should not have"
        return None


def theorems():
    for words in range(2, 10):
        for method, text, f in fields(words):
            yield from of_field(words, method, text, f)


def of_field(words, method, text, f):
    count = 4 * (words + words % 2) // 2
    bits = f.bit_length() - 1 if method == "full" else 64 * words
    z, x, y = Out("z", count), In("x", count), In("y", count)
    card, parts = Known("f", as_limbs(f, method)), [element(h, count) for h in (0, 1)]
    for kernel, statement, arguments, claim in (
        ("pair_mul", "z == x y, of both elements", [z, x, y, card],
         lambda v, e: e(v.x) * e(v.y)),
        ("pair_sqr", "z == x^2, of both elements", [z, x, card],
         lambda v, e: e(v.x).power(1, f)),
    ):
        yield Pairs(
            "f2any", TIER, f"f2_any_w{words}_{TIER}.c.o", f"ty_f2_any_w{words}_{kernel}_{TIER}",
            f"n = {words}, {method}, {text}", statement, arguments,
            lambda v, claim=claim: [congruent(e(v.z), claim(v, e), f) for e in parts],
            bits=bits,
        )
