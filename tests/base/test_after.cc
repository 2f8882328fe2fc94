// After an error, and after the last call, outputs and objects are zero, as their headers promise;
// memory is zero when it is returned to an allocator. Some more tests cover edge cases of the calls
// that return such outputs.
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "tongyu/tongyu.h"
#include <cstring>
#include <gtest/gtest.h>

namespace {

bool zeros(const void *p, size_t n)
{
    const uint8_t *b = (const uint8_t *)p;
    while (n && *b == 0) b++, n--;
    return n == 0;
}

struct Watched {   // an allocator that checks whether memory is zero when it is returned
    size_t taken = 0, given = 0, dirty = 0;
    ty_alloc alloc = {take, give, this};
    static void *take(void *ctx, size_t n)
    {
        ((Watched *)ctx)->taken++;
        return std::malloc(n);
    }
    static void give(void *ctx, void *p, size_t n)
    {
        Watched *w = (Watched *)ctx;
        w->given++;
        w->dirty += !zeros(p, n);
        std::free(p);
    }
};

}   // namespace

TEST(After, MldsaKeysThatAreRefused)
{
    TestRng r(1);
    const ty_rng rng = r.ty();
    static ty_mldsa_key key, again;
    for (ty_mldsa_set set : {TY_MLDSA_44, TY_MLDSA_65, TY_MLDSA_87}) {
        ASSERT_EQ(ty_mldsa_keygen(&key, set, &rng), TY_OK);
        Bytes bytes(key.bytes, key.bytes + ty_mldsa_key_len(set));
        ASSERT_EQ(ty_mldsa_key_set(&again, bytes.data(), bytes.size()), TY_OK);
        for (size_t at : {(size_t)0, (size_t)64, (size_t)128, bytes.size() - 1}) {
            bytes[at] ^= 1;
            EXPECT_EQ(ty_mldsa_key_set(&again, bytes.data(), bytes.size()), TY_ERR_KEY) << at;
            EXPECT_TRUE(zeros(&again, sizeof again)) << at;
            bytes[at] ^= 1;
        }
    }
}

TEST(After, MldsaHashesAndSignatures)
{
    TestRng r(2);
    const ty_rng rng = r.ty();
    static ty_mldsa_key key;
    ASSERT_EQ(ty_mldsa_keygen(&key, TY_MLDSA_44, &rng), TY_OK);
    const Bytes ctx = r.bytes(256), msg = r.bytes(32);
    ty_mldsa_mu mu;
    memset(&mu, 0xAA, sizeof mu);
    EXPECT_EQ(ty_mldsa_mu_init(&mu, ctx.data(), ctx.size(), &key.pub), TY_ERR_SIZE);
    EXPECT_TRUE(zeros(&mu, sizeof mu));
    ASSERT_EQ(ty_mldsa_mu_init(&mu, ctx.data(), 20, &key.pub), TY_OK);
    ty_mldsa_mu_update(&mu, msg.data(), msg.size());
    Bytes out(TY_MLDSA_MU_LEN);
    ty_mldsa_mu_final(out.data(), &mu);
    EXPECT_TRUE(zeros(&mu, sizeof mu));
    EXPECT_FALSE(zeros(out.data(), out.size()));
    Bytes sig(ty_mldsa_sig_len(TY_MLDSA_44), 0xAA);
    EXPECT_NE(ty_mldsa_sign_hash(sig.data(), sig.size(), msg.data(), 31, TY_MLDSA_SHA2_256,
                                 nullptr, 0, &key, &rng),
              TY_OK);
    EXPECT_TRUE(zeros(sig.data(), sig.size()));
}

TEST(After, MemoryOfIntegers)
{
    Watched heap;
    TestRng r(3);
    ty_mp x, y, z;
    for (ty_mp *n : {&x, &y, &z}) ty_mp_init_with(n, &heap.alloc);
    const Bytes a = r.bytes(2000), b = r.bytes(900);
    ASSERT_EQ(ty_mp_set_be(&x, a.data(), a.size()), TY_OK);
    ASSERT_EQ(ty_mp_set_be(&y, b.data(), b.size()), TY_OK);
    ASSERT_EQ(ty_mp_mul(&z, &x, &y), TY_OK);
    ASSERT_EQ(ty_mp_div(&z, &x, &z, &y), TY_OK);
    ASSERT_EQ(ty_mp_add(&z, &z, &z), TY_OK);
    ty_mp_shrink(&z);
    const ty_rng rng = r.ty();
    int prime = 1;
    ASSERT_EQ(ty_mp_set_be(&x, a.data(), 700), TY_OK);
    ASSERT_EQ(ty_mp_add(&x, &x, &x), TY_OK);
    ty_mp_set_u64(&z, 1);
    ASSERT_EQ(ty_mp_add(&x, &x, &z), TY_OK);   // odd
    ASSERT_EQ(ty_mp_miller_rabin(&prime, &x, 2, &rng), TY_OK);
    EXPECT_EQ(prime, 0);
    ASSERT_EQ(ty_mp_powm(&z, &y, &y, &x), TY_OK);
    ASSERT_EQ(ty_mp_gcd(&z, &y, &x), TY_OK);
    for (ty_mp *n : {&x, &y, &z}) {
        ty_mp_clear(n);
        EXPECT_TRUE(zeros(n->small, sizeof n->small));
    }
    EXPECT_GT(heap.given, 3u);
    EXPECT_EQ(heap.given, heap.taken);
    EXPECT_EQ(heap.dirty, 0u);
}

