/* Z/p for SM2: see p_sm2.h. limb/limb256.h comes before it, and fixes the word size. Every function
 * takes constant time, keeps its results in [0, p), and lets z alias its inputs unless it says
 * otherwise. A unit may define one of these macros:
 *     TY_P_SM2_MONT    elements are in the Montgomery domain; otherwise they are in the plain one,
 *                      and products are folded (mod/p_sm2_fold.h)
 *     TY_P_SM2_ADX     implies the first; the short functions are those of mod/p_sm2_adx.h
 *     TY_P_SM2_NEON    the same of mod/p_sm2_neon.h
 *     TY_P_SM2_M4      the same of mod/p_sm2_m4.h, which keeps its results in [0, 2^256) instead */
#ifndef TY_MOD_P_SM2_WORDS_H
#define TY_MOD_P_SM2_WORDS_H

#include "mod/p_sm2_const.h"

#if defined(TY_P_SM2_ADX) || defined(TY_P_SM2_NEON) || defined(TY_P_SM2_M4)
#  define TY_P_SM2_OWN_KERNELS
#endif
#if defined(TY_P_SM2_OWN_KERNELS) && !defined(TY_P_SM2_MONT)
#  define TY_P_SM2_MONT
#endif

/* x, or x 2^256 mod p in the Montgomery domain, in [0, p). Only _set converts into it and only
 * _get out of it, so that no caller sees the difference. */
typedef struct ty_p_sm2 {
    ty_limb v[TY_LIMBS];
} ty_p_sm2;

/* A product before reduction: below p 2^256. */
typedef struct ty_p_sm2_wide {
    ty_limb v[2 * TY_LIMBS];
} ty_p_sm2_wide;

static const ty_p_sm2 ty_p_sm2_modulus = { TY_P_SM2_P };
static const ty_p_sm2 ty_p_sm2_zero = { { 0 } };
#if defined(TY_P_SM2_MONT)
static const ty_p_sm2 ty_p_sm2_one = { TY_P_SM2_ONE };
static const ty_p_sm2 ty_p_sm2_r2 = { TY_P_SM2_R2 };
#else
static const ty_p_sm2 ty_p_sm2_one = { { 1 } };
#endif

#if defined(TY_P_SM2_ADX)
#include "mod/p_sm2_adx.h"
#elif defined(TY_P_SM2_NEON)
#include "mod/p_sm2_neon.h"
#elif defined(TY_P_SM2_M4)
#include "mod/p_sm2_m4.h"
#else
static inline void ty_p_sm2_add(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_limb256_addmod(z->v, x->v, y->v, ty_p_sm2_modulus.v);
}

static inline void ty_p_sm2_sub(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_limb256_submod(z->v, x->v, y->v, ty_p_sm2_modulus.v);
}

/* z = mask ? x : y */
static inline void ty_p_sm2_sel(ty_p_sm2 *z, ty_limb mask, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_limb256_sel(z->v, mask, x->v, y->v);
}

/* z = x/2: x, or x + p where x is odd, shifted down */
static inline void ty_p_sm2_half(ty_p_sm2 *z, const ty_p_sm2 *x)
{
    ty_limb s[TY_LIMBS + 1], k[TY_LIMBS];
    const ty_limb mask = ty_limb_mask(x->v[0] & 1);
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) k[i] = ty_p_sm2_modulus.v[i] & mask;
    s[TY_LIMBS] = ty_limb256_add(s, x->v, k);
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++)
        z->v[i] = s[i] >> 1 | s[i + 1] << (TY_LIMB_BITS - 1);
}
#endif

static inline void ty_p_sm2_neg(ty_p_sm2 *z, const ty_p_sm2 *x)
{
    ty_p_sm2_sub(z, &ty_p_sm2_zero, x);
}

#if !defined(TY_P_SM2_OWN_KERNELS)
#if defined(TY_P_SM2_MONT)
#include "mod/p_sm2_clear.h"
#else
#include "mod/p_sm2_fold.h"
#endif

