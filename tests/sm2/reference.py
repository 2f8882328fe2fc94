#!/usr/bin/env python3
"""SM2 signatures with the nonces of RFC 6979, or hedged ones, written from the standards alone,
with Python's integers and an SM3 of its own. It shares nothing with the library, and computed the
known answers of test_sign.cc.

    reference.py              prints them: d, e, the number of fresh bytes (32: hedged), r, s, the
                              number of nonces that were rejected
"""
p = 2**256 - 2**224 - 2**96 + 2**64 - 1
n = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123
G = (0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7,
     0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0)


def sm3(msg):
    """GB/T 32905-2016"""
    def rol(x, k):
        k %= 32
        return (x << k | x >> 32 - k) & 0xffffffff
    v = [0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d,
         0xb0fb0e4e]
    msg += b"\x80" + bytes(-(len(msg) + 9) % 64) + (8 * len(msg)).to_bytes(8, "big")
    for at in range(0, len(msg), 64):
        w = [int.from_bytes(msg[at + i:at + i + 4], "big") for i in range(0, 64, 4)]
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ rol(w[j - 3], 15)
            w.append(x ^ rol(x, 15) ^ rol(x, 23) ^ rol(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = v
        for j in range(64):
            early = j < 16
            ss1 = rol(rol(a, 12) + e + rol(0x79cc4519 if early else 0x7a879d8a, j) & 0xffffffff, 7)
            ff = a ^ b ^ c if early else a & b | a & c | b & c
            gg = e ^ f ^ g if early else e & f | ~e & g
            t1 = ff + d + (ss1 ^ rol(a, 12)) + (w[j] ^ w[j + 4]) & 0xffffffff
            t2 = gg + h + ss1 + w[j] & 0xffffffff
            a, b, c, d, e, f, g, h = (t1, a, rol(b, 9), c, t2 ^ rol(t2, 9) ^ rol(t2, 17), e,
                                      rol(f, 19), g)
        v = [x ^ y for x, y in zip(v, (a, b, c, d, e, f, g, h))]
    return b"".join(x.to_bytes(4, "big") for x in v)


def mac(key, msg):
    """RFC 2104; keys here have 32 bytes"""
    key += bytes(64 - len(key))
    return sm3(bytes(k ^ 0x5c for k in key) + sm3(bytes(k ^ 0x36 for k in key) + msg))


def nonces(d, e, more=b""):
    """RFC 6979, 3.2: qlen = hlen = 256, so bits2int takes the whole digest. If fresh bytes are
    given as `more`, the first 256 nonces are hashes of `more`, d, e, a label and a counter."""
    if more:
        for i in range(256):
            yield int.from_bytes(sm3(more + d.to_bytes(32, "big") + e.to_bytes(32, "big") +
                                     b"tongyu sm2 nonce" + bytes([i])), "big")
    seed = d.to_bytes(32, "big") + (e % n).to_bytes(32, "big")
    v, k = b"\1" * 32, bytes(32)
    for tag in (b"\0", b"\1"):
        k = mac(k, v + tag + seed)
        v = mac(k, v)
    while True:
        v = mac(k, v)
        yield int.from_bytes(v, "big")
        k = mac(k, v + b"\0")
        v = mac(k, v)


def add(P, Q):
    if P is None or Q is None:
        return P or Q
    (x1, y1), (x2, y2) = P, Q
    if x1 == x2 and (y1 + y2) % p == 0:
        return None
    slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, p) if P == Q else (y2 - y1) * pow(x2 - x1, -1, p)
    x3 = (slope * slope - x1 - x2) % p
    return x3, (slope * (x1 - x3) - y1) % p


def mul(k, P):
    R = None
    for bit in bin(k)[2:]:
        R = add(R, R)
        if bit == "1":
            R = add(R, P)
    return R


def sign(d, e, more=b""):
    """GB/T 32918.2, 6.1"""
    rejected = 0
    for k in nonces(d, e, more):
        if 1 <= k < n:
            r = (e + mul(k, G)[0]) % n
            s = pow(1 + d, -1, n) * (k - r * d) % n
            if r and r + k != n and s:
                return r, s, rejected
        rejected += 1


def main():
    assert sm3(b"abc").hex() == "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
    D = 0x3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8
    E = 0xF0B43E94BA45ACCAACE692ED534382EB17E6AB5A19CE7B31F4486FDFC0D28640
    for d in (D, 1, n - 2):
        for e in (E, 0, n - 1, n, 2**256 - 1):
            for more in (b"", bytes(range(32))):
                r, s, rejected = sign(d, e, more)
                print(f'{{"{d:064x}",\n "{e:064x}", {len(more)},\n "{r:064x}"\n "{s:064x}"}},   '
                      f'// {rejected}')


if __name__ == "__main__":
    main()
