/* Montgomery contexts: a prepared modulus, and products modulo it by src/modn. */
#include "mp/mont.h"

#include <string.h>

ty_err ty_mp_modn_open(ty_modn *w, ty_mp_products *p, const ty_mp_mont *c, const ty_alloc *alloc)
{
    const size_t n = c->m.len;
    const ty_limb_ops *ops = ty_limb_best();
    w->ops = ops;
    w->m = ty_mp_cd(&c->m);
    w->rr = ty_mp_cd(&c->rr);
    w->n = n;
    w->minv = c->minv;
    w->folds = c->minv == 0;
    TY_PUBLIC(&w->folds, sizeof w->folds);   /* minv is odd, or 0 in ty_mp_powm_fold */
    w->engine = &ty_modn_limbs;
    w->words = n;
    p->alloc = alloc;
    p->total = 2 * n;
    if (n > TY_LIMB_MONT) {
        const ty_mp_thresholds *from = ty_mp_thresholds_of(ops);
        w->mul_long = n < from->mul_karatsuba ? NULL : ty_mp_mul_n;
        w->sqr_long = n < from->sqr_karatsuba ? NULL : ty_mp_sqr_limbs;
        p->total += ty_mp_mul_work(n, n);
    }
    p->t = ty_mp_take(p->own, sizeof p->own / sizeof *p->own, p->total, alloc);
    if (!p->t) return TY_ERR_MEM;
    w->t = p->t;
    w->work = p->t + 2 * n;
    return TY_OK;
}

void ty_mp_modn_close(ty_mp_products *p)
{
    ty_mp_give(p->t, p->own, p->total, p->alloc);
}

void ty_mp_mont_clear(ty_mp_mont *c)
{
    ty_mp_clear(&c->m);
    ty_mp_clear(&c->rr);
    c->minv = 0;
}

/* R^2 mod m = B^2n mod m, for more than TY_LIMB_MONT limbs by a division. */
static ty_err mont_prepare(ty_mp_mont *c, const ty_mp *m, size_t n)
{
    TY_TRY(ty_mp_copy(&c->m, m));
    ty_mp_fix(&c->m, n);
    TY_TRY(ty_mp_grow(&c->rr, n));
    c->minv = ty_limb_minv(ty_mp_cd(m)[0]);
    if (n <= TY_LIMB_MONT) {
        ty_modn w;
        w.ops = ty_limb_best(), w.m = ty_mp_cd(m), w.n = n, w.minv = c->minv;
        ty_modn_rr_few(ty_mp_d(&c->rr), &w);
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

/* Whether m is odd is public, because even moduli are refused. */
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

/* z = f(x, y) on n limbs. Of operands that are not reduced, only negative and longer ones are
 * refused. */
typedef void product(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *w);

static ty_err on_limbs(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp_mont *c, product *f)
{
    const size_t n = c->m.len;
    if (n == 0 || x->neg || y->neg || (x->len > n && ty_mp_n(x) > n) ||
        (y->len > n && ty_mp_n(y) > n))
        return TY_ERR_ARG;
    ty_modn w;
    ty_mp_products room;
    ty_limb own[2 * TY_MP_SMALL], *a = ty_mp_take(own, 2 * TY_MP_SMALL, 2 * n, z->alloc);
    if (!a) return TY_ERR_MEM;
    ty_err e = ty_mp_grow(z, n);
    if (!e) e = ty_mp_modn_open(&w, &room, c, z->alloc);
    if (!e) {
        ty_mp_spread(a, n, x);
        ty_mp_spread(a + n, n, y);
        f(a, a, a + n, &w);
        ty_mp_load(z, a, n);
        ty_mp_fix(z, n);
        ty_mp_modn_close(&room);
    }
    ty_mp_give(a, own, 2 * n, z->alloc);
    return e;
}

/* xy < m B^n for reduced operands, so the reduction gives xy/B^n mod m, or m more. */
static void mul_canon(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *w)
{
    ty_modn_mul(z, x, y, w);
    ty_limb_canon(z, 0, z, w->m, w->n);
}

static void get_canon(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *w)
{
    (void)y;
    ty_modn_get(z, x, w);
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
