"""Contracts of SM2's field (src/mod/p_sm2.h): squares in Montgomery form, R = 2^256, canonical."""

from contract import In, Out, Theorem, below, congruent

P = 2**256 - 2**224 - 2**96 + 2**64 - 1
R = 2**256


def theorems():
    for tier in ("adx",):  # what c64 inlines has no symbol of its own
        for aliases, at in (("apart", None), ("z = x", "x")):
            yield Theorem(
                "p_sm2",
                tier,
                f"ec_sm2_{tier}.c.o",
                f"ty_ec_sm2_p_sqr_n_{tier}",
                "n = 1",
                "z R == x^2 mod p, z < p, for every x < p",
                [Out("z", 4, at), In("x", 4, below=P), 1],
                lambda v: [congruent(v.z * R, v.x * v.x, P), below(v.z, P)],
                aliases=aliases,
            )
