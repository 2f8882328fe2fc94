"""Binary elliptic curves: those of SEC 2, X9.62 and DSTU 4145, and any given by its parameters."""

from ._tongyu import Curve, PrivateKey, PublicKey, curves

__all__ = ["Curve", "PrivateKey", "PublicKey", "curves"]
