// SM3 and SM4 through EVP: against the default provider where it has the same, else against the
// library's own functions.
#include "provider/evp.hpp"
#include "tongyu/sm4_aead.h"
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
    expect_error("no state of SM3");
}
#endif

// --- ECB, CBC, CFB, OFB, CTR --------------------------------------------------------------------

// A message in random pieces, each time with a copy of the context, in place where that is asked
// for.
static Bytes crypt(const Side &side, const char *name, int encrypt, int pad, const Bytes &key,
                   const Bytes &iv, const Bytes &msg, TestRng rng, bool in_place,
                   std::vector<std::string> *seen = nullptr)
{
    Cipher cipher = side.cipher(name);
    CipherCtx c(EVP_CIPHER_CTX_new());
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), key.data(),
                                 iv.empty() ? nullptr : iv.data(), encrypt, nullptr),
              1);
    EXPECT_EQ(EVP_CIPHER_CTX_set_padding(c.get(), pad), 1);
    Bytes out;
    for (size_t at = 0; at < msg.size();) {
        const size_t n = rng.below(std::min<size_t>(msg.size() - at, 700)) + 1;
        Bytes piece(msg.begin() + (long)at, msg.begin() + (long)(at + n));
        piece.resize(n + 32);
        Bytes apart(n + 32);
        uint8_t *to = in_place ? piece.data() : apart.data();
        int len = 0;
        EXPECT_EQ(EVP_CipherUpdate(c.get(), to, &len, piece.data(), (int)n), 1);
        out.insert(out.end(), to, to + len);
        at += n;
        if (seen) {
            uint8_t updated[16];
            if (EVP_CIPHER_CTX_get_updated_iv(c.get(), updated, sizeof updated) == 1)
                seen->push_back(hex(updated, 16) + " "
                                + std::to_string(EVP_CIPHER_CTX_get_num(c.get())));
        }
        CipherCtx copy(EVP_CIPHER_CTX_new());
        EXPECT_EQ(EVP_CIPHER_CTX_copy(copy.get(), c.get()), 1);
        c = std::move(copy);
    }
    uint8_t last[32];
    int len = 0;
    EXPECT_EQ(EVP_CipherFinal_ex(c.get(), last, &len), 1) << name;
    out.insert(out.end(), last, last + len);
    return out;
}

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
            const TestRng pieces(n);
            std::vector<std::string> a, b;
            const Bytes sealed = crypt(theirs(), name, 1, pad, key, iv, msg, pieces, false, &a);
            EXPECT_EQ(hex(crypt(ours(), name, 1, pad, key, iv, msg, pieces, false, &b)),
                      hex(sealed))
                << name << " " << n;
            EXPECT_EQ(a, b);
            EXPECT_EQ(crypt(ours(), name, 0, pad, key, iv, sealed, pieces, false), msg)
                << name << " " << n;
            EXPECT_EQ(crypt(ours(), name, 1, pad, key, iv, msg, pieces, true), sealed)
                << name << " in place " << n;
            EXPECT_EQ(crypt(ours(), name, 0, pad, key, iv, sealed, pieces, true), msg)
                << name << " in place " << n;
            EXPECT_EQ(crypt(theirs(), name, 0, pad, key, iv, sealed, pieces, false), msg)
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

// --- GCM and CCM --------------------------------------------------------------------------------

struct Sealed {
    Bytes text, tag;
};

static CipherCtx aead(const Side &side, const char *name, int encrypt, const Bytes &key,
                      const Bytes &iv, size_t tag_len, const Bytes *tag)
{
    const bool ccm = std::string(name) == "SM4-CCM";
    Cipher cipher = side.cipher(name);
    CipherCtx c(EVP_CIPHER_CTX_new());
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), nullptr, nullptr, encrypt, nullptr), 1);
    EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_IVLEN, (int)iv.size(), nullptr), 1);
    if (ccm || tag) {
        EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, (int)tag_len,
                                      tag ? (void *)tag->data() : nullptr),
                  1);
    }
    EXPECT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, key.data(), iv.data(), encrypt, nullptr), 1);
    return c;
}

