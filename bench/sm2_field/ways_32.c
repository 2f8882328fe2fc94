/* The implementations of the field of SM2 in 32-bit words (sm2_field/ways_words.h). Two methods are
 * only here: the sums of the fast reduction for machines without a 64-bit type, and long
 * division. */
#include "sm2_field/ways.h"

#define TY_LEVEL c
#include "base/level_begin.h"
#define TY_LIMB_BITS 32
#define TY_OWN(name) TY_K(p_sm2_ways_##name)
#include "mod/sm2_names.h"
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/p_sm2_clear.h"
#include "sm2_field/ways_words.h"

/* --- sums: no word is longer than 32 bits ----------------------------------------------------- */

/* z += x; returns the carry. The carry out of a word is 1 if the top bits of x and z are both 1, or
 * if one of them is 1 and that of the sum is 0. No comparison, which a compiler may turn into a
 * branch. */
static uint32_t ty_p_sm2_ways_add32_c(uint32_t z[TY_AT_LEAST(8)], const uint32_t x[TY_AT_LEAST(8)])
{
    uint32_t c = 0;
    TY_UNROLL for (int i = 0; i < 8; i++) {
        const uint32_t s = z[i] + x[i] + c;
        c = ((z[i] & x[i]) | ((z[i] | x[i]) & ~s)) >> 31;
        z[i] = s;
    }
    return c;
}

/* z -= x; returns the borrow */
static uint32_t ty_p_sm2_ways_sub32_c(uint32_t z[TY_AT_LEAST(8)], const uint32_t x[TY_AT_LEAST(8)])
{
    uint32_t b = 0;
    TY_UNROLL for (int i = 0; i < 8; i++) {
        const uint32_t d = z[i] - x[i] - b;
        b = ((~z[i] & x[i]) | ((~z[i] | x[i]) & d)) >> 31;
        z[i] = d;
    }
    return b;
}

/* The lower 256 bits of k p, k >= 1, in closed form: 0 - k (2^224 + 2^96 - 2^64 + 1). The bits
 * above them are k - 1. */
#define MULTIPLE(k) { 0u - (k), ~0u, (k) - 1u, 0u - (k), ~0u, ~0u, ~0u, ~(uint32_t)(k) }
static const uint32_t multiples[14][8] = {
    { 0 },       MULTIPLE(1), MULTIPLE(2), MULTIPLE(3),  MULTIPLE(4),  MULTIPLE(5),  MULTIPLE(6),
    MULTIPLE(7), MULTIPLE(8), MULTIPLE(9), MULTIPLE(10), MULTIPLE(11), MULTIPLE(12), MULTIPLE(13),
};

/* z = v mod p by Solinas' sums: s1 + s2 + 2 s3 + 2 s4 + 2 s5 + s6 + s7 + s8 + s9 + 2 s10 - s11 -
 * s12 - s13 - s14, where each s is eight of the words of v, or zeros (the same columns as in
 * mod/p_sm2_fold.h). The carries of all sums add up to k, in 0..13 since v < p^2; then k p is
 * subtracted, which is read from the table with a mask for every row, and p once more if the
 * remainder is not below p. */
static void ty_p_sm2_ways_sums_c(uint32_t z[TY_AT_LEAST(8)], const uint32_t v[TY_AT_LEAST(16)])
{
    const uint32_t c8 = v[8], c9 = v[9], c10 = v[10], c11 = v[11], c12 = v[12], c13 = v[13],
                   c14 = v[14], c15 = v[15];
    const uint32_t s[9][8] = {   /* least significant word first */
        { c8, c9, 0, c11, c12, c13, c14, c15 },      /* s2 */
        { c12, c13, 0, c14, c15, c10, c11, c11 },    /* s6 */
        { c10, c11, 0, c12, c13, c14, c15, c10 },    /* s7 */
        { c9, c10, 0, c8, c9, 0, 0, c9 },            /* s8 */
        { c11, c12, 0, c15, 0, 0, 0, c8 },           /* s9 */
        /* s3; this one and those below are added twice */
        { c15, c15, 0, c13, c14, c15, 0, c15 },
        { c14, c14, 0, 0, 0, 0, 0, c14 },            /* s4 */
        { c13, 0, 0, 0, 0, 0, 0, c13 },              /* s5 */
        { 0, 0, 0, 0, 0, 0, 0, c12 },                /* s10 */
    };
    const uint32_t less[4] = { c8, c9, c13, c14 };   /* s11 to s14: one word each, at 2^64 */
    uint32_t w[8], d[8], k = 0;
    memcpy(w, v, sizeof w);
    for (int i = 0; i < 9; i++) k += ty_p_sm2_ways_add32_c(w, s[i]);
    for (int i = 5; i < 9; i++) k += ty_p_sm2_ways_add32_c(w, s[i]);
    for (int i = 0; i < 4; i++) {
        const uint32_t x[8] = { 0, 0, less[i] };
        k -= ty_p_sm2_ways_sub32_c(w, x);
    }

    uint32_t kp[8] = { 0 };
    for (uint32_t row = 0; row < 14; row++) {
        const uint32_t mask = ty_mask_eq32(row, k);
        TY_UNROLL for (int i = 0; i < 8; i++) kp[i] |= multiples[row][i] & mask;
    }
    /* k - (k - 1), or 0 - 0, less the borrow */
    const uint32_t top = 1 - (ty_mask_zero32(k) & 1) - ty_p_sm2_ways_sub32_c(w, kp);
    memcpy(d, w, sizeof d);
    const uint32_t below = ty_p_sm2_ways_sub32_c(d, multiples[1]) & (1 - top);
    ty_limb256_sel(z, ty_mask_bit32(below), w, d);
}

