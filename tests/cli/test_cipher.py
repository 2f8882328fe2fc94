"""cipher: SM4 in raw modes; sm2: bare ciphertexts; mac."""

import os

import case
from case import INPUT, REFUSED, USAGE

KEY = "0123456789abcdeffedcba9876543210"
IV = "000102030405060708090a0b0c0d0e0f"


class Cipher(case.Case):
    def cipher(self, alg, data, *args, **kw):
        self.write("key", KEY + "\n")
        iv = [] if alg == "sm4-ecb" else ["--iv-hex", IV]
        return self.ty("cipher", "--alg", alg, "--key-file", "key", *iv, *args, stdin=data, **kw)

    def test_the_standard(self):
        """GB/T 32907-2016, A.1; and RFC 8998, A.1 for GCM."""
        self.assertEqual(self.cipher("sm4-ecb", bytes.fromhex(KEY), "--pad", "none").stdout.hex(),
                         "681edf34d206965e86b3e94f536e4246")
        plain = bytes.fromhex("aa" * 8 + "bb" * 8 + "cc" * 8 + "dd" * 8 + "ee" * 8 + "ff" * 8 +
                              "ee" * 8 + "aa" * 8)
        self.write("key", KEY)
        gcm = ["--alg", "sm4-gcm", "--key-file", "key", "--iv-hex", "00001234567800000000abcd",
               "--aad-hex", "feedfacedeadbeeffeedfacedeadbeefabaddad2"]
        self.assertEqual(self.out("cipher", *gcm, "-o", "ct", stdin=plain),
                         b"tag 83de3541e4c2b58177e065a9bf7b62ec\n")
        self.assertEqual(self.read("ct").hex(),
                         "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735"
                         "d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d")
        back = self.out("cipher", *gcm, "-d", "--tag-hex", "83de3541e4c2b58177e065a9bf7b62ec", "ct")
        self.assertEqual(back, plain)

    def test_round_trips(self):
        for alg in ("sm4-ecb", "sm4-cbc", "sm4-ctr"):
            for n in (0, 1, 15, 16, 17, 31, 32, 1000, 262144, 262145, 600000):
                data = os.urandom(n)
                ct = self.cipher(alg, data).stdout
                self.assertEqual(len(ct), n if alg == "sm4-ctr" else n - n % 16 + 16)
                self.assertEqual(self.cipher(alg, ct, "-d").stdout, data)

    def test_gcm(self):
        for n in (0, 1, 16, 262145):
            data = os.urandom(n)
            self.cipher("sm4-gcm", data, "-f", "-o", "ct", "--tag-file", "tag", "--aad-hex", "00ff")
            self.assertEqual(self.cipher("sm4-gcm", b"", "-d", "--tag-file", "tag", "--aad-hex",
                                         "00ff", "ct").stdout,
                             data)
            for args in (["--aad-hex", "00fe"], []):
                p = self.cipher("sm4-gcm", b"", "-d", "--tag-file", "tag", *args, "-o", "out", "ct",
                                exit=REFUSED)
                self.assertNotIn("out", self.files())
                p = self.cipher("sm4-gcm", b"", "-d", "--tag-file", "tag", *args, "ct",
                                exit=REFUSED)
                self.assertEqual(p.stdout, b"")
        self.assertEqual(list(self.tmp.iterdir()), [])
        # ciphertext on stdout, tag on stderr
        tag = self.cipher("sm4-gcm", b"x").stderr.decode().split()[-1]
        self.assertEqual(len(tag), 32)

    def test_usage(self):
        short = ["cipher", "--alg", "sm4-cbc", "--key-hex"]
        self.err(*short, KEY[2:], "--iv-hex", IV, stdin=b"x", exit=USAGE)
        self.err(*short, KEY[:-1] + "g", "--iv-hex", IV, stdin=b"x", exit=USAGE)
        self.err(*short, KEY, "--iv-hex", IV[2:], stdin=b"x", exit=USAGE)
        self.err(*short, KEY, stdin=b"x", exit=USAGE)
        self.err("cipher", "--alg", "sm4-cbc", "--iv-hex", IV, stdin=b"x", exit=USAGE)
        self.err(*short, KEY, "--key-env", "K", "--iv-hex", IV, stdin=b"x", exit=USAGE)
        for alg, extra in (("sm4-ecb", ["--iv-hex", IV]), ("sm4-ctr", ["--pad", "none"]),
                           ("sm4-cbc", ["--aad-hex", "00"])):
            self.cipher(alg, b"x", *extra, exit=USAGE)
        self.cipher("sm4-gcm", b"x", "-d", exit=USAGE)
        self.cipher("sm4-gcm", b"x", "-d", "--tag-hex", "00", exit=USAGE)

    def test_bad_padding_and_bad_lengths(self):
        self.cipher("sm4-cbc", b"x" * 17, "--pad", "none", "-o", "out", exit=INPUT)
        self.cipher("sm4-cbc", b"x" * 17, "-d", "-o", "out", exit=INPUT)
        self.cipher("sm4-cbc", b"", "-d", "-o", "out", exit=INPUT)
        self.cipher("sm4-ecb", bytes(32), "-d", "-o", "out", exit=INPUT)
        self.assertNotIn("out", self.files())

    def test_key_sources(self):
        data = b"sixteen bytes..."
        want = self.cipher("sm4-ctr", data).stdout
        args = ["cipher", "--alg", "sm4-ctr", "--iv-hex", IV]
        self.write("raw", bytes.fromhex(KEY))
        self.assertEqual(self.out(*args, "--key-file", "raw", stdin=data), want)
        p = self.ty(*args, "--key-env", "SM4KEY", stdin=data, env={"SM4KEY": KEY.upper()})
        self.assertEqual((p.stdout, p.stderr), (want, b""))
        p = self.ty(*args, "--key-hex", KEY, stdin=data)
        self.assertEqual(p.stdout, want)
        self.assertEqual(p.stderr.count(b"\n"), 1)
        self.assertIn(b"warning", p.stderr)
        self.assertNotIn(KEY.encode(), p.stderr)
        self.write("half", KEY[:16])   # sixteen digits: eight bytes, or sixteen bare ones
        self.write("line", KEY[:15] + "\n")
        for name in ("half", "line"):
            p = self.ty(*args, "--key-file", name, stdin=data)
            warning = (f"{name} holds {len(self.read(name).strip())} hexadecimal digits and was "
                       "taken for 16 bare bytes")
            self.assertIn(warning, p.stderr.decode())
        self.assertEqual(self.ty(*args, "--key-file", "raw", stdin=data).stderr, b"")

    def test_tiers_agree(self):
        data, seen = os.urandom(5000), {}
        tiers = {row["tier"] for row in self.json("tiers")["tiers"] if row["runs"]}
        self.assertIn("c", tiers)
        for tier in tiers:
            for alg in ("sm4-ecb", "sm4-cbc", "sm4-ctr", "sm4-gcm"):
                p = self.cipher(alg, data, "--tier", tier)
                self.assertEqual(seen.setdefault(alg, (p.stdout, p.stderr)), (p.stdout, p.stderr),
                                 f"{alg} on {tier}")
            self.assertEqual(seen.setdefault("hash", self.out("hash", stdin=data)),
                             self.out("hash", "--tier", tier, stdin=data))


