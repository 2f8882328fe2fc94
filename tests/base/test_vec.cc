// The vector operations of base/vec.h compared with loops over bytes: every operation, every width,
// random operands and operands whose bits are all equal.
#include "base/vec/vec_calls.h"
#include "support/rng.hpp"
#include "support/tiers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <set>

namespace {
using Bytes64 = std::array<uint8_t, 64>;

// out ^= the carry-less product of 64 by 64 bits
void clmul(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            out[(i + j) / 8] ^= ((a[i / 8] >> i % 8 & b[j / 8] >> j % 8) & 1) << (i + j) % 8;
}

// The field of AES, x^8 + x^4 + x^3 + x + 1: products, inverses (FIPS 197, 4.2; 1/0 = 0), SubBytes
uint8_t times(uint8_t a, uint8_t b)
{
    unsigned r = 0, x = a;
    for (int i = 0; i < 8; i++, x = x << 1 ^ (x >> 7 & 1) * 0x11b)
        if (b >> i & 1) r ^= x;
    return uint8_t(r);
}
uint8_t inverse(uint8_t a)
{
    for (int b = 1; b < 256; b++)
        if (times(a, uint8_t(b)) == 1) return uint8_t(b);
    return 0;
}
int parity(unsigned x) { return __builtin_parity(x); }
// FIPS 197, 5.1.1: bit i is the sum of bits i, i + 4, ..., i + 7 of the inverse and bit i of 0x63
uint8_t sub_byte(uint8_t a)
{
    const unsigned b = inverse(a), twice = b | b << 8;
    unsigned r = 0x63;
    for (int i = 0; i < 8; i++) r ^= unsigned(parity(twice >> i & 0xf1)) << i;
    return uint8_t(r);
}
uint8_t affine(uint64_t m, uint8_t a, uint8_t c)   // row i of the matrix is byte 7 - i
{
    unsigned r = c;
    for (int i = 0; i < 8; i++) r ^= unsigned(parity(m >> 8 * (7 - i) & a)) << i;
    return uint8_t(r);
}

template <class T> T word(const uint8_t *p)
{
    T t;
    memcpy(&t, p, sizeof t);
    return t;
}
template <class T> void each(uint8_t *out, const uint8_t *a, const uint8_t *b,
                             const std::function<T(T, T)> &f)
{
    for (size_t i = 0; i < 16; i += sizeof(T)) {
        const T t = f(word<T>(a + i), word<T>(b + i));
        memcpy(out + i, &t, sizeof t);
    }
}
void zip(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t size, bool high)
{
    for (size_t i = 0; i < 8; i++) {
        const size_t element = i / size, at = i % size, from = (high ? 8 : 0) + i;
        out[2 * element * size + at] = a[from];
        out[(2 * element + 1) * size + at] = b[from];
    }
}

// Computes part p (128 bits) of a result of `parts` parts, from the same part of a, b, c; `in` is
// the whole input
using Part = std::function<void(uint8_t *out, const uint8_t *a, const uint8_t *b, const uint8_t *c,
                                const uint8_t (*in)[64], size_t p, size_t parts)>;
#define PART [](uint8_t *out, const uint8_t *a, const uint8_t *b, const uint8_t *c,               \
                const uint8_t (*in)[64], size_t p, size_t parts)
#define UNUSED (void)out, (void)a, (void)b, (void)c, (void)in, (void)p, (void)parts
// LOOP: byte i of the part. WORDS: each element, from x of a and y of b. BY: each 64-bit element x,
// shifted by n. DOUBLE: the number in every 64-bit element.
#define LOOP(expression)                                                                           \
    PART {                                                                                         \
        UNUSED;                                                                                    \
        for (size_t i = 0; i < 16; i++) out[i] = uint8_t(expression);                              \
    }
#define WORDS(T, expression) \
    PART { UNUSED; each<T>(out, a, b, [](T x, T y) { (void)y; return T(expression); }); }
#define BY(expression)                                                                             \
    PART {                                                                                         \
        UNUSED;                                                                                    \
        const unsigned n = in[1][0] & 127;                                                         \
        each<uint64_t>(out, a, b, [n](uint64_t x, uint64_t) { return expression; });               \
    }
#define DOUBLE(value)                                                                              \
    PART {                                                                                         \
        UNUSED;                                                                                    \
        const double d = value;                                                                    \
        for (size_t i = 0; i < 16; i++) out[i] = ((const uint8_t *)&d)[i % 8];                     \
    }
#define ZIP(size, high) PART { UNUSED; zip(out, a, b, size, high); }
#define CLMUL(i, j) PART { UNUSED; memset(out, 0, 16); clmul(out, a + 8 * i, b + 8 * j); }

