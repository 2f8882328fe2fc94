"""SM4: authenticated encryption, plain modes, CMAC, key wrap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tongyu
from tongyu import aead, keywrap, modes
from tongyu.cmac import CMAC, cmac

KEY = bytes(range(16))
NONCE = b"twelve bytes"
AEADS = [aead.SM4GCM, aead.SM4CCM, aead.SM4OCB, aead.SM4GCMSIV]
BLOCKS = [modes.ecb, modes.cbc, modes.bc, modes.ofbnlf]
BYTES = [modes.cfb, modes.cfb8, modes.cfb1, modes.ofb, modes.ctr]
WHOLE = [modes.xts_ieee, modes.xts_gb, modes.hctr]


def iv_for(make):
    return None if make is modes.ecb else bytes(16)


# --- Authenticated encryption -------------------------------------------------------------------


@pytest.mark.parametrize("make", AEADS)
@given(st.binary(max_size=3000), st.binary(max_size=100))
def test_aead(make, data, aad):
    cipher = make(KEY)
    sealed = cipher.encrypt(NONCE, data, aad)
    assert len(sealed) == len(data) + 16
    assert cipher.decrypt(nonce=NONCE, data=sealed, associated_data=aad) == data
    for wrong in (sealed[:-1], sealed + b"\0", bytes([sealed[0] ^ 1]) + sealed[1:]):
        with pytest.raises(tongyu.InvalidTag):
            cipher.decrypt(NONCE, wrong, aad)
    with pytest.raises(tongyu.InvalidTag):
        cipher.decrypt(NONCE, sealed, aad + b"x")


@pytest.mark.parametrize("make", AEADS)
@pytest.mark.parametrize("size", [0, 1, 15, 16, 100, 4096])
def test_into(make, size):
    cipher, data = make(KEY), bytes(i % 256 for i in range(size))
    sealed = cipher.encrypt(NONCE, data, b"aad")
    room = bytearray(size + 20)
    assert cipher.encrypt_into(NONCE, data, b"aad", room) == size + 16
    assert room[: size + 16] == sealed and room[size + 16 :] == bytes(4)
    plain = bytearray(size)
    assert cipher.decrypt_into(NONCE, sealed, b"aad", plain) == size and plain == data

    here = bytearray(data + bytes(16))  # in place
    with memoryview(here) as view:
        assert cipher.encrypt_into(NONCE, view[:size], b"aad", view) == size + 16
        assert here == sealed
        assert cipher.decrypt_into(NONCE, view, b"aad", view) == size
    assert here[:size] == data


@pytest.mark.parametrize("make", AEADS)
def test_into_refuses(make):
    cipher = make(KEY)
    room = bytearray(b"\xaa" * 100)
    view = memoryview(room)
    with pytest.raises(ValueError, match="buf needs 116 bytes"):
        cipher.encrypt_into(NONCE, bytes(100), None, room)
    with pytest.raises(ValueError, match="overlaps"):
        cipher.encrypt_into(NONCE, view[1:20], None, view)
    with pytest.raises(ValueError, match="overlaps"):
        cipher.encrypt_into(view[:12], b"data", None, view)
    with pytest.raises(ValueError, match="overlaps"):
        cipher.encrypt_into(NONCE, b"data", view[5:], view)
    with pytest.raises(BufferError, match="read-only"):
        cipher.encrypt_into(NONCE, b"", None, bytes(100))
    assert room == b"\xaa" * 100  # untouched by all of them
    sealed = cipher.encrypt(NONCE, b"plaintext")
    with pytest.raises(tongyu.InvalidTag):
        cipher.decrypt_into(NONCE, sealed[:-1] + bytes([sealed[-1] ^ 1]), None, room)
    assert room == bytes(9) + b"\xaa" * 91  # no plaintext


def test_aead_lengths():
    with pytest.raises(ValueError, match="no empty nonce"):
        aead.SM4GCM(KEY).encrypt(b"", b"data")
    with pytest.raises(ValueError, match="of 7 to 13 bytes, and was given 6"):
        aead.SM4CCM(KEY).encrypt(bytes(6), b"data")
    with pytest.raises(ValueError, match="of 1 to 15 bytes, and was given 16"):
        aead.SM4OCB(KEY).encrypt(bytes(16), b"data")
    with pytest.raises(ValueError, match="of 12 bytes, and was given 13"):
        aead.SM4GCMSIV(KEY).encrypt(bytes(13), b"data")
    with pytest.raises(ValueError, match="tag"):
        aead.SM4GCM(KEY, tag_length=11)
    with pytest.raises(ValueError, match="tag"):
        aead.SM4CCM(KEY, 5)
    with pytest.raises(ValueError, match="key must have 16 bytes, and has 15"):
        aead.SM4GCM(KEY[:15])
    with pytest.raises(tongyu.InvalidTag, match="cut short"):
        aead.SM4GCM(KEY).decrypt(NONCE, bytes(15))
    with pytest.raises(tongyu.Error):
        aead.SM4CCM(KEY).encrypt(bytes(13), bytes(65536))
    assert len(aead.SM4GCM(KEY, 12).encrypt(NONCE, b"")) == 12
    assert len(aead.SM4GCM.generate_key()) == 16
    assert aead.SM4GCM.generate_key() != aead.SM4GCM.generate_key()


# --- Plain modes --------------------------------------------------------------------------------


@pytest.mark.parametrize("make", BLOCKS)
@pytest.mark.parametrize("padding", ["pkcs7", "iso7816", "x923"])
@given(st.lists(st.binary(max_size=70), max_size=8))
def test_padded(make, padding, chunks):
    mode, iv, data = make(KEY), iv_for(make), b"".join(chunks)
    out = mode.encrypt(data, iv, padding=padding)
    assert len(out) == len(data) // 16 * 16 + 16
    assert mode.decrypt(out, iv, padding=padding) == data
    stream = mode.encryptor(iv, padding=padding)
    assert b"".join([stream.update(c) for c in chunks] + [stream.finalize()]) == out
    back = mode.decryptor(iv, padding=padding)
    assert (
        b"".join([back.update(out[i : i + 7]) for i in range(0, len(out), 7)] + [back.finalize()])
        == data
    )
    with pytest.raises(tongyu.Error, match="fresh"):
        stream.update(b"")


@pytest.mark.parametrize("make", BYTES)
@given(st.lists(st.binary(max_size=70), max_size=8))
def test_bytes(make, chunks):
    mode, data, iv = make(KEY), b"".join(chunks), bytes(16)
    out = mode.encrypt(data, iv)
    assert len(out) == len(data) and mode.decrypt(out, iv) == data
    stream = mode.encryptor(iv)
    pieces = [stream.update(c) for c in chunks]
    assert b"".join(pieces) == out and stream.finalize() == b""
    here = bytearray(data)
    assert mode.encrypt_into(here, here, iv) == len(data) and here == out
    assert mode.decrypt_into(bytes(out), here, iv) == len(data) and here == data


@pytest.mark.parametrize("make", WHOLE)
@given(st.binary(min_size=16, max_size=600), st.integers(0, 2**64 - 1))
def test_whole(make, data, sector):
    mode = make(bytes(range(32)))
    out = mode.encrypt(data, sector)
    assert len(out) == len(data) and mode.decrypt(out, sector) == data
    assert out == mode.encrypt(data, sector.to_bytes(16, "little"))


def test_mode_refuses():
    cbc = modes.cbc(KEY)
    with pytest.raises(ValueError, match="whole blocks"):
        cbc.encrypt(bytes(15), bytes(16))
    with pytest.raises(ValueError, match="needs an iv"):
        cbc.encrypt(bytes(16))
    with pytest.raises(ValueError, match="takes no iv"):
        modes.ecb(KEY).encrypt(bytes(16), bytes(16))
    with pytest.raises(ValueError, match="iv must have 16 bytes"):
        cbc.encrypt(bytes(16), bytes(15))
    with pytest.raises(ValueError, match="no padding"):
        modes.ctr(KEY).encrypt(b"", bytes(16), padding="pkcs7")
    with pytest.raises(ValueError, match="'pkcs7'"):
        cbc.encrypt(b"", bytes(16), padding="pkcs5")
    with pytest.raises(tongyu.InvalidKey, match="halves"):
        modes.xts_gb(bytes(32))
    with pytest.raises(ValueError, match="16 bytes or more"):
        modes.xts_ieee(bytes(range(32))).encrypt(bytes(15), 0)
    with pytest.raises(ValueError, match="16 MiB .* at most: encrypt sector by sector"):
        modes.xts_gb(bytes(range(32))).encrypt(bytes((1 << 24) + 1), 0)
    with pytest.raises(ValueError, match="one piece"):
        modes.hctr(bytes(range(32))).encryptor(0)
    with pytest.raises(tongyu.FormatError):
        cbc.decrypt(cbc.encrypt(bytes(16), bytes(16)), bytes(16), padding="pkcs7")
    with pytest.raises(ValueError, match="overlaps"):
        room = memoryview(bytearray(100))
        cbc.encrypt_into(room[1:17], room, bytes(16))
    assert cbc.name == "cbc" and "cbc" in repr(cbc)


# --- CMAC and key wrap --------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=50), max_size=8), st.integers(4, 16))
def test_cmac(chunks, size):
    running = CMAC(KEY)
    for chunk in chunks:
        running.update(chunk)
    fork, data = running.copy(), b"".join(chunks)
    assert running.finalize()[:size] == cmac(KEY, data, size)
    with pytest.raises(tongyu.Error):
        running.finalize()
    fork.verify(cmac(KEY, data))
    other = CMAC(KEY)
    with pytest.raises(tongyu.InvalidTag):
        other.verify(bytes(16))


@given(st.binary(min_size=1, max_size=200))
def test_keywrap(secret):
    wrapped = keywrap.sm4_key_wrap_with_padding(KEY, secret)
    assert keywrap.sm4_key_unwrap_with_padding(KEY, wrapped) == secret
    with pytest.raises(tongyu.InvalidTag):
        keywrap.sm4_key_unwrap_with_padding(bytes(16), wrapped)
    whole = secret * 8 + bytes(8)
    assert keywrap.sm4_key_unwrap(KEY, keywrap.sm4_key_wrap(KEY, whole)) == whole
    with pytest.raises(tongyu.InvalidTag):
        keywrap.sm4_key_unwrap(KEY, bytes(24))
    for unwrap in (keywrap.sm4_key_unwrap, keywrap.sm4_key_unwrap_with_padding):
        for length in (0, 8, len(wrapped) - 1):
            with pytest.raises(tongyu.InvalidTag):
                unwrap(KEY, wrapped[:length])
    with pytest.raises(ValueError):
        keywrap.sm4_key_wrap(KEY, secret + bytes(8 - len(secret) % 8 + 1))
