"""ML-DSA keys and signatures, alone and with OpenSSL 3.5 or later where Python's `cryptography`
includes it."""

import base64
import sys
import unittest

from case import INPUT, QUICK, REFUSED, SOURCE, USAGE, Case, main

sys.path.insert(0, str(SOURCE / "build/python"))   # where `tools/setup.sh full` puts it
try:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import mldsa
    mldsa.MLDSA44PrivateKey.generate()
except Exception:  # no such package, too old a package, or an OpenSSL below 3.5 in it
    mldsa = None

SETS = {"ml-dsa-44": (1312, 2560, 2420), "ml-dsa-65": (1952, 4032, 3309),
        "ml-dsa-87": (2592, 4896, 4627)}


class Mldsa(Case):
    def make(self, alg="ml-dsa-44", *more):
        self.ty("keygen", "--alg", alg, "-o", "key.pem", "--pub", "pub.pem", *more)
        self.write("letter", b"Dear Bob")

    def test_sign_and_verify(self):
        for alg, (_, _, sig_len) in SETS.items():
            self.make(alg, "--force")
            self.ty("sign", "-k", "key.pem", "-o", "sig", "--force", "letter")
            self.assertEqual(len(self.read("sig")), sig_len)
            self.assertEqual(self.out("verify", "-k", "pub.pem", "-s", "sig", "letter"),
                             b"letter: OK\n")
            self.ty("verify", "-k", "key.pem", "-s", "sig", "--alg", alg, "letter")
            self.ty("verify", "-k", "pub.pem", "-s", "sig", exit=REFUSED, stdin=b"Dear Eve")
            bad = bytearray(self.read("sig"))
            bad[40] ^= 1
            self.write("bad", bytes(bad))
            self.assertIn("does not verify",
                          self.err("verify", "-k", "pub.pem", "-s", "bad", "letter", exit=REFUSED))
            self.write("short", bytes(bad[:-1]))
            self.assertIn("not a signature of " + alg,
                          self.err("verify", "-k", "pub.pem", "-s", "short", "letter", exit=INPUT))

    def test_signatures_are_hedged_unless_asked(self):
        self.make()
        one, two = (self.out("sign", "-k", "key.pem", "--hex", "letter") for _ in range(2))
        self.assertNotEqual(one, two)
        one, two = (self.out("sign", "-k", "key.pem", "--hex", "--deterministic", "letter")
                    for _ in range(2))
        self.assertEqual(one, two)
        self.write("sig.hex", one)
        self.ty("verify", "-k", "pub.pem", "-s", "sig.hex", "letter")

    def test_context(self):
        self.make()
        self.ty("sign", "-k", "key.pem", "--context", "abc", "-o", "sig", "letter")
        self.ty("verify", "-k", "pub.pem", "-s", "sig", "--context-hex", "616263", "letter")
        for other in ([], ["--context", "abd"], ["--context", "abc", "--prehash", "sha512"]):
            self.ty("verify", "-k", "pub.pem", "-s", "sig", *other, "letter", exit=REFUSED)
        self.ty("sign", "-k", "key.pem", "--context", "a" * 255, "--hex", "letter")
        self.err("sign", "-k", "key.pem", "--context", "a" * 256, "--hex", "letter", exit=USAGE)

    def test_prehash(self):
        self.make()
        names = (("sm3 sha224 sha256 sha384 sha512 sha512-224 sha512-256 sha3-224 sha3-256 "
                  "sha3-384 sha3-512 shake128 shake256").split())
        for name in names:
            self.ty("sign", "-k", "key.pem", "--prehash", name, "-o", "sig." + name, "letter")
            self.ty("verify", "-k", "pub.pem", "-s", "sig." + name, "--prehash", name, "letter")
        self.ty("verify", "-k", "pub.pem", "-s", "sig.sha256", "--prehash", "sha3-256", "letter",
                exit=REFUSED)
        self.ty("verify", "-k", "pub.pem", "-s", "sig.sha256", "letter", exit=REFUSED)

    def test_mu(self):
        self.make()
        self.write("mu", bytes(range(64)))
        self.write("mu.hex", bytes(range(64)).hex() + "\n")
        self.ty("sign", "-k", "key.pem", "--mu", "-o", "sig", "mu")
        self.ty("verify", "-k", "pub.pem", "-s", "sig", "--mu", "mu.hex")
        self.ty("verify", "-k", "pub.pem", "-s", "sig", "mu", exit=REFUSED)
        self.err("sign", "-k", "key.pem", "--mu", "--hex", "letter", exit=INPUT)
        for junk in (b"g" * 128, b"a" * 127, bytes(128)):
            self.write("junk", junk)
            self.err("sign", "-k", "key.pem", "--mu", "--hex", "junk", exit=INPUT)
        self.err("sign", "-k", "key.pem", "--mu", "--hex", "--context", "a", "mu", exit=USAGE)

    def test_options_of_the_other_algorithm(self):
        self.make()
        sm2, _ = self.keys("sm2")
        for options in (["--raw"], ["--id", "me"], ["--alg", "sm2"], ["--alg", "ml-dsa-65"]):
            self.err("sign", "-k", "key.pem", "--hex", *options, "letter", exit=USAGE)
        for options in (["--context", "a"], ["--prehash", "sha256"], ["--mu"],
                        ["--alg", "ml-dsa-44"]):
            self.err("sign", "-k", sm2, "--hex", *options, "letter", exit=USAGE)
        self.err("keygen", "--content", "both", "-o", "x.pem", exit=USAGE)
        self.err("keygen", "--alg", "ml-dsa-44", "--format", "sec1", "-o", "x.pem", exit=USAGE)
        message = self.err("encrypt", "-k", "pub.pem", "-o", "x", "letter", exit=INPUT)
        self.assertIn("an ML-DSA-44 public key", message)

    def test_forms_of_keys(self):
        self.write("password", b"sesame\n")
        for content in ("seed", "expanded", "both"):
            self.ty("keygen", "--alg", "ml-dsa-65", "--content", content, "-o", "key.pem",
                    "--force")
            self.ty("convert", "-o", "key.der", "--coding", "der", "--force", "key.pem")
            self.ty("convert", *QUICK, "--new-password-file", "password", "-o", "locked.pem",
                    "--force", "key.pem")
            shown = [self.json("inspect", "--password-file", "password", f)
                     for f in ("locked.pem", "key.der", "key.pem")]
            self.assertEqual(len({s["fingerprint"] for s in shown}), 1)
            for s in shown:
                self.assertEqual(s["kind"], "ML-DSA-65 private key")
                self.assertEqual(s["content"], {"seed": "seed", "expanded": "expanded key",
                                                "both": "seed and expanded key"}[content])
        self.ty("convert", "--content", "expanded", "-o", "expanded.pem", "key.pem")
        self.ty("convert", "--content", "seed", "-o", "x.pem", "expanded.pem", exit=USAGE)
        self.assertEqual(self.out("pubkey", "expanded.pem"), self.out("pubkey", "key.pem"))
        self.assertEqual(len(self.out("pubkey", "--format", "hex", "key.pem")), 2 * 1952 + 1)
        self.ty("convert", "--format", "spki", "-o", "pub.pem", "key.pem")
        self.assertEqual(self.json("inspect", "pub.pem")["kind"], "ML-DSA-65 public key")
        self.assertEqual(self.mode("expanded.pem"), 0o600)

    def test_certificate(self):
        """A certificate of ML-DSA-87 is longer than any key. Its signature is not verified here."""
        def tlv(tag, *parts):
            body = b"".join(parts)
            size = bytes([len(body)]) if len(body) < 128 else b"\x82" + len(body).to_bytes(2, "big")
            return bytes([tag]) + size + body

        self.make("ml-dsa-87")
        alg = tlv(0x30, bytes.fromhex("060960864801650304 0313".replace(" ", "")))
        name = tlv(0x30, tlv(0x31, tlv(0x30, bytes.fromhex("0603550403"), tlv(0x0C, b"Alice"))))
        dates = tlv(0x30, tlv(0x17, b"260101000000Z"), tlv(0x18, b"20600101000000Z"))
        spki = self.out("pubkey", "--format", "der", "pub.pem")
        tbs = tlv(0x30, tlv(2, b"\5"), alg, name, dates, name, spki)
        self.write("cert.der", tlv(0x30, tbs, alg, tlv(3, bytes(4628))))
        self.write("cert.pem", b"-----BEGIN CERTIFICATE-----\n" +
                   base64.encodebytes(self.read("cert.der")) + b"-----END CERTIFICATE-----\n")
        self.write("letter", b"Dear Bob")
        self.ty("sign", "-k", "key.pem", "-o", "sig", "letter")
        for cert in ("cert.der", "cert.pem"):
            self.assertEqual(self.out("pubkey", cert), self.read("pub.pem"))
            self.assertEqual(self.out("verify", "-k", cert, "-s", "sig", "letter"), b"letter: OK\n")
            info = self.json("inspect", cert)
            self.assertEqual((info["signed_with"], info["key"], info["not_after"]),
                             ("ML-DSA-87", "ML-DSA-87 public key", "2060-01-01T00:00:00Z"))

    def test_damaged_expanded_key(self):
        self.ty("keygen", "--alg", "ml-dsa-44", "--content", "expanded", "--coding", "der", "-o",
                "key.der")
        bad = bytearray(self.read("key.der"))
        bad[-1] ^= 1
        self.write("bad.der", bytes(bad))
        self.assertIn("not a valid key; the file is damaged",
                      self.err("inspect", "bad.der", exit=INPUT))


