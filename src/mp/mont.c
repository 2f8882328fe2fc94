/* Montgomery contexts: a modulus prepared, and products with it (Montgomery, Math. Comp. 44
 * (1985)).
 * bound: n^2 limb products and n^2 + n more for the reduction; a square n(n+1)/2 instead of n^2 */
#include "mp/mont.h"

#include <string.h>

ty_err ty_mont_open(ty_mont *w, const ty_mp_mont *c, const ty_alloc *alloc)
{
    w->ops = ty_limb_best();
    w->m = ty_mp_cd(&c->m);
    w->rr = ty_mp_cd(&c->rr);
    w->minv = c->minv;
    w->folds = c->minv == 0;
    TY_PUBLIC(&w->folds, sizeof w->folds);   /* it is odd, or there is none */
    w->n = c->m.len;
    w->alloc = alloc;
    w->total = 2 * w->n + ty_mp_mul_work(w->n, w->n);
    w->t = ty_mp_take(w->own, sizeof w->own / sizeof *w->own, w->total, alloc);
    if (!w->t) return TY_ERR_MEM;
    w->work = w->t + 2 * w->n;
    return TY_OK;
}

void ty_mont_close(ty_mont *w) { ty_mp_give(w->t, w->own, w->total, w->alloc); }

/* z = t mod m = B^n - c, loose: t = h B^n + l = l + h c. That leaves a limb above of at most c,
 * which times c is two limbs; and if those bring another, less than B^2 is left, to which c can be
 * added without one. */
static void fold(ty_limb *z, const ty_mont *w)
{
    const size_t n = w->n;
    const ty_limb c = 0 - w->m[0];
    ty_limb *t = w->t, *h = t + n;
    const ty_limb2 p = (ty_limb2)w->ops->addmul_1(t, h, n, c) * c;
    memset(h, 0, n * sizeof *h);
    h[0] = (ty_limb)p, h[1] = (ty_limb)(p >> TY_LIMB_BITS);
    h[0] = c & ty_limb_mask(w->ops->add(t, t, h, n));
    h[1] = 0;
    (void)w->ops->add(z, t, h, n);
}

/* z = t/R mod m, loose, R = B^n; or R = 1, where m is of that form */
static void mont_reduce(ty_limb *z, const ty_mont *w)
{
    if (w->folds) fold(z, w);
    else w->ops->redc(z, w->t, w->m, w->n, w->minv);
}

/* z = xy/R, and z squared count times over, where a product and its reduction are one */
static int fused(size_t n) { return n <= TY_LIMB_MONT; }

static void fused_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_mont *w)
{
    if (w->n == 1) z[0] = ty_mont_1(x[0], y[0], w->m[0], 0 - w->minv);
    else w->ops->mont(z, x, y, w->m, w->n, w->minv);
}

static void fused_sqrs(ty_limb *z, size_t count, const ty_limb *m, size_t n, ty_limb minv)
{
    if (n == 1) z[0] = ty_mont_1_sqrs(z[0], count, m[0], 0 - minv);
    else ty_limb_best()->mont2(z, m, n, minv, count);
}

void ty_mont_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_mont *w)
{
    if (fused(w->n)) {
        fused_mul(z, x, y, w);
        return;
    }
    if (w->n < ty_mp_from(w->ops)->mul_karatsuba) w->ops->mul(w->t, x, w->n, y, w->n);
    else ty_mp_mul_n(w->t, x, y, w->n, w->work);
    mont_reduce(z, w);
}

void ty_mont_sqr(ty_limb *z, const ty_limb *x, const ty_mont *w)
{
    if (fused(w->n)) {
        fused_mul(z, x, x, w);
        return;
    }
    if (w->n < ty_mp_from(w->ops)->sqr_karatsuba) w->ops->sqr(w->t, x, w->n);
    else ty_mp_sqr_limbs(w->t, x, w->n, w->work);
    mont_reduce(z, w);
}

void ty_mont_sqrs(ty_limb *z, size_t count, const ty_mont *w)
{
    if (fused(w->n)) fused_sqrs(z, count, w->m, w->n, w->minv);
    else while (count--) ty_mont_sqr(z, z, w);
}

void ty_mont_one(ty_limb *z, const ty_mont *w)
{
    memcpy(w->t, w->rr, w->n * sizeof *z);
    memset(w->t + w->n, 0, w->n * sizeof *z);
    mont_reduce(z, w);
}

/* x < R: (x + qm)/R <= m, so one subtraction at most. */
void ty_mont_get(ty_limb *z, const ty_limb *x, const ty_mont *w)
{
    memcpy(w->t, x, w->n * sizeof *z);
    memset(w->t + w->n, 0, w->n * sizeof *z);
    mont_reduce(z, w);
    ty_limb_canon(z, 0, z, w->m, w->n);
}

/* --- The public side -------------------------------------------------------------------------- */

void ty_mp_mont_clear(ty_mp_mont *c)
{
    ty_mp_clear(&c->m);
    ty_mp_clear(&c->rr);
    c->minv = 0;
}

