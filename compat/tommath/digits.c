/* Operations of one pass over the digits: order, sums, shifts, and arithmetic with one digit. */
#include "ltm.h"

#include <string.h>

static mp_digit any(ltm_digits v)
{
    mp_digit d = v[0];
    for (size_t i = 1; i < LTM_LANES; i++) d |= v[i];
    return d;
}

/* --- Order ------------------------------------------------------------------------------------ */

static inline mp_ord magnitudes(const mp_int *a, const mp_int *b)
{
    if (a->used != b->used) return a->used > b->used ? MP_GT : MP_LT;
    const mp_digit *x = a->dp, *y = b->dp;
    size_t i = (size_t)a->used;
    if (i && x[i - 1] != y[i - 1]) return x[i - 1] > y[i - 1] ? MP_GT : MP_LT;
    for (x += i, y += i;
         i >= 4 && !((x[-1] ^ y[-1]) | (x[-2] ^ y[-2]) | (x[-3] ^ y[-3]) | (x[-4] ^ y[-4])); i -= 4)
        x -= 4, y -= 4;
    for (; i; i--)
        if (*--x != *--y) return *x > *y ? MP_GT : MP_LT;
    return MP_EQ;
}

mp_ord mp_cmp_mag(const mp_int *a, const mp_int *b) { return magnitudes(a, b); }

mp_ord mp_cmp(const mp_int *a, const mp_int *b)
{
    if (a->sign != b->sign) return a->sign == MP_NEG ? MP_LT : MP_GT;
    return a->sign == MP_NEG ? magnitudes(b, a) : magnitudes(a, b);
}