static Sealed seal(const Side &side, const char *name, const Bytes &key, const Bytes &iv,
                   const Bytes &aad, const Bytes &msg, size_t tag_len, TestRng rng, bool pieces)
{
    const bool ccm = std::string(name) == "SM4-CCM";
    CipherCtx c = aead(side, name, 1, key, iv, tag_len, nullptr);
    Sealed s{ Bytes(msg.size()), Bytes(tag_len) };
    int len = 0;
    if (ccm) {
        EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, nullptr, (int)msg.size()), 1);
    }
    for (size_t at = 0, n; at < aad.size(); at += n) {
        n = ccm || !pieces ? aad.size() : rng.below(aad.size() - at) + 1;
        EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, aad.data() + at, (int)n), 1);
    }
    for (size_t at = 0, n; at < msg.size(); at += n) {
        n = ccm || !pieces ? msg.size() : rng.below(msg.size() - at) + 1;
        EXPECT_EQ(EVP_CipherUpdate(c.get(), s.text.data() + at, &len, msg.data() + at, (int)n), 1);
        if (!pieces) continue;
        CipherCtx copy(EVP_CIPHER_CTX_new());
        EXPECT_EQ(EVP_CIPHER_CTX_copy(copy.get(), c.get()), 1);
        c = std::move(copy);
    }
    uint8_t end[16];
    EXPECT_EQ(EVP_CipherFinal_ex(c.get(), end, &len), 1);
    EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, (int)tag_len, s.tag.data()), 1);
    return s;
}

// The tag is told before the text or, for GCM, only at the end. 1: right; out is as it was left
// otherwise.
static int open(const Side &side, const char *name, const Bytes &key, const Bytes &iv,
                const Bytes &aad, const Sealed &s, Bytes &out, TestRng rng, bool pieces,
                bool tag_early)
{
    const bool ccm = std::string(name) == "SM4-CCM";
    CipherCtx c = aead(side, name, 0, key, iv, s.tag.size(), ccm || tag_early ? &s.tag : nullptr);
    out.assign(s.text.size() + 16, 0xaa);
    int len = 0, ok = 1;
    if (ccm) {
        EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, nullptr, (int)s.text.size()), 1);
    }
    if (!aad.empty()) {
        EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, aad.data(), (int)aad.size()), 1);
    }
    for (size_t at = 0, n; at < s.text.size(); at += n) {
        n = ccm || !pieces ? s.text.size() : rng.below(s.text.size() - at) + 1;
        ok &= EVP_CipherUpdate(c.get(), out.data() + at, &len, s.text.data() + at, (int)n) == 1;
    }
    if (!ccm && !tag_early) {
        EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, (int)s.tag.size(),
                                      (void *)s.tag.data()),
                  1);
    }
    ok &= EVP_CipherFinal_ex(c.get(), out.data() + s.text.size(), &len) == 1;
    out.resize(s.text.size());
    ERR_clear_error();
    return ok;
}

static Sealed seal_directly(bool ccm, const Bytes &key, const Bytes &iv, const Bytes &aad,
                            const Bytes &msg, size_t tag_len)
{
    Sealed s{ Bytes(msg.size()), Bytes(tag_len) };
    if (ccm) {
        ty_sm4_key k;
        ty_sm4_init(&k, key.data());
        EXPECT_EQ(ty_sm4_ccm_seal(s.text.data(), s.tag.data(), tag_len, msg.data(), msg.size(),
                                  aad.data(), aad.size(), iv.data(), iv.size(), &k),
                  TY_OK);
    } else {
        ty_sm4_gcm_key k;
        ty_sm4_gcm_init(&k, key.data());
        EXPECT_EQ(ty_sm4_gcm_seal(s.text.data(), s.tag.data(), tag_len, msg.data(), msg.size(),
                                  aad.data(), aad.size(), iv.data(), iv.size(), &k),
                  TY_OK);
    }
    return s;
}

