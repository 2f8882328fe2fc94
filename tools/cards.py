#!/usr/bin/env python3
"""Check the arithmetic written on the cards of src/mod and src/f2m: every line with an == is computed.

    cards.py [-v] [FILE...]   check these headers, or all of src/mod and src/f2m that
                              name a modulus; exit 1 on a false line or an empty card
    cards.py --self-test      prove that false lines, unreadable lines and empty cards fail

A card is the first comment of a header. Its lines are a keyword, two spaces or more, and statements between commas:

    modulus   p = 2^256 - 2^224 - 2^96 + 2^64 - 1    a name for a number
    modulus   m = x^128 + x^7 + x^2 + x + 1          x stands for nothing else: a polynomial over GF(2)
    identity  2^256 == 2^224 + 2^96 - 2^64 + 1   (mod p)
    mont      R = 2^32, q^-1 == 58728449         (mod R)
    identity  x^(2^128) == x                     (mod m)
    prime     p                                      Miller and Rabin, 40 bases
    irreducible  m                                   Rabin's test

+ - * ^ / and brackets, decimal and 0x numbers (_ may group digits). With (mod M) everything is computed in that ring,
so ^-1 and / are inverses there and exponents may be huge; without it, in the integers. In a ring of polynomials a 0x
number is its bits, and 0 and 1 are the only decimal ones. Words are not read: lines under other keywords without an ==,
and prose (one space after its first word).
"""
import glob
import os
import pathlib
import random
import re
import sys
import tempfile

class Bad(Exception):
    pass


# --- Expressions: nested tuples ('num', text) ('name', n) ('neg', a) (op, a, b) ---------------------------------
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

    def power():    # binds tighter than a sign before it, looser than one after it: -2^-1 is -(2^(-1))
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


# --- Rings -----------------------------------------------------------------------------------------------------
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
    """Over GF(2), as integers whose bits are the coefficients."""

    def __init__(self, modulus=None):
        if modulus is not None and modulus < 2:
            raise Bad("a constant is no modulus")
        self.m = modulus

    def num(self, text):
        if text[:2].lower() != "0x" and text not in ("0", "1"):
            raise Bad(f"{text} is no polynomial: 0, 1 or 0x...")
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
            raise Bad(f"{a}/{b} is no integer")
        return a // b
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
    """Rabin, SIAM J. Comput. 9(2), 1980: x^(2^n) == x, and x^(2^(n/p)) - x is prime to m for each prime p | n."""
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


# --- Cards -----------------------------------------------------------------------------------------------------
def lines_of(text):
    """(line number, keyword, rest) of the first comment's keyword lines."""
    m = re.search(r"/\*.*?\*/", text, flags=re.S)
    if not m:
        return
    first = text[:m.start()].count("\n") + 1
    for i, line in enumerate(m.group().rstrip("*/").split("\n")):
        k = re.match(r"\s*(?:/\*+|\*)\s*([A-Za-z]\w*)\s{2,}(\S.*?)\s*$", line)
        if k:
            yield first + i, k.group(1), k.group(2)


def ring_for(modulus_text, trees, names):
    if modulus_text is not None:
        tree = parse(modulus_text)
        kind = Polynomials if has_x(tree, names) else Integers
        return kind(evaluate(tree, kind(), names))
    return Polynomials() if any(has_x(t, names) for t in trees) else Integers()


def check_line(keyword, rest, names):
    """How many statements of the line were computed; raises Bad when one is false or unreadable."""
    count = 0
    if keyword in ("prime", "irreducible"):
        for word in re.split(r"[,\s]+", rest):
            if keyword == "prime" and not is_prime(evaluate(parse(word), Integers(), names)):
                raise Bad(f"{word} is not prime")
            if keyword == "irreducible" and not is_irreducible(evaluate(parse(word), Polynomials(), names)):
                raise Bad(f"{word} is not irreducible")
            count += 1
        return count
    if "==" not in rest and keyword not in ("modulus", "identity", "mont"):
        return 0            # loose, canonical, headroom, ... : ranges, in words
    modulus = None
    m = re.search(r"\(mod ([^=,]+)\)\s*(\[[^]]*\])?$", rest)
    if m:
        modulus, rest = m.group(1), rest[:m.start()]
    rest = re.sub(r"\s*\[[^]]*\]\s*$", "", rest)    # a citation at the end
    for part in rest.split(","):
        if "==" in part:
            sides = [parse(s) for s in part.split("==")]
            ring = ring_for(modulus, sides, names)
            values = [evaluate(s, ring, names) for s in sides]
            if any(v != values[0] for v in values):
                raise Bad(f"{part.strip()}{' (mod ' + modulus + ')' if modulus else ''} is false: " +
                          " against ".join(f"{v:#x}" for v in values))
            count += 1
        else:
            d = re.match(r"\s*([A-Za-z]\w*)\s*=(.*)$", part)
            if not d:
                raise Bad(f"cannot read '{part.strip()}'")
            if d.group(1) in names or d.group(1) == "x":
                raise Bad(f"{d.group(1)} has a meaning already")
            names[d.group(1)] = parse(d.group(2))
    return count