mp_ord mp_cmp_d(const mp_int *a, mp_digit b)
{
    if (a->sign == MP_NEG) return MP_LT;
    if (a->used > 1) return MP_GT;
    const mp_digit v = a->used ? a->dp[0] : 0;
    return v == b ? MP_EQ : v > b ? MP_GT : MP_LT;
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* z = x + y; returns the carry. Each digit adds the carry of the two digits below it, without the
 * carry into those: so the digits are independent, and several are computed at a time, from the top
 * down, so that z may be x or y. The result is right unless a carry is added to a digit of all
 * ones, which then exceeds its bits; that happens once in 2^60 digits, and is corrected by a second
 * pass. A sum of two digits and a carry has one bit more than a digit, and fits. */
static mp_digit add_digits(mp_digit *z, const mp_digit *x, const mp_digit *y, size_t n)
{
    if (n == 0) return 0;
    const mp_digit above = (x[n - 1] + y[n - 1]) >> LTM_BITS;
    ltm_digits over = { 0 };
    size_t i = n;
    LTM_UNROLL
    for (; i > LTM_LANES; i -= LTM_LANES) {
        const size_t at = i - LTM_LANES;
        const ltm_digits s = ltm_load(x + at) + ltm_load(y + at),
                         below = ltm_load(x + at - 1) + ltm_load(y + at - 1);
        const ltm_digits t = (s & MP_MASK) + (below >> LTM_BITS);
        over |= t;
        ltm_store(z + at, t);
    }
    for (; i-- > 1; over[0] |= z[i])
        z[i] = ((x[i] + y[i]) & MP_MASK) + ((x[i - 1] + y[i - 1]) >> LTM_BITS);
    z[0] = (x[0] + y[0]) & MP_MASK;
    mp_digit carry = 0;
    if (any(over) >> LTM_BITS) {
        for (i = 0; i < n; i++) {
            carry += z[i];
            z[i] = carry & MP_MASK;
            carry >>= LTM_BITS;
        }
    }
    return carry + above;   /* never both */
}

/* z = x - y; returns the borrow, by the same method: a negative difference has its top bit set, and
 * so has 0 minus a borrow. */
static mp_digit sub_digits(mp_digit *z, const mp_digit *x, const mp_digit *y, size_t n)
{
    enum { TOP = 8 * sizeof(mp_digit) - 1 };
    if (n == 0) return 0;
    const mp_digit above = (x[n - 1] - y[n - 1]) >> TOP;
    ltm_digits over = { 0 };
    size_t i = n;
    LTM_UNROLL
    for (; i > LTM_LANES; i -= LTM_LANES) {
        const size_t at = i - LTM_LANES;
        const ltm_digits s = ltm_load(x + at) - ltm_load(y + at),
                         below = ltm_load(x + at - 1) - ltm_load(y + at - 1);
        const ltm_digits t = (s & MP_MASK) - (below >> TOP);
        over |= t;
        ltm_store(z + at, t);
    }
    for (; i-- > 1; over[0] |= z[i])
        z[i] = ((x[i] - y[i]) & MP_MASK) - ((x[i - 1] - y[i - 1]) >> TOP);
    z[0] = (x[0] - y[0]) & MP_MASK;
    mp_digit borrow = 0;
    if (any(over) >> TOP) {
        for (i = 0; i < n; i++) {
            const mp_digit t = z[i] - borrow;
            z[i] = t & MP_MASK;
            borrow = t >> TOP;
        }
    }
    return borrow + above;
}

mp_err ltm_add(const mp_int *a, const mp_int *b, mp_int *c, mp_sign sign)
{
    const mp_int *x = a->used >= b->used ? a : b, *y = x == a ? b : a;   /* x is the longer one */
    const size_t xn = (size_t)x->used, yn = (size_t)y->used;
    LTM_TRY(ltm_room(c, xn + 1));
    const mp_digit *xd = x->dp;
    mp_digit *z = c->dp, carry = add_digits(z, xd, y->dp, yn);
    size_t i = yn;
    for (; i < xn && carry; i++) {
        const mp_digit t = xd[i] + carry;
        z[i] = t & MP_MASK;
        carry = t >> LTM_BITS;
    }
    if (z != xd && i < xn) memcpy(z + i, xd + i, (xn - i) * sizeof *z);
    z[xn] = carry;
    ltm_fit(c, xn + 1, sign);
    return MP_OKAY;
}

mp_err ltm_sub(const mp_int *a, const mp_int *b, mp_int *c, mp_sign sign)
{
    const size_t xn = (size_t)a->used, yn = (size_t)b->used;
    LTM_TRY(ltm_room(c, xn));
    const mp_digit *xd = a->dp;
    mp_digit *z = c->dp, borrow = sub_digits(z, xd, b->dp, yn);
    size_t i = yn;
    for (; i < xn && borrow; i++) {
        const mp_digit t = xd[i] - borrow;
        z[i] = t & MP_MASK;
        borrow = t >> (8 * sizeof t - 1);
    }
    if (z != xd && i < xn) memcpy(z + i, xd + i, (xn - i) * sizeof *z);
    ltm_fit(c, xn, sign);
    return MP_OKAY;
}

/* c = the sum of |a| and |b| with these signs */
static mp_err sum(const mp_int *a, mp_sign a_sign, const mp_int *b, mp_sign b_sign, mp_int *c)
{
    if (a_sign == b_sign) return ltm_add(a, b, c, a_sign);
    return mp_cmp_mag(a, b) == MP_LT ? ltm_sub(b, a, c, b_sign) : ltm_sub(a, b, c, a_sign);
}

static mp_sign opposite(mp_sign s) { return s == MP_NEG ? MP_ZPOS : MP_NEG; }

mp_err mp_add(const mp_int *a, const mp_int *b, mp_int *c)
{
    return sum(a, a->sign, b, b->sign, c);
}
mp_err mp_sub(const mp_int *a, const mp_int *b, mp_int *c)
{
    return sum(a, a->sign, b, opposite(b->sign), c);
}

mp_err mp_neg(const mp_int *a, mp_int *b) { return ltm_assign(b, a, opposite(a->sign)); }
mp_err mp_abs(const mp_int *a, mp_int *b) { return ltm_assign(b, a, MP_ZPOS); }

/* --- With one digit --------------------------------------------------------------------------- */

/* c = a + b or a - b, by the sign, for a digit `b`. A `b` above MP_DIGIT_MAX is not a digit, but
 * is accepted as two digits. Usually only the lowest digit changes. */
static mp_err sum_d(const mp_int *a, mp_digit b, mp_sign sign, mp_int *c)
{
    if (a->used && b <= MP_MASK) {
        const mp_digit low = a->sign == sign ? a->dp[0] + b : a->dp[0] - b;
        if (low <= MP_MASK && (low || a->used > 1)) {
            LTM_TRY(mp_copy(a, c));
            c->dp[0] = low;
            return MP_OKAY;
        }
    }
    mp_digit d[2] = { b & MP_MASK, b >> LTM_BITS };
    const mp_int y = { b ? 1 + (d[1] != 0) : 0, 2, sign, d };
    return sum(a, a->sign, &y, sign, c);
}

mp_err mp_add_d(const mp_int *a, mp_digit b, mp_int *c) { return sum_d(a, b, MP_ZPOS, c); }
mp_err mp_sub_d(const mp_int *a, mp_digit b, mp_int *c) { return sum_d(a, b, MP_NEG, c); }

mp_err mp_incr(mp_int *a)
{
    if (a->used && a->sign == MP_ZPOS && a->dp[0] < MP_MASK) {
        a->dp[0]++;
        return MP_OKAY;
    }
    return mp_add_d(a, 1, a);
}

mp_err mp_decr(mp_int *a)
{
    if (a->used && a->sign == MP_ZPOS && a->dp[0] > 1) {
        a->dp[0]--;
        return MP_OKAY;
    }
    return mp_sub_d(a, 1, a);
}

mp_err mp_mul_d(const mp_int *a, mp_digit b, mp_int *c)
{
    const size_t n = (size_t)a->used;
    LTM_TRY(ltm_room(c, n + 2));
    const mp_digit *x = a->dp;
    mp_digit *z = c->dp;
    mp_digit carry = 0;
    LTM_UNROLL
    for (size_t i = 0; i < n; i++) {
        const ltm_word t = (ltm_word)x[i] * b + carry;
        z[i] = (mp_digit)t & MP_MASK;
        carry = (mp_digit)(t >> LTM_BITS);
    }
    size_t top = n;
    /* once, or twice for a `b` of more than a digit */
    for (; carry; carry >>= LTM_BITS) z[top++] = carry & MP_MASK;
    const mp_sign sign = a->sign;
    ltm_fit(c, top, sign);
    return MP_OKAY;
}

#if LTM_BITS == 60
/* Returns the quotient of r B + x by d, for r < d, and sets r to the remainder. b = 2^s d is d,
 * moved to the top of a limb, and v its reciprocal, as in src/limb (Moeller and Granlund, algorithm
 * 4). The dividend is multiplied by 2^s too, and is then below 2^64 b because r < d. */
static inline mp_digit divide(mp_digit *r, mp_digit x, ty_limb b, unsigned s, ty_limb v)
{
    const ltm_word u = ((ltm_word)*r << LTM_BITS | x) << s;
    const ty_limb u1 = (ty_limb)(u >> 64), u0 = (ty_limb)u;
    const ltm_word t = (ltm_word)v * u1 + u;
    ty_limb q = (ty_limb)(t >> 64) + 1, rest = u0 - q * b;
    if (rest > (ty_limb)t) q--, rest += b;
    if (rest >= b) q++, rest -= b;
    *r = rest >> s;
    return q;
}
#else
static inline mp_digit divide(mp_digit *r, mp_digit x, ty_limb b, unsigned s, ty_limb v)
{
    const ltm_word u = (ltm_word)*r << LTM_BITS | x, d = b >> s;
    (void)v;
    *r = (mp_digit)(u % d);
    return (mp_digit)(u / d);
}
#endif

/* z = x/3; returns the remainder; z may be NULL. B - 1 = 3 THIRD: r B + x = 3 r THIRD + r + x, so
 * that the divisions of digits by 3 are independent; only the remainders, 0 to 2, form a chain. */
static mp_digit div_3(mp_digit *z, const mp_digit *x, size_t n)
{
    const mp_digit THIRD = MP_MASK / 3;
    mp_digit r = 0;
    for (size_t i = n; i-- > 0;) {
        const mp_digit q = x[i] / 3, sum = r + x[i] - 3 * q, one = sum >= 3;
        if (z) z[i] = r * THIRD + q + one;
        r = sum - (one ? 3 : 0);
    }
    return r;
}

mp_err mp_div_d(const mp_int *a, mp_digit b, mp_int *c, mp_digit *d)
{
    if (b == 0 || b > MP_DIGIT_MAX) return MP_VAL;
    const size_t n = (size_t)a->used;
    if ((b & (b - 1)) == 0) {
        const mp_digit low = n ? a->dp[0] & (b - 1) : 0;
        if (c) LTM_TRY(mp_div_2d(a, ltm_bits(b) - 1, c, NULL));
        if (d) *d = low;
        return MP_OKAY;
    }
    if (c) LTM_TRY(ltm_room(c, n));
    const unsigned s = TY_LIMB_BITS - (unsigned)ltm_bits(b);
    const ty_limb top = (ty_limb)b << s, v = LTM_BITS == 60 ? ty_limb_recip_vt(top) : 0;
    const mp_digit *x = a->dp;
    mp_digit r = 0, *z = c ? c->dp : NULL;
    const mp_sign sign = a->sign;
    if (b == 3) r = div_3(z, x, n);
    else for (size_t i = n; i-- > 0;) {
        const mp_digit q = divide(&r, x[i], top, s, v);
        if (z) z[i] = q;
    }
    if (c) ltm_fit(c, n, sign);
    if (d) *d = r;
    return MP_OKAY;
}

mp_err mp_mod_d(const mp_int *a, mp_digit b, mp_digit *c) { return mp_div_d(a, b, NULL, c); }

/* --- Shifts ----------------------------------------------------------------------------------- */

/* z[n] = x/2^b in digits, 0 <= b < LTM_BITS, from the bottom up: z may be x or begin below it.
 * Inline, for a constant b. */
static inline void shift_down(mp_digit *z, const mp_digit *x, size_t n, unsigned b)
{
    if (n == 0) return;
    if (b == 0) {
        memmove(z, x, n * sizeof *z);
        return;
    }
    size_t i = 0;
    LTM_UNROLL
    for (; i + LTM_LANES < n; i += LTM_LANES)
        ltm_store(z + i, ltm_load(x + i) >> b | (ltm_load(x + i + 1) << (LTM_BITS - b) & MP_MASK));
    for (; i + 1 < n; i++) z[i] = x[i] >> b | (x[i + 1] << (LTM_BITS - b) & MP_MASK);
    z[n - 1] = x[n - 1] >> b;
}

/* z[n] = x 2^b, from the top down: z may be x or begin above it; returns the bits shifted out */
static inline mp_digit shift_up(mp_digit *z, const mp_digit *x, size_t n, unsigned b)
{
    if (n == 0) return 0;
    if (b == 0) {
        memmove(z, x, n * sizeof *z);
        return 0;
    }
    const mp_digit out = x[n - 1] >> (LTM_BITS - b);
    size_t i = n;
    LTM_UNROLL
    for (; i > LTM_LANES; i -= LTM_LANES) {
        const size_t at = i - LTM_LANES;
        ltm_store(z + at,
                  (ltm_load(x + at) << b & MP_MASK) | ltm_load(x + at - 1) >> (LTM_BITS - b));
    }
    for (; i-- > 1;) z[i] = (x[i] << b & MP_MASK) | x[i - 1] >> (LTM_BITS - b);
    z[0] = x[0] << b & MP_MASK;
    return out;
}

/* c = |a|/2^b with a's sign */
static mp_err down(const mp_int *a, int b, mp_int *c)
{
    const size_t skip = (size_t)(b / LTM_BITS), used = (size_t)a->used,
                 n = used > skip ? used - skip : 0;
    const mp_sign sign = a->sign;
    LTM_TRY(ltm_room(c, n));
    shift_down(c->dp, a->dp + (n ? skip : 0), n, (unsigned)(b % LTM_BITS));
    ltm_fit(c, n, sign);
    return MP_OKAY;
}

/* c = |a| mod 2^b with a's sign */
static mp_err low_bits(const mp_int *a, int b, mp_int *c)
{
    const size_t whole = (size_t)(b / LTM_BITS), part = (size_t)(b % LTM_BITS);
    if (whole >= (size_t)a->used) return mp_copy(a, c);
    const size_t n = whole + (part != 0);
    const mp_sign sign = a->sign;
    LTM_TRY(ltm_room(c, n));
    if (c != a && n) memcpy(c->dp, a->dp, n * sizeof *c->dp);
    if (part) c->dp[whole] &= ((mp_digit)1 << part) - 1;
    ltm_fit(c, n, sign);
    return MP_OKAY;
}

/* c = the quotient, d = the remainder; if one of them is `a`, the other is computed first. */
mp_err mp_div_2d(const mp_int *a, int b, mp_int *c, mp_int *d)
{
    const int n = b > 0 ? b : 0;
    if (d) {
        if (c == d) return MP_VAL;
        LTM_TRY(ltm_room(c, (size_t)a->used));   /* no step can fail after the first */
        LTM_TRY(ltm_room(d, (size_t)a->used));
        if (d != a) LTM_TRY(low_bits(a, n, d));
    }
    if (d != a) return down(a, n, c);
    LTM_TRY(down(a, n, c));
    return low_bits(a, n, d);
}

mp_err mp_mod_2d(const mp_int *a, int b, mp_int *c) { return low_bits(a, b > 0 ? b : 0, c); }

mp_err mp_mul_2d(const mp_int *a, int b, mp_int *c)
{
    if (b < 0) return MP_VAL;
    const size_t skip = (size_t)(b / LTM_BITS), n = (size_t)a->used;
    const mp_sign sign = a->sign;
    if (n == 0) {
        mp_zero(c);
        return MP_OKAY;
    }
    LTM_TRY(ltm_room(c, n + skip + 1));
    c->dp[n + skip] = shift_up(c->dp + skip, a->dp, n, (unsigned)(b % LTM_BITS));
    memset(c->dp, 0, skip * sizeof *c->dp);
    ltm_fit(c, n + skip + 1, sign);
    return MP_OKAY;
}

mp_err mp_div_2(const mp_int *a, mp_int *b)
{
    const size_t n = (size_t)a->used;
    const mp_sign sign = a->sign;
    LTM_TRY(ltm_room(b, n));
    shift_down(b->dp, a->dp, n, 1);
    ltm_fit(b, n, sign);
    return MP_OKAY;
}

mp_err mp_mul_2(const mp_int *a, mp_int *b)
{
    const size_t n = (size_t)a->used;
    const mp_sign sign = a->sign;
    LTM_TRY(ltm_room(b, n + 1));
    b->dp[n] = shift_up(b->dp, a->dp, n, 1);
    ltm_fit(b, n + 1, sign);
    return MP_OKAY;
}

void mp_rshd(mp_int *a, int b)
{
    if (b <= 0) return;
    const size_t used = (size_t)a->used, n = used > (size_t)b ? used - (size_t)b : 0;
    ltm_copy(a->dp, a->dp + b, n);   /* upwards */
    ltm_fit(a, n, a->sign);
}

mp_err mp_lshd(mp_int *a, int b)
{
    if (b <= 0 || a->used == 0) return MP_OKAY;
    const size_t used = (size_t)a->used, n = used + (size_t)b;
    LTM_TRY(ltm_room(a, n));
    size_t i = used;
    mp_digit *up = a->dp + b;
    for (; i >= 4; i -= 4) {
        ltm_move(up + i - 1, a->dp + i - 1);
        ltm_move(up + i - 2, a->dp + i - 2);
        ltm_move(up + i - 3, a->dp + i - 3);
        ltm_move(up + i - 4, a->dp + i - 4);
    }
    for (; i; i--) ltm_move(up + i - 1, a->dp + i - 1);
    ltm_zero(a->dp, (size_t)b);
    a->used = (int)n;
    return MP_OKAY;
}

mp_err mp_2expt(mp_int *a, int b)
{
    if (b < 0) return MP_VAL;
    const size_t n = (size_t)(b / LTM_BITS) + 1;
    LTM_TRY(ltm_room(a, n));
    const size_t most = n > (size_t)a->used ? n : (size_t)a->used;
    memset(a->dp, 0, most * sizeof *a->dp);
    a->dp[n - 1] = (mp_digit)1 << b % LTM_BITS;
    a->used = (int)n;
    a->sign = MP_ZPOS;
    return MP_OKAY;
}

int mp_cnt_lsb(const mp_int *a)
{
    int i = 0;
    while (i < a->used && a->dp[i] == 0) i++;
    if (i == a->used) return 0;
    const mp_digit low = a->dp[i] & (0 - a->dp[i]);
    return i * LTM_BITS + ltm_bits(low) - 1;
}