class Aead : public testing::TestWithParam<const char *> {};

TEST_P(Aead, BothWaysAndAltered)
{
    TestRng rng(4);
    const char *name = GetParam();
    const bool ccm = std::string(name) == "SM4-CCM", there = theirs().cipher(name) != nullptr;
    ERR_clear_error();
    const uint64_t before = ours().count("sm4-decrypt-key");
    if (!there)
        std::printf("not in OpenSSL %s: %s; compared with the library itself\n",
                    OpenSSL_version(OPENSSL_VERSION_STRING), name);
    for (size_t i = 0; i < 260; i++) {
        const size_t n = i < 100 ? i : rng.below(2000),
                     tag_len = ccm ? 4 + 2 * rng.below(7) : 12 + rng.below(5);
        const Bytes key = rng.bytes(16), iv = rng.bytes(ccm     ? 7 + rng.below(7)
                                                        : i % 3 ? 12
                                                                : 1 + rng.below(40));
        const Bytes aad = rng.bytes(i % 4 == 0 ? 0 : rng.below(i % 4 == 1 ? 300 : 40)),
                    msg = rng.bytes(n);
        const TestRng pieces(i);
        const Sealed want = seal_directly(ccm, key, iv, aad, msg, tag_len);
        for (bool cut : { false, true }) {
            const Sealed s = seal(ours(), name, key, iv, aad, msg, tag_len, pieces, cut);
            EXPECT_EQ(hex(s.text), hex(want.text)) << name << " " << n << " " << cut;
            EXPECT_EQ(hex(s.tag), hex(want.tag)) << name << " " << n << " " << cut;
            for (bool early : { false, true }) {
                Bytes out;
                EXPECT_EQ(open(ours(), name, key, iv, aad, want, out, pieces, cut, early), 1)
                    << name << " " << n << " " << cut << early;
                EXPECT_EQ(out, msg);
                Sealed wrong = want;
                if (n && i % 2) wrong.text[rng.below(n)] ^= 1;
                else wrong.tag[rng.below(tag_len)] ^= 1;
                EXPECT_EQ(open(ours(), name, key, iv, aad, wrong, out, pieces, cut, early), 0)
                    << name << " " << n << " " << cut << early;
                if (ccm) {
                    EXPECT_EQ(out, Bytes(n, n ? 0 : 0xaa))
                        << name << ": what does not verify is zeroed";
                }
            }
        }
        if (there
            && (ccm ? n != 0
                    : tag_len
                          == 16)) {    // 3.5 has no tag for an empty text of CCM without an update
            const Sealed s = seal(theirs(), name, key, iv, aad, msg, tag_len, pieces, false);
            EXPECT_EQ(hex(s.text) + hex(s.tag), hex(want.text) + hex(want.tag));
            Bytes out;
            EXPECT_EQ(open(theirs(), name, key, iv, aad, want, out, pieces, false, true), 1);
            EXPECT_EQ(out, msg);
        }
    }
    EXPECT_GT(ours().count("sm4-decrypt-key"), before);
}
INSTANTIATE_TEST_SUITE_P(All, Aead, testing::Values("SM4-GCM", "SM4-CCM"));

// A tag that is told early and then told again, after the text.
TEST(Gcm, TagToldTwice)
{
    TestRng rng(5);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(40), wrong(16);
    const Sealed s = seal_directly(false, key, iv, {}, msg, 16);
    for (bool right_first : { false, true }) {
        CipherCtx c = aead(ours(), "SM4-GCM", 0, key, iv, 16, right_first ? &s.tag : &wrong);
        Bytes out(40);
        int len;
        ASSERT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, s.text.data(), 40), 1);
        EXPECT_EQ(out, msg);
        ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, 16,
                                      (void *)(right_first ? wrong : s.tag).data()),
                  1);
        uint8_t end[16];
        EXPECT_EQ(EVP_CipherFinal_ex(c.get(), end, &len), right_first ? 0 : 1);
        EXPECT_EQ(out, msg) << "what was given out is the caller's";
    }
}

