"""CMAC with SM4 (SP 800-38B): a tag for a message, without nonce and without encryption."""

from ._tongyu import CMAC, cmac

__all__ = ["CMAC", "cmac"]
