/* Products, and Montgomery's reduction. Few digits are multiplied directly, column by column; for
 * more, repacking into limbs costs less than it saves.
 * bound: xn yn products of digits in columns; by limbs (15/16)^2 of that, and some 2 cycles for
 * each limb repacked */
#include "ltm.h"

#include <string.h>

enum { COLUMNS = 9, REDUCE_COLUMNS = 24 };   /* digits up to which columns are faster */
enum { OWN = 560 };                          /* limbs on the stack: 4096 by 4096 bits */

/* --- By columns ------------------------------------------------------------------------------- */

/* A column is a sum of at most COLUMNS products below B^2, and a carry below B COLUMNS, which fits
 * the word. */
static void columns(mp_digit *z, const mp_digit *x, int xn, const mp_digit *y, int yn)
{
    ltm_word t = 0;
    for (int k = 0; k < xn + yn - 1; k++) {
        const int first = k < yn ? 0 : k - yn + 1, end = k < xn ? k + 1 : xn;
        t = ltm_column(t, x + first, y + (k - first), (size_t)(end - first));
        z[k] = (mp_digit)t & MP_MASK;
        t >>= LTM_BITS;
    }
    z[xn + yn - 1] = (mp_digit)t;
}

/* Products off the diagonal count twice, those on it once. */
static void square_columns(mp_digit *z, const mp_digit *x, int n)
{
    ltm_word t = 0;
    for (int k = 0; k < 2 * n - 1; k++) {
        const int first = k < n ? 0 : k - n + 1;
        t += ltm_column(0, x + first, x + (k - first), (size_t)((k + 1) / 2 - first)) << 1;
        if (k % 2 == 0) t += (ltm_word)x[k / 2] * x[k / 2];
        z[k] = (mp_digit)t & MP_MASK;
        t >>= LTM_BITS;
    }
    z[2 * n - 1] = (mp_digit)t;
}

static mp_err by_columns(const mp_int *a, const mp_int *b, mp_int *c, mp_sign sign)
{
    mp_digit t[2 * COLUMNS];
    const size_t n = (size_t)a->used + (size_t)b->used;
    LTM_TRY(ltm_room(c, n));
    if (a == b) square_columns(t, a->dp, a->used);
    else columns(t, a->dp, a->used, b->dp, b->used);
    memcpy(c->dp, t, n * sizeof *t);
    ltm_fit(c, n, sign);
    ty_wipe(t, n * sizeof *t);
    return MP_OKAY;
}

/* --- By limbs --------------------------------------------------------------------------------- */

/* a is the longer one; b is a for a square */
static mp_err by_limbs(const mp_int *a, const mp_int *b, mp_int *c, mp_sign sign)
{
    const size_t xn = ltm_limbs(a->used), yn = ltm_limbs(b->used),
                 n = (size_t)a->used + (size_t)b->used;
    const size_t total = 2 * (xn + yn) + ty_mp_mul_work(xn, yn);
    LTM_TRY(ltm_room(c, n));
    ty_limb own[OWN], *z = ty_mp_take(own, OWN, total, ltm_alloc);
    if (!z) return MP_MEM;
    ty_limb *x = z + xn + yn, *y = x + xn, *work = y + yn;
    ltm_pack(x, a->dp, a->used);
    if (a == b) {
        ty_mp_sqr_limbs(z, x, xn, work);
    } else {
        ltm_pack(y, b->dp, b->used);
        ty_mp_mul_limbs(z, x, xn, y, yn, work);
    }
    ltm_unpack(c->dp, n, z, xn + yn);
    ltm_fit(c, n, sign);
    ty_mp_give(z, own, total, ltm_alloc);
    return MP_OKAY;
}

mp_err mp_mul(const mp_int *a, const mp_int *b, mp_int *c)
{
    if (a->used < b->used) {
        const mp_int *t = a;
        a = b;
        b = t;
    }
    if (b->used == 0) {
        mp_zero(c);
        return MP_OKAY;
    }
    const mp_sign sign = a->sign == b->sign ? MP_ZPOS : MP_NEG;
    if (b->used == 1) {   /* the sign is set at the end: c may be a */
        LTM_TRY(mp_mul_d(a, b->dp[0], c));
        c->sign = sign;
        return MP_OKAY;
    }
    return (a->used <= COLUMNS ? by_columns : by_limbs)(a, b, c, sign);
}

mp_err mp_sqr(const mp_int *a, mp_int *b) { return mp_mul(a, a, b); }

/* --- Montgomery ------------------------------------------------------------------------------- */

/* Newton's iteration doubles the correct bits of 1/n, for which an odd n itself is correct to 3
 * bits. */