// A nonce serves one text, also if another key comes before the tag is fetched.
TEST(Ccm, NonceIsUsedUpByTheText)
{
    TestRng rng(9);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(20);
    const Sealed s = seal_directly(true, key, iv, {}, msg, 16);
    for (int encrypt : { 1, 0 }) {
        CipherCtx c = aead(ours(), "SM4-CCM", encrypt, key, iv, 16, encrypt ? nullptr : &s.tag);
        Bytes out(20);
        int len = 0;
        const Bytes &in = encrypt ? msg : s.text;
        ASSERT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, in.data(), 20), 1);
        EXPECT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, in.data(), 20), 0);
        expect_error("in one piece");
        ASSERT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, key.data(), nullptr, encrypt, nullptr), 1);
        out.assign(20, 0xaa);
        EXPECT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, in.data(), 20), 0);
        expect_error("no nonce");
        EXPECT_EQ(out, Bytes(20, 0xaa));
        EXPECT_EQ(EVP_CipherFinal_ex(c.get(), out.data(), &len), 0);
        expect_error("no nonce");
    }
}

TEST(Ccm, EndRepeatsWhatTheTextSaid)
{
    TestRng rng(10);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(20);
    for (bool right : { true, false }) {
        Sealed s = seal_directly(true, key, iv, {}, msg, 16);
        s.tag[0] ^= !right;
        CipherCtx c = aead(ours(), "SM4-CCM", 0, key, iv, 16, &s.tag);
        Bytes out(20);
        int len = 0;
        EXPECT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, s.text.data(), 20), right);
        EXPECT_EQ(EVP_CipherFinal_ex(c.get(), out.data(), &len), right);
    }
    ERR_clear_error();
}

// The caller's memory is its own again after an update: the end writes nothing there, whatever
// place it is given.
TEST(Gcm, WrongTagLeavesOtherMemoryAlone)
{
    TestRng rng(8);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12);
    for (size_t n : { 1, 100, 1024, 5000 }) {
        const Bytes msg = rng.bytes(n), later = rng.bytes(n + 16);
        Sealed s = seal_directly(false, key, iv, {}, msg, 16);
        s.tag[3] ^= 1;
        CipherCtx c = aead(ours(), "SM4-GCM", 0, key, iv, 16, &s.tag);
        Bytes memory(n + 16);
        int len = 0;
        ASSERT_EQ(EVP_CipherUpdate(c.get(), memory.data(), &len, s.text.data(), (int)n), 1);
        memory = later;
        EXPECT_NE(EVP_CipherFinal_ex(c.get(), memory.data() + n, &len), 1);
        EXPECT_EQ(hex(memory), hex(later)) << n;
    }
    ERR_clear_error();
}

TEST(Gcm, DrawsItsNonce)
{
    TestRng rng(6);
    const Bytes key = rng.bytes(16);
    Cipher cipher = ours().cipher("SM4-GCM");
    CipherCtx c(EVP_CIPHER_CTX_new());
    uint8_t iv[12], zero[12] = {}, out[5], end[16], tag[16];
    int len;
    ASSERT_EQ(EVP_EncryptInit_ex2(c.get(), cipher.get(), key.data(), nullptr, nullptr), 1);
    ASSERT_EQ(EVP_CIPHER_CTX_get_original_iv(c.get(), iv, sizeof iv), 1);
    EXPECT_NE(hex(iv, 12), hex(zero, 12));
    ASSERT_EQ(EVP_EncryptUpdate(c.get(), out, &len, (const uint8_t *)"hello", 5), 1);
    ASSERT_EQ(EVP_EncryptFinal_ex(c.get(), end, &len), 1);
    ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
    const Sealed want = seal_directly(false, key, Bytes(iv, iv + 12), {}, bytes("hello"), 16);
    EXPECT_EQ(hex(out, 5) + hex(tag, 16), hex(want.text) + hex(want.tag));
    EXPECT_EQ(EVP_EncryptUpdate(c.get(), out, &len, (const uint8_t *)"again", 5), 0)
        << "the same nonce a second time";
    expect_error("used up");
}

