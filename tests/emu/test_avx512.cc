// The emulator's AVX-512: instructions against this CPU's AVX2 forms where it has them and against models written another
// way where not; masks, broadcasts and displacements through real traps; and compiled code among the CPU's own instructions.
#include "emu/decode.h"
#include "emu/emu.h"
#include "emu/ops.h"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#if !defined(__x86_64__) || !defined(__linux__)
TEST(EmuAvx512, OffersNothingHere) { EXPECT_EQ(emu_features(), 0u); }
#else
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"          // gcc 12 says it of _mm512_undefined_epi32 in its own header
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

namespace {

using V = emu_vec;

const emu_op *op(const std::string &name)
{
    for (const emu_op *o = emu_ops_avx512; o->name; o++)
        if (name == o->name) return o;
    ADD_FAILURE() << name;
    return nullptr;
}

V random_vec(TestRng &rng)
{
    V v;
    rng.fill(&v, sizeof v);
    return v;
}

bool has_avx2() { return __builtin_cpu_supports("avx2"); }
bool has_avx512() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"); }

}   // namespace

TEST(EmuAvx512, NamesAndOpcodesAreDistinct)
{
    std::set<std::string> names;
    std::set<std::tuple<int, int, int, int, int>> codes;
    for (const emu_op *o = emu_ops_avx512; o->name; o++) {
        EXPECT_TRUE(names.insert(o->name).second) << o->name;
        for (int w : {0, 1})
            if (o->w == EMU_WIG || o->w == w) {
                EXPECT_TRUE(codes.insert({o->map, o->prefix, o->opcode, w, o->extension}).second) << o->name;
                for (const emu_op *p = emu_ops; p->name; p++)
                    EXPECT_FALSE(p->encodings & EMU_EVEX && p->map == o->map && p->prefix == o->prefix &&
                                 p->opcode == o->opcode && (p->w == EMU_WIG || p->w == w))
                        << o->name << " is " << p->name;
            }
    }
}

// --- against this CPU's AVX2: 32 bytes of each, by mnemonic -----------------------------------------------------------

#define HARDWARE3(name, text)                                                                                        \
    {name, [](V *d, const V *a, const V *b) {                                                                        \
         __asm__ volatile("vmovdqu (%1), %%ymm0\n vmovdqu (%2), %%ymm1\n " text "\n vmovdqu %%ymm0, (%0)"            \
                          : : "r"(d), "r"(a), "r"(b) : "xmm0", "xmm1", "memory");                                    \
     }}
#define THREE(name) HARDWARE3(#name, #name " %%ymm1, %%ymm0, %%ymm0")
#define AS(row, name) HARDWARE3(#row, #name " %%ymm1, %%ymm0, %%ymm0")

TEST(EmuAvx512, ThreeOperandsAsTheCpuDoesThem)
{
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    const std::map<std::string, void (*)(V *, const V *, const V *)> rows = {
        AS(vpandd, vpand), AS(vpandq, vpand), AS(vpandnd, vpandn), AS(vpandnq, vpandn), AS(vpord, vpor), AS(vporq, vpor),
        AS(vpxord, vpxor), AS(vpxorq, vpxor), THREE(vpaddb), THREE(vpaddw), THREE(vpaddd), THREE(vpaddq), THREE(vpsubb),
        THREE(vpsubw), THREE(vpsubd), THREE(vpsubq), THREE(vpmullw), THREE(vpmulld), THREE(vpmuludq), THREE(vpminud),
        THREE(vpmaxud), THREE(vpsllvd), THREE(vpsllvq), THREE(vpsrlvd), THREE(vpsrlvq), THREE(vpsravd), THREE(vpshufb),
        THREE(vpunpcklbw), THREE(vpunpckhbw), THREE(vpunpcklwd), THREE(vpunpckhwd), THREE(vpunpckldq), THREE(vpunpckhdq),
        THREE(vpunpcklqdq), THREE(vpunpckhqdq), AS(vpermd, vpermd),
        THREE(vandps), THREE(vandpd), THREE(vandnps), THREE(vandnpd), THREE(vorps), THREE(vorpd), THREE(vxorps), THREE(vxorpd),
        THREE(vunpcklps), THREE(vunpckhps), THREE(vunpcklpd), THREE(vunpckhpd),
        THREE(vpmuldq), THREE(vpmulhuw), THREE(vpminsd), THREE(vpmaxsd), THREE(vpermps), HARDWARE3("vpabsd", "vpabsd %%ymm1, %%ymm0"),
        HARDWARE3("vpmovsxbw", "vpmovsxbw %%xmm1, %%ymm0"), HARDWARE3("vpmovsxbd", "vpmovsxbd %%xmm1, %%ymm0"),
        HARDWARE3("vpmovsxwd", "vpmovsxwd %%xmm1, %%ymm0"), HARDWARE3("vpmovsxdq", "vpmovsxdq %%xmm1, %%ymm0"),
        HARDWARE3("vmovsldup", "vmovsldup %%ymm1, %%ymm0"), HARDWARE3("vmovshdup", "vmovshdup %%ymm1, %%ymm0"),
        HARDWARE3("vmovddup", "vmovddup %%ymm1, %%ymm0"),
        HARDWARE3("vpslld x", "vpslld %%xmm1, %%ymm0, %%ymm0"), HARDWARE3("vpsllq x", "vpsllq %%xmm1, %%ymm0, %%ymm0"),
        HARDWARE3("vpsrld x", "vpsrld %%xmm1, %%ymm0, %%ymm0"), HARDWARE3("vpsrlq x", "vpsrlq %%xmm1, %%ymm0, %%ymm0"),
        HARDWARE3("vpmovzxbw", "vpmovzxbw %%xmm1, %%ymm0"), HARDWARE3("vpmovzxbd", "vpmovzxbd %%xmm1, %%ymm0"),
        HARDWARE3("vpmovzxbq", "vpmovzxbq %%xmm1, %%ymm0"), HARDWARE3("vpmovzxwd", "vpmovzxwd %%xmm1, %%ymm0"),
        HARDWARE3("vpmovzxwq", "vpmovzxwq %%xmm1, %%ymm0"), HARDWARE3("vpmovzxdq", "vpmovzxdq %%xmm1, %%ymm0"),
        HARDWARE3("vpbroadcastb", "vpbroadcastb %%xmm1, %%ymm0"), HARDWARE3("vpbroadcastw", "vpbroadcastw %%xmm1, %%ymm0"),
        HARDWARE3("vpbroadcastd", "vpbroadcastd %%xmm1, %%ymm0"), HARDWARE3("vpbroadcastq", "vpbroadcastq %%xmm1, %%ymm0"),
        HARDWARE3("vbroadcasti32x2", "vpbroadcastq %%xmm1, %%ymm0"), HARDWARE3("vbroadcastss", "vbroadcastss %%xmm1, %%ymm0"),
        HARDWARE3("vbroadcastsd", "vbroadcastsd %%xmm1, %%ymm0"),
        HARDWARE3("vbroadcasti32x4", "vbroadcasti128 (%2), %%ymm0"), HARDWARE3("vbroadcastf64x2", "vbroadcastf128 (%2), %%ymm0"),
    };
    TestRng rng(41);
    for (const auto &[name, hw] : rows)
        for (int round = 0; round < 100; round++) {
            const V a = random_vec(rng);
            V b = random_vec(rng), d = {}, expected = {};
            if (name.find(" x") != std::string::npos || name.find("v") == name.size() - 2)   // small counts are the interesting ones
                for (uint64_t &q : b.q) q %= round % 2 ? 70 : 34;
            hw(&expected, &a, &b);
            op(name)->fn(&d, &a, &b, 32, 0);
            ASSERT_EQ(hex(&d, 32), hex(&expected, 32)) << name;
        }
}

