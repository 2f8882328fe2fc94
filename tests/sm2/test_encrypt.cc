// SM2 encryption: the standard's example and shared vectors, every length, altered ciphertexts,
// masks of zeros.
#include "support/full.hpp"
#include "sm2/sm2_support.hpp"

static const ty_sm2_order ORDERS[] = {TY_SM2_C1C3C2, TY_SM2_C1C2C3};

static Bytes encrypt(const Bytes &msg, ty_sm2_order order, const ty_sm2_pub &pub, const ty_rng &rng)
{
    Guarded out(msg.size() + TY_SM2_OVERHEAD);
    EXPECT_EQ(ty_sm2_encrypt(out.data(), msg.data(), msg.size(), order, &pub, &rng), TY_OK);
    return Bytes(out.data(), out.data() + out.size());
}

static Bytes encrypt_with(const Bytes &k, const Bytes &msg, ty_sm2_order order,
                          const ty_sm2_pub &pub)
{
    ScriptRng script(k);
    return encrypt(msg, order, pub, script.ty());
}

// Decrypts into a buffer that ends at an unmapped page; checks that a failure leaves only zeros.
static ty_err decrypt(Bytes &msg, const Bytes &in, ty_sm2_order order, const ty_sm2_key &key)
{
    const size_t len = in.size() > TY_SM2_OVERHEAD ? in.size() - TY_SM2_OVERHEAD : 0;
    Guarded exact(in.data(), in.size()), out(len);
    if (len) std::memset(out.data(), 0xAA, len);
    const ty_err err = ty_sm2_decrypt(out.data(), exact.data(), in.size(), order, &key);
    msg.assign(out.data(), out.data() + len);
    if (err != TY_OK) { EXPECT_EQ(msg, Bytes(len)) << "zeroed"; }
    return err;
}

static Bytes arrange(const Bytes &c1, const Bytes &c2, const Bytes &c3, ty_sm2_order order)
{
    return order == TY_SM2_C1C3C2 ? cat({c1, c3, c2}) : cat({c1, c2, c3});
}

static void check(const Bytes &d, const Bytes &k, const Bytes &msg, const Bytes &c1,
                  const Bytes &c2, const Bytes &c3)
{
    const ty_sm2_key key = key_of(d);
    for (ty_sm2_order order : ORDERS) {
        const Bytes want = arrange(c1, c2, c3, order);
        Bytes got;
        EXPECT_EQ(encrypt_with(k, msg, order, key.pub), want);
        EXPECT_EQ(decrypt(got, want, order, key), TY_OK);
        EXPECT_EQ(got, msg);
    }
}

// GB/T 32918.5-2017, C.2
static const char D[] = "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8";

TEST(Sm2Encrypt, StandardExample)
{
    each_tier([&] {
        check(unhex(D), unhex("59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21"),
              bytes("encryption standard"),
              unhex("0404ebfc718e8d1798620432268e77feb6415e2ede0e073c0f4f640ecd2e149a73"
                    "e858f9d81e5430a57b36daab8f950a3c64e6ee6a63094d99283aff767e124df0"),
              unhex("21886ca989ca9c7d58087307ca93092d651efa"),
              unhex("59983c18f809e262923c53aec295d30383b54e39d609d160afcb1908d0bd8766"));
    });
}

TEST(Sm2Encrypt, SharedVectors)
{
    each_tier([&] {
        each_vector("SM2-ENC", 1, 15, [&](const Json &v) {
            EXPECT_EQ(pub_bytes(key_of(field(v, "d")).pub), field(v, "pub"));
            check(field(v, "d"), field(v, "k"), field(v, "msg"), field(v, "c1"), field(v, "c2"),
                  field(v, "c3"));
        });
    });
}