// A record of TLS 1.2: explicit nonce, text, tag, in place.
class Tls12 : public testing::TestWithParam<const char *> {};
TEST_P(Tls12, Record)
{
    TestRng rng(7);
    const Bytes key = rng.bytes(16), fixed = rng.bytes(4), msg = rng.bytes(77);
    const bool ccm = std::string(GetParam()) == "SM4-CCM";
    Cipher cipher = ours().cipher(GetParam());
    Bytes record(8 + msg.size() + 16), head = rng.bytes(13);
    std::copy(msg.begin(), msg.end(), record.begin() + 8);
    auto begin = [&](int encrypt, size_t len) {
        CipherCtx c(EVP_CIPHER_CTX_new());
        EXPECT_EQ(EVP_CipherInit_ex2(c.get(), cipher.get(), nullptr, nullptr, encrypt, nullptr), 1);
        EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_IVLEN, 12, nullptr), 1);
        if (ccm) {
            EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, 16, nullptr), 1);
        }
        EXPECT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, key.data(), nullptr, encrypt, nullptr), 1);
        EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(),
                                      ccm ? EVP_CTRL_CCM_SET_IV_FIXED : EVP_CTRL_GCM_SET_IV_FIXED,
                                      4, (void *)fixed.data()),
                  1);
        head[11] = (uint8_t)(len >> 8);
        head[12] = (uint8_t)len;
        EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_TLS1_AAD, 13, head.data()), 16);
        return c;
    };
    CipherCtx c = begin(1, msg.size() + 8);
    ASSERT_EQ(EVP_Cipher(c.get(), record.data(), record.data(), (unsigned)record.size()),
              (int)record.size());
    Bytes iv = fixed, aad = head;
    iv.insert(iv.end(), record.begin(), record.begin() + 8);
    aad[11] = 0;
    aad[12] = (uint8_t)msg.size();
    const Sealed want = seal_directly(ccm, key, iv, aad, msg, 16);
    EXPECT_EQ(hex(record.data() + 8, msg.size() + 16), hex(want.text) + hex(want.tag));
    Bytes altered = record;
    altered[20] ^= 1;
    c = begin(0, record.size());
    ASSERT_EQ(EVP_Cipher(c.get(), record.data(), record.data(), (unsigned)record.size()),
              (int)msg.size());
    EXPECT_EQ(Bytes(record.begin() + 8, record.begin() + 8 + (long)msg.size()), msg);
    c = begin(0, altered.size());
    EXPECT_LT(EVP_Cipher(c.get(), altered.data(), altered.data(), (unsigned)altered.size()), 1);
    EXPECT_EQ(Bytes(altered.begin() + 8, altered.begin() + 8 + (long)msg.size()), Bytes(msg.size()))
        << "zeroed";
    ERR_clear_error();
}
INSTANTIATE_TEST_SUITE_P(All, Tls12, testing::Values("SM4-GCM", "SM4-CCM"));

// --- Pipelines (OpenSSL 3.5) --------------------------------------------------------------------

using PipelineInit = int(EVP_CIPHER_CTX *, const EVP_CIPHER *, const unsigned char *, size_t,
                         size_t, const unsigned char **, size_t);
using PipelineUpdate = int(EVP_CIPHER_CTX *, unsigned char **, size_t *, const size_t *,
                           const unsigned char **, const size_t *);
using PipelineFinal = int(EVP_CIPHER_CTX *, unsigned char **, size_t *, const size_t *);
#if OPENSSL_VERSION_NUMBER >= 0x30500000L
static PipelineInit *pipe_seal() { return EVP_CipherPipelineEncryptInit; }
static PipelineInit *pipe_open() { return EVP_CipherPipelineDecryptInit; }
static PipelineUpdate *pipe_update() { return EVP_CipherPipelineUpdate; }
static PipelineFinal *pipe_final() { return EVP_CipherPipelineFinal; }
#else
static PipelineInit *pipe_seal() { return later<PipelineInit>("EVP_CipherPipelineEncryptInit"); }
static PipelineInit *pipe_open() { return later<PipelineInit>("EVP_CipherPipelineDecryptInit"); }
static PipelineUpdate *pipe_update() { return later<PipelineUpdate>("EVP_CipherPipelineUpdate"); }
static PipelineFinal *pipe_final() { return later<PipelineFinal>("EVP_CipherPipelineFinal"); }
#endif

