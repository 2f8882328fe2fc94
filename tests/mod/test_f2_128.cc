// GF(2^128) on every tier: ring laws, the identity of the modulus, and comparison with the
// definition, bit by bit.
extern "C" {   // internal headers are plain C
#include "mod/f2_128.h"
#include "mod/f2_128_x.h"
}
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include "support/tiers.hpp"
#include <algorithm>
#include <array>

namespace {

using Element = std::array<uint8_t, 16>;   // x^0 is the top bit of byte 0

Element operator+(Element a, const Element &b)
{
    for (size_t i = 0; i < 16; i++) a[i] ^= b[i];
    return a;
}

Element power_of_x(unsigned n)             // n < 128
{
    Element e{};
    e[n / 8] = (uint8_t)(0x80 >> n % 8);
    return e;
}

// Schoolbook product of polynomials as bit vectors, then long division by the modulus: no shift
// trick, no reflection.
Element by_definition(const Element &a, const Element &b)
{
    std::array<bool, 255> c{};
    const auto bit = [](const Element &e, size_t i) { return (e[i / 8] >> (7 - i % 8) & 1) != 0; };
    for (size_t i = 0; i < 128; i++)
        for (size_t j = 0; j < 128; j++) c[i + j] = c[i + j] != (bit(a, i) && bit(b, j));
    for (size_t i = 254; i >= 128; i--)
        if (c[i])
            for (size_t term : {0, 1, 2, 7, 128}) c[i - 128 + term] = !c[i - 128 + term];
    Element z{};
    for (size_t i = 0; i < 128; i++)
        if (c[i]) z[i / 8] |= (uint8_t)(0x80 >> i % 8);
    return z;
}

Element mul(const ty_f2_128_ops *ops, const Element &a, const Element &b)
{
    uint64_t power[8][2];
    Element y{};
    ops->powers(power, b.data());
    ops->horner(y.data(), a.data(), 1, power);
    return y;
}

std::vector<Element> edges(TestRng &rng, int randoms)
{
    std::vector<Element> v;
    for (unsigned n : { 0, 1, 2, 7, 8, 57, 62, 63, 64, 65, 120, 121, 126, 127 })
        v.push_back(power_of_x(n));
    Element e{};
    v.push_back(e);                                   // 0
    e.fill(0xFF);
    v.push_back(e);
    // bits of one, two or all residue classes mod 4, which f2_128_c64.c multiplies separately
    for (uint8_t pattern : {0x11, 0x88, 0xAA, 0xF0})
        { e.fill(pattern); v.push_back(e); }
    for (int half = 0; half < 2; half++) {
        e.fill(0);
        std::fill(e.begin() + 8 * half, e.begin() + 8 * half + 8, 0xFF);
        v.push_back(e);
    }
    for (int i = 0; i < randoms; i++) {
        rng.fill(e.data(), 16);
        v.push_back(e);
    }
    return v;
}

template <class F> void each_tier(F f) { for_each_tier<ty_f2_128_ops>(ty_f2_128_tiers, f); }

}   // namespace

TEST(F2_128, ProductMatchesItsDefinition)
{
    TestRng rng(1);
    const auto v = edges(rng, 8);
    std::vector<Element> expected;
    for (const auto &a : v)
        for (const auto &b : v) expected.push_back(by_definition(a, b));
    each_tier([&](const ty_f2_128_ops *ops, const char *) {
        size_t i = 0;
        for (const auto &a : v)
            for (const auto &b : v)
                ASSERT_EQ(mul(ops, a, b), expected[i++])
                    << hex(a.data(), 16) << " " << hex(b.data(), 16);
    });
}

