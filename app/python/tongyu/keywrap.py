"""Keys under other keys: SM4 key wrap, with and without padding (RFC 3394, RFC 5649)."""

from ._tongyu import (
    sm4_key_unwrap,
    sm4_key_unwrap_with_padding,
    sm4_key_wrap,
    sm4_key_wrap_with_padding,
)

__all__ = [
    "sm4_key_unwrap",
    "sm4_key_unwrap_with_padding",
    "sm4_key_wrap",
    "sm4_key_wrap_with_padding",
]
