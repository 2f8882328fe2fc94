"""The domain of bits: each bit of a word is a sum over GF(2) of variables. Products (of bits, and
carry-less ones of words) and sums of integers get variables of their own, and their definitions are
kept: the same product or sum has the same variables, and a claim about polynomials expands
products.
A bit of which nothing is known, such as one that a borrow may reach, is marked as unknown.

Variables come in groups of at most 128. For each group a word has an integer with a lane of 64 bits
per variable: the bits of the word in which that variable occurs. Group 0 is the constant 1."""

import hashlib
from collections import Counter

from outcome import Refused
from rows_bytes import INVERSE, by_columns

STRIDE, MOST = 64, 128
FEW, LONG = 64, 32  # up to FEW products are taken part by part; words of up to LONG parts are kept
ONES = (1 << STRIDE) - 1
EACH = sum(1 << STRIDE * k for k in range(MOST))
_every = {}


def every(mask):
    """The mask repeated in each lane"""
    found = _every.get(mask)
    if found is None:
        if len(_every) > 20000:
            _every.clear()
        found = _every[mask] = EACH * mask
    return found


class Bits:
    """A word. `parts`: {group: its lanes}; `unknown`: the bits of which nothing is known."""

    __slots__ = ("parts", "unknown", "size", "_may")

    def __init__(self, parts, unknown, size):
        self.parts, self.unknown, self.size, self._may = parts, unknown, size, None

    @property
    def may(self):
        """The bits that may be 1"""
        if self._may is None:
            total = 0
            for part in self.parts.values():
                total |= part
            for k in (64, 32, 16, 8, 4, 2, 1):
                total |= total >> STRIDE * k
            self._may = total & ONES | self.unknown
        return self._may

    def lanes(self):
        """(variable, bits) of each variable that occurs; a variable is group * 128 + lane"""
        for group, part in self.parts.items():
            data = part.to_bytes(8 * MOST, "little")
            for lane, column in enumerate(memoryview(data).cast("Q")):
                if column:
                    yield group * MOST + lane, column

    def key(self):
        """Equal for equal words; a digest for a word of many parts"""
        if len(self.parts) <= LONG:
            return self.whole_key()
        total = hashlib.blake2b(self.unknown.to_bytes(8, "little"))
        for group, part in sorted(self.parts.items()):
            total.update(group.to_bytes(8, "little") + part.to_bytes(8 * MOST, "little"))
        return total.digest()

    def whole_key(self):
        return tuple(sorted(self.parts.items())), self.unknown


def made(parts, unknown, size):
    """A word, or an int if it is constant"""
    parts = {g: p for g, p in parts.items() if p}
    if not unknown and all(g == 0 for g in parts):
        return parts.get(0, 0)
    return Bits(parts, unknown, size)


def most_of(value):
    return value if type(value) is int else value.may


def parts_of(value):
    if type(value) is int:
        return ({0: value} if value else {}), 0
    return value.parts, value.unknown


def without_carry(columns, width):
    """For an integer sum of bits, two masks: the columns that no carry can reach, and those that
    may be nonzero. columns[k]: the maximal number of bits of weight 2^k."""
    exact, below = 0, 0
    for k in range(width):
        if below < 1 << k:
            exact |= 1 << k
        below += columns[k] << k if k < len(columns) else 0
    return exact, (1 << below.bit_length()) - 1 & (1 << width) - 1


def diagonal(mask):
    """The lanes of a group in which variable k is bit k of the word, for the bits of the mask"""
    return sum(1 << STRIDE * k + k for k in range(64) if mask >> k & 1)


