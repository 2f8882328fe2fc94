/* Points of y^2 + xy = x^3 + ax^2 + b over GF(2^m): each file of src/ec_f2 includes this once, for
 * its field and level.
 *
 * The includer defines the field: fe, its operations fe_<name>, and F2_BYTES. The functions
 * ec_<name> have symbols of their own from ec_f2_names.h. */
#ifndef TY_EC_EC_F2_LADDER_H
#define TY_EC_EC_F2_LADDER_H

#include "ec/ec_binary.h"
#include "ec/ec_f2_names.h"
#include "f2m/f2m_field.h"

typedef struct ec_constants {
    fe a, b, root;   /* root^2 = b */
} ec_constants;

typedef struct ec_affine {
    fe x, y;
} ec_affine;

/* the ladder's two points, x = X/Z; their difference is always the point that is multiplied */
typedef struct ec_pair {
    fe x0, z0, x1, z1;
} ec_pair;

static F2_NOINLINE void ec_constants_set(ec_constants *c, const ty_ec_curve *curve)
{
    (void)fe_set(&c->a, curve->abcg);
    (void)fe_set(&c->b, curve->abcg + F2_BYTES);
    (void)fe_set(&c->root, curve->abcg + 2 * F2_BYTES);
}

/* p = `in`; returns all ones if both degrees are below m, else zero */
static F2_NOINLINE uint64_t ec_affine_set(ec_affine *p, const uint8_t *in)
{
    const uint64_t x_ok = fe_set(&p->x, in);
    return fe_set(&p->y, in + F2_BYTES) & x_ok;
}

#if F2_QUAD_LADDER
#  include "ec/ec_f2_quad_ladder.h"
#else
/* One step of the ladder (Lopez and Dahab 1999): sum = twice + sum, and twice = 2 sum where mask is
 * all ones, else 2 twice. Points are X and Z, twice in this order, sum in the other: then the sum's
 * first product needs no swap.
 *   sum     Z = (X0 Z1 + X1 Z0)^2, X = x Z + X0 Z1 X1 Z0
 *           also right if either is infinity, (1, 0)
 *   twice   Z = X^2 Z^2, X = X^4 + b Z^4 = (X^2 + root Z^2)^2
 * cost: 6 products, 4 squarings, as three products and one squaring of pairs and two squarings
 * bound: product, squaring, product of the sum, one after the other; the selection is made during
 * the first of them */
static F2_INLINE void ec_rung(fe2 *twice, fe2 *sum, uint64_t mask, const fe *x, const fe *root)
{
    fe s, t, u, v, z;
    fe2 st, uv, right;
    fe2_swap(&right, twice);
    fe2_sel(&uv, mask, sum, &right);
    fe2_mul_ladder(&st, twice, sum);          /* X0 Z1, Z0 X1 */
    fe2_sqr_ladder(&uv, &uv);                 /* Z^2, X^2 */
    fe2_split(&s, &t, &st);
    fe_add(&z, &s, &t);
    fe_sqr_ladder(&z, &z);
    fe2_split(&v, &u, &uv);
    fe2_join(&right, root, &v);
    fe2_mul_ladder(&uv, &uv, &right);         /* Z^2 root, X^2 Z^2 */
    fe2_join(&st, &s, &z);
    fe2_join(&right, &t, x);
    fe2_mul_ladder(&st, &st, &right);         /* X0 Z1 X1 Z0, x Z */
    fe2_split(&v, &s, &uv);
    fe_add(&u, &u, &v);
    fe_sqr_ladder(&u, &u);
    fe2_join(twice, &u, &s);
    fe2_split(&s, &t, &st);
    fe_add(&s, &s, &t);
    fe2_join(sum, &z, &s);
}

/* r = kP and (k + 1)P, from x of P. The ladder starts at infinity, so that leading zeros of k are
 * steps like any other. After a bit of 0 it is kP that was doubled, after a 1 (k + 1)P; so the next
 * step doubles the same point again if its bit is the same. */
static F2_NOINLINE void ec_ladder(ec_pair *r, const uint8_t *k, size_t bits, const fe *x,
                                  const fe *root)
{
    const size_t last = (bits + 7) / 8 - 1;
    uint32_t before = 0;
    fe2 twice, sum, turned, p;
    memset(&r->z0, 0, sizeof r->z0);
    fe2_join(&twice, &fe_one, &r->z0);
    fe2_join(&sum, &fe_one, x);
    for (size_t i = bits; i-- > 0;) {
        const uint32_t bit = (uint32_t)k[last - i / 8] >> i % 8 & 1;
        ec_rung(&twice, &sum, ty_mask_bit64(bit ^ before), x, root);
        before = bit;
    }
    const uint64_t mask = ty_mask_bit64(before);
    fe2_swap(&turned, &sum);
    fe2_sel(&p, mask, &turned, &twice);
    fe2_split(&r->x0, &r->z0, &p);
    fe2_sel(&p, mask, &twice, &turned);
    fe2_split(&r->x1, &r->z1, &p);
    ty_wipe(&twice, sizeof twice);
    ty_wipe(&sum, sizeof sum);
    ty_wipe(&turned, sizeof turned);
    ty_wipe(&p, sizeof p);
}
#endif

