"""Outputs are different files, never replace a key in use, and appear together or not at all; stdin
is read once."""

import os
import signal
import subprocess
import sys
import time

import case
from case import INPUT, INTERNAL, OLD_FILES, QUICK, REFUSED, SANITIZED, TONGYU, USAGE

GCM = ["cipher", "--alg", "sm4-gcm", "--key-file", "key", "--iv-hex", "00" * 12]


class Outputs(case.Case):
    def setUp(self):
        super().setUp()
        self.keys()
        self.write("key", "00" * 16)
        self.write("f", "hello")

    def refused(self, *args, stdin=b"", text=""):
        """Expect a usage error that changes no file and creates none."""
        before = {name: self.read(name) for name in self.files() if (self.dir / name).is_file()}
        self.assertIn(text, self.err(*args, exit=USAGE, stdin=stdin))
        after = {name: self.read(name) for name in self.files() if (self.dir / name).is_file()}
        self.assertEqual(before, after)

    def test_two_outputs_are_two_files(self):
        (self.dir / "sub").mkdir()
        self.write("old", "precious")
        os.symlink("old", self.dir / "link")
        os.link(self.dir / "old", self.dir / "hard")
        for force in ([], ["-f"]):
            for one, two in (("k", "k"), ("k", "./k"), ("sub/../k", "k"), ("old", "link"),
                             ("hard", "old"),
                             (self.dir / "k", "k"), ("-", "-"), ("-", "/dev/stdout")):
                for verb in (["keygen", "-o", one, "--pub", two],
                             ["exchange", "start", "--state", one, "-o", two]):
                    with self.subTest(verb=verb, force=force):
                        self.refused(*verb, *force)
        self.refused(*GCM, "-f", "-o", "x", "--tag-file", "x", "f", text="two outputs")
        # without -o the message goes to stdout, too
        self.refused("exchange", "start", "--state", "-", text="two outputs")
        self.ty("keygen", "-o", "/dev/null", "--pub", "/dev/null")  # both may be the same device
        self.ty("keygen", "-f", "-o", "k", "--pub", "sub/k")

    def test_directories(self):
        (self.dir / "sub").mkdir()
        for force in ([], ["-f"]):
            for verb in (["encrypt", "-k", "key.pub"], ["sign", "-k", "key.pem"],
                         [*GCM, "--tag-file", "t"]):
                # encrypt and sign put their result into a directory that exists
                for name in ("sub", "sub/", "new/") if verb[0] == GCM[0] else ("new/",):
                    self.assertIn(f"{name} is a directory; name a file in it",
                                  self.err(*verb, *force, "-o", name, "f", exit=USAGE))
                self.assertIn("no/such/f: there is no directory no/such; make it first (mkdir -p "
                              "no/such)",
                              self.err(*verb, *force, "-o", "no/such/f", "f", exit=INTERNAL))
                self.assertIn("f/x: a part of the name is not a directory",
                              self.err(*verb, *force, "-o", "f/x", "f", exit=INTERNAL))
        self.assertEqual(self.files(), ["f", "key", "key.pem", "key.pub", "sub"])

    def test_finishing_keeps_the_secret(self):
        self.keys("b")
        self.ty("exchange", "start", "--state", "a.st", "-o", "1")
        self.ty("exchange", "reply", "-k", "b.pem", "-p", "key.pub", "--state", "b.st", "-o", "2",
                "1")
        finish = ["exchange", "finish", "-f", "-k", "key.pem", "-p", "b.pub", "--state", "a.st"]
        for secret, third in (("s", "s"), ("a.st", "3"), ("s", "a.st"), ("key.pem", "3"),
                              ("s", "2"), ("s", "b.pub")):
            self.refused(*finish, "--secret", secret, "-o", third, "2")
        self.refused("exchange", "reply", "-f", "-k", "b.pem", "-p", "key.pub", "--state", "b.pem",
                     "-o", "2", "1")
        self.ty(*finish, "--secret", "s", "-o", "3", "2")
        self.refused("exchange", "confirm", "-f", "--state", "b.st", "--secret", "b.st", "3")
        self.ty("exchange", "confirm", "--state", "b.st", "--secret", "t", "3")
        self.assertEqual(self.read("s"), self.read("t"))

    def test_no_key_is_replaced_by_an_output(self):
        self.write("pw", "secret")
        self.ty("encrypt", "-k", "key.pub", "-o", "f.ty", "f")
        self.ty("sm2", "encrypt", "-k", "key.pub", "-o", "f.ct", "f")
        os.symlink("key.pem", self.dir / "also")
        for args in (["sign", "-k", "key.pem", "-o", "key.pem", "f"],
                     ["sign", "-k", "key.pem", "-o", "f", "f"],
                     ["sign", "-k", "key.pem", "-o", "also", "f"],
                     ["encrypt", "-k", "key.pub", "-o", "key.pub", "f"],
                     ["decrypt", "-k", "key.pem", "-o", "key.pem", "f.ty"],
                     ["encrypt", "--password-file", "pw", *QUICK, "-o", "pw", "f"],
                     ["sm2", "encrypt", "-k", "key.pub", "-o", "key.pub", "f"],
                     ["sm2", "decrypt", "-k", "key.pem", "-o", "./key.pem", "f.ct"],
                     ["derive", "-k", "key.pem", "-p", "key.pub", "-o", "key.pem"],
                     ["kdf", "--key-file", "key", "-o", "key"],
                     ["pubkey", "-o", "key.pem", "key.pem"],
                     ["convert", "--format", "spki", "-o", "key.pem", "key.pem"],
                     ["convert", "--new-password-file", "pw", *QUICK, "-o", "pw", "key.pem"],
                     ["keygen", "--password-file", "pw", *QUICK, "-o", "pw"],
                     [*GCM, "-o", "key", "f"], [*GCM, "-o", "c", "--tag-file", "key", "f"],
                     [*GCM, "-o", "c", "--tag-file", "f", "f"]):
            with self.subTest(args=args):
                self.refused(*args, "-f", text="destroy")
        # a new password, in place
        self.ty("convert", "-f", "--new-password-file", "pw", *QUICK, "-o", "key.pem", "key.pem")
        self.ty("inspect", "--password-file", "pw", "key.pem")

    def test_the_ciphertext_waits_for_its_tag(self):
        for tag, status in (("nodir/t", INTERNAL), (".", USAGE)):
            self.err(*GCM, "-f", "-o", "c", "--tag-file", tag, "f", exit=status)
            self.assertNotIn("c", self.files())
        self.err("keygen", "-o", "k", "--pub", "nodir/k", exit=INTERNAL)
        self.assertNotIn("k", self.files())
        self.err("exchange", "start", "--state", "s", "-o", "nodir/m", exit=INTERNAL)
        self.assertEqual(self.ty("exchange", "start", "--state", "nodir/s", exit=INTERNAL).stdout,
                         b"")
        self.assertNotIn("s", self.files())

    def test_a_dangling_link(self):
        """docs/cli.md: links stay links, but one that leads nowhere is replaced."""
        os.symlink("nowhere", self.dir / "link")
        self.refused("sign", "-k", "key.pem", "-o", "link", "f", text="--force")
        self.ty("sign", "-f", "-k", "key.pem", "-o", "link", "f")
        self.assertFalse((self.dir / "link").is_symlink())
        self.assertNotIn("nowhere", self.files())

    def test_signals_remove_every_temporary_file(self):
        if SANITIZED or not OLD_FILES["LD_PRELOAD"]:
            self.skipTest("nothing can be preloaded here")
        unfinished = lambda: [f for f in self.files() if f.startswith(".tongyu-")]
        for sig in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGXCPU):
            shell = ["bash", "-c", 'ulimit -c 0; exec "$0" "$@"']
            p = subprocess.Popen([*shell, TONGYU, *GCM, "-o", "c", "--tag-file", "t"], cwd=self.dir,
                                 env=dict(self.env, **OLD_FILES), stdin=subprocess.PIPE,
                                 start_new_session=True)
            until = time.time() + 60
            while len(unfinished()) < 2 and time.time() < until:
                time.sleep(0.01)
            self.assertEqual(len(unfinished()), 2)
            p.send_signal(sig)
            p.wait()
            p.stdin.close()
            self.assertEqual(p.returncode, -sig)
            self.assertEqual(unfinished(), [])

    def test_a_killed_process_leaves_nothing(self):
        """SIGKILL cannot be caught, yet no plaintext stays in the directory: the file had no
        name."""
        try:
            os.close(os.open(self.dir, os.O_WRONLY | os.O_TMPFILE))
        except OSError as e:
            self.skipTest(f"no nameless files here: {e}")
        self.ty("encrypt", "-k", "key.pub", "-o", "f.ty", stdin=bytes(3000000))
        sealed, before = self.read("f.ty"), self.files()
        for args in (["decrypt", "-k", "key.pem", "-o", "out"], ["decrypt", "-k", "key.pem"],
                     [*GCM, "-o", "c", "--tag-file", "t"]):
            p = subprocess.Popen([TONGYU, *args], cwd=self.dir, env=self.env, stdin=subprocess.PIPE,
                                 stdout=subprocess.DEVNULL,
                                 start_new_session=True)
            # more than fits in the pipe, so that most of it has been read, and written
            p.stdin.write(sealed[:2000000])
            p.stdin.flush()
            p.kill()
            p.wait()
            p.stdin.close()
            self.assertEqual((self.files(), list(self.tmp.iterdir())), (before, []), args)

    def limited(self, *args, stdin=b""):
        """Run tongyu where no file may be longer than 64 KiB."""
        return self.exec(["bash", "-c", 'ulimit -f 64; exec "$0" "$@"', TONGYU, *args], stdin)

    def test_a_file_that_may_not_grow(self):
        """As on a full disk: one line of error, and no file is left. Where the plaintext was kept
        in TMPDIR, the message names that directory."""
        p = self.limited(*GCM, "-o", "c", "--tag-file", "t", stdin=bytes(300000))
        self.assertEqual((p.returncode, p.stderr.count(b"\n")), (INTERNAL, 1), p.stderr)
        self.assertFalse([f for f in self.files() if f.startswith((".tongyu-", "c", "t"))])
        self.ty("encrypt", "-k", "key.pub", "-o", "big.ty", stdin=bytes(300000))
        p = self.limited("decrypt", "-k", "key.pem", "big.ty")
        self.assertEqual((p.returncode, p.stdout, p.stderr.count(b"\n")), (INTERNAL, b"", 1),
                         p.stderr)
        self.assertIn(str(self.tmp).encode(), p.stderr)
        self.assertIn(b"TMPDIR", p.stderr)
        self.assertEqual(list(self.tmp.iterdir()), [])


