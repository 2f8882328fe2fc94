#!/usr/bin/env python3
"""Interoperability with other programs: each reads what the other wrote (keys, signatures,
ciphertexts, certificates, requests and messages).  matrix.py [TONGYU]  prints the table of
docs/cms.md; exit status 1 if a cell fails.

tests/interop/setup.sh installs the programs; a column whose program is missing is left out and
reported, which is a failure if TONGYU_ALL_TIERS is set. A cell is `both`, `read` (we read what they
wrote), `written` (they read what we wrote), `FAILED`, or `-` where the program does not support it.
What verifies must also be refused after a change, so that a program that accepts everything fails.
If no program is missing, the table in docs/cms.md must be this one.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

from peers import DEFAULT_ID, ROOT, Absent, Failed, OpenSSL, peers, run

PASSWORD = "correct-horse"
LETTER = b"Dear Bob,\r\n" + bytes(range(256)) + "同余\n".encode()
SECRET = b"a session key of some length"


class Workshop:
    """A directory with the files of a column, in which our command (ty) and the peer's (their) run.
    ty takes a command line as in a shell."""

    def __init__(self, tongyu, peer, parent):
        self.tongyu, self.peer = tongyu, peer
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="interop-", dir=parent))
        self.write("letter", LETTER)
        self.write("other", LETTER + b"!")
        self.write("secret", SECRET)
        self.write("password", PASSWORD.encode())
        self.ty("keygen -o ours.key --pub ours.pub")
        self.write("ours.hex", self.public("ours.pub"))
        self.ours = "ours.hex" if peer.digits else "ours.pub"  # our public key, for the peer

    def write(self, name, data):
        (self.dir / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    def read(self, name):
        return (self.dir / name).read_bytes()

    def ty(self, line, ok=True):
        return run([self.tongyu, *shlex.split(line)], self.dir, ok).stdout

    def their(self, *action, ok=True):
        self.peer(self, *action, ok=ok)

    def once(self, name, *action):
        """Runs the peer's action, unless its output, the file `name`, exists."""
        if not (self.dir / name).exists():
            self.their(*action)

    def public(self, name, more=""):
        info = json.loads(self.ty(f"inspect --json --quiet {more} {name}"))
        return "04" + info["x"] + info["y"]

    def is_mldsa(self, name):
        return "lattice" in name

    def same_key(self, hex_file, ours):
        if self.read(hex_file).decode().strip().lower() != ours:
            raise Failed("another public key")

    def same(self, name, data):
        if self.read(name) != data:
            raise Failed("another plaintext or content")

    def forge(self, name):
        """Writes the file forged: the message with another word in its content."""
        self.write("forged", self.read(name).replace(b"Dear Bob", b"Dear Rob"))


def needs(*actions):
    """Decorator of a direction (a function of a Workshop): the peer's actions that it needs."""

    def mark(direction):
        direction.actions = actions
        return direction

    return mark


def no_identity(w):
    """Our option for a program's default identity: OpenSSL's is empty."""
    return "--id ''" if isinstance(w.peer, OpenSSL) else ""


# --- keys, signatures, ciphertexts ----------------------------------------------------------------


def their_key(w):
    w.once("their.key", "new", "their.key", "their.hex")
    w.ty("pubkey -f -o their.pub their.key")


@needs("new")
def key_theirs(w):
    their_key(w)
    w.same_key("their.hex", w.public("their.key"))


@needs("pub")
def key_ours(w):
    if w.peer.digits:
        raise Absent  # our command reads a private key in hexadecimal, but does not write one
    w.their("pub", "ours.key", "seen.hex")
    w.same_key("seen.hex", w.public("ours.pub"))


@needs("new-locked")
def locked_theirs(w):
    w.their("new-locked", "locked.key", "locked.hex", PASSWORD)
    w.same_key("locked.hex", w.public("locked.key", "--password-file password"))


