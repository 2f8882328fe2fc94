// SM4-GCM and SM4-CCM through EVP, against the library's own functions and, where it has them, the
// default provider; nonces, each of which serves one message; and records of TLS 1.2.
#include "provider/ciphers.hpp"
#include <algorithm>

static Sealed seal(const Side &side, const char *name, const Bytes &key, const Bytes &iv,
                   const Bytes &aad, const Bytes &msg, size_t tag_len, TestRng rng, bool chunks)
{
    const bool ccm = std::string(name) == "SM4-CCM";
    CipherCtx c = aead(side, name, 1, key, iv, tag_len, nullptr);
    Sealed s{ Bytes(msg.size()), Bytes(tag_len) };
    int len = 0;
    if (ccm) {
        EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, nullptr, (int)msg.size()), 1);
    }
    for (size_t at = 0, n; at < aad.size(); at += n) {
        n = ccm || !chunks ? aad.size() : rng.below(aad.size() - at) + 1;
        EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, aad.data() + at, (int)n), 1);
    }
    for (size_t at = 0, n; at < msg.size(); at += n) {
        n = ccm || !chunks ? msg.size() : rng.below(msg.size() - at) + 1;
        EXPECT_EQ(EVP_CipherUpdate(c.get(), s.text.data() + at, &len, msg.data() + at, (int)n), 1);
        if (!chunks) continue;
        CipherCtx copy(EVP_CIPHER_CTX_new());
        EXPECT_EQ(EVP_CIPHER_CTX_copy(copy.get(), c.get()), 1);
        c = std::move(copy);
    }
    uint8_t end[16];
    EXPECT_EQ(EVP_CipherFinal_ex(c.get(), end, &len), 1);
    EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, (int)tag_len, s.tag.data()), 1);
    return s;
}

// The tag is set before the text or, for GCM, possibly only at the end. Returns 1 if it verifies;
// out is whatever the calls wrote.
static int open(const Side &side, const char *name, const Bytes &key, const Bytes &iv,
                const Bytes &aad, const Sealed &s, Bytes &out, TestRng rng, bool chunks,
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
        n = ccm || !chunks ? s.text.size() : rng.below(s.text.size() - at) + 1;
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
        const TestRng chunks(i);
        const Sealed want = seal_directly(ccm, key, iv, aad, msg, tag_len);
        for (bool cut : { false, true }) {
            const Sealed s = seal(ours(), name, key, iv, aad, msg, tag_len, chunks, cut);
            EXPECT_EQ(hex(s.text), hex(want.text)) << name << " " << n << " " << cut;
            EXPECT_EQ(hex(s.tag), hex(want.tag)) << name << " " << n << " " << cut;
            for (bool early : { false, true }) {
                Bytes out;
                EXPECT_EQ(open(ours(), name, key, iv, aad, want, out, chunks, cut, early), 1)
                    << name << " " << n << " " << cut << early;
                EXPECT_EQ(out, msg);
                Sealed wrong = want;
                if (n && i % 2) wrong.text[rng.below(n)] ^= 1;
                else wrong.tag[rng.below(tag_len)] ^= 1;
                EXPECT_EQ(open(ours(), name, key, iv, aad, wrong, out, chunks, cut, early), 0)
                    << name << " " << n << " " << cut << early;
                if (ccm) {
                    EXPECT_EQ(out, Bytes(n, n ? 0 : 0xaa))
                        << name << ": what does not verify is zeroed";
                }
            }
        }
        // OpenSSL 3.5 computes no tag for an empty text of CCM without an update
        if (there && (ccm ? n != 0 : tag_len == 16)) {
            const Sealed s = seal(theirs(), name, key, iv, aad, msg, tag_len, chunks, false);
            EXPECT_EQ(hex(s.text) + hex(s.tag), hex(want.text) + hex(want.tag));
            Bytes out;
            EXPECT_EQ(open(theirs(), name, key, iv, aad, want, out, chunks, false, true), 1);
            EXPECT_EQ(out, msg);
        }
    }
    EXPECT_GT(ours().count("sm4-decrypt-key"), before);
}
INSTANTIATE_TEST_SUITE_P(All, Aead, testing::Values("SM4-GCM", "SM4-CCM"));

// A tag that is set early and then set again, after the text.
TEST(Gcm, TagSetTwice)
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
        EXPECT_EQ(out, msg) << "text that was written is not changed later";
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

// The length of a tag is part of what CCM authenticates: no other length can be had afterwards.
TEST(Ccm, LengthOfATagIsFixedByTheText)
{
    TestRng rng(18);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(20);
    for (int later : { 8, 16 }) {
        CipherCtx c = aead(ours(), "SM4-CCM", 1, key, iv, 12, nullptr);
        Bytes out(20), tag(16, 0xaa);
        int len = 0;
        ASSERT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, msg.data(), 20), 1);
        ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, later, nullptr), 1);
        EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, later, tag.data()), 0);
        expect_error("after the end");
        EXPECT_EQ(tag, Bytes(16, 0xaa));
    }
}

