"""Integers, compared with Python's own."""

from __future__ import annotations

import copy
import math
import operator
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tongyu
from tongyu import mp
from tongyu.mp import Integer

NUMBERS = st.one_of(
    st.integers(), st.integers(-(2**63) - 2, 2**63 + 2), st.integers(-(2**5000), 2**5000)
)
POSITIVE = st.integers(1, 2**1000)
OPERATORS = [operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor]
RELATIONS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


@given(NUMBERS)
def test_conversions(n):
    x = Integer(n)
    assert int(x) == n and x == n and hash(x) == hash(n) and bool(x) == bool(n)
    assert str(x) == str(n) and repr(x) == f"Integer({n})" and f"{x:#x}" == hex(n)
    assert Integer(str(n)) == x and Integer(x) is x and x.bit_length() == n.bit_length()
    assert (
        operator.index(x) == n
        and int(-x) == -n
        and int(abs(x)) == abs(n)
        and int(~x) == ~n
        and +x is x
    )
    assert pickle.loads(pickle.dumps(x)) == x == copy.copy(x)
    for base in (2, 16, 36, 62, 64):
        assert Integer(x.digits(base), base) == n
    if n >= 0:
        for order in ("big", "little"):
            assert Integer.from_bytes(x.to_bytes(byteorder=order), order) == n
        size = (n.bit_length() + 7) // 8
        assert x.to_bytes() == n.to_bytes(size, "big") and x.to_bytes(size + 3) == n.to_bytes(
            size + 3, "big"
        )
    else:
        with pytest.raises(ValueError, match="abs"):
            x.to_bytes()


