// SM3, and SM4 in its plain modes and XTS, through EVP, compared with the default provider where it
// has the algorithm, and XTS also with the library's own functions.
#include "provider/ciphers.hpp"
#include "tongyu/sm4_xts.h"

// --- SM3 ----------------------------------------------------------------------------------------

static Bytes digest(const Side &side, const Bytes &msg, TestRng &rng)
{
    Bytes out(32);
    Md md = side.md("SM3");
    MdCtx c(EVP_MD_CTX_new());
    EXPECT_EQ(EVP_DigestInit_ex2(c.get(), md.get(), nullptr), 1);
    for (size_t at = 0; at < msg.size();) {
        const size_t n = rng.below(msg.size() - at) + 1;
        EXPECT_EQ(EVP_DigestUpdate(c.get(), msg.data() + at, n), 1);
        at += n;
        MdCtx copy(EVP_MD_CTX_new());
        EXPECT_EQ(EVP_MD_CTX_copy_ex(copy.get(), c.get()), 1);
        c = std::move(copy);
    }
    EXPECT_EQ(EVP_DigestFinal_ex(c.get(), out.data(), nullptr), 1);
    return out;
}

TEST(Digest, EveryLengthBothProviders)
{
    TestRng rng(1);
    for (size_t n = 0; n < 300; n++) {
        const Bytes msg = rng.bytes(n);
        EXPECT_EQ(hex(digest(ours(), msg, rng)), hex(digest(theirs(), msg, rng))) << n;
    }
}

TEST(Digest, NamesAndFacts)
{
    for (const char *name : { "SM3", "sm3", "1.2.156.10197.1.401" }) {
        Md md = ours().md(name), standard = theirs().md(name);
        ASSERT_TRUE(md && standard) << name;
        EXPECT_EQ(EVP_MD_get_size(md.get()), EVP_MD_get_size(standard.get()));
        EXPECT_EQ(EVP_MD_get_block_size(md.get()), EVP_MD_get_block_size(standard.get()));
        EXPECT_EQ(EVP_MD_get_flags(md.get()), EVP_MD_get_flags(standard.get()));
    }
}

TEST(Digest, OneShotAndReuse)
{
    const uint64_t before = ours().count("sm3-context");
    uint8_t out[32];
    size_t len = 0;
    ASSERT_EQ(EVP_Q_digest(ours().lib, "SM3", "provider=tongyu", "abc", 3, out, &len), 1);
    EXPECT_EQ(hex(out, len), "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0");
    EXPECT_GT(ours().count("sm3-context"), before);
    Md md = ours().md("SM3");
    MdCtx c(EVP_MD_CTX_new());
    for (int i = 0; i < 3; i++) {
        ASSERT_EQ(EVP_DigestInit_ex2(c.get(), i ? nullptr : md.get(), nullptr), 1);
        ASSERT_EQ(EVP_DigestUpdate(c.get(), "abc", 3), 1);
        ASSERT_EQ(EVP_DigestFinal_ex(c.get(), out, nullptr), 1);
        EXPECT_EQ(hex(out, 8), "66c7f0f462eeedd9");
    }
}

// HMAC, HKDF and PBKDF2 are the default provider's; the hash inside is ours.
TEST(Digest, InsideHmac)
{
    uint8_t a[32], b[32];
    size_t n = 0;
    const uint64_t before = ours().count("sm3-context");
    ASSERT_TRUE(EVP_Q_mac(ours().lib, "HMAC", nullptr, "SM3", nullptr, "key", 3,
                          (const uint8_t *)"text", 4, a, sizeof a, &n));
    ASSERT_TRUE(EVP_Q_mac(theirs().lib, "HMAC", nullptr, "SM3", nullptr, "key", 3,
                          (const uint8_t *)"text", 4, b, sizeof b, &n));
    EXPECT_EQ(hex(a, 32), hex(b, 32));
    EXPECT_GT(ours().count("sm3-context"), before);
}

#if OPENSSL_VERSION_NUMBER >= 0x40000000L
TEST(Digest, Serialize)
{
    Md md = ours().md("SM3");
    MdCtx c(EVP_MD_CTX_new()), d(EVP_MD_CTX_new());
    uint8_t state[256], a[32], b[32];
    size_t n = sizeof state;
    ASSERT_EQ(EVP_DigestInit_ex2(c.get(), md.get(), nullptr), 1);
    ASSERT_EQ(EVP_DigestUpdate(c.get(), "some text", 9), 1);
    ASSERT_EQ(EVP_MD_CTX_serialize(c.get(), state, &n), 1);
    ASSERT_EQ(EVP_DigestInit_ex2(d.get(), md.get(), nullptr), 1);
    ASSERT_EQ(EVP_MD_CTX_deserialize(d.get(), state, n), 1);
    for (EVP_MD_CTX *x : { c.get(), d.get() }) ASSERT_EQ(EVP_DigestUpdate(x, " more", 5), 1);
    ASSERT_EQ(EVP_DigestFinal_ex(c.get(), a, nullptr), 1);
    ASSERT_EQ(EVP_DigestFinal_ex(d.get(), b, nullptr), 1);
    EXPECT_EQ(hex(a, 32), hex(b, 32));
    state[0] ^= 1;
    ASSERT_EQ(EVP_DigestInit_ex2(d.get(), md.get(), nullptr), 1);
    EXPECT_EQ(EVP_MD_CTX_deserialize(d.get(), state, n), 0);
    expect_error("not a state of SM3");
}
#endif

// --- ECB, CBC, CFB, OFB, CTR --------------------------------------------------------------------

class Modes : public testing::TestWithParam<const char *> {};

