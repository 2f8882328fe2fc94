"""The project's vector files, through Python."""

from __future__ import annotations

import pytest
from conftest import cases, load, unhex

import tongyu
from tongyu import aead, ec2m, mldsa, modes, sm2
from tongyu.cmac import CMAC, cmac

# --- SM3 ----------------------------------------------------------------------------------------


def test_sm3():
    for case in cases("sm3.json", "SM3"):
        msg, md = unhex(case, "msg", "md")
        assert tongyu.sm3(msg).digest() == md == tongyu.sm3_digest(msg)


def test_sm3_example():
    """GB/T 32905-2016, A.1 and A.2: a test that needs no file."""
    want = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"
    assert tongyu.sm3(b"abc").hexdigest() == want
    want = "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"
    assert tongyu.sm3(b"abcd" * 16).hexdigest() == want


def test_hmac_sm3():
    for case in cases("sm3.json", "HMAC-SM3"):
        key, msg, md = unhex(case, "key", "msg", "md")
        assert tongyu.hmac_sm3(key, msg) == md
        assert tongyu.HMACSM3(key, msg).digest() == md


def test_kdf_sm3():
    for case in cases("sm3.json", "SM2-KDF"):
        z, out = unhex(case, "z", "out")
        assert tongyu.kdf_sm3(z, int(case["len"])) == out


def test_pbkdf2_sm3():
    for case in cases("sm3.json", "PBKDF2-HMAC-SM3"):
        password, salt, out = unhex(case, "pass", "salt", "out")
        assert tongyu.pbkdf2_sm3(password, salt, int(case["iter"]), int(case["len"])) == out


# --- SM4 ----------------------------------------------------------------------------------------

MODES = {
    "SM4-ECB": (modes.ecb, "none"),
    "SM4-ECB-PKCS7": (modes.ecb, "pkcs7"),
    "SM4-CBC": (modes.cbc, "none"),
    "SM4-CBC-PKCS7": (modes.cbc, "pkcs7"),
    "SM4-CFB": (modes.cfb, "none"),
    "SM4-OFB": (modes.ofb, "none"),
    "SM4-CTR": (modes.ctr, "none"),
    "SM4-XTS-IEEE": (modes.xts_ieee, "none"),
    "SM4-XTS-GB": (modes.xts_gb, "none"),
}


@pytest.mark.parametrize("alg", MODES)
def test_sm4_modes(alg):
    make, padding = MODES[alg]
    for case in cases("sm4.json", alg):
        key, iv, pt, ct = unhex(case, "key", "iv", "pt", "ct")
        mode = make(key)
        assert mode.encrypt(pt, iv or None, padding=padding) == ct
        assert mode.decrypt(ct, iv or None, padding=padding) == pt


def test_sm4_example():
    """GB/T 32907-2016, A.1."""
    block = bytes.fromhex("0123456789abcdeffedcba9876543210")
    assert modes.ecb(block).encrypt(block).hex() == "681edf34d206965e86b3e94f536e4246"


@pytest.mark.slow
def test_sm4_million():
    for case in cases("sm4.json", "SM4-ITER1M"):
        key, block, ct = unhex(case, "key", "pt", "ct")
        stream = modes.ecb(key).encryptor()
        for _ in range(1_000_000):
            block = stream.update(block)
        assert block == ct


@pytest.mark.parametrize("alg", ["SM4-GCM", "SM4-CCM"])
def test_sm4_aead(alg):
    make = {"SM4-GCM": aead.SM4GCM, "SM4-CCM": aead.SM4CCM}[alg]
    for case in cases("sm4.json", alg):
        key, iv, aad, pt, ct, tag = unhex(case, "key", "iv", "aad", "pt", "ct", "tag")
        cipher = make(key, len(tag))
        assert cipher.encrypt(iv, pt, aad) == ct + tag
        assert cipher.decrypt(iv, ct + tag, aad) == pt
        for bad in (ct + tag[:-1] + bytes([tag[-1] ^ 1]), b"\0" + ct + tag):
            with pytest.raises(tongyu.InvalidTag):
                cipher.decrypt(iv, bad, aad)


def test_sm4_cmac():
    for case in cases("sm4.json", "SM4-CMAC"):
        key, pt, tag = unhex(case, "key", "pt", "tag")
        assert cmac(key, pt) == tag
        running = CMAC(key)
        running.update(pt[:5])
        running.update(pt[5:])
        running.copy().verify(tag)
        assert running.finalize() == tag