@needs("pub-locked")
def locked_ours(w):
    """With AES-256, since not every program supports SM4 and HMAC-SM3."""
    w.ty("keygen --password-file password --cipher aes-256-cbc -o shut.key --pub shut.pub")
    w.their("pub-locked", "shut.key", "shut.hex", PASSWORD)
    w.same_key("shut.hex", w.public("shut.pub"))


def signature(identity, options, supported):
    """options: ours for that identity; supported: whether the peer supports it."""

    @needs("sign")
    def theirs(w):
        if not supported(w.peer):
            raise Absent
        their_key(w)
        w.their("sign", "their.key", identity, "letter", "their.sig")
        w.ty(f"verify -k their.pub {options(w)} -s their.sig letter")
        w.ty(f"verify -k their.pub {options(w)} -s their.sig other", ok=False)

    @needs("verify")
    def ours(w):
        if not supported(w.peer):
            raise Absent
        form = "--raw --hex" if w.peer.digits else ""
        w.ty(f"sign -k ours.key {options(w)} {form} -f -o our.sig letter")
        w.their("verify", w.ours, identity, "letter", "our.sig")
        w.their("verify", w.ours, identity, "other", "our.sig", ok=False)

    return theirs, ours


DEFAULT = signature(DEFAULT_ID, lambda w: "", lambda p: True)
ALICE = signature("alice@example", lambda w: "--id alice@example", lambda p: p.takes_id)
NO_ID = signature("", no_identity, lambda p: p.id_optional)


def ciphertext(order):
    @needs("encrypt")
    def theirs(w):
        if order not in w.peer.orders:
            raise Absent
        w.their("encrypt", w.ours, order, "secret", "their.ct")
        w.ty(f"sm2 decrypt -k ours.key --format {order} -f -o plain their.ct")
        w.same("plain", SECRET)

    @needs("decrypt")
    def ours(w):
        if order not in w.peer.orders:
            raise Absent
        their_key(w)
        form = "--hex --no-prefix" if w.peer.digits else ""
        w.ty(f"sm2 encrypt -k their.pub --format {order} {form} -f -o our.ct secret")
        w.their("decrypt", "their.key", order, "our.ct", "their.plain")
        w.same("their.plain", SECRET)

    return theirs, ours


# --- certificates, requests, messages -------------------------------------------------------------


def certificates(w):
    """Certificates of both keys, made by the peer."""
    their_key(w)
    w.once("their.crt", "cert", "their.key", "their.crt")
    w.once("ours.crt", "cert", "ours.key", "ours.crt")


@needs("cert")
def certificate_theirs(w):
    certificates(w)
    w.same_key("their.hex", w.public("their.crt"))
    w.their("sign", "their.key", DEFAULT_ID, "letter", "crt.sig")
    w.ty("verify --quiet -k their.crt -s crt.sig letter")


@needs("request")
def request_theirs(w):
    their_key(w)
    w.their("request", "their.key", "their.csr")
    w.ty("request --check their.csr")


@needs("check-request")
def request_ours(w):
    line = "request -k ours.key --subject 'C=CN, CN=同余' --dns a.example --key-usage cRLSign"
    w.ty(f"{line} -o our.csr")
    w.ty(f"{line} -o wrong.csr --id x")
    w.their("check-request", "our.csr")
    w.their("check-request", "wrong.csr", ok=False)


def form_of(w):
    """Our options: gmsm uses GM/T 0010's identifiers, the others those of RFC 5652."""
    return "--form gm" if w.peer.name == "gmsm" else "--form cms " + no_identity(w)


def signed(more, flags):
    @needs("cms-sign" + more, "cert")
    def theirs(w):
        certificates(w)
        w.their("cms-sign" + more, "their.key", "their.crt", "letter", "their.p7")
        line = f"cms verify --quiet {no_identity(w)} --cert their.crt"
        if more == "-detached":
            w.ty(f"{line} --content letter their.p7")
            w.ty(f"{line} --content other their.p7", ok=False)
            return
        w.ty(f"{line} -f -o content their.p7")
        w.same("content", LETTER)
        w.forge("their.p7")
        w.ty(f"{line} forged", ok=False)

    @needs("cms-verify" + more, "cert")
    def ours(w):
        certificates(w)
        who = f"{form_of(w)} {flags} -k ours.key --cert ours.crt"
        w.ty(f"cms sign {who} -f -o our.p7 letter")
        if more == "-detached":
            w.their("cms-verify-detached", "our.p7", "letter", "seen")
            w.their("cms-verify-detached", "our.p7", "other", "seen", ok=False)
            return
        w.their("cms-verify", "our.p7", "seen")
        w.same("seen", LETTER)
        w.forge("our.p7")
        w.their("cms-verify", "forged", "seen", ok=False)

    return theirs, ours


