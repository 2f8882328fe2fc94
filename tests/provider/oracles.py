#!/usr/bin/env python3
"""Other implementations on the same keys, signatures and texts as the openssl command with the
module.

    oracles.py MODULE-DIRECTORY [TONGSUO]

They are: the package `cryptography` with its own libcrypto (ML-DSA, SM3, SM4); the distribution's
`cryptography`, which uses the system's libcrypto and therefore the module; Tongsuo's openssl
command (SM2), if it is named. Those that are missing are reported. The counters of the module show
that it did the work."""

import os
import struct
import subprocess
import sys
import tempfile

if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
    sys.exit(__doc__.strip())
MODULE = os.path.abspath(sys.argv[1]) + "/tongyu.so"
TONGSUO = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
REQUEST = "[req]\ndistinguished_name = dn\n[dn]\n"
CONFIG = """openssl_conf = a
[a]
providers = b
alg_section = c
[b]
default = d
tongyu = t
[d]
activate = 1
[t]
module = {module}
activate = 1
statistics = {directory}/statistics
[c]
default_properties = ?provider=tongyu
""" + REQUEST
ID = "distid:1234567812345678"
OTHER = "distid:another"
passed = 0


def count(name):
    with open("statistics", "rb") as f:
        rows = {n.rstrip(b"\0").decode(): v for n, v in struct.iter_unpack("=24sQ", f.read())}
    return rows.get(name, 0)


def command(program, config, *args, right=True):
    p = subprocess.run(
        [program, *args],
        capture_output=True,
        check=False,
        env=dict(os.environ, OPENSSL_CONF=os.path.abspath(config)),
    )
    if (p.returncode == 0) != right:
        error = p.stderr.decode()[-500:] if right else "this works, and should fail"
        sys.exit(f"{program} {' '.join(args)}: {error}")
    return p.stdout


def ours(*args, **more):
    return command("openssl", "on.cnf", *args, **more)


def holds(what, truth):
    global passed
    if not truth:
        sys.exit(f"oracles: failed: {what}")
    passed += 1


def moved(counter, what, act):
    """The result of act(), during which the counter must increase: the module did the work."""
    before = count(counter)
    result = act()
    holds(f"{what}: {counter} moved", count(counter) > before)
    return result


def read(name):
    with open(name, "rb") as f:
        return f.read()


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


def wheel():
    try:
        from cryptography import x509
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes, serialization as s
        from cryptography.hazmat.primitives.asymmetric import mldsa
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.backends.openssl import backend
    except ImportError as e:
        print(f"SKIPPED cryptography with ML-DSA: {e} (pip install 'cryptography>=47')")
        return
    text = read("text")
    for n in 44, 65, 87:
        name = f"ML-DSA-{n}"
        ours("genpkey", "-algorithm", name, "-out", "k.pem")
        ours("pkey", "-in", "k.pem", "-pubout", "-out", "p.pem")
        public = s.load_pem_public_key(read("p.pem"))  # it reads private keys only with a seed
        moved("mldsa-sign", name, lambda: ours("dgst", "-sign", "k.pem", "-out", "sig", "text"))
        public.verify(read("sig"), text)
        try:
            public.verify(read("sig"), text + b"x")
            holds("a wrong text is refused", False)
        except InvalidSignature:
            pass
        theirs = getattr(mldsa, f"MLDSA{n}PrivateKey").generate()
        for lock in (s.NoEncryption(), s.BestAvailableEncryption(b"secret")):
            write("t.pem", theirs.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, lock))
            ours("pkey", "-in", "t.pem", "-passin", "pass:secret", "-pubout", "-out", "p.pem")
            holds(
                "the same public key", s.load_pem_public_key(read("p.pem")) == theirs.public_key()
            )
            ours("dgst", "-sign", "t.pem", "-passin", "pass:secret", "-out", "sig", "text")
            theirs.public_key().verify(read("sig"), text)
        write("sig", theirs.sign(text))
        moved(
            "mldsa-verify",
            name,
            lambda: ours("dgst", "-verify", "p.pem", "-signature", "sig", "text"),
        )
        moved(
            "mldsa-sign",
            name,
            lambda: ours(
                "req",
                "-x509",
                "-new",
                "-key",
                "k.pem",
                "-subj",
                "/CN=a",
                "-days",
                "9",
                "-out",
                "c.pem",
            ),
        )
        certificate = x509.load_pem_x509_certificate(read("c.pem"))
        certificate.public_key().verify(certificate.signature, certificate.tbs_certificate_bytes)
    digest = hashes.Hash(hashes.SM3())
    digest.update(text)
    holds(
        "SM3",
        moved("sm3-context", "SM3", lambda: ours("dgst", "-sm3", "-binary", "text"))
        == digest.finalize(),
    )
    key, iv = bytes(range(16)), bytes(range(16, 32))
    for mode in modes.CTR, modes.CBC:
        name = "-sm4-" + mode.__name__.lower()
        e = Cipher(algorithms.SM4(key), mode(iv)).encryptor()
        sealed = moved(
            "sm4-encrypt-key",
            name,
            lambda: ours("enc", name, "-nopad", "-K", key.hex(), "-iv", iv.hex(), "-in", "text"),
        )
        holds(name, sealed == e.update(text) + e.finalize())
    print(f"cryptography with {backend.openssl_version_text()}: the same results")


