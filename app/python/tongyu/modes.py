"""SM4 without authentication: ECB to HCTR. Nothing here notices an alteration: prefer aead.

There are two XTS, and they differ from the second block on: xts_ieee (gmsm, libgcrypt, Botan) and
xts_gb (OpenSSL, GmSSL).
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