TEST_P(Modes, BothProvidersBothWays)
{
    TestRng rng(2);
    const char *name = GetParam();
    const bool blocks = std::string(name).find("ECB") != std::string::npos
                        || std::string(name).find("CBC") != std::string::npos
                        || std::string(name) == "SM4"
                        || std::string(name) == "1.2.156.10197.1.104.2";
    const bool ecb = std::string(name) == "SM4-ECB";
    const uint64_t before = ours().count("sm4-encrypt-key");
    for (size_t n = 0; n < 2000; n += n < 100 ? 1 : 97) {
        const Bytes key = rng.bytes(16), iv = ecb ? Bytes() : rng.bytes(16);
        for (int pad : { 0, 1 }) {
            const Bytes msg = rng.bytes(blocks && !pad ? n / 16 * 16 : n);
            const TestRng chunks(n);
            std::vector<std::string> a, b;
            const Bytes sealed = crypt(theirs(), name, 1, pad, key, iv, msg, chunks, false, &a);
            EXPECT_EQ(hex(crypt(ours(), name, 1, pad, key, iv, msg, chunks, false, &b)),
                      hex(sealed))
                << name << " " << n;
            EXPECT_EQ(a, b);
            EXPECT_EQ(crypt(ours(), name, 0, pad, key, iv, sealed, chunks, false), msg)
                << name << " " << n;
            EXPECT_EQ(crypt(ours(), name, 1, pad, key, iv, msg, chunks, true), sealed)
                << name << " in place " << n;
            EXPECT_EQ(crypt(ours(), name, 0, pad, key, iv, sealed, chunks, true), msg)
                << name << " in place " << n;
            EXPECT_EQ(crypt(theirs(), name, 0, pad, key, iv, sealed, chunks, false), msg)
                << name << " " << n;
        }
    }
    EXPECT_GT(ours().count("sm4-encrypt-key"), before);
}
INSTANTIATE_TEST_SUITE_P(All, Modes,
                         testing::Values("SM4-ECB", "SM4-CBC", "SM4", "1.2.156.10197.1.104.2",
                                         "SM4-CFB", "SM4-CFB128", "SM4-OFB", "SM4-OFB128",
                                         "SM4-CTR"));

TEST(Ciphers, FactsAreThoseOfTheDefaultProvider)
{
    for (const char *name : { "SM4-ECB", "SM4-CBC", "SM4-CFB", "SM4-OFB", "SM4-CTR", "SM4-GCM",
                              "SM4-CCM", "SM4-XTS" }) {
        Cipher a = ours().cipher(name), b = theirs().cipher(name);
        ASSERT_TRUE(a) << name;
        if (!b) {
            std::printf("not in OpenSSL %s: %s\n", OpenSSL_version(OPENSSL_VERSION_STRING), name);
            continue;
        }
        EXPECT_EQ(EVP_CIPHER_get_mode(a.get()), EVP_CIPHER_get_mode(b.get())) << name;
        EXPECT_EQ(EVP_CIPHER_get_key_length(a.get()), EVP_CIPHER_get_key_length(b.get())) << name;
        EXPECT_EQ(EVP_CIPHER_get_iv_length(a.get()), EVP_CIPHER_get_iv_length(b.get())) << name;
        EXPECT_EQ(EVP_CIPHER_get_block_size(a.get()), EVP_CIPHER_get_block_size(b.get())) << name;
        EXPECT_EQ(EVP_CIPHER_get_flags(a.get()), EVP_CIPHER_get_flags(b.get())) << name;
    }
    ERR_clear_error();
}

// --- XTS ----------------------------------------------------------------------------------------

static Bytes xts(const Side &side, const char *standard, int encrypt, const Bytes &key,
                 const Bytes &iv, const Bytes &msg)
{
    Cipher cipher = side.cipher("SM4-XTS");
    CipherCtx c(EVP_CIPHER_CTX_new());
    OSSL_PARAM p[] = { OSSL_PARAM_construct_utf8_string("xts_standard", (char *)standard, 0),
                       OSSL_PARAM_construct_end() };
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), key.data(), iv.data(), encrypt, p), 1);
    Bytes out(msg.size());
    int len = 0;
    EXPECT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, msg.data(), (int)msg.size()), 1);
    EXPECT_EQ((size_t)len, msg.size());
    return out;
}

TEST(Xts, BothStandards)
{
    TestRng rng(3);
    for (size_t n = 16; n < 600; n += n < 70 ? 1 : 61) {
        const Bytes key = rng.bytes(32), iv = rng.bytes(16), msg = rng.bytes(n);
        ty_sm4_xts_key k;
        ASSERT_EQ(ty_sm4_xts_init(&k, key.data()), TY_OK);
        Bytes gb(n), ieee(n);
        ASSERT_EQ(ty_sm4_xts_gb_encrypt(gb.data(), msg.data(), n, iv.data(), &k), TY_OK);
        ASSERT_EQ(ty_sm4_xts_ieee_encrypt(ieee.data(), msg.data(), n, iv.data(), &k), TY_OK);
        EXPECT_EQ(xts(ours(), "GB", 1, key, iv, msg), gb);
        EXPECT_EQ(xts(ours(), "IEEE", 1, key, iv, msg), ieee);
        EXPECT_EQ(xts(ours(), "GB", 0, key, iv, gb), msg);
        EXPECT_EQ(xts(ours(), "IEEE", 0, key, iv, ieee), msg);
        if (theirs().cipher("SM4-XTS")) {
            EXPECT_EQ(xts(theirs(), "GB", 1, key, iv, msg), gb);
            EXPECT_EQ(xts(theirs(), "IEEE", 0, key, iv, ieee), msg);
        }
    }
    ERR_clear_error();
}
