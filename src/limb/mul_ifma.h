/* Products of integers by the 52-bit products of AVX-512 IFMA: what the tier "gfni512" of limb.h has of its own. */
#ifndef TY_LIMB_MUL_IFMA_H
#define TY_LIMB_MUL_IFMA_H

#include "limb/limb.h"

#if defined(__x86_64__) && TY_LIMB_BITS == 64
/* as ty_limb_ops says of mul and sqr; lengths that do not suit vectors go to the tier "adx", or "c" where that is not built */
void ty_limb_mul_ifma(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
void ty_limb_sqr_ifma(ty_limb *z, const ty_limb *x, size_t n);
#endif

#endif
