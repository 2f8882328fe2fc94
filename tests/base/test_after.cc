// After an error, and after the last call, outputs and objects hold what their headers promise:
// zeros. Memory that goes back to an allocator holds none of the numbers.
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

struct Watched {   // an allocator that looks at what comes back
    size_t given = 0, dirty = 0;
    ty_alloc alloc = {take, give, this};
    static void *take(void *, size_t n) { return std::malloc(n); }
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
    for (ty_mp *n : {&x, &y, &z}) {
        ty_mp_clear(n);
        EXPECT_TRUE(zeros(n->small, sizeof n->small));
    }
    EXPECT_GT(heap.given, 3u);
    EXPECT_EQ(heap.dirty, 0u);
}

// Aliases of outputs that cannot be right
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
