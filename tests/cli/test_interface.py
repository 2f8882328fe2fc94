"""What all verbs have in common: exit statuses, errors of one line, suggestions, --json, --tier,
help and man page."""

import json
import os
import re
import subprocess
import sys
import unittest

import case
from case import INPUT, REFUSED, USAGE

KEY, IV = "00" * 16, "00" * 16


class Usage(case.Case):
    def test_an_empty_argument_is_not_a_file(self):
        """An unset variable in a script is not stdin: nothing is read, nothing is written."""
        key, pub = self.keys()
        self.write("f", "a letter")
        hint = "; name a file (- is stdin or stdout), or omit it"
        for line, what in ((["sign", "-k", key, ""], "sign: an empty argument"),
                           (["hash", "f", ""], "hash: an empty argument"),
                           (["hash", "--", ""], "hash: an empty argument"),
                           (["sign", "-k", "", "f"], "sign: the FILE of -k is an empty argument"),
                           (["sign", "--key=", "f"],
                            "sign: the FILE of --key is an empty argument"),
                           (["sign", "-k", key, "-o", "", "f"],
                            "sign: the FILE of -o is an empty argument"),
                           (["sign", "-qk", "", "f"], "sign: the FILE of -k is an empty argument"),
                           (["encrypt", "-k", pub, "--key", "", "f"],
                            "encrypt: the FILE of --key is an empty argument"),
                           (["encrypt", "-k", pub, ""], "encrypt: an empty argument"),
                           (["pubkey", ""], "pubkey: an empty argument"),
                           (["sm2", "decrypt", "-k", key, ""], "sm2 decrypt: an empty argument"),
                           ([""], "an empty argument")):
            with self.subTest(line=line):
                self.assertEqual(self.err(*line, exit=USAGE, stdin=b"something"),
                                 "tongyu: " + what + hint)
        self.assertEqual(self.files(), sorted(["f", key, pub]))
        self.ty("sign", "-k", key, "--id", "", "f")   # a text may be empty
        self.ty("sign", "-k", key, "--id=", "f")

    def test_did_you_mean(self):
        for args, meant in ((["sing"], "sign"), (["verfy"], "verify"), (["encypt"], "encrypt"),
                            (["hsah"], "hash"),
                            (["comp"], "completion"), (["sm2", "decypt"], "decrypt"),
                            (["exchange", "strat"], "start"),
                            (["sign", "--kye", "x"], "--key"),
                            (["hash", "--chekc", "x"], "--check"),
                            (["cipher", "--key-hxe=00"], "--key-hex"),
                            (["--jsn", "tiers"], "--json"),
                            (["cipher", "--alg", "sm4-cb"], "sm4-cbc"),
                            (["keygen", "--alg=sm3", "-o", "x"], "sm2"),
                            (["sm2", "encrypt", "--format", "c1c2c4", "-k", "x"], "c1c2c3"),
                            (["speed", "sm5"], "sm"),
                            (["keygen", "--alg", "ML-DSA-65", "-o", "x"], "ml-dsa-65"),
                            (["tiers", "--tier", "avx"], "avx"), (["completion", "bsh"], "bash"),
                            (["help", "sgin"], "sign"), (["-v"], "--version"),
                            (["-V"], "--version")):
            with self.subTest(args=args):
                self.assertIn(f"did you mean {meant}", self.err(*args, exit=USAGE))

    def test_usage_errors(self):
        for args in (["xyzzy"], ["sign"], ["sign", "-k"], ["verify", "-k", "x"], ["sm2"],
                     ["exchange"],
                     ["hash", "--xyzzy"], ["hash", "-Z"],
                     ["hash", "-cZ"], ["keygen"], ["cipher"], ["completion"],
                     ["completion", "tcsh"], ["pubkey", "a",
                                              "b"], ["help", "xyzzy"],
                     ["tiers", "--tier", "xyzzy"], ["speed", "--seconds", "-1"],
                     ["speed", "--seconds",
                      "x"], ["pubkey", "--format", "x", "k"]):
            with self.subTest(args=args):
                self.assertRegex(self.err(*args, exit=USAGE), "^tongyu: [^;]+; .")
                self.assertIsInstance(self.json(*args, exit=USAGE)["error"], str)
        p = self.ty(exit=USAGE)
        self.assertIn(b"Usage", p.stderr)
        self.assertEqual(p.stdout, b"")

    def test_words(self):
        """The message for each kind of mistake: what is wrong, and what to do."""
        for args, line in (
                ("sign", "sign: --key FILE is missing (Private key); see tongyu sign --help"),
                ("derive -k x",
                 "derive: --peer FILE is missing (Their public key, or a certificate or request "
                 "with it); see tongyu derive --help"),
                ("sign -k", "sign: --key needs a value; write --key FILE"),
                ("keygen --alg",
                 "keygen: --alg needs a value; choose one of sm2, ml-dsa-44, ml-dsa-65, "
                 "ml-dsa-87, ec"),
                ("sign -k a -k b", "sign: --key was given 2 times; once is enough"),
                ("sign -k a --id x --id-hex 00",
                 "sign: --id and --id-hex exclude each other; omit one"),
                ("pubkey a b c", "pubkey: unexpected arguments: b c; see tongyu pubkey --help"),
                ("pubkey -k a b", "pubkey: unexpected arguments: b; see tongyu pubkey --help"),
                ("completion",
                 "completion: shell is missing (Shell); choose one of bash, zsh, fish"),
                ("inspect",
                 "inspect: --key FILE is missing (The file; - is stdin); see tongyu inspect "
                 "--help"),
                ("sm2", "sm2: no verb given; see tongyu sm2 --help"),
                ("--json", "no verb given; see tongyu --help"),
                ("-x", "unknown option -x; see tongyu --help"),
                ("hash --quiet=5", "hash: --quiet takes no value; omit =5"),
                ("--json=1 tiers", "--json takes no value; omit =1"),
                ("speed --seconds -1", "--seconds cannot be '-1'; give a number from 0.01 to 3600"),
                ("speed --seconds 1s", "--seconds cannot be '1s'; give a number from 0.01 to 3600"),
                ("speed --seconds nan",
                 "--seconds cannot be 'nan'; give a number from 0.01 to 3600"),
                ("keygen --iterations 999",
                 "--iterations cannot be '999'; give a number from 1000 to 10000000"),
                ("keygen --iterations 010000",
                 "--iterations cannot be '010000'; give a number from 1000 to 10000000"),
                ("keygen --iterations 0x1000",
                 "--iterations cannot be '0x1000'; give a number from 1000 to 10000000"),
                ("keygen --iterations 99999999999",
                 "--iterations cannot be '99999999999'; give a number from 1000 to "
                 "10000000"),
                ("derive --length 0", "--length cannot be '0'; give a number from 1 to 65536")):
            with self.subTest(args=args):
                self.assertEqual(self.err(*args.split(), exit=USAGE), "tongyu: " + line)

    def test_values_are_not_options(self):
        """--id --kye: the second word is the identity."""
        self.keys()
        self.write("f", "x")
        self.ty("sign", "-k", "key.pem", "--id", "--kye", "-o", "s", "f")
        self.ty("verify", "-k", "key.pub", "--id=--kye", "-s", "s", "--", "f")

    def test_json_and_data(self):
        self.keys()
        for args in (["encrypt", "-k", "key.pub"], ["keygen", "-o", "-"],
                     ["cipher", "--alg", "sm4-ctr", "--key-hex", KEY, "--iv-hex", IV]):
            self.json(*args, stdin=b"x", exit=USAGE)

    def test_a_key_on_the_command_line_is_warned_about(self):
        args = ["cipher", "--alg", "sm4-ctr", "--key-hex", KEY, "--iv-hex", IV]
        p = self.ty(*args, stdin=b"x")
        self.assertTrue(p.stderr.startswith(b"tongyu: warning: ") and p.stderr.count(b"\n") == 1)
        self.assertEqual(len(self.json(*args, "-o", "out", stdin=b"x")["warnings"]), 1)
        p = self.ty("cipher", "--alg", "sm4-ctr", "--key-env", "K", "--iv-hex", IV, stdin=b"x",
                    env={"K": KEY})
        self.assertEqual(p.stderr, b"")


