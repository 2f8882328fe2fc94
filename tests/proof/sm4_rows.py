"""Contracts of the kernels of ty_sm4_ops for many keys (src/sm4/sm4.h) on the tiers that compute
the S-box by an inversion in the field of AES: key schedules side by side, blocks that have a key
each, rows of blocks, and counters together with other blocks. Round keys are in AES form, see
sm4.py."""

import rows_probe  # noqa: F401  (replaces rows)
from contract import In, InOut, Out, Pointers
from sm4 import Cipher, blocks_of, ctr32, encrypted, mixed, round_keys

USES = ["bits", "words", "rows_bytes", "rows_probe", "sm4"]
LANES = 32  # TY_SM4_LANES
KEY = 8 + 256  # sizeof(ty_sm4_key): ops, enc, dec
WORDS, WORK, X = 4 * 32 * LANES, 512, 16 * LANES  # of ty_sm4_lanes
KEYS = {"aesni": 8, "avx2": 16, "vaes": 16, "gfni": 16, "avx512": 32, "gfni512": 16}


def aligned(argument):
    argument.align = 64
    return argument


def turned(keys):
    """Round keys in the order of decryption"""
    return [b for k in range(31, -1, -1) for b in keys[4 * k : 4 * k + 4]]


def schedules(n, zero):
    def spec(o, v):
        keys = [round_keys(o, v["bytes"][16 * i : 16 * i + 16]) for i in range(n)]
        found = {"after": [b for k in keys for b in [None] * 8 + k + turned(k)]}
        if zero:
            h = [b for k in keys for b in encrypted(o, [0] * 16, k)]
            found["h_after"] = h + [None] * (16 * LANES - len(h))
        return found

    return spec


def key_of_lane(words, i):
    return [words[4 * (LANES * r + i) + k] for r in range(32) for k in range(4)]


def lanes(n):
    def spec(o, v):
        x = v["l"][WORDS + WORK :]
        blocks = [
            encrypted(o, x[16 * i : 16 * i + 16], key_of_lane(v["l"], i)) for i in range(n)
        ]
        rest = [None] * (X - 16 * n)
        return {"after": v["l"][:WORDS] + [None] * WORK + [b for x in blocks for b in x] + rest}

    return spec


def lane_keys(chosen):
    """`chosen`: {lane: name of its round keys}; the other lanes may have any value then"""

    def spec(o, v):
        after = [None] * (WORDS + WORK) + v["l"][WORDS + WORK :]
        for i, name in chosen.items():
            for r in range(32):
                at = 4 * (LANES * r + i)
                after[at : at + 4] = v[name][4 * r : 4 * r + 4]
        return {"after": after}

    return spec


def key_of_row(v, i):
    return [v["keys"][64 * r + 16 * k + i] for r in range(32) for k in range(4)]


def grid(depth):
    def spec(o, v):
        found = {}
        for i in range(16):
            key = key_of_row(v, i)
            blocks = [b for x in blocks_of(v[f"in{i}"]) for b in encrypted(o, x, key)]
            found[f"to{i}"] = mixed(o, blocks, v[f"add{i}"])
        return found

    return spec


def grid_cbc(o, v):
    found = {}
    for i in range(16):
        chain, out = v[f"iv{i}"], []
        for block in blocks_of(v[f"in{i}"]):
            chain = encrypted(o, mixed(o, block, chain), key_of_row(v, i))
            out += chain
        found[f"out{i}"] = out
    return found


AHEAD = 5  # added to each counter; the one of row i then wraps after 16 - i blocks


def grid_ctr32(o, v):
    found = {}
    for i in range(16):
        out = []
        for n, block in enumerate(blocks_of(v[f"in{i}"])):
            number = 2**32 - 16 + i + n & 0xFFFF_FFFF
            counter = [*v["counters"][16 * i : 16 * i + 12], *number.to_bytes(4, "big")]
            out += mixed(o, block, encrypted(o, counter, key_of_row(v, i)))
        found[f"out{i}"] = out
    return found


def grid_keys(o, v):
    places = ((r, k, i) for r in range(32) for k in range(4) for i in range(16))
    return {"keys": [v[f"rk{i}"][4 * r + k] for r, k, i in places]}


def beside(n):
    def spec(o, v):
        at = [b for x in blocks_of(v["beside"])[:n] for b in encrypted(o, x, v["rk"])]
        return {**ctr32(o, v), "after": at}

    return spec


def at(name, to):
    """A table of pointers as an argument, and its contents"""
    return aligned(In(name, 0)), Pointers(name, 0, to)


def hidden(argument):
    argument.passed = False
    return argument


