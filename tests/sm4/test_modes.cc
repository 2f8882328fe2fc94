// SM4's modes, compared with their definitions at every length and chunking, in place and to
// another buffer; padding; the rules of streaming objects; the shared vectors, on every tier. The
// other tests run on the tier that init chooses: test_sm4.cc compares the tiers, and
// test_feedback.cc runs the modes that do more than call one kernel on all of them.
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/vectors.hpp"
#include "support/sm4.hpp"
#include "tongyu/sm4_aead.h"
#include "tongyu/sm4_hctr.h"
#include "tongyu/sm4_many.h"
#include "tongyu/sm4_xts.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <gtest/gtest.h>
#include <set>

namespace {

struct Modes : testing::Test {
    TestRng rng{6};
    Bytes k = rng.bytes(16), iv = rng.bytes(16);
    ty_sm4_key key;
    Modes() { ty_sm4_init(&key, k.data()); }
    Bytes ecb(const Bytes &in)
    {
        Bytes out(in.size());
        EXPECT_EQ(ty_sm4_ecb_encrypt(out.data(), in.data(), in.size(), &key), TY_OK);
        return out;
    }
    // 128-bit big-endian v += n
    static void add(Bytes &v, unsigned n)
    {
        for (int i = 15; i >= 0 && n; i--) {
            n += v[(size_t)i];
            v[(size_t)i] = (uint8_t)n;
            n >>= 8;
        }
    }
    // The keystream of CTR by its definition
    Bytes ctr_pad(Bytes v, size_t len)
    {
        Bytes pad;
        for (; pad.size() < len; add(v, 1)) pad.insert(pad.end(), v.begin(), v.end());
        pad = ecb(pad);
        pad.resize(len);
        return pad;
    }
};

Bytes xored(Bytes a, const Bytes &b)
{
    for (size_t i = 0; i < a.size(); i++) a[i] ^= b[i];
    return a;
}

}   // namespace

TEST_F(Modes, EcbAndCbcNeedWholeBlocks)
{
    Bytes in(33, 1), out(33, 0xAB);
    for (size_t len = 1; len < 33; len++) {
        if (len % 16 == 0) continue;
        EXPECT_EQ(ty_sm4_ecb_encrypt(out.data(), in.data(), len, &key), TY_ERR_ARG);
        EXPECT_EQ(ty_sm4_ecb_decrypt(out.data(), in.data(), len, &key), TY_ERR_ARG);
        EXPECT_EQ(ty_sm4_cbc_encrypt(out.data(), in.data(), len, iv.data(), &key), TY_ERR_ARG);
        EXPECT_EQ(ty_sm4_cbc_decrypt(out.data(), in.data(), len, iv.data(), &key), TY_ERR_ARG);
    }
    EXPECT_EQ(out, Bytes(33, 0xAB));
    EXPECT_EQ(ty_sm4_ecb_encrypt(nullptr, nullptr, 0, &key), TY_OK);
    EXPECT_EQ(ty_sm4_cbc_decrypt(nullptr, nullptr, 0, iv.data(), &key), TY_OK);
    ty_sm4_ctr(nullptr, nullptr, 0, iv.data(), &key);
}

TEST_F(Modes, CbcMatchesItsDefinition)
{
    for (size_t n = 0; n <= 40; n++) {
        const Bytes in = rng.bytes(16 * n);
        Bytes expected, chain = iv, out(16 * n);
        for (size_t i = 0; i < 16 * n; i += 16) {
            chain = ecb(xored(chain, Bytes(&in[i], &in[i] + 16)));
            expected.insert(expected.end(), chain.begin(), chain.end());
        }
        ASSERT_EQ(ty_sm4_cbc_encrypt(out.data(), in.data(), in.size(), iv.data(), &key), TY_OK);
        ASSERT_EQ(out, expected);
        ASSERT_EQ(ty_sm4_cbc_decrypt(out.data(), out.data(), out.size(), iv.data(), &key), TY_OK);
        ASSERT_EQ(out, in);
    }
}

