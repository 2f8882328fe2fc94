"""The hash of a file, piece by piece."""

from ._tongyu import Hash, sm3

TYPE_CHECKING = False  # as in typing, which is not imported
if TYPE_CHECKING:
    from typing import BinaryIO

_PIECE = 1 << 18


def sm3_file(fileobj: "BinaryIO") -> Hash:
    """Hash what is left to read of a file opened in binary mode; return the hash object.

    Like hashlib.file_digest, it takes constant memory.
    """
    digest = sm3()
    piece = bytearray(_PIECE)
    view = memoryview(piece)
    readinto = getattr(fileobj, "readinto", None)
    if readinto is None:
        raise TypeError("fileobj must be a file opened in binary mode: open(path, 'rb')")
    while size := readinto(piece):
        digest.update(view[:size])
    if size is None:
        raise BlockingIOError("fileobj is non-blocking: read it yourself, and call update")
    return digest
