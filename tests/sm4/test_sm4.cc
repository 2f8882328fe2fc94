// SM4's kernels: every tier against the standard's examples, an independent S-box, and the portable
// tier byte for byte.
extern "C" {   // internal headers are plain C
#include "sm4/sm4.h"
}
#include "support/full.hpp"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>

namespace {

// GB/T 32907-2016, A.1: also the plaintext
const Bytes standard_key = unhex("0123456789abcdeffedcba9876543210");

// A key object that uses exactly this tier.
ty_sm4_key key_of(const ty_sm4_ops *ops, const Bytes &bytes)
{
    ty_sm4_key key;
    key.ops = ops;
    ops->schedule(key.enc, bytes.data());
    std::reverse_copy(key.enc, key.enc + 32, key.dec);
    return key;
}

// --- An independent SM4, from the algebra of its S-box ------------------------------------------

unsigned f8_mul(unsigned a, unsigned b)
{
    unsigned r = 0;
    for (int i = 0; i < 8; i++)
        if (b >> i & 1) r ^= a << i;
    for (int i = 14; i >= 8; i--)
        if (r >> i & 1) r ^= 0x1F5u << (i - 8);
    return r;
}

uint8_t affine(uint8_t x)
{
    uint8_t y = 0xD3;
    for (int i = 0; i < 8; i++) {
        const uint8_t row = (uint8_t)(0xA7 << i | 0xA7 >> (8 - i));
        y ^= (uint8_t)(__builtin_parity(row & x) << i);
    }
    return y;
}

uint8_t sbox_by_algebra(uint8_t x)
{
    const uint8_t a = affine(x);
    uint8_t inverse = 0;
    for (unsigned b = 1; b < 256; b++)
        if (f8_mul(a, b) == 1) inverse = (uint8_t)b;
    return affine(inverse);
}

struct Reference {
    std::array<uint8_t, 256> s;
    uint32_t rk[32];
    Reference() { for (int x = 0; x < 256; x++) s[(size_t)x] = sbox_by_algebra((uint8_t)x); }
    uint32_t tau(uint32_t x) const
    {
        return (uint32_t)s[x >> 24] << 24 | (uint32_t)s[x >> 16 & 255] << 16 |
               (uint32_t)s[x >> 8 & 255] << 8 | s[x & 255];
    }
    static uint32_t rol(uint32_t x, int n) { return x << n | x >> (32 - n); }
    static uint32_t be(const uint8_t *p)
    {
        return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    void schedule(const uint8_t *key)
    {
        const uint32_t fk[4] = {0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC};
        uint32_t k[36];
        for (int i = 0; i < 4; i++) k[i] = be(key + 4 * i) ^ fk[i];
        for (int i = 0; i < 32; i++) {
            uint32_t ck = 0;
            for (int j = 0; j < 4; j++) ck = ck << 8 | (uint32_t)((4 * i + j) * 7 % 256);
            const uint32_t t = tau(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ ck);
            rk[i] = k[i + 4] = k[i] ^ t ^ rol(t, 13) ^ rol(t, 23);
        }
    }
    void block(uint8_t *out, const uint8_t *in) const
    {
        uint32_t x[36];
        for (int i = 0; i < 4; i++) x[i] = be(in + 4 * i);
        for (int i = 0; i < 32; i++) {
            const uint32_t t = tau(x[i + 1] ^ x[i + 2] ^ x[i + 3] ^ rk[i]);
            x[i + 4] = x[i] ^ t ^ rol(t, 2) ^ rol(t, 10) ^ rol(t, 18) ^ rol(t, 24);
        }
        for (int i = 0; i < 16; i++) out[i] = (uint8_t)(x[35 - i / 4] >> (24 - i % 4 * 8));
    }
};

template <class F> void each_tier(F f, bool run_must_emulate = false)
{
    for_each_tier<ty_sm4_ops>(ty_sm4_tiers, f, run_must_emulate);
}

// Whether a tier runs only a selection of the cases: an emulated one, at about a millisecond a
// block, or one that is sampled.
// The smallest and largest size of every path are always among them.
bool slow_tier(const ty_sm4_ops *ops)
{
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
        if (t->ops == ops) return slow_row(ty_sm4_tiers, t);
    return false;
}

// A build with -DTY_TIER has one row of each family.
bool one_tier_is_built()
{
    int built = 0;
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++) built += t->ops != nullptr;
    return built == 1;
}

template <class F> bool a_tier_has(F kernel)
{
    for (const ty_tier *t = ty_sm4_tiers; t->name; t++)
        if (t->ops && kernel((const ty_sm4_ops *)t->ops)) return true;
    return false;
}

}   // namespace

