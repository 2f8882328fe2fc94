"""The same results as other libraries, in both directions. A library that is not installed is
skipped."""

from __future__ import annotations

import hashlib
import os
import random

import pytest

import tongyu
from tongyu import aead, mldsa, modes, mp, sm2

pytestmark = pytest.mark.filterwarnings("ignore")


# --- cryptography -------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, 16, 63, 64, 1000, 70000])
def test_cryptography_sm3(size):
    hashes = pytest.importorskip("cryptography.hazmat.primitives.hashes")
    data = os.urandom(size)
    theirs = hashes.Hash(hashes.SM3())
    theirs.update(data)
    assert theirs.finalize() == tongyu.sm3_digest(data)


def cipher(key, mode):
    ciphers = pytest.importorskip("cryptography.hazmat.primitives.ciphers")
    decrepit = pytest.importorskip("cryptography.hazmat.primitives.ciphers.algorithms")
    return ciphers.Cipher(decrepit.SM4(key), mode)


@pytest.mark.parametrize("size", [0, 1, 16, 100, 5000])
def test_cryptography_gcm(size):
    theirs = pytest.importorskip("cryptography.hazmat.primitives.ciphers.modes")
    key, nonce, aad, data = (os.urandom(n) for n in (16, 12, 20, size))
    run = cipher(key, theirs.GCM(nonce)).encryptor()
    run.authenticate_additional_data(aad)
    sealed = run.update(data) + run.finalize() + run.tag
    assert aead.SM4GCM(key).encrypt(nonce, data, aad) == sealed
    back = cipher(key, theirs.GCM(nonce, sealed[-16:])).decryptor()
    back.authenticate_additional_data(aad)
    assert back.update(sealed[:-16]) + back.finalize() == data


@pytest.mark.parametrize("name", ["ECB", "CBC", "CTR", "CFB", "OFB"])
def test_cryptography_modes(name):
    theirs = getattr(pytest.importorskip("cryptography.hazmat.primitives.ciphers.modes"), name)
    key, iv, data = os.urandom(16), os.urandom(16), os.urandom(1600)
    run = cipher(key, theirs() if name == "ECB" else theirs(iv)).encryptor()
    ours = getattr(modes, name.lower())(key)
    assert ours.encrypt(data, None if name == "ECB" else iv) == run.update(data) + run.finalize()


def test_cryptography_mldsa():
    theirs = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa")
    for name in ("44", "65", "87"):
        ours = getattr(mldsa, f"MLDSA{name}PrivateKey").generate()
        other = getattr(theirs, f"MLDSA{name}PrivateKey").from_seed_bytes(ours.private_bytes_raw())
        raw = ours.public_key().public_bytes_raw()
        assert other.public_key().public_bytes_raw() == raw
        ours.public_key().verify(other.sign(b"data", b"ctx"), b"data", b"ctx")
        other.public_key().verify(ours.sign(b"data", b"ctx"), b"data", b"ctx")


def test_cryptography_files():
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    pytest.importorskip("cryptography.hazmat.primitives.asymmetric.mldsa")
    ours = mldsa.MLDSA65PrivateKey.generate()
    theirs = serialization.load_pem_private_key(ours.private_bytes(), None)
    assert theirs.private_bytes_raw() == ours.private_bytes_raw()
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = theirs.private_bytes(serialization.Encoding.PEM, *form)
    assert mldsa.MLDSA65PrivateKey.from_pem(pem).private_bytes_raw() == ours.private_bytes_raw()


# --- hashlib, gmssl, tongsuopy ------------------------------------------------------------------


def test_hashlib_sm3():
    if "sm3" not in hashlib.algorithms_available:
        pytest.skip("this Python's OpenSSL has no SM3")
    for size in (0, 1, 64, 1000):
        data = os.urandom(size)
        assert hashlib.new("sm3", data).digest() == tongyu.sm3_digest(data)


