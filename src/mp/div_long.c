/* Division of long public numbers by products: a quotient of qn limbs in two halves, each estimated
 * with the top of the divisor alone and corrected by its product with the rest (Burnikel and
 * Ziegler, "Fast recursive division", 1998). The longest numbers are divided by reciprocals
 * instead: reciprocal.c.
 * bound: the products of a multiplication of the same size, once for each level at which they cost
 * less than schoolbook division */
#include "mod/ntt.h"
#include "mp/mp_internal.h"

typedef struct division {
    const ty_limb_ops *ops;
    /* the reciprocal of the divisor's top limb, which all divisors here share */
    ty_limb v, *work;
} division;

/* q[qn] = floor(u/d) without its top bit, which is returned; u[0..dn) = u mod d, zeros above; u of
 * dn + qn limbs, the divisor's top bit set. The top bit is 0 if u[qn..) < d. */
static ty_limb schoolbook(ty_limb *q, ty_limb *u, const ty_limb *d, size_t dn, size_t qn,
                          const division *s)
{
    ty_limb *top = u + qn;
    const int over = ty_limb_cmp_vt(top, d, dn) >= 0;   /* then top < 2d, as d's top bit is set */
    if (over) (void)s->ops->sub(top, top, d, dn);
    ty_limb_div(q, u, dn + qn, d, dn, s->v, 1);
    return (ty_limb)over;
}

/* The same, dn >= qn. A quotient estimated with qn limbs of the divisor is at most 2 too large, as
 * the divisor's top bit is set. */
static ty_limb block(ty_limb *q, ty_limb *u, const ty_limb *d, size_t dn, size_t qn,
                     const division *s)
{
    if (qn < ty_mp_thresholds_of(s->ops)->div_long) return schoolbook(q, u, d, dn, qn, s);
    if (qn == dn) {
        const size_t low = qn / 2;
        const ty_limb top = block(q + low, u + low, d, dn, qn - low, s);
        (void)block(q, u, d, dn, low, s);   /* its dividend begins with a remainder, below d */
        return top;
    }
    const size_t out = dn - qn;   /* limbs of d that the estimate ignores */
    ty_limb top = block(q, u + out, d + out, qn, qn, s), *p = s->work;
    if (qn >= out) ty_mp_mul_limbs(p, q, qn, d, out, p + dn);
    else ty_mp_mul_limbs(p, d, out, q, qn, p + dn);
    ty_limb below = s->ops->sub(u, u, p, dn);
    if (top) below += s->ops->sub(u + qn, u + qn, d, out);
    while (below) {   /* the remainder is u - below B^dn, negative */
        top -= ty_limb_sub_1(q, q, qn, 1);
        below -= s->ops->add(u, u, d, dn);
    }
    return top;
}

/* --- Scratch ---------------------------------------------------------------------------------- */

static size_t product_work(size_t xn, size_t yn)
{
    if (!xn || !yn) return 0;
    return xn + yn + (xn > yn ? ty_mp_mul_work(xn, yn) : ty_mp_mul_work(yn, xn));
}

/* A block of n by n limbs: the products of its halves, of their halves, and so on. Each level has
 * at most two lengths, which differ by one. */
static size_t square_work(size_t n)
{
    const size_t from = ty_mp_thresholds_of(ty_limb_best())->div_long;
    size_t most = 0;
    for (; n >= from && n > 1; n -= n / 2) {
        const size_t a = product_work(n - n / 2, n / 2), b = product_work(n / 2, (n - 1) / 2);
        if (a > most) most = a;
        if (b > most) most = b;
    }
    return most;
}

static size_t work_for(size_t qn, size_t dn)
{
    const size_t first = qn % dn, a = product_work(first, dn - first), b = square_work(first),
                 c = qn < dn ? 0 : square_work(dn);
    const size_t most = a > b ? a : b;
    return most > c ? most : c;
}

/* Reciprocals are only cheap with transforms; and with a much longer divisor the remainder takes
 * most of the time by either method. */
int ty_mp_newton_pays(size_t qn, size_t dn)
{
    const ty_mp_thresholds *from = ty_mp_thresholds_of(ty_limb_best());
    size_t least = from->div_newton;
    if (ty_ntt_best()->width == 1 && least < 2 * from->ntt_c) least = 2 * from->ntt_c;
    return qn >= least && dn >= least &&
           (qn >= dn / 4 * 3 || (qn >= 2 * least && qn >= dn / 4) || qn >= 4 * least);
}

/* The quotient is computed from the top in blocks of dn limbs; the first one may be shorter. */
ty_err ty_mp_div_limbs_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn, ty_limb v,
                          const ty_alloc *alloc)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t from = ty_mp_thresholds_of(ops)->div_long;
    size_t at = un - dn;
    if (at < from || dn < from) {
        ty_limb_div(q, u, un, d, dn, v, 1);
        return TY_OK;
    }
    if (ty_mp_newton_pays(at, dn)) return ty_mp_div_newton_vt(q, u, un, d, dn, v, alloc);
    const size_t need = work_for(at, dn), total = need + (q ? 0 : at);
    ty_limb own[6 * TY_MP_SMALL], *work = ty_mp_take(own, sizeof own / sizeof *own, total, alloc);
    if (!work) return TY_ERR_MEM;
    const division s = { ops, v, work };
    ty_limb *quotient = q ? q : work + need;
    const size_t first = at % dn;
    at -= first;
    if (first) (void)block(quotient + at, u + at, d, dn, first, &s);
    while (at) {
        at -= dn;
        (void)block(quotient + at, u + at, d, dn, dn, &s);
    }
    ty_mp_give(work, own, total, alloc);
    return TY_OK;
}
