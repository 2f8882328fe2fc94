/* How the numbers of one power are held while it runs: limbs in Montgomery's form, or digits in doubles, limb/reals.h, where the
 * CPU and the length make these faster. Functions take time by lengths alone. */
#ifndef TY_MP_POWM_FORM_H
#define TY_MP_POWM_FORM_H

#include "limb/reals.h"
#include "mp/mont.h"

#if defined(TY_HAS_REALS)
#  define TY_FORM_SMALL ((TY_MP_SMALL_BITS + 2) / 46 + 2)   /* words of numbers of up to 4096 bits */
#else
#  define TY_FORM_SMALL TY_MP_SMALL
#endif

typedef struct ty_form {
    const ty_mont *m;
    size_t words;              /* of a number: [words] */
#if defined(TY_HAS_REALS)
    const ty_reals_ops *real;  /* NULL: limbs */
    ty_reals w;
    ty_real *in, *out;         /* factors by which a number comes in and goes out */
    size_t total;
    ty_limb *room, own[13 * TY_FORM_SMALL + 128];
#endif
} ty_form;

/* for an exponent of so many bits */
ty_err ty_form_open(ty_form *f, const ty_mont *m, size_t bits);
void ty_form_close(ty_form *f);
void ty_form_in(ty_limb *z, const ty_limb *x, const ty_form *f);    /* limbs in Montgomery's form, loose; not in place */
void ty_form_out(ty_limb *z, ty_limb *x,       const ty_form *f);   /* back, canonical or loose as it was; x is destroyed */
void ty_form_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_form *f);
void ty_form_sqrs(ty_limb *z, size_t count, const ty_form *f);

#endif
