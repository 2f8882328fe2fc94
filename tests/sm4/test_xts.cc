// XTS in both forms, on every tier: comparison with the definition at every length, in place and to
// another buffer, at guard pages; known answers; sectors; limits; the shared vectors.
#include "sm4/on_tiers.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "support/vectors.hpp"
#include "tongyu/sm4_xts.h"
#include <map>
#include <memory>

namespace {

using Call = ty_err (*)(uint8_t *, const uint8_t *, size_t, const uint8_t *,
                        const ty_sm4_xts_key *);
using Calls = ty_err (*)(uint8_t *, const uint8_t *, size_t, size_t, uint64_t,
                         const ty_sm4_xts_key *);
struct Form {
    const char *name;
    bool ieee;
    Call encrypt, decrypt;
    Calls encrypt_sectors, decrypt_sectors;
};
const Form forms[] = {
    { "SM4-XTS-IEEE", true, ty_sm4_xts_ieee_encrypt, ty_sm4_xts_ieee_decrypt,
      ty_sm4_xts_ieee_encrypt_sectors, ty_sm4_xts_ieee_decrypt_sectors },
    { "SM4-XTS-GB", false, ty_sm4_xts_gb_encrypt, ty_sm4_xts_gb_decrypt,
      ty_sm4_xts_gb_encrypt_sectors, ty_sm4_xts_gb_decrypt_sectors },
};

Bytes first(const Bytes &key) { return reference::part(key, 0, 16); }
Bytes second(const Bytes &key) { return reference::part(key, 16, 16); }

ty_sm4_xts_key xts_key_on(const ty_sm4_ops *ops, const Bytes &bytes)
{
    ty_sm4_xts_key key;
    EXPECT_EQ(ty_sm4_xts_init(&key, bytes.data()), TY_OK);
    key.data = key_on(ops, first(bytes));
    key.tweak = key_on(ops, second(bytes));
    return key;
}

Bytes by_definition(const Form &form, const Bytes &key, const Bytes &tweak, const Bytes &in,
                    bool decrypt)
{
    return reference::xts(cipher(first(key), decrypt), portable(second(key), tweak), in, form.ieee,
                          decrypt);
}

}   // namespace

TEST(Xts, EveryLengthMatchesItsDefinition)
{
    TestRng rng(31);
    const size_t most = full() ? 4200 : 2064, all_below = full() ? most : 300;
    const Bytes k = rng.bytes(32), tweak = rng.bytes(16), data = rng.bytes(most);
    for (const Form &form : forms) {
        SCOPED_TRACE(form.name);
        const auto definition = [&](size_t len) {
            static std::map<std::pair<bool, size_t>, Bytes> known;
            Bytes &x = known[{form.ieee, len}];
            if (x.empty()) x = by_definition(form, k, tweak, reference::part(data, 0, len), false);
            return x;
        };
        each_tier([&](const ty_sm4_ops *ops, const char *) {
            const ty_sm4_xts_key key = xts_key_on(ops, k);
            const size_t step = slow_tier(ops) ? 131 : 1;
            for (size_t len = 16; len <= most; len += len < all_below ? step : 7 * step) {
                const Bytes expected = definition(len);
                const auto side = len % 2 ? Guarded::End : Guarded::Start;
                Guarded in(data.data(), len, side), out(len, side), t(tweak.data(), 16, side);
                ASSERT_EQ(form.encrypt(out.data(), in.data(), len, t.data(), &key), TY_OK);
                ASSERT_EQ(hex(out.data(), len), hex(expected)) << len;
                ASSERT_EQ(hex(in.data(), len), hex(data.data(), len)) << len;
                ASSERT_EQ(form.encrypt(in.data(), in.data(), len, t.data(), &key), TY_OK);
                ASSERT_EQ(hex(in.data(), len), hex(expected)) << len << " in place";
                ASSERT_EQ(form.decrypt(out.data(), in.data(), len, t.data(), &key), TY_OK);
                ASSERT_EQ(hex(out.data(), len), hex(data.data(), len)) << len;
                ASSERT_EQ(form.decrypt(in.data(), in.data(), len, t.data(), &key), TY_OK);
                ASSERT_EQ(hex(in.data(), len), hex(data.data(), len)) << len << " in place";
                ASSERT_EQ(hex(t.data(), 16), hex(tweak));
            }
        });
    }
}

