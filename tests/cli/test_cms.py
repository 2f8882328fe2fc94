"""cms and request: messages of other programs, refusals, our own messages, and the commands of
docs/cms.md."""

import base64
import os
import re
import shlex
import shutil

import case
from case import INPUT, REFUSED, USAGE

FIXTURES = case.SOURCE / "tests/cms"  # made by OpenSSL 3.5, gmsm 0.43 and BouncyCastle 1.82
LETTER = (FIXTURES / "letter.txt").read_bytes()
DISTID = "distid:1234567812345678"


def der_of(pem):
    return base64.b64decode(b"".join(l for l in pem.splitlines() if not l.startswith(b"-----")))


def sequence(body):
    """SEQUENCE with a length of up to three bytes."""
    n = len(body)
    size = (bytes([n]) if n < 128 else b"\x81" + bytes([n]) if n < 256 else b"\x82" +
            n.to_bytes(2, "big"))
    return b"\x30" + size + body


def children(der):
    """The elements in a SEQUENCE."""
    def head(at):
        more = der[at + 1] - 0x80
        size = der[at + 1] if more < 0 else int.from_bytes(der[at + 2 : at + 2 + more], "big")
        return at + 2 + max(more, 0), size

    at, parts = head(0)[0], []
    while at < len(der):
        start, size = head(at)
        parts.append(der[at : start + size])
        at = start + size
    return parts


class Cms(case.Case):
    """Commands are given as one string: "cms verify --cert alice.pem letter.p7"."""

    def setUp(self):
        super().setUp()
        for path in FIXTURES.iterdir():
            shutil.copy(path, self.dir)
        for key in ("alice.key", "bob.key", "lattice.key"):
            os.chmod(self.dir / key, 0o600)

    def do(self, line, **kw):
        return self.ty(*shlex.split(line), **kw)

    def gives(self, line, content=LETTER):
        self.assertEqual(self.do(line).stdout, content)

    def refused(self, exit, text, line):
        """Expect one line of error with this text, this exit status, and no new file."""
        before = self.files()
        self.assertIn(text, self.err(*shlex.split(line), exit=exit))
        self.assertEqual(self.files(), before)


class Theirs(Cms):
    def test_signed(self):
        for name, options in (
            ("openssl-sm2.pem", "--id ''"),
            ("openssl-sm2-id.pem", ""),
            ("gmsm-signed.pem", ""),
            ("gmsm-signed-bare.pem", ""),
            ("bc-sm2.pem", ""),
        ):
            with self.subTest(name):
                p = self.do(f"cms verify {options} --cert alice.pem -o content {name}")
                text = f"{name}: OK, signed by C=CN, CN=alice"
                self.assertTrue(p.stdout.decode().startswith(text), p.stdout)
                self.assertIn(b"no path, name or date of a certificate was checked", p.stderr)
                self.assertEqual(self.read("content"), LETTER)
                os.unlink(self.dir / "content")
                self.do(f"cms verify {options} --any-signer {name}")
                text = "whose certificate is not among those given"
                self.refused(REFUSED, text, f"cms verify {options} --cert bob.pem {name}")
                text = "a signature does not verify"
                line = f"cms verify --id somebody --cert alice.pem -o content {name}"
                self.refused(REFUSED, text, line)

    def test_detached(self):
        for name, cert in (
            ("gmsm-detached.pem", "alice.pem"),
            ("openssl-mldsa.pem", "lattice.pem"),
            ("bc-mldsa.pem", "lattice.pem"),
        ):
            with self.subTest(name):
                line = f"cms verify --cert {cert} {name}"
                self.do(line + " --content letter.txt")
                self.refused(REFUSED, "a signature does not verify", line + " --content alice.pem")
                self.refused(USAGE, "does not contain the signed content", line)
                text = "-o would have nothing to write"
                self.refused(USAGE, text, line + " --content letter.txt -o x")

    def test_encrypted(self):
        enveloped = ("gmsm-enveloped.pem", "gmsm-enveloped-key-id.pem", "gmsm-enveloped-rfc.pem")
        for name in enveloped:
            with self.subTest(name):
                self.gives(f"cms decrypt -k bob.key {name}")
                self.gives(f"cms decrypt -k bob.key -r bob.pem {name}")
        self.gives("cms decrypt -k alice.key gmsm-enveloped.pem")
        for text, line in (
            ("not encrypted for this key", "-k alice.key gmsm-enveloped-rfc.pem"),
            ("not encrypted for this cert", "-k bob.key -r alice.pem gmsm-enveloped-rfc.pem"),
            ("alice.key does not open it", "-k alice.key -r bob.pem gmsm-enveloped.pem"),
        ):
            self.refused(REFUSED, text, "cms decrypt -o x " + line)

    def test_both(self):
        line = "cms decrypt -k bob.key -o plain gmsm-both.pem"
        p = self.do(line + " --cert alice.pem")
        self.assertEqual(p.stdout, b"gmsm-both.pem: OK, signed by C=CN, CN=alice\n")
        self.assertEqual(self.read("plain"), LETTER)
        self.assertEqual(self.mode("plain"), 0o600)
        os.unlink(self.dir / "plain")
        self.refused(USAGE, "no signer's certificate was given", line)
        self.refused(REFUSED, "is not among those given", line + " --cert bob.pem")
        self.refused(REFUSED, "a signature does not verify", line + " --cert alice.pem --id x")

    def test_empty_identity(self):
        self.refused(REFUSED, "--id ''", "cms verify --cert alice.pem openssl-sm2.pem")

    def test_der_base64_pipe(self):
        pem = self.read("gmsm-signed.pem")
        der = der_of(pem)
        for data in (der, base64.b64encode(der), base64.encodebytes(der), pem):
            p = self.do("cms verify --cert alice.pem -o -", stdin=data)
            self.assertEqual(p.stdout, LETTER)


