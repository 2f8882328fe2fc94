"""Contracts of ty_f2_128_ops (src/mod/f2_128.h). An element read as an integer, big-endian for
GHASH, is a polynomial A(z). The product C of A and B satisfies C z^127 == A B mod P, or with the
primed B, which is B z, C z^128 == A (B z)."""

from contract import In, InOut, Out, Pointers
from polynomials import Over2, congruent, remainder

USES = ["bits", "polynomials"]
P = 1 << 128 | 1 << 127 | 1 << 126 | 1 << 121 | 1
M = 1 << 128 | 0x87
WORD = (1 << 64) - 1
PLACES = {
    "c": "f2_128.c.o",
    "c64": "f2_128_c64.c.o",
    "aesni": "f2_128_aesni.c.o",
    "vaes": "f2_128_vaes.c.o",
    "gfni512": "f2_128_gfni512.c.o",
}
# how each tier computes power k: as the product of powers i and j
CHAINS = {
    "aesni": {k: (k - 1, 1) for k in range(2, 9)},
    "vaes": {k: (k - 1, 1) for k in range(2, 9)},
    "gfni512": {k: (k // 2, k // 2) if k in (2, 4) else (k - 1, 1) if k < 5 else (k - 4, 4)
                for k in range(2, 9)},
}


def block(n):
    """The n-th of some blocks, as a little-endian integer"""
    return lambda c: c >> 128 * n & (1 << 128) - 1


def big_endian(c):
    return int.from_bytes(c.to_bytes(16, "little"), "big")


def little_endian(c):
    return c


def power_of(tier, table, k):
    """h^k as the tier stores it"""
    if tier == "c":  # the upper word first, not primed
        return table.map(lambda c: (c & WORD) << 64 | c >> 64 & WORD)
    return table.map(block(k - 1 if tier in ("c64", "aesni") else 8 - k))


def theorems():
    for tier, member in PLACES.items():
        yield from of_tier(tier, member)


class Ghash(Over2):
    align = 8


def anywhere(argument):
    argument.align = 1
    return argument


def of_tier(tier, member):
    def theorem(kernel, lengths, text, arguments, ensures, aliases="apart"):
        symbol = f"ty_f2_128_{kernel}_{tier}"
        return Ghash(
            "ghash", tier, member, symbol, lengths, text, arguments, ensures, aliases=aliases
        )

    h, table = anywhere(In("h", 2)), Out("power", 16)
    z = lambda a, n: a.map(lambda c: c << n)
    if tier in ("c", "c64"):
        yield theorem(
            "powers",
            "n = 1",
            "power_0 = h, primed (c: not primed)",
            [table, h],
            lambda v: [
                congruent(
                    power_of(tier, v.power, 1), z(v.h.map(big_endian), int(tier == "c64")), P
                )
            ],
        )
    else:
        yield theorem(
            "powers",
            "n = 8",
            "h^1 to h^8, primed: h_k z^128 == h_i h_j mod P, k = i + j",
            [table, h],
            lambda v: [congruent(power_of(tier, v.power, 1), z(v.h.map(big_endian), 1), P)]
            + [
                congruent(
                    z(power_of(tier, v.power, k), 128),
                    power_of(tier, v.power, i) * power_of(tier, v.power, j),
                    P,
                )
                for k, (i, j) in CHAINS[tier].items()
            ],
        )
    weight = 127 if tier == "c" else 128
    for kernel, read in (("horner", big_endian), ("polyval", little_endian)):
        for n in range(1, 9) if tier not in ("c", "c64") else (1,):

            def claims(v, n=n, read=read):
                total = v.y.map(read) * power_of(tier, v.power, n)
                for k in range(n):
                    one = v.x.map(lambda c: read(block(k)(c)))
                    total = total + one * power_of(tier, v.power, n - k)
                return [congruent(z(v.z.map(read), weight), total, P)]

            yield theorem(
                kernel,
                f"n = {n}",
                f"z z^{weight} == y h^n + x_0 h^n + ... + x_(n-1) h mod P"
                + (", bytes in the opposite order" if kernel == "polyval" else ""),
                [anywhere(InOut("y", 2, "z")), anywhere(In("x", 2 * n)), n, In("power", 16)],
                claims,
                "in place",
            )
    if tier == "gfni512":
        yield from of_sixteen(theorem)
    if tier == "c64":
        return  # it uses the ladder of c
    for reflected in (0, 1):
        for n in (1, 2, 7, 8, 9, 17):

            def steps(v, n=n, reflected=reflected):
                if reflected:
                    t = v.t.map(big_endian)
                    found = [z(v.m.map(lambda c: big_endian(block(k)(c))), k) for k in range(n)]
                    return [congruent(a, t, P) for a in found] + [
                        congruent(z(v.after.map(big_endian), n), t, P)
                    ]
                found = [v.m.map(block(k)) for k in range(n)] + [v.after]
                return [congruent(a, z(v.t, k), M) for k, a in enumerate(found)]

            yield theorem(
                "ladder",
                f"n = {n}",
                "m_k = t x^k, t = t x^n, " + ("reflected" if reflected else "number"),
                [anywhere(Out("m", 2 * n)), n, anywhere(InOut("t", 2, "after")), reflected],
                steps,
                "reflected" if reflected else "number",
            )


def of_sixteen(theorem):
    """Sixteen messages, each with its powers of h"""
    for n in (1, 3, 8):

        def claims(v, n=n):
            found = []
            for i in range(16):
                power = getattr(v, f"power{i}")
                of = lambda k: power_of("gfni512", power, k)
                total = v.y.map(lambda c: big_endian(block(i)(c))) * of(n)
                for k in range(n):
                    one = getattr(v, f"x{i}").map(lambda c: big_endian(block(k)(c)))
                    total = total + one * of(n - k)
                z = v.z.map(lambda c: big_endian(block(i)(c)) << 128)
                found.append(congruent(z, total, P))
            return found

        rows, powers = [f"x{i}" for i in range(16)], [f"power{i}" for i in range(16)]
        yield theorem(
            "horner16",
            f"n = {n}",
            "z_i z^128 == y_i h_i^n + x_i0 h_i^n + ... + x_i(n-1) h_i mod P, i below 16",
            [
                anywhere(InOut("y", 32, "z")), In("in", 0), Pointers("in", 0, rows), n,
                In("power", 0), Pointers("power", 0, powers),
                *(hidden(anywhere(In(name, 2 * n))) for name in rows),
                *(hidden(In(name, 16)) for name in powers),
            ],
            claims,
            "in place",
        )


def hidden(argument):
    argument.passed = False
    return argument