class Stdin(case.Case):
    def test_it_is_read_once(self):
        key, pub = self.keys()
        both = self.read(pub) + b"secret"
        self.write("f", "hello")
        self.write("key", "00" * 16)
        for args in (["encrypt", "-k", "-", "-o", "b.ty"],
                     ["encrypt", "-k", pub, "-k", "-", "-o", "b.ty", "-"],
                     ["encrypt", "-k", "/dev/stdin", "-o", "b.ty"],
                     ["encrypt", "-k", "-", "-k", "-", "-o", "b.ty", "f"],
                     ["mac", "--key-file", "-"], ["mac", "--key-file", "-", "f", "-"],
                     ["pubkey", "--password-file", "-", "-"],
                     ["inspect", "--password-file", "-", "-"],
                     [*GCM, "-d", "--tag-file", "-"],
                     ["exchange", "reply", "-k", "-", "-p", pub, "--state", "s", "-o", "m", "-"],
                     ["exchange", "confirm", "--state", "-", "--secret", "s", "-"]):
            with self.subTest(args=args):
                self.assertIn("stdin", self.err(*args, exit=USAGE, stdin=both))
        self.assertFalse({"b.ty", "s", "m"} & set(self.files()))
        self.ty("encrypt", "-k", "-", "-o", "b.ty", "f", stdin=self.read(pub))
        self.assertEqual(self.out("decrypt", "-k", key, "b.ty"), b"hello")

    def test_the_tag(self):
        self.write("f", "hello")
        self.write("key", "00" * 16)
        self.assertIn("--tag-file", self.err(*GCM, "-o", "c", "--tag-file", "-", "f", exit=USAGE))
        self.assertIn("--tag-file",
                      self.err(*GCM, "-o", "c", "--tag-file", "-", exit=USAGE, stdin=b"x"))
        self.ty(*GCM, "-o", "c", "--tag-file", "t", stdin=b"hello")
        tag = self.read("t")
        self.assertEqual(self.out(*GCM, "-d", "--tag-file", "-", "c", stdin=tag), b"hello")
        both = ["--tag-file", "t", "--tag-hex", tag.decode().strip()]
        self.assertIn("twice", self.err(*GCM, "-d", *both, "c", exit=USAGE))
        self.err(*GCM, "-d", "--tag-hex", "00" * 16, "c", exit=REFUSED)


