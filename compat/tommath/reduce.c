/* Reductions modulo numbers of a special form, and Barrett's. */
#include "ltm.h"

#include <string.h>

/* --- Barrett ---------------------------------------------------------------------------------- */

/* floor(B^2n / b) */
static ty_err reciprocal(ty_mp *t)
{
    ty_mp_set_u64(t, 1);
    const size_t n = (ty_mp_bits(t + 1) + LTM_BITS - 1) / LTM_BITS;
    TY_TRY(ty_mp_shl(t, t, 2 * n * LTM_BITS));
    return ty_mp_div_vt(t, NULL, t, t + 1);
}

mp_err mp_reduce_setup(mp_int *a, const mp_int *b)
{
    return b->used ? ltm_call(reciprocal, a, b, NULL, NULL) : MP_VAL;
}

static ty_err modulo(ty_mp *t) { return ty_mp_mod_vt(t, t + 1, t + 2); }

enum { BARRETT = 100 };   /* digits above which a division on limbs is faster */

/* x mod m by the reciprocal, x < B^2n: q = floor(x/B^(n-1)) mu / B^(n+1), of whose product only
 * columns from n - 1 on are computed, and r = x - q m modulo B^(n+1), of which only columns below n
 * + 1 matter (Menezes, van Oorschot, Vanstone, HAC 14.42 and 14.44). q is at most 3 too small: r <
 * 4m. If r is larger, mu is not the reciprocal, and the result is 0 with x unchanged; else 1. */
static int reduce_columns(mp_int *x, const mp_int *m, const mp_int *mu)
{
    const size_t n = (size_t)m->used, un = (size_t)mu->used, xn = (size_t)x->used;
    const mp_digit *top = x->dp + n - 1;
    const size_t tn = xn - (n - 1), qn = tn + un - (n + 1);   /* xn >= n, un >= n */
    mp_digit q[BARRETT + 2], r[BARRETT + 2];
    ltm_word t = 0;
    for (size_t k = n - 1; k < tn + un; k++) {
        const size_t first = k < un ? 0 : k - un + 1, end = k < tn ? k + 1 : tn;
        if (first < end) t = ltm_column(t, top + first, mu->dp + (k - first), end - first);
        if (k > n) q[k - n - 1] = (mp_digit)t & MP_MASK;
        t >>= LTM_BITS;
    }
    mp_digit borrow = 0;
    t = 0;
    for (size_t k = 0; k <= n; k++) {
        const size_t first = k < n ? 0 : 1, end = k < qn ? k + 1 : qn;
        if (first < end) t = ltm_column(t, q + first, m->dp + (k - first), end - first);
        const mp_digit d = (k < xn ? x->dp[k] : 0) - ((mp_digit)t & MP_MASK) - borrow;
        r[k] = d & MP_MASK;
        borrow = d >> (8 * sizeof d - 1);
        t >>= LTM_BITS;
    }
    mp_int rest = { (int)n + 1, (int)n + 1, MP_ZPOS, r };
    mp_clamp(&rest);
    int fine = 0;
    for (int i = 0; i < 5 && !fine; i++) {
        fine = mp_cmp_mag(&rest, m) == MP_LT;
        if (!fine) (void)ltm_sub(&rest, m, &rest, MP_ZPOS);   /* there is room */
    }
    if (fine) {
        memcpy(x->dp, r, n * sizeof *r);
        ltm_fit(x, n, MP_ZPOS);
    }
    ty_wipe(q, sizeof q);
    ty_wipe(r, sizeof r);
    return fine;
}

/* mu is used only where it makes the reduction faster; x may have any value. */
mp_err mp_reduce(mp_int *x, const mp_int *m, const mp_int *mu)
{
    if (m->used == 0 || m->sign == MP_NEG) return MP_VAL;
    if (x->sign == MP_ZPOS && mp_cmp_mag(x, m) == MP_LT) return MP_OKAY;
    const int n = m->used,
              usable = mu && mu->sign == MP_ZPOS && (mu->used == n || mu->used == n + 1);
    if (usable && n > 1 && n <= BARRETT && x->sign == MP_ZPOS && x->used >= n && x->used <= 2 * n &&
        reduce_columns(x, m, mu))
        return MP_OKAY;
    return ltm_call(modulo, x, x, m, NULL);
}

/* --- B^n - k for a digit k -------------------------------------------------------------------- */

mp_bool mp_dr_is_modulus(const mp_int *a)
{
    if (a->used < 2) return MP_NO;
    for (int i = 1; i < a->used; i++)
        if (a->dp[i] != MP_MASK) return MP_NO;
    return MP_YES;
}

void mp_dr_setup(const mp_int *a, mp_digit *d)
{
    *d = (mp_digit)(((ltm_word)1 << LTM_BITS) - a->dp[0]);
}

