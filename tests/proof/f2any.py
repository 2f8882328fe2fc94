"""Contracts of GF(2)[t]/M for M given at run time (src/f2m/f2_any.h): one or two M for
each size and method of reduction; the theorem is about all elements. Nothing depends on M being
irreducible."""

import struct

from contract import In, Known
from f2m import OutBelow
from polynomials import Over2, congruent

USES = ["bits", "polynomials", "f2m"]
METHODS = {"full": 1, "partial": 2, "barrett": 3, "montgomery": 4}
WORDS = 16  # of the struct's arrays


def quotient(a, b):
    total = 0
    while a.bit_length() >= b.bit_length():
        k = a.bit_length() - b.bit_length()
        total |= 1 << k
        a ^= b << k
    return total


def inverse_mod_word(f):
    """1/f mod t^64"""
    inverse, rest = 0, 1
    for k in range(64):
        if rest >> k & 1:
            inverse |= 1 << k
            rest ^= f << k
    return inverse


def as_limbs(f, method):
    """The struct ty_f2_any, except for what no kernel reads: one, rr and the trace"""
    m = f.bit_length() - 1
    n, low = -(-m // 64) * 64, f ^ 1 << m
    k, gap = low.bit_length() - 1, m - low.bit_length() + 1
    exponents = [e for e in range(m - 1, -1, -1) if f >> e & 1]
    terms = len(exponents) if len(exponents) <= 6 else 0
    fold = low << n - m
    mu = quotient(1 << 2 * n, f << n - m) ^ 1 << n
    head = [m, k, n, n // 64, -(-(n - 1) // gap), -(-(n - m) // gap), terms]
    head += (exponents + [0] * 6)[:6] + [(n - m + k) // 64 + 1]
    data = struct.pack("<14Hi", *head, METHODS[method])
    for value, words in ((f, WORDS + 1), (low, WORDS), (fold, WORDS), (mu, WORDS)):
        data += value.to_bytes(8 * words, "little")
    data += inverse_mod_word(f).to_bytes(8, "little") + bytes(8 * 3 * WORDS)
    return [int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8)]


def polynomial(*exponents):
    return sum(1 << e for e in exponents)


def dense(m):
    """A polynomial of degree m with many terms"""
    value = 0x9E3779B97F4A7C15F39CC0605CEDC8341082276BF3A27251F86C6A11D0C18E95 ** 3
    return value & (1 << m) - 1 | 1 << m | 1 << m - 2 | 1


def fields(words):
    """(method of reduction, description of M, M)"""
    m = 64 * words - 7
    yield "partial", "M' of one word", polynomial(m, 12, 5, 3, 0)
    yield "full", "t^k in one word", polynomial(m, 9, 0)
    yield "barrett", "dense", dense(m)
    if words == 4:
        yield "partial", "M' of two words", polynomial(m, 74, 0)
        yield "full", "t^k in two words", polynomial(m, 74, 0)


def theorems():
    for words in range(2, 10):
        for method, text, f in fields(words):
            yield from of_field(
                "aesni", f"f2_any_w{words}_aesni.c.o", f"ty_f2_any_w{words}", words, method, text, f
            )
    for tier in ("c", "c64", "aesni"):
        for words in (2, 5):
            for method, text, f in (*fields(words), ("montgomery", "dense", dense(64 * words - 7))):
                yield from of_field(tier, f"f2_any_{tier}.c.o", "ty_f2_any_words", words, method,
                                    text, f)


def of_field(tier, member, prefix, words, method, text, f):
    m, n, limbs = f.bit_length() - 1, 64 * words, words + words % 2
    bound = 1 << (m if method == "full" else n)
    x = lambda name: In(name, limbs, below=bound)
    z = OutBelow("z", limbs, result_below=bound)
    card = Known("f", as_limbs(f, method))
    weight = n if method == "montgomery" else 0  # there z is the result times t^-n

    note = " (montgomery: z t^(64 n) for z)" if prefix == "ty_f2_any_words" else ""

    def theorem(kernel, statement, arguments, claim, lengths=f"n = {words}, {method}, {text}"):
        return Over2(
            "f2any", tier, member, f"{prefix}_{kernel}_{tier}", lengths,
            statement + note, arguments,
            lambda v: [congruent(v.z.map(lambda c: c << weight), claim(v), f)],
        )

    square = lambda a: a.power(1, f)
    yield theorem("mul", "z == x y", [z, x("x"), x("y"), card], lambda v: v.x * v.y)
    yield theorem("sqr_n", "z == x^2", [z, x("x"), 1, card], lambda v: square(v.x))
    if words > 6 and method == "barrett" or words != 2 and tier != "aesni":
        return  # the same products and reductions, of more words
    yield theorem(
        "mul_sqr", "z == a b + c^2", [z, x("a"), x("b"), x("c"), card],
        lambda v: v.a * v.b + square(v.c),
    )
    yield theorem(
        "mul_mul", "z == a b + c d", [z, x("a"), x("b"), x("c"), x("d"), card],
        lambda v: v.a * v.b + v.c * v.d,
    )
