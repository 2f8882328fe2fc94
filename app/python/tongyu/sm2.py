"""SM2 (GB/T 32918): signatures, encryption, ECDH, key exchange, key files, batches."""

from ._tongyu import (
    SM2KeyExchange,
    SM2PrivateKey,
    SM2PublicKey,
    SM2Verifier,
)
from ._tongyu import sm2_sign_many as sign_many
from ._tongyu import sm2_verify_many as verify_many

DEFAULT_ID = b"1234567812345678"
"""The default name of a signer (GM/T 0009-2012, 10)."""

__all__ = [
    "DEFAULT_ID",
    "SM2KeyExchange",
    "SM2PrivateKey",
    "SM2PublicKey",
    "SM2Verifier",
    "sign_many",
    "verify_many",
]