def theorems():
    for tier, keys in KEYS.items():
        yield from of_tier(tier, keys)


def of_tier(tier, keys):
    def theorem(kernel, lengths, text, arguments, spec, aliases="apart"):
        symbol = f"ty_sm4_{kernel}_{tier}"
        return Cipher(
            "sm4", tier, f"sm4_{tier}.c.o", symbol, lengths, text, arguments, spec=spec,
            aliases=aliases, cases=1,
        )

    for n, zero in ((keys, False), (3, True)):
        h = InOut("h", 16 * LANES, "h_after") if zero else 0
        yield theorem(
            "schedules",
            f"n = {n}",
            "the round keys of n keys, for both directions" + ", and E(0) of each" * zero,
            [InOut("first", KEY * n, "after"), KEY, h, In("bytes", 16 * n), n],
            schedules(n, zero),
        )
    l = aligned(InOut("l", WORDS + WORK + X, "after"))
    for n in (4, 8):
        text = "blocks 0 to n - 1 of x, each with its key"
        yield theorem("lanes", f"n = {n}", text, [l, n], lanes(n), "in place")
    rk = lambda i: aligned(In(f"rk{i}", 128))
    yield theorem(
        "lane_key", "1 key", "the key of lane 5", [l, 5, rk(0)], lane_keys({5: "rk0"}), "in place"
    )
    rows = [hidden(rk(i)) for i in range(LANES)]
    yield theorem(
        "lane_keys",
        f"n = {LANES}",
        "the keys of lanes 0 to n - 1",
        [l, *at("rows", [f"rk{i}" for i in range(LANES)]), LANES, *rows],
        lane_keys({i: f"rk{i}" for i in range(LANES)}),
        "in place",
    )
    for blocks, n in ((64, 1),) if tier in ("aesni", "gfni512") else ():
        counter, text = In("t", 16), f"{blocks} blocks, n = {n}"
        if tier == "gfni512":  # as in sm4.py
            counter.fixed = dict(zip(range(12, 16), bytes.fromhex("fffffff0")))
            text += ", the counter from 0xfffffff0 on"
        found = theorem(
            "ctr32_beside",
            text,
            "z = x + E(counter), E(counter + 1) ..., and E of n blocks beside",
            [
                Out("z", 16 * blocks),
                In("x", 16 * blocks),
                blocks,
                counter,
                InOut("beside", 16 * n, "after"),
                n,
                aligned(In("rk", 128)),
            ],
            beside(n),
        )
        found.garbage = tier == "gfni512"
        yield found
    if tier != "gfni512":
        return
    yield theorem(
        "grid_keys",
        "16 keys",
        "byte k of round r of row i at keys + 64 r + 16 k + i",
        [aligned(Out("keys", 2048)), *at("in", [f"rk{i}" for i in range(16)]), *rows[:16]],
        grid_keys,
    )
    keys = aligned(In("keys", 2048))
    for depth in (1, 4):
        yield theorem(
            "grid",
            f"depth {depth}",
            "16 rows of blocks through the cipher, a key each, + those at add",
            [*tables("to", "in", "add"), room(1024), depth, keys]
            + buffers(16 * depth, "to", "in", "add"),
            grid(depth),
        )
    for blocks in (1, 2):
        yield theorem(
            "grid_cbc",
            f"{blocks} blocks",
            "the CBC chains of 16 messages, a key each",
            [*tables("out", "in", "iv"), blocks, room(256), keys]
            + buffers(16 * blocks, "out", "in") + buffers(16, "iv"),
            grid_cbc,
        )
    for blocks in (1, 7):
        counters = In("counters", 256)
        counters.fixed = {
            16 * i + 12 + k: b
            for i in range(16)
            for k, b in enumerate((2**32 - 16 + i - AHEAD).to_bytes(4, "big"))
        }
        yield theorem(
            "grid_ctr32",
            f"{blocks} blocks, the counters from 0xfffffff0 to 0xffffffff on",
            "16 messages + their key streams, a key each",
            [*tables("out", "in"), blocks, counters, AHEAD, room(1024), keys]
            + buffers(16 * blocks, "out", "in"),
            grid_ctr32,
        )


def tables(*kinds):
    """Tables of pointers to 16 buffers of each kind"""
    return [a for kind in kinds for a in at(kind, [f"{kind}{i}" for i in range(16)])]


def buffers(size, *kinds):
    """These buffers; out and to are written"""
    return [
        hidden((Out if kind in ("out", "to") else In)(f"{kind}{i}", size))
        for kind in kinds
        for i in range(16)
    ]


def room(size):
    return aligned(InOut("room", size, "anything"))