/* z = t mod p, or t/2^256 mod p in the Montgomery domain, for t < p 2^256 */
static inline void ty_p_sm2_reduce(ty_p_sm2 *z, const ty_p_sm2_wide *t)
{
#if defined(TY_P_SM2_MONT)
    ty_p_sm2_clear(z->v, t->v);
#else
    ty_p_sm2_fold(z->v, t->v);
#endif
}

TY_PRODUCT void ty_p_sm2_mul(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_wide t;
    ty_limb256_mul(t.v, x->v, y->v);
    ty_p_sm2_reduce(z, &t);
}

TY_PRODUCT void ty_p_sm2_sqr(ty_p_sm2 *z, const ty_p_sm2 *x)
{
    ty_p_sm2_wide t;
    ty_limb256_sqr(t.v, x->v);
    ty_p_sm2_reduce(z, &t);
}

/* The products before reduction, and z = xy - w with one reduction for both: p 2^256 is added if
 * the difference is negative, so that it is in [0, p 2^256) again, the domain of both
 * reductions. */
static inline void ty_p_sm2_mul_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_limb256_mul(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sqr_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x)
{
    ty_limb256_sqr(z->v, x->v);
}

TY_PRODUCT void ty_p_sm2_mul_less(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y,
                                  const ty_p_sm2_wide *w)
{
    ty_p_sm2_wide t;
    ty_limb k[TY_LIMBS], b = 0;
    ty_limb256_mul(t.v, x->v, y->v);
    TY_UNROLL for (int i = 0; i < 2 * TY_LIMBS; i++) t.v[i] = ty_limb_sbb(t.v[i], w->v[i], &b);
    const ty_limb mask = ty_limb_mask(b);
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) k[i] = ty_p_sm2_modulus.v[i] & mask;
    (void)ty_limb256_add(t.v + TY_LIMBS, t.v + TY_LIMBS, k);
    ty_p_sm2_reduce(z, &t);
}
#endif

#if !defined(TY_P_SM2_M4)
/* z = x, which is already in [0, p) */
static inline void ty_p_sm2_canon(ty_p_sm2 *z, const ty_p_sm2 *x) { *z = *x; }
#endif

/* z = x^(2^n), n >= 1 */
static inline void ty_p_sm2_sqr_n(ty_p_sm2 *z, const ty_p_sm2 *x, int n)
{
    ty_p_sm2_sqr(z, x);
    while (--n > 0) ty_p_sm2_sqr(z, z);
}

/* z = x^(2^n) y: appends n bits to the exponent of x, the last of them those of y */
static inline void ty_p_sm2_append(ty_p_sm2 *z, const ty_p_sm2 *x, int n, const ty_p_sm2 *y)
{
    ty_p_sm2 t;
    ty_p_sm2_sqr_n(&t, x, n);
    ty_p_sm2_mul(z, &t, y);
}

/* z = 1/x, and 0 for x = 0. By division steps where limb256.h has them: in the Montgomery domain x
 * represents X = x/R, R = 2^256, and R^2/x represents 1/X. Otherwise by Fermat, x^(p-2). The
 * exponent in binary, from the top: 31 ones, a zero, 128 ones, 32 zeros, 62 ones, 01. xk below is x
 * to the power of k ones.   cost: 256 squarings, 15 products */
