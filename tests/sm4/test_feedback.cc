// The modes that do more than call one kernel, on every tier: CFB with 8 and 1 bits, BC, OFBNLF;
// and all streams of whole bytes in any chunking.
#include "sm4/on_tiers.hpp"
#include "support/guard.hpp"
#include "support/rng.hpp"
#include <map>

namespace {

using reference::to_bits;
using reference::to_bytes;

using Cfb = void (*)(uint8_t *, const uint8_t *, size_t, const uint8_t *, const ty_sm4_key *);
using Chain = ty_err (*)(uint8_t *, const uint8_t *, size_t, const uint8_t *, const ty_sm4_key *);

const Bytes example_key = unhex("2b7e151628aed2a6abf7158809cf4f3c"),
            example_iv = unhex("000102030405060708090a0b0c0d0e0f");
const Bytes example = unhex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                            "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");

// f on data, to another buffer and in place, at guard pages; checks that both give the same result,
// and returns it
template <class F> Bytes both_ways(F f, const Bytes &data)
{
    const auto side = data.size() % 2 ? Guarded::End : Guarded::Start;
    Guarded in(data.data(), data.size(), side), out(data.size(), side);
    f(out.data(), in.data());
    EXPECT_EQ(hex(in.data(), data.size()), hex(data));
    f(in.data(), in.data());
    EXPECT_EQ(hex(in.data(), data.size()), hex(out.data(), data.size()));
    return Bytes(out.data(), out.data() + data.size());
}

}   // namespace

TEST(Feedback, Cfb8MatchesItsDefinitionAtEveryLength)
{
    TestRng rng(61);
    const size_t most = full() ? 2048 : 220;
    const Bytes k = rng.bytes(16), iv = rng.bytes(16), data = rng.bytes(most);
    // a prefix of the message is encrypted to a prefix of the ciphertext
    const Bytes expected =
        to_bytes(reference::cfb(cipher(k), to_bits(iv), to_bits(data), 8, false));
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        const ty_sm4_key key = key_on(ops, k);
        for (size_t len = slow_tier(ops) ? 73 : 0; len <= most; len += slow_tier(ops) ? most : 1) {
            const Bytes in = reference::part(data, 0, len), ct = reference::part(expected, 0, len);
            // encryption is slow, and the same for every byte
            if (len < 70 || len % 16 == 0 || full()) {
                ASSERT_EQ(hex(both_ways(
                              [&](uint8_t *o, const uint8_t *i) {
                                  ty_sm4_cfb8_encrypt(o, i, len, iv.data(), &key);
                              },
                              in)),
                          hex(ct))
                    << len;
            }
            ASSERT_EQ(hex(both_ways(
                          [&](uint8_t *o, const uint8_t *i) {
                              ty_sm4_cfb8_decrypt(o, i, len, iv.data(), &key);
                          },
                          ct)),
                      hex(in))
                << len;
        }
    });
}

TEST(Feedback, Cfb1MatchesItsDefinitionAtEveryNumberOfBits)
{
    TestRng rng(62);
    const size_t most = full() ? 1000 : 210;
    const Bytes k = rng.bytes(16), iv = rng.bytes(16), data = rng.bytes((most + 7) / 8);
    const reference::Bits text = to_bits(data),
                          expected = reference::cfb(cipher(k), to_bits(iv), text, 1, false);
    const auto front = [](const reference::Bits &b, size_t n) {
        return to_bytes(reference::Bits(b.begin(), b.begin() + (long)n));
    };
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        const ty_sm4_key key = key_on(ops, k);
        const bool slow = slow_tier(ops);
        for (size_t bits = slow ? 67 : 0; bits <= most; bits += slow ? most : 1) {
            const Bytes pt = front(text, bits), ct = front(expected, bits);
            // with random values of the unused bits
            const auto dirty = [&](Bytes x) {
                if (bits % 8) x.back() = (uint8_t)(x.back() | (rng.next() & (0xFFu >> bits % 8)));
                return x;
            };
            ASSERT_EQ(hex(both_ways(
                          [&](uint8_t *o, const uint8_t *i) {
                              ty_sm4_cfb1_encrypt(o, i, bits, iv.data(), &key);
                          },
                          dirty(pt))),
                      hex(ct))
                << bits;
            ASSERT_EQ(hex(both_ways(
                          [&](uint8_t *o, const uint8_t *i) {
                              ty_sm4_cfb1_decrypt(o, i, bits, iv.data(), &key);
                          },
                          dirty(ct))),
                      hex(pt))
                << bits;
        }
    });
}