class Refused(Cms):
    def test_table(self):
        """Exit status, part of the error message, command; and no file is written."""
        der, alice = der_of(self.read("gmsm-signed.pem")), der_of(self.read("alice.pem"))
        self.write("longer.p7", der + b"\0")
        self.write("long-length.p7", der.replace(b"\x30\x82", b"\x30\x83\x00", 1))
        self.write("longer.pem", alice + b"\0")
        self.write("cut.pem", alice[:200])
        other = bytes.fromhex("2a8648ce3d0201"), bytes.fromhex("2a8648ce3d0209")
        self.write("unknown.pem", alice.replace(*other))
        self.write("empty", b"")
        self.do("request -k alice.key --subject CN=x -o alice.csr")
        key, verify = "--cert alice.pem", "cms verify -o out"
        decrypt, sign = "cms decrypt -k bob.key -o out", "cms sign -o out letter.txt"
        encrypt, request = "cms encrypt -o out letter.txt", "request -k alice.key -o out"
        for exit, text, line in (
            (INPUT, "indefinite length or a constructed string (at", f"{verify} {key} bc-ber.pem"),
            (INPUT, "indefinite length", f"{verify} {key} openssl-stream.pem"),
            (INPUT, "indefinite length", f"{decrypt} openssl-stream.pem"),
            (INPUT, "1.2.840.113549.1.7.1 (at byte 2)", f"{verify} {key} openssl-data.pem"),
            (INPUT, f"wrong at byte {len(der)})", f"{verify} {key} longer.p7"),
            (INPUT, "wrong at byte 0)", f"{verify} {key} long-length.p7"),
            (INPUT, "wrong at byte 0)", f"{verify} {key} empty"),
            (INPUT, "wrong at byte", f"{verify} {key} letter.txt"),
            (INPUT, "encrypted, but not signed", f"{verify} {key} gmsm-enveloped.pem"),
            (INPUT, "signed and encrypted; decrypt it", f"{verify} {key} gmsm-both.pem"),
            (USAGE, "no signer's certificate was given", f"{verify} gmsm-signed.pem"),
            (USAGE, "names something else", f"{verify} {key} --content letter.txt gmsm-signed.pem"),
            (INPUT, f"wrong at byte {len(alice)}", f"{verify} --cert longer.pem gmsm-signed.pem"),
            (INPUT, "wrong at byte 0", f"{verify} --cert cut.pem gmsm-signed.pem"),
            (INPUT, "unknown algorithm (at byte", f"{verify} --cert unknown.pem gmsm-signed.pem"),
            (INPUT, "not a certificate", f"{verify} --cert letter.txt gmsm-signed.pem"),
            (INPUT, "signed, but not encrypted", f"{decrypt} gmsm-signed.pem"),
            (USAGE, "not signed", f"{decrypt} {key} gmsm-enveloped.pem"),
            (INPUT, "not the certificate of the key", f"{sign} -k alice.key --cert bob.pem"),
            (USAGE, "1 key of signers and 2 cert", f"{sign} -k alice.key {key} --cert bob.pem"),
            (USAGE, "has no ML-DSA-44", f"{sign} --form gm -k lattice.key --cert lattice.pem"),
            (INPUT, "which cannot encrypt", f"{encrypt} -r lattice.pem"),
            (USAGE, "so one recipient is named twice", f"{encrypt} -r bob.pem -r bob.pem"),
            (USAGE, "RFC 5652 has no", f"{encrypt} --form cms -r bob.pem -k alice.key {key}"),
            (USAGE, "no name was given for the request", request),
            (USAGE, "no key was given", "request --subject CN=x -o out"),
            (USAGE, "'CN' has no =", f"{request} --subject CN"),
            (USAGE, "C is a country's two capital letters", f"{request} --subject C=China"),
            (USAGE, "CN is empty", f"{request} --subject CN="),
            (USAGE, "nothing follows its last ,", f"{request} --subject CN=x,"),
            (USAGE, "unknown type 'OX'", f"{request} --subject OX=x"),
            (USAGE, "is not an address", f"{request} --ip 1.2.3"),
            (USAGE, "did you mean keyCertSign?", f"{request} --dns x --key-usage keyCertsign"),
            (USAGE, "--extension cannot be", f"{request} --dns x --extension 7.1=00"),
            (USAGE, "--extension cannot be",
             f"{request} --dns x --extension 2.99999999999999999999999=0500"),
            (USAGE, "--extension cannot be", f"{request} --dns x --extension 1.99.1=0500"),
            (USAGE, "is not one element of DER", f"{request} --dns x --extension 1.2.3=00"),
            (USAGE, "is not one element of DER", f"{request} --dns x --extension 1.2.3=050000"),
            (USAGE, "was given twice", f"{request} --dns x --extension 2.5.29.17=3000"),
            (INPUT, "a certificate, not a request", "request --check alice.pem"),
            (INPUT, "a request, and this needs a certificate", f"{encrypt} -r alice.csr"),
            (INPUT, "a request, and this needs", f"{sign} -k alice.key {key} --chain alice.csr"),
        ):
            with self.subTest(line):
                self.refused(exit, text, line)

    def certificate(self, alg):
        """Writes l.key, a new key of that algorithm, and l.pem, which is lattice.pem with that key;
        its signature is not checked."""
        self.do(f"keygen --alg {alg} -f -o l.key")
        tbs, *rest = children(der_of(self.read("lattice.pem")))
        parts = children(tbs)
        parts[6] = self.do("pubkey --format der l.key").stdout
        self.write("l.pem", sequence(b"".join([sequence(b"".join(parts)), *rest])))

    def test_hashes_of_mldsa(self):
        """A hash that is weaker than the key is refused. Others are accepted, but the signature
        does not verify, since the digest is another one."""
        named = {n: bytes.fromhex("6086480165030402") + bytes([n]) for n in (1, 2, 3, 11, 12)}
        weak, other = (INPUT, "with the hash 2.16.840.1.101.3.4.2."), (REFUSED, "does not verify")
        for alg, suitable in (("ml-dsa-44", (1, 2, 11, 12)), ("ml-dsa-65", (2, 12)),
                              ("ml-dsa-87", (12,))):
            self.certificate(alg)
            sign = "cms sign -k l.key --cert l.pem letter.txt -f"
            self.do(f"{sign} -o strong.p7")
            self.do(f"{sign} -o bare.p7 --no-attributes")
            self.do("cms verify --cert l.pem strong.p7")
            strong, bare = self.read("strong.p7"), self.read("bare.p7")
            self.assertEqual((strong.count(named[3]), bare.count(named[3])), (2, 2))
            for n in (1, 2, 11, 12):
                with self.subTest(f"{alg} with the hash {n}"):
                    self.write("m.p7", strong.replace(named[3], named[n]))
                    self.refused(*(other if n in suitable else weak),
                                 "cms verify --cert l.pem m.p7")
                    # without attributes the hash is ignored
                    self.write("m.p7", bare.replace(named[3], named[n]))
                    self.do("cms verify --cert l.pem m.p7")

    def test_two_signers_of_whom_one_fails(self):
        signers = "-k alice.key --cert alice.pem -k bob.key --cert bob.pem"
        self.do(f"cms sign {signers} -o two.p7 letter.txt")
        self.do("cms verify --cert alice.pem --cert bob.pem two.p7")
        self.refused(REFUSED, "not among those given", "cms verify --cert alice.pem -o out two.p7")
        data = self.read("two.p7")
        self.write("one.p7", data[:-1] + bytes([data[-1] ^ 1]))  # the end of the last signature
        text = "a signature does not verify, that of C=CN, CN="
        self.refused(REFUSED, text, "cms verify --any-signer -o out one.p7")
        result = self.json("cms", "verify", "--any-signer", "one.p7", exit=REFUSED)
        self.assertEqual(sorted(s["valid"] for s in result["signers"]), [False, True])

    def test_no_signer(self):
        """A message with certificates but without a signer does not verify."""
        self.do("cms sign -k alice.key --cert alice.pem -o one.p7 letter.txt")
        der = self.read("one.p7")
        signers = der[der.rindex(b"\x31\x82\x01") :]  # SET of one SignerInfo, at the end
        body = der[4 + 12 + 4 + 4 : -len(signers)] + b"\x31\x00"
        seq = b"\x30\x82" + len(body).to_bytes(2, "big") + body
        inner = b"\xa0\x82" + len(seq).to_bytes(2, "big") + seq
        size = (12 + len(inner)).to_bytes(2, "big")
        self.write("none.p7", b"\x30\x82" + size + der[4:16] + inner)
        self.refused(REFUSED, "no signers", "cms verify --any-signer -o out none.p7")

    def test_changed_content(self):
        for name in ("gmsm-signed.pem", "gmsm-signed-bare.pem"):
            der = der_of(self.read(name))
            self.write("changed.p7", der.replace(b"Dear Bob", b"Dear Rob"))
            line = "cms verify --cert alice.pem -o out changed.p7"
            self.refused(REFUSED, "a signature does not verify", line)

    def test_attributes_as_content(self):
        """A signature over attributes is not one over content that looks like them."""
        self.do("cms sign -k alice.key --cert alice.pem -o one.p7 letter.txt")
        der = self.read("one.p7")
        at = der.rindex(b"\xa0", 0, der.index(bytes.fromhex("06092a864886f70d010903")))
        taken = b"\x31" + der[at + 1 : at + 2 + der[at + 1]]
        body = bytes.fromhex("060a2b060104018237020104") + bytes(70000)
        other = b"\x30\x83" + len(body).to_bytes(3, "big") + body  # sorts before those of PKCS #9
        huge = b"\x31\x83" + len(other).to_bytes(3, "big") + other
        short = bytes.fromhex("310e300c060a2b060104018237020104")
        padded = bytes.fromhex("3188000000000000001230880000000000000008060a2b06010401823702")
        bare = "-k alice.key --cert alice.pem --no-attributes"
        self.do(f"cms sign {bare} --detached -o evil.p7 letter.txt")
        for content in (taken, huge, short, padded):
            self.write("attributes", content)
            text = "sign it with attributes"
            self.refused(INPUT, text, f"cms sign {bare} -o out attributes")
            self.refused(INPUT, text, f"cms sign {bare} --detached -o out attributes")
            text = "content that looks like the attributes of a signature"
            verify = "cms verify --cert alice.pem --content attributes evil.p7"
            self.refused(REFUSED, text, verify)
        for content in (b"\x31", b"\x31\x02\x30\x00", taken[:2] + b"\x04" + taken[3:], b"\x31\xff"):
            self.write("attributes", content)
            self.do(f"cms sign {bare} -f -o fine.p7 attributes")
            self.do("cms verify --cert alice.pem fine.p7")

    def test_type_without_attributes(self):
        """A signature without attributes does not cover the type of the content, so that only the
        type `data` is accepted."""
        self.do("cms sign --form cms -k alice.key --cert alice.pem --no-attributes -o m letter.txt")
        data = self.read("m")
        plain = bytes.fromhex("06092a864886f70d010701")
        self.assertEqual(data.count(plain), 1)
        self.write("changed", data.replace(plain, plain[:-1] + b"\x05"))
        text = "content of the type 1.2.840.113549.1.7.5"
        self.refused(INPUT, text, "cms verify --cert alice.pem -o out changed")


