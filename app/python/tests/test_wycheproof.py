"""Project Wycheproof's vectors: TONGYU_WYCHEPROOF is a checkout, or its folder testvectors_v1."""

from __future__ import annotations

import hmac
import json
import os
from collections import Counter
from pathlib import Path

import pytest
from conftest import VECTORS

import tongyu
from tongyu import aead, ec2m, mldsa, mp

PLACE = Path(os.environ.get("TONGYU_WYCHEPROOF", VECTORS / "wycheproof"))


def vectors(name: str):
    """(group, test) for each test of a file, as many as the file states; or a skip."""
    for path in (PLACE / "testvectors_v1" / name, PLACE / name):
        if path.exists():
            break
    else:
        pytest.skip(f"no {name}: set TONGYU_WYCHEPROOF")
    data = json.loads(path.read_text())
    pairs = [(group, test) for group in data["testGroups"] for test in group["tests"]]
    assert len(pairs) == data["numberOfTests"] > 0
    return pairs


def judge(name: str, call) -> Counter[str]:
    """Asserts that call(group, test) accepts valid tests and refuses invalid ones; counts them."""
    seen: Counter[str] = Counter()
    for group, test in vectors(name):
        try:
            call(group, test)
            took = True
        except (tongyu.Error, ValueError):
            took = False
        if test["result"] != "acceptable":
            assert took == (test["result"] == "valid"), (name, test["tcId"], test["comment"])
        seen[f"{test['result']}, {'taken' if took else 'refused'}"] += 1
    return seen


def unhex(test, *names: str) -> list[bytes]:
    return [bytes.fromhex(test[name]) for name in names]


# --- Symmetric ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name, make", [("gcm", aead.SM4GCM), ("ccm", aead.SM4CCM)])
def test_aead(name, make):
    def call(group, test):
        key, iv, aad, msg, sealed, tag = unhex(test, "key", "iv", "aad", "msg", "ct", "tag")
        cipher = make(key, group["tagSize"] // 8)
        assert cipher.decrypt(iv, sealed + tag, aad) == msg
        assert cipher.encrypt(iv, msg, aad) == sealed + tag
        room = bytearray(len(msg))
        cipher.decrypt_into(iv, sealed + tag, aad, room)
        assert room == msg

    assert judge(f"sm4_{name}_test.json", call)["valid, taken"] > 50


MACS = ["sm3"] + ["sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256"]
MACS += ["sha3_224", "sha3_256", "sha3_384", "sha3_512"]


@pytest.mark.parametrize("name", MACS)
def test_hmac(name):
    def call(group, test):
        key, msg, tag = unhex(test, "key", "msg", "tag")
        full = hmac.new(key, msg, lambda data=b"": tongyu.new(name, data)).digest()
        if full[: group["tagSize"] // 8] != tag:
            raise tongyu.InvalidTag
        if name == "sm3" and len(tag) == 32:
            tongyu.HMACSM3(key, msg).verify(tag)

    assert judge(f"hmac_{name}_test.json", call)["valid, taken"] > 30


# --- ML-DSA -------------------------------------------------------------------------------------

SETS = {
    "44": (mldsa.MLDSA44PrivateKey, mldsa.MLDSA44PublicKey),
    "65": (mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey),
    "87": (mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey),
}


def signs(key, test):
    """The signature of the file verifies; a deterministic one is made again byte for byte."""
    context, (want,) = bytes.fromhex(test.get("ctx", "")), unhex(test, "sig")
    public = key.public_key()
    if "msg" in test:
        (msg,) = unhex(test, "msg")
        made = key.sign(msg, context, deterministic=True)
        public.verify(want, msg, context)
    if "mu" in test:
        (mu,) = unhex(test, "mu")
        made = key.sign_mu(mu, deterministic=True)
        public.verify_mu(want, mu)
    assert made == want or "Randomized" in test["flags"]


@pytest.mark.parametrize("name", SETS)
def test_mldsa_seed(name):
    def call(group, test):
        key = SETS[name][0].from_seed_bytes(bytes.fromhex(group["privateSeed"]))
        assert key.public_key().public_bytes_raw().hex() == group["publicKey"]
        if group.get("privateKeyPkcs8"):
            again = SETS[name][0].from_der(bytes.fromhex(group["privateKeyPkcs8"]))
            assert again.private_bytes_raw() == key.private_bytes_raw()
        signs(key, test)

    assert judge(f"mldsa_{name}_sign_seed_test.json", call)["valid, taken"] > 50


@pytest.mark.parametrize("name", SETS)
def test_mldsa_expanded(name):
    def call(group, test):
        signs(SETS[name][0].from_private_bytes(bytes.fromhex(group["privateKey"])), test)

    assert judge(f"mldsa_{name}_sign_noseed_test.json", call)["valid, taken"] > 50


@pytest.mark.parametrize("name", SETS)
def test_mldsa_verify(name):
    def call(group, test):
        public = SETS[name][1].from_public_bytes(bytes.fromhex(group["publicKey"]))
        sig, context = bytes.fromhex(test["sig"]), bytes.fromhex(test.get("ctx", ""))
        if "msg" in test:
            public.verify(sig, bytes.fromhex(test["msg"]), context)
            public.verifier().verify(sig, bytes.fromhex(test["msg"]), context)
        else:
            public.verify_mu(sig, bytes.fromhex(test["mu"]))

    assert judge(f"mldsa_{name}_verify_test.json", call)["invalid, refused"] > 50


# --- Binary curves, primes ----------------------------------------------------------------------


@pytest.mark.parametrize("curve", [f"sect{m}{k}1" for m in (283, 409, 571) for k in "kr"])
def test_ecdh(curve):
    """Keys from DER; Wycheproof calls a lax encoding "acceptable", and it is refused here."""

    def call(group, test):
        public = ec2m.PublicKey.from_der(bytes.fromhex(test["public"]))
        own = ec2m.Curve.named(group["curve"])
        secret = int(test["private"], 16)
        key = ec2m.PrivateKey.from_scalar(secret, own)
        assert key.exchange(public).hex() == test["shared"]

    assert judge(f"ecdh_{curve}_test.json", call)["valid, taken"] > 10


def test_primes():
    """Values are in two's complement: a negative number is not prime."""

    def call(_, test):
        value = int.from_bytes(bytes.fromhex(test["value"]), "big", signed=True)
        if not mp.is_prime(value):
            raise tongyu.Error

    seen = judge("primality_test.json", call)
    assert not seen["acceptable, taken"] and seen["invalid, refused"] > 200
