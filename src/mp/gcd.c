/* Greatest common divisors of public integers: Lehmer's form of Euclid's algorithm (Knuth, TAOCP 2, 4.5.2, algorithm L). The
 * leading limbs of both numbers give a run of quotients, whose product is applied to the numbers at once. */
#include "mp/mp_internal.h"

/* (a, b) becomes (m00 a - m01 b, m11 b - m10 a), both with the other sign if odd */
typedef struct run {
    ty_limb m00, m01, m10, m11;
    int odd;
} run;

/* The quotients of x/y that are those of the whole numbers too, whatever follows x and y: Jebelean's condition with the
 * larger cofactor of each pair (J. Symb. Comput. 15 (1993)). x >= y, both below 2^(TY_LIMB_BITS - 1); cofactors stay below x's
 * first value, as m11 times the remainder before it does. */
static int lehmer(run *m, ty_limb x, ty_limb y)
{
    *m = (run){ 1, 0, 0, 1, 0 };
    while (y) {
        const ty_limb q = x / y, r = x - q * y, n10 = m->m00 + q * m->m10, n11 = m->m01 + q * m->m11;
        if (r < n11 || y - r < n11 + m->m11) break;
        m->m00 = m->m10, m->m01 = m->m11, m->m10 = n10, m->m11 = n11;
        m->odd ^= 1;
        x = y, y = r;
    }
    return m->m01 != 0;
}

/* z = p x - q y, which is not negative and below B^n; t[n] scratch */
static void combine(ty_limb *z, const ty_limb *x, ty_limb p, const ty_limb *y, ty_limb q, size_t n, const ty_limb_ops *ops)
{
    (void)ops->mul_1(z, x, n, p);
    (void)ops->submul_1(z, y, n, q);
}

/* A pair of numbers of one room, a >= b, and the cofactor of x in each, where it is wanted. */
typedef struct euclid {
    ty_mp a, b, s, t;   /* |s| and |t|: a = +-s x (mod y), b = -+t x (mod y) */
    ty_mp h, k;         /* scratch */
    int minus;          /* the sign of s is -, and t's the other one */
    int wanted;
} euclid;

static void close_euclid(euclid *e)
{
    ty_mp *all[] = { &e->a, &e->b, &e->s, &e->t, &e->h, &e->k };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ty_mp_clear(all[i]);
}

static ty_err open_euclid(euclid *e, const ty_mp *x, const ty_mp *y, int wanted, const ty_alloc *alloc)
{
    ty_mp *all[] = { &e->a, &e->b, &e->s, &e->t, &e->h, &e->k };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ty_mp_init_with(all[i], alloc);
    e->minus = 0;
    e->wanted = wanted;
    ty_mp_set_u64(&e->s, 1);
    TY_TRY(ty_mp_abs(&e->a, x));
    return ty_mp_abs(&e->b, y);
}

/* One division: (a, b) = (b, a mod b), (s, t) = (t, s + q t). */
static ty_err divide(euclid *e)
{
    TY_TRY(ty_mp_div_vt(e->wanted ? &e->h : NULL, &e->a, &e->a, &e->b));
    ty_mp_swap(&e->a, &e->b);
    if (e->wanted) {
        TY_TRY(ty_mp_mul(&e->k, &e->h, &e->t));
        TY_TRY(ty_mp_add(&e->s, &e->s, &e->k));
        ty_mp_swap(&e->s, &e->t);
        e->minus ^= 1;
    }
    return TY_OK;
}

/* z = p x + q y for limbs p and q, positive x and y; its room is n + 1 limbs */
static ty_err cofactor(ty_mp *z, const ty_mp *x, ty_limb p, const ty_mp *y, ty_limb q, const ty_limb_ops *ops)
{
    const size_t n = (x->len > y->len ? x->len : y->len) + 1;
    TY_TRY(ty_mp_grow(z, n));
    ty_limb *d = ty_mp_d(z);
    for (size_t i = x->len; i < n; i++) d[i] = 0;
    d[x->len] = x->len ? ops->mul_1(d, ty_mp_cd(x), x->len, p) : 0;
    if (y->len) {
        const ty_limb c = ops->addmul_1(d, ty_mp_cd(y), y->len, q);
        (void)ty_limb_add_1(d + y->len, d + y->len, n - y->len, c);
    }
    ty_mp_fit(z, n, 0);
    return TY_OK;
}

