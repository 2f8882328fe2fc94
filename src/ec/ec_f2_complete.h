/* Complete formulas for the points of order n (Pornin, "Efficient and complete formulas for binary
 * curves", 2022).
 *
 * With B = sqrt(b), q = sqrt(B), and y replaced by y + c x so that a is 0 or 1, the curve becomes
 * y^2 + xy = x(x^2 + ax + B) when y is replaced by y + B; N = (0, 0) is its point of order 2. P is
 * represented by P + N, and that as
 *     x = q X/Z, s = y + x^2 + ax + B = q S/Z^2, T = XZ.
 * Infinity is then N, an ordinary point: (0 : q : 1 : 0). The sum of (X1 : S1 : Z1 : T1) and (X2 :
 * S2 : Z2 : T2) is
 *     D = (S1 + T1)(S2 + T2), E = a T1 T2, F = q (X1 X2)^2, G = q (Z1 Z2)^2
 *     X = D + S1 S2, S = G (S1 S2 + E) + F (D + E), Z = F + G, T = XZ.
 * Here Z = 0 would mean x1 x2 = B, that is, point 1 = +-(point 2) + N. But as point 2 has the form
 * P + N, the right side has odd order, and point 1, of the same form, has not. Equal points,
 * opposite ones and N need no case of their own.
 * -(X : S : Z : T) = (X : S + T : Z : T). */
#ifndef TY_EC_EC_F2_COMPLETE_H
#define TY_EC_EC_F2_COMPLETE_H

#include "ec/ec_f2_ladder.h"

typedef struct ec_xs {
    fe x, s, z, t;
} ec_xs;

typedef struct ec_flat {   /* z = 1, t = x */
    fe x, s;
} ec_flat;

typedef struct ec_shape {  /* constants of a curve in the formulas; public */
    fe q, c;
    int a, unit;             /* a after the change of y; whether b, and so q, is 1 */
} ec_shape;

static F2_NOINLINE void ec_shape_set(ec_shape *s, const ty_ec_curve *curve)
{
    fe_load(&s->q, curve->base);
    fe_load(&s->c, curve->base + F2_W);
    s->a = curve->h == 2;
    s->unit = curve->b1;
}

/* p = q + r, for any points.   p may alias q
 * cost: 7 products, 2 squarings; two products more where b is not 1, one where a is not 0 */
static F2_NOINLINE void ec_xs_add(ec_xs *p, const ec_xs *q, const ec_xs *r, const ec_shape *c)
{
    fe d, e, s, u, v;
    fe2 a, b, xs, fg;
    fe2_join(&a, &q->x, &q->s);
    fe2_join(&b, &r->x, &r->s);
    fe2_mul(&xs, &a, &b);                  /* X1 X2, S1 S2 */
    fe_add(&u, &q->s, &q->t);
    fe_add(&v, &r->s, &r->t);
    fe2_join(&a, &u, &q->z);
    fe2_join(&b, &v, &r->z);
    fe2_mul(&fg, &a, &b);                  /* D, Z1 Z2 */
    fe2_split(&u, &s, &xs);
    fe2_split(&d, &v, &fg);
    fe2_join(&fg, &u, &v);
    e = u;                                      /* not used where a is 0 */
    if (c->a) fe_mul_loop(&e, &u, &v);
    fe2_sqr(&fg, &fg);
    fe2_join(&b, &c->q, &c->q);
    if (!c->unit) fe2_mul(&fg, &fg, &b);   /* F, G */
    fe_add(&p->x, &d, &s);
    if (c->a) {
        fe_add(&d, &d, &e);
        fe_add(&s, &s, &e);
    }
    fe2_join(&a, &d, &s);
    fe2_mul(&a, &a, &fg);
    fe2_split(&u, &v, &fg);
    fe_add(&p->z, &u, &v);
    fe_mul_loop(&p->t, &p->x, &p->z);
    fe2_split(&u, &v, &a);
    fe_add(&p->s, &u, &v);
}