TEST(Sm2Encrypt, EveryLength)
{
    const size_t most = full() ? 600 : 100;
    each_tier([&] {
        TestRng r(8);
        const ty_rng rng = r.ty();
        const ty_sm2_key key = key_of(unhex(D));
        for (size_t len = 1; len <= most; len += len < 34 ? 1 : 9) {
            const Bytes msg = r.bytes(len);
            const ty_sm2_order order = ORDERS[len % 2];
            Bytes got;
            ASSERT_EQ(decrypt(got, encrypt(msg, order, key.pub, rng), order, key), TY_OK) << len;
            ASSERT_EQ(got, msg);
        }
    });
}

TEST(Sm2Encrypt, LongMessage)
{
    TestRng r(8);
    const ty_rng rng = r.ty();
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes msg = r.bytes(70001);
    Bytes got;
    EXPECT_EQ(decrypt(got, encrypt(msg, TY_SM2_C1C3C2, key.pub, rng), TY_SM2_C1C3C2, key), TY_OK);
    EXPECT_EQ(got, msg);
}

TEST(Sm2Encrypt, Arguments)
{
    TestRng r(8);
    const ty_rng rng = r.ty();
    const ty_sm2_key key = key_of(unhex(D));
    Bytes out(200, 0xAA), msg(10);
    EXPECT_EQ(ty_sm2_encrypt(out.data(), nullptr, 0, TY_SM2_C1C3C2, &key.pub, &rng), TY_ERR_ARG);
    EXPECT_EQ(ty_sm2_encrypt(out.data(), msg.data(), 10, (ty_sm2_order)2, &key.pub, &rng),
              TY_ERR_ARG);
    EXPECT_EQ(ty_sm2_decrypt(out.data(), out.data() + 100, 98, (ty_sm2_order)2, &key), TY_ERR_ARG);
#if SIZE_MAX > 0xffffffffu
    EXPECT_EQ(ty_sm2_encrypt(out.data(), msg.data(), (size_t)32 * 0xffffffffu + 1, TY_SM2_C1C3C2,
                             &key.pub, &rng),
              TY_ERR_SIZE);
    EXPECT_EQ(
        ty_sm2_decrypt(out.data(), msg.data(), (size_t)32 * 0xffffffffu + 98, TY_SM2_C1C3C2, &key),
        TY_ERR_SIZE);
#else
    EXPECT_EQ(ty_sm2_encrypt(out.data(), msg.data(), SIZE_MAX - 96, TY_SM2_C1C3C2, &key.pub, &rng),
              TY_ERR_SIZE);
#endif
    ty_sm2_pub off = key.pub;
    off.x[0] ^= 1;
    EXPECT_EQ(ty_sm2_encrypt(out.data(), msg.data(), 10, TY_SM2_C1C3C2, &off, &rng), TY_ERR_KEY);
    EXPECT_EQ(out, Bytes(200, 0xAA)) << "untouched";
}

// Every changed bit, the wrong order of parts and the wrong key are refused.
TEST(Sm2Decrypt, Altered)
{
    const Bytes msg = bytes("encryption standard");
    TestRng r(8);
    const ty_rng rng = r.ty();
    for (ty_sm2_order order : ORDERS) {
        const ty_sm2_key key = key_of(unhex(D)), other = key_of(number(3));
        const Bytes good = encrypt(msg, order, key.pub, rng);
        Bytes out;
        for (size_t bit = 0; bit < 8 * good.size(); bit++) {
            Bytes bad = good;
            bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
            const bool in_c1 = bit < 8 * 65;
            ASSERT_EQ(decrypt(out, bad, order, key), in_c1 ? TY_ERR_FORMAT : TY_ERR_VERIFY) << bit;
        }
        EXPECT_EQ(decrypt(out, good, ORDERS[order == TY_SM2_C1C3C2], key), TY_ERR_VERIFY);
        EXPECT_EQ(decrypt(out, good, order, other), TY_ERR_VERIFY);
        EXPECT_EQ(decrypt(out, good, order, key), TY_OK);
        for (size_t cut = 1; cut < good.size(); cut++) {
            const Bytes part(good.begin(), good.end() - (long)cut);
            EXPECT_EQ(decrypt(out, part, order, key),
                      part.size() < 98 ? TY_ERR_FORMAT : TY_ERR_VERIFY)
                << cut;
        }
        EXPECT_EQ(decrypt(out, cat({good, {0}}), order, key), TY_ERR_VERIFY);
        EXPECT_EQ(decrypt(out, {}, order, key), TY_ERR_FORMAT);
        // another point in place of C1
        Bytes swapped = good;
        const Bytes g = cat({{4}, unhex(G_HEX)});
        std::copy(g.begin(), g.end(), swapped.begin());
        EXPECT_EQ(decrypt(out, swapped, order, key), TY_ERR_VERIFY);
        // C1 with the first byte of another form (infinity, compressed, hybrid) is not accepted
        Bytes lead = good;
        for (int b : {0, 2, 3, 6, 7}) {
            lead[0] = (uint8_t)b;
            EXPECT_EQ(decrypt(out, lead, order, key), TY_ERR_FORMAT) << b;
        }
    }
}

