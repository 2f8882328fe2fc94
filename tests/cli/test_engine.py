"""--engine sim: the simulated accelerator against the library, and against openssl with the same
key files."""

import os
import re

import case

NAMED = ["sect163r2", "sect233r1"]
GENERIC = ["c2pnb163v1"]   # in generic mode


class Engine(case.Case):
    def setUp(self):
        super().setUp()
        r = self.exec([case.TONGYU, "curve", "mul", "--engine", "sim", "sect163r2", "5"])
        if b"this build has no simulated accelerator" in r.stderr:
            self.assertEqual(r.returncode, case.USAGE)
            self.skipTest("built without the simulated accelerator")

    def test_multiples(self):
        """The same points as in software, in a number of cycles that is independent of the
        scalar."""
        for name in NAMED + GENERIC:
            cycles = set()
            for k in ("1", "2", "123456789abcdef0123456789abcdef012345678"):
                soft = self.json("curve", "mul", name, k)
                hard = self.json("curve", "mul", "--engine", "sim", name, k)
                self.assertEqual(soft["point"], hard["point"], (name, k))
                self.assertEqual((hard["engine"], hard["multiplications"]), ("sim", 1))
                self.assertNotIn("engine", soft)
                cycles.add(hard["cycles"])
            self.assertEqual(len(cycles), 1, name)

    def cycles_of(self, table):
        """A count of a table in docs/accelerator.md."""
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/accelerator.md")
        with open(page, encoding="utf-8") as f:
            text = f.read().split("<!-- cycles: begin")[1]
        found = re.search(r"\| 163 \| any \| 55 \| 3 \| ([\d,]+)", text[text.index(table):])
        return int(found.group(1).replace(",", ""))

    def test_cycles_of_the_page(self):
        """The testbench under Icarus counts them, too."""
        got = self.json("curve", "mul", "--engine", "sim", "sect163r2", "12345678")["cycles"]
        self.assertEqual(got, self.cycles_of("Named fields"))

    def test_agreement(self):
        for name in NAMED + GENERIC:
            for who in ("mine", "theirs"):
                self.ty("keygen", "--curve", name, "-o", f"{who}-{name}.pem", "--pub",
                        f"{who}-{name}.pub")
            keys = ["-k", f"mine-{name}.pem", "-p", f"theirs-{name}.pub"]
            hard = self.json("derive", "--engine", "sim", *keys)
            self.assertEqual(self.json("derive", *keys)["secret"], hard["secret"], name)
            self.assertGreater(hard["cycles"], 2000)
            if (name in NAMED and case.OPENSSL
                and not self.ssl("ecparam", "-name", name, "-noout", ok=False).returncode):
                self.ssl("pkeyutl", "-derive", "-inkey", f"mine-{name}.pem", "-peerkey",
                         f"theirs-{name}.pub", "-out", "secret")
                self.assertEqual(self.read("secret").hex(), hard["secret"], name)

    def test_signatures(self):
        self.write("letter.txt", "a letter\n")
        self.write("other.txt", "another\n")
        for name in NAMED + GENERIC:
            self.ty("keygen", "--curve", name, "-o", f"{name}.pem")
            key = ["-k", f"{name}.pem"]
            self.ty("sign", *key, "--deterministic", "-o", f"{name}.sig", "letter.txt")
            self.ty("sign", *key, "--deterministic", "--engine", "sim", "-o", f"{name}.hard",
                    "letter.txt")
            self.assertEqual(self.read(f"{name}.sig"), self.read(f"{name}.hard"))
            good = self.json("verify", *key, "--engine", "sim", "-s", f"{name}.sig", "letter.txt")
            self.assertEqual((good["valid"], good["multiplications"]), (True, 2))
            if name == "sect163r2":
                self.assertEqual(good["cycles"], self.cycles_of("uG + vP"))
            self.err("verify", *key, "--engine", "sim", "-s", f"{name}.sig", "other.txt",
                     exit=case.REFUSED)

    def test_refusals(self):
        self.write("letter.txt", "a letter\n")
        self.keys("sm2")
        self.ty("keygen", "--curve", "sect163r2", "-o", "ec.pem")
        for argv, status, message in [
                (["sign", "-k", "sm2.pem", "--engine", "sim", "letter.txt", "-o", "x"], case.USAGE,
                 "not on one"),
                (["derive", "-k", "sm2.pem", "-p", "sm2.pem", "--engine", "sim"], case.USAGE,
                 "not on one"),
                (["sign", "-k", "ec.pem", "--scheme", "dstu4145", "--engine", "sim", "letter.txt",
                  "-o", "x"], case.USAGE, "ECDSA"),
                (["curve", "mul", "--engine", "sim", "sect571r1", "5"], case.INPUT, "255 bits")]:
            self.assertIn(message, self.err(*argv, exit=status))


if __name__ == "__main__":
    case.main()
