/* Greatest common divisors of public integers: Lehmer's form of Euclid's algorithm (Knuth, TAOCP 2,
 * 4.5.2, algorithm L). The leading two limbs of both numbers give a run of quotients, whose product
 * is applied to the numbers at once.
 *
 * bound: a run of 60 bits is 36 divisions of a limb; applied to n limbs, 4n products, and 4 for
 * each limb of the cofactors */
#include "mp/lehmer.h"

#include <string.h>

/* m = the run of those quotients of x and y that are also quotients of the two numbers of which x
 * and y are the leading bits. The test is Jebelean's condition (J. Symb. Comput. 15 (1993)) with
 * the larger cofactor of each pair, and with twice the distance, so that x and y may have an error
 * of 1/2 besides the missing lower bits. Both are below 2^(TY_LIMB_BITS - 1), and x >= y. A
 * cofactor times the previous remainder is at most x, so nothing overflows; and a cofactor is at
 * most half the remainder, so below the square root of B/4. */
static void quotients(ty_run *m, ty_limb x, ty_limb y)
{
    *m = (ty_run){ 1, 0, 0, 1, 0 };
    while (y) {
        const ty_limb q = x / y, r = x % y, n10 = m->m00 + q * m->m10, n11 = m->m01 + q * m->m11;
        if (r / 2 < n11 || (y - r) / 2 < n11 + m->m11) break;
        m->m00 = m->m10, m->m01 = m->m11, m->m10 = n10, m->m11 = n11;
        m->odd ^= 1;
        x = y, y = r;
    }
}

/* The run m followed by the run n */
static ty_run compose(const ty_run *n, const ty_run *m)
{
    return (ty_run){ n->m00 * m->m00 + n->m01 * m->m10, n->m00 * m->m01 + n->m01 * m->m11,
                     n->m10 * m->m00 + n->m11 * m->m10, n->m10 * m->m01 + n->m11 * m->m11,
                     n->odd ^ m->odd };
}

static size_t length(const ty_limb *x, size_t n)
{
    while (n && x[n - 1] == 0) n--;
    return n;
}

/* the bits of x, 0 for 0 */
static unsigned bits2(ty_limb2 x)
{
    const ty_limb high = (ty_limb)(x >> TY_LIMB_BITS);
    return high ? 2 * TY_LIMB_BITS - ty_limb_zeros_vt(high)
           : x  ? TY_LIMB_BITS - ty_limb_zeros_vt((ty_limb)x)
                : 0;
}

/* A run from x >= y, the two leading limbs of each number. Its first half is determined by the
 * upper limbs, and applied to x and y; its second half by the result. The first half leaves an
 * error below its largest cofactor in x and y; it is below 1/2 once they are cut to a limb. */
static ty_run leading(ty_limb2 x, ty_limb2 y)
{
    ty_run first, second;
    quotients(&first, (ty_limb)(x >> (TY_LIMB_BITS + 1)), (ty_limb)(y >> (TY_LIMB_BITS + 1)));
    if (!first.m01) return first;
    const ty_limb2 a = first.m00 * x - first.m01 * y, b = first.m11 * y - first.m10 * x;
    x = first.odd ? 0 - a : a, y = first.odd ? 0 - b : b;
    const unsigned bits = bits2(x), cut = bits < TY_LIMB_BITS ? 0 : bits - (TY_LIMB_BITS - 1);
    if (cut < 2 || first.m11 >> 1 >> (cut - 2)) return first;   /* cut <= TY_LIMB_BITS + 1 */
    quotients(&second, (ty_limb)(x >> cut), (ty_limb)(y >> cut));
    return compose(&second, &first);
}

/* --- The numbers ------------------------------------------------------------------------------ */

static void exchange(ty_limb **x, ty_limb **y)
{
    ty_limb *t = *x;
    *x = *y, *y = t;
}

/* The two highest limbs of x[n] 2^s, s < TY_LIMB_BITS; n >= 2 */
static ty_limb2 top(const ty_limb *x, size_t n, unsigned s)
{
    const ty_limb2 two = (ty_limb2)x[n - 1] << TY_LIMB_BITS | x[n - 2];
    return s ? two << s | (n > 2 ? x[n - 3] >> (TY_LIMB_BITS - s) : 0) : two;
}

/* Below this number of limbs one loop in C is faster than four calls of kernels. */
enum { SHORT = 16 };

ty_run ty_run_of(const ty_limb *a, const ty_limb *b, size_t n)
{
    const unsigned s = ty_limb_zeros_vt(a[n - 1]);   /* aligned at the top bit of a */
    return leading(top(a, n, s), top(b, n, s));
}