/* q = point 0 of r, affine, where point 1 - point 0 = p; returns all ones, or 0 with q = 0 if
 * point 0 is infinity.
 *   y0 = (x + x0)((x + x0)(x + x1) + x^2 + y)/x + y, with one inversion, of x Z0 Z1
 * Where point 1 is infinity, point 0 is -p = (x, x + y). i is 1/(x Z0 Z1), and any element where
 * that does not exist. */
static uint64_t ec_recover_with(ec_affine *q, const ec_pair *r, const ec_affine *p, const fe *i)
{
    const uint64_t finite0 = ~fe_iszero(&r->z0), infinite1 = fe_iszero(&r->z1);
    fe zz, x0, x1, t, u, zero;
    fe_mul(&zz, &r->z0, &r->z1);
    fe_mul(&t, i, &p->x);             /* 1/(Z0 Z1) */
    fe_mul(&x0, &r->x0, &r->z1);
    fe_mul(&x0, &x0, &t);
    fe_mul(&x1, &r->x1, &r->z0);
    fe_mul(&x1, &x1, &t);
    fe_add(&t, &p->x, &x0);
    fe_add(&x1, &p->x, &x1);
    fe_mul(&x1, &x1, &t);
    fe_sqr(&u, &p->x);
    fe_add(&u, &u, &p->y);
    fe_add(&u, &u, &x1);
    fe_mul(&u, &u, &t);
    fe_mul(&zz, &zz, i);              /* 1/x */
    fe_mul(&u, &u, &zz);
    fe_add(&q->y, &u, &p->y);
    fe_add(&t, &p->x, &p->y);
    fe_sel(&q->x, infinite1, &p->x, &x0);
    fe_sel(&q->y, infinite1, &t, &q->y);
    memset(&zero, 0, sizeof zero);
    fe_sel(&q->x, finite0, &q->x, &zero);
    fe_sel(&q->y, finite0, &q->y, &zero);
    /* Z, unlike x and y, reveals bits of the scalar (Naccache, Smart and Stern 2004) */
    ty_wipe(&zz, sizeof zz);
    ty_wipe(&x0, sizeof x0);
    ty_wipe(&x1, sizeof x1);
    ty_wipe(&t, sizeof t);
    ty_wipe(&u, sizeof u);
    return finite0;
}

static F2_NOINLINE uint64_t ec_recover(ec_affine *q, const ec_pair *r, const ec_affine *p)
{
    fe i;
    fe_mul(&i, &r->z0, &r->z1);
    fe_mul(&i, &i, &p->x);
    fe_inv(&i, &i);
    const uint64_t finite = ec_recover_with(q, r, p, &i);
    ty_wipe(&i, sizeof i);
    return finite;
}

static uint32_t ec_mul(uint8_t *z, const uint8_t *k, size_t bits, const uint8_t *p,
                       const ty_ec_curve *curve)
{
    ec_constants c;
    ec_affine a, q;
    ec_pair r;
    ec_constants_set(&c, curve);
    (void)ec_affine_set(&a, p);
    ec_ladder(&r, k, bits, &a.x, &c.root);
    const uint64_t finite = ec_recover(&q, &r, &a);
    fe_get(z, &q.x);
    fe_get(z + F2_BYTES, &q.y);
    ty_wipe(&r, sizeof r);
    ty_wipe(&q, sizeof q);
    ty_wipe_below_8k();
    return (uint32_t)finite;
}

/* all ones if y^2 + xy = x^3 + ax^2 + b, that is y (y + x) = x^2 (x + a) + b */
static F2_NOINLINE uint64_t ec_on_curve(const ec_affine *p, const ec_constants *c)
{
    fe left, right, t;
    fe_add(&t, &p->x, &p->y);
    fe_mul(&left, &t, &p->y);
    fe_sqr(&right, &p->x);
    fe_add(&t, &p->x, &c->a);
    fe_mul(&right, &right, &t);
    fe_add(&right, &right, &c->b);
    fe_add(&left, &left, &right);
    const uint64_t on = fe_iszero(&left);
    ty_wipe(&right, sizeof right);   /* the point may be a shared secret */
    ty_wipe(&t, sizeof t);
    return on;
}