TEST(Xts, DecryptionMatchesItsDefinition)    // of random input, and misaligned
{
    TestRng rng(32);
    for (const Form &form : forms)
        for (size_t len = 16; len < 120; len++) {
            const Bytes k = rng.bytes(32), tweak = rng.bytes(16), in = rng.bytes(len);
            ty_sm4_xts_key key;
            ASSERT_EQ(ty_sm4_xts_init(&key, k.data()), TY_OK);
            Bytes from(len + 16), to(len + 16, 0xEE);
            const size_t shift = 1 + len % 15;
            std::copy(in.begin(), in.end(), from.begin() + (long)shift);
            ASSERT_EQ(form.decrypt(&to[16 - shift], &from[shift], len, tweak.data(), &key), TY_OK);
            ASSERT_EQ(hex(&to[16 - shift], len), hex(by_definition(form, k, tweak, in, true)))
                << len;
            for (size_t i = 0; i < to.size(); i++)
                if (i < 16 - shift || i >= 16 - shift + len) { ASSERT_EQ(to[i], 0xEE) << len; }
        }
}

// The two forms multiply masks differently, so only the first block is the same.
TEST(Xts, TheFormsDifferFromTheSecondBlockOn)
{
    TestRng rng(33);
    const Bytes k = rng.bytes(32), tweak = rng.bytes(16), in = rng.bytes(48);
    ty_sm4_xts_key key;
    ASSERT_EQ(ty_sm4_xts_init(&key, k.data()), TY_OK);
    Bytes a(48), b(48);
    ASSERT_EQ(ty_sm4_xts_ieee_encrypt(a.data(), in.data(), 48, tweak.data(), &key), TY_OK);
    ASSERT_EQ(ty_sm4_xts_gb_encrypt(b.data(), in.data(), 48, tweak.data(), &key), TY_OK);
    EXPECT_EQ(hex(a.data(), 16), hex(b.data(), 16));
    EXPECT_NE(hex(&a[16], 16), hex(&b[16], 16));
    EXPECT_NE(hex(&a[32], 16), hex(&b[32], 16));
}

TEST(Xts, KnownAnswers)
{
    const struct { bool ieee; const char *key, *tweak, *pt, *ct;
    } known[] = {
        // GB/T 17964-2021, B.7
        { false, "2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f",
          "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
          "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc119"
          "1a0a52eff69f2445df4f9b17",
          "e9538251c71d7b80bbe4483fef497bd12c5c581bd6242fc51e08964fb4f60fdb0ba42f63499279213d318d2c"
          "11f6886e903be7f93a1b3479" },
        // sectors 0x3333333333, 94 and 144; the ciphertexts agree with gmsm 0.44
        { true, "1111111111111111111111111111111122222222222222222222222222222222",
          "33333333330000000000000000000000",
          "4444444444444444444444444444444444444444444444444444444444444444",
          "a74d726c11196a32be04e001ff29d0c7932f9f3ec29bfcb64dd17f63cbd3ea31" },
        { true, "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f022222222222222222222222222222222",
          "33333333330000000000000000000000",
          "4444444444444444444444444444444444444444444444444444444444444444",
          "7f76088effadf70c02ea9f95da0628d351bfcb9eac0563bcf17b710dab0a9826" },
        { true, "c46acc2e7e013cb71cdbf750cf76b000249fbf4fb6cd17607773c23ffa2c4330",
          "5e000000000000000000000000000000", "7e9c2289cba460e470222953439cdaa892a5433d4dab2a3f67",
          "c3cf5445c64aa518f4abce2848faddfb4605d9fb66f1f12c0c" },
        { true, "56ffcc9bbbdf413f0fc0f888f44b7493bb1925a39b8adf02d9009bb16db0a887",
          "90000000000000000000000000000000", "9a839cc14363bafcfc0cc93b14f8e769d35b94cc98267438e3",
          "af027012c829206c32a31706999d046f10a83bcacbc5c96353" },
    };
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        for (const auto &v : known) {
            const Form &form = forms[v.ieee ? 0 : 1];
            const ty_sm4_xts_key key = xts_key_on(ops, unhex(v.key));
            const Bytes pt = unhex(v.pt), ct = unhex(v.ct), tweak = unhex(v.tweak);
            Bytes out(pt.size());
            EXPECT_EQ(form.encrypt(out.data(), pt.data(), pt.size(), tweak.data(), &key), TY_OK);
            EXPECT_EQ(hex(out), hex(ct));
            EXPECT_EQ(form.decrypt(out.data(), ct.data(), ct.size(), tweak.data(), &key), TY_OK);
            EXPECT_EQ(hex(out), hex(pt));
        }
    });
}