TEST(Sm4, TheAlgebraIsTheStandardsTable)
{
    // First and last row of the table in GB/T 32907-2016, 6.2.
    const Bytes first = unhex("d690e9fecce13db716b614c228fb2c05"),
                last = unhex("18f07dec3adc4d2079ee5f3ed7cb3948");
    for (size_t i = 0; i < 16; i++) {
        EXPECT_EQ(sbox_by_algebra((uint8_t)i), first[i]);
        EXPECT_EQ(sbox_by_algebra((uint8_t)(0xF0 + i)), last[i]);
    }
}

TEST(Sm4, StandardExample)
{
    const Bytes expected = unhex("681edf34d206965e86b3e94f536e4246");
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        const ty_sm4_key key = key_of(ops, standard_key);
        // vector tiers have their own layout of the round keys
        if (ops->schedule == ty_sm4_ops_c.schedule) {
            EXPECT_EQ(key.enc[0], 0xF12186F9u);           // A.1: the first and the last round key
            EXPECT_EQ(key.enc[31], 0x9124A012u);
        }
        uint8_t out[16];
        ops->ecb(out, standard_key.data(), 1, key.enc);
        EXPECT_EQ(hex(out, 16), hex(expected));
        ops->ecb(out, out, 1, key.dec);
        EXPECT_EQ(hex(out, 16), hex(standard_key));
    });
}

// A.2: the block is encrypted a million times. The vector tier in use does all of them; the others
// stop early, except in a full run. The results up to there are compared.
TEST(Sm4, StandardIteration)
{
    std::map<int, std::string> marks;
    each_tier([&](const ty_sm4_ops *ops, const char *name) {
        const bool fast = ops == ty_sm4_best() && name[0] != 'c';
        const int rounds = full() || (fast && !sampling())  ? 1000000
                           : slow_tier(ops) && !sampling() ? 30
                                                           : 2000;
        const ty_sm4_key key = key_of(ops, standard_key);
        uint8_t x[16], iv[16];
        std::copy(standard_key.begin(), standard_key.end(), x);
        for (int i = 1; i <= rounds; i++) {
            if (i & 1) {
                ops->ecb(x, x, 1, key.enc);
            } else {                           // CBC's path for one block must be the same cipher
                std::fill(iv, iv + 16, 0);
                ops->cbc_encrypt(x, x, 1, iv, key.enc);
            }
            if (i == 30 || i == 2000) {
                EXPECT_EQ(marks.emplace(i, hex(x, 16)).first->second, hex(x, 16));
            }
        }
        if (rounds == 1000000) { EXPECT_EQ(hex(x, 16), "595298c7c6fd271f0402f804c33d3f66"); }
    });
}

// All 256 inputs of the S-box in each of the four bytes. Random keys and blocks are likely to use
// them all; here this is certain, since X1 is chosen so that the inputs of the first round run
// through all of them.
TEST(Sm4, SboxOverAllInputsInEveryByte)
{
    Reference ref;
    ref.schedule(standard_key.data());
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        const ty_sm4_key key = key_of(ops, standard_key);
        Bytes in(16 * 256), out(16 * 256), expected(16 * 256);
        for (unsigned x = 0; x < 256; x++) {
            // X2 = X3 = 0, so the input is x in all four bytes; in a tier with another
            // representation of round keys, each byte is x plus a constant
            const uint32_t word = x * 0x01010101u ^ key.enc[0];
            for (int i = 0; i < 4; i++)
                in[16 * x + 4 + (size_t)i] = (uint8_t)(word >> (24 - 8 * i));
            ref.block(&expected[16 * x], &in[16 * x]);
        }
        ops->ecb(out.data(), in.data(), 256, key.enc);
        EXPECT_EQ(hex(out), hex(expected));
    });
}

