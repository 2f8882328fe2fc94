"""Machine-readable contracts of kernels, and how they are proved or refuted.

A contract lists the arguments in their order: buffers of limbs that are read or written, limbs, and
numbers that are public. `given` restricts the inputs, `ensures` lists claims about the values. The
same text is evaluated twice: on numbers, where a false claim refutes the theorem with an input, and
on polynomials, where all claims together prove it."""

import random

import integers
from integers import B, Number
from machine import Machine, Region
from outcome import Refused, Violation

EDGES = [0, 1, 2, 1 << 32, (1 << 32) - 1, 1 << 63, (1 << 63) - 1, B - 2, B - 1]


class In:
    """Limbs that are read; `below`: a bound of the number they form; `odd`: whether it is odd."""

    writes, reads, passed = False, True, True

    def __init__(self, name, limbs, below=None, odd=False):
        self.name, self.limbs, self.below, self.odd = name, limbs, below, odd


class Out:
    """Limbs that are written, all of them; in the buffer of the input `at` where that is given."""

    writes, reads, passed = True, False, True

    def __init__(self, name, limbs, at=None):
        self.name, self.limbs, self.at = name, limbs, at


class InOut(In):
    """Limbs that are read and written: `name` stands for their old value, `after` for the new
    one."""

    writes = True

    def __init__(self, name, limbs, after, below=None):
        super().__init__(name, limbs, below)
        self.after = after


class Known(In):
    """Limbs that are read, with these known values"""

    def __init__(self, name, numbers):
        super().__init__(name, len(numbers))
        self.numbers = numbers


class Pointers:
    """The addresses of the buffers `to`, `offset` bytes after the start of `at`; not an argument
    itself."""

    passed = False

    def __init__(self, at, offset, to):
        self.at, self.offset, self.to = at, offset, to


class Limb:
    """A limb given by value; `inverse`: it is sign/m mod 2^64 for the input m of that name."""

    def __init__(self, name, inverse=None, sign=-1):
        self.name, self.inverse, self.sign = name, inverse, sign


# --- claims: (kind, ...) of numbers ---------------------------------------------------------------
def equal(a, b):
    return "equal", a, b


def congruent(a, b, modulus):
    return "congruent", a, b, modulus


def below(a, bound):
    return "below", a, bound


def multiple(a, of):
    """a is a multiple of the input of that name"""
    return "multiple", a, of


def holds(claim, values):
    """Whether a claim is true, on numbers."""
    kind, a, *rest = claim
    return {
        "equal": lambda: a == rest[0],
        "congruent": lambda: (a - rest[0]) % rest[1] == 0,
        "below": lambda: 0 <= a < rest[0],
        "multiple": lambda: a % values[rest[0]] == 0,
    }[kind]()