# --- SM2 ----------------------------------------------------------------------------------------


def test_sm2_public_keys():
    for case in cases("sm2.json", "SM2-PUBKEY"):
        d, pub, compressed = unhex(case, "d", "pub", "compressed")
        key = sm2.SM2PrivateKey.from_scalar(d).public_key()
        assert key.public_bytes("point") == pub
        assert key.public_bytes("compressed") == compressed
        assert sm2.SM2PublicKey.from_point(compressed) == key
        assert sm2.SM2PublicKey.from_point(pub[1:]) == key


def test_sm2_signatures():
    for case in cases("sm2.json", "SM2-SIGN"):
        d, pub, ident, msg, e, r, s, der = unhex(
            case, "d", "pub", "id", "msg", "e", "r", "s", "der"
        )
        key = sm2.SM2PublicKey.from_point(pub)
        raw = r.rjust(32, b"\0") + s.rjust(32, b"\0")
        key.verify(der, msg, ident)
        key.verify(raw, msg, ident, format="raw")
        key.verify_digest(raw, e, format="raw")
        key.verifier(ident).verify(der, msg)
        own = sm2.SM2PrivateKey.from_scalar(d)
        key.verify(own.sign(msg, ident), msg, ident)
        with pytest.raises(tongyu.InvalidSignature):
            key.verify(der, msg + b"\0", ident)


def test_sm2_example():
    """GB/T 32918.5, A.2."""
    point = (
        "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
        "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13"
    )
    r = "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
    s = "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa"
    key = sm2.SM2PublicKey.from_point(bytes.fromhex(point))
    key.verify(bytes.fromhex(r + s), b"message digest", format="raw")


def test_sm2_encryption():
    for case in cases("sm2.json", "SM2-ENC"):
        d, msg, c1, c2, c3 = unhex(case, "d", "msg", "c1", "c2", "c3")
        key = sm2.SM2PrivateKey.from_scalar(d)
        assert key.decrypt(c1 + c3 + c2) == msg
        assert key.decrypt(c1 + c2 + c3, "c1c2c3") == msg
        with pytest.raises(tongyu.InvalidTag):
            key.decrypt(c1 + c3 + c2[:-1] + bytes([c2[-1] ^ 1]))


def test_sm2_ecdh():
    for case in cases("sm2.json", "SM2-ECDH"):
        d, peer, shared = unhex(case, "d", "peer", "shared")
        key = sm2.SM2PrivateKey.from_scalar(d)
        assert key.exchange(sm2.SM2PublicKey.from_point(peer)) == shared[1:33]


# --- ML-DSA -------------------------------------------------------------------------------------

SETS = {
    "ML-DSA-44": (mldsa.MLDSA44PrivateKey, mldsa.MLDSA44PublicKey),
    "ML-DSA-65": (mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey),
    "ML-DSA-87": (mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey),
}
HASHES = {
    "SHA2-224": "sha224",
    "SHA2-256": "sha256",
    "SHA2-384": "sha384",
    "SHA2-512": "sha512",
    "SHA2-512/224": "sha512_224",
    "SHA2-512/256": "sha512_256",
    "SHA3-224": "sha3_224",
    "SHA3-256": "sha3_256",
    "SHA3-384": "sha3_384",
    "SHA3-512": "sha3_512",
    "SHAKE-128": "shake_128",
    "SHAKE-256": "shake_256",
}


def prehash(name: str, message: bytes) -> bytes:
    running = tongyu.new(HASHES[name], message)
    if isinstance(running, tongyu.Xof):
        return running.digest(32 if name == "SHAKE-128" else 64)
    return running.digest()


def internal_mu(public: bytes, message: bytes) -> bytes:
    """The mu of the standard's internal functions: no context, no prefix."""
    tr = tongyu.shake_256(public).digest(64)
    return tongyu.shake_256(tr + message).digest(64)


def groups(name: str):
    for group in load(f"mldsa/ML-DSA-{name}-FIPS204.json.gz")["testGroups"]:
        yield group, *SETS[group["parameterSet"]]


def test_mldsa_keygen():
    for group, private, public in groups("keyGen"):
        for case in group["tests"]:
            seed, pk, sk = unhex(case, "seed", "pk", "sk")
            key = private.from_seed_bytes(seed)
            assert key.public_key().public_bytes_raw() == pk
            assert key.private_bytes_expanded() == sk
            assert key.private_bytes_raw() == seed
            assert public.from_public_bytes(pk) == key.public_key()


