"""Formulas of the cards: numbers, residues, and polynomials over GF(2).

+ - * ^ / and brackets, decimal and 0x numbers (_ may group digits), names. x is always the variable
of polynomials: a formula with x is a polynomial over GF(2), in which the bits of a 0x number are
coefficients, and 0 and 1 are the only decimal numbers. In a ring modulo something, ^-1 and / are
inverses and exponents may be huge; without a modulus, values are integers or polynomials.
"""
import random
import re


class Bad(Exception):
    pass


# Expressions are nested tuples: ('num', text) ('name', n) ('neg', a) (op, a, b)
def parse(text):
    tokens = re.findall(r"0[xX][0-9a-fA-F_]+|\d[\d_]*|[A-Za-z]\w*|[-+*/^()]|\S", text)
    at = 0

    def peek():
        return tokens[at] if at < len(tokens) else None

    def take(want=None):
        nonlocal at
        t = peek()
        if t is None or (want and t != want):
            raise Bad(f"cannot read '{text.strip()}' at '{t or 'the end'}'")
        at += 1
        return t

    def binary(ops, lower):
        left = lower()
        while peek() in ops:
            left = (take(), left, lower())
        return left

    def total():
        return binary(("+", "-"), product)

    def product():
        return binary(("*", "/"), unary)

    def unary():
        if peek() == "-":
            take()
            return ("neg", unary())
        return power()

    # binds tighter than a sign before it, looser than one after it: -2^-1 is -(2^(-1))
    def power():
        base = atom()
        if peek() == "^":
            take()
            return ("^", base, unary())
        return base

    def atom():
        t = take()
        if t == "(":
            inner = total()
            take(")")
            return inner
        if t[0].isdigit():
            return ("num", t.replace("_", ""))
        if t[0].isalpha():
            return ("name", t)
        raise Bad(f"cannot read '{text.strip()}' at '{t}'")

    tree = total()
    if at != len(tokens):
        raise Bad(f"cannot read '{text.strip()}' at '{peek()}'")
    return tree


def has_x(tree, names):
    if tree[0] == "name":
        return has_x(names[tree[1]], names) if tree[1] in names else tree[1] == "x"
    return any(has_x(t, names) for t in tree[1:] if isinstance(t, tuple))


class Integers:
    def __init__(self, modulus=None):
        if modulus is not None and modulus < 1:
            raise Bad(f"modulus {modulus}")
        self.m = modulus

    def num(self, text):
        return self.cut(int(text, 0))

    def x(self):
        raise Bad("x is the variable of polynomials")

    def cut(self, a):
        return a if self.m is None else a % self.m

    def add(self, a, b):
        return self.cut(a + b)

    def neg(self, a):
        return self.cut(-a)

    def mul(self, a, b):
        return self.cut(a * b)

    def inv(self, a):
        if self.m is None:
            if a in (1, -1):
                return a
            raise Bad(f"no inverse of {a} without a modulus")
        try:
            return pow(a, -1, self.m)
        except ValueError:
            raise Bad(f"{a} has no inverse mod {self.m}")


class Polynomials:
    """Polynomials over GF(2), as integers whose bits are the coefficients."""

    def __init__(self, modulus=None):
        if modulus is not None and modulus < 2:
            raise Bad("a constant is not a modulus")
        self.m = modulus

    def num(self, text):
        if text[:2].lower() != "0x" and text not in ("0", "1"):
            raise Bad(f"{text} is not a polynomial: 0, 1 or 0x...")
        return self.cut(int(text, 0))

    def x(self):
        return self.cut(2)

    def cut(self, a):
        return a if self.m is None else self.divide(a, self.m)[1]

    @staticmethod
    def divide(a, b):
        q = 0
        while a.bit_length() >= b.bit_length():
            s = a.bit_length() - b.bit_length()
            a ^= b << s
            q |= 1 << s
        return q, a

    def add(self, a, b):
        return a ^ b

    def neg(self, a):
        return a

    def mul(self, a, b):
        r = 0
        while b:
            low = b & -b
            r ^= a * low
            b ^= low
        return self.cut(r)

    def inv(self, a):
        if self.m is None:
            if a == 1:
                return 1
            raise Bad("no inverse without a modulus")
        free = Polynomials()
        r0, r1, s0, s1 = self.m, a, 0, 1
        while r1:
            q, r = self.divide(r0, r1)
            r0, r1, s0, s1 = r1, r, s1, s0 ^ free.mul(q, s1)
        if r0 != 1:
            raise Bad(f"{a:#x} has no inverse mod {self.m:#x}")
        return self.cut(s0)


def evaluate(tree, ring, names, depth=0):
    if depth > 200:
        raise Bad("a name is defined by itself")
    op = tree[0]
    if op == "num":
        return ring.num(tree[1])
    if op == "name":
        if tree[1] in names:
            return evaluate(names[tree[1]], ring, names, depth + 1)
        if tree[1] == "x":
            return ring.x()
        raise Bad(f"{tree[1]} is not defined")
    a = evaluate(tree[1], ring, names, depth + 1)
    if op == "neg":
        return ring.neg(a)
    if op == "^":
        return power(a, evaluate(tree[2], Integers(), names, depth + 1), ring)
    b = evaluate(tree[2], ring, names, depth + 1)
    if op == "+":
        return ring.add(a, b)
    if op == "-":
        return ring.add(a, ring.neg(b))
    if op == "/" and ring.m is None and isinstance(ring, Integers):
        if b == 0 or a % b:
            raise Bad(f"{a}/{b} is not an integer")
        return a // b
    if op == "/" and ring.m is None:
        quotient, rest = ring.divide(a, b) if b else (0, 1)
        if rest:
            raise Bad(f"{a:#x}/{b:#x} is not a polynomial")
        return quotient
    return ring.mul(a, ring.inv(b) if op == "/" else b)


def power(a, e, ring):
    if e < 0:
        a, e = ring.inv(a), -e
    if ring.m is None and e > 1 << 20:
        raise Bad("such an exponent needs a modulus")
    r = ring.num("1")
    while e:
        if e & 1:
            r = ring.mul(r, a)
        a, e = ring.mul(a, a), e >> 1
    return r


def is_prime(n):
    if n < 4:
        return n in (2, 3)
    if n % 2 == 0:
        return False
    s = ((n - 1) & -(n - 1)).bit_length() - 1
    d = (n - 1) >> s
    rng = random.Random(n)
    for _ in range(40):
        y = pow(rng.randrange(2, n - 1), d, n)
        if y in (1, n - 1):
            continue
        for _ in range(s - 1):
            y = y * y % n
            if y == n - 1:
                break
        else:
            return False
    return True


def is_irreducible(m):
    """Rabin, SIAM J. Comput. 9(2), 1980: x^(2^n) == x, and x^(2^(n/p)) - x is prime to m for each
    prime p | n."""
    ring, n = Polynomials(m), m.bit_length() - 1
    if n < 1:
        return False

    def frobenius(times):
        a = ring.x()
        for _ in range(times):
            a = ring.mul(a, a)
        return a

    if frobenius(n) != ring.x():
        return False
    for p in (p for p in range(2, n + 1) if n % p == 0 and is_prime(p)):
        try:
            ring.inv(frobenius(n // p) ^ ring.x())
        except Bad:
            return n == 1
    return True
