"""Powers of 1753 for the number-theoretic transform of ML-DSA, from cards/q_mldsa.card alone."""
from .card import load

_CARD = load("q_mldsa")
q, root, R = _CARD.value("q"), _CARD.value("root"), _CARD.value("R")


def centred(x, m):
    x %= m
    return x - m if x > m // 2 else x


def reversed_bits(k):
    return int(f"{k:08b}"[::-1], 2)


def mont(x):
    """x R mod q between -q/2 and q/2: the Montgomery product of this and y is x y."""
    return centred(x * R, q)


def low(z):
    """z/q mod R. Its product with b, mod R, is the quotient m of the Montgomery reduction of b z,
    and can be computed before b z is known."""
    return centred(z * pow(q, -1, R), R)


FORWARD = [mont(pow(root, reversed_bits(k), q)) for k in range(256)]
# Group g of the layer with 2^n groups inverts the butterflies of k = 2^n + g: it multiplies a - b
# by 1/zeta[k].
INVERSE = [mont(pow(root, -reversed_bits(k), q)) for k in range(256)]
SCALE = mont(R * pow(256, -1, q))           # the last layer of the inverse also multiplies by R/256
LAST = mont(R * pow(256, -1, q) * pow(root, -reversed_bits(1), q))


def rows(numbers, per_line=8):
    return "".join("    " + ", ".join(f"{n:>11}" for n in numbers[i:i + per_line]) + ",\n"
                   for i in range(0, len(numbers), per_line))


def table(name, numbers, comment):
    return (f"/* {comment} */\nstatic const int32_t {name}[{len(numbers)}] = {{\n"
            f"{rows(numbers)}}};\n")


def portable():
    return (f"#define TY_Q_SCALE {SCALE}   /* R^2/256 */\n#define TY_Q_LAST  ({LAST})   /* R^2/256 "
            "over zeta[1] */\n"
            + table("zeta", FORWARD, "1753^(bits of k reversed) R")
            + table("zeta_inv", INVERSE, "1753^-(bits of k reversed) R"))


def blocks(powers):
    """For each block of 64 coefficients, held as the columns of 8 registers, the powers of the
    layers that pair registers at distance 4, 2, 1: eight lanes for each, first the powers, then
    their products with q^-1."""
    out = []
    for b in range(4):
        for distance, groups in ((4, 1), (2, 2), (1, 4)):
            for h in range(groups):
                z = [powers[32 * groups + groups * (8 * b + lane) + h] for lane in range(8)]
                out += z + [low(x) for x in z]
    return out


def avx2():
    return (table("near", blocks(FORWARD),
                  "layers of distance 4, 2, 1; 112 numbers for each block of 64")
            + table("near_inv", blocks(INVERSE), "the same for the inverse"))


# Which of 32 consecutive coefficients the lanes of the first of two registers hold, in quarters of
# a register, for each distance; the second holds those that are that distance further on. The
# inverse has them in another order at distance 8.
EIGHT, EIGHT_INV = (range(0, 4), range(4, 8), range(16, 20),
                    range(20, 24)), (range(0, 4), range(16, 20), range(4, 8), range(20, 24))
LANES = {8: EIGHT, 4: [range(b, b + 4) for b in (0, 16, 8, 24)],
         2: [(b, b + 1, b + 4, b + 5) for b in (0, 16, 8, 24)],
         1: [range(b, b + 8, 2) for b in (0, 16, 8, 24)]}