/* --- divide: uses no property of the modulus -------------------------------------------------- */

/* z = v mod m for m with its top bit set, by Knuth's Algorithm D (The Art of Computer Programming,
 * 4.3.1): each word of the quotient is estimated by dividing the upper two words of the remainder
 * by the upper one of m, and corrected by the next words so that it is at most one too large, in
 * which case m is added back once.
 * time: variable: the division itself on many machines, and the corrections */
static void ty_p_sm2_ways_divide_vt_c(uint32_t z[TY_AT_LEAST(8)],
                                      const uint32_t v[TY_AT_LEAST(16)],
                                      const uint32_t m[TY_AT_LEAST(8)])
{
    uint32_t r[17] = { 0 };
    memcpy(r, v, 16 * sizeof r[0]);
    for (int j = 8; j >= 0; j--) {
        const uint64_t top = (uint64_t)r[j + 8] << 32 | r[j + 7];
        uint64_t guess = top / m[7], rest = top % m[7];
        while (guess >> 32 || guess * m[6] > (rest << 32 | r[j + 6])) {
            guess--;
            rest += m[7];
            if (rest >> 32) break;
        }
        uint32_t carry = 0, borrow = 0;
        for (int i = 0; i < 8; i++)
            r[i + j] =
                ty_limb_sbb(r[i + j], ty_limb_mac(0, (uint32_t)guess, m[i], &carry), &borrow);
        r[j + 8] = ty_limb_sbb(r[j + 8], carry, &borrow);
        if (borrow) r[j + 8] += ty_limb256_add(r + j, r + j, m);
    }
    memcpy(z, r, 8 * sizeof z[0]);
}

/* --- The implementations ---------------------------------------------------------------------- */

/* z = x y mod p, by a full product and a reduction */
#define PRODUCT(name, reduce)                                                                      \
    static inline void name(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)                     \
    {                                                                                              \
        ty_p_sm2_wide t;                                                                           \
        ty_limb256_mul(t.v, x->v, y->v);                                                           \
        reduce;                                                                                    \
    }
PRODUCT(fold_mul, ty_p_sm2_fold(z->v, t.v))
PRODUCT(sums_mul, ty_p_sm2_ways_sums_c(z->v, t.v))
PRODUCT(clear_mul, ty_p_sm2_clear(z->v, t.v))
PRODUCT(divide_mul, ty_p_sm2_ways_divide_vt_c(z->v, t.v, ty_any_modulus()))

#define TY_WAY            fold32
#define TY_WAY_WHAT       "fast reduction: 32-bit words, 64-bit sums"
#define TY_WAY_MONTGOMERY 0
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE     ty_p_sm2_fold
#define TY_WAY_MUL        fold_mul
#define TY_WAY_INV
#include "sm2_field/way.h"

#define TY_WAY            sums32
#define TY_WAY_WHAT       "fast reduction: s1 + ... - s14, no 64-bit type"
#define TY_WAY_MONTGOMERY 0
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE     ty_p_sm2_ways_sums_c
#define TY_WAY_MUL        sums_mul
#include "sm2_field/way.h"

#define TY_WAY            clear32
#define TY_WAY_WHAT       "Montgomery without products, 32-bit words"
#define TY_WAY_MONTGOMERY 1
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE     ty_p_sm2_clear
#define TY_WAY_MUL        clear_mul
#include "sm2_field/way.h"

#define TY_WAY            mont32
#define TY_WAY_WHAT       "Montgomery for any odd modulus, 32-bit words"
#define TY_WAY_MONTGOMERY 1
#define TY_WAY_VARIABLE   0
#define TY_WAY_REDUCE(z, v)  ty_limb256_redc(z, v, ty_any_modulus(), ty_any_m0inv())
#define TY_WAY_MUL(z, x, y)  ty_mont_mul((z)->v, (x)->v, (y)->v, ty_any_modulus(), ty_any_m0inv())
#include "sm2_field/way.h"

#define TY_WAY            divide32
#define TY_WAY_WHAT       "plain: long division by any modulus"
#define TY_WAY_MONTGOMERY 0
#define TY_WAY_VARIABLE   1
#define TY_WAY_REDUCE(z, v)  ty_p_sm2_ways_divide_vt_c(z, v, ty_any_modulus())
#define TY_WAY_MUL        divide_mul
#include "sm2_field/way.h"
#include "base/level_end.h"
