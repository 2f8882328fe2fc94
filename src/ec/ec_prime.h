/* Points of y^2 = x^3 - 3x + b over SM2's field, in Jacobian coordinates. Included once in a tier,
 * after the field.
 *
 * The includer defines   ty_ec_b    the constant b
 *                        meanwhile  a type, and meanwhile_step(m, i), i = 0..10: independent work
 *                                   that is interleaved with the eleven products of an affine
 *                                   addition, if m is not NULL
 *
 * (X : Y : Z) represents x = X/Z^2, y = Y/Z^3; Z = 0 is the point at infinity, whatever X and Y
 * are. Formulas: ec_prime_sums.h, or in assembly ec_sm2_m4.S. Doubling is right for every point of
 * a curve of odd order. The sums are right except in two cases, an operand at infinity and two
 * equal points; callers mask the first and exclude the second. */
#ifndef TY_EC_EC_PRIME_H
#define TY_EC_EC_PRIME_H

typedef struct point {
    ty_p_sm2 x, y, z;
} point;

struct affine {
    ty_p_sm2 x, y;
};

#undef EC_INLINE
#if TY_LIMB_BITS == 64
#  define EC_INLINE static inline __attribute__((always_inline))
#else
#  define EC_INLINE static inline
#endif

typedef struct ready {   /* a point that is added more than once */
    point p;
    ty_p_sm2 zz, zzz;          /* Z^2, Z^3 */
} ready;

static inline void point_sel(point *r, ty_limb mask, const point *p, const point *q)
{
    ty_p_sm2_sel(&r->x, mask, &p->x, &q->x);
    ty_p_sm2_sel(&r->y, mask, &p->y, &q->y);
    ty_p_sm2_sel(&r->z, mask, &p->z, &q->z);
}

/* y = -y where mask is all ones */
static inline void negate_if(ty_p_sm2 *y, ty_limb mask)
{
    ty_p_sm2 minus;
    ty_p_sm2_neg(&minus, y);
    ty_p_sm2_sel(y, mask, &minus, y);
}

/* The powers of Z, after q->p is set */
static inline void point_ready(ready *q)
{
    ty_p_sm2_sqr(&q->zz, &q->p.z);
    ty_p_sm2_mul(&q->zzz, &q->zz, &q->p.z);
}

#if defined(TY_EC_SM2_M4_POINTS)
#  include "ec/ec_sm2_m4_sums.h"
#else
#  include "ec/ec_prime_sums.h"
#endif

/* r = p + q. p_inf, q_inf: all ones if p, q is infinity; two finite points must not be equal. r may
 * alias p */
static void point_add(point *r, const point *p, const ready *q, ty_limb p_inf, ty_limb q_inf)
{
    ty_p_sm2 h, rr;
    point t;
    point_sum(&t, &h, &rr, p, q);
    point_sel(&t, p_inf, &q->p, &t);
    point_sel(r, q_inf, p, &t);
}

/* the same for an affine q; m as for point_sum_affine */
EC_INLINE void point_add_affine(point *r, const point *p, const affine *q, ty_limb p_inf,
                                ty_limb q_inf, meanwhile *m)
{
    ty_p_sm2 h, rr;
    point t;
    point_sum_affine(&t, &h, &rr, p, q, m);
    ty_p_sm2_sel(&t.x, p_inf, &q->x, &t.x);
    ty_p_sm2_sel(&t.y, p_inf, &q->y, &t.y);
    ty_p_sm2_sel(&t.z, p_inf, &ty_p_sm2_one, &t.z);
    point_sel(r, q_inf, p, &t);
}

/* r = p, with Z = 1 */
static inline void point_lift(point *r, const affine *p)
{
    r->x = p->x;
    r->y = p->y;
    r->z = ty_p_sm2_one;
}

/* p = p + q for any p, and q not infinity: every case is handled */
static void point_add_affine_vt(point *p, const affine *q)
{
    ty_p_sm2 h, rr;
    point t;
    if (ty_p_sm2_iszero(&p->z)) {
        point_lift(p, q);
        return;
    }
    point_sum_affine(&t, &h, &rr, p, q, NULL);
    if (ty_p_sm2_iszero(&h) & ty_p_sm2_iszero(&rr)) point_dbl(p, p);
    else *p = t;
}

