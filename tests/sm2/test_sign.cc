// SM2 signatures: examples and vectors, signatures that are refused, nonces.
#include "sm2/sm2_support.hpp"

static Bytes sign_with(const Bytes &e, const ty_sm2_key &key, const Bytes &k)
{
    Bytes sig(64);
    EXPECT_EQ(ty_sm2_sign_with_nonce(sig.data(), e.data(), &key, k.data(), nullptr), 1);
    return sig;
}

static Bytes digest(const Bytes &msg, const Bytes &id, const ty_sm2_pub &pub)
{
    Bytes e(32);
    ty_sm3 h;
    EXPECT_EQ(ty_sm2_hash_init(&h, id.data(), id.size(), &pub), TY_OK);
    ty_sm3_update(&h, msg.data(), msg.size());
    ty_sm3_final(e.data(), &h);
    return e;
}

static ty_err verify(const Bytes &sig, const Bytes &msg, const Bytes &id, const ty_sm2_pub &pub)
{
    return ty_sm2_verify(sig.data(), msg.data(), msg.size(), id.data(), id.size(), &pub);
}

static ty_err verify_e(const Bytes &sig, const Bytes &e, const ty_sm2_pub &pub)
{
    return ty_sm2_verify_digest(sig.data(), e.data(), &pub);
}

// GB/T 32918.5-2017, A.2
static const char D[] = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";
static const char K[] = "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21";
static const char Z[] = "b2e14c5c79c6df5b85f4fe7ed8db7a262b9da7e07ccb0ea9f4747b8ccda8a4f3";
static const char E[] = "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640";
static const char SIG[] = "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
                          "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa";

TEST(Sm2Sign, StandardExample)
{
    const Bytes msg = bytes("message digest");
    each_tier([&] {
        const ty_sm2_key key = key_of(unhex(D));
        Bytes z(32);
        EXPECT_EQ(ty_sm2_z(z.data(), ID.data(), ID.size(), &key.pub), TY_OK);
        EXPECT_EQ(hex(z), Z);
        EXPECT_EQ(hex(digest(msg, ID, key.pub)), E);
        EXPECT_EQ(hex(sign_with(unhex(E), key, unhex(K))), SIG);
        EXPECT_EQ(verify(unhex(SIG), msg, ID, key.pub), TY_OK);
    });
}

TEST(Sm2Sign, SharedVectors)
{
    each_tier([&] {
        each_vector("SM2-SIGN", 1, 24, [&](const Json &v) {
            const ty_sm2_key key = key_of(field(v, "d"));
            const Bytes msg = field(v, "msg"), id = field(v, "id");
            const Bytes sig = cat({field(v, "r"), field(v, "s")});
            Bytes z(32);
            EXPECT_EQ(pub_bytes(key.pub), field(v, "pub"));
            EXPECT_EQ(ty_sm2_z(z.data(), id.data(), id.size(), &key.pub), TY_OK);
            EXPECT_EQ(z, field(v, "z"));
            EXPECT_EQ(digest(msg, id, key.pub), field(v, "e"));
            EXPECT_EQ(sign_with(field(v, "e"), key, field(v, "k")), sig);
            EXPECT_EQ(verify(sig, msg, id, key.pub), TY_OK);
        });
    });
}