def gmssl_pair():
    """A key of tongyu and gmssl's object for it. If the digits of a public key begin with 04, gmssl
    strips all leading 0s and 4s, so it would use another point for one key in 256."""
    theirs = pytest.importorskip("gmssl.sm2")
    point = "04"
    while point.startswith("04"):
        key = sm2.SM2PrivateKey.generate()
        point = key.public_key().public_bytes("point").hex()[2:]
    return key, theirs.CryptSM2(private_key=key.scalar().hex(), public_key=point)


def test_gmssl_sm2():
    key, other = gmssl_pair()
    raw = bytes.fromhex(other.sign_with_sm3(b"message"))
    key.public_key().verify(raw, b"message", format="raw")
    assert other.verify_with_sm3(key.sign(b"message", format="raw").hex(), b"message")
    assert not other.verify_with_sm3(key.sign(b"massage", format="raw").hex(), b"message")


def test_gmssl_encrypt():
    key, other = gmssl_pair()
    other.mode = 1  # C1C3C2, without the leading 04
    assert key.decrypt(b"\4" + other.encrypt(b"plaintext")) == b"plaintext"
    assert other.decrypt(key.public_key().encrypt(b"plaintext")[1:]) == b"plaintext"


def test_gmssl_sm4():
    theirs = pytest.importorskip("gmssl.sm4")
    key, iv, data = os.urandom(16), os.urandom(16), os.urandom(100)
    other = theirs.CryptSM4()
    other.set_key(key, theirs.SM4_ENCRYPT)
    assert other.crypt_cbc(iv, data) == modes.cbc(key).encrypt(data, iv, padding="pkcs7")


def test_tongsuopy():
    ec = pytest.importorskip("tongsuopy.crypto.asymciphers.ec")
    hashes = pytest.importorskip("tongsuopy.crypto.hashes")
    serialization = pytest.importorskip("tongsuopy.crypto.serialization")
    theirs = ec.generate_private_key(ec.SM2())
    pem = theirs.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    ours = sm2.SM2PrivateKey.from_pem(pem)
    ours.public_key().verify(theirs.sign(b"message", ec.ECDSA(hashes.SM3())), b"message")
    theirs.public_key().verify(ours.sign(b"message"), b"message", ec.ECDSA(hashes.SM3()))
    assert serialization.load_pem_private_key(ours.private_bytes(), None) is not None


# --- dilithium-py, gmpy2 ------------------------------------------------------------------------


def test_dilithium():
    theirs = pytest.importorskip("dilithium_py.ml_dsa")
    for name in ("44", "65", "87"):
        other = getattr(theirs, f"ML_DSA_{name}")
        pk, sk = other.keygen()
        ours = getattr(mldsa, f"MLDSA{name}PrivateKey").from_private_bytes(sk)
        assert ours.public_key().public_bytes_raw() == pk
        ours.public_key().verify(other.sign(sk, b"data", ctx=b"c"), b"data", b"c")
        assert other.verify(pk, b"data", ours.sign(b"data", b"c"), ctx=b"c")


def test_gmpy2():
    gmpy2 = pytest.importorskip("gmpy2")
    for bits in (10, 64, 200, 2048, 20000):
        a, b, m = (random.getrandbits(bits) | 1 for _ in range(3))
        assert mp.Integer(a) * b == int(gmpy2.mpz(a) * b)
        assert divmod(mp.Integer(a * b), m) == tuple(int(x) for x in divmod(gmpy2.mpz(a) * b, m))
        assert mp.gcd(a, b) == int(gmpy2.gcd(a, b)) and mp.lcm(a, b) == int(gmpy2.lcm(a, b))
        assert mp.kronecker(a, m) == gmpy2.jacobi(a, m)
        assert mp.isqrt(a * b) == int(gmpy2.isqrt(a * b))
        if bits <= 2048:
            assert mp.powmod_secret(a, b, m) == int(gmpy2.powmod_sec(a, b, m)) == mp.powmod(a, b, m)
            assert mp.next_prime(a) == int(gmpy2.next_prime(a)) or bits == 2048
        assert mp.is_prime(a) == gmpy2.is_prime(a)