// Doubles of all sizes, and those whose products and sums have to be rounded once and not twice.
TEST(EmuAvx512, DoublesAsTheCpuDoesThem)
{
    if (!__builtin_cpu_supports("fma")) GTEST_SKIP() << "no FMA here";
    const std::map<std::string, void (*)(V *, const V *, const V *)> rows = {
        THREE(vaddpd), THREE(vsubpd),
#define FMA(name) {#name, [](V *d, const V *a, const V *b) {                                                          \
         __asm__ volatile("vmovupd (%0), %%ymm2\n vmovupd (%1), %%ymm0\n " #name " (%2), %%ymm0, %%ymm2\n vmovupd %%ymm2, (%0)" \
                          : : "r"(d), "r"(a), "r"(b) : "xmm0", "xmm2", "memory");                                    \
     }}
        FMA(vfmadd132pd), FMA(vfmadd213pd), FMA(vfmadd231pd),
    };
    TestRng rng(45);
    const auto number = [&rng](int round) {
        const double wide = std::ldexp((double)(int64_t)rng.next(), (int)rng.below(400) - 200);
        const double digit = (double)(rng.next() >> 12), big = 0x1p104 * (double)rng.below(3);
        return round % 3 == 0 ? wide : round % 3 == 1 || rng.below(3) ? digit : big;
    };
    for (const auto &[name, hw] : rows)
        for (int round = 0; round < 300; round++) {
            V a, b, d;
            for (V *v : {&a, &b, &d})
                for (unsigned i = 0; i < 4; i++) {
                    const double x = number(round);
                    std::memcpy(&v->q[i], &x, 8);
                }
            V expected = d;
            hw(&expected, &a, &b);
            op(name)->fn(&d, &a, &b, 32, 0);
            ASSERT_EQ(hex(&d, 32), hex(&expected, 32)) << name;
        }
}

#define WITH(row, n, text) {{row, n}, [](V *d, const V *a, const V *b) {                                              \
         __asm__ volatile("vmovdqu (%1), %%ymm0\n vmovdqu (%2), %%ymm1\n " text "\n vmovdqu %%ymm0, (%0)"            \
                          : : "r"(d), "r"(a), "r"(b) : "xmm0", "xmm1", "memory");                                    \
     }}
#define SHIFT(name, n) WITH(#name, n, #name " $" #n ", %%ymm1, %%ymm0")
#define SHIFTS(name) SHIFT(name, 0), SHIFT(name, 1), SHIFT(name, 7), SHIFT(name, 15), SHIFT(name, 16), SHIFT(name, 31), \
                     SHIFT(name, 32), SHIFT(name, 63), SHIFT(name, 64), SHIFT(name, 255)
#define BINARY(name, n) WITH(#name, n, #name " $" #n ", %%ymm1, %%ymm0, %%ymm0")

