// Key wrap on every tier: comparison with the definitions at every length, in place and to another
// buffer; every altered bit is detected, and the output zeroed; forgeries of KWP's length, padding
// and check value, one by one.
#include "sm4/on_tiers.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include "tongyu/sm4_wrap.h"

namespace {

const Bytes kw_iv(8, 0xA6);
const size_t longest = 160;

Bytes zeros(size_t n) { return Bytes(n); }

}   // namespace

TEST(Wrap, KwMatchesItsDefinitionAtEveryLength)
{
    TestRng rng(41);
    const Bytes kek = rng.bytes(16);
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        const ty_sm4_key key = key_on(ops, kek);
        for (size_t len = 16; len <= (slow_tier(ops) ? 24 : longest); len += 8) {
            const Bytes in = rng.bytes(len), expected = reference::kw(cipher(kek), kw_iv, in);
            Guarded from(in.data(), len), out(len + 8), back(len), place(len + 8);
            ASSERT_EQ(ty_sm4_kw_wrap(out.data(), from.data(), len, &key), TY_OK);
            ASSERT_EQ(hex(out.data(), len + 8), hex(expected)) << len;
            std::copy(in.begin(), in.end(), place.data());
            ASSERT_EQ(ty_sm4_kw_wrap(place.data(), place.data(), len, &key), TY_OK);
            ASSERT_EQ(hex(place.data(), len + 8), hex(expected)) << len << " in place";
            ASSERT_EQ(ty_sm4_kw_unwrap(back.data(), out.data(), len + 8, &key), TY_OK);
            ASSERT_EQ(hex(back.data(), len), hex(in)) << len;
            ASSERT_EQ(ty_sm4_kw_unwrap(place.data(), place.data(), len + 8, &key), TY_OK);
            ASSERT_EQ(hex(place.data(), len), hex(in)) << len << " in place";
        }
    });
}

TEST(Wrap, KwpMatchesItsDefinitionAtEveryLength)
{
    TestRng rng(42);
    const Bytes kek = rng.bytes(16);
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        const ty_sm4_key key = key_on(ops, kek);
        for (size_t len = 1; len <= (slow_tier(ops) ? 17 : longest); len++) {
            const size_t wrapped = TY_SM4_KWP_LEN(len);
            const Bytes in = rng.bytes(len),
                        expected = reference::kwp(cipher(kek), in, (uint32_t)len);
            Bytes filled = in;
            filled.resize(wrapped - 8);
            size_t n = 99;
            ASSERT_EQ(wrapped, expected.size());
            Guarded from(in.data(), len), out(wrapped), back(wrapped - 8), place(wrapped);
            ASSERT_EQ(ty_sm4_kwp_wrap(out.data(), from.data(), len, &key), TY_OK);
            ASSERT_EQ(hex(out.data(), wrapped), hex(expected)) << len;
            std::copy(in.begin(), in.end(), place.data());
            ASSERT_EQ(ty_sm4_kwp_wrap(place.data(), place.data(), len, &key), TY_OK);
            ASSERT_EQ(hex(place.data(), wrapped), hex(expected)) << len << " in place";
            ASSERT_EQ(ty_sm4_kwp_unwrap(back.data(), &n, out.data(), wrapped, &key), TY_OK);
            ASSERT_EQ(n, len);
            ASSERT_EQ(hex(back.data(), wrapped - 8), hex(filled)) << len;
            ASSERT_EQ(ty_sm4_kwp_unwrap(place.data(), &n, place.data(), wrapped, &key), TY_OK);
            ASSERT_EQ(n, len);
            ASSERT_EQ(hex(place.data(), wrapped - 8), hex(filled)) << len << " in place";
        }
    });
}

// The known answers were computed by an independent implementation of W (SP 800-38F) in Python over
// libcrypto's SM4-ECB; keys and key data are those of RFC 3394, 4.1, and RFC 5649, 6.
TEST(Wrap, KnownAnswers)
{
    const Bytes kek = unhex("000102030405060708090a0b0c0d0e0f"),
                kek2 = unhex("5840df6e29b02af1ab493b705bf16ea1");
    const Bytes data = unhex("00112233445566778899aabbccddeeff");
    const Bytes seven = unhex("466f7250617369"),
                twenty = unhex("c37b7e6492584340bed12207808941155068f738");
    ty_sm4_key key, key2;
    ty_sm4_init(&key, kek.data());
    ty_sm4_init(&key2, kek2.data());
    Bytes out(24), out7(16), out20(32);
    ASSERT_EQ(ty_sm4_kw_wrap(out.data(), data.data(), 16, &key), TY_OK);
    EXPECT_EQ(hex(out), "c72e8dbfefe856259fff77de2023b380a9e2d0b8acb9b6f6");
    ASSERT_EQ(ty_sm4_kwp_wrap(out7.data(), seven.data(), 7, &key2), TY_OK);
    EXPECT_EQ(hex(out7), "e4e0de4b938de5c3944f9e452779cf26");
    ASSERT_EQ(ty_sm4_kwp_wrap(out20.data(), twenty.data(), 20, &key2), TY_OK);
    EXPECT_EQ(hex(out20), "c47d86253815615060826963826843eb1be39ecd9a032d04b22a710eb93d63e0");
}

