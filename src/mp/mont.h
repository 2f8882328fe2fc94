/* Montgomery arithmetic on limb arrays, for those who do many products with one modulus. */
#ifndef TY_MP_MONT_H
#define TY_MP_MONT_H

#include "mp/mp_internal.h"

/* n limbs, R = B^n. Values are loose: below R. own: room for 4096 bits. */
typedef struct ty_mont {
    const ty_limb_ops *ops;
    const ty_limb *m, *rr;
    ty_limb minv, *t, *work;   /* t[2n] and the multiplication's scratch */
    size_t n, total;
    int folds;   /* m = B^n - c, R = 1: ty_mp_powm_fold */
    const ty_alloc *alloc;
    ty_limb own[4 * TY_MP_SMALL + 128];
} ty_mont;

/* z = x^e mod m, fixed length, for m = B^n - c of n > TY_LIMB_MONT limbs, c > 0 of one, of which m
 * is no secret: its multiples are added from above, for a product with c. Time as for ty_mp_powm */
ty_err ty_mp_powm_fold(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m);

ty_err ty_mont_open(ty_mont *w, const ty_mp_mont *c, const ty_alloc *alloc);
void ty_mont_close(ty_mont *w);
void ty_mont_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_mont *w);
void ty_mont_sqr(ty_limb *z, const ty_limb *x, const ty_mont *w);
/* z squared count times, count >= 1 */
void ty_mont_sqrs(ty_limb *z, size_t count, const ty_mont *w);
void ty_mont_one(ty_limb *z, const ty_mont *w);                      /* R mod m, or m more */
void ty_mont_get(ty_limb *z, const ty_limb *x, const ty_mont *w);    /* z = x/R, canonical */
/* z = x^e, loose, e of en limbs; constant time, or for public exponents (sliding windows) */
ty_err ty_mont_pow(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, const ty_mont *w);
ty_err ty_mont_pow_vt(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, const ty_mont *w);

/* the bits of e from bit at on, w of them at most; at is public. */
static inline size_t ty_mont_digit(const ty_limb *e, size_t en, size_t at, unsigned w)
{
    const size_t i = at / TY_LIMB_BITS, s = at % TY_LIMB_BITS;
    ty_limb d = e[i] >> s;
    if (s + w > TY_LIMB_BITS && i + 1 < en) d |= e[i + 1] << (TY_LIMB_BITS - s);
    return (size_t)(d & (((ty_limb)1 << w) - 1));
}

/* x y/B mod m, inv = 1/m mod B, for any x and y: what is left of xy if as much of qm is taken away,
 * both of which end in the same limb; below m if x < m */
static inline ty_limb ty_mont_1(ty_limb x, ty_limb y, ty_limb m, ty_limb inv)
{
    const ty_limb2 t = (ty_limb2)x * y;
    const ty_limb q = (ty_limb)t * inv;
    /* wraps below zero: the upper half is then all ones */
    const ty_limb2 r = (t >> TY_LIMB_BITS) - ((ty_limb2)q * m >> TY_LIMB_BITS);
    return (ty_limb)r + (m & (ty_limb)(r >> TY_LIMB_BITS));
}
/* x^2/B, count times over */
static inline ty_limb ty_mont_1_sqrs(ty_limb x, size_t count, ty_limb m, ty_limb inv)
{
    while (count--) x = ty_mont_1(x, x, m, inv);
    return x;
}

#endif