def enveloped(form, action, recipients):
    @needs(action, "cert")
    def theirs(w):
        certificates(w)
        w.their(action, "letter", "their.env", *recipients)
        for name in [r.removesuffix(".crt") for r in recipients]:
            w.ty(f"cms decrypt -k {name}.key -r {name}.crt -f -o plain their.env")
            w.same("plain", LETTER)

    @needs("cms-decrypt", "cert")
    def ours(w):
        certificates(w)
        w.ty(f"cms encrypt --form {form} -r ours.crt -r their.crt -f -o our.env letter")
        w.their("cms-decrypt", "their.key", "their.crt", "our.env", "their.plain")
        w.same("their.plain", LETTER)

    return theirs, ours


@needs("cms-both", "cert")
def both_theirs(w):
    certificates(w)
    w.their("cms-both", "their.key", "their.crt", "ours.crt", "letter", "their.both")
    line = "cms decrypt --quiet -k ours.key --cert their.crt -f -o plain their.both"
    w.ty(line)
    w.same("plain", LETTER)
    w.ty(line + " --id x", ok=False)


@needs("cms-unboth", "cert")
def both_ours(w):
    certificates(w)
    line = "cms encrypt -r their.crt -k ours.key --cert ours.crt -f -o our.both letter"
    w.ty(line)
    w.their("cms-unboth", "their.key", "their.crt", "our.both", "their.plain")
    w.same("their.plain", LETTER)
    w.ty(line + " --id x")
    w.their("cms-unboth", "their.key", "their.crt", "our.both", "their.plain", ok=False)


# --- ML-DSA-65 ------------------------------------------------------------------------------------


def lattices(w):
    w.ty("keygen --alg ml-dsa-65 --content both -f -o lattice.key --pub lattice.pub")
    w.their("cert", "lattice.key", "lattice.crt")
    w.once("their.lattice", "new-mldsa", "their.lattice", "ML-DSA-65")
    w.once("their.lattice.crt", "cert", "their.lattice", "their.lattice.crt")


@needs("new-mldsa", "sign-mldsa")
def lattice_theirs(w):
    lattices(w)
    w.ty("pubkey -o their.lattice.pub their.lattice")
    w.their("sign-mldsa", "their.lattice", "letter", "lattice.sig")
    w.ty("verify -k their.lattice.pub -s lattice.sig letter")
    w.ty("verify -k their.lattice.pub -s lattice.sig other", ok=False)


@needs("new-mldsa", "verify-mldsa")
def lattice_ours(w):
    lattices(w)
    w.ty("sign -k lattice.key -o our.lattice.sig letter")
    w.their("verify-mldsa", "lattice.pub", "letter", "our.lattice.sig")
    w.their("verify-mldsa", "lattice.pub", "other", "our.lattice.sig", ok=False)


@needs("new-mldsa", "request")
def lattice_request_theirs(w):
    lattices(w)
    w.their("request", "their.lattice", "their.lattice.csr")
    w.ty("request --check their.lattice.csr")


@needs("new-mldsa", "check-request")
def lattice_request_ours(w):
    lattices(w)
    w.ty("request -k lattice.key --subject CN=x -o our.lattice.csr")
    w.their("check-request", "our.lattice.csr")