/* p = p + r, for an entry r of a table.   cost: as above, less one product */
static F2_NOINLINE void ec_xs_add_flat(ec_xs *p, const ec_flat *r, const ec_shape *c)
{
    fe d, e, s, u, v;
    fe2 a, b, xs, fg;
    fe2_join(&a, &p->x, &p->s);
    fe2_join(&b, &r->x, &r->s);
    fe2_mul(&xs, &a, &b);                  /* X1 X2, S1 S2 */
    fe_add(&u, &p->s, &p->t);
    fe_add(&v, &r->s, &r->x);
    if (c->a) {
        fe2_join(&a, &u, &p->t);
        fe2_join(&b, &v, &r->x);
        fe2_mul(&a, &a, &b);               /* D, E */
        fe2_split(&d, &e, &a);
    } else {
        fe_mul_loop(&d, &u, &v);
        e = d;                                  /* not used */
    }
    fe2_split(&u, &s, &xs);
    fe2_join(&fg, &u, &p->z);
    fe2_sqr(&fg, &fg);
    fe2_join(&b, &c->q, &c->q);
    if (!c->unit) fe2_mul(&fg, &fg, &b);   /* F, G */
    fe_add(&p->x, &d, &s);
    if (c->a) {
        fe_add(&d, &d, &e);
        fe_add(&s, &s, &e);
    }
    fe2_join(&a, &d, &s);
    fe2_mul(&a, &a, &fg);
    fe2_split(&u, &v, &fg);
    fe_add(&p->z, &u, &v);
    fe_mul_loop(&p->t, &p->x, &p->z);
    fe2_split(&u, &v, &a);
    fe_add(&p->s, &u, &v);
}

/* p = 2p. The sum above with itself:
 *     X = T^2, Z = q (X + Z)^4, S = Z (S^2 + a T^2) + q (X^2 T)^2
 * cost: 3 products, 6 squarings; two products more where b is not 1 */
static F2_NOINLINE void ec_xs_double(ec_xs *p, const ec_shape *c)
{
    fe u, v, s, t;
    fe2 a, b;
    fe_add(&u, &p->x, &p->z);
    fe2_join(&a, &p->x, &u);
    fe2_sqr(&a, &a);
    fe2_join(&b, &p->s, &p->t);
    fe2_sqr(&b, &b);
    fe2_split(&u, &v, &a);                 /* X^2, (X + Z)^2 */
    fe2_split(&s, &t, &b);                 /* S^2, T^2 */
    fe_mul_loop(&u, &u, &p->t);
    p->x = t;
    if (c->a) fe_add(&s, &s, &t);
    fe2_join(&a, &u, &v);
    fe2_sqr(&a, &a);
    fe2_join(&b, &c->q, &c->q);
    if (!c->unit) fe2_mul(&a, &a, &b);
    fe2_split(&u, &p->z, &a);
    fe2_join(&a, &s, &t);
    fe2_join(&b, &p->z, &p->z);
    fe2_mul(&a, &a, &b);
    fe2_split(&s, &p->t, &a);
    fe_add(&p->s, &s, &u);
}

/* p = the affine point q, finite, of order n; with the constant q = sqrt(B) as above,
 * (q : q (y + x^2 + (a + 1) x) : x : q x) */
static F2_NOINLINE void ec_xs_set(ec_xs *p, const ec_affine *q, const ec_shape *c)
{
    fe t;
    fe_mul(&t, &c->c, &q->x);
    fe_add(&t, &t, &q->y);
    if (!c->a) fe_add(&t, &t, &q->x);
    fe_sqr(&p->s, &q->x);
    fe_add(&t, &t, &p->s);
    fe_mul(&p->s, &t, &c->q);
    p->x = c->q;
    p->z = q->x;
    fe_mul(&p->t, &p->x, &p->z);
}

/* p = the point q, affine; returns all ones, or zero with p = (0, 0) if that is infinity. With the
 * constant q = sqrt(B) as above, x = q Z/X, y = q S/X^2 + x^2 + (a + 1) x + c x */
static F2_NOINLINE uint64_t ec_xs_get(ec_affine *p, const ec_xs *q, const ec_shape *c)
{
    fe i, t;
    fe_inv(&i, &q->x);                        /* 0 for X = 0, and that gives (0, 0) */
    fe_mul(&t, &q->z, &i);
    fe_mul(&p->x, &t, &c->q);
    fe_sqr(&i, &i);
    fe_mul(&t, &q->s, &c->q);
    fe_mul(&p->y, &t, &i);
    fe_sqr(&t, &p->x);
    fe_add(&p->y, &p->y, &t);
    if (!c->a) fe_add(&p->y, &p->y, &p->x);
    fe_mul(&t, &p->x, &c->c);
    fe_add(&p->y, &p->y, &t);
    ty_wipe(&i, sizeof i);
    ty_wipe(&t, sizeof t);
    return ~fe_iszero(&q->x);
}

#endif