TEST_F(Modes, CfbAndOfbMatchTheirDefinitions)
{
    for (size_t len = 0; len <= 530; len += len < 70 ? 1 : 23) {
        const Bytes in = rng.bytes(len);
        Bytes cfb(len), ofb(len), c = iv, o = iv;
        for (size_t i = 0; i < len; i++) {
            if (i % 16 == 0) {
                c = ecb(i ? Bytes(&cfb[i - 16], &cfb[i - 16] + 16) : iv);
                o = ecb(o);
            }
            cfb[i] = in[i] ^ c[i % 16];
            ofb[i] = in[i] ^ o[i % 16];
        }
        Guarded out(in.data(), len);
        ty_sm4_cfb_encrypt(out.data(), out.data(), len, iv.data(), &key);
        ASSERT_EQ(hex(out.data(), len), hex(cfb)) << len;
        ty_sm4_cfb_decrypt(out.data(), out.data(), len, iv.data(), &key);
        ASSERT_EQ(hex(out.data(), len), hex(in)) << len;
        ty_sm4_ofb(out.data(), out.data(), len, iv.data(), &key);
        ASSERT_EQ(hex(out.data(), len), hex(ofb)) << len;
        Guarded apart(len), from(cfb.data(), len);
        ty_sm4_cfb_decrypt(apart.data(), from.data(), len, iv.data(), &key);
        ASSERT_EQ(hex(apart.data(), len), hex(in)) << len;
    }
}

TEST_F(Modes, CtrAtEveryLength)
{
    for (size_t len = 0; len <= 290; len++) {
        const Bytes in = rng.bytes(len), expected = xored(in, ctr_pad(iv, len));
        Guarded out(in.data(), len);
        ty_sm4_ctr(out.data(), out.data(), len, iv.data(), &key);
        ASSERT_EQ(hex(out.data(), len), hex(expected)) << len;
    }
}

TEST_F(Modes, CtrCarriesThroughAll128Bits)
{
    for (size_t ones : {4, 5, 8, 11, 12, 15, 16})          // trailing 0xff bytes
        for (unsigned back = 0; back < 36; back++) {
            Bytes v = rng.bytes(16);
            std::fill(v.end() - (long)ones, v.end(), 0xFF);
            v[15] = (uint8_t)(v[15] - back);
            const size_t len = 16 * 40 + 3;
            Bytes out(len);
            ty_sm4_ctr(out.data(), out.data(), len, v.data(), &key);
            ASSERT_EQ(hex(out), hex(ctr_pad(v, len))) << ones << " " << back;
        }
}

// --- Streaming -----------------------------------------------------------------------------------

namespace {

// Bytes that end at a guard page, the same page every time
struct AtTheEnd {
    std::unique_ptr<Guarded> all;
    uint8_t *of(size_t n)
    {
        if (!all || all->size() < n) all = std::make_unique<Guarded>(std::max<size_t>(n, 4096));
        return all->data() + (all->size() - n);
    }
};

// Processes `in` as a stream, in chunks of chunk() bytes; each chunk and each output ends at a
// guard page of its own.
ty_err stream(Bytes &out, const Bytes &in, ty_sm4_mode mode, ty_sm4_pad pad, const Bytes &iv,
              const ty_sm4_key *key, const std::function<size_t()> &chunk, bool in_place)
{
    ty_sm4_stream c;
    size_t n;
    // static, since mapping new pages for every chunk would be slow
    static AtTheEnd outs, ins, lasts;
    uint8_t *const last = lasts.of(16);
    out.clear();
    EXPECT_EQ(ty_sm4_start(&c, mode, pad, iv.data(), key), TY_OK);
    for (size_t at = 0; at < in.size();) {
        const size_t some = std::min(chunk(), in.size() - at), room = (some + 15) / 16 * 16;
        uint8_t *const to = outs.of(room), *const from = in_place ? to : ins.of(some);
        if (some) std::copy(&in[at], &in[at] + some, from);
        EXPECT_EQ(ty_sm4_update(to, &n, from, some, &c), TY_OK);
        EXPECT_LE(n, room);
        out.insert(out.end(), to, to + n);
        at += some;
    }
    std::fill(last, last + 16, 0x5A);
    const ty_err err = ty_sm4_final(last, &n, &c);
    if (err != TY_OK) {
        EXPECT_EQ(n, 0u);
        EXPECT_EQ(hex(last, 16), hex(Bytes(16, 0x5A)));
    }
    out.insert(out.end(), last, last + n);
    const ty_sm4_stream wiped = {};
    EXPECT_EQ(std::memcmp(&c, &wiped, sizeof c), 0);
    EXPECT_EQ(ty_sm4_final(last, &n, &c), TY_ERR_STATE);
    return err;
}

}   // namespace

