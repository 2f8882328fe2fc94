"""The programs of matrix.py, each with the actions that it supports; arguments are mostly files."""

import os
import pathlib
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/interop"
DEFAULT_ID = "1234567812345678"
COMMON = "new pub new-locked pub-locked sign verify encrypt decrypt cert request check-request"
DIGITS = "new pub sign verify encrypt decrypt"
MESSAGES = " cms-sign cms-sign-detached cms-verify cms-verify-detached cms-verify-bare"
ENVELOPES = " cms-sign-bare cms-encrypt cms-encrypt-rfc cms-decrypt cms-both cms-unboth"
LATTICES = " new-mldsa sign-mldsa verify-mldsa"


class Failed(Exception):
    """A program refused, or its output was not as expected."""


class Absent(Exception):
    """The program does not support this."""


def run(argv, cwd, ok=True):
    """ok: whether it must succeed; None if either is right."""
    p = subprocess.run([str(a) for a in argv], cwd=cwd, capture_output=True, timeout=120)
    if ok is not None and (p.returncode == 0) != ok:
        error = (p.stderr or p.stdout).decode(errors="replace").strip().splitlines()[-2:]
        raise Failed(f"{shlex.join(map(str, argv))}: status {p.returncode}; {' / '.join(error)}")
    return p


class Peer:
    """A program that takes "ACTION ARGUMENTS". orders: the supported formats of ciphertexts;
    digits: keys, signatures and ciphertexts are hexadecimal; takes_id: an identity can be given."""

    def __init__(self, name, command, actions, orders, digits=False, takes_id=True):
        self.name, self.command, self.actions = name, command, set(actions.split())
        self.orders, self.digits, self.takes_id = orders.split(), digits, takes_id
        self.id_optional = digits or isinstance(self, OpenSSL)

    def has(self, *actions):
        return self.actions.issuperset(actions)

    def __call__(self, w, action, *args, ok=True):
        run([*self.command, action, *args], w.dir, ok)


class OpenSSL(Peer):
    """The openssl command, whose actions are command lines. Without attributes it signs SM3 of the
    content without an identity, which is not a signature of SM2's standard, so it has no
    cms-sign-bare."""

    def __init__(self, name, command, more=""):
        actions = COMMON + " cms-verify cms-verify-detached" + more
        super().__init__(name, command, actions, "asn1")

    # action: the command line, with arguments a, b, c, d
    LINES = {
        "new": "genpkey {curve} -out {a}",
        "new-locked": "genpkey {curve} -aes-256-cbc -pass pass:{c} -out {a}",
        "new-mldsa": "genpkey -algorithm {b} -out {a}",
        "pub": "pkey -in {a} -pubout -outform DER -out {b}",
        "pub-locked": "pkey -in {a} -passin pass:{c} -pubout -outform DER -out {b}",
        "sign": "dgst -sm3 -sign {a} {id} -out {d} {c}",
        "verify": "dgst -sm3 -verify {a} {id} -signature {d} {c}",
        "sign-mldsa": "pkeyutl -sign -rawin -inkey {a} -in {b} -out {c}",
        "verify-mldsa": "pkeyutl -verify -rawin -pubin -inkey {a} -in {b} -sigfile {c}",
        "encrypt": "pkeyutl -encrypt -pubin -inkey {a} -in {c} -out {d}",
        "decrypt": "pkeyutl -decrypt -inkey {a} -in {c} -out {d}",
        "cert": "req -new -x509 -days 30 -subj /C=CN/CN=openssl -key {a} {sm3} -out {b}",
        "request": "req -new -subj /C=CN/CN=openssl -key {a} {sm3} -out {b}",
        "check-request": "req -in {a} -noout -verify {vfyopt}",
        "cms-sign": "cms -sign -nodetach {cms_sign} -signer {b} -inkey {a} -in {c} -out {d}",
        "cms-sign-detached": "cms -sign {cms_sign} -signer {b} -inkey {a} -in {c} -out {d}",
        "cms-verify": "cms -verify {no_chain} -in {a} -out {b}",
        "cms-verify-detached": "cms -verify {no_chain} -in {a} -content {b} -out {c}",
    }

    def __call__(self, w, action, *args, ok=True):
        lattice = w.is_mldsa(args[0])
        words = dict(zip("abcd", args))
        words.update(
            curve="-algorithm EC -pkeyopt ec_paramgen_curve:SM2 -pkeyopt ec_param_enc:named_curve",
            id=f"-sigopt distid:{args[1]}" if len(args) == 4 and args[1] else "",
            sm3="" if lattice else f"-sm3 -sigopt distid:{DEFAULT_ID}",
            vfyopt="" if lattice else f"-vfyopt distid:{DEFAULT_ID}",
            cms_sign="-binary -outform DER -md " + ("sha512" if lattice else "sm3"),
            no_chain="-noverify -binary -inform DER",
        )
        line = [*self.command(w), *shlex.split(self.LINES[action].format(**words))]
        if action == "check-request":  # 3.0 ends with status 0 in any case
            p = run(line, w.dir, None)
            if (b"verify OK" in p.stderr + p.stdout) != ok:
                raise Failed(f"openssl req -verify: {p.stderr.decode(errors='replace')}")
            return
        run(line, w.dir, ok)
        if action in ("new", "new-locked"):
            self(w, "pub" + action[3:], *args)
        if action in ("pub", "pub-locked"):
            w.write(args[1], w.read(args[1])[-65:].hex())


def openssl35():
    """The command in a Debian 13, and the folder where its files must be."""
    named = os.environ.get("TONGYU_DEBIAN13")
    places = [pathlib.Path(named)] if named else []
    for place in [*places, ROOT / "build/provider/debian13", WORK / "debian13"]:
        if (place / "usr/bin/openssl").exists() and os.geteuid() == 0:
            script = 'cd "/tmp/$1" && shift && exec openssl "$@"'
            return lambda w: ["chroot", place, "sh", "-c", script, "sh", w.dir.name], place / "tmp"
    return None, None


def peers():
    """(peer, the folder where its files must be or None, whether it is installed)"""
    inside, debian = openssl35()
    java = ["java", "-XX:TieredStopAtLevel=1", "-cp", f"{WORK}/bc:{WORK}/bc/*", "Peer"]
    gmssl, smcrypto = WORK / "gmssl/peer.py", WORK / "smcrypto/peer.js"
    plain = "c1c3c2 c1c2c3"
    o30 = OpenSSL("OpenSSL 3.0", lambda w: ["openssl"])
    o35 = OpenSSL("OpenSSL 3.5", inside, " cms-sign cms-sign-detached" + LATTICES)
    gm = Peer("gmsm", [WORK / "gmsm"], COMMON + MESSAGES + ENVELOPES, "asn1 " + plain)
    bc = Peer("BouncyCastle", java, COMMON + MESSAGES + LATTICES, plain)
    py = Peer("gmssl", [WORK / "gmssl/bin/python", gmssl], DIGITS, plain, True, takes_id=False)
    js = Peer("sm-crypto", ["node", smcrypto], DIGITS, plain, True)
    return [
        (o30, None, shutil.which("openssl")),
        (o35, debian, inside),
        (gm, None, (WORK / "gmsm").exists()),
        (bc, None, (WORK / "bc/Peer.class").exists()),
        (py, None, gmssl.exists()),
        (js, None, smcrypto.exists()),
    ]
