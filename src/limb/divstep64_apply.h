/* Rounds of sixty division steps (divstep64_matrix.h) on numbers of any length, in 64-bit words,
 * for limb/divstep64.h and modn/scalar.c. time: constant but for the length
 *
 * A round multiplies three matrices, and applies the product to the whole of (f, g) and to (d, e),
 * where always d x == c f and e x == c g (mod m). Numbers are l signed limbs of 60 bits: all but
 * the highest in [0, 2^60). */
#ifndef TY_LIMB_DIVSTEP64_APPLY_H
#define TY_LIMB_DIVSTEP64_APPLY_H

#include "limb/divstep64_matrix.h"

#define TY_DIV_BITS  60
#define TY_DIV_MASK  ((uint64_t)-1 >> (64 - TY_DIV_BITS))

__extension__ typedef __int128 ty_div_wide;

/* (f, g) = t (f, g)/2^60, exactly. |f|, |g| do not grow: they are averages of themselves and
 * each other. */
static inline __attribute__((always_inline)) void
ty_div_apply_l(int64_t *f, int64_t *g, const ty_div_matrix *t, int l)
{
    ty_div_wide cf = 0, cg = 0;
    TY_UNROLL for (int i = 0; i < l; i++) {
        const int64_t fi = f[i], gi = g[i];
        cf += (ty_div_wide)t->u * fi + (ty_div_wide)t->v * gi;
        cg += (ty_div_wide)t->q * fi + (ty_div_wide)t->r * gi;
        if (i > 0) {
            f[i - 1] = (int64_t)((uint64_t)cf & TY_DIV_MASK);
            g[i - 1] = (int64_t)((uint64_t)cg & TY_DIV_MASK);
        }
        cf >>= TY_DIV_BITS;
        cg >>= TY_DIV_BITS;
    }
    f[l - 1] = (int64_t)cf;
    g[l - 1] = (int64_t)cg;
}

/* (d, e) = t (d, e)/2^60 mod m, where m_inv = 1/m mod 2^60. In and out: -2m < d, e < m. First m is
 * added to the negative ones, so both lie in (-m, m), and their combination in (-2^60 m, 2^60 m);
 * then k m, 0 <= -k < 2^60, is added to make it a multiple of 2^60: the quotient is in (-2m, m). */
static inline __attribute__((always_inline)) void
ty_div_apply_mod_l(int64_t *d, int64_t *e, const ty_div_matrix *t, const int64_t *m, uint64_t m_inv,
                   int l)
{
    const int64_t d_neg = d[l - 1] >> 63, e_neg = e[l - 1] >> 63;
    int64_t kd = (t->u & d_neg) + (t->v & e_neg), ke = (t->q & d_neg) + (t->r & e_neg);
    ty_div_wide cd = 0, ce = 0;
    TY_UNROLL for (int i = 0; i < l; i++) {
        const int64_t di = d[i], ei = e[i];
        cd += (ty_div_wide)t->u * di + (ty_div_wide)t->v * ei;
        ce += (ty_div_wide)t->q * di + (ty_div_wide)t->r * ei;
        if (i == 0) {
            kd -= (int64_t)((m_inv * (uint64_t)cd + (uint64_t)kd) & TY_DIV_MASK);
            ke -= (int64_t)((m_inv * (uint64_t)ce + (uint64_t)ke) & TY_DIV_MASK);
        }
        cd += (ty_div_wide)m[i] * kd;
        ce += (ty_div_wide)m[i] * ke;
        if (i > 0) {
            d[i - 1] = (int64_t)((uint64_t)cd & TY_DIV_MASK);
            e[i - 1] = (int64_t)((uint64_t)ce & TY_DIV_MASK);
        }
        cd >>= TY_DIV_BITS;
        ce >>= TY_DIV_BITS;
    }
    d[l - 1] = (int64_t)cd;
    e[l - 1] = (int64_t)ce;
}

/* x += m & mask, carries brought into place */
static inline __attribute__((always_inline)) void
ty_div_add_l(int64_t *x, const int64_t *m, int64_t mask, int l)
{
    int64_t c = 0;
    TY_UNROLL for (int i = 0; i < l; i++) {
        c += x[i] + (m[i] & mask);
        x[i] = i < l - 1 ? (int64_t)((uint64_t)c & TY_DIV_MASK) : c;
        c >>= TY_DIV_BITS;
    }
}

#endif
