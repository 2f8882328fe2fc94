/* GF(2^128) with VPCLMULQDQ: two products an instruction, sixteen blocks for one reduction would
 * gain nothing more.
 *
 * The sum of f2_128_eight.h, its even terms in the lower halves and its odd ones in the upper.
 * power[] is in reverse, h^8 first, so that two neighbours are what two neighbouring blocks are
 * multiplied by. Lower bound: 4 VPCLMULQDQ per two blocks, one in two cycles on Zen 3: 8 / 32 =
 * 0.25 cycles per byte, and 2 per 8 blocks for the reduction: 0.28. Three by Karatsuba would be
 * 0.19, but its sums cost as much again. */
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

static inline __attribute__((always_inline))
void any_order(uint8_t y[16], const uint8_t *in, size_t blocks, const uint64_t (*power)[2],
               const int swap)
{
    const v256 zero = v256_zero();
    v128 a = swapped(v128_load(y), swap);
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
    }
    ty_f2_128_ladder_c(m, n, t, reflected);
}

const ty_f2_128_ops ty_f2_128_ops_vaes = {
    ty_f2_128_powers_vaes, ty_f2_128_horner_vaes, ty_f2_128_polyval_vaes, ty_f2_128_ladder_vaes };
#include "base/level_end.h"
#endif