// Signatures made with the public call verify, differ from call to call, and are the same on every
// tier.
TEST(Sm2Sign, SignsAndVerifies)
{
    std::vector<Bytes> by_tier;
    each_tier([&] {
        TestRng r(11);
        const ty_rng rng = r.ty();
        for (size_t len : {0, 1, 31, 32, 33, 64, 200}) {
            ty_sm2_key key;
            ASSERT_EQ(ty_sm2_keygen(&key, &rng), TY_OK);
            const Bytes msg = r.bytes(len), id = r.bytes(len % 40);
            Guarded sig(64), again(64);
            ASSERT_EQ(ty_sm2_sign(sig.data(), msg.data(), len, id.data(), id.size(), &key, &rng),
                      TY_OK);
            ASSERT_EQ(ty_sm2_sign(again.data(), msg.data(), len, id.data(), id.size(), &key, &rng),
                      TY_OK);
            EXPECT_NE(hex(sig.data(), 64), hex(again.data(), 64))
                << "fresh randomness, fresh nonce";
            EXPECT_EQ(ty_sm2_verify(sig.data(), msg.data(), len, id.data(), id.size(), &key.pub),
                      TY_OK);
            EXPECT_EQ(ty_sm2_verify(again.data(), msg.data(), len, id.data(), id.size(), &key.pub),
                      TY_OK);
            by_tier.push_back(Bytes(sig.data(), sig.data() + 64));
        }
    });
    for (size_t i = 7; i < by_tier.size(); i++) EXPECT_EQ(by_tier[i], by_tier[i % 7]);
}

TEST(Sm2Sign, NullWithLengthZero)
{
    const ty_sm2_key key = key_of(unhex(D));
    TestRng r;
    const ty_rng rng = r.ty();
    Bytes sig(64);
    ASSERT_EQ(ty_sm2_sign(sig.data(), nullptr, 0, nullptr, 0, &key, &rng), TY_OK);
    EXPECT_EQ(ty_sm2_verify(sig.data(), nullptr, 0, nullptr, 0, &key.pub), TY_OK);
    EXPECT_EQ(verify(sig, {}, ID, key.pub), TY_ERR_VERIFY)
        << "an empty identity is not the default one";
}

TEST(Sm2Sign, IdentityLengths)
{
    const ty_sm2_key key = key_of(unhex(D));
    TestRng r;
    const ty_rng rng = r.ty();
    const Bytes id(8192, 'i'), msg = bytes("m");
    Bytes sig(64, 0xAA), z(32, 0xAA);
    for (size_t len : {0, 1, 31, 32, 8190, 8191}) {
        ASSERT_EQ(ty_sm2_sign(sig.data(), msg.data(), 1, id.data(), len, &key, &rng), TY_OK) << len;
        EXPECT_EQ(ty_sm2_verify(sig.data(), msg.data(), 1, id.data(), len, &key.pub), TY_OK);
        EXPECT_EQ(ty_sm2_verify(sig.data(), msg.data(), 1, id.data(), len ^ 1, &key.pub),
                  TY_ERR_VERIFY);
    }
    z.assign(32, 0xAA);
    EXPECT_EQ(ty_sm2_sign(sig.data(), msg.data(), 1, id.data(), 8192, &key, &rng), TY_ERR_SIZE);
    EXPECT_EQ(sig, Bytes(64)) << "zeroed";
    EXPECT_EQ(ty_sm2_verify(sig.data(), msg.data(), 1, id.data(), 8192, &key.pub), TY_ERR_SIZE);
    EXPECT_EQ(ty_sm2_z(z.data(), id.data(), 8192, &key.pub), TY_ERR_SIZE);
    EXPECT_EQ(z, Bytes(32, 0xAA)) << "untouched";
    ty_sm3 h;
    EXPECT_EQ(ty_sm2_hash_init(&h, id.data(), 8192, &key.pub), TY_ERR_SIZE);
}

