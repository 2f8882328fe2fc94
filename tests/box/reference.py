#!/usr/bin/env python3
"""A second implementation of docs/file-format.md, which shares no code with the library: SM3 from
hashlib, SM4-GCM from the `cryptography` package, SM2 from the `openssl` command. It wrote the
examples in docs/file-format.md and the digest in test_box.cc.

    reference.py seal PASSWORD SALT ITERATIONS < plain > sealed      (salt in hex)
    reference.py seal PASSWORD SALT scrypt LOG_N R P < plain > sealed
    reference.py open PASSWORD < sealed > plain
    reference.py open-key KEY.PEM < sealed > plain
"""
import hashlib, hmac, struct, subprocess, sys, tempfile
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

CHUNK, MAGIC = 65536, b"TYBOX\r\n\x01"


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), "sm3").digest()


def cipher_and_nonce(key, prefix, number, last):
    return algorithms.SM4(key), prefix + struct.pack(">IB", number, last)


def seal_chunks(key, prefix, plain):
    chunks = [plain[i:i + CHUNK] for i in range(0, len(plain), CHUNK)] or [b""]
    for i, chunk in enumerate(chunks):
        cipher, nonce = cipher_and_nonce(key, prefix, i, i == len(chunks) - 1)
        e = Cipher(cipher, modes.GCM(nonce)).encryptor()
        yield e.update(chunk) + e.finalize() + e.tag


def open_chunks(key, prefix, body):
    chunks = [body[i:i + CHUNK + 16] for i in range(0, len(body), CHUNK + 16)]
    for i, chunk in enumerate(chunks):
        cipher, nonce = cipher_and_nonce(key, prefix, i, i == len(chunks) - 1)
        d = Cipher(cipher, modes.GCM(nonce, chunk[-16:])).decryptor()
        yield d.update(chunk[:-16]) + d.finalize()


def keys(file_key, header):
    """the header's MAC, the payload key, the first 7 bytes of the nonces"""
    tag = mac(file_key, b"tongyu box 1 header", header)
    okm = mac(file_key, b"tongyu box 1 payload", tag)
    return tag, okm[:16], okm[16:23]


def seal(password, salt, iterations, plain):
    header = MAGIC + b"\x01\x00" + struct.pack(">I", iterations) + salt
    tag, key, prefix = keys(hashlib.pbkdf2_hmac("sm3", password, salt, iterations, 32), header)
    return header + tag + b"".join(seal_chunks(key, prefix, plain))


def scrypt(password, salt, log_n, r, p):
    return hashlib.scrypt(password, salt=salt, n=1 << log_n, r=r, p=p, maxmem=(1 << 31) - 2,
                          dklen=32)


def seal_scrypt(password, salt, log_n, r, p, plain):
    header = MAGIC + bytes([3, 0, log_n, r, p, 0]) + salt
    tag, key, prefix = keys(scrypt(password, salt, log_n, r, p), header)
    return header + tag + b"".join(seal_chunks(key, prefix, plain))


def sm2_decrypt(pem, c):
    def der(tag, b):
        return bytes([tag, len(b)]) + b

    def integer(b):
        b = b.lstrip(b"\0") or b"\0"
        return der(2, b"\0" * (b[0] >> 7) + b)

    body = integer(c[1:33]) + integer(c[33:65]) + der(4, c[65:97]) + der(4, c[97:])
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"\x30\x81" + bytes([len(body)]) + body if len(body) > 127 else der(0x30, body))
        f.flush()
        return subprocess.run(["openssl", "pkeyutl", "-decrypt", "-inkey", pem, "-in", f.name],
                              check=True, stdout=subprocess.PIPE).stdout


def unseal(data, password=None, pem=None):
    assert data[:8] == MAGIC
    kind, count = data[8], data[9]
    if kind == 1:
        size = 30
        file_key = hashlib.pbkdf2_hmac("sm3", password, data[14:30],
                                       struct.unpack(">I", data[10:14])[0], 32)
    elif kind == 3:
        assert data[13] == 0
        size = 30
        file_key = scrypt(password, data[14:30], *data[10:13])
    else:
        size = 10 + 137 * count
        out = subprocess.run(["openssl", "pkey", "-in", pem, "-pubout", "-outform", "DER"],
                             check=True, stdout=subprocess.PIPE)
        recipient = hashlib.new("sm3", b"tongyu box 1 recipient" + out.stdout[-65:]).digest()[:8]
        entries = [data[10 + 137 * i:147 + 137 * i] for i in range(count)]
        file_key = sm2_decrypt(pem, next(e[8:] for e in entries if e[:8] == recipient))
    tag, key, prefix = keys(file_key, data[:size])
    assert hmac.compare_digest(tag, data[size:size + 32])
    return b"".join(open_chunks(key, prefix, data[size + 32:]))


if __name__ == "__main__":
    verb, args, data = sys.argv[1], sys.argv[2:], sys.stdin.buffer.read()
    if verb == "seal" and args[2] == "scrypt":
        out = seal_scrypt(args[0].encode(), bytes.fromhex(args[1]), *map(int, args[3:6]), data)
    elif verb == "seal":
        out = seal(args[0].encode(), bytes.fromhex(args[1]), int(args[2]), data)
    elif verb == "open":
        out = unseal(data, password=args[0].encode())
    else:
        out = unseal(data, pem=args[0])
    sys.stdout.buffer.write(out)