class Sm2(case.Case):
    def setUp(self):
        super().setUp()
        self.key, self.pub = self.keys()

    def test_forms(self):
        for n in (1, 31, 32, 33, 1000):
            data = os.urandom(n)
            for form in ("asn1", "c1c3c2", "c1c2c3"):
                ct = self.out("sm2", "encrypt", "-k", self.pub, "--format", form, stdin=data)
                self.write("ct", ct)
                self.assertEqual(self.out("sm2", "decrypt", "-k", self.key, "ct"), data)
                self.assertEqual(self.out("sm2", "decrypt", "-k", self.key, "--format", form, "ct"),
                                 data)
                seen = self.json("sm2", "decrypt", "-f", "-k", self.key, "-o", "m", "ct")
                self.assertEqual((seen["format"], self.read("m"), self.mode("m")),
                                 (form, data, 0o600))
                self.write("bad", ct[:-1] + bytes([ct[-1] ^ 1]))
                p = self.ty("sm2", "decrypt", "-k", self.key, "bad", exit=REFUSED)
                self.assertEqual(p.stdout, b"")

    def test_malformed(self):
        ct = self.out("sm2", "encrypt", "-k", self.pub, stdin=b"hello")
        for data in (b"", b"x", ct[:-1], ct + b"\0", bytes(200), b"\x04" + bytes(200)):
            self.write("bad", data)
            self.ty("sm2", "decrypt", "-k", self.key, "-o", "out", "bad", exit=INPUT)
        self.assertNotIn("out", self.files())
        self.err("sm2", "encrypt", "-k", self.pub, "-o", "x", stdin=b"", exit=INPUT)
        self.keys("other")
        self.write("ct", ct)
        self.err("sm2", "decrypt", "-k", "other.pem", "ct", exit=REFUSED)


class Mac(case.Case):
    def test_mac(self):
        self.write("f", "hello")
        self.write("k", "000102")
        line = self.out("mac", "--alg", "hmac-sm3", "--key-file", "k", "f").decode()
        tag, name = line.split()
        self.assertEqual((len(tag), name), (64, "f"))
        self.assertEqual(self.out("mac", "--key-file", "k", "--verify", tag, "f"), b"f: OK\n")
        self.err("mac", "--key-file", "k", "--verify", "00" * 32, "f", exit=REFUSED)
        self.err("mac", "--key-file", "k", "--verify", tag[:-2], "f", exit=REFUSED)
        line = self.err("mac", "--key-file", "k", "--verify", "", "f", exit=USAGE)
        self.assertIn("--verify is empty", line)
        self.assertIn(b"warning", self.ty("mac", "--key-hex", "000102", "f").stderr)
        self.write("bytes", bytes([0, 1, 2]))
        line = self.err("mac", "--key-file", "bytes", "f", exit=INPUT)
        command = line.split("into digits: ")[1].strip()
        digits = self.exec(["bash", "-c", command]).stdout.decode()
        self.assertEqual(digits, "000102")
        self.assertEqual(self.out("mac", "--key-env", "K", "-", stdin=b"hello",
                                  env={"K": "000102"}).split()[0].decode(), tag)


if __name__ == "__main__":
    case.main()
