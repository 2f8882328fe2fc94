"""cms and request: messages of other programs, our own both ways, what is refused, the page."""

import base64
import os
import re
import shutil

import case
from case import INPUT, REFUSED, USAGE

FIXTURES = case.SOURCE / "tests/cms"  # made by OpenSSL 3.5, gmsm 0.43 and BouncyCastle 1.82
LETTER = (FIXTURES / "letter.txt").read_bytes()


def der_of(pem):
    return base64.b64decode(b"".join(l for l in pem.splitlines() if not l.startswith(b"-----")))


class Cms(case.Case):
    def setUp(self):
        super().setUp()
        for path in FIXTURES.iterdir():
            shutil.copy(path, self.dir)
        for key in ("alice.key", "bob.key", "lattice.key"):
            os.chmod(self.dir / key, 0o600)

    def refused(self, exit, said, *args):
        """One line that says so, this exit status, and no file that was not there."""
        before = self.files()
        line = self.err(*args, exit=exit)
        self.assertIn(said, line)
        self.assertEqual(self.files(), before)

    def splice(self, name, old, new, count=1):
        data = self.read(name)
        self.assertIn(old, data)
        self.write(name, data.replace(old, new, count))


class Theirs(Cms):
    def test_signed(self):
        for name, options in (
            ("openssl-sm2.pem", ["--id", ""]),
            ("openssl-sm2-id.pem", []),
            ("gmsm-signed.pem", []),
            ("gmsm-signed-bare.pem", []),
            ("bc-sm2.pem", []),
        ):
            with self.subTest(name):
                p = self.ty("cms", "verify", *options, "--cert", "alice.pem", "-o", "content", name)
                self.assertTrue(
                    p.stdout.decode().startswith(f"{name}: OK, signed by C=CN, CN=alice"), p.stdout
                )
                self.assertIn(b"no path, name or date of a certificate was checked", p.stderr)
                self.assertEqual(self.read("content"), LETTER)
                os.unlink(self.dir / "content")
                self.ty("cms", "verify", *options, "--any-signer", name)
                self.refused(
                    REFUSED,
                    "whose certificate is not among those given",
                    "cms",
                    "verify",
                    *options,
                    "--cert",
                    "bob.pem",
                    name,
                )
                self.refused(
                    REFUSED,
                    "a signature does not verify",
                    "cms",
                    "verify",
                    "--id",
                    "somebody",
                    "--cert",
                    "alice.pem",
                    "-o",
                    "content",
                    name,
                )

    def test_detached(self):
        for name, cert in (
            ("gmsm-detached.pem", "alice.pem"),
            ("openssl-mldsa.pem", "lattice.pem"),
            ("bc-mldsa.pem", "lattice.pem"),
        ):
            with self.subTest(name):
                self.ty("cms", "verify", "--cert", cert, "--content", "letter.txt", name)
                self.refused(
                    REFUSED,
                    "a signature does not verify",
                    "cms",
                    "verify",
                    "--cert",
                    cert,
                    "--content",
                    "alice.pem",
                    name,
                )
                self.refused(
                    USAGE, "what was signed is not in it", "cms", "verify", "--cert", cert, name
                )
                self.refused(
                    USAGE,
                    "-o would have nothing to write",
                    "cms",
                    "verify",
                    "--cert",
                    cert,
                    "--content",
                    "letter.txt",
                    "-o",
                    "x",
                    name,
                )

    def test_encrypted(self):
        for name in ("gmsm-enveloped.pem", "gmsm-enveloped-key-id.pem", "gmsm-enveloped-rfc.pem"):
            with self.subTest(name):
                self.assertEqual(self.out("cms", "decrypt", "-k", "bob.key", name), LETTER)
                self.assertEqual(
                    self.out("cms", "decrypt", "-k", "bob.key", "-r", "bob.pem", name), LETTER
                )
        self.assertEqual(
            self.out("cms", "decrypt", "-k", "alice.key", "gmsm-enveloped.pem"), LETTER
        )
        self.refused(
            REFUSED,
            "not encrypted for this key",
            "cms",
            "decrypt",
            "-k",
            "alice.key",
            "-o",
            "x",
            "gmsm-enveloped-rfc.pem",
        )
        self.refused(
            REFUSED,
            "not encrypted for this certificate",
            "cms",
            "decrypt",
            "-k",
            "bob.key",
            "-r",
            "alice.pem",
            "gmsm-enveloped-rfc.pem",
        )
        self.refused(
            REFUSED,
            "alice.key does not open it",
            "cms",
            "decrypt",
            "-k",
            "alice.key",
            "-r",
            "bob.pem",
            "gmsm-enveloped.pem",
        )

    def test_both(self):
        p = self.ty(
            "cms", "decrypt", "-k", "bob.key", "--cert", "alice.pem", "-o", "plain", "gmsm-both.pem"
        )
        self.assertEqual(p.stdout, b"gmsm-both.pem: OK, signed by C=CN, CN=alice\n")
        self.assertEqual(self.read("plain"), LETTER)
        self.assertEqual(self.mode("plain"), 0o600)
        os.unlink(self.dir / "plain")
        self.refused(
            USAGE,
            "signed by whom?",
            "cms",
            "decrypt",
            "-k",
            "bob.key",
            "-o",
            "plain",
            "gmsm-both.pem",
        )
        self.refused(
            REFUSED,
            "is not among those given",
            "cms",
            "decrypt",
            "-k",
            "bob.key",
            "--cert",
            "bob.pem",
            "-o",
            "plain",
            "gmsm-both.pem",
        )
        self.refused(
            REFUSED,
            "a signature does not verify",
            "cms",
            "decrypt",
            "-k",
            "bob.key",
            "--cert",
            "alice.pem",
            "--id",
            "x",
            "-o",
            "plain",
            "gmsm-both.pem",
        )

    def test_empty_identity(self):
        self.refused(REFUSED, "--id ''", "cms", "verify", "--cert", "alice.pem", "openssl-sm2.pem")

    def test_der_base64_pipe(self):
        der = der_of(self.read("gmsm-signed.pem"))
        for data in (
            der,
            base64.b64encode(der),
            base64.encodebytes(der),
            self.read("gmsm-signed.pem"),
        ):
            self.assertEqual(
                self.out("cms", "verify", "--cert", "alice.pem", "-o", "-", stdin=data), LETTER
            )


