/* Sums and products modulo m. The constant-time functions give results as long as m; those for
 * public numbers divide without masks, and give results of the shortest length. */
#include "mp/mp_internal.h"

/* z = x + y mod m, or x - y mod m if `minus`. Both are reduced first, so that m is subtracted or
 * added at most once. */
static ty_err sum(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m, int minus, int vt)
{
    const size_t n = ty_mp_n(m);
    if (n == 0 || m->neg) return TY_ERR_ARG;
    ty_limb own[2 * TY_MP_SMALL], *a = ty_mp_take(own, 2 * TY_MP_SMALL, 2 * n, z->alloc);
    if (!a) return TY_ERR_MEM;
    ty_limb *b = a + n;
    const ty_limb *md = ty_mp_cd(m);
    const ty_limb_ops *ops = ty_limb_best();
    ty_err e = ty_mp_reduce(a, ty_mp_cd(x), x->len, x->neg, md, n, vt, z->alloc);
    if (!e) e = ty_mp_reduce(b, ty_mp_cd(y), y->len, y->neg, md, n, vt, z->alloc);
    if (!e) {
        if (minus) (void)ty_limb_add_if(a, md, n, ty_limb_mask(ops->sub(a, a, b, n)));
        else ty_limb_canon(a, ops->add(a, a, b, n), a, md, n);
        e = ty_mp_grow(z, n);
    }
    if (!e) {
        ty_mp_load(z, a, n);
        if (vt) ty_mp_fit(z, n, 0);
        else ty_mp_fix(z, n);
    }
    ty_mp_give(a, own, 2 * n, z->alloc);
    return e;
}

ty_err ty_mp_addmod(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m)
{
    return sum(z, x, y, m, 0, 0);
}
ty_err ty_mp_submod(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m)
{
    return sum(z, x, y, m, 1, 0);
}
ty_err ty_mp_addmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m)
{
    return sum(z, x, y, m, 0, 1);
}
ty_err ty_mp_submod_vt(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m)
{
    return sum(z, x, y, m, 1, 1);
}

/* z = xy mod m */
static ty_err modular_product(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m, int vt)
{
    const size_t n = ty_mp_n(m);
    if (n == 0 || m->neg) return TY_ERR_ARG;
    if (x->len < y->len) {
        const ty_mp *t = x;
        x = y, y = t;
    }
    const size_t xn = x->len, yn = y->len, need = xn + yn + n + ty_mp_mul_work(xn, yn);
    ty_limb own[6 * TY_MP_SMALL + 128],
        *p = ty_mp_take(own, sizeof own / sizeof *own, need, z->alloc);
    if (!p) return TY_ERR_MEM;
    ty_limb *r = p + xn + yn;
    if (x == y && yn) ty_mp_sqr_limbs(p, ty_mp_cd(x), yn, r + n);
    else if (yn) ty_mp_mul_limbs(p, ty_mp_cd(x), xn, ty_mp_cd(y), yn, r + n);
    ty_err e = ty_mp_reduce(r, p, yn ? xn + yn : 0, x->neg ^ y->neg, ty_mp_cd(m), n, vt, z->alloc);
    if (!e) e = ty_mp_grow(z, n);
    if (!e) {
        ty_mp_load(z, r, n);
        if (vt) ty_mp_fit(z, n, 0);
        else ty_mp_fix(z, n);
    }
    ty_mp_give(p, own, need, z->alloc);
    return e;
}

ty_err ty_mp_mulmod(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m)
{
    return modular_product(z, x, y, m, 0);
}
ty_err ty_mp_mulmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *y, const ty_mp *m)
{
    return modular_product(z, x, y, m, 1);
}
ty_err ty_mp_sqrmod(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    return modular_product(z, x, x, m, 0);
}
ty_err ty_mp_sqrmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    return modular_product(z, x, x, m, 1);
}
