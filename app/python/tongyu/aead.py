"""Authenticated encryption with SM4. GCM if in doubt; never the same nonce twice under one key."""

from ._tongyu import SM4CCM, SM4GCM, SM4GCMSIV, SM4OCB

__all__ = ["SM4CCM", "SM4GCM", "SM4GCMSIV", "SM4OCB"]
