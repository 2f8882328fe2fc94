"""The cases of adversarial.py, by kind: each function yields the groups for one type of error."""
from adversarial import (A, B, G, ID, SCALARS, XS, Chance, Group, accepts, at, b32, both, decrypt,
                         encrypt, from_here, integer, kdf, n, p, point, sm3, solved, tlv, z_of)

TOP = 2**256


def verify(P):
    return Group("verify", key=point(P).hex())


def edges_of_r_and_s():
    """Signatures with edge values, and some of them with n added to r or s"""
    c = Chance("edges")
    for d in (c.scalar(), c.scalar()):
        P = both(d, G)
        g = verify(P)
        for i, s in enumerate(SCALARS):
            for j, r in enumerate(SCALARS):
                if (i + 2 * j + d) % 3 and (r + s) % n:
                    g.signature("edge r and s", P, solved(P, r, s), r, s)
                if (i + j + d) % 9 == 0 and (r + s) % n:
                    e = solved(P, r, s)
                    g.signature("r and s exchanged", P, e, s, r)
                    g.signature("e plus 1", P, (e + 1) % n, r, s)
        for r in SCALARS:
            s = c.scalar()
            e = solved(P, r, s)
            if r + n < TOP:
                g.signature("r plus n", P, e, r + n, s)
            e = solved(P, s, r)
            if r + n < TOP:
                g.signature("s plus n", P, e, s, r + n)
        yield g


def checks_left_out():
    """Signatures that satisfy the equation, and must be refused because of a range"""
    c = Chance("checks")
    d = c.scalar()
    P = both(d, G)
    g = verify(P)
    for i in range(40):
        s = SCALARS[i] if i < len(SCALARS) else c.scalar()
        g.signature("r = 0, and the equation holds", P, solved(P, 0, s), 0, s)
        g.signature("s = 0, and the equation holds", P, solved(P, s, 0), s, 0)
        g.signature("r = n, and the equation holds", P, solved(P, n, s), n, s)
        g.signature("s = n, and the equation holds", P, solved(P, s, n), s, n)
        g.signature("r + s = n, and the equation holds", P, solved(P, n - s, s), n - s, s)
        r = c.below(TOP - n)
        g.signature("r above n, and the equation holds", P, solved(P, r, s), r + n, s)
        g.signature("s above n, and the equation holds", P, solved(P, s, r), s, r + n)
        t = c.scalar()
        s = -t * d % n
        g.signature("s G + t P is infinity", P, (t - s) % n, (t - s) % n, s)
        g.signature("s G + t P is infinity, e = 0", P, 0, (t - s) % n, s)
    for r in (0, 1, n - 1, n, n + 1, p, p + 1, TOP - 1):
        for s in (0, 1, n - 1, n, n + 1, p, p + 1, TOP - 1):
            for e in (0, n % TOP, TOP - 1):
                g.signature("ends of the ranges", P, e, r, s)
    yield g


def exceptional_sums():
    """s G and t P equal, opposite, or small multiples of each other: exceptions of the addition"""
    c = Chance("sums")
    d = c.scalar()
    P = both(d, G)
    g = verify(P)
    for j in [*range(1, 34), 63, 64, 65, 127, 128, 129, 255, 256, 257, 2**16, 2**32, 2**64]:
        t = c.scalar()
        for s in (j * t * d % n, -j * t * d % n, t * d * pow(j, -1, n) % n):
            r = (t - s) % n
            if r and (r + s) % n:
                g.signature("s G = +-j t P, or j s G = t P", P, solved(P, r, s), r, s)
                if j % 4 == 0:
                    g.signature("s G = +-j t P, or j s G = t P, e plus 1", P,
                                (solved(P, r, s) + 1) % n, r, s)
    yield g


