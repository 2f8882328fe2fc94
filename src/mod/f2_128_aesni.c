/* GF(2^128) with PCLMULQDQ: eight blocks for one reduction.
 *
 * (y + in_0) h^8 + in_1 h^7 + ... + in_7 h is a sum of 256-bit products, and reduction is linear: add first, reduce once.
 * Floor: 4 PCLMULQDQ per block at one per cycle, and 2 per 8 blocks for the reduction: 4.25 / 16 = 0.27 cycles per byte. */
#include "mod/f2_128.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "mod/f2_128_x.h"

#define TY_TARGET "sse4.1,pclmul"
#include "base/tier_begin.h"

#include "mod/f2_128_clmul.inc"

/* power[i] = h^(i+1), primed */
static void powers(uint64_t power[TY_AT_LEAST(8)][2], const uint8_t h[TY_AT_LEAST(16)])
{
    const __m128i first = primed(h);
    __m128i p = first;
    for (int i = 0; i < 8; i++) {
        _mm_storeu_si128((__m128i *)(void *)power[i], p);
        p = mul(p, first);
    }
}

static void horner(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                   const uint64_t power[TY_AT_LEAST(8)][2])
{
    __m128i a = reversed(load(y));
    while (blocks) {
        const size_t some = blocks < 8 ? blocks : 8;
        wide s = { _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128() };
        mul_add(&s, _mm_xor_si128(a, reversed(load(in))), load(power[some - 1]));
        for (size_t i = 1; i < some; i++) mul_add(&s, reversed(load(in + 16 * i)), load(power[some - 1 - i]));
        a = reduce(s);
        blocks -= some;
        in += 16 * some;
    }
    _mm_storeu_si128((__m128i *)(void *)y, reversed(a));
}

/* t x^8 in memory order is the same in both readings but for the byte that leaves at the end: every byte moves on by one,
 * and the last one, b, returns as b (x^7 + x^2 + x + 1) in the first two. Reflected, that product comes out reversed too, one bit
 * further down and with its bytes exchanged. */
static inline __m128i times_x8(__m128i t, int reflected)
{
    const __m128i last = _mm_srli_si128(t, 15), moved = _mm_slli_si128(t, 1);
    const __m128i exchange = _mm_setr_epi8(1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    if (!reflected) return _mm_xor_si128(moved, _mm_clmulepi64_si128(last, _mm_cvtsi32_si128(0x87), 0x00));
    return _mm_xor_si128(moved, _mm_shuffle_epi8(_mm_clmulepi64_si128(last, _mm_cvtsi32_si128(0xe1 << 1), 0x00), exchange));
}

/* Eight ladders with steps of x^8 side by side. */
static void ladder(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected)
{
    if (n >= 8) {
        __m128i v[8];
        eight(v, t, reflected);
        for (; n >= 8; n -= 8, m += 128)
            for (int i = 0; i < 8; i++) {
                _mm_storeu_si128((__m128i *)(void *)(m + 16 * i), v[i]);
                v[i] = times_x8(v[i], reflected);
            }
        _mm_storeu_si128((__m128i *)(void *)t, v[0]);
        ty_wipe(v, sizeof v);
    }
    ty_f2_128_ladder(m, n, t, reflected);
}

const ty_f2_128_ops ty_f2_128_ops_aesni = { powers, horner, ladder };
#include "base/tier_end.h"
#endif
