"""Encodings of SM2 and ML-DSA that other programs use: hexadecimal digits and base64, points
without their first byte, keys without any structure around them."""

import base64
import os

import case
from case import GOOD, INPUT, QUICK, REFUSED, USAGE

# A key, with ciphertexts and signatures of two libraries: gmssl 3.2.2 of Python and sm-crypto
# 0.3.13 of npm.
D = "799c2909adb24159871e5bffa166648011aff343e3f310eee2fdfad7842efc45"
XY = ("44dbeaf0f4e9cff4244033850903b8b048c7d7c811f228e8300b1b6158c6a201"
      "eecca40200621ee44939ebd12e118cb8e62af05ad27d720d030b74b6379b5ead")
SECRET, LETTER = b"session key", b"a letter\n"
CIPHERTEXTS = {
    ("gmssl", "c1c2c3"): "612bab6995a83718eca3626092f9ea4ea21157ea2602b2458d2687dbc930d8cabb211d08d"
    "5a35cfea54e2bbadeeb764be0ad5b7d333bba2d8a7a43e832e2db76068fe462169eddb0db"
    "5c9a01b85bc5b6ac48246b5781bba553d7b47ffab2452018072790333986baa3d15a",
    ("gmssl", "c1c3c2"): "c5699af51e838d818f63604285ca476ca3228303f1e37983a47b95eb6f5a1c447528790f3"
    "a03d6ffaeb18896b8bce9d7627e0e4f137fd21762254f1af4bf30c839931cf68cc44c2be6"
    "3b9153e5da57c396b7b0d73bd362d53caec6e4fddcefe7215d5c108f6b4b9aa399cd",
    ("sm-crypto", "c1c2c3"):
    "9b1f68dd6294db500848cacc4723470fe98915be671aaa2f65c4f1aa74c51124032d5b44e79e349e14a8b9890d95f9"
    "8cf0694afe4120075626814c92ceafbe7cb064674a54b5acad630133b2f62edc826bfba8945602918610afb6917fd5"
    "6117600a46a3be4ae037d56847",
    ("sm-crypto", "c1c3c2"):
    "dc204572c565da752c1dea7fc8e9a42aca1d465bed82438486e31ba23de5fb553da180af34c810da42f2b05e67d343"
    "fdb3a0743e25409e94a1c6bd53200628acffa556de64af47350d9ee981c736ab414e213cd19e1dcff53fbd274a914d"
    "d4a18c6861268428129a761845",
}
SIGNATURES = {   # with the default identity
    "gmssl": "e0b8f917a0e285167135f8a65c282cf314aefaa748766596329995f238c0739b22bd5dddb0ba0582ce13"
    "543f4b68b00dcfcc69a8148aa73ab57656728638d154",
    "sm-crypto": "229c7f6a61471ccabf8fe8f89110b6dbe1ca0a4a60b571e838c352e5bf7310355a2a538dd3b07d85"
    "51cbb5ad3f0e4e5e4c0eacdf059da89994e563392af3a5e8",
    "sm-crypto, DER": "30450221009c26f21f37d4e72e306d54ee7b5316ccac34ec416a478ee7b186b7ea210b2b6402"
    "205b5eebb759f50d8fb5c190858f13e88662c52b0bdce5247fb9614509949da55d",
}

# The key whose scalar is abcde, enveloped for the key D by gmsm 0.44.0.
ENVELOPED = ("3081ef300c06082a811ccf55016801050030780220619553a5d6e05a6adf96665bef129880388d5cfb4eb"
             "7d291e4912700caabdd000220651e3e2c035c047370fdce81d85c91939c8f1ddd"
             "d1668a241539587ca124120f0420ddd2d4fc40e9845af96b72ed18999aa1bcb46d468292898907e0c45c3"
             "40049f0041035c796f4d2a099ccfff4922e6bb0748a0342000461873c90899ee8"
             "986c79f727b56c64e125887bdb4406a4e628828c27e369db7c0489be579f21099d2e6dbb6bc35fe784f9"
             "ecceb223fbb9a7e1a6c1dedec3d6c80321008f4b591739d2e5b9cb3a4f9f8599101f6e5e519c8ee2b8f1"
             "b5c8a589d2d09e5b")


