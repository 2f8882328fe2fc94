"""Contracts of ty_sm4_ops where a tier's longest path is taken: modes on four groups of blocks, and
other numbers of keys side by side than in sm4_rows.py."""

from contract import In, InOut, Out
from sm4 import (
    TIERS,
    Cipher,
    aligned,
    cbc_decrypt,
    cfb_decrypt,
    ctr32,
    ecb,
    named,
    xex,
)
from sm4_rows import KEY, KEYS, LANES, WORDS, WORK, X, lanes, schedules
from sm4_rows import aligned as as_lanes

USES = ["bits", "words", "rows_bytes", "rows_probe", "sm4", "sm4_rows"]


def theorems():
    for tier, group in TIERS.items():
        if tier != "gfni512":  # for its 64 blocks see sm4.py
            yield from modes(tier, 4 * group)
    for tier, keys in KEYS.items():
        yield from rows(tier, keys)


def of(tier, kernel, lengths, text, arguments, spec, aliases="apart"):
    return Cipher(
        "sm4", tier, f"sm4_{tier}.c.o", f"ty_sm4_{named(tier, kernel)}_{tier}", lengths, text,
        arguments, spec=spec, aliases=aliases, cases=1,
    )


def modes(tier, n):
    x, out, rk = In("x", 16 * n), Out("z", 16 * n), aligned(In("rk", 128))
    for kernel, text, more, spec in (
        ("ecb", "z = E(x) block by block (GB/T 32907, 7.1)", [], ecb),
        ("ctr32", "z = x + E(counter), E(counter + 1) ...", [In("t", 16)], ctr32),
        ("cbc_decrypt", "z = E(x) + the block before", [InOut("iv", 16, "after")], cbc_decrypt),
        ("cfb_decrypt", "z = x + E(the block before)", [InOut("iv", 16, "after")], cfb_decrypt),
    ):
        yield of(tier, kernel, f"n = {n}", text, [out, x, n, *more, rk], spec)
    yield of(
        tier, "xex", f"n = {n}", "z = E(x + mask) + mask",
        [out, x, In("mask", 16 * n), n, rk], xex,
    )


def rows(tier, keys):
    h = InOut("h", 16 * LANES, "h_after")
    yield of(
        tier, "schedules", f"n = {keys}, with E(0)",
        "the round keys of n keys, for both directions, and E(0) of each",
        [InOut("first", KEY * keys, "after"), KEY, h, In("bytes", 16 * keys), keys],
        schedules(keys, True),
    )
    l = as_lanes(InOut("l", WORDS + WORK + X, "after"))
    text = "blocks 0 to n - 1 of x, each with its key"
    for n in (16, LANES):
        yield of(tier, "lanes", f"n = {n}", text, [l, n], lanes(n), "in place")
