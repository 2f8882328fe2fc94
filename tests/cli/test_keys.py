"""keygen, pubkey, convert, inspect, derive, exchange."""

import base64
import hashlib
import hmac
import json
import os

import case
from case import INPUT, QUICK, REFUSED, USAGE

P = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF


def add(a, b):
    """The sum of two points of the SM2 curve; None is the point at infinity. Not for secrets."""
    if a is None or b is None:
        return a or b
    (x1, y1), (x2, y2) = a, b
    if x1 == x2 and (y1 + y2) % P == 0:
        return None
    m = (3 * x1 * x1 - 3) * pow(2 * y1, -1, P) if a == b else (y2 - y1) * pow(x2 - x1, -1, P)
    x = (m * m - x1 - x2) % P
    return x, (m * (x1 - x) - y1) % P


def mul(k, a):
    r = None
    for bit in bin(k)[2:]:
        r = add(r, r)
        if bit == "1":
            r = add(r, a)
    return r

# openssl pkcs8 -topk8 -scrypt -scrypt_N 16 -scrypt_r 8 -scrypt_p 2, password "secret"
SCRYPT = ("MIHjME4GCSqGSIb3DQEFDTBBMCAGCSsGAQQB2kcECzATBAjKgwOQJgn8IwIBEAIBCAIBAjAdBglghkgBZQMEASoE"
          "ELFW2fi7MhRL4hGjIeuuMm0EgZCnjtPs"
          "KkSiY6s+WaOMshkHoSXv7oUtDBPLsFMtYoO137vubJeUi6Z1HQINTLVE6247nbt8z7QnpKGGlIh2GbsQBIa/C+E5"
          "YR61hLqIdpoXrS2bUhSdfD22pFhqqlEowY2CSTJ6O2pJdmsaLqylY01pb5bgxGdSThtGAoyqI6FuDOgE9AXpqT6M"
          "3hZWV0Vpb8c=")


