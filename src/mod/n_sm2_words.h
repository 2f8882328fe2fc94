/* Z/n for SM2: see n_sm2.h. Included once in a unit, after limb/limb256.h, which fixes the word
 * size. Every function takes constant time.
 *     TY_N_SM2_M4    if defined, the product is that of mod/n_sm2_m4.S */
#ifndef TY_MOD_N_SM2_WORDS_H
#define TY_MOD_N_SM2_WORDS_H

#include "mod/n_sm2_const.h"

/* A scalar x in [0, n), plain, and in the Montgomery domain: x 2^256 mod n. */
typedef struct ty_n_sm2 {
    ty_limb v[TY_LIMBS];
} ty_n_sm2;
typedef struct ty_n_sm2_mont {
    ty_limb v[TY_LIMBS];
} ty_n_sm2_mont;

static const ty_n_sm2 ty_n_sm2_modulus = { TY_N_SM2_N };
static const ty_n_sm2_mont ty_n_sm2_one = { TY_N_SM2_ONE };
static const ty_n_sm2_mont ty_n_sm2_r2 = { TY_N_SM2_R2 };

/* z = xy/2^256 mod n in [0, n), for xy < n 2^256; z may alias x and y. In domains: mont * mont =
 * mont, mont * plain = plain. */
#if defined(TY_N_SM2_M4)
ty_limb ty_n_sm2_montmul_m4(ty_limb z[8], const ty_limb x[8], const ty_limb y[8]);
static inline void ty_n_sm2_montmul(ty_limb *z, const ty_limb *x, const ty_limb *y)
{
    ty_limb256_canon(z, ty_n_sm2_montmul_m4(z, x, y), z, ty_n_sm2_modulus.v);
}
#else
TY_PRODUCT void ty_n_sm2_montmul(ty_limb *z, const ty_limb *x, const ty_limb *y)
{
    ty_limb t[2 * TY_LIMBS];
    ty_limb256_mul(t, x, y);
    ty_limb256_redc(z, t, ty_n_sm2_modulus.v, (ty_limb)TY_N_SM2_MINUS_INV);   /* its low limb */
    ty_wipe(t, sizeof t);   /* depends on keys and nonces */
}
#endif

/* z = `in` mod n for any 32 bytes: n > 2^255, so one subtraction is enough */
static inline void ty_n_sm2_set(ty_n_sm2 *z, const uint8_t in[TY_AT_LEAST(32)])
{
    ty_limb256_set(z->v, in);
    ty_limb256_canon(z->v, 0, z->v, ty_n_sm2_modulus.v);
}

static inline void ty_n_sm2_get(uint8_t out[TY_AT_LEAST(32)], const ty_n_sm2 *x)
{
    ty_limb256_get(out, x->v);
}

static inline void ty_n_sm2_to_mont(ty_n_sm2_mont *z, const ty_n_sm2 *x)
{
    ty_n_sm2_montmul(z->v, x->v, ty_n_sm2_r2.v);
}

/* z = min(k, n - k) for k in [0, n), so z <= (n-1)/2; returns all ones if it is n - k */
static inline ty_limb ty_n_sm2_halve_range(ty_n_sm2 *z, const ty_n_sm2 *k)
{
    ty_n_sm2 other;
    ty_limb d[TY_LIMBS];
    (void)ty_limb256_sub(other.v, ty_n_sm2_modulus.v, k->v);
    const ty_limb bigger = ty_limb_mask(ty_limb256_sub(d, other.v, k->v));   /* n - k < k */
    ty_limb256_sel(z->v, bigger, other.v, k->v);
    return bigger;
}

#endif
