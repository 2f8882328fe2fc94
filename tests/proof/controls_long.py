"""Theorems about GHASH of many blocks for test_tool.py: true ones about the library, and false ones
about it, about a kernel with a changed constant, and about powers in another order."""

import ghash_long
from ghash import little_endian
from ghash_long import Long

RARE = ()


def true_theorems():
    yield Long("aesni", "horner", 9)
    yield Long("vaes", "polyval", 32)
    yield Long("gfni512", "horner", 35)


class OtherDigit(Long):
    """The kernel and the steps with which it is compared both reduce by another polynomial: all
    words agree, and only the claims about them are false."""

    statement = "with another polynomial"

    def _changed(self, image):
        image.read(image.address(image.main, self.symbol), 1)
        found = {}
        for start, _, data, member, _ in image.sections:
            if member is image.main:
                data = data or image.read(start, 1) and next(
                    e[2] for e in image.sections if e[0] == start
                )
                at = data.find(bytes(7) + b"\xC2")
                while at >= 0:
                    found[start + at + 7] = 0xC6
                    at = data.find(bytes(7) + b"\xC2", at + 1)
        return image.patched(found)

    def refute(self, image, seed=1, cases=None):
        return super().refute(self._changed(image), seed, cases)

    def prove(self, image):
        right = ghash_long.DIGIT
        ghash_long.DIGIT = 0xC6 << 56
        try:
            return super().prove(self._changed(image))
        finally:
            ghash_long.DIGIT = right


class OtherOrder(Long):
    """power = h^8 to h^1 for a kernel that expects h^1 to h^8: its result for each block is known,
    but is the block times another power than it should be."""

    def __init__(self, *args):
        super().__init__(*args)
        steps = self.steps
        self.steps = lambda ops, y, x, h: steps(ops, y, x, {9 - k: v for k, v in h.items()})

    def _places(self):
        return {9 - k: at for k, at in super()._places().items()}


def false_statements():
    backwards = Long("aesni", "horner", 9)
    backwards.read = little_endian
    yield backwards
    yield OtherDigit("aesni", "polyval", 9)
    yield OtherOrder("aesni", "horner", 9)
    short = Long("vaes", "horner", 9)
    short.arguments[2] = 8  # the kernel is given one block less
    yield short