def test_mldsa_siggen():
    """Deterministic signatures are equal byte for byte; randomized ones verify."""
    for group, private, _ in groups("sigGen"):
        deterministic = group["deterministic"]
        for case in group["tests"]:
            sk, want = unhex(case, "sk", "signature")
            key = private.from_private_bytes(sk)
            pub = key.public_key()
            if group["signatureInterface"] == "internal":
                mu = (
                    bytes.fromhex(case["mu"])
                    if group["externalMu"]
                    else internal_mu(pub.public_bytes_raw(), bytes.fromhex(case["message"]))
                )
                pub.verify_mu(want, mu)
                assert not deterministic or key.sign_mu(mu, deterministic=True) == want
                continue
            msg, ctx = unhex(case, "message", "context")
            if group["preHash"] == "pure":
                pub.verify(want, msg, ctx)
                assert not deterministic or key.sign(msg, ctx, deterministic=True) == want
                assert not deterministic or key.signer().sign(msg, ctx, deterministic=True) == want
            else:
                digest, name = prehash(case["hashAlg"], msg), HASHES[case["hashAlg"]]
                pub.verify_prehashed(want, digest, name, ctx)
                made = key.sign_prehashed(digest, name, ctx, deterministic=True)
                assert not deterministic or made == want


def test_mldsa_sigver():
    for group, _, public in groups("sigVer"):
        for case in group["tests"]:
            pk, sig = unhex(case, "pk", "signature")
            pub = public.from_public_bytes(pk)
            if "mu" in case:
                call = lambda: pub.verify_mu(sig, bytes.fromhex(case["mu"]))
            elif group["signatureInterface"] == "internal":
                mu = internal_mu(pk, bytes.fromhex(case["message"]))
                call = lambda: pub.verifier().verify_mu(sig, mu)
            elif group["preHash"] == "pure":
                msg, ctx = unhex(case, "message", "context")
                call = lambda: pub.verify(sig, msg, ctx)
            else:
                msg, ctx = unhex(case, "message", "context")
                digest, name = prehash(case["hashAlg"], msg), HASHES[case["hashAlg"]]
                call = lambda: pub.verify_prehashed(sig, digest, name, ctx)
            if case["testPassed"]:
                call()
            else:
                with pytest.raises(tongyu.InvalidSignature):
                    call()


# --- Binary curves ------------------------------------------------------------------------------


def test_ec2m():
    """ECDH and ECDSA on the 18 curves of SEC 2; ECDH also on each curve set up from parameters."""
    for item in load("gf2m/binary_curves_a.json")["curves"]:
        curve = ec2m.Curve.named(item["curve"])
        again = ec2m.Curve.from_parameters(**curve.parameters())
        assert curve.oid == item["oid"] and curve.field_bits == int(item["m"])
        assert curve.parameters() == again.parameters()
        assert curve.parameters()["order"] == int(item["n"], 16)
        for case in item["ecdsa"]:
            check_ecdsa(case, curve)
        for case in item["ecdh"]:
            check_ecdh(case, curve, again)


def check_ecdsa(case, curve):
    q, digest = (bytes.fromhex(case[name]) for name in ("q", "digest"))
    size = curve.order_size
    try:
        pub = ec2m.PublicKey.from_point(q, curve)
        raw = b"".join(int(case[x], 16).to_bytes(size, "big") for x in ("r", "s"))
        pub.verify_digest(raw, digest, format="raw")
        assert case["result"] == "valid", case
    except (tongyu.Error, OverflowError):
        assert case["result"] == "invalid", case


def check_ecdh(case, *curves):
    """Points of the subgroup in a strict encoding give the secret; all others are refused."""
    good = case["in_subgroup"] and not case["infinity"] and case["peer"][:2] in ("02", "03", "04")
    for curve in curves:
        try:
            pub = ec2m.PublicKey.from_point(bytes.fromhex(case["peer"]), curve)
            key = ec2m.PrivateKey.from_scalar(int(case["d"], 16), curve)
            assert key.exchange(pub).hex() == case["x"]
            assert key.exchange(pub, cofactor=True).hex() == case["x_cofactor"]
            assert good, case
        except tongyu.Error:
            assert not good, case
