"""Contracts of ty_keccak_ops (src/keccak/keccak.h): Keccak-f[1600] of FIPS 202, 3.2 and 3.3."""

from words import InOut, Steps

USES = ["bits", "words"]


def round_constants():
    """FIPS 202, algorithm 5"""

    def bit(t):
        register = [1, 0, 0, 0, 0, 0, 0, 0]
        for _ in range(t % 255):
            register = [0] + register
            for k in (0, 4, 5, 6):
                register[k] ^= register[8]
            register = register[:8]
        return register[0]

    return [sum(bit(j + 7 * i) << (1 << j) - 1 for j in range(7)) for i in range(24)]


def offsets():
    """The offsets of rho: {(x, y): by how much lane (x, y) is rotated}"""
    found, (x, y) = {(0, 0): 0}, (1, 0)
    for t in range(24):
        found[x, y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return found


CONSTANTS, OFFSETS = round_constants(), offsets()


def one_round(o, a, i):
    column = [o.xor(*(a[x + 5 * y] for y in range(5))) for x in range(5)]
    theta = [o.xor(column[(x - 1) % 5], o.rotated(column[(x + 1) % 5], 1)) for x in range(5)]
    b = [None] * 25
    for x in range(5):
        for y in range(5):
            b[y + 5 * ((2 * x + 3 * y) % 5)] = o.rotated(
                o.xor(a[x + 5 * y], theta[x]), OFFSETS[x, y]
            )
    chi = [
        o.xor(
            b[x + 5 * y],
            o.both(o.complement(b[(x + 1) % 5 + 5 * y]), b[(x + 2) % 5 + 5 * y]),
        )
        for y in range(5)
        for x in range(5)
    ]
    return [o.xor(chi[0], CONSTANTS[i]), *chi[1:]]


def permuted(o, a):
    for i in range(24):
        a = one_round(o, a, i)
    return a


def states(o, words, lanes):
    """Word w of state i is words[lanes w + i]"""
    after = [permuted(o, words[i::lanes]) for i in range(lanes)]
    return [after[i][w] for w in range(25) for i in range(lanes)]


ONE, FOUR, EIGHT = ("f1600", 1, False), ("f1600_x4", 4, False), ("f1600_x8", 8, False)
FIVE, NINE = ("f1600_x4_x1", 4, True), ("f1600_x8_x1", 8, True)
TIERS = {  # the other kernels are loops over these
    "c64": (ONE,),
    "avx2": (ONE, FOUR, FIVE, EIGHT, NINE),
    "avx512": (FOUR, FIVE, EIGHT, NINE),
}


def theorems():
    for tier, kernels in TIERS.items():
        for name, lanes, one_more in kernels:
            yield of(tier, name, lanes, one_more)


def of(tier, name, lanes, one_more):
    def spec(o, v):
        found = {"b": states(o, v["a"], lanes)}
        if one_more:
            found["t"] = states(o, v["s"], 1)
        return found

    arguments = [InOut("a", 25 * lanes, "b")] + ([InOut("s", 25, "t")] if one_more else [])
    return Steps(
        "keccak",
        tier,
        f"keccak_{tier}.c.o",
        f"ty_keccak_{name}_{tier}",
        f"{lanes} states" + (" and one" if one_more else "") if lanes > 1 else "1 state",
        "Keccak-f[1600] of each state (FIPS 202)",
        arguments,
        spec=spec,
        aliases="in place",
    )
