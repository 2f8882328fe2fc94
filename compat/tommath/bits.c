/* Bitwise operations in two's complement with infinitely many sign bits: -x is ~x + 1, digit by
 * digit. */
#include "ltm.h"

#include <string.h>

typedef enum { AND, OR, XOR } operation;

/* Digit i of a, 0 above its top, in two's complement; *carry is 1 at the beginning, then the carry
 * of the + 1. */
static mp_digit complement_of(const mp_int *a, size_t i, mp_digit *carry)
{
    const mp_digit d = i < (size_t)a->used ? a->dp[i] : 0;
    if (a->sign != MP_NEG) return d;
    const mp_digit t = (~d & MP_MASK) + *carry;
    *carry = t >> LTM_BITS;
    return t & MP_MASK;
}

/* For a, b >= 0: digit by digit up to the end of the shorter one; the rest of the longer one is
 * copied, except for AND. */
static mp_err combine_positive(const mp_int *a, const mp_int *b, mp_int *c, operation how)
{
    const mp_int *x = a->used >= b->used ? a : b, *y = x == a ? b : a;
    const size_t xn = (size_t)x->used, yn = (size_t)y->used, n = how == AND ? yn : xn;
    LTM_TRY(ltm_room(c, n));
    const mp_digit *xd = x->dp, *yd = y->dp;
    mp_digit *z = c->dp;
    if (how == AND) for (size_t i = 0; i < yn; i++) z[i] = xd[i] & yd[i];
    if (how == OR) for (size_t i = 0; i < yn; i++) z[i] = xd[i] | yd[i];
    if (how == XOR) for (size_t i = 0; i < yn; i++) z[i] = xd[i] ^ yd[i];
    if (n > yn && z != xd) memcpy(z + yn, xd + yn, (n - yn) * sizeof *z);
    ltm_fit(c, n, MP_ZPOS);
    return MP_OKAY;
}

static mp_err combine(const mp_int *a, const mp_int *b, mp_int *c, operation how)
{
    if (a->sign != MP_NEG && b->sign != MP_NEG) return combine_positive(a, b, c, how);
    /* one more digit for the sign bit */
    const size_t n = (size_t)(a->used > b->used ? a->used : b->used) + 1;
    const int x_neg = a->sign == MP_NEG, y_neg = b->sign == MP_NEG;
    const int neg = how == AND ? x_neg & y_neg : how == OR ? x_neg | y_neg : x_neg ^ y_neg;
    mp_digit x_carry = 1, y_carry = 1, z_carry = 1;
    LTM_TRY(ltm_room(c, n));
    /* digit i of both is read before that of c, which may be one of them, is written */
    for (size_t i = 0; i < n; i++) {
        const mp_digit x = complement_of(a, i, &x_carry), y = complement_of(b, i, &y_carry);
        mp_digit z = how == AND ? x & y : how == OR ? x | y : x ^ y;
        if (neg) {
            z = (~z & MP_MASK) + z_carry;
            z_carry = z >> LTM_BITS;
        }
        c->dp[i] = z & MP_MASK;
    }
    ltm_fit(c, n, neg ? MP_NEG : MP_ZPOS);
    return MP_OKAY;
}

mp_err mp_and(const mp_int *a, const mp_int *b, mp_int *c) { return combine(a, b, c, AND); }
mp_err mp_or(const mp_int *a, const mp_int *b, mp_int *c) { return combine(a, b, c, OR); }
mp_err mp_xor(const mp_int *a, const mp_int *b, mp_int *c) { return combine(a, b, c, XOR); }

mp_err mp_complement(const mp_int *a, mp_int *b)
{
    LTM_TRY(ltm_room(b, (size_t)a->used + 1));
    LTM_TRY(mp_neg(a, b));
    return mp_decr(b);   /* there is room */
}

/* floor(-x/2^b) = -(floor((x - 1)/2^b) + 1) for x > 0 */
mp_err mp_signed_rsh(const mp_int *a, int b, mp_int *c)
{
    if (a->sign != MP_NEG) return mp_div_2d(a, b, c, NULL);
    LTM_TRY(ltm_room(c, (size_t)a->used + 1));
    LTM_TRY(mp_add_d(a, 1, c));   /* from here on there is room */
    LTM_TRY(mp_div_2d(c, b, c, NULL));
    return mp_decr(c);
}
