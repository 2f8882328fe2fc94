#!/usr/bin/env python3
"""SM2 inputs that a wrong implementation may accept, or refuse: tests/vectors/sm2_adversarial.

    adversarial.py FILE           writes the set (docs/sm2-vectors.md says what is in it)
    adversarial.py --check FILE   checks that the file is what would be written

The curve is computed here with Python's integers, from the standards alone; nothing is shared with
the library. Most signatures are made by solving for the digest: for any s, t = r + s and public key
P, e = t - s - x(s G + t P) makes (r, s) a signature. So r, s, e, the key and the signer's point can
each be an edge value, and a signature that must be refused is accepted if its check is missing.
"""
import hashlib
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reference import G, n, p, sm3     # noqa: E402

A = p - 3
B = 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93
ID = b"1234567812345678"
SEED = b"tongyu sm2 adversarial 1"


# --- The curve, in Jacobian coordinates ---------------------------------------------------------

def double(P):
    x, y, z = P
    if z == 0 or y == 0:
        return 0, 1, 0
    zz, yy = z * z, y * y
    m, s = 3 * (x - zz) * (x + zz) % p, 4 * x * yy % p
    x3 = (m * m - 2 * s) % p
    return x3, (m * (s - x3) - 8 * yy * yy) % p, 2 * y * z % p


def plus(P, Q):
    if P[2] == 0 or Q[2] == 0:
        return P if Q[2] == 0 else Q
    z1, z2 = P[2] * P[2] % p, Q[2] * Q[2] % p
    u1, u2 = P[0] * z2 % p, Q[0] * z1 % p
    s1, s2 = P[1] * z2 * Q[2] % p, Q[1] * z1 * P[2] % p
    h, r = (u2 - u1) % p, (s2 - s1) % p
    if h == 0:
        return (0, 1, 0) if r else double(P)
    hh = h * h % p
    v, hhh = u1 * hh % p, h * hh % p
    x3 = (r * r - hhh - 2 * v) % p
    return x3, (r * (v - x3) - s1 * hhh) % p, h * P[2] * Q[2] % p


def both(k, P, m=0, Q=G):
    """k P + m Q, or None for infinity"""
    R, k, m = (0, 1, 0), k % n, m % n
    P, Q = (*P, 1), (*Q, 1)
    sums = {1: P, 2: Q, 3: plus(P, Q)}
    for i in range(255, -1, -1):
        R = double(R)
        digit = (k >> i & 1) | (m >> i & 1) << 1
        if digit:
            R = plus(R, sums[digit])
    if R[2] == 0:
        return None
    z = pow(R[2], -1, p)
    return R[0] * z * z % p, R[1] * z * z * z % p


