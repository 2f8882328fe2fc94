"""ML-DSA (FIPS 204): ML-DSA-44, -65 and -87; pure, pre-hashed and by mu; key files; batches."""

from ._tongyu import (
    MLDSA44PrivateKey,
    MLDSA44PublicKey,
    MLDSA65PrivateKey,
    MLDSA65PublicKey,
    MLDSA87PrivateKey,
    MLDSA87PublicKey,
    MLDSAMu,
    MLDSASigner,
    MLDSAVerifier,
)
from ._tongyu import mldsa_generate_many as generate_many
from ._tongyu import mldsa_sign_many as sign_many
from ._tongyu import mldsa_verify_many as verify_many

__all__ = [
    "MLDSA44PrivateKey",
    "MLDSA44PublicKey",
    "MLDSA65PrivateKey",
    "MLDSA65PublicKey",
    "MLDSA87PrivateKey",
    "MLDSA87PublicKey",
    "MLDSAMu",
    "MLDSASigner",
    "MLDSAVerifier",
    "generate_many",
    "sign_many",
    "verify_many",
]
