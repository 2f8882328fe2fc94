/* Sums, differences, signs. */
#include "mp/mp_internal.h"

/* z = x + (-1)^neg |y|, like add_long, for at most two limbs each, without calls */
static void add_2(ty_mp *z, const ty_mp *x, const ty_mp *y, uint32_t neg)
{
    const ty_limb2 a = ty_limb2_from(ty_mp_cd(x), x->len), b = ty_limb2_from(ty_mp_cd(y), y->len);
    const int sum = x->neg == neg;
    ty_limb2 s = sum ? a + b : a - b;
    ty_limb above = sum ? s < a : 0, below = sum ? 0 : a < b;
    const uint32_t sign = x->neg;
    TY_PUBLIC(&below, sizeof below);
    if (below) s = 0 - s;
    ty_limb *d = ty_mp_d(z);
    d[0] = (ty_limb)s, d[1] = (ty_limb)(s >> TY_LIMB_BITS), d[2] = above;
    ty_mp_fit(z, 3, sign ^ (uint32_t)below);
}

/* z = |x| + |y| with the sign neg; x has n limbs, y has m <= n */
static inline ty_err sum(ty_mp *z, const ty_mp *x, size_t n, const ty_mp *y, size_t m, uint32_t neg)
{
    TY_TRY(ty_mp_room(z, n + 1));
    ty_limb *d = ty_mp_d(z);
    const ty_limb *xd = ty_mp_cd(x);
    ty_limb c = ty_limb_add(d, xd, ty_mp_cd(y), m);
    if (n > m) c = ty_limb_add_1(d + m, xd + m, n - m, c);
    TY_PUBLIC(&c, sizeof c);   /* the result's length reveals it */
    if (c) d[n] = c;
    ty_mp_fit(z, n + (size_t)c, neg);
    return TY_OK;
}

/* z = |x| - |y| with the sign neg, or |y| - |x| with the other one; x has n limbs, y has m <= n.
 * Magnitudes are secret: the difference is computed first. Its sign, which decides the result's and
 * so is public, determines whether it is negated. */
static ty_err difference(ty_mp *z, const ty_mp *x, size_t n, const ty_mp *y, size_t m, uint32_t neg)
{
    TY_TRY(ty_mp_room(z, n));
    ty_limb *d = ty_mp_d(z);
    const ty_limb *xd = ty_mp_cd(x), *yd = ty_mp_cd(y);
    ty_limb below = ty_limb_sub(d, xd, yd, m);
    if (n > m) below = ty_limb_sub_1(d + m, xd + m, n - m, below);
    TY_PUBLIC(&below, sizeof below);
    if (below) {
        if (n == m && d != xd && d != yd) (void)ty_limb_sub(d, yd, xd, n);
        else (void)ty_limb_best()->neg_if(d, n, ~(ty_limb)0);
    }
    ty_mp_fit(z, n, neg ^ (uint32_t)below);
    return TY_OK;
}

/* z = x + (-1)^neg |y| */
__attribute__((noinline)) static ty_err add_long(ty_mp *z, const ty_mp *x, const ty_mp *y,
                                                 uint32_t neg)
{
    size_t n = x->len, m = y->len;
    uint32_t x_neg = x->neg;
    if (n < m) {
        const ty_mp *t = x;
        x = y, y = t;
        n = m, m = y->len;
        x_neg = neg, neg = y->neg;
    }
    return x_neg == neg ? sum(z, x, n, y, m, neg) : difference(z, x, n, y, m, x_neg);
}

static inline ty_err add(ty_mp *z, const ty_mp *x, const ty_mp *y, uint32_t neg)
{
    if (x->len > 2 || y->len > 2) return add_long(z, x, y, neg);
    add_2(z, x, y, neg);
    return TY_OK;
}

ty_err ty_mp_add(ty_mp *z, const ty_mp *x, const ty_mp *y) { return add(z, x, y, y->neg); }
ty_err ty_mp_sub(ty_mp *z, const ty_mp *x, const ty_mp *y) { return add(z, x, y, y->neg ^ 1); }

static ty_err with_sign(ty_mp *z, const ty_mp *x, uint32_t neg)
{
    TY_TRY(ty_mp_copy(z, x));
    ty_mp_fit(z, z->len, neg);
    return TY_OK;
}

ty_err ty_mp_neg(ty_mp *z, const ty_mp *x) { return with_sign(z, x, x->neg ^ 1); }
ty_err ty_mp_abs(ty_mp *z, const ty_mp *x) { return with_sign(z, x, 0); }
