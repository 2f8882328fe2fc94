/* Limbs as digits of 52 bits, and back, for modn/lanes.h and modn/ifma.h. The time depends on
 * lengths alone. */
#ifndef TY_MODN_DIGITS52_H
#define TY_MODN_DIGITS52_H

#include "modn/lanes.h"

#if defined(TY_HAS_LANES)
/* z[d] = the lowest d digits of x[n]/2^from; stride: words from one digit to the next */
void ty_digits52_put(uint64_t *z, size_t stride, size_t d, const ty_limb *x, size_t n, size_t from);
/* x[n] = the lowest limbs of z[d] */
void ty_digits52_get(ty_limb *x, size_t n, const uint64_t *z, size_t stride, size_t d);
/* z[d] = the step, which replaces m[n] in products (modn/lanes.h); returns -1/m mod D; work[n + 1]:
 * scratch */
uint64_t ty_digits52_step(uint64_t *z, size_t stride, size_t d, const ty_limb *m, size_t n,
                          ty_limb *work);
#endif

#endif
