#!/usr/bin/env python3
"""Verdicts of other libraries on the cases of tests/vectors/sm2_adversarial: libcrypto through
ctypes, and Botan through its Python module (Debian: python3-botan) and gmalg (PyPI) where they are
installed.

    adversarial_witness.py FILE    prints a table by kind and library, and every case in which a
                                   library differs

Cases for which a library has no call, or no encoding, do not count for it. The exit status is 1 if
libcrypto is missing, if no second library is installed, or if a difference is not in KNOWN.
"""
import ctypes
import ctypes.util
import json
import sys

from adversarial import b32, integer, kdf, n, tlv, z_of
from adversarial_parts import short

# (library, kind, why): a known deviation of the library from the standard
KNOWN = {
    ("libcrypto", "decrypt", "a coordinate of C1 plus p"): "coordinates are reduced, not refused",
    ("gmalg", "decrypt", "a coordinate of C1 plus p"): "the same",
    ("libcrypto", "decrypt-der", "a trailing byte"): "bytes after the sequence are ignored",
    ("libcrypto", "decrypt-der", "x with a leading zero byte"):
        "not only the shortest form is accepted",
    ("botan", "decrypt", "edge x of C1"): "a sequence with a short x is taken for a truncated one",
    ("botan", "decrypt", "KDF output of zeros"): "B4 of GB/T 32918.4, 7.1 is not checked",
    ("botan", "decrypt-der", "C3 of 33 bytes"): "the length of C3 is not checked",
    ("botan", "point", "wrong length"): "a byte after the point is ignored",
    ("botan", "scalar", "outside 1..n-2"): "the range is not checked when a key is loaded",
}


def numbers(xy):
    return int.from_bytes(xy[:32], "big"), int.from_bytes(xy[32:], "big")


def der_signature(sig):
    return tlv(0x30, b"".join(map(integer, numbers(sig))))


def der_ciphertext(ct):
    """The DER of a ciphertext C1 C3 C2; None if it has none"""
    if len(ct) < 97 or ct[0] != 4:
        return None
    c1 = b"".join(map(integer, numbers(ct[1:65])))
    return tlv(0x30, c1 + tlv(4, ct[65:97]) + tlv(4, ct[97:]))


