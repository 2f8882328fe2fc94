/* The doubling of Chudnovsky and Chudnovsky (1986) for a = -3, and the additions of Cohen, Miyaji
 * and Ono (1998). Part of ec_prime.h. */
#ifndef TY_EC_EC_PRIME_SUMS_H
#define TY_EC_EC_PRIME_SUMS_H

/* r = 2p: with S = xy^2 and L = 3/2 (x - z^2)(x + z^2), the slope times yz,
 * X = L^2 - 2S, Y = L (S - X) - y^4, Z = yz. Infinity stays infinity. r may alias p. The order of
 * the lines was chosen by measurement: neighbours do not wait for each other, and the longest path
 * comes first.
 * cost: 4 products, 4 squarings, one reduction fewer */
static void point_dbl(point *r, const point *p)
{
    ty_p_sm2 zz, m, s, yy, t, u, x;
    ty_p_sm2_wide w;
    ty_p_sm2_sqr(&zz, &p->z);
    ty_p_sm2_sqr(&yy, &p->y);
    ty_p_sm2_sub(&t, &p->x, &zz);
    ty_p_sm2_add(&u, &p->x, &zz);
    ty_p_sm2_mul(&m, &t, &u);
    ty_p_sm2_mul(&s, &yy, &p->x);
    ty_p_sm2_half(&t, &m);
    ty_p_sm2_add(&m, &m, &t);
    ty_p_sm2_sqr(&x, &m);
    ty_p_sm2_mul(&r->z, &p->y, &p->z);
    ty_p_sm2_sqr_wide(&w, &yy);
    ty_p_sm2_sub(&x, &x, &s);
    ty_p_sm2_sub(&r->x, &x, &s);
    ty_p_sm2_sub(&s, &s, &r->x);
    ty_p_sm2_mul_less(&r->y, &s, &m, &w);
}

/* The common part of both additions, for u = U1 = x1 Z2^2, s = S1 = y1 Z2^3, h = H = U2 - U1, rr =
 * R = S2 - S1: X = R^2 - H^3 - 2 U1 H^2, Y = R (U1 H^2 - X) - S1 H^3 */
EC_INLINE void add_tail(point *r, const ty_p_sm2 *u, const ty_p_sm2 *s, const ty_p_sm2 *h,
                        const ty_p_sm2 *rr, meanwhile *m)
{
    ty_p_sm2 h2, h3, v, t;
    ty_p_sm2_wide w;
    ty_p_sm2_sqr(&h2, h);
    if (m) meanwhile_step(m, 5);
    ty_p_sm2_sqr(&t, rr);
    if (m) meanwhile_step(m, 6);
    ty_p_sm2_mul(&h3, &h2, h);
    if (m) meanwhile_step(m, 7);
    ty_p_sm2_mul(&v, u, &h2);
    if (m) meanwhile_step(m, 8);
    ty_p_sm2_sub(&t, &t, &h3);
    ty_p_sm2_sub(&t, &t, &v);
    ty_p_sm2_sub(&r->x, &t, &v);
    ty_p_sm2_mul_wide(&w, s, &h3);
    if (m) meanwhile_step(m, 9);
    ty_p_sm2_sub(&t, &v, &r->x);
    ty_p_sm2_mul_less(&r->y, &t, rr, &w);
    if (m) meanwhile_step(m, 10);
}

/* r = p + q, and h = H, rr = R: p = q if both are 0; p = -q if only h is, and the sum is infinity,
 * as it should be.
 * r may not alias p or q.   cost: 11 products, 3 squarings, one reduction fewer */
static inline void point_sum(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p, const ready *q)
{
    ty_p_sm2 zz1, u1, u2, s1, s2;
    ty_p_sm2_sqr(&zz1, &p->z);
    ty_p_sm2_mul(&s2, &q->p.y, &p->z);
    ty_p_sm2_mul(&u2, &q->p.x, &zz1);
    ty_p_sm2_mul(&u1, &p->x, &q->zz);
    ty_p_sm2_mul(&s2, &s2, &zz1);
    ty_p_sm2_sub(h, &u2, &u1);
    ty_p_sm2_mul(&s1, &p->y, &q->zzz);
    ty_p_sm2_mul(&r->z, &p->z, &q->p.z);
    ty_p_sm2_sub(rr, &s2, &s1);
    ty_p_sm2_mul(&r->z, &r->z, h);
    add_tail(r, &u1, &s1, h, rr, NULL);
}

/* the same for an affine q.   cost: 8 products, 3 squarings, one reduction fewer */
EC_INLINE void point_sum_affine(point *r, ty_p_sm2 *h, ty_p_sm2 *rr, const point *p,
                                const affine *q, meanwhile *m)
{
    ty_p_sm2 zz, u2, s2;
    ty_p_sm2_sqr(&zz, &p->z);
    if (m) meanwhile_step(m, 0);
    ty_p_sm2_mul(&s2, &q->y, &p->z);
    if (m) meanwhile_step(m, 1);
    ty_p_sm2_mul(&u2, &q->x, &zz);
    if (m) meanwhile_step(m, 2);
    ty_p_sm2_mul(&s2, &s2, &zz);
    if (m) meanwhile_step(m, 3);
    ty_p_sm2_sub(h, &u2, &p->x);
    ty_p_sm2_sub(rr, &s2, &p->y);
    ty_p_sm2_mul(&r->z, &p->z, h);
    if (m) meanwhile_step(m, 4);
    add_tail(r, &p->x, &p->y, h, rr, m);
}

#endif
