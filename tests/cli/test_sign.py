"""sign, verify."""

import case
from case import GOOD, INPUT, REFUSED, USAGE


class Sign(case.Case):
    def setUp(self):
        super().setUp()
        self.key, self.pub = self.keys()
        self.write("f", "a letter\n")

    def test_round_trip(self):
        self.ty("sign", "-k", self.key, "-o", "f.sig", "f")
        self.assertEqual(self.out("verify", "-k", self.pub, "-s", "f.sig", "f"), b"f: OK\n")
        self.assertEqual(self.out("verify", "-q", "-k", self.pub, "-s", "f.sig", "f"), b"")
        self.ty("verify", "-k", self.key, "-s", "f.sig", "f")  # has the public key

    def test_forms(self):
        self.ty("sign", "-k", self.key, "--raw", "-o", "raw", "f")
        self.assertEqual(len(self.read("raw")), 64)
        self.ty("sign", "-k", self.key, "-o", "der", "f")
        self.assertEqual(self.read("der")[0], 0x30)
        for form in ([], ["--raw"]):
            self.write("hex", self.out("sign", "-k", self.key, "--hex", *form, "f"))
            self.ty("verify", "-k", self.pub, "-s", "hex", "f")
        for name in ("raw", "der"):
            seen = self.json("verify", "-k", self.pub, "-s", name, "f")
            self.assertEqual((seen["format"], seen["valid"]), (name, True))

    def test_deterministic(self):
        same = [self.out("sign", "-k", self.key, "--hex", "--deterministic", "f") for _ in range(2)]
        fresh = self.out("sign", "-k", self.key, "--hex", "f")
        self.assertEqual(same[0], same[1])
        self.assertNotEqual(same[0], fresh)
        self.write("hex", same[0])
        self.ty("verify", "-k", self.pub, "-s", "hex", "f")
        self.write("g", "another letter\n")
        self.assertNotEqual(self.out("sign", "-k", self.key, "--hex", "--deterministic", "g"),
                            same[0])

    def test_pipes(self):
        sig = self.out("sign", "-k", self.key, "-", stdin=b"piped")
        self.write("sig", sig)
        self.ty("verify", "-k", self.pub, "-s", "sig", stdin=b"piped")
        self.write("g", "piped")
        self.ty("verify", "-k", self.pub, "-s", "-", "g", stdin=sig)
        self.err("verify", "-k", self.pub, "-s", "-", "-", exit=USAGE, stdin=sig)

    def test_everything_is_bound(self):
        self.keys("other")
        self.ty("sign", "-k", self.key, "--id", "alice", "-o", "f.sig", "f")
        self.write("g", "a letteR\n")
        self.ty("verify", "-k", self.pub, "--id", "alice", "-s", "f.sig", "f")
        self.ty("verify", "-k", self.pub, "--id-hex", b"alice".hex(), "-s", "f.sig", "f")
        for args in (["-k", self.pub, "--id", "alice", "-s", "f.sig", "g"],
                     ["-k", self.pub, "-s", "f.sig", "f"],
                     ["-k", "other.pub", "--id", "alice", "-s", "f.sig", "f"]):
            p = self.ty("verify", *args, exit=REFUSED)
            self.assertEqual(p.stdout, b"")
            self.assertIn(b"does not verify", p.stderr)

    def test_every_bit_counts(self):
        self.ty("sign", "-k", self.key, "--raw", "-o", "raw", "f")
        sig = self.read("raw")
        for i in range(0, 64, 7):
            self.write("bad", sig[:i] + bytes([sig[i] ^ 1 << i % 8]) + sig[i + 1:])
            self.err("verify", "-k", self.pub, "-s", "bad", "f", exit=REFUSED)
        self.write("zero", bytes(64))
        self.write("ones", b"\xff" * 64)
        for name in ("zero", "ones"):
            self.err("verify", "-k", self.pub, "-s", name, "f", exit=REFUSED)

    def test_malformed_signatures(self):
        der = self.out("sign", "-k", self.key, "f")
        for name, data in (("empty", b""), ("cut", der[:-1]), ("long", der + b"\0"),
                           ("text", b"hello"),
                           ("big", bytes(5000)), ("random", bytes(range(200))),
                           ("letters", b"g" * 128),
                           ("odd", b"a" * 129), ("digits", b"a" * 130)):
            self.write(name, data)
            self.err("verify", "-k", self.pub, "-s", name, "f", exit=INPUT)
        self.write("crlf", der.hex() + "\r\n")
        self.ty("verify", "-k", self.pub, "-s", "crlf", "f")
        self.err("verify", "-k", self.pub, "-s", "missing", "f", exit=INPUT)
        self.write("sig", der)
        self.err("verify", "-k", self.pub, "-s", "sig", "missing", exit=INPUT)

    def test_identity(self):
        self.assertEqual(self.json("sign", "-k", self.key, "f")["id"], "1234567812345678")
        self.assertEqual(self.json("sign", "-k", self.key, "--id-hex", "00ff", "f")["id_hex"],
                         "00ff")
        self.err("sign", "-k", self.key, "--id", "x" * 8192, "-o", "s", "f", exit=USAGE)
        self.err("sign", "-k", self.key, "--id", "a", "--id-hex", "00", "-o", "s", "f", exit=USAGE)
        self.ty("sign", "-k", self.key, "--id", "x" * 8191, "-o", "s", "f", exit=GOOD)

    def test_existing_signature_stays(self):
        self.write("f.sig", "precious")
        self.err("sign", "-k", self.key, "-o", "f.sig", "f", exit=USAGE)
        self.assertEqual(self.read("f.sig"), b"precious")
        self.ty("sign", "-k", self.key, "-f", "-o", "f.sig", "f")
        self.ty("verify", "-k", self.pub, "-s", "f.sig", "f")

    def test_empty_message(self):
        self.write("none", b"")
        self.ty("sign", "-k", self.key, "-o", "s", "none")
        self.ty("verify", "-k", self.pub, "-s", "s", "none")

    def test_digests_computed_elsewhere(self):
        """As an HSM takes them: e of SM2, a hash for ECDSA, the digest of HashML-DSA."""
        self.write("f", b"message")
        pub = self.json("inspect", "key.pub")
        a, b = (2**256 - 2**224 - 2**96 + 2**64 - 4,
                0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93)
        gx, gy = (0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
                  0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0)
        self.write("z", b"\0\x80" + b"1234567812345678" +
                   b"".join(n.to_bytes(32, "big") for n in (a, b, gx, gy)) +
                   bytes.fromhex(pub["x"] + pub["y"]))
        self.write("zm", bytes.fromhex(self.out("hash", "--no-names", "z").decode()) + b"message")
        self.write("e", self.out("hash", "--no-names", "zm"))
        self.ty("sign", "-k", "key.pem", "--digest", "-o", "s", "e")
        self.ty("verify", "-k", "key.pub", "-s", "s", "f")
        self.ty("sign", "-f", "-k", "key.pem", "-o", "s", "f")
        self.ty("verify", "-k", "key.pub", "--digest", "-s", "s", "e")
        self.write("e2", "00" * 32)
        self.err("verify", "-k", "key.pub", "--digest", "-s", "s", "e2", exit=REFUSED)
        self.err("sign", "-k", "key.pem", "--digest", "--id", "A", "-o", "x", "e", exit=USAGE)
        self.err("sign", "-k", "key.pem", "--digest", "-o", "x", "f", exit=INPUT)
        self.ty("keygen", "--curve", "sect233r1", "-o", "ec.pem")
        self.write("d", self.out("hash", "--alg", "sha384", "--raw", "f"))
        self.ty("sign", "-k", "ec.pem", "--digest", "-o", "es", "d")
        self.ty("verify", "-k", "ec.pem", "--hash", "sha384", "-s", "es", "f")
        self.err("sign", "-k", "ec.pem", "--digest", "--hash", "sha256", "-o", "x", "d", exit=INPUT)
        self.ty("keygen", "--alg", "ml-dsa-44", "-o", "m.pem")
        self.ty("sign", "-k", "m.pem", "--digest", "--prehash", "sha384", "-o", "ms", "d")
        self.ty("verify", "-k", "m.pem", "--prehash", "sha384", "-s", "ms", "f")
        self.err("sign", "-k", "m.pem", "--digest", "-o", "x", "d", exit=USAGE)

    def test_digits_are_not_taken_for_bytes(self):
        """Half as many digits as a digest has are refused: they could be taken for its bytes."""
        self.ty("keygen", "--alg", "ml-dsa-44", "-o", "m.pem")
        self.ty("keygen", "--curve", "sect233r1", "-o", "ec.pem")
        for n, how in ((32, ["-k", "key.pem", "--digest"]), (64, ["-k", "m.pem", "--mu"]),
                       (48, ["-k", "m.pem", "--digest", "--prehash", "sha384"]),
                       (32, ["-k", "ec.pem", "--digest", "--hash", "sha256"])):
            self.write("short", "aB" * (n // 2))
            for verb, out in (("sign", "-o"), ("verify", "-s")):
                self.write("s", bytes(2420 if "m.pem" in how else 60 if "ec.pem" in how else 64))
                line = self.err(verb, *(["-f"] if verb == "sign" else []), *how, out, "s", "short",
                                exit=INPUT)
                self.assertIn(f"short: {n} hexadecimal digits, which may be ", line)
                self.assertIn(f"write it as {2 * n} digits", line)
            self.write("whole", (b"aB" * (n // 2)).hex())   # the same bytes, as digits
            self.ty("sign", "-f", *how, "-o", "s", "whole")
            self.ty("verify", *how, "-s", "s", "whole")


if __name__ == "__main__":
    case.main()