// A changed bit of r, s or e, another message and another key are refused; so are r and s outside
// [1, n-1], before any arithmetic.
TEST(Sm2Verify, RefusesWhatIsNotASignature)
{
    const Bytes msg = bytes("message digest"), n = unhex(N_HEX), good = unhex(SIG), e = unhex(E);
    each_tier([&] {
        const ty_sm2_pub pub = key_of(unhex(D)).pub, other = key_of(number(5)).pub;
        for (size_t bit = 0; bit < 512; bit += 3) {
            Bytes bad = good;
            bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
            EXPECT_EQ(verify_e(bad, e, pub), TY_ERR_VERIFY) << bit;
        }
        for (size_t bit = 0; bit < 256; bit += 3) {
            Bytes bad = e;
            bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
            EXPECT_EQ(verify_e(good, bad, pub), TY_ERR_VERIFY) << bit;
        }
        EXPECT_EQ(verify_e(good, plus(e, 1), pub), TY_ERR_VERIFY)
            << "r and e + x differ in the last byte only";
        EXPECT_EQ(verify(good, bytes("message digesu"), ID, pub), TY_ERR_VERIFY);
        EXPECT_EQ(verify(good, msg, bytes("1234567812345679"), pub), TY_ERR_VERIFY);
        EXPECT_EQ(verify(good, msg, ID, other), TY_ERR_VERIFY);
        const Bytes r(good.begin(), good.begin() + 32), s(good.begin() + 32, good.end());
        const Bytes outside[] = {number(0), n, plus(n, 1), Bytes(32, 0xff)};
        for (const Bytes &x : outside) {
            EXPECT_EQ(verify_e(cat({x, s}), e, pub), TY_ERR_VERIFY) << hex(x);
            EXPECT_EQ(verify_e(cat({r, x}), e, pub), TY_ERR_VERIFY) << hex(x);
        }
        // r + s = n makes t = 0: the sum would not depend on the key
        Bytes minus_r(32);
        ty_n_sm2_best()->sub(minus_r.data(), number(0).data(), r.data());
        EXPECT_EQ(verify_e(cat({r, minus_r}), e, pub), TY_ERR_VERIFY);
        ty_sm2_pub off = pub;
        off.y[31] ^= 1;
        EXPECT_EQ(verify_e(good, e, off), TY_ERR_KEY);
        EXPECT_EQ(verify_e(good, e, ty_sm2_pub{}), TY_ERR_KEY);
    });
}

// r and s above n would satisfy the equation if they were reduced first: with r + n, which is below
// 2^256 for a small r, the signature must not pass.
TEST(Sm2Verify, NoSecondFormOfASignature)
{
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    const ty_sm2_key key = key_of(unhex(D));
    // choose e so that r = 5:  r = e + x1
    Bytes xy(64), x1(32), e(32);
    ty_ec_sm2_best()->mul_base(xy.data(), unhex(K).data());
    n->reduce(x1.data(), xy.data());
    n->sub(e.data(), number(5).data(), x1.data());
    const Bytes sig = sign_with(e, key, unhex(K));
    EXPECT_EQ(Bytes(sig.begin(), sig.begin() + 32), number(5));
    EXPECT_EQ(verify_e(sig, e, key.pub), TY_OK);
    EXPECT_EQ(
        verify_e(cat({ plus(unhex(N_HEX), 5), Bytes(sig.begin() + 32, sig.end()) }), e, key.pub),
        TY_ERR_VERIFY);
}

// For any r and s there is an e that satisfies the equation: r - x(sG + (r + s)P). So each range is
// tested with nothing else wrong, and a missing check is noticed.
TEST(Sm2Verify, TheRangesAlone)
{
    const Bytes n_bytes = unhex(N_HEX), last = plus(n_bytes, -1);
    each_tier([&] {
        const ty_n_sm2_ops *n = ty_n_sm2_best();
        const ty_sm2_pub pub = key_of(unhex(D)).pub;
        const Bytes xy = pub_bytes(pub);
        auto solved = [&](const Bytes &r, const Bytes &s) {
            Bytes t(32), point(64), e(32);
            n->add(t.data(), r.data(), s.data());
            EXPECT_NE(ty_ec_sm2_best()->mul_add_vt(point.data(), s.data(), t.data(), xy.data() + 1),
                      0u);
            n->sub(e.data(), r.data(), point.data());
            return verify_e(cat({r, s}), e, pub);
        };
        const struct { Bytes r, s; bool good;
        } rows[] = {
            { number(1), number(1), true },
            { last, number(2), true },
            { number(2), last, true },
            { last, last, true },
            { unhex(K), number(1), true },
            { number(1), unhex(K), true },
            // r or s = 0
            { number(0), number(5), false },
            { number(5), number(0), false },
            // r or s = n
            { n_bytes, number(5), false },
            { number(5), n_bytes, false },
            // a second form of 5
            { plus(n_bytes, 5), number(3), false },
            { number(3), plus(n_bytes, 5), false },
            // the largest numbers
            { Bytes(32, 0xff), number(3), false },
            { number(3), Bytes(32, 0xff), false },
            // t = r + s = 0
            { number(1), last, false },
            { last, number(1), false },
            { number(5), plus(n_bytes, -5), false },
        };
        for (const auto &row : rows)
            EXPECT_EQ(solved(row.r, row.s), row.good ? TY_OK : TY_ERR_VERIFY)
                << hex(row.r) << " " << hex(row.s);
    });
}

