"""Contracts of ty_sm4_ops (src/sm4/sm4.h) on the tiers that compute the S-box by an inversion in
the field of AES: the cipher of GB/T 32907 on bytes. A round key is stored as rk^ = H(rk) + H0,
where S(x) = G(1/(H(x) + H0)) + G0 for linear maps H, G and constants, which is checked for all
x."""

import os
import re

from contract import In, InOut, Out
from rows_bytes import INVERSE, by_columns
from words import Numbers, Steps, Symbols

USES = ["bits", "words", "rows_bytes"]
CONSTANTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/mod/f8_sm4.inc")
FK = (0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC)


# --- the S-box ------------------------------------------------------------------------------------
def rotated8(x, n):
    return (x << n | x >> 8 - n) & 255 if n else x


def affine(x):
    """A x + c of f8_sm4.h"""
    rows = (bin(rotated8(0xA7, i) & x).count("1") & 1 for i in range(8))
    return sum(bit << i for i, bit in enumerate(rows)) ^ 0xD3


def product(a, b):
    """a b mod x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1"""
    total = 0
    for k in range(8):
        total ^= a << k if b >> k & 1 else 0
    for k in range(14, 7, -1):
        total ^= 0x1F5 << k - 8 if total >> k & 1 else 0
    return total


def inverse(x):
    power = 1
    for _ in range(254):
        power = product(power, x)
    return power


SBOX = [affine(inverse(affine(x))) for x in range(256)]
# the beginning of the standard's table
assert SBOX[:8] == [0xD6, 0x90, 0xE9, 0xFE, 0xCC, 0xE1, 0x3D, 0xB7]


def nibbles(name):
    """The columns of a linear map in f8_sm4.inc"""
    text = open(CONSTANTS).read()
    low, high = (
        [int(v, 16) for v in re.search(rf"TY_F8_SM4_{name}_{part} (.*)", text)[1].split(",")]
        for part in ("LO", "HI")
    )
    return [low[1 << k] ^ low[0] for k in range(4)] + [high[1 << k] ^ high[0] for k in range(4)]


H = nibbles("TO")
H0 = by_columns(H, 0, next(x for x in range(256) if affine(x) == 0))
_IMAGE = {INVERSE[by_columns(H, H0, x)]: SBOX[x] for x in range(256)}
G0 = _IMAGE[0]
G = [_IMAGE[1 << k] ^ G0 for k in range(8)]
assert all(by_columns(G, G0, INVERSE[by_columns(H, H0, x)]) == SBOX[x] for x in range(256))


def byte_of_shifts(shifts, start, end):
    """The columns of the linear map from byte `start` of a word to byte `end` of the sum of the
    word's rotations by these; byte 0 is the most significant one"""
    columns = []
    for k in range(8):
        word, total = 1 << k + 8 * (3 - start), 0
        for n in shifts:
            total ^= word << n | word >> 32 - n if n else word
        columns.append(total >> 8 * (3 - end) & 255)
    return columns


ROUND = [[byte_of_shifts((0, 2, 10, 18, 24), p, q) for p in range(4)] for q in range(4)]
KEY = [[byte_of_shifts((0, 13, 23), p, q) for p in range(4)] for q in range(4)]


class ByteNumbers(Numbers):
    def mapped(self, x, columns, constant=0):
        return by_columns(columns, constant, x)

    def inverse(self, x):
        return INVERSE[x]

    def counted(self, word, n):
        """Four bytes, the most significant first, plus n"""
        return list((int.from_bytes(bytes(word), "big") + n & 0xFFFF_FFFF).to_bytes(4, "big"))


class ByteSymbols(Symbols):
    def mapped(self, x, columns, constant=0):
        return self.domain.mapped(x, columns, constant)

    def inverse(self, x):
        return self.domain.inverse(x)

    def counted(self, word, n):
        d = self.domain
        value = d.join([c for b in word[::-1] for c in d.machine.split(b, 1)])
        total = d.add(value, n, 0, 4)[0]
        return [d.join([c]) for c in d.machine.split(total, 4)[::-1]]


# --- the cipher -----------------------------------------------------------------------------------
def substituted(o, arguments, places):
    """The four bytes of L(S(x)), or L'(S(x)), for bytes H(x) + H0"""
    s = [o.mapped(o.inverse(x), G, G0) for x in arguments]
    return [o.xor(*(o.mapped(s[p], places[q][p]) for p in range(4))) for q in range(4)]


