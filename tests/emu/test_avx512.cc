// The emulator's AVX-512: instructions against this CPU's AVX2 forms where it has them and against
// models written another way where not; masks, broadcasts and displacements through real traps; and
// compiled code among the CPU's own instructions.
#include "emu/decode.h"
#include "emu/emu.h"
#include "emu/ops.h"
#include "support/guard.hpp"
#include "support/hex.hpp"
#include "support/rng.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

#if !defined(__x86_64__) || !defined(__linux__)
TEST(EmuAvx512, OffersNothingHere) { EXPECT_EQ(emu_features(), 0u); }
#else
#if !defined(__clang__)
// gcc 12 warns about _mm512_undefined_epi32 in its own header
#pragma GCC diagnostic ignored "-Wuninitialized"
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
bool has_avx512()
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

}   // namespace

TEST(EmuAvx512, NamesAndOpcodesAreDistinct)
{
    std::set<std::string> names;
    std::set<std::tuple<int, int, int, int, int>> codes;
    for (const emu_op *o = emu_ops_avx512; o->name; o++) {
        EXPECT_TRUE(names.insert(o->name).second) << o->name;
        for (int w : {0, 1})
            if (o->w == EMU_WIG || o->w == w) {
                EXPECT_TRUE(codes.insert({ o->map, o->prefix, o->opcode, w, o->extension }).second)
                    << o->name;
                for (const emu_op *p = emu_ops; p->name; p++)
                    EXPECT_FALSE(p->encodings & EMU_EVEX && p->map == o->map &&
                                 p->prefix == o->prefix && p->opcode == o->opcode &&
                                 (p->w == EMU_WIG || p->w == w))
                        << o->name << " is " << p->name;
            }
    }
}

#include "emu/avx512_hardware_cases.inc"
#include "emu/avx512_model_cases.inc"
#include "emu/avx512_trap_cases.inc"

// --- compiled code -------------------------------------------------------------------------------

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,aes"), noinline))

namespace {

// A function like xorshift on 16 words at a time, with branches on masks, masked accesses at the
// end and VEX instructions among its own.
TARGET void mixed(uint32_t *out, const uint32_t *in, size_t n, uint32_t seed)
{
    __m512i state =
        _mm512_add_epi32(_mm512_set1_epi32((int)seed),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
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
        const __m256i sum =
            _mm256_add_epi32(_mm512_extracti64x4_epi64(x, 1), _mm256_broadcastsi128_si256(low));
        state = _mm512_inserti64x4(x, sum, 1);
        _mm512_mask_storeu_epi32(out, k, x);
        in += some;
        out += some;
        n -= some;
    }
    _mm256_zeroupper();   // without it, as after -O1, all that follows would be single-stepped
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

// AES's last round on the xmm parts of a zmm register, as a CPU without VAES has to compute it
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
