#!/usr/bin/env python3
"""Make a DuckDB extension from a shared library:  footer.py LIBRARY EXTENSION VERSION [PLATFORM]

DuckDB reads the last 512 bytes of the file: eight fields of 32 bytes, in reverse order, and 256
bytes for a signature, which is empty here (LOAD requires allow_unsigned_extensions). The fields are
the number of the format, the platform, the minimum version of the C extension API, the version of
the extension, and the kind of interface; three are unused. As in every extension, the header of a
WebAssembly custom section precedes them.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys

API = "v1.2.0"
SECTION = b"duckdb_signature"


def this_platform() -> str:
    system = {"linux": "linux", "darwin": "osx"}.get(sys.platform, sys.platform)
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return f"{system}_{machine}"


def footer(version: str, target: str) -> bytes:
    fields = ["4", target, API, version, "C_STRUCT", "", "", ""]
    if any(len(field.encode()) > 32 for field in fields):
        raise ValueError("a field has more than 32 bytes")
    content = b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields)) + bytes(256)
    size = len(content)
    leb = bytes([size & 0x7F | 0x80, size >> 7])
    rest = 1 + len(SECTION) + len(leb) + size
    return b"\0" + bytes([rest & 0x7F | 0x80, rest >> 7, len(SECTION)]) + SECTION + leb + content


def main() -> None:
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    library, extension, version = sys.argv[1:4]
    target = sys.argv[4] if len(sys.argv) == 5 else this_platform()
    part = f"{extension}.part"
    shutil.copyfile(library, part)
    with open(part, "ab") as file:
        file.write(footer(version, target))
    os.replace(part, extension)  # a program may have the old file loaded


if __name__ == "__main__":
    main()
