"""hash, and lists of digests."""

import hashlib
import os
import shutil

import case
from case import INPUT, REFUSED, USAGE

ABC = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"  # GB/T 32905-2016, A.1


class Hash(case.Case):
    def test_the_standard(self):
        self.assertEqual(self.out("hash", stdin=b"abc").decode(), f"{ABC}  -\n")
        self.write("f", "abc")
        self.assertEqual(self.out("hash", "--alg", "sm3", "f").decode(), f"{ABC}  f\n")
        self.assertEqual(self.out("hash", "--tag", "f").decode(), f"SM3 (f) = {ABC}\n")

    def test_other_hashes(self):
        names = {"sha224": "sha224", "sha256": "sha256", "sha384": "sha384", "sha512": "sha512",
                 "sha512-224": "sha512_224",
                 "sha512-256": "sha512_256", "sha3-224": "sha3_224", "sha3-256": "sha3_256",
                 "sha3-384": "sha3_384",
                 "sha3-512": "sha3_512", "shake128": "shake_128", "shake256": "shake_256"}
        data = bytes(range(256)) * 300
        self.write("f", data)
        for alg, name in names.items():
            h = hashlib.new(name, data)
            want = h.hexdigest({"shake128": 32,
                                "shake256": 64}[alg]) if "shake" in alg else h.hexdigest()
            self.assertEqual(self.out("hash", "--alg", alg, "f").decode(), f"{want}  f\n")
            for style in ([], ["--tag"]):
                self.write("LIST", self.out("hash", "--alg", alg, *style, "f"))
                self.assertEqual(self.out("hash", "--alg", alg, "-c", "LIST"), b"f: OK\n")
            self.write("LIST", f"{want[:-1]}0  f\n{want[:-1]}1  f\n")
            self.ty("hash", "--alg", alg, "-c", "LIST", exit=REFUSED)
            self.err("hash", "-c", "LIST", exit=REFUSED)

    def test_several_files(self):
        self.write("a", "abc")
        self.write("b", "abd")
        lines = self.out("hash", "a", "b").decode().splitlines()
        self.assertEqual([l[64:] for l in lines], ["  a", "  b"])
        p = self.ty("hash", "a", "missing", "b", exit=REFUSED)
        self.assertEqual(p.stdout.decode().splitlines(), lines)
        self.assertIn("1 of 3 files failed: missing", p.stderr.decode().splitlines()[1])

    def test_many_files(self):
        # small files are hashed several at a time, others alone: names, order and errors are the
        # same
        names = []
        for i in range(70):
            size = 128 * 1024 + i if i in (3, 4, 40) else 200000 if i == 50 else i * i
            names.append(f"file{i}")
            if i != 33:
                self.write(names[i], bytes((i + k) & 255 for k in range(size)))
        # longer than the size that stat returns
        names[20] = "/proc/version" if os.path.exists("/proc/version") else names[20]
        good = [n for i, n in enumerate(names) if i != 33]
        p = self.ty("hash", *names, exit=REFUSED)
        self.assertEqual(p.stderr.count(b"\n"), 2)
        lines = p.stdout.decode().splitlines()
        self.assertEqual([l[66:] for l in lines], good)
        for line in lines:
            self.assertEqual(self.out("hash", line[66:]).decode(), line + "\n")
        self.write("LIST", p.stdout)
        self.assertEqual(self.out("hash", "-c", "LIST").decode(),
                         "".join(f"{n}: OK\n" for n in good))
        self.write("file7", b"changed")
        p = self.ty("hash", "-c", "LIST", exit=REFUSED)
        self.assertEqual(p.stdout.decode(),
                         "".join(f"{n}: {'FAILED' if n == 'file7' else 'OK'}\n" for n in good))
        if "sm3" in hashlib.algorithms_available:
            for line in lines:
                with open(self.dir / line[66:], "rb") as f:
                    self.assertEqual(hashlib.new("sm3", f.read()).hexdigest()
                                     if line[66:] != "file7" else line[:64], line[:64])

    def test_odd_names(self):
        names = ["new\nline", "back\\slash", "end\r", "mid\rdle", "\\r", " space ", "-dash",
                 "ünïcode", "a) = b"]
        for name in names:
            self.write(name, name)
        for style in ([], ["--tag"]):
            self.write("LIST", self.out("hash", *style, "--", *names))
            self.assertEqual(self.out("hash", "-c", "LIST").count(b": OK"), len(names))
        line = self.out("hash", "end\r").decode()
        self.assertEqual(line[0] + line[65:], "\\  end\\r\n")
        self.write("abc", "abc")
        for name in ("ab\\c", "abc\\", "\\abc"):  # escapes that no program writes
            self.write("LIST", f"\\{ABC}  {name}\n")
            self.err("hash", "-c", "LIST", exit=REFUSED)

    def test_a_file_named_like_a_verb(self):
        self.write("sign", "abc")
        self.assertEqual(self.out("hash", "sign").decode(), f"{ABC}  sign\n")

    def test_an_empty_key_is_refused(self):
        self.write("f", b"x")
        self.write("empty", b"")
        self.write("line", b"\n")
        for name in ("empty", "line"):
            self.err("mac", "--key-file", name, "f", exit=INPUT)

    def test_check(self):
        self.write("a", "abc")
        self.write("b", "abd")
        self.write("LIST", self.out("hash", "a", "b"))
        self.assertEqual(self.out("hash", "--check", "LIST"), b"a: OK\nb: OK\n")
        self.assertEqual(self.out("hash", "--check", "--quiet", "LIST"), b"")
        self.assertEqual(self.out("hash", "--check", "-", stdin=self.read("LIST")),
                         b"a: OK\nb: OK\n")
        self.write("b", "changed")
        p = self.ty("hash", "--check", "LIST", exit=REFUSED)
        self.assertEqual(p.stdout, b"a: OK\nb: FAILED\n")
        self.assertEqual(self.ty("hash", "-c", "--quiet", "LIST", exit=REFUSED).stdout,
                         b"b: FAILED\n")
        p = self.ty("hash", "-c", "--status", "LIST", exit=REFUSED)
        self.assertEqual((p.stdout, p.stderr), (b"", b""))
        seen = self.json("hash", "-c", "LIST", exit=REFUSED)
        self.assertEqual([f["ok"] for f in seen["files"]], [True, False])

    def test_missing(self):
        self.write("LIST", f"{ABC}  gone\n")
        self.ty("hash", "-c", "LIST", exit=REFUSED)
        self.err("hash", "-c", "NOLIST", exit=REFUSED)
        # missing files may be ignored, but not all files of a list
        self.assertIn("no file was verified",
                      self.err("hash", "-c", "--ignore-missing", "LIST", exit=REFUSED))
        self.assertIn("no file", self.json("hash", "-c", "--ignore-missing", "LIST",
                                           exit=REFUSED)["error"])
        self.assertEqual(self.ty("hash", "-c", "--ignore-missing", "--status", "LIST",
                                 exit=REFUSED).stderr, b"")
        self.write("a", "abc")
        self.write("LIST", f"{ABC}  gone\n{ABC}  a\n")
        self.assertEqual(self.out("hash", "-c", "--ignore-missing", "LIST"), b"a: OK\n")
        # a file that cannot be read is not missing
        os.symlink("loop", self.dir / "loop")
        self.write("LIST", f"{ABC}  loop\n{ABC}  a\n")
        self.ty("hash", "-c", "--ignore-missing", "LIST", exit=REFUSED)
        self.write("LIST", f"{ABC}  -\n")
        self.assertEqual(self.out("hash", "-c", "--ignore-missing", "LIST", stdin=b"abc"),
                         b"-: OK\n")

    def test_other_lists(self):
        self.write("a", "abc")
        self.write("star", f"{ABC.upper()} *a\r\n")
        self.ty("hash", "-c", "star")
        self.write("mixed", f"# a comment\n\nnonsense\n{ABC}  a\n")
        self.assertIn(b"warning", self.ty("hash", "-c", "mixed").stderr)
        for bad in ("", "nonsense\n", f"{ABC[:-1]}  a\n", f"{ABC[:-1]}g  a\n", f"{ABC}  \n"):
            self.write("bad", bad)
            self.err("hash", "-c", "bad", exit=REFUSED)
        self.err("hash", "--alg", "md5", "a", exit=USAGE)
        for option in ("--status", "--ignore-missing"):   # without --check
            self.err("hash", option, "a", exit=USAGE)

    def test_lists_of_other_programs(self):
        self.write("a b", "abc")
        sha = hashlib.sha256(b"abc").hexdigest()
        for line in (f"SHA256 (a b) = {sha}", f"SHA256(a b)= {sha}",
                     f"SHA2-256(a b)= {sha.upper()}", f"SM3 (a b) = {ABC}",
                     f"SM3(a b)= {ABC}",
                     f"SHA512/256 (a b) = {hashlib.new('sha512_256', b'abc').hexdigest()}",
                     f"SHAKE-128(a b)= {hashlib.shake_128(b'abc').hexdigest(16)}",
                     f"SHAKE256 (a b) = {hashlib.shake_256(b'abc').hexdigest(99)}"):
            self.write("LIST", line + "\n")
            self.assertEqual(self.out("hash", "-c", "LIST"), b"a b: OK\n", line)
        self.write("LIST", f"SHA256 (a b) = {sha}\n{ABC}  a b\n")   # each by the hash it names
        self.assertEqual(self.out("hash", "-c", "LIST").count(b"OK"), 2)
        # unless --alg names one
        p = self.ty("hash", "--alg", "sm3", "-cw", "--strict", "LIST", exit=REFUSED)
        self.assertEqual(p.stderr.decode().splitlines()[0],
                         "tongyu: LIST: line 1: not a line of a list of digests with sm3")
        for line in (f"SHA1 (a b) = {sha[:40]}", f"SHA256 (a b) = {sha[:-2]}",
                     f"SM 3 (a b) = {ABC}", f" (a b) = {ABC}", f"SM3 () = {ABC}"):
            self.write("LIST", line + "\n")
            self.ty("hash", "-c", "LIST", exit=REFUSED)

    def test_strict_and_warn(self):
        self.write("a", "abc")
        self.write("LIST", f"# remark\n{ABC}  a\nnonsense\n\nmore\n")
        p = self.ty("hash", "-c", "LIST")
        self.assertIn(b"LIST: 2 lines are not in a known format; --warn shows them", p.stderr)
        p = self.ty("hash", "-c", "-w", "LIST")
        self.assertEqual([l for l in p.stderr.decode().splitlines() if ": line " in l],
                         [f"tongyu: LIST: line {n}: not a line of a list of digests"
                          for n in (3, 5)])
        self.assertIn(b"LIST: 2 lines are not in a known format; see above", p.stderr)
        self.ty("hash", "-c", "--strict", "LIST", exit=REFUSED)
        for args in (["--strict"], ["-w"]):
            self.err("hash", *args, "a", exit=USAGE)

    def test_stdin_is_read_once(self):
        """Two threads that each read a part of it would compute meaningless digests."""
        self.write("a", "abc")
        for args in (["-", "-"], ["-", "a", "-"], ["-c", "-", "-"]):
            self.assertIn("stdin can be read only once",
                          self.err("hash", *args, stdin=b"abc", exit=USAGE))
        line = f"{ABC}  -\n"
        self.write("LIST", line)
        self.assertEqual(self.out("hash", "-c", "LIST", stdin=b"abc"), b"-: OK\n")
        self.write("TWICE", line + f"{ABC}  a\n" + line)
        for args, stdin, place in ((["TWICE"], b"abc", "TWICE: line 3"),
                                   (["-"], line.encode(), "-: line 1"),
                                   (["LIST", "-"], b"", "LIST: line 1")):
            p = self.ty("hash", "-c", *args, stdin=stdin, exit=REFUSED)
            self.assertIn(f"tongyu: {place}: names stdin, which can be read only once; name a file "
                          "there", p.stderr.decode())
            self.assertNotIn(b"-: OK", p.stdout)
        p = self.ty("hash", "-c", "LIST", "LIST", stdin=b"abc", exit=REFUSED)   # named in two lists
        self.assertEqual(p.stdout, b"-: OK\n")
        self.assertIn(b"LIST: line 1: names stdin", p.stderr)

    def test_open_or_read(self):
        self.write("a", "abc")
        self.write("LIST", f"{ABC}  gone\n{ABC}  a\n")
        p = self.ty("hash", "-c", "LIST", exit=REFUSED)
        self.assertEqual(p.stdout, b"gone: FAILED open or read\na: OK\n")
        self.assertEqual(p.stderr.decode().splitlines()[-1],
                         "tongyu: LIST: 1 of 2 files could not be read; check the names")
        self.assertEqual(self.ty("hash", "-c", "--status", "LIST", exit=REFUSED).stdout, b"")
        # the next list is checked even so
        p = self.ty("hash", "-c", "NOLIST", "LIST", exit=REFUSED)
        self.assertIn(b"a: OK", p.stdout)

    def test_output_formats(self):
        self.write("a", "abc")
        self.write("n\nl", "abc")
        self.assertEqual(self.out("hash", "--no-names", "a", "a").decode(), f"{ABC}\n{ABC}\n")
        self.assertEqual(self.out("hash", "--raw", "a"), bytes.fromhex(ABC))
        self.assertEqual(self.out("hash", "-z", "a", "n\nl").decode(), f"{ABC}  a\0{ABC}  n\nl\0")
        for style in ([], ["--tag"]):
            self.write("LIST", self.out("hash", "-z", *style, "a", "n\nl"))
            self.assertEqual(self.out("hash", "-z", "-c", "LIST"), b"a: OK\0n\nl: OK\0")
        for args in (["--raw", "a", "a"], ["--raw", "--tag", "a"], ["--no-names", "--tag", "a"],
                     ["-c", "--raw", "LIST"], ["--json", "--raw", "a"]):
            self.err("hash", *args, exit=USAGE)

    def test_shake_of_any_length(self):
        self.write("a", "abc")
        for n in (1, 16, 32, 200, 1000003):
            got = self.out("hash", "--alg", "shake256", "--length", str(n), "--no-names",
                           "a").decode()
            self.assertEqual(got, hashlib.shake_256(b"abc").hexdigest(n) + "\n")
        self.write("LIST", self.out("hash", "--alg", "shake128", "--length", "20", "a"))
        self.assertEqual(self.out("hash", "--alg", "shake128", "--length", "20", "-c", "LIST"),
                         b"a: OK\n")
        self.ty("hash", "--alg", "shake128", "-c", "LIST", exit=REFUSED)
        self.err("hash", "--length", "20", "a", exit=USAGE)
        self.err("hash", "--alg", "shake256", "--length", str(16 * 1024 * 1024 + 1), "a",
                 exit=USAGE)

    def test_agreement_with_sha256sum(self):
        """Exit statuses and output are the same, and each reads the lists of the other."""
        tool = shutil.which("sha256sum")
        if not tool:
            self.skipTest("no sha256sum here")
        self.write("a", "abc")
        self.write("b\nc", "abd")
        ours, theirs = (self.exec([*cmd, "a", "b\nc"]).stdout
                        for cmd in ([case.TONGYU, "hash", "--alg", "sha256"], [tool]))
        self.assertEqual(ours, theirs)
        bad = hashlib.sha256(b"x").hexdigest().encode()
        for text, args in ((ours, []), (ours + b"nonsense\n", []),
                           (ours + b"nonsense\n", ["--strict"]), (ours + bad + b"  a\n", []),
                           (ours + bad + b"  gone\n", []),
                           (ours + bad + b"  gone\n", ["--ignore-missing"]), (b"", []),
                           (b"nonsense\n", []),
                           (bad + b"  gone\n", ["--ignore-missing"]),
                           (ours + bad + b"  a\n", ["--status"])):
            self.write("LIST", text)
            one, two = (self.exec([*cmd, "-c", *args, "LIST"])
                        for cmd in ([case.TONGYU, "hash", "--alg", "sha256"], [tool]))
            self.assertEqual((one.returncode, one.stdout), (two.returncode, two.stdout),
                             (text, args))
        self.assertEqual(self.exec([case.TONGYU, "hash", "gone"]).returncode,
                         self.exec([tool, "gone"]).returncode)

    def test_what_to_do_next(self):
        line = self.err("hash", "nope", exit=REFUSED)
        self.assertIn("check the name", line)
        row = self.json("hash", "nope", exit=REFUSED)
        self.assertIn("check the name", row["hint"])
        self.assertIn("check the name", row["files"][0]["hint"])


if __name__ == "__main__":
    case.main()
