// SM4-CCM: RFC 8998's example, comparison with a step-by-step definition at every length on
// every tier, forgeries, limits, streaming and its order, the shared vectors.
#include "support/sm4.hpp"
#include "tongyu/sm4_aead.h"

namespace {

// --- CCM as SP 800-38C specifies it, one block at a time -----------------------------------------

Bytes reference(Bytes &tag, size_t tag_len, const Bytes &text, const Bytes &aad, const Bytes &nonce,
                const Bytes &k)
{
    const Block block(k);
    const size_t q = 15 - nonce.size();
    const uint8_t flags = (uint8_t)((aad.empty() ? 0 : 64) + 8 * ((tag_len - 2) / 2) + (q - 1));
    Bytes b = Bytes{flags} + nonce + number(text.size(), q);
    if (!aad.empty()) {
        const size_t a = aad.size();
        b = b + (a < 0xff00 ? number(a, 2) : Bytes{0xff, 0xfe} + number(a, 4)) + aad;
        b = padded(b);
    }
    b = padded(b + text);
    Bytes y(16), out;
    for (size_t i = 0; i < b.size(); i += 16) y = block.e(y ^ part(b, i, i + 16));
    const auto s = [&](uint64_t i) {
        return block.e(Bytes{ (uint8_t)(q - 1) } + nonce + number(i, q));
    };
    for (size_t i = 0; i < text.size(); i += 16)
        out = out + (part(text, i, i + 16) ^ s(i / 16 + 1));
    tag = part(y ^ s(0), 0, tag_len);
    return out;
}

ty_err seal(Bytes &out, Bytes &tag, const Bytes &in, const Bytes &aad, const Bytes &nonce,
            const ty_sm4_key *key)
{
    out.assign(in.size(), 0);
    return ty_sm4_ccm_seal(out.data(), tag.data(), tag.size(), in.data(), in.size(), aad.data(),
                           aad.size(), nonce.data(), nonce.size(), key);
}

ty_err open(Bytes &out, const Bytes &in, const Bytes &tag, const Bytes &aad, const Bytes &nonce,
            const ty_sm4_key *key)
{
    out.assign(in.size(), 0xCC);
    return ty_sm4_ccm_open(out.data(), in.data(), in.size(), tag.data(), tag.size(), aad.data(),
                           aad.size(), nonce.data(), nonce.size(), key);
}

struct Ccm : testing::Test {
    TestRng rng{21};
    Bytes k = rng.bytes(16);
    ty_sm4_key key;
    Ccm() { ty_sm4_init(&key, k.data()); }
};

}   // namespace

TEST_F(Ccm, Rfc8998Example)
{
    const Bytes nonce = unhex("00001234567800000000ABCD"),
                aad = unhex("FEEDFACEDEADBEEFFEEDFACEDEADBEEFABADDAD2");
    const Bytes text = unhex("AAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBCCCCCCCCCCCCCCCCDDDDDDDDDDDDDDDD"
                             "EEEEEEEEEEEEEEEEFFFFFFFFFFFFFFFFEEEEEEEEEEEEEEEEAAAAAAAAAAAAAAAA");
    each_cipher_tier([&](bool) {
        Bytes out, tag(16), back;
        ty_sm4_init(&key, unhex("0123456789ABCDEFFEDCBA9876543210").data());
        ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), TY_OK);
        EXPECT_EQ(hex(out), "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094"
                            "fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b");
        EXPECT_EQ(hex(tag), "16842d4fa186f56ab33256971fa110f4");
        ASSERT_EQ(open(back, out, tag, aad, nonce, &key), TY_OK);
        EXPECT_EQ(back, text);
    });
}