TEST(Sm4, ScheduleAndBlocksAgainstTheReference)
{
    Reference ref;
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        TestRng rng(4);
        for (int round = 0; round < (slow_tier(ops) ? 2 : 20); round++) {
            const Bytes k = rng.bytes(16), in = rng.bytes(16 * 37);
            ref.schedule(k.data());
            const ty_sm4_key key = key_of(ops, k);
            if (ops->schedule == ty_sm4_ops_c.schedule) {
                ASSERT_EQ(hex(key.enc, 128), hex(ref.rk, 128));
            }
            Bytes out(in.size()), expected(in.size());
            for (size_t i = 0; i < in.size(); i += 16) ref.block(&expected[i], &in[i]);
            ops->ecb(out.data(), in.data(), in.size() / 16, key.enc);
            ASSERT_EQ(hex(out), hex(expected));
        }
    });
}

// Every kernel must do what the portable tier does, at every number of blocks: in place and apart,
// against a guard page on either side, and misaligned.
TEST(Sm4, EveryKernelEqualsThePortableTier)
{
    const size_t most = full() ? 140 : 70;
    const ty_sm4_ops *c = &ty_sm4_ops_c;
    TestRng rng(5);
    const Bytes k = rng.bytes(16), data = rng.bytes(16 * most), iv = rng.bytes(16);
    const Bytes mask = rng.bytes(16 * most);
    // the layout of a key depends on the tier, so each tier has its own key
    using Run = std::function<void(const ty_sm4_ops *, uint8_t *, const uint8_t *, size_t,
                                   uint8_t *, const ty_sm4_key &)>;
    const std::map<std::string, Run> kernels = {
        { "ecb", [](auto *o, auto *out, auto *in, size_t n, auto *,
                    auto &key) { o->ecb(out, in, n, key.enc); } },
        { "ecb decrypt", [](auto *o, auto *out, auto *in, size_t n, auto *,
                            auto &key) { o->ecb(out, in, n, key.dec); } },
        { "ctr32", [](auto *o, auto *out, auto *in, size_t n, auto *v,
                      auto &key) { o->ctr32(out, in, n, v, key.enc); } },
        { "cbc encrypt", [](auto *o, auto *out, auto *in, size_t n, auto *v,
                            auto &key) { o->cbc_encrypt(out, in, n, v, key.enc); } },
        { "cbc decrypt", [](auto *o, auto *out, auto *in, size_t n, auto *v,
                            auto &key) { o->cbc_decrypt(out, in, n, v, key.dec); } },
        { "cfb decrypt", [](auto *o, auto *out, auto *in, size_t n, auto *v,
                            auto &key) { o->cfb_decrypt(out, in, n, v, key.enc); } },
        { "xex",
          [&](auto *o, auto *out, auto *in, size_t n, auto *, auto &key) {
              Guarded m(mask.data(), 16 * n);
              o->xex(out, in, m.data(), n, key.enc);
          } },
    };
    for (const auto &kernel : kernels) {
        const Run &run = kernel.second;
        SCOPED_TRACE(kernel.first);
        std::vector<Bytes> expected(most + 1), expected_iv(most + 1, iv);
        for (size_t n = 0; n <= most; n++) {
            expected[n].resize(16 * n);
            run(c, expected[n].data(), data.data(), n, expected_iv[n].data(), key_of(c, k));
        }
        each_tier([&](const ty_sm4_ops *ops, const char *) {
            const ty_sm4_key key = key_of(ops, k);
            const std::set<size_t> few = {0, 1, 2, 4, 5, 8, 9, 16, 17, 31, 32, 33, 65};
            for (size_t n = 0; n <= most; n++)
                for (const auto side : {Guarded::End, Guarded::Start}) {
                    if (slow_tier(ops) && (few.count(n) == 0 || side == Guarded::Start)) continue;
                    Guarded in(data.data(), 16 * n, side), out(16 * n, side),
                        v(iv.data(), 16, side);
                    run(ops, out.data(), in.data(), n, v.data(), key);
                    ASSERT_EQ(hex(out.data(), 16 * n), hex(expected[n])) << n;
                    ASSERT_EQ(hex(v.data(), 16), hex(expected_iv[n])) << n;
                    std::copy(iv.begin(), iv.end(), v.data());
                    run(ops, in.data(), in.data(), n, v.data(), key);
                    ASSERT_EQ(hex(in.data(), 16 * n), hex(expected[n])) << n << " in place";
                }
            // misaligned, source and target differently
            for (size_t shift = 1; shift < 16; shift += slow_tier(ops) ? 9 : 1) {
                const size_t n = std::min<size_t>(most, 16 + shift);
                Bytes in(16 * n + 16), out(16 * n + 16, 0xEE), v = iv;
                std::copy(data.begin(), data.begin() + (long)(16 * n), in.begin() + (long)shift);
                run(ops, &out[16 - shift], &in[shift], n, v.data(), key);
                ASSERT_EQ(hex(&out[16 - shift], 16 * n), hex(expected[n])) << shift;
                for (size_t i = 0; i < 16 - shift; i++) ASSERT_EQ(out[i], 0xEE);
            }
        }, kernel.first == "ecb");
    }
}