// Additional data after the text would not be authenticated, so they are refused.
TEST(Ccm, AdditionalDataAfterTheText)
{
    TestRng rng(17);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(20), aad = rng.bytes(5);
    const Sealed s = seal_directly(true, key, iv, {}, msg, 16);
    for (int encrypt : { 1, 0 }) {
        CipherCtx c = aead(ours(), "SM4-CCM", encrypt, key, iv, 16, encrypt ? nullptr : &s.tag);
        Bytes out(20);
        int len = 0;
        ASSERT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, nullptr, 20), 1);
        ASSERT_EQ(
            EVP_CipherUpdate(c.get(), out.data(), &len, (encrypt ? msg : s.text).data(), 20), 1);
        EXPECT_EQ(EVP_CipherUpdate(c.get(), nullptr, &len, aad.data(), 5), 0);
        expect_error("before the text");
    }
}

// For CCM the update verifies the tag, and final returns the same verdict again.
TEST(Ccm, FinalRepeatsTheVerdictOfTheUpdate)
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

// After an update the memory belongs to the caller again: final writes nothing there, whatever
// pointer it is given.
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

// Passes the text in one call of EVP_CipherUpdate or EVP_Cipher. True if it worked.
static bool pass_text(EVP_CIPHER_CTX *c, bool by_cipher, uint8_t *out, const uint8_t *in, size_t n)
{
    int len = 0;
    return by_cipher ? EVP_Cipher(c, out, in, (unsigned)n) > 0
                     : EVP_CipherUpdate(c, out, &len, in, (int)n) == 1;
}

// GCM's tag is verified in a call after the text, also with EVP_Cipher and where the tag was set
// first, because more text may follow. So a wrong tag does not change plaintext given out before.
TEST(Gcm, WrongTagLeavesEarlierPlaintext)
{
    TestRng rng(15);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(60);
    Sealed s = seal_directly(false, key, iv, {}, msg, 16);
    s.tag[15] ^= 1;
    for (int variant = 0; variant < 8; variant++) {
        const bool by_cipher = variant & 1, early = variant & 2, in_place = variant & 4;
        CipherCtx c = aead(ours(), "SM4-GCM", 0, key, iv, 16, early ? &s.tag : nullptr);
        Bytes in = s.text, apart(60, 0xaa), &out = in_place ? in : apart;
        int len = 0;
        ASSERT_TRUE(pass_text(c.get(), by_cipher, out.data(), in.data(), 60)) << variant;
        EXPECT_EQ(out, msg) << variant;
        if (!early) {
            ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, 16, s.tag.data()), 1);
        }
        EXPECT_LT(by_cipher ? EVP_Cipher(c.get(), nullptr, nullptr, 0)
                            : EVP_CipherFinal_ex(c.get(), apart.data(), &len) - 1,
                  0)
            << variant;
        EXPECT_EQ(out, msg) << variant;
    }
    ERR_clear_error();
}

// CCM's tag is set before the text, and the text comes in one call: a wrong tag leaves zeros.
TEST(Ccm, WrongTagLeavesZeros)
{
    TestRng rng(16);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12);
    for (size_t n : { 1, 60, 5000 }) {
        const Bytes msg = rng.bytes(n);
        Sealed s = seal_directly(true, key, iv, {}, msg, 16);
        s.tag[15] ^= 1;
        for (int variant = 0; variant < 4; variant++) {
            const bool by_cipher = variant & 1, in_place = variant & 2;
            CipherCtx c = aead(ours(), "SM4-CCM", 0, key, iv, 16, &s.tag);
            Bytes in = s.text, apart(n, 0xaa), &out = in_place ? in : apart;
            EXPECT_FALSE(pass_text(c.get(), by_cipher, out.data(), in.data(), n)) << variant;
            EXPECT_EQ(out, Bytes(n)) << variant;
        }
    }
    ERR_clear_error();
}

// A nonce serves one message, even if the message was never finished or another key was set since.
TEST(Gcm, NonceIsUsedUpByTheBeginning)
{
    TestRng rng(11);
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(20);
    for (int encrypt : { 1, 0 })
        for (bool text : { true, false }) {
            CipherCtx c = aead(ours(), "SM4-GCM", encrypt, key, iv, 16, nullptr);
            Bytes out(20), end(16);
            int len = 0;
            ASSERT_EQ(EVP_CipherUpdate(c.get(), text ? out.data() : nullptr, &len, msg.data(), 20),
                      1);
            ASSERT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, key.data(), nullptr, encrypt, nullptr),
                      1);
            out.assign(20, 0xaa);
            EXPECT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, msg.data(), 20), 0);
            expect_error("used up");
            EXPECT_EQ(out, Bytes(20, 0xaa));
            EXPECT_EQ(EVP_CipherFinal_ex(c.get(), end.data(), &len), 0);
            expect_error(encrypt ? "used up" : "no tag");
            ASSERT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, nullptr, iv.data(), encrypt, nullptr),
                      1)
                << "setting the same nonce again is allowed";
            EXPECT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, msg.data(), 20), 1);
        }
}

