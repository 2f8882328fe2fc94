/* Division of public numbers. Only memory from an allocator is wiped. */
#include "mp/mp_internal.h"

#include <string.h>

/* z[n] = x. For few limbs a loop is faster than memcpy; the empty asm keeps the compiler from
 * replacing it with a call. */
static void copy(ty_limb *z, const ty_limb *x, size_t n)
{
    if (n > 24) {
        memcpy(z, x, n * sizeof *z);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        ty_limb t = x[i];
        __asm__("" : "+r"(t));
        z[i] = t;
    }
}

/* ty_mp_divide_vt for divisors of three limbs or more: dividend and divisor are copied, both
 * shifted so that the divisor's top bit is set. */
static ty_err divide_long(ty_limb *q, ty_limb *r, const ty_limb *x, size_t xn, const ty_limb *d,
                          size_t dn, const ty_alloc *alloc)
{
    enum { OWN = 3 * TY_MP_SMALL + 8 };
    ty_limb own[OWN], *u = own;
    const unsigned s = ty_limb_zeros_vt(d[dn - 1]);
    const int moved = s || q == d;
    const size_t un = xn + 1, total = un + (moved ? dn : 0);
    if (total > OWN && !(u = ty_mp_take(own, OWN, total, alloc))) return TY_ERR_MEM;
    if (s) {
        u[xn] = ty_limb_shl(u, x, xn, s);
    } else {   /* frequent: moduli often have their top bit set */
        copy(u, x, xn);
        u[xn] = 0;
    }
    if (moved) {
        (void)ty_limb_shl(u + un, d, dn, s);
        d = u + un;
    }
    const ty_err e = ty_mp_div_limbs_vt(q, u, un, d, dn, ty_limb_recip_vt(d[dn - 1]), alloc);
    if (!e && r) {
        if (s) (void)ty_limb_shr(r, u, dn, s);
        else copy(r, u, dn);
    }
    if (u != own) ty_mp_give(u, own, total, alloc);
    return e;
}

ty_err ty_mp_divide_vt(ty_limb *q, ty_limb *r, const ty_limb *x, size_t xn, const ty_limb *d,
                       size_t dn, const ty_alloc *alloc)
{
    if (dn > 2) return divide_long(q, r, x, xn, d, dn, alloc);
    if (dn == 2) {
        const ty_limb2 rest = ty_limb_div_2_vt(q, x, xn, ty_limb2_from(d, 2));
        if (r) r[0] = (ty_limb)rest, r[1] = (ty_limb)(rest >> TY_LIMB_BITS);
    } else {
        const ty_limb rest = ty_limb_div_1_vt(q, x, xn, d[0]);
        if (r) r[0] = rest;
    }
    return TY_OK;
}

/* x = qy + r, q rounded towards zero; q or r may be NULL */
static ty_err truncated(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y)
{
    const size_t xn = ty_mp_n(x), yn = ty_mp_n(y);
    if (yn == 0 || (q && q == r)) return TY_ERR_ARG;
    if (xn < yn) {
        if (r) {
            TY_TRY(ty_mp_copy(r, x));
            ty_mp_fit(r, xn, r->neg);
        }
        if (q) ty_mp_fit(q, 0, 0);
        return TY_OK;
    }
    const size_t qn = xn - yn + 1;
    const uint32_t x_neg = x->neg, q_neg = x->neg ^ y->neg;
    if (q) TY_TRY(ty_mp_room(q, qn));   /* growing keeps the value, so x or y may be q or r */
    if (r) TY_TRY(ty_mp_room(r, yn));
    TY_TRY(ty_mp_divide_vt(q ? ty_mp_d(q) : NULL, r ? ty_mp_d(r) : NULL, ty_mp_cd(x), xn,
                           ty_mp_cd(y), yn,
                           r   ? r->alloc
                           : q ? q->alloc
                               : NULL));
    if (q) ty_mp_fit(q, qn, q_neg);
    if (r) ty_mp_fit(r, yn, x_neg);
    return TY_OK;
}

/* The same, q rounded down, for x and y of different signs: in temporaries, as y is needed at the
 * end. If the truncated remainder is not 0, the quotient is one less and the remainder y more. */
static ty_err floored(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y)
{
    /* each from its result's allocator, since results are swapped with their allocators */
    ty_mp quotient = { .alloc = q ? q->alloc : NULL },
          rest = { .alloc = r ? r->alloc : quotient.alloc }, one = { .len = 1, .small = { 1 } };
    ty_err e = truncated(q ? &quotient : NULL, &rest, x, y);
    if (!e && rest.len) {
        e = ty_mp_add(&rest, &rest, y);
        if (!e && q) e = ty_mp_sub(&quotient, &quotient, &one);
    }
    if (!e && r) ty_mp_swap(r, &rest);
    if (!e && q) ty_mp_swap(q, &quotient);
    ty_mp_clear(&rest);
    ty_mp_clear(&quotient);
    return e;
}

ty_err ty_mp_div_vt(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y)
{
    return truncated(q, r, x, y);
}

ty_err ty_mp_div_floor_vt(ty_mp *q, ty_mp *r, const ty_mp *x, const ty_mp *y)
{
    return x->neg == y->neg ? truncated(q, r, x, y)
           : q && q == r    ? TY_ERR_ARG
                            : floored(q, r, x, y);
}

ty_err ty_mp_mod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    return m->neg ? TY_ERR_ARG : x->neg ? floored(NULL, z, x, m) : truncated(NULL, z, x, m);
}