// Blocks that are encrypted together with counters: both results, for every remainder of the number
// of counters modulo a batch.
TEST(Sm4, BlocksBesideTheCounterAreEncrypted)
{
    TestRng rng(6);
    const size_t most = full() ? 200 : 132;
    const Bytes k = rng.bytes(16), data = rng.bytes(16 * most), four = rng.bytes(64);
    const Bytes counter = unhex("000102030405060708090a0bffffffd0");
    const ty_sm4_key plain = key_of(&ty_sm4_ops_c, k);
    Bytes stream(16 * most), expected_four(64);
    ty_sm4_ops_c.ctr32(stream.data(), data.data(), most, counter.data(), plain.enc);
    ty_sm4_ops_c.ecb(expected_four.data(), four.data(), 4, plain.enc);
    size_t have = 0;
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        if (!ops->ctr32_beside) return;
        have++;
        const ty_sm4_key key = key_of(ops, k);
        for (size_t n = 0; n <= most; n += slow_tier(ops) ? 11 : 1)
            for (size_t b = 1; b <= 4; b++) {
                const auto side = (n + b) % 2 ? Guarded::End : Guarded::Start;
                Guarded in(data.data(), 16 * n, side), out(16 * n, side), c(counter.data(), 16),
                    beside(four.data(), 16 * b, side);
                ops->ctr32_beside(out.data(), in.data(), n, c.data(), beside.data(), b, key.enc);
                ASSERT_EQ(hex(out.data(), 16 * n), hex(stream.data(), 16 * n)) << n << " " << b;
                ASSERT_EQ(hex(beside.data(), 16 * b), hex(expected_four.data(), 16 * b))
                    << n << " " << b;
                ops->ctr32_beside(in.data(), in.data(), n, c.data(), beside.data(), b, key.enc);
                ASSERT_EQ(hex(in.data(), 16 * n), hex(stream.data(), 16 * n)) << n << " in place";
            }
    });
    if (TY_SM4_BESIDE) {
        EXPECT_TRUE(one_tier_is_built() ||
                    a_tier_has([](const ty_sm4_ops *ops) { return ops->ctr32_beside; }));
    }
    if (have == 0) GTEST_SKIP() << "no tier that runs here has ctr32_beside";
}