/* R^2, loose, for few limbs: R - m 2^s = R mod m 2^s where that has its top bit set, doubled modulo
 * the same to R 2^k, squared to R 2^2k and so on to R 2^(64 n). All are below R. */
static void square_of_r(ty_limb *rr, const ty_limb *m, size_t n, ty_limb minv)
{
    ty_limb up[TY_LIMB_MONT] = { 0 };
    const ty_limb_ops *ops = ty_limb_best();
    enum { SQUARINGS = 5 };   /* k = a 32th of n limbs' bits */
    (void)ty_limb_shl(up, m, n, TY_LIMB_BITS - ty_limb_bits(m[n - 1]));
    for (size_t i = 0; i < n; i++) rr[i] = up[i];
    (void)ty_limb_neg_if(rr, n, ~(ty_limb)0);
    for (size_t k = n * TY_LIMB_BITS >> SQUARINGS; k; k--)
        ty_limb_canon(rr, ops->add(rr, rr, rr, n), rr, up, n);
    fused_sqrs(rr, SQUARINGS, m, n, minv);
    ty_wipe(up, sizeof up);
}

/* R^2 mod m by division, of a one with 2n zero limbs behind it. */
static ty_err mont_prepare(ty_mp_mont *c, const ty_mp *m, size_t n)
{
    TY_TRY(ty_mp_copy(&c->m, m));
    ty_mp_fix(&c->m, n);
    TY_TRY(ty_mp_grow(&c->rr, n));
    c->minv = ty_limb_minv(ty_mp_cd(m)[0]);
    if (fused(n)) {
        square_of_r(ty_mp_d(&c->rr), ty_mp_cd(m), n, c->minv);
        ty_mp_fix(&c->rr, n);
        return TY_OK;
    }
    ty_limb own[2 * TY_MP_SMALL + 1],
        *one = ty_mp_take(own, sizeof own / sizeof *own, 2 * n + 1, m->alloc);
    if (!one) return TY_ERR_MEM;
    memset(one, 0, 2 * n * sizeof *one);
    one[2 * n] = 1;
    const ty_err e =
        ty_mp_reduce(ty_mp_d(&c->rr), one, 2 * n + 1, 0, ty_mp_cd(&c->m), n, 0, m->alloc);
    ty_mp_give(one, own, 2 * n + 1, m->alloc);
    ty_mp_fix(&c->rr, n);
    return e;
}

/* That m is odd is public: all others are refused. */
ty_err ty_mp_mont_init(ty_mp_mont *c, const ty_mp *m)
{
    const size_t n = ty_mp_n(m);
    int odd = ty_mp_odd(m);
    TY_PUBLIC(&odd, sizeof odd);
    ty_mp_init_with(&c->m, m->alloc);
    ty_mp_init_with(&c->rr, m->alloc);
    c->minv = 0;
    if (!odd || m->neg) return TY_ERR_ARG;
    const ty_err e = mont_prepare(c, m, n);
    if (e) ty_mp_mont_clear(c);
    return e;
}

/* z = f(x, y) on n limbs: outside the form only what is too long or negative is noticed. */
typedef void product(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_mont *w);

static ty_err on_limbs(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp_mont *c, product *f)
{
    const size_t n = c->m.len;
    if (n == 0 || x->neg || y->neg || (x->len > n && ty_mp_n(x) > n) ||
        (y->len > n && ty_mp_n(y) > n))
        return TY_ERR_ARG;
    ty_mont w;
    ty_limb own[2 * TY_MP_SMALL], *a = ty_mp_take(own, 2 * TY_MP_SMALL, 2 * n, z->alloc);
    if (!a) return TY_ERR_MEM;
    ty_err e = ty_mp_grow(z, n);
    if (!e) e = ty_mont_open(&w, c, z->alloc);
    if (!e) {
        ty_mp_spread(a, n, x);
        ty_mp_spread(a + n, n, y);
        f(a, a, a + n, &w);
        ty_mp_load(z, a, n);
        ty_mp_fix(z, n);
        ty_mont_close(&w);
    }
    ty_mp_give(a, own, 2 * n, z->alloc);
    return e;
}

/* Below m B^n the reduction leaves t/B^n or m more. */
static void mul_canon(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_mont *w)
{
    ty_mont_mul(z, x, y, w);
    ty_limb_canon(z, 0, z, w->m, w->n);
}

static void get_canon(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_mont *w)
{
    (void)y;
    ty_mont_get(z, x, w);
}

ty_err ty_mp_mont_mul(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp_mont *c)
{
    return on_limbs(z, x, y, c, mul_canon);
}

ty_err ty_mp_mont_get(ty_mp *z, const ty_mp *x, const ty_mp_mont *c)
{
    return on_limbs(z, x, x, c, get_canon);
}

ty_err ty_mp_mont_set(ty_mp *z, const ty_mp *x, const ty_mp_mont *c)
{
    ty_mp t;
    ty_mp_init_with(&t, z->alloc);
    ty_err e = ty_mp_mod(&t, x, &c->m);
    if (!e) e = ty_mp_mont_mul(z, &t, &c->rr, c);
    ty_mp_clear(&t);
    return e;
}
