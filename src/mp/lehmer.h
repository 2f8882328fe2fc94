/* Euclid's algorithm on limb arrays, for public numbers. */
#ifndef TY_MP_LEHMER_H
#define TY_MP_LEHMER_H

#include "mp/mp_internal.h"

/* Two numbers a >= b, of which b ends as 0 and a as their gcd, and, where wanted, the absolute values of a cofactor of each:
 * x, the number that cofactors count, has a = +-s x and b = -+t x modulo the other one. All have room for n + 2 limbs. */
typedef struct ty_euclid {
    ty_limb *a, *b, *s, *t, *h, *k;   /* h and k are scratch */
    size_t an, bn, sn, tn, n;
    int wanted, minus;                /* minus: the sign of s is -, and t's the other one */
    size_t total;
    const ty_alloc *alloc;
    ty_limb own[6 * (TY_MP_SMALL + 2)];
} ty_euclid;

/* The pair |x|, |y|. Without an error close is due. */
ty_err ty_euclid_open(ty_euclid *e, const ty_mp *x, const ty_mp *y, int wanted, const ty_alloc *alloc);
ty_err ty_euclid_run(ty_euclid *e);
void ty_euclid_close(ty_euclid *e);

#endif