def keys_at_edges():
    """Public keys with edge coordinates (of unknown d), and with small or special d"""
    c = Chance("keys")
    keys = [from_here(x) for x in XS]
    scalars = (1, 2, 3, 4, n - 1, n - 2, n - 3, n >> 1, (n >> 1) + 1, pow(2, -1, n), 2**128, 2**255)
    keys += [both(d, G) for d in scalars]
    keys += [(P[0], p - P[1]) for P in keys[:6]]
    for P in keys:
        g = verify(P)
        for i in range(7):
            s, r = c.scalar(), SCALARS[(7 * i + P[0]) % len(SCALARS)] if i % 2 else c.scalar()
            if (r + s) % n == 0:
                continue
            e = solved(P, r, s)
            g.signature("edge key", P, e, r, s)
            if i < 2:
                g.signature("edge key, s plus 1", P, e, r, s + 1)
        g.signature("edge key, signature of -P", P, solved((P[0], p - P[1]), 5, 7), 5, 7)
        yield g


def points_at_edges():
    """The signer's point has an edge x, n <= x < p included: P = (R - s G) / t"""
    c = Chance("points")
    for x in [*XS, *(n + c.below(p - n) for _ in range(24))]:
        R, s, t = from_here(x), c.scalar(), c.scalar()
        P = both(pow(t, -1, n), R, -s * pow(t, -1, n))
        r, g = (t - s) % n, verify(P)
        e = (r - R[0]) % n
        g.signature("edge x of the signer's point", P, e, r, s)
        g.signature("edge x of the signer's point, e modulo p", P, (r - R[0]) % p, r, s)
        g.signature("edge x of the signer's point, e plus 1", P, (e + 1) % n, r, s)
        yield g


def digests_at_edges():
    """The digest is an edge, values from n on included: it is reduced. P = (R - s G) / t"""
    c = Chance("digests")
    for e in (0, 1, 2, 2**64, 2**128, TOP - n - 1, 2**255, n - 1, n, n + 1, n + 2**200, p, p + 1,
              TOP - 2, TOP - 1, *(n + c.below(TOP - n) for _ in range(16))):
        R, s = both(c.scalar(), G), c.scalar()
        if e % 2:                 # a small r: r - e + n is below 0 if e > n + r is not reduced
            small = next(r for r in range(1, 99) if at((r - e) % n))
            R = at((small - e) % n)
        r = (e + R[0]) % n
        P = both(pow(r + s, -1, n), R, -s * pow(r + s, -1, n))
        g = verify(P)
        g.signature("edge e", P, e, r, s)
        if e + n < TOP:
            g.signature("e plus n, the same residue", P, e + n, r, s)
        g.signature("edge e, all bits of e flipped", P, TOP - 1 - e, r, s)
        yield g


def flipped_bits():
    c = Chance("flips")
    d = c.scalar()
    P = both(d, G)
    r, s = c.scalar(), c.scalar()
    g, e = verify(P), solved(P, r, s)
    g.signature("before bits are flipped", P, e, r, s)
    for i in range(256):
        g.signature(f"bit {i} of r flipped", P, e, r ^ 1 << i, s)
        g.signature(f"bit {i} of s flipped", P, e, r, s ^ 1 << i)
        if i % 2 == 0:
            g.signature(f"bit {i} of e flipped", P, e ^ 1 << i, r, s)
    yield g


def identities():
    c = Chance("identities")
    d = c.scalar()
    P = both(d, G)
    g = Group("verify-message", key=point(P).hex())
    for i in range(60):
        size = (1, 2, 15, 16, 17, 31, 32, 33, 55, 56, 63, 64, 65, 127, 255, 256, 257, 1000)[i % 18]
        identity = bytes(33 + b % 90 for b in c.bytes(size)).replace(b",", b".")
        identity = ID if i % 4 == 0 else identity
        msg, k = c.bytes((0, 1, 31, 32, 55, 56, 64, 100)[i % 8]), c.scalar()
        e = int.from_bytes(sm3(z_of(identity, P) + msg), "big")
        r = (e + both(k, G)[0]) % n
        s = pow(1 + d, -1, n) * (k - r * d) % n
        sig = b32(r) + b32(s)
        g.add("identity and message", True, identity=identity, msg=msg, sig=sig)
        for why, other, text in (("another identity", identity + b"x", msg),
                                 ("identity without its last byte", identity[:-1] or b"y", msg),
                                 ("another message", identity, msg + b"\0"),
                                 ("digest in place of the message", ID, b32(e))):
            if (i + len(why)) % 2:
                g.add(why, False, identity=other, msg=text, sig=sig)
    yield g