/* all ones if y^2 = x^3 - 3x + b */
static ty_limb affine_on_curve(const affine *p)
{
    ty_p_sm2 left, right, t;
    ty_p_sm2_sqr(&left, &p->y);
    ty_p_sm2_sqr(&right, &p->x);
    ty_p_sm2_mul(&right, &right, &p->x);
    ty_p_sm2_add(&t, &p->x, &p->x);
    ty_p_sm2_add(&t, &t, &p->x);
    ty_p_sm2_sub(&right, &right, &t);
    ty_p_sm2_add(&right, &right, &ty_ec_b);
    return ty_p_sm2_eq(&left, &right);
}

/* p = x || y; returns all ones if both are below the modulus */
static ty_limb affine_set(affine *p, const uint8_t in[TY_AT_LEAST(64)])
{
    const ty_limb x_ok = ty_p_sm2_set(&p->x, in);
    return ty_p_sm2_set(&p->y, in + 32) & x_ok;
}

/* zi[i] = 1/Z of p[i], and 0 for infinity, with one inversion for all (Montgomery, 1987): the
 * inverse of the product of all Z is multiplied by one Z after the other from the last. Infinity
 * counts as Z = 1 there, so that it does not affect the others, and no branch depends on it.
 * cost: an inversion, 3 n - 2 products */
static void points_inv(ty_p_sm2 *zi, const point *p, size_t n)
{
    ty_p_sm2 all, z;
    for (size_t i = 0; i < n; i++) {
        ty_p_sm2_sel(&z, ty_p_sm2_iszero(&p[i].z), &ty_p_sm2_one, &p[i].z);
        if (i) ty_p_sm2_mul(&zi[i], &zi[i - 1], &z);
        else zi[0] = z;   /* zi[i] = the product up to i */
    }
    if (n) ty_p_sm2_inv(&all, &zi[n - 1]);
    for (size_t i = n; i-- > 0;) {
        const ty_limb infinite = ty_p_sm2_iszero(&p[i].z);
        ty_p_sm2_sel(&z, infinite, &ty_p_sm2_one, &p[i].z);
        if (i) ty_p_sm2_mul(&zi[i], &all, &zi[i - 1]);
        else zi[0] = all;
        ty_p_sm2_mul(&all, &all, &z);
        ty_p_sm2_sel(&zi[i], infinite, &ty_p_sm2_zero, &zi[i]);
    }
    ty_wipe(&all, sizeof all);
    ty_wipe(&z, sizeof z);
}

/* a = p, with zi = 1/Z; zeros for zi = 0 */
static inline void affine_by(affine *a, const point *p, const ty_p_sm2 *zi)
{
    ty_p_sm2 zi2;
    ty_p_sm2_sqr(&zi2, zi);
    ty_p_sm2_mul(&a->x, &p->x, &zi2);
    ty_p_sm2_mul(&a->y, &p->y, &zi2);
    ty_p_sm2_mul(&a->y, &a->y, zi);
    /* Z, unlike x and y, reveals bits of the scalar (Naccache, Smart and Stern 2004) */
    ty_wipe(&zi2, sizeof zi2);
}

/* out = x || y of p, with zi = 1/Z, or zeros for infinity, zi = 0; returns all ones unless p is
 * infinity */
static uint32_t point_get_by(uint8_t out[TY_AT_LEAST(64)], const point *p, const ty_p_sm2 *zi)
{
    affine a;
    affine_by(&a, p, zi);
    ty_p_sm2_get(out, &a.x);
    ty_p_sm2_get(out + 32, &a.y);
    ty_wipe(&a, sizeof a);
    return (uint32_t)~ty_p_sm2_iszero(&p->z);
}

static uint32_t point_get(uint8_t out[TY_AT_LEAST(64)], const point *p)
{
    ty_p_sm2 zi;
    ty_p_sm2_inv(&zi, &p->z);   /* 1/0 = 0 here */
    const uint32_t finite = point_get_by(out, p, &zi);
    ty_wipe(&zi, sizeof zi);
    return finite;
}

#endif
