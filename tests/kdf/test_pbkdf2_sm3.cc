// PBKDF2-HMAC-SM3: shared vectors, every length of inputs and output, every tier, many passwords.
#include "sm3/reference.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/sm3.h"

static Bytes pbkdf2(const Bytes &password, const Bytes &salt, uint32_t iterations, size_t len)
{
    Bytes out(len);
    EXPECT_EQ(ty_pbkdf2_sm3(out.data(), len, password.data(), password.size(), salt.data(),
                            salt.size(), iterations),
              TY_OK);
    return out;
}

TEST(Pbkdf2Sm3, SharedVectors)
{
    const auto file = load_vectors("sm3.json");
    if (!file) GTEST_SKIP() << "no vector files";
    int count = 0;
    for (const Json &v : file->at("differential")) {
        if (v.at("alg") != "PBKDF2-HMAC-SM3") continue;
        count++;
        const size_t iterations = v.at("iter").number(), len = v.at("len").number();
        EXPECT_EQ(pbkdf2(field(v, "pass"), field(v, "salt"), (uint32_t)iterations, len),
                  field(v, "out"));
    }
    EXPECT_EQ(count, 12);
}

TEST(Pbkdf2Sm3, EveryCountOnEveryTier)
{
    const Bytes password = bytes("password"), salt = bytes("salt");
    for_each_tier<ty_sm3_ops>(ty_sm3_tiers, [&](const ty_sm3_ops *, const char *tier) {
        UseSm3Tier use(tier);
        for (uint32_t n : {1u, 2u, 3u, 4u, 5u, 10u, 100u, 255u, 256u, 257u})
            EXPECT_EQ(pbkdf2(password, salt, n, 40), reference::pbkdf2(password, salt, n, 40))
                << n << " iterations";
    });
}

TEST(Pbkdf2Sm3, EveryLength)
{
    TestRng rng(1);
    const Bytes password = rng.bytes(9), salt = rng.bytes(16),
                want = reference::pbkdf2(password, salt, 3, 150);
    for (size_t n = 0; n <= 150; n++) {
        Guarded p(password.data(), password.size()), s(salt.data(), salt.size());
        Guarded out(n, n % 2 ? Guarded::Start : Guarded::End);
        ASSERT_EQ(ty_pbkdf2_sm3(out.data(), n, p.data(), p.size(), s.data(), s.size(), 3), TY_OK);
        ASSERT_EQ(hex(out.data(), n), hex(want.data(), n)) << n << " bytes";
    }
    for (size_t n = 0; n <= 130; n++) {
        const Bytes p = rng.bytes(n), s = rng.bytes(n * 5 % 131);
        ASSERT_EQ(pbkdf2(p, s, 2, 33), reference::pbkdf2(p, s, 2, 33)) << "password of " << n;
    }
}

TEST(Pbkdf2Sm3, WrongArgumentsLeaveTheOutputAlone)
{
    uint8_t out[32];
    std::memset(out, 0xA5, sizeof out);
    EXPECT_EQ(ty_pbkdf2_sm3(out, sizeof out, nullptr, 0, nullptr, 0, 0), TY_ERR_ARG);
#if SIZE_MAX > 0xffffffffu
    for (size_t n : {(size_t)32 * 0xffffffffu + 1, SIZE_MAX - 31, SIZE_MAX})
        EXPECT_EQ(ty_pbkdf2_sm3(out, n, nullptr, 0, nullptr, 0, 1), TY_ERR_SIZE) << n;
#endif
    for (uint8_t b : out) EXPECT_EQ(b, 0xA5);
    EXPECT_EQ(ty_pbkdf2_sm3(out, sizeof out, nullptr, 0, nullptr, 0, 1), TY_OK)
        << "empty password and salt";
    EXPECT_EQ(hex(out, 32), hex(reference::pbkdf2({}, {}, 1, 32)));
}

// More blocks of output than there are lanes, and one more; one, two and three blocks take
// different paths.
TEST(Pbkdf2Sm3, ManyBlocksOnEveryTier)
{
    TestRng rng(2);
    for_each_tier<ty_sm3_ops>(ty_sm3_tiers, [&](const ty_sm3_ops *, const char *tier) {
        UseSm3Tier use(tier);
        const Bytes password = rng.bytes(20), salt = rng.bytes(12),
                    want = reference::pbkdf2(password, salt, 3, 550);
        for (size_t n : {1u, 32u, 33u, 64u, 65u, 96u, 128u, 129u, 256u, 257u, 512u, 513u, 550u})
            EXPECT_EQ(hex(pbkdf2(password, salt, 3, n)), hex(want.data(), n)) << n << " bytes";
    });
}

TEST(Pbkdf2Sm3, ManyPasswords)
{
    TestRng rng(3);
    for_each_tier<ty_sm3_ops>(ty_sm3_tiers, [&](const ty_sm3_ops *, const char *tier) {
        UseSm3Tier use(tier);
        for (size_t n : {0u, 1u, 2u, 3u, 8u, 17u}) {
            std::vector<Bytes> passwords, salts, outs;
            std::vector<ty_pbkdf2_sm3_job> jobs;
            for (size_t i = 0; i < n; i++) {
                passwords.push_back(rng.bytes(i * 7 % 90));
                salts.push_back(rng.bytes(i * 5 % 70));
                outs.push_back(Bytes(i % 4 == 3 ? i : 16 * (1 + i % 5), 0xA5));
            }
            for (size_t i = 0; i < n; i++)
                jobs.push_back({ outs[i].data(), outs[i].size(), passwords[i].data(),
                                 passwords[i].size(), salts[i].data(), salts[i].size() });
            ASSERT_EQ(ty_sm3_many_pbkdf2(jobs.data(), n, 0), TY_ERR_ARG);
            for (const Bytes &o : outs) EXPECT_EQ(o, Bytes(o.size(), 0xA5)) << "untouched";
            for (uint32_t iterations : {1u, 2u, 5u}) {
                ASSERT_EQ(ty_sm3_many_pbkdf2(jobs.data(), n, iterations), TY_OK);
                for (size_t i = 0; i < n; i++)
                    ASSERT_EQ(outs[i],
                              reference::pbkdf2(passwords[i], salts[i], iterations, outs[i].size()))
                        << i << " of " << n << ", " << iterations << " iterations";
            }
        }
    });
#if SIZE_MAX > 0xffffffffu
    uint8_t out[1] = {0xA5};
    const ty_pbkdf2_sm3_job jobs[2] = { { out, 1, nullptr, 0, nullptr, 0 },
                                        { out, SIZE_MAX, nullptr, 0, nullptr, 0 } };
    EXPECT_EQ(ty_sm3_many_pbkdf2(jobs, 2, 1), TY_ERR_SIZE);
    EXPECT_EQ(out[0], 0xA5);
#endif
}