TEST_F(Ccm, AgreesWithTheDefinition)
{
    struct Case { Bytes nonce, aad, text, out, tag; };
    std::vector<Case> cases;
    const auto add = [&](size_t nonce, size_t aad, size_t text, size_t tag) {
        Case c{rng.bytes(nonce), rng.bytes(aad), rng.bytes(text), {}, {}};
        c.out = reference(c.tag, tag, c.text, c.aad, c.nonce, k);
        cases.push_back(c);
    };
    for (size_t n = 0; n <= 600; n++) add(12, n % 37, n, 16);
    for (size_t n = 0; n <= 70; n++) add(7 + n % 7, n, n % 50, 4 + n % 7 * 2);
    for (size_t n : {4079, 4096, 4097, 4337, 8200, 65535}) add(13, 3, n, 16);
    // the encodings of the length of aad
    for (size_t n : {0xfeff, 0xff00, 0xff01, 0x10001}) add(12, n, 5, 16);
    each_cipher_tier([&](bool slow) {
        ty_sm4_init(&key, k.data());
        for (size_t i = 0; i < cases.size(); i += slow ? 97 : 1) {
            const Case &c = cases[i];
            const size_t n = c.text.size(), t = c.tag.size();
            if (slow && n + c.aad.size() > 1000) continue;
            Guarded in(c.text.data(), n), out(n), tag(t), aad(c.aad.data(), c.aad.size());
            Guarded nonce(c.nonce.data(), c.nonce.size());
            ASSERT_EQ(ty_sm4_ccm_seal(out.data(), tag.data(), t, in.data(), n, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);
            ASSERT_EQ(hex(out.data(), n), hex(c.out))
                << n << " " << aad.size() << " " << nonce.size();
            ASSERT_EQ(hex(tag.data(), t), hex(c.tag))
                << n << " " << aad.size() << " " << nonce.size();
            ASSERT_EQ(ty_sm4_ccm_seal(in.data(), tag.data(), t, in.data(), n, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);   // in place
            ASSERT_EQ(hex(in.data(), n), hex(c.out));
            ASSERT_EQ(hex(tag.data(), t), hex(c.tag));
            Guarded back(n);
            ASSERT_EQ(ty_sm4_ccm_open(back.data(), out.data(), n, tag.data(), t, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);
            ASSERT_EQ(hex(back.data(), n), hex(c.text));
            ASSERT_EQ(ty_sm4_ccm_open(out.data(), out.data(), n, tag.data(), t, aad.data(),
                                      aad.size(), nonce.data(), nonce.size(), &key),
                      TY_OK);
            ASSERT_EQ(hex(out.data(), n), hex(c.text));
        }
    });
}

TEST_F(Ccm, EveryForgeryIsRefusedAndLeavesZeros)
{
    for (size_t len : {0, 1, 16, 37, 300}) {
        const Bytes nonce = rng.bytes(12), aad = rng.bytes(19), text = rng.bytes(len);
        Bytes out, tag(16), back;
        ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), TY_OK);
        const auto forged = [&](const Bytes &o, const Bytes &t, const Bytes &a, const Bytes &n) {
            ASSERT_EQ(open(back, o, t, a, n, &key), TY_ERR_VERIFY);
            ASSERT_EQ(back, Bytes(o.size(), 0));
        };
        each_flipped_bit(out, [&](const Bytes &x) { forged(x, tag, aad, nonce); });
        each_flipped_bit(tag, [&](const Bytes &x) { forged(out, x, aad, nonce); });
        each_flipped_bit(aad, [&](const Bytes &x) { forged(out, tag, x, nonce); });
        each_flipped_bit(nonce, [&](const Bytes &x) { forged(out, tag, aad, x); });
        forged(out, tag, aad + Bytes(1), nonce);    // the lengths are authenticated, the tag's too
        forged(out + Bytes(1), tag, aad, nonce);
        forged(out, part(tag, 0, 14), aad, nonce);
        tag[3] ^= 4;                                // in place: the ciphertext is overwritten, too
        EXPECT_EQ(ty_sm4_ccm_open(out.data(), out.data(), len, tag.data(), 16, aad.data(),
                                  aad.size(), nonce.data(), 12, &key),
                  TY_ERR_VERIFY);
        EXPECT_EQ(out, Bytes(len, 0));
    }
}

TEST_F(Ccm, ArgumentsAndLimits)
{
    const Bytes aad = rng.bytes(5), text = rng.bytes(40);
    Bytes out, back;
    ty_sm4_ccm c;
    for (size_t tag_len = 0; tag_len <= 20; tag_len++)
        for (size_t nonce_len = 0; nonce_len <= 16; nonce_len++) {
            Bytes tag(tag_len, 0x77);
            const Bytes nonce = rng.bytes(nonce_len);
            const bool good = nonce_len >= 7 && nonce_len <= 13 && tag_len >= 4 && tag_len <= 16 &&
                              tag_len % 2 == 0;
            ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), good ? TY_OK : TY_ERR_ARG);
            ASSERT_EQ(open(back, out, tag, aad, nonce, &key), good ? TY_OK : TY_ERR_ARG);
            ASSERT_EQ(ty_sm4_ccm_start(&c, nonce.data(), nonce_len, 0, 0, tag_len, &key),
                      good ? TY_OK : TY_ERR_ARG);
            if (good) {
                EXPECT_EQ(back, text);
                continue;
            }
            EXPECT_EQ(tag, Bytes(tag_len, 0x77));
            EXPECT_EQ(out, Bytes(40, 0));
            EXPECT_EQ(back, Bytes(40, 0xCC)) << "untouched";
            EXPECT_EQ(ty_sm4_ccm_aad(&c, aad.data(), 0), TY_ERR_STATE);
        }
    // the tag precedes the text, so that a length beyond the buffer does not make them overlap
    struct { uint8_t tag[16], x[16]; } here = {{0x77}, {0}};
    uint8_t *const x = here.x, *const tag = here.tag;
    // the longest message whose length fits its field, and one byte more
    for (size_t nonce_len = 7; nonce_len <= 13; nonce_len++) {
        const uint64_t bits = 8 * (15 - nonce_len),
                       limit = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
        EXPECT_EQ(ty_sm4_ccm_start(&c, x, nonce_len, 0, limit, 16, &key), TY_OK);
        if (bits == 64) continue;
        EXPECT_EQ(ty_sm4_ccm_start(&c, x, nonce_len, 0, limit + 1, 16, &key), TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_ccm_encrypt(x, x, 1, &c), TY_ERR_STATE);
        if (limit + 1 > SIZE_MAX) continue;
        // refused before a byte is read or written
        const size_t over = (size_t)(limit + 1);
        EXPECT_EQ(ty_sm4_ccm_seal(x, tag, 16, x, over, nullptr, 0, x, nonce_len, &key),
                  TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_ccm_open(x, x, over, tag, 16, nullptr, 0, x, nonce_len, &key),
                  TY_ERR_SIZE);
        EXPECT_EQ(tag[0], 0x77);
        EXPECT_EQ(hex(x, 16), hex(Bytes(16)));
    }
    EXPECT_EQ(ty_sm4_ccm_seal(nullptr, tag, 16, nullptr, 0, nullptr, 0, x, 12, &key), TY_OK);
    EXPECT_EQ(ty_sm4_ccm_open(nullptr, nullptr, 0, tag, 16, nullptr, 0, x, 12, &key), TY_OK);
}