@given(NUMBERS, NUMBERS)
def test_operators(a, b):
    for f in OPERATORS:
        want = f(a, b)
        for x, y in ((Integer(a), Integer(b)), (Integer(a), b), (a, Integer(b))):
            got = f(x, y)
            assert isinstance(got, Integer) and got == want, f
    for f in RELATIONS:
        assert f(Integer(a), Integer(b)) == f(Integer(a), b) == f(a, Integer(b)) == f(a, b)
    if b:
        assert divmod(Integer(a), Integer(b)) == divmod(a, b)
        assert (Integer(a) // b, a % Integer(b)) == divmod(a, b)
    else:
        for f in (operator.floordiv, operator.mod, divmod):
            with pytest.raises(ZeroDivisionError):
                f(Integer(a), b)


@given(NUMBERS, st.integers(0, 300))
def test_shifts_and_powers(a, n):
    assert Integer(a) << n == a << n and Integer(a) >> n == a >> n
    assert Integer(a) ** (n % 20) == a ** (n % 20)
    with pytest.raises(ValueError, match="shift"):
        Integer(a) << -1
    with pytest.raises(ValueError, match="modulus"):
        Integer(2) ** -1


@pytest.mark.parametrize("e", [2**64 - 1, 2**64, 2**64 + 1, 2**200])
def test_powers_of_any_exponent(e):
    for x in (0, 1, -1):
        assert Integer(x) ** e == x**e
    with pytest.raises((tongyu.Error, MemoryError)):
        Integer(2) ** e


@pytest.mark.parametrize("n", [2**20, 2**62, 2**63 - 1, 2**63, 2**64, 2**200])
def test_shifts_out(n):
    for x in (0, 1, -1, 12345, -12345, 2**300, -(2**300)):
        assert Integer(x) >> n == x >> n and x >> Integer(n) == x >> n
    assert Integer(0) << n == 0
    if n > 2**20:
        with pytest.raises((tongyu.Error, MemoryError)):
            Integer(1) << n
    with pytest.raises(ValueError, match="zero bits or more"):
        Integer(1) >> -n


@given(NUMBERS, st.integers(-100, 2**200), POSITIVE)
def test_powmod(a, e, m):
    try:
        want = pow(a, e, m)
    except ValueError:
        for call in (mp.powmod, pow):
            with pytest.raises(tongyu.Error, match="coprime"):
                call(Integer(a), e, m)
        return
    assert mp.powmod(a, e, m) == want == pow(Integer(a), e, m) == pow(a, Integer(e), Integer(m))
    if m % 2 and e >= 0:
        assert mp.powmod_secret(a, e, m) == want
        assert mp.powmod_many([(a, e, m), [Integer(a), Integer(e), m]]) == [want, want]
    assert mp.mulmod(a, e, m) == a * e % m == mp.mulmod_secret(a, e, m)


@given(NUMBERS, NUMBERS)
def test_divisors(a, b):
    assert mp.gcd(a, b) == math.gcd(a, b) and mp.lcm(a, b) == math.lcm(a, b)
    g, u, v = mp.gcdext(a, b)
    assert g == math.gcd(a, b) == u * a + v * b


@given(NUMBERS, POSITIVE)
def test_invert(a, m):
    if math.gcd(a, m) == 1:
        assert mp.invert(a, m) == pow(a, -1, m)
        assert m % 2 == 0 or mp.invert_secret(a, m) == pow(a, -1, m)
    else:
        with pytest.raises(tongyu.Error):
            mp.invert(a, m)


@given(st.integers(0, 2**3000), st.integers(1, 9))
def test_roots(a, k):
    r, exact = mp.iroot(a, k)
    assert int(r) ** k <= a < (int(r) + 1) ** k and exact == (int(r) ** k == a)
    assert mp.isqrt(a) == math.isqrt(a) and mp.is_square(a) == (math.isqrt(a) ** 2 == a)
    with pytest.raises(tongyu.Error):
        mp.isqrt(-a - 1)


def test_primes():
    sieve = [all(n % d for d in range(2, n)) for n in range(2, 400)]
    for n, prime in enumerate(sieve, 2):
        assert mp.is_prime(n) == prime
    assert mp.next_prime(2**64) == 2**64 + 13
    assert mp.is_prime(2**521 - 1) and not mp.is_prime((2**61 - 1) * (2**89 - 1), rounds=0)
    p = mp.random_prime(256, top2=True, three_mod_four=True)
    assert p.bit_length() == 256 and p >> 254 == 3 and p % 4 == 3 and mp.is_prime(p)
    q = mp.random_prime(64, safe=True)
    assert mp.is_prime((q - 1) // 2)
    assert [mp.kronecker(a, 7) for a in range(7)] == [0, 1, 1, -1, 1, -1, -1]
    with pytest.raises(ValueError):
        mp.random_prime(4, safe=True)


def test_random():
    assert all(mp.random_below(10) < 10 for _ in range(100))
    assert mp.random_bits(0) == 0 and mp.random_bits(256) != mp.random_bits(256)
    with pytest.raises(ValueError, match="above zero"):
        mp.random_below(0)


def test_refuses():
    for bad in ("", "-", "1x", " 1", "1 "):
        with pytest.raises(tongyu.FormatError):
            Integer(bad)
    with pytest.raises(ValueError, match="base"):
        Integer("1", 1)
    for bad in (1.0, b"1", None, []):
        with pytest.raises(TypeError):
            Integer(bad)
        with pytest.raises(TypeError):
            Integer(1) + bad
        with pytest.raises(TypeError, match="exponent must be an int"):
            mp.powmod(1, bad, 3)
    with pytest.raises(ValueError, match="odd"):
        mp.powmod_secret(3, 4, 10)
    with pytest.raises(ValueError, match="above zero"):
        mp.powmod(3, 4, 0)
    with pytest.raises(ValueError, match="larger length"):
        Integer(256).to_bytes(1)
    with pytest.raises(ValueError, match="item 1"):
        mp.powmod_many([(1, 2, 3), (1, 2)])
    assert Integer(1) != "1" and Integer(True) == 1
    assert mp.powmod_many(x for x in [(2, 5, 7)]) == [4]