class Ours(Cms):
    def test_signed_and_verified(self):
        alice, lattice = "-k alice.key --cert alice.pem", "-k lattice.key --cert lattice.pem"
        for keys, identity in (
            (alice, ""),
            (alice + " --form cms", ""),
            (alice, "--id me"),
            (lattice, ""),
        ):
            cert = "--cert lattice.pem" if keys == lattice else "--cert alice.pem"
            for bare in ("", "--no-attributes"):
                with self.subTest(f"{keys} {identity} {bare}"):
                    sign = f"cms sign {keys} {identity} {bare} -f -o m letter.txt"
                    for coding in ("der", "pem"):
                        self.do(f"{sign} --coding {coding}")
                        self.gives(f"cms verify {cert} {identity} -o - m")
                    self.do(sign + " --detached")
                    self.do(f"cms verify {cert} {identity} --content letter.txt m")

    def test_sizes(self):
        """Lengths around those where DER needs longer length fields, or SM4 another block."""
        alice = "-k alice.key --cert alice.pem"
        for n in (0, 1, 15, 16, 17, 127, 128, 255, 256, 65535, 65536, 300000):
            with self.subTest(n):
                data = os.urandom(n)
                self.write("data", data)
                self.do(f"cms sign {alice} -f -o s data")
                self.gives("cms verify --cert alice.pem -o - s", data)
                self.do(f"cms encrypt -r bob.pem {alice} -f -o e data")
                self.gives("cms decrypt -k bob.key --cert alice.pem e", data)

    def test_options(self):
        alice = "-k alice.key --cert alice.pem"
        self.do(f"cms sign {alice} --no-certs -o bare.p7 letter.txt")
        self.do("cms verify --cert alice.pem bare.p7")
        self.refused(REFUSED, "the message does not hold it", "cms verify --any-signer bare.p7")
        self.do(f"cms sign {alice} --chain lattice.pem -o chain.p7 letter.txt")
        self.assertIn(der_of(self.read("lattice.pem")), self.read("chain.p7"))
        rsa = "req -new -x509 -newkey rsa:2048 -nodes -keyout rsa.key -subj /CN=rsa -out rsa.pem"
        self.ssl(*rsa.split())
        self.do(f"cms sign {alice} --chain rsa.pem -o rsa.p7 letter.txt")
        self.do("cms verify --any-signer rsa.p7")
        mixed = f"cms sign {alice} -k lattice.key --cert lattice.pem -o mixed.p7 letter.txt"
        made = self.json(*mixed.split())
        self.assertEqual(made["form"], "cms")
        self.assertEqual(made["signers"], ["C=CN, CN=alice", "C=CN, CN=lattice"])
        seen = self.json(*"cms verify --cert alice.pem --cert lattice.pem mixed.p7".split())
        self.assertEqual(len(seen["signers"]), 2)

    def test_encrypted(self):
        made = self.json(*"cms encrypt -r bob.pem -r alice.pem -o e letter.txt".split())
        self.assertEqual(made["recipients"], ["C=CN, CN=bob", "C=CN, CN=alice"])
        self.assertNotIn(b"congruence", self.read("e"))
        for key in ("bob.key", "alice.key"):
            self.gives(f"cms decrypt -k {key} e")
        self.do("keygen -o other.key")
        self.refused(REFUSED, "not encrypted for this key", "cms decrypt -k other.key -o out e")
        data = self.read("e")  # a byte before the last block: the padding becomes 0xf0
        self.write("changed", data[:-17] + bytes([data[-17] ^ 0xFF]) + data[-16:])
        self.refused(REFUSED, "damaged, cut or altered", "cms decrypt -k bob.key -o out changed")


