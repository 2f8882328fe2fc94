/* Points over a field given at run time: the functions that all tiers of the family ec_any call,
 * each with its own kernels of the field. They are those of ty_ec_binary_ops. */
#ifndef TY_EC_EC_ANY_POINTS_H
#define TY_EC_EC_ANY_POINTS_H

#include "ec/ec_binary.h"
#include "f2m/f2_any.h"

typedef struct ty_ec_any_field {   /* the field, and the functions of one tier */
    const ty_f2_any *f;
    const ty_f2_any_kernels *kernels;
    ty_f2_any_rung rung;           /* or NULL */
} ty_ec_any_field;

uint32_t ty_ec_any_mul(uint8_t *z, const uint8_t *k, size_t bits, const uint8_t *p,
                       const ty_ec_curve *c, const ty_ec_any_field *f);
uint32_t ty_ec_any_mul_add_vt(uint8_t *z, const uint8_t *u, const uint8_t *v, const uint8_t *p,
                              const ty_ec_curve *c, const ty_ec_any_field *f);
ty_err ty_ec_any_check(const uint8_t *p, const ty_ec_curve *c, const ty_ec_any_field *f);
ty_err ty_ec_any_check_again(const uint8_t *p, const ty_ec_curve *c, const ty_ec_any_field *f);
ty_err ty_ec_any_decompress(uint8_t *z, const uint8_t *x, uint32_t odd, const ty_ec_curve *c,
                            const ty_ec_any_field *f);
uint32_t ty_ec_any_odd(const uint8_t *p, const ty_ec_curve *c, const ty_ec_any_field *f);

#endif
