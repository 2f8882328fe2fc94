"""Memory: nothing leaks, and a failed allocation raises MemoryError and has no other effect."""

from __future__ import annotations

import contextlib
import gc
import resource
import sys

import pytest

import tongyu
from tongyu import _tongyu, aead, cmac, ec2m, keywrap, mldsa, modes, mp, sm2

KEY = sm2.SM2PrivateKey.generate()
PUB = KEY.public_key()
ML = mldsa.MLDSA44PrivateKey.generate()
CURVE = ec2m.Curve.named("sect163k1")
EC = ec2m.PrivateKey.generate(CURVE)
GCM = aead.SM4GCM(bytes(16))
SEALED = GCM.encrypt(bytes(12), b"data")
SIG = KEY.sign(b"data")
BIG = mp.Integer(3) ** 3000
PEM = KEY.private_bytes(b"password", iterations=1)


CALLS = {
    "sm3": lambda: tongyu.sm3(b"data").copy().hexdigest(),
    "sm3_digest": lambda: tongyu.sm3_digest(bytearray(100)),
    "shake": lambda: tongyu.shake_128(b"data").digest(100),
    "hmac": lambda: tongyu.HMACSM3(b"key", b"data").copy().digest(),
    "derive": lambda: tongyu.hkdf_sm3(b"secret", 100, b"salt", b"info"),
    "gcm": lambda: GCM.decrypt(bytes(12), GCM.encrypt(bytes(12), b"data", b"aad"), b"aad"),
    "into": lambda: GCM.encrypt_into(bytes(12), b"data", None, bytearray(20)),
    "aead keys": lambda: [make(bytes(16)) for make in (aead.SM4CCM, aead.SM4OCB, aead.SM4GCMSIV)],
    "mode": lambda: modes.cbc(bytes(16)).encrypt(b"data", bytes(16), padding="pkcs7"),
    "stream": lambda: modes.cbc(bytes(16)).encryptor(bytes(16)).update(bytes(40)),
    "cmac": lambda: cmac.CMAC(bytes(16)).copy().finalize() + cmac.cmac(bytes(16), b""),
    "keywrap": lambda: keywrap.sm4_key_wrap_with_padding(bytes(16), b"secret"),
    "sm2 generate": lambda: sm2.SM2PrivateKey.generate().public_key().verifier(),
    "sm2 sign": lambda: PUB.verify(KEY.sign(b"data", b"id"), b"data", b"id"),
    "sm2 encrypt": lambda: KEY.decrypt(PUB.encrypt(b"data", "der"), "der"),
    "sm2 file": lambda: sm2.SM2PrivateKey.from_pem(PEM, b"password").private_bytes(),
    "sm2 scalar": lambda: sm2.SM2PrivateKey.from_scalar(5),
    "sm2 exchange": lambda: KEY.key_exchange("initiator").finish(
        PUB, KEY.key_exchange("responder").ephemeral
    ),
    "mldsa": lambda: ML.public_key().verifier().verify(ML.signer().sign(b"d", b"c"), b"d", b"c"),
    "mldsa file": lambda: mldsa.MLDSA44PrivateKey.from_der(ML.private_bytes(encoding="der")),
    "mldsa mu": lambda: ML.public_key().mu(b"ctx").digest(),
    "curve": lambda: ec2m.Curve.from_parameters(**CURVE.parameters()),
    "curves": lambda: ec2m.curves(),
    "ec2m": lambda: EC.public_key().verify(EC.sign(b"d", "sha256"), b"d", "sha256"),
    "ec2m file": lambda: ec2m.PrivateKey.from_pem(EC.private_bytes()).curve,
    "mp": lambda: (BIG * BIG + 1) // 7 - int(BIG % 1000) ** 2,
    "mp text": lambda: mp.Integer(str(BIG)).to_bytes(),
    "mp powmod": lambda: mp.powmod_many([(3, 5, BIG)]) + list(mp.gcdext(BIG, 15)),
    "sm3_many": lambda: tongyu.sm3_many([b"a", bytearray(b"b")]),
    "sm2 many": lambda: sm2.verify_many(
        memoryview(sm2.sign_many([KEY, KEY], [b"a", b"b"])).cast("B", (2, 64)),
        [b"a", b"b"],
        [PUB, PUB],
    ),
    "mldsa many": lambda: mldsa.verify_many(mldsa.sign_many(ML, [b"a"]), [b"a"], ML.public_key()),
    "mldsa keys": lambda: mldsa.generate_many(mldsa.MLDSA44PrivateKey, 2),
    "gcm many": lambda: GCM.open_many([bytes(12)] * 2, [SEALED, b"short"]),
    "tiers": lambda: tongyu.tiers(),
}