class Keys(case.Case):
    def scalar(self, name):
        der = self.out("convert", "--format", "sec1", "--coding", "der", name)
        return int.from_bytes(der[der.index(b"\x04\x20") + 2:][:32], "big")

    def test_private_files_are_private(self):
        self.keys()
        self.assertEqual(self.mode("key.pem"), 0o600)
        self.assertIn(b"BEGIN PRIVATE KEY", self.read("key.pem"))
        self.assertIn(b"BEGIN PUBLIC KEY", self.read("key.pub"))
        self.write("pw", "secret\n")
        self.ty("keygen", "-o", "enc.pem", "--password-file", "pw", *QUICK)
        self.assertEqual(self.mode("enc.pem"), 0o600)
        self.assertIn(b"BEGIN ENCRYPTED PRIVATE KEY", self.read("enc.pem"))

    def test_nothing_is_overwritten(self):
        key, _ = self.keys()
        before = self.read(key)
        line = self.err("keygen", "-o", key, exit=USAGE)
        self.assertIn("--force", line)
        self.assertEqual(self.read(key), before)
        self.err("keygen", "-o", "new.pem", "--pub", key, exit=USAGE)
        self.assertNotIn("new.pem", self.files())
        self.ty("keygen", "--force", "-o", key)
        self.assertNotEqual(self.read(key), before)
        self.assertEqual(self.mode(key), 0o600)

    def test_nothing_is_left_in_the_clear_by_mistake(self):
        key, _ = self.keys()
        self.write("pw", "secret\n")
        for line in (["keygen", "--prf", "sha256", "-o", "new.pem"],
                     ["keygen", "--iterations", "5000", "-o", "new.pem"],
                     ["convert", "--prf", "sha256", "-o", "new.pem", key],
                     ["keygen", "--cipher", "aes-256-cbc", "-o", "new.pem"],
                     ["convert", "--cipher", "sm4-cbc", "-o", "new.pem", key],
                     ["keygen", "--cipher", "aes-256-cbc", "--prf", "sm3", "--password-file", "pw",
                      "-o", "new.pem"],
                     ["convert", "--password-file", "pw", "-o", "new.pem", key]):
            self.err(*line, exit=USAGE)
            self.assertNotIn("new.pem", self.files())

    def test_two_keys_differ(self):
        self.keys("a")
        self.keys("b")
        self.assertNotEqual(self.read("a.pem"), self.read("b.pem"))

    def test_public_key_of(self):
        key, pub = self.keys()
        self.assertEqual(self.out("pubkey", key), self.read(pub))
        self.assertEqual(self.out("pubkey", pub), self.read(pub))
        self.assertEqual(self.out("pubkey", "-", stdin=self.read(key)), self.read(pub))
        digits = self.out("pubkey", "--format", "hex", key).decode().strip()
        self.assertEqual(len(digits), 130)
        x, y = int(digits[2:66], 16), int(digits[66:], 16)
        b = 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93
        self.assertEqual((y * y - x * x * x + 3 * x - b) % P, 0)

    def test_nothing_secret_is_shown(self):
        key, _ = self.keys()
        d = f"{self.scalar(key):064x}"
        for verb in (["inspect", key], ["pubkey", key], ["pubkey", "--format", "hex", key]):
            for extra in ([], ["--json"]):
                self.assertNotIn(d, self.out(*verb, *extra).decode().lower())
        self.assertNotIn(d, json.dumps(self.json("keygen", "-o", "other.pem")))

    def test_convert_round_trip(self):
        key, pub = self.keys()
        self.write("pw", "old")
        self.write("pw2", "new\r\nsecond line is ignored")
        fingerprint = self.json("inspect", key)["fingerprint"]
        for form in ("pkcs8", "sec1", "spki"):
            for coding in ("pem", "der"):
                name = f"{form}.{coding}"
                self.ty("convert", "--format", form, "--coding", coding, "-o", name, key)
                seen = self.json("inspect", name)
                self.assertEqual(seen["fingerprint"], fingerprint)
                self.assertEqual(seen["coding"], coding.upper())
        self.ty("convert", "--new-password-file", "pw", *QUICK, "-o", "e1.pem", key)
        self.assertEqual(self.mode("e1.pem"), 0o600)
        # the output would not be encrypted
        self.err("convert", "-o", "e2.pem", "--password-file", "pw", "e1.pem", exit=USAGE)
        self.ty("convert", "-o", "e2.pem", "--password-file", "pw", "--new-password-file", "pw2",
                *QUICK, "e1.pem")
        self.ty("inspect", "--password-env", "PW", "e2.pem", env={"PW": "new"})
        self.ty("convert", "-o", "e3.pem", "--password-env", "PW", "--new-password-env", "PW",
                "--prf", "sha256",
                *QUICK, "e2.pem", env={"PW": "new"})
        shown = self.json("inspect", "--password-env", "PW", "e3.pem", env={"PW": "new"})
        self.assertEqual((shown["form"], shown["kdf"]),
                         ("PKCS#8, encrypted (PBES2)", "PBKDF2-HMAC-SHA-256"))
        self.err("convert", "-o", "e4.pem", "--password-env", "PW", "e3.pem", exit=USAGE,
                 env={"PW": "new"})
        self.err("keygen", "-o", "e4.pem", "--password-file", "pw", "--prf", "sha1", exit=USAGE)
        self.err("inspect", "--password-file", "pw", "e2.pem", exit=REFUSED)
        self.ty("convert", "--plain", "-o", "plain.pem", "--password-env", "PW", "e2.pem",
                env={"PW": "new"})
        self.assertEqual(self.read("plain.pem"), self.read(key))

    def test_passwords(self):
        self.write("pw", "secret\n")
        self.write("empty", "\n")
        self.ty("keygen", "-o", "k.pem", "--password-file", "pw", *QUICK)
        self.ty("pubkey", "k.pem", "--password-env", "PW", env={"PW": "secret"})
        # there is no terminal on which to ask for it
        self.assertIn("give --password-file", self.err("pubkey", "k.pem", exit=USAGE))
        self.keys("bare")
        self.assertIn("give --new-password-file",
                      self.err("convert", "--encrypt", "-o", "x.pem", "bare.pem", exit=USAGE))
        self.err("pubkey", "k.pem", "--password-env", "PW", exit=REFUSED, env={"PW": "wrong"})
        self.err("pubkey", "k.pem", "--password-env", "NOT_SET_AT_ALL", exit=USAGE)
        self.err("pubkey", "k.pem", "--password-file", "empty", exit=USAGE)
        self.err("pubkey", "k.pem", "--password-file", "missing", exit=INPUT)

    def test_the_limit_on_iterations(self):
        """A file states its number of iterations: too many are refused before the derivation
        begins."""
        self.write("pw", "secret\n")
        self.ty("keygen", "-o", "k.pem", "--pub", "k.pub", "--password-file", "pw", "--iterations",
                "2000")
        for verb in (["pubkey", "k.pem"], ["inspect", "k.pem"], ["convert", "--plain", "k.pem"],
                     ["sign", "-k", "k.pem", "k.pub"]):
            line = self.err(*verb, "--password-file", "pw", "--max-iterations", "1999", exit=INPUT)
            self.assertEqual(line,
                             "tongyu: k.pem: its password costs 2000 iterations, more than is "
                             "sensible; if you trust the file, raise --max-iterations")
            self.ty(*verb, "--password-file", "pw", "--max-iterations", "2000")
        der = self.out("convert", "--coding", "der", "--password-file", "pw", "--new-password-file",
                       "pw", "--iterations", "65535", "k.pem")
        self.assertEqual(der.count(bytes.fromhex("020300ffff")), 1)
        self.write("costly", der.replace(bytes.fromhex("020300ffff"), bytes.fromhex("02037fffff")))
        start = case.cpu_time()
        self.assertIn("8388607 iterations, more than is sensible",
                      self.err("pubkey", "costly", "--password-file", "pw", exit=INPUT))
        self.assertLess(case.cpu_time() - start, 1)

    def test_invalid_parameters_of_scrypt(self):
        """n of scrypt is a power of two: a file with another n is refused before the password is
        asked for."""
        der = base64.b64decode(SCRYPT)
        self.assertEqual(der.count(b"\2\1\x10\2\1\x08"), 1)
        self.write("good", der)
        self.write("bad", der.replace(b"\2\1\x10\2\1\x08", b"\2\1\x0f\2\1\x08"))
        self.ty("pubkey", "good", "--password-env", "PW", env={"PW": "secret"})
        self.assertIn("there is no terminal", self.err("pubkey", "good", exit=USAGE))
        self.assertIn("bad: its scrypt parameters are not valid",
                      self.err("pubkey", "bad", exit=INPUT))

    def test_the_limit_on_memory(self):
        """n = 2, r = 2400000, p = 1: n r p is below the limit, but the memory is 1464 MiB, where at
        most 1040 MiB are allowed."""
        der = base64.b64decode(SCRYPT)
        for old, new in (("020110020108020102", "0201020203249f00020101"),
                         ("3081e3304e", "3081e53050"), ("30413020", "30433022"),
                         ("30130408", "30150408")):
            self.assertEqual(der.count(bytes.fromhex(old)), 1, old)
            der = der.replace(bytes.fromhex(old), bytes.fromhex(new))
        self.write("big", der)
        line = self.err("pubkey", "big", "--password-env", "PW", env={"PW": "secret"}, exit=INPUT)
        self.assertIn("big: its password costs 1464 MiB of memory by scrypt, and at most 1040 MiB "
                      "are allowed", line)

    def test_what_is_written_is_read(self):
        """No key file is written that could not be read without --max-iterations."""
        self.write("pw", "secret\n")
        self.keys()
        for verb in (["keygen"], ["convert", "key.pem"]):
            how = ["-o", "locked.pem", "--password-file" if verb ==
                   ["keygen"] else "--new-password-file", "pw", "--iterations"]
            line = self.err(*verb, *how, "5000001", exit=USAGE)
            self.assertEqual(line,
                             "tongyu: --iterations 5000001 makes a key file that is refused "
                             "without --max-iterations; give at most 5000000")
            self.assertNotIn("locked.pem", self.files())
        self.ty("keygen", "-o", "locked.pem", "--password-file", "pw", "--iterations", "5000000")
        self.ty("pubkey", "--password-file", "pw", "locked.pem")

    def test_not_keys(self):
        key, _ = self.keys()
        whole = self.read(key)
        self.write("empty", b"")
        self.write("noise", bytes(range(256)))
        self.write("cut", whole[: len(whole) // 2])
        self.write("big", b"x" * 70000)
        for name in ("empty", "noise", "cut", "big", "missing", "."):
            self.err("pubkey", name, exit=INPUT)
        self.ty("pubkey", "-o", "p.pem", key)
        self.assertIn("public key", self.err("sign", "-k", "p.pem", key, "-o", "s", exit=INPUT))

    def test_the_key_by_its_option(self):
        key, pub = self.keys()
        for option in ("-k", "--key"):
            self.assertEqual(self.out("pubkey", option, key), self.read(pub))
            self.assertEqual(self.out("inspect", option, key), self.out("inspect", key))
            self.assertEqual(self.out("convert", option, key, "--format", "spki"), self.read(pub))
        self.err("pubkey", "-k", key, key, exit=USAGE)
        self.err("inspect", exit=USAGE)

    def test_a_password_that_is_not_needed(self):
        key, pub = self.keys()
        self.write("pw", "secret\n")
        self.write("f", "x")
        self.ty("sign", "-k", key, "-o", "s", "f")
        self.ty("encrypt", "-k", pub, "-o", "f.ty", "f")
        for line in (["sign", "-k", key, "-o", "s2", "f"], ["verify", "-k", pub, "-s", "s", "f"],
                     ["pubkey", key],
                     ["inspect", key], ["decrypt", "-k", key, "f.ty"],
                     ["derive", "-k", key, "-p", pub]):
            p = self.ty(*line, "--password-file", "pw")
            self.assertIn(b"tongyu: warning: ke", p.stderr)
            self.assertIn(b"not encrypted: its password was not needed", p.stderr)
            self.assertEqual(p.stderr.count(b"\n"), 1)
        self.ty("convert", "--new-password-file", "pw", *QUICK, "-o", "locked.pem", key)
        self.assertEqual(self.ty("inspect", "locked.pem", "--password-file", "pw").stderr, b"")

    def test_derive(self):
        self.keys("a")
        self.keys("b")
        ab, ba = (self.out("derive", "-k", "a.pem", "-p", "b.pub"),
                  self.out("derive", "-k", "b.pem", "-p", "a.pub"))
        self.assertEqual(ab, ba)
        digits = self.out("pubkey", "--format", "hex", "b.pub").decode()
        point = int(digits[2:66], 16), int(digits[66:130], 16)
        self.assertEqual(int(ab, 16), mul(self.scalar("a.pem"), point)[0])
        self.ty("derive", "-k", "a.pem", "-p", "b.pub", "-o", "x")
        self.assertEqual(self.read("x").hex(), ab.decode().strip())
        self.assertEqual(self.mode("x"), 0o600)
        longer = self.out("derive", "-k", "a.pem", "-p", "b.pub", "--length", "48").decode().strip()
        if "sm3" in hashlib.algorithms_available:
            z = bytes.fromhex(ab.decode())
            kdf = b"".join(hashlib.new("sm3", z + n.to_bytes(4, "big")).digest() for n in (1, 2))
            self.assertEqual(longer, kdf[:48].hex())

    def test_kdf_of_every_hash(self):
        names = {"sha512-224": "sha512_224", "sha512-256": "sha512_256", "sha3-224": "sha3_224",
                 "sha3-256": "sha3_256",
                 "sha3-384": "sha3_384", "sha3-512": "sha3_512"}
        self.write("pw", "correct horse\n")
        self.write("raw", bytes(range(200)))
        self.write("f", "message")
        tried = 0
        for alg in ("sm3", "sha224", "sha256", "sha384", "sha512", *names):
            name = names.get(alg, alg)
            if name not in hashlib.algorithms_available:
                continue
            tried += 1
            for n in (1, 20, 64, 100):
                want = hashlib.pbkdf2_hmac(name, b"correct horse", b"\1\2", 3, n).hex()
                self.assertEqual(self.out("kdf", "pbkdf2", "--hash", alg, "--password-file", "pw",
                                          "--salt-hex", "0102", "--iterations", "3",
                                          "--length", str(n)).decode().strip(), want, alg)
            for key in ("pw", "raw"):
                self.assertEqual(self.out("mac", "--alg", f"hmac-{alg}", "--key-bytes", key,
                                          "f").decode().split()[0],
                                 hmac.new(self.read(key), b"message", name).hexdigest())
            prk, t, okm = hmac.new(b"salt", self.read("raw"), name).digest(), b"", b""
            for i in range(1, 5):
                t = hmac.new(prk, t + b"info" + bytes([i]), name).digest()
                okm += t
            self.assertEqual(self.out("kdf", "hkdf", "--hash", alg, "--key-bytes", "raw",
                                      "--salt-hex", b"salt".hex(), "--info", "info",
                                      "--length", "80").decode().strip(), okm[:80].hex())
        self.assertGreater(tried, 8)
        for args in (["pbkdf2", "--password-file", "pw"],
                     ["pbkdf2", "--key-bytes", "raw", "--password-file", "pw", "--salt-hex", ""],
                     ["hkdf", "--password-file", "pw"],
                     ["pbkdf2", "--key-bytes", "raw", "--salt-hex", "00", "--info", "x"],
                     ["kdf-sm3", "--hash", "sha256", "--key-bytes", "raw"],
                     ["hkdf", "--hash", "sha224", "--length", "7141", "--key-bytes", "raw"],
                     ["hkdf", "--hash", "shake128", "--key-bytes", "raw"],
                     ["hkdf", "--key-bytes", "raw", "--key-file", "pw"]):
            with self.subTest(args=args):
                self.err("kdf", *args, exit=USAGE)

    def test_a_key_that_others_can_read(self):
        self.keys()
        note = ("tongyu: warning: key.pem: a private key that others can read; chmod 600 key.pem "
                "makes it private\n")
        self.write("f", "x")
        for mode, warned in ((0o600, False), (0o644, True), (0o640, True), (0o400, False)):
            os.chmod(self.dir / "key.pem", mode)
            p = self.ty("sign", "--hex", "-k", "key.pem", "f")
            self.assertEqual(p.stderr.decode(), note if warned else "")
        os.chmod(self.dir / "key.pem", 0o644)
        self.assertEqual(self.ty("inspect", "key.pub").stderr, b"")
        self.write("pw", "secret")
        self.ty("convert", "--new-password-file", "pw", *QUICK, "-o", "locked.pem", "key.pem")
        os.chmod(self.dir / "locked.pem", 0o644)   # its password protects it
        self.assertEqual(self.ty("inspect", "--password-file", "pw", "locked.pem").stderr, b"")

    def test_kdf(self):
        # HKDF: RFC 5869, A.1 with SM3, as openssl kdf computes it
        self.write("ikm", "0b" * 22)
        hkdf = ("kdf", "--key-file", "ikm", "--salt-hex", "000102030405060708090a0b0c", "--length",
                "42")
        want = ("c69fe91b7aaee2dd5718d72dcaee0cce93f1b8e41f792da51261b6a517e68b36ed2c595572b01dfa3"
                "59b")
        self.assertEqual(self.out(*hkdf, "--info-hex", "f0f1f2f3f4f5f6f7f8f9").decode(),
                         want + "\n")
        self.assertEqual(self.json(*hkdf, "--info-hex", "f0f1f2f3f4f5f6f7f8f9")["secret"], want)
        self.ty(*hkdf, "--info-hex", "f0f1f2f3f4f5f6f7f8f9", "-o", "x")
        self.assertEqual((self.read("x").hex(), self.mode("x")), (want, 0o600))
        self.assertEqual(self.out(*hkdf, "--info", "abc"), self.out(*hkdf, "--info-hex", "616263"))
        self.assertEqual(len(self.out("kdf", "--key-file", "ikm", "--length", "8160")),
                         2 * 8160 + 1)
        gb = self.out("kdf", "--alg", "kdf-sm3", "--key-file", "ikm", "--length",
                      "48").decode().strip()
        if "sm3" in hashlib.algorithms_available:
            z = bytes([0x0b]) * 22
            self.assertEqual(gb, b"".join(hashlib.new("sm3", z + n.to_bytes(4, "big")).digest()
                                          for n in (1, 2))[:48].hex())
        self.assertEqual(len(self.out("kdf", "--alg", "kdf-sm3", "--key-file", "ikm", "--length",
                                      "8161")), 2 * 8161 + 1)
        for args in (["--length", "8161"], ["--info", "a", "--info-hex", "61"],
                     ["--alg", "kdf-sm3", "--info", "a"],
                     ["--alg", "kdf-sm3", "--salt-hex", "00"], ["--json", "-o", "-"]):
            with self.subTest(args=args):
                self.err("kdf", "--key-file", "ikm", *args, exit=USAGE)

    def test_exchange(self):
        self.keys("a")
        self.keys("b")
        names = ["--id-hex", b"bob".hex(), "--peer-id-hex", b"alice".hex()]
        self.ty("exchange", "start", "--state", "a.st", "-o", "1")
        self.assertEqual(self.mode("a.st"), 0o600)
        self.ty("exchange", "reply", "-k", "b.pem", "-p", "a.pub", *names, "--state", "b.st", "-o",
                "2", "1")
        self.write("2bad", self.read("2")[:-1] + bytes([self.read("2")[-1] ^ 1]))
        swap = ["--id", "alice", "--peer-id", "bob"]
        self.err("exchange", "reply", "-k", "b.pem", "-p", "a.pub", "--id", "x" * 8192, "--state",
                 "c.st", "-o", "c", "1",
                 exit=USAGE)
        state = self.read("a.st")
        # a state is used up by one answer, even by a wrong one
        for names, second in ((swap, "2bad"), ([], "2")):
            self.err("exchange", "finish", "-k", "a.pem", "-p", "b.pub", *names, "--state", "a.st",
                     "--secret", "ka",
                     "-o", "3", second, exit=REFUSED)
            self.assertFalse({"ka", "3", "a.st"} & set(self.files()))
            self.write("a.st", state)
        # the state is a header, then role || r, and is checked before it is used
        self.assertEqual((len(state), state[:7]), (39, b"TYKX\x01\x01\x00"))
        for bad in (state[:-1], state + b"\0", b"TYKY" + state[4:], state[:4] + b"\x02" + state[5:],
                    self.read("b.st"),
                    state[:6] + b"\1" + state[7:], state[:7] + bytes(32), state[:7] + b"\xff" * 32):
            self.write("bad.st", bad)
            self.err("exchange", "finish", "-k", "a.pem", "-p", "b.pub", *swap, "--state", "bad.st",
                     "--secret", "ka",
                     "-o", "3", "2", exit=INPUT)
            self.assertIn("bad.st", self.files())
        for bad in (self.read("b.st")[:38], state, b"TYKX\x01\x02" + bytes(32 + 1025)):
            self.write("bad.st", bad)
            self.write("3", bytes(32))
            self.err("exchange", "confirm", "--state", "bad.st", "--secret", "kb", "3", exit=INPUT)
        os.unlink(self.dir / "3")
        self.ty("exchange", "finish", "-k", "a.pem", "-p", "b.pub", *swap, "--state", "a.st",
                "--secret", "ka", "-o",
                "3", "2")
        self.write("3bad", bytes(32))
        self.err("exchange", "confirm", "--state", "b.st", "--secret", "kb", "3bad", exit=REFUSED)
        self.ty("exchange", "confirm", "--state", "b.st", "--secret", "kb", "3")
        self.assertEqual(self.read("ka"), self.read("kb"))
        self.assertEqual((self.mode("ka"), self.mode("kb")), (0o600, 0o600))
        self.assertFalse({"a.st", "b.st"} & set(self.files()))

    def test_exchange_removes_the_state_or_says_so(self):
        """If the state is a link, its target is removed, since start writes to that."""
        self.keys("a")
        self.keys("b")
        places = ["plain.st", "link.st"]
        if os.geteuid():   # root may remove files from any directory
            places.append("locked/kept.st")
        (self.dir / "locked").mkdir()
        self.write("behind.st", "")
        os.symlink("behind.st", self.dir / "link.st")
        for i, place in enumerate(places):
            with self.subTest(place=place):
                for step in range(1, 4):
                    (self.dir / str(step)).unlink(missing_ok=True)
                self.ty("exchange", "start", "--force", "--state", place, "-o", "1")
                self.ty("exchange", "reply", "--force", "-k", "b.pem", "-p", "a.pub", "--state",
                        "b.st", "-o", "2", "1")
                os.chmod(self.dir / "locked", 0o500)
                p = self.ty("exchange", "finish", "-k", "a.pem", "-p", "b.pub", "--state", place,
                            "--secret", f"key{i}", "-o", "3", "2")
                os.chmod(self.dir / "locked", 0o700)
                kept = place.startswith("locked")
                self.assertEqual((self.dir / place).exists(), kept)
                self.assertEqual(b"could not be removed" in p.stderr, kept, p.stderr)
        self.assertFalse({"behind.st", "link.st"} & set(self.files()))


if __name__ == "__main__":
    case.main()