TEST(Feedback, BcAndOfbnlfMatchTheirDefinitions)
{
    TestRng rng(63);
    const size_t most = full() ? 140 : 66;                          // more than a chunk
    const Bytes k = rng.bytes(16), iv = rng.bytes(16), data = rng.bytes(16 * most);
    const auto e = [](const Bytes &key, const Bytes &x) { return portable(key, x); };
    const struct { Chain encrypt, decrypt; Bytes expected; } modes[] = {
        {ty_sm4_bc_encrypt, ty_sm4_bc_decrypt, reference::bc(cipher(k), iv, data)},
        {ty_sm4_ofbnlf_encrypt, ty_sm4_ofbnlf_decrypt, reference::ofbnlf(e, k, iv, data)},
    };
    for (const auto &m : modes)
        each_tier([&](const ty_sm4_ops *ops, const char *) {
            const ty_sm4_key key = key_on(ops, k);
            for (size_t n = slow_tier(ops) ? 2 : 0; n <= most; n += slow_tier(ops) ? most : 1) {
                const Bytes in = reference::part(data, 0, 16 * n),
                            ct = reference::part(m.expected, 0, 16 * n);
                ASSERT_EQ(hex(both_ways([&](uint8_t *o, const uint8_t *i) {
                    EXPECT_EQ(m.encrypt(o, i, 16 * n, iv.data(), &key), TY_OK);
                }, in)), hex(ct)) << n;
                ASSERT_EQ(hex(both_ways([&](uint8_t *o, const uint8_t *i) {
                    EXPECT_EQ(m.decrypt(o, i, 16 * n, iv.data(), &key), TY_OK);
                }, ct)), hex(in)) << n;
            }
            uint8_t out[40] = {};
            for (size_t len = 1; len < 40; len++)
                for (const Chain f : {m.encrypt, m.decrypt})
                    if (len % 16) {
                        EXPECT_EQ(f(out, data.data(), len, iv.data(), &key), TY_ERR_ARG);
                    }
            for (uint8_t b : out) EXPECT_EQ(b, 0);
        });
}

TEST(Feedback, KnownAnswers)             // computed by gmsm 0.44
{
    const struct { Chain encrypt, decrypt; const char *ct;
    } modes[] = {
        { ty_sm4_bc_encrypt, ty_sm4_bc_decrypt,
          "ac529af989a62fce9cddc5ffb84125cafb8cde77339ffe481d113c40bbd5b678"
          "6ffc9916f98f94ff12d78319707e240428718707605bc1eac503153ebaa0fb1d" },
        { ty_sm4_ofbnlf_encrypt, ty_sm4_ofbnlf_decrypt,
          "00a5b5c9e645557c20ce7f267736f308a18037828850b9d78883ca622851f86c"
          "b7caefdfb6d4caba6ae2d2fce369ceb31001dd71fdda9341f8d221cb720ff27b" },
    };
    for (const auto &m : modes)
        each_tier([&](const ty_sm4_ops *ops, const char *) {
            const ty_sm4_key key = key_on(ops, example_key);
            Bytes out(64);
            EXPECT_EQ(m.encrypt(out.data(), example.data(), 64, example_iv.data(), &key), TY_OK);
            EXPECT_EQ(hex(out), m.ct);
            EXPECT_EQ(m.decrypt(out.data(), out.data(), 64, example_iv.data(), &key), TY_OK);
            EXPECT_EQ(hex(out), hex(example));
        });
}

// --- Streams of whole bytes ----------------------------------------------------------------------

namespace {

const std::map<ty_sm4_mode, Cfb> byte_modes = {
    { TY_SM4_CTR, ty_sm4_ctr },
    { TY_SM4_OFB, ty_sm4_ofb },
    { TY_SM4_CFB_ENCRYPT, ty_sm4_cfb_encrypt },
    { TY_SM4_CFB_DECRYPT, ty_sm4_cfb_decrypt },
    { TY_SM4_CFB8_ENCRYPT, ty_sm4_cfb8_encrypt },
    { TY_SM4_CFB8_DECRYPT, ty_sm4_cfb8_decrypt },
    { TY_SM4_CFB1_ENCRYPT, [](auto *o, auto *i, size_t n, auto *v,
                              auto *k) { ty_sm4_cfb1_encrypt(o, i, 8 * n, v, k); } },
    { TY_SM4_CFB1_DECRYPT, [](auto *o, auto *i, size_t n, auto *v,
                              auto *k) { ty_sm4_cfb1_decrypt(o, i, 8 * n, v, k); } },
};

}   // namespace

