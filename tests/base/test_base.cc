// Errors, version, wiping, comparison, masks, byte order, and the limit on tiers
extern "C" {   // internal headers are plain C
#include "base/bytes.h"
#include "base/ct.h"
#include "base/cpu.h"
}
#include "tongyu/tongyu.h"
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>

TEST(Base, EveryErrorHasItsOwnText)
{
    std::set<std::string> seen;
    for (int e = TY_ERR_NO_INVERSE; e <= TY_OK; e++) {
        EXPECT_STRNE(ty_err_text((ty_err)e), "unknown error") << e;
        EXPECT_TRUE(seen.insert(ty_err_text((ty_err)e)).second) << e;
    }
    EXPECT_STREQ(ty_err_text((ty_err)-1000), "unknown error");
    EXPECT_STREQ(ty_err_text((ty_err)1), "unknown error");
}

// docs/architecture.md, "Errors": every family returns the same error for the same mistake.
TEST(Base, ErrorsMeanTheSameInEveryFamily)
{
    static uint8_t bytes[5000] = {5};
    static ty_mldsa_key mldsa;
    const ty_ec_curve *curve = ty_ec_curve_named("sect233r1");
    const size_t len = ty_ec_field_len(curve), n_len = ty_ec_order_len(curve);
    static ty_sm2_pub sm2;
    ty_sm2_key sm2_key;
    ty_ec_pub ec;
    ty_ec_key ec_key;
    // not an encoding of a key: a wrong length, a wrong first byte
    EXPECT_EQ(ty_sm2_pub_set(&sm2, bytes, 63), TY_ERR_FORMAT);
    EXPECT_EQ(ty_ec_pub_set(&ec, curve, bytes, 2 * len), TY_ERR_FORMAT);
    EXPECT_EQ(ty_ec_key_set(&ec_key, curve, bytes, n_len - 1), TY_ERR_FORMAT);
    EXPECT_EQ(ty_mldsa_pub_set(&mldsa.pub, bytes, 1000), TY_ERR_FORMAT);
    EXPECT_EQ(ty_mldsa_key_set(&mldsa, bytes, 1000), TY_ERR_FORMAT);
    EXPECT_EQ(ty_sm2_pub_set(&sm2, bytes, 65), TY_ERR_FORMAT);
    EXPECT_EQ(ty_ec_pub_set(&ec, curve, bytes, 1 + 2 * len), TY_ERR_FORMAT);
    // an encoding, but not of a key: a coordinate out of range, a point not on the curve, a scalar
    // out of range
    bytes[0] = 4;
    for (uint8_t fill : {0x00, 0x5a, 0xff}) {
        std::memset(bytes + 1, fill, 200);
        EXPECT_EQ(ty_sm2_pub_set(&sm2, bytes, 65), TY_ERR_KEY);
        EXPECT_EQ(ty_ec_pub_set(&ec, curve, bytes, 1 + 2 * len), TY_ERR_KEY);
        if (fill == 0x5a) continue;
        EXPECT_EQ(ty_sm2_key_set(&sm2_key, bytes + 1), TY_ERR_KEY);
        EXPECT_EQ(ty_ec_key_set(&ec_key, curve, bytes + 1, n_len), TY_ERR_KEY);
    }
    bytes[0] = 2;
    EXPECT_EQ(ty_sm2_pub_set(&sm2, bytes, 33), TY_ERR_KEY);
    EXPECT_EQ(ty_ec_pub_set(&ec, curve, bytes, 1 + len), TY_ERR_KEY);
    // too short, or a length that does not exist; then too long
    ty_sm4_key sm4;
    ty_sm4_init(&sm4, bytes);
    bytes[1000 + n_len - 1] = 1;
    ASSERT_EQ(ty_ec_key_set(&ec_key, curve, bytes + 1000, n_len), TY_OK);
    EXPECT_EQ(ty_sm4_cbc_encrypt(bytes, bytes, 15, bytes, &sm4), TY_ERR_ARG);
    EXPECT_EQ(ty_ecdsa_sign(bytes, bytes, 0, &ec_key, nullptr), TY_ERR_ARG);
    EXPECT_EQ(ty_mldsa_mu_hash(bytes, bytes, 31, TY_MLDSA_SHA2_256, nullptr, 0, &mldsa.pub),
              TY_ERR_ARG);
    EXPECT_EQ(ty_sm2_z(bytes, bytes, 8192, &sm2), TY_ERR_SIZE);
    EXPECT_EQ(ty_mldsa_mu_hash(bytes, bytes, 32, TY_MLDSA_SHA2_256, bytes, 256, &mldsa.pub),
              TY_ERR_SIZE);
    EXPECT_EQ(ty_hkdf_sm3(bytes, 255 * 32 + 1, bytes, 1, bytes, 1, bytes, 1), TY_ERR_SIZE);
}

TEST(Base, VersionTextAndNumbersAgree)
{
    const std::string v = std::to_string(TY_VERSION_MAJOR) + "." +
                          std::to_string(TY_VERSION_MINOR) + "." + std::to_string(TY_VERSION_PATCH);
    EXPECT_EQ(v, TY_VERSION_STRING);
    EXPECT_EQ(v, ty_version());
}

TEST(Base, WipeClearsExactlyTheRange)
{
    uint8_t b[80];
    for (size_t n = 0; n <= 64; n++) {
        std::memset(b, 0xA5, sizeof b);
        ty_wipe(b + 8, n);
        for (size_t i = 0; i < sizeof b; i++) EXPECT_EQ(b[i], i >= 8 && i < 8 + n ? 0 : 0xA5);
    }
    ty_wipe(nullptr, 0);
}