// sG + tP = infinity: choose t, s = -t d. No signature can have it as its R.
TEST(Sm2Verify, InfinityIsRefused)
{
    each_tier([&] {
        const ty_n_sm2_ops *n = ty_n_sm2_best();
        const ty_sm2_key key = key_of(unhex(D));
        const Bytes t = unhex(K);
        Bytes s(32), r(32), e(32);
        n->mul(s.data(), t.data(), key.d);
        n->sub(s.data(), number(0).data(), s.data());
        n->sub(r.data(), t.data(), s.data());
        for (const Bytes &guess : { r, number(0), number(1) })
            EXPECT_EQ(verify_e(cat({ r, s }), guess, key.pub), TY_ERR_VERIFY);
    });
}

// The three cases in which the standard draws another k (r = 0, r + k = n, s = 0), forced by the
// choice of e: k is rejected, and k2 is used.
TEST(Sm2Sign, RetriesWhereTheStandardSays)
{
    const Bytes k = unhex(K), k2 = number(77), n_bytes = unhex(N_HEX);
    each_tier([&] {
        const ty_n_sm2_ops *n = ty_n_sm2_best();
        const ty_sm2_key key = key_of(unhex(D));
        Bytes xy(64), x1(32), r(32), e[3] = {Bytes(32), Bytes(32), Bytes(32)};
        ty_ec_sm2_best()->mul_base(xy.data(), k.data());
        n->reduce(x1.data(), xy.data());
        n->sub(e[0].data(), number(0).data(), x1.data());            // r = 0
        n->sub(e[1].data(), e[0].data(), k.data());                  // r = -k
        n->inv(r.data(), key.d);
        n->mul(r.data(), r.data(), k.data());
        n->sub(e[2].data(), r.data(), x1.data());                    // r = k/d, s = 0
        for (const Bytes &digest : e) {
            Bytes sig(64, 0xAA), want(64);
            EXPECT_EQ(
                ty_sm2_sign_with_nonce(sig.data(), digest.data(), &key, k.data(), nullptr), 0);
            EXPECT_EQ(sig, Bytes(64, 0xAA));
            EXPECT_EQ(
                ty_sm2_sign_with_nonce(want.data(), digest.data(), &key, k2.data(), nullptr), 1);
            // nonces out of range are rejected, too
            ScriptRng script(cat({number(0), k, n_bytes, k, Bytes(32, 0xff), k2, k}));
            const ty_rng rng = script.ty();
            EXPECT_EQ(ty_sm2_sign_from(sig.data(), digest.data(), &key, &rng), TY_OK);
            EXPECT_EQ(script.used, 6 * 32u);
            EXPECT_EQ(sig, want);
            EXPECT_EQ(verify_e(sig, digest, key.pub), TY_OK);
            ScriptRng stuck([&] {
                Bytes s;
                for (int i = 0; i < 200; i++) s.insert(s.end(), k.begin(), k.end());
                return s;
            }());
            const ty_rng stuck_rng = stuck.ty();
            EXPECT_EQ(ty_sm2_sign_from(sig.data(), digest.data(), &key, &stuck_rng), TY_ERR_RNG)
                << "does not loop for ever";
            EXPECT_EQ(sig, Bytes(64));
        }
    });
}