/* A run of quotients, applied; where the leading limbs give none, one division. b has at least two limbs. */
static ty_err step(euclid *e)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t n = e->a.len;
    const ty_limb *a = ty_mp_cd(&e->a), *b = ty_mp_cd(&e->b);
    if (n - e->b.len > 1) return divide(e);
    const unsigned s = TY_LIMB_BITS - ty_limb_bits(a[n - 1]);   /* the top bits of both, aligned at a's */
    const ty_limb b1 = e->b.len == n ? b[n - 1] : 0;
    const ty_limb x = a[n - 1] << s | a[n - 2] >> 1 >> (TY_LIMB_BITS - 1 - s);
    const ty_limb y = b1 << s | b[n - 2] >> 1 >> (TY_LIMB_BITS - 1 - s);
    run m;
    if (!lehmer(&m, x >> 1, y >> 1)) return divide(e);
    TY_TRY(ty_mp_grow(&e->h, n));
    TY_TRY(ty_mp_grow(&e->k, n));
    TY_TRY(ty_mp_pad(&e->b, n * TY_LIMB_BITS));
    a = ty_mp_cd(&e->a), b = ty_mp_cd(&e->b);
    ty_limb *h = ty_mp_d(&e->h), *k = ty_mp_d(&e->k);
    if (m.odd) {
        combine(h, b, m.m01, a, m.m00, n, ops);
        combine(k, a, m.m10, b, m.m11, n, ops);
    } else {
        combine(h, a, m.m00, b, m.m01, n, ops);
        combine(k, b, m.m11, a, m.m10, n, ops);
    }
    ty_mp_fit(&e->h, n, 0);
    ty_mp_fit(&e->k, n, 0);
    ty_mp_swap(&e->a, &e->h);
    ty_mp_swap(&e->b, &e->k);
    if (e->wanted) {
        TY_TRY(cofactor(&e->h, &e->s, m.m00, &e->t, m.m01, ops));
        TY_TRY(cofactor(&e->k, &e->s, m.m10, &e->t, m.m11, ops));
        ty_mp_swap(&e->s, &e->h);
        ty_mp_swap(&e->t, &e->k);
        e->minus ^= m.odd;
    }
    return TY_OK;
}

/* a = gcd(|x|, |y|), and a = +-s |x| (mod |y|) */
static ty_err euclid_vt(euclid *e)
{
    ty_mp_fit(&e->a, e->a.len, 0);
    ty_mp_fit(&e->b, e->b.len, 0);
    if (ty_mp_cmp_abs_vt(&e->a, &e->b) < 0) {   /* s, t = 0, 1 belong to the exchanged pair */
        ty_mp_swap(&e->a, &e->b);
        ty_mp_swap(&e->s, &e->t);
        e->minus ^= 1;
    }
    while (e->b.len) TY_TRY(e->b.len > 1 ? step(e) : divide(e));
    return TY_OK;
}

ty_err ty_mp_gcd_vt(ty_mp *z, const ty_mp *x, const ty_mp *y)
{
    euclid e;
    ty_err err = open_euclid(&e, x, y, 0, z->alloc);
    if (!err) err = euclid_vt(&e);
    if (!err) ty_mp_swap(z, &e.a);
    close_euclid(&e);
    return err;
}

