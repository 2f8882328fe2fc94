/* Kernels of limb.h for x86-64 that several tiers use. */
#ifndef TY_LIMB_LIMB_X86_H
#define TY_LIMB_LIMB_X86_H

#include "limb/limb.h"

#if defined(__x86_64__)
/* With instructions that every x86-64 CPU has (add and sub are in limb.h) */
ty_limb ty_limb_neg_if_x86(ty_limb *z, size_t n, ty_limb mask);
ty_limb ty_limb_sum_4_x86(ty_limb *z, const ty_limb *w, const ty_limb *x, const ty_limb *y,
                          size_t n, ty_limb mask);

ty_limb ty_limb_mul_1_adx(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
ty_limb ty_limb_addmul_1_adx(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
ty_limb ty_limb_submul_1_adx(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
void ty_limb_mul_adx(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
void ty_limb_sqr_adx(ty_limb *z, const ty_limb *x, size_t n);
TY_SYSV ty_limb ty_limb_product_adx(ty_limb *z, const ty_limb *x, size_t n, const ty_limb *y);
TY_SYSV ty_limb ty_limb_square_adx(ty_limb *z, const ty_limb *x, size_t n);
void ty_limb_redc_adx(ty_limb *z, ty_limb *t, const ty_limb *m, size_t n, ty_limb minv);
void ty_limb_mont_adx(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_limb *m, size_t n,
                      ty_limb minv);
void ty_limb_mont2_adx(ty_limb *z, const ty_limb *m, size_t n, ty_limb minv, size_t count);
ty_limb ty_limb_inv_adx(ty_limb *z, const ty_limb *x, const ty_limb *m, size_t n, size_t rounds,
                        ty_limb *work);
void ty_limb_div_adx(ty_limb *q, ty_limb *t, size_t count, const ty_limb *e, size_t dn);
TY_SYSV ty_limb2 ty_limb_gcd_2_avx2(ty_limb2 x, ty_limb2 y);
void ty_limb_gather_adx(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index);

/* Lengths that do not suit vectors go to the tier "adx", or to "c" where that is not built. */
void ty_limb_mul_gfni512(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
void ty_limb_sqr_gfni512(ty_limb *z, const ty_limb *x, size_t n);
void ty_limb_gather_gfni512(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index);
#endif

#endif