// k = 1 and k = n - 1 are nonces like all others.
TEST(Sm2Sign, RangeOfTheNonce)
{
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes e = unhex(E);
    for (const Bytes &k : {number(1), plus(unhex(N_HEX), -1)}) {
        ScriptRng script(cat({k, unhex(K)}));
        const ty_rng rng = script.ty();
        Bytes sig(64);
        ASSERT_EQ(ty_sm2_sign_from(sig.data(), e.data(), &key, &rng), TY_OK);
        EXPECT_EQ(script.used, 32u);
        EXPECT_EQ(sig, sign_with(e, key, k));
        EXPECT_EQ(verify_e(sig, e, key.pub), TY_OK);
    }
}

TEST(Sm2Sign, NoncesAreHedged)
{
    const ty_sm2_key key = key_of(unhex(D)), other = key_of(number(9));
    const Bytes e = unhex(E), e2 = plus(e, 1);
    // A source that always returns the same bytes: different messages and keys still get different
    // nonces
    ty_rng constant = { [](void *, uint8_t *o, size_t n) {
                           std::memset(o, 0x42, n);
                           return TY_OK;
                       },
                        nullptr };
    Bytes a(64), b(64), c(64), d(64), same(64);
    ASSERT_EQ(ty_sm2_sign_digest(a.data(), e.data(), &key, &constant), TY_OK);
    ASSERT_EQ(ty_sm2_sign_digest(same.data(), e.data(), &key, &constant), TY_OK);
    ASSERT_EQ(ty_sm2_sign_digest(b.data(), e2.data(), &key, &constant), TY_OK);
    ASSERT_EQ(ty_sm2_sign_digest(c.data(), e.data(), &other, &constant), TY_OK);
    EXPECT_EQ(a, same);
    // r - e = x1 mod n: equal nonces would show as equal differences
    auto x1 = [](const Bytes &sig, const Bytes &digest) {
        Bytes t(32), x(32);
        ty_n_sm2_best()->reduce(t.data(), digest.data());
        ty_n_sm2_best()->sub(x.data(), sig.data(), t.data());
        return x;
    };
    EXPECT_NE(x1(a, e), x1(b, e2));
    EXPECT_NE(x1(a, e), x1(c, e));
    TestRng r(3);
    const ty_rng fresh = r.ty();
    ASSERT_EQ(ty_sm2_sign_digest(d.data(), e.data(), &key, &fresh), TY_OK);
    EXPECT_NE(x1(a, e), x1(d, e));
    // The streams of nonces, computed here step by step: hashes of inputs of one length, and the
    // HMAC-DRBG of RFC 6979 with SM3
    ty_sm2_nonces nonces;
    const Bytes fresh32(32, 0x42);
    ty_sm2_nonces_init(&nonces, e.data(), &key, fresh32.data());
    ty_rng stream = ty_sm2_nonces_rng(&nonces);
    Bytes got(32), want(32);
    for (uint8_t i = 0; i < 3; i++) {
        const Bytes m = cat({fresh32, unhex(D), e, bytes("tongyu sm2 nonce"), {i}});
        ty_sm3_hash(want.data(), m.data(), m.size());
        ASSERT_EQ(stream.fill(stream.ctx, got.data(), 32), TY_OK);
        EXPECT_EQ(got, want) << i;
        if (i == 0) {
            EXPECT_EQ(sign_with(e, key, want), a) << "the first nonce of the stream is used";
        }
    }
    EXPECT_EQ(stream.fill(stream.ctx, got.data(), 16), TY_ERR_ARG);
    auto hmac = [](const Bytes &k, const Bytes &m) {
        Bytes out(32);
        ty_hmac_sm3_mac(out.data(), m.data(), m.size(), k.data(), k.size());
        return out;
    };
    ty_sm2_nonces_init(&nonces, e.data(), &key, nullptr);
    stream = ty_sm2_nonces_rng(&nonces);
    Bytes K0(32, 0), V(32, 1);
    for (uint8_t tag : {0, 1}) {
        K0 = hmac(K0, cat({V, {tag}, unhex(D), e}));
        V = hmac(K0, V);
    }
    for (int i = 0; i < 3; i++) {
        V = hmac(K0, V);
        ASSERT_EQ(stream.fill(stream.ctx, got.data(), 32), TY_OK);
        EXPECT_EQ(got, V) << i;
        K0 = hmac(K0, cat({V, {0}}));
        V = hmac(K0, V);
    }
    EXPECT_EQ(stream.fill(stream.ctx, got.data(), 16), TY_ERR_ARG);
}