namespace {

using OneShot =
    std::function<ty_err(uint8_t *, const uint8_t *, size_t, const uint8_t *, const ty_sm4_key *)>;
struct BlockMode { ty_sm4_mode encrypt, decrypt; OneShot whole; };
const BlockMode block_modes[] = {
    { TY_SM4_ECB_ENCRYPT, TY_SM4_ECB_DECRYPT,
      [](auto *o, auto *i, size_t n, auto *, auto *k) { return ty_sm4_ecb_encrypt(o, i, n, k); } },
    { TY_SM4_CBC_ENCRYPT, TY_SM4_CBC_DECRYPT, ty_sm4_cbc_encrypt },
    { TY_SM4_BC_ENCRYPT, TY_SM4_BC_DECRYPT, ty_sm4_bc_encrypt },
    { TY_SM4_OFBNLF_ENCRYPT, TY_SM4_OFBNLF_DECRYPT, ty_sm4_ofbnlf_encrypt },
};

const ty_sm4_pad paddings[] = {TY_SM4_PAD_PKCS7, TY_SM4_PAD_ISO7816, TY_SM4_PAD_X923};

// n bytes of padding, as each standard defines it
Bytes padding(ty_sm4_pad pad, size_t n)
{
    Bytes p(n, pad == TY_SM4_PAD_PKCS7 ? (uint8_t)n : 0);
    if (pad == TY_SM4_PAD_ISO7816) p.front() = 0x80;
    if (pad == TY_SM4_PAD_X923) p.back() = (uint8_t)n;
    return p;
}

}   // namespace

TEST_F(Modes, StreamingEqualsOneShotInEveryChunking)
{
    for (size_t len = 0; len <= 600; len += len < 36 ? 1 : 47)
        for (const auto pad :
             { TY_SM4_PAD_NONE, TY_SM4_PAD_PKCS7, TY_SM4_PAD_ISO7816, TY_SM4_PAD_X923 })
            for (const BlockMode &mode : block_modes)
                for (const bool in_place : {false, true})
                    for (const size_t most : {1, 15, 16, 17, 33, 400}) {
                        if (pad == TY_SM4_PAD_NONE && len % 16) continue;
                        if (most == 1 && len > 36) continue;
                        if (pad > TY_SM4_PAD_PKCS7 && (most == 15 || most == 33) && !full())
                            continue;
                        const Bytes in = rng.bytes(len);
                        Bytes padded = in, expected, out, back;
                        if (pad != TY_SM4_PAD_NONE)
                            for (uint8_t b : padding(pad, 16 - len % 16)) padded.push_back(b);
                        expected.resize(padded.size());
                        ASSERT_EQ(mode.whole(expected.data(), padded.data(), padded.size(),
                                             iv.data(), &key),
                                  TY_OK);
                        const auto chunk = [&] { return (size_t)rng.below(most) + 1; };
                        ASSERT_EQ(stream(out, in, mode.encrypt, pad, iv, &key, chunk, in_place),
                                  TY_OK);
                        ASSERT_EQ(hex(out), hex(expected)) << len << " " << most << " " << in_place;
                        ASSERT_EQ(stream(back, out, mode.decrypt, pad, iv, &key, chunk, in_place),
                                  TY_OK);
                        ASSERT_EQ(hex(back), hex(in)) << len << " " << most << " " << in_place;
                    }
}

namespace {

// The length of the padding of a last block, by the definitions of the standards; 0 if it has none
size_t padding_of(ty_sm4_pad pad, const Bytes &block)
{
    for (size_t n = 1; n <= 16; n++)
        if (std::equal(block.end() - (long)n, block.end(), padding(pad, n).begin())) return n;
    return 0;
}

}   // namespace

