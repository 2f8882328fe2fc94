"""encrypt, decrypt: sealed files."""

import os
import signal
import subprocess
import time

import case
from case import INPUT, OLD_FILES, QUICK, REFUSED, SANITIZED, TONGYU, USAGE

CHUNK = 65536


class Box(case.Case):
    def setUp(self):
        super().setUp()
        self.key, self.pub = self.keys()
        self.write("pw", "correct horse\n")

    def seal(self, data, name="f.ty", password=False):
        how = ["--password-file", "pw", *QUICK] if password else ["-k", self.pub]
        self.ty("encrypt", *how, "-o", name, "--force", stdin=data)
        return self.read(name)

    def refused(self, sealed, *how, exits=(REFUSED,)):
        """decrypt fails and leaves nothing on stdout, no output file and no temporary file."""
        self.write("bad.ty", sealed)
        before = self.files()
        how = how or ("-k", self.key)
        for target in ([], ["-o", "out"]):
            p = self.exec([TONGYU, "decrypt", *how, *target, "bad.ty"])
            self.assertIn(p.returncode, exits, p.stderr)
            self.assertEqual(p.stdout, b"")
            self.assertEqual(self.files(), before)
        self.assertEqual(list(self.tmp.iterdir()), [])

    def test_a_reader_named_twice(self):
        self.ty("pubkey", "--format", "der", "-o", "again.der", self.key)
        self.write("f", "x")
        line = self.err("encrypt", "-k", self.pub, "-k", "again.der", "-o", "f.ty", "f", exit=USAGE)
        self.assertEqual(line,
                         f"tongyu: again.der: the same key as {self.pub}, so one reader is named "
                         "twice; omit one of them")
        self.assertNotIn("f.ty", self.files())

    def test_lengths(self):
        for n in (0, 1, 15, 16, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5):
            data = os.urandom(n)
            self.seal(data)
            self.assertEqual(self.out("decrypt", "-k", self.key, "f.ty"), data)

    def test_files_and_pipes(self):
        data = os.urandom(100000)
        self.write("f", data)
        self.ty("encrypt", "-k", self.pub, "-o", "f.ty", "f")
        self.ty("decrypt", "-k", self.key, "-o", "g", "f.ty")
        self.assertEqual(self.read("g"), data)
        self.assertEqual(self.mode("g"), 0o600)
        piped = self.out("encrypt", "-k", self.pub, stdin=data)
        self.assertEqual(self.out("decrypt", "-k", self.key, "-", stdin=piped), data)

    def test_passwords(self):
        self.seal(b"hello", password=True)
        self.assertEqual(self.out("decrypt", "--password-file", "pw", "f.ty"), b"hello")
        self.assertEqual(self.out("decrypt", "--password-env", "PW", "f.ty",
                                  env={"PW": "correct horse"}), b"hello")
        self.refused(self.read("f.ty"), "--password-file", self.write("wrong", "battery staple"))
        self.err("decrypt", "-k", self.key, "f.ty", exit=USAGE)
        self.seal(b"hello", "k.ty")
        self.err("decrypt", "--password-file", "pw", "k.ty", exit=USAGE)
        self.err("encrypt", "-o", "x", "f.ty", exit=USAGE)
        self.err("encrypt", "-o", "x", "-k", self.pub, "--password-file", "pw", "f.ty", exit=USAGE)

    def test_encrypted_key(self):
        self.ty("convert", "--new-password-file", "pw", *QUICK, "-o", "enc.pem", self.key)
        self.seal(b"hello")
        self.assertEqual(self.out("decrypt", "-k", "enc.pem", "--password-file", "pw", "f.ty"),
                         b"hello")

    def test_readers(self):
        for name in "abc":
            self.keys(name)
        self.ty("encrypt", "-k", "a.pub", "-k", "b.pub", "-o", "f.ty", stdin=b"for two")
        for name in "ab":
            self.assertEqual(self.out("decrypt", "-k", f"{name}.pem", "f.ty"), b"for two")
        self.refused(self.read("f.ty"), "-k", "c.pem")
        self.err("encrypt", *["-k", "a.pub"] * 17, "-o", "x", stdin=b"x", exit=USAGE)

    def test_every_header_byte(self):
        for password in (False, True):
            sealed = self.seal(b"hello", password=password)
            how = ["--password-file", "pw", "--max-iterations",
                   "5000"] if password else ["-k", self.key]
            for i in range(len(sealed) - 16 - 5):
                bad = sealed[:i] + bytes([sealed[i] ^ 1 << i % 8]) + sealed[i + 1:]
                # With a change in the magic number or a length it is not a sealed file any more;
                # a change in the kind may require a password instead of a key, or the reverse.
                exits = (REFUSED, INPUT, USAGE) if i < 16 else (REFUSED, INPUT)
                p = self.exec([TONGYU, "decrypt", *how, "-o", "out"], stdin=bad)
                self.assertIn(p.returncode, exits, f"byte {i}: {p.stderr}")
                self.assertNotIn("out", self.files(), f"byte {i}")

    def test_every_region_of_the_body(self):
        data = os.urandom(2 * CHUNK + 100)
        sealed = self.seal(data)
        start = len(sealed) - len(data) - 3 * 16
        spots = [start, start + 1000, start + CHUNK - 1, start + CHUNK, start + CHUNK + 15,
                 start + CHUNK + 16,
                 start + 2 * CHUNK + 20, start + 2 * CHUNK + 40, len(sealed) - 17, len(sealed) - 16,
                 len(sealed) - 1]
        for i in spots:
            self.refused(sealed[:i] + bytes([sealed[i] ^ 0x10]) + sealed[i + 1:])

    def test_cut_extended_reordered(self):
        data = os.urandom(3 * CHUNK)
        sealed = self.seal(data)
        head, full = len(sealed) - 3 * (CHUNK + 16), CHUNK + 16
        a, b, c = (sealed[head + i * full: head + (i + 1) * full] for i in range(3))
        head = sealed[:head]
        for cut in (len(head), len(head) + 1, len(head) + 15, len(head) + 16, len(head) + full,
                    len(head) + full + 7,
                    len(head) + 2 * full, len(sealed) - 16, len(sealed) - 1):
            self.refused(sealed[:cut])
        for cut in (0, 1, 13):
            self.refused(sealed[:cut], exits=(INPUT,))
        for cut in (14, len(head) // 2, len(head) - 1):
            self.refused(sealed[:cut], exits=(REFUSED,))
        for bad in (head + b + a + c, head + a + a + b + c, head + a + c, head + a + b + c + c,
                    sealed + b"\0",
                    sealed + bytes(16), sealed + a):
            self.refused(bad)

    def test_chunks_of_another_file(self):
        one, two = self.seal(bytes(2 * CHUNK)), self.seal(bytes(2 * CHUNK))
        at = len(one) - (CHUNK + 16)
        self.refused(one[:at] + two[at:])

    def test_not_sealed(self):
        for data in (b"", b"short", os.urandom(1000), b"A" * 1000, self.read(self.key)):
            self.refused(data, exits=(INPUT,))
        self.seal(b"hello")
        self.assertIn("a sealed file, and this needs a key; open it with tongyu decrypt",
                      self.err("pubkey", "f.ty", exit=INPUT))
        self.err("decrypt", "-k", self.key, "missing", exit=INPUT)
        self.err("encrypt", "-k", self.pub, "-o", "x", "missing", exit=INPUT)
        self.assertNotIn("x", self.files())

    def test_existing_output_stays(self):
        self.write("f", "precious")
        self.seal(b"new")
        self.err("decrypt", "-k", self.key, "-o", "f", "f.ty", exit=USAGE)
        self.err("encrypt", "-k", self.pub, "-o", "f", "f.ty", exit=USAGE)
        self.assertEqual(self.read("f"), b"precious")
        sealed = self.read("f.ty")
        self.write("f.ty", sealed[:-1])
        # --force, but the file does not verify
        self.err("decrypt", "-f", "-k", self.key, "-o", "f", "f.ty", exit=REFUSED)
        self.assertEqual(self.read("f"), b"precious")
        self.write("f.ty", sealed)
        self.ty("decrypt", "-f", "-k", self.key, "-o", "f", "f.ty")
        self.assertEqual(self.read("f"), b"new")

    def test_in_place(self):
        self.write("f", "the same name")
        self.ty("encrypt", "-f", "-k", self.pub, "-o", "f", "f")
        self.ty("decrypt", "-f", "-k", self.key, "-o", "f", "f")
        self.assertEqual(self.read("f"), b"the same name")

    def test_a_cost_above_the_limit_is_refused(self):
        self.ty("encrypt", "--password-file", "pw", "--iterations", "20000", "-o", "f.ty",
                stdin=b"x")
        self.err("decrypt", "--password-file", "pw", "--max-iterations", "10000", "f.ty",
                 exit=INPUT)

    def test_opening_allows_every_cost_of_sealing(self):
        self.ty("encrypt", "--password-file", "pw", "--iterations", "20000", "-o", "f.ty",
                stdin=b"x")
        data, cost = self.read("f.ty"), (20000).to_bytes(4, "big")
        self.assertEqual(data.count(cost), 1)
        # REFUSED: the password was tried, and does not match
        for n, exit in ((6000000, REFUSED), (10000001, INPUT)):
            self.write("costly.ty", data.replace(cost, n.to_bytes(4, "big")))
            self.err("decrypt", "--password-file", "pw", "costly.ty", exit=exit)

    def test_the_limit_on_the_cost_of_keys(self):
        """It applies even where sealed files may cost more."""
        self.ty("convert", "--new-password-file", "pw", "--iterations", "100000", "--coding", "der",
                "-o", "k.der", self.key)
        data, cost = self.read("k.der"), bytes.fromhex("0203") + (100000).to_bytes(3, "big")
        self.assertEqual(data.count(cost), 1)
        self.write("costly.der",
                   data.replace(cost, bytes.fromhex("0203") + (6000000).to_bytes(3, "big")))
        self.seal(b"x")
        how = ["decrypt", "-k", "costly.der", "--password-file", "pw", "f.ty"]
        self.assertIn("costly.der: its password costs 6000000 iterations",
                      self.err(*how, exit=INPUT))
        self.assertIn("costly.der: wrong password",
                      self.err(*how, "--max-iterations", "6000000", exit=REFUSED))

    def test_signals_leave_nothing(self):
        if SANITIZED or not OLD_FILES["LD_PRELOAD"]:
            self.skipTest("nothing can be preloaded here")
        p = subprocess.Popen([TONGYU, "encrypt", "-k", self.pub, "-o", "out.ty"], cwd=self.dir,
                             env=dict(self.env, **OLD_FILES),
                             stdin=subprocess.PIPE, start_new_session=True)
        unfinished = lambda: [f for f in self.files() if f.startswith(".tongyu-")]
        until = time.monotonic() + 60
        while not unfinished() and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(unfinished(), "the temporary file never appeared")
        p.send_signal(signal.SIGTERM)
        p.wait()
        p.stdin.close()
        self.assertEqual(p.returncode, -signal.SIGTERM)
        self.assertEqual(unfinished(), [])
        self.assertNotIn("out.ty", self.files())

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        self.err("encrypt", "-k", self.pub, "-o", "/dev/full", stdin=bytes(200000),
                 exit=case.INTERNAL)
        self.seal(bytes(200000))
        self.err("decrypt", "-k", self.key, "-o", "/dev/full", "f.ty", exit=case.INTERNAL)
        self.err("decrypt", "-k", self.key, "-o", "no/such/place", "f.ty", exit=case.INTERNAL)

    def test_links_and_devices_stay(self):
        self.write("real", "old")
        os.symlink("real", self.dir / "link")
        self.seal(b"new")
        self.ty("decrypt", "-f", "-k", self.key, "-o", "link", "f.ty")
        self.assertTrue((self.dir / "link").is_symlink())
        self.assertEqual(self.read("real"), b"new")
        os.mkfifo(self.dir / "pipe")   # what is not a regular file is written to, never replaced
        reader = subprocess.Popen(["cat", str(self.dir / "pipe")], stdout=subprocess.PIPE)
        self.ty("decrypt", "-k", self.key, "-o", "pipe", "f.ty")
        self.assertEqual(reader.communicate(timeout=60)[0], b"new")
        self.assertTrue((self.dir / "pipe").is_fifo())


if __name__ == "__main__":
    case.main()