class Json(case.Case):
    def test_every_verb(self):
        self.keys("k")
        self.keys("p")
        self.write("f", "hello")
        self.write("list", self.out("hash", "f"))
        self.ty("sign", "-k", "k.pem", "-o", "sig", "f")
        self.ty("encrypt", "-k", "k.pub", "-o", "ty", "f")
        self.ty("sm2", "encrypt", "-k", "k.pub", "-o", "ct", "f")
        self.ty("exchange", "start", "--state", "s1", "-o", "m1")
        self.ty("exchange", "reply", "-k", "p.pem", "-p", "k.pub", "--state", "s2", "-o", "m2",
                "m1")
        for name in ("alice.key", "alice.pem", "gmsm-both.pem", "bob.key"):
            self.write(name, (case.SOURCE / "tests/cms" / name).read_bytes())
        self.ty("cms", "sign", "-k", "alice.key", "--cert", "alice.pem", "-o", "p7", "f")
        # verb, arguments that succeed, members of the object; arguments that fail with INPUT
        table = [
            ("keygen", ["-o", "n.pem"], ["file", "public_key", "fingerprint"], None),
            ("pubkey", ["k.pem"], ["pem", "public_key"], ["f"]),
            ("convert", ["-o", "n2.pem", "k.pem"], ["output", "encrypted"], ["-o", "x", "f"]),
            ("inspect", ["k.pem"], ["kind", "x", "y"], ["f"]),
            ("sign", ["-k", "k.pem", "f"], ["signature", "id", "format"], ["-k", "k.pem", "none"]),
            ("verify", ["-k", "k.pub", "-s", "sig", "f"], ["valid", "id"],
             ["-k", "k.pub", "-s", "f", "f"]),
            ("encrypt", ["-k", "k.pub", "-o", "ty2", "f"], ["output", "bytes"],
             ["-k", "f", "-o", "x", "f"]),
            ("decrypt", ["-k", "k.pem", "-o", "g", "ty"], ["output", "bytes"],
             ["-k", "k.pem", "-o", "x", "f"]),
            ("sm2 encrypt", ["-k", "k.pub", "f"], ["ciphertext", "format"], ["-k", "f", "f"]),
            ("sm2 decrypt", ["-k", "k.pem", "-o", "m", "ct"], ["output", "format"],
             ["-k", "k.pem", "-o", "x", "f"]),
            ("cms sign", ["-k", "alice.key", "--cert", "alice.pem", "-o", "p7b", "f"],
             ["form", "signers"],
             ["-k", "alice.key", "--cert", "f", "-o", "x", "f"]),
            ("cms verify", ["--cert", "alice.pem", "p7"], ["valid", "signers"],
             ["--cert", "alice.pem", "f"]),
            ("cms encrypt", ["-r", "alice.pem", "-o", "p7c", "f"], ["recipients", "bytes"],
             ["-r", "f", "-o", "x", "f"]),
            ("cms decrypt", ["-k", "bob.key", "--cert", "alice.pem", "-o", "plain",
                             "gmsm-both.pem"], ["signers", "bytes"],
             ["-k", "bob.key", "-o", "x", "f"]),
            ("request", ["-k", "alice.key", "--subject", "CN=x", "-o", "csr"], ["alg", "output"],
             ["--check", "f"]),
            ("derive", ["-k", "k.pem", "-p", "p.pub"], ["secret"], ["-k", "k.pem", "-p", "f"]),
            ("exchange start", ["--state", "s3", "-o", "m3"], ["state", "output"], None),
            ("exchange reply", ["-k", "p.pem", "-p", "k.pub", "--state", "s4", "-o", "m4", "m1"],
             ["state", "output"],
             ["-k", "p.pem", "-p", "k.pub", "--state", "s5", "-o", "x", "f"]),
            ("exchange finish", ["-k", "k.pem", "-p", "p.pub", "--state", "s1", "--secret", "ka",
                                 "-o", "m5", "m2"],
             ["secret_file"],
             ["-k", "k.pem", "-p", "p.pub", "--state", "s1", "--secret", "x", "-o", "y", "f"]),
            ("exchange confirm", ["--state", "s2", "--secret", "kb", "m5"], ["secret_file"],
             ["--state", "s2", "--secret", "x", "f"]),
            ("cipher", ["--alg", "sm4-gcm", "--key-hex", KEY, "--iv-hex", "00" * 12, "-o", "c",
                        "f"],
             ["tag", "output", "warnings"],
             ["--alg", "sm4-ctr", "--key-hex", KEY, "--iv-hex", IV, "-o", "x", "none"]),
            ("hash", ["f"], ["files", "alg"], None),   # it exits with 1, as sha256sum does: below
            ("hash", ["--check", "list"], ["files", "valid"], None),
            ("mac", ["--key-hex", "00", "f"], ["files", "alg"], ["--key-hex", "00", "none"]),
            ("kdf", ["--key-hex", "00"], ["secret", "bytes"], ["--key-file", "none"]),
            ("speed", ["sm3", "--seconds", "0.05"], ["speed"], None),
            ("speed", ["sm2-field", "--seconds", "0.05"], ["field", "article"], None),
            ("calc", ["2^10"], ["results", "base"], ["1/0"]),
            ("prime", ["64"], ["prime", "bits", "safe"], None),
            ("speed", ["ec2m", "--seconds", "0.05"], ["ec2m"], None),
            ("speed", ["mp-table", "--seconds", "0.05"], ["table", "installed"], None),
            ("curve list", [], ["curves"], None),
            ("curve table", [], ["rounds"], None),
            ("curve explain", ["sect113r1"], ["way", "cost"], ["none.json"]),
            ("curve mul", ["sect113r1", "3"], ["point"], ["none.json", "3"]),
            ("tiers", [], ["tiers"], None),
            ("version", [], ["version", "library"], None),
            ("completion", ["bash"], ["script"], None),
            ("man", [], ["man"], None),
            ("help", ["sign"], ["help"], None),
        ]
        for verb, good, members, bad in table:
            with self.subTest(verb=verb):
                if bad:
                    self.json(*verb.split(), *bad, exit=INPUT)
                seen = self.json(*verb.split(), *good)
                for name in members:
                    self.assertIn(name, seen)
        # the exit status of doctor depends on the machine: see tests/provider/page.py
        covered = {row[0] for row in table} | {"doctor"}
        self.json("doctor", "./none.so", exit=INPUT)
        for args in (["none"], ["--check", "f"]):
            self.json("hash", *args, exit=REFUSED)
        for verb in verbs(self.out("--help")):
            inner = verbs(self.out("help", verb))
            for name in [f"{verb} {v}" for v in inner] or [verb]:
                self.assertIn(name, covered, "a verb without a row in this table")

    def test_before_and_after_the_verb(self):
        self.assertEqual(self.out("--json", "version"), self.out("version", "--json"))

    @unittest.skipUnless(hasattr(os, "sched_setaffinity"), "no choice of CPUs here")
    def test_speed_on_a_busy_machine(self):
        """With other programs on the same CPU, the measurements are printed with a warning."""
        cpu = min(os.sched_getaffinity(0))
        pin = lambda: os.sched_setaffinity(0, {cpu})
        others = [subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=pin)
                  for _ in range(3)]
        try:
            for family in ("sm3", "mp-table"):
                p = subprocess.run([case.TONGYU, "speed", "--json", family, "--seconds", "0.3"],
                                   preexec_fn=pin, capture_output=True)
                self.assertEqual(p.returncode, 0)
                self.assertIn(b"the machine was busy", p.stderr, family)
                self.assertIn("the machine was busy", json.loads(p.stdout)["warnings"][0])
        finally:
            for other in others:
                other.kill()
                other.wait()

    def test_operands_on_both_sides(self):
        self.write("a", "abc")
        self.write("-b", "abc")
        self.write("--json", "abc")
        for args in (["a", "--", "-b", "--json"], ["--", "a", "-b", "--json"]):
            self.assertEqual(self.out("hash", *args).decode().split()[1::2], ["a", "-b", "--json"])
        self.assertEqual(self.out("hash", "a", "--alg", "sha256", "--").decode().split()[1:], ["a"])
        self.assertEqual(self.out("calc", "--base", "16", "--", "-5+3"), b"-2\n")

    def test_refusals(self):
        self.keys()
        self.write("f", "x")
        self.ty("sign", "-k", "key.pem", "-o", "sig", "f")
        self.write("f", "y")
        seen = self.json("verify", "-k", "key.pub", "-s", "sig", "f", exit=REFUSED)
        self.assertFalse(seen["valid"])

    def test_speed(self):
        rows = self.json("speed", "--seconds", "0.2")["speed"]
        self.assertEqual({r["family"] for r in rows},
                         {"sm2", "sm3", "sm4", "mldsa", "mp", "ecdsa", "keccak", "sha256", "sha512",
                          "kdf"})
        self.assertEqual({r["family"] for r in self.json("speed", "kdf", "ml-dsa", "--seconds", "0."
                                                         "1")["speed"]}, {"mldsa", "kdf"})
        for r in rows:
            self.assertLessEqual(0 < r["cycles_min"] and r["cycles_min"], r["cycles_median"])
            self.assertGreater(r.get("mb_per_s") or r.get("op_per_s"), 0)
        tiers = {r["tier"] for r in self.json("tiers")["tiers"] if r["family"] == "sm4"
                 and r["runs"]}
        rows = self.json("speed", "sm4", "--all-tiers", "--seconds", "0.2")["speed"]
        self.assertEqual({r["tier"] for r in rows}, tiers)
        rows = self.json("speed", "sm4", "--tier", "c", "--seconds", "0.1")["speed"]
        self.assertEqual({r["tier"] for r in rows}, {"c"})

    def test_speed_of_the_field(self):
        seen = self.json("speed", "sm2-field", "--seconds", "0.1")
        rows = {r["way"]: r for r in seen["field"]}
        self.assertLessEqual({"fold32", "sums32", "clear32", "mont32", "divide32"}, set(rows))
        for r in rows.values():
            for kind in ("reduce_latency", "reduce", "mul_latency", "mul", "mul_ns",
                         "mul_latency_ns"):
                self.assertTrue(0 < r[kind] < 1e6, (r["way"], kind))
        self.assertEqual([r["article_ns"] for r in seen["article"]], [35.53, 190.45, 50.69])
        self.assertLessEqual({r["way"] for r in seen["article"]}, set(rows))
        self.assertIn("has a table of its own", self.err("speed", "sm2", "sm2-field", exit=USAGE))
        self.assertIn(b"fast reduction", self.out("speed", "sm2-field", "--seconds", "0.05"))

    def test_tiers(self):
        rows = self.json("tiers")["tiers"]
        for family in {r["family"] for r in rows}:
            self.assertEqual(sum(r["chosen"] for r in rows if r["family"] == family), 1, family)
        rows = self.json("tiers", "--tier", "c")["tiers"]
        self.assertEqual({r["tier"] for r in rows if r["chosen"]}, {"c"})


