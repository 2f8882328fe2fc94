/* Greatest common divisors and inverses of public integers, by the Euclidean algorithm of lehmer.c,
 * and the Kronecker symbol. */
#include "mp/lehmer.h"

/* z = x[n] with the sign neg; z has room for it */
static void assign(ty_mp *z, const ty_limb *x, size_t n, uint32_t neg)
{
    ty_mp_load(z, x, n);
    ty_mp_fit(z, n, neg);
}

ty_err ty_mp_gcd_vt(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    const size_t xn = ty_mp_n(x), yn = ty_mp_n(y);
    if (xn <= 2 && yn <= 2) {
        const ty_limb2 g =
            ty_limb_gcd_2_vt(ty_limb2_from(ty_mp_cd(x), xn), ty_limb2_from(ty_mp_cd(y), yn));
        ty_limb *d = ty_mp_d(z);
        d[0] = (ty_limb)g, d[1] = (ty_limb)(g >> TY_LIMB_BITS);
        ty_mp_fit(z, 2, 0);
        return TY_OK;
    }
    ty_euclid e;
    TY_TRY(ty_euclid_open(&e, x, y, 0, z->alloc));
    ty_err err = ty_euclid_run(&e);
    if (!err) err = ty_mp_grow(z, e.an);
    if (!err) assign(z, e.a, e.an, 0);
    ty_euclid_close(&e);
    return err;
}

/* g = u x + v y: g and u from e, whose cofactor is that of |x|; v = (g - u x)/y, or 0 if y = 0. */
static ty_err extend(ty_mp *g, ty_mp *u, ty_mp *v, ty_euclid *e, const ty_mp *x, const ty_mp *y)
{
    TY_TRY(ty_euclid_run(e));
    TY_TRY(ty_mp_grow(g, e->an));
    TY_TRY(ty_mp_grow(u, e->sn));
    assign(g, e->a, e->an, 0);
    assign(u, e->s, e->an ? e->sn : 0, (uint32_t)(e->minus ^ (int)x->neg));
    if (ty_mp_n(y) == 0) return TY_OK;
    TY_TRY(ty_mp_mul(v, u, x));
    TY_TRY(ty_mp_sub(v, g, v));
    return ty_mp_div_vt(v, NULL, v, y);
}

ty_err ty_mp_gcdext_vt(ty_mp *g, ty_mp *u, ty_mp *v, const ty_mp *x, const ty_mp *y)
{
    const ty_alloc *alloc = g ? g->alloc : u ? u->alloc : v ? v->alloc : NULL;
    if ((g && (g == u || g == v)) || (u && u == v)) return TY_ERR_ARG;
    ty_mp t[3];
    for (int i = 0; i < 3; i++) ty_mp_init_with(&t[i], alloc);
    ty_euclid e;
    ty_err err = ty_euclid_open(&e, x, y, 1, alloc);
    if (!err) {
        err = extend(&t[0], &t[1], &t[2], &e, x, y);
        ty_euclid_close(&e);
    }
    /* room first, so that no output is written unless all are */
    ty_mp *out[] = { g, u, v };
    for (int i = 0; i < 3; i++)
        if (!err && out[i]) err = ty_mp_grow(out[i], t[i].len);
    for (int i = 0; i < 3; i++)
        if (!err && out[i]) err = ty_mp_copy(out[i], &t[i]);
    for (int i = 0; i < 3; i++) ty_mp_clear(&t[i]);
    return err;
}

ty_err ty_mp_lcm_vt(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    ty_mp g;
    ty_mp_init_with(&g, z->alloc);
    ty_err err = ty_mp_gcd_vt(&g, x, y);
    if (!err && g.len) err = ty_mp_div_vt(&g, NULL, x, &g);
    if (!err) err = ty_mp_mul(&g, &g, y);
    if (!err) {
        g.neg = 0;
        ty_mp_swap(z, &g);
    }
    ty_mp_clear(&g);
    return err;
}

/* z = the cofactor s with its sign, modulo m: |s| is at most m/2, or m = 1 and s = 1. */
static ty_err inverse(ty_mp *z, ty_euclid *e, const ty_mp *m)
{
    TY_TRY(ty_euclid_run(e));
    if (e->an != 1 || e->a[0] != 1) return TY_ERR_NO_INVERSE;
    const size_t n = ty_mp_n(m), sn = ty_limb_len(e->s, e->sn);
    TY_TRY(ty_mp_grow(z, n));
    if (e->minus && sn) {
        for (size_t i = sn; i < n; i++) e->s[i] = 0;
        (void)ty_limb_best()->sub(e->h, ty_mp_cd(m), e->s, n);
        assign(z, e->h, n, 0);
    } else {
        assign(z, e->s, sn, 0);
    }
    return TY_OK;
}

