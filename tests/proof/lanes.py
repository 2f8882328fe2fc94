"""The domain of lanes: coefficients modulo ML-DSA's q. A lane of 32 bits has an interval and,
where it is known, a linear form in the inputs mod q; a lane of 64 bits is a sum of lanes times
numbers. Nothing may overflow. Montgomery's reduction is recognized: where the lower half of a
64-bit lane vanishes mod 2^32, the upper half is the lane divided by R = 2^32."""

from outcome import Refused

Q = 8380417
R_INVERSE = pow(1 << 32, -1, Q)
HALF = 1 << 31


def signed(value, bits):
    return value - (1 << bits) if value >> bits - 1 & 1 else value


class Lane:
    """32 bits, signed: `form` is {input: coefficient mod q} or None; `made` is its linear form mod
    2^32, {lane: coefficient}, if it is the lower half of a product."""

    size = 4

    def __init__(self, form, lo, hi, made=None):
        self.form, self.lo, self.hi, self.made = form, lo, hi, made


class Wide:
    """64 bits, signed: a sum of 32-bit lanes times numbers, exact."""

    size = 8

    def __init__(self, terms, lo, hi):
        if lo < -(1 << 63) or hi >= 1 << 63:
            raise Refused("a lane of 64 bits may overflow")
        self.terms, self.lo, self.hi = terms, lo, hi
        self.low = self.high = None


class Halves:
    """64 bits of a vector with independent halves."""

    size = 8

    def __init__(self, low, high):
        self.low, self.high = low, high


def combine(a, b, k):
    """a + k b of linear forms"""
    if a is None or b is None:
        return None
    r = dict(a)
    for x, c in b.items():
        value = (r.get(x, 0) + k * c) % Q
        if value:
            r[x] = value
        else:
            r.pop(x, None)
    return r


