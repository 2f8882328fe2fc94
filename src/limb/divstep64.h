/* Inverses modulo an odd number below 2^256 by division steps, on 64-bit limbs. Part of
 * limb/limb256.h, which includes it. time: constant
 *
 * From delta = 1/2, f = m and 0 <= g = x < m < 2^256, 590 steps bring g to 0 and f to +-gcd
 * (Wuille, "safegcd-bounds", 2021, by the convex hull of all reachable (f, g)); taken are 600, as
 * 10 rounds of 3 times 20. Numbers are five limbs. */
#ifndef TY_LIMB_DIVSTEP64_H
#define TY_LIMB_DIVSTEP64_H

#include "limb/divstep64_apply.h"

#define TY_DIV_LIMBS 5

typedef struct ty_div {
    int64_t v[TY_DIV_LIMBS];
} ty_div;

static inline ty_div ty_div_from(const ty_limb x[TY_AT_LEAST(4)])
{
    return (ty_div){ { (int64_t)(x[0] & TY_DIV_MASK),
                       (int64_t)((x[0] >> 60 | x[1] << 4) & TY_DIV_MASK),
                       (int64_t)((x[1] >> 56 | x[2] << 8) & TY_DIV_MASK),
                       (int64_t)((x[2] >> 52 | x[3] << 12) & TY_DIV_MASK),
                       (int64_t)(x[3] >> 48) } };
}

/* (f, g) = t (f, g)/2^60 */
static inline void ty_div_apply(ty_div *f, ty_div *g, const ty_div_matrix *t)
{
    ty_div_apply_l(f->v, g->v, t, TY_DIV_LIMBS);
}

/* (d, e) = t (d, e)/2^60 mod m */
static inline void ty_div_apply_mod(ty_div *d, ty_div *e, const ty_div_matrix *t, const ty_div *m,
                                    uint64_t m_inv)
{
    ty_div_apply_mod_l(d->v, e->v, t, m->v, m_inv, TY_DIV_LIMBS);
}

/* x += m & mask, carries brought into place */
static inline void ty_div_add(ty_div *x, const ty_div *m, int64_t mask)
{
    ty_div_add_l(x->v, m->v, mask, TY_DIV_LIMBS);
}

/* z = c/x mod m, and 0 for x = 0, for x, c < m; m_inv = 1/m mod 2^60.   z may alias x */
static inline void ty_limb256_inv(ty_limb z[TY_AT_LEAST(4)], const ty_limb x[TY_AT_LEAST(4)],
                                  const ty_limb m[TY_AT_LEAST(4)], uint64_t m_inv,
                                  const ty_limb c[TY_AT_LEAST(4)])
{
    const ty_div modulus = ty_div_from(m);
    ty_div f = modulus, g = ty_div_from(x), d = { { 0 } }, e = ty_div_from(c);
    ty_div_matrix t;
    int64_t zeta = -1;   /* delta = 1/2 */
    for (int i = 0; i < 10; i++) {
        const uint64_t f_low = (uint64_t)f.v[0] | (uint64_t)f.v[1] << 60;
        const uint64_t g_low = (uint64_t)g.v[0] | (uint64_t)g.v[1] << 60;
        zeta = ty_div_60(&t, zeta, f_low, g_low);
        ty_div_apply_mod(&d, &e, &t, &modulus, m_inv);
        ty_div_apply(&f, &g, &t);
    }
    /* g = 0, f = +-1, or +-m for x = 0; d = +-c/x in (-2m, m), so after the sign and at most two m
     * it is in [0, m) */
    const int64_t sign = f.v[TY_DIV_LIMBS - 1] >> 63;
    ty_div_add(&d, &modulus, d.v[TY_DIV_LIMBS - 1] >> 63);
    TY_UNROLL for (int i = 0; i < TY_DIV_LIMBS; i++) d.v[i] = (d.v[i] ^ sign) - sign;
    ty_div_add(&d, &modulus, 0);
    ty_div_add(&d, &modulus, d.v[TY_DIV_LIMBS - 1] >> 63);
    z[0] = (uint64_t)d.v[0] | (uint64_t)d.v[1] << 60;
    z[1] = (uint64_t)d.v[1] >> 4 | (uint64_t)d.v[2] << 56;
    z[2] = (uint64_t)d.v[2] >> 8 | (uint64_t)d.v[3] << 52;
    z[3] = (uint64_t)d.v[3] >> 12 | (uint64_t)d.v[4] << 48;
    ty_wipe(&f, sizeof f);
    ty_wipe(&g, sizeof g);
    ty_wipe(&d, sizeof d);
    ty_wipe(&e, sizeof e);
    ty_wipe(&t, sizeof t);
}

#endif
