/* Limbs to digits of 64 or 56 bits, and sums of wide coefficients back to limbs. For ntt.c and its
 * tiers. */
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

/* Writes v, a digit of `bits` bits, to z[n] from bit `bit` on, as far as z has limbs. The bits
 * above it in its last limb become 0, for the next digit. */
static inline void ty_ntt_put(ty_limb *z, size_t n, size_t bit, uint64_t v, unsigned bits)
{
    size_t i = bit / TY_LIMB_BITS;
    const unsigned s = (unsigned)(bit % TY_LIMB_BITS);
    if (i < n) z[i] |= (ty_limb)(v << s);
    for (unsigned k = TY_LIMB_BITS - s; k < bits && ++i < n; k += TY_LIMB_BITS)
        z[i] = (ty_limb)(v >> k);
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
        for (unsigned t = TY_LIMB_BITS - s; t < bits && ++l < n; t += TY_LIMB_BITS)
            v |= (uint64_t)x[l] << t;
        out[k] = v << (64 - bits) >> (64 - bits);
    }
}

/* --- 128 bits --------------------------------------------------------------------------------- */

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
    const uint64_t low = x0 * y0, middle = x1 * y0 + (low >> 32),
                   other = x0 * y1 + (uint32_t)middle;
    const ty_wide z = { other << 32 | (uint32_t)low, x1 * y1 + (middle >> 32) + (other >> 32) };
#endif
    return z;
}

static inline ty_wide ty_wide_add_1(ty_wide x, uint64_t y)
{
    const uint64_t low = x.low + y;
    const ty_wide z = { low, x.high + (low < y) };
    return z;
}

/* --- Coefficients, each a digit above the one before, into limbs ------------------------------ */

typedef struct ty_ntt_sum {
    ty_limb *z;
    size_t n, digits;
    unsigned bits;
    ty_wide carry;   /* below 2^86 */
} ty_ntt_sum;

static inline ty_ntt_sum ty_ntt_sum_open(ty_limb *z, size_t n, unsigned bits)
{
    const ty_ntt_sum s = { z, n, ty_ntt_digits(n, bits), bits, { 0, 0 } };
    if (bits != 64 || TY_LIMB_BITS != 64) memset(z, 0, n * sizeof *z);
    return s;
}

/* One coefficient, t0 + a t1 + ab t2, plus the carry: returns the lowest word of the sum, and the
 * carry becomes the words above. With a, b, t < 2^50 and ab = h 2^64 + l, h < 2^36: c = t0 + a t1 <
 * 2^101, d = l t2 + the lower half of c < 2^128, and e = h t2 + the upper halves < 2^87: none of
 * this depends on the carry, so that one coefficient does not wait long for the one before. */
static inline uint64_t ty_ntt_sum_next(ty_wide *carry, const uint64_t *t)
{
    const uint64_t t2 = t[2 * TY_NTT_BLOCK];
    const ty_wide c = ty_wide_add_1(ty_wide_mul(ty_ntt_primes[0].p, t[TY_NTT_BLOCK]), t[0]);
    const ty_wide d = ty_wide_add_1(ty_wide_mul(ty_ntt_join.low, t2), c.low);
    const ty_wide e =
        ty_wide_add_1(ty_wide_add_1(ty_wide_mul(ty_ntt_join.high, t2), c.high), d.high);
    const ty_wide sum = ty_wide_add_1(*carry, d.low);
    *carry = ty_wide_add_1(e, sum.high);
    return sum.low;
}

/* The next `count` coefficients. The carry's bound follows from theirs: they are below 2^149 with
 * digits of 64 bits, and below 2^142 with those of 56. The usual case has a loop of its own, which
 * needs fewer registers. */
static inline void ty_ntt_sum_add(ty_ntt_sum *s, const uint64_t *t, size_t from, size_t count)
{
    ty_wide carry = s->carry;
    const unsigned bits = s->bits;
    if (bits == 64 && TY_LIMB_BITS == 64) {
        ty_limb *z = s->z + from;
        for (size_t i = 0; i < count; i++) z[i] = (ty_limb)ty_ntt_sum_next(&carry, t + i);
    } else {
        for (size_t i = 0; i < count; i++) {
            const uint64_t low = ty_ntt_sum_next(&carry, t + i);
            ty_ntt_put(s->z, s->n, (from + i) * bits, low << (64 - bits) >> (64 - bits), bits);
            if (bits == 64) continue;
            carry.high = carry.high << (64 - bits) | carry.low >> bits;
            carry.low = carry.low << (64 - bits) | low >> bits;
        }
    }
    s->carry = carry;
}

/* The carry out of the top is added at the bottom, as B^n = 1, and so is the carry out of that sum.
 * In the second case z has become smaller than the first carry, which has three limbs at most, so
 * that the sum reaches no further. */
static inline void ty_ntt_sum_close(ty_ntt_sum *s)
{
    size_t n = s->n;
    for (int turn = 0; turn < 2; turn++, n = 3) {
        for (size_t i = 0; i < n; i++) {
            const ty_wide c = ty_wide_add_1(s->carry, s->z[i]);
            s->z[i] = (ty_limb)c.low;
            s->carry.low = TY_LIMB_BITS == 64 ? c.high : c.low >> 32 | c.high << 32;
            s->carry.high = TY_LIMB_BITS == 64 ? 0 : c.high >> 32;
        }
    }
}

#endif