TEST(Wrap, EveryAlteredBitIsDetected)
{
    TestRng rng(43);
    const Bytes kek = rng.bytes(16);
    ty_sm4_key key;
    ty_sm4_init(&key, kek.data());
    for (const size_t len : {8, 16, 24, 40}) {
        Bytes in = rng.bytes(len), kw(len + 8), kwp(len + 8), out(len);
        size_t n;
        if (len >= 16) { ASSERT_EQ(ty_sm4_kw_wrap(kw.data(), in.data(), len, &key), TY_OK); }
        ASSERT_EQ(ty_sm4_kwp_wrap(kwp.data(), in.data(), len, &key), TY_OK);
        for (size_t bit = 0; bit < 8 * (len + 8); bit += full() ? 1 : 3) {
            const auto flip = [&] {
                kw[bit / 8] ^= (uint8_t)(1 << bit % 8);
                kwp[bit / 8] ^= (uint8_t)(1 << bit % 8);
            };
            flip();
            out = rng.bytes(len);
            if (len >= 16) {
                ASSERT_EQ(ty_sm4_kw_unwrap(out.data(), kw.data(), len + 8, &key), TY_ERR_VERIFY)
                    << bit;
                ASSERT_EQ(out, zeros(len));
                Bytes place = kw;
                ASSERT_EQ(ty_sm4_kw_unwrap(place.data(), place.data(), len + 8, &key),
                          TY_ERR_VERIFY)
                    << bit;
                ASSERT_EQ(reference::part(place, 0, len), zeros(len));
            }
            out = rng.bytes(len);
            n = 99;
            ASSERT_EQ(ty_sm4_kwp_unwrap(out.data(), &n, kwp.data(), len + 8, &key), TY_ERR_VERIFY)
                << bit;
            ASSERT_EQ(n, 0u);
            ASSERT_EQ(out, zeros(len));
            flip();
        }
        // a result of KW is not valid for KWP, nor one of KWP for KW
        if (len < 16) continue;
        EXPECT_EQ(ty_sm4_kw_unwrap(out.data(), kwp.data(), len + 8, &key), TY_ERR_VERIFY);
        EXPECT_EQ(ty_sm4_kwp_unwrap(out.data(), &n, kw.data(), len + 8, &key), TY_ERR_VERIFY);
    }
}