class LibCrypto:
    """libcrypto 3. Each kind of case has a method, which returns True, False or the result; None
    means no verdict."""

    def __init__(self):
        self.c = ctypes.CDLL(ctypes.util.find_library("crypto"))
        names = ("EVP_PKEY_CTX_new_from_name EVP_PKEY_CTX_new EVP_MD_CTX_new EVP_sm3 BN_bin2bn "
                 "EC_GROUP_new_by_curve_name EC_POINT_new")
        for name in names.split():
            getattr(self.c, name).restype = ctypes.c_void_p
        self.c.OpenSSL_version.restype = ctypes.c_char_p
        self.name = self.c.OpenSSL_version(0).decode().rsplit(" ", 3)[0]
        self.group = ctypes.c_void_p(self.c.EC_GROUP_new_by_curve_name(1172))

    class Param(ctypes.Structure):
        _fields_ = [("key", ctypes.c_char_p), ("type", ctypes.c_uint), ("data", ctypes.c_char_p),
                    ("size", ctypes.c_size_t), ("used", ctypes.c_size_t)]

    def made(self, public, private=None):
        """An EVP_PKEY of these encoded keys, or None"""
        unset = ctypes.c_size_t(-1).value
        rows = [self.Param(b"group", 4, b"SM2", 3, unset),
                self.Param(b"pub", 5, public, len(public), unset)]
        if private is not None:
            native = private[::-1]
            rows.append(self.Param(b"priv", 2, native, len(native), unset))
        params = (self.Param * (len(rows) + 1))(*rows, self.Param(None, 0, None, 0, 0))
        ctx = ctypes.c_void_p(self.c.EVP_PKEY_CTX_new_from_name(None, b"SM2", None))
        key = ctypes.c_void_p()
        self.c.EVP_PKEY_fromdata_init(ctx)
        parts = 0x87 if private else 0x86
        ok = self.c.EVP_PKEY_fromdata(ctx, ctypes.byref(key), parts, params) == 1
        self.c.EVP_PKEY_CTX_free(ctx)
        return key if ok else None

    def check_der(self, key, e, der):
        key = self.made(key)
        ctx = ctypes.c_void_p(self.c.EVP_PKEY_CTX_new(key, None))
        ok = self.c.EVP_PKEY_verify_init(ctx) == 1 and self.c.EVP_PKEY_verify(
            ctx, der, ctypes.c_size_t(len(der)), e, ctypes.c_size_t(len(e))) == 1
        self.c.EVP_PKEY_CTX_free(ctx)
        self.c.EVP_PKEY_free(key)
        return ok

    def verify(self, key, e, sig):
        return self.check_der(key, e, der_signature(sig))

    verify_der = check_der

    def verify_message(self, key, identity, msg, sig):
        pkey, md = self.made(key), ctypes.c_void_p(self.c.EVP_MD_CTX_new())
        ctx, der = ctypes.c_void_p(self.c.EVP_PKEY_CTX_new(pkey, None)), der_signature(sig)
        self.c.EVP_MD_CTX_set_pkey_ctx(md, ctx)
        self.c.EVP_PKEY_CTX_set1_id(ctx, identity, ctypes.c_int(len(identity)))
        sm3 = ctypes.c_void_p(self.c.EVP_sm3())
        sizes = ctypes.c_size_t(len(der)), ctypes.c_size_t(len(msg))
        ok = self.c.EVP_DigestVerifyInit(md, None, sm3, None, pkey) == 1
        ok = ok and self.c.EVP_DigestVerify(md, der, sizes[0], msg, sizes[1]) == 1
        self.c.EVP_MD_CTX_free(md)
        self.c.EVP_PKEY_CTX_free(ctx)
        self.c.EVP_PKEY_free(pkey)
        return ok

    def set(self, encoded):
        P = ctypes.c_void_p(self.c.EC_POINT_new(self.group))
        size = ctypes.c_size_t(len(encoded))
        good = self.c.EC_POINT_oct2point(self.group, P, encoded, size, None) == 1
        return P if good and not self.c.EC_POINT_is_at_infinity(self.group, P) else None

    def get(self, P):
        out = ctypes.create_string_buffer(65)
        if self.c.EC_POINT_is_at_infinity(self.group, P):
            return None
        self.c.EC_POINT_point2oct(self.group, P, 4, out, ctypes.c_size_t(65), None)
        return out.raw

    def times(self, k, P=None):
        """k G or k P"""
        k = ctypes.c_void_p(self.c.BN_bin2bn(b32(k % n), 32, None))
        out = ctypes.c_void_p(self.c.EC_POINT_new(self.group))
        if P is None:
            self.c.EC_POINT_mul(self.group, out, k, None, None, None)
        else:
            self.c.EC_POINT_mul(self.group, out, None, P, k, None)
        return out

    def point(self, point):
        P = self.set(point)
        return False if P is None else self.get(P)

    def scalar(self, d):
        public = self.get(self.times(int.from_bytes(d, "big")))
        key = self.made(public or bytes(65), d)
        if not key:
            return False
        ctx = ctypes.c_void_p(self.c.EVP_PKEY_CTX_new(key, None))
        ok = self.c.EVP_PKEY_private_check(ctx) == 1
        self.c.EVP_PKEY_CTX_free(ctx)
        return public if ok else False

    def decrypt_der(self, d, der):
        key = self.made(self.get(self.times(int.from_bytes(d, "big"))), d)
        ctx, size = ctypes.c_void_p(self.c.EVP_PKEY_CTX_new(key, None)), ctypes.c_size_t(4096)
        out = ctypes.create_string_buffer(4096)
        ok = self.c.EVP_PKEY_decrypt_init(ctx) == 1 and self.c.EVP_PKEY_decrypt(
            ctx, out, ctypes.byref(size), der, ctypes.c_size_t(len(der))) == 1
        self.c.EVP_PKEY_CTX_free(ctx)
        self.c.EVP_PKEY_free(key)
        return out.raw[:size.value] if ok else False

    def decrypt(self, d, ct):
        der = der_ciphertext(ct)
        return None if der is None else self.decrypt_der(d, der)

    def exchange(self, initiator, d, r, identity, peer_identity, peer, peer_ephemeral, length):
        """libcrypto has no key exchange of SM2: computed with its points, step by step"""
        R, P = self.set(peer_ephemeral), self.set(peer)
        if R is None or P is None:
            return False
        d, r = int.from_bytes(d, "big"), int.from_bytes(r, "big")
        own, mine = self.get(self.times(d)), self.get(self.times(r))
        t = d + short(numbers(mine[1:])[0]) * r
        sum_ = self.times(short(numbers(peer_ephemeral[1:])[0]), R)
        self.c.EC_POINT_add(self.group, sum_, sum_, P, None)
        U = self.get(self.times(t, sum_))
        if U is None:
            return False
        us, them = z_of(identity, numbers(own[1:])), z_of(peer_identity, numbers(peer[1:]))
        return kdf(U[1:] + (us + them if initiator else them + us), length)


