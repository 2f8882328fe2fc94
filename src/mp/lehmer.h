/* Euclid's algorithm on limb arrays, for public numbers. */
#ifndef TY_MP_LEHMER_H
#define TY_MP_LEHMER_H

#include "mp/mp_internal.h"

/* Two numbers a >= b, which end as their gcd and 0, and, if `wanted`, the absolute values s and t
 * of the cofactors of one of the inputs, x: a = +-s x and b = -+t x modulo the other input. All
 * have room for n + 2 limbs. */
typedef struct ty_euclid {
    ty_limb *a, *b, *s, *t, *h, *k;   /* h and k are scratch */
    size_t an, bn, sn, tn, n;
    int wanted, minus;                /* minus: a = -s x and b = t x, else a = s x and b = -t x */
    size_t total;
    const ty_alloc *alloc;
    ty_limb own[6 * (TY_MP_SMALL + 2)];
} ty_euclid;

/* A run of quotients: (a, b) becomes (m00 a - m01 b, m11 b - m10 a), both negated if `odd`. */
typedef struct ty_run {
    ty_limb m00, m01, m10, m11;
    int odd;
} ty_run;

/* ty_run_of: the run that the two leading limbs of a >= b determine, n >= 2 limbs each, a[n - 1] >
 * 0; m01 = 0 if there is none.
 * ty_run_apply: z, w = a, b after it, of n limbs. */
ty_run ty_run_of(const ty_limb *a, const ty_limb *b, size_t n);
void ty_run_apply(ty_limb *z, ty_limb *w, const ty_limb *a, const ty_limb *b, const ty_run *r,
                  size_t n);

/* ty_euclid_open: the pair |x|, |y|; if it succeeds, ty_euclid_close must follow.
 * ty_euclid_run: the whole algorithm. */
ty_err ty_euclid_open(ty_euclid *e, const ty_mp *x, const ty_mp *y, int wanted,
                      const ty_alloc *alloc);
ty_err ty_euclid_run(ty_euclid *e);
void ty_euclid_close(ty_euclid *e);

/* hgcd.c: reduces a and b, without cofactors, until b has at most TY_HGCD_LEAST limbs or is much
 * shorter than a */
#define TY_HGCD_LEAST 400
ty_err ty_hgcd_run(ty_euclid *e);

#endif
