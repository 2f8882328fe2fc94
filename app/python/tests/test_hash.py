"""Hashes: the interface of hashlib, any chunking, any buffer."""

from __future__ import annotations

import array
import hashlib
import hmac
import io
import mmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tongyu

NAMES = ["sm3", "sha3_224", "sha3_256", "sha3_384", "sha3_512"]
OTHERS = ["sha224", "sha256", "sha384", "sha512"]


@pytest.mark.parametrize("name", NAMES[1:] + OTHERS)
@pytest.mark.parametrize("size", [0, 1, 55, 64, 135, 136, 1000, 5000])
def test_against_hashlib(name, size):
    data = bytes(i * 7 % 251 for i in range(size))
    assert tongyu.new(name, data).hexdigest() == hashlib.new(name, data).hexdigest()


@pytest.mark.parametrize("name", ["shake_128", "shake_256"])
def test_shake_against_hashlib(name):
    ours, theirs = getattr(tongyu, name)(b"abc"), getattr(hashlib, name)(b"abc")
    for size in (0, 1, 168, 1000):
        assert ours.digest(size) == theirs.digest(size)
        assert ours.hexdigest(size) == theirs.hexdigest(size)


@given(st.lists(st.binary(max_size=300), max_size=12), st.sampled_from(NAMES))
def test_any_chunking(chunks, name):
    running = tongyu.new(name)
    for chunk in chunks:
        running.update(chunk)
        fork = running.copy()
    whole = tongyu.new(name, b"".join(chunks))
    assert running.digest() == whole.digest() == running.digest()
    if chunks:
        assert fork.digest() == whole.digest()
        fork.update(b"more")
        assert running.digest() == whole.digest()


def buffers(data: bytes):
    """The same bytes in every kind of buffer that Python has, also at odd addresses."""
    yield data
    yield bytearray(data)
    yield memoryview(data)
    yield memoryview(b"x" + data)[1:]
    yield array.array("B", data)
    yield memoryview(bytearray(b"abc" + data + b"z"))[3:-1]
    if len(data) % 4 == 0:
        yield array.array("i", data)
        yield memoryview(data).cast("i")
    if data:
        mapped = mmap.mmap(-1, len(data))
        mapped[:] = data
        yield mapped


@given(st.binary(max_size=5000))
def test_any_buffer(data):
    want = tongyu.sm3_digest(data)
    for buffer in buffers(data):
        assert tongyu.sm3(buffer).digest() == want
        assert tongyu.sm3_digest(buffer) == want


def test_hashlib_interface():
    running = tongyu.sm3(b"abc", usedforsecurity=False)
    assert (running.name, running.digest_size, running.block_size) == ("sm3", 32, 64)
    assert running.hexdigest() == running.digest().hex()
    assert tongyu.sm3(data=b"abc").digest() == running.digest()
    assert repr(running) == "<sm3 tongyu hash>"
    assert hashlib.file_digest(io.BytesIO(b"abc"), tongyu.sm3).digest() == running.digest()


def test_hmac_module():
    """hmac.new takes our constructor, and agrees with our own HMAC."""
    theirs = hmac.new(b"key", b"message", tongyu.sm3)
    assert theirs.digest() == tongyu.hmac_sm3(b"key", b"message")
    assert theirs.digest() == hmac.digest(b"key", b"message", tongyu.sm3)
    ours = tongyu.HMACSM3(b"key")
    ours.update(b"mess")
    fork = ours.copy()
    ours.update(b"age")
    ours.verify(theirs.digest())
    assert ours.hexdigest() == theirs.hexdigest() != fork.hexdigest()
    for bad in (b"", b"\0" * 32, theirs.digest()[:-1]):
        with pytest.raises(tongyu.InvalidTag):
            ours.verify(bad)


@given(st.binary(max_size=200), st.binary(max_size=500))
def test_hmac(key, data):
    assert tongyu.hmac_sm3(key, data) == hmac.new(key, data, tongyu.sm3).digest()


def test_hkdf():
    prk = tongyu.hkdf_sm3_extract(b"secret", b"salt")
    assert prk == tongyu.hmac_sm3(b"salt", b"secret")
    assert tongyu.hkdf_sm3(b"secret", 100, b"salt", b"info") == tongyu.hkdf_sm3_expand(
        prk, 100, b"info"
    )
    first = tongyu.hmac_sm3(prk, b"info\1")
    assert tongyu.hkdf_sm3_expand(prk, 32, b"info") == first
    assert tongyu.hkdf_sm3(b"s", 0) == b""
    with pytest.raises(ValueError):
        tongyu.hkdf_sm3(b"s", 255 * 32 + 1)


@pytest.mark.parametrize("size", [0, 1, (1 << 18) - 1, 1 << 18, (1 << 19) + 5])
def test_file(tmp_path, size):
    path = tmp_path / "file"
    path.write_bytes(bytes(size))
    with open(path, "rb") as file:
        assert tongyu.sm3_file(file).digest() == tongyu.sm3_digest(bytes(size))
    with open(path, "rb", buffering=0) as file:
        assert tongyu.sm3_file(file).digest() == tongyu.sm3_digest(bytes(size))
    with open(path) as file, pytest.raises(TypeError, match="'rb'"):
        tongyu.sm3_file(file)


def test_unknown_name():
    with pytest.raises(ValueError, match="'sm3'"):
        tongyu.new("md5")
    with pytest.raises(TypeError):
        tongyu.new(None)
