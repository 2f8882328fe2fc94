// CMAC, CBC-MAC and GMAC on SM4: comparison with their definitions at every length on every
// tier, known answers, messages in pieces, forgeries, misuse.
#include "support/sm4.hpp"
#include "tongyu/sm4_mac.h"

namespace {

Bytes chain(const Bytes &blocks, const Block &block)
{
    Bytes y(16);
    for (size_t i = 0; i < blocks.size(); i += 16) y = block.e(y ^ part(blocks, i, i + 16));
    return y;
}

// SP 800-38B, 6.1 and 6.2
Bytes cmac(const Bytes &msg, const Bytes &k)
{
    const Block block(k);
    const auto twice = [](const Bytes &x) {
        Bytes y(16);
        for (size_t i = 0; i < 16; i++) y[i] = (uint8_t)(x[i] << 1 | (i < 15 ? x[i + 1] >> 7 : 0));
        if (x[0] & 0x80) y[15] ^= 0x87;
        return y;
    };
    const Bytes k1 = twice(block.e(Bytes(16))), k2 = twice(k1);
    const size_t whole = msg.empty() ? 0 : (msg.size() - 1) / 16 * 16;
    Bytes last = part(msg, whole, msg.size());
    last = last.size() == 16 ? last ^ k1 : padded(last + Bytes{0x80}) ^ k2;
    return chain(part(msg, 0, whole) + last, block);
}

// ISO/IEC 9797-1, 6.3 and 7.2
Bytes cbc_mac(const Bytes &msg, ty_sm4_mac_pad pad, const Bytes &k)
{
    Bytes x = msg.empty() ? Bytes(16) : padded(msg);
    if (pad == TY_SM4_MAC_ONE) x = padded(msg + Bytes{0x80});
    if (pad == TY_SM4_MAC_LENGTH) x = number(8 * msg.size(), 16) + x;
    return chain(x, Block(k));
}

const ty_sm4_mac_pad pads[] = {TY_SM4_MAC_ZEROS, TY_SM4_MAC_ONE, TY_SM4_MAC_LENGTH};

struct Mac : testing::Test {
    TestRng rng{31};
    Bytes k = rng.bytes(16);
    ty_sm4_key key;
    ty_sm4_cmac_key ckey;
    ty_sm4_gcm_key gkey;
    Mac() { init(); }
    void init()
    {
        ty_sm4_init(&key, k.data());
        ty_sm4_cmac_init(&ckey, k.data());
        ty_sm4_gcm_init(&gkey, k.data());
    }
};

}   // namespace

TEST_F(Mac, EveryLengthAgainstTheDefinition)
{
    struct Case { Bytes msg, cmac, cbc[3]; };
    std::vector<Case> cases;
    for (size_t n = 0; n <= 600; n++) {
        Case c{rng.bytes(n), {}, {}};
        c.cmac = cmac(c.msg, k);
        for (size_t i = 0; i < 3; i++) c.cbc[i] = cbc_mac(c.msg, pads[i], k);
        cases.push_back(c);
    }
    each_cipher_tier([&](bool slow) {
        init();
        for (size_t i = 0; i < cases.size(); i += slow ? 150 : 1) {
            Guarded msg(cases[i].msg.data(), i), tag(16);
            ASSERT_EQ(ty_sm4_cmac_mac(tag.data(), 16, msg.data(), i, &ckey), TY_OK);
            ASSERT_EQ(hex(tag.data(), 16), hex(cases[i].cmac)) << i;
            ASSERT_EQ(ty_sm4_cmac_check(tag.data(), 16, msg.data(), i, &ckey), TY_OK);
            for (size_t p = 0; p < 3; p++) {
                ASSERT_EQ(ty_sm4_cbc_mac_mac(tag.data(), 16, msg.data(), i, pads[p], &key), TY_OK);
                ASSERT_EQ(hex(tag.data(), 16), hex(cases[i].cbc[p])) << i << " " << p;
                ASSERT_EQ(ty_sm4_cbc_mac_check(tag.data(), 16, msg.data(), i, pads[p], &key),
                          TY_OK);
            }
        }
    });
}