// After 2^32 blocks of a message the kernels' 32-bit counter wraps, and the carry propagates into
// the rest of the counter.
TEST_F(Ccm, TheCounterCarries)
{
    const Block block(k);
    const Bytes nonce = rng.bytes(7), text = rng.bytes(16 * 40 + 5);
    for (uint32_t before = 0; before < 42; before++) {
        ty_sm4_ccm c;
        ASSERT_EQ(ty_sm4_ccm_start(&c, nonce.data(), 7, 0, (uint64_t)1 << 50, 16, &key), TY_OK);
        uint64_t n = ((uint64_t)7 << 32) - before;
        const Bytes at = number(n, 8);
        std::copy(at.begin(), at.end(), c.counter + 8);
        Bytes out(text.size()), expected;
        ASSERT_EQ(ty_sm4_ccm_encrypt(out.data(), text.data(), text.size(), &c), TY_OK);
        for (size_t i = 0; i < text.size(); i += 16)
            expected =
                expected + (part(text, i, i + 16) ^ block.e(Bytes{ 7 } + nonce + number(n++, 8)));
        ASSERT_EQ(hex(out), hex(expected)) << before;
    }
}

TEST_F(Ccm, StreamingInAnyChunkingIsOneShot)
{
    each_cipher_tier([&](bool slow) {
        TestRng r(13);
        ty_sm4_init(&key, k.data());
        for (size_t round = 0; round < (slow ? 3 : 90); round++) {
            const size_t most = round % 3 == 0 ? 5 : round % 3 == 1 ? 40 : 300;
            const Bytes nonce = r.bytes(7 + r.below(7)), aad = r.bytes(r.below(70)),
                        text = r.bytes(r.below(slow ? 100 : 600));
            Bytes out, tag(4 + 2 * r.below(7)), streamed = text, stag(tag.size());
            ASSERT_EQ(seal(out, tag, text, aad, nonce, &key), TY_OK);
            ty_sm4_ccm c;
            const auto start = [&] {
                ASSERT_EQ(ty_sm4_ccm_start(&c, nonce.data(), nonce.size(), aad.size(), text.size(),
                                           tag.size(), &key),
                          TY_OK);
                pieces(r, aad.size(), most, [&](size_t at, size_t n) {
                    ASSERT_EQ(ty_sm4_ccm_aad(&c, &aad[at], n), TY_OK);
                });
            };
            start();
            pieces(r, text.size(), most, [&](size_t at, size_t n) {      // in place
                ASSERT_EQ(ty_sm4_ccm_encrypt(&streamed[at], &streamed[at], n, &c), TY_OK);
            });
            ASSERT_EQ(ty_sm4_ccm_final(stag.data(), stag.size(), &c), TY_OK);
            ASSERT_EQ(hex(streamed), hex(out));
            ASSERT_EQ(hex(stag), hex(tag));
            for (const bool good : {true, false}) {
                start();
                Bytes plain(text.size());
                pieces(r, text.size(), most, [&](size_t at, size_t n) {  // out of place, in place
                    if (!good) std::copy(&out[at], &out[at] + n, &plain[at]);
                    ASSERT_EQ(ty_sm4_ccm_decrypt(&plain[at], good ? &out[at] : &plain[at], n, &c),
                              TY_OK);
                });
                ASSERT_EQ(plain, text);
                if (!good) stag[3] ^= 0x10;
                ASSERT_EQ(ty_sm4_ccm_verify(stag.data(), stag.size(), &c),
                          good ? TY_OK : TY_ERR_VERIFY);
            }
        }
    });
}

