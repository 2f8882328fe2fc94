/* GF(2^128) with VPCLMULQDQ in zmm registers: four products per instruction, and up to 32 blocks
 * for one reduction. The layout of power[] is that of f2_128_vaes.c, h^8 first; h^12 ... h^32 are
 * computed from it.
 *
 * Lower bound: by Karatsuba 3 VPCLMULQDQ per 64 bytes, one in 2.2 cycles on Zen 4, and 2 for each
 * reduction: 26 for 512 bytes, 0.11 core cycles per byte. Measured there: 0.135, which is 0.094
 * cycles of the TSC; in cycles of the TSC 0.127 with 16 blocks for one reduction, and 0.082 without
 * any reduction. Each group waits for a product and a reduction of the group before, 41 cycles, and
 * 16 blocks are too few to hide them. Keeping the sum as two words, and multiplying each by a
 * factor of its own, shortens that chain but takes three products instead of two: 16 blocks took
 * 0.105, 32 blocks the same time as here. */
#include "mod/f2_128.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/vec.h"
#include "mod/f2_128_x.h"

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#include "mod/f2_128_clmul.h"

typedef struct wide4 { v512 low, middle, high; } wide4;

static inline wide4 mul4(v512 x, v512 h)
{
    const v512 middle = v512_clmul_hl(x, h) ^ v512_clmul_lh(x, h);
    return (wide4){ v512_clmul_ll(x, h), middle, v512_clmul_hh(x, h) };
}

static inline wide4 add(wide4 x, wide4 y)
{
    return (wide4){ x.low ^ y.low, x.middle ^ y.middle, x.high ^ y.high };
}

static inline v128 xor_quarters(v512 x)
{
    const v256 y = v512_low(x) ^ v512_high(x);
    return v256_low(y) ^ v256_high(y);
}

