/* GF(2^128) with VPCLMULQDQ: two products per instruction, eight blocks for one reduction; sixteen
 * would gain nothing more.
 *
 * The sum is that of f2_128_eight.h, with its even terms in the lower halves and its odd ones in
 * the upper ones.
 * power[] is in reverse, h^8 first, so that two neighbours are the factors of two neighbouring
 * blocks. Whole groups of eight are multiplied with Karatsuba's three products: the sums of the
 * factors' words are computed once per call, and those of the blocks cost less than the fourth
 * product.
 *
 * Lower bound: 3 VPCLMULQDQ per two blocks, one in two cycles on Zen 3 and Zen 4, and 2 for the
 * reduction: 28 / 128 = 0.22 cycles per byte. Measured on Zen 4: 0.27, and 0.33 with four products.
 * Keeping a sum in each half, and joining the two once at the end, took as long. */
#include "mod/f2_128.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/vec.h"
#include "mod/f2_128_x.h"

#define TY_LEVEL vaes
#include "base/level_begin.h"
#include "mod/f2_128_clmul.h"

typedef struct wide2 { v256 low, middle, high; } wide2;

static inline v256 swapped2(v256 x, const int swap)
{
    return swap ? v256_shuf8(x, v256_row(reverse)) : x;
}

static inline void mul_add2(wide2 *s, v256 x, v256 h)
{
    s->low ^= v256_clmul_ll(x, h);
    s->high ^= v256_clmul_hh(x, h);
    s->middle ^= v256_clmul_hl(x, h);
    s->middle ^= v256_clmul_lh(x, h);
}

static inline v128 xor_halves(v256 x) { return v256_low(x) ^ v256_high(x); }

static void ty_f2_128_powers_vaes(uint64_t power[TY_AT_LEAST(8)][2],
                                  const uint8_t h[TY_AT_LEAST(16)])
{
    const v128 first = primed(h);
    v128 p = first;
    for (int i = 7; i >= 0; i--) {
        v128_store(power[i], p);
        p = mul(p, first);
    }
}

/* A factor used often; sum: in the low word of each half, the sum of the two words of h */
typedef struct factor { v256 h, sum; } factor;

static inline factor factor_at(const uint64_t (*power)[2])
{
    const v256 h = v256_load(power);
    return (factor){ h, h ^ v256_swap64(h) };
}

/* Karatsuba: the middle products are those of the sums, and still contain low and high; the caller
 * adds these. */
static inline void mul3_add(wide2 *s, v256 x, factor f)
{
    const v256 sum = x ^ v256_swap64(x);
    s->low ^= v256_clmul_ll(x, f.h);
    s->high ^= v256_clmul_hh(x, f.h);
    s->middle ^= v256_clmul_ll(sum, f.sum);
}

/* Whole groups of eight; h7 is h^8 and h^7, and so on. The blocks that do not depend on a are
 * multiplied first. */
static inline __attribute__((always_inline))
v128 eights(v128 a, const uint8_t *in, size_t groups, const uint64_t (*power)[2], const int swap)
{
    const v256 zero = v256_zero();
    const factor h7 = factor_at(power), h5 = factor_at(power + 2), h3 = factor_at(power + 4),
                 h1 = factor_at(power + 6);
    for (; groups; groups--, in += 128) {
        wide2 s = { zero, zero, zero };
        mul3_add(&s, swapped2(v256_load(in + 32), swap), h5);
        mul3_add(&s, swapped2(v256_load(in + 64), swap), h3);
        mul3_add(&s, swapped2(v256_load(in + 96), swap), h1);
        V_PIN(s.low);
        V_PIN(s.middle);
        V_PIN(s.high);
        mul3_add(&s, v256_of(a) ^ swapped2(v256_load(in), swap), h7);
        s.middle ^= s.low ^ s.high;
        a = reduce((wide){ xor_halves(s.low), xor_halves(s.middle), xor_halves(s.high) });
    }
    return a;
}

/* horner if swap is 1, polyval if it is 0 */
static inline __attribute__((always_inline))
void any_order(uint8_t y[16], const uint8_t *in, size_t blocks, const uint64_t (*power)[2],
               const int swap)
{
    const v256 zero = v256_zero();
    v128 a = swapped(v128_load(y), swap);
    if (blocks >= 32) {   /* fewer are not worth the sums of the factors */
        a = eights(a, in, blocks / 8, power, swap);
        in += blocks / 8 * 128;
        blocks %= 8;
    }
    while (blocks) {
        const size_t some = blocks < 8 ? blocks : 8;
        wide2 s = { zero, zero, zero };
        size_t i = some & 1;
        if (i) {
            const v128 x = a ^ swapped(v128_load(in), swap);
            mul_add2(&s, v256_of(x), v256_of(v128_load(power[8 - some])));
        }
        for (v256 add = i ? zero : v256_of(a); i < some; i += 2, add = zero) {
            const v256 x = add ^ swapped2(v256_load(in + 16 * i), swap);
            mul_add2(&s, x, v256_load(power[8 - some + i]));
        }
        a = reduce((wide){ xor_halves(s.low), xor_halves(s.middle), xor_halves(s.high) });
        blocks -= some;
        in += 16 * some;
    }
    v128_store(y, swapped(a, swap));
}

static void ty_f2_128_horner_vaes(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                  const uint64_t power[TY_AT_LEAST(8)][2])
{
    any_order(y, in, blocks, power, 1);
}

static void ty_f2_128_polyval_vaes(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                   const uint64_t power[TY_AT_LEAST(8)][2])
{
    any_order(y, in, blocks, power, 0);
}

/* As in f2_128_eight.h, two steps of the ladder to a register. */
static inline v256 times_x8(v256 t, int reflected)
{
    const v256 last = v256_last8(t), moved = v256_up8(t);
    if (!reflected) return moved ^ v256_clmul_ll(last, v256_set64(TY_F2_128_CARRY));
    const v256 carry = v256_clmul_ll(last, v256_set64(TY_F2_128_CARRY_REFLECTED << 1));
    return moved ^ v256_shuf8(carry, v256_row(exchange));
}

static void ty_f2_128_ladder_vaes(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected)
{
    if (n >= 8) {
        v128 first[8];
        v256 v[4];
        eight(first, t, reflected);
        for (int i = 0; i < 4; i++) v[i] = v256_join(first[2 * i], first[2 * i + 1]);
        for (; n >= 8; n -= 8, m += 128)
            for (int i = 0; i < 4; i++) {
                v256_store(m + 32 * i, v[i]);
                v[i] = times_x8(v[i], reflected);
            }
        v128_store(t, v256_low(v[0]));
        ty_wipe(first, sizeof first);
        ty_wipe(v, sizeof v);
    }
    ty_f2_128_ladder_c(m, n, t, reflected);
}

const ty_f2_128_ops ty_f2_128_ops_vaes = {
    ty_f2_128_powers_vaes, ty_f2_128_horner_vaes, ty_f2_128_polyval_vaes, NULL,
    ty_f2_128_ladder_vaes };
#include "base/level_end.h"
#endif
