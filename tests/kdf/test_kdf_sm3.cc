// The KDF of SM2 and HKDF with SM3: known answers, every length of input and output, the limits.
#include "sm3/reference.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include "support/vectors.hpp"
#include "tongyu/sm3.h"

static bool slow_tier(const char *name)
{
    for (const ty_tier *t = ty_sm3_tiers; t->name; t++)
        if (std::string(t->name) == name) return slow_row(ty_sm3_tiers, t);
    return false;
}

static Bytes kdf(const Bytes &z, size_t len)
{
    Bytes out(len);
    EXPECT_EQ(ty_kdf_sm3(out.data(), len, z.data(), z.size()), TY_OK);
    return out;
}

TEST(KdfSm3, SharedVectors)
{
    const auto file = load_vectors("sm3.json");
    if (!file) GTEST_SKIP() << "no vector files";
    int count = 0;
    for (const Json &v : file->at("differential"))
        if (v.at("alg") == "SM2-KDF") {
            count++;
            EXPECT_EQ(kdf(field(v, "z"), v.at("len").number()), field(v, "out"));
        }
    EXPECT_EQ(count, 30);
}

// GB/T 32918.5-2017, C.2, the encryption example: t = KDF(x2 || y2, 152 bits), and t ^ "encryption
// standard" is its C2
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
        for (size_t n = 0; n <= 300; n += slow_tier(tier) && n > 64 ? 33 : 1) {
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
        ASSERT_EQ(kdf(z, 600), reference::kdf(z, 600)) << "z of " << n;
        ASSERT_EQ(kdf(z, 64), reference::kdf(z, 64)) << "z of " << n;
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

TEST(KdfSm3, OutputMayOverlapTheInput)
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
    std::cout << "the limit is beyond this machine's address space\n";
#endif
}

// --- HKDF ---

static Bytes hkdf_reference(const Bytes &ikm, const Bytes &salt, const Bytes &info, size_t len)
{
    const Bytes prk = reference::hmac(salt.empty() ? Bytes(32) : salt, ikm);
    Bytes t, out;
    for (uint8_t i = 1; out.size() < len; i++) {
        t = reference::hmac(prk, reference::join(reference::join(t, info), {i}));
        out = reference::join(out, t);
    }
    out.resize(len);
    return out;
}

// The inputs of RFC 5869, A.1 and A.3. The answers are those of the openssl command (3.0): openssl
// kdf -kdfopt digest:SM3 -kdfopt hexkey:0b.. -kdfopt hexsalt:0001.. -kdfopt hexinfo:f0.. -keylen 42
// HKDF
TEST(HkdfSm3, SameAsOpenSsl)
{
    uint8_t out[42];
    const Bytes ikm(22, 0x0b), salt = unhex("000102030405060708090a0b0c"),
                               info = unhex("f0f1f2f3f4f5f6f7f8f9");
    ASSERT_EQ(
        ty_hkdf_sm3(out, 42, ikm.data(), 22, salt.data(), salt.size(), info.data(), info.size()),
        TY_OK);
    EXPECT_EQ(
        hex(out, 42),
        "c69fe91b7aaee2dd5718d72dcaee0cce93f1b8e41f792da51261b6a517e68b36ed2c595572b01dfa359b");
    ASSERT_EQ(ty_hkdf_sm3(out, 42, ikm.data(), 22, nullptr, 0, nullptr, 0), TY_OK);
    EXPECT_EQ(
        hex(out, 42),
        "c8c91a38ae2fb3b023a7c38ce9f0748f28230d59b6b950ba3ba949bf0d713a5774815778801741cb2034");
}

TEST(HkdfSm3, EveryLength)
{
    TestRng rng(4);
    for (size_t n = 0; n <= 130; n++) {
        const Bytes ikm = rng.bytes(n), salt = rng.bytes(n * 7 % 131),
                    info = rng.bytes(n * 11 % 131);
        const Bytes want = hkdf_reference(ikm, salt, info, n);
        Guarded out(n), i(ikm.data(), n), s(salt.data(), salt.size()), f(info.data(), info.size());
        ASSERT_EQ(ty_hkdf_sm3(out.data(), n, i.data(), n, s.data(), s.size(), f.data(), f.size()),
                  TY_OK);
        ASSERT_EQ(hex(out.data(), n), hex(want)) << n;
        uint8_t prk[32];
        ty_hkdf_sm3_extract(prk, i.data(), n, s.data(), s.size());
        ASSERT_EQ(hex(prk, 32), hex(reference::hmac(salt.empty() ? Bytes(32) : salt, ikm)));
        ASSERT_EQ(ty_hkdf_sm3_expand(out.data(), n, prk, 32, f.data(), f.size()), TY_OK);
        ASSERT_EQ(hex(out.data(), n), hex(want)) << n;
    }
}

TEST(HkdfSm3, LongestOutput)
{
    const Bytes key = bytes("key"), want = hkdf_reference(key, {}, {}, 255 * 32);
    Bytes out(255 * 32 + 1, 0xA5);
    EXPECT_EQ(ty_hkdf_sm3(out.data(), out.size(), key.data(), key.size(), nullptr, 0, nullptr, 0),
              TY_ERR_SIZE);
    EXPECT_EQ(out, Bytes(out.size(), 0xA5));
    ASSERT_EQ(ty_hkdf_sm3(out.data(), 255 * 32, key.data(), key.size(), nullptr, 0, nullptr, 0),
              TY_OK);
    EXPECT_EQ(hex(out.data(), 255 * 32), hex(want));
    EXPECT_EQ(out.back(), 0xA5);
}