/* floor(x/B) for an x in two's complement */
static inline ty_limb2 above(ty_limb2 x)
{
    const ty_limb high = (ty_limb)(x >> TY_LIMB_BITS);
    return (0 - (ty_limb2)(high >> (TY_LIMB_BITS - 1))) << TY_LIMB_BITS | high;
}

/* z = p x - q y, w = r y - s x, neither of them negative, both below B^n. Cofactors of a run are
 * below B/2, as they are sums of two products of cofactors below the square root of B/4: so a
 * difference of two products and the carry is within +-B^2/2. */
static void combine(ty_limb *z, ty_limb *w, const ty_limb *x, const ty_limb *y, ty_limb p,
                    ty_limb q, ty_limb r, ty_limb s, size_t n)
{
    if (n >= SHORT) {
        const ty_limb_ops *ops = ty_limb_best();
        (void)ops->mul_1(z, x, n, p);
        (void)ops->submul_1(z, y, n, q);
        (void)ops->mul_1(w, y, n, r);
        (void)ops->submul_1(w, x, n, s);
        return;
    }
    ty_limb2 u = 0, v = 0;
    for (size_t i = 0; i < n; i++) {
        const ty_limb2 xi = x[i], yi = y[i];
        u += p * xi - q * yi;
        v += r * yi - s * xi;
        z[i] = (ty_limb)u, w[i] = (ty_limb)v;
        u = above(u), v = above(v);
    }
}

void ty_run_apply(ty_limb *z, ty_limb *w, const ty_limb *a, const ty_limb *b, const ty_run *r,
                  size_t n)
{
    if (r->odd) combine(z, w, b, a, r->m01, r->m00, r->m10, r->m11, n);
    else combine(z, w, a, b, r->m00, r->m01, r->m11, r->m10, n);
}

/* (s, t) = (p s + q t, r s + v t), n limbs each before and n + 1 after: cofactors are at most y, so
 * there is no carry out of these; nor is there one out of two products and a carry, for p, q, r, v
 * below B/2. In `last` r and v may be larger, but there t, the cofactor of 0, is not used. */
static void enlarge(ty_euclid *e, ty_limb p, ty_limb q, ty_limb r, ty_limb v, size_t n)
{
    if (n >= SHORT) {
        const ty_limb_ops *ops = ty_limb_best();
        e->h[n] = ops->mul_1(e->h, e->s, n, p);
        e->h[n] += ops->addmul_1(e->h, e->t, n, q);
        e->k[n] = ops->mul_1(e->k, e->s, n, r);
        e->k[n] += ops->addmul_1(e->k, e->t, n, v);
        exchange(&e->s, &e->h);
        exchange(&e->t, &e->k);
        return;
    }
    ty_limb2 u = 0, w = 0;
    for (size_t i = 0; i < n; i++) {
        const ty_limb2 si = e->s[i], ti = e->t[i];
        u += p * si + q * ti;
        w += r * si + v * ti;
        e->s[i] = (ty_limb)u, e->t[i] = (ty_limb)w;
        u >>= TY_LIMB_BITS, w >>= TY_LIMB_BITS;
    }
    e->s[n] = (ty_limb)u;
    e->t[n] = (ty_limb)w;
}

/* Applies m to the cofactors s and t. */
static void cofactors(ty_euclid *e, const ty_run *m)
{
    const size_t cn = e->sn > e->tn ? e->sn : e->tn;
    for (size_t i = e->sn; i < cn; i++) e->s[i] = 0;
    for (size_t i = e->tn; i < cn; i++) e->t[i] = 0;
    enlarge(e, m->m00, m->m01, m->m10, m->m11, cn);
    e->sn = length(e->s, cn + 1);
    e->tn = length(e->t, cn + 1);
    e->minus ^= m->odd;
}

/* (a, b) = (b, a mod b), (s, t) = (t, s + q t) */
static ty_err lehmer_divide(ty_euclid *e)
{
    const ty_limb_ops *ops = ty_limb_best();
    size_t qn = e->an - e->bn + 1;
    /* the quotient to h, the remainder to a */
    TY_TRY(ty_mp_divide_vt(e->wanted ? e->h : NULL, e->a, e->a, e->an, e->b, e->bn, e->alloc));
    e->an = length(e->a, e->bn);
    exchange(&e->a, &e->b);
    const size_t n = e->an;
    e->an = e->bn, e->bn = n;
    if (!e->wanted) return TY_OK;
    qn = length(e->h, qn);
    if (e->tn && qn) {   /* s += q t, row by row: large quotients are rare */
        const size_t most = (e->tn + qn > e->sn ? e->tn + qn : e->sn) + 1,
                     room = e->n + 2 < most ? e->n + 2 : most;
        for (size_t i = e->sn; i < room; i++) e->s[i] = 0;
        for (size_t i = 0; i < qn; i++) {
            const ty_limb c = ops->addmul_1(e->s + i, e->t, e->tn, e->h[i]);
            if (i + e->tn < room)
                (void)ty_limb_add_1(e->s + i + e->tn, e->s + i + e->tn, room - i - e->tn, c);
        }
        e->sn = length(e->s, room);
    }
    exchange(&e->s, &e->t);
    const size_t sn = e->sn;
    e->sn = e->tn, e->tn = sn;
    e->minus ^= 1;
    return TY_OK;
}