// Computed by libgcrypt 1.10.1 (GCRY_MAC_CMAC_SM4).
TEST_F(Mac, CmacKnownAnswers)
{
    ty_sm4_cmac_init(&ckey, unhex("0123456789abcdeffedcba9876543210").data());
    const Bytes msg = unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
                            "46a35ce411e5fbc1191a0a52ef"
                            "f69f2445df4f9b17ad2b417be66c3710");
    const struct { size_t len; const char *tag; } known[] = {
        {0, "29e154322e5c7bd8ee6a25ba549b24bc"},
        {1, "53a59ab4c5c1e1a9c6968b7983a230cf"},
        {16, "07a0861ededd5cfcead8489011600b9c"},
        {40, "67a8e59526f59125b5d91e626d23a37a"},
        {64, "cc8eda3eeed4cd37b55fa09b06c6f630"},
    };
    for (const auto &c : known) {
        Bytes tag(16);
        ASSERT_EQ(ty_sm4_cmac_mac(tag.data(), 16, msg.data(), c.len, &ckey), TY_OK);
        EXPECT_EQ(hex(tag), c.tag) << c.len;
    }
}

// Computed by gmsm 0.44.0, package cbcmac. Its zero padding leaves an empty message empty, where
// the standard requires a block.
TEST_F(Mac, CbcMacKnownAnswers)
{
    ty_sm4_init(&key, unhex("0123456789abcdeffedcba9876543210").data());
    const Bytes msg = unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c"
                            "46a35ce411e5fbc1191a0a52ef"
                            "f69f2445df4f9b17ad2b417be66c3710");
    const struct { size_t len; const char *tag[3]; } known[] = {
        {0, {nullptr, "8c338e5a27e349beae39214feda97099",
          "2c103bee29b2693cdfbac44dcdf8bf6c"}},
        {1, {"9dc1b77ea29e30f05257620f11efe01e", "bbf106212cc251550bdb45319a9c51cd",
          "0d9749fd26686b427f25b8fff72efa7e"}},
        {16, {"04986759e497d52811e74954b3b01ddd", "135e7fd3b17e967b449bba0e35ca8ff0",
          "94322ff780f3e35f17d176beafe5bbc1"}},
        {40, {"039e43edbfdf6cda8b6a65b513d65670", "cac2d5b773914b96e3685c5b3e0b776d",
          "f5b3f7ce2c230fc7f9154d6b2e8a9a3f"}},
        {64, {"6fdae1cdfade1c4222788a4d84444495", "ca6f8d635e58d5433984560e03cd87b2",
          "ba792d8913f5ac8d5536f57e7478f84f"}},
    };
    for (const auto &c : known)
        for (size_t p = 0; p < 3; p++) {
            Bytes tag(16);
            if (!c.tag[p]) continue;
            ASSERT_EQ(ty_sm4_cbc_mac_mac(tag.data(), 16, msg.data(), c.len, pads[p], &key), TY_OK);
            EXPECT_EQ(hex(tag), c.tag[p]) << c.len << " " << p;
        }
}