class Request(Cms):
    SUBJECT = r"C=CN, OU=Keys + O=Acme\, Inc, CN=同余, emailAddress=a@b.example"
    OPTIONS = (
        "--dns a.example --email a@b.example --ip 192.0.2.1 --ip 2001:db8::1"
        " --uri https://a.example/ --key-usage digitalSignature --key-usage decipherOnly"
        " --purpose serverAuth --purpose OCSPSigning --ca --extension 1.3.6.1.5.5.7.1.24=3003020105"
    )
    SHOWN = (
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
    )

    def test_made_and_checked(self):
        for key in ("alice.key", "lattice.key"):
            self.do(f"request -k {key} --subject '{self.SUBJECT}' {self.OPTIONS} -f -o r.csr")
            self.gives("request --check r.csr", b"r.csr: OK\n")
            self.assertEqual(self.json("inspect", "r.csr")["subject"], self.SUBJECT)

    def test_openssl_agrees(self):
        self.do(f"request -k alice.key --subject '{self.SUBJECT}' {self.OPTIONS} -o r.csr")
        line = f"req -in r.csr -noout -text -verify -vfyopt {DISTID} -nameopt utf8"
        p = self.ssl(*line.split())
        self.assertIn(b"verify OK", p.stderr + p.stdout)
        for shown in self.SHOWN:
            self.assertIn(shown, p.stdout.decode())

    def test_der_and_identity(self):
        self.do("request -k alice.key --subject CN=x --id me --coding der -o r.der")
        self.do("request --check r.der --id me")
        self.refused(REFUSED, "its signature does not verify", "request --check r.der")
        self.write("r.der", self.read("r.der").replace(b"\x0c\x01x", b"\x0c\x01y"))
        self.refused(REFUSED, "its signature does not verify", "request --check r.der --id me")
        self.do("request -k alice.key --subject CN=x --id '' -o empty.csr")
        self.refused(REFUSED, "give --id ''", "request --check empty.csr")

    def test_a_check_takes_no_other_options(self):
        self.do("request -k alice.key --subject CN=x --id me -o r.csr")
        for words in ("-k alice.key", "--subject CN=y", "--dns a", "--email a@b", "--ip 192.0.2.1",
                      "--uri urn:x", "--key-usage keyCertSign", "--purpose serverAuth", "--ca",
                      "--extension 1.2.3=0500", "--password-env P", "--password-file r.csr",
                      "--max-iterations 9", "--coding der", "-o new", "--force"):
            with self.subTest(words):
                self.refused(USAGE, "exclude each other", f"request --check r.csr --id me {words}")
        self.assertNotIn("new", self.files())
        self.assertIs(self.json("request", "--check", "r.csr", "--id-hex", "6d65", "--tier", "c",
                                "-q")["valid"], True)

    def test_names_that_are_refused(self):
        """Each name with its error message, and a similar name that is accepted."""
        long_host = ".".join(["a" * 63] * 3) + "." + "b" * 61
        for option, bad, text, good in (
            ("--subject", "C=cn", "two capital letters", "C=CN"),
            ("--subject", "C=C1", "two capital letters", "C=TW"),
            ("--subject", "CN=", "CN is empty", "CN=x"),
            ("--subject", "CN=" + "同" * 65, "CN has 65 characters, and may have at most 64",
             "CN=" + "同" * 64),
            ("--subject", "O=" + "a" * 65, "may have at most 64", "O=" + "a" * 64),
            ("--subject", "L=" + "a" * 129, "may have at most 128", "L=" + "a" * 128),
            ("--subject", "postalCode=" + "1" * 41, "may have at most 40",
             "postalCode=" + "1" * 40),
            ("--subject", "serialNumber=a*b", "serialNumber may have letters",
             "serialNumber=a-b (c)"),
            ("--subject", "serialNumber=é", "serialNumber may have letters", "serialNumber=e"),
            ("--subject", "CN=a\\0ab", "a control character", "CN=a\\20b"),
            ("--subject", "CN=a\\c2\\85", "a control character", "CN=a\\c2\\a0"),
            ("--subject", "CN=\\c0\\af", "is not UTF-8", "CN=\\c3\\af"),
            ("--subject", "CN=a + CN=b", "CN occurs twice", "CN=a, CN=b"),
            ("--subject", "DC=a.b", "DC is one part", "DC=a, DC=b"),
            ("--subject", "emailAddress=a", "has no @", "emailAddress=a@b.example"),
            ("--subject", "cn=a", "did you mean CN?", "CN=a"),
            ("--dns", "", "is empty", "a"),
            ("--dns", "a..b", "an empty part", "a.b"),
            ("--dns", "a.b.", "an empty part", "xn--a-b.c"),
            ("--dns", "-a.b", "inner hyphens", "a-b.c"),
            ("--dns", "a_b.c", "inner hyphens", "A1.c"),
            ("--dns", "同余.cn", "inner hyphens", "xn--55qx5d.cn"),
            ("--dns", "a*.b", "a * that is not all of its first part", "*.b.c"),
            ("--dns", "a.*.b", "a * that is not all of its first part", "*.b"),
            ("--dns", "*", "a * that is not all of its first part", "*.a"),
            ("--dns", "192.0.2.1", "ends in a number; give an address with --ip", "192.0.2.a"),
            ("--dns", "a" * 64 + ".b", "more than 63 characters", "a" * 63 + ".b"),
            ("--dns", long_host + "b", "longer than 253 characters", long_host),
            ("--email", "a.b", "has no @", "a@b"),
            ("--email", "@b", "before the @", "a+c@b"),
            ("--email", "a..b@c", "before the @", "a.b@c"),
            ("--email", "Alice <a@b>", "before the @", "a@b.c"),
            ("--email", "a@*.b", "a host that has a *", "a@b.c"),
            ("--uri", "a.example", "begin with a scheme", "https://a.example"),
            ("--uri", "https:", "nothing after its scheme", "urn:x"),
            ("--uri", "https://a b", "written as % and two digits", "https://a%20b"),
            ("--uri", "https://a/%2", "a % without two digits", "https://a/%2f"),
            ("--ip", "1.2.3.256", "is not an address", "1.2.3.255"),
        ):
            with self.subTest(f"{option} {bad}"):
                more = [] if option == "--subject" else ["--subject", "CN=x"]
                args = ["request", "-k", "alice.key", *more, "-f", "-o", "r.csr", option]
                self.ty(*args, good)
                self.ty("request", "--check", "r.csr")
                os.unlink(self.dir / "r.csr")
                self.assertIn(text, self.err(*args, bad, exit=USAGE))
                self.assertNotIn("r.csr", self.files())

    def test_what_inspect_shows(self):
        """Of a request, and of the certificate that is made from it."""
        self.do(f"request -k alice.key --subject '{self.SUBJECT}' {self.OPTIONS} -o r.csr")
        copied = f"-sm3 -sigopt {DISTID} -vfyopt {DISTID} -copy_extensions copy -out r.pem"
        self.ssl(*f"x509 -req -in r.csr -signkey alice.key {copied}".split())
        for name in ("r.csr", "r.pem"):
            seen = self.json("inspect", "-q", name)
            self.assertEqual(
                seen["other_names"],
                ["email:a@b.example", "DNS:a.example", "URI:https://a.example/", "IP:192.0.2.1",
                 "IP:2001:db8:0:0:0:0:0:1"],
            )
            self.assertEqual(seen["key_usage"], ["digitalSignature", "decipherOnly"])
            self.assertEqual(seen["purposes"], ["serverAuth", "OCSPSigning"])
            self.assertEqual((seen["ca"], seen["extensions"][0]), (True, "1.3.6.1.5.5.7.1.24"))
            lines = self.out("inspect", "-q", name).decode().splitlines()
            self.assertIn("purposes     serverAuth, OCSPSigning", lines)
        self.do("request -k alice.key --subject CN=x -o plain.csr")
        for field in ("other_names", "key_usage", "purposes", "ca", "extensions"):
            self.assertNotIn(field, self.json("inspect", "-q", "plain.csr"))

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
        page = (case.SOURCE / "docs/cms.md").read_text()
        script = "\n".join(re.findall(r"```sh\n(.*?)```", page, re.S))
        self.assertGreater(script.count("tongyu "), 10)
        path = os.path.dirname(case.TONGYU) + ":" + os.environ["PATH"]
        p = self.exec(["bash", "-euo", "pipefail", "-c", script], env={"PATH": path})
        text = (p.stdout[-3000:] + p.stderr).decode(errors="replace")
        self.assertEqual(p.returncode, 0, text)


if __name__ == "__main__":
    case.main(needs_openssl=True)
