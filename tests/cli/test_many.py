"""Many files through one call: sign, verify, encrypt, decrypt, hash."""

import hashlib
import os
import signal
import subprocess
import threading
import time

import case
from case import GOOD, QUICK, REFUSED, TONGYU, USAGE


class Many(case.Case):
    def setUp(self):
        super().setUp()
        self.key, self.pub = self.keys()

    def make(self, n, sizes=(1024,)):
        names = [f"f{i}" for i in range(n)]
        for i, name in enumerate(names):
            self.write(name, os.urandom(sizes[i % len(sizes)]))
        return names

    def test_signatures_beside_their_files(self):
        names = self.make(150, (0, 1, 1024, 70000, 1 << 21))
        self.assertEqual(self.ty("sign", "-k", self.key, *names).stderr, b"150 files signed\n")
        p = self.ty("verify", "-k", self.pub, *names)
        self.assertEqual(p.stdout.decode(), "".join(f"{n}: OK\n" for n in names))
        for name in names[:5]:   # each one verifies alone
            self.ty("verify", "-k", self.pub, "-s", f"{name}.sig", name)
            self.ty("verify", "-k", self.pub, name)   # its signature is found
        self.write("f7", "another")
        os.unlink(self.dir / "f9.sig")
        p = self.ty("verify", "-k", self.pub, *names, exit=REFUSED)
        self.assertEqual(p.stdout.count(b": OK\n"), 148)
        self.assertEqual(p.stderr.decode().splitlines()[-1],
                         "tongyu: 2 of 150 files failed: f7, f9")

    def test_every_kind_of_key(self):
        self.ty("keygen", "--alg", "ml-dsa-44", "-o", "m.pem", "--pub", "m.pub")
        self.ty("keygen", "--curve", "sect163r2", "-o", "e.pem", "--pub", "e.pub")
        self.ty("keygen", "--curve", "dstu4145-257", "-o", "d.pem", "--pub", "d.pub")
        names = self.make(9)
        for name, more in (("m", ["--context", "c"]), ("e", ["--hash", "sm3"]),
                           ("e", ["--deterministic"]),
                           ("d", ["--scheme", "dstu4145"]), ("key", ["--raw", "--deterministic"]),
                           ("key", ["--id", "A"])):
            with self.subTest(key=name, more=more):
                self.ty("sign", "-f", "-k", f"{name}.pem", *more, *names)
                common = [m for m in more if m not in ("--deterministic", "--raw")]
                self.ty("verify", "-k", f"{name}.pub", *common, *names)
                if "--deterministic" in more:
                    self.ty("sign", "-k", f"{name}.pem", *more, "-o", "one", "-f", names[3])
                    self.assertEqual(self.read("one"), self.read(f"{names[3]}.sig"))
                self.write(names[4], os.urandom(9))
                p = self.ty("verify", "-k", f"{name}.pub", *common, *names, exit=REFUSED)
                self.assertIn(b"1 of 9 files failed: f4\n", p.stderr)

    def test_a_bad_file_does_not_stop_the_rest(self):
        names = self.make(5)
        self.ty("encrypt", "-k", self.pub, *names)
        self.write("f2.ty", b"TYBOX\r\n\x01 no more")
        self.write("f3.ty", self.read("f3.ty")[:-1])
        os.mkdir(self.dir / "out")
        p = self.ty("decrypt", "-k", self.key, "-o", "out", *[n + ".ty" for n in names], "none.ty",
                    exit=REFUSED)
        self.assertEqual(p.stderr.decode().splitlines()[-1],
                         "tongyu: 3 of 6 files failed: f2.ty, f3.ty, none.ty")
        self.assertEqual(sorted(os.listdir(self.dir / "out")), ["f0", "f1", "f4"])
        self.assertEqual((self.dir / "out/f4").read_bytes(), self.read("f4"))
        for verb, last in ((["sign", "-k", self.key], "f0.sig"),
                           (["encrypt", "-f", "-k", self.pub], "f0.ty"), (["hash"], None)):
            p = self.ty(*verb, "missing", *names, exit=REFUSED)
            self.assertIn("1 of 6 files failed: missing", p.stderr.decode().splitlines()[-1])
            self.assertTrue(last is None or last in self.files())
        seen = self.json("sign", "-k", self.key, "-f", "missing", "f0", exit=REFUSED)
        self.assertEqual((seen["failed"], seen["error"]), (1, "1 of 2 files failed: missing"))
        self.assertEqual([r.get("exit", 0) for r in seen["files"]], [3, 0])

    def test_existing_results_stay(self):
        self.make(2)
        self.write("f1.sig", "precious")
        p = self.ty("sign", "-k", self.key, "f0", "f1", exit=REFUSED)
        self.assertIn(b"f1.sig exists", p.stderr)
        self.assertEqual(self.read("f1.sig"), b"precious")
        self.ty("sign", "-f", "-k", self.key, "f0", "f1")
        self.ty("verify", "-k", self.pub, "f0", "f1")

    def test_refused_before_anything_is_written(self):
        self.make(3)
        os.mkdir(self.dir / "a")
        os.mkdir(self.dir / "out")
        self.write("a/f0", "other")
        before = self.files()
        for args in (["sign", "-k", self.key, "f0", "./f0"],
                     ["encrypt", "-k", self.pub, "-o", "out", "f0", "f1", "a/f0"]):
            self.assertIn("two outputs in one file", self.err(*args, exit=USAGE))
        self.assertIn("stdin", self.err("sign", "-k", self.key, "f0", "-", exit=USAGE))
        self.assertIn("not a directory",
                      self.err("sign", "-k", self.key, "-o", "f2", "f0", "f1", exit=USAGE))
        self.assertIn("one signature for 2 files",
                      self.err("verify", "-k", self.pub, "-s", "f2", "f0", "f1", exit=USAGE))
        self.write("k.ty", "")
        os.rename(self.dir / self.key, self.dir / "f0.sig")
        self.assertIn("destroy", self.err("sign", "-f", "-k", "f0.sig", "f0", "f1", exit=USAGE))
        self.assertIn("destroy", self.err("encrypt", "-f", "-k", self.pub, "k", "k.ty", exit=USAGE))
        self.assertEqual(sorted(set(self.files()) - {"k.ty"}),
                         sorted(set(before) - {self.key} | {"f0.sig"}))
        self.assertEqual(os.listdir(self.dir / "out"), [])

    def test_pipes_are_read_once(self):
        """After a signature that does not verify, the pipe is not opened again, which would wait
        for a second writer."""
        self.make(2)
        for name, how in (("bad", []), ("bare", ["--id", ""])):
            self.ty("sign", "-k", self.key, *how, "-o", f"{name}.sig", stdin=b"what is sent")
            os.mkfifo(self.dir / name)
        self.ty("sign", "-k", self.key, "f0", "f1")
        writers = [threading.Thread(target=self.write, args=a, daemon=True)
                   for a in (("bad", b"another"), ("bare", b"what is sent"))]
        for w in writers:
            w.start()
        p = subprocess.run([TONGYU, "verify", "-k", self.pub, "f0", "bad", "bare", "f1"],
                           cwd=self.dir, capture_output=True,
                           start_new_session=True, timeout=120)
        self.assertEqual((p.returncode, p.stdout), (REFUSED, b"f0: OK\nf1: OK\n"), p.stderr)
        self.assertIn(b"bad: the signature does not verify; ", p.stderr)
        self.assertIn(b"bare: the signature does not verify with the identity", p.stderr)
        self.assertIn(b"verify with --id ''", p.stderr)

    def test_no_memory_for_a_group(self):
        """An error of a whole group is reported for each file, and a summary follows."""
        if case.SANITIZED or not os.environ.get("TONGYU_NO_MEMORY"):
            self.skipTest("nothing can be preloaded here")
        self.make(3, (54321,))   # the length in tests/cli/no_memory.c
        poor = {"LD_PRELOAD": os.environ["TONGYU_NO_MEMORY"]}
        p = self.exec([TONGYU, "hash", "-j", "1", "f0", "f1", "f2"], env=poor)
        if p.returncode == GOOD:
            self.skipTest("operator new cannot be replaced here")
        self.assertEqual((p.returncode, p.stdout), (REFUSED, b""), p.stderr)
        lines = p.stderr.decode().splitlines()
        self.assertEqual([l.split(";")[0] for l in lines[:3]],
                         [f"tongyu: f{i}: out of memory" for i in range(3)])
        self.assertEqual(lines[3:], ["tongyu: 3 of 3 files failed: f0, f1, f2"])

    def test_one_with_beside(self):
        self.make(1)
        self.ty("sign", "--beside", "-k", self.key, "f0")
        self.ty("encrypt", "--beside", "-k", self.pub, "f0")
        data = self.read("f0")
        os.unlink(self.dir / "f0")
        self.ty("decrypt", "--beside", "-k", self.key, "f0.ty")
        self.assertEqual((self.read("f0"), self.mode("f0")), (data, 0o600))
        self.ty("verify", "-k", self.pub, "f0")
        self.assertIn(b"does not end in .ty",
                      self.ty("decrypt", "--beside", "-k", self.key, "f0", exit=REFUSED).stderr)

    def test_one_into_a_directory(self):
        self.make(1)
        for name in ("out", "open"):
            (self.dir / name).mkdir()
        self.ty("sign", "-k", self.key, "-o", "out", "f0")
        self.ty("verify", "-k", self.pub, "-s", "out", "f0")
        self.ty("encrypt", "-k", self.pub, "-o", "out/", "f0")
        self.ty("decrypt", "-k", self.key, "-o", "open", "out/f0.ty")
        self.assertEqual(self.read("open/f0"), self.read("f0"))
        self.assertEqual(sorted(os.listdir(self.dir / "out")), ["f0.sig", "f0.ty"])
        for stdin in ([], ["-"]):
            self.assertIn("is a directory",
                          self.err("sign", "-k", self.key, "-o", "out", *stdin, exit=USAGE))

    def test_ten_files(self):
        """The digests, in the order of the arguments, on any number of threads."""
        names = self.make(10, (2500000,))
        want = "".join(f"{hashlib.sha256(self.read(n)).hexdigest()}  {n}\n" for n in names).encode()
        for jobs in ("1", "2", "3", "16"):
            self.assertEqual(self.out("hash", "--alg", "sha256", "-j", jobs, *names), want)

    def test_passwords_and_threads(self):
        names = self.make(6, (10, 200000))
        self.write("pw", "secret")
        self.ty("encrypt", "--jobs", "3", "--password-file", "pw", *QUICK, *names)
        datas = [self.read(n) for n in names]
        for n in names:
            os.unlink(self.dir / n)
        self.ty("decrypt", "-j", "2", "--password-file", "pw", *[n + ".ty" for n in names])
        self.assertEqual([self.read(n) for n in names], datas)
        for jobs in ("0", "65", "x"):
            self.err("hash", "--jobs", jobs, "f0", exit=USAGE)

    def test_hash_on_threads(self):
        names = self.make(40, (0, 100, 130000, 400000))
        for alg in ("sm3", "sha256"):
            alone = self.out("hash", "--alg", alg, "-j", "1", *names)
            self.assertEqual(self.out("hash", "--alg", alg, "-j", "8", *names), alone)
        for line in self.out("hash", "--alg", "sha256", *names).decode().splitlines():
            self.assertEqual(hashlib.sha256(self.read(line[66:])).hexdigest(), line[:64])

    def test_a_reader_that_closes_early(self):
        names = self.make(300)
        p = self.exec(["bash", "-c", '"$0" hash -j 4 "$@" | head -n 1 >/dev/null; exit '
                       '${PIPESTATUS[0]}', TONGYU, *names * 20])
        self.assertIn(p.returncode, (0, 128 + 13))
        self.assertEqual(p.stderr, b"")

    def test_a_signal_among_many(self):
        """Where every temporary file has a name, threads leave no incomplete file."""
        if case.SANITIZED or not case.OLD_FILES["LD_PRELOAD"]:
            self.skipTest("nothing can be preloaded here")
        names = self.make(60, (3000000,))
        # nothing is written to it, so that the command cannot end before the signal
        os.mkfifo(self.dir / "pipe")
        writer = os.open(self.dir / "pipe", os.O_RDWR)
        self.addCleanup(os.close, writer)
        p = subprocess.Popen([TONGYU, "encrypt", "-q", "-j", "4", "-k", self.pub, "pipe", *names],
                             cwd=self.dir,
                             env=dict(self.env, **case.OLD_FILES), start_new_session=True)
        until = time.monotonic() + 60
        while not any(f.startswith(".tongyu-") for f in self.files()) and time.monotonic() < until:
            time.sleep(0.005)
        p.terminate()
        self.assertEqual(p.wait(), -signal.SIGTERM)
        left = [f for f in self.files() if f not in (*names, "pipe", self.key, self.pub)]
        self.assertFalse([f for f in left if not f.endswith(".ty")], left)
        for name in left:   # a file with its final name is complete
            self.assertEqual(self.out("decrypt", "-k", self.key, name), self.read(name[:-3]))

    def test_a_thousand_files(self):
        """One call for a thousand files of 1 KB takes less CPU time than a call for each, which is
        estimated from 40 calls. It takes a tenth where the disk is fast; at most a third is
        required on every machine."""
        names = self.make(1000)
        start = case.cpu_time()
        self.ty("sign", "-q", "-k", self.key, *names)
        self.ty("verify", "-q", "-k", self.pub, *names)
        together = case.cpu_time() - start
        start = case.cpu_time()
        for n in names[:40]:
            self.exec([TONGYU, "sign", "-f", "-k", self.key, "-o", "one", n])
            self.exec([TONGYU, "verify", "-q", "-k", self.pub, "-s", "one", n])
        alone = 25 * (case.cpu_time() - start)
        print(f"together {together:.3f} s, one by one {alone:.3f} s", flush=True)
        if not case.SANITIZED:
            self.assertLess(together, alone / 3)


if __name__ == "__main__":
    case.main()