/* All ones if P, on the curve and with x != 0, has order n. P = 2Q has a solution Q if and only if
 * Tr(x) = Tr(a) (Seroussi 1998), and for h = 2 the points of order n are the doubles. The double of
 * Q = (u, v) has x = l^2 + l + a and y = u^2 + (l + 1)x for l = u + v/u; so for h = 4, u^2 is
 * computed from l and checked in the same way. Either of the two l will do: their Q differ by the
 * point of order 2, which is a double itself. */
static F2_NOINLINE uint64_t ec_has_order_n(const ec_affine *p, const ec_constants *c, uint32_t h)
{
    fe l, t;
    fe_add(&t, &p->x, &c->a);
    const uint64_t half = ~fe_trace(&t);
    if (h == 2) {
        ty_wipe(&t, sizeof t);
        return half;
    }
    (void)fe_solve(&l, &t);
    fe_mul(&t, &l, &p->x);
    fe_add(&t, &t, &p->x);
    fe_add(&t, &t, &p->y);            /* u^2, whose trace is that of u */
    fe_add(&t, &t, &c->a);
    return half & ~fe_trace(&t);
}

static ty_err ec_check(const uint8_t *in, const ty_ec_curve *curve)
{
    ec_constants c;
    ec_affine p;
    ec_constants_set(&c, curve);
    if (!ec_affine_set(&p, in)) return TY_ERR_KEY;
    if (!ec_on_curve(&p, &c) || fe_iszero(&p.x)) return TY_ERR_KEY;
    return ec_has_order_n(&p, &c, curve->h) ? TY_OK : TY_ERR_KEY;
}

static ty_err ec_check_again(const uint8_t *in, const ty_ec_curve *curve)
{
    ec_constants c;
    ec_affine p;
    ec_constants_set(&c, curve);
    uint64_t fine =
        ec_affine_set(&p, in) & ec_on_curve(&p, &c) & ~fe_iszero(&p.x) & ec_has_order_n(&p, &c, 2);
    TY_PUBLIC(&fine, sizeof fine);      /* true, unless the machine failed */
    ty_wipe(&p, sizeof p);
    return fine ? TY_OK : TY_ERR_KEY;
}

/* y = x w with w^2 + w = x + a + b/x^2 and `odd` as the constant term of w  [SEC 1 v2, 2.3.4] */
static ty_err ec_decompress(uint8_t *z, const uint8_t *x, uint32_t odd, const ty_ec_curve *curve)
{
    ec_constants c;
    ec_affine p;
    fe t, w;
    uint8_t bytes[F2_BYTES];
    ec_constants_set(&c, curve);
    if (!fe_set(&p.x, x)) return TY_ERR_KEY;
    if (fe_iszero(&p.x)) return TY_ERR_KEY;
    fe_inv(&t, &p.x);
    fe_mul(&t, &t, &c.root);
    fe_sqr(&t, &t);
    fe_add(&t, &t, &p.x);
    fe_add(&t, &t, &c.a);
    if (!fe_solve(&w, &t)) return TY_ERR_KEY;
    fe_get(bytes, &w);
    if ((bytes[F2_BYTES - 1] & 1) != odd) fe_add(&w, &w, &fe_one);
    fe_mul(&p.y, &p.x, &w);
    fe_get(z, &p.x);
    fe_get(z + F2_BYTES, &p.y);
    return TY_OK;
}

static uint32_t ec_odd(const uint8_t *in, const ty_ec_curve *curve)
{
    (void)curve;
    ec_affine p;
    fe t;
    uint8_t bytes[F2_BYTES];
    (void)ec_affine_set(&p, in);
    fe_inv(&t, &p.x);
    fe_mul(&t, &t, &p.y);
    fe_get(bytes, &t);
    return bytes[F2_BYTES - 1] & 1;
}

/* The field's functions on bytes, which tests call through the ops struct. */
static void ec_field_mul(uint8_t *z, const uint8_t *x, const uint8_t *y)
{
    fe a, b;
    (void)fe_set(&a, x);
    (void)fe_set(&b, y);
    fe_mul(&a, &a, &b);
    fe_get(z, &a);
}

static void ec_field_sqr(uint8_t *z, const uint8_t *x)
{
    fe a;
    (void)fe_set(&a, x);
    fe_sqr(&a, &a);
    fe_get(z, &a);
}

static void ec_field_inv(uint8_t *z, const uint8_t *x)
{
    fe a;
    (void)fe_set(&a, x);
    fe_inv(&a, &a);
    fe_get(z, &a);
}

static void ec_field_sqrt(uint8_t *z, const uint8_t *x)
{
    fe a;
    (void)fe_set(&a, x);
    fe_sqrt(&a, &a);
    fe_get(z, &a);
}

static uint32_t ec_field_solve(uint8_t *z, const uint8_t *x)
{
    fe a, b;
    (void)fe_set(&a, x);
    const uint64_t solved = fe_solve(&b, &a);
    fe_get(z, &b);
    return (uint32_t)solved;
}

#endif
