/* GF(2^128) with VPCLMULQDQ in zmm registers: four products an instruction, and 16 blocks for one
 * reduction. The layout of power[] is that of f2_128_vaes.c, h^8 first; h^16 ... h^9 are made of
 * it.
 *
 * Floor: 16 VPCLMULQDQ per 256 bytes, one in two cycles on Zen 4, and 2 for the reduction: 36 / 256
 * = 0.14 cycles per byte. Measured there: 0.19, of vaes 0.33; a reduction takes 27 cycles, of which
 * not all are hidden. Three products by Karatsuba took as long. 32 blocks for one reduction, with
 * the powers in all lanes and a sum in each, took 0.15, but 1.4 times as long on 64 blocks. */
#include "mod/f2_128.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/v128.h"
#include "mod/f2_128_x.h"

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#include "mod/f2_128_clmul.inc"

typedef struct wide4 { __m512i low, middle, high; } wide4;

static inline __m512i load4(const void *p) { return _mm512_loadu_si512(p); }

static inline __m512i reversed4(__m512i x)
{
    return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(load(reverse)));
}

static inline __m512i xor3(__m512i x, __m512i y, __m512i z)
{
    return _mm512_ternarylogic_epi64(x, y, z, 0x96);
}

static inline wide4 mul4(__m512i x, __m512i h)
{
    return (wide4){ _mm512_clmulepi64_epi128(x, h, 0x00),
                    _mm512_xor_si512(_mm512_clmulepi64_epi128(x, h, 0x01),
                                     _mm512_clmulepi64_epi128(x, h, 0x10)),
                    _mm512_clmulepi64_epi128(x, h, 0x11) };
}

static inline wide4 add(wide4 x, wide4 y)
{
    return (wide4){ _mm512_xor_si512(x.low, y.low), _mm512_xor_si512(x.middle, y.middle),
                    _mm512_xor_si512(x.high, y.high) };
}

static inline wide4 add3(wide4 x, wide4 y, wide4 z)
{
    return (wide4){ xor3(x.low, y.low, z.low), xor3(x.middle, y.middle, z.middle),
                    xor3(x.high, y.high, z.high) };
}

static inline __m128i folded(__m512i x)
{
    const __m256i y = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
}

/* The sum of the four lanes. */
static inline __m128i reduced(wide4 s)
{
    return reduce((wide){ folded(s.low), folded(s.middle), folded(s.high) });
}

/* clear() and reduce() of f2_128_clmul.inc, lane by lane. */
static inline __m512i clear4(__m512i x)
{
    const __m512i p = _mm512_broadcast_i32x4(_mm_set_epi64x(0, (long long)0xc200000000000000u));
    return _mm512_xor_si512(_mm512_shuffle_epi32(x, _MM_PERM_BADC),
                            _mm512_clmulepi64_epi128(x, p, 0x00));
}

static inline __m512i reduce4(wide4 s)
{
    const __m512i low = _mm512_xor_si512(s.low, _mm512_bslli_epi128(s.middle, 8));
    return xor3(s.high, _mm512_bsrli_epi128(s.middle, 8), clear4(clear4(low)));
}

static void ty_f2_128_powers_gfni512(uint64_t power[TY_AT_LEAST(8)][2],
                                     const uint8_t h[TY_AT_LEAST(16)])
{
    ty_f2_128_ops_vaes.powers(power, h);
}

/* Whole groups of 16 blocks. What does not wait for a is multiplied first. */
static __m128i ty_f2_128_sixteens_gfni512(__m128i a, const uint8_t *in, size_t groups,
                                          const uint64_t (*power)[2])
{
    const __m512i h2 = load4(power[0]), h3 = load4(power[4]),
                  h8 = _mm512_broadcast_i32x4(_mm512_castsi512_si128(h2)),
                  h0 = reduce4(mul4(h2, h8)), h1 = reduce4(mul4(h3, h8));
    for (; groups; groups--, in += 256) {
        const wide4 rest = add3(mul4(reversed4(load4(in + 64)), h1),
                                mul4(reversed4(load4(in + 128)), h2),
                                mul4(reversed4(load4(in + 192)), h3));
        const __m512i x = _mm512_xor_si512(_mm512_zextsi128_si512(a), reversed4(load4(in)));
        a = reduced(add(mul4(x, h0), rest));
    }
    return a;
}

/* Eight blocks or fewer: what the masks leave out is zero, and adds nothing. */
static __m128i ty_f2_128_eight_gfni512(__m128i a, const uint8_t *in, size_t n,
                                       const uint64_t (*power)[2])
{
    const unsigned words = (1u << 2 * n) - 1;
    const __mmask8 low = (__mmask8)words, high = (__mmask8)(words >> 8);
    const uint64_t *h = power[8 - n];
    const __m512i x = _mm512_xor_si512(_mm512_zextsi128_si512(a),
                                       reversed4(_mm512_maskz_loadu_epi64(low, in)));
    const wide4 s = mul4(x, _mm512_maskz_loadu_epi64(low, h));
    if (n <= 4) return reduced(s);
    const wide4 t = mul4(reversed4(_mm512_maskz_loadu_epi64(high, in + 64)),
                         _mm512_maskz_loadu_epi64(high, h + 8));
    return reduced(add(s, t));
}

static void ty_f2_128_horner_gfni512(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                     const uint64_t power[TY_AT_LEAST(8)][2])
{
    __m128i a = reversed(load(y));
    if (blocks >= 32) {
        a = ty_f2_128_sixteens_gfni512(a, in, blocks / 16, power);
        in += blocks / 16 * 256;
        blocks %= 16;
    }
    while (blocks) {
        const size_t some = blocks < 8 ? blocks : 8;
        a = ty_f2_128_eight_gfni512(a, in, some, power);
        blocks -= some;
        in += 16 * some;
    }
    _mm_storeu_si128((__m128i *)(void *)y, reversed(a));
}

static void ty_f2_128_ladder_gfni512(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)],
                                     int reflected)
{
    ty_f2_128_ops_vaes.ladder(m, n, t, reflected);
}

const ty_f2_128_ops ty_f2_128_ops_gfni512 = { ty_f2_128_powers_gfni512, ty_f2_128_horner_gfni512,
                                              ty_f2_128_ladder_gfni512 };
#include "base/level_end.h"
#endif