static inline void ty_p_sm2_inv(ty_p_sm2 *z, const ty_p_sm2 *x)
{
#if defined(TY_LIMB256_INV)
#  if defined(TY_P_SM2_MONT)
    const ty_p_sm2 *one = &ty_p_sm2_r2;
#  else
    const ty_p_sm2 *one = &ty_p_sm2_one;
#  endif
    ty_p_sm2_canon(z, x);
    ty_limb256_inv(z->v, z->v, ty_p_sm2_modulus.v, (uint64_t)-1, one->v);   /* -1/p == 1 mod 2^64 */
#else
    ty_p_sm2 x3, x15, x30, x31, x32, t;
    ty_p_sm2_append(&t, x, 1, x);
    ty_p_sm2_append(&x3, &t, 1, x);
    ty_p_sm2_append(&t, &x3, 3, &x3);
    ty_p_sm2_append(&t, &t, 6, &t);
    ty_p_sm2_append(&x15, &t, 3, &x3);
    ty_p_sm2_append(&x30, &x15, 15, &x15);
    ty_p_sm2_append(&x31, &x30, 1, x);
    ty_p_sm2_append(&x32, &x31, 1, x);
    ty_p_sm2_append(&t, &x31, 33, &x32);                   /* 31 ones, a zero, 32 ones */
    for (int i = 0; i < 3; i++) ty_p_sm2_append(&t, &t, 32, &x32);   /* 96 more ones */
    ty_p_sm2_append(&t, &t, 64, &x32);                     /* 32 zeros, 32 ones */
    ty_p_sm2_append(&t, &t, 30, &x30);                     /* 30 ones */
    ty_p_sm2_append(z, &t, 2, x);                          /* 01 */
#endif
}

#if !defined(TY_P_SM2_M4)
/* all ones if x == 0, else zero */
static inline ty_limb ty_p_sm2_iszero(const ty_p_sm2 *x) { return ty_limb256_iszero(x->v); }
#endif

/* all ones if x == y, else zero */
static inline ty_limb ty_p_sm2_eq(const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2 d;
    ty_p_sm2_sub(&d, x, y);
    return ty_p_sm2_iszero(&d);
}

/* z = a square root of x; returns all ones if x has one, else zero. Since p == 3 mod 4 it is
 * x^((p+1)/4), and (p+1)/4 = (2^32 - 1)(2^160 - 1) 2^62.   z may not alias x */
static inline ty_limb ty_p_sm2_sqrt(ty_p_sm2 *z, const ty_p_sm2 *x)
{
    ty_p_sm2 y, t, u;
    ty_p_sm2_append(&t, x, 1, x);
    for (int n = 2; n < 32; n *= 2) ty_p_sm2_append(&t, &t, n, &t);   /* 4, 8, 16, 32 ones */
    y = t;                                                 /* now in powers of y = x^(2^32 - 1) */
    ty_p_sm2_append(&t, &y, 1, &y);
    ty_p_sm2_append(&u, &t, 2, &t);
    ty_p_sm2_append(&t, &u, 1, &y);                        /* 5 ones */
    for (int n = 5; n < 160; n *= 2) ty_p_sm2_append(&t, &t, n, &t);   /* 10, 20, 40, 80, 160 */
    ty_p_sm2_sqr_n(z, &t, 62);
    ty_p_sm2_sqr(&u, z);
    return ty_p_sm2_eq(&u, x);
}

/* z = the element whose 32 big-endian bytes are `in`; returns all ones if they were below p,
 * else zero; z = `in` mod p in both cases. */
static inline ty_limb ty_p_sm2_set(ty_p_sm2 *z, const uint8_t in[TY_AT_LEAST(32)])
{
    ty_limb d[TY_LIMBS];
    ty_limb256_set(z->v, in);
    const ty_limb below = ty_limb_mask(ty_limb256_sub(d, z->v, ty_p_sm2_modulus.v));
#if defined(TY_P_SM2_MONT)
    ty_p_sm2_mul(z, z, &ty_p_sm2_r2);   /* `in` < 2^256, r2 < p: the product is below p 2^256 */
#else
    ty_limb256_sel(z->v, below, z->v, d);   /* `in` < 2^256 < 2p */
#endif
    return below;
}

/* out = x in [0, p), 32 bytes, big-endian */
static inline void ty_p_sm2_get(uint8_t out[TY_AT_LEAST(32)], const ty_p_sm2 *x)
{
#if defined(TY_P_SM2_MONT)
    ty_p_sm2_wide t;
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
        t.v[i] = x->v[i];
        t.v[i + TY_LIMBS] = 0;
    }
    ty_p_sm2 plain;
    ty_p_sm2_reduce(&plain, &t);   /* divides by 2^256: leaves the Montgomery domain */
    ty_limb256_get(out, plain.v);
#else
    ty_limb256_get(out, x->v);
#endif
}

#endif
