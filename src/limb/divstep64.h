/* Inverses modulo an odd number below 2^256 by division steps, on 64-bit limbs. Part of
 * limb/limb256.h, which includes it. time: constant
 *
 * From delta = 1/2, f = m and 0 <= g = x < m < 2^256, 590 steps bring g to 0 and f to +-gcd
 * (Wuille, "safegcd-bounds", 2021, by the convex hull of all reachable (f, g)); this code takes
 * 600, as 10 rounds of 3 times 20. A round multiplies three matrices, and applies the product to
 * the whole of (f, g) and to (d, e), where always d x == c f and e x == c g (mod m). Numbers are
 * five signed limbs of 60 bits: all but the highest in [0, 2^60). limb/divstep.c does the same for
 * any length. */
#ifndef TY_LIMB_DIVSTEP64_H
#define TY_LIMB_DIVSTEP64_H

#include "limb/divstep64_matrix.h"

#define TY_DIV_BITS  60
#define TY_DIV_MASK  ((uint64_t)-1 >> (64 - TY_DIV_BITS))
#define TY_DIV_LIMBS 5

__extension__ typedef __int128 ty_div_wide;

typedef struct ty_div {
    int64_t v[TY_DIV_LIMBS];
} ty_div;

/* x in five limbs of 60 bits */
static inline ty_div ty_div_from(const ty_limb x[TY_AT_LEAST(4)])
{
    return (ty_div){ { (int64_t)(x[0] & TY_DIV_MASK),
                       (int64_t)((x[0] >> 60 | x[1] << 4) & TY_DIV_MASK),
                       (int64_t)((x[1] >> 56 | x[2] << 8) & TY_DIV_MASK),
                       (int64_t)((x[2] >> 52 | x[3] << 12) & TY_DIV_MASK),
                       (int64_t)(x[3] >> 48) } };
}

/* (f, g) = t (f, g)/2^60, exactly. max(|f|, |g|) does not grow, as |u| + |v|, |q| + |r| <= 2^60. */
static inline void ty_div_apply(ty_div *f, ty_div *g, const ty_div_matrix *t)
{
    ty_div_wide cf = 0, cg = 0;
    TY_UNROLL for (int i = 0; i < TY_DIV_LIMBS; i++) {
        const int64_t fi = f->v[i], gi = g->v[i];
        cf += (ty_div_wide)t->u * fi + (ty_div_wide)t->v * gi;
        cg += (ty_div_wide)t->q * fi + (ty_div_wide)t->r * gi;
        if (i > 0) {
            f->v[i - 1] = (int64_t)((uint64_t)cf & TY_DIV_MASK);
            g->v[i - 1] = (int64_t)((uint64_t)cg & TY_DIV_MASK);
        }
        cf >>= TY_DIV_BITS;
        cg >>= TY_DIV_BITS;
    }
    f->v[TY_DIV_LIMBS - 1] = (int64_t)cf;
    g->v[TY_DIV_LIMBS - 1] = (int64_t)cg;
}

/* (d, e) = t (d, e)/2^60 mod m, where m_inv = 1/m mod 2^60. In and out: -2m < d, e < m. First m is
 * added to the negative ones, so both are in (-m, m), and their combination in (-2^60 m, 2^60 m);
 * then k m, 0 <= -k < 2^60, is added to make it a multiple of 2^60: the quotient is in (-2m, m). */
static inline void ty_div_apply_mod(ty_div *d, ty_div *e, const ty_div_matrix *t, const ty_div *m,
                                    uint64_t m_inv)
{
    const int64_t d_neg = d->v[TY_DIV_LIMBS - 1] >> 63, e_neg = e->v[TY_DIV_LIMBS - 1] >> 63;
    int64_t kd = (t->u & d_neg) + (t->v & e_neg), ke = (t->q & d_neg) + (t->r & e_neg);
    ty_div_wide cd = 0, ce = 0;
    TY_UNROLL for (int i = 0; i < TY_DIV_LIMBS; i++) {
        const int64_t di = d->v[i], ei = e->v[i];
        cd += (ty_div_wide)t->u * di + (ty_div_wide)t->v * ei;
        ce += (ty_div_wide)t->q * di + (ty_div_wide)t->r * ei;
        if (i == 0) {
            kd -= (int64_t)((m_inv * (uint64_t)cd + (uint64_t)kd) & TY_DIV_MASK);
            ke -= (int64_t)((m_inv * (uint64_t)ce + (uint64_t)ke) & TY_DIV_MASK);
        }
        cd += (ty_div_wide)m->v[i] * kd;
        ce += (ty_div_wide)m->v[i] * ke;
        if (i > 0) {
            d->v[i - 1] = (int64_t)((uint64_t)cd & TY_DIV_MASK);
            e->v[i - 1] = (int64_t)((uint64_t)ce & TY_DIV_MASK);
        }
        cd >>= TY_DIV_BITS;
        ce >>= TY_DIV_BITS;
    }
    d->v[TY_DIV_LIMBS - 1] = (int64_t)cd;
    e->v[TY_DIV_LIMBS - 1] = (int64_t)ce;
}

/* x += m & mask, and carries are propagated */
static inline void ty_div_add(ty_div *x, const ty_div *m, int64_t mask)
{
    int64_t c = 0;
    TY_UNROLL for (int i = 0; i < TY_DIV_LIMBS; i++) {
        c += x->v[i] + (m->v[i] & mask);
        x->v[i] = i < TY_DIV_LIMBS - 1 ? (int64_t)((uint64_t)c & TY_DIV_MASK) : c;
        c >>= TY_DIV_BITS;
    }
}

/* z = c/x mod m, or 0 if x is 0, for x, c < m; m_inv = 1/m mod 2^60.   z may alias x */
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
    /* Now g = 0 and f = +-1, or +-m for x = 0, and d = +-c/x is in (-2m, m). Adding m to a negative
     * d brings it into (-m, m), where its sign may change; adding m once more, into [0, m). */
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
