"""Batches from producers that lie: everything is checked before it is read, so that null pointers,
released arrays and offsets outside the address space are refused and do not crash."""

from __future__ import annotations

import ctypes
import struct

import pytest
from producers import Chunks, OneChunk, Raw, Rows, Stream, capsule
from test_batch import digests

import tongyu

HUGE = 2**63 - 1


def test_arrow_lengths():
    """Lengths and widths are checked before they are used, and every chunk is released."""
    items = [bytes([i, i + 1]) for i in range(0, 64, 2)]
    assert tongyu.sm3_many(OneChunk([3])) == digests(items[:3])
    good = Chunks([2, 0, 3])
    assert tongyu.sm3_many(good) == digests(items[:2] + items[:3]) and good.released == 3
    huge = 2**63 - 1
    for lengths in ([10, -5], [-5, 10], [-1], [huge, huge, 2], [3, huge]):
        bad = Chunks(lengths)
        with pytest.raises(ValueError, match="has a length of"):
            tongyu.sm3_many(bad)
        assert bad.released == len(lengths)
    with pytest.raises(ValueError, match="has a length of -1"):
        tongyu.sm3_many(OneChunk([-1]))
    for width in (b"w:", b"w:-2", b"w: 2", b"w:2x", b"w:2147483648", b"w:18446744073709551615"):
        for maker in (Chunks, OneChunk):
            with pytest.raises(ValueError, match="fixed width"):
                tongyu.sm3_many(maker([1], width))


def test_dlpack_shapes():
    assert tongyu.sm3_many(Rows(2, 3)) == digests([bytes(range(3)), bytes(range(3, 6))])
    for shape in ((-1, 3), (-5, 3), (2, -3), (2**63 - 1, 0)):
        with pytest.raises(ValueError, match="has the shape"):
            tongyu.sm3_many(Rows(*shape))


def offsets(code: str, *values: int) -> bytes:
    return struct.pack(f"={len(values)}{code}", *values)


def view(length: int, *rest: int) -> bytes:
    """A long view: length, prefix, index of a buffer, offset in it."""
    return struct.pack("=i4sii", length, b"", *rest)


SOUND = {
    "z": (Raw(b"z", 2, None, offsets("i", 1, 3, 4), b"abcd"), [b"bc", b"d"]),
    "Z": (Raw(b"Z", 1, None, offsets("q", 0, 1, 4), b"abcd", offset=1), [b"bcd"]),
    "w": (Raw(b"w:2", 1, None, b"abcd", offset=1), [b"cd"]),
    "v": (
        Raw(
            b"vz",
            2,
            None,
            view(13, 0, 2) + struct.pack("=i12s", 2, b"hi"),
            b"." * 15,
            b"\x0f" + bytes(7),
        ),
        [b"." * 13, b"hi"],
    ),
    "no items, no buffers": (Raw(b"z", 0, n_buffers=0, buffers=None), []),
    "empty strings, no data": (Raw(b"z", 2, None, offsets("i", 0, 0, 0), None), [b"", b""]),
    "width 0, no data": (Raw(b"w:0", 2, None, None), [b"", b""]),
    "unaligned": (Raw(b"z", 1, None, offsets("i", 0, 1), b"a"), [b"a"]),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound(name):
    producer, items = SOUND[name]
    if name == "unaligned":
        place = ctypes.create_string_buffer(b"." + offsets("i", 0, 1))
        producer.pointers[1] = ctypes.addressof(place) + 1
    assert tongyu.sm3_many(producer) == digests(items)


ZERO = offsets("i", 0, 1)
BROKEN = {
    "no list of buffers": Raw(b"z", 1, None, ZERO, b"a", buffers=None),
    "too few buffers": Raw(b"z", 1, None, ZERO, b"a", n_buffers=2),
    "a negative number of buffers": Raw(b"z", 1, None, ZERO, b"a", n_buffers=-1),
    "no offsets": Raw(b"z", 1, None, None, b"a"),
    "no wide offsets": Raw(b"Z", 1, None, None, b"a"),
    "no data": Raw(b"z", 1, None, ZERO, None),
    "no wide data": Raw(b"U", 1, None, offsets("q", 0, 1), None),
    "no fixed data": Raw(b"w:2", 1, None, None),
    "no views": Raw(b"vz", 1, None, None, None),
    "no data of a view": Raw(b"vz", 1, None, view(13, 0, 0), None, b"\x0d" + bytes(7)),
    "no sizes": Raw(b"vz", 1, None, view(13, 0, 0), b"." * 13, None),
    "no such buffer": Raw(b"vz", 1, None, view(13, 1, 0), b"." * 13, b"\x0d" + bytes(7)),
    "a negative buffer index": Raw(b"vu", 1, None, view(13, -1, 0), b"." * 13, b"\x0d" + bytes(7)),
    "a view at a negative offset": Raw(
        b"vz", 1, None, view(13, 0, -1), b"." * 13, b"\x0d" + bytes(7)
    ),
    "beyond the data": Raw(b"vz", 1, None, view(13, 0, 1), b"." * 13, b"\x0d" + bytes(7)),
    "a view of negative length": Raw(b"vz", 1, None, view(-1, 0, 0), bytes(8)),
    "a negative offset": Raw(b"z", 1, None, offsets("i", -1, 0), b"a"),
    "a negative wide offset": Raw(b"Z", 1, None, offsets("q", -(2**40), 0), b"a"),
    "backwards": Raw(b"z", 2, None, offsets("i", 2, 1, 2), b"ab"),
    "beyond the last": Raw(b"z", 2, None, offsets("i", 0, 9, 2), b"ab"),
    "starts at a negative index": Raw(b"z", 1, None, ZERO, b"a", offset=-1),
    "starts beyond all": Raw(b"w:2", 1, None, b"ab", offset=HUGE),
    "starts outside the address space": Raw(b"w:2147483647", 1, None, b"ab", offset=2**40),
    "released": Raw(b"z", 1, None, ZERO, b"a", release=None),
    **{
        f"format {f}": Raw(f, 1, None, ZERO, b"a", None)
        for f in (None, b"", b"i", b"n", b"+l", b"+s", b"zz", b"v", b"W:2", b"w", b"tdD", b"z ")
    },
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    with pytest.raises(ValueError, match="create it again|decreases or is beyond|format is|layout"):
        tongyu.sm3_many(BROKEN[name])


def test_released_schema():
    producer = Raw(b"z", 1, None, ZERO, b"a")
    producer.schema.release = None
    with pytest.raises(ValueError, match="released already"):
        tongyu.sm3_many(producer)


def test_released_stream():
    class Released:
        stream = Stream()

        def __arrow_c_stream__(self, requested_schema=None):
            return capsule(self.stream, b"arrow_array_stream")

    with pytest.raises(ValueError, match="released already"):
        tongyu.sm3_many(Released())


def test_no_capsules():
    class Wrong:
        def __init__(self, given):
            self.given = given

        def __arrow_c_array__(self, requested_schema=None):
            return self.given

    other = capsule(Stream(), b"arrow_array_stream")
    for given in (None, (), (other,), (other, other), (1, 2), [other, other]):
        with pytest.raises(ValueError):
            tongyu.sm3_many(Wrong(given))


def test_dlpack_without_data():
    for change in ({"data": None}, {"shape": None}):
        rows = Rows(2, 3)
        for name, value in change.items():
            setattr(rows.tensor, name, value)
        with pytest.raises(ValueError, match="create it again"):
            tongyu.sm3_many(rows)
    with pytest.raises(ValueError, match="has the shape"):
        tongyu.sm3_many(Rows(2**40, 2**40))