struct Pipes {
    std::vector<Bytes> in, out, iv;
    std::vector<const uint8_t *> ins, ivs;
    std::vector<uint8_t *> outs;
    std::vector<size_t> lens, sizes, done;
    explicit Pipes(std::vector<Bytes> messages, std::vector<Bytes> nonces)
        : in(std::move(messages)), iv(std::move(nonces))
    {
        for (size_t i = 0; i < in.size(); i++) {
            out.emplace_back(in[i].size() + 32);
            ins.push_back(in[i].data()), ivs.push_back(iv[i].data()), lens.push_back(in[i].size());
            sizes.push_back(in[i].size() + 32), done.push_back(0);
        }
        for (Bytes &b : out) outs.push_back(b.data());
    }
};

TEST(Pipeline, SideBySideIsOneByOne)
{
    if (!pipe_seal()) NOT_THERE("pipelines");
    TestRng rng(8);
    for (const char *name : { "SM4-ECB", "SM4-CBC", "SM4-CFB", "SM4-OFB", "SM4-CTR" })
        for (int round = 0; round < 20; round++) {
            const size_t n = 1 + rng.below(32);
            const Bytes key = rng.bytes(16);
            std::vector<Bytes> messages, nonces, sealed;
            for (size_t i = 0; i < n; i++)
                messages.push_back(rng.bytes(round % 2 ? 64 : rng.below(200))),
                    nonces.push_back(rng.bytes(16));
            const bool ecb = std::string(name) == "SM4-ECB";
            Cipher cipher = ours().cipher(name);
            for (int encrypt : { 1, 0 }) {
                Pipes p(encrypt ? messages : sealed, nonces);
                CipherCtx c(EVP_CIPHER_CTX_new());
                ASSERT_EQ((encrypt ? pipe_seal() : pipe_open())(c.get(), cipher.get(), key.data(),
                                                                16, n, p.ivs.data(), ecb ? 0 : 16),
                          1)
                    << name;
                ASSERT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                        p.ins.data(), p.lens.data()),
                          1)
                    << name;
                std::vector<size_t> first = p.done;
                for (size_t i = 0; i < n; i++) p.outs[i] += first[i], p.sizes[i] -= first[i];
                ASSERT_EQ(pipe_final()(c.get(), p.outs.data(), p.done.data(), p.sizes.data()), 1)
                    << name;
                for (size_t i = 0; i < n; i++) {
                    p.out[i].resize(first[i] + p.done[i]);
                    if (encrypt) {
                        EXPECT_EQ(hex(p.out[i]),
                                  hex(crypt(ours(), name, 1, 1, key, ecb ? Bytes() : nonces[i],
                                            messages[i], rng, false)))
                            << name;
                        sealed.push_back(p.out[i]);
                    } else EXPECT_EQ(p.out[i], messages[i]) << name;
                }
            }
        }
}