TEST(EmuAvx512, ImmediatesAsTheCpuDoesThem)
{
    if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
    const std::map<std::pair<std::string, unsigned>, void (*)(V *, const V *, const V *)> rows = {
        SHIFTS(vpsrlw), SHIFTS(vpsraw), SHIFTS(vpsllw), SHIFTS(vpsrld), SHIFTS(vpsrad), SHIFTS(vpslld), SHIFTS(vpsrlq),
        SHIFTS(vpsllq), SHIFTS(vpsrldq), SHIFTS(vpslldq), SHIFT(vpshufd, 0x1b), SHIFT(vpshufd, 0x93), SHIFT(vpshufhw, 0x1b),
        SHIFT(vpshufhw, 0x93), SHIFT(vpshuflw, 0x1b), SHIFT(vpshuflw, 0xd2), WITH("vpermq n", 0x1b, "vpermq $0x1b, %%ymm1, %%ymm0"),
        WITH("vpermq n", 0x6c, "vpermq $0x6c, %%ymm1, %%ymm0"), BINARY(vshufps, 0x1b), BINARY(vshufps, 0xe4), BINARY(vshufpd, 5),
        BINARY(vshufpd, 10), WITH("vpermilps n", 0x1b, "vpermilps $0x1b, %%ymm1, %%ymm0"), WITH("vpermilpd n", 9, "vpermilpd $9, %%ymm1, %%ymm0"),
        WITH("vpermpd n", 0x6c, "vpermpd $0x6c, %%ymm1, %%ymm0"),
        BINARY(vpalignr, 0), BINARY(vpalignr, 3), BINARY(vpalignr, 16),
        BINARY(vpalignr, 21), BINARY(vpalignr, 40), WITH("vinserti32x4", 0, "vinserti128 $0, %%xmm1, %%ymm0, %%ymm0"),
        WITH("vinserti64x2", 1, "vinserti128 $1, %%xmm1, %%ymm0, %%ymm0"),
    };
    TestRng rng(42);
    for (const auto &[key, hw] : rows)
        for (int round = 0; round < 20; round++) {
            const V a = random_vec(rng), b = random_vec(rng);
            V d = {}, expected = {};
            hw(&expected, &a, &b);
            op(key.first)->fn(&d, &a, &b, 32, key.second);
            ASSERT_EQ(hex(&d, 32), hex(&expected, 32)) << key.first << " " << key.second;
        }
}

// Lanes of 128 bits are alike: what holds for two holds for four.
TEST(EmuAvx512, FourLanesAreTwiceTwo)
{
    TestRng rng(43);
    for (const char *name : {"vpshufb", "vpunpcklbw", "vpunpckhbw", "vpunpcklwd", "vpunpckhwd", "vpunpckldq", "vpunpckhdq", "vpunpcklqdq",
                             "vpunpckhqdq", "vpalignr", "vpshufd", "vpshufhw", "vpshuflw", "vpsrldq", "vpslldq", "vpaddd", "vpermq n",
                             "vpmuludq", "vpmuldq", "vmovshdup", "vshufps", "vpsllvd", "vpsrld", "vpternlogq"})
        for (int round = 0; round < 20; round++) {
            const V a = random_vec(rng), b = random_vec(rng), old = random_vec(rng);
            const unsigned imm = (unsigned)rng.below(256);
            V whole = old, low = old, high, ah, bh;
            std::memcpy(high.b, old.b + 32, 32);
            std::memcpy(ah.b, a.b + 32, 32);
            std::memcpy(bh.b, b.b + 32, 32);
            op(name)->fn(&whole, &a, &b, 64, imm);
            op(name)->fn(&low, &a, &b, 32, imm);
            op(name)->fn(&high, &ah, &bh, 32, imm);
            ASSERT_EQ(hex(whole.b, 32), hex(low.b, 32)) << name;
            ASSERT_EQ(hex(whole.b + 32, 32), hex(high.b, 32)) << name;
        }
}

// --- models ---------------------------------------------------------------------------------------------------------------

namespace {

template <class F> void against(const char *name, std::initializer_list<unsigned> lengths, F model)
{
    SCOPED_TRACE(name);
    TestRng rng(44);
    for (int round = 0; round < 40; round++)
        for (unsigned len : lengths) {
            const V old = random_vec(rng), a = random_vec(rng), b = random_vec(rng);
            const unsigned imm = (unsigned)rng.below(256);
            V d = old, expected = old;
            op(name)->fn(&d, &a, &b, len, imm);
            model(expected, a, b, len, imm);
            ASSERT_EQ(hex(&d, len), hex(&expected, len)) << len << " " << imm;
        }
}

bool bit(const V &v, unsigned i) { return v.b[i / 8] >> i % 8 & 1; }
void set_bit(V &v, unsigned i, bool x) { v.b[i / 8] = (uint8_t)((v.b[i / 8] & ~(1u << i % 8)) | (unsigned)x << i % 8); }

// element i of size bytes, as an integer of either kind
uint64_t element(const V &v, unsigned i, unsigned size)
{
    uint64_t x = 0;
    std::memcpy(&x, v.b + size * i, size);
    return x;
}
int64_t signed_element(const V &v, unsigned i, unsigned size)
{
    const uint64_t x = element(v, i, size);
    return size == 8 || x < (1ull << (8 * size - 1)) ? (int64_t)x : (int64_t)x - (1ll << 8 * size);
}

}   // namespace

