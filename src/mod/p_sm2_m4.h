/* add, sub, half, mul and sqr of Z/p by p_sm2_m4.S, and what is made of them, for mod/p_sm2_words.h
 * where TY_P_SM2_M4 is defined. Elements are in the Montgomery domain and anywhere in [0, 2^256):
 * zero may be 0 or p, and _get makes its result canonical. A call takes a thirtieth of a product's
 * time, and a product that is inlined would take 600 bytes. */
#ifndef TY_MOD_P_SM2_M4_H
#define TY_MOD_P_SM2_M4_H

void ty_p_sm2_mul_m4(ty_limb z[8], const ty_limb x[8], const ty_limb y[8]);
void ty_p_sm2_sqr_m4(ty_limb z[8], const ty_limb x[8]);
void ty_p_sm2_add_m4(ty_limb z[8], const ty_limb x[8], const ty_limb y[8]);
void ty_p_sm2_sub_m4(ty_limb z[8], const ty_limb x[8], const ty_limb y[8]);
void ty_p_sm2_half_m4(ty_limb z[8], const ty_limb x[8]);

static inline void ty_p_sm2_add(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_add_m4(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sub(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_sub_m4(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sel(ty_p_sm2 *z, ty_limb mask, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_limb256_sel(z->v, mask, x->v, y->v);
}

static inline void ty_p_sm2_half(ty_p_sm2 *z, const ty_p_sm2 *x) { ty_p_sm2_half_m4(z->v, x->v); }

static inline void ty_p_sm2_mul(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_mul_m4(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sqr(ty_p_sm2 *z, const ty_p_sm2 *x)
{
#if defined(__OPTIMIZE_SIZE__)
    ty_p_sm2_mul_m4(z->v, x->v, x->v);
#else
    ty_p_sm2_sqr_m4(z->v, x->v);
#endif
}

/* z = x in [0, p) */
static inline void ty_p_sm2_canon(ty_p_sm2 *z, const ty_p_sm2 *x)
{
    ty_limb256_canon(z->v, 0, x->v, ty_p_sm2_modulus.v);   /* x < 2^256 < 2p */
}

static inline ty_limb ty_p_sm2_iszero(const ty_p_sm2 *x)
{
    ty_p_sm2 t;
    ty_p_sm2_canon(&t, x);
    return ty_limb256_iszero(t.v);
}

/* In this tier the "wide" product is reduced at once and is the lower half of z, which is all that
 * mul_less reads. */
static inline void ty_p_sm2_mul_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_mul_m4(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sqr_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x)
{
#if defined(__OPTIMIZE_SIZE__)
    ty_p_sm2_mul_m4(z->v, x->v, x->v);
#else
    ty_p_sm2_sqr_m4(z->v, x->v);
#endif
}

static inline void ty_p_sm2_mul_less(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y,
                                     const ty_p_sm2_wide *w)
{
    ty_p_sm2 t;
    ty_p_sm2_mul_m4(t.v, x->v, y->v);
    ty_p_sm2_sub_m4(z->v, t.v, w->v);
}

/* z = x/2^256 in [0, p), for x below 2^256, as _get needs it */
static inline void ty_p_sm2_reduce(ty_p_sm2 *z, const ty_p_sm2_wide *x)
{
    static const ty_limb one[TY_LIMBS] = { 1 };
    ty_p_sm2_mul_m4(z->v, x->v, one);
    ty_p_sm2_canon(z, z);
}

#endif
