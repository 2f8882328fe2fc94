"""Producers of Arrow arrays and DLPack tensors that may lie: the structures of the two interfaces,
field by field, so that tests can fill them as no library would."""

from __future__ import annotations

import ctypes


class Schema(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_char_p),
        ("name", ctypes.c_char_p),
        ("metadata", ctypes.c_char_p),
        ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


class Array(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_int64),
        ("null_count", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64),
        ("buffers", ctypes.POINTER(ctypes.c_void_p)),
        ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


Released = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Schema))
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Array))


class Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", GetSchema),
        ("get_next", GetNext),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


def capsule(structure, name: bytes):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(structure), name, None)


class Chunks:
    """A producer of Arrow arrays with items of two bytes, which may lie about lengths and width."""

    def __init__(self, lengths, width=b"w:2"):
        self.released, self.data = 0, ctypes.create_string_buffer(bytes(range(64)))
        self.buffers = (ctypes.c_void_p * 2)(None, ctypes.addressof(self.data))
        self.schema = Schema(format=width)
        self.release = Released(self.count)
        self.arrays = [self.array(n) for n in lengths]
        self.rest = iter(self.arrays)
        self.stream = Stream(GetSchema(self.get_schema), GetNext(self.get_next))
        self.stream.release = ctypes.cast(self.release, ctypes.c_void_p)  # called by no destructor

    def array(self, length):
        release = ctypes.cast(self.release, ctypes.c_void_p)
        return Array(length=length, n_buffers=2, buffers=self.buffers, release=release)

    def count(self, _):
        self.released += 1

    def get_schema(self, _, out):
        out[0] = self.schema
        return 0

    def get_next(self, _, out):
        out[0] = next(self.rest, Array())
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(self.stream, b"arrow_array_stream")


class OneChunk(Chunks):
    """A producer that also offers its first array, by __arrow_c_array__."""

    def __arrow_c_array__(self, requested_schema=None):
        self.schema.release = ctypes.cast(self.release, ctypes.c_void_p)
        return capsule(self.schema, b"arrow_schema"), capsule(self.arrays[0], b"arrow_array")


class Raw:
    """One array of any format with the given buffers: bytes, or None for a null pointer."""

    def __init__(self, format, length, *buffers, offset=0, n_buffers=None, **fields):
        self.kept = [b if b is None else ctypes.create_string_buffer(b, len(b)) for b in buffers]
        at = [b if b is None else ctypes.addressof(b) for b in self.kept]
        self.pointers = (ctypes.c_void_p * max(1, len(at)))(*at)
        self.release = Released(lambda _: None)
        release = ctypes.cast(self.release, ctypes.c_void_p)
        self.schema = Schema(format=format, release=release)
        self.array = Array(
            length=length,
            null_count=-1,
            offset=offset,
            n_buffers=len(at) if n_buffers is None else n_buffers,
            buffers=self.pointers,
            release=release,
        )
        for name, value in fields.items():
            setattr(self.array, name, value)

    def __arrow_c_array__(self, requested_schema=None):
        return capsule(self.schema, b"arrow_schema"), capsule(self.array, b"arrow_array")


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class Rows:
    """A producer of a DLPack array of bytes, which may lie about its shape."""

    def __init__(self, *shape):
        self.data = ctypes.create_string_buffer(bytes(range(64)))
        self.shape = (ctypes.c_int64 * 2)(*shape)
        at = ctypes.addressof(self.data)
        self.tensor = Tensor(at, (1, 0), 2, 1, 8, 1, self.shape)

    def __dlpack__(self):
        return capsule(self.tensor, b"dltensor")