TEST(EmuAvx512, TernaryLogicAndRotations)
{
    for (const char *name : {"vpternlogd", "vpternlogq"})
        against(name, {16, 32, 64}, [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
            for (unsigned i = 0; i < 8 * len; i++) set_bit(d, i, imm >> (4 * bit(d, i) + 2 * bit(a, i) + bit(b, i)) & 1);
        });
    for (const unsigned size : {4u, 8u})
        for (const bool left : {false, true})
            for (const bool variable : {false, true}) {
                const std::string name = std::string(left ? "vprol" : "vpror") + (variable ? "v" : "") + (size == 4 ? "d" : "q");
                against(name.c_str(), {16, 32, 64}, [&](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
                    const unsigned bits = 8 * size;
                    for (unsigned i = 0; i < 8 * len; i++) {
                        const unsigned e = i / bits, n = (unsigned)((variable ? element(b, e, size) : imm) % bits);
                        set_bit(d, e * bits + (i + (left ? n : bits - n)) % bits, bit(variable ? a : b, i));
                    }
                });
            }
    against("vpsraq", {64}, [](V &d, const V &, const V &b, unsigned, unsigned imm) {
        for (unsigned i = 0; i < 512; i++) set_bit(d, i, bit(b, i % 64 + imm < 64 ? i + imm : i | 63));
    });
    against("vpsravq", {64}, [](V &d, const V &a, const V &b, unsigned, unsigned) {
        for (unsigned i = 0; i < 512; i++) set_bit(d, i, bit(a, b.q[i / 64] < 64 - i % 64 ? i + (unsigned)b.q[i / 64] : i | 63));
    });
    against("vpmullq", {64}, [](V &d, const V &a, const V &b, unsigned, unsigned) {
        for (unsigned i = 0; i < 8; i++) {
            d.q[i] = 0;
            for (unsigned k = 0; k < 64; k++) d.q[i] += (b.q[i] >> k & 1) * (a.q[i] << k);
        }
    });
    against("vpminuq", {64}, [](V &d, const V &a, const V &b, unsigned, unsigned) {
        for (unsigned i = 0; i < 8; i++) d.q[i] = std::min(a.q[i], b.q[i]);
    });
    for (const char *name : {"vpminsq", "vpmaxsq"})
        against(name, {64}, [name](V &d, const V &a, const V &b, unsigned, unsigned) {
            const bool least = std::string(name) == "vpminsq";
            for (unsigned i = 0; i < 8; i++)
                d.q[i] = ((a.q[i] ^ 1ull << 63) < (b.q[i] ^ 1ull << 63)) == least ? a.q[i] : b.q[i];   // order without signs
        });
    against("vpmaxuq", {64}, [](V &d, const V &a, const V &b, unsigned, unsigned) {
        for (unsigned i = 0; i < 8; i++) d.q[i] = std::max(a.q[i], b.q[i]);
    });
}

TEST(EmuAvx512, PermutationsOfWholeVectors)
{
    for (const auto &[suffix, size] : std::map<std::string, unsigned>{{"w", 2}, {"d", 4}, {"q", 8}}) {
        const unsigned z = size;
        against(("vperm" + suffix).c_str(), {32, 64}, [z](V &d, const V &a, const V &b, unsigned len, unsigned) {
            for (unsigned i = 0; i < len; i++) d.b[i] = b.b[element(a, i / z, z) * z % len + i % z];
        });
        for (const bool table : {false, true})       // the index is overwritten, or the first table
            against((std::string(table ? "vpermt2" : "vpermi2") + suffix).c_str(), {16, 32, 64},
                    [z, table](V &d, const V &a, const V &b, unsigned len, unsigned) {
                        const V was = d, &index = table ? a : was, &first = table ? was : a;
                        for (unsigned i = 0; i < len; i++) {
                            const unsigned at = (unsigned)(element(index, i / z, z) * z % (2 * len)) + i % z;
                            d.b[i] = at < len ? first.b[at] : b.b[at - len];
                        }
                    });
    }
    TestRng rng(48);                             // the same under the names of another type
    for (const auto &[row, as] : std::map<std::string, std::string>{
             {"vpermps", "vpermd"}, {"vpermpd", "vpermq"}, {"vpermi2ps", "vpermi2d"}, {"vpermi2pd", "vpermi2q"},
             {"vpermt2ps", "vpermt2d"}, {"vpermt2pd", "vpermt2q"}, {"vblendmps", "vpblendmd"}, {"vblendmpd", "vpblendmq"}}) {
        const V a = random_vec(rng), b = random_vec(rng), old = random_vec(rng);
        V d = old, e = old;
        op(row)->fn(&d, &a, &b, 64, 0);
        op(as)->fn(&e, &a, &b, 64, 0);
        EXPECT_EQ(hex(&d, 64), hex(&e, 64)) << row;
        EXPECT_EQ(op(row)->flags, op(as)->flags);
    }
    against("valignd", {16, 32, 64}, [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
        Bytes both(b.b, b.b + len);
        both.insert(both.end(), a.b, a.b + len);
        std::copy_n(both.begin() + 4 * (imm % (len / 4)), len, d.b);
    });
    against("valignq", {16, 32, 64}, [](V &d, const V &a, const V &b, unsigned len, unsigned imm) {
        Bytes both(b.b, b.b + len);
        both.insert(both.end(), a.b, a.b + len);
        std::copy_n(both.begin() + 8 * (imm % (len / 8)), len, d.b);
    });
    for (const char *name : {"vshufi32x4", "vshufi64x2", "vshuff32x4", "vshuff64x2"}) {
        against(name, {64}, [](V &d, const V &a, const V &b, unsigned, unsigned imm) {
            for (unsigned lane = 0; lane < 4; lane++)
                std::memcpy(d.b + 16 * lane, (lane < 2 ? a : b).b + 16 * (imm / (1u << 2 * lane) % 4), 16);
        });
        against(name, {32}, [](V &d, const V &a, const V &b, unsigned, unsigned imm) {
            std::memcpy(d.b, a.b + 16 * (imm & 1), 16);
            std::memcpy(d.b + 16, b.b + 16 * (imm >> 1 & 1), 16);
        });
    }
    for (const char *kind : {"i32x4", "i64x2", "f32x4", "f64x2", "i32x8", "i64x4", "f32x8", "f64x4"}) {
        const unsigned size = std::string(kind).substr(1) == "32x4" || std::string(kind).substr(1) == "64x2" ? 16 : 32;
        TestRng rng(45);
        for (unsigned imm = 0; imm < 8; imm++) {
            const V a = random_vec(rng), b = random_vec(rng);
            V d = a, e = a;
            op(std::string("vextract") + kind)->fn(&d, &a, &b, 64, imm);
            EXPECT_EQ(hex(d.b, size), hex(b.b + size * (imm % (64 / size)), size)) << kind;
            op(std::string("vinsert") + kind)->fn(&d, &a, &b, 64, imm);
            std::memcpy(e.b + size * (imm % (64 / size)), b.b, size);
            EXPECT_EQ(hex(d.b, 64), hex(e.b, 64)) << kind;
            op(std::string("vbroadcast") + kind)->fn(&d, &a, &b, 64, imm);
            for (unsigned i = 0; i < 64; i += size) EXPECT_EQ(hex(d.b + i, size), hex(b.b, size)) << kind;
        }
    }
}

