/* Z/p by p_sm2_neon.S, but for sel, which is that of limb256.h; for mod/p_sm2_words.h where
 * TY_P_SM2_NEON is defined. Elements are in the Montgomery domain and in [0, p). A product takes
 * 119 instructions and a call four: inlined into point formulas, each would take 480 bytes. */
#ifndef TY_MOD_P_SM2_NEON_H
#define TY_MOD_P_SM2_NEON_H

#if defined(__cplusplus)
extern "C" {
#endif
void ty_p_sm2_mul_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4]);
void ty_p_sm2_sqr_neon(uint64_t z[4], const uint64_t x[4]);
void ty_p_sm2_mul_wide_neon(uint64_t z[8], const uint64_t x[4], const uint64_t y[4]);
void ty_p_sm2_sqr_wide_neon(uint64_t z[8], const uint64_t x[4]);
void ty_p_sm2_reduce_neon(uint64_t z[4], const uint64_t t[8]);
void ty_p_sm2_mul_less_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4],
                            const uint64_t w[8]);
void ty_p_sm2_add_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4]);
void ty_p_sm2_sub_neon(uint64_t z[4], const uint64_t x[4], const uint64_t y[4]);
void ty_p_sm2_half_neon(uint64_t z[4], const uint64_t x[4]);
#if defined(__cplusplus)
}
#endif

static inline void ty_p_sm2_add(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_add_neon(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sub(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_sub_neon(z->v, x->v, y->v);
}

static inline void ty_p_sm2_half(ty_p_sm2 *z, const ty_p_sm2 *x) { ty_p_sm2_half_neon(z->v, x->v); }

/* z = mask ? x : y */
static inline void ty_p_sm2_sel(ty_p_sm2 *z, ty_limb mask, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_limb256_sel(z->v, mask, x->v, y->v);
}

static inline void ty_p_sm2_mul(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_mul_neon(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sqr(ty_p_sm2 *z, const ty_p_sm2 *x) { ty_p_sm2_sqr_neon(z->v, x->v); }

static inline void ty_p_sm2_mul_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x, const ty_p_sm2 *y)
{
    ty_p_sm2_mul_wide_neon(z->v, x->v, y->v);
}

static inline void ty_p_sm2_sqr_wide(ty_p_sm2_wide *z, const ty_p_sm2 *x)
{
    ty_p_sm2_sqr_wide_neon(z->v, x->v);
}

/* z = xy - w: two products, one reduction */
static inline void ty_p_sm2_mul_less(ty_p_sm2 *z, const ty_p_sm2 *x, const ty_p_sm2 *y,
                                     const ty_p_sm2_wide *w)
{
    ty_p_sm2_mul_less_neon(z->v, x->v, y->v, w->v);
}

/* z = t/2^256 mod p, for t < p 2^256 */
static inline void ty_p_sm2_reduce(ty_p_sm2 *z, const ty_p_sm2_wide *t)
{
    ty_p_sm2_reduce_neon(z->v, t->v);
}

#endif
