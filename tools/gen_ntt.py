#!/usr/bin/env python3
"""Roots of unity of the three primes on the card of src/mod/ntt.h, and what puts residues together again.

    tools/gen_ntt.py            writes src/mod/ntt_primes.inc
    tools/gen_ntt.py --check    exits 1 if that file is not what would be written
"""
import pathlib
import sys

PRIMES = [222796 * 2**32 + 1, 222793 * 2**32 + 1, 222792 * 2**32 + 1]
ROOTS = 30                       # of orders 4 to 2^31: transforms of up to 2^31 points
FILE = pathlib.Path(__file__).resolve().parent.parent / "src/mod/ntt_primes.inc"


def roots(p):
    """Of orders 2^2, 2^3, .. each the square of the next; from the least x that is no square."""
    x = next(x for x in range(2, 100) if pow(x, (p - 1) // 2, p) == p - 1)
    return [pow(x, (p - 1) >> (k + 2), p) for k in range(ROOTS)]


def rows(numbers):
    return "".join("        " + ", ".join(str(n) for n in numbers[i:i + 6]) + ",\n" for i in range(0, len(numbers), 6))


def text():
    a, b, c = PRIMES
    out = "/* Made by tools/gen_ntt.py; ty_ntt_prime and the others are declared in ntt.h. */\n"
    out += "const ty_ntt_prime ty_ntt_primes[3] = {\n"
    for p in PRIMES:
        out += f"    {{ {p}, {2**113 // p}u, {2**64 // p}, {{\n{rows(roots(p))}    }} }},\n"
    out += "};\n"
    out += "const ty_ntt_garner ty_ntt_join = {\n"
    out += f"    {pow(a, -1, b)}, {pow(a * b, -1, c)}, {-pow(b, -1, c) % c}, {a * b % 2**64}u, {a * b >> 64}\n}};\n"
    return out


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(FILE.read_text() != text() and f"{FILE.name} is not what {sys.argv[0]} would write")
    FILE.write_text(text())