mp_err mp_montgomery_setup(const mp_int *n, mp_digit *rho)
{
    const mp_digit d = n->used ? n->dp[0] : 0;
    if (d % 2 == 0) return MP_VAL;
    mp_digit x = (((d + 2) & 4) << 1) + d;   /* 1/d to 4 bits */
    x *= 2 - d * x;   /* 8 */
    x *= 2 - d * x;   /* 16 */
    x *= 2 - d * x;   /* 32 */
    x *= 2 - d * x;   /* all */
    *rho = (0 - x) & MP_MASK;
    return MP_OKAY;
}

/* x[n + 1] = x/B^n mod m, or that plus m, for x < m B^n of xn <= 2n digits, with room for n + 1:
 * multiples of m clear columns from the bottom. A column is a sum of at most n products, a digit,
 * and a carry below B (n + 1). */
static void clear_columns(mp_digit *x, size_t xn, const mp_digit *m, size_t n, mp_digit rho)
{
    mp_digit q[REDUCE_COLUMNS];
    ltm_word t = 0;
    for (size_t k = 0; k < n; k++) {
        t = ltm_column(t + (k < xn ? x[k] : 0), q, m + k, k);
        q[k] = ((mp_digit)t * rho) & MP_MASK;
        t = (t + (ltm_word)q[k] * m[0]) >> LTM_BITS;
    }
    for (size_t k = n; k < 2 * n; k++) {
        t = ltm_column(t + (k < xn ? x[k] : 0), q + (k - n + 1), m + n - 1, 2 * n - 1 - k);
        x[k - n] = (mp_digit)t & MP_MASK;
        t >>= LTM_BITS;
    }
    x[n] = (mp_digit)t;
    ty_wipe(q, sizeof q);
}

/* With R = 2^(64k) of k limbs instead of B^n: x/B^n = 2^e x/R for e = 64k - 60n, 0 <= e < 64, and
 * 2^e x < R m just as x < B^n m. The quotient digit needs -1/m modulo 2^64, of which rho has 60
 * bits; one step of Newton's iteration gives 120. */
static mp_err reduce_limbs(mp_int *x, const mp_int *m, mp_digit rho)
{
    const size_t n = ltm_limbs(m->used), xn = ltm_limbs(x->used), total = 4 * n + 1;
    const unsigned e = (unsigned)(n * TY_LIMB_BITS - (size_t)m->used * LTM_BITS);
    ty_limb own[OWN], *t = ty_mp_take(own, OWN, total, ltm_alloc);
    if (!t) return MP_MEM;
    ty_limb *md = t + 2 * n + 1, *z = md + n;
    memset(t, 0, (2 * n + 1) * sizeof *t);
    ltm_pack(t, x->dp, x->used);
    ltm_pack(md, m->dp, m->used);
    t[xn < 2 * n ? xn : 2 * n] = ty_limb_shl(t, t, xn, e);
    const ty_limb minv = (ty_limb)rho * (2 + md[0] * (ty_limb)rho);
    ty_limb_best()->redc(z, t, md, n, minv);
    ty_limb_canon(z, 0, z, md, n);
    /* for an x out of range the result may exceed m, by one or two digits */
    const size_t digits = (n * TY_LIMB_BITS + LTM_BITS - 1) / LTM_BITS;
    ltm_unpack(x->dp, digits, z, n);
    ltm_fit(x, digits, MP_ZPOS);
    ty_mp_give(t, own, total, ltm_alloc);
    return MP_OKAY;
}

mp_err mp_montgomery_reduce(mp_int *x, const mp_int *n, mp_digit rho)
{
    const size_t digits = 2 * (size_t)n->used + 1;
    if (n->used == 0 || (size_t)x->used > digits - 1) return MP_VAL;
    LTM_TRY(ltm_room(x, digits));
    if (n->used > REDUCE_COLUMNS) return reduce_limbs(x, n, rho);
    const size_t count = (size_t)n->used;
    clear_columns(x->dp, (size_t)x->used, n->dp, count, rho);
    ltm_fit(x, count + 1, MP_ZPOS);
    return mp_cmp_mag(x, n) == MP_LT ? MP_OKAY : ltm_sub(x, n, x, MP_ZPOS);
}

/* B^n mod b, where the top digit of b is not 0. LibTomMath doubles and reduces a power of 2 just
 * below b up to 60 times; a division of B^n is as fast. */
static ty_err normalization(ty_mp *t)
{
    ty_mp_set_u64(t, 1);
    const size_t n = (ty_mp_bits(t + 1) + LTM_BITS - 1) / LTM_BITS;
    TY_TRY(ty_mp_shl(t, t, n * LTM_BITS));
    return ty_mp_mod_vt(t, t, t + 1);
}

mp_err mp_montgomery_calc_normalization(mp_int *a, const mp_int *b)
{
    return b->used && b->sign == MP_ZPOS ? ltm_call(normalization, a, b, NULL, NULL) : MP_VAL;
}
