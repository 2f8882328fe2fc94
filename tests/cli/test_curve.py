"""curve: lists, the table of rounds, and scalar multiplication over fields with random polynomials,
compared with affine arithmetic; keys, signatures and key agreement on binary curves."""

import json
import os
import random

import case

# Koblitz curves y^2 + xy = x^3 + a x^2 + 1: m, a, cofactor, n. The number of points is the same for
# every polynomial of the field.
KOBLITZ = [
    (163, 1, 2, 0x4000000000000000000020108A2E0CC0D99F8A5EF),
    (233, 0, 4, 0x8000000000000000000000000000069D5BB915BCD46EFB1AD5F173ABDF),
]


class Field:
    def __init__(self, f):
        self.f, self.m = f, f.bit_length() - 1

    def reduce(self, a):
        while a >> self.m:
            a ^= self.f << a.bit_length() - 1 - self.m
        return a

    def mul(self, a, b):
        z = 0
        while b:
            z, a, b = z ^ (a if b & 1 else 0), a << 1, b >> 1
        return self.reduce(z)

    def sqr(self, a):
        return self.reduce(int(bin(a)[2:], 4))

    def inv(self, a):
        u, v, g, h = a, self.f, 1, 0
        while u != 1:
            j = u.bit_length() - v.bit_length()
            if j < 0:
                u, v, g, h, j = v, u, h, g, -j
            u, g = u ^ v << j, g ^ h << j
        return self.reduce(g)

    def half_trace(self, a):
        z = a
        for _ in range((self.m - 1) // 2):
            z = self.sqr(self.sqr(z)) ^ a
        return z

    def irreducible(self):
        """Ben-Or's test: t^(2^i) - t is coprime to f for every i up to m/2."""
        x = 2
        for _ in range(self.m // 2):
            x = self.sqr(x)
            a, b = self.f, x ^ 2
            while b:
                while a.bit_length() >= b.bit_length():
                    a ^= b << a.bit_length() - b.bit_length()
                a, b = b, a
            if a != 1:
                return False
        return True


def add(F, a, P, Q):
    if P is None or Q is None:
        return P or Q
    (x, y), (u, v) = P, Q
    if x == u and y ^ v == x:
        return None
    slope = x ^ F.mul(y, F.inv(x)) if x == u else F.mul(y ^ v, F.inv(x ^ u))
    z = F.sqr(slope) ^ slope ^ a ^ (0 if x == u else x ^ u)
    return z, F.mul(slope, x ^ z) ^ z ^ y


def times(F, a, k, P):
    R = None
    for bit in bin(k)[2:]:
        R = add(F, a, R, R)
        if bit == "1":
            R = add(F, a, R, P)
    return R


def irreducible(m, kind, r):
    """A field with a random irreducible polynomial of degree m: of three terms, of five, or of
    about half of all."""
    while True:
        middle = {"trinomial": lambda: [r.randrange(1, m)],
                  "pentanomial": lambda: r.sample(range(1, m), 3),
                  "dense": lambda: [i for i in range(1, m) if r.random() < 0.5]}[kind]()
        F = Field(1 << m | sum(1 << i for i in middle) | 1)
        if F.irreducible():
            return F


def on_card(name):
    """The number of curves that a card lists."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cards")
    with open(os.path.join(folder, f"{name}.card"), encoding="utf-8") as f:
        return sum(line.startswith("curve ") for line in f)


def generator(F, a, h, r):
    """A random point, times the cofactor h."""
    while True:
        x = r.randrange(1, 1 << F.m)
        c = x ^ a ^ F.sqr(F.inv(x))
        w = F.half_trace(c)
        if F.sqr(w) ^ w == c:
            P = times(F, a, h, (x, F.mul(x, w)))
            if P:
                return P


class Curves(case.Case):
    def test_list(self):
        rows = self.json("curve", "list")["curves"]
        self.assertEqual(len(rows), on_card("sec2") + on_card("other_curves"))
        by_name = {row["name"]: row for row in rows}
        self.assertEqual(by_name["sect233r1"]["polynomial"], "t^233 + t^74 + 1")
        self.assertEqual(by_name["c2pnb176v1"]["cofactor"], 65390)
        self.assertEqual(by_name["dstu4145-257"]["oid"], "1.2.804.2.1.1.1.1.3.1.1.2.6")
        self.assertIn("sect571k1", self.out("curve", "list").decode())

    def test_table(self):
        """Table 2 of Gura, Eberle and Chang Shantz (2002), with sect239k1 corrected: at 256 bits
        sect113 and sect131 need three rounds, sect239k1 four, the other fields that fit two."""
        rows = {r["curve"]: (r["least"], r.get("at_256"), r["words"])
                for r in self.json("curve", "table")["rounds"]}
        want = {"sect239k1": (3, 4, 4)}
        for name in rows:
            small = name.startswith("sect113") or name.startswith("sect131")
            large = name[4:7] in ("283", "409", "571")
            self.assertEqual(rows[name],
                             want.get(name, (2, None if large else 3 if small else 2, 2)), name)
        self.assertEqual(len(rows), on_card("sec2"))
        self.assertIn("needs four", self.out("curve", "table").decode())

    def test_explain(self):
        r = self.json("curve", "explain", "--register", "256", "sect239k1")
        self.assertEqual((r["m"], r["k"], r["n"], r["rounds"]), (239, 158, 256, 4))
        self.assertEqual(set(r["cost"]), {"full", "partial", "barrett", "montgomery"})
        self.assertEqual(self.json("curve", "explain", "--way", "partial", "1.3.132.0.27")["way"],
                         "partial")
        self.assertIn("<-", self.out("curve", "explain", "dstu4145-431").decode())
        self.assertIn("did you mean sect233r1",
                      self.err("curve", "explain", "sect233r", exit=case.USAGE))
        self.err("curve", "explain", "--register", "256", "sect283k1", exit=case.USAGE)
        self.err("curve", "explain", "--register", "255", "sect233k1", exit=case.USAGE)

    def test_any_polynomial(self):
        r = random.Random(7)
        for m, a, h, n in KOBLITZ:
            for kind in ("trinomial", "pentanomial", "dense"):
                if kind == "trinomial" and m == 163:
                    continue   # no irreducible trinomial
                F = irreducible(m, kind, r)
                P = generator(F, a, h, r)
                file = {"polynomial": f"{F.f:x}", "a": f"{a:x}", "b": "1", "x": f"{P[0]:x}",
                        "y": f"{P[1]:x}", "order": f"{n:x}"}
                if kind != "dense":
                    file["polynomial"] = [i for i in range(m + 1) if F.f >> i & 1]
                self.write("c.json", json.dumps(file))
                k = r.randrange(2, n)
                x, y = times(F, a, k, P)
                digits = 2 * ((m + 7) // 8)
                want = f"04{x:0{digits}x}{y:0{digits}x}"
                for way in ("auto", "full", "partial", "barrett", "montgomery"):
                    for register in (["--register", "256"], []):
                        got = self.json("curve", "mul", "--way", way, *register, "c.json",
                                        f"{k:x}")["point"]
                        self.assertEqual(got, want, f"{kind} {way} {F.f:x}")
                got = self.out("curve", "mul", "--point", want, "c.json",
                               f"{n - 1:x}").decode().strip()
                self.assertEqual(got, f"04{x:0{digits}x}{x ^ y:0{digits}x}")
                self.err("curve", "mul", "c.json", f"{n:x}", exit=case.INPUT)

    def test_refused(self):
        good = {"polynomial": [163, 7, 6, 3, 0], "a": "1", "b": "1",
                "x": "2fe13c0537bbc11acaa07d793de4e6d5e5c94eee8",
                "y": "289070fb05d38ff58321f2e800536d538ccdaa3d9",
                "order": "4000000000000000000020108a2e0cc0d99f8a5ef"}
        self.write("c.json", json.dumps(good))
        self.ty("curve", "explain", "c.json")
        for change, text in [({"polynomial": [163, 7, 6, 0]}, "reducible"), ({"b": "0"}, "b is 0"),
                             ({"x": "1"}, "not on the curve"),
                             ({"order": "4000000000000000000020108a2e0cc0d99f8a5ed"}, "order"),
                             ({"cofactor": 4}, "cofactor"),
                             ({"a": 1}, "string"), ({"polynomial": [2000]}, "1023"),
                             ({"polynomial": []}, "degree"),
                             ({"y": "f" * 42}, "degree"), ({"y": "f" * 44}, "longer"),
                             ({"order": "0"}, "order")]:
            self.write("bad.json", json.dumps(dict(good, **change)))
            self.assertIn(text, self.err("curve", "explain", "./bad.json", exit=case.INPUT))
        self.write("bad.json", "[]")
        self.err("curve", "explain", "bad.json", exit=case.INPUT)
        self.err("curve", "explain", "none.json", exit=case.INPUT)
        self.err("curve", "mul", "sect163k1", "1" * 50, exit=case.USAGE)
        self.err("curve", "mul", "--point", "04" + "00" * 42, "sect163k1", "2", exit=case.INPUT)


class Keys(case.Case):
    def make(self, name, curve="sect163k1", *more):
        self.ty("keygen", "--curve", curve, "-o", name + ".pem", "--pub", name + ".pub", *more)

    def test_inspect_and_forms(self):
        self.make("k")
        shown = self.json("inspect", "k.pem")
        self.assertEqual((shown["kind"], shown["curve"], shown["form"]),
                         ("EC private key", "sect163k1", "PKCS#8"))
        self.assertEqual("04" + shown["x"] + shown["y"],
                         self.out("pubkey", "--format", "hex", "k.pem").decode().strip())
        half = self.out("pubkey", "--format", "hex", "--compressed", "k.pem").decode().strip()
        self.assertIn(half[:2], ("02", "03"))
        self.assertEqual(half[2:], shown["x"])
        self.write("pw", "secret")
        for options in (["--format", "sec1"], ["--coding", "der"],
                        ["--new-password-file", "pw", *case.QUICK],
                        ["--format", "spki"], ["--format", "sec1", "--coding", "der"]):
            self.ty("convert", "-f", *options, "-o", "other", "k.pem")
            locked = ["--password-file", "pw"] if "pw" in options else []
            self.assertEqual(self.json("inspect", *locked, "other")["fingerprint"],
                             shown["fingerprint"])
            self.assertEqual(self.out("pubkey", *locked, "other"), self.read("k.pub"))
            self.assertEqual(self.mode("other"),
                             0o644 & ~self.umask() if "spki" in options else 0o600)
        self.out("pubkey", "--compressed", "-o", "small.pub", "k.pem")
        self.assertEqual(self.json("inspect", "small.pub")["fingerprint"], shown["fingerprint"])
        self.assertEqual(self.json("keygen", "-f", "--alg", "ec", "--curve", "1.3.132.0.27", "-o",
                                   "k.pem")["curve"], "sect233r1")

    def umask(self):
        mask = os.umask(0)
        os.umask(mask)
        return mask

    def test_signatures(self):
        self.make("k")
        self.write("f", "Dear Bob")
        self.write("g", "Dear Eve")
        for form in ([], ["--raw"], ["--hex"], ["--raw", "--hex"]):
            for hash in ([], ["--hash", "sm3"], ["--hash", "sha3-512"]):
                self.ty("sign", "-f", "-k", "k.pem", *form, *hash, "-o", "sig", "f")
                self.assertEqual(self.out("verify", "-k", "k.pub", *hash, "-s", "sig", "f"),
                                 b"f: OK\n")
                self.ty("verify", "-k", "k.pub", *hash, "-s", "sig", "g", exit=case.REFUSED)
                self.ty("verify", "-k", "k.pub", "--hash", "sha224", "-s", "sig", "f",
                        exit=case.REFUSED)
        one, two, three, four = (self.out("sign", "-k", "k.pem", "--hex", *x, "f")
                                 for x in ([], [], ["--deterministic"], ["--deterministic"]))
        self.assertNotEqual(one, two)
        self.assertEqual(three, four)
        seen = self.json("sign", "-k", "k.pem", "f")
        self.assertEqual((seen["alg"], seen["curve"], seen["hash"], seen["format"]),
                         ("ec", "sect163k1", "sha256", "der"))
        self.write("bad", "nonsense")
        self.assertIn("not a signature of ECDSA",
                      self.err("verify", "-k", "k.pub", "-s", "bad", "f", exit=case.INPUT))
        for options in (["--id", "me"], ["--context", "a"], ["--prehash", "sha256"], ["--mu"],
                        ["--alg", "sm2"], ["--hash", "md5"]):
            self.err("sign", "-k", "k.pem", "--hex", *options, "f", exit=case.USAGE)
        sm2, _ = self.keys("sm2")
        for options in (["--hash", "sha256"], ["--scheme", "dstu4145"]):
            self.err("sign", "-k", sm2, "--hex", *options, "f", exit=case.USAGE)

    def test_dstu4145(self):
        self.make("k", "dstu4145-163")
        self.write("f", "Dear Bob")
        self.write("g", "Dear Eve")
        scheme = ["--scheme", "dstu4145"]
        for form in ([], ["--hex"]):
            self.ty("sign", "-f", "-k", "k.pem", *scheme, *form, "-o", "sig", "f")
            self.assertEqual(self.out("verify", "-k", "k.pub", *scheme, "-s", "sig", "f"),
                             b"f: OK\n")
            self.ty("verify", "-k", "k.pub", *scheme, "-s", "sig", "g", exit=case.REFUSED)
            self.ty("verify", "-k", "k.pub", *scheme, "--hash", "sm3", "-s", "sig", "f",
                    exit=case.REFUSED)
        self.ty("sign", "-f", "-k", "k.pem", "--raw", "-o", "sig", "f")   # by ECDSA
        self.ty("verify", "-k", "k.pub", *scheme, "-s", "sig", "f", exit=case.REFUSED)
        seen = self.json("sign", "-k", "k.pem", *scheme, "f")
        self.assertEqual((seen["scheme"], seen["curve"], seen["format"]),
                         ("dstu4145", "dstu4145-163", "raw"))
        self.write("bad", "nonsense")
        self.assertIn("not a signature of DSTU 4145",
                      self.err("verify", "-k", "k.pub", *scheme, "-s", "bad", "f", exit=case.INPUT))

    def test_agreement(self):
        for curve in ("sect233k1", "c2pnb163v1"):
            self.make("a", curve, "-f")
            self.make("b", curve, "-f")
            for options in ([], ["--cofactor"], ["--length", "40"]):
                secret = self.out("derive", "-k", "a.pem", "-p", "b.pub", *options)
                self.assertEqual(secret, self.out("derive", "-k", "b.pem", "-p", "a.pub", *options))
            self.assertNotEqual(self.out("derive", "-k", "a.pem", "-p", "b.pub"),
                                self.out("derive", "-k", "a.pem", "-p", "b.pub", "--cofactor"))
        self.make("c", "sect233r1")
        self.keys("s")
        self.ty("keygen", "--alg", "ml-dsa-44", "-o", "m.pem", "--pub", "m.pub")
        self.assertIn("c2pnb163v1",
                      self.err("derive", "-k", "a.pem", "-p", "c.pub", exit=case.INPUT))
        self.err("derive", "-k", "a.pem", "-p", "s.pub", exit=case.INPUT)
        self.err("derive", "-k", "s.pem", "-p", "a.pub", exit=case.INPUT)
        self.assertIn("ML-DSA", self.err("derive", "-k", "m.pem", "-p", "m.pub", exit=case.INPUT))
        self.err("derive", "-k", "s.pem", "-p", "s.pub", "--cofactor", exit=case.USAGE)

    def test_curves_without_a_name(self):
        """With a pentanomial the key's file has explicit parameters; with a polynomial that X9.62
        cannot encode, it does not have the curve."""
        small = {"polynomial": "206f", "a": "1", "b": "9", "x": "3", "y": "1ccd", "order": "1003"}
        penta = {"polynomial": [163, 7, 6, 3, 0], "a": "1", "b": "1",
                 "x": "2fe13c0537bbc11acaa07d793de4e6d5e5c94eee8",
                 "y": "289070fb05d38ff58321f2e800536d538ccdaa3d9",
                 "order": "4000000000000000000020108a2e0cc0d99f8a5ef"}
        self.write("f", "Dear Bob")
        for curve, other in ((small, penta), (penta, small)):
            self.write("own.json", json.dumps(curve))
            self.write("other.json", json.dumps(other))
            self.make("k", "own.json", "-f")
            self.make("l", "./own.json", "-f")
            use = ["--curve", "own.json"]
            self.assertIn("--curve", self.err("pubkey", "k.pem", exit=case.INPUT))
            self.err("pubkey", "--curve", "other.json", "k.pem", exit=case.INPUT)
            self.err("pubkey", "--curve", "sect163k1", "k.pem", exit=case.INPUT)
            self.assertEqual(self.out("pubkey", *use, "k.pem"), self.read("k.pub"))
            self.assertEqual(self.json("inspect", *use, "k.pub")["curve"], "own.json")
            self.ty("convert", "-f", *use, "--format", "sec1", "-o", "sec1.pem", "k.pem")
            self.assertEqual(self.out("convert", *use, "sec1.pem"), self.read("k.pem"))
            self.ty("sign", "-f", *use, "-k", "k.pem", "-o", "sig", "f")
            self.ty("verify", *use, "-k", "k.pub", "-s", "sig", "f")
            self.assertEqual(self.out("derive", *use, "-k", "k.pem", "-p", "l.pub"),
                             self.out("derive", *use, "-k", "l.pem", "-p", "k.pub"))

    def test_speed_next_to_the_article(self):
        rows = self.json("speed", "ec2m", "--seconds", "0.05")["ec2m"]
        self.assertEqual(len(rows), 15)
        for row in rows:
            self.assertAlmostEqual(row["ms"] * row["op_per_s"], 1000, 6)
        hardware = [row["source_hardware_op_per_s"]
                    for row in rows if "source_hardware_op_per_s" in row]
        self.assertEqual(hardware, [6987, 1075, 5359, 911, 4438, 757])
        text = self.out("speed", "ec2m", "--seconds", "0.05").decode()
        self.assertRegex(text, r"(?m)^named +\d+ +0\.\d{4} +\d+ +- +5359 +0\.19$")
        self.assertRegex(text, r"(?m)^generic, partial reduction +\d.* 35 +28\.87 +757 +1\.32$")

    def test_mistakes(self):
        self.assertIn("sect233r1",
                      self.err("keygen", "--curve", "sect233r2", "-o", "x", exit=case.USAGE))
        self.assertIn("no curve", self.err("keygen", "--alg", "ec", "-o", "x", exit=case.USAGE))
        self.err("keygen", "--alg", "sm2", "--curve", "sect163k1", "-o", "x", exit=case.USAGE)
        self.err("keygen", "--curve", "sect163k1", "--content", "seed", "-o", "x", exit=case.USAGE)
        self.err("keygen", "--curve", "none.json", "-o", "x", exit=case.INPUT)
        sm2, _ = self.keys("sm2")
        self.err("inspect", "--curve", "sect163k1", sm2, exit=case.INPUT)
        self.err("pubkey", "--compressed", sm2, exit=case.USAGE)
        self.make("k")
        self.write("f", "x")
        text = self.err("encrypt", "-k", "k.pub", "-o", "x", "f", exit=case.INPUT)
        self.assertIn("a sect163k1 public key", text)
        self.assertEqual(self.files(), ["f", "k.pem", "k.pub", "sm2.pem", "sm2.pub"])


if __name__ == "__main__":
    case.main()