// The result of a shorter message is a prefix of that of a longer one, so one run of the
// portable tier gives them all.
TEST(Feedback, EveryModeOfBytesEqualsThePortableTierUpTo2048)
{
    TestRng rng(65);
    const Bytes k = rng.bytes(16), iv = rng.bytes(16), in = rng.bytes(2048);
    const ty_sm4_key plain = key_on(&ty_sm4_ops_c, k);
    for (const auto &row : byte_modes) {
        const auto &run = row.second;
        // these encrypt a block per byte, or per bit
        const bool slow = row.first == TY_SM4_CFB8_ENCRYPT || row.first >= TY_SM4_CFB1_ENCRYPT;
        const size_t most = slow && !full() ? 64 : 2048;
        Bytes expected(most);
        run(expected.data(), in.data(), most, iv.data(), &plain);
        each_tier([&](const ty_sm4_ops *ops, const char *name) {
            bool here = true;
            for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
                here &= t->ops != ops || !(t->need & ~ty_cpu_have());
            const ty_sm4_key key = key_on(ops, k);
            if (!here && row.first >= TY_SM4_CFB8_ENCRYPT) return;
            const size_t step = full() && here && !slow ? 1 : most / 16 - 1;
            for (size_t len = here ? 0 : step; len <= (here ? most : step); len += step) {
                Guarded from(in.data(), len), out(len);
                run(out.data(), from.data(), len, iv.data(), &key);
                ASSERT_EQ(hex(out.data(), len), hex(reference::part(expected, 0, len)))
                    << row.first << " " << name << " " << len;
            }
        });
    }
}

TEST(Feedback, StreamsOfBytesInEveryChunking)
{
    TestRng rng(64);
    const Bytes k = rng.bytes(16), iv = rng.bytes(16);
    for (const auto &row : byte_modes) {
        // variables, since a lambda below cannot capture structured bindings
        const auto mode = row.first;
        const auto &whole = row.second;
        each_tier([&](const ty_sm4_ops *ops, const char *) {
            const ty_sm4_key key = key_on(ops, k);
            const bool slow = mode >= TY_SM4_CFB8_ENCRYPT;
            // a slow tier runs one length of each mode
            const size_t first = slow_tier(ops) ? slow ? 2 : 97 : 0;
            for (size_t len = first; len <= (slow ? 40 : 290); len += full()     ? 1
                                                                      : first    ? 290
                                                                      : len < 40 ? 4
                                                                                 : 9)
                for (const size_t most : {1, 3, 17, 50, 300}) {
                    if (slow_tier(ops) && most != 17) continue;
                    const Bytes in = rng.bytes(len);
                    Bytes expected(len), out;
                    Guarded chunk(len), to(len);            // every chunk ends at the guard page
                    whole(expected.data(), in.data(), len, iv.data(), &key);
                    ty_sm4_stream c;
                    size_t n;
                    ASSERT_EQ(ty_sm4_start(&c, mode, TY_SM4_PAD_NONE, iv.data(), &key), TY_OK);
                    for (size_t at = 0, some; at < len; at += some) {
                        some = std::min<size_t>(len - at, rng.below(most + 1));
                        uint8_t *from = chunk.data() + (len - some),
                                *result = rng.below(2) ? from : to.data() + (len - some);
                        std::copy(&in[at], &in[at] + some, from);
                        ASSERT_EQ(ty_sm4_update(result, &n, from, some, &c), TY_OK);
                        ASSERT_EQ(n, some);
                        out.insert(out.end(), result, result + n);
                    }
                    ASSERT_EQ(hex(out), hex(expected)) << mode << " " << len << " " << most;
                    n = 9;
                    ASSERT_EQ(ty_sm4_final(nullptr, &n, &c), TY_OK);
                    ASSERT_EQ(n, 0u);
                    const ty_sm4_stream wiped = {};
                    ASSERT_EQ(std::memcmp(&c, &wiped, sizeof c), 0);
                    ASSERT_EQ(ty_sm4_update(nullptr, &n, nullptr, 0, &c), TY_ERR_STATE);
                }
        });
    }
}
