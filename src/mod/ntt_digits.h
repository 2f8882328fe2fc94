/* Limbs to digits of 64 or 56 bits, and sums of wide coefficients back to limbs. Parts of the body of ntt.c's tiers. */
#ifndef TY_MOD_NTT_DIGITS_H
#define TY_MOD_NTT_DIGITS_H

#include "mod/ntt.h"

#include <string.h>

/* how many digits n limbs have */
static inline size_t ty_ntt_digits(size_t n, unsigned bits)
{
    if (bits == 64) return TY_LIMB_BITS == 64 ? n : n / 2 + n % 2;
    return n / bits * TY_LIMB_BITS + (n % bits * TY_LIMB_BITS + bits - 1) / bits;
}

/* the part of v that belongs to limbs from bit `bit` of z on; digits that come later find zeros there */
static inline void ty_ntt_put(ty_limb *z, size_t n, size_t bit, uint64_t v, unsigned bits)
{
    size_t i = bit / TY_LIMB_BITS;
    const unsigned s = (unsigned)(bit % TY_LIMB_BITS);
    if (i < n) z[i] |= (ty_limb)(v << s);
    for (unsigned k = TY_LIMB_BITS - s; k < bits && ++i < n; k += TY_LIMB_BITS) z[i] = (ty_limb)(v >> k);
}

/* out[TY_NTT_BLOCK] = the digits of x[n] from digit i on, zeros above the last */
static inline void ty_ntt_split(uint64_t *out, const ty_limb *x, size_t n, size_t i, unsigned bits)
{
    const size_t count = ty_ntt_digits(n, bits) - i;
    const size_t have = count < TY_NTT_BLOCK ? count : TY_NTT_BLOCK;
    for (size_t k = have; k < TY_NTT_BLOCK; k++) out[k] = 0;
    if (bits == 64 && TY_LIMB_BITS == 64) {
        memcpy(out, x + i, have * sizeof *out);
        return;
    }
    for (size_t k = 0; k < have; k++) {
        const size_t bit = (i + k) * bits;
        size_t l = bit / TY_LIMB_BITS;
        const unsigned s = (unsigned)(bit % TY_LIMB_BITS);
        uint64_t v = x[l] >> s;
        for (unsigned t = TY_LIMB_BITS - s; t < bits && ++l < n; t += TY_LIMB_BITS) v |= (uint64_t)x[l] << t;
        out[k] = v << (64 - bits) >> (64 - bits);
    }
}

/* --- 128 bits ------------------------------------------------------------------------------------------------------------ */

typedef struct ty_wide {
    uint64_t low, high;
} ty_wide;

static inline ty_wide ty_wide_mul(uint64_t x, uint64_t y)
{
#if defined(__SIZEOF_INT128__)
    __extension__ const unsigned __int128 t = (unsigned __int128)x * y;
    const ty_wide z = { (uint64_t)t, (uint64_t)(t >> 64) };
#else
    const uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    const uint64_t low = x0 * y0, middle = x1 * y0 + (low >> 32), other = x0 * y1 + (uint32_t)middle;
    const ty_wide z = { other << 32 | (uint32_t)low, x1 * y1 + (middle >> 32) + (other >> 32) };
#endif
    return z;
}

static inline ty_wide ty_wide_add(ty_wide x, ty_wide y)
{
#if defined(__SIZEOF_INT128__)
    __extension__ const unsigned __int128 t = ((unsigned __int128)x.high << 64 | x.low) + ((unsigned __int128)y.high << 64 | y.low);
    const ty_wide z = { (uint64_t)t, (uint64_t)(t >> 64) };
#else
    const uint64_t low = x.low + y.low;
    const ty_wide z = { low, x.high + y.high + (low < y.low) };
#endif
    return z;
}

static inline ty_wide ty_wide_add_1(ty_wide x, uint64_t y)
{
    const ty_wide t = { y, 0 };
    return ty_wide_add(x, t);
}

/* --- Coefficients, each a digit above the one before, into limbs --------------------------------------------------------- */

typedef struct ty_ntt_sum {
    ty_limb *z;
    size_t n, digits;
    unsigned bits;
    ty_wide carry;   /* below 2^90 */
} ty_ntt_sum;

static inline ty_ntt_sum ty_ntt_sum_open(ty_limb *z, size_t n, unsigned bits)
{
    const ty_ntt_sum s = { z, n, ty_ntt_digits(n, bits), bits, { 0, 0 } };
    if (bits != 64 || TY_LIMB_BITS != 64) memset(z, 0, n * sizeof *z);
    return s;
}

/* The next count of them, each t0 + a t1 + ab t2. With a, b, t < 2^50 and ab = h 2^64 + l, h < 2^36:
 * c = t0 + a t1 + carry < 2^101, d = l t2 + the lower half of c < 2^128, and h t2 + the upper halves < 2^87. */
static inline void ty_ntt_sum_add(ty_ntt_sum *s, const uint64_t *t, size_t from, size_t count)
{
    const uint64_t a = ty_ntt_primes[0].p, l = ty_ntt_join.low, h = ty_ntt_join.high;
    ty_wide carry = s->carry;
    const unsigned bits = s->bits;
    for (size_t i = 0; i < count; i++) {
        const ty_wide c = ty_wide_add_1(ty_wide_add(ty_wide_mul(a, t[TY_NTT_BLOCK + i]), carry), t[i]);
        const ty_wide d = ty_wide_add_1(ty_wide_mul(l, t[2 * TY_NTT_BLOCK + i]), c.low);
        carry = ty_wide_add_1(ty_wide_add_1(ty_wide_mul(h, t[2 * TY_NTT_BLOCK + i]), c.high), d.high);
        if (bits == 64 && TY_LIMB_BITS == 64) {
            s->z[from + i] = (ty_limb)d.low;
        } else if (bits == 64) {
            ty_ntt_put(s->z, s->n, (from + i) * 64, d.low, 64);
        } else {
            ty_ntt_put(s->z, s->n, (from + i) * bits, d.low << (64 - bits) >> (64 - bits), bits);
            carry.high = carry.high << (64 - bits) | carry.low >> bits;
            carry.low = carry.low << (64 - bits) | d.low >> bits;
        }
    }
    s->carry = carry;
}

#endif