class Refused(Cms):
    """command, exit status, what the line says; and no file appears"""

    def test_table(self):
        der = der_of(self.read("gmsm-signed.pem"))
        self.write("longer.p7", der + b"\0")
        self.write("long-length.p7", der.replace(b"\x30\x82", b"\x30\x83\x00", 1))
        self.write("cert-longer.pem", der_of(self.read("alice.pem")) + b"\0")
        self.write("cert-cut.pem", der_of(self.read("alice.pem"))[:200])
        rsa = der_of(self.read("alice.pem")).replace(
            bytes.fromhex("2a8648ce3d0201"), bytes.fromhex("2a8648ce3d0209")
        )
        self.write("cert-unknown.pem", rsa)
        self.write("empty", b"")
        verify, decrypt = ["cms", "verify", "-o", "out"], [
            "cms",
            "decrypt",
            "-k",
            "bob.key",
            "-o",
            "out",
        ]
        sign = ["cms", "sign", "-o", "out"]
        for exit, said, args in (
            (
                INPUT,
                "BER with an indefinite length or a string in pieces (at byte 0)",
                [*verify, "--cert", "alice.pem", "bc-ber.pem"],
            ),
            (INPUT, "indefinite length", [*verify, "--cert", "alice.pem", "openssl-stream.pem"]),
            (INPUT, "indefinite length", [*decrypt, "openssl-stream.pem"]),
            (
                INPUT,
                "a message of the kind 1.2.840.113549.1.7.1 (at byte 2)",
                [*verify, "--cert", "alice.pem", "openssl-data.pem"],
            ),
            (INPUT, f"wrong at byte {len(der)})", [*verify, "--cert", "alice.pem", "longer.p7"]),
            (INPUT, "wrong at byte 0)", [*verify, "--cert", "alice.pem", "long-length.p7"]),
            (INPUT, "wrong at byte 0)", [*verify, "--cert", "alice.pem", "empty"]),
            (INPUT, "wrong at byte", [*verify, "--cert", "alice.pem", "letter.txt"]),
            (
                INPUT,
                "encrypted, and nobody signed it",
                [*verify, "--cert", "alice.pem", "gmsm-enveloped.pem"],
            ),
            (
                INPUT,
                "signed and encrypted; decrypt it",
                [*verify, "--cert", "alice.pem", "gmsm-both.pem"],
            ),
            (INPUT, "signed, and not encrypted", [*decrypt, "gmsm-signed.pem"]),
            (USAGE, "nobody signed it", [*decrypt, "--cert", "alice.pem", "gmsm-enveloped.pem"]),
            (USAGE, "signed by whom?", [*verify, "gmsm-signed.pem"]),
            (
                USAGE,
                "--content names something else",
                [*verify, "--cert", "alice.pem", "--content", "letter.txt", "gmsm-signed.pem"],
            ),
            (
                INPUT,
                f"wrong at byte {len(der_of(self.read('alice.pem')))}",
                [*verify, "--cert", "cert-longer.pem", "gmsm-signed.pem"],
            ),
            (INPUT, "wrong at byte 0", [*verify, "--cert", "cert-cut.pem", "gmsm-signed.pem"]),
            (
                INPUT,
                "a key that is not valid or of an unknown algorithm (at byte",
                [*verify, "--cert", "cert-unknown.pem", "gmsm-signed.pem"],
            ),
            (INPUT, "not a certificate", [*verify, "--cert", "letter.txt", "gmsm-signed.pem"]),
            (
                INPUT,
                "not the certificate of the key",
                [*sign, "-k", "alice.key", "--cert", "bob.pem", "letter.txt"],
            ),
            (
                USAGE,
                "1 keys of signers and 2 certificates",
                [
                    *sign,
                    "-k",
                    "alice.key",
                    "--cert",
                    "alice.pem",
                    "--cert",
                    "bob.pem",
                    "letter.txt",
                ],
            ),
            (
                USAGE,
                "GM/T 0010 has no ML-DSA-44",
                [*sign, "--form", "gm", "-k", "lattice.key", "--cert", "lattice.pem", "letter.txt"],
            ),
            (
                INPUT,
                "which cannot encrypt",
                ["cms", "encrypt", "-r", "lattice.pem", "-o", "out", "letter.txt"],
            ),
            (
                USAGE,
                "for one recipient twice",
                ["cms", "encrypt", "-r", "bob.pem", "-r", "bob.pem", "-o", "out", "letter.txt"],
            ),
            (
                USAGE,
                "RFC 5652 has no such thing",
                [
                    "cms",
                    "encrypt",
                    "--form",
                    "cms",
                    "-r",
                    "bob.pem",
                    "-k",
                    "alice.key",
                    "--cert",
                    "alice.pem",
                    "-o",
                    "out",
                    "letter.txt",
                ],
            ),
            (USAGE, "a request for whom?", ["request", "-k", "alice.key", "-o", "out"]),
            (USAGE, "a request for which key?", ["request", "--subject", "CN=x", "-o", "out"]),
            (
                USAGE,
                "'CN' has no =",
                ["request", "-k", "alice.key", "--subject", "CN", "-o", "out"],
            ),
            (
                USAGE,
                "C is a country's two letters",
                ["request", "-k", "alice.key", "--subject", "C=China", "-o", "out"],
            ),
            (USAGE, "CN is empty", ["request", "-k", "alice.key", "--subject", "CN=", "-o", "out"]),
            (
                USAGE,
                "nothing after its last ,",
                ["request", "-k", "alice.key", "--subject", "CN=x,", "-o", "out"],
            ),
            (
                USAGE,
                "unknown type 'OX'",
                ["request", "-k", "alice.key", "--subject", "OX=x", "-o", "out"],
            ),
            (USAGE, "is no address", ["request", "-k", "alice.key", "--ip", "1.2.3", "-o", "out"]),
            (
                USAGE,
                "did you mean keyCertSign?",
                [
                    "request",
                    "-k",
                    "alice.key",
                    "--dns",
                    "x",
                    "--key-usage",
                    "keyCertsign",
                    "-o",
                    "out",
                ],
            ),
            (
                USAGE,
                "--extension cannot be",
                ["request", "-k", "alice.key", "--dns", "x", "--extension", "7.1=00", "-o", "out"],
            ),
            (
                USAGE,
                "is not in ASCII",
                ["request", "-k", "alice.key", "--dns", "同余", "-o", "out"],
            ),
            (INPUT, "a certificate, and no request", ["request", "--check", "alice.pem"]),
        ):
            with self.subTest(" ".join(args)):
                self.refused(exit, said, *args)

    def test_two_signers_of_whom_one_fails(self):
        self.ty(
            "cms",
            "sign",
            "-k",
            "alice.key",
            "--cert",
            "alice.pem",
            "-k",
            "bob.key",
            "--cert",
            "bob.pem",
            "-o",
            "two.p7",
            "letter.txt",
        )
        self.ty("cms", "verify", "--cert", "alice.pem", "--cert", "bob.pem", "two.p7")
        self.refused(
            REFUSED,
            "not among those given",
            "cms",
            "verify",
            "--cert",
            "alice.pem",
            "-o",
            "out",
            "two.p7",
        )
        data = self.read("two.p7")
        self.write(
            "one.p7", data[:-1] + bytes([data[-1] ^ 1])
        )  # the last byte of the last signature
        self.refused(
            REFUSED,
            "a signature does not verify, that of C=CN, CN=",
            "cms",
            "verify",
            "--any-signer",
            "-o",
            "out",
            "one.p7",
        )
        result = self.json("cms", "verify", "--any-signer", "one.p7", exit=REFUSED)
        self.assertEqual(sorted(s["valid"] for s in result["signers"]), [False, True])

    def test_nobody(self):
        """Certificates alone: a message without a signer is not a message that verifies."""
        self.ty(
            "cms", "sign", "-k", "alice.key", "--cert", "alice.pem", "-o", "one.p7", "letter.txt"
        )
        der = self.read("one.p7")
        signers = der[der.rindex(b"\x31\x82\x01") :]  # SET of one SignerInfo, at the end
        body = der[4 + 12 + 4 + 4 : -len(signers)] + b"\x31\x00"
        seq = b"\x30\x82" + len(body).to_bytes(2, "big") + body
        inner = b"\xa0\x82" + len(seq).to_bytes(2, "big") + seq
        self.write(
            "none.p7", b"\x30\x82" + (12 + len(inner)).to_bytes(2, "big") + der[4:16] + inner
        )
        self.refused(
            REFUSED, "nobody signed it", "cms", "verify", "--any-signer", "-o", "out", "none.p7"
        )

    def test_every_byte_of_the_content(self):
        for name, at in (("gmsm-signed.pem", b"Dear Bob"), ("gmsm-signed-bare.pem", b"Dear Bob")):
            der = der_of(self.read(name))
            self.write("changed.p7", der.replace(at, b"Dear Rob"))
            self.refused(
                REFUSED,
                "a signature does not verify",
                "cms",
                "verify",
                "--cert",
                "alice.pem",
                "-o",
                "out",
                "changed.p7",
            )

    def test_attributes_as_content(self):
        """A signature over attributes is not one over content that looks like them."""
        self.ty(
            "cms", "sign", "-k", "alice.key", "--cert", "alice.pem", "-o", "one.p7", "letter.txt"
        )
        der = self.read("one.p7")
        at = der.rindex(b"\xa0", 0, der.index(bytes.fromhex("06092a864886f70d010903")))
        attributes = b"\x31" + der[at + 1 : at + 2 + der[at + 1]]
        self.write("attributes", attributes)
        self.ty(
            "cms",
            "sign",
            "--no-attributes",
            "-k",
            "alice.key",
            "--cert",
            "alice.pem",
            "-o",
            "evil.p7",
            "attributes",
        )
        self.refused(
            REFUSED,
            "content that looks like the attributes of a signature",
            "cms",
            "verify",
            "--cert",
            "alice.pem",
            "-o",
            "out",
            "evil.p7",
        )