def encoded_signatures():
    """DER: only the shortest form is valid"""
    c = Chance("der")
    d = c.scalar()
    P = both(d, G)
    g = Group("verify-der", key=point(P).hex())
    for r, s in [(c.scalar(), c.scalar()), (1, c.scalar()), (c.scalar(), 127), (128, 255),
                 (2**255, n - 1), (n - 2, 2**248 - 1)]:
        e = b32(solved(P, r, s))
        R, S = integer(r), integer(s)
        body, der = R + S, tlv(0x30, R + S)
        long_ = bytes([0x30, 0x81, len(body)]) + body
        g.add("valid", True, e=e, der=der)
        wrong = {
            "length in two bytes": long_, "length in three bytes": b"\x30\x82\0" + der[1:2] + body,
            "length in five bytes": b"\x30\x84\0\0\0" + der[1:2] + body,
            "indefinite length": b"\x30\x80" + body + b"\0\0", "a trailing byte": der + b"\0",
            "two trailing bytes": der + b"\5\0", "the last byte missing": der[:-1],
            "length of the sequence one too large": bytes([0x30, len(body) + 1]) + body,
            "length of the sequence one too small": bytes([0x30, len(body) - 1]) + body,
            "a byte after s in the sequence": tlv(0x30, body + b"\0"),
            "NULL after s in the sequence": tlv(0x30, body + b"\5\0"),
            "three INTEGERs": tlv(0x30, body + S),
            "one INTEGER": tlv(0x30, R), "an empty sequence": tlv(0x30, b""), "empty input": b"",
            "a SET, not a SEQUENCE": b"\x31" + der[1:],
            "a context tag, not SEQUENCE": b"\xa0" + der[1:],
            "the tag of a primitive SEQUENCE": b"\x10" + der[1:],
            "r is an OCTET STRING": tlv(0x30, b"\4" + R[1:] + S),
            "s is an ENUMERATED": tlv(0x30, R + b"\x0a" + S[1:]),
            "r with a leading zero byte": tlv(0x30, tlv(2, b"\0" + R[2:]) + S),
            "s with a leading zero byte": tlv(0x30, R + tlv(2, b"\0" + S[2:])),
            "r with two leading zero bytes": tlv(0x30, tlv(2, b"\0\0" + R[2:]) + S),
            "r is an empty INTEGER": tlv(0x30, b"\2\0" + S),
            "s is an empty INTEGER": tlv(0x30, R + b"\2\0"),
            "r negative": tlv(0x30, tlv(2, b"\xff" + R[2:]) + S),
            "s negative": tlv(0x30, R + tlv(2, b"\xff" + S[2:])),
            "length of r in two bytes": tlv(0x30, b"\2\x81" + R[1:] + S),
            "length of s in two bytes": tlv(0x30, R + b"\2\x81" + S[1:]),
            "length of r one too large": tlv(0x30, bytes([2, R[1] + 1]) + R[2:] + S),
            "length of s one too large": tlv(0x30, R + bytes([2, S[1] + 1]) + S[2:]),
            "length of s one too small": tlv(0x30, R + bytes([2, S[1] - 1]) + S[2:]),
            "length of 2^31 bytes": b"\x30\x84\x80\0\0\0" + body,
            "length of 2^64 - 1 bytes": b"\x30\x88" + b"\xff" * 8 + body,
            "r of 40 bytes": tlv(0x30, integer(r + 2**312) + S),
            "s plus n": tlv(0x30, R + integer(s + n)), "r plus n": tlv(0x30, integer(r + n) + S),
            "r - n": tlv(0x30, negative(r - n) + S),
            "s - n": tlv(0x30, R + negative(s - n)), "the signature twice": der + der,
            "in another sequence": tlv(0x30, der), "r and s without DER": b32(r) + b32(s),
        }
        for why, bytes_ in wrong.items():
            if bytes_ != der:
                g.add(why, False, e=e, der=bytes_)
    yield g