TEST_F(Modes, OnlyValidPaddingIsAccepted)
{
    Bytes out;
    const auto whole = [] { return (size_t)1000; };
    for (const ty_sm4_pad pad : paddings) {
        size_t taken = 0, refused = 0;
        const auto take = [&](const Bytes &block) {
            Bytes padded(16, 0x33);
            padded.insert(padded.end(), block.begin(), block.end());
            const size_t n = padding_of(pad, block);
            ASSERT_EQ(stream(out, ecb(padded), TY_SM4_ECB_DECRYPT, pad, iv, &key, whole, false),
                      n ? TY_OK : TY_ERR_FORMAT)
                << pad << " " << hex(block);
            if (n) { ASSERT_EQ(hex(out), hex(Bytes(padded.begin(), padded.end() - (long)n))); }
            ++(n ? taken : refused);
        };
        for (unsigned n = 0; n < 256; n++) take(Bytes(16, (uint8_t)n));       // all bytes the same
        for (unsigned n = 0; n < 256; n++)   // every last byte after zeros
            for (const unsigned before : {0x00, 0x01, 0x7F, 0x80, 0x81, 0xFF}) {
                Bytes block(16);
                block[14] = (uint8_t)before;
                block[15] = (uint8_t)n;
                take(block);
            }
        // every bit of the padding, and of the bytes before it
        for (size_t n = 1; n <= 16; n++)
            for (size_t bit = 0; bit < 128; bit++) {
                Bytes block = rng.bytes(16 - n);
                for (uint8_t b : padding(pad, n)) block.push_back(b);
                take(block);
                block[bit / 8] ^= (uint8_t)(1 << bit % 8);
                take(block);
            }
        EXPECT_GT(taken, 2048u);
        EXPECT_GT(refused, 700u);
        // no block at all, or no whole block
        for (size_t len = 0; len < 48; len++) {
            if (len % 16 == 0 && len) continue;
            EXPECT_EQ(stream(out, Bytes(len, 7), TY_SM4_CBC_DECRYPT, pad, iv, &key, whole, false),
                      TY_ERR_FORMAT);
            if (len == 0) continue;
            EXPECT_EQ(stream(out, Bytes(len, 7), TY_SM4_CBC_ENCRYPT, TY_SM4_PAD_NONE, iv, &key,
                             whole, false),
                      TY_ERR_FORMAT);
            EXPECT_EQ(stream(out, Bytes(len, 7), TY_SM4_ECB_DECRYPT, TY_SM4_PAD_NONE, iv, &key,
                             whole, false),
                      TY_ERR_FORMAT);
        }
    }
}

// A ciphertext whose last byte is 0, without that byte: if the block were filled with zeros,
// the padding would be valid.
TEST_F(Modes, AnIncompleteBlockIsNotFilledUp)
{
    Bytes out, whole;
    do {
        whole = rng.bytes(15);
        whole.push_back(1);
        whole = ecb(whole);
    } while (whole[15] != 0);
    const auto chunk = [] { return (size_t)1000; };
    EXPECT_EQ(stream(out, whole, TY_SM4_ECB_DECRYPT, TY_SM4_PAD_PKCS7, iv, &key, chunk, false),
              TY_OK);
    whole.pop_back();
    EXPECT_EQ(stream(out, whole, TY_SM4_ECB_DECRYPT, TY_SM4_PAD_PKCS7, iv, &key, chunk, false),
              TY_ERR_FORMAT);
}

TEST_F(Modes, StreamRefusesInvalidArguments)
{
    ty_sm4_stream c;
    size_t n = 9;
    uint8_t out[32];
    EXPECT_EQ(
        ty_sm4_start(&c, (ty_sm4_mode)(TY_SM4_CFB1_DECRYPT + 1), TY_SM4_PAD_NONE, iv.data(), &key),
        TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_update(out, &n, iv.data(), 16, &c), TY_ERR_STATE);
    EXPECT_EQ(n, 0u);
    EXPECT_EQ(
        ty_sm4_start(&c, TY_SM4_CBC_DECRYPT, (ty_sm4_pad)(TY_SM4_PAD_X923 + 1), iv.data(), &key),
        TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_final(out, &n, &c), TY_ERR_STATE);
    for (int mode = TY_SM4_CTR; mode <= TY_SM4_CFB1_DECRYPT; mode++)
        for (const ty_sm4_pad pad : paddings) {
            EXPECT_EQ(ty_sm4_start(&c, (ty_sm4_mode)mode, pad, iv.data(), &key), TY_ERR_ARG)
                << "bytes are not padded";
            EXPECT_EQ(ty_sm4_update(out, &n, iv.data(), 16, &c), TY_ERR_STATE);
        }
    EXPECT_EQ(ty_sm4_start(&c, TY_SM4_ECB_ENCRYPT, TY_SM4_PAD_NONE, nullptr, &key), TY_OK)
        << "ECB needs no IV";
    EXPECT_EQ(ty_sm4_update(out, &n, iv.data(), 16, &c), TY_OK);
    EXPECT_EQ(n, 16u);
}

