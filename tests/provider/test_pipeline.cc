// Pipelines (OpenSSL 3.5): each message has the same result as alone.
#include "provider/ciphers.hpp"
#include <algorithm>

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

TEST(Pipeline, EqualsOneByOne)
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

// The IVs belong to the messages that the last init call began: without them there is an error, and
// not a message under an IV of zeros. The key may come before.
TEST(Pipeline, IvsBeginTheMessages)
{
    if (!pipe_seal()) NOT_THERE("pipelines");
    TestRng rng(20);
    for (const char *name : { "SM4-CBC", "SM4-CFB", "SM4-OFB", "SM4-CTR" }) {
        const Bytes key = rng.bytes(16);
        const std::vector<Bytes> messages = { rng.bytes(16), rng.bytes(16) },
                                 nonces = { rng.bytes(16), rng.bytes(16) };
        Cipher cipher = ours().cipher(name);
        Pipes p(messages, nonces);
        CipherCtx c(EVP_CIPHER_CTX_new());
        ASSERT_EQ(pipe_seal()(c.get(), cipher.get(), nullptr, 0, 2, p.ivs.data(), 16), 1);
        ASSERT_EQ(pipe_seal()(c.get(), nullptr, key.data(), 16, 2, nullptr, 0), 1);
        EXPECT_NE(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                p.ins.data(), p.lens.data()),
                  1)
            << name;
        expect_error("no IVs yet");
        ASSERT_EQ(pipe_seal()(c.get(), nullptr, nullptr, 0, 2, p.ivs.data(), 16), 1);
        ASSERT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                p.ins.data(), p.lens.data()),
                  1)
            << name;
        for (size_t i = 0; i < 2; i++)
            EXPECT_EQ(hex(p.out[i].data(), 16),
                      hex(crypt(ours(), name, 1, 0, key, nonces[i], messages[i], rng, false)))
                << name;
    }
}

// A missing IV among the others is an error as well, and not a message under an IV of zeros.
TEST(Pipeline, OneIvIsMissing)
{
    if (!pipe_seal()) NOT_THERE("pipelines");
    TestRng rng(21);
    for (const char *name : { "SM4-CBC", "SM4-CTR", "SM4-GCM", "SM4-CCM" })
        for (size_t missing : { 0, 1, 2 }) {
            Cipher cipher = ours().cipher(name);
            const bool aead = std::string(name).back() == 'M';
            const size_t iv_len = aead ? 12 : 16;
            const Bytes key = rng.bytes(16), iv = rng.bytes(iv_len), msg = rng.bytes(16);
            Pipes p({ msg, msg, msg }, { iv, iv, iv });
            const uint8_t *const there = p.ivs[missing];
            p.ivs[missing] = nullptr;
            CipherCtx c(EVP_CIPHER_CTX_new());
            ASSERT_EQ(pipe_seal()(c.get(), cipher.get(), key.data(), 16, 3, p.ivs.data(), iv_len),
                      1)
                << name;
            EXPECT_NE(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                    p.ins.data(), p.lens.data()),
                      1)
                << name;
            expect_error(aead ? "no nonces yet" : "no IVs yet");
            p.ivs[missing] = there;
            ASSERT_EQ(pipe_seal()(c.get(), nullptr, nullptr, 0, 3, p.ivs.data(), iv_len), 1);
            EXPECT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                    p.ins.data(), p.lens.data()),
                      1)
                << name;
        }
}

// If final has too little room, nothing is lost: a call with more room returns the rest.
TEST(Pipeline, FinalAgainWithMoreRoom)
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