def negative(x):
    size = (x + 1).bit_length() // 8 + 1
    return tlv(2, x.to_bytes(size, "big", signed=True))


def on_curve(x, y):
    return x < p and y < p and (x * x * x + A * x + B - y * y) % p == 0


def encoded_points():
    """Octet strings of points. Hybrid forms (06, 07) are not in the set: libraries differ."""
    c = Chance("encoded points")
    g = Group("point")
    good = [from_here(x) for x in XS] + [both(c.scalar(), G) for _ in range(6)]
    for x, y in good:
        odd, un = y & 1, b32(x) + b32(y)
        g.add("uncompressed", True, point=b"\4" + un)
        g.add("compressed", True, point=bytes([2 | odd]) + b32(x), full=b"\4" + un)
        g.add("the point -P", True, point=b"\4" + b32(x) + b32(p - y))
        g.add("y plus 1", False, point=b"\4" + b32(x) + b32(y + 1))
        g.add("x and y exchanged", on_curve(y, x), point=b"\4" + b32(y) + b32(x))
        for why, a, b in (("x plus p", x + p, y), ("y plus p", x, y + p)):
            if max(a, b) < TOP:
                g.add(why, False, point=b"\4" + b32(a) + b32(b))
        if x + p < TOP:
            g.add("x plus p, compressed", False, point=bytes([2 | odd]) + b32(x + p))
    x, y = good[-1]
    un = b32(x) + b32(y)
    for first in (0, 1, 2, 3, 5, 8, 0x40, 0x84, 0xff):
        g.add("another first byte", False, point=bytes([first]) + un)
        g.add("another first byte, 33 bytes", first in (2, 3), point=bytes([first]) + b32(x),
              **({"full": point(at(x, first & 1))} if first in (2, 3) else {}))
    for size in (0, 1, 2, 16, 31, 32, 33, 34, 48, 63, 66, 67):
        if size not in (33,):
            g.add("wrong length", False, point=(b"\4" + un + b"\0\0")[:size])
    g.add("infinity", False, point=b"\0")
    g.add("65 zero bytes", False, point=bytes(65))
    g.add("(0, 0)", False, point=b"\4" + bytes(64))
    for x in range(2**20, 2**20 + 40):
        if at(x) is None:
            g.add("no point has this x", False, point=b"\2" + b32(x))
            g.add("no point has this x", False, point=b"\3" + b32(x))
    for i in range(40):       # of curves y^2 = x^3 + a x + b', as in invalid-curve attacks
        g.add("a point of another curve", False, point=b"\4" + b32(c.below(p)) + b32(c.below(p)))
    yield g


def private_keys():
    c = Chance("private keys")
    g = Group("scalar")
    for d in [0, 1, 2, n - 3, n - 2, n - 1, n, n + 1, n + 2, p, p - 1, TOP - 1, 2**255, 2**224,
              *SCALARS, *(n + c.below(TOP - n) for _ in range(8)),
              *(c.scalar() for _ in range(12))]:
        ok = 1 <= d <= n - 2
        g.add("in 1..n-2" if ok else "outside 1..n-2", ok, d=b32(d),
              **({"public": point(both(d, G))} if ok else {}))
    yield g