@unittest.skipUnless(mldsa,
                     "no Python package cryptography with ML-DSA: nothing was compared with "
                     "OpenSSL")
class WithOpenssl(Case):
    def classes(self, alg):
        n = alg[-2:]
        return getattr(mldsa, f"MLDSA{n}PrivateKey"), getattr(mldsa, f"MLDSA{n}PublicKey")

    def test_our_keys_and_signatures_there(self):
        self.write("letter", b"Dear Bob")
        self.write("password", b"sesame\n")
        for alg in SETS:
            for content in ("seed", "both", "expanded"):
                self.ty("keygen", "--alg", alg, "--content", content, "-o", "key.pem", "--pub",
                        "pub.pem", "--force")
                public = serialization.load_pem_public_key(self.read("pub.pem"))
                self.assertIsInstance(public, self.classes(alg)[1])
                self.ty("sign", "-k", "key.pem", "--context", "abc", "-o", "sig", "--force",
                        "letter")
                public.verify(self.read("sig"), b"Dear Bob", b"abc")
                try:   # the package may accept only keys with a seed
                    key = serialization.load_pem_private_key(self.read("key.pem"), None)
                except Exception:
                    self.assertNotEqual(content, "seed")
                    continue
                self.assertEqual(key.public_key().public_bytes_raw(), public.public_bytes_raw())

    def test_its_keys_and_signatures_here(self):
        self.write("letter", b"Dear Bob")
        for alg in SETS:
            key = self.classes(alg)[0].generate()
            plain = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
                                      serialization.NoEncryption())
            der = key.public_key().public_bytes(serialization.Encoding.DER,
                                                serialization.PublicFormat.SubjectPublicKeyInfo)
            self.write("key.pem", plain)
            self.write("pub.der", der)
            self.assertEqual(self.out("pubkey", "--format", "der", "key.pem"), der)
            self.assertEqual(self.out("convert", "key.pem"), plain)
            self.write("pw", "secret")
            locked = serialization.BestAvailableEncryption(b"secret")
            self.write("locked.pem", key.private_bytes(serialization.Encoding.PEM,
                                                       serialization.PrivateFormat.PKCS8, locked))
            self.assertEqual(self.json("inspect", "--password-file", "pw", "locked.pem")["cipher"],
                             "AES-256-CBC")
            self.assertEqual(self.out("convert", "--plain", "--password-file", "pw", "locked.pem"),
                             plain)
            aes = self.out("convert", "--new-password-file", "pw", "--cipher", "aes-256-cbc",
                           *QUICK, "key.pem")
            self.assertEqual(serialization.load_pem_private_key(aes, b"secret").private_bytes_raw(),
                             key.private_bytes_raw())
            self.write("sig", key.sign(b"Dear Bob", b"abc"))
            self.ty("verify", "-k", "pub.der", "-s", "sig", "--context", "abc", "letter")
            self.ty("verify", "-k", "pub.der", "-s", "sig", "letter", exit=REFUSED)
            self.ty("sign", "-k", "key.pem", "-o", "ours", "--force", "letter")
            key.public_key().verify(self.read("ours"), b"Dear Bob")


if __name__ == "__main__":
    if not mldsa:
        print("nothing is compared with OpenSSL: Python has no package cryptography with ML-DSA",
              file=sys.stderr)
    main()