class Lanes:
    lane_size = 4

    def __init__(self):
        self.largest = 0

    def input(self, key, lo, hi):
        return Lane({key: 1}, lo, hi)

    # --- words and cells --------------------------------------------------------------------------
    def split(self, value, size):
        if value.size != size:
            if size == 4:
                return self.machine.split(self.half(value, 0), 4)
            raise Refused("a part of a lane")
        if isinstance(value, Halves):
            return self.machine.split(value.low, 4) + self.machine.split(value.high, 4)
        return [(value, k) for k in range(size)]

    def join(self, cells):
        if len(cells) == 4:
            first = cells[0]
            if (
                type(first) is tuple
                and first[1] in (0, 4)
                and all(
                    type(c) is tuple and c[0] is first[0] and c[1] == first[1] + k
                    for k, c in enumerate(cells)
                )
            ):
                return self.half(first[0], first[1] // 4)
        if len(cells) == 8:
            return Halves(self.machine.join(cells[:4]), self.machine.join(cells[4:]))
        raise Refused("a part of a lane")

    def half(self, value, which):
        if isinstance(value, Halves):
            return (value.low, value.high)[which]
        if not isinstance(value, Wide):
            raise Refused("half of something that is not a product")
        return self.upper(value) if which else self.lower(value)

    def lower(self, wide):
        """The lower half: 0, a lane that was extended to 64 bits, or one that is known only mod
        2^32"""
        if (
            wide.low is None
            and list(wide.terms.values()) == [1]
            and -HALF <= wide.lo
            and wide.hi < HALF
        ):
            wide.low = next(iter(wide.terms))
        if wide.low is None:
            made = {}
            for lane, c in wide.terms.items():
                for x, d in (lane.made or {lane: 1}).items():
                    made[x] = (made.get(x, 0) + c * d) % (1 << 32)
            made = {x: c for x, c in made.items() if c}
            wide.low = Lane(None, -HALF, HALF - 1, made) if made else 0
        return wide.low

    def upper(self, wide):
        if wide.high is None:
            form = None
            if self.lower(wide) == 0:
                form = {}
                for lane, c in wide.terms.items():
                    if c % Q:
                        form = combine(form, lane.form, c)
                form = combine({}, form, R_INVERSE)
                lo, hi = -(-wide.lo >> 32), wide.hi >> 32
            else:
                lo, hi = wide.lo >> 32, wide.hi >> 32
            wide.high = Lane(form, lo, hi)
        return wide.high

    # --- operations -------------------------------------------------------------------------------
    def ends(self, value):
        return (signed(value, 32),) * 2 if type(value) is int else (value.lo, value.hi)

    def sum(self, a, b, sign):
        """a + sign b of 32 bits"""
        (a0, a1), (b0, b1) = self.ends(a), self.ends(b)
        lo, hi = (a0 + b0, a1 + b1) if sign > 0 else (a0 - b1, a1 - b0)
        if lo < -HALF or hi >= HALF:
            raise Refused("a lane of 32 bits may overflow")
        self.largest = max(self.largest, -lo, hi)
        forms = [{} if v == 0 else None if type(v) is int else v.form for v in (a, b)]
        return Lane(combine(forms[0], forms[1], sign), lo, hi)

    def lane(self, name, a, b, size):
        if name in ("add", "sub") and size == 4:
            return self.sum(a, b, 1 if name == "add" else -1)
        if name == "muldq":
            return self.product(self.first(a), self.first(b))
        if name in ("add", "sub") and size == 8:
            return self.wide_sum(a, b, 1 if name == "add" else -1)
        raise Refused(f"{name} of lanes of {8 * size} bits")

    def first(self, value):
        """The lower 32 bits of a lane of 64"""
        if type(value) is int:
            return signed(value & 0xFFFF_FFFF, 32)
        low = self.half(value, 0)
        return signed(low, 32) if type(low) is int else low

    def product(self, a, b):
        if type(a) is int:
            a, b = b, a
        if type(a) is int:
            return a * b & (1 << 64) - 1
        if type(b) is not int:
            return self.pair(a, b)
        if b == 0:
            return 0
        ends = sorted((a.lo * b, a.hi * b))
        return Wide({a: b}, *ends)

    def pair(self, a, b):
        """The product of two inputs: treated as a new input, so that sums of products are linear"""
        if not a.form or not b.form or len(a.form) > 1 or len(b.form) > 1:
            raise Refused("product of two lanes that are not inputs")
        (x, c), (y, d) = *a.form.items(), *b.form.items()
        ends = [e * f for e in (a.lo, a.hi) for f in (b.lo, b.hi)]
        if c != 1 or d != 1:
            raise Refused("product of two lanes that are not inputs")
        return Wide({Lane({(x, y): 1}, min(ends), max(ends)): 1}, min(ends), max(ends))

    def wide_sum(self, a, b, sign):
        if type(b) is int and b == 0:
            return a
        if type(a) is int and a == 0 and sign > 0:
            return b
        if not isinstance(a, Wide) or not isinstance(b, Wide):
            raise Refused("sum of 64-bit lanes that are not products")
        terms = dict(a.terms)
        for lane, c in b.terms.items():
            terms[lane] = terms.get(lane, 0) + sign * c
            if not terms[lane]:
                del terms[lane]
        return Wide(
            terms, *((a.lo + b.lo, a.hi + b.hi) if sign > 0 else (a.lo - b.hi, a.hi - b.lo))
        )

    # --- the same in general registers ------------------------------------------------------------
    def add(self, a, b, carry, size):
        return self._without_flags("add", a, b, carry, size)

    def subtract(self, a, b, borrow, size):
        return self._without_flags("sub", a, b, borrow, size)

    def _without_flags(self, name, a, b, carry, size):
        if type(carry) is not int or carry:
            raise Refused("a carry into a lane")
        return self.lane(name, a, b, size), None

    def extend(self, value, old, size):
        if (old, size) != (4, 8) or not isinstance(value, Lane) or value.size != 4:
            raise Refused("sign of something that is not a lane")
        return Wide({value: 1}, value.lo, value.hi)

    def product_low(self, a, b, size):
        if type(a) is int:
            a, b = b, a
        if size == 4:
            product = self.product(a, signed(b, 32)) if type(b) is int else None
            if not isinstance(product, Wide):
                raise Refused("product of 32 bits")
            return self.lower(product)
        if type(b) is int:
            return self.scaled(a, signed(b, 64))
        return self.product(self.first(self.narrow(a)), self.first(self.narrow(b)))

    def narrow(self, value):
        """The value, if it is a lane of 32 bits that was extended to 64"""
        if (
            not isinstance(value, Wide)
            or not isinstance(self.lower(value), Lane)
            or self.lower(value).made
        ):
            raise Refused("product of 64-bit lanes")
        if list(value.terms) != [self.lower(value)]:
            raise Refused("product of 64-bit lanes")
        return value

    def scaled(self, value, k):
        if not isinstance(value, Wide):
            raise Refused("product of something that is not a lane")
        return Wide(
            {lane: c * k for lane, c in value.terms.items()}, *sorted((value.lo * k, value.hi * k))
        )

    def shift(self, kind, value, count, size):
        if isinstance(value, Wide) and kind == "shl":
            return self.scaled(value, 1 << count)
        if isinstance(value, Wide) and kind == "sar" and count == 32:
            upper = self.upper(value)
            return Wide({upper: 1}, upper.lo, upper.hi)
        if isinstance(value, Wide) and kind == "shr" and count == 32 and size == 8:
            return Halves(self.upper(value), 0)  # of which only the lower half is used
        raise Refused(f"{kind} of lanes")

    def linear(self, parts, known, size):
        total = known if size == 8 else signed(known & 0xFFFF_FFFF, 32)
        for value, k in parts:
            if size == 8:
                total = self.wide_sum(self.scaled(value, k), total, 1)
            elif k == 1:
                total = self.sum(
                    self.half(value, 0), total & 0xFFFF_FFFF if type(total) is int else total, 1
                )
            else:
                raise Refused("multiple of a lane")
        return total

    def decide(self, value):
        raise Refused("a fork on data")

    def __getattr__(self, name):
        raise Refused(f"{name} of lanes")