TEST_F(Mac, GmacIsGcmWithoutAMessage)
{
    for (size_t n = 0; n <= 300; n++) {
        const Bytes msg = rng.bytes(n), nonce = rng.bytes(n % 5 ? 12 : 1 + n % 30);
        Bytes tag(12 + n % 5), expected(tag.size());
        Guarded at(msg.data(), n);
        ASSERT_EQ(ty_sm4_gcm_seal(nullptr, expected.data(), expected.size(), nullptr, 0, msg.data(),
                                  n, nonce.data(), nonce.size(), &gkey),
                  TY_OK);
        ASSERT_EQ(ty_sm4_gmac_mac(tag.data(), tag.size(), at.data(), n, nonce.data(), nonce.size(),
                                  &gkey),
                  TY_OK);
        ASSERT_EQ(hex(tag), hex(expected)) << n;
        ASSERT_EQ(ty_sm4_gmac_check(tag.data(), tag.size(), at.data(), n, nonce.data(),
                                    nonce.size(), &gkey),
                  TY_OK);
        ty_sm4_gmac c;
        for (const bool verify : {false, true}) {
            ASSERT_EQ(ty_sm4_gmac_start(&c, nonce.data(), nonce.size(), &gkey), TY_OK);
            pieces(rng, n, 40, [&](size_t from, size_t some) {
                ASSERT_EQ(ty_sm4_gmac_update(&c, &msg[from], some), TY_OK);
            });
            if (verify) {
                ASSERT_EQ(ty_sm4_gmac_verify(tag.data(), tag.size(), &c), TY_OK);
            } else {
                Bytes streamed(tag.size());
                ASSERT_EQ(ty_sm4_gmac_final(streamed.data(), streamed.size(), &c), TY_OK);
                ASSERT_EQ(hex(streamed), hex(tag));
            }
        }
    }
}

TEST_F(Mac, MessagesInPieces)
{
    for (size_t round = 0; round < 300; round++) {
        const size_t most = round % 3 == 0 ? 5 : round % 3 == 1 ? 40 : 300;
        const Bytes msg = rng.bytes(rng.below(600));
        Bytes whole(16), tag(16);
        ty_sm4_cmac c;
        ASSERT_EQ(ty_sm4_cmac_mac(whole.data(), 16, msg.data(), msg.size(), &ckey), TY_OK);
        for (const bool verify : {false, true}) {
            ty_sm4_cmac_start(&c, &ckey);
            pieces(rng, msg.size(), most, [&](size_t at, size_t n) {
                ASSERT_EQ(ty_sm4_cmac_update(&c, &msg[at], n), TY_OK);
            });
            if (verify) { ASSERT_EQ(ty_sm4_cmac_verify(whole.data(), 16, &c), TY_OK); }
            else { ASSERT_EQ(ty_sm4_cmac_final(tag.data(), 16, &c), TY_OK); }
        }
        ASSERT_EQ(hex(tag), hex(whole));
        for (const auto pad : pads) {
            ty_sm4_cbc_mac b;
            ASSERT_EQ(ty_sm4_cbc_mac_mac(whole.data(), 16, msg.data(), msg.size(), pad, &key),
                      TY_OK);
            for (const bool verify : {false, true}) {
                ASSERT_EQ(ty_sm4_cbc_mac_start(&b, pad, msg.size(), &key), TY_OK);
                pieces(rng, msg.size(), most, [&](size_t at, size_t n) {
                    ASSERT_EQ(ty_sm4_cbc_mac_update(&b, &msg[at], n), TY_OK);
                });
                if (verify) { ASSERT_EQ(ty_sm4_cbc_mac_verify(whole.data(), 16, &b), TY_OK); }
                else { ASSERT_EQ(ty_sm4_cbc_mac_final(tag.data(), 16, &b), TY_OK); }
            }
            ASSERT_EQ(hex(tag), hex(whole));
        }
    }
}

