"""Contracts of ty_sm3_ops (src/sm3/sm3.h): the compression function of GB/T 32905, 5.3."""

from contract import In, Pointers
from words import InOut, Steps

USES = ["bits", "words"]
ROWS = 16  # TY_SM3_LANES


def expanded(o, block):
    """W_0 to W_67"""
    w = list(block)
    for j in range(16, 68):
        x = o.xor(w[j - 16], w[j - 9], o.rotated(w[j - 3], 15))
        p1 = o.xor(x, o.rotated(x, 15), o.rotated(x, 23))
        w.append(o.xor(p1, o.rotated(w[j - 13], 7), w[j - 6]))
    return w


def majority(o, x, y, z):
    return o.xor(o.both(x, y), o.both(x, z), o.both(y, z))


def choice(o, x, y, z):
    return o.xor(o.both(x, y), o.both(o.complement(x), z))


def compressed(o, v, block):
    """CF(v, block)"""
    w = expanded(o, block)
    a, b, c, d, e, f, g, h = v
    for j in range(64):
        first = j < 16
        t = 0x79CC4519 if first else 0x7A879D8A
        t = (t << j % 32 | t >> 32 - j % 32) & 0xFFFF_FFFF if j % 32 else t
        a12 = o.rotated(a, 12)
        ss1 = o.rotated(o.plus(a12, e, t), 7)
        ss2 = o.xor(ss1, a12)
        ff = o.xor(a, b, c) if first else majority(o, a, b, c)
        gg = o.xor(e, f, g) if first else choice(o, e, f, g)
        tt1 = o.plus(ff, d, ss2, o.xor(w[j], w[j + 4]))
        tt2 = o.plus(gg, h, ss1, w[j])
        d, c, b, a = c, o.rotated(b, 9), a, tt1
        h, g, f = g, o.rotated(f, 19), e
        e = o.xor(tt2, o.rotated(tt2, 9), o.rotated(tt2, 17))
    return [o.xor(x, y) for x, y in zip(v, (a, b, c, d, e, f, g, h))]


def chained(o, v, words):
    """The compression function, iterated over blocks of big-endian words"""
    for k in range(0, len(words), 16):
        v = compressed(o, v, [o.reversed_bytes(w) for w in words[k : k + 16]])
    return v


def theorems():
    for tier, member in (("c", "sm3.c.o"), ("avx2", "sm3_rounds_x86.S.o")):
        for n in (1, 2):
            yield Steps(
                "sm3",
                tier,
                member,
                f"ty_sm3_blocks_{tier}",
                f"n = {n}",
                "h = CF(... CF(h, block 0) ...) (GB/T 32905, 5.3)",
                [InOut("h", 8, "z"), unaligned(In("x", 16 * n)), n],
                spec=lambda o, v: {"z": chained(o, v["h"], v["x"])},
                unit=4,
                aliases="in place",
            )
    for tier, lanes in (("aesni", 4), ("avx2", 8), ("avx512", 16)):
        yield from many(tier, lanes)


def unaligned(argument):
    argument.align = 1
    return argument


def hidden(argument):
    argument.passed = False
    return unaligned(argument)


def lane(words, i, row=0):
    """Eight words of lane i from row `row` on"""
    return [words[ROWS * (row + k) + i] for k in range(8)]


def rows(found, lanes):
    """[lane][k] -> eight rows; lanes that are not used may have any value"""
    return [found[i][k] if i < lanes else None for k in range(8) for i in range(ROWS)]


def many(tier, lanes):
    member = f"sm3_{tier}.c.o"
    messages = [f"x{i}" for i in range(lanes)]

    def step(o, v):
        return {"z": rows([chained(o, lane(v["h"], i), v[f"x{i}"]) for i in range(lanes)], lanes)}

    yield Steps(
        "sm3",
        tier,
        member,
        f"ty_sm3_step_{tier}",
        "n = 1",
        f"a block of each of {lanes} messages",
        [
            InOut("h", 8 * ROWS, "z"),
            1,
            Pointers("h", 32 * ROWS, messages + messages[:1] * (ROWS - lanes)),
            *(hidden(In(name, 16)) for name in messages),
        ],
        spec=step,
        unit=4,
        aliases="in place",
    )