class Closed(case.Case):
    """No file gets the number of a standard stream that is closed."""

    def setUp(self):
        super().setUp()
        self.key, self.pub = self.keys()
        self.write("f", "hello")
        self.write("raw", "00" * 16)

    def without(self, how, *args):
        return self.exec(["bash", "-c", '"$0" "$@" ' + how, TONGYU, *args])

    def test_stdin(self):
        """A key file that was open as stdin would be read as the message, from its end on."""
        self.ty("sign", "-k", self.key, "-o", "empty.sig")
        before = self.files()
        for args in (["sign", "-k", self.key, "-o", "new"],
                     ["verify", "-k", self.pub, "-s", "empty.sig"],
                     ["mac", "--key-file", "raw"],
                     ["encrypt", "-k", self.pub, "-o", "new"],
                     ["decrypt", "-k", self.key, "-o", "new"],
                     ["cipher", "--alg", "sm4-ctr", "--key-file", "raw", "--iv-hex", "00" * 16],
                     ["pubkey", "-"]):
            with self.subTest(args=args):
                p = self.without("<&-", *args)
                self.assertEqual((p.returncode, p.stdout), (INPUT, b""), p.stderr)
                self.assertRegex(p.stderr, b"^tongyu: stdin: is closed; name a file, or redirect "
                                           b"stdin from a file or a pipe\n$")
        for args in (["sign", "-k", self.key, "-o", "new", "/dev/stdin"], ["hash", "/dev/stdin"],
                     ["sign", "-k", self.key, "-o", "new", "/dev/fd/0"], ["hash"], ["calc"]):
            p = self.without("<&-", *args)
            self.assertNotEqual(p.returncode, 0, args)   # it is not empty
            self.assertEqual(p.stdout, b"")
        self.assertEqual(self.files(), before)
        self.assertEqual(self.without("<&-", "hash", "f").returncode, 0)

    def test_stdout(self):
        for args in (["hash", "f"], ["encrypt", "-k", self.pub, "f"], ["version", "--json"]):
            p = self.without(">&-", *args)
            self.assertEqual((p.returncode, p.stderr),
                             (INTERNAL, b"tongyu: stdout: is closed; redirect it to a file or a "
                                        b"pipe\n"))
        for verb in ("encrypt", "-k", self.pub), ("sign", "-k", self.key):
            p = self.without(">&-", *verb, "-o", "/dev/stdout", "f")
            self.assertEqual(p.returncode, INTERNAL, p.stderr)   # it was written nowhere

    def test_stderr(self):
        """A pipe that was open as stderr would get what is said there, too."""
        self.keys("b")
        self.ty("exchange", "start", "--state", "a.st", "-o", "1")
        self.ty("exchange", "reply", "-k", "b.pem", "-p", self.pub, "--state", "b.st", "-o", "2",
                "1")
        os.mkfifo(self.dir / "pipe")
        with subprocess.Popen(["cat", "pipe"], cwd=self.dir, stdout=subprocess.PIPE) as reader:
            p = self.without("2>&-", "exchange", "finish", "-k", self.key, "-p", "b.pub", "--state",
                             "a.st", "--secret", "pipe", "-o", "3", "2")
            secret = reader.communicate(timeout=60)[0]
        self.assertEqual((p.returncode, len(secret)), (0, 16), secret)


