"""Contracts that are a standard's steps: the results of the steps and of the kernel are compared on
numbers, and on words whose bits are sums of variables. Products of bits and sums of integers have a
variable for each bit, the same one for the same factors or summands, however these were computed;
so equal words are represented alike."""

import random

import bits
from contract import Concrete, In, InOut, Out, Theorem, _shown
from outcome import Refused, Violation


class Numbers:
    """Words of `size` bytes that are numbers"""

    def __init__(self, size):
        self.size, self.full = size, (1 << 8 * size) - 1

    def xor(self, *words):
        total = 0
        for w in words:
            total ^= w
        return total

    def both(self, a, b):
        return a & b

    def complement(self, a):
        return a ^ self.full

    def plus(self, *words):
        return sum(words) & self.full

    def rotated(self, a, n):
        return (a << n | a >> 8 * self.size - n) & self.full if n else a

    def reversed_bytes(self, a):
        return int.from_bytes(a.to_bytes(self.size, "little"), "big")


class Symbols:
    """The same in the domain of bits"""

    def __init__(self, domain, size):
        self.domain, self.size, self.full = domain, size, (1 << 8 * size) - 1

    def xor(self, *words):
        total = 0
        for w in words:
            total = self.domain.xor(total, w, self.size)
        return total

    def both(self, a, b):
        return self.domain.logic("and", a, b, self.size)

    def complement(self, a):
        return self.domain.xor(a, self.full, self.size)

    def plus(self, *words):
        total = 0
        for w in words:
            total = self.domain.add(w, total, 0, self.size)[0]
        return total

    def rotated(self, a, n):
        if n == 0:
            return a
        up = self.domain.shift("shl", a, n, self.size) if type(a) is bits.Bits else a << n
        down = self.domain.moved(a, n - 8 * self.size, self.size)
        return self.domain.xor(
            self.domain.masked(up, self.full, self.size), down, self.size
        )

    def reversed_bytes(self, a):
        cells = [0] * self.size if type(a) is int else [(a, k) for k in range(self.size)]
        if type(a) is int:
            return Numbers(self.size).reversed_bytes(a)
        return self.domain.join(cells[::-1])


class Steps(Theorem):
    """`spec(ops, v)` gives for each output its words, of `unit` bytes, or None for any."""

    method = "the standard's steps on the same words; products of bits and sums are named"
    align = 64
    numbers, symbols = Numbers, Symbols

    def __init__(self, *args, spec, unit=8, **more):
        super().__init__(*args, ensures=None, **more)
        self.spec, self.unit = spec, unit

    def _sample(self, rnd):
        words = super()._sample(rnd)
        full = (1 << 8 * self.unit) - 1
        words = {k: [v & full for v in limbs] for k, limbs in words.items()}
        return self._with_fixed(words)

    def _with_fixed(self, words):
        """With the words of inputs that are fixed in this theorem: `fixed` of the argument"""
        for a in self.arguments:
            for k, value in getattr(a, "fixed", {}).items():
                words[a.name][k] = value
        return words

    def refute(self, image, seed=1, cases=None):
        rnd = random.Random(seed)
        for _ in range(min(cases or 2, 4)):
            words = self._sample(rnd)
            try:
                m, places = self._call(image, Concrete(), words, layout=2 + rnd.randrange(8))
                results = self._results(m, places)
            except Violation as e:
                return f"{e}; seed {seed}"
            name = self._different(results, self.spec(self.numbers(self.unit), words))
            if name:
                return f"{name} is wrong; input {_shown(words)[:200]}"
        return None

    def _different(self, results, wanted):
        """The name of an output that is not what it should be, or None"""
        for name, words in wanted.items():
            for k, (found, want) in enumerate(zip(results[name], words, strict=True)):
                if want is not None and not same(found, want):
                    return f"{name}[{k}]"
        return None

    def prove(self, image):
        domain = bits.Domain()
        words = {
            a.name: [domain.input(8 * self.unit, self.unit) for _ in range(a.limbs)]
            for a in self.arguments
            if isinstance(a, (In, InOut))
        }
        words = self._with_fixed(words)
        m, places = self._call(image, domain, words, layout=1)
        wanted = self.spec(self.symbols(domain, self.unit), words)
        name = self._different(self._results(m, places), wanted)
        if name:
            raise Refused(f"{name} is not shown to be what it should be")
        return m


def same(a, b):
    if type(a) is int or type(b) is int:
        return type(a) is type(b) and a == b
    return not a.unknown and not b.unknown and a.parts == b.parts


__all__ = ["In", "InOut", "Numbers", "Out", "Steps", "Symbols"]
