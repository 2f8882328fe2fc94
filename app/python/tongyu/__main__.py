"""python -m tongyu: the version, the kernels this CPU uses, and a self-test.

ledger() is the entry point of the command tongyu-ledger.
"""

from __future__ import annotations

import sys

import tongyu
from tongyu import aead, ec2m, mldsa, mp, sm2


def _sm3() -> bool:
    """The example of GB/T 32905-2016, A.1."""
    want = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
    return tongyu.sm3(b"abc").hexdigest() == want


def _sm4() -> bool:
    """The example of RFC 8998, A.1."""
    key = bytes.fromhex("0123456789abcdeffedcba9876543210")
    nonce = bytes.fromhex("00001234567800000000abcd")
    aad = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    plain = b"".join(bytes([x]) * 8 for x in (0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF, 0xEE, 0xAA))
    gcm = aead.SM4GCM(key)
    sealed = gcm.encrypt(nonce, plain, aad)
    tag = bytes.fromhex("83de3541e4c2b58177e065a9bf7b62ec")
    return sealed[-16:] == tag and gcm.decrypt(nonce, sealed, aad) == plain


def _signs(key: sm2.SM2PrivateKey | mldsa.MLDSA65PrivateKey) -> bool:
    """A signature verifies, but not for another message."""
    signature = key.sign(b"message")
    key.public_key().verify(signature, b"message")
    try:
        key.public_key().verify(signature, b"massage")
    except tongyu.InvalidSignature:
        return True
    return False


def _ec2m() -> bool:
    """Both sides of an ECDH agreement have the same secret."""
    curve = ec2m.Curve.named("sect233r1")
    a, b = ec2m.PrivateKey.generate(curve), ec2m.PrivateKey.generate(curve)
    return a.exchange(b.public_key()) == b.exchange(a.public_key())


def _mp() -> bool:
    """Fermat's little theorem for 2^521 - 1."""
    p = mp.Integer(2) ** 521 - 1
    return mp.powmod_secret(3, p - 1, p) == 1 and mp.is_prime(p)


def main() -> int:
    """Print the version and the kernels, and run the self-test. 1 if a test fails."""
    print(f"tongyu {tongyu.version()}, Python {sys.version.split()[0]}")
    chosen = [f"{family}: {tier}" for family, tier, _, used in tongyu.tiers() if used]
    print("kernels  " + ", ".join(chosen))
    tests = {
        "SM3": _sm3,
        "SM4-GCM": _sm4,
        "SM2": lambda: _signs(sm2.SM2PrivateKey.generate()),
        "ML-DSA": lambda: _signs(mldsa.MLDSA65PrivateKey.generate()),
        "binary curves": _ec2m,
        "integers": _mp,
    }
    verdicts = {name: test() for name, test in tests.items()}
    for name, good in verdicts.items():
        print(f"{name:14} {'ok' if good else 'FAILED'}")
    return 0 if all(verdicts.values()) else 1


def ledger() -> int:
    """The command tongyu-ledger, which needs pyarrow."""
    try:
        from tongyu.ledger import main as command
    except ImportError as e:
        sys.stderr.write(f"tongyu-ledger: {e}: pip install 'tongyu[duckdb]'\n")
        return 2
    return command()


if __name__ == "__main__":
    sys.exit(main())
