/* Points of y^2 + xy = x^3 + ax^2 + b over GF(2)[t]/M for any M: the functions of ty_ec_binary_ops
 * over f2m/f2_any.h, and the list of tiers. The formulas are those of ec_f2_ladder.h for a field
 * that is given at run time: the ladder of Lopez and Dahab with recovery of y. */
#include "ec/ec_any_points.h"
#include "base/ct.h"
#include "base/wipe.h"

#include <string.h>

typedef ty_f2_any_el el;
typedef ty_ec_any_field field;

typedef struct affine {
    el x, y;
} affine;

typedef ty_f2_any_pair pair;   /* X and Z of kP and (k + 1)P */

static void mul(el *z, const el *x, const el *y, const field *f) { f->kernels->mul(z, x, y, f->f); }
static void sqr(el *z, const el *x, const field *f) { f->kernels->sqr_n(z, x, 1, f->f); }
static void add(el *z, const el *x, const el *y, const field *f) { ty_f2_any_add(z, x, y, f->f); }
static void inv(el *z, const el *x, const field *f) { ty_f2_any_inv(z, x, f->f, f->kernels); }
static uint64_t iszero(const el *x, const field *f)
{
    return ty_f2_any_iszero(x, f->f, f->kernels);
}
static uint64_t set(el *z, const uint8_t *in, const field *f)
{
    return ty_f2_any_set(z, in, f->f, f->kernels);
}

/* the i-th of a, b, root (root^2 = b) */
static void constant(el *z, int i, const ty_ec_curve *c, const field *f)
{
    (void)set(z, c->abcg + (size_t)i * ty_ec_len(c), f);
}

static uint64_t affine_set(affine *p, const uint8_t *in, const ty_ec_curve *c, const field *f)
{
    const uint64_t x_ok = set(&p->x, in, f);
    return set(&p->y, in + ty_ec_len(c), f) & x_ok;
}

static void affine_get(uint8_t *out, const affine *p, const ty_ec_curve *c, const field *f)
{
    ty_f2_any_get(out, &p->x, f->f, f->kernels);
    ty_f2_any_get(out + ty_ec_len(c), &p->y, f->f, f->kernels);
}

/* r = (k p, (k + 1) p) for the point p with this x and the low `bits` bits of k[ceil(bits/8)],
 * big-endian; root = sqrt b.  time: depends on bits only */
static void ladder(pair *r, const uint8_t *k, size_t bits, const el *x, const el *root,
                   const field *f)
{
    const size_t last = (bits + 7) / 8 - 1;
    uint32_t before = 0;
    memset(r, 0, sizeof *r);
    r->x0 = r->z1 = f->f->one;
    r->x1 = *x;
    for (size_t i = bits; i-- > 0;) {
        const uint32_t bit = (uint32_t)k[last - i / 8] >> i % 8 & 1;
        const uint64_t mask = ty_mask_bit64(bit ^ before);
        if (f->rung) f->rung(r, mask, x, root, f->f);
        else ty_f2_any_climb(r, mask, x, root, f->f, f->kernels);
        before = bit;
    }
    const uint64_t mask = ty_mask_bit64(before);
    ty_f2_any_swap(mask, &r->x0, &r->x1, f->f);
    ty_f2_any_swap(mask, &r->z0, &r->z1, f->f);
}

/* q = point 0 of r, affine, where point 1 - point 0 = p; returns all ones, or 0 with q = 0 if
 * point 0 is infinity.
 *   y0 = (x + x0)((x + x0)(x + x1) + x^2 + y)/x + y, with one inversion, of x Z0 Z1
 * Where point 1 is infinity, point 0 is -p = (x, x + y). */