/* The sum of the four parts. */
static inline wide parts(wide4 s)
{
    return (wide){ xor_quarters(s.low), xor_quarters(s.middle), xor_quarters(s.high) };
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

/* A factor used often; sum: in the low word of every part, the sum of the two words of h */
typedef struct factor { v512 h, sum; } factor;

static inline factor factor_of(v512 h) { return (factor){ h, h ^ v512_swap64(h) }; }

/* Karatsuba's three products; the middle one, of the sums, still contains low and high, which the
 * caller adds. */
static inline wide4 mul3(v512 x, factor f)
{
    const v512 sum = x ^ v512_swap64(x);
    return (wide4){ v512_clmul_ll(x, f.h), v512_clmul_ll(sum, f.sum), v512_clmul_hh(x, f.h) };
}

/* x + y + z, computed at this point. Otherwise the compiler computes all products first, for which
 * there are not enough registers, and the spilled values stay on the stack. */
static inline wide4 add3(wide4 x, wide4 y, wide4 z)
{
    wide4 sum = { v512_xor3(x.low, y.low, z.low), v512_xor3(x.middle, y.middle, z.middle),
                  v512_xor3(x.high, y.high, z.high) };
    __asm__("" : "+v"(sum.low), "+v"(sum.middle), "+v"(sum.high));
    return sum;
}

/* A row: four blocks, as elements */
static inline v512 row(const uint8_t *in, v512 order) { return v512_shuf8(v512_load(in), order); }

/* sum + the row at `in` times f + the next times g */
static inline wide4 two_rows(wide4 sum, const uint8_t *in, factor f, factor g, v512 order)
{
    return add3(sum, mul3(row(in, order), f), mul3(row(in + 64, order), g));
}

typedef struct factors { factor h4, h8, h12, h16, h20, h24, h28, h32; } factors;

/* Whole groups of 4 * rows blocks. Every part of s is a sum for a quarter of the blocks: with eight
 * rows, s = s h^32 + row_0 h^28 + ... + row_6 h^4 + row_7. So only a product and its reduction wait
 * for the group before, and the parts are joined only at the end, where part i is multiplied by
 * h^(4 - i). */
static inline __attribute__((always_inline))
v128 groups_of(const size_t rows, v128 a, const uint8_t *in, size_t groups, factors f, v512 last,
               v512 order)
{
    v512 first = v512_of(a), s = v512_zero();
    for (; groups; groups--, in += 64 * rows) {
        const uint8_t *end = in + 64 * rows;
        wide4 sum = mul3(first ^ row(in, order), rows == 8 ? f.h28 : f.h12);
        first = v512_zero();
        if (rows == 8) {
            sum = two_rows(sum, in + 64, f.h24, f.h20, order);
            sum = two_rows(sum, in + 192, f.h16, f.h12, order);
        }
        sum = two_rows(sum, end - 192, f.h8, f.h4, order);
        sum = add(sum, mul3(s, rows == 8 ? f.h32 : f.h16));
        sum.middle = v512_xor3(sum.middle, sum.low, sum.high);
        s = reduce4(sum) ^ row(end - 64, order);
    }
    return reduce(parts(mul4(s, last)));
}

/* a factor: part i of x in every part */
#define ALL_PARTS(x, i) factor_of(_mm512_shuffle_i32x4(x, x, 0x55 * (i)))

/* y absorbs whole groups of 16 blocks, or of 32 if there are 96 blocks or more; returns how many
 * blocks that is. blocks >= 32. order_of: the place in a block of each byte of an element, lowest
 * byte first */
static __attribute__((noinline))
size_t ty_f2_128_many_blocks_gfni512(uint8_t y[16], const uint8_t *in, size_t blocks,
                                     const uint64_t (*power)[2], const uint8_t order_of[16])
{
    const size_t rows = blocks < 96 ? 4 : 8, groups = blocks / (4 * rows);
    const v512 h8 = v512_row(power[0]), last = v512_load(power[4]), order = v512_row(order_of);
    const v512 four = ALL_PARTS(last, 0).h, odd = _mm512_mask_blend_epi64(0x33, h8, four);
    factors f;
    f.h4 = factor_of(four);
    f.h8 = factor_of(h8);
    const v512 x = reduce4(mul4(odd, h8));       /* h^12, h^16, h^12, h^16 */
    f.h12 = ALL_PARTS(x, 0);
    f.h16 = ALL_PARTS(x, 1);
    v128 a = v128_shuf8(v128_load(y), v128_load(order_of));
    if (rows == 4) {
        a = groups_of(4, a, in, groups, f, last, order);
    } else {
        const v512 z = reduce4(mul4(_mm512_mask_blend_epi64(0xf0, odd, x), f.h16.h));
        f.h20 = ALL_PARTS(z, 0);
        f.h24 = ALL_PARTS(z, 1);
        f.h28 = ALL_PARTS(z, 2);
        f.h32 = ALL_PARTS(z, 3);
        a = groups_of(8, a, in, groups, f, last, order);
    }
    v128_store(y, v128_shuf8(a, v128_load(order_of)));
    return 4 * rows * groups;
}

/* The sum of products of eight blocks or fewer: blocks that the masks exclude are zero, and do not
 * change it. */
static inline __attribute__((always_inline))
wide some_blocks(const uint8_t *in, size_t n, const uint64_t *h, v512 order)
{
    const unsigned words = (1u << 2 * n) - 1;
    const __mmask8 low = (__mmask8)words, high = (__mmask8)(words >> 8);
    const v512 x = v512_shuf8(_mm512_maskz_loadu_epi64(low, in), order);
    const wide4 s = mul4(x, _mm512_maskz_loadu_epi64(low, h));
    if (n <= 4) return parts(s);
    const v512 y = v512_shuf8(_mm512_maskz_loadu_epi64(high, in + 64), order);
    return parts(add(s, mul4(y, _mm512_maskz_loadu_epi64(high, h + 8))));
}

/* Fewer than 32 blocks. The sum of the blocks before, a, is multiplied separately, so that no
 * group's blocks wait for the group before. The order is passed by address, because GCC 12 does not
 * end a function that takes a vector of 512 bits with vzeroupper, nor the caller. */
static v128 ty_f2_128_few_blocks_gfni512(v128 a, const uint8_t *in, size_t blocks,
                                         const uint64_t (*power)[2], const uint8_t order_of[16])
{
    const v512 order = v512_row(order_of);
    while (blocks) {
        const size_t some = blocks < 8 ? blocks : 8;
        const uint64_t *h = power[8 - some];
        wide s = some_blocks(in, some, h, order);
        mul_add(&s, a, v128_load(h));
        a = reduce(s);
        blocks -= some;
        in += 16 * some;
    }
    return a;
}

static void ty_f2_128_absorb_gfni512(uint8_t y[16], const uint8_t *in, size_t blocks,
                                     const uint64_t (*power)[2], const uint8_t order[16])
{
    if (blocks >= 32) {
        const size_t done = ty_f2_128_many_blocks_gfni512(y, in, blocks, power, order);
        in += 16 * done;
        blocks -= done;
    }
    const v128 turn = v128_load(order);
    const v128 a = v128_shuf8(v128_load(y), turn);
    v128_store(y, v128_shuf8(ty_f2_128_few_blocks_gfni512(a, in, blocks, power, order), turn));
}

static void ty_f2_128_horner_gfni512(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                     const uint64_t power[TY_AT_LEAST(8)][2])
{
    ty_f2_128_absorb_gfni512(y, in, blocks, power, reverse);
}

static void ty_f2_128_polyval_gfni512(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                      const uint64_t power[TY_AT_LEAST(8)][2])
{
    static const uint8_t same[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    ty_f2_128_absorb_gfni512(y, in, blocks, power, same);
}

/* Four messages at a time: their sums of products, one in each part, are reduced together, and so
 * are the products of the sums of the blocks before. */
static void ty_f2_128_horner16_gfni512(uint8_t y[TY_AT_LEAST(256)],
                                       const uint8_t *const in[TY_AT_LEAST(16)], size_t blocks,
                                       const uint64_t (*const power[TY_AT_LEAST(16)])[2])
{
    const v512 order = v512_row(reverse);
    for (size_t m = 0; m < 16; m += 4) {
        v512 a = v512_shuf8(v512_load(y + 16 * m), order);
        for (size_t done = 0, some; done < blocks; done += some) {
            some = blocks - done < 8 ? blocks - done : 8;
            wide s[4];
            v128 h[4];
            for (size_t i = 0; i < 4; i++) {
                const uint64_t *from = power[m + i][8 - some];
                h[i] = v128_load(from);
                s[i] = some_blocks(in[m + i] + 16 * done, some, from, order);
            }
            const wide4 sum = { v512_join(s[0].low, s[1].low, s[2].low, s[3].low),
                                v512_join(s[0].middle, s[1].middle, s[2].middle, s[3].middle),
                                v512_join(s[0].high, s[1].high, s[2].high, s[3].high) };
            a = reduce4(add(sum, mul4(a, v512_join(h[0], h[1], h[2], h[3]))));
        }
        v512_store(y + 16 * m, v512_shuf8(a, order));
    }
    v512_clear_upper();
}

static void ty_f2_128_ladder_gfni512(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)],
                                     int reflected)
{
    ty_f2_128_ops_vaes.ladder(m, n, t, reflected);
}

const ty_f2_128_ops ty_f2_128_ops_gfni512 = {
    ty_f2_128_powers_gfni512, ty_f2_128_horner_gfni512, ty_f2_128_polyval_gfni512,
    ty_f2_128_horner16_gfni512, ty_f2_128_ladder_gfni512 };
#include "base/level_end.h"
#endif