// A decryption does not accept the tag that an encryption left in the same context, and an
// encryption does not return the one that was set for a decryption.
TEST_P(Aead, TagOfTheOtherDirection)
{
    TestRng rng(12);
    const char *name = GetParam();
    const bool ccm = std::string(name) == "SM4-CCM";
    const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(20), set(16);
    CipherCtx c = aead(ours(), name, 1, key, iv, 16, nullptr);
    Bytes out(20), back(20);
    uint8_t end[16];
    int len = 0;
    ASSERT_EQ(EVP_CipherUpdate(c.get(), out.data(), &len, msg.data(), 20), 1);
    ASSERT_EQ(EVP_CipherFinal_ex(c.get(), end, &len), 1);
    ASSERT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, nullptr, iv.data(), 0, nullptr), 1);
    EXPECT_EQ(EVP_CipherUpdate(c.get(), back.data(), &len, out.data(), 20), !ccm);
    if (!ccm) {
        EXPECT_NE(EVP_CipherFinal_ex(c.get(), end, &len), 1);
    }
    expect_error("no tag");
    c = aead(ours(), name, 0, key, iv, 16, &set);
    ASSERT_EQ(EVP_CipherInit_ex2(c.get(), nullptr, nullptr, nullptr, 1, nullptr), 1);
    EXPECT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_GET_TAG, 16, end), 0);
    expect_error("after the end");
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
    for (bool by_cipher : { true, false }) {
        Bytes wrong = altered;
        c = begin(0, wrong.size());
        EXPECT_FALSE(pass_text(c.get(), by_cipher, wrong.data(), wrong.data(), wrong.size()));
        EXPECT_EQ(hex(wrong.data() + 8, msg.size()), hex(Bytes(msg.size()))) << "zeroed";
    }
    ERR_clear_error();
}
INSTANTIATE_TEST_SUITE_P(All, Tls12, testing::Values("SM4-GCM", "SM4-CCM"));

// A record needs a nonce of 12 bytes: one that was shortened afterwards has no room for the
// counter.
TEST(Gcm, RecordWithAShortenedNonce)
{
    TestRng rng(13);
    const Bytes key = rng.bytes(16), fixed = rng.bytes(4);
    Bytes record(64), head(13);
    head[12] = 40;
    for (bool by_record : { true, false }) {
        CipherCtx c(EVP_CIPHER_CTX_new());
        Cipher cipher = ours().cipher("SM4-GCM");
        ASSERT_EQ(EVP_EncryptInit_ex2(c.get(), cipher.get(), key.data(), nullptr, nullptr), 1);
        ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_GCM_SET_IV_FIXED, 4, (void *)fixed.data()),
                  1);
        ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_IVLEN, 1, nullptr), 1);
        if (by_record) {
            ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_TLS1_AAD, 13, head.data()), 16);
            EXPECT_LT(EVP_Cipher(c.get(), record.data(), record.data(), 64), 1);
        } else {
            EXPECT_NE(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_GCM_IV_GEN, 8, record.data()), 1);
        }
        expect_error("tlsivfixed");
        EXPECT_EQ(record, Bytes(64));
    }
}

// Counter-based nonces: each record gets the next one, also after a message without a record.
TEST(Gcm, CountedNoncesDoNotRepeat)
{
    TestRng rng(14);
    const Bytes key = rng.bytes(16), fixed = rng.bytes(4);
    Cipher cipher = ours().cipher("SM4-GCM");
    CipherCtx c(EVP_CIPHER_CTX_new());
    ASSERT_EQ(EVP_EncryptInit_ex2(c.get(), cipher.get(), key.data(), nullptr, nullptr), 1);
    ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_GCM_SET_IV_FIXED, 4, (void *)fixed.data()), 1);
    uint8_t out[16], text[16] = {}, next[8];
    int len;
    std::vector<std::string> seen;
    for (int i = 0; i < 4; i++) { // the first message has the nonce that was set
        if (i) {
            ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_GCM_IV_GEN, 8, next), 1);
        }
        ASSERT_EQ(EVP_EncryptUpdate(c.get(), out, &len, text, 16), 1);
        ASSERT_EQ(EVP_EncryptFinal_ex(c.get(), text, &len), 1);
        for (const std::string &other : seen) EXPECT_NE(hex(out, 16), other) << i;
        seen.push_back(hex(out, 16));
    }
}
