/* Division with remainder, and remainders alone, in constant time. */
#include "mp/mp_internal.h"

/* Scratch for a division in place: the dividend, with one more limb, and the divisor, both shifted
 * so that the divisor's top bit is set. The divisor's length without leading zeros is public. */
typedef struct division {
    ty_limb own[3 * TY_MP_SMALL + 8], *u, *d;
    size_t un, dn, total;
    unsigned shift;
    const ty_alloc *alloc;
} division;

/* Copies and shifts x[xn] and d[dn]; s->un >= dn + 1. */
static ty_err open_division(division *s, const ty_limb *x, size_t xn, const ty_limb *d, size_t dn,
                            const ty_alloc *alloc)
{
    s->alloc = alloc;
    s->un = (xn > dn ? xn : dn) + 1;
    s->dn = dn;
    s->total = s->un + dn;
    s->u = ty_mp_take(s->own, sizeof s->own / sizeof *s->own, s->total, alloc);
    if (!s->u) return TY_ERR_MEM;
    s->d = s->u + s->un;
    s->shift = TY_LIMB_BITS - ty_limb_bits(d[dn - 1]);
    s->u[xn] = ty_limb_shl(s->u, x, xn, s->shift);
    for (size_t i = xn + 1; i < s->un; i++) s->u[i] = 0;
    (void)ty_limb_shl(s->d, d, dn, s->shift);
    return TY_OK;
}

/* q[un - dn] = floor(x/d), unless q is NULL, and s->u = (x mod d) 2^shift */
static void run_division(ty_limb *q, division *s)
{
    ty_limb_div(q, s->u, s->un, s->d, s->dn, ty_limb_recip(s->d[s->dn - 1]), 0);
}

static void close_division(division *s) { ty_mp_give(s->u, s->own, s->total, s->alloc); }

/* z[mn] = x mod m in constant time */
static ty_err reduce(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *m, size_t mn,
                     const ty_alloc *alloc)
{
    division s;
    TY_TRY(open_division(&s, x, xn, m, mn, alloc));
    run_division(NULL, &s);
    (void)ty_limb_shr(z, s.u, mn, s.shift);
    close_division(&s);
    return TY_OK;
}

static ty_err reduce_vt(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *m, size_t mn,
                        const ty_alloc *alloc)
{
    xn = ty_limb_len(x, xn);
    if (xn >= mn) return ty_mp_divide_vt(NULL, z, x, xn, m, mn, alloc);
    for (size_t i = 0; i < mn; i++) z[i] = i < xn ? x[i] : 0;
    return TY_OK;
}

/* With r = x mod m, -x mod m = m - r, or 0 if r = 0. */
ty_err ty_mp_reduce(ty_limb *z, const ty_limb *x, size_t xn, uint32_t neg, const ty_limb *m,
                    size_t mn, int vt, const ty_alloc *alloc)
{
    TY_TRY((vt ? reduce_vt : reduce)(z, x, xn, m, mn, alloc));
    if (neg) {
        const ty_limb nonzero = ~ty_limb_zero(z, mn);
        (void)ty_limb_neg_if(z, mn, nonzero);
        (void)ty_limb_add_if(z, m, mn, nonzero);
    }
    return TY_OK;
}

ty_err ty_mp_div(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y)
{
    const size_t xn = x->len, yn = ty_mp_n(y);
    if (yn == 0 || (q && q == r)) return TY_ERR_ARG;
    const uint32_t x_neg = x->neg, y_neg = y->neg;
    const size_t qn = xn >= yn ? xn - yn + 1 : 1;
    division s;
    if (q) TY_TRY(ty_mp_room(q, qn));   /* growing keeps the value, so y may be q */
    if (r) TY_TRY(ty_mp_room(r, yn));
    TY_TRY(open_division(&s, ty_mp_cd(x), xn, ty_mp_cd(y), yn, r ? r->alloc : q ? q->alloc : NULL));
    run_division(q ? ty_mp_d(q) : NULL, &s);   /* from here on x and y may be overwritten */
    if (q) ty_mp_fit(q, qn, x_neg ^ y_neg);
    if (r) {
        (void)ty_limb_shr(ty_mp_d(r), s.u, yn, s.shift);
        ty_mp_fit(r, yn, x_neg);
    }
    close_division(&s);
    return TY_OK;
}

ty_err ty_mp_mod(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    const size_t n = ty_mp_n(m);
    if (n == 0 || m->neg) return TY_ERR_ARG;
    ty_limb own[TY_MP_SMALL], *t = ty_mp_take(own, TY_MP_SMALL, n, z->alloc);
    ty_err e = t ? ty_mp_grow(z, n) : TY_ERR_MEM;
    if (!e) e = ty_mp_reduce(t, ty_mp_cd(x), x->len, x->neg, ty_mp_cd(m), n, 0, z->alloc);
    if (!e) {
        ty_mp_load(z, t, n);
        ty_mp_fix(z, n);
    }
    if (t) ty_mp_give(t, own, n, z->alloc);
    return e;
}