static uint64_t recover(affine *q, const pair *r, const affine *p, const field *f)
{
    static const el zero = { { 0 } };
    const uint64_t finite0 = ~iszero(&r->z0, f), infinite1 = iszero(&r->z1, f);
    struct { el i, zz, x0, x1, t, u; } v;
    mul(&v.zz, &r->z0, &r->z1, f);
    mul(&v.t, &v.zz, &p->x, f);
    inv(&v.i, &v.t, f);
    mul(&v.t, &v.i, &p->x, f);                   /* 1/(Z0 Z1) */
    mul(&v.x0, &r->x0, &r->z1, f);
    mul(&v.x0, &v.x0, &v.t, f);
    mul(&v.x1, &r->x1, &r->z0, f);
    mul(&v.x1, &v.x1, &v.t, f);
    add(&v.t, &p->x, &v.x0, f);
    add(&v.x1, &p->x, &v.x1, f);
    f->kernels->mul_sqr(&v.u, &v.x1, &v.t, &p->x, f->f);
    add(&v.u, &v.u, &p->y, f);
    mul(&v.u, &v.u, &v.t, f);
    mul(&v.zz, &v.zz, &v.i, f);                  /* 1/x */
    mul(&v.u, &v.u, &v.zz, f);
    add(&q->y, &v.u, &p->y, f);
    add(&v.t, &p->x, &p->y, f);
    ty_f2_any_sel(&q->x, infinite1, &p->x, &v.x0, f->f);
    ty_f2_any_sel(&q->y, infinite1, &v.t, &q->y, f->f);
    ty_f2_any_sel(&q->x, finite0, &q->x, &zero, f->f);
    ty_f2_any_sel(&q->y, finite0, &q->y, &zero, f->f);
    ty_wipe(&v, sizeof v);                       /* Z, unlike x and y, reveals bits of the scalar */
    return finite0;
}

/* q = k p; returns as recover */
static uint64_t times(affine *q, const uint8_t *k, size_t bits, const affine *p,
                      const ty_ec_curve *c, const field *f)
{
    el root;
    pair r;
    constant(&root, 2, c, f);
    ladder(&r, k, bits, &p->x, &root, f);
    const uint64_t finite = recover(q, &r, p, f);
    ty_wipe(&r, sizeof r);
    return finite;
}

uint32_t ty_ec_any_mul(uint8_t *z, const uint8_t *k, size_t bits, const uint8_t *in,
                       const ty_ec_curve *c, const field *f)
{
    affine p, q;
    (void)affine_set(&p, in, c, f);
    const uint64_t finite = times(&q, k, bits, &p, c, f);
    affine_get(z, &q, c, f);
    ty_wipe(&q, sizeof q);
    ty_wipe_below_8k();
    return (uint32_t)finite;
}

/* z = y/x, public, x != 0. Without carry-less multiplication a division takes a tenth of the time
 * of an inversion. */
static void quotient_vt(el *z, const el *y, const el *x, const field *f)
{
    if (!(ty_cpu_have() & TY_CPU_CLMUL)) {
        ty_f2_any_div_vt(z, y, x, f->f, f->kernels);
        return;
    }
    el t;
    inv(&t, x, f);
    mul(z, &t, y, f);
}

/* p = p + q, both finite and not of order 2; returns 0 if the sum is infinity, else all ones.
 *   l = (y1 + y2)/(x1 + x2), or x + y/x if p = q
 *   x3 = l^2 + l + x1 + x2 + a, y3 = l (x1 + x3) + x3 + y1 */
static uint64_t sum_vt(affine *p, const affine *q, const ty_ec_curve *c, const field *f)
{
    el a, dx, l, t;
    constant(&a, 0, c, f);
    add(&dx, &p->x, &q->x, f);
    add(&l, &p->y, &q->y, f);
    const int twice = iszero(&dx, f) != 0;
    if (twice && !iszero(&l, f)) return 0;
    quotient_vt(&l, twice ? &p->y : &l, twice ? &p->x : &dx, f);
    if (twice) add(&l, &l, &p->x, f);
    sqr(&t, &l, f);
    add(&t, &t, &l, f);
    add(&t, &t, &dx, f);
    add(&t, &t, &a, f);
    add(&dx, &p->x, &t, f);
    mul(&dx, &dx, &l, f);
    add(&dx, &dx, &t, f);
    add(&p->y, &p->y, &dx, f);
    p->x = t;
    return ~(uint64_t)0;
}

uint32_t ty_ec_any_mul_add_vt(uint8_t *z, const uint8_t *u, const uint8_t *v, const uint8_t *in,
                              const ty_ec_curve *c, const field *f)
{
    affine g, p, ug, vp;
    (void)affine_set(&g, ty_ec_g(c), c, f);
    (void)affine_set(&p, in, c, f);
    const uint64_t u_finite = times(&ug, u, c->n_bits, &g, c, f);
    uint64_t finite = times(&vp, v, c->n_bits, &p, c, f);
    if (!finite) {
        vp = ug;
        finite = u_finite;
    } else if (u_finite) {
        finite = sum_vt(&vp, &ug, c, f);
    }
    if (!finite) memset(&vp, 0, sizeof vp);
    affine_get(z, &vp, c, f);
    return (uint32_t)finite;
}

