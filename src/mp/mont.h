/* A modulus of ty_mp_mont as src/modn computes with it, and its memory. */
#ifndef TY_MP_MONT_H
#define TY_MP_MONT_H

#include "modn/modn.h"
#include "mp/mp_internal.h"

/* z = x^e mod m, fixed length, for a public m = B^n - c of n > TY_LIMB_MONT limbs, c > 0 of one
 * limb: products are reduced by B^n = c instead of Montgomery's method. Time as for ty_mp_powm */
ty_err ty_mp_powm_fold(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m);

/* Scratch for the products of a modulus. own: room for 4096 bits */
typedef struct ty_mp_products {
    ty_limb *t;
    size_t total;
    const ty_alloc *alloc;
    ty_limb own[4 * TY_MP_SMALL + 128];
} ty_mp_products;

/* w = c's modulus, for the functions of src/modn, with scratch in p. w points into c and p. If the
 * call succeeds, ty_mp_modn_close must follow. */
ty_err ty_mp_modn_open(ty_modn *w, ty_mp_products *p, const ty_mp_mont *c, const ty_alloc *alloc);
void ty_mp_modn_close(ty_mp_products *p);

#endif