TEST_F(Mac, TagLengthsAndForgeries)
{
    const Bytes msg = rng.bytes(37), nonce = rng.bytes(12);
    const std::function<ty_err(uint8_t *, size_t)> make[] = {
        [&](uint8_t *t, size_t n) { return ty_sm4_cmac_mac(t, n, msg.data(), 37, &ckey); },
        [&](uint8_t *t, size_t n) {
            return ty_sm4_cbc_mac_mac(t, n, msg.data(), 37, TY_SM4_MAC_ONE, &key);
        },
        [&](uint8_t *t, size_t n) {
            return ty_sm4_gmac_mac(t, n, msg.data(), 37, nonce.data(), 12, &gkey);
        },
    };
    const std::function<ty_err(const Bytes &, const Bytes &)> check[] = {
        [&](const Bytes &t, const Bytes &m) {
            return ty_sm4_cmac_check(t.data(), t.size(), m.data(), m.size(), &ckey);
        },
        [&](const Bytes &t, const Bytes &m) {
            return ty_sm4_cbc_mac_check(t.data(), t.size(), m.data(), m.size(), TY_SM4_MAC_ONE,
                                        &key);
        },
        [&](const Bytes &t, const Bytes &m) {
            return ty_sm4_gmac_check(t.data(), t.size(), m.data(), m.size(), nonce.data(), 12,
                                     &gkey);
        },
    };
    for (size_t i = 0; i < 3; i++) {
        Bytes whole(16);
        ASSERT_EQ(make[i](whole.data(), 16), TY_OK);
        for (size_t n = 0; n <= 20; n++) {
            Guarded tag(Bytes(n, 0x77).data(), n);
            const bool good = n >= (i == 2 ? 12 : 4) && n <= 16;
            ASSERT_EQ(make[i](tag.data(), n), good ? TY_OK : TY_ERR_ARG);
            ASSERT_EQ(hex(tag.data(), n), hex(good ? part(whole, 0, n) : Bytes(n, 0x77)));
            const Bytes t(tag.data(), tag.data() + n);
            ASSERT_EQ(check[i](t, msg), good ? TY_OK : TY_ERR_ARG);
            if (good)
                each_flipped_bit(
                    t, [&](const Bytes &x) { ASSERT_EQ(check[i](x, msg), TY_ERR_VERIFY); });
        }
        each_flipped_bit(msg,
                         [&](const Bytes &x) { ASSERT_EQ(check[i](whole, x), TY_ERR_VERIFY); });
        EXPECT_EQ(check[i](whole, msg + Bytes(1)), TY_ERR_VERIFY);
        EXPECT_EQ(check[i](whole, part(msg, 0, 36)), TY_ERR_VERIFY);
    }
}

