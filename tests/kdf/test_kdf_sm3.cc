#include "sm3/reference.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/sm3.h"

static Bytes kdf(const Bytes &z, size_t len)
{
    Bytes out(len);
    EXPECT_EQ(ty_kdf_sm3(out.data(), len, z.data(), z.size()), TY_OK);
    return out;
}

TEST(KdfSm3, SharedVectors)
{
    const auto file = load_vectors("sm3.json");
    if (!file) return;
    int count = 0;
    for (const Json &v : file->at("differential"))
        if (v.at("alg") == "SM2-KDF") { count++; EXPECT_EQ(kdf(field(v, "z"), v.at("len")), field(v, "out")); }
    EXPECT_EQ(count, 30);
}

// GB/T 32918.5-2017, C.2, the encryption example: t = KDF(x2 || y2, 152 bits), and t ^ "encryption standard" is its C2
TEST(KdfSm3, StandardExample)
{
    const Bytes z = unhex("335E18D751E51F040E27D468138B7AB1DC86AD7F981D7D416222FD6AB3ED230D"
                          "AB743EBCFB22D64F7B6AB791F70658F25B48FA93E54064FDBFBED3F0BD847AC9");
    EXPECT_EQ(hex(kdf(z, 19)), "44e60fdbf0bae81437665374bef26749046c9e");
}

TEST(KdfSm3, EveryLengthOnEveryTier)
{
    TestRng rng(1);
    for_each_tier<ty_sm3_ops>(ty_sm3_tiers, [&](const ty_sm3_ops *, const char *tier) {
        UseSm3Tier use(tier);
        const Bytes z = rng.bytes(64);
        const Bytes want = reference::kdf(z, 300);
        for (size_t n = 0; n <= 300; n++) {
            Guarded in(z.data(), z.size()), out(n, n % 2 ? Guarded::Start : Guarded::End);
            ASSERT_EQ(ty_kdf_sm3(out.data(), n, in.data(), in.size()), TY_OK);
            ASSERT_EQ(hex(out.data(), n), hex(want.data(), n)) << n << " bytes";
        }
    });
}

TEST(KdfSm3, EveryInputLength)
{
    TestRng rng(2);
    for (size_t n = 0; n <= 200; n++) {
        const Bytes z = rng.bytes(n);
        ASSERT_EQ(kdf(z, 70), reference::kdf(z, 70)) << "z of " << n;
    }
}

// More than 255 blocks: the counter is 32 bits, big-endian, and starts at one.
TEST(KdfSm3, TheCounterCarries)
{
    const Bytes z = bytes("shared"), out = kdf(z, 32 * 258);
    for (uint32_t i : {1u, 2u, 255u, 256u, 257u, 258u})
        EXPECT_EQ(Bytes(out.begin() + 32 * (i - 1), out.begin() + 32 * i),
                  reference::sm3(reference::join(z, reference::counter(i)))) << i;
}

TEST(KdfSm3, OutputMayLieOnTheInput)
{
    TestRng rng(3);
    Bytes z = rng.bytes(100);
    const Bytes want = reference::kdf(z, 100);
    ASSERT_EQ(ty_kdf_sm3(z.data(), 100, z.data(), 100), TY_OK);
    EXPECT_EQ(z, want);
}

TEST(KdfSm3, TooMuchOutputIsRefused)
{
#if SIZE_MAX > 0xffffffffu
    uint8_t out[1] = {0xA5};
    for (size_t n : {(size_t)32 * 0xffffffffu + 1, SIZE_MAX - 31, SIZE_MAX})
        EXPECT_EQ(ty_kdf_sm3(out, n, out, 0), TY_ERR_SIZE) << n;
    EXPECT_EQ(out[0], 0xA5);
#else
    std::cout << "the limit lies beyond this machine's address space\n";
#endif
}
