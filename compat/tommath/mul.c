/* Products, and Montgomery's reduction. Few digits are multiplied as they are, column by column; above that repacking into
 * limbs costs less than it saves.
 * bound: xn yn products of digits in columns; by limbs (15/16)^2 of that, and some 2 cycles for each limb repacked */
#include "ltm.h"

#include <string.h>

enum { COLUMNS = 9, REDUCE_COLUMNS = 12 };   /* digits up to which columns are faster */
enum { OWN = 560 };                          /* limbs on the stack: 4096 by 4096 bits */

/* --- By columns ------------------------------------------------------------------------------------------------------------- */

/* A column is a sum of at most COLUMNS products below B^2, and a carry below B COLUMNS: far below the word. */
static void columns(mp_digit *z, const mp_digit *x, int xn, const mp_digit *y, int yn)
{
    ltm_word t = 0;
    for (int k = 0; k < xn + yn - 1; k++) {
        for (int i = k < yn ? 0 : k - yn + 1; i <= k && i < xn; i++) t += (ltm_word)x[i] * y[k - i];
        z[k] = (mp_digit)t & MP_MASK;
        t >>= LTM_BITS;
    }
    z[xn + yn - 1] = (mp_digit)t;
}

/* The products beside the diagonal twice, those on it once. */
static void square_columns(mp_digit *z, const mp_digit *x, int n)
{
    ltm_word t = 0;
    for (int k = 0; k < 2 * n - 1; k++) {
        ltm_word pairs = 0;
        for (int i = k < n ? 0 : k - n + 1; i < k - i; i++) pairs += (ltm_word)x[i] * x[k - i];
        t += pairs << 1;
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

/* --- By limbs --------------------------------------------------------------------------------------------------------------- */

/* a is the longer one; b is a for a square */
static mp_err by_limbs(const mp_int *a, const mp_int *b, mp_int *c, mp_sign sign)
{
    const size_t xn = ltm_limbs(a->used), yn = ltm_limbs(b->used), n = (size_t)a->used + (size_t)b->used;
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
    if (b->used == 1) {   /* the sign goes on at the end: c may be a */
        LTM_TRY(mp_mul_d(a, b->dp[0], c));
        c->sign = sign;
        return MP_OKAY;
    }
    return (a->used <= COLUMNS ? by_columns : by_limbs)(a, b, c, sign);
}

mp_err mp_sqr(const mp_int *a, mp_int *b) { return mp_mul(a, a, b); }

/* --- Montgomery --------------------------------------------------------------------------------------------------------------- */

/* Newton's iteration doubles the correct bits of 1/n, of which an odd n itself is right to 3. */
mp_err mp_montgomery_setup(const mp_int *n, mp_digit *rho)
{
    if (mp_iseven(n) == MP_YES) return MP_VAL;
    *rho = (mp_digit)ty_limb_minv((ty_limb)n->dp[0]) & MP_MASK;
    return MP_OKAY;
}

/* w[n..2n] = x/B^n mod m, or m more, for columns w[2n+1] of an x. Multiples of m clear them from the bottom; a column is at most n
 * products and what came in below B^2, so that carries wait until it is its turn. */
static void clear_columns(ltm_word *w, const mp_digit *m, int n, mp_digit rho)
{
    for (int i = 0; i < n; i++) {
        const mp_digit q = ((mp_digit)w[i] * rho) & MP_MASK;
        for (int k = 0; k < n; k++) w[i + k] += (ltm_word)q * m[k];
        w[i + 1] += w[i] >> LTM_BITS;
    }
}

/* With R = 2^(64k) of k limbs instead of B^n: x/B^n = 2^e x/R for e = 64k - 60n, 0 <= e < 64, and 2^e x < R m just as
 * x < B^n m. The quotient digit wants -1/m modulo 2^64, where rho knows 60 bits; one step of Newton's gives 120. */
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
    const size_t digits = (n * TY_LIMB_BITS + LTM_BITS - 1) / LTM_BITS;   /* an x out of range may leave one or two more */
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
    const int count = n->used;
    ltm_word w[2 * REDUCE_COLUMNS + 1];
    for (int i = 0; i < 2 * count + 1; i++) w[i] = i < x->used ? x->dp[i] : 0;
    clear_columns(w, n->dp, count, rho);
    for (int i = 0; i <= count; i++) {
        x->dp[i] = (mp_digit)w[count + i] & MP_MASK;
        if (i < count) w[count + i + 1] += w[count + i] >> LTM_BITS;
    }
    ty_wipe(w, (size_t)(2 * count + 1) * sizeof *w);
    ltm_fit(x, (size_t)count + 1, MP_ZPOS);
    return mp_cmp_mag(x, n) == MP_LT ? MP_OKAY : ltm_sub(x, n, x, MP_ZPOS);
}

/* B^n mod b, of which the top digit is not 0: B^n = 2^s b' with b' just below the top bit, doubled and reduced at most 60
 * times; a division of B^n is as quick. */
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