TEST(Sm2Sign, RandomSourceFails)
{
    const ty_sm2_key key = key_of(unhex(D));
    FailingRng dead(0), once(1);
    ty_rng rng = dead.ty();
    Bytes sig(64, 0xAA);
    EXPECT_EQ(ty_sm2_sign(sig.data(), nullptr, 0, ID.data(), ID.size(), &key, &rng), TY_ERR_RNG);
    EXPECT_EQ(sig, Bytes(64)) << "zeroed";
    rng = once.ty();
    EXPECT_EQ(ty_sm2_sign(sig.data(), nullptr, 0, ID.data(), ID.size(), &key, &rng), TY_OK)
        << "one call is enough";
    EXPECT_EQ(once.calls, 1);
}

TEST(Sm2Sign, SignatureMayOverlapDigest)
{
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes e = unhex(E);
    for (size_t at : {0, 16, 32}) {
        TestRng r1(5), r2(5);
        ty_rng rng1 = r1.ty(), rng2 = r2.ty();
        Bytes want(64), buf(64);
        std::memcpy(buf.data() + at, e.data(), 32);
        ASSERT_EQ(ty_sm2_sign_digest(want.data(), e.data(), &key, &rng1), TY_OK);
        ASSERT_EQ(ty_sm2_sign_digest(buf.data(), buf.data() + at, &key, &rng2), TY_OK);
        EXPECT_EQ(buf, want) << at;
    }
}