TEST(EmuAvx512, Comparisons)
{
    const std::map<std::string, unsigned> sizes = {{"b", 1}, {"w", 2}, {"d", 4}, {"q", 8}};
    TestRng rng(46);
    for (const auto &row : sizes)
        for (int round = 0; round < 50; round++)
            for (unsigned imm = 0; imm < 8; imm++) {
                const std::string suffix = row.first;
                const unsigned size = row.second;
                const V a = random_vec(rng);
                V b = random_vec(rng);
                for (unsigned i = 0; i < 64; i++)
                    if (rng.below(3)) b.b[i] = a.b[i];     // often the same
                const auto run = [&](const std::string &name) {
                    V d;
                    op(name + suffix)->fn(&d, &a, &b, 64, imm);
                    return d.q[0];
                };
                uint64_t s = 0, u = 0, eq = 0, gt = 0, any = 0, top = 0;
                for (unsigned i = 0; i < 64 / size; i++) {
                    const uint64_t x = element(a, i, size), y = element(b, i, size), one = 1ull << i;
                    const int64_t p = signed_element(a, i, size), q = signed_element(b, i, size);
                    const bool su[8] = {p == q, p < q, p <= q, false, p != q, p >= q, p > q, true};
                    const bool us[8] = {x == y, x < y, x <= y, false, x != y, x >= y, x > y, true};
                    s |= su[imm] ? one : 0;
                    u |= us[imm] ? one : 0;
                    eq |= x == y ? one : 0;
                    gt |= p > q ? one : 0;
                    any |= x & y ? one : 0;
                    top |= q < 0 ? one : 0;
                }
                const uint64_t all = size == 1 ? ~0ull : (1ull << 64 / size) - 1;
                ASSERT_EQ(run("vpcmp"), s) << suffix << imm;
                ASSERT_EQ(run("vpcmpu"), u) << suffix << imm;
                ASSERT_EQ(run("vpcmpeq"), eq) << suffix;
                ASSERT_EQ(run("vpcmpgt"), gt) << suffix;
                ASSERT_EQ(run("vptestm"), any) << suffix;
                ASSERT_EQ(run("vptestnm"), all & ~any) << suffix;
                V d;
                op("vpmov" + suffix + "2m")->fn(&d, &a, &b, 64, 0);
                ASSERT_EQ(d.q[0], top) << suffix;
                op("vpmovm2" + suffix)->fn(&d, &a, &b, 64, 0);
                for (unsigned i = 0; i < 64 / size; i++) ASSERT_EQ(signed_element(d, i, size), b.q[0] >> i & 1 ? -1 : 0);
            }
    for (const auto &[name, from, to] : {std::tuple{"vpmovwb", 2u, 1u}, {"vpmovdb", 4u, 1u}, {"vpmovdw", 4u, 2u}, {"vpmovqd", 8u, 4u}}) {
        const V b = random_vec(rng);
        V d;
        op(name)->fn(&d, &b, &b, 64, 0);
        for (unsigned i = 0; i < 64 / from; i++) ASSERT_EQ(hex(d.b + to * i, to), hex(b.b + from * i, to)) << name;
    }
}

// --- real traps -----------------------------------------------------------------------------------------------------------

namespace {

struct Avx512 : testing::Test {
    TestRng rng{47};
    V a = random_vec(rng), b = random_vec(rng), c = random_vec(rng), d = {};
    void SetUp() override
    {
        if (!has_avx512() && !(emu_features() & TY_CPU_AVX512)) GTEST_SKIP() << "no AVX2, so no emulator";
    }
};

}   // namespace

// Full registers, the upper sixteen, masks of both kinds, and what a mask keeps from being touched.
TEST_F(Avx512, MasksAndHighRegisters)
{
    const uint64_t k = 0xA5F00F5A;
    Guarded half(b.b, 32);                    // elements 8 to 15 lie on an unmapped page
    V e[4];
    __asm__ volatile("vmovdqu64 (%1), %%zmm20\n vmovdqu64 (%2), %%zmm31\n kmovw %k4, %%k3\n"
                     "vpaddd %%zmm31, %%zmm20, %%zmm7 %{%%k3%}%{z%}\n vmovdqu64 %%zmm7, (%0)\n"
                     "vmovdqa64 %%zmm20, %%zmm17\n vpaddd %%zmm31, %%zmm20, %%zmm17 %{%%k3%}\n vmovdqu64 %%zmm17, 64(%0)\n"
                     "mov $0xff, %%eax\n kmovd %%eax, %%k2\n vmovdqu32 (%3), %%zmm5 %{%%k2%}%{z%}\n vmovdqu64 %%zmm5, 128(%0)\n"
                     "vmovdqu64 %%zmm20, 192(%0)\n vmovdqu32 %%zmm31, 192(%0) %{%%k3%}\n vzeroupper"
                     : : "r"(e), "r"(&a), "r"(&b), "r"(half.data()), "r"(k)
                     : "rax", "xmm5", "xmm7", "memory");   // gcc lets an AVX2 function name no others; it uses none of them
    for (unsigned i = 0; i < 16; i++) {
        const bool on = k >> i & 1;
        EXPECT_EQ(e[0].d[i], on ? a.d[i] + b.d[i] : 0) << i;
        EXPECT_EQ(e[1].d[i], on ? a.d[i] + b.d[i] : a.d[i]) << i;
        EXPECT_EQ(e[2].d[i], i < 8 ? b.d[i] : 0) << i;
        EXPECT_EQ(e[3].d[i], on ? b.d[i] : a.d[i]) << i;
    }
}

