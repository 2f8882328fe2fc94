"""Keys and signatures: SM2, ML-DSA, binary curves; their files."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tongyu
from tongyu import ec2m, mldsa, mp, sm2

SM2_KEY = sm2.SM2PrivateKey.generate()
CURVE = ec2m.Curve.named("sect233r1")
EC_KEY = ec2m.PrivateKey.generate(CURVE)
MLDSA = {
    "44": (mldsa.MLDSA44PrivateKey, mldsa.MLDSA44PublicKey),
    "65": (mldsa.MLDSA65PrivateKey, mldsa.MLDSA65PublicKey),
    "87": (mldsa.MLDSA87PrivateKey, mldsa.MLDSA87PublicKey),
}


# --- SM2 ----------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(
    st.binary(max_size=200), st.binary(max_size=100), st.sampled_from(["der", "raw"]), st.booleans()
)
def test_sm2_sign(data, ident, form, deterministic):
    pub = SM2_KEY.public_key()
    sig = SM2_KEY.sign(data, ident, format=form, deterministic=deterministic)
    pub.verify(sig, data, ident, format=form)
    pub.verifier(ident).verify(sig, data, format=form)
    again = SM2_KEY.sign(data, id=ident, format=form, deterministic=deterministic)
    assert deterministic == (sig == again)
    for other in (
        (sig, data + b"x", ident),
        (sig, data, ident + b"x"),
        (sig[:-1], data, ident),
        (b"", data, ident),
    ):
        with pytest.raises(tongyu.InvalidSignature):
            pub.verify(*other, format=form)


def test_first_error_counts():
    """After a bad argument no code of another one runs."""
    called = []

    class Flag:
        def __bool__(self):
            called.append(self)
            return True

    for sign in (lambda **how: SM2_KEY.sign(b"m", **how),
                 lambda **how: SM2_KEY.sign_digest(bytes(32), **how),
                 lambda **how: EC_KEY.sign(b"m", "sm3", **how)):  # fmt: skip
        with pytest.raises(ValueError, match="not one of"):
            sign(format="hex", deterministic=Flag())
    assert not called
    SM2_KEY.sign(b"m", deterministic=Flag())
    assert len(called) == 1


def test_sm2_ids():
    """No id means the default one; an empty id is not the default."""
    pub = SM2_KEY.public_key()
    pub.verify(SM2_KEY.sign(b"m"), b"m", sm2.DEFAULT_ID)
    pub.verify(SM2_KEY.sign(b"m", None), b"m")
    with pytest.raises(tongyu.InvalidSignature):
        pub.verify(SM2_KEY.sign(b"m", b""), b"m")
    with pytest.raises(ValueError, match="8191"):
        SM2_KEY.sign(b"m", bytes(8192))
    SM2_KEY.sign(b"m", bytes(8191))


def test_sm2_digest():
    digest = bytes(range(32))
    sig = SM2_KEY.sign_digest(digest)
    SM2_KEY.public_key().verify_digest(sig, digest)
    assert SM2_KEY.sign_digest(digest, deterministic=True) == SM2_KEY.sign_digest(
        digest, deterministic=True
    )
    with pytest.raises(tongyu.InvalidSignature):
        SM2_KEY.public_key().verify_digest(sig, bytes(32))
    with pytest.raises(ValueError, match="digest must have 32 bytes"):
        SM2_KEY.sign_digest(b"short")


@settings(max_examples=30)
@given(st.binary(min_size=1, max_size=300), st.sampled_from(["c1c3c2", "c1c2c3", "der"]))
def test_sm2_encrypt(data, form):
    sealed = SM2_KEY.public_key().encrypt(data, form)
    assert SM2_KEY.decrypt(sealed, form) == data
    with pytest.raises((tongyu.InvalidTag, tongyu.FormatError)):
        SM2_KEY.decrypt(sealed[:-1] + bytes([sealed[-1] ^ 1]), form)
    with pytest.raises((tongyu.InvalidTag, tongyu.FormatError)):
        SM2_KEY.decrypt(sealed[:60], form)


def test_sm2_exchange():
    other = sm2.SM2PrivateKey.generate()
    assert SM2_KEY.exchange(other.public_key()) == other.exchange(SM2_KEY.public_key())
    with pytest.raises(TypeError, match="SM2PublicKey"):
        SM2_KEY.exchange(other)
    a = SM2_KEY.key_exchange("initiator", b"Alice")
    b = other.key_exchange("responder", id=b"Bob")
    key = a.finish(other.public_key(), b.ephemeral, 48, b"Bob")
    assert key == b.finish(SM2_KEY.public_key(), a.ephemeral, 48, b"Alice") and len(key) == 48
    a.check(b.confirmation)
    b.check(a.confirmation)
    with pytest.raises(tongyu.InvalidTag):
        a.check(a.confirmation)
    with pytest.raises(tongyu.Error, match="begin another"):
        a.finish(other.public_key(), b.ephemeral)
    a.check(b.confirmation)  # the first key is still valid
    b.check(a.confirmation)
    with pytest.raises(tongyu.InvalidTag):
        a.check(bytes(32))
    fresh = SM2_KEY.key_exchange("initiator")
    with pytest.raises(tongyu.Error, match="finish first"):
        fresh.check(bytes(32))
    with pytest.raises(ValueError, match="role"):
        SM2_KEY.key_exchange("judge")
    with pytest.raises(tongyu.FormatError):
        fresh.finish(other.public_key(), bytes(65))


def test_sm2_scalars():
    assert sm2.SM2PrivateKey.from_scalar(SM2_KEY.scalar()).public_key() == SM2_KEY.public_key()
    number = int.from_bytes(SM2_KEY.scalar(), "big")
    assert sm2.SM2PrivateKey.from_scalar(number).scalar() == SM2_KEY.scalar()
    for bad in (0, -1, 1 << 256, 2**256 - 1, bytes(32)):
        with pytest.raises(tongyu.InvalidKey):
            sm2.SM2PrivateKey.from_scalar(bad)
    for bad in (bytes(33), b""):
        with pytest.raises(ValueError):
            sm2.SM2PrivateKey.from_scalar(bad)
    for bad, error in (
        (bytes(65), tongyu.FormatError),
        (b"\4" + bytes(64), tongyu.InvalidKey),
        (b"", tongyu.FormatError),
    ):
        with pytest.raises(error):
            sm2.SM2PublicKey.from_point(bad)


class Liar(int):
    """An int whose methods lie about its value."""

    def to_bytes(self, *args, **kwargs):
        return b"short"

    def bit_length(self):
        return 1

    def __abs__(self):
        return Liar(1)

    __index__ = __int__ = __neg__ = __abs__


def test_int_subclasses():
    """The value of an int counts; methods of a subclass are not called."""
    for key, from_scalar in (
        (SM2_KEY, lambda d: sm2.SM2PrivateKey.from_scalar(d)),
        (EC_KEY, lambda d: ec2m.PrivateKey.from_scalar(d, CURVE)),
    ):
        number = int.from_bytes(key.scalar(), "big")
        assert from_scalar(Liar(number)).scalar() == key.scalar()
        with pytest.raises(tongyu.InvalidKey):
            from_scalar(Liar(-number))
        with pytest.raises(tongyu.InvalidKey):
            from_scalar(Liar(1 << 600))
    numbers = CURVE.parameters()
    own = ec2m.Curve.from_parameters(**{name: Liar(n) for name, n in numbers.items()})
    assert own.parameters() == numbers
    for n in (5, -(2**70), 2**4000):
        assert mp.Integer(Liar(n)) == n and mp.Integer(0) + Liar(n) == n


def test_public_keys_compare():
    again = sm2.SM2PublicKey.from_pem(SM2_KEY.public_key().public_bytes())
    assert again == SM2_KEY.public_key() and hash(again) == hash(SM2_KEY.public_key())
    assert again != sm2.SM2PrivateKey.generate().public_key() and again != 1
    assert len({again, SM2_KEY.public_key()}) == 1


# --- Files, of all kinds of keys ----------------------------------------------------------------


KEYS = {
    "sm2": SM2_KEY,
    "ml-dsa-44": mldsa.MLDSA44PrivateKey.generate(),
    "ml-dsa-65": mldsa.MLDSA65PrivateKey.generate(),
    "ml-dsa-87": mldsa.MLDSA87PrivateKey.generate(),
    "sect233r1": EC_KEY,
    "c2pnb163v1": ec2m.PrivateKey.generate(ec2m.Curve.named("c2pnb163v1")),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize(
    "password",
    [None, b"", b"password", b"\0\xff" * 50],
    ids=["no password", "empty", "usual", "long"],
)
@pytest.mark.parametrize("prf", ["sm3", "sha256"])
def test_files(key, password, prf):
    for encoding in ("pem", "der"):
        data = key.private_bytes(password, encoding=encoding, iterations=2, prf=prf)
        read = getattr(type(key), f"from_{encoding}")
        assert read(data, password).public_key() == key.public_key()
        other = getattr(type(key), "from_der" if encoding == "pem" else "from_pem")
        with pytest.raises(tongyu.FormatError):
            other(data, password)
        if password is not None:
            with pytest.raises(tongyu.InvalidKey, match="password"):
                read(data)
            with pytest.raises(tongyu.InvalidKey, match="password"):
                read(data, password + b"x")
        for cut in (0, 1, len(data) // 2, len(data) - 2):
            with pytest.raises(tongyu.Error):
                read(data[:cut], password)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_public_files(key):
    pub = key.public_key()
    for encoding in ("pem", "der"):
        read = getattr(type(pub), f"from_{encoding}")
        assert read(pub.public_bytes(encoding)) == pub
        with pytest.raises(tongyu.InvalidKey):
            read(key.private_bytes(encoding=encoding))
        with pytest.raises(tongyu.InvalidKey):
            getattr(type(key), f"from_{encoding}")(pub.public_bytes(encoding))
    with pytest.raises(ValueError):
        pub.public_bytes("hex")


@pytest.mark.parametrize("key", [SM2_KEY, EC_KEY], ids=["sm2", "sect233r1"])
def test_sec1(key):
    assert type(key).from_pem(key.private_bytes(format="sec1")).scalar() == key.scalar()
    with pytest.raises(ValueError, match="sec1"):
        key.private_bytes(b"password", format="sec1")


def test_wrong_algorithm():
    with pytest.raises(tongyu.Error, match="holds something else"):
        sm2.SM2PrivateKey.from_pem(KEYS["ml-dsa-65"].private_bytes())
    with pytest.raises(tongyu.InvalidKey, match="ML-DSA-44"):
        mldsa.MLDSA65PrivateKey.from_pem(KEYS["ml-dsa-44"].private_bytes())
    with pytest.raises(tongyu.Error):
        mldsa.MLDSA65PrivateKey.from_pem(SM2_KEY.private_bytes())


def test_wrong_password_takes_as_long():
    data = SM2_KEY.private_bytes(b"right", iterations=20000)

    def seconds(password):
        start = time.thread_time()
        try:
            sm2.SM2PrivateKey.from_pem(data, password)
        except tongyu.InvalidKey:
            pass
        return time.thread_time() - start

    def ratio():
        pairs = [(seconds(b"right"), seconds(b"wrong")) for _ in range(10)]
        right, wrong = (min(column) for column in zip(*pairs))
        return right / wrong

    # A few attempts, because the machine is shared. If a wrong password took less, all would fail.
    assert any(0.7 < ratio() < 1.4 for _ in range(5))


# --- ML-DSA -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MLDSA)
def test_mldsa(name):
    private, public = MLDSA[name]
    key = private.generate()
    pub = key.public_key()
    signer, verifier = key.signer(), pub.verifier()
    for make in (key, signer):
        for check in (pub, verifier):
            check.verify(make.sign(b"data", b"ctx"), b"data", b"ctx")
            check.verify(make.sign(b"data"), b"data", b"")
            for wrong in ((b"data", b"other"), (b"datum", b"ctx"), (b"data",)):
                with pytest.raises(tongyu.InvalidSignature):
                    check.verify(make.sign(b"data", context=b"ctx"), *wrong)
    assert key.sign(b"m", deterministic=True) == signer.sign(b"m", deterministic=True)
    assert key.sign(b"m") != key.sign(b"m")
    assert private.from_seed_bytes(key.private_bytes_raw()).public_key() == pub
    assert isinstance(pub, public) and len(pub.public_bytes_raw()) == len(pub.public_bytes("raw"))
    with pytest.raises(ValueError, match="255"):
        key.sign(b"", bytes(256))
    with pytest.raises(tongyu.InvalidSignature):
        pub.verify(b"", b"data")


def test_mldsa_mu():
    key = KEYS["ml-dsa-65"]
    mu = key.public_key().mu(b"ctx")
    mu.update(b"da")
    mu.update(bytearray(b"ta"))
    assert mu.digest() == mu.digest() and len(mu.digest()) == 64
    key.public_key().verify(key.sign_mu(mu.digest()), b"data", b"ctx")
    key.public_key().verify_mu(key.sign(b"data", b"ctx"), mu.digest())
    key.signer().sign_mu(mu.digest())
    with pytest.raises(ValueError, match="mu must have 64 bytes"):
        key.sign_mu(bytes(32))


def test_mldsa_prehashed():
    key, digest = KEYS["ml-dsa-44"], tongyu.sm3(b"data").digest()
    sig = key.sign_prehashed(digest, "sm3", b"ctx")
    key.public_key().verify_prehashed(sig, digest, "sm3", b"ctx")
    for wrong in (
        (sig, digest, "sha256", b"ctx"),
        (sig, bytes(32), "sm3", b"ctx"),
        (sig, digest, "sm3"),
    ):
        with pytest.raises(tongyu.InvalidSignature):
            key.public_key().verify_prehashed(*wrong)
    with pytest.raises(ValueError, match="digest must have 64 bytes"):
        key.sign_prehashed(digest, "sha512")
    with pytest.raises(ValueError, match="not one of"):
        key.sign_prehashed(digest, "md5")


def test_mldsa_contents():
    key = KEYS["ml-dsa-87"]
    for content in ("seed", "expanded", "both"):
        again = mldsa.MLDSA87PrivateKey.from_pem(key.private_bytes(content=content))
        assert again.private_bytes_expanded() == key.private_bytes_expanded()
        if content == "expanded":
            with pytest.raises(tongyu.Error, match="seed"):
                again.private_bytes_raw()
            again.private_bytes()
    with pytest.raises(tongyu.InvalidKey):
        mldsa.MLDSA87PrivateKey.from_private_bytes(b"\xff" * 4896)


# --- Binary curves ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sect113r1", "sect233k1", "sect571r1", "c2pnb163v1"])
def test_ec2m(name):
    curve = ec2m.Curve.named(name)
    key, other = ec2m.PrivateKey.generate(curve), ec2m.PrivateKey.generate(curve)
    for form in ("der", "raw"):
        sig = key.sign(b"data", "sha256", format=form)
        key.public_key().verify(sig, b"data", "sha256", format=form)
        key.public_key().verify_digest(sig, tongyu.new("sha256", b"data").digest(), format=form)
        for wrong in (
            (sig, b"datum", "sha256"),
            (sig, b"data", "sm3"),
            (sig[:-1], b"data", "sha256"),
        ):
            with pytest.raises(tongyu.InvalidSignature):
                key.public_key().verify(*wrong, format=form)
    assert key.sign(b"d", "sm3", deterministic=True) == key.sign(b"d", "sm3", deterministic=True)
    assert key.exchange(other.public_key()) == other.exchange(key.public_key())
    assert key.exchange(other.public_key(), cofactor=True) == other.exchange(
        key.public_key(), cofactor=True
    )
    for encoding in ("point", "compressed"):
        assert (
            ec2m.PublicKey.from_point(key.public_key().public_bytes(encoding), curve)
            == key.public_key()
        )
    assert ec2m.PrivateKey.from_scalar(key.scalar(), curve).public_key() == key.public_key()
    sig = key.sign_dstu4145(b"hash of the message")
    key.public_key().verify_dstu4145(sig, b"hash of the message")
    with pytest.raises(tongyu.InvalidSignature):
        key.public_key().verify_dstu4145(sig, b"hash of another one")
    assert key.curve.name == name and name in repr(curve)


def test_ec2m_from_parameters():
    """A curve from parameters works as the named one, lives as long as its keys, and reads
    files."""
    numbers = CURVE.parameters()
    own = ec2m.Curve.from_parameters(**numbers)
    key = ec2m.PrivateKey.from_scalar(EC_KEY.scalar(), own)
    sig = key.sign(b"data", "sm3")
    EC_KEY.public_key().verify(sig, b"data", "sm3")
    data = key.private_bytes()
    del own, key
    back = ec2m.PrivateKey.from_pem(data, curve=ec2m.Curve.from_parameters(**numbers))
    assert back.scalar() == EC_KEY.scalar()
    with pytest.raises(ValueError, match="cannot be used"):
        ec2m.Curve.from_parameters(**{**numbers, "b": 0})
    with pytest.raises(ValueError, match="cannot be used"):
        ec2m.Curve.from_parameters(**{**numbers, "order": numbers["order"] + 2})
    with pytest.raises(ValueError, match="y is below zero"):
        ec2m.Curve.from_parameters(**{**numbers, "y": -1})
    with pytest.raises(ValueError):
        ec2m.Curve.from_parameters(**{**numbers, "polynomial": 1 << 1030})
    with pytest.raises(ValueError):
        ec2m.Curve.from_parameters(**{**numbers, "polynomial": 0})
    with pytest.raises(TypeError, match="x must be an integer"):
        ec2m.Curve.from_parameters(**{**numbers, "x": "1"})


def test_ec2m_curves_compare():
    """Keys on the same curve compare equal, whatever its name; the same name is not enough."""
    numbers = CURVE.parameters()
    p = EC_KEY.public_key().public_bytes("point")
    own = ec2m.Curve.from_parameters(**numbers, name="mine")
    minus = {**numbers, "y": numbers["x"] ^ numbers["y"]}  # the generator -G
    turned = ec2m.Curve.from_parameters(**minus, name="mine")
    same = ec2m.PublicKey.from_point(p, own)
    assert same == EC_KEY.public_key() and hash(same) == hash(EC_KEY.public_key())
    assert same == ec2m.PublicKey.from_point(p, ec2m.Curve.from_parameters(**numbers))
    assert same != ec2m.PublicKey.from_point(p, turned)


def test_ec2m_known_curve_stays():
    """Reading a key on another curve does not change the curve that is passed."""
    numbers = CURVE.parameters()
    for name in (None, "mine"):
        own = ec2m.Curve.from_parameters(**numbers, name=name)
        key = ec2m.PrivateKey.generate(own)
        for other in (ec2m.Curve.named("c2pnb163v1"), ec2m.Curve.named("sect163k1")):
            data = ec2m.PrivateKey.generate(other).private_bytes()
            try:
                assert ec2m.PrivateKey.from_pem(data, curve=own).curve.name == other.name
            except ValueError:
                assert other.name == "c2pnb163v1"  # it would be set up in the curve passed
            assert own.parameters() == numbers and own.name == name
            key.public_key().verify(key.sign(b"data", "sm3"), b"data", "sm3")


@pytest.mark.slow
def test_every_curve():
    for name in ec2m.curves():
        key = ec2m.PrivateKey.generate(ec2m.Curve.named(name))
        again = ec2m.PrivateKey.from_der(key.private_bytes(encoding="der"))
        again.public_key().verify(key.sign(b"data", "sha512"), b"data", "sha512")


def test_ec2m_refuses():
    assert len(ec2m.curves()) == len(set(ec2m.curves())) > 18
    with pytest.raises(ValueError, match="curves()"):
        ec2m.Curve.named("secp256r1")
    with pytest.raises(tongyu.InvalidKey):
        ec2m.PrivateKey.from_scalar(0, CURVE)
    with pytest.raises(tongyu.InvalidKey):
        ec2m.PrivateKey.from_scalar(1 << 300, CURVE)
    other = ec2m.PrivateKey.generate(ec2m.Curve.named("sect233k1"))
    with pytest.raises(ValueError, match="same curve"):
        EC_KEY.exchange(other.public_key())
    with pytest.raises(TypeError, match="curve must be a Curve"):
        ec2m.PrivateKey.generate("sect233r1")
    with pytest.raises(ValueError, match="no digest length"):
        EC_KEY.sign(b"data", "shake_128")
