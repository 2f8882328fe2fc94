/* GF(2^128) with VPCLMULQDQ in zmm registers: four products an instruction, and 16 blocks for one
 * reduction. The layout of power[] is that of f2_128_vaes.c, h^8 first; h^16 ... h^9 are made of
 * it.
 *
 * Lower bound: 16 VPCLMULQDQ per 256 bytes, one in two cycles on Zen 4, and 2 for the reduction: 36
 * / 256 = 0.14 cycles per byte. Measured there: 0.19, of vaes 0.33; a reduction takes 27 cycles, of
 * which not all are hidden. Three products by Karatsuba took as long. 32 blocks for one reduction,
 * with the powers in all parts and a sum in each, took 0.15, but 1.4 times as long on 64 blocks. */
#include "mod/f2_128.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/vec.h"
#include "mod/f2_128_x.h"

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#include "mod/f2_128_clmul.h"

typedef struct wide4 { v512 low, middle, high; } wide4;

static inline v512 swapped4(v512 x, const int swap)
{
    return swap ? v512_shuf8(x, v512_row(reverse)) : x;
}

static inline wide4 mul4(v512 x, v512 h)
{
    const v512 middle = v512_clmul_hl(x, h) ^ v512_clmul_lh(x, h);
    return (wide4){ v512_clmul_ll(x, h), middle, v512_clmul_hh(x, h) };
}

static inline wide4 add(wide4 x, wide4 y)
{
    return (wide4){ x.low ^ y.low, x.middle ^ y.middle, x.high ^ y.high };
}

static inline wide4 add3(wide4 x, wide4 y, wide4 z)
{
    return (wide4){ v512_xor3(x.low, y.low, z.low), v512_xor3(x.middle, y.middle, z.middle),
                    v512_xor3(x.high, y.high, z.high) };
}

static inline v128 xor_quarters(v512 x)
{
    const v256 y = v512_low(x) ^ v512_high(x);
    return v256_low(y) ^ v256_high(y);
}

/* The sum of the four parts. */
static inline v128 reduced(wide4 s)
{
    return reduce((wide){ xor_quarters(s.low), xor_quarters(s.middle), xor_quarters(s.high) });
}

/* clear() and reduce() of f2_128_clmul.h, part by part. */
static inline v512 clear4(v512 x)
{
    const v512 p = v512_pair(0, 0xc200000000000000u);
    return v512_swap64(x) ^ v512_clmul_ll(x, p);
}

static inline v512 reduce4(wide4 s)
{
    const v512 low = s.low ^ v512_up64(s.middle);
    return v512_xor3(s.high, v512_down64(s.middle), clear4(clear4(low)));
}

static void ty_f2_128_powers_gfni512(uint64_t power[TY_AT_LEAST(8)][2],
                                     const uint8_t h[TY_AT_LEAST(16)])
{
    const v128 h1 = primed(h), h2 = mul(h1, h1), h3 = mul(h2, h1), h4 = mul(h2, h2);
    const v512 low = v512_join(h4, h3, h2, h1);
    v512_store(power[0], reduce4(mul4(low, v512_join(h4, h4, h4, h4))));
    v512_store(power[4], low);
}

/* Whole groups of 16 blocks. What does not wait for a is multiplied first. */
static inline __attribute__((always_inline))
v128 sixteens(v128 a, const uint8_t *in, size_t groups, const uint64_t (*power)[2], const int swap)
{
    const v512 h2 = v512_load(power[0]), h3 = v512_load(power[4]), h8 = v512_row(power[0]);
    const v512 h0 = reduce4(mul4(h2, h8)), h1 = reduce4(mul4(h3, h8));
    for (; groups; groups--, in += 256) {
        const wide4 rest = add3(mul4(swapped4(v512_load(in + 64), swap), h1),
                                mul4(swapped4(v512_load(in + 128), swap), h2),
                                mul4(swapped4(v512_load(in + 192), swap), h3));
        const v512 x = v512_of(a) ^ swapped4(v512_load(in), swap);
        a = reduced(add(mul4(x, h0), rest));
    }
    return a;
}

/* Eight blocks or fewer: what the masks leave out is zero, and adds nothing. */
static inline __attribute__((always_inline))
v128 eight_or_fewer(v128 a, const uint8_t *in, size_t n, const uint64_t (*power)[2], const int swap)
{
    const unsigned words = (1u << 2 * n) - 1;
    const __mmask8 low = (__mmask8)words, high = (__mmask8)(words >> 8);
    const uint64_t *h = power[8 - n];
    const v512 x = v512_of(a) ^ swapped4(_mm512_maskz_loadu_epi64(low, in), swap);
    const wide4 s = mul4(x, _mm512_maskz_loadu_epi64(low, h));
    if (n <= 4) return reduced(s);
    const wide4 t = mul4(swapped4(_mm512_maskz_loadu_epi64(high, in + 64), swap),
                         _mm512_maskz_loadu_epi64(high, h + 8));
    return reduced(add(s, t));
}

static inline __attribute__((always_inline))
void any_order(uint8_t y[16], const uint8_t *in, size_t blocks, const uint64_t (*power)[2],
               const int swap)
{
    v128 a = swapped(v128_load(y), swap);
    if (blocks >= 32) {
        a = sixteens(a, in, blocks / 16, power, swap);
        in += blocks / 16 * 256;
        blocks %= 16;
    }
    while (blocks) {
        const size_t some = blocks < 8 ? blocks : 8;
        a = eight_or_fewer(a, in, some, power, swap);
        blocks -= some;
        in += 16 * some;
    }
    v128_store(y, swapped(a, swap));
}

static void ty_f2_128_horner_gfni512(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                     const uint64_t power[TY_AT_LEAST(8)][2])
{
    any_order(y, in, blocks, power, 1);
}

static void ty_f2_128_polyval_gfni512(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                      const uint64_t power[TY_AT_LEAST(8)][2])
{
    any_order(y, in, blocks, power, 0);
}

static void ty_f2_128_ladder_gfni512(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)],
                                     int reflected)
{
    ty_f2_128_ops_vaes.ladder(m, n, t, reflected);
}

const ty_f2_128_ops ty_f2_128_ops_gfni512 = {
    ty_f2_128_powers_gfni512, ty_f2_128_horner_gfni512, ty_f2_128_polyval_gfni512,
    ty_f2_128_ladder_gfni512 };
#include "base/level_end.h"
#endif
