#!/usr/bin/env python3
"""Multiples of the SM2 base point for ty_ec_sm2_ops.mul_base, from the curve's definition alone.

    tools/gen_sm2_table.py            writes src/ec/ec_sm2_base.inc, _mont and _wide
    tools/gen_sm2_table.py --check    exits 1 if those files are not what would be written
"""
import pathlib
import sys

# GB/T 32918.5-2017: sm2p256v1
p = 2**256 - 2**224 - 2**96 + 2**64 - 1
a = p - 3
b = 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93
n = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123
G = (0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
     0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0)

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "src/ec"
TABLES = {   # rows, shift, columns: row t holds 1..columns times 2^(shift t) G; each coordinate times a factor
    "ec_sm2_base.inc": (13, 20, 16, 1),
    "ec_sm2_base_mont.inc": (13, 20, 16, 2**256),
    "ec_sm2_base_wide.inc": (37, 7, 64, 2**256),
}


def add(P, Q):
    """P + Q by the chord-and-tangent rule; None is the point at infinity."""
    if P is None:
        return Q
    if Q is None:
        return P
    (x1, y1), (x2, y2) = P, Q
    if x1 == x2:
        if (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 + a) * pow(2 * y1, -1, p)
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, p)
    x3 = (slope * slope - x1 - x2) % p
    return x3, (slope * (x1 - x3) - y1) % p


def mul(k, P):
    R = None
    while k:
        if k & 1:
            R = add(R, P)
        P = add(P, P)
        k >>= 1
    return R


def words(x, factor):
    """x times the factor, least significant 64 bits first, as W(high, low) in hexadecimal."""
    m = x * factor % p
    return ",".join(f"W({m >> i + 32 & 0xffffffff:08x},{m >> i & 0xffffffff:08x})" for i in range(0, 256, 64))


def text(rows, shift, columns, factor):
    domain = ", in the Montgomery domain;" if factor > 1 else ";"
    lines = ["/* Written by tools/gen_sm2_table.py, which checks it with --check. Row t, column j: "
             f"(j + 1) 2^({shift} t) G,", f" * affine, x then y{domain} W(high, low) is one 64-bit word. */"]
    lines.append("static const affine base_first[BASE_COLS] __attribute__((aligned(64))) =")
    base = G
    for row in range(rows):
        point = None
        if row == 1:
            lines.append("static const affine base_rest[BASE_ROWS - 1][BASE_COLS] "
                         "__attribute__((aligned(64))) = {")
        lines.append("{")
        for _ in range(columns):
            point = add(point, base)
            x, y = point
            assert (y * y - x**3 - a * x - b) % p == 0
            lines.append("{{{%s}},\n {{%s}}}," % (words(x, factor), words(y, factor)))
        lines.append("}," if row else "};")
        base = mul(2**shift, base)
    return "\n".join(lines) + "\n};\n"


def main():
    assert mul(n, G) is None and mul(n - 1, G) == (G[0], p - G[1])
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    wanted = {name: text(*shape) for name, shape in TABLES.items()}
    for name, want in wanted.items():
        out = FOLDER / name
        if not sys.argv[1:]:
            out.write_text(want)
        elif not out.exists() or out.read_text() != want:
            sys.exit(f"{name} is not what tools/gen_sm2_table.py writes")


main()