TEST_F(Mac, StreamsRefuseCallsOutOfOrder)
{
    uint8_t tag[16], x[40] = {0};
    ty_sm4_cmac c;
    ty_sm4_cmac_start(&c, &ckey);
    EXPECT_EQ(ty_sm4_cmac_update(&c, nullptr, 0), TY_OK);
    EXPECT_EQ(ty_sm4_cmac_final(tag, 3, &c), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_cmac_verify(tag, 17, &c), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_cmac_final(tag, 16, &c), TY_OK) << "a wrong length changes nothing";
    EXPECT_EQ(hex(tag, 16), hex(cmac({}, k)));
    const ty_sm4_cmac wiped = {};
    EXPECT_EQ(std::memcmp(&c, &wiped, sizeof c), 0);
    EXPECT_EQ(ty_sm4_cmac_update(&c, x, 1), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_cmac_final(tag, 16, &c), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_cmac_verify(tag, 16, &c), TY_ERR_STATE);
    ty_sm4_cmac_start(&c, &ckey);
    EXPECT_EQ(ty_sm4_cmac_verify(x, 16, &c), TY_ERR_VERIFY);
    EXPECT_EQ(std::memcmp(&c, &wiped, sizeof c), 0);

    ty_sm4_cbc_mac b;
    EXPECT_EQ(ty_sm4_cbc_mac_start(&b, (ty_sm4_mac_pad)0, 0, &key), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_cbc_mac_start(&b, (ty_sm4_mac_pad)4, 0, &key), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_cbc_mac_update(&b, x, 1), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_cbc_mac_final(tag, 16, &b), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_cbc_mac_verify(tag, 16, &b), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_cbc_mac_mac(tag, 16, x, 1, (ty_sm4_mac_pad)0, &key), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_cbc_mac_check(tag, 16, x, 1, (ty_sm4_mac_pad)9, &key), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_cbc_mac_start(&b, TY_SM4_MAC_LENGTH, ((uint64_t)1 << 61) - 1, &key), TY_OK);
    EXPECT_EQ(ty_sm4_cbc_mac_start(&b, TY_SM4_MAC_LENGTH, (uint64_t)1 << 61, &key), TY_ERR_SIZE);
    EXPECT_EQ(ty_sm4_cbc_mac_update(&b, x, 0), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_cbc_mac_start(&b, TY_SM4_MAC_LENGTH, 20, &key), TY_OK);
    EXPECT_EQ(ty_sm4_cbc_mac_update(&b, x, 21), TY_ERR_SIZE);
    EXPECT_EQ(ty_sm4_cbc_mac_update(&b, x, 19), TY_OK);
    EXPECT_EQ(ty_sm4_cbc_mac_final(tag, 16, &b), TY_ERR_SIZE);
    EXPECT_EQ(ty_sm4_cbc_mac_update(&b, x, 1), TY_OK);
    EXPECT_EQ(ty_sm4_cbc_mac_final(tag, 16, &b), TY_OK);
    EXPECT_EQ(hex(tag, 16), hex(cbc_mac(Bytes(20), TY_SM4_MAC_LENGTH, k)));
    EXPECT_EQ(ty_sm4_cbc_mac_final(tag, 16, &b), TY_ERR_STATE);

    ty_sm4_gmac g;
    EXPECT_EQ(ty_sm4_gmac_start(&g, x, 0, &gkey), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_gmac_update(&g, x, 1), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gmac_final(tag, 16, &g), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gmac_verify(tag, 16, &g), TY_ERR_STATE);
    EXPECT_EQ(ty_sm4_gmac_mac(tag, 16, x, 1, x, 0, &gkey), TY_ERR_ARG);
    EXPECT_EQ(ty_sm4_gmac_mac(tag, 16, nullptr, 0, x, 12, &gkey), TY_OK);
    EXPECT_EQ(ty_sm4_gmac_check(tag, 16, nullptr, 0, x, 12, &gkey), TY_OK);
}

// The attack that the header warns of: one block and its tag give a second message with that tag.
// CMAC resists it.
TEST_F(Mac, CbcMacOfVariableLengthIsForged)
{
    const Bytes m = rng.bytes(16);
    Bytes t(16);
    ASSERT_EQ(ty_sm4_cbc_mac_mac(t.data(), 16, m.data(), 16, TY_SM4_MAC_ZEROS, &key), TY_OK);
    Bytes forged = m + (m ^ t);
    EXPECT_EQ(ty_sm4_cbc_mac_check(t.data(), 16, forged.data(), 32, TY_SM4_MAC_ZEROS, &key), TY_OK);
    ASSERT_EQ(ty_sm4_cmac_mac(t.data(), 16, m.data(), 16, &ckey), TY_OK);
    forged = m + (m ^ t);
    EXPECT_EQ(ty_sm4_cmac_check(t.data(), 16, forged.data(), 32, &ckey), TY_ERR_VERIFY);
}

TEST_F(Mac, SharedVectors)
{
    const auto all = load_vectors("sm4.json");
    if (!all) GTEST_SKIP() << "no vector files";
    auto ran = each_vector(
        *all, [](const std::string &alg) { return alg == "SM4-CMAC"; },
        [&](const Json &v) {
            const Bytes msg = field(v, "pt"), expected = field(v, "tag");
            Bytes tag(expected.size());
            ty_sm4_cmac_init(&ckey, field(v, "key").data());
            ASSERT_EQ(ty_sm4_cmac_mac(tag.data(), tag.size(), msg.data(), msg.size(), &ckey),
                      TY_OK);
            ASSERT_EQ(hex(tag), hex(expected));
            ASSERT_EQ(ty_sm4_cmac_check(tag.data(), tag.size(), msg.data(), msg.size(), &ckey),
                      TY_OK);
        });
    EXPECT_EQ(ran["SM4-CMAC"], 14);
}