// What is taken comes together at the bottom; the rest of the register stays or is zero, that of memory is not touched.
TEST_F(Avx512, Compress)
{
    for (const uint64_t k : {0x0ull, 0x8001ull, 0xA5F0ull, 0xFFFFull, 0x7ull}) {
        const unsigned n = (unsigned)__builtin_popcountll(k), m = (unsigned)__builtin_popcountll(k & 255);
        Guarded room(4 * n), quads(8 * m);
        V e[3];
        __asm__ volatile("vmovdqu64 (%1), %%zmm20\n vmovdqu64 (%2), %%zmm7\n vmovdqa64 %%zmm7, %%zmm5\n vmovdqa64 %%zmm7, %%zmm6\n kmovw %k5, %%k3\n"
                         "vpcompressd %%zmm20, %%zmm7 %{%%k3%}%{z%}\n vmovdqu64 %%zmm7, (%0)\n"
                         "vpcompressd %%zmm20, %%zmm5 %{%%k3%}\n vmovdqu64 %%zmm5, 64(%0)\n"
                         "vpcompressq %%zmm20, %%zmm6 %{%%k3%}\n vmovdqu64 %%zmm6, 128(%0)\n"
                         "vpcompressd %%zmm20, (%3) %{%%k3%}\n vpcompressq %%zmm20, (%4) %{%%k3%}\n vzeroupper"
                         : : "r"(e), "r"(&a), "r"(&b), "r"(room.data()), "r"(quads.data()), "r"(k)
                         : "xmm5", "xmm6", "xmm7", "memory");
        V packed = {}, merged = b, pairs = b;
        unsigned at = 0;
        for (unsigned i = 0; i < 16; i++)
            if (k >> i & 1) merged.d[at] = packed.d[at] = a.d[i], at++;
        at = 0;
        for (unsigned i = 0; i < 8; i++)
            if (k >> i & 1) pairs.q[at++] = a.q[i];
        EXPECT_EQ(hex(&e[0], 64), hex(&packed, 64)) << k;
        EXPECT_EQ(hex(&e[1], 64), hex(&merged, 64)) << k;
        EXPECT_EQ(hex(&e[2], 64), hex(&pairs, 64)) << k;
        EXPECT_EQ(hex(room.data(), 4 * n), hex(&packed, 4 * n)) << k;
        EXPECT_EQ(hex(quads.data(), 8 * m), hex(&pairs, 8 * m)) << k;
    }
}

// A displacement of eight bits counts in units of what is read: the vector, a broadcast element, a lane, a half, a scalar.
TEST_F(Avx512, MemoryOperands)
{
    V room[5], e[10];
    for (V &v : room) v = random_vec(rng);
    __asm__ volatile("vmovdqu64 64(%1), %%zmm1\n vmovdqu64 %%zmm1, (%0)\n"
                     "vpxord 68(%1)%{1to16%}, %%zmm1, %%zmm2\n vmovdqu64 %%zmm2, 64(%0)\n"
                     "vpternlogq $0x96, 72(%1)%{1to8%}, %%zmm1, %%zmm2\n vmovdqu64 %%zmm2, 128(%0)\n"
                     "vbroadcasti32x4 80(%1), %%zmm3\n vmovdqu64 %%zmm3, 192(%0)\n"
                     "vpmovzxbw 96(%1), %%zmm4\n vmovdqu64 %%zmm4, 256(%0)\n"
                     "vinserti64x4 $1, 160(%1), %%zmm1, %%zmm5\n vmovdqu64 %%zmm5, 320(%0)\n"
                     "vextracti32x4 $2, %%zmm1, 400(%0)\n vextracti64x4 $1, %%zmm1, 416(%0)\n"
                     "mov $9, %%rax\n vpbroadcastd -8(%1,%%rax,8), %%zmm6\n vmovdqu64 %%zmm6, 448(%0)\n"
                     "mov 64(%1), %%eax\n vpbroadcastd %%eax, %%zmm6\n vmovdqu64 %%zmm6, 512(%0)\n"
                     "vprold $7, 256(%1), %%zmm6\n vmovdqu64 %%zmm6, 576(%0)\n vzeroupper"
                     : : "r"(e), "r"(room) : "rax", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "memory");
    const V &v = room[1];
    for (unsigned i = 0; i < 16; i++) {
        EXPECT_EQ(e[0].d[i], v.d[i]);
        EXPECT_EQ(e[1].d[i], v.d[i] ^ v.d[1]);
        EXPECT_EQ(e[3].d[i], v.d[4 + i % 4]);
        EXPECT_EQ(e[4].d[i], v.b[32 + 2 * i] | (uint32_t)v.b[33 + 2 * i] << 16);
        EXPECT_EQ(e[7].d[i], v.d[0]);
        EXPECT_EQ(e[8].d[i], v.d[0]);
        EXPECT_EQ(e[9].d[i], room[4].d[i] << 7 | room[4].d[i] >> 25);
    }
    for (unsigned i = 0; i < 8; i++) EXPECT_EQ(e[2].q[i], v.q[i] ^ e[1].q[i] ^ v.q[1]);
    EXPECT_EQ(hex(e[5].b, 32), hex(v.b, 32));
    EXPECT_EQ(hex(e[5].b + 32, 32), hex(room[2].b + 32, 32));
    EXPECT_EQ(hex(e[6].b + 16, 16), hex(v.b + 32, 16));
    EXPECT_EQ(hex(e[6].b + 32, 32), hex(v.b + 32, 32));
}