TEST(Xts, SectorsAreUnitsWithNumbers)
{
    uint8_t t[16];
    ty_sm4_xts_tweak(t, 0x0102030405060708u);
    EXPECT_EQ(hex(t, 16), "08070605040302010000000000000000");
    TestRng rng(34);
    const Bytes k = rng.bytes(32);
    for (const Form &form : forms)
        each_tier([&](const ty_sm4_ops *ops, const char *) {
            const ty_sm4_xts_key key = xts_key_on(ops, k);
            for (const size_t len : {16, 17, 47, 512})
                for (const size_t sectors : {0, 1, 3, 64, 65, 130}) {
                    if (slow_tier(ops) && sectors * len > 900) continue;
                    const uint64_t from =
                        rng.below(2) ? rng.next() : 0u - (uint64_t)rng.below(sectors + 1);
                    const Bytes in = rng.bytes(sectors * len);
                    Bytes expected(in.size());
                    for (size_t i = 0; i < sectors; i++) {
                        ty_sm4_xts_tweak(t, from + i);
                        ASSERT_EQ(form.encrypt(&expected[i * len], &in[i * len], len, t, &key),
                                  TY_OK);
                    }
                    Guarded out(in.data(), in.size());
                    ASSERT_EQ(
                        form.encrypt_sectors(out.data(), out.data(), sectors, len, from, &key),
                        TY_OK);
                    ASSERT_EQ(hex(out.data(), in.size()), hex(expected)) << len << " " << sectors;
                    Guarded back(in.size());
                    ASSERT_EQ(
                        form.encrypt_sectors(back.data(), in.data(), sectors, len, from, &key),
                        TY_OK);
                    ASSERT_EQ(hex(back.data(), in.size()), hex(expected)) << len << " apart";
                    ASSERT_EQ(
                        form.decrypt_sectors(back.data(), out.data(), sectors, len, from, &key),
                        TY_OK);
                    ASSERT_EQ(hex(back.data(), in.size()), hex(in)) << len << " " << sectors;
                }
        });
}