class Theorem:
    """A contract of one symbol for stated lengths and aliases."""

    method = "polynomials over the integers, fresh words"
    align = 8  # of buffers, in bytes
    unit = 8  # bytes of a limb
    garbage = False  # whether the kernel may read its own frame before it writes there

    def __init__(
        self,
        family,
        tier,
        member,
        symbol,
        lengths,
        statement,
        arguments,
        ensures,
        result=None,
        aliases="apart",
        cases=12,
    ):
        self.family, self.tier, self.member, self.symbol = family, tier, member, symbol
        self.lengths, self.statement, self.aliases = lengths, statement, aliases
        self.arguments, self.ensures, self.result, self.cases = arguments, ensures, result, cases

    @property
    def name(self):
        return f"{self.member}:{self.symbol}({self.lengths}; {self.aliases})"

    # --- one run ----------------------------------------------------------------------------------
    def _call(self, image, domain, words, layout):
        """Runs the kernel on these limbs (name -> list of words); returns the machine and the
        address of each buffer."""
        rnd = random.Random(layout)
        m = Machine(image, domain, stack=0x7FF0_0000_0000 + (layout << 24))
        m.garbage = self.garbage
        places, at = {}, (0x10 + layout) << 32
        for a in self.arguments:
            if isinstance(a, (In, Out)) and not getattr(a, "at", None):
                at += 1 << 20
                places[a.name] = at + self._offset(a, rnd)
                cells = [c for w in words[a.name] for c in m.split(w, self.unit)] if a.reads else []
                m.place(Region(a.name, places[a.name], self.unit * a.limbs, a.writes), cells)
        for a in self.arguments:
            if isinstance(a, Pointers):
                cells = [c for name in a.to for c in m.split(places[name], 8)]
                at = places[a.at] + a.offset
                m.place(Region("pointers", at, len(cells), False), cells)
        values = [
            (
                a
                if isinstance(a, int)
                else words[a.name][0] if isinstance(a, Limb) else self._in_place(m, places, a)
            )
            for a in self.arguments
            if getattr(a, "passed", True)
        ]
        entry = image.address(image.main, self.symbol)
        m.call(entry, values[:6], values[6:])
        return m, places

    def _offset(self, a, rnd):
        align = getattr(a, "align", self.align)
        return align * rnd.randrange(4096 // align)

    def _in_place(self, m, places, a):
        """The address of a buffer. An output with `at` lies in the buffer of that input, which it
        makes writable."""
        if getattr(a, "at", None):
            region = next(r for r in m.regions if r.start == places[a.at])
            region.writable, region.end = True, max(
                region.end, region.start + self.unit * a.limbs
            )
            places[a.name] = region.start
        return places[a.name]

    def _results(self, m, places):
        """The words of outputs: name -> list"""
        found, unit = {}, self.unit
        for a in self.arguments:
            if isinstance(a, (Out, InOut)):
                name = a.name if isinstance(a, Out) else a.after
                at = places[a.name]
                found[name] = [m.join(m.load(at + unit * k, unit)) for k in range(a.limbs)]
        if self.result:
            found[self.result] = [m.wide("rax")]
        return found

    # --- on numbers -------------------------------------------------------------------------------
    def _sample(self, rnd):
        words = {}
        for a in self.arguments:
            if isinstance(a, Known):
                words[a.name] = list(a.numbers)
            elif isinstance(a, In):
                limbs = [
                    rnd.choice(EDGES) if rnd.random() < 0.5 else rnd.getrandbits(64)
                    for _ in range(a.limbs)
                ]
                if rnd.random() < 0.15:
                    limbs = [B - 1] * a.limbs
                if a.odd:
                    limbs[0] |= 1
                if a.below:
                    value = sum(v << 64 * k for k, v in enumerate(limbs))
                    value = a.below - 1 - value % 5 if rnd.random() < 0.3 else value % a.below
                    limbs = [value >> 64 * k & B - 1 for k in range(a.limbs)]
                words[a.name] = limbs
            elif isinstance(a, Limb):
                words[a.name] = [
                    (
                        pow(words[a.inverse][0], -1, B) * a.sign % B
                        if a.inverse
                        else rnd.choice(EDGES + [rnd.getrandbits(64)])
                    )
                ]
        return words

    def refute(self, image, seed=1, cases=None):
        """Text of an input on which the contract is broken, or None; Refused where it cannot be
        run."""
        rnd = random.Random(seed)
        for _ in range(cases or self.cases):
            words = self._sample(rnd)
            try:
                m, places = self._call(image, Concrete(), words, layout=2 + rnd.randrange(8))
                results = self._results(m, places)
            except Violation as e:
                return f"{e}; input {_shown(words)}"
            values = {
                k: sum(v << 64 * n for n, v in enumerate(w))
                for k, w in {**words, **results}.items()
            }
            for n, claim in enumerate(self.ensures(_Names(values))):
                if not holds(claim, values):
                    return f"claim {n + 1} is false; input {_shown(words)}"
        return None

    # --- on polynomials ---------------------------------------------------------------------------
    def prove(self, image):
        """Returns the machine of the last path; raises Refused or Violation without a proof."""
        last = []

        def path(domain):
            words = self._symbols(domain)
            m, places = self._call(image, domain, words, layout=1)
            results = self._results(m, places)
            values = {}
            for name, limbs in {**words, **results}.items():
                total = {}
                for k, w in enumerate(limbs):
                    total = integers.poly_add(total, domain.poly(w), B**k)
                values[name] = Number(total)
            for kind, a, *rest in self.ensures(_Names(values)):
                if kind == "multiple":
                    integers.check_multiple(domain, a, words[rest[0]])
                else:
                    {
                        "equal": integers.check_equal,
                        "congruent": integers.check_congruent,
                        "below": integers.check_below,
                    }[kind](domain, a, *rest)
            last[:] = [m]

        self.paths = integers.each_path(path)
        return last[0]

    def _symbols(self, domain):
        words = {}
        for a in self.arguments:
            if isinstance(a, In):
                words[a.name] = [domain.input() for _ in range(a.limbs)]
                if a.below:
                    domain.whole(words[a.name], a.below)
                if a.odd:
                    domain.grouped |= {next(iter(w.poly))[0] for w in words[a.name]}
            elif isinstance(a, Limb):
                words[a.name] = [domain.input()]
                if a.inverse:
                    domain.pairs.append(
                        (
                            next(iter(words[a.name][0].poly))[0],
                            next(iter(words[a.inverse][0].poly))[0],
                            a.sign,
                        )
                    )
        return words


class _Names:
    def __init__(self, values):
        self.__dict__.update(values)


class Concrete:
    """The domain without unknowns: everything is a number, so only garbage() is called."""

    lane_size = 8

    def garbage(self):
        return random.randrange(256)

    def __getattr__(self, name):
        raise Refused(f"{name} of something undefined")


def _shown(words):
    return ", ".join(
        f"{k} = {sum(v << 64 * n for n, v in enumerate(w)):#x}" for k, w in words.items()
    )