class Domain:
    lane_size = 8

    def __init__(self):
        # defined[group]: what its variables stand for, such as ("product" or "and", x, y); None for
        # the constant 1 and for inputs. known: the group of each key
        self.defined, self.known = [None], {}

    def input(self, used=64, size=8):
        """A word of new variables in its lowest bits"""
        self.defined.append(None)
        return Bits({len(self.defined) - 1: diagonal((1 << used) - 1)}, 0, size)

    def garbage(self):
        """A byte of new variables, for memory of unknown contents"""
        return self.input(8, 1), 0

    def define(self, key, definition):
        """The group with that key, which is new if there is none yet"""
        if key not in self.known:
            self.defined.append(definition)
            self.known[key] = len(self.defined) - 1
        return self.known[key]

    def product_group(self, kind, x, y):
        """The group of products of two words: bit by bit, or carry-less, in 127 columns"""
        if x.unknown or y.unknown:
            raise Refused("product of bits of which nothing is known")
        kept = kind == "product" or len(x.parts) + len(y.parts) <= LONG
        definition = (kind, x, y) if kept else ("long", None, None)
        return self.define((kind, frozenset((x.key(), y.key()))), definition)

    # --- words and cells --------------------------------------------------------------------------
    def split(self, value, size):
        return [(value, k) for k in range(min(size, value.size))] + [0] * (size - value.size)

    def join(self, cells):
        total, at = 0, 0
        size = len(cells)
        while at < size:
            cell, count = cells[at], 1
            if type(cell) is int:
                part = cell
            else:
                word, start = cell
                if not isinstance(word, Bits):
                    raise Refused("bits of something else")
                while at + count < size and cells[at + count] == (word, start + count):
                    count += 1
                part = self.field(word, 8 * start, 8 * count, size)
            total = self.xor(total, self.moved(part, 8 * at, size), size)
            at += count
        return total

    def field(self, word, start, count, size):
        """`count` bits of a word from `start` on"""
        return self.masked(self.moved(word, -start, size), (1 << count) - 1, size)

    def moved(self, value, k, size):
        """The word shifted left by k, or right by -k, within 64 bits"""
        if type(value) is int:
            return (value << k if k >= 0 else value >> -k) & ONES
        if k == 0:
            return value if value.size == size else made(value.parts, value.unknown, size)
        may, parts = value.may, value.parts.items()
        if k > 0:
            keep = every(ONES >> k if k < 64 else 0)
            found = made({g: (p & keep) << k for g, p in parts}, value.unknown << k & ONES, size)
            may = may << k & ONES
        else:
            keep = every(ONES << -k & ONES if k > -64 else 0)
            found = made({g: (p & keep) >> -k for g, p in parts}, value.unknown >> -k, size)
            may >>= -k
        if type(found) is Bits:
            found._may = may
        return found

    def masked(self, value, mask, size):
        if type(value) is int:
            return value & mask
        if value.size == size and not value.may & ~mask:
            return value
        keep, may = every(mask & ONES), value.may
        found = made({g: p & keep for g, p in value.parts.items()}, value.unknown & mask, size)
        if type(found) is Bits:
            found._may = may & mask
        return found

    def xor(self, a, b, size):
        if type(a) is int and type(b) is int:
            return a ^ b
        (p, u), (q, v) = parts_of(a), parts_of(b)
        if len(p) < len(q):
            p, q = q, p
        total = dict(p)
        for group, part in q.items():
            value = total.get(group, 0) ^ part
            if value:
                total[group] = value
            else:
                del total[group]
        return made(total, u | v, size)

    def equal(self, a, b):
        if type(a) is int or type(b) is int:
            return type(a) is type(b) and a == b
        return not a.unknown and not b.unknown and a.parts == b.parts

    # --- operations -------------------------------------------------------------------------------
    def logic(self, name, a, b, size):
        full = (1 << 8 * size) - 1
        if name == "xor":
            return self.xor(a, b, size)
        if name == "andn":
            return self.logic("and", self.xor(a, full, size), b, size)
        if name == "or":
            both = most_of(a) & most_of(b)
            total = self.xor(a, b, size)
            if not both:
                return total
            return self.xor(total, self.logic("and", a, b, size), size)
        if type(a) is int:
            a, b = b, a
        if type(b) is int:
            return self.masked(a, b, size)
        if self.equal(a, b):
            return a
        both = a.may & b.may
        unknown = (a.unknown | b.unknown) & both
        x, y = (self.masked(v, both & ~unknown, size) for v in (a, b))
        if type(x) is int or type(y) is int:
            total = self.logic("and", x, y, size)
        else:
            total = self.products(x, y, size)
        return self.xor(total, Bits({}, unknown, size), size) if unknown else total

    def products(self, x, y, size):
        """x AND y: constants are separated, and products are taken part by part if there are few"""
        (x, c), (y, d) = (self.without_constant(v, size) for v in (x, y))
        total = c & d
        for value, constant in ((x, d), (y, c)):
            total = self.xor(total, self.masked(value, constant, size), size)
        if type(x) is int or type(y) is int:
            return total
        if len(x.parts) * len(y.parts) > FEW:
            return self.xor(total, self.named(x, y, size), size)
        for g, p in x.parts.items():
            for h, q in y.parts.items():
                one, two = Bits({g: p}, 0, size), Bits({h: q}, 0, size)
                total = self.xor(total, self.named(one, two, size), size)
        return total

    def named(self, x, y, size):
        both = x.may & y.may
        if self.equal(x, y) or not both:
            return x if both else 0
        x, y = self.masked(x, both, size), self.masked(y, both, size)
        if self.equal(x, y):
            return x
        low = (both & -both).bit_length() - 1  # a product is recognized at any position in a word
        group = self.product_group("and", self.moved(x, -low, size), self.moved(y, -low, size))
        return self.moved(Bits({group: diagonal(both >> low)}, 0, size), low, size)

    def without_constant(self, value, size):
        if type(value) is int:
            return 0, value
        rest = {g: p for g, p in value.parts.items() if g}
        return made(rest, value.unknown, size), value.parts.get(0, 0)

    def lane(self, name, a, b, size):
        if name in ("xor", "and", "andn", "or"):
            return self.logic(name, a, b, size)
        if name == "add":
            return self.add(a, b, 0, size)[0]
        if name == "sub":
            return self.subtract(a, b, 0, size)[0]
        if name == "greater" and type(a) is int and a == 0:
            return self.spread(b, 8 * size - 1, size)  # 0 > b: its sign
        raise Refused(f"{name} of bits")

    def spread(self, value, bit, size):
        """All bits of the result are that bit"""
        if type(value) is int:
            return -(value >> bit & 1) & (1 << 8 * size) - 1
        full = (1 << 8 * size) - 1
        one = self.masked(self.moved(value, -bit, size), 1, size)
        if type(one) is int:
            return -one & full
        return made({g: p * full for g, p in one.parts.items()}, full * one.unknown, size)

    def shift(self, kind, value, count, size):
        full = (1 << 8 * size) - 1
        if kind == "shl":
            return self.masked(self.moved(value, count, size), full, size)
        if kind == "shr":
            return self.moved(value, -count, size)
        width = 8 * size
        sign = self.masked(
            self.spread(value, width - 1, size), full ^ full >> min(count, width), size
        )
        return self.xor(self.moved(value, -count, size) if count < width else 0, sign, size)

    def extend(self, value, old, size):
        high = (1 << 8 * size) - (1 << 8 * old)
        sign = self.masked(self.spread(value, 8 * old - 1, size), high, size)
        return self.xor(self.moved(value, 0, size), sign, size)

    def resize(self, value, size):
        return self.masked(self.moved(value, 0, size), (1 << 8 * size) - 1, size)

    def mask(self, flag, size):
        return self.spread(flag, 0, size)

    # --- sums and products of integers: exact where there is no carry -----------------------------
    def add(self, a, b, carry, size):
        """The sum, and the carry out of it or, if that is not known, None"""
        width, full = 8 * size, (1 << 8 * size) - 1
        if type(a) is type(b) is type(carry) is int:
            return a + b + carry & full, a + b + carry >> width
        if self.equal(a, b) and type(carry) is int and carry == 0:
            return self.shift("shl", a, 1, size), self.field(a, width - 1, 1, size)
        most = [most_of(a), most_of(b), most_of(carry)]
        exact, may = without_carry([sum(v >> k & 1 for v in most) for k in range(width)], width)
        if not may & ~exact:
            total = self.xor(self.xor(a, b, size), carry, size)
            return total, 0 if sum(most) <= full else None
        terms, constant = Counter(), 0
        for value in (a, b, carry):
            counted, known = self.summands(value, width)
            terms.update(counted)
            constant += known
        return self.sum_of(self.merged(terms, size), constant & full, size), None

    # A sum of integers is identified by its summands in any order: {word's key: how often}.
    def summands(self, value, width):
        if type(value) is int:
            return {}, value
        if len(value.parts) == 1 and not value.unknown:
            ((group, part),) = value.parts.items()
            definition = self.defined[group]
            if definition and definition[0] == ("sum", width) and part == definition[3]:
                return definition[1], definition[2]
        if value.unknown:
            raise Refused("sum of bits of which nothing is known")
        return {value.whole_key(): 1}, 0

    def sum_of(self, terms, constant, size):
        width = 8 * size
        if not terms:
            return constant
        if not constant and list(terms.values()) == [1]:
            return Bits(dict(next(iter(terms))[0]), 0, size)
        lanes = diagonal((1 << width) - 1)
        group = self.define(
            ("sum", width, frozenset(terms.items()), constant),
            (("sum", width), terms, constant, lanes),
        )
        return Bits({group: lanes}, 0, size)

    def merged(self, terms, size):
        """Replaces two terms that have no bit in common by one, their sum over GF(2)."""
        words = [k for k, n in terms.items() if n == 1 and len(k[0]) <= 4]
        for n, one in enumerate(words):
            for two in words[:n]:
                a, b = (Bits(dict(k[0]), 0, size) for k in (one, two))
                if len(a.parts) + len(b.parts) > 2 and self.disjoint(a, b):
                    rest = Counter({k: c for k, c in terms.items() if k not in (one, two)})
                    both = self.xor(a, b, size)
                    if type(both) is not int:
                        rest[both.whole_key()] += 1
                        return self.merged(rest, size)
        return terms

    def disjoint(self, a, b):
        """Whether a b = 0 in each bit, as polynomials in the words of which they consist"""
        x, y = self.in_factors(a), self.in_factors(b)
        total = set()
        for one in x:
            for two in y:
                total ^= {one | two}
        return not total

    def in_factors(self, value):
        """A word as a sum of products of words, none of which is such a product"""
        total = set()
        for group, part in value.parts.items():
            definition = self.defined[group]
            whole = definition and definition[0] == "and"
            if whole and part == diagonal(definition[1].may & definition[2].may):
                x, y = (self.in_factors(v) for v in definition[1:])
                for one in x:
                    for two in y:
                        total ^= {one | two}
            else:
                total ^= {frozenset([(group, part)])}
        return total

    def subtract(self, a, b, borrow, size):
        """The difference, of which bits may be unknown, and the borrow or, if that is not known,
        None"""
        full = (1 << 8 * size) - 1
        if type(a) is int and a == 0 and type(borrow) is int and borrow == 0 and most_of(b) == 1:
            return self.spread(b, 0, size), self.field(b, 0, 1, size)
        if type(b) is int and b == 0 and type(borrow) is int and borrow == 0:
            return a, 0
        if self.equal(a, b) and type(borrow) is int and borrow == 0:
            return 0, 0
        if type(b) is int and type(borrow) is int:
            return self.add(a, -b - borrow & full, 0, size)[0], None
        lowest = most_of(b) | most_of(borrow)
        lowest &= -lowest  # a borrow may reach the bits above it
        total = self.xor(self.xor(a, b, size), borrow, size)
        value = self.masked(total, (lowest << 1) - 1 & full, size)
        rest = full & ~((lowest << 1) - 1)
        return (self.xor(value, Bits({}, rest, size), size) if rest else value), None

    def linear(self, parts, known, size):
        total = known & (1 << 8 * size) - 1
        for value, k in parts:
            if k & k - 1 or k <= 0:
                raise Refused("multiple of bits")
            value = self.shift("shl", self.resize(value, size), k.bit_length() - 1, size)
            total = self.add(value, total, 0, size)[0]
        return total

    def columns(self, x, y):
        """For each weight the number of products of two bits of these masks"""
        counts = [0] * 128
        places = [k for k in range(64) if y >> k & 1]
        for k in range(64):
            if x >> k & 1:
                for other in places:
                    counts[k + other] += 1
        return counts

    def multiply(self, a, b):
        """[lower word, upper word]; bits that a carry may reach are unknown"""
        counts = self.columns(most_of(a), most_of(b))
        exact, may = without_carry(counts, 128)
        low, high = self.carryless_words(a, b)
        words = []
        for word, at in ((low, 0), (high, 64)):
            word = self.masked(word, exact >> at & ONES, 8)
            other = may & ~exact
            if other >> at & ONES:
                word = self.xor(word, Bits({}, other >> at & ONES, 8), 8)
            words.append(word)
        return words

    def product_low(self, a, b, size):
        low, _ = self.multiply(self.resize(a, 8), self.resize(b, 8))
        return self.masked(low, (1 << 8 * size) - 1, size)

    def carryless_words(self, a, b):
        if type(a) is int:
            a, b = b, a
        if type(a) is int:
            total = 0
            for k in range(64):
                total ^= a << k if b >> k & 1 else 0
            return total & ONES, total >> 64
        if type(b) is int:
            low = high = 0
            for k in range(64):
                if b >> k & 1:
                    low = self.xor(low, self.moved(a, k, 8), 8)
                    high = self.xor(high, self.moved(a, k - 64, 8) if k else 0, 8)
            return low, high
        if self.equal(a, b):
            return self.apart(a, 0), self.apart(a, 32)
        group = self.product_group("product", a, b)
        counts = self.columns(a.may, b.may)
        lanes = lambda at: sum(1 << STRIDE * (at + k) + k for k in range(64) if counts[at + k])
        return made({group: lanes(0)}, 0, 8), made({group: lanes(64)}, 0, 8)

    def apart(self, value, start):
        """A word of x^2: bit 2k is bit start + k of x"""
        total = 0
        for k in range(32):
            bit = self.masked(self.moved(value, -start - k, 8), 1, 8)
            total = self.xor(total, self.moved(bit, 2 * k, 8), 8)
        return total

    def carryless(self, a, b):
        return [c for word in self.carryless_words(a, b) for c in self.machine.split(word, 8)]

    def lookup(self, table, at):
        """A table of 16 numbers that is affine in its index, of which bits 4 to 6 are ignored"""
        if not all(type(v) is int for v in table):
            raise Refused("a table of data")
        word, k = at
        index = self.field(word, 8 * k, 8, 1)
        if most_of(index) & 0x80:
            raise Refused("an index that may select zero")
        index = self.masked(index, 15, 1)
        total = table[0]
        for bit in range(4):
            one = self.spread(index, bit, 1)
            total = self.xor(total, self.logic("and", one, table[1 << bit] ^ table[0], 1), 1)
        for v in range(16):
            want = table[0]
            for bit in range(4):
                want ^= table[1 << bit] ^ table[0] if v >> bit & 1 else 0
            if want != table[v]:
                raise Refused("a table that is not affine")
        return total if type(total) is int else (total, 0)

    def replaced(self, cell, invert, columns, constant):
        """The image under an affine map of a byte, or of its inverse in the field of AES, which
        gets new variables"""
        word, k = cell
        byte = self.field(word, 8 * k, 8, 1)
        if type(byte) is int:
            return by_columns(columns, constant, INVERSE[byte] if invert else byte)
        image = self.mapped(self.inverse(byte) if invert else byte, columns, constant)
        return image if type(image) is int else (image, 0)

    def inverse(self, byte):
        if type(byte) is int:
            return INVERSE[byte]
        if byte.unknown:
            raise Refused("inverse of bits of which nothing is known")
        return Bits({self.define(("inverse", byte.key()), ("inverse",)): diagonal(255)}, 0, 1)

    def mapped(self, byte, columns, constant):
        """An affine map of a byte's bits"""
        if type(byte) is int:
            return by_columns(columns, constant, byte)
        if byte.unknown:
            raise Refused("map of bits of which nothing is known")
        ones, total = every(1), {}
        for group, part in byte.parts.items():
            image = 0
            for k, column in enumerate(columns):
                image ^= (part >> k & ones) * column
            total[group] = image
        return made({**total, 0: total.get(0, 0) ^ constant}, 0, 1)

    def decide(self, value):
        raise Refused("a fork on data")

    def is_zero(self, value):
        raise Refused("a fork on data")

    def __getattr__(self, name):
        raise Refused(f"{name} of bits")