@needs("new-mldsa", "cms-sign")
def lattice_signed_theirs(w):
    lattices(w)
    w.their("cms-sign", "their.lattice", "their.lattice.crt", "letter", "lattice.p7")
    line = "cms verify --quiet --cert their.lattice.crt -f -o content"
    w.ty(f"{line} lattice.p7")
    w.same("content", LETTER)
    w.forge("lattice.p7")
    w.ty(f"{line} forged", ok=False)


@needs("new-mldsa", "cms-verify")
def lattice_signed_ours(w):
    lattices(w)
    w.ty("cms sign -k lattice.key --cert lattice.crt -f -o our.lattice.p7 letter")
    w.their("cms-verify", "our.lattice.p7", "seen")
    w.same("seen", LETTER)
    w.forge("our.lattice.p7")
    w.their("cms-verify", "forged", "seen", ok=False)


# --- the table ------------------------------------------------------------------------------------

ROWS = [
    ("key", key_theirs, key_ours),
    ("key, encrypted by default", locked_theirs, locked_ours),
    ("signature, identity " + DEFAULT_ID, *DEFAULT),
    ("signature, identity alice@example", *ALICE),
    ("signature, no identity given", *NO_ID),
    ("ciphertext, DER", *ciphertext("asn1")),
    ("ciphertext, C1C3C2", *ciphertext("c1c3c2")),
    ("ciphertext, C1C2C3", *ciphertext("c1c2c3")),
    ("certificate", certificate_theirs, None),
    ("request", request_theirs, request_ours),
    ("SignedData", *signed("", "")),
    ("SignedData, detached", *signed("-detached", "--detached")),
    ("SignedData, no attributes", *signed("-bare", "--no-attributes")),
    ("EnvelopedData, GM/T 0010", *enveloped("gm", "cms-encrypt", ["ours.crt", "their.crt"])),
    ("EnvelopedData, RFC 5652", *enveloped("cms", "cms-encrypt-rfc", ["ours.crt"])),
    ("SignedAndEnvelopedData", both_theirs, both_ours),
    ("ML-DSA-65: key and signature", lattice_theirs, lattice_ours),
    ("ML-DSA-65: request", lattice_request_theirs, lattice_request_ours),
    ("ML-DSA-65: SignedData", lattice_signed_theirs, lattice_signed_ours),
]


def works(direction, w, failures, where):
    """True if the direction works, False if it fails, None if the program does not support it."""
    if direction is None or not w.peer.has(*direction.actions):
        return None
    try:
        direction(w)
        return True
    except Absent:
        return None
    except (Failed, subprocess.TimeoutExpired, OSError, KeyError) as e:
        failures.append(f"{where}: {e}")
        return False


def column(tongyu, peer, parent, failures):
    w = Workshop(tongyu, peer, parent)
    cells = []
    for name, theirs, ours in ROWS:
        read = works(theirs, w, failures, f"{name}, {peer.name} -> ours")
        written = works(ours, w, failures, f"{name}, ours -> {peer.name}")
        known = {(True, True): "both", (True, None): "read", (None, True): "written"}
        nothing = read is None and written is None
        cells.append("-" if nothing else known.get((read, written), "FAILED"))
    shutil.rmtree(w.dir)
    return cells


def main():
    release = ROOT / "build/release/bin/tongyu"
    tongyu = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else release)
    failures, missing, columns = [], [], {}
    for peer, parent, here in peers():
        if here:
            columns[peer.name] = column(tongyu, peer, parent, failures)
        else:
            missing.append(peer.name)
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for i, row in enumerate(ROWS):
        lines.append(f"| {row[0]} | " + " | ".join(c[i] for c in columns.values()) + " |")
    table = "\n".join(lines) + "\n"
    print(table)
    for name in missing:
        print(f"skipped: {name} is not installed (tests/interop/setup.sh)", file=sys.stderr)
    if not missing and not failures and table not in (ROOT / "docs/cms.md").read_text():
        failures.append("docs/cms.md: the page has another table")
    for line in failures:
        print("FAILED", line, file=sys.stderr)
    if missing and os.environ.get("TONGYU_ALL_TIERS"):
        return 1
    return 1 if failures else 0 if columns else 77


if __name__ == "__main__":
    sys.exit(main())
