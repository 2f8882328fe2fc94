"""Integers of any size: arithmetic, powers and inverses modulo a number, primes.

Functions take numbers as int or Integer and return them as Integer, which int() converts back. The
time of functions whose names end in _secret depends on lengths alone; everything else is for public
values.
"""

from ._tongyu import (
    Integer,
    gcd,
    gcdext,
    invert,
    invert_secret,
    iroot,
    is_prime,
    is_square,
    isqrt,
    kronecker,
    lcm,
    mulmod,
    mulmod_secret,
    next_prime,
    powmod,
    powmod_many,
    powmod_secret,
    random_below,
    random_bits,
    random_prime,
)

__all__ = [
    "Integer",
    "gcd",
    "gcdext",
    "invert",
    "invert_secret",
    "iroot",
    "is_prime",
    "is_square",
    "isqrt",
    "kronecker",
    "lcm",
    "mulmod",
    "mulmod_secret",
    "next_prime",
    "powmod",
    "powmod_many",
    "powmod_secret",
    "random_below",
    "random_bits",
    "random_prime",
]
