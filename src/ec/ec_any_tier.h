/* One tier of the family ec_any: the functions of ec_any_points.h with the kernels of its level. A
 * file ec_any_<level>.c defines TY_LEVEL and includes this. The code here needs no instruction of
 * that level. */
#ifndef TY_EC_EC_ANY_TIER_H
#define TY_EC_EC_ANY_TIER_H

#include "ec/ec_any_points.h"

#define ANY_(op) TY_CAT(ty_ec_any_##op##_, TY_LEVEL)   /* ANY_(mul) is ty_ec_any_mul_vaes */

static ty_ec_any_field ANY_(field)(const ty_ec_curve *c)
{
    const ty_f2_any_ops *ops = &TY_CAT(ty_f2_any_ops_, TY_LEVEL);
    const ty_ec_any_field f = { c->field, ops->pick(c->field),
                                ops->rung ? ops->rung(c->field) : NULL };
    return f;
}

static uint32_t ANY_(mul)(uint8_t *z, const uint8_t *k, size_t bits, const uint8_t *p,
                          const ty_ec_curve *c)
{
    const ty_ec_any_field f = ANY_(field)(c);
    return ty_ec_any_mul(z, k, bits, p, c, &f);
}

static uint32_t ANY_(mul_base)(uint8_t *z, const uint8_t *k, const ty_ec_curve *c)
{
    return ANY_(mul)(z, k, c->n_bits, ty_ec_g(c), c);
}

static uint32_t ANY_(mul_add_vt)(uint8_t *z, const uint8_t *u, const uint8_t *v, const uint8_t *p,
                                 const ty_ec_curve *c)
{
    const ty_ec_any_field f = ANY_(field)(c);
    return ty_ec_any_mul_add_vt(z, u, v, p, c, &f);
}

static ty_err ANY_(check)(const uint8_t *p, const ty_ec_curve *c)
{
    const ty_ec_any_field f = ANY_(field)(c);
    return ty_ec_any_check(p, c, &f);
}

static ty_err ANY_(check_again)(const uint8_t *p, const ty_ec_curve *c)
{
    const ty_ec_any_field f = ANY_(field)(c);
    return ty_ec_any_check_again(p, c, &f);
}

static ty_err ANY_(decompress)(uint8_t *z, const uint8_t *x, uint32_t odd, const ty_ec_curve *c)
{
    const ty_ec_any_field f = ANY_(field)(c);
    return ty_ec_any_decompress(z, x, odd, c, &f);
}

static uint32_t ANY_(odd)(const uint8_t *p, const ty_ec_curve *c)
{
    const ty_ec_any_field f = ANY_(field)(c);
    return ty_ec_any_odd(p, c, &f);
}

#endif