/* Applies a run of quotients, or, if the leading limbs give none, does one division. */
static ty_err step(ty_euclid *e)
{
    const size_t n = e->an;
    if (n - e->bn > 1) return lehmer_divide(e);
    if (e->bn < n) e->b[n - 1] = 0;
    const ty_run m = ty_run_of(e->a, e->b, n);
    if (!m.m01) return lehmer_divide(e);
    ty_run_apply(e->h, e->k, e->a, e->b, &m, n);
    exchange(&e->a, &e->h);
    exchange(&e->b, &e->k);
    e->an = length(e->a, n);
    e->bn = length(e->b, n);
    if (e->wanted) cofactors(e, &m);
    return TY_OK;
}

/* The rest for numbers of one limb each, with cofactors, which are at most the numbers. */
static void last(ty_euclid *e)
{
    ty_run m = { 1, 0, 0, 1, 0 };
    ty_limb x = e->a[0], y = e->b[0];
    while (y) {
        const ty_limb q = x / y, r = x % y, n10 = m.m00 + q * m.m10, n11 = m.m01 + q * m.m11;
        m = (ty_run){ m.m10, m.m11, n10, n11, m.odd ^ 1 };
        x = y, y = r;
    }
    e->a[0] = x;
    e->bn = 0;
    cofactors(e, &m);
}

ty_err ty_euclid_run(ty_euclid *e)
{
    const size_t least = e->wanted ? 1 : 2;
    while (e->bn && e->an > least) {
        if (!e->wanted && e->bn > TY_HGCD_LEAST) TY_TRY(ty_hgcd_run(e));
        TY_TRY(step(e));
    }
    if (!e->bn) return TY_OK;
    if (e->wanted) {
        last(e);
        return TY_OK;
    }
    const ty_limb2 g = ty_limb_gcd_2_vt(ty_limb2_from(e->a, e->an), ty_limb2_from(e->b, e->bn));
    e->a[0] = (ty_limb)g, e->a[1] = (ty_limb)(g >> TY_LIMB_BITS);
    e->an = length(e->a, 2);
    e->bn = 0;
    return TY_OK;
}

/* (s, t) = (1, 0) if |x| >= |y|, else (0, 1) */
ty_err ty_euclid_open(ty_euclid *e, const ty_mp *x, const ty_mp *y, int wanted,
                      const ty_alloc *alloc)
{
    const size_t xn = ty_mp_n(x), yn = ty_mp_n(y);
    const int less = xn < yn || (xn == yn && ty_limb_cmp_vt(ty_mp_cd(x), ty_mp_cd(y), xn) < 0);
    e->n = less ? yn : xn;
    const size_t room = e->n + 2;
    e->alloc = alloc;
    e->total = 6 * room;
    e->a = ty_mp_take(e->own, sizeof e->own / sizeof *e->own, e->total, alloc);
    if (!e->a) return TY_ERR_MEM;
    ty_limb **all[] = { &e->a, &e->b, &e->s, &e->t, &e->h, &e->k };
    for (size_t i = 1; i < 6; i++) *all[i] = e->a + i * room;
    e->wanted = wanted;
    e->minus = less;
    e->an = less ? yn : xn;
    e->bn = less ? xn : yn;
    ty_mp_spread(e->a, e->an, less ? y : x);
    ty_mp_spread(e->b, e->bn, less ? x : y);
    e->s[0] = e->t[0] = 1;
    e->sn = !less;
    e->tn = (size_t)less;
    return TY_OK;
}

/* The pointers have been exchanged: the lowest one is the beginning of the memory. */
void ty_euclid_close(ty_euclid *e)
{
    ty_limb *all[] = { e->a, e->b, e->s, e->t, e->h, e->k }, *first = all[0];
    for (size_t i = 1; i < 6; i++)
        if (all[i] < first) first = all[i];
    ty_mp_give(first, e->own, e->total, e->alloc);
}
