/* Limbs as digits of 52 bits, and back: what modn/lanes.h and modn/ifma.h multiply. Time by lengths
 * alone. */
#ifndef TY_MODN_DIGITS52_H
#define TY_MODN_DIGITS52_H

#include "modn/lanes.h"

#if defined(TY_HAS_LANES)
/* z[d], step words from one digit to the next = x[n]/2^from, of which no more than d digits are
 * asked */
void ty_digits52_put(uint64_t *z, size_t step, size_t d, const ty_limb *x, size_t n, size_t from);
/* x[n] = the lowest limbs of z[d] */
void ty_digits52_get(ty_limb *x, size_t n, const uint64_t *z, size_t step, size_t d);
/* z[d] = the step that takes m[n]'s place, and -1/m mod D; work[n + 1]: scratch */
uint64_t ty_digits52_step(uint64_t *z, size_t step, size_t d, const ty_limb *m, size_t n,
                          ty_limb *work);
#endif

#endif