# Calls that are refused, each with its exception.
REFUSED = {
    "text": lambda: tongyu.sm3("text"),
    "name": lambda: tongyu.new("md5"),
    "tag": lambda: GCM.decrypt(bytes(12), SEALED, b"aad"),
    "short buffer": lambda: GCM.encrypt_into(bytes(12), b"data", None, bytearray(1)),
    "mode refused": lambda: modes.cbc(bytes(16)).encrypt(b"data", bytes(16)),
    "sm2 forged": lambda: PUB.verify(SIG, b"other"),
    "sm2 password": lambda: sm2.SM2PrivateKey.from_pem(PEM, b"wrong"),
    "sm2 bad scalar": lambda: sm2.SM2PrivateKey.from_scalar(0),
    "mldsa refused": lambda: ML.sign(b"d", bytes(256)),
    "curve refused": lambda: ec2m.Curve.from_parameters(**{**CURVE.parameters(), "b": 0}),
    "mp refused": lambda: BIG + "1",
    "many refused": lambda: tongyu.sm3_many([b"a", 5]),
}


def under_failure(capi, site, call):
    """Runs `call`, in which allocation number `site` fails: False if that was reported as a lack of
    memory. A refusal of the arguments counts as True."""
    try:
        try:
            capi.set_nomemory(site, site + 1)
            call()
        finally:
            capi.remove_mem_hooks()  # before anything is examined
    except MemoryError:
        return False
    except SystemError as error:  # the interpreter's own: it had no memory for a frame's traceback
        assert str(error) == "error return without exception set"
        return False
    except (ValueError, TypeError, BufferError):
        pass
    return True


@pytest.mark.parametrize("call", [*CALLS.values(), *REFUSED.values()], ids=[*CALLS, *REFUSED])
def test_failing_allocations(call):
    """Each allocation in turn fails once: MemoryError or success, and the next call works."""
    capi = pytest.importorskip("_testcapi")
    if call in REFUSED.values() and hasattr(sys, "gettotalrefcount"):
        pytest.skip("a debug interpreter aborts where it has no memory for a traceback of its own")
    through = [under_failure(capi, site, call) for site in range(1, 200)]
    assert through[-1]  # no call has more allocations
    under_failure(capi, 10_000_000, call)


def test_arrow_failing_allocations():
    capi, pa = pytest.importorskip("_testcapi"), pytest.importorskip("pyarrow")
    chunked = pa.chunked_array([[b"a"], [b"bc", b""]])
    for column in (chunked, pa.array([b"a", b"bc"])):
        want = tongyu.sm3_many(column)
        for site in range(1, 60):
            try:
                try:
                    capi.set_nomemory(site, site + 1)
                    out = tongyu.sm3_many(column)
                finally:
                    capi.remove_mem_hooks()
            except (
                MemoryError,
                pa.ArrowException,
            ):  # pyarrow's own allocations fail in its own way
                out = want
            assert out == want


@pytest.mark.skipif(not _tongyu._counted, reason="not built against a debug build of Python")
@pytest.mark.parametrize("call", [*CALLS.values(), *REFUSED.values()], ids=[*CALLS, *REFUSED])
def test_references(call):
    """No call leaks a reference, in a debug build of Python."""

    def grown() -> int:
        gc.collect()
        before = sys.gettotalrefcount()
        for _ in range(50):
            try:
                call()
            except (ValueError, TypeError, BufferError):
                pass
        gc.collect()
        return sys.gettotalrefcount() - before

    grown()
    assert min(grown() for _ in range(3)) < 25


# Calls that take more than 20 microseconds are made 20,000 times, all others a million times;
# --calls sets one number for all.
LONG = {name for name in CALLS if name.startswith(("sm2 ", "mldsa", "curve"))}
LONG = (LONG | {"mp powmod", "sm2 forged"}) - {"curves", "sm2 file", "sm2 scalar", "mldsa mu"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CALLS, *REFUSED])
def test_resident_memory(name, request):
    """After all calls no more memory is in use than after the first few."""
    call = (CALLS | REFUSED)[name]
    count = request.config.getoption("--calls") or (20_000 if name in LONG else 1_000_000)

    def calls(n):
        for _ in range(n):
            with contextlib.suppress(ValueError, TypeError, BufferError):
                call()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = calls(max(count // 100, 1000))
    assert calls(count) - before < 500 + count // 250  # KB: four bytes a call, and some room