def check_file(path, verbose=False):
    """(number of statements computed, messages)"""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    names, count, wrong, said_modulus = {}, 0, [], False
    for number, keyword, rest in lines_of(text):
        said_modulus |= keyword == "modulus"
        try:
            n = check_line(keyword, rest, names)
        except Bad as e:
            wrong.append(f"{path}:{number}: {keyword}: {e}")
            continue
        count += n
        if verbose and n:
            print(f"{path}:{number}: {keyword} {rest}: true")
    if not said_modulus:
        wrong.append(f"{path}: no card: its first comment has no line 'modulus  name = ...'")
    elif count == 0 and not wrong:
        wrong.append(f"{path}: an empty card: no line with == was computed")
    return count, wrong


def self_test():
    def card(*lines):
        return "/* A card.\n *\n" + "".join(f" * {line}\n" for line in lines) + " */\n#define X\n"
    q = "modulus    q = 2^23 - 2^13 + 1                       [FIPS204]"
    m = "modulus    m = x^128 + x^7 + x^2 + x + 1"
    good = [
        card(q, "identity   2^23 == 2^13 - 1      (mod q)", "loose      (-q, q)       canonical  [0, q)",
             "prime  q", "mont       R = 2^32, q^-1 == 58728449, q * 58728449 == 1   (mod R)",
             "prose with 1 == 2 is not read"),
        card(m, "identity   x^128 == x^7 + x^2 + x + 1      (mod m)", "irreducible  m", "identity  x^(2^128) == x  (mod m)",
             "identity   x^-1 == x^127 + x^6 + x + 1      (mod m)", "identity   m - x^128 == 0x87"),
        card("modulus    p = 7", "identity   -1/2 == 3     (mod p)", "identity  2^3 == 0x_8 == 16/2",
             "identity  -2^2 == 3 (mod p)"),
    ]
    bad = [
        (card(q, "identity   2^23 == 2^13 + 1      (mod q)"), "false"),
        (card(q, "identity   2^23 == 2^13 - 1"), "false without the modulus"),
        (card(m, "identity   x^128 == x^7 + x^2 + x      (mod m)"), "false polynomial"),
        (card(m, "identity   2^128 == 1      (mod m)"), "a number among polynomials"),
        (card(q, "loose      (-q, q)"), "empty card"),
        (card("identity   1 == 1"), "no modulus"),
        ("#define X\n", "no comment"),
        (card(q, "identity   2^23 == 2^13 -      (mod q)"), "unreadable"),
        (card(q, "identity   2^23 == 2^13 - y      (mod q)"), "undefined name"),
        (card(q, "mont       R = 2^32, q^-1 == 58728448     (mod R)"), "wrong inverse"),
        (card(q, "identity   2^-1 == 1     (mod 2^32)"), "no inverse"),
        (card("modulus    q = 2^23 - 2^13 + 3", "identity  q == q", "prime      q"), "composite"),
        (card("modulus    m = x^4 + x^2 + 1", "identity  m == m", "irreducible  m"), "reducible"),
        (card("modulus    m = x^4 + x^3 + x^2 + x", "identity  m == m", "irreducible  m"), "divisible by x"),
        (card(q, "identity  q == q", "mont  q = 3"), "defined twice"),
        (card(q, "identity  1 == 1, 1 == 2"), "second statement false"),
        (card(q, "identity  q == q", "identity  2^23 = 2^13 - 1  (mod q)"), "an identity that is no statement"),
        (card(q, "identity  q == q", "trick  2 == 3"), "a false line under any keyword"),
    ]
    wrong = []
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "card.h")

        def run(text):
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            return check_file(path)
        for text in good:
            wrong += run(text)[1]
        counts = [run(text)[0] for text in good]
        if counts != [4, 5, 3]:
            wrong.append(f"statements computed: {counts}")
        wrong += [f"not caught: {what}" for text, what in bad if not run(text)[1]]
    for w in wrong:
        print("cards.py --self-test:", w, file=sys.stderr)
    if not wrong:
        print(f"cards.py --self-test: {len(good)} true cards pass, {len(bad)} false ones are caught")
    return 1 if wrong else 0


def main():
    args = sys.argv[1:]
    if "-h" in args or "--help" in args:
        print(__doc__.strip())
        return 0
    if "--self-test" in args:
        return self_test()
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    paths = [a for a in args if a != "-v"] or [
        p for folder in ("mod", "f2m") for p in sorted(glob.glob(os.path.join(here, "src", folder, "*.h")))
        if re.search(r"^ \* modulus ", pathlib.Path(p).read_text(encoding="utf-8"), re.M)]
    if not paths:
        print("cards.py: no cards found", file=sys.stderr)
        return 1
    total, wrong = 0, []
    for path in paths:
        count, messages = check_file(os.path.relpath(path), "-v" in args)
        total += count
        wrong += messages
    for w in wrong:
        print(w, file=sys.stderr)
    if not wrong:
        print(f"cards: {total} statements on {len(paths)} cards, all true")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