// Known answers: the nonces of RFC 6979, and hedged ones with the 32 bytes 00 01 ... 1f. Computed
// by tests/sm2/reference.py, which shares nothing with the library.
static const struct { const char *d, *e; size_t fresh; const char *sig; } SEEDED[] = {
    {"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640", 0,
     "24858ee71d63e687feefe41f5af80a59f0791eb1dabc2bbe71daf0e57f06c367"
     "3d15550de52785a435004c937256ac715c0e04176ac57062c6722fa692f7a491"},
    {"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640", 32,
     "2ed5101a4a2cf2710b6872cfa3009353c60b9b86deb2bc9ec2d80ba6c32d0363"
     "bb6dfe3dbe45dc506e65563c70182b0df5b6135e71d456c7f087458bf884c43b"},
    {"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "0000000000000000000000000000000000000000000000000000000000000000", 0,
     "b0e98faf177f50f5c31c99d28b1f8a8a2d4ffdb08337c9cd9c4826dc7f384d9a"
     "11b6268708f7939121f196d5cbba85cb094d61a6ff39036072a87b432776bcf0"},
    {"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54122", 0,
     "e8f44670396a025e4495804d71a35211e56ed59288a41561073165cfa616711e"
     "06f0c92caf74116063a982531152f9e8ec1759bb3d43559db46be01906e04d90"},
    {"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123", 0,
     "b0e98faf177f50f5c31c99d28b1f8a8a2d4ffdb08337c9cd9c4826dc7f384d9a"
     "11b6268708f7939121f196d5cbba85cb094d61a6ff39036072a87b432776bcf0"},
    {"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 0,
     "8e7e391d601eeca062309385fe7fc9d6ea54d045c68becb0bb3aebdd8b976069"
     "b8ace6ef0aaa0f949536058f4d6fa108a2e0d343ad42af02bfc7b11300db2d38"},
    {"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8",
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 32,
     "7e09b6bc1e63b532a5b1853f6d6f4d35da4e7afa1a9f50e48d03df932de76693"
     "9dd9d7f0c294ea9ab48d3e488319dbf0eb33f01060c4f3c626588e58ea0af529"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640", 0,
     "146ce8f0a7f117209b1888d94c724ebaf86a43889a4364c6f75239b27e7380b4"
     "dde567388d613573eda89310dfe18a72b59dd322563c4e37683914978f50e0bb"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640", 32,
     "10c2e122540a62963689b4cc371f396cbc0459367513c8159a88af054a722d89"
     "23a868dbe941da8805fc574784119ed671879e4bd4bc50e6a6006211c812eddf"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "0000000000000000000000000000000000000000000000000000000000000000", 0,
     "d34de6585ddfcfc773a90a86c69b95238cbd7be87a3814840ff799e403087ff1"
     "4eb0a6134b282eeed1e9317098f4d0f9d26b95e922c835c79b71abe354f6cf93"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54122", 0,
     "8ecf49a9d260b6fd2173353ffd5fd2269608570e92a5cee7bf9f25a90bfec493"
     "659f81260cf38ef2223b0c99d10abe84e75fcddedfda8f7a785a8c6af44d651f"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123", 0,
     "d34de6585ddfcfc773a90a86c69b95238cbd7be87a3814840ff799e403087ff1"
     "4eb0a6134b282eeed1e9317098f4d0f9d26b95e922c835c79b71abe354f6cf93"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 0,
     "f5772be841a4303972645b853f6e796148da6a291f34cff77f46ba85c7f7508e"
     "a1e76070f59f08fd3ba143957cb137e1825a0b0c728503151cfdbe265a15221a"},
    {"0000000000000000000000000000000000000000000000000000000000000001",
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 32,
     "8c0c69d1d2a02df2f813e62584a7f69ded0d3cb18b249de73d92d46839fe1e88"
     "c1cce59a63538e251a96f0c139cf7eeee68bbe2b61e2730df64625ccd1eb5bc6"},
    {"fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
     "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640", 0,
     "d9414acfdfce1a6d4044d99fb9c51a25ef22fb90e271cb2a27ecdf96bd5e3c12"
     "d303ff9f5a60b3dcf4ca0eacc31e14ddb72507a9c39ac1c743b0d5733a3cc74b"},
    {"fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
     "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640", 32,
     "ac4bf535dabdf6301dbc901b4540e41df1ba6d9fe5da500e1f7af6aff754c855"
     "4788358fc0d96466b8b875ece16e195ee7352224703780c6ab9dc6fc6aa9d08c"},
    {"fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
     "0000000000000000000000000000000000000000000000000000000000000000", 0,
     "ec6d505b71f456ca52413c516cda2da2662024aea441ee577bb83046dc02466f"
     "0e0a8b28cf6b7520a2ac414c9bbae230ce515a39b62cbbeb1450e430bb61bfd5"},
    {"fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54122", 0,
     "a6efa644e1f034a4a6f82fa724c064b645538aa3c988b9cf5ae7c7a542835a95"
     "1e0d0e0731c0225e5b554621552447469537313dcc331d3a91a48a9a31ac7b4d"},
    {"fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
     "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123", 0,
     "ec6d505b71f456ca52413c516cda2da2662024aea441ee577bb83046dc02466f"
     "0e0a8b28cf6b7520a2ac414c9bbae230ce515a39b62cbbeb1450e430bb61bfd5"},
    {"fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 0,
     "5f92584a986d91e363ea61141e1da468cbf28fdf9dcfd4939829f293ab0107c6"
     "ba25055fe1dc8a8b10f6483fa3412808e35f01109e2e2374cd5be6f51a370110"},
    {"fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54121",
     "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", 32,
     "15bb3893c87c740b4b5db88101447ea66db819739ea24666bc363eb1c854b41c"
     "a0b94e39f42d9a1d8e2ce18aaae08bd11e91fbf43a863998a6497936f74957df"},
};

