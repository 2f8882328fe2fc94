/* Inverses and greatest common divisors in constant time, by division steps (limb/divstep.c). */
#include "mp/mp_internal.h"

#include <string.h>

enum { OWN = TY_LIMB_INV_MOST(TY_MP_SMALL) };

/* Modulo 1 everything is 0, and 0 is the inverse of 0: the division steps begin with f = m = 1. */
ty_err ty_mp_invmod(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    const size_t n = ty_mp_n(m), need = ty_limb_inv_work(n);
    int odd = ty_mp_odd(m);
    TY_PUBLIC(&odd, sizeof odd);   /* an even modulus is refused */
    if (!odd || m->neg) return TY_ERR_ARG;
    ty_limb own[OWN + TY_MP_SMALL], *t = ty_mp_take(own, OWN + TY_MP_SMALL, need + n, z->alloc);
    if (!t) return TY_ERR_MEM;
    ty_limb *r = t + need;
    ty_err err = ty_mp_reduce(r, ty_mp_cd(x), x->len, x->neg, ty_mp_cd(m), n, 0, z->alloc);
    if (!err) err = ty_mp_grow(z, n);
    if (!err) {
        ty_limb none = ty_limb_inv(r, r, ty_mp_cd(m), n, n * TY_LIMB_BITS, t);
        TY_PUBLIC(&none, sizeof none);   /* whether there is an inverse is public */
        if (none) err = TY_ERR_NO_INVERSE;
    }
    if (!err) {
        ty_mp_load(z, r, n);
        ty_mp_fix(z, n);
    }
    ty_mp_give(t, own, need + n, z->alloc);
    return err;
}

/* --- Greatest common divisor ------------------------------------------------------------------ */

/* x 2^s or x/2^s for a secret s < n TY_LIMB_BITS: a shift by each power of two, whose result is
 * selected or not by a mask */
static void shift(ty_limb *x, size_t n, size_t s, int left, ty_limb *t)
{
    for (size_t b = 0; (size_t)1 << b < n * TY_LIMB_BITS; b++) {
        const size_t by = (size_t)1 << b, limbs = by / TY_LIMB_BITS;
        memset(t, 0, n * sizeof *t);
        if (left) (void)ty_limb_shl(t + limbs, x, n - limbs, (unsigned)(by % TY_LIMB_BITS));
        else (void)ty_limb_shr(t, x + limbs, n - limbs, (unsigned)(by % TY_LIMB_BITS));
        ty_limb_sel(x, ty_limb_mask((ty_limb)(s >> b & 1)), t, x, n);
    }
}

/* x = gcd(x, y); y and t are overwritten. With s = the trailing zeros of x | y, both are divided by
 * 2^s; then one of them is odd. Two zeros stay zeros. */
static void gcd(ty_limb *x, ty_limb *y, size_t n, ty_limb *t)
{
    ty_mp both = { .heap = t, .len = n };   /* borrowed */
    for (size_t i = 0; i < n; i++) t[i] = x[i] | y[i];
    const size_t s = ty_mp_trailing(&both);
    shift(x, n, s, 0, t);
    shift(y, n, s, 0, t);
    ty_limb_swap_if(x, y, n, ty_limb_mask(~x[0] & 1));
    ty_limb_gcd(x, y, n, t);
    shift(x, n, s, 1, t);
}

ty_err ty_mp_gcd(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    const size_t n = x->len > y->len ? x->len : y->len;
    if (n == 0) {
        ty_mp_fix(z, 0);
        return TY_OK;
    }
    const size_t need = 2 * n + 2 * TY_LIMB_STEP_DIGITS(n);
    ty_limb own[OWN], *a = ty_mp_take(own, OWN, need, z->alloc);
    if (!a) return TY_ERR_MEM;
    const ty_err err = ty_mp_grow(z, n);
    if (!err) {
        ty_mp_spread(a, n, x);
        ty_mp_spread(a + n, n, y);
        gcd(a, a + n, n, a + 2 * n);
        ty_mp_load(z, a, n);
        ty_mp_fix(z, n);
    }
    ty_mp_give(a, own, need, z->alloc);
    return err;
}
