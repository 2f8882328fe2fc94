/* uG + vP for verification, of public values, in variable time: by the comb for G and the ladder
 * for P, with one inversion for their sum.
 * bound: 6 products per bit for the ladder, 2.3 for the comb (2 columns of 9 and a doubling of 5
 * for every 10 bits); on a Koblitz curve fewer, and the method of ec_f2_koblitz.h in place of the
 * ladder */
#ifndef TY_EC_EC_F2_VERIFY_H
#define TY_EC_EC_F2_VERIFY_H

#include "ec/ec_f2_comb.h"
#if EC_KOBLITZ
#  include "ec/ec_f2_koblitz.h"
#endif

/* q = point 0 of r, where p is the difference of points 0 and 1. p and point 1 are not infinity,
 * point 0 may be. With the constant q of ec_f2_complete.h and
 *   A0 = x Z0 + X0, A1 = x Z1 + X1, D = x Z0 Z1:
 *   Z = x0 D = x X0 Z1, X = q D, y0 D^2 = x Z1 A0 (A0 A1 + (x^2 + y) Z0 Z1) + y D^2,
 *   S = q (y0 D^2 + Z^2 + (a + 1) D Z) */
static F2_NOINLINE void ec_recover_xs(ec_xs *q, const ec_pair *r, const ec_affine *p,
                                      const ec_shape *c)
{
    fe a0, a1, d, y, zz, t;
    fe_mul(&y, &c->c, &p->x);
    fe_add(&y, &y, &p->y);
    fe_mul(&a0, &p->x, &r->z0);
    fe_mul(&d, &a0, &r->z1);
    fe_add(&a0, &a0, &r->x0);
    fe_mul(&t, &p->x, &r->z1);
    fe_add(&a1, &t, &r->x1);
    fe_mul(&q->z, &t, &r->x0);
    fe_mul(&zz, &r->z0, &r->z1);
    fe_mul(&a1, &a1, &a0);
    fe_mul(&a0, &a0, &t);
    fe_sqr(&t, &p->x);
    fe_add(&t, &t, &y);
    fe_mul(&t, &t, &zz);
    fe_add(&t, &t, &a1);
    fe_mul(&t, &t, &a0);
    fe_sqr(&a1, &d);
    fe_mul(&a1, &a1, &y);
    fe_add(&t, &t, &a1);
    fe_sqr(&a1, &q->z);
    fe_add(&t, &t, &a1);
    if (!c->a) {
        fe_mul(&a1, &d, &q->z);
        fe_add(&t, &t, &a1);
    }
    fe_mul(&q->s, &t, &c->q);
    fe_mul(&q->x, &d, &c->q);
    fe_mul(&q->t, &q->x, &q->z);
}

/* On a Koblitz curve r = vP, and 1 is returned; on any other curve 0, and r is not set. */
static int ec_tau_times_vt(ec_xs *r, const uint8_t *v, const ec_affine *p, const ty_ec_curve *curve,
                           const ec_shape *c)
{
#if EC_KOBLITZ
    if (curve->tau) ec_tau_times(r, v, curve->n_bits, p, curve, c);
#else
    (void)r, (void)v, (void)p, (void)c;
#endif
    return curve->tau != NULL;
}

static uint32_t ec_mul_add_vt(uint8_t *z, const uint8_t *u, const uint8_t *v, const uint8_t *in,
                              const ty_ec_curve *curve)
{
    ec_constants c;
    ec_shape shape;
    ec_affine p;
    ec_xs ug, vp;
    ec_pair r;
    ec_constants_set(&c, curve);
    ec_shape_set(&shape, curve);
    (void)ec_affine_set(&p, in);
    if (!ec_tau_times_vt(&vp, v, &p, curve, &shape)) {
        ec_ladder(&r, v, curve->n_bits, &p.x, &c.root);
        if (fe_iszero(&r.z1)) {
            fe_add(&p.y, &p.y, &p.x);   /* (v + 1) P is infinity, so v P = -P */
            ec_xs_set(&vp, &p, &shape);
        } else {
            ec_recover_xs(&vp, &r, &p, &shape);
        }
    }
    ec_comb(&ug, u, curve, &shape, 1);
    ec_xs_add(&ug, &ug, &vp, &shape);
    const uint64_t finite = ec_xs_get(&p, &ug, &shape);
    fe_get(z, &p.x);
    fe_get(z + F2_BYTES, &p.y);
    return (uint32_t)finite;
}

#endif