// Too little room at the end: nothing is lost, and more room gives what was to come.
TEST(Pipeline, EndComesBackWithMoreRoom)
{
    if (!pipe_seal()) NOT_THERE("pipelines");
    TestRng rng(11);
    for (const char *name : { "SM4-ECB", "SM4-CBC" }) {
        const Bytes key = rng.bytes(16), iv = rng.bytes(16), msg = rng.bytes(37);
        Cipher cipher = ours().cipher(name);
        Bytes sealed;
        for (int encrypt : { 1, 0 }) {
            Pipes p({ encrypt ? msg : sealed }, { iv });
            CipherCtx c(EVP_CIPHER_CTX_new());
            ASSERT_EQ((encrypt ? pipe_seal() : pipe_open())(
                          c.get(), cipher.get(), key.data(), 16, 1, p.ivs.data(),
                          (size_t)EVP_CIPHER_get_iv_length(cipher.get())),
                      1);
            ASSERT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                    p.ins.data(), p.lens.data()),
                      1);
            uint8_t end[16];
            uint8_t *at[] = { end };
            size_t n = 0, room = 4;
            EXPECT_NE(pipe_final()(c.get(), at, &n, &room), 1);
            expect_error("there is room for 4");
            room = 16;
            ASSERT_EQ(pipe_final()(c.get(), at, &n, &room), 1);
            Bytes all(p.out[0].begin(), p.out[0].begin() + (long)p.done[0]);
            all.insert(all.end(), end, end + n);
            if (encrypt) sealed = all;
            else EXPECT_EQ(all, msg);
        }
    }
}

TEST(Pipeline, Authenticated)
{
    if (!pipe_seal()) NOT_THERE("pipelines");
    TestRng rng(9);
    for (const char *name : { "SM4-GCM", "SM4-CCM" })
        for (int round = 0; round < 20; round++) {
            const size_t n = 1 + rng.below(32), wrong = rng.below(n);
            const bool ccm = std::string(name) == "SM4-CCM";
            const Bytes key = rng.bytes(16);
            std::vector<Bytes> messages, nonces, sealed, tags(n, Bytes(16)), aads;
            for (size_t i = 0; i < n; i++)
                messages.push_back(rng.bytes(rng.below(200))), nonces.push_back(rng.bytes(12)),
                    aads.push_back(rng.bytes(13));
            Cipher cipher = ours().cipher(name);
            std::vector<uint8_t *> tag_at;
            for (Bytes &t : tags) tag_at.push_back(t.data());
            OSSL_PARAM p_tags[] = { OSSL_PARAM_construct_octet_ptr("pipeline-tag",
                                                                   (void **)tag_at.data(), 16),
                                    OSSL_PARAM_construct_end() };
            for (int way : { 1, 0, 2 }) {    // seal, open, open with one tag altered
                Pipes p(way == 1 ? messages : sealed, nonces), a(aads, nonces);
                CipherCtx c(EVP_CIPHER_CTX_new());
                ASSERT_EQ((way == 1 ? pipe_seal() : pipe_open())(c.get(), cipher.get(), key.data(),
                                                                 16, n, p.ivs.data(), 12),
                          1)
                    << name;
                if (ccm && way == 1) {
                    ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, 16, nullptr), 1);
                }
                if (way == 2) tags[wrong][3] ^= 1;
                if (way != 1) {
                    ASSERT_EQ(EVP_CIPHER_CTX_set_params(c.get(), p_tags), 1);
                }
                ASSERT_EQ(pipe_update()(c.get(), nullptr, a.done.data(), nullptr, a.ins.data(),
                                        a.lens.data()),
                          1)
                    << name;
                ASSERT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                        p.ins.data(), p.lens.data()),
                          1)
                    << name;
                EXPECT_EQ(pipe_final()(c.get(), p.outs.data(), p.done.data(), p.sizes.data()),
                          way != 2)
                    << name;
                if (way == 1) {
                    ASSERT_EQ(EVP_CIPHER_CTX_get_params(c.get(), p_tags), 1);
                }
                for (size_t i = 0; i < n; i++) {
                    p.out[i].resize(messages[i].size());
                    if (way == 1) {
                        const Sealed want =
                            seal_directly(ccm, key, nonces[i], aads[i], messages[i], 16);
                        EXPECT_EQ(hex(p.out[i]) + hex(tags[i]), hex(want.text) + hex(want.tag))
                            << name;
                        sealed.push_back(p.out[i]);
                    } else if (way == 2 && i == wrong)
                        EXPECT_EQ(p.out[i], Bytes(messages[i].size()));
                    else EXPECT_EQ(p.out[i], messages[i]) << name;
                }
            }
        }
    ERR_clear_error();
}
