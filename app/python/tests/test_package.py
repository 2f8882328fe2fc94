"""The package as a whole: refusals, secrets, docstrings, imports, tiers, interpreters."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys

import pytest

import tongyu
from tongyu import _tongyu, aead, cmac, ec2m, mldsa, modes, mp, sm2

SM2_KEY = sm2.SM2PrivateKey.generate()
MLDSA_KEY = mldsa.MLDSA44PrivateKey.generate()
EC_KEY = ec2m.PrivateKey.generate(ec2m.Curve.named("sect163k1"))
SECRETS = {
    "sm2": SM2_KEY,
    "mldsa": MLDSA_KEY,
    "signer": MLDSA_KEY.signer(),
    "ec2m": EC_KEY,
    "gcm": aead.SM4GCM(bytes(16)),
    "mode": modes.cbc(bytes(16)),
    "stream": modes.cbc(bytes(16)).encryptor(bytes(16)),
    "cmac": cmac.CMAC(bytes(16)),
    "hmac": tongyu.HMACSM3(b"key"),
    "hash": tongyu.sm3(b"secret"),
    "exchange": SM2_KEY.key_exchange("initiator"),
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_secrets_are_not_pickled(secret):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(secret, protocol)
    with pytest.raises(TypeError):
        copy.deepcopy(secret)
    if hasattr(secret, "scalar"):
        assert secret.scalar().hex() not in repr(secret)
    with pytest.raises(AttributeError):
        secret.anything = 1
    with pytest.raises(TypeError):
        type(secret).anything = 1


def test_exceptions():
    for error in (
        tongyu.InvalidSignature,
        tongyu.InvalidTag,
        tongyu.InvalidKey,
        tongyu.FormatError,
    ):
        assert issubclass(error, tongyu.Error) and issubclass(error, ValueError)
        assert error.__module__ == "tongyu" and error.__doc__
    assert issubclass(tongyu.RandomError, OSError)
    assert issubclass(tongyu.TextError, TypeError) and issubclass(tongyu.TextError, ValueError)


def callables():
    """The public functions and methods of the C module, each with its qualified name."""
    owners = [_tongyu, *(x for x in vars(_tongyu).values() if isinstance(x, type))]
    for owner in owners:
        for name, value in vars(owner).items():
            public = not name.startswith("_") and not isinstance(value, type)
            if public and callable(value) and getattr(value, "__text_signature__", None):
                yield f"{owner.__name__}.{name}", value


@pytest.mark.parametrize(
    "name, call", list(callables()), ids=lambda x: x if isinstance(x, str) else ""
)
def test_signatures(name, call):
    """Each has a docstring, and a signature that inspect can read."""
    inspect.signature(call)
    assert call.__doc__ and call.__doc__.strip().endswith((".", ")", ":"))


BYTES_WANTED = {
    "sm3": lambda x: tongyu.sm3(x),
    "sm3_digest": lambda x: tongyu.sm3_digest(x),
    "update": lambda x: tongyu.sm3().update(x),
    "hmac": lambda x: tongyu.hmac_sm3(x, b""),
    "pbkdf2": lambda x: tongyu.pbkdf2_sm3(x, b"", 1),
    "gcm key": lambda x: aead.SM4GCM(x),
    "gcm nonce": lambda x: aead.SM4GCM(bytes(16)).encrypt(x, b""),
    "gcm data": lambda x: aead.SM4GCM(bytes(16)).encrypt(bytes(12), x),
    "gcm aad": lambda x: aead.SM4GCM(bytes(16)).encrypt(bytes(12), b"", x),
    "mode": lambda x: modes.ctr(bytes(16)).encrypt(x, bytes(16)),
    "cmac": lambda x: cmac.CMAC(bytes(16)).update(x),
    "sign": lambda x: SM2_KEY.sign(x),
    "id": lambda x: SM2_KEY.sign(b"", x),
    "verify": lambda x: SM2_KEY.public_key().verify(x, b""),
    "mldsa": lambda x: MLDSA_KEY.sign(x),
    "context": lambda x: MLDSA_KEY.sign(b"", x),
    "ec2m": lambda x: EC_KEY.sign_digest(x),
    "point": lambda x: sm2.SM2PublicKey.from_point(x),
    "password": lambda x: SM2_KEY.private_bytes(x, iterations=1),
    "pem": lambda x: sm2.SM2PrivateKey.from_pem(x),
    "mp": lambda x: mp.Integer.from_bytes(x),
}


@pytest.mark.parametrize("call", BYTES_WANTED.values(), ids=BYTES_WANTED)
def test_wrong_types(call):
    with pytest.raises(ValueError, match="encode it first"):
        call("text")
    with pytest.raises(TypeError, match="encode it first"):
        call("text")
    for wrong in (5, 1.5, object(), ["list"]):
        with pytest.raises(TypeError, match="must be bytes-like"):
            call(wrong)
    with pytest.raises(BufferError, match="contiguous"):
        call(memoryview(bytes(64))[::2])


def test_arguments():
    gcm = aead.SM4GCM(bytes(16))
    for args, kwargs, match in [
        ((b"n",), {}, "missing the argument 'data'"),
        ((b"n", b"d", b"a", b"x"), {}, "at most 3"),
        ((b"n",), {"data": b"d", "aad": b"a"}, "no parameter named 'aad'"),
        ((b"n", b"d"), {"nonce": b"n"}, "'nonce' twice"),
    ]:
        with pytest.raises(TypeError, match=match):
            gcm.encrypt(*args, **kwargs)
    with pytest.raises(TypeError):
        sm2.SM2PrivateKey()
    with pytest.raises(TypeError, match="iterations must be an integer"):
        SM2_KEY.private_bytes(b"p", iterations="many")
    with pytest.raises(ValueError, match="iterations must be from 1"):
        SM2_KEY.private_bytes(b"p", iterations=0)
    with pytest.raises(TypeError, match="format must be a string"):
        SM2_KEY.sign(b"", format=b"der")


# Numbers that must be given: None is refused.
NUMBER_WANTED = {
    "xof": ("length", lambda x: tongyu.shake_128().digest(x)),
    "xof hex": ("length", lambda x: tongyu.shake_128().hexdigest(x)),
    "hkdf": ("length", lambda x: tongyu.hkdf_sm3(b"secret", x)),
    "expand": ("length", lambda x: tongyu.hkdf_sm3_expand(bytes(32), x)),
    "kdf": ("length", lambda x: tongyu.kdf_sm3(b"secret", x)),
    "pbkdf2": ("iterations", lambda x: tongyu.pbkdf2_sm3(b"p", b"s", x)),
    "bits": ("bits", lambda x: mp.random_bits(x)),
    "prime": ("bits", lambda x: mp.random_prime(x)),
    "iroot": ("k", lambda x: mp.iroot(8, x)),
    "count": ("count", lambda x: mldsa.generate_many(mldsa.MLDSA44PrivateKey, x)),
}


@pytest.mark.parametrize(("name", "call"), NUMBER_WANTED.values(), ids=NUMBER_WANTED)
def test_numbers_wanted(name, call):
    call(3)
    for wrong in (None, "3", 3.0):
        with pytest.raises(TypeError, match=f"{name} must be an integer"):
            call(wrong)


def test_none_is_the_default():
    """Where a parameter has a default, None means it."""
    assert tongyu.pbkdf2_sm3(b"p", b"s", 3, None) == tongyu.pbkdf2_sm3(b"p", b"s", 3)
    assert tongyu.hkdf_sm3(b"secret", 32, None, None) == tongyu.hkdf_sm3(b"secret", 32)
    assert mp.Integer(5).to_bytes(None) == b"\5" and mp.Integer(5).digits(None) == "5"
    with pytest.raises(TypeError, match="salt must be bytes-like"):
        tongyu.pbkdf2_sm3(b"p", None, 3)


def run(code: str, *options: str) -> str:
    out = subprocess.run(
        [sys.executable, "-P", *options, "-c", code], capture_output=True, text=True, check=True
    )
    return out.stdout + out.stderr


def test_import():
    """Importing tongyu imports no other modules than enum and typing."""
    code = "import sys; old = set(sys.modules); import tongyu; print(*set(sys.modules) - old)"
    extra = {m for m in run(code).split() if not m.startswith("tongyu")}
    assert extra <= {"enum", "typing"}, extra


def test_main():
    out = subprocess.run(
        [sys.executable, "-P", "-X", "dev", "-m", "tongyu"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout.count(" ok") == 6 and tongyu.__version__ in out.stdout and not out.stderr
    assert {row[0] for row in tongyu.tiers()} >= {"sm2", "sm3", "sm4", "mldsa"}


def test_every_tier():
    """The same results on every level that this CPU runs."""
    levels = []
    for _, tier, runs, _ in tongyu.tiers():
        if runs and tier not in levels:
            levels.append(tier)
    wanted = tongyu.sm3_digest(b"abc"), aead.SM4GCM(bytes(16)).encrypt(bytes(12), bytes(1000))
    signature = SM2_KEY.sign(b"m", deterministic=True)
    try:
        for level in levels:
            _tongyu._tier_limit(level)
            assert (
                tongyu.sm3_digest(b"abc"),
                aead.SM4GCM(bytes(16)).encrypt(bytes(12), bytes(1000)),
            ) == wanted
            assert SM2_KEY.sign(b"m", deterministic=True) == signature
    finally:
        _tongyu._tier_limit(None)
    assert levels
    with pytest.raises(ValueError):
        _tongyu._tier_limit("sse9")


def test_interpreters():
    """A second interpreter has its own module, and its own GIL where Python supports that."""
    if sys.version_info >= (3, 13):
        code = (
            "import _interpreters as i\n"
            "x = i.create()\n"
            "work = 'import tongyu; tongyu.sm2.SM2PrivateKey.generate().sign(b\"m\")'\n"
            "failed = i.exec(x, work)\n"
            "assert failed is None, failed\n"
            "i.destroy(x)\n"
            "import tongyu\n"
            "print(tongyu.sm3(b'abc').hexdigest()[:8])\n"
        )
    else:
        code = (
            "import _xxsubinterpreters as i\n"
            "x = i.create(isolated=False)\n"
            "i.run_string(x, 'import tongyu; tongyu.sm2.SM2PrivateKey.generate().sign(b\"m\")')\n"
            "i.destroy(x)\n"
            "import tongyu\n"
            "print(tongyu.sm3(b'abc').hexdigest()[:8])\n"
        )
    assert run(code).strip() == "66c7f0f4"