def verbs(help_text):
    _, _, tail = help_text.decode().partition("Verbs:\n")
    return re.findall(r"^  ([a-z0-9]+) ", tail.split("\n\n")[0] + "\n", re.M)


class Manual(case.Case):
    def test_help(self):
        top = self.out("--help").decode()
        self.assertGreater(len(verbs(top.encode())), 15)
        self.assertIn("  1  a signature, tag, digest or password does not verify", top)
        for verb in verbs(top.encode()):
            text = self.out(verb, "--help")
            self.assertEqual(text, self.out("help", verb))
            self.assertIn(f"tongyu {verb}".encode(), text)
        self.assertIn(b"tongyu ", self.out("--version"))

    def test_a_letter_means_one_thing(self):
        """-k is --key and -p is --peer in every verb that has them."""
        meaning = {}
        for verb in verbs(self.out("--help")):
            inner = verbs(self.out("help", verb))
            for words in [[verb, v] for v in inner] or [[verb]]:
                for letter, name in re.findall(r"^ +(-[A-Za-z]), ?(--[a-z-]+)",
                                               self.out("help", *words).decode(), re.M):
                    self.assertEqual(meaning.setdefault(letter, name), name, words)
        self.assertLessEqual({"-k", "-o", "-p", "-f"}, set(meaning))

    def test_man(self):
        text = self.out("man").decode()
        for part in (".TH TONGYU 1", ".SH NAME", ".SH SYNOPSIS", ".SH VERBS", ".SH EXIT STATUS"):
            self.assertIn(part, text)
        for verb in verbs(self.out("--help")):
            self.assertRegex(text, rf"(?m)^\.SS {verb}\b")
        for name in set(re.findall(r"--[a-z-]+", self.out("cipher", "--help").decode())):
            self.assertIn(name.replace("-", "\\-"), text)

    @case.needs("groff")
    def test_man_as_groff_reads_it(self):
        p = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=self.out("man"),
                           capture_output=True, timeout=60)
        self.assertEqual((p.returncode, p.stderr), (0, b""))


if __name__ == "__main__":
    case.main()
