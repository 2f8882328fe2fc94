/* Barrett's reduction: the quotient is estimated by a product with a reciprocal (Barrett, CRYPTO
 * '86; HAC 14.42). */
#include "mp/mp_internal.h"

#include <string.h>

void ty_mp_barrett_clear(ty_mp_barrett *c)
{
    ty_mp_clear(&c->m);
    ty_mp_clear(&c->mu);
}

static ty_err barrett_prepare(ty_mp_barrett *c, const ty_mp *m, size_t n)
{
    TY_TRY(ty_mp_copy(&c->m, m));
    ty_mp_fix(&c->m, n);
    ty_limb own[2 * TY_MP_SMALL + 1],
        *one = ty_mp_take(own, sizeof own / sizeof *own, 2 * n + 1, m->alloc);
    if (!one) return TY_ERR_MEM;
    memset(one, 0, 2 * n * sizeof *one);
    one[2 * n] = 1;
    const ty_mp power = { .heap = one, .len = 2 * n + 1 };   /* borrowed: B^2n */
    const ty_err e = ty_mp_div(&c->mu, NULL, &power, &c->m);
    ty_mp_give(one, own, 2 * n + 1, m->alloc);
    if (e) return e;
    /* B^2n / m <= B^(n+1): for m = B^(n-1) one limb more */
    return ty_mp_pad(&c->mu, (n + 2) * TY_LIMB_BITS);
}

ty_err ty_mp_barrett_init(ty_mp_barrett *c, const ty_mp *m)
{
    const size_t n = ty_mp_n(m);
    ty_mp_init_with(&c->m, m->alloc);
    ty_mp_init_with(&c->mu, m->alloc);
    if (n == 0 || m->neg) return TY_ERR_ARG;
    const ty_err e = barrett_prepare(c, m, n);
    if (e) ty_mp_barrett_clear(c);
    return e;
}

/* z[n] = x[2n] mod m: q = floor(floor(x/B^(n-1)) mu / B^(n+1)) is the quotient or at most 2 less,
 * so x - qm < 3m <= 3 B^n is determined modulo B^(n+1). From this number of n + 1 limbs m is
 * subtracted up to twice, until it is below m, under a mask. t holds 4n + 5 limbs. */
static void barrett_reduce(ty_limb *z, const ty_limb *x, const ty_mp_barrett *c, ty_limb *t,
                           ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t n = c->m.len;
    const ty_limb *m = ty_mp_cd(&c->m);
    ty_limb *product = t, *q = t + 2 * n + 3;
    ty_mp_mul_limbs(product, ty_mp_cd(&c->mu), n + 2, x + n - 1, n + 1, work);
    memcpy(q, product + n + 1, (n + 2) * sizeof *q);
    ty_mp_mul_limbs(product, q, n + 2, m, n, work);
    (void)ops->sub(q, x, product, n + 1);
    for (int i = 0; i < 2; i++) {
        ty_limb b = ops->sub(product, q, m, n);
        product[n] = ty_limb_sbb(q[n], 0, &b);
        ty_limb_sel(q, ty_limb_mask(b), q, product, n + 1);
    }
    memcpy(z, q, n * sizeof *z);
}

ty_err ty_mp_barrett_mod(ty_mp *z, const ty_mp *x, const ty_mp_barrett *c)
{
    const size_t n = c->m.len;
    if (n == 0) return TY_ERR_ARG;
    if (x->len > 2 * n) return ty_mp_mod(z, x, &c->m);
    const size_t first = ty_mp_mul_work(n + 2, n + 1), second = ty_mp_mul_work(n + 2, n);
    const size_t need = 6 * n + 5 + (first > second ? first : second);
    ty_limb own[14 * TY_MP_SMALL],
        *wide = ty_mp_take(own, sizeof own / sizeof *own, need, z->alloc);
    if (!wide) return TY_ERR_MEM;
    const ty_err e = ty_mp_grow(z, n);
    if (!e) {
        const uint32_t neg = x->neg;
        ty_mp_spread(wide, 2 * n, x);
        barrett_reduce(wide, wide, c, wide + 2 * n, wide + 6 * n + 5);
        if (neg) {   /* m - r, unless r = 0 */
            const ty_limb nonzero = ~ty_limb_zero(wide, n);
            (void)ty_limb_neg_if(wide, n, nonzero);
            (void)ty_limb_add_if(wide, ty_mp_cd(&c->m), n, nonzero);
        }
        ty_mp_load(z, wide, n);
        ty_mp_fix(z, n);
    }
    ty_mp_give(wide, own, need, z->alloc);
    return e;
}