def pairs_of_16(powers, lanes):
    """For each two registers and each distance the powers by lanes, and then their products with
    q^-1. One more number at the end, because odd lanes are read from one place further on."""
    out = []
    for first in range(0, 256, 32):
        for distance in (8, 4, 2, 1):
            z = [powers[128 // distance + (first + c) // (2 * distance)]
                 for quarter in lanes[distance] for c in quarter]
            out += z + [low(x) for x in z]
    return out + [0]


def avx512():
    return (table("near", pairs_of_16(FORWARD, LANES),
                  "layers of distance 8, 4, 2, 1, 32 numbers each, for each 32 coefficients")
            + table("near_inv", pairs_of_16(INVERSE, {**LANES, 8: EIGHT_INV}),
                    "the same for the inverse"))


def blocks_of_16(powers):
    """For each block of 16 coefficients, held as the columns of 4 registers, the same for distances
    2, 1 in four lanes."""
    out = []
    for b in range(16):
        for groups, h in ((1, 0), (2, 0), (2, 1)):
            z = [powers[64 * groups + groups * (4 * b + lane) + h] for lane in range(4)]
            out += z + [low(x) for x in z]
    return out


def neon():
    return (table("near", blocks_of_16(FORWARD),
                  "layers of distance 2, 1; 24 numbers for each block of 16")
            + table("near_inv", blocks_of_16(INVERSE), "the same for the inverse"))


def far():
    pairs = [n for z in FORWARD[:64] for n in (z, low(z))]
    inverse = [n for z in INVERSE[:64] for n in (z, low(z))]
    return (table("far", pairs, "zeta[k], zeta[k]/q for k < 64: the layers of distance 128 to 4")
            + table("far_inv", inverse, "the same for the inverse")
            + f"#define SCALE     {SCALE}\n#define SCALE_LOW ({low(SCALE)})\n"
            + f"#define LAST      ({LAST})\n#define LAST_LOW  ({low(LAST)})\n")


def barrett(z):
    """z between -q/2 and q/2, and k = -round(z R/q): q_mldsa_m4.S computes the product of b and z
    as b z + q round(b k/R)."""
    z = centred(z, q)
    return z, -((2 * z * R + q) // (2 * q))


def words(lines):
    return "".join("        .word " + ", ".join(str(n) for n in line[i:i + 6]) + "\n"
                   for line in lines for i in range(0, len(line), 6))


def pairs(powers):
    return [n for z in powers for n in barrett(z)]


def m4():
    """Tables for assembly, in the order in which its three passes read them. The inverse is a
    cyclic transform, whose powers are roots of unity of order 2 len in the layer of distance len,
    and the last layer also multiplies by 1753^-i R/256; these powers are in Montgomery form, with
    one more factor R."""
    up = [pow(root, reversed_bits(k), q) for k in range(256)]
    near = [[up[k] for k in (32 + g, 64 + 2 * g, 128 + 4 * g, 129 + 4 * g, 65 + 2 * g, 130 + 4 * g,
                             131 + 4 * g)] for g in range(32)]
    middle = [[up[k] for k in (4 + b, 8 + 2 * b, 16 + 4 * b, 17 + 4 * b, 9 + 2 * b, 18 + 4 * b,
                               19 + 4 * b)] for b in range(4)]

    def down(length, i):
        return pow(root, -512 // (2 * length) * i, q)

    def column(length, i):   # the powers of coefficient i at distances length, 2 length, 4 length
        return [down(length, i), down(2 * length, i), down(4 * length, i),
                down(4 * length, i + 2 * length),
                down(2 * length, i + length), down(4 * length, i + length),
                down(4 * length, i + 3 * length)]

    def last(i):   # the last layer has the factors: (x, y) <- (f (x + z y), g (x - z y))
        z, ends = column(32, i), []
        for k in (0, 2, 1, 3):
            both = [R * pow(256, -1, q) * pow(root, -(i + 32 * (k + h)), q) for h in (0, 4)]
            power = down(128, i + 32 * k)
            ends += [mont(both[0]), mont(both[0] * power), mont(both[1]), mont(-both[1] * power)]
        return pairs([z[0], z[1], z[4]]) + ends

    return ("/* forward: distances 128, 64; for four blocks 32, 16, 8; for 32 blocks 4, 2, 1 */\n"
            ".macro FORWARD_TABLE\n"
            + words([pairs(up[1:4])] + [pairs(z) for z in middle + near]) + ".endm\n"
            + ("/* inverse: distance 2; for four columns 4, 8, 16; for 32 columns 32, 64, 128 "
               "with the last factors */\n")
            + ".macro INVERSE_TABLE\n"
            + words([pairs([down(2, 1)])] + [pairs(column(4, i)) for i in range(4)] +
                    [last(i) for i in range(32)]) + ".endm\n")


def texts():
    files = {"": portable, "_far": far, "_avx2": avx2, "_avx512": avx512, "_neon": neon, "_m4": m4}
    return {f"src/mod/q_mldsa{tail}.inc": "/* Generated by tools/gen.py from cards/q_mldsa.card. "
            "*/\n" + body()
            for tail, body in files.items()}
