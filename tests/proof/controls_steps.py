"""Theorems of words.py for test_tool.py: kernels of SM3, Keccak and SM4 with the steps of
their standards, and with steps that are wrong in one place."""

import keccak
import sm3
import sm4

RARE = ()


def true_theorems():
    wanted = "blocks_c(n = 1|blocks_avx2(n = 1|f1600_c64(|schedule_gfni(|ecb_aesni(n = 1; apart"
    for family in (sm3, keccak, sm4):
        for theorem in family.theorems():
            if any(w in theorem.name for w in wanted.split("|")):
                yield theorem


def changed(theorem, text, spec):
    theorem.spec, theorem.statement = spec, text
    return theorem


def named(family, text):
    return next(t for t in family.theorems() if text in t.name)


class Changed:
    """The operations of a domain, with some of them replaced"""

    def __init__(self, o, **other):
        self.o, self.other = o, other

    def __getattr__(self, name):
        return self.other.get(name) or getattr(self.o, name)


def false_statements():
    strict = named(sm4, "ecb_gfni512(n = 64")
    strict.garbage, strict.statement = False, "no unwritten memory is read"
    yield strict

    def steps(make):
        return lambda o, v: {"z": sm3.chained(make(o), v["h"], v["x"])}

    for text, make in (
        ("other constants", lambda o: Changed(o, plus=lambda *w: o.plus(*w, int(len(w) == 3)))),
        ("sums over GF(2)", lambda o: Changed(o, plus=o.xor)),
        ("a rotation by one more", lambda o: Changed(o, rotated=lambda a, n: o.rotated(a, n + 1))),
        (
            "products with a rotated factor",
            lambda o: Changed(o, both=lambda a, b: o.both(o.rotated(a, 8), b)),
        ),
        ("no products", lambda o: Changed(o, both=lambda a, b: o.xor(a, b))),
    ):
        yield changed(named(sm3, "blocks_c(n = 1"), text, steps(make))
    yield changed(
        named(keccak, "f1600_c64("),
        "no complement",
        lambda o, v: {"b": keccak.states(Changed(o, complement=lambda a: a), v["a"], 1)},
    )
    yield changed(
        named(sm4, "schedule_gfni("),
        "no inversion",
        lambda o, v: {"rk": sm4.round_keys(Changed(o, inverse=lambda x: x), v["key"])},
    )
    yield changed(
        named(sm4, "ecb_aesni(n = 1; apart"),
        "the round keys in another order",
        lambda o, v: {"z": sm4.encrypted(o, v["x"], v["rk"][::-1])},
    )
    yield changed(
        named(sm4, "ecb_aesni(n = 1; apart"),
        "the words in another order",
        lambda o, v: {"z": sm4.encrypted(o, v["x"], v["rk"])[4:] + sm4.encrypted(
            o, v["x"], v["rk"])[:4]},
    )
