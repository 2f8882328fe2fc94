"""Cards with one error each must be refused, and correct ones must pass."""
import pathlib
import sys
import tempfile

from . import binary_curves, binary_field
from .card import Card
from .formula import Bad

Q = "modulus  q = 2^23 - 2^13 + 1   # [FIPS204]"
M = "modulus  m = x^128 + x^7 + x^2 + x + 1"

TRUE = [   # lines of a card, the number of its statements
    ((Q, "identity  2^23 == 2^13 - 1 (mod q)", "prime  q", "number  R = 2^32",
      "montgomery  q^-1 == 58728449, q * 58728449 == 1 (mod R)"), 4),
    ((M, "identity  x^128 == x^7 + x^2 + x + 1 (mod m)", "irreducible  m",
      "check  x^(2^128) == x (mod m)", "check  x^-1 == x^127 + x^6 + x + 1 (mod m)",
      "check  m - x^128 == 0x87, (x^3 + x) / x == x^2 + 1"), 6),
    (("modulus  p = 7", "identity  -1/2 == 3 (mod p)", "check  2^3 == 0x_8 == 16/2",
      "check  -2^2 == 3 (mod p)"), 3),
    ((Q, "writes  a.h", "constant  INV  q^-1 (mod 2^32)", "check  INV * q == 1", " (mod 2^32)"), 1),
]
FALSE = [
    ((Q, "identity  2^23 == 2^13 + 1 (mod q)"), "is false"),
    ((Q, "identity  2^23 == 2^13 - 1"), "is false"),
    ((M, "identity  x^128 == x^7 + x^2 + x (mod m)"), "is false"),
    ((M, "identity  2^128 == 1 (mod m)"), "is not a polynomial"),
    ((Q,), "nothing on this card was checked"),
    ((Q, "identity  2^23 == 2^13 - (mod q)"), "cannot read"),
    ((Q, "identity  2^23 == 2^13 - y (mod q)"), "is not defined"),
    ((Q, "montgomery  q^-1 == 58728448 (mod 2^32)"), "is false"),
    ((Q, "check  2^-1 == 1 (mod 2^32)"), "has no inverse"),
    (("modulus  q = 2^23 - 2^13 + 3", "prime  q"), "is not prime"),
    (("modulus  m = x^4 + x^2 + 1", "irreducible  m"), "is not irreducible"),
    (("modulus  m = x^4 + x^3 + x^2 + x", "irreducible  m"), "is not irreducible"),
    (("modulus  m = x^2 + 1", "check  (x^2 + 1) / x == x"), "is not a polynomial"),
    ((Q, "identity  q == q", "number  q = 3"), "is defined already"),
    ((Q, "identity  1 == 1, 1 == 2"), "is false"),
    ((Q, "identity  2^23 = 2^13 - 1 (mod q)"), "cannot read"),
    ((Q, "identity  q == q", "trick  2 == 3"), "no such keyword"),
    ((Q, "identity  q == q", "number  k"), "names nothing"),
    ((Q, "identity  q == q", "constant  TWO  2"), "no header to write them into"),
    ((Q, "identity  q == q", "writes  a.h", "words  BIG  2^256"), "does not fit 256 bits"),
]


def read(folder, *lines):
    (folder / "one.card").write_text("# A card\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return Card("one", folder)


def card_faults(folder):
    faults = []
    for lines, count in TRUE:
        try:
            if (found := read(folder, *lines).checked) != count:
                faults.append(f"{found} statements of {count}: {lines}")
        except Bad as e:
            faults.append(f"a true card is refused: {e}")
    for lines, reason in FALSE:
        try:
            read(folder, *lines)
            faults.append(f"not refused: {lines}")
        except Bad as e:
            if reason not in str(e) or ".card:" not in str(e):
                faults.append(f"refused as '{e}': {lines}")
    return faults


def curve_faults():
    """A wrong curve is refused, and a hyphen in a curve's name does not get into an identifier."""
    named = binary_field.named_fields()
    c = next(c for c in binary_curves.curves("sec2", named, {})
             if c["name"] == "sect163k1")   # it has every kind of array
    faults = []
    for key, value in (("b", 2), ("n", c["n"] + 2), ("h", 4), ("g", (c["g"][0], c["g"][1] ^ 1))):
        try:
            binary_curves.check({**c, key: value})
            faults.append(f"a curve with another {key} is not refused")
        except Bad:
            pass
    c.update(name="k-163", symbol=binary_curves.symbol_of("k-163"))
    text = "".join(binary_curves.own_text([c]))
    if "k-163" in text.replace('"k-163"', "") or text.count("k_163") < 8:
        faults.append("a hyphen in a curve's name gets into an identifier of C")
    return faults


def run():
    with tempfile.TemporaryDirectory() as folder:
        faults = card_faults(pathlib.Path(folder)) + curve_faults()
    for fault in faults:
        print("gen.py --self-test:", fault, file=sys.stderr)
    if not faults:
        print(f"gen.py --self-test: {len(TRUE)} true cards pass, "
              f"{len(FALSE)} false ones and 4 curves are refused")
    return 1 if faults else 0