// Between emulated instructions the CPU runs its own, and those with VEX encoding clear what only the emulator has.
TEST_F(Avx512, TheCpusOwnInstructionsClearUpperHalves)
{
    V e[8];
    __asm__ volatile("vmovdqu64 (%1), %%zmm0\n vmovdqa64 %%zmm0, %%zmm1\n vmovdqa64 %%zmm0, %%zmm2\n vmovdqa64 %%zmm0, %%zmm3\n"
                     "vmovdqa64 %%zmm0, %%zmm4\n vmovdqa64 %%zmm0, %%zmm9\n vmovdqa64 %%zmm0, %%zmm12\n vmovdqa64 %%zmm0, %%zmm16\n"
                     "vmovdqa %%ymm1, %%ymm1\n"                   // the same value: only the encoding tells
                     "vpslld $0, %%ymm2, %%ymm9\n"                // the target is vvvv
                     "paddd %%xmm3, %%xmm3\n"                     // legacy: nothing is cleared
                     "vextracti128 $1, %%ymm0, %%xmm12\n"         // the target is r/m
                     "vmovd %%xmm4, %%eax\n vpmovmskb %%ymm4, %%eax\n vptest %%ymm4, %%ymm4\n vmovdqu %%ymm4, 448(%0)\n rorx $3, %%rax, %%rax\n"
                     "vmovdqu64 %%zmm1, (%0)\n vmovdqu64 %%zmm9, 64(%0)\n vmovdqu64 %%zmm3, 128(%0)\n vmovdqu64 %%zmm12, 192(%0)\n"
                     "vmovdqu64 %%zmm4, 256(%0)\n vmovdqu64 %%zmm2, 320(%0)\n"
                     "vzeroupper\n vmovdqu64 %%zmm0, 384(%0)\n vmovdqu64 %%zmm16, 448(%0)"
                     : : "r"(e), "r"(&a) : "rax", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm9", "xmm12", "cc", "memory");
    const std::string zero(64, '0');
    EXPECT_EQ(hex(&e[0], 64), hex(a.b, 32) + zero);
    EXPECT_EQ(hex(&e[1], 64), hex(a.b, 32) + zero);
    EXPECT_EQ(hex(e[2].b + 16, 48), hex(a.b + 16, 48));
    for (unsigned i = 0; i < 4; i++) EXPECT_EQ(e[2].d[i], 2 * a.d[i]);
    EXPECT_EQ(hex(&e[3], 64), hex(a.b + 16, 16) + zero + std::string(32, '0'));
    EXPECT_EQ(hex(&e[4], 64), hex(&a, 64));
    EXPECT_EQ(hex(&e[5], 64), hex(&a, 64));
    EXPECT_EQ(hex(&e[6], 64), hex(a.b, 16) + zero + std::string(32, '0'));
    EXPECT_EQ(hex(&e[7], 64), hex(&a, 64)) << "zmm16 is beyond vzeroupper";
}

TEST_F(Avx512, Opmasks)
{
    uint64_t r[14] = {0}, x = 0x8000F0F012345678, y = 0x0123456789ABCDEF;
    unsigned char f[4];
    __asm__ volatile("kmovq %2, %%k1\n kmovq %3, %%k2\n kandq %%k2, %%k1, %%k3\n kmovq %%k3, (%0)\n korw %%k2, %%k1, %%k3\n kmovq %%k3, 8(%0)\n"
                     "kxorb %%k2, %%k1, %%k3\n kmovq %%k3, 16(%0)\n knotd %%k1, %%k3\n kmovq %%k3, %%rax\n mov %%rax, 24(%0)\n"
                     "kandnq %%k2, %%k1, %%k3\n kmovq %%k3, 32(%0)\n kxnorq %%k2, %%k1, %%k3\n kmovq %%k3, 40(%0)\n"
                     "kshiftlq $5, %%k1, %%k3\n kmovq %%k3, 48(%0)\n kshiftrd $5, %%k1, %%k3\n kmovq %%k3, 56(%0)\n"
                     "kunpckdq %%k2, %%k1, %%k3\n kmovq %%k3, 64(%0)\n kunpckbw %%k2, %%k1, %%k3\n kmovq %%k3, 72(%0)\n"
                     "kmovb 3(%0), %%k4\n kmovw %%k1, 80(%0)\n kmovd %%k1, %%eax\n mov %%rax, 88(%0)\n kaddd %%k2, %%k1, %%k3\n kmovq %%k3, 96(%0)\n"
                     "kortestq %%k1, %%k2\n setz (%1)\n kxorq %%k5, %%k5, %%k5\n kortestw %%k5, %%k5\n setz 1(%1)\n kxnorb %%k5, %%k5, %%k5\n"
                     "kortestb %%k5, %%k5\n setc 2(%1)\n ktestq %%k1, %%k1\n setc 3(%1)"
                     : : "r"(r), "r"(f), "r"(x), "r"(y) : "rax", "cc", "memory");
    EXPECT_EQ(r[0], x & y);
    EXPECT_EQ(r[1], (x | y) & 0xFFFF);
    EXPECT_EQ(r[2], (x ^ y) & 0xFF);
    EXPECT_EQ(r[3], ~x & 0xFFFFFFFF);
    EXPECT_EQ(r[4], ~x & y);
    EXPECT_EQ(r[5], ~(x ^ y));
    EXPECT_EQ(r[6], x << 5);
    EXPECT_EQ(r[7], (x & 0xFFFFFFFF) >> 5);
    EXPECT_EQ(r[8], x << 32 | (y & 0xFFFFFFFF));
    EXPECT_EQ(r[9], (x & 0xFF) << 8 | (y & 0xFF));
    EXPECT_EQ(r[10], x & 0xFFFF);
    EXPECT_EQ(r[11], x & 0xFFFFFFFF);
    EXPECT_EQ(r[12], (x + y) & 0xFFFFFFFF);
    EXPECT_EQ(hex(f, 4), "00010101");
}

// --- compiled code ------------------------------------------------------------------------------------------------------------

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,aes"), noinline))

namespace {

// A word at a time what xorshift would do, with branches on masks, memory at the edges and calls among it.
TARGET void mixed(uint32_t *out, const uint32_t *in, size_t n, uint32_t seed)
{
    __m512i state = _mm512_add_epi32(_mm512_set1_epi32((int)seed), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    while (n) {
        const size_t some = n < 16 ? n : 16;
        const __mmask16 k = (__mmask16)((1u << some) - 1);
        __m512i x = _mm512_maskz_loadu_epi32(k, in);
        x = _mm512_xor_si512(x, state);
        x = _mm512_ternarylogic_epi32(x, _mm512_rol_epi32(x, 13), _mm512_srli_epi32(x, 7), 0x96);
        const __mmask16 odd = _mm512_test_epi32_mask(x, _mm512_set1_epi32(1));
        x = _mm512_mask_mullo_epi32(x, odd, x, _mm512_set1_epi32(0x01000193));
        if (_mm512_cmpeq_epi32_mask(x, _mm512_setzero_si512())) x = _mm512_set1_epi32(1);
        const __m128i low = _mm512_castsi512_si128(x);           // VEX on a part of a live register
        const __m256i sum = _mm256_add_epi32(_mm512_extracti64x4_epi64(x, 1), _mm256_broadcastsi128_si256(low));
        state = _mm512_inserti64x4(x, sum, 1);
        _mm512_mask_storeu_epi32(out, k, x);
        in += some;
        out += some;
        n -= some;
    }
    _mm256_zeroupper();   // without it, as after -O1, everything from here on would go step by step
}

void mixed_model(uint32_t *out, const uint32_t *in, size_t n, uint32_t seed)
{
    uint32_t state[16], x[16];
    for (uint32_t i = 0; i < 16; i++) state[i] = seed + i;
    while (n) {
        const size_t some = n < 16 ? n : 16;
        for (size_t i = 0; i < 16; i++) {
            const uint32_t v = (i < some ? in[i] : 0) ^ state[i];
            x[i] = v ^ (v << 13 | v >> 19) ^ v >> 7;
            if (x[i] & 1) x[i] *= 0x01000193;
        }
        bool zero = false;
        for (uint32_t v : x) zero |= v == 0;
        for (size_t i = 0; i < 16; i++) {
            if (zero) x[i] = 1;
            state[i] = x[i];
        }
        for (size_t i = 8; i < 16; i++) state[i] = x[i] + x[i % 4];
        std::copy_n(x, some, out);
        in += some;
        out += some;
        n -= some;
    }
}

// AES's last round by xmm pieces of a zmm register and back, the way a CPU without VAES has to
TARGET void by_pieces(uint8_t out[64], const uint8_t in[64])
{
    const __m512i x = _mm512_loadu_si512(in);
    const __m128i zero = _mm_setzero_si128();
    __m512i y = _mm512_castsi128_si512(_mm_aesenclast_si128(_mm512_castsi512_si128(x), zero));
    y = _mm512_inserti32x4(y, _mm_aesenclast_si128(_mm512_extracti32x4_epi32(x, 1), zero), 1);
    y = _mm512_inserti32x4(y, _mm_aesenclast_si128(_mm512_extracti32x4_epi32(x, 2), zero), 2);
    y = _mm512_inserti32x4(y, _mm_aesenclast_si128(_mm512_extracti32x4_epi32(x, 3), zero), 3);
    _mm512_storeu_si512(out, y);
    _mm256_zeroupper();
}

}   // namespace

TEST_F(Avx512, CompiledCodeAmongVexInstructions)
{
    const unsigned long before = emu_count();
    for (size_t n = 0; n < 70; n++) {
        Bytes in = rng.bytes(4 * n);
        Guarded source(in.data(), 4 * n), got(4 * n);
        std::vector<uint32_t> expected(n + 1), words(n + 1);
        if (n) std::memcpy(words.data(), in.data(), 4 * n);
        mixed_model(expected.data(), words.data(), n, 77);
        mixed((uint32_t *)(void *)got.data(), (const uint32_t *)(void *)source.data(), n, 77);
        ASSERT_EQ(hex(got.data(), 4 * n), hex(expected.data(), 4 * n)) << n;
    }
    if (!has_avx512()) { EXPECT_GT(emu_count(), before); }
}

TEST_F(Avx512, CompiledAesByPieces)
{
    if (!__builtin_cpu_supports("aes")) GTEST_SKIP() << "no AES here";
    V got, expected, zero = {};
    by_pieces(got.b, a.b);
    for (const emu_op *o = emu_ops; o->name; o++)
        if (std::string(o->name) == "vaesenclast") o->fn(&expected, &a, &zero, 64, 0);
    EXPECT_EQ(hex(&got, 64), hex(&expected, 64));
}

#endif