// Each key of a batch is the same as one set from its d, including the inverse that signing uses.
TEST(After, Sm2KeysGeneratedTogether)
{
    TestRng r(4);
    const ty_rng rng = r.ty();
    for (size_t n : {1, 2, 3, 9}) {
        std::vector<ty_sm2_key> keys(n);
        std::vector<ty_sm2_keygen_job> jobs(n);
        for (size_t i = 0; i < n; i++) jobs[i] = {&keys[i], TY_ERR_ARG};
        ASSERT_EQ(ty_sm2_many_keygen(jobs.data(), n, &rng), TY_OK);
        for (const ty_sm2_key &key : keys) {
            ty_sm2_key alone;
            ASSERT_EQ(ty_sm2_key_set(&alone, key.d), TY_OK);
            EXPECT_EQ(hex(&alone, sizeof alone), hex(&key, sizeof key)) << n;
        }
    }
}

// The common divisor is 2^bits + 1. If `bits` is at least the limb's width, its lowest limb
// is 1, so a check that the gcd is 1 must look at all limbs.
TEST(After, NoInverseForALongDivisor)
{
    ty_mp g, x, m, z, one;
    for (ty_mp *n : {&g, &x, &m, &z, &one}) ty_mp_init_with(n, nullptr);
    ty_mp_set_u64(&one, 1);
    for (size_t bits = 20; bits < 200; bits++) {
        ASSERT_EQ(ty_mp_shl(&g, &one, bits), TY_OK);
        ASSERT_EQ(ty_mp_add(&g, &g, &one), TY_OK);
        ty_mp_set_u64(&x, 0x123457);
        ASSERT_EQ(ty_mp_mul(&x, &x, &g), TY_OK);
        ty_mp_set_u64(&m, 0xFEDCBA9);
        ASSERT_EQ(ty_mp_mul(&m, &m, &g), TY_OK);
        EXPECT_EQ(ty_mp_invmod(&z, &x, &m), TY_ERR_NO_INVERSE) << bits;
    }
    for (ty_mp *n : {&g, &x, &m, &z, &one}) ty_mp_clear(n);
}

TEST(After, TextEndsWithAZero)
{
    ty_mp x;
    ty_mp_init(&x);
    for (uint64_t v : {(uint64_t)0, (uint64_t)7, (uint64_t)123456789, ~(uint64_t)0}) {
        char text[100];
        memset(text, 'x', sizeof text);
        size_t len = 0;
        ty_mp_set_u64(&x, v);
        ASSERT_EQ(ty_mp_get_str_vt(text, sizeof text, &len, &x, 10), TY_OK);
        ASSERT_LT(len, sizeof text);
        EXPECT_EQ(text[len], 0);
        EXPECT_EQ(text[len + 1], 'x');
        EXPECT_EQ(std::to_string(v), std::string(text, len));
    }
    ty_mp_clear(&x);
}

TEST(After, ShortKeysOfCurves)
{
    const ty_ec_curve *curve = ty_ec_curve_named("sect113r1");
    ty_ec_key key;
    memset(&key, 0xAA, sizeof key);
    Bytes d(ty_ec_order_len(curve));
    d.back() = 5;
    ASSERT_EQ(ty_ec_key_set(&key, curve, d.data(), d.size()), TY_OK);
    EXPECT_TRUE(zeros(key.d + d.size(), sizeof key.d - d.size()));
    d.back() = 0;
    EXPECT_EQ(ty_ec_key_set(&key, curve, d.data(), d.size()), TY_ERR_KEY);
    EXPECT_TRUE(zeros(&key, sizeof key));
}

TEST(After, SealedFilesThatDoNotOpen)
{
    const Bytes header(400);
    Bytes memory(1000);
    ty_box b;
    memset(&b, 0xAA, sizeof b);
    EXPECT_NE(ty_box_open_password(&b, header.data(), header.size(), "x", 1, 1000), TY_OK);
    EXPECT_TRUE(zeros(&b, sizeof b));
    memset(&b, 0xAA, sizeof b);
    EXPECT_NE(ty_box_open_scrypt(&b, header.data(), header.size(), "x", 1, memory.data(),
                                 memory.size()),
              TY_OK);
    EXPECT_TRUE(zeros(&b, sizeof b));
}

// Two outputs must not be the same object; an output may be an input.
TEST(After, OutputsThatAreTheSame)
{
    ty_mp x, y, u;
    for (ty_mp *n : {&x, &y, &u}) ty_mp_init_with(n, nullptr);
    ty_mp_set_u64(&x, 12);
    ty_mp_set_u64(&y, 18);
    EXPECT_EQ(ty_mp_gcdext_vt(&u, &u, nullptr, &x, &y), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_gcdext_vt(&u, nullptr, &u, &x, &y), TY_ERR_ARG);
    EXPECT_EQ(ty_mp_gcdext_vt(nullptr, &u, &u, &x, &y), TY_ERR_ARG);
    ASSERT_EQ(ty_mp_gcdext_vt(&x, &u, nullptr, &x, &y), TY_OK);
    EXPECT_EQ(ty_mp_sign(&u), -1);   // 6 = -1 * 12 + 1 * 18
    for (ty_mp *n : {&x, &y, &u}) ty_mp_clear(n);
}
