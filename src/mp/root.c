/* Roots of public integers by Newton's iteration from above; squares and powers. */
#include "mp/mp_internal.h"

/* z = floor(a^(1/k)) for a > 0, k >= 2: from z0 > the root, z = ((k-1) z + a / z^(k-1)) / k
 * decreases until it reaches the root. */
static ty_err newton(ty_mp *z, const ty_mp *a, uint32_t k)
{
    ty_mp t, p, factor, divisor;
    ty_mp *all[] = { &t, &p, &factor, &divisor };
    for (size_t i = 0; i < 4; i++) ty_mp_init_with(all[i], z->alloc);
    ty_mp_set_u64(&factor, k - 1);
    ty_mp_set_u64(&divisor, k);
    ty_mp_set_u64(z, 1);
    ty_err e = ty_mp_shl(z, z, ty_mp_bits(a) / k + 1);
    while (!e) {
        e = ty_mp_pow_vt(&p, z, k - 1);
        if (!e) e = ty_mp_div_vt(&t, NULL, a, &p);
        if (!e) e = ty_mp_mul(&p, z, &factor);
        if (!e) e = ty_mp_add(&t, &t, &p);
        if (!e) e = ty_mp_div_vt(&t, NULL, &t, &divisor);
        if (e || ty_mp_cmp_abs_vt(&t, z) >= 0) break;
        ty_mp_swap(z, &t);
    }
    for (size_t i = 0; i < 4; i++) ty_mp_clear(all[i]);
    return e;
}

/* z = the k-th root of x, rounded towards zero; r = x - z^k. z, r and x are different objects. */
static ty_err root(ty_mp *z, ty_mp *r, const ty_mp *x, uint32_t k)
{
    TY_TRY(ty_mp_abs(r, x));
    const size_t bits = ty_mp_bits(r);
    if (bits == 0) {
        ty_mp_fit(z, 0, 0);
    } else if (k == 1) {
        TY_TRY(ty_mp_copy(z, r));
    } else if (k >= bits) {   /* below 2^k */
        ty_mp_set_u64(z, 1);
    } else {
        TY_TRY(newton(z, r, k));
    }
    ty_mp_fit(z, z->len, x->neg);
    TY_TRY(ty_mp_pow_vt(r, z, bits ? k : 1));
    return ty_mp_sub(r, x, r);
}

ty_err ty_mp_root_vt(ty_mp *z, ty_mp *r, const ty_mp *x, uint32_t k)
{
    if (k == 0 || z == r || (k % 2 == 0 && ty_mp_sign(x) < 0)) return TY_ERR_ARG;
    ty_mp a, b;
    ty_mp_init_with(&a, z->alloc);
    ty_mp_init_with(&b, r ? r->alloc : z->alloc);
    const ty_err e = root(&a, &b, x, k);
    if (!e) {
        ty_mp_swap(z, &a);
        if (r) ty_mp_swap(r, &b);
    }
    ty_mp_clear(&a);
    ty_mp_clear(&b);
    return e;
}

ty_err ty_mp_sqrt_vt(ty_mp *z, ty_mp *r, const ty_mp *x) { return ty_mp_root_vt(z, r, x, 2); }

/* There are 12 squares modulo 64, so only one number in five needs the root. */
ty_err ty_mp_is_square_vt(int *out, const ty_mp *x)
{
    const uint64_t squares = 0x0202021202030213u;   /* bit i: i is a square mod 64 */
    const size_t n = ty_mp_n(x);
    if (n == 0) {
        *out = 1;
        return TY_OK;
    }
    if (x->neg || !(squares >> (ty_mp_cd(x)[0] & 63) & 1)) {
        *out = 0;
        return TY_OK;
    }
    ty_mp z, r;
    ty_mp_init_with(&z, x->alloc);
    ty_mp_init_with(&r, x->alloc);
    const ty_err e = ty_mp_sqrt_vt(&z, &r, x);
    if (!e) *out = r.len == 0;
    ty_mp_clear(&z);
    ty_mp_clear(&r);
    return e;
}

static int is_prime(uint32_t k)
{
    for (uint32_t d = 2; d * d <= k; d++)
        if (k % d == 0) return 0;
    return 1;
}

/* For each prime k in turn: while x is a k-th power it is replaced by its root, and the result is
 * multiplied by k. */
static ty_err power(uint32_t *out, ty_mp *x, ty_mp *z, ty_mp *r)
{
    uint32_t total = 1;
    for (uint32_t k = x->neg ? 3 : 2; k < ty_mp_bits(x);) {
        if (is_prime(k)) {
            TY_TRY(ty_mp_root_vt(z, r, x, k));
            if (r->len == 0) {
                ty_mp_swap(x, z);
                total *= k;
                continue;
            }
        }
        k += k == 2 ? 1 : 2;
    }
    *out = total > 1 ? total : 0;
    return TY_OK;
}

ty_err ty_mp_is_power_vt(uint32_t *out, const ty_mp *x)
{
    ty_mp a, z, r;
    ty_mp_init_with(&a, x->alloc);
    ty_mp_init_with(&z, x->alloc);
    ty_mp_init_with(&r, x->alloc);
    ty_err e = ty_mp_copy(&a, x);
    ty_mp_fit(&a, a.len, a.neg);
    if (!e && ty_mp_bits(&a) <= 1) *out = a.neg ? 3 : 2;
    else if (!e) e = power(out, &a, &z, &r);
    ty_mp_clear(&a);
    ty_mp_clear(&z);
    ty_mp_clear(&r);
    return e;
}
