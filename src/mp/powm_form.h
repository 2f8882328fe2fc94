/* How the numbers of one power are held while it runs: limbs in Montgomery's form, or what the CPU
 * and the length make faster: digits in doubles, modn/reals.h, or in vectors of integers,
 * modn/ifma.h. Functions take time by lengths alone. */
#ifndef TY_MP_POWM_FORM_H
#define TY_MP_POWM_FORM_H

#include "modn/ifma.h"
#include "modn/reals.h"
#include "mp/mont.h"

#if defined(TY_HAS_REALS) || defined(TY_HAS_LANES)
#  define TY_HAS_FORMS
/* words of numbers of up to 2048 bits: longer ones come from the allocator */
#  define TY_FORM_SMALL ((2048 + 2) / 46 + 2)
#endif

typedef struct ty_form ty_form;

/* Products on z, x and y [words], as of ty_form_mul and ty_form_sqrs; other than limbs also
 *   plan      whether this CPU and length suit: sets words, bits, room
 *   prepare   the modulus and what belongs to it, to p [room], zeros until now; work: scratch,
 *             limbs for R^2
 *   put       z[words] = x[len] < R
 *   get       x[n] = the value of z, a product with a factor below m, modulo m: canonical */
typedef struct ty_form_kind {
    void (*mul)(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_form *f);
    void (*sqrs)(ty_limb *z, size_t count, const ty_form *f);
    int (*plan)(ty_form *f, size_t bits);
    void (*prepare)(ty_form *f, ty_limb *p, ty_limb *work);
    void (*put)(ty_limb *z, const ty_limb *x, size_t len, const ty_form *f);
    void (*get)(ty_limb *x, const ty_limb *z, const ty_form *f);
} ty_form_kind;

struct ty_form {
    const ty_form_kind *kind;
    const ty_mont *m;
    size_t words;              /* of a number: [words] */
#if defined(TY_HAS_FORMS)
    size_t bits, room;         /* R = 2^bits; of words */
    union {
        struct { const ty_reals_ops *ops; ty_reals w; } real;
        struct { const ty_ifma_ops *ops; ty_ifma w; ty_limb *m, *t; } ifma;
    } of;
    ty_limb *in, *out;         /* factors by which a number comes in and goes out */
    size_t total;
    ty_limb *all, own[15 * TY_FORM_SMALL + 128];
#endif
};

extern const ty_form_kind ty_form_reals, ty_form_ifma;

/* for an exponent of so many bits */
ty_err ty_form_open(ty_form *f, const ty_mont *m, size_t bits);
void ty_form_close(ty_form *f);
/* limbs in Montgomery's form, loose; not in place */
void ty_form_in(ty_limb *z, const ty_limb *x, const ty_form *f);
/* back, canonical or loose as it was; x is destroyed */
void ty_form_out(ty_limb *z, ty_limb *x,       const ty_form *f);
static inline void ty_form_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_form *f)
{
    f->kind->mul(z, x, y, f);
}
static inline void ty_form_sqrs(ty_limb *z, size_t count, const ty_form *f)
{
    f->kind->sqrs(z, count, f);
}

#endif
