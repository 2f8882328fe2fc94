/* GF(2^128) by carry-less multiplication, eight blocks for one reduction: (y + in_0) h^8 + in_1 h^7
 * + ... + in_7 h is a sum of 256-bit products, and reduction is linear: add first, reduce once.
 * Included after level_begin.h. It defines TY_K(f2_128_powers), _horner, _polyval and _ladder. */
#ifndef TY_MOD_F2_128_EIGHT_H
#define TY_MOD_F2_128_EIGHT_H

#include "mod/f2_128_clmul.h"

/* power[i] = h^(i+1), primed */
static void TY_K(f2_128_powers)(uint64_t power[TY_AT_LEAST(8)][2], const uint8_t h[TY_AT_LEAST(16)])
{
    const v128 first = primed(h);
    v128 p = first;
    for (int i = 0; i < 8; i++) {
        v128_store(power[i], p);
        p = mul(p, first);
    }
}

/* horner if swap is 1, polyval if it is 0 */
static inline __attribute__((always_inline))
void any_order(uint8_t y[16], const uint8_t *in, size_t blocks, const uint64_t (*power)[2],
               const int swap)
{
    v128 a = swapped(v128_load(y), swap);
    while (blocks) {
        const size_t some = blocks < 8 ? blocks : 8;
        wide s = { v128_zero(), v128_zero(), v128_zero() };
        mul_add(&s, a ^ swapped(v128_load(in), swap), v128_load(power[some - 1]));
        for (size_t i = 1; i < some; i++)
            mul_add(&s, swapped(v128_load(in + 16 * i), swap), v128_load(power[some - 1 - i]));
        a = reduce(s);
        blocks -= some;
        in += 16 * some;
    }
    v128_store(y, swapped(a, swap));
}

static void TY_K(f2_128_horner)(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                const uint64_t power[TY_AT_LEAST(8)][2])
{
    any_order(y, in, blocks, power, 1);
}

static void TY_K(f2_128_polyval)(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                                 const uint64_t power[TY_AT_LEAST(8)][2])
{
    any_order(y, in, blocks, power, 0);
}

/* t x^8 in memory order: in both orders every byte moves up by one, and the last one, b, is added
 * as b (x^7 + x^2 + x + 1) to the first two. In the order "reflected" that product is bit-reversed
 * too, one bit lower and with its bytes exchanged. */
static inline v128 times_x8(v128 t, int reflected)
{
    const v128 last = v128_last8(t), moved = v128_up8(t);
    if (!reflected) return moved ^ v128_clmul_ll(last, v128_pair(0, TY_F2_128_CARRY));
    const v128 carry = v128_clmul_ll(last, v128_pair(0, TY_F2_128_CARRY_REFLECTED << 1));
    return moved ^ v128_shuf8(carry, v128_load(exchange));
}

/* Eight ladders with steps of x^8 side by side. */
static void TY_K(f2_128_ladder)(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected)
{
    if (n >= 8) {
        v128 v[8];
        eight(v, t, reflected);
        for (; n >= 8; n -= 8, m += 128)
            for (int i = 0; i < 8; i++) {
                v128_store(m + 16 * i, v[i]);
                v[i] = times_x8(v[i], reflected);
            }
        v128_store(t, v[0]);
        ty_wipe(v, sizeof v);
    }
    ty_f2_128_ladder_c(m, n, t, reflected);
}

#endif
