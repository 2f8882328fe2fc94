"""Contracts of SM2's field (src/mod/p_sm2.h): in Montgomery form, R = 2^256, canonical. Repeated
squaring is a function; the other operations are asm statements that the compiler inlines, each copy
of which has a record (records.py)."""

from contract import In, Out, Theorem, below, congruent, equal
from records import At, Mask, Statement, Words

P = 2**256 - 2**224 - 2**96 + 2**64 - 1
R = 2**256
USES = ["records", "exact", "rows_carry"]
SUM = "a0 a1 a2 a3"
WIDE = SUM + " a4 a5 a6 a7"


def theorems():
    for aliases, at in (("apart", None), ("z = x", "x")):
        yield Theorem(
            "p_sm2",
            "adx",
            "ec_sm2_adx.c.o",
            "ty_ec_sm2_p_sqr_n_adx",
            "n = 1",
            "z R == x^2 mod p, z < p, for every x < p",
            [Out("z", 4, at), In("x", 4, below=P), 1],
            lambda v: [congruent(v.z * R, v.x * v.x, P), below(v.z, P)],
            aliases=aliases,
        )
    yield from products("adx")
    yield from sums("adx")
    for theorem in products("gfni512"):  # which has only these two
        if theorem.symbol in ("p_sm2_mul", "p_sm2_reduce"):
            yield theorem


def statement(tier, name, text, operands, inputs, outputs, ensures, changed, clobbers=""):
    return Statement(tier, f"ec_sm2_{tier}.c.o", f"p_sm2_{name}", text, operands, inputs,
                     {"z": outputs}, ensures, changed, clobbers, f"ty_ec_sm2_checks_vt_{tier}")


def products(tier):
    x, y = At("x", "x", 4, P), At("y", "y", 4, P)
    any_x, any_y = At("x", "x", 4), At("y", "y", 4)

    def product(name, text, inputs, outputs, ensures):
        more = "a4 a5 a6 a7 " if outputs == SUM else ""
        return statement(tier, name, text, WIDE + " x y w lo hi", inputs, outputs, ensures,
                         more + "x y lo hi", "rdx")

    yield product("mul", "z R == x y mod p, z < p, for every x and every y < p", [any_x, y], SUM,
                  lambda v: [congruent(v.z * R, v.x * v.y, P), below(v.z, P)])
    yield product("sqr", "z R == x^2 mod p, z < p, for every x < p", [x], SUM,
                  lambda v: [congruent(v.z * R, v.x * v.x, P), below(v.z, P)])
    yield product("mul_wide", "z = x y", [any_x, any_y], WIDE,
                  lambda v: [equal(v.z, v.x * v.y)])
    yield product("sqr_wide", "z = x^2", [any_x], WIDE, lambda v: [equal(v.z, v.x * v.x)])
    yield product("mul_less", "z R == x y - w mod p, z < p, for every x, y < p and w < p R",
                  [x, y, At("w", "w", 8, P * R)], SUM,
                  lambda v: [congruent(v.z * R, v.x * v.y - v.w, P), below(v.z, P)])
    yield product("reduce", "z R == x mod p, z < p, for every x < p R", [At("x", "x", 8, P * R)],
                  SUM, lambda v: [congruent(v.z * R, v.x, P), below(v.z, P)])


def sums(tier):
    x, y = Words("x", *SUM.split(), below=P), Words("y", "y0", "y1", "y2", "y3", below=P)
    yield statement(tier, "add", "z == x + y mod p, z < p, for every x, y < p",
                    SUM + " y0 y1 y2 y3 s0 s1 s2 s3 c", [x, y], SUM,
                    lambda v: [congruent(v.z, v.x + v.y, P), below(v.z, P)], "s0 s1 s2 s3 c")
    yield statement(tier, "sub", "z == x - y mod p, z < p, for every x, y < p",
                    SUM + " y0 y1 y2 y3 m t", [x, y], SUM,
                    lambda v: [congruent(v.z, v.x - v.y, P), below(v.z, P)], "m t")
    half = Words("x", *SUM.split(), below=P, split=True)
    yield statement(tier, "half", "2 z == x mod p, z < p, for every x < p", SUM + " m t", [half],
                    SUM, lambda v: [congruent(v.z * 2, v.x, P), below(v.z, P)], "m t")
    old, new = Words("y", *SUM.split()), Words("x", "x0", "x1", "x2", "x3")
    yield statement(tier, "sel", "z = x where the mask is all ones, y where it is 0",
                    SUM + " x0 x1 x2 x3 m", [old, new, Mask("m", "m")], SUM,
                    lambda v: [equal(v.z, v.y + v.m * (v.x - v.y))], "")