DISTRIBUTION = """
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
import cryptography
h = hashes.Hash(hashes.SM3())
h.update(b"abc")
out = h.finalize().hex()
for mode in modes.CBC, modes.CTR, modes.CFB, modes.OFB:
    e = Cipher(algorithms.SM4(bytes(16)), mode(bytes(16))).encryptor()
    c = e.update(bytes(48)) + e.finalize()
    d = Cipher(algorithms.SM4(bytes(16)), mode(bytes(16))).decryptor()
    assert d.update(c) + d.finalize() == bytes(48)
    out += c.hex()
print(out, cryptography.__version__)
"""


def distribution():
    python = "/usr/bin/python3"
    p = subprocess.run([python, "-c", "import cryptography"], capture_output=True, check=False)
    if p.returncode:
        print("SKIPPED the distribution's cryptography (apt-get install python3-cryptography)")
        return
    off = command(python, "off.cnf", "-c", DISTRIBUTION)
    before = {c: count(c) for c in ("sm3-context", "sm4-encrypt-key", "sm4-decrypt-key")}
    on = command(python, "on.cnf", "-c", DISTRIBUTION)
    holds("the distribution's cryptography has the same results with the module", on == off)
    for c, n in before.items():
        holds(f"the distribution's cryptography: {c} moved", count(c) > n)
    version = on.split()[1].decode()
    print(f"cryptography {version} of the distribution: the same results, from the module")


def tongsuo():
    def theirs(*args, **more):
        return command(TONGSUO, "off.cnf", *args, **more)

    def sm2_key(tool):
        curve = ("EC", "-pkeyopt", "ec_paramgen_curve:SM2") if tool is theirs else ("SM2",)
        tool("genpkey", "-algorithm", *curve, "-out", "k.pem")

    def exchange(make, check, what):
        sm2_key(make)
        make("pkey", "-in", "k.pem", "-pubout", "-out", "p.pem")
        check("pkey", "-in", "k.pem", "-pubout", "-out", "p2.pem")
        holds(f"key, {what}", read("p.pem") == read("p2.pem"))
        make("pkey", "-in", "k.pem", "-aes256", "-passout", "pass:secret", "-out", "e.pem")
        check("pkey", "-in", "e.pem", "-passin", "pass:secret", "-pubout", "-out", "p2.pem")
        holds(f"encrypted key, {what}", read("p.pem") == read("p2.pem"))

        make("dgst", "-sm3", "-sigopt", ID, "-sign", "k.pem", "-out", "sig", "text")
        for name, text, right in (ID, "text", True), (ID, "other", False), (OTHER, "text", False):
            public = ("-verify", "p.pem", "-signature", "sig")
            check("dgst", "-sm3", "-sigopt", name, *public, text, right=right)
            holds(f"signature, {what}", True)

        make("pkeyutl", "-encrypt", "-pubin", "-inkey", "p.pem", "-in", "text", "-out", "ct")
        check("pkeyutl", "-decrypt", "-inkey", "k.pem", "-in", "ct", "-out", "back")
        holds(f"ciphertext, {what}", read("back") == read("text"))

        named = ("-sm3", "-sigopt", ID)
        root = ("req", "-x509", "-new", "-key", "k.pem", "-subj", "/CN=root", "-out", "root.pem")
        make(*root, "-addext", "basicConstraints=critical,CA:TRUE", *named)
        make("req", "-new", "-key", "k.pem", "-subj", "/CN=a", "-out", "c.csr", *named)
        issue = ("x509", "-req", "-in", "c.csr", "-CA", "root.pem", "-CAkey", "k.pem")
        make(*issue, "-CAcreateserial", "-vfyopt", ID, *named, "-out", "c.pem")
        for name, right in (ID, True), (OTHER, False):  # a root's own signature is not checked
            check("verify", "-vfyopt", name, "-CAfile", "root.pem", "c.pem", right=right)
            holds(f"certificate, {what}", True)

    write("other", read("text") + b"x")
    for counters, make, check, what in (
        (("sm2-sign", "sm2-encrypt"), ours, theirs, "made here"),
        (("sm2-verify", "sm2-decrypt"), theirs, ours, "made by Tongsuo"),
    ):
        before = [count(c) for c in counters]
        exchange(make, check, what)
        for c, n in zip(counters, before):
            holds(f"{what}: {c} moved", count(c) > n)
    print("Tongsuo: SM2 keys, signatures, ciphertexts and certificates both ways")


def main():
    with tempfile.TemporaryDirectory() as d:
        os.chdir(d)
        write("on.cnf", CONFIG.format(module=MODULE, directory=d).encode())
        write("off.cnf", REQUEST.encode())
        write("statistics", b"")
        write("text", os.urandom(96))
        wheel()
        distribution()
        if TONGSUO:
            tongsuo()
        else:
            print("SKIPPED Tongsuo: its openssl command is not named")
    print(f"oracles: {passed} checks passed")
    return 0 if passed else 77


sys.exit(main())