class Digits(case.Case):
    def test_every_character(self):
        """Which bytes are hexadecimal digits, and the position in the message if one is not."""
        good = b"0123456789abcdefABCDEF"
        for c in [*range(1, 256, 5), *good, *b"/:@G`g\x10\x19\x40\xb0\xc1\xe1"]:
            self.write("key", b"0123456789abcd" + bytes([c]) + b"f" * 17)
            p = self.exec([TONGYU, "mac", "--key-file", "key"], b"")
            self.assertEqual(p.returncode, 0 if c in good else INPUT, c)
            if c not in good:
                self.assertIn(b"character 15)", p.stderr)
        for high, low in ((h, l) for h in "09afAF" for l in "19bcBE"):
            self.write("key", "00" * 15 + high + low)
            plain = "00" * 15 + f"{int(high + low, 16):02x}"
            self.assertEqual(self.out("mac", "--key-file", "key"),
                             self.out("mac", "--key-env", "K", env={"K": plain}))


class MissingTools(case.Case):
    def test_a_test_without_openssl(self):
        """It is skipped, and is a failure where everything must run."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "test_openssl.py")
        for everything, status in (("", 77), ("1", 1)):
            p = self.exec([sys.executable, "-B", script],
                          env={"PATH": "/nowhere", "TONGYU_ALL_TIERS": everything})
            self.assertEqual((p.returncode, p.stderr.count(b"\n")), (status, 1), p.stderr)


if __name__ == "__main__":
    case.main()
