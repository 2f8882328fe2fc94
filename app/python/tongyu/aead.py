"""Authenticated encryption with SM4. Use GCM if in doubt; never use a nonce twice under one key."""

from ._tongyu import SM4CCM, SM4GCM, SM4GCMSIV, SM4OCB

__all__ = ["SM4CCM", "SM4GCM", "SM4GCMSIV", "SM4OCB"]
