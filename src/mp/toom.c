/* Toom-Cook multiplication in three parts: five products of a third of the size instead of nine
 * (Knuth, TAOCP 2, 4.3.3; the order of the interpolation after Bodrato, "Towards optimal Toom-Cook
 * multiplication", WAIFI 2007).
 *
 * x = x0 + x1 B^k + x2 B^2k, evaluated at 0, 1, -1, 2 and infinity. Values at 1, -1 and 2 have one
 * limb more, k + 1, and so the products there 2k + 2; the sign at -1 is kept as a mask. Constant
 * time. */
#include "mp/mp_internal.h"

#include <string.h>

/* z = x/3 for a multiple of 3 (Jebelean's exact division): limb by limb from the lowest with 1/3
 * mod B; the borrow from the next limb is 0, 1 or 2 */
static void exact_third(ty_limb *z, const ty_limb *x, size_t n)
{
    const ty_limb inverse = ~(ty_limb)0 / 3 * 2 + 1;   /* 3 times it is 2 (B - 1) + 3 = 1 mod B */
    ty_limb c = 0;
    for (size_t i = 0; i < n; i++) {
        ty_limb b = 0;
        const ty_limb q = ty_limb_sbb(x[i], c, &b) * inverse;
        z[i] = q;
        c = (ty_limb)(((ty_limb2)q * 3) >> TY_LIMB_BITS) + b;
    }
}

/* at1 = x0 + x1 + x2, at_1 = |x0 - x1 + x2|, at2 = x0 + 2 x1 + 4 x2, each of k + 1 limbs; x2 has l
 * <= k limbs. Returns the mask of the sign at -1. */
static ty_limb evaluate(ty_limb *at1, ty_limb *at_1, ty_limb *at2, const ty_limb *x, size_t k,
                        size_t l, const ty_limb_ops *ops)
{
    const ty_limb *x1 = x + k, *x2 = x + 2 * k;
    ty_limb c = ops->add(at_1, x, x2, l);
    at_1[k] = ty_limb_add_1(at_1 + l, x + l, k - l, c);       /* x0 + x2 */
    at1[k] = at_1[k] + ops->add(at1, at_1, x1, k);
    const ty_limb b = ops->sub(at_1, at_1, x1, k);
    const ty_limb minus = ty_limb_mask((at_1[k] - b) >> (TY_LIMB_BITS - 1));
    at_1[k] -= b;
    (void)ty_limb_neg_if(at_1, k + 1, minus);
    memcpy(at2, x2, l * sizeof *at2);                         /* (2 x2 + x1) 2 + x0 */
    memset(at2 + l, 0, (k + 1 - l) * sizeof *at2);
    (void)ty_limb_shl(at2, at2, k + 1, 1);
    at2[k] += ops->add(at2, at2, x1, k);
    (void)ty_limb_shl(at2, at2, k + 1, 1);
    at2[k] += ops->add(at2, at2, x, k);
    return minus;
}

static void product(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work)
{
    if (y) ty_mp_mul_n(z, x, y, n, work);
    else ty_mp_sqr_limbs(z, x, n, work);
}

/* z[m] -= x[n], n <= m */
static void take_off(ty_limb *z, size_t m, const ty_limb *x, size_t n, const ty_limb_ops *ops)
{
    const ty_limb b = ops->sub(z, z, x, n);
    (void)ty_limb_sub_1(z + n, z + n, m - n, b);
}

/* z[at..total) += x[n], of which the limbs beyond total are zero */
static void add_at(ty_limb *z, size_t at, size_t total, const ty_limb *x, size_t n,
                   const ty_limb_ops *ops)
{
    const size_t fits = n < total - at ? n : total - at;
    const ty_limb c = ops->add(z + at, z + at, x, fits);
    (void)ty_limb_add_1(z + at + fits, z + at + fits, total - at - fits, c);
}

/* The product is c0 + c1 B^k + .. + c4 B^4k. In: its values w1, w-1, w2, where the sign of w-1 is
 * `minus`, and c0, c4 in their places in z. Each commented line gives a combination of c1 .. c4
 * with positive coefficients, so that nothing is negative. */
static void interpolate(ty_limb *z, size_t n, size_t k, size_t l, ty_limb *w1, ty_limb *w_1,
                        ty_limb *w2, ty_limb minus, const ty_limb_ops *ops)
{
    const size_t m = 2 * k + 2;
    const ty_limb *c0 = z, *c4 = z + 4 * k;
    (void)ty_limb_neg_if(w_1, m, minus);    /* now in two's complement */
    (void)ops->sub(w2, w2, w_1, m);
    exact_third(w2, w2, m);                 /* c1 + c2 + 3 c3 + 5 c4 */
    (void)ops->sub(w_1, w1, w_1, m);
    (void)ty_limb_shr(w_1, w_1, m, 1);      /* c1 + c3 */
    take_off(w1, m, c0, 2 * k, ops);        /* c1 + c2 + c3 + c4 */
    (void)ops->sub(w2, w2, w1, m);
    (void)ty_limb_shr(w2, w2, m, 1);        /* c3 + 2 c4 */
    (void)ops->sub(w1, w1, w_1, m);
    take_off(w1, m, c4, 2 * l, ops);        /* c2 */
    take_off(w2, m, c4, 2 * l, ops);
    take_off(w2, m, c4, 2 * l, ops);        /* c3 */
    (void)ops->sub(w_1, w_1, w2, m);        /* c1 */
    memset(z + 2 * k, 0, 2 * k * sizeof *z);
    add_at(z, k, 2 * n, w_1, m, ops);
    add_at(z, 2 * k, 2 * n, w1, m, ops);
    add_at(z, 3 * k, 2 * n, w2, m, ops);
}

void ty_mp_toom3(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n, ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t k = (n + 2) / 3, l = n - 2 * k, m = 2 * k + 2, v = k + 1;
    ty_limb *w1 = work, *w_1 = w1 + m, *w2 = w_1 + m, *e = w2 + m, *f = e + 3 * v,
            *rest = f + 3 * v;
    ty_limb minus = evaluate(e, e + v, e + 2 * v, x, k, l, ops);
    if (y) minus ^= evaluate(f, f + v, f + 2 * v, y, k, l, ops);
    else minus = 0;
    product(w1, e, y ? f : NULL, v, rest);
    product(w_1, e + v, y ? f + v : NULL, v, rest);
    product(w2, e + 2 * v, y ? f + 2 * v : NULL, v, rest);
    product(z, x, y, k, rest);
    product(z + 4 * k, x + 2 * k, y ? y + 2 * k : NULL, l, rest);
    interpolate(z, n, k, l, w1, w_1, w2, minus, ops);
}