/* z = 1/x mod m for x < m of one limb each: with one cofactor, whose sign alternates from step to
 * step. */
static ty_err inverse_1(ty_mp *z, ty_limb x, ty_limb m)
{
    ty_limb a = m, s = 0, t = 1;
    int minus = 1;
    while (x) {
        const ty_limb q = a / x, r = a % x, next = s + q * t;
        a = x, x = r;
        s = t, t = next;
        minus ^= 1;
    }
    if (a != 1) return TY_ERR_NO_INVERSE;
    ty_mp_d(z)[0] = minus ? m - s : s;
    ty_mp_fit(z, 1, 0);
    return TY_OK;
}

/* The same for any length */
static ty_err inverse_n(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    ty_euclid e;
    TY_TRY(ty_euclid_open(&e, x, m, 1, z->alloc));
    const ty_err err = inverse(z, &e, m);
    ty_euclid_close(&e);
    return err;
}

ty_err ty_mp_invmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    const size_t xn = ty_mp_n(x), mn = ty_mp_n(m);
    if (mn == 0 || m->neg) return TY_ERR_ARG;
    if (mn == 1 && ty_mp_cd(m)[0] == 1) {
        ty_mp_fit(z, 0, 0);
        return TY_OK;
    }
    if (!x->neg && ty_mp_cmp_abs_vt(x, m) < 0)
        return mn == 1 ? inverse_1(z, xn ? ty_mp_cd(x)[0] : 0, ty_mp_cd(m)[0]) : inverse_n(z, x, m);
    ty_mp r;
    ty_mp_open(&r, z->alloc);
    ty_err err = ty_mp_mod_vt(&r, x, m);
    if (!err) err = inverse_n(z, &r, m);
    ty_mp_clear(&r);
    return err;
}

/* --- Kronecker symbol ------------------------------------------------------------------------- */

/* (2/y) for odd y: 1 if y = +-1 mod 8, else -1 */
static int two_over(const ty_mp *y) { return ((ty_mp_cd(y)[0] + 1) & 7) <= 2 ? 1 : -1; }

/* *out = k (x/y) for odd y > 0 by reciprocity: x is made odd, the two are swapped, and the larger
 * one is reduced. Both are overwritten. */
static ty_err jacobi(int *out, ty_mp *x, ty_mp *y, int k)
{
    for (;;) {
        TY_TRY(ty_mp_mod_vt(x, x, y));
        if (x->len == 0) break;
        const size_t twos = ty_mp_trailing(x);
        if (twos % 2) k *= two_over(y);
        TY_TRY(ty_mp_shr(x, x, twos));
        if (ty_mp_cd(x)[0] & ty_mp_cd(y)[0] & 2) k = -k;   /* both are 3 mod 4 */
        ty_mp_swap(x, y);
    }
    *out = y->len == 1 && ty_mp_cd(y)[0] == 1 ? k : 0;
    return TY_OK;
}

/* (x/0) = 1 for x = +-1, else 0; (x/-1) = the sign of x; (x/2) = 0 for even x, else (2/x). [Cohen,
 * CCANT 1.4.10] */
static ty_err kronecker(int *out, ty_mp *x, ty_mp *y)
{
    if (y->len == 0) {
        *out = x->len == 1 && ty_mp_cd(x)[0] == 1;
        return TY_OK;
    }
    if (!ty_mp_odd(x) && !ty_mp_odd(y)) {
        *out = 0;
        return TY_OK;
    }
    int k = y->neg && x->neg ? -1 : 1;
    const size_t twos = ty_mp_trailing(y);
    if (twos % 2) {
        /* (2/x) depends on |x| mod 8, and +-1 give 1 */
        const unsigned low = (unsigned)ty_mp_cd(x)[0] & 7;
        if (low == 3 || low == 5) k = -k;
    }
    TY_TRY(ty_mp_abs(y, y));
    TY_TRY(ty_mp_shr(y, y, twos));
    return jacobi(out, x, y, k);
}

ty_err ty_mp_kronecker_vt(int *out, const ty_mp *x, const ty_mp *y)
{
    ty_mp a, b;
    ty_mp_init_with(&a, x->alloc);
    ty_mp_init_with(&b, x->alloc);
    ty_err err = ty_mp_copy(&a, x);
    if (!err) err = ty_mp_copy(&b, y);
    ty_mp_fit(&a, a.len, a.neg);
    ty_mp_fit(&b, b.len, b.neg);
    if (!err) err = kronecker(out, &a, &b);
    ty_mp_clear(&a);
    ty_mp_clear(&b);
    return err;
}
