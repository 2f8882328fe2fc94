"""The hash of a file, chunk by chunk."""

from ._tongyu import Hash, sm3

TYPE_CHECKING = False  # as in typing, which is not imported
if TYPE_CHECKING:
    from typing import BinaryIO

_CHUNK = 1 << 18


def sm3_file(fileobj: "BinaryIO") -> Hash:
    """Hash the rest of a file opened in binary mode; return the hash object.

    Like hashlib.file_digest, it takes constant memory.
    """
    digest = sm3()
    chunk = bytearray(_CHUNK)
    view = memoryview(chunk)
    readinto = getattr(fileobj, "readinto", None)
    if readinto is None:
        raise TypeError("fileobj must be a file opened in binary mode: open(path, 'rb')")
    while size := readinto(chunk):
        digest.update(view[:size])
    if size is None:
        raise BlockingIOError("fileobj is non-blocking: read it yourself, and call update")
    return digest
