"""Machine words of w bits for models of kernels, in two forms: numbers, to try all values, and
unknowns, for z3.

A model makes two kinds of statements: facts, which are true because of the sizes of products, and
claims, which follow from the facts. For numbers both are checked. For unknowns, a product is two
more unknowns, of which only the facts are assumed, and claims are proved: everything but products
is linear, so that z3 can do this for words as long as the machine's.
"""
from proof import claim, prove


class Numbers:
    """A word is an integer, and so is a number of several words."""

    def __init__(self, w):
        self.w, self.b = w, 2**w

    def all(self, n):
        """Every number of n words, as its words"""
        for value in range(self.b**n):
            yield [value >> self.w * i & self.b - 1 for i in range(n)]

    def value(self, words):
        return sum(x << self.w * i for i, x in enumerate(words))

    def times(self, words, y):
        return self.value(words) * y

    def mul(self, x, y):
        return x * y >> self.w, x * y & self.b - 1

    def add(self, x, y, carry=0):
        """The sum and its carry; likewise the difference and its borrow"""
        total = x + y + carry
        return total & self.b - 1, total >> self.w

    def sub(self, x, y, borrow=0):
        total = x - y - borrow
        return total & self.b - 1, -(total >> self.w)

    def invert(self, x):
        return x ^ self.b - 1

    def pick(self, condition, x, y):
        return x if condition else y

    def below(self, x, y):
        return x < y

    def fact(self, holds, what):
        claim(holds, f"{what}, words of {self.w} bits")

    claim = fact


class Symbols:
    """A word is an unknown, an integer from 0 to 2^w - 1, for z3; a sum makes two new unknowns, its
    word and its carry."""

    def __init__(self, z3, w):
        self.z3, self.w, self.b = z3, w, 2**w
        self.facts, self.products, self.made = [], {}, 0

    def word(self, below=None):
        self.made += 1
        x = self.z3.Int(f"x{self.made}")
        self.facts += [0 <= x, x < (below or self.b)]
        return x

    def words(self, n):
        return [self.word() for _ in range(n)]

    def value(self, words):
        return sum(x * self.b**i for i, x in enumerate(words))

    def times(self, words, y):
        return sum(self.value(self.mul(x, y)[::-1]) * self.b**i for i, x in enumerate(words))

    def mul(self, x, y):
        # x and y are kept, so that their identifiers are not used again
        key = tuple(sorted((x.get_id(), y.get_id())))
        if key not in self.products:
            self.products[key] = (*self.words(2), x, y)
        return self.products[key][:2]

    def add(self, x, y, carry=0):
        total, carried = self.word(), self.word(below=2)
        self.facts.append(x + y + carry == total + self.b * carried)
        return total, carried

    def sub(self, x, y, borrow=0):
        rest, borrowed = self.word(), self.word(below=2)
        self.facts.append(x - y - borrow == rest - self.b * borrowed)
        return rest, borrowed

    def invert(self, x):
        return self.b - 1 - x

    def pick(self, condition, x, y):
        return self.z3.If(condition, x, y)

    def below(self, x, y):
        return x < y

    def fact(self, holds, what):
        self.facts.append(holds)

    def claim(self, holds, what):
        prove(self.z3, self.z3.Implies(self.z3.And(self.facts), holds),
              f"{what}, words of {self.w} bits")


def symbols(n):
    """A machine of 64 bits, three numbers of n words and four words"""
    import z3
    m = Symbols(z3, 64)
    return m, m.words(n), m.words(n), m.words(n), m.words(4)