class Ours(Cms):
    def test_signed_and_verified(self):
        for key, cert, more in (
            ("alice.key", "alice.pem", []),
            ("alice.key", "alice.pem", ["--form", "cms"]),
            ("alice.key", "alice.pem", ["--id", "me"]),
            ("lattice.key", "lattice.pem", []),
        ):
            for bare in ([], ["--no-attributes"]):
                for coding in ("der", "pem"):
                    with self.subTest(f"{key} {more} {bare} {coding}"):
                        identity = more if "--id" in more else []
                        self.ty(
                            "cms",
                            "sign",
                            "-k",
                            key,
                            "--cert",
                            cert,
                            *more,
                            *bare,
                            "--coding",
                            coding,
                            "-f",
                            "-o",
                            "m",
                            "letter.txt",
                        )
                        self.assertEqual(
                            self.out("cms", "verify", "--cert", cert, *identity, "-o", "-", "m"),
                            LETTER,
                        )
                        self.ty(
                            "cms",
                            "sign",
                            "-k",
                            key,
                            "--cert",
                            cert,
                            *more,
                            *bare,
                            "--detached",
                            "-f",
                            "-o",
                            "m",
                            "letter.txt",
                        )
                        self.ty(
                            "cms",
                            "verify",
                            "--cert",
                            cert,
                            *identity,
                            "--content",
                            "letter.txt",
                            "m",
                        )

    def test_sizes(self):
        """Lengths around those at which DER's own lengths and SM4's blocks grow."""
        for n in (0, 1, 15, 16, 17, 127, 128, 255, 256, 65535, 65536, 300000):
            with self.subTest(n):
                self.write("data", os.urandom(n))
                self.ty(
                    "cms", "sign", "-k", "alice.key", "--cert", "alice.pem", "-f", "-o", "s", "data"
                )
                self.assertEqual(
                    self.out("cms", "verify", "--cert", "alice.pem", "-o", "-", "s"),
                    self.read("data"),
                )
                self.ty(
                    "cms",
                    "encrypt",
                    "-r",
                    "bob.pem",
                    "-k",
                    "alice.key",
                    "--cert",
                    "alice.pem",
                    "-f",
                    "-o",
                    "e",
                    "data",
                )
                self.assertEqual(
                    self.out("cms", "decrypt", "-k", "bob.key", "--cert", "alice.pem", "e"),
                    self.read("data"),
                )

    def test_options(self):
        self.ty(
            "cms",
            "sign",
            "-k",
            "alice.key",
            "--cert",
            "alice.pem",
            "--no-certs",
            "-o",
            "bare.p7",
            "letter.txt",
        )
        self.ty("cms", "verify", "--cert", "alice.pem", "bare.p7")
        self.refused(
            REFUSED, "the message does not hold it", "cms", "verify", "--any-signer", "bare.p7"
        )
        self.ty(
            "cms",
            "sign",
            "-k",
            "alice.key",
            "--cert",
            "alice.pem",
            "--chain",
            "lattice.pem",
            "-o",
            "chain.p7",
            "letter.txt",
        )
        self.assertIn(der_of(self.read("lattice.pem")), self.read("chain.p7"))
        made = self.json(
            "cms",
            "sign",
            "-k",
            "alice.key",
            "--cert",
            "alice.pem",
            "-k",
            "lattice.key",
            "--cert",
            "lattice.pem",
            "-o",
            "mixed.p7",
            "letter.txt",
        )
        self.assertEqual(
            (made["form"], made["signers"]), ("cms", ["C=CN, CN=alice", "C=CN, CN=lattice"])
        )
        self.assertEqual(
            len(
                self.json(
                    "cms", "verify", "--cert", "alice.pem", "--cert", "lattice.pem", "mixed.p7"
                )["signers"]
            ),
            2,
        )

    def test_encrypted(self):
        made = self.json(
            "cms", "encrypt", "-r", "bob.pem", "-r", "alice.pem", "-o", "e", "letter.txt"
        )
        self.assertEqual(made["recipients"], ["C=CN, CN=bob", "C=CN, CN=alice"])
        self.assertNotIn(b"congruence", self.read("e"))
        for key in ("bob.key", "alice.key"):
            self.assertEqual(self.out("cms", "decrypt", "-k", key, "e"), LETTER)
        self.ty("keygen", "-o", "other.key")
        self.refused(
            REFUSED,
            "not encrypted for this key",
            "cms",
            "decrypt",
            "-k",
            "other.key",
            "-o",
            "out",
            "e",
        )
        data = self.read("e")
        self.write(
            "changed", data[:-17] + bytes([data[-17] ^ 0xFF]) + data[-16:]
        )  # the padding becomes 0xff bytes or so
        self.refused(
            REFUSED,
            "damaged, cut or altered",
            "cms",
            "decrypt",
            "-k",
            "bob.key",
            "-o",
            "out",
            "changed",
        )