// For a message of 1 byte the mask t is 0 for one k in 256: encrypt draws another k, and decrypt
// refuses.
TEST(Sm2Encrypt, AllZeroMaskIsNotUsed)
{
    const ty_sm2_key key = key_of(unhex(D));
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    const Bytes pub = pub_bytes(key.pub);
    Bytes zero_k, xy(64), t(1);
    for (int k = 1; k < 5000 && zero_k.empty(); k++) {
        ec->mul(xy.data(), number(k).data(), pub.data() + 1);
        ASSERT_EQ(ty_kdf_sm3(t.data(), 1, xy.data(), 64), TY_OK);
        if (t[0] == 0) zero_k = number(k);
    }
    ASSERT_FALSE(zero_k.empty());
    Bytes out(98),
        good_k = unhex("59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21");
    ScriptRng script(cat({zero_k, good_k, zero_k}));
    ty_rng rng = script.ty();
    const Bytes msg = {0x5a};
    ASSERT_EQ(ty_sm2_encrypt(out.data(), msg.data(), 1, TY_SM2_C1C3C2, &key.pub, &rng), TY_OK);
    EXPECT_EQ(script.used, 64u);
    EXPECT_EQ(out, encrypt_with(good_k, msg, TY_SM2_C1C3C2, key.pub));
    // encrypt gives up on a source that repeats such a k
    Bytes stuck;
    for (int i = 0; i < 100; i++) stuck.insert(stuck.end(), zero_k.begin(), zero_k.end());
    ScriptRng again(stuck);
    rng = again.ty();
    EXPECT_EQ(ty_sm2_encrypt(out.data(), msg.data(), 1, TY_SM2_C1C3C2, &key.pub, &rng), TY_ERR_RNG);
    EXPECT_EQ(out, Bytes(98)) << "zeroed";
    // the ciphertext of an implementation without this check has the correct C3, but is refused
    Bytes c1(65), c3(32), got;
    c1[0] = 4;
    ec->mul_base(c1.data() + 1, zero_k.data());
    ec->mul(xy.data(), zero_k.data(), pub.data() + 1);
    const Bytes x(xy.begin(), xy.begin() + 32), y(xy.begin() + 32, xy.end());
    const Bytes hashed = cat({x, msg, y});
    ty_sm3_hash(c3.data(), hashed.data(), hashed.size());
    EXPECT_EQ(decrypt(got, cat({c1, c3, msg}), TY_SM2_C1C3C2, key), TY_ERR_VERIFY);
}

TEST(Sm2Encrypt, RandomSourceFails)
{
    const ty_sm2_key key = key_of(unhex(D));
    const Bytes msg(20);
    for (int good = 0; good < 2; good++) {
        FailingRng failing(good);
        const ty_rng rng = failing.ty();
        Bytes out(117, 0xAA);
        EXPECT_EQ(ty_sm2_encrypt(out.data(), msg.data(), 20, TY_SM2_C1C3C2, &key.pub, &rng),
                  good ? TY_OK : TY_ERR_RNG);
        if (!good) { EXPECT_EQ(out, Bytes(117)) << "zeroed"; }
    }
}