TEST(F2_128, RingLaws)
{
    const Element one = power_of_x(0), zero{};
    each_tier([&](const ty_f2_128_ops *ops, const char *) {
        TestRng rng(2);
        const auto v = edges(rng, 4);
        for (const auto &a : v) {
            ASSERT_EQ(mul(ops, a, one), a);
            ASSERT_EQ(mul(ops, one, a), a);
            ASSERT_EQ(mul(ops, a, zero), zero);
            ASSERT_EQ(mul(ops, zero, a), zero);
            const Element b = v[rng.below(v.size())];
            for (const auto &c : v) {
                ASSERT_EQ(mul(ops, a, c), mul(ops, c, a));
                ASSERT_EQ(mul(ops, a + b, c), mul(ops, a, c) + mul(ops, b, c));
                ASSERT_EQ(mul(ops, mul(ops, a, b), c), mul(ops, a, mul(ops, b, c)));
            }
        }
    });
}

// x^128 == x^7 + x^2 + x + 1, and a^(2^128) == a, which is false for most other moduli of this
// degree.
TEST(F2_128, IdentityOfTheModulus)
{
    each_tier([&](const ty_f2_128_ops *ops, const char *) {
        EXPECT_EQ(mul(ops, power_of_x(127), power_of_x(1)),
                  power_of_x(7) + power_of_x(2) + power_of_x(1) + power_of_x(0));
        TestRng rng(3);
        Element a, s;
        rng.fill(a.data(), 16);
        s = a;
        for (int i = 0; i < 128; i++) s = mul(ops, s, s);
        EXPECT_EQ(s, a);
    });
}

// horner over n blocks is n single steps, for n up to 40 and around the sizes of groups, at several
// alignments of the buffer.
// Sixteen messages, each with its key: groups of up to eight blocks.
TEST(F2_128, HornerOfSixteen)
{
    TestRng rng(5);
    const size_t longest = 25;
    each_tier([&](const ty_f2_128_ops *ops, const char *) {
        if (!ops->horner16) return;
        static uint64_t power[16][8][2];
        const uint64_t (*powers[16])[2];
        const uint8_t *in[16];
        std::vector<Bytes> data;
        for (size_t i = 0; i < 16; i++) {
            ops->powers(power[i], rng.bytes(16).data());
            powers[i] = power[i];
            data.push_back(rng.bytes(16 * longest));
            in[i] = data[i].data();
        }
        const Bytes start = rng.bytes(256);
        for (size_t n : { 1, 2, 7, 8, 9, 15, 16, 17, 25 }) {
            Bytes y = start, expected = start;
            ops->horner16(y.data(), in, n, powers);
            ASSERT_FALSE(emu_upper_in_use()) << n << ": it did not end with vzeroupper";
            for (size_t i = 0; i < 16; i++) ops->horner(&expected[16 * i], in[i], n, power[i]);
            ASSERT_EQ(hex(y), hex(expected)) << n;
        }
    });
}

TEST(F2_128, HornerAtEveryLength)
{
    TestRng rng(4);
    Element h;
    rng.fill(h.data(), 16);
    // groups of 16 are used from 32 blocks on, groups of 32 from 96 on
    std::vector<size_t> lengths = { 63, 64,  65,  79,  80,  94,  95, 96,
                                    97, 111, 127, 128, 129, 160, 191 };
    for (size_t n = 0; n <= 40; n++) lengths.push_back(n);
    const size_t longest = 191;
    const Bytes data = rng.bytes(16 * longest);
    std::vector<Element> expected(longest + 1);
    rng.fill(expected[0].data(), 16);
    for (size_t n = 0; n < longest; n++) {
        Element in;
        std::copy(&data[16 * n], &data[16 * n] + 16, in.begin());
        expected[n + 1] = by_definition(expected[n] + in, h);
    }
    each_tier([&](const ty_f2_128_ops *ops, const char *) {
        uint64_t power[8][2];
        ops->powers(power, h.data());
        for (const size_t n : lengths)
            for (const auto side : {Guarded::End, Guarded::Start})
                for (size_t shift : {0, 1, 7}) {
                    Guarded in(16 * n + shift, side);
                    std::copy(data.begin(), data.begin() + (long)(16 * n), in.data() + shift);
                    Element y = expected[0];
                    ops->horner(y.data(), in.data() + shift, n, power);
                    ASSERT_FALSE(emu_upper_in_use()) << n << ": it did not end with vzeroupper";
                    ASSERT_EQ(hex(y.data(), 16), hex(expected[n].data(), 16)) << n;
                    // the same bytes in the opposite order, block by block
                    uint8_t *p = in.data() + shift;
                    for (size_t i = 0; i < n; i++) std::reverse(p + 16 * i, p + 16 * i + 16);
                    y = expected[0];
                    std::reverse(y.begin(), y.end());
                    ops->polyval(y.data(), p, n, power);
                    ASSERT_FALSE(emu_upper_in_use()) << n << ": it did not end with vzeroupper";
                    std::reverse(y.begin(), y.end());
                    ASSERT_EQ(hex(y.data(), 16), hex(expected[n].data(), 16)) << n << " polyval";
                }
    });
}

