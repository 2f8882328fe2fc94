/* GF(2^128) with VPCLMULQDQ: two products an instruction, sixteen blocks for one reduction would gain nothing more.
 *
 * The sum of f2_128_eight.inc, its even terms in the lower halves and its odd ones in the upper. power[] is turned round,
 * h^8 first, so that two neighbours are what two neighbouring blocks are multiplied by.
 * Floor: 4 VPCLMULQDQ per two blocks, one in two cycles on Zen 3: 8 / 32 = 0.25 cycles per byte, and 2 per 8 blocks
 * for the reduction: 0.28. Three by Karatsuba would be 0.19, but its sums cost as much again. */
#include "mod/f2_128.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/v128.h"
#include "mod/f2_128_x.h"

#define TY_LEVEL vaes
#include "base/level_begin.h"
#include "mod/f2_128_clmul.inc"

typedef struct wide2 { __m256i low, middle, high; } wide2;

static inline __m256i load2(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }

static inline __m256i reversed2(__m256i x)
{
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(load(reverse)));
}

static inline void mul_add2(wide2 *s, __m256i x, __m256i h)
{
    s->low = _mm256_xor_si256(s->low, _mm256_clmulepi64_epi128(x, h, 0x00));
    s->high = _mm256_xor_si256(s->high, _mm256_clmulepi64_epi128(x, h, 0x11));
    s->middle = _mm256_xor_si256(s->middle, _mm256_clmulepi64_epi128(x, h, 0x01));
    s->middle = _mm256_xor_si256(s->middle, _mm256_clmulepi64_epi128(x, h, 0x10));
}

static inline __m128i folded(__m256i x)
{
    return _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
}

static void ty_f2_128_powers_vaes(uint64_t power[TY_AT_LEAST(8)][2],
                                  const uint8_t h[TY_AT_LEAST(16)])
{
    const __m128i first = primed(h);
    __m128i p = first;
    for (int i = 7; i >= 0; i--) {
        _mm_storeu_si128((__m128i *)(void *)power[i], p);
        p = mul(p, first);
    }
}

static void ty_f2_128_horner_vaes(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                  const uint64_t power[TY_AT_LEAST(8)][2])
{
    const __m256i zero = _mm256_setzero_si256();
    __m128i a = reversed(load(y));
    while (blocks) {
        const size_t some = blocks < 8 ? blocks : 8;
        wide2 s = { zero, zero, zero };
        size_t i = some & 1;
        if (i)
            mul_add2(&s, _mm256_zextsi128_si256(_mm_xor_si128(a, reversed(load(in)))),
                     _mm256_zextsi128_si256(load(power[8 - some])));
        for (__m256i add = i ? zero : _mm256_zextsi128_si256(a); i < some; i += 2, add = zero)
            mul_add2(&s, _mm256_xor_si256(add, reversed2(load2(in + 16 * i))), load2(power[8 - some + i]));
        a = reduce((wide){ folded(s.low), folded(s.middle), folded(s.high) });
        blocks -= some;
        in += 16 * some;
    }
    _mm_storeu_si128((__m128i *)(void *)y, reversed(a));
}

/* As in f2_128_aesni.c, two steps of the ladder to a register. */
static inline __m256i times_x8(__m256i t, int reflected)
{
    const __m256i last = _mm256_srli_si256(t, 15), moved = _mm256_slli_si256(t, 1);
    if (!reflected) return _mm256_xor_si256(moved, _mm256_clmulepi64_epi128(last, _mm256_set1_epi64x(0x87), 0x00));
    const __m128i exchange = _mm_setr_epi8(1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i product = _mm256_clmulepi64_epi128(last, _mm256_set1_epi64x(0xe1 << 1), 0x00);
    return _mm256_xor_si256(moved, _mm256_shuffle_epi8(product, _mm256_broadcastsi128_si256(exchange)));
}

static void ty_f2_128_ladder_vaes(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected)
{
    if (n >= 8) {
        __m128i first[8];
        __m256i v[4];
        eight(first, t, reflected);
        for (int i = 0; i < 4; i++) v[i] = _mm256_set_m128i(first[2 * i + 1], first[2 * i]);
        for (; n >= 8; n -= 8, m += 128)
            for (int i = 0; i < 4; i++) {
                _mm256_storeu_si256((__m256i *)(void *)(m + 32 * i), v[i]);
                v[i] = times_x8(v[i], reflected);
            }
        _mm_storeu_si128((__m128i *)(void *)t, _mm256_castsi256_si128(v[0]));
        ty_wipe(first, sizeof first);
    }
    ty_f2_128_ladder_c(m, n, t, reflected);
}

const ty_f2_128_ops ty_f2_128_ops_vaes = {
    ty_f2_128_powers_vaes, ty_f2_128_horner_vaes, ty_f2_128_ladder_vaes };
#include "base/level_end.h"
#endif
