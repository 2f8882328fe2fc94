"""calc and prime, compared with Python's integers."""

import math
import random

import case
from case import INPUT, USAGE

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/"


def text(n, base):
    s, m = "", abs(n)
    while m or not s:
        m, d = divmod(m, base)
        s = DIGITS[d] + s
    return "-" + s if n < 0 else s


class Calc(case.Case):
    def lines(self, *expressions, base=None):
        out = self.out("calc", *(["--base", base] if base else []),
                       stdin="\n".join(expressions).encode() + b"\n")
        return out.decode().splitlines()

    def test_precedence(self):
        pairs = {"1 + 2 * 3": 7, "(1 + 2) * 3": 9, "2^3^2": 512, "-2^2": -4, "(-2)^3": -8,
                 "2^-0": 1, "10 - 3 - 2": 5, "100 / 7 / 2": 7,
                 "-7 / 2": -3, "-7 % 2": -1, "7 % -2": 1, "- - +3": 3, "2*-3": -6, "0^0": 1,
                 "1^99999999999999999999": 1,
                 "(0-1)^99999999999999999999": -1, " 0x10+0b11 + 0o17\t": 34, "36#zz": 1295,
                 "64#+/": 62 * 64 + 63, "62#z": 61, "007": 7}
        self.assertEqual(self.lines(*pairs), [str(v) for v in pairs.values()])
        self.assertEqual(self.out("calc", "1", "+", "1"), b"2\n")
        self.assertEqual(self.out("calc", "--", "-5", "+", "3"), b"-2\n")
        self.assertEqual(self.out("calc", "-5", "+", "3"), b"-2\n")
        self.assertEqual(self.out("calc", "--base", "16", "-7*5 - 1"), b"-24\n")
        self.assertIn("put -- before", self.err("calc", "-(2 + 3)", exit=USAGE))
        self.assertIn("'-5'", self.err("prime", "-5", exit=USAGE))

    def test_functions(self):
        p, q = 2**127 - 1, 2**89 - 1
        pairs = {f"powmod(3, {q}, {p})": pow(3, q, p), "powmod(3, -1, 7)": 5,
                 f"inv(12345, {p})": pow(12345, -1, p), f"mod(-1, {p})": p - 1,
                 "gcd(12, -18, 27)": 3, "lcm(4, 6, 10)": 60, "gcd(0)": 0, "jacobi(2, 15)": 1,
                 f"jacobi(3, {p})": -1, f"isprime({p})": 1,
                 "isprime(561)": 0, f"isprime({p * q})": 0, "nextprime(113)": 127,
                 "nextprime(-5)": 2, "sqrt(10^40 - 1)": 10**20 - 1,
                 "root(-28, 3)": -3, "root(2^100, 50)": 4, "abs(-3)": 3, "bits(255)": 8,
                 "and(12, -6)": 8, "or(12, 3)": 15, "xor(-1, 5)": -6}
        self.assertEqual(self.lines(*pairs), [str(v) for v in pairs.values()])

    def test_random_expressions(self):
        r = random.Random(1)
        rows, want = [], []
        for _ in range(200):
            a, b = r.getrandbits(r.randrange(1, 900)), r.getrandbits(r.randrange(1, 700)) + 1
            base = r.randrange(2, 65)
            rows.append(f"({a} - 0x{b:x}) * {base}#{text(b, base)} + {a} % {b} / 3 + gcd({a}, {b})")
            want.append(str((a - b) * b + a % b // 3 + math.gcd(a, b)))
        self.assertEqual(self.lines(*rows), want)
        for base in (2, 7, 16, 36, 37, 62, 64):
            self.assertEqual(self.lines(want[0], "0-255", base=base),
                             [text(int(want[0]), base), text(-255, base)])

    def test_names(self):
        self.assertEqual(self.lines("# a remark", "x = 5", "", "y2=x*x", "_ + x", "x = x + 1", "_"),
                         ["5", "25", "30", "6", "6"])
        self.assertIn("did you mean sqrt?", self.err("calc", "sqr(4)", exit=USAGE))
        self.err("calc", "_ = 3", exit=USAGE)
        self.assertEqual(self.lines("1", " quit ", "foo"), ["1"])
        self.assertEqual(self.lines("exit", "1"), [])

    def test_files(self):
        self.write("dec", "12345\n67890\n")
        self.write("hex", " -0xFF \n")
        self.write("raw", bytes([1, 0, 2]))
        self.write("b36", "zz")
        self.write("bad", "12a")
        self.write("empty", "")
        self.assertEqual(self.out("calc", 'file("dec") + file("hex") + bytes("raw") + '
                                  'file("b36", 36) + bytes("empty")'),
                         f"{1234567890 - 255 + 65538 + 1295}\n".encode())
        for name in ("bad", "empty", "missing"):
            self.assertIn(name, self.err("calc", f'file("{name}")', exit=INPUT))
        self.err("calc", 'file("dec", 65)', exit=USAGE)
        self.err("calc", "file(dec)", exit=USAGE)
        self.err("calc", 'file("dec', exit=USAGE)

    def test_mistakes_have_a_place(self):
        places = {"1 +": 4, "1 + * 2": 5, "(1 + 2": 7, "1 2": 3, "foo + 1": 1, "2 + 12ab": 5,
                  "gcd(1, 2": 9, "1 + inv(1)": 5, "": 1, "99#1": 1,
                  "0x": 3, "16#": 4, "4 $ 2": 3, "f(": 1}
        for expression, column in places.items():
            self.assertIn(f"column {column}: ", self.err("calc", expression, exit=USAGE),
                          expression)
        for expression, column in {"5 / (2 - 2)": 3, "7 % 0": 3, "1 + inv(2, 4)": 5, "sqrt(0-1)": 1,
                                   "root(5, 0)": 1, "2^-1": 2, "2^2^40": 2, "powmod(2, 2, 0)": 1,
                                   "3^999999999": 2}.items():
            self.assertIn(f"column {column}: ", self.err("calc", expression, exit=INPUT),
                          expression)
        self.assertIn("line 3, column 4: ", self.err("calc", exit=USAGE, stdin=b"1\n\n1 +* 2\n5\n"))
        self.assertIn("more than 268435456 bits", self.err("calc", "2^(10^30)", exit=INPUT))
        # a character of several bytes is shown whole
        self.assertIn("found '\u2212'", self.err("calc", "1 + \u2212", exit=USAGE))
        for deep in ("(" * 100000, "-" * 100000 + "1", "gcd(" * 5000):
            self.err("calc", "--", deep, exit=USAGE)
        self.err("calc", "--base", "65", "1", exit=USAGE)

    def test_json(self):
        self.assertEqual(self.json("calc", "--base", "16", "255"),
                         {"base": 16, "results": [{"expression": "255", "value": "FF"}]})
        self.assertIn("column 2", self.json("calc", "1)", exit=USAGE)["error"])
        self.assertEqual([r["value"] for r in self.json("calc", stdin=b"1\n2\n")["results"]],
                         ["1", "2"])

    def test_prime(self):
        def is_prime(n):
            return (n > 1 and all(n % d for d in range(2, min(n, 2000)))
                    and (n < 4000000 or pow(3, n - 1, n) == 1))

        for bits in (2, 3, 4, 5, 6, 12, 64, 300):
            p = int(self.out("prime", bits))
            self.assertTrue(is_prime(p) and p.bit_length() == bits, p)
        for bits in (3, 4, 5, 6, 40):
            p = int(self.out("prime", bits, "--safe", "--base", "16"), 16)
            self.assertTrue(is_prime(p) and is_prime(p // 2) and p.bit_length() == bits, p)
        seen = self.json("prime", "100")
        self.assertEqual((seen["bits"], seen["safe"], int(seen["prime"]).bit_length()),
                         (100, False, 100))
        self.assertNotEqual(self.out("prime", 100), self.out("prime", 100))
        for words in (["1"], ["x"], [], ["2", "--safe"], ["20001"]):
            self.err("prime", *words, exit=USAGE)


if __name__ == "__main__":
    case.main()