def encrypted(o, block, keys):
    x = [block[4 * k : 4 * k + 4] for k in range(4)]
    for r in range(32):
        key = keys[4 * r : 4 * r + 4]
        inside = [
            o.xor(o.mapped(o.xor(x[1][k], x[2][k], x[3][k]), H), key[k]) for k in range(4)
        ]
        new = [o.xor(a, b) for a, b in zip(x[0], substituted(o, inside, ROUND))]
        x = [x[1], x[2], x[3], new]
    return [b for word in x[::-1] for b in word]


def round_keys(o, key):
    """H(rk_0) + H0, H(rk_1) + H0, ..."""
    k = [
        [o.xor(key[4 * i + j], FK[i] >> 8 * (3 - j) & 255) for j in range(4)] for i in range(4)
    ]
    found = []
    for r in range(32):
        constant = [7 * (4 * r + j) % 256 for j in range(4)]
        inside = [
            o.mapped(o.xor(k[1][j], k[2][j], k[3][j], constant[j]), H, H0) for j in range(4)
        ]
        new = [o.xor(a, b) for a, b in zip(k[0], substituted(o, inside, KEY))]
        k = [k[1], k[2], k[3], new]
        found += [o.mapped(b, H, H0) for b in new]
    return found


def blocks_of(words):
    return [words[k : k + 16] for k in range(0, len(words), 16)]


def mixed(o, a, b):
    return [o.xor(x, y) for x, y in zip(a, b)]


class Cipher(Steps):
    """On bytes at any address"""

    align = 1
    numbers, symbols = ByteNumbers, ByteSymbols

    def __init__(self, *args, **more):
        super().__init__(*args, unit=1, **more)


def ecb(o, v):
    return {"z": [c for b in blocks_of(v["x"]) for c in encrypted(o, b, v["rk"])]}


def ctr32(o, v):
    out = []
    for n, block in enumerate(blocks_of(v["x"])):
        counter = v["t"][:12] + o.counted(v["t"][12:], n)
        out += mixed(o, block, encrypted(o, counter, v["rk"]))
    return {"z": out}


def cbc_encrypt(o, v):
    out, before = [], v["iv"]
    for block in blocks_of(v["x"]):
        before = encrypted(o, mixed(o, block, before), v["rk"])
        out += before
    return {"z": out, "after": before}


def cbc_decrypt(o, v):
    out, before = [], v["iv"]
    for block in blocks_of(v["x"]):
        out += mixed(o, encrypted(o, block, v["rk"]), before)
        before = block
    return {"z": out, "after": before}


def cfb_decrypt(o, v):
    out, before = [], v["iv"]
    for block in blocks_of(v["x"]):
        out += mixed(o, encrypted(o, before, v["rk"]), block)
        before = block
    return {"z": out, "after": before}


def xex(o, v):
    out = []
    for block, mask in zip(blocks_of(v["x"]), blocks_of(v["mask"])):
        out += mixed(o, encrypted(o, mixed(o, block, mask), v["rk"]), mask)
    return {"z": out}


TIERS = {"aesni": 4, "avx2": 8, "vaes": 8, "gfni": 8, "avx512": 16, "gfni512": 16}
BATCH = 64  # blocks of gfni512's kernels in assembly


def pass_of_ocb(decrypt):
    """One batch (src/sm4/sm4.h): the masks are masks[j] + the offset, the last one is given"""

    def spec(o, v):
        out, total = [], v["sum"]
        masks, (offset, after) = blocks_of(v["masks"]), blocks_of(v["offsets"])
        for j, block in enumerate(blocks_of(v["x"])):
            mask = mixed(o, masks[j], offset) if j < BATCH - 1 else after
            z = mixed(o, encrypted(o, mixed(o, block, mask), v["rk"]), mask)
            total = mixed(o, total, z if decrypt else block)
            out += z
        return {"z": out, "sum_after": total}  # masks may have any value then

    return spec


def ctr32le(first):
    def spec(o, v):
        out = []
        for n, block in enumerate(blocks_of(v["x"])):
            counter = [*(first + n & 0xFFFF_FFFF).to_bytes(4, "little"), *v["first"][4:]]
            out += mixed(o, block, encrypted(o, counter, v["rk"]))
        return {"z": out}

    return spec


