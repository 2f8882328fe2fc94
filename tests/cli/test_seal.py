"""Sealed files: armor, lists of readers, several keys, scrypt, plaintext that is released as it is
verified."""

import os
import subprocess
import unittest

import case
from case import GOOD, INPUT, QUICK, REFUSED, USAGE

CHUNK = 65536


class Seal(case.Case):
    def setUp(self):
        super().setUp()
        self.key, self.pub = self.keys()
        self.write("pw", "correct horse\n")

    def test_armor(self):
        for n in (0, 1, 29, 30, 31, 1000, CHUNK - 1, CHUNK, 2 * CHUNK + 5):
            data = os.urandom(n)
            self.ty("encrypt", "-f", "--armor", "-k", self.pub, "-o", "t", stdin=data)
            text = self.read("t").decode("ascii")
            lines = text.splitlines()
            self.assertEqual((lines[0], lines[-1]),
                             ("-----BEGIN TONGYU SEALED FILE-----",
                              "-----END TONGYU SEALED FILE-----"))
            self.assertLessEqual({len(l) for l in lines[1:-2]}, {64})
            self.assertEqual(self.out("decrypt", "-k", self.key, "t"), data)
            self.assertEqual(self.out("decrypt", "-k", self.key,
                                      stdin=text.replace("\n", "\r\n").encode()), data)
            self.assertEqual(self.out("decrypt", "-k", self.key, stdin=text.encode()[:-1]), data)
            self.assertEqual(self.out("decrypt", "-k", self.key, stdin=text.encode() + b" \n\n"),
                             data)

    def test_malformed_armor(self):
        self.ty("encrypt", "--armor", "-k", self.pub, "-o", "t", stdin=bytes(1000))
        lines = self.read("t").decode().splitlines()
        body, last = lines[1:-1], lines[-2]
        for bad in ([lines[0], *body[:-1], lines[-1]], [lines[0], *body],
                    [lines[0], body[0][:-4], *body[1:], lines[-1]],
                    [lines[0], body[0] + "AAAA", *body[1:], lines[-1]],
                    [lines[0], *body[:1], "", *body[1:], lines[-1]],
                    [lines[0], *body, lines[-1], "more"],
                    [lines[0], body[0][:-1] + "!", *body[1:], lines[-1]],
                    [lines[0], *body[:-1], last[:-1], lines[-1]],
                    [lines[0], *body, "====", lines[-1]]):
            p = self.ty("decrypt", "-k", self.key, "-o", "out",
                        stdin="\n".join(bad).encode() + b"\n", exit=REFUSED)
            self.assertIn(b"damaged", p.stderr)
            self.assertNotIn("out", self.files())
        self.err("decrypt", "-k", self.key, stdin=("\n" + "\n".join(lines)).encode(), exit=INPUT)

    def test_readers_from_a_list(self):
        self.keys("a")
        self.keys("b")
        os.mkdir(self.dir / "team")
        self.write("team/c.pem", self.read("b.pub"))
        digits = self.out("pubkey", "--format", "hex", "key.pem").decode()
        self.write("team/list", f"# those who read\n\nc.pem   # Bob\n{digits}" +
                   self.read("a.pub").decode() + "# end\n")
        self.ty("encrypt", "--recipients", "team/list", "-o", "f.ty", stdin=b"for three")
        for name in ("a", "b", "key"):
            self.assertEqual(self.out("decrypt", "-k", f"{name}.pem", "f.ty"), b"for three")
        self.assertIn("the same key", self.err("encrypt", "-k", "a.pub", "--recipients",
                                               "team/list", "-o", "x", stdin=b"", exit=USAGE))
        for text in ("", "# nobody\n", "-----BEGIN PUBLIC KEY-----\nAAAA\n", "missing.pem\n"):
            self.write("bad", text)
            self.err("encrypt", "--recipients", "bad", "-o", "x", stdin=b"", exit=INPUT)
        self.write("bad", digits[:-2] + "x\n")
        self.err("encrypt", "--recipients", "bad", "-o", "x", stdin=b"", exit=INPUT)
        for name in ("-", "/dev/stdin"):   # stdin may be the file to seal, or the list
            self.write("bad", name + "\n")
            self.write("f", "x")
            line = self.err("encrypt", "--recipients", "bad", "-o", "x", "f",
                            stdin=self.read("a.pub"), exit=INPUT)
            self.assertIn("bad: line 1: a list cannot name stdin as a key file", line)
        self.assertNotIn("x", self.files())

    def test_several_keys(self):
        self.keys("a")
        self.keys("b")
        self.ty("encrypt", "-k", "b.pub", "-o", "f.ty", stdin=b"hello")
        self.assertEqual(self.out("decrypt", "-k", self.key, "-k", "a.pem", "-k", "b.pem", "f.ty"),
                         b"hello")
        self.assertIn("not sealed for any of these keys",
                      self.err("decrypt", "-k", self.key, "-k", "a.pem", "f.ty", exit=REFUSED))

    def test_several_keys_some_of_them_encrypted(self):
        """One password for the keys that need it, and no warning about the others."""
        self.write("pw", "secret")
        self.ty("keygen", "--password-file", "pw", *case.QUICK, "-o", "locked.pem", "--pub",
                "locked.pub")
        for reader in (self.pub, "locked.pub"):
            self.ty("encrypt", "-f", "-k", reader, "-o", "f.ty", stdin=b"text")
            for keys in (["-k", "locked.pem", "-k", self.key],
                         ["-k", self.key, "-k", "locked.pem"]):
                p = self.ty("decrypt", *keys, "--password-file", "pw", "f.ty")
                self.assertEqual((p.stdout, p.stderr), (b"text", b""))
        self.ty("encrypt", "-f", "-k", self.pub, "-o", "f.ty", stdin=b"text")
        # the first one fits: no password is asked for
        p = self.ty("decrypt", "-k", self.key, "-k", "locked.pem", "f.ty")
        self.assertEqual(p.stdout, b"text")
        self.assertIn(b"was not needed",
                      self.ty("decrypt", "-k", self.key, "--password-file", "pw", "f.ty").stderr)

    def test_scrypt(self):
        self.ty("encrypt", "--kdf", "scrypt", "--memory", "1", "--password-file", "pw", "-o",
                "f.ty", stdin=b"hello")
        self.assertEqual(self.out("decrypt", "--password-file", "pw", "f.ty"), b"hello")
        self.write("wrong", "x")
        self.assertIn("wrong password",
                      self.err("decrypt", "--password-file", "wrong", "f.ty", exit=REFUSED))
        self.assertIn("iterations", self.err("decrypt", "--password-file", "pw", "--max-iterations",
                                             "8191", "f.ty", exit=INPUT))
        seen = self.json("inspect", "f.ty")
        self.assertEqual((seen["kdf"], seen["n"], seen["r"], seen["p"], seen["iterations"]),
                         ("scrypt", 1024, 8, 1, 8192))
        data = bytearray(self.read("f.ty"))
        data[10] = 30   # 2^30: more memory than any file may ask for
        self.write("costly.ty", bytes(data))
        self.err("decrypt", "--password-file", "pw", "costly.ty", exit=INPUT)
        for args in (["--memory", "3"], ["--iterations", "1000"], ["--memory", "2048"]):
            self.err("encrypt", "--kdf", "scrypt", *args, "--password-file", "pw", "-o", "x",
                     stdin=b"", exit=USAGE)
        self.err("encrypt", "--memory", "16", "--password-file", "pw", "-o", "x", stdin=b"",
                 exit=USAGE)
        for args in (["--kdf", "scrypt"], ["--memory", "4"], ["--iterations", "10000"]):
            self.assertIn(f"{args[0]} is for passwords; omit it",
                          self.err("encrypt", *args, "-k", self.pub, "-o", "x", exit=USAGE))

    @unittest.skipIf(case.SANITIZED, "sanitizers need additional memory")
    def test_scrypt_on_threads(self):
        """All threads together use no more memory than one file may: 1040 MiB."""
        names = [self.write(f"f{i}", b"x") for i in range(3)]
        for args in (["encrypt", "--kdf", "scrypt", "--memory", "512", *names],
                     ["decrypt", "-f", *[n + ".ty" for n in names]]):
            p = subprocess.Popen([case.TONGYU, *args, "-q", "-j", "3", "--password-file", "pw"],
                                 cwd=self.dir, start_new_session=True)
            _, status, used = os.wait4(p.pid, 0)
            p.returncode = status
            self.assertEqual(status, 0)
            self.assertLess(used.ru_maxrss, 1200 * 1024)   # KiB

    def test_stream(self):
        data = os.urandom(3 * CHUNK + 7)
        self.ty("encrypt", "-k", self.pub, "-o", "f.ty", stdin=data)
        sealed = self.read("f.ty")
        self.assertEqual(self.out("decrypt", "--stream", "-k", self.key, "f.ty"), data)
        broken = bytearray(sealed)
        broken[-20 - CHUNK] ^= 1   # in the third chunk
        p = self.ty("decrypt", "--stream", "-k", self.key, stdin=bytes(broken), exit=REFUSED)
        self.assertEqual(p.stdout, data[:2 * CHUNK])
        self.assertIn(f"the {2 * CHUNK} bytes before it were released", p.stderr.decode())
        p = self.ty("decrypt", "-k", self.key, stdin=bytes(broken), exit=REFUSED)
        self.assertEqual(p.stdout, b"")
        self.assertEqual(self.ty("decrypt", "--stream", "-k", self.key, stdin=sealed[:-1],
                                 exit=REFUSED).stdout, data[:3 * CHUNK])
        self.err("decrypt", "--stream", "-k", self.key, "-o", "out", "f.ty", exit=USAGE)
        self.err("decrypt", "--stream", "--beside", "-k", self.key, "f.ty", exit=USAGE)
        self.assertNotIn("out", self.files())