TEST(Base, EqualSeesEveryBit)
{
    uint8_t a[33] = {0}, b[33] = {0};
    EXPECT_EQ(ty_equal(a, b, sizeof a), 1);
    EXPECT_EQ(ty_equal(a, b, 0), 1);
    for (size_t bit = 0; bit < 8 * sizeof a; bit++) {
        b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        EXPECT_EQ(ty_equal(a, b, sizeof a), 0) << bit;
        EXPECT_EQ(ty_equal(a, b, bit / 8), 1) << bit;
        b[bit / 8] = 0;
    }
}

TEST(ConstantTime, Masks)
{
    const uint32_t edge32[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    for (uint32_t x : edge32) {
        EXPECT_EQ(ty_mask_zero32(x), x == 0 ? 0xffffffffu : 0u);
        for (uint32_t y : edge32) EXPECT_EQ(ty_mask_eq32(x, y), x == y ? 0xffffffffu : 0u);
    }
    const uint64_t edge64[] = {0, 1, 1ull << 31, 1ull << 32, 1ull << 63, ~0ull, ~0ull - 1};
    for (uint64_t x : edge64) {
        EXPECT_EQ(ty_mask_zero64(x), x == 0 ? ~0ull : 0ull);
        EXPECT_EQ(ty_barrier64(x), x);
        for (uint64_t y : edge64) EXPECT_EQ(ty_mask_eq64(x, y), x == y ? ~0ull : 0ull);
    }
    EXPECT_EQ(ty_mask_bit32(1), 0xffffffffu);
    EXPECT_EQ(ty_mask_bit64(1), ~0ull);
    EXPECT_EQ(ty_mask_bit64(0), 0u);
    EXPECT_EQ(ty_sel32(0xffffffffu, 3, 5), 3u);
    EXPECT_EQ(ty_sel32(0, 3, 5), 5u);
    EXPECT_EQ(ty_sel64(~0ull, 3, 5), 3u);
    EXPECT_EQ(ty_sel64(0, 3, 5), 5u);
}

TEST(Bytes, BigEndianOnEveryMachine)
{
    const uint8_t p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t q[8];
    EXPECT_EQ(ty_get32be(p), 0x01020304u);
    EXPECT_EQ(ty_get64be(p), 0x0102030405060708u);
    ty_put64be(q, ty_get64be(p));
    EXPECT_EQ(std::memcmp(p, q, 8), 0);
    for (unsigned n = 0; n < 32; n++)
        EXPECT_EQ(ty_rotl32(0x80000001u, n), (uint32_t)(0x8000000180000001ull >> (32 - n)));
}

TEST(Cpu, LimitIsSetAndLifted)
{
    const ty_cpu all = ty_cpu_have();
    ASSERT_EQ(ty_tier_limit("c"), TY_OK);
    EXPECT_EQ(ty_cpu_have(), TY_CPU_C);
    EXPECT_EQ(ty_tier_limit("no such level"), TY_ERR_ARG);
    EXPECT_EQ(ty_cpu_have(), TY_CPU_C) << "a refused limit changes nothing";
    ASSERT_EQ(ty_tier_limit(nullptr), TY_OK);
    EXPECT_EQ(ty_cpu_have(), all);
    ty_cpu_assume(TY_CPU_WORD64);
    EXPECT_EQ(ty_cpu_have(), TY_CPU_C | TY_CPU_WORD64);
#if defined(__x86_64__)
    EXPECT_EQ(ty_tier_limit("avx2"), TY_ERR_UNSUPPORTED);
#endif
    ty_cpu_assume(0);
    EXPECT_EQ(ty_cpu_have(), all);
}

TEST(Cpu, TheLimitAcceptsTheNameOfEveryLevel)
{
    size_t n = 0;
    std::set<std::string> seen;
    for (; ty_tier_level(n); n++) {
        EXPECT_TRUE(seen.insert(ty_tier_level(n)).second) << ty_tier_level(n);
        EXPECT_NE(ty_tier_limit(ty_tier_level(n)), TY_ERR_ARG) << ty_tier_level(n);
    }
    EXPECT_STREQ(ty_tier_level(0), "c");
    EXPECT_EQ(ty_tier_level(n + 1), nullptr);
    ASSERT_EQ(ty_tier_limit(nullptr), TY_OK);
}

TEST(Cpu, BestIsTheLastRowThatFits)
{
    const int a = 0, b = 0, c = 0;
    const ty_tier rows[] = { { "c", TY_CPU_C, &a },
                             { "c64", TY_CPU_WORD64, &b },
                             { "avx2", TY_CPU_AVX2, &c },
                             { "adx", TY_CPU_C, nullptr },
                             { nullptr, 0, nullptr } };
    ty_cpu_assume(TY_CPU_C);
    EXPECT_EQ(ty_tier_best(rows), &a);
    ty_cpu_assume(TY_CPU_WORD64);
    EXPECT_EQ(ty_tier_best(rows), &b);
    ty_cpu_assume(TY_CPU_AVX2);
    EXPECT_EQ(ty_tier_best(rows), &c);
    EXPECT_FALSE(ty_tier_runs(&rows[3])) << "a tier that is not in this build";
    ty_cpu_assume(0);
}