namespace {
#include "sm4/mode_overlap_cases.inc"
}   // namespace

// --- The shared vectors --------------------------------------------------------------------------

TEST_F(Modes, SharedVectors)
{
    const auto all = load_vectors("sm4.json");
    if (!all) GTEST_SKIP() << "no vector files";
    const std::set<std::string> elsewhere = {       // tested, and counted, elsewhere
        "SM4-ITER1M", "SM4-XTS-IEEE", "SM4-XTS-GB", "SM4-GCM", "SM4-CCM", "SM4-CMAC"};
    const auto whole = [] { return (size_t)100000; };
    const auto ran = each_vector(
        *all, [&](const std::string &alg) { return elsewhere.count(alg) == 0; },
        [&](const Json &v) {
            const std::string alg = v.at("alg").text();
            const Bytes pt = field(v, "pt"), ct = field(v, "ct"), v_iv = field(v, "iv");
            Bytes out(pt.size()), back(pt.size());
            ty_sm4_init(&key, field(v, "key").data());
            if (alg == "SM4-ECB") {
                ASSERT_EQ(ty_sm4_ecb_encrypt(out.data(), pt.data(), pt.size(), &key), TY_OK);
                ASSERT_EQ(ty_sm4_ecb_decrypt(back.data(), ct.data(), ct.size(), &key), TY_OK);
            } else if (alg == "SM4-CBC") {
                ASSERT_EQ(ty_sm4_cbc_encrypt(out.data(), pt.data(), pt.size(), v_iv.data(), &key),
                          TY_OK);
                ASSERT_EQ(ty_sm4_cbc_decrypt(back.data(), ct.data(), ct.size(), v_iv.data(), &key),
                          TY_OK);
            } else if (alg == "SM4-CTR") {
                ty_sm4_ctr(out.data(), pt.data(), pt.size(), v_iv.data(), &key);
                ty_sm4_ctr(back.data(), ct.data(), ct.size(), v_iv.data(), &key);
            } else if (alg == "SM4-CFB") {
                ty_sm4_cfb_encrypt(out.data(), pt.data(), pt.size(), v_iv.data(), &key);
                ty_sm4_cfb_decrypt(back.data(), ct.data(), ct.size(), v_iv.data(), &key);
            } else if (alg == "SM4-OFB") {
                ty_sm4_ofb(out.data(), pt.data(), pt.size(), v_iv.data(), &key);
                ty_sm4_ofb(back.data(), ct.data(), ct.size(), v_iv.data(), &key);
            } else {
                const bool cbc = alg == "SM4-CBC-PKCS7";
                ASSERT_TRUE(cbc || alg == "SM4-ECB-PKCS7") << alg;
                ASSERT_EQ(stream(out, pt, cbc ? TY_SM4_CBC_ENCRYPT : TY_SM4_ECB_ENCRYPT,
                                 TY_SM4_PAD_PKCS7, v_iv, &key, whole, false),
                          TY_OK);
                ASSERT_EQ(stream(back, ct, cbc ? TY_SM4_CBC_DECRYPT : TY_SM4_ECB_DECRYPT,
                                 TY_SM4_PAD_PKCS7, v_iv, &key, whole, false),
                          TY_OK);
            }
            ASSERT_EQ(hex(out), hex(ct)) << alg;
            ASSERT_EQ(hex(back), hex(pt)) << alg;
        });
    EXPECT_GE(ran.size(), 7u);
}
