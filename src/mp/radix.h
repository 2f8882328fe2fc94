/* What text to numbers and numbers to text share: a radix, its powers, and the digits. */
#ifndef TY_MP_RADIX_H
#define TY_MP_RADIX_H

#include "mp/mp_internal.h"

/* The digits that fit so many bits, and radix to their power. A radix 2^bits has no use for
 * them. */
typedef struct ty_radix {
    ty_limb base, power;
    size_t count;
    unsigned bits;   /* 0: no power of two */
} ty_radix;

extern const char ty_radix_digits[65];
static inline int ty_radix_valid(int base) { return base >= 2 && base <= 64; }
ty_radix ty_radix_prepare(int base, unsigned fit);   /* fit <= TY_LIMB_BITS */

/* power^(TY_RADIX_FIRST 2^i) without the zeros limbs at its bottom; an even radix has many. */
typedef struct ty_radix_power {
    ty_limb *p;
    size_t n, zeros;
    unsigned shift;   /* ty_radix_normalize: p is times 2^shift, its top bit is set */
    ty_limb v;        /* and v its top limb's reciprocal */
    ty_limb *recip;   /* that of its rn highest limbs, if rn is not 0: mp_internal.h */
    size_t rn;
} ty_radix_power;

enum { TY_RADIX_FIRST = 8, TY_RADIX_LEVELS = 8 * (int)sizeof(size_t) };

/* Powers of at most `most` limbs, zeros and all, in room for 2 most limbs and 2 for every bit of
 * most; *levels = how many. */
ty_err ty_radix_powers(ty_radix_power *p, int *levels, const ty_radix *r, size_t most,
                       ty_limb *room, const ty_alloc *alloc);
/* Room for the reciprocals: most limbs and 3 for every bit of it */
ty_err ty_radix_normalize(ty_radix_power *p, int levels, ty_limb *room, const ty_alloc *alloc);

/* z[xn+yn] = xy; z apart from both */
ty_err ty_radix_mul(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                    const ty_alloc *alloc);

#endif
