"""Contracts of ty_limb_ops (src/limb/limb.h) for the tiers c and adx on x86-64: lengths that have
separate code, and some longer ones."""

from contract import B, In, InOut, Limb, Out, Theorem, equal, multiple

LONG = (9, 10, 13, 16, 17)
BETWEEN = (11, 12, 14, 15)  # only products: their rows have code for each length

# where each kernel is: name -> tier -> (member, symbol)
PLACES = {
    "add": {"c": ("limb_c.c.o", "ty_limb_add_c"), "adx": ("sum_x86.S.o", "ty_limb_add_x86")},
    "sub": {"c": ("limb_c.c.o", "ty_limb_sub_c"), "adx": ("sum_x86.S.o", "ty_limb_sub_x86")},
    "mul_1": {
        "c": ("limb_c.c.o", "ty_limb_mul_1_c"),
        "adx": ("limb_adx_1.S.o", "ty_limb_mul_1_adx"),
    },
    "addmul_1": {
        "c": ("limb_c.c.o", "ty_limb_addmul_1_c"),
        "adx": ("limb_adx_1.S.o", "ty_limb_addmul_1_adx"),
    },
    "submul_1": {
        "c": ("limb_c.c.o", "ty_limb_submul_1_c"),
        "adx": ("limb_adx_1.S.o", "ty_limb_submul_1_adx"),
    },
    "mul": {"c": ("limb_c.c.o", "ty_limb_mul_c"), "adx": ("limb_adx.S.o", "ty_limb_mul_adx")},
    "sqr": {"c": ("limb_c.c.o", "ty_limb_sqr_c"), "adx": ("limb_adx.S.o", "ty_limb_sqr_adx")},
    "mont": {"adx": ("mont_adx.S.o", "ty_limb_mont_adx")},  # for c no proof is known yet
    "mont2": {"adx": ("mont_adx.S.o", "ty_limb_mont2_adx")},
    "redc": {"adx": ("limb_adx.S.o", "ty_limb_redc_adx")},
    "product": {"adx": ("short_adx.S.o", "ty_limb_product_adx")},
    "square": {"adx": ("short_adx.S.o", "ty_limb_square_adx")},
}


def theorems():
    for kernel, tiers in PLACES.items():
        for tier, place in tiers.items():
            for n in range(1, 9):
                yield from MAKERS[kernel](tier, place, n)
            for n in LONG if kernel not in ("mont", "mont2", "product", "square") else ():
                yield from MAKERS[kernel](tier, place, n)
            for n in BETWEEN if kernel in ("mul", "sqr") else ():
                yield from MAKERS[kernel](tier, place, n)


def _sum(sign, text):
    def make(tier, place, n):
        for aliases, at in (("apart", None), ("z = x", "x"), ("z = y", "y")):
            yield Theorem(
                "limb",
                tier,
                *place,
                f"n = {n}",
                text,
                [Out("z", n, at), In("x", n), In("y", n), n],
                lambda v: [equal(v.z + sign * v.carry * B**n, v.x + sign * v.y)],
                result="carry",
                aliases=aliases,
            )

    return make


def _row(start, sign, text):
    def make(tier, place, n):
        for aliases in ("apart", "z = x") if not start else ("apart",):
            if start:
                arguments = [InOut("w", n, "z"), In("x", n), n, Limb("y")]
            else:
                arguments = [
                    Out("z", n) if aliases == "apart" else Out("z", n, "x"),
                    In("x", n),
                    n,
                    Limb("y"),
                ]
            yield Theorem(
                "limb",
                tier,
                *place,
                f"n = {n}",
                text,
                arguments,
                lambda v: [
                    equal(v.z + sign * v.top * B**n, (v.w if start else 0) + sign * (v.x * v.y))
                ],
                result="top",
                aliases=aliases,
            )

    return make


def _mul(tier, place, n):
    for xn, yn in ((n, n),) + (((n + 3, n),) if n in (2, 5, 9) else ()):
        yield Theorem(
            "limb",
            tier,
            *place,
            f"xn = {xn}, yn = {yn}",
            "z = x y",
            [Out("z", xn + yn), In("x", xn), xn, In("y", yn), yn],
            lambda v: [equal(v.z, v.x * v.y)],
        )


def _product(tier, place, n):
    if n >= 3:
        yield Theorem(
            "limb",
            tier,
            *place,
            f"n = {n}",
            "z = x y",
            [Out("z", 2 * n), In("x", n), n, In("y", n)],
            lambda v: [equal(v.z, v.x * v.y)],
        )


def _square(tier, place, n):
    if n >= 3 or place[1] != "ty_limb_square_adx":
        yield Theorem(
            "limb",
            tier,
            *place,
            f"n = {n}",
            "z = x^2",
            [Out("z", 2 * n), In("x", n), n],
            lambda v: [equal(v.z, v.x * v.x)],
        )


def _mont(tier, place, n):
    if n < 2:
        return
    for aliases, z in (
        ("apart", Out("z", n)),
        ("z = x", Out("z", n, "x")),
        ("z = y", Out("z", n, "y")),
    ):
        yield Theorem(
            "limb",
            tier,
            *place,
            f"n = {n}",
            "z B^n == x y mod m, for every odd m",
            [z, In("x", n), In("y", n), In("m", n, odd=True), n, Limb("minv", "m", -1)],
            lambda v: [multiple(v.z * B**n - v.x * v.y, "m")],
            aliases=aliases,
        )


def _mont2(tier, place, n):
    if n >= 5:  # for shorter ones no proof is known yet
        yield Theorem(
            "limb",
            tier,
            *place,
            f"n = {n}",
            "z B^n == x^2 mod m, for every odd m, once",
            [InOut("x", n, "z"), In("m", n, odd=True), n, Limb("minv", "m", -1), 1],
            lambda v: [multiple(v.z * B**n - v.x * v.x, "m")],
            aliases="in place",
        )


REDC = (1, 2, 4, 5, 8)  # for other lengths no proof is known yet


def _redc(tier, place, n):
    if n not in REDC:
        return
    yield Theorem(
        "limb",
        tier,
        *place,
        f"n = {n}",
        "z B^n == t mod m, for every odd m and every t",
        [Out("z", n), InOut("t", 2 * n, "t_after"), In("m", n, odd=True), n, Limb("minv", "m", -1)],
        lambda v: [multiple(v.z * B**n - v.t, "m")],
    )


MAKERS = {
    "add": _sum(1, "z + carry B^n = x + y"),
    "sub": _sum(-1, "z - borrow B^n = x - y"),
    "mul_1": _row(False, 1, "z + top B^n = x y"),
    "addmul_1": _row(True, 1, "z + top B^n = w + x y"),
    "submul_1": _row(True, -1, "z - top B^n = w - x y"),
    "mul": _mul,
    "sqr": _square,
    "mont": _mont,
    "mont2": _mont2,
    "redc": _redc,
    "product": _product,
    "square": _square,
}
