"""The domain of integers with rules for what asm statements use in addition to sums and products:
the lowest bit of a word, a shift through the carry, masks as summands."""

from fractions import Fraction

from integers import B, Integers, Word, poly_add, poly_scale
from outcome import Refused


class Exact(Integers):
    def mask_of_input(self):
        """All ones or 0"""
        flag = Word({(self.variable(0, 1, fresh=True),): 1}, 0, 1, 8)
        return self.mask(flag, 8)

    def input_by_parity(self):
        """A word as 2 h + b"""
        h, b = self.variable(0, B // 2 - 1), self.variable(0, 1, fresh=True)
        return Word({(h,): 2, (b,): 1}, 0, B - 1, 8)

    def below(self, limbs, bound):
        """States that the number with these limbs is below `bound`. whole() needs a lowest limb
        that is one variable; that of input_by_parity() is a sum of two."""
        if len(limbs[0].poly) == 1:
            return self.whole(limbs, bound)
        total = {}
        for k, limb in enumerate(limbs):
            total = poly_add(total, limb.poly, B**k)
        self.bounded.append((total, 0, bound - 1))

    def parted(self, p, base):
        """(q, r) with p = base q + r and 0 <= r < base, where its coefficients show that, or
        None: variables are integers, so q is one as well."""
        p = self.normal(p)
        high = {m: c for m, c in p.items() if c == int(c) and int(c) % base == 0}
        rest = {m: c for m, c in p.items() if m not in high}
        lo, hi = self.bounds(rest)
        if lo < 0 or hi >= base:
            return None
        return poly_scale(high, Fraction(1, base)), rest

    def wrap(self, p, lo, hi, size):
        base = 1 << 8 * size
        low, high = self.range_of(p, lo, hi)
        if low // base != high // base:
            parts = self.parted(p, base)
            if parts:
                q, r = parts
                return self.word(r, 0, base - 1, size), self.word(q, low // base, high // base, 8)
        return super().wrap(p, lo, hi, size)

    def above(self, value, bits):
        if bits and not value.flag and value.hi >> bits:
            parts = self.parted(value.poly, 1 << bits)
            if parts:
                return self.word(parts[0], value.lo >> bits, value.hi >> bits, 8)
        return super().above(value, bits)

    def linear(self, parts, known, size):
        for value, _ in parts:
            if isinstance(value, Word) and value.flag:
                self.decide(value.flag)  # then everything that depends on it is known
        return super().linear(parts, known, size)

    def is_zero(self, word):
        return 1 - self.decide(word.flag) if word.flag else super().is_zero(word)

    def through_carry(self, value, carry, size):
        """(value / 2 with the carry as its top bit, the bit that is shifted out)"""
        half, bit = (self.above(value, 1), self.field(value, 0, 1, 8)) if isinstance(
            value, Word) else (value >> 1, value & 1)
        if isinstance(carry, Word) and (carry.lo < 0 or carry.hi > 1):
            raise Refused("a carry that is not a bit")
        p = poly_add(self.poly(half), poly_scale(self.poly(carry), 1 << 8 * size - 1))
        return self.word(p, 0, (1 << 8 * size) - 1, size), bit