def batches(theorem, text, rk):
    """gfni512's separate kernels for 64 blocks, in assembly"""
    size = 16 * BATCH
    x, out, lengths = In("x", size), Out("z", size), f"n = {BATCH}"
    yield theorem("ecb", lengths, text["ecb"], [out, x, BATCH, rk], ecb)
    for first in (0, 0xFFFFF0, 0xFFFFFFF0):  # numbers: the kernel compares them
        counter = In("t", 16)
        counter.fixed = dict(zip(range(12, 16), first.to_bytes(4, "big")))
        beginning = f"{lengths}, the counter from {first:#x} on"
        yield theorem("ctr32", beginning, text["ctr32"], [out, x, BATCH, counter, rk], ctr32)
        yield theorem(
            "ctr32le", beginning, text["ctr32le"], [out, x, 1, In("first", 16), first, rk],
            ctr32le(first),
        )
    yield theorem("xex", lengths, text["xex"], [out, x, In("mask", size), BATCH, rk], xex)
    for kernel, spec in (("cbc_decrypt", cbc_decrypt), ("cfb_decrypt", cfb_decrypt)):
        arguments = [out, x, BATCH, InOut("iv", 16, "after"), rk]
        yield theorem(kernel, lengths, text[kernel], arguments, spec)
    masks, total = InOut("masks", size, "masks_after"), InOut("sum", 16, "sum_after")
    for decrypt in (0, 1):
        yield theorem(
            "ocb",
            f"{lengths}, {'de' if decrypt else 'en'}cryption",
            text["ocb"],
            [out, x, 1, masks, In("offsets", 32), total, decrypt, rk],
            pass_of_ocb(decrypt),
        )


def aligned(argument):
    argument.align = 4
    return argument


def theorems():
    for tier, group in TIERS.items():
        yield from of_tier(tier, group)


def named(tier, kernel):
    """The name of a kernel's function: avx512's kernels for few blocks are partly inlined into
    long_*, which chooses between them and bit planes."""
    long = tier == "avx512" and kernel in ("cbc_decrypt", "cfb_decrypt", "xex")
    return "long_" + kernel if long else kernel


def of_tier(tier, group):
    rk = aligned(In("rk", 128))

    def theorem(kernel, lengths, text, arguments, spec, aliases="apart"):
        symbol = f"ty_sm4_{named(tier, kernel)}_{tier}"
        found = Cipher(
            "sm4", tier, f"sm4_{tier}.c.o", symbol, lengths, text, arguments, spec=spec,
            aliases=aliases,
        )
        found.garbage = tier == "gfni512"  # a key after the last one is read, and not used
        return found

    yield theorem(
        "schedule",
        "1 key",
        "the 32 round keys (GB/T 32907, 7.3), as the tier has them",
        [aligned(Out("rk", 128)), In("key", 16)],
        lambda o, v: {"rk": round_keys(o, v["key"])},
    )
    text = {
        "ecb": "z = E(x) block by block (GB/T 32907, 7.1)",
        "ctr32": "z = x + E(counter), E(counter + 1) ...",
        "cbc_encrypt": "the CBC chain",
        "cbc_decrypt": "z = E(x) + the block before",
        "cfb_decrypt": "z = x + E(the block before)",
        "xex": "z = E(x + mask) + mask",
        "ocb": "OCB's z = E(x + mask) + mask, and the sum of plaintexts",
        "ctr32le": "z = x + E(counter), four bytes of which count, little-endian",
    }
    if tier == "gfni512":
        yield from batches(theorem, text, rk)
    for n in sorted({1, 2, 4, group, 2 * group}):
        lengths = f"n = {n}"
        x, out = In("x", 16 * n), Out("z", 16 * n)
        yield theorem("ecb", lengths, text["ecb"], [out, x, n, rk], ecb)
        if n in (1, group):
            at = Out("z", 16 * n, "x")
            yield theorem("ecb", lengths, text["ecb"], [at, x, n, rk], ecb, "z = x")
            yield theorem(
                "ctr32", lengths, text["ctr32"], [out, x, n, In("t", 16), rk], ctr32
            )
            yield theorem("xex", lengths, text["xex"], [out, x, In("mask", 16 * n), n, rk], xex)
        for kernel, spec, most in (
            ("cbc_encrypt", cbc_encrypt, 2),
            ("cbc_decrypt", cbc_decrypt, group),
            ("cfb_decrypt", cfb_decrypt, group),
        ):
            if n <= most:
                yield theorem(
                    kernel, lengths, text[kernel], [out, x, n, InOut("iv", 16, "after"), rk], spec
                )