TEST(Xts, Limits)
{
    TestRng rng(35);
    Bytes k = rng.bytes(32), tweak = rng.bytes(16), buf(40, 0xAB);
    ty_sm4_xts_key key;
    ASSERT_EQ(ty_sm4_xts_init(&key, k.data()), TY_OK);
    for (const Form &form : forms)
        for (const Call call : {form.encrypt, form.decrypt}) {
            for (size_t len = 0; len < 16; len++)
                EXPECT_EQ(call(buf.data(), buf.data(), len, tweak.data(), &key), TY_ERR_ARG);
            EXPECT_EQ(call(buf.data(), buf.data(), TY_SM4_XTS_MAX + 1, tweak.data(), &key),
                      TY_ERR_SIZE);
            EXPECT_EQ(call(buf.data(), buf.data(), SIZE_MAX, tweak.data(), &key), TY_ERR_SIZE);
        }
    for (const Form &form : forms)
        for (const Calls call : {form.encrypt_sectors, form.decrypt_sectors}) {
            EXPECT_EQ(call(buf.data(), buf.data(), 2, 15, 0, &key), TY_ERR_ARG);
            EXPECT_EQ(call(buf.data(), buf.data(), 2, 0, 0, &key), TY_ERR_ARG);
            EXPECT_EQ(call(buf.data(), buf.data(), 1, TY_SM4_XTS_MAX + 1, 0, &key), TY_ERR_SIZE);
            EXPECT_EQ(call(buf.data(), buf.data(), SIZE_MAX / 16, 32, 0, &key), TY_ERR_SIZE);
            EXPECT_EQ(call(nullptr, nullptr, 0, 512, 0, &key), TY_OK);
        }
    EXPECT_EQ(buf, Bytes(40, 0xAB));
    std::copy(k.begin(), k.begin() + 16, k.begin() + 16);
    EXPECT_EQ(ty_sm4_xts_init(&key, k.data()), TY_ERR_KEY);
    const ty_sm4_xts_key wiped = {};
    EXPECT_EQ(std::memcmp(&key, &wiped, sizeof key), 0);
    k[31] ^= 1;
    EXPECT_EQ(ty_sm4_xts_init(&key, k.data()), TY_OK);
}

// A long data unit, the longest in a full run: the mask of block 2^n - 1 is T x^(2^n - 1).
TEST(Xts, TheLastMaskOfALongUnit)
{
    const int n = full() ? 20 : 12;
    TestRng rng(36);
    const Bytes k = rng.bytes(32), tweak = rng.bytes(16), in((size_t)16 << n, 7);
    ASSERT_LE(in.size(), TY_SM4_XTS_MAX);
    ty_sm4_xts_key key;
    ASSERT_EQ(ty_sm4_xts_init(&key, k.data()), TY_OK);
    for (const Form &form : forms) {
        Bytes out(in.size());
        ASSERT_EQ(form.encrypt(out.data(), in.data(), in.size(), tweak.data(), &key), TY_OK);
        // the product of x^(2^i), i < n
        reference::Bits power(128), mask;
        power[1] = true;
        const Bytes t = portable(second(k), tweak);
        mask = reference::to_bits(form.ieee ? reference::bits_reversed(t) : t);
        for (int i = 0; i < n; i++, power = reference::times(power, power))
            mask = reference::times(mask, power);
        Bytes m = reference::to_bytes(mask);
        if (form.ieee) m = reference::bits_reversed(m);
        using reference::operator+;
        const Bytes last = cipher(first(k))(Bytes(16, 7) + m) + m;
        EXPECT_EQ(hex(&out[in.size() - 16], 16), hex(last));
        ASSERT_EQ(form.decrypt(out.data(), out.data(), out.size(), tweak.data(), &key), TY_OK);
        EXPECT_TRUE(out == in);
    }
}

TEST(Xts, SharedVectors)
{
    const auto all = load_vectors("sm4.json");
    if (!all) GTEST_SKIP() << "no vector files";
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        std::map<std::string, int> ran;
        for (const Json &v : all->at("differential"))
            for (const Form &form : forms) {
                if (v.at("alg") != form.name) continue;
                const Bytes pt = field(v, "pt"), ct = field(v, "ct"), tweak = field(v, "iv");
                ran[form.name]++;
                if (slow_tier(ops) && pt.size() > 600) continue;
                const ty_sm4_xts_key key = xts_key_on(ops, field(v, "key"));
                Bytes out(pt.size());
                ASSERT_EQ(form.encrypt(out.data(), pt.data(), pt.size(), tweak.data(), &key),
                          TY_OK);
                ASSERT_EQ(hex(out), hex(ct)) << form.name;
                ASSERT_EQ(form.decrypt(out.data(), out.data(), out.size(), tweak.data(), &key),
                          TY_OK);
                ASSERT_EQ(hex(out), hex(pt)) << form.name;
            }
        EXPECT_EQ(ran["SM4-XTS-IEEE"], 12);
        EXPECT_EQ(ran["SM4-XTS-GB"], 12);
    });
}
