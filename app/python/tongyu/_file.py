"""The hash of a file, piece by piece."""

from ._tongyu import Hash, sm3

TYPE_CHECKING = False  # as typing has it, without importing typing
if TYPE_CHECKING:
    from typing import BinaryIO

_PIECE = 1 << 18


def sm3_file(fileobj: "BinaryIO") -> Hash:
    """The SM3 of what is left to read of a file opened in binary mode, as a running hash.

    As hashlib.file_digest, in constant memory.
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
        raise BlockingIOError("fileobj does not block: read it yourself, and call update")
    return digest