/* u as found belongs to |x|; v = (g - u x)/y, or 0 where y = 0. */
static ty_err extend(euclid *e, const ty_mp *x, const ty_mp *y)
{
    TY_TRY(euclid_vt(e));
    ty_mp_fit(&e->s, e->s.len, (uint32_t)(e->minus ^ (int)x->neg));
    if (e->a.len == 0) ty_mp_fit(&e->s, 0, 0);
    ty_mp_fit(&e->t, 0, 0);
    if (ty_mp_n(y) == 0) return TY_OK;
    TY_TRY(ty_mp_mul(&e->h, &e->s, x));
    TY_TRY(ty_mp_sub(&e->h, &e->a, &e->h));
    return ty_mp_div_vt(&e->t, NULL, &e->h, y);
}

ty_err ty_mp_gcdext_vt(ty_mp *g, ty_mp *u, ty_mp *v, const ty_mp *x, const ty_mp *y)
{
    const ty_alloc *alloc = g ? g->alloc : u ? u->alloc : v ? v->alloc : NULL;
    if ((g && (g == u || g == v)) || (u && u == v)) return TY_ERR_ARG;
    euclid e;
    ty_err err = open_euclid(&e, x, y, 1, alloc);
    if (!err) err = extend(&e, x, y);
    /* room first, so that no output is written unless all are */
    if (!err && g) err = ty_mp_grow(g, e.a.len);
    if (!err && u) err = ty_mp_grow(u, e.s.len);
    if (!err && v) err = ty_mp_grow(v, e.t.len);
    if (!err && g) err = ty_mp_copy(g, &e.a);
    if (!err && u) err = ty_mp_copy(u, &e.s);
    if (!err && v) err = ty_mp_copy(v, &e.t);
    close_euclid(&e);
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

ty_err ty_mp_invmod_vt(ty_mp *z, const ty_mp *x, const ty_mp *m)
{
    if (ty_mp_sign(m) <= 0) return TY_ERR_ARG;
    euclid e;
    ty_mp r;
    ty_mp_init_with(&r, z->alloc);
    ty_err err = ty_mp_mod_vt(&r, x, m);
    if (!err) {
        err = open_euclid(&e, &r, m, 1, z->alloc);
        if (!err) err = euclid_vt(&e);
        if (!err && (e.a.len != 1 || ty_mp_cd(&e.a)[0] != 1)) err = TY_ERR_VERIFY;
        if (!err) {
            ty_mp_fit(&e.s, e.s.len, (uint32_t)e.minus);
            err = ty_mp_mod_vt(&r, &e.s, m);
        }
        close_euclid(&e);
    }
    if (!err) ty_mp_swap(z, &r);
    ty_mp_clear(&r);
    return err;
}

/* --- Kronecker symbol ------------------------------------------------------------------------------------------------- */

/* (2/y) for odd y: 1 if y = +-1 mod 8, else -1 */
static int two_over(const ty_mp *y) { return ((ty_mp_cd(y)[0] + 1) & 7) <= 2 ? 1 : -1; }

/* k (x/y) for odd y > 0 by reciprocity: x becomes odd, the two change places, the larger is reduced. */
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

/* (x/0) = 1 for x = +-1, else 0; (x/-1) = the sign of x; (x/2) = 0 for even x, else (2/x). [Cohen, CCANT 1.4.10] */
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
        const unsigned low = (unsigned)ty_mp_cd(x)[0] & 7;   /* of |x|: +-1 mod 8 is as good for -x */
        if (low == 3 || low == 5) k = -k;
    }
    TY_TRY(ty_mp_abs(y, y));
    TY_TRY(ty_mp_shr(y, y, twos));
    return jacobi(out, x, y, k);
}

ty_err ty_mp_kronecker_vt(int *out, const ty_mp *x, const ty_mp *y)
{
    ty_mp a, b;
    ty_mp_init(&a);
    ty_mp_init(&b);
    ty_err err = ty_mp_copy(&a, x);
    if (!err) err = ty_mp_copy(&b, y);
    ty_mp_fit(&a, a.len, a.neg);
    ty_mp_fit(&b, b.len, b.neg);
    if (!err) err = kronecker(out, &a, &b);
    ty_mp_clear(&a);
    ty_mp_clear(&b);
    return err;
}