/* all ones if y (y + x) = x^2 (x + a) + b, else 0 */
static uint64_t is_on_curve(const affine *p, const ty_ec_curve *c, const field *f)
{
    el s, t, u, v;
    constant(&u, 0, c, f);
    add(&s, &p->x, &p->y, f);
    sqr(&t, &p->x, f);
    add(&u, &u, &p->x, f);
    f->kernels->mul_mul(&v, &s, &p->y, &t, &u, f->f);
    constant(&t, 1, c, f);
    add(&v, &v, &t, f);
    return iszero(&v, f);
}

/* All ones if P, on the curve and with x != 0, has order n, else 0. Points of an order 2^k form one
 * cyclic group, so for h = 2 the points of order n are the doubles, for h = 4 the doubles of
 * doubles. P = 2Q has a solution if and only if Tr(x) = Tr(a) (Seroussi 1998); then u^2 = y + (l +
 * 1)x, where l^2 + l = x + a, is the square of the x of one such Q. For other h, P is multiplied by
 * n. */
static uint64_t has_order_n(const affine *p, const ty_ec_curve *c, const field *f)
{
    el a, l, t;
    constant(&a, 0, c, f);
    add(&t, &p->x, &a, f);
    if (c->h == 2) return ty_f2_any_trace(&t, f->f, f->kernels) ? 0 : ~(uint64_t)0;
    if (c->h == 4) {
        if (!ty_f2_any_solve(&l, &t, f->f, f->kernels)) return 0;
        mul(&t, &l, &p->x, f);
        add(&t, &t, &p->x, f);
        add(&t, &t, &p->y, f);
        add(&t, &t, &a, f);
        return ty_f2_any_trace(&t, f->f, f->kernels) ? 0 : ~(uint64_t)0;
    }
    affine q;
    return ~times(&q, c->n, c->n_bits, p, c, f);
}

ty_err ty_ec_any_check(const uint8_t *in, const ty_ec_curve *c, const field *f)
{
    affine p;
    if (!affine_set(&p, in, c, f)) return TY_ERR_KEY;
    if (!is_on_curve(&p, c, f) || iszero(&p.x, f)) return TY_ERR_KEY;
    return has_order_n(&p, c, f) ? TY_OK : TY_ERR_KEY;
}

ty_err ty_ec_any_check_again(const uint8_t *in, const ty_ec_curve *c, const field *f)
{
    affine p;
    uint64_t fine = affine_set(&p, in, c, f) & is_on_curve(&p, c, f) & ~iszero(&p.x, f);
    TY_PUBLIC(&fine, sizeof fine);   /* true, unless the machine failed */
    ty_wipe(&p, sizeof p);
    return fine ? TY_OK : TY_ERR_KEY;
}

static uint32_t lowest_bit(const el *x, const ty_ec_curve *c, const field *f)
{
    uint8_t bytes[TY_EC_MAX];
    ty_f2_any_get(bytes, x, f->f, f->kernels);
    return bytes[ty_ec_len(c) - 1] & 1;
}

/* y = x w with w^2 + w = x + a + b/x^2 and `odd` as the constant term of w  [SEC 1 v2, 2.3.4] */
ty_err ty_ec_any_decompress(uint8_t *z, const uint8_t *x, uint32_t odd, const ty_ec_curve *c,
                            const field *f)
{
    affine p;
    el t, w;
    if (!set(&p.x, x, f)) return TY_ERR_KEY;
    if (iszero(&p.x, f)) return TY_ERR_KEY;
    constant(&w, 2, c, f);
    inv(&t, &p.x, f);
    mul(&t, &t, &w, f);
    sqr(&t, &t, f);
    add(&t, &t, &p.x, f);
    constant(&w, 0, c, f);
    add(&t, &t, &w, f);
    if (!ty_f2_any_solve(&w, &t, f->f, f->kernels)) return TY_ERR_KEY;
    if (lowest_bit(&w, c, f) != odd) add(&w, &w, &f->f->one, f);
    mul(&p.y, &p.x, &w, f);
    affine_get(z, &p, c, f);
    return TY_OK;
}

uint32_t ty_ec_any_odd(const uint8_t *in, const ty_ec_curve *c, const field *f)
{
    affine p;
    el t;
    (void)affine_set(&p, in, c, f);
    inv(&t, &p.x, f);
    mul(&t, &t, &p.y, f);
    return lowest_bit(&t, c, f);
}

TY_FAMILY_ROWS(ec_any, TY_EC_ANY_TIERS);