// Doubling in either order of bits is the product with x, and 128 doublings of 1 give x^128 reduced
// by the modulus.
TEST(F2_128, DoublingIsTheProductWithX)
{
    TestRng rng(5);
    const auto bit = [](const uint64_t w[2], unsigned i) { return w[i / 64] >> i % 64 & 1; };
    for (const Element &a : edges(rng, 200)) {
        const Element z = by_definition(a, power_of_x(1));
        uint64_t number[2] = {}, reflected[2] = {};
        for (unsigned i = 0; i < 128; i++) {
            const uint64_t b = a[i / 8] >> (7 - i % 8) & 1;
            number[i / 64] |= b << i % 64;                             // x^i is bit i
            reflected[(127 - i) / 64] |= b << (127 - i) % 64;          // x^i is bit 127 - i
        }
        ty_f2_128_double(number);
        ty_f2_128_double_reflected(reflected);
        for (unsigned i = 0; i < 128; i++) {
            ASSERT_EQ(bit(number, i), z[i / 8] >> (7 - i % 8) & 1u) << i;
            ASSERT_EQ(bit(reflected, 127 - i), z[i / 8] >> (7 - i % 8) & 1u) << i;
        }
    }
    uint64_t number[2] = {1, 0}, reflected[2] = {0, (uint64_t)1 << 63};
    for (int i = 0; i < 128; i++) {
        ty_f2_128_double(number);
        ty_f2_128_double_reflected(reflected);
    }
    EXPECT_EQ(number[0], 0x87u);
    EXPECT_EQ(number[1], 0u);
    EXPECT_EQ(reflected[0], 0u);
    EXPECT_EQ(reflected[1], (uint64_t)0xe1 << 56);
}

// The masks of XTS: each is twice the one before, by the definition on bits in either order, for
// every number of masks.
TEST(F2_128, LaddersMatchTheirDefinition)
{
    each_tier([&](const ty_f2_128_ops *ops, const char *) {
        TestRng rng(12);
        for (const int reflected : {0, 1})
            for (size_t n = 0; n <= 70; n++) {
                Bytes t = rng.bytes(16);
                if (n == 20) std::fill(t.begin(), t.end(), 0xFF);
                Bytes expected, next = t;
                for (size_t i = 0; i < n; i++) {
                    expected.insert(expected.end(), next.begin(), next.end());
                    // as bits, x^0 first: it is the lowest bit of byte 0, or the highest if
                    // reflected
                    const auto place = [&](size_t k) { return reflected ? 7 - k % 8 : k % 8; };
                    Bytes twice(16);
                    for (size_t k = 0; k < 128; k++)
                        if (next[k / 8] >> place(k) & 1)
                            for (const size_t to : k < 127 ? std::vector<size_t>{ k + 1 }
                                                           : std::vector<size_t>{ 0, 1, 2, 7 })
                                twice[to / 8] ^= (uint8_t)(1 << place(to));
                    next = twice;
                }
                Guarded m(16 * n), in_out(t.data(), 16);
                ops->ladder(m.data(), n, in_out.data(), reflected);
                ASSERT_EQ(hex(m.data(), 16 * n), hex(expected)) << n << " " << reflected;
                ASSERT_EQ(hex(in_out.data(), 16), hex(next)) << n << " " << reflected;
            }
    });
}