// With the key, anything can be wrapped: every invalid length, padding byte and check value is
// refused, each as the only error.
TEST(Wrap, KwpAcceptsOnlyValidChecks)
{
    TestRng rng(44);
    const Bytes kek = rng.bytes(16);
    ty_sm4_key key;
    ty_sm4_init(&key, kek.data());
    const auto e = cipher(kek);
    size_t n;
    const auto unwrap = [&](const Bytes &w, Bytes &out) {
        out = rng.bytes(w.size() - 8);
        n = 99;
        const ty_err err = ty_sm4_kwp_unwrap(out.data(), &n, w.data(), w.size(), &key);
        if (err != TY_OK) {
            EXPECT_EQ(n, 0u);
            EXPECT_EQ(out, zeros(w.size() - 8));
        }
        return err;
    };
    Bytes out;
    for (const size_t padded : {8, 16, 24}) {
        const Bytes whole = rng.bytes(padded), tail0 = [&] {
            Bytes b = whole;
            std::fill(b.end() - 8, b.end(), 0);
            return b;
        }();
        for (uint32_t mli : { 0u, 1u, 6u, 7u, 8u, 9u, 15u, 16u, 17u, 23u, 24u, 25u, 31u, 32u,
                              0x80000010u, 0xFFFFFFFFu, 0x100u + 16u }) {
            const bool right = mli <= padded && mli > padded - 8;
            ASSERT_EQ(unwrap(reference::kwp(e, tail0, mli), out), right ? TY_OK : TY_ERR_VERIFY)
                << padded << " " << mli;
            if (right) { ASSERT_EQ(n, mli); }
        }
        // each byte, inside the padding and outside
        for (uint32_t pad = 0; pad < 8; pad++)
            for (size_t at = 0; at < 8; at++) {
                Bytes p = tail0;
                p[padded - 1 - at] = (uint8_t)(1 << rng.below(8));
                ASSERT_EQ(unwrap(reference::kwp(e, p, (uint32_t)padded - pad), out),
                          at < pad ? TY_ERR_VERIFY : TY_OK)
                    << pad << " " << at;
            }
        for (int bit = 0; bit < 32; bit++) {
            Bytes check = unhex("a65959a6");
            check[(size_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
            ASSERT_EQ(unwrap(reference::kwp(e, whole, (uint32_t)padded, check), out), TY_ERR_VERIFY)
                << bit;
        }
    }
    for (int bit = 0; bit < 64; bit++) {
        Bytes iv = kw_iv, w;
        iv[(size_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
        w = reference::kw(e, iv, rng.bytes(16));
        out = rng.bytes(16);
        ASSERT_EQ(ty_sm4_kw_unwrap(out.data(), w.data(), w.size(), &key), TY_ERR_VERIFY) << bit;
        ASSERT_EQ(out, zeros(16));
    }
}

// `out` at every distance from `in`: the same buffer or a disjoint one is valid, all others are
// refused and nothing is changed.
TEST(Wrap, OverlappingBuffersAreRefused)
{
    TestRng rng(45);
    ty_sm4_key key;
    ty_sm4_init(&key, rng.bytes(16).data());
    size_t n = 0;
    const std::function<ty_err(uint8_t *, const uint8_t *, size_t)> calls[] = {
        [&](uint8_t *out, const uint8_t *in, size_t len) {
            return ty_sm4_kw_wrap(out, in, len, &key);
        },
        [&](uint8_t *out, const uint8_t *in, size_t len) {
            return ty_sm4_kwp_wrap(out, in, len, &key);
        },
        [&](uint8_t *out, const uint8_t *in, size_t len) {
            return ty_sm4_kw_unwrap(out, in, len, &key);
        },
        [&](uint8_t *out, const uint8_t *in, size_t len) {
            return ty_sm4_kwp_unwrap(out, &n, in, len, &key);
        },
    };
    const size_t middle = 60, len = 32;
    for (size_t i = 0; i < 4; i++) {
        const size_t made = i < 2 ? len + 8 : len - 8;
        for (size_t at = middle - made - 2; at <= middle + len + 2; at++) {
            Bytes all = rng.bytes(150);
            const Bytes before = all;
            const bool overlaps = at != middle && at + made > middle && at < middle + len;
            ASSERT_EQ(calls[i](&all[at], &all[middle], len), overlaps ? TY_ERR_ARG
                                                             : i < 2 ? TY_OK
                                                                     : TY_ERR_VERIFY)
                << i << " at " << at;
            if (overlaps) { ASSERT_EQ(all, before); }
        }
    }
}

TEST(Wrap, Lengths)
{
    Bytes kek(16, 1), in(64, 2), out(80, 0xAB);
    ty_sm4_key key;
    size_t n;
    ty_sm4_init(&key, kek.data());
    for (size_t len = 0; len <= 64; len++) {
        if (len % 8 || len < 16) {
            EXPECT_EQ(ty_sm4_kw_wrap(out.data(), in.data(), len, &key), TY_ERR_ARG) << len;
        }
        if (len % 8 || len < 24) {
            EXPECT_EQ(ty_sm4_kw_unwrap(out.data(), in.data(), len, &key), TY_ERR_ARG) << len;
        }
        if (len % 8 || len < 16) {
            EXPECT_EQ(ty_sm4_kwp_unwrap(out.data(), &n, in.data(), len, &key), TY_ERR_ARG) << len;
        }
    }
    EXPECT_EQ(ty_sm4_kwp_wrap(out.data(), in.data(), 0, &key), TY_ERR_ARG);
    if (sizeof(size_t) > 4) {
        const uint64_t most = TY_SM4_KWP_MAX;
        EXPECT_EQ(ty_sm4_kwp_wrap(out.data(), in.data(), (size_t)(most + 1), &key), TY_ERR_SIZE);
        EXPECT_EQ(ty_sm4_kwp_unwrap(out.data(), &n, in.data(), (size_t)(most + 1 + 16), &key),
                  TY_ERR_SIZE);
    }
    EXPECT_EQ(out, Bytes(80, 0xAB));
}