class Spellings(case.Case):
    def setUp(self):
        super().setUp()
        self.write("d", D)
        self.write("p", "04" + XY + "\n")
        self.write("letter", LETTER)

    def test_keys_of_digits(self):
        pem = self.out("pubkey", "d")
        compressed = ("02", "03")[int(XY[-1], 16) & 1] + XY[:64]
        for digits in (XY, "04" + XY, XY.upper(), compressed, "04" + XY + "\r\n"):
            self.write("pub", digits)
            self.assertEqual(self.out("pubkey", "pub"), pem)
        for digits in (D, D.upper(), D + "\n"):
            self.write("key", digits)
            self.assertEqual(self.out("pubkey", "key"), pem)
            self.assertEqual(self.json("inspect", "key")["form"], "hexadecimal digits")
        self.ty("convert", "-o", "key.pem", "d")
        self.assertEqual(self.out("pubkey", "key.pem"), pem)
        self.assertEqual(self.json("inspect", "key.pem")["fingerprint"],
                         self.json("inspect", "p")["fingerprint"])
        for verb in (["derive", "-k", "d", "-p", "p"], ["sign", "-k", "d", "letter"],
                     ["encrypt", "-k", "p", "letter"]):
            self.ty(*verb)
        self.assertIn("a public key, and this needs the private one",
                      self.err("sign", "-k", "p", "letter", exit=INPUT))

    def test_digits_that_are_not_a_key(self):
        for digits, text in (("0" * 64, "as long as an SM2 private key in digits, but not a valid "
                              "one"), ("f" * 64, "private key in digits"),
                             (XY[:-1] + "0",
                              "as long as an SM2 public key in digits, but not a valid one"),
                             ("05" + XY, "not a key in PKCS#8"),
                             (D[:-1], "not a key in PKCS#8"), (D + "00", "not a key in PKCS#8"),
                             (D[:-1] + "g", "not a key in PKCS#8")):
            self.write("bad", digits)
            self.assertIn(text, self.err("pubkey", "bad", exit=INPUT))

    def test_ciphertexts_of_other_libraries(self):
        for (lib, order), digits in CIPHERTEXTS.items():
            raw = bytes.fromhex(digits)
            encoded = {"digits": digits, "a line of digits": digits.upper() + "\n", "bytes": raw,
                       "base64": base64.b64encode(raw),
                       "base64 in lines": base64.encodebytes(raw), "with 04": b"\4" + raw,
                       "digits with 04": "04" + digits,
                       "compressed": bytes([2 + (raw[63] & 1)]) + raw[:32] + raw[64:]}
            for how, text in encoded.items():
                with self.subTest(lib=lib, order=order, how=how):
                    self.write("ct", text)
                    self.assertEqual(self.out("sm2", "decrypt", "-k", "d", "ct"), SECRET)
                    self.assertEqual(self.out("sm2", "decrypt", "-k", "d", "--format", order, "ct"),
                                     SECRET)
                    self.ty("sm2", "decrypt", "-k", "d", "--format",
                            "c1c2c3" if order == "c1c3c2" else "c1c3c2", "-o", "none", "ct",
                            exit=REFUSED)
            self.write("ct", digits[:-2] + ("00" if digits[-2:] != "00" else "01"))
            self.err("sm2", "decrypt", "-k", "d", "-o", "none", "ct", exit=REFUSED)
            self.write("ct", "05" + digits)
            self.err("sm2", "decrypt", "-k", "d", "-o", "none", "ct", exit=INPUT)
            self.assertNotIn("none", self.files())

    def test_ciphertexts_for_other_libraries(self):
        self.write("m", SECRET)
        for order in ("c1c3c2", "c1c2c3"):
            raw = self.out("sm2", "encrypt", "-k", "p", "--format", order, "--no-prefix", "m")
            self.assertEqual(len(raw), 64 + 32 + len(SECRET))
            self.write("ct", raw)
            self.assertEqual(self.out("sm2", "decrypt", "-k", "d", "--format", order, "ct"), SECRET)
            for flag, decode in (("--hex", bytes.fromhex), ("--base64", base64.b64decode)):
                line = self.out("sm2", "encrypt", "-k", "p", "--format", order, flag, "m").decode()
                self.assertEqual(decode(line.strip())[:1], b"\4")
                self.write("ct", line)
                self.assertEqual(self.out("sm2", "decrypt", "-k", "d", "ct"), SECRET)
                info = self.json("sm2", "encrypt", "-k", "p", "--format", order, flag,
                                 "--no-prefix", "m")
                self.assertEqual(len(decode(info["ciphertext"])), info["bytes"])
        self.err("sm2", "encrypt", "-k", "p", "--no-prefix", "m", exit=USAGE)
        self.err("sm2", "encrypt", "-k", "p", "--hex", "--base64", "m", exit=USAGE)

    def test_signatures(self):
        for lib, digits in SIGNATURES.items():
            for text in (digits, bytes.fromhex(digits), base64.b64encode(bytes.fromhex(digits)),
                         base64.encodebytes(bytes.fromhex(digits))):
                self.write("sig", text)
                self.assertEqual(self.out("verify", "-k", "p", "-s", "sig", "letter"),
                                 b"letter: OK\n", lib)
        for form in ([], ["--raw"]):
            line = self.out("sign", "-k", "d", "--base64", *form, "letter")
            self.write("sig", line)
            self.assertEqual(line, base64.b64encode(base64.b64decode(line)) + b"\n")
            self.ty("verify", "-k", "p", "-s", "sig", "letter")
        for broken in (line[1:], line.replace(b"=", b""), b"*" + line[1:]):
            self.write("sig", broken)
            self.err("verify", "-k", "p", "-s", "sig", "letter", exit=INPUT)

    def test_the_empty_identity(self):
        """OpenSSL signs with the empty identity when no distid is given. The message mentions
        this if the signature verifies so, and only then."""
        self.ty("sign", "-k", "d", "--id", "", "-o", "sig", "letter")
        text = ("letter: the signature does not verify with the identity 1234567812345678, but it "
                "does with the empty one, which OpenSSL uses if none is given; if that is what "
                "the signer meant, verify with --id ''")
        self.assertEqual(self.err("verify", "-k", "p", "-s", "sig", "letter", exit=REFUSED),
                         "tongyu: " + text)
        for stdin in ([], ["-"]):
            self.assertEqual(self.err("verify", "-k", "p", "-s", "sig", *stdin, exit=REFUSED,
                                      stdin=LETTER), "tongyu: " + text.replace("letter", "-", 1))
        self.ty("verify", "-k", "p", "--id", "", "-s", "sig", "letter")
        for more, letter in ((["--id", "alice"], LETTER), (["--id-hex", "00"], LETTER),
                             ([], b"another")):
            self.write("letter", letter)
            self.assertNotIn("empty", self.err("verify", "-k", "p", *more, "-s", "sig", "letter",
                                               exit=REFUSED))
        if case.OPENSSL:
            self.ty("convert", "-o", "d.pem", "d")
            self.ssl("dgst", "-sm3", "-sign", "d.pem", "-out", "sig", "letter")
            self.assertIn("verify with --id ''",
                          self.err("verify", "-k", "p", "-s", "sig", "letter", exit=REFUSED))
            self.ty("verify", "-k", "p", "--id", "", "-s", "sig", "letter")

    def test_enveloped_keys(self):
        self.write("other", "0" * 59 + "abcde")
        raw = bytes.fromhex(ENVELOPED)
        for text in (raw, ENVELOPED, base64.encodebytes(raw)):
            self.write("env", text)
            self.ty("convert", "-f", "--enveloped-for", "d", "--plain", "-o", "key.pem", "env")
            self.assertEqual(self.out("pubkey", "key.pem"), self.out("pubkey", "other"))
            self.assertEqual(self.out("convert", "--enveloped-for", "d", "--format", "spki", "env"),
                             self.out("pubkey", "other"))
        self.write("pw", "secret")
        self.ty("convert", "--enveloped-for", "d", "--new-password-file", "pw", *QUICK, "-o",
                "locked.pem", "env")
        self.assertEqual(self.out("pubkey", "--password-file", "pw", "locked.pem"),
                         self.out("pubkey", "other"))
        self.assertIn("or --plain", self.err("convert", "--enveloped-for", "d", "env", exit=USAGE))
        self.assertIn("env: not enveloped for other, or damaged",
                      self.err("convert", "--enveloped-for", "other", "--plain", "env",
                               exit=REFUSED))
        self.assertIn("this needs the private one",
                      self.err("convert", "--enveloped-for", "p", "--plain", "env", exit=INPUT))
        self.assertIn("d: not an enveloped key",
                      self.err("convert", "--enveloped-for", "other", "--plain", "d", exit=INPUT))
        self.write("env", raw[:-1] + bytes([raw[-1] ^ 1]))
        self.err("convert", "--enveloped-for", "d", "--plain", "-o", "none", "env", exit=REFUSED)
        self.assertNotIn("none", self.files())

    def test_seeds_and_bare_keys_of_mldsa(self):
        seed = os.urandom(32)
        for alg in ("ml-dsa-44", "ml-dsa-65", "ml-dsa-87"):
            for text in (seed, seed.hex(), seed.hex() + "\n"):
                self.write("seed", text)
                self.ty("convert", "-f", "--alg", alg, "-o", "key.pem", "seed")
                self.assertEqual(self.out("pubkey", "--alg", alg, "seed"),
                                 self.out("pubkey", "key.pem"))
                self.ty("sign", "-f", "--alg", alg, "-k", "seed", "-o", "sig", "letter")
                info = self.json("inspect", "--alg", alg, "seed")
                self.assertEqual((info["kind"], info["content"]),
                                 (alg.upper() + " private key", "seed"))
            pub = self.out("pubkey", "--format", "hex", "key.pem")
            bare = bytes.fromhex(pub.decode())
            expanded = self.out("convert", "--content", "expanded", "--coding", "der",
                                "key.pem")[-{"44": 2560, "65": 4032, "87": 4896}[alg[-2:]]:]
            for name, text in (("digits", pub), ("bytes", bare)):
                self.write(name, text)
                self.assertEqual(self.out("verify", "-k", name, "-s", "sig", "letter"),
                                 b"letter: OK\n")
            self.write("whole", expanded)
            self.assertEqual(self.out("pubkey", "whole"), self.out("pubkey", "key.pem"))
            self.write("whole", expanded[:200] + bytes([expanded[200] ^ 1]) + expanded[201:])
            self.assertIn("as long as an ML-DSA key, but not a valid one",
                          self.err("pubkey", "whole", exit=INPUT))
        self.write("seed", seed)
        self.assertIn("if they are an ML-DSA seed, name its algorithm: --alg ml-dsa-65",
                      self.err("pubkey", "seed", exit=INPUT))
        self.assertIn("SM2", self.json("inspect", "d")["kind"])

    def test_bare_keys_that_begin_as_der_does(self):
        rest = os.urandom(3000)
        for begin in (b"\x30\x80", b"\x30\x82\x01\x02", b"\x30\xff"):
            for alg, length in (("ml-dsa-44", 1312), ("ml-dsa-65", 1952), ("ml-dsa-87", 2592)):
                self.write("pub", begin + rest[: length - len(begin)])
                self.assertEqual(self.json("inspect", "pub")["kind"], alg.upper() + " public key")
            self.write("seed", begin + rest[: 32 - len(begin)])
            self.assertEqual(self.json("inspect", "--alg", "ml-dsa-44", "seed")["kind"],
                             "ML-DSA-44 private key")

    def test_files_as_long_as_a_bare_key(self):
        """PEM and complete DER are never taken for a bare public key because of their length."""
        for length in (1312, 1952, 2592):
            pem = b"-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n-----END OPENSSH PRIVATE KEY-----\n"
            self.write("pem", pem % (b"A" * (length - len(pem) + 2)))
            self.write("der", b"\x30\x82" + (length - 4).to_bytes(2, "big") +
                       b"\x30\x03\x02\x01\x05" + os.urandom(length - 9))
            for name in ("pem", "der"):
                self.assertEqual(len(self.read(name)), length)
                self.err("pubkey", "-o", "out", name, exit=INPUT)
                self.assertNotIn("out", self.files())


if __name__ == "__main__":
    case.main()
