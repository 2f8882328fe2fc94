/* The formulas of ec_prime_sums.h by ec_sm2_m4.S. Part of ec_prime.h. */
#ifndef TY_EC_EC_SM2_M4_SUMS_H
#define TY_EC_EC_SM2_M4_SUMS_H

void ty_ec_sm2_dbl_m4(point *r, const point *p);
void ty_ec_sm2_sum_m4(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p, const ready *q);
void ty_ec_sm2_sum_affine_m4(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p, const affine *q);

/* r = 2p. r may alias p */
static inline void point_dbl(point *r, const point *p) { ty_ec_sm2_dbl_m4(r, p); }

/* r = p + q, h = H, rr = R. r may not alias p or q */
static inline void point_sum(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p, const ready *q)
{
    ty_ec_sm2_sum_m4(r, h, rr, p, q);
}

/* the same for an affine q; m is ignored */
static inline void point_sum_affine(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p,
                                    const affine *q, meanwhile *m)
{
    (void)m;
    ty_ec_sm2_sum_affine_m4(r, h, rr, p, q);
}

#endif