// The 32-bit counters carry from byte to byte and wrap, at every position in a batch: those in the
// last four bytes of a block, big-endian, and those in the first four, little-endian.
TEST(Sm4, CountersCarryAndWrapInEveryLane)
{
    const size_t n = 140;
    const ty_sm4_key plain = key_of(&ty_sm4_ops_c, standard_key);
    const Bytes zero(16 * n);
    uint8_t counter[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0xFF, 0xFF, 13, 14, 15, 16};
    const auto expect = [&](uint32_t from, bool little) {
        Bytes blocks(16 * n);
        for (uint32_t i = 0; i < n; i++) {
            std::copy(counter, counter + 16, &blocks[16 * i]);
            for (size_t j = 0; j < 4; j++)
                blocks[16 * i + (little ? j : 15 - j)] = (uint8_t)((from + i) >> 8 * j);
        }
        ty_sm4_ops_c.ecb(blocks.data(), blocks.data(), n, plain.enc);
        return blocks;
    };
    struct Case {
        uint32_t from;
        Bytes big, little;
    };
    std::vector<Case> cases;
    for (const uint32_t top : {0u, 0x100u, 0x20000u, 0x1000000u})
        for (uint32_t before = 0; before < 130; before += top ? 3 : 1)
            cases.push_back({top - before, expect(top - before, false),
                             expect(top - before, true)});
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        const ty_sm4_key key = key_of(ops, standard_key);
        for (size_t i = 0; i < cases.size(); i += slow_tier(ops) ? 17 : 1) {
            const Case &c = cases[i];
            Bytes out(16 * n);
            uint8_t first[16];
            std::copy(counter, counter + 16, first);
            for (int j = 0; j < 4; j++) first[12 + j] = (uint8_t)(c.from >> (24 - 8 * j));
            ops->ctr32(out.data(), zero.data(), n, first, key.enc);
            ASSERT_EQ(hex(out), hex(c.big)) << c.from;
            if (!ops->ctr32le) continue;
            out.resize(16 * 128);
            ops->ctr32le(out.data(), zero.data(), 2, counter, c.from, key.enc);
            ASSERT_EQ(hex(out), hex(c.little.data(), 16 * 128)) << c.from << " little-endian";
            out = zero;
            ops->ctr32le(out.data(), out.data(), 1, counter, c.from, key.enc);
            ASSERT_EQ(hex(out.data(), 1024), hex(c.little.data(), 1024)) << "in place";
        }
    });
}

// One pass of OCB: offsets of batches, masks relative to them, the sum of the plaintext.
TEST(Sm4, OcbInOnePassEqualsItsParts)
{
    const size_t batches = 3, len = 1024 * batches;
    TestRng rng(7);
    const Bytes k = rng.bytes(16), text = rng.bytes(len), masks = rng.bytes(1024),
                offsets = rng.bytes(16 * (batches + 1)), sum = rng.bytes(16);
    Bytes all(len), out(len), expected_sum = sum;
    const ty_sm4_key plain = key_of(&ty_sm4_ops_c, k);
    for (size_t i = 0; i < len; i++) {
        const uint8_t *offset = &offsets[i / 1024 * 16];
        const bool last = i % 1024 >= 1008;
        all[i] = last ? offset[16 + i % 16] : (uint8_t)(masks[i % 1024] ^ offset[i % 16]);
        expected_sum[i % 16] ^= text[i];
    }
    ty_sm4_ops_c.xex(out.data(), text.data(), all.data(), len / 16, plain.enc);
    size_t have = 0;
    each_tier([&](const ty_sm4_ops *ops, const char *) {
        if (!ops->ocb) return;
        have++;
        const ty_sm4_key key = key_of(ops, k);
        for (const bool decrypt : {false, true})
            for (const bool in_place : {false, true}) {
                Guarded in((decrypt ? out : text).data(), len), apart(len);
                Guarded m(masks.data(), masks.size()), o(offsets.data(), offsets.size());
                Guarded s(sum.data(), 16);
                uint8_t *to = in_place ? in.data() : apart.data();
                ops->ocb(to, in.data(), batches, m.data(), o.data(), s.data(), decrypt,
                         decrypt ? key.dec : key.enc);
                ASSERT_EQ(hex(to, len), hex(decrypt ? text : out)) << decrypt << in_place;
                ASSERT_EQ(hex(s.data(), 16), hex(expected_sum)) << decrypt << in_place;
            }
    });
#if defined(__x86_64__)
    EXPECT_TRUE(one_tier_is_built() || a_tier_has([](const ty_sm4_ops *ops) { return ops->ocb; }));
#endif
    if (have == 0) GTEST_SKIP() << "no tier that runs here has OCB in one pass";
}
