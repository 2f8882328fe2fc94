"""Cards: cards/*.card, the parameters of a modulus, a field or a list of curves, each in one place.

A line is a keyword and its arguments; # begins a comment, and a line that begins with a space
continues the one before.

    modulus     p = 2^256 - 2^224 - 2^96 + 2^64 - 1     a name for a number, or a polynomial in x
    number      b = 0x28e9...                           the same, for a number that is no modulus
    uses        p_sm2 n_sm2                             the numbers and moduli of these cards too
    identity    2^256 == 2^224 + 2^96 - 2^64 + 1 (mod p)    the congruence that the reduction uses
    montgomery  -1 * p == 1 (mod 2^64)                  what Montgomery reduction requires
    check       p == 3 (mod 4)                          any other statement
    prime       p                                       Miller-Rabin test, 40 bases
    irreducible m                                       Rabin's test
    writes      src/mod/p_sm2_const.h                   the header that gets this card's constants
    prefix      TY_P_SM2                                of their names
    constant    Q_INV  q^-1 (mod 2^32)   # a note       #define TY_P_SM2_Q_INV, for the C code
    words       R2     2^512 (mod p)                    the same for 256 bits, as words of 64 bits
    bytes       N      n                                the same as bytes, most significant first
    curve       ...                                     see generate/binary_curves.py

Every statement with == is computed. A card without a statement, a test or a curve, a false
statement, or a line that cannot be read is refused, with file and line. The name of a constant
stands for its value in the lines after it.
"""
import functools
import pathlib
import re

from .formula import (Bad, Integers, Polynomials, evaluate, has_x, is_irreducible, is_prime,
                      parse)

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "cards"
NAMES = ("modulus", "number")
STATEMENTS = ("identity", "montgomery", "check")
TESTS = ("prime", "irreducible")
CONSTANTS = ("constant", "words", "bytes")


@functools.cache
def load(name):
    """The card of that name in cards/."""
    return Card(name)


def all_cards():
    return [load(path.stem) for path in sorted(FOLDER.glob("*.card"))]


class Card:
    """The contents of a card. `names` are all names and their formulas, `given` those of numbers
    and moduli, `constants` (keyword, name, value, whether it is a polynomial, formula, comment),
    `curves` (file and line, the words of an entry), `checked` how many statements were found
    true."""

    def __init__(self, name, folder=FOLDER):
        self.name, self.folder, self.path = name, folder, folder / f"{name}.card"
        self.label = f"{folder.name}/{name}.card"
        self.names, self.given, self.prefix, self.writes = {}, {}, "TY", None
        self.constants, self.curves, self.checked = [], [], 0
        for number, keyword, rest, note in self._lines():
            self.at = number
            try:
                self._read(keyword, rest, note)
            except Bad as e:
                raise Bad(f"{self.label}:{number}: {keyword}: {e}") from None
        if self.constants and not self.writes:
            raise Bad(f"{self.label}:1: constants, and no header to write them into: writes FILE")
        if not self.checked and not self.curves:
            raise Bad(f"{self.label}:1: nothing on this card was checked")

    def _other(self, name):
        return load(name) if self.folder == FOLDER else Card(name, self.folder)

    def value(self, text, modulus=None):
        """A formula's value, in the ring modulo another formula if that is given."""
        tree = parse(text)
        return evaluate(tree, self._ring(modulus, [tree]), self.names)

    def _lines(self):
        """(line number, keyword, rest, comment), with continued lines joined."""
        entries = []
        for number, line in enumerate(self.path.read_text(encoding="utf-8").split("\n"), 1):
            line, _, note = line.partition("#")
            if not line.strip():
                continue
            if line[0] == " " and entries:
                entries[-1][2] += " " + line.strip()
            else:
                keyword, _, rest = line.strip().partition(" ")
                entries.append([number, keyword, rest.strip(), note.strip()])
        return entries

    def _ring(self, modulus, trees):
        if modulus is None:
            return Polynomials() if any(has_x(t, self.names) for t in trees) else Integers()
        tree = parse(modulus)
        kind = Polynomials if has_x(tree, self.names) else Integers
        return kind(evaluate(tree, kind(), self.names))

    def _define(self, name, tree):
        if name in self.names or name == "x" or not re.fullmatch(r"[A-Za-z]\w*", name):
            raise Bad(f"'{name}' is defined already or is not a name")
        self.names[name] = tree

    def _read(self, keyword, rest, note):
        modulus = None
        if m := re.search(r"\(mod ([^=,]+)\)$", rest):
            modulus, rest = m[1], rest[:m.start()].strip()
        if keyword in NAMES:
            name, equals, formula = rest.partition("=")
            if not equals:
                raise Bad(f"'{rest}' names nothing: NAME = FORMULA")
            self._define(name.strip(), parse(formula))
            self.given[name.strip()] = self.names[name.strip()]
        elif keyword in STATEMENTS:
            for statement in rest.split(","):
                self._check(statement, modulus)
        elif keyword in TESTS:
            self._test(keyword, rest)
        elif keyword in CONSTANTS:
            self._constant(keyword, rest, modulus, note)
        elif keyword == "uses":
            for name in rest.split():
                for key, tree in self._other(name).given.items():
                    self._define(key, tree)
        elif keyword in ("prefix", "writes"):
            setattr(self, keyword, rest)
        elif keyword == "curve":
            self.curves.append((f"{self.label}:{self.at}", rest.split()))
        else:
            raise Bad("no such keyword")

    def _check(self, statement, modulus):
        trees = [parse(side) for side in statement.split("==")]
        if len(trees) < 2:
            raise Bad(f"'{statement.strip()}' is not a statement: A == B")
        ring = self._ring(modulus, trees)
        values = [evaluate(t, ring, self.names) for t in trees]
        if any(v != values[0] for v in values):
            where = f" (mod {modulus})" if modulus else ""
            raise Bad(f"{statement.strip()}{where} is false: "
                      + " against ".join(f"{v:#x}" for v in values))
        self.checked += 1

    def _test(self, keyword, names):
        for name in re.split(r"[,\s]+", names):
            ring, holds = ((Integers(), is_prime) if keyword == "prime" else
                           (Polynomials(), is_irreducible))
            if not holds(evaluate(parse(name), ring, self.names)):
                raise Bad(f"{name} is not {keyword}")
            self.checked += 1

    def _constant(self, keyword, rest, modulus, note):
        name, _, formula = rest.partition(" ")
        tree = parse(formula)
        ring = self._ring(modulus, [tree])
        value = evaluate(tree, ring, self.names)
        if keyword != "constant" and not 0 <= value < 1 << 256:
            raise Bad(f"{name} does not fit 256 bits")
        size = ("num", f"{abs(value):#x}")
        self._define(name, size if value >= 0 else ("neg", size))
        formula = " ".join(formula.split()) + (f" mod {modulus}" if modulus else "")
        self.constants.append((keyword, name, value, isinstance(ring, Polynomials), formula, note))
