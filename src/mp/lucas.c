/* The strong Lucas test (Baillie and Wagstaff, Math. Comp. 35 (1980), section 3), with Selfridge's
 * parameters: D the first of 5, -7, 9, -11, ... with (D/n) = -1, P = 1, Q = (1 - D)/4. */
#include "mp/prime_internal.h"

typedef struct lucas {
    const ty_mp *n;
    ty_mp u, v, qk, t;   /* U_k, V_k, Q^k mod n */
    ty_mp d, q;          /* D and Q, with their signs */
} lucas;

/* z = x/2 mod n: x + n is even if x is odd */
static ty_err half(ty_mp *z, ty_mp *x, const ty_mp *n)
{
    if (ty_mp_odd(x)) TY_TRY(ty_mp_add(x, x, n));
    return ty_mp_shr(z, x, 1);
}

/* k becomes 2k: U_2k = U_k V_k, V_2k = V_k^2 - 2 Q^k */
static ty_err twice(lucas *l)
{
    TY_TRY(ty_mp_mulmod_vt(&l->u, &l->u, &l->v, l->n));
    TY_TRY(ty_mp_sqr(&l->v, &l->v));
    TY_TRY(ty_mp_sub(&l->v, &l->v, &l->qk));
    TY_TRY(ty_mp_submod_vt(&l->v, &l->v, &l->qk, l->n));
    return ty_mp_sqrmod_vt(&l->qk, &l->qk, l->n);
}

/* k becomes k + 1: U_k+1 = (U_k + V_k)/2, V_k+1 = (D U_k + V_k)/2 */
static ty_err plus_one(lucas *l)
{
    TY_TRY(ty_mp_mul(&l->t, &l->d, &l->u));
    TY_TRY(ty_mp_addmod_vt(&l->t, &l->t, &l->v, l->n));
    TY_TRY(ty_mp_addmod_vt(&l->u, &l->u, &l->v, l->n));
    TY_TRY(half(&l->u, &l->u, l->n));
    TY_TRY(half(&l->v, &l->t, l->n));
    return ty_mp_mulmod_vt(&l->qk, &l->qk, &l->q, l->n);
}

/* *out = 1 if U_d = 0, or V_(d 2^r) = 0 for some r < s, where n + 1 = d 2^s, d odd */
static ty_err test(int *out, lucas *l)
{
    ty_mp *d = &l->t;
    TY_TRY(ty_mp_add(d, l->n, &l->u));   /* U_1 = 1 */
    const size_t s = ty_mp_trailing(d), bits = ty_mp_bits(d);
    ty_mp next;
    ty_mp_init_with(&next, l->n->alloc);
    ty_err e = ty_mp_copy(&next, d);
    for (size_t i = bits - 1; i-- > s && !e;) {
        e = twice(l);
        if (!e && ty_mp_bit(&next, i)) e = plus_one(l);
    }
    ty_mp_clear(&next);
    if (e) return e;
    *out = l->u.len == 0;
    for (size_t r = 0; r < s && !*out; r++) {
        *out = l->v.len == 0;
        TY_TRY(twice(l));
    }
    return TY_OK;
}

/* Finds D and does the test. If (D/n) = 0 and |D| < n, they have a common factor and n is
 * composite. For a square n no D has (D/n) = -1, so after eight of them n is tested for being a
 * square. */
static ty_err search(int *out, lucas *l)
{
    *out = 0;
    for (int64_t d = 5, tries = 0;; d = d > 0 ? -d - 2 : -d + 2, tries++) {
        int k, square = 0;
        ty_mp_set_i64(&l->d, d);
        TY_TRY(ty_mp_kronecker_vt(&k, &l->d, l->n));
        if (k == 0 && ty_mp_cmp_abs_vt(&l->d, l->n) < 0) return TY_OK;
        if (tries == 8) TY_TRY(ty_mp_is_square_vt(&square, l->n));
        if (square) return TY_OK;
        if (k != -1) continue;
        ty_mp_set_i64(&l->q, (1 - d) / 4);
        ty_mp_set_u64(&l->u, 1);
        ty_mp_set_u64(&l->v, 1);
        TY_TRY(ty_mp_mod_vt(&l->qk, &l->q, l->n));
        return test(out, l);
    }
}

ty_err ty_mp_lucas_vt(int *out, const ty_mp *x)
{
    lucas l = { .n = x };
    ty_mp *all[] = { &l.u, &l.v, &l.qk, &l.t, &l.d, &l.q };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ty_mp_init_with(all[i], x->alloc);
    const ty_err e = search(out, &l);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) ty_mp_clear(all[i]);
    return e;
}