def at(x, odd=0):
    """The point of the curve with this x, and with an odd y if odd is 1; or None"""
    yy = (x * x * x + A * x + B) % p
    y = pow(yy, (p + 1) // 4, p)
    return None if y * y % p != yy else (x, y if y & 1 == odd else p - y)


def from_here(x, step=1):
    """The first point of the curve with a coordinate x, x + step, ...; its y is odd if x is"""
    while at(x % p) is None:
        x += step
    return at(x % p, x & 1)


class Chance:
    """Pseudorandom numbers, the same in every run"""

    def __init__(self, name):
        self.state, self.count = SEED + name.encode(), 0

    def bytes(self, size):
        out = b""
        while len(out) < size:
            out += hashlib.sha256(self.state + self.count.to_bytes(4, "big")).digest()
            self.count += 1
        return out[:size]

    def below(self, m):
        return int.from_bytes(self.bytes(40), "big") % m

    def scalar(self):
        return 1 + self.below(n - 2)


# --- Encodings ----------------------------------------------------------------------------------

def b32(x):
    return x.to_bytes(32, "big")


def point(P):
    return b"\4" + b32(P[0]) + b32(P[1])


def tlv(tag, body):
    size = len(body)
    if size < 128:
        return bytes([tag, size]) + body
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + body


def integer(x):
    return tlv(2, x.to_bytes(x.bit_length() // 8 + 1, "big"))


def z_of(identity, P):
    size = (8 * len(identity) & 0xffff).to_bytes(2, "big")
    return sm3(size + identity + b"".join(map(b32, (A, B, *G, *P))))


def kdf(secret, size):
    out = b"".join(sm3(secret + i.to_bytes(4, "big")) for i in range(1, size // 32 + 2))
    return out[:size]


# --- Verification, decryption and encryption, as in the standard --------------------------------

def accepts(P, e, sig):
    """GB/T 32918.2, 7.1"""
    if len(sig) != 64:
        return False
    r, s = int.from_bytes(sig[:32], "big"), int.from_bytes(sig[32:], "big")
    if not (0 < r < n and 0 < s < n) or (r + s) % n == 0:
        return False
    R = both(r + s, P, s)
    return R is not None and (e + R[0] - r) % n == 0


def decrypt(d, ct):
    """GB/T 32918.4, 7.1: the message, or None"""
    if len(ct) < 98 or ct[0] != 4:
        return None
    x, y = int.from_bytes(ct[1:33], "big"), int.from_bytes(ct[33:65], "big")
    if x >= p or y >= p or (x * x * x + A * x + B - y * y) % p:
        return None
    S = both(d, (x, y))
    xy = b32(S[0]) + b32(S[1])
    mask = kdf(xy, len(ct) - 97)
    if not any(mask):
        return None
    msg = bytes(a ^ b for a, b in zip(ct[97:], mask))
    return msg if sm3(xy[:32] + msg + xy[32:]) == ct[65:97] else None


def encrypt(k, P, msg):
    """GB/T 32918.4, 6.1, with the nonce k"""
    C, S = both(k, G), both(k, P)
    xy = b32(S[0]) + b32(S[1])
    c2 = bytes(a ^ b for a, b in zip(msg, kdf(xy, len(msg))))
    return point(C) + sm3(xy[:32] + msg + xy[32:]) + c2


# --- Edges --------------------------------------------------------------------------------------

SCALARS = [1, 2, 3, 16, 2**31, 2**32 - 1, 2**64 - 1, 2**64, 2**128 - 1, 2**128, 2**192 - 1,
           2**192, 2**255, 2**256 - 2**225, n >> 1, (n >> 1) + 1, n - 2**64, n - 2**32, n - 3,
           n - 2, n - 1, int("5" * 64, 16), int("a" * 64, 16), int("0f" * 32, 16),
           2**224 + 2**160 + 2**96 + 1, n % 2**128, n - n % 2**128, (2**256 - n) % n]
XS = [0, 1, 2, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, 2**96 - 1, 2**96, 2**127, 2**128 - 1,
      2**160, 2**192 - 1, 2**192, 2**224 - 1, 2**224, 2**255, 2**256 - 2**225, n - 1, n, n + 1,
      p - 2**128, p - 2**96, p - 2**64, p - 2**32, p - 2, p - 1, int("5" * 64, 16),
      int("a" * 64, 16), 2**128 - 2**64, 2**192 - 2**128, 2**224 - 2**96]


class Group:
    """Cases of one kind, and what they share, such as a key"""

    def __init__(self, kind, **shared):
        self.head, self.cases = dict(kind=kind, **shared), []

    def add(self, why, ok, **fields):
        for k, v in fields.items():
            fields[k] = v.hex() if isinstance(v, bytes) else v
        self.cases.append(dict(why=why, ok=ok, **fields))

    def signature(self, why, P, e, r, s):
        """A case of the kind "verify" whose verdict is computed"""
        sig = b32(r) + b32(s)
        self.add(why, accepts(P, e, sig), e=b32(e), sig=sig)


def solved(P, r, s):
    """The digest of which (r, s) is a signature under P, whatever r and s; x of infinity is 0"""
    R = both(r + s, P, s)
    return (r - (R[0] if R else 0)) % n


def all_groups():
    from adversarial_parts import parts
    return [g for part in parts for g in part()]


def written(groups):
    """The text of the file: one case per line, numbered from 1"""
    lines, number = [], 0
    total = sum(len(g.cases) for g in groups)
    head = {"schema": "tongyu-sm2-adversarial-1", "seed": SEED.decode(), "cases": total,
            "curve": "sm2p256v1", "hash": "SM3", "licence": "Apache-2.0 OR MIT",
            "format": "docs/sm2-vectors.md"}
    for g in groups:
        cases = []
        for case in g.cases:
            number += 1
            cases.append(json.dumps(dict(id=number, **case), separators=(",", ":")))
        shared = json.dumps(g.head, separators=(",", ":"))[:-1]
        lines.append(shared + ',"cases":[\n' + ",\n".join(cases) + "]}")
    first = json.dumps(head, separators=(",", ":"))[:-1]
    return first + ',"groups":[\n' + ",\n".join(lines) + "]}\n"


def main():
    if len(sys.argv) == 2:
        text = written(all_groups())
        with open(sys.argv[1], "w") as f:
            f.write(text)
        print(f"{text.count(chr(10) + '{' + chr(34) + 'id')} cases, {len(text)} bytes")
        return 0
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        same = open(sys.argv[2]).read() == written(all_groups())
        print("as it would be written" if same else "not what this program writes")
        return not same
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.modules["adversarial"] = sys.modules["__main__"]
    sys.exit(main())