class Botan:
    def __init__(self):
        try:
            import botan3 as botan             # Debian 13
        except ImportError:
            import botan2 as botan
        self.b, self.name = botan, botan.version_string().split("(")[0].strip()
        self.rng = botan.RandomNumberGenerator("system")

    def key(self, key):
        return self.b.PublicKey.load_sm2("sm2p256v1", *(hex(x) for x in numbers(key[1:])))

    def checked(self, key, how, data, sig, der):
        op = self.b.PKVerify(self.key(key), how, der)
        op.update(data)
        return op.check_signature(sig)

    def verify(self, key, e, sig):
        return self.checked(key, ",Raw", e, sig, False)

    def verify_der(self, key, e, der):
        return self.checked(key, ",Raw", e, der, True)

    def verify_message(self, key, identity, msg, sig):
        if not all(32 < c < 127 for c in identity):
            return None                        # Botan takes an identity as text
        return self.checked(key, identity.decode() + ",SM3", msg, sig, False)

    def point(self, point):
        """Loaded from a SubjectPublicKeyInfo"""
        oids = bytes.fromhex("06072a8648ce3d020106082a811ccf5501822d")
        try:
            key = self.b.PublicKey.load(tlv(0x30, tlv(0x30, oids) + tlv(3, b"\0" + point)))
            if not key.check_key(self.rng):
                return False
            return b"\4" + b32(int(key.get_field("public_x"))) + b32(int(key.get_field("public_y")))
        except self.b.BotanException:
            return False

    def scalar(self, d):
        try:
            key = self.b.PrivateKey.load_sm2("sm2p256v1", hex(int.from_bytes(d, "big")))
            if not key.check_key(self.rng):
                return False
            key = key.get_public_key()
            return b"\4" + b32(int(key.get_field("public_x"))) + b32(int(key.get_field("public_y")))
        except self.b.BotanException:
            return False

    def decrypt_der(self, d, der):
        try:
            key = self.b.PrivateKey.load_sm2_enc("sm2p256v1", hex(int.from_bytes(d, "big"))) \
                if hasattr(self.b.PrivateKey, "load_sm2_enc") \
                else self.b.PrivateKey.load_sm2("sm2p256v1", hex(int.from_bytes(d, "big")))
            return bytes(self.b.PKDecrypt(key, "SM3").decrypt(der))
        except self.b.BotanException:
            return False

    def decrypt(self, d, ct):
        der = der_ciphertext(ct)
        return None if der is None else self.decrypt_der(d, der)

    def exchange(self, **_):
        return None