class Request(Cms):
    def test_openssl_agrees(self):
        for key, sm2 in (("alice.key", True), ("lattice.key", False)):
            self.ty(
                "request",
                "-k",
                key,
                "--subject",
                r"C=CN, O=Acme\, Inc + OU=Keys, CN=同余, emailAddress=a@b.example",
                "--dns",
                "a.example",
                "--email",
                "a@b.example",
                "--ip",
                "192.0.2.1",
                "--ip",
                "2001:db8::1",
                "--uri",
                "https://a.example/",
                "--key-usage",
                "digitalSignature",
                "--key-usage",
                "decipherOnly",
                "--purpose",
                "serverAuth",
                "--purpose",
                "OCSPSigning",
                "--ca",
                "--extension",
                "1.3.6.1.5.5.7.1.24=3003020105",
                "-f",
                "-o",
                "r.csr",
            )
            self.assertEqual(self.out("request", "--check", "r.csr"), b"r.csr: OK\n")
            self.assertEqual(
                self.json("inspect", "r.csr")["subject"],
                r"C=CN, OU=Keys + O=Acme\, Inc, CN=同余, emailAddress=a@b.example",
            )
            if not sm2 or not case.OPENSSL:
                continue
            text = self.ssl(
                "req",
                "-in",
                "r.csr",
                "-noout",
                "-text",
                "-verify",
                "-vfyopt",
                "distid:1234567812345678",
                "-nameopt",
                "utf8",
            )
            self.assertIn(b"verify OK", text.stderr)
            for line in (
                "DNS:a.example",
                "email:a@b.example",
                "IP Address:192.0.2.1",
                "IP Address:2001:DB8:0:0:0:0:0:1",
                "URI:https://a.example/",
                "CA:TRUE",
                "Digital Signature, Decipher Only",
                "TLS Web Server Authentication, OCSP Signing",
                "status_request",
                "O=Acme, Inc",
            ):
                self.assertIn(line, text.stdout.decode())

    def test_der_and_identity(self):
        self.ty(
            "request",
            "-k",
            "alice.key",
            "--subject",
            "CN=x",
            "--id",
            "me",
            "--coding",
            "der",
            "-o",
            "r.der",
        )
        self.ty("request", "--check", "r.der", "--id", "me")
        self.refused(REFUSED, "its signature does not verify", "request", "--check", "r.der")
        data = self.read("r.der")
        self.write("r.der", data.replace(b"\x0c\x01x", b"\x0c\x01y"))
        self.refused(
            REFUSED, "its signature does not verify", "request", "--check", "r.der", "--id", "me"
        )

    def test_spaces_and_escapes(self):
        for given, shown in (
            (r"CN=\ a\ ", r"CN=\ a\ "),
            ("CN =  a b  , O = c", "CN=a b, O=c"),
            (r"CN=\e5\90\8c", "CN=同"),
            (r"CN=a\+b", r"CN=a\+b"),
        ):
            self.ty("request", "-k", "alice.key", "--subject", given, "-f", "-o", "r")
            self.assertEqual(self.json("inspect", "r")["subject"], shown)


class Page(case.Case):
    def test_examples(self):
        """Every command of docs/cms.md, in order, in one shell."""
        script = "\n".join(
            re.findall(r"```sh\n(.*?)```", (case.SOURCE / "docs/cms.md").read_text(), re.S)
        )
        self.assertGreater(script.count("tongyu "), 10)
        path = os.path.dirname(case.TONGYU) + ":" + os.environ["PATH"]
        p = self.exec(["bash", "-euo", "pipefail", "-c", script], env={"PATH": path})
        self.assertEqual(
            p.returncode,
            0,
            p.stdout.decode(errors="replace")[-3000:] + p.stderr.decode(errors="replace"),
        )


if __name__ == "__main__":
    case.main(needs_openssl=True)