// All messages or none: when one has too little room, the others lose nothing.
TEST(Pipeline, AllOrNone)
{
    if (!pipe_seal()) NOT_THERE("pipelines");
    TestRng rng(12);
    for (const char *name : { "SM4-CBC", "SM4-CTR" }) {
        const bool blocks = std::string(name) == "SM4-CBC";
        const Bytes key = rng.bytes(16);
        const std::vector<Bytes> messages = { rng.bytes(37), rng.bytes(37), rng.bytes(37) },
                                 nonces = { rng.bytes(16), rng.bytes(16), rng.bytes(16) };
        Cipher cipher = ours().cipher(name);
        Pipes p(messages, nonces);
        CipherCtx c(EVP_CIPHER_CTX_new());
        ASSERT_EQ(pipe_seal()(c.get(), cipher.get(), key.data(), 16, 3, p.ivs.data(), 16), 1);
        std::vector<size_t> small = p.sizes;
        small[2] = 20;
        EXPECT_NE(pipe_update()(c.get(), p.outs.data(), p.done.data(), small.data(), p.ins.data(),
                                p.lens.data()),
                  1);
        expect_error("there is room for 20");
        ASSERT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                p.ins.data(), p.lens.data()),
                  1);
        const std::vector<size_t> first = p.done;
        for (size_t i = 0; i < 3; i++) p.outs[i] += first[i];
        if (blocks) {
            small[2] = 15;
            EXPECT_NE(pipe_final()(c.get(), p.outs.data(), p.done.data(), small.data()), 1);
            expect_error("there is room for 15");
        }
        ASSERT_EQ(pipe_final()(c.get(), p.outs.data(), p.done.data(), p.sizes.data()), 1);
        for (size_t i = 0; i < 3; i++) {
            p.out[i].resize(first[i] + p.done[i]);
            EXPECT_EQ(hex(p.out[i]),
                      hex(crypt(ours(), name, 1, 1, key, nonces[i], messages[i], rng, false)));
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
            for (int step : { 1, 0, 2 }) {    // seal, open, open with one tag altered
                Pipes p(step == 1 ? messages : sealed, nonces), a(aads, nonces);
                for (Bytes &out : p.out) std::fill(out.begin(), out.end(), (uint8_t)0xaa);
                CipherCtx c(EVP_CIPHER_CTX_new());
                ASSERT_EQ((step == 1 ? pipe_seal() : pipe_open())(c.get(), cipher.get(), key.data(),
                                                                  16, n, p.ivs.data(), 12),
                          1)
                    << name;
                if (ccm && step == 1) {
                    ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, 16, nullptr), 1);
                }
                if (step == 2) tags[wrong][3] ^= 1;
                if (step != 1) {
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
                          step != 2)
                    << name;
                if (step == 1) {
                    ASSERT_EQ(EVP_CIPHER_CTX_get_params(c.get(), p_tags), 1);
                }
                for (size_t i = 0; i < n; i++) {
                    p.out[i].resize(messages[i].size());
                    if (step == 1) {
                        const Sealed want =
                            seal_directly(ccm, key, nonces[i], aads[i], messages[i], 16);
                        EXPECT_EQ(hex(p.out[i]) + hex(tags[i]), hex(want.text) + hex(want.tag))
                            << name;
                        sealed.push_back(p.out[i]);
                    } else if (step == 2 && i == wrong)
                        EXPECT_EQ(p.out[i], Bytes(messages[i].size())) << name << ": zeroed";
                    else EXPECT_EQ(p.out[i], messages[i]) << name;
                }
            }
        }
    ERR_clear_error();
}

// Tags are fetched as for a single message: those of CCM in the length that they were made with,
// those of GCM also shortened to 12 bytes or more, and only after an encryption.
TEST(Pipeline, LengthsOfTags)
{
    if (!pipe_seal()) NOT_THERE("pipelines");
    TestRng rng(19);
    for (const char *name : { "SM4-GCM", "SM4-CCM" }) {
        const bool ccm = std::string(name) == "SM4-CCM";
        const Bytes key = rng.bytes(16), iv = rng.bytes(12), msg = rng.bytes(20);
        const Sealed want = seal_directly(ccm, key, iv, {}, msg, 12);
        Cipher cipher = ours().cipher(name);
        for (size_t n : { 8, 11, 12, 14, 16 }) {
            Pipes p({ msg }, { iv });
            CipherCtx c(EVP_CIPHER_CTX_new());
            ASSERT_EQ(pipe_seal()(c.get(), cipher.get(), key.data(), 16, 1, p.ivs.data(), 12), 1);
            if (ccm) {
                ASSERT_EQ(EVP_CIPHER_CTX_ctrl(c.get(), EVP_CTRL_AEAD_SET_TAG, 12, nullptr), 1);
            }
            ASSERT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                    p.ins.data(), p.lens.data()),
                      1);
            ASSERT_EQ(pipe_final()(c.get(), p.outs.data(), p.done.data(), p.sizes.data()), 1);
            Bytes tag(16, 0xaa);
            uint8_t *at[] = { tag.data() };
            OSSL_PARAM p_tag[] = {
                OSSL_PARAM_construct_octet_ptr("pipeline-tag", (void **)at, n),
                OSSL_PARAM_construct_end()
            };
            if (ccm ? n == 12 : n >= 12) {
                EXPECT_EQ(EVP_CIPHER_CTX_get_params(c.get(), p_tag), 1) << name << n;
                EXPECT_EQ(hex(tag.data(), 12), hex(want.tag)) << name << n;
            } else {
                EXPECT_NE(EVP_CIPHER_CTX_get_params(c.get(), p_tag), 1) << name << n;
                expect_error("set their length before the data");
                EXPECT_EQ(tag, Bytes(16, 0xaa)) << name << n;
            }
        }
        Pipes p({ want.text }, { iv });
        CipherCtx c(EVP_CIPHER_CTX_new());
        Bytes tag = want.tag;
        uint8_t *at[] = { tag.data() };
        OSSL_PARAM p_tag[] = { OSSL_PARAM_construct_octet_ptr("pipeline-tag", (void **)at, 12),
                               OSSL_PARAM_construct_end() };
        ASSERT_EQ(pipe_open()(c.get(), cipher.get(), key.data(), 16, 1, p.ivs.data(), 12), 1);
        ASSERT_EQ(EVP_CIPHER_CTX_set_params(c.get(), p_tag), 1);
        ASSERT_EQ(pipe_update()(c.get(), p.outs.data(), p.done.data(), p.sizes.data(),
                                p.ins.data(), p.lens.data()),
                  1);
        EXPECT_NE(EVP_CIPHER_CTX_get_params(c.get(), p_tag), 1) << name;
        expect_error("of an encryption");
    }
}
