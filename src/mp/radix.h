/* Shared by the conversions from and to text: a radix, its powers, and the digits. */
#ifndef TY_MP_RADIX_H
#define TY_MP_RADIX_H

#include "mp/mp_internal.h"

/* count: digits of a chunk; power = base^count. Neither is used for a radix 2^bits. */
typedef struct ty_radix {
    ty_limb base, power;
    size_t count;
    unsigned bits;   /* 0: not a power of two */
} ty_radix;

extern const char ty_radix_digits[65];
static inline int ty_radix_valid(int base) { return base >= 2 && base <= 64; }
ty_radix ty_radix_prepare(int base, unsigned fit);   /* power < 2^fit, fit <= TY_LIMB_BITS */

/* power^(TY_RADIX_FIRST 2^i) without its `zeros` lowest limbs, which are 0; an even radix has
 * many. */
typedef struct ty_radix_power {
    ty_limb *p;
    size_t n, zeros;
    unsigned shift;   /* ty_radix_normalize: p is multiplied by 2^shift, its top bit is set */
    ty_limb v;        /* and v its top limb's reciprocal */
    ty_limb *recip;   /* the reciprocal of its rn highest limbs, if rn is not 0: mp_internal.h */
    size_t rn;
} ty_radix_power;

enum { TY_RADIX_FIRST = 8, TY_RADIX_LEVELS = 8 * (int)sizeof(size_t) };

/* Powers of at most `limit` limbs, zeros included, in `room`, which has 2 `limit` limbs and 2 for
 * every bit of `limit`; *levels = their number. */
ty_err ty_radix_powers(ty_radix_power *p, int *levels, const ty_radix *r, size_t limit,
                       ty_limb *room, const ty_alloc *alloc);
/* Sets shift, v and recip of the powers. `room`, for the reciprocals, has `limit` limbs, and 3
 * for every bit of `limit`, which is that of ty_radix_powers */
ty_err ty_radix_normalize(ty_radix_power *p, int levels, ty_limb *room, const ty_alloc *alloc);

/* z[xn+yn] = xy; z overlaps neither */
ty_err ty_radix_mul(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                    const ty_alloc *alloc);

#endif
