"""Long inputs in little memory; pipes that end early; output that cannot be written."""

import filecmp
import os
import subprocess

import case
from case import INTERNAL, SANITIZED, TONGYU

SIZE = 64 * 1024 * 1024
LIMIT_KIB = 48 * 1024  # of address space: less than the file


class Stream(case.Case):
    def setUp(self):
        super().setUp()
        self.keys()
        self.write("key", "00" * 16)
        with open(self.dir / "big", "wb") as f:
            f.truncate(SIZE)
            for at in range(0, SIZE, 7_000_003):
                f.seek(at)
                f.write(os.urandom(100))
            f.truncate(SIZE - 5)

    def small(self, *args):
        """Run tongyu with an address space smaller than the file; returns its stdout."""
        limit = "" if SANITIZED else f"ulimit -v {LIMIT_KIB}; "
        p = self.exec(["bash", "-c", limit + 'exec "$0" "$@"', TONGYU, *args])
        self.assertEqual(p.returncode, 0, p.stderr)
        return p.stdout

    def test_the_limit_is_enforced(self):
        if SANITIZED:
            self.skipTest("sanitizers need their own address space")
        p = self.exec(["bash", "-c", f"ulimit -v {LIMIT_KIB}; exec python3 -c 'bytearray({SIZE})'"])
        self.assertNotEqual(p.returncode, 0)

    def test_hash_and_sign(self):
        self.small("hash", "big")
        self.small("mac", "--key-file", "key", "big")
        self.small("sign", "-k", "key.pem", "-o", "sig", "big")
        self.assertEqual(self.small("verify", "-k", "key.pub", "-s", "sig", "big"), b"big: OK\n")

    def test_seal_and_open(self):
        self.small("encrypt", "-k", "key.pub", "-o", "big.ty", "big")
        self.small("decrypt", "-k", "key.pem", "-o", "back", "big.ty")
        self.assertTrue(filecmp.cmp(self.dir / "big", self.dir / "back", shallow=False))
        os.unlink(self.dir / "back")
        # to a pipe: the plaintext is kept in a nameless file until the last tag is checked
        shell = (("" if SANITIZED else f"ulimit -v {LIMIT_KIB}; ") +
                 '"$0" decrypt -k key.pem big.ty | cmp - big')
        self.assertEqual(self.exec(["bash", "-c", shell, TONGYU]).returncode, 0)
        self.assertEqual(list(self.tmp.iterdir()), [])

    def test_raw_modes(self):
        for alg, iv in (("sm4-ctr", 16), ("sm4-gcm", 12), ("sm4-ocb", 12), ("sm4-ccm", 11),
                        ("sm4-cfb", 16)):
            args = ["cipher", "--alg", alg, "--key-file", "key", "--iv-hex", "00" * iv]
            tag = ["--tag-file", f"{alg}.tag"] if iv < 16 else []
            self.small(*args, *tag, "-o", "ct", "-f", "big")
            self.small(*args, "-d", *tag, "-o", "back", "-f", "ct")
            self.assertTrue(filecmp.cmp(self.dir / "big", self.dir / "back", shallow=False))

    def test_a_reader_that_closes_early(self):
        p = self.exec(["bash", "-c",
                       '"$0" encrypt -k key.pub big | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}',
                       TONGYU])
        self.assertEqual(p.returncode, 128 + 13)  # SIGPIPE, as with every filter
        self.assertEqual(p.stderr, b"")

    def test_a_full_device_as_stdout(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        for args in (["hash", "key"], ["version"], ["version", "--json"], ["man"],
                     ["--version"], ["--help"], ["hash", "--help"], ["cms", "sign", "--help"],
                     ["encrypt", "-k", "key.pub", "key"]):
            with open("/dev/full", "wb") as full:
                p = subprocess.run([TONGYU, *args], stdout=full, stderr=subprocess.PIPE,
                                   cwd=self.dir,
                                   start_new_session=True)
            self.assertEqual(p.returncode, INTERNAL, args)
            self.assertEqual(p.stderr, b"tongyu: stdout: no space left on the device; the output "
                                       b"is incomplete\n", args)

    def test_no_progress_without_a_terminal(self):
        self.assertEqual(self.ty("hash", "big").stderr, b"")


if __name__ == "__main__":
    case.main()