/* x = h B^n + l becomes l + k h in place, because B^n = k (mod B^n - k). It turns 2n digits into
 * n + 1; a second fold leaves n and a small carry. */
static void fold(mp_int *x, size_t n, mp_digit k)
{
    const size_t h = (size_t)x->used - n;
    mp_digit *d = x->dp, carry = 0;
    for (size_t i = 0; i < h; i++) {
        const ltm_word t = (ltm_word)d[i + n] * k + d[i] + carry;
        d[i] = (mp_digit)t & MP_MASK;
        carry = (mp_digit)(t >> LTM_BITS);
    }
    for (size_t i = h; i < n && carry; i++) {
        carry += d[i];
        d[i] = carry & MP_MASK;
        carry >>= LTM_BITS;
    }
    d[n] = carry;   /* below k + 1 */
    ltm_fit(x, n + 1, MP_ZPOS);
}

mp_err mp_dr_reduce(mp_int *x, const mp_int *n, mp_digit k)
{
    const size_t digits = (size_t)n->used;
    if (digits == 0) return MP_VAL;
    if (k > MP_MASK || (size_t)x->used > 2 * digits) return mp_reduce(x, n, NULL);
    LTM_TRY(ltm_room(x, 2 * digits + 1));
    while (mp_cmp_mag(x, n) != MP_LT) {
        if ((size_t)x->used > digits) fold(x, digits, k);
        else LTM_TRY(ltm_sub(x, n, x, MP_ZPOS));   /* cannot fail: there is room */
    }
    return MP_OKAY;
}

/* --- 2^p - d ---------------------------------------------------------------------------------- */

/* All bits from the second digit up are ones. */
mp_bool mp_reduce_is_2k(const mp_int *a)
{
    if (a->used == 0) return MP_NO;
    const int top = a->used - 1, bits = mp_count_bits(a) - top * LTM_BITS;
    for (int i = 1; i < a->used; i++)
        if (a->dp[i] != (i < top ? MP_MASK : ((mp_digit)1 << bits) - 1)) return MP_NO;
    return MP_YES;
}

/* At least half of the digits, rounded down, are all ones; or there is only one digit. */
mp_bool mp_reduce_is_2k_l(const mp_int *a)
{
    int ones = 0;
    if (a->used < 2) return a->used ? MP_YES : MP_NO;
    for (int i = 0; i < a->used; i++) ones += a->dp[i] == MP_MASK;
    return ones >= a->used / 2 ? MP_YES : MP_NO;
}

mp_err mp_reduce_2k_setup_l(const mp_int *a, mp_int *d)
{
    mp_int t;
    LTM_TRY(mp_init(&t));
    mp_err e = mp_2expt(&t, mp_count_bits(a));
    if (e == MP_OKAY) e = ltm_sub(&t, a, &t, MP_ZPOS);
    if (e == MP_OKAY) mp_exch(&t, d);
    mp_clear(&t);
    return e;
}

/* The lowest digit of 2^p - a */
mp_err mp_reduce_2k_setup(const mp_int *a, mp_digit *d)
{
    const int p = mp_count_bits(a);
    *d = ((p < LTM_BITS ? (mp_digit)1 << p : 0) - (p ? a->dp[0] : 0)) & MP_MASK;
    return MP_OKAY;
}

/* a = q 2^p + r becomes r + q d, because 2^p = d (mod n), until it is below n; if d is shorter than
 * n by s bits, each step removes about s. The result is computed in r, so that a is unchanged after
 * an error. */
mp_err mp_reduce_2k_l(mp_int *a, const mp_int *n, const mp_int *d)
{
    const int p = mp_count_bits(n);
    mp_int q, r;
    if (n->used == 0) return MP_VAL;
    LTM_TRY(mp_init_copy(&r, a));
    mp_err e = mp_init(&q);
    if (e == MP_OKAY) {
        while (e == MP_OKAY && mp_cmp_mag(&r, n) != MP_LT) {
            if (mp_count_bits(&r) <= p) {
                e = ltm_sub(&r, n, &r, MP_ZPOS);
                continue;
            }
            e = mp_div_2d(&r, p, &q, &r);
            if (e == MP_OKAY) e = mp_mul(&q, d, &q);
            if (e == MP_OKAY) e = ltm_add(&r, &q, &r, MP_ZPOS);
        }
        mp_clear(&q);
    }
    if (e == MP_OKAY) mp_exch(&r, a);
    mp_clear(&r);
    return e;
}

mp_err mp_reduce_2k(mp_int *a, const mp_int *n, mp_digit d)
{
    mp_digit digits[2] = { d & MP_MASK, d >> LTM_BITS };
    const mp_int k = { d ? 1 + (digits[1] != 0) : 0, 2, MP_ZPOS, digits };
    return mp_reduce_2k_l(a, n, &k);
}