TEST(Sm2Sign, KnownNonces)
{
    ty_rng counting = { [](void *, uint8_t *o, size_t n) {
                           for (size_t i = 0; i < n; i++) o[i] = (uint8_t)i;
                           return TY_OK;
                       },
                        nullptr };
    each_tier([&] {
        for (const auto &v : SEEDED) {
            const ty_sm2_key key = key_of(unhex(v.d));
            const Bytes e = unhex(v.e);
            Guarded sig(64);
            if (v.fresh)
                EXPECT_EQ(ty_sm2_sign_digest(sig.data(), e.data(), &key, &counting), TY_OK);
            else EXPECT_EQ(ty_sm2_sign_digest_deterministic(sig.data(), e.data(), &key), TY_OK);
            EXPECT_EQ(hex(sig.data(), 64), v.sig) << v.d << " " << v.e;
            EXPECT_EQ(verify_e(Bytes(sig.data(), sig.data() + 64), e, key.pub), TY_OK);
        }
    });
}

TEST(Sm2Sign, DeterministicMessages)
{
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes msg = bytes("message digest"), e = unhex(E);
    Bytes sig(64), same(64), bare(64), overlapping(64);
    ASSERT_EQ(
        ty_sm2_sign_deterministic(sig.data(), msg.data(), msg.size(), ID.data(), ID.size(), &key),
        TY_OK);
    ASSERT_EQ(
        ty_sm2_sign_deterministic(same.data(), msg.data(), msg.size(), ID.data(), ID.size(), &key),
        TY_OK);
    EXPECT_EQ(sig, same);
    EXPECT_EQ(hex(sig), SEEDED[0].sig) << "the standard's message has the digest E";
    EXPECT_EQ(verify(sig, msg, ID, key.pub), TY_OK);
    ASSERT_EQ(ty_sm2_sign_deterministic(bare.data(), nullptr, 0, nullptr, 0, &key), TY_OK);
    EXPECT_EQ(verify(bare, {}, {}, key.pub), TY_OK);
    std::copy(e.begin(), e.end(), overlapping.begin() + 16);
    ASSERT_EQ(ty_sm2_sign_digest_deterministic(overlapping.data(), overlapping.data() + 16, &key),
              TY_OK);
    EXPECT_EQ(overlapping, sig);
    const Bytes id(8192);
    EXPECT_EQ(ty_sm2_sign_deterministic(sig.data(), msg.data(), 1, id.data(), 8192, &key),
              TY_ERR_SIZE);
    EXPECT_EQ(sig, Bytes(64)) << "zeroed";
}

// The first candidate of the stream is made invalid (r = 0): the second one is used, as in RFC
// 6979, 3.2 h.
TEST(Sm2Sign, SecondCandidateOfTheStream)
{
    const ty_n_sm2_ops *n = ty_n_sm2_best();
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes e = unhex(E);
    ty_sm2_nonces c;
    Bytes first(32), second(32), xy(64), bad_e(32), want(64), got(64);
    ty_sm2_nonces_init(&c, e.data(), &key, nullptr);
    ty_rng stream = ty_sm2_nonces_rng(&c);
    ASSERT_EQ(stream.fill(stream.ctx, first.data(), 32), TY_OK);
    ASSERT_EQ(stream.fill(stream.ctx, second.data(), 32), TY_OK);
    ty_ec_sm2_best()->mul_base(xy.data(), first.data());
    n->reduce(bad_e.data(), xy.data());
    n->sub(bad_e.data(), number(0).data(), bad_e.data());   // e = -x1
    ty_sm2_nonces_init(&c, e.data(), &key, nullptr);
    stream = ty_sm2_nonces_rng(&c);
    ASSERT_EQ(ty_sm2_sign_from(got.data(), bad_e.data(), &key, &stream), TY_OK);
    ASSERT_EQ(ty_sm2_sign_with_nonce(want.data(), bad_e.data(), &key, second.data(), nullptr), 1);
    EXPECT_EQ(got, want);
}
