/* Division with remainder, and remainders alone. */
#include "mp/mp_internal.h"

#include <string.h>

/* Scratch for a division in place: the dividend with a limb for the shift on top, the divisor shifted to its top bit. The
 * divisor's length without zeros is public. */
typedef struct division {
    ty_limb own[3 * TY_MP_SMALL + 8], *u, *d, v;
    size_t un, dn, total;
    unsigned shift;
    const ty_alloc *alloc;
} division;

/* As ty_limb_shl; moduli often need no shift. */
static inline ty_limb shifted(ty_limb *z, const ty_limb *x, size_t n, unsigned s, int vt)
{
    if (!vt || s) return ty_limb_shl(z, x, n, s);
    memcpy(z, x, n * sizeof *z);
    return 0;
}

/* s->u = |x| 2^shift in at least dn + 1 limbs, s->d = d 2^shift, ready for ty_limb_div. */
static ty_err open_division(division *s, const ty_limb *x, size_t xn, const ty_limb *d, size_t dn, int vt,
                            const ty_alloc *alloc)
{
    s->alloc = alloc;
    s->un = (xn > dn ? xn : dn) + 1;
    s->dn = dn;
    s->total = s->un + dn;
    s->u = ty_mp_take(s->own, sizeof s->own / sizeof *s->own, s->total, alloc);
    if (!s->u) return TY_ERR_MEM;
    s->d = s->u + s->un;
    s->shift = vt ? ty_limb_zeros_vt(d[dn - 1]) : TY_LIMB_BITS - ty_limb_bits(d[dn - 1]);
    s->u[xn] = shifted(s->u, x, xn, s->shift, vt);
    for (size_t i = xn + 1; i < s->un; i++) s->u[i] = 0;
    (void)shifted(s->d, d, dn, s->shift, vt);
    s->v = vt ? ty_limb_recip_vt(s->d[dn - 1]) : ty_limb_recip(s->d[dn - 1]);
    return TY_OK;
}

/* q = NULL, or where the quotient goes; s->u = the remainder, shifted */
static ty_err run_division(ty_limb *q, division *s, int vt)
{
    if (vt) return ty_mp_div_limbs_vt(q, s->u, s->un, s->d, s->dn, s->v, s->alloc);
    ty_limb_div(q, s->u, s->un, s->d, s->dn, s->v, 0);
    return TY_OK;
}

static void close_division(division *s) { ty_mp_give(s->u, s->own, s->total, s->alloc); }

/* -x = -q m - r: m - r, unless r = 0. */
ty_err ty_mp_reduce(ty_limb *z, const ty_limb *x, size_t xn, uint32_t neg, const ty_limb *m, size_t mn, int vt,
                    const ty_alloc *alloc)
{
    division s;
    TY_TRY(open_division(&s, x, xn, m, mn, vt, alloc));
    const ty_err e = run_division(NULL, &s, vt);
    if (!e) (void)ty_limb_shr(z, s.u, mn, s.shift);
    close_division(&s);
    if (!e && neg) {
        const ty_limb some = ~ty_limb_zero(z, mn);
        (void)ty_limb_neg_if(z, mn, some);
        (void)ty_limb_add_if(z, m, mn, some);
    }
    return e;
}

ty_err ty_mp_divide_vt(ty_limb *q, ty_limb *x, size_t xn, const ty_limb *d, size_t dn, const ty_alloc *alloc)
{
    division s;
    TY_TRY(open_division(&s, x, xn, d, dn, 1, alloc));
    const ty_err e = run_division(q, &s, 1);
    if (!e) (void)ty_limb_shr(x, s.u, dn, s.shift);
    close_division(&s);
    return e;
}

/* --- Quotients ---------------------------------------------------------------------------------------------------- */

typedef enum rounding { TRUNC, FLOOR } rounding;

static ty_err divide(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y, rounding how, int vt)
{
    const size_t xn = x->len, yn = ty_mp_n(y);
    if (yn == 0 || (q && q == r)) return TY_ERR_ARG;
    const uint32_t x_neg = x->neg, y_neg = y->neg;
    const size_t qn = xn >= yn ? xn - yn + 1 : 1;
    division s;
    if (q) TY_TRY(ty_mp_room(q, qn + 1));   /* growing keeps the value, so y may be q */
    if (r) TY_TRY(ty_mp_room(r, yn + 1));
    TY_TRY(open_division(&s, ty_mp_cd(x), xn, ty_mp_cd(y), yn, vt, r ? r->alloc : q ? q->alloc : NULL));
    ty_limb *quotient = q ? ty_mp_d(q) : NULL;   /* from here on x and y may be gone */
    const ty_err e = run_division(quotient, &s, vt);
    if (e) {   /* before anything was written */
        close_division(&s);
        return e;
    }
    /* rounded down: a quotient below zero goes one further, and the remainder takes y's sign */
    ty_limb further = how == FLOOR && x_neg != y_neg ? ~ty_limb_zero(s.u, yn) : 0;
    if (q) {
        quotient[qn] = how == FLOOR ? ty_limb_add_1(quotient, quotient, qn, further & 1) : 0;
        ty_mp_fit(q, qn + 1, x_neg ^ y_neg);
    }
    if (r) {
        if (how == FLOOR) {
            (void)ty_limb_neg_if(s.u, yn, further);
            (void)ty_limb_add_if(s.u, s.d, yn, further);
        }
        (void)ty_limb_shr(ty_mp_d(r), s.u, yn, s.shift);
        ty_mp_fit(r, yn, x_neg ^ (uint32_t)(further & 1));
    }
    close_division(&s);
    return TY_OK;
}

ty_err ty_mp_div(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y) { return divide(q, r, x, y, TRUNC, 0); }
ty_err ty_mp_div_vt(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y) { return divide(q, r, x, y, TRUNC, 1); }
ty_err ty_mp_div_floor_vt(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y) { return divide(q, r, x, y, FLOOR, 1); }

static ty_err mod(ty_mp *z, const ty_mp *x, const ty_mp *m, int vt)
{
    const size_t n = ty_mp_n(m);
    if (n == 0 || m->neg) return TY_ERR_ARG;
    ty_limb own[TY_MP_SMALL], *t = ty_mp_take(own, TY_MP_SMALL, n, z->alloc);
    ty_err e = t ? ty_mp_grow(z, n) : TY_ERR_MEM;
    if (!e) e = ty_mp_reduce(t, ty_mp_cd(x), x->len, x->neg, ty_mp_cd(m), n, vt, z->alloc);
    if (!e) {
        ty_mp_load(z, t, n);
        if (vt) ty_mp_fit(z, n, 0);
        else ty_mp_fix(z, n);
    }
    if (t) ty_mp_give(t, own, n, z->alloc);
    return e;
}

ty_err ty_mp_mod(ty_mp *z, const ty_mp *x, const ty_mp *m) { return mod(z, x, m, 0); }
ty_err ty_mp_mod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m) { return mod(z, x, m, 1); }