TEST_F(Ccm, CallsInTheWrongOrderOrOfTheWrongLength)
{
    uint8_t x[32] = {0}, tag[16];
    ty_sm4_ccm c;
    const auto start = [&](uint64_t aad_len, uint64_t len) {
        ASSERT_EQ(ty_sm4_ccm_start(&c, x, 12, aad_len, len, 16, &key), TY_OK);
    };
    start(3, 10);
    EXPECT_EQ(ty_sm4_ccm_encrypt(x, x, 0, &c), TY_ERR_STATE) << "additional data are missing";
    EXPECT_EQ(ty_sm4_ccm_final(tag, 16, &c), TY_ERR_SIZE);
    EXPECT_EQ(ty_sm4_ccm_aad(&c, x, 4), TY_ERR_SIZE);
    EXPECT_EQ(ty_sm4_ccm_aad(&c, x, 3), TY_OK);
    EXPECT_EQ(ty_sm4_ccm_encrypt(x, x, 11, &c), TY_ERR_SIZE);
    EXPECT_EQ(ty_sm4_ccm_encrypt(x, x, 4, &c), TY_OK);
    EXPECT_EQ(ty_sm4_ccm_aad(&c, x, 0), TY_ERR_STATE) << "the message has begun";
    EXPECT_EQ(ty_sm4_ccm_decrypt(x, x, 1, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_verify(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_final(tag, 16, &c), TY_ERR_SIZE) << "6 bytes are missing";
    EXPECT_EQ(ty_sm4_ccm_encrypt(x, x, 6, &c), TY_OK);
    EXPECT_EQ(ty_sm4_ccm_final(tag, 14, &c), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_ccm_final(tag, 16, &c), TY_OK) << "refused calls changed nothing";
    const ty_sm4_ccm wiped = {};
    EXPECT_EQ(std::memcmp(&c, &wiped, sizeof c), 0);
    EXPECT_EQ(ty_sm4_ccm_final(tag, 0, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_verify(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_aad(&c, x, 0), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_encrypt(x, x, 0, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_decrypt(x, x, 0, &c), TY_ERR_STATE);
    start(0, 5);
    EXPECT_EQ(ty_sm4_ccm_decrypt(x, x, 5, &c), TY_OK);
    EXPECT_EQ(ty_sm4_ccm_encrypt(x, x, 0, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_final(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_ccm_verify(tag, 16, &c), TY_ERR_VERIFY);
    // additional data without a message are authenticated, in both directions
    start(2, 0);
    EXPECT_EQ(ty_sm4_ccm_aad(&c, x, 2), TY_OK);
    EXPECT_EQ(ty_sm4_ccm_final(tag, 16, &c), TY_OK);
    start(2, 0);
    EXPECT_EQ(ty_sm4_ccm_aad(&c, x, 2), TY_OK);
    EXPECT_EQ(ty_sm4_ccm_verify(tag, 16, &c), TY_OK);
}

TEST_F(Ccm, SharedVectors)
{
    const auto all = load_vectors("sm4.json");
    if (!all) GTEST_SKIP() << "no vector files";
    auto ran = each_vector(
        *all, [](const std::string &alg) { return alg == "SM4-CCM"; },
        [&](const Json &v) {
            const Bytes pt = field(v, "pt"), ct = field(v, "ct"), expected = field(v, "tag"),
                        nonce = field(v, "iv");
            Bytes out, tag(expected.size()), back;
            ty_sm4_init(&key, field(v, "key").data());
            ASSERT_EQ(seal(out, tag, pt, field(v, "aad"), nonce, &key), TY_OK);
            ASSERT_EQ(hex(out), hex(ct));
            ASSERT_EQ(hex(tag), hex(expected));
            ASSERT_EQ(open(back, ct, expected, field(v, "aad"), nonce, &key), TY_OK);
            ASSERT_EQ(back, pt);
        });
    EXPECT_EQ(ran["SM4-CCM"], 42);
}