class Gmalg:
    """Pure Python, without DER."""

    def __init__(self):
        import gmalg
        self.g, self.name = gmalg, "gmalg"

    def verify(self, **_):
        return None                            # a digest cannot be given

    verify_der = decrypt_der = verify

    def verify_message(self, key, identity, msg, sig):
        return self.g.SM2(uid=identity, pk=key).verify(msg, sig[:32], sig[32:])

    def point(self, point):
        if len(point) != 65 or point[0] != 4:
            return None                        # it accepts hybrid forms, and raises exceptions
        return point if self.g.SM2().verify_pk(point) else False

    def scalar(self, d):
        return None

    def decrypt(self, d, ct):
        if ct[:1] != b"\4" or len(ct) < 98:
            return None
        try:
            return self.g.SM2(d).decrypt(ct)
        except Exception:                      # it raises several types of its own
            return False

    def exchange(self, initiator, d, r, identity, peer_identity, peer, peer_ephemeral, length):
        own = LIBCRYPTO.get(LIBCRYPTO.times(int.from_bytes(d, "big")))
        me = self.g.SM2(d, identity, own)
        me._core._randint = lambda *_: int.from_bytes(r, "big")
        mode = self.g.KEYXCHG_MODE.INITIATOR if initiator else self.g.KEYXCHG_MODE.RESPONDER
        try:
            _, t = me.begin_key_exchange()
            return me.end_key_exchange(length, t, peer_ephemeral, peer_identity, peer, mode)
        except Exception:
            return False


LIBCRYPTO = LibCrypto()
RESULTS = {"point": ("full", "point"), "scalar": ("public",), "decrypt": ("msg",),
           "decrypt-der": ("msg",), "exchange": ("key",)}


def arguments(kind, case):
    drop = {"id", "ok", "why", "full", "public"} | ({"key"} if kind == "exchange" else set())
    drop |= {"msg"} if kind.startswith("decrypt") else set()
    kept = {k: v for k, v in case.items() if k not in drop}
    return {k: bytes.fromhex(v) if isinstance(v, str) else v for k, v in kept.items()}


def expected(kind, case):
    if not case["ok"] or kind not in RESULTS:
        return case["ok"]
    return bytes.fromhex(next(case[f] for f in RESULTS[kind] if f in case))


def main():
    data, libraries = json.load(open(sys.argv[1])), {"libcrypto": LIBCRYPTO}
    for name, make in (("botan", Botan), ("gmalg", Gmalg)):
        try:
            libraries[name] = make()
        except ImportError:
            print(f"{name} is not installed")
    counts, known, wrong = {}, {}, 0
    for group in data["groups"]:
        kind = group["kind"]
        for case in group["cases"]:
            shared = {k: v for k, v in group.items() if k not in ("kind", "cases")}
            given, right = arguments(kind, shared | case), expected(kind, case)
            for name, library in libraries.items():
                verdict = getattr(library, kind.replace("-", "_"))(**given)
                if verdict is None:
                    continue
                row = counts.setdefault(kind, {}).setdefault(name, [0, 0])
                row[1] += 1
                row[0] += verdict == right
                if verdict != right and (name, kind, case["why"]) in KNOWN:
                    known[name, kind, case["why"]] = known.get((name, kind, case["why"]), 0) + 1
                elif verdict != right:
                    wrong += 1
                    print(f"{name} {library.name}: {kind} {case['id']} ({case['why']}): "
                          f"{verdict!r}")
    print("| kind | cases | " + " | ".join(k.name for k in libraries.values()) + " |")
    print("|---|---" + "|---" * len(libraries) + "|")
    for kind, row in counts.items():
        total = sum(len(g["cases"]) for g in data["groups"] if g["kind"] == kind)
        cells = ["{} of {}".format(*row[k]) if k in row else "-" for k in libraries]
        print(f"| `{kind}` | {total} | {' | '.join(cells)} |")
    for (name, kind, why), count in known.items():
        print(f"{name}: {count} of `{kind}`, {why}: {KNOWN[name, kind, why]}")
    return wrong > 0 or len(libraries) < 2


if __name__ == "__main__":
    sys.exit(main())