def ciphertexts():
    c = Chance("ciphertexts")
    d = c.scalar()
    P = both(d, G)
    g = Group("decrypt", d=b32(d).hex())

    def case(why, ct):
        msg = decrypt(d, ct)
        g.add(why, msg is not None, ct=ct, **({"msg": msg} if msg is not None else {}))

    for i in range(40):
        size = (1, 2, 16, 31, 32, 33, 63, 64, 65, 100)[i % 10]
        k = SCALARS[i] if i < len(SCALARS) else c.scalar()
        ct = encrypt(k, P, c.bytes(size))
        if i % 5 == 0 or size > 2:
            case("valid", ct)
        if size < 3:
            continue
        bit = c.below(8 * len(ct))
        turned = bytearray(ct)
        turned[bit // 8] ^= 1 << bit % 8
        case("a bit flipped", bytes(turned))
        if i % 2 == 0:
            case("the order C1 C2 C3", ct[:65] + ct[97:] + ct[65:97])
            case("the last byte missing", ct[:-1])
            case("a trailing byte", ct + b"\0")
            minus = p - int.from_bytes(ct[33:65], "big")
            case("-C1 in place of C1", ct[:33] + b32(minus) + ct[65:])
            case("C3 of zeros", ct[:65] + bytes(32) + ct[97:])
        if i % 4 == 0:
            case("C1 not on the curve", ct[:64] + bytes([ct[64] ^ 1]) + ct[65:])
            case("C1 is (0, 0)", b"\4" + bytes(64) + ct[65:])
            case("first byte 06", b"\6" + ct[1:])
            case("first byte 00", b"\0" + ct[1:])
            case("C2 is empty", ct[:97])
            case("C1 alone", ct[:65])
    for x in XS:              # C1 of unknown discrete logarithm, and with x or y plus p
        C = from_here(x)
        S, msg = both(d, C), c.bytes(20)
        xy = b32(S[0]) + b32(S[1])
        c2 = bytes(a ^ b for a, b in zip(msg, kdf(xy, 20)))
        rest = sm3(xy[:32] + msg + xy[32:]) + c2
        case("edge x of C1", point(C) + rest)
        for a, b in ((C[0] + p, C[1]), (C[0], C[1] + p)):
            if max(a, b) < TOP:
                case("a coordinate of C1 plus p", b"\4" + b32(a) + b32(b) + rest)
    S = Group("decrypt", d=b32(d).hex())
    found = 0
    for k in range(1, 2000):  # the mask is a zero byte: C2 = M, an error in step B4 of the standard
        xy = b"".join(map(b32, both(k, P)))
        if kdf(xy, 1) == b"\0" and found < 4:
            found += 1
            msg = c.bytes(1)
            c3 = sm3(xy[:32] + msg + xy[32:])
            S.add("KDF output of zeros", False, ct=point(both(k, G)) + c3 + msg)
        if found == 4:
            break
    for x in range(60):       # points of other curves, some of small order
        Q = (c.below(p), 0) if x % 3 == 0 else (c.below(p), c.below(p))
        if not on_curve(*Q):
            S.add("C1 of another curve", False, ct=point(Q) + c.bytes(52))
    yield g
    yield S


def encoded_ciphertexts():
    c = Chance("der of ciphertexts")
    d = c.scalar()
    P = both(d, G)
    g = Group("decrypt-der", d=b32(d).hex())
    for size in (1, 20, 90, 200):
        msg, k = c.bytes(size), c.scalar()
        ct = encrypt(k, P, msg)
        while decrypt(d, ct) is None:
            ct = encrypt(k := k + 1, P, msg)
        x, y = int.from_bytes(ct[1:33], "big"), int.from_bytes(ct[33:65], "big")
        X, Y, H, C = integer(x), integer(y), tlv(4, ct[65:97]), tlv(4, ct[97:])
        der = tlv(0x30, X + Y + H + C)
        g.add("valid", True, der=der, msg=msg)
        wrong = {
            "a trailing byte": der + b"\0", "the last byte missing": der[:-1],
            "a SET, not a SEQUENCE": b"\x31" + der[1:],
            "C2 before C3": tlv(0x30, X + Y + C + H), "no C2": tlv(0x30, X + Y + H),
            "x with a leading zero byte": tlv(0x30, tlv(2, b"\0" + X[2:]) + Y + H + C),
            "y negative": tlv(0x30, X + tlv(2, b"\xff" + Y[2:]) + H + C),
            "x and y exchanged": tlv(0x30, Y + X + H + C),
            "-C1 in place of C1": tlv(0x30, X + integer(p - y) + H + C),
            "x plus 1": tlv(0x30, integer(x + 1) + Y + H + C),
            "C3 of 31 bytes": tlv(0x30, X + Y + tlv(4, ct[65:96]) + C),
            "C3 of 33 bytes": tlv(0x30, X + Y + tlv(4, ct[65:97] + b"\0") + C),
            "C3 of zeros": tlv(0x30, X + Y + tlv(4, bytes(32)) + C),
            "C2 one byte longer": tlv(0x30, X + Y + H + tlv(4, ct[97:] + b"\0")),
            "C2 is a BIT STRING": tlv(0x30, X + Y + H + b"\3" + C[1:]),
            "NULL after C2": tlv(0x30, X + Y + H + C + b"\5\0"),
            "the ciphertext without DER": ct, "empty input": b"",
        }
        for why, bytes_ in wrong.items():
            g.add(why, False, der=bytes_)
    yield g


def exchanges():
    """GB/T 32918.3: the key of one side, or none"""
    c = Chance("exchanges")
    g = Group("exchange")
    for i in range(60):
        d, r, other, theirs = c.scalar(), c.scalar(), c.scalar(), c.scalar()
        if i % 3 == 1:
            r = SCALARS[i % len(SCALARS)]
        P, R = both(other, G), both(theirs, G)
        if i % 3 == 2:
            R = from_here(XS[i % len(XS)])
        me, you = (ID, ID) if i % 2 else (c.bytes(1 + i % 20), c.bytes(1 + i % 33))
        first = i % 4 < 2
        length = (1, 16, 32, 33, 48, 64, 65)[i % 7]

        def add(why, R=R, P=P, sent=None, first=first, me=me, you=you, d=d, r=r, length=length):
            key = agreed(first, d, r, me, you, P, R, length) if sent is None else None
            g.add(why, key is not None, initiator=first, d=b32(d), r=b32(r), identity=me,
                  peer_identity=you, peer=point(P), peer_ephemeral=sent or point(R), length=length,
                  **({"key": key} if key is not None else {}))
        add("valid")
        if i % 3 == 0:
            add("the opposite role", first=not first)
            bad = point(R)[:64] + bytes([point(R)[64] ^ 1])
            add("the peer's point is not on the curve", sent=bad)
        if i % 4 == 1:            # P + x R is infinity
            add("the shared point is infinity", P=both(-short(R[0]), R))
        if i % 6 == 5:
            add("the peer's point is (0, 0)", sent=b"\4" + bytes(64))
            add("the peer's point has y plus 1", sent=point((R[0], (R[1] + 1) % p)))
    yield g


def short(x):
    """2^127 plus the 127 low bits of x: GB/T 32918.3, 6.1, A4"""
    return 2**127 + (x & 2**127 - 1)


def agreed(first, d, r, me, you, P, R, length):
    """The key that the side with private key d and nonce r agrees on with a peer, whose public key
    is P and whose point is R; None if the shared point is infinity. first: we are the initiator"""
    mine = both(r, G)
    t = (d + short(mine[0]) * r) % n
    U = both(t, P, t * short(R[0]) % n, R) if t else None
    if U is None:
        return None
    own = both(d, G)
    zs = (z_of(me, own), z_of(you, P)) if first else (z_of(you, P), z_of(me, own))
    return kdf(b32(U[0]) + b32(U[1]) + zs[0] + zs[1], length)


parts = [edges_of_r_and_s, checks_left_out, exceptional_sums, keys_at_edges, points_at_edges,
         digests_at_edges, flipped_bits, identities, encoded_signatures, encoded_points,
         private_keys, ciphertexts, encoded_ciphertexts, exchanges]