const std::map<std::string, Part> expected = {
    {"move", LOOP(a[i])},
    {"zero", LOOP(0)},
    {"set8", LOOP(in[1][0])},
    {"set32", LOOP(in[1][i % 4])},
    {"set64", LOOP(in[1][i % 8])},
    {"row", LOOP(in[1][3 + i])},
    {"pair", LOOP(i < 8 ? in[2][i] : in[1][i - 8])},
    {"load_step", LOOP(in[0][1 + 15 * p + i])},
    {"load_rows", LOOP(p == 0 ? in[0][5 + i] : p == 1 ? in[1][14 + i] : p == 2 ? in[2][35 + i]
                                                                              : in[1][26 + i])},
    {"block_numbers", LOOP(i % 4 ? 0 : i / 4 * parts + p)},
    {"and", LOOP(a[i] & b[i])},
    {"or", LOOP(a[i] | b[i])},
    {"xor", LOOP(a[i] ^ b[i])},
    {"not", LOOP(~a[i])},
    {"add8", LOOP(a[i] + b[i])},
    {"sub8", LOOP(a[i] - b[i])},
    {"add32", WORDS(uint32_t, x + y)},
    {"shl32", WORDS(uint32_t, x << 7)},
    {"shr32", WORDS(uint32_t, x >> 7)},
    {"shl64", WORDS(uint64_t, x << 45)},
    {"shr64", WORDS(uint64_t, x >> 45)},
    {"add64", WORDS(uint64_t, x + y)},
    {"sub64", WORDS(uint64_t, x - y)},
    {"shl64_by", BY(n > 63 ? 0 : x << n)},
    {"shr64_by", BY(n > 63 ? 0 : x >> n)},
    {"rotl32", WORDS(uint32_t, x << 19 | x >> 13)},
    {"high4", LOOP(a[i] >> 4)},
    {"xor3", LOOP(a[i] ^ b[i] ^ c[i])},
    {"maj", LOOP((a[i] & b[i]) | (b[i] & c[i]) | (a[i] & c[i]))},
    {"choose", LOOP((a[i] & b[i]) | (~a[i] & c[i]))},
    {"shuf8", LOOP(b[i] & 0x80 ? 0 : a[b[i] & 15])},
    {"span8", LOOP(i + 5 < 16 ? a[i + 5] : b[i + 5 - 16])},
    {"span64", LOOP(i < 8 ? a[i + 8] : b[i - 8])},
    {"swap64", LOOP(a[(i + 8) % 16])},
    {"last8", LOOP(i ? 0 : a[15])},
    {"up64", LOOP(i < 8 ? 0 : a[i - 8])},
    {"down64", LOOP(i < 8 ? a[i + 8] : 0)},
    {"low64", LOOP(i < 8 ? a[i] : 0)},
    {"zip_lo8", ZIP(1, false)},
    {"zip_hi8", ZIP(1, true)},
    {"zip_lo32", ZIP(4, false)},
    {"zip_hi32", ZIP(4, true)},
    {"zip_lo64", ZIP(8, false)},
    {"zip_hi64", ZIP(8, true)},
    {"aes_last", LOOP(sub_byte(a[5 * i % 16] ^ b[5 * i % 16]))},
    {"clmul_ll", CLMUL(0, 0)},
    {"clmul_lh", CLMUL(0, 1)},
    {"clmul_hl", CLMUL(1, 0)},
    {"clmul_hh", CLMUL(1, 1)},
    {"gf8_affine", LOOP(affine(VEC_MATRIX, a[i], 0x5a))},
    {"gf8_inv_affine", LOOP(affine(VEC_MATRIX, inverse(a[i]), 0xc3))},
    {"pick64", LOOP(i < 8 || !memcmp(b + 8, c, 8) ? a[i] : 0)},
    {"add_f64", DOUBLE(0.1 + 0.2)},
    {"sub_f64", DOUBLE(0.1 - 0.2)},
    {"fma_f64", DOUBLE(std::fma(0.1, 10.0, -1.0))},   // not 0: rounded once
    {"splat32", LOOP(a[8 + i % 4])},
    {"insert32", LOOP(i < 12 ? a[i] : b[i - 12])},
    {"up8", LOOP(i ? a[i - 1] : 0)},
    {"down32", LOOP(i < 12 ? a[i + 4] : 0)},
    {"swap128", LOOP(in[0][16 * (1 - p) + i])},
    {"halves", LOOP(p ? in[1][i] : in[0][16 + i])},
    {"sign64", WORDS(uint64_t, x >> 63 ? ~uint64_t(0) : 0)},
    {"blend", LOOP(in[p][16 * p + i])},
    {"of", LOOP(p ? 0 : in[0][16 + i])},
    {"ends", LOOP(in[p % 2][16 * p + i])},
    {"parts", LOOP(in[p % 2][16 * (3 - p) + i])},
};

struct Width {
    const vec_call *calls;
    size_t parts;
};
const Width v128 = {vec_calls_v128, 1};
#if defined(__x86_64__)
const Width v256 = {vec_calls_v256, 2}, v512 = {vec_calls_v512, 4};
#endif
const ty_tier widths[] = {
#if defined(__x86_64__)
    {"v128", TY_NEED_gfni, &v128},
    {"v256", TY_NEED_gfni, &v256},
    {"v512", TY_NEED_gfni512, &v512},
#else
    {"v128", TY_NEED_armce, &v128},
#endif
    {nullptr, 0, nullptr}};

TEST(Vec, EveryOperationIsALoopOverBytes)
{
    for_each_tier<Width>(widths, [](const Width *w, const char *) {
        TestRng rng(7);
        for (int round = 0; round < few(60); round++) {
            vec_input in;
            for (auto &v : in) {
                if (round < 8) memset(v, rng.below(2) ? 0xff : 0, sizeof v);
                else rng.fill(v, sizeof v);
            }
            for (const vec_call *f = w->calls; f->name; f++) {
                uint8_t got[64], want[64];
                ASSERT_EQ(expected.count(f->name), 1u) << f->name << " has no loop here";
                f->run(got, in);
                for (size_t p = 0; p < w->parts; p++)
                    expected.at(f->name)(want + 16 * p, in[0] + 16 * p, in[1] + 16 * p,
                                         in[2] + 16 * p, in, p, w->parts);
                ASSERT_EQ(memcmp(got, want, 16 * w->parts), 0) << f->name;
            }
        }
    });
}

#if defined(__x86_64__)
TEST(Vec, EveryLoopHasItsOperation)
{
    std::set<std::string> names;
    for (const vec_call *calls : {vec_calls_v128, vec_calls_v256, vec_calls_v512})
        for (const vec_call *f = calls; f->name; f++) names.insert(f->name);
    for (const auto &e : expected) EXPECT_TRUE(names.count(e.first)) << e.first;
}
#endif
}   // namespace