class Inspect(case.Case):
    def test_sealed_files(self):
        self.keys()
        own = self.json("inspect", "key.pem")["recipient_id"]
        for n in (0, 5, CHUNK, CHUNK + 1):
            self.ty("encrypt", "-f", "-k", "key.pub", "-o", "f.ty", stdin=bytes(n))
            seen = self.json("inspect", "f.ty")
            self.assertEqual((seen["type"], seen["sealed_for"], seen["recipients"],
                              seen["plain_bytes"]), ("sealed", "keys", [own], n))
        self.ty("encrypt", "--armor", "-f", "-k", "key.pub", "-o", "f.ty", stdin=b"x")
        self.assertEqual(self.json("inspect", "f.ty")["recipients"], [own])
        self.assertIn("cut off", self.err("inspect", "-",
                                          stdin=b"TYBOX\r\n\x01\x02\x01" + bytes(10), exit=INPUT))
        self.assertIn("damaged", self.err("inspect", "-",
                                          stdin=b"TYBOX\r\n\x01\x09\x01" + bytes(10), exit=INPUT))

    def test_signatures(self):
        self.keys()
        self.write("f", "x")
        for how, form in ((["--raw"], "r || s"), ([], "DER"), (["--base64"], "DER")):
            self.ty("sign", "-f", "-k", "key.pem", *how, "-o", "s", "f")
            seen = self.json("inspect", "s")
            self.assertEqual((seen["type"], seen["form"]), ("signature", form))
        for alg in ("44", "65", "87"):
            self.ty("keygen", "-f", "--alg", f"ml-dsa-{alg}", "-o", "m.pem")
            self.ty("sign", "-f", "-k", "m.pem", "-o", "s", "f")
            self.assertEqual(self.json("inspect", "s")["kind"], f"signature of ML-DSA-{alg}")

    def test_fields_for_programs(self):
        self.keys()
        for name, private in (("key.pem", True), ("key.pub", False)):
            seen = self.json("inspect", name)
            self.assertEqual((seen["type"], seen["alg"], seen["private"], seen["encrypted"]),
                             ("private-key" if private else "public-key", "sm2", private, False))
            self.assertEqual(seen["public_key_hex"], "04" + seen["x"] + seen["y"])


if __name__ == "__main__":
    case.main()
