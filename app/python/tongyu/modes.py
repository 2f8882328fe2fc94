"""SM4 without authentication: ECB to HCTR. These modes do not detect alterations: prefer aead.

There are two variants of XTS, which differ from the second block on: xts_ieee (gmsm, libgcrypt,
Botan) and xts_gb (OpenSSL, GmSSL).
"""

from ._tongyu import (
    Mode,
    Stream,
    bc,
    cbc,
    cfb,
    cfb1,
    cfb8,
    ctr,
    ecb,
    hctr,
    ofb,
    ofbnlf,
    xts_gb,
    xts_ieee,
)

__all__ = [
    "Mode",
    "Stream",
    "bc",
    "cbc",
    "cfb",
    "cfb1",
    "cfb8",
    "ctr",
    "ecb",
    "hctr",
    "ofb",
    "ofbnlf",
    "xts_gb",
    "xts_ieee",
]
