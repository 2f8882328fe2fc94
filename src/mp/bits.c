/* Shifts and bits. The bits of a negative integer are those of two's complement, with infinitely
 * many sign bits. */
#include "mp/mp_internal.h"

#include <string.h>

ty_err ty_mp_shl(ty_mp *z, const ty_mp *x, size_t n)
{
    const size_t limbs = n / TY_LIMB_BITS, len = ty_mp_n(x);
    const uint32_t neg = x->neg;
    if (len == 0) {   /* zeros of any length stay 0, for any n */
        ty_mp_fix(z, 0);
        return TY_OK;
    }
    /* no overflow: n / TY_LIMB_BITS and a length are much smaller than SIZE_MAX */
    TY_TRY(ty_mp_grow(z, limbs + len + 1));
    ty_limb *d = ty_mp_d(z);
    d[limbs + len] = ty_limb_shl(d + limbs, ty_mp_cd(x), len, (unsigned)(n % TY_LIMB_BITS));
    memset(d, 0, limbs * sizeof *d);
    ty_mp_fit(z, limbs + len + 1, neg);
    return TY_OK;
}

/* z = x/2^n, truncated; if floor is set, rounded down: one further away from zero if x is negative
 * and bits are lost */
static ty_err shift_right(ty_mp *z, const ty_mp *x, size_t n, int floor)
{
    const size_t limbs = n / TY_LIMB_BITS, len = x->len;
    const uint32_t neg = x->neg;
    const size_t left = limbs < len ? len - limbs : 0;
    TY_TRY(ty_mp_grow(z, left + 1));
    const ty_limb *xd = ty_mp_cd(x);
    ty_limb *d = ty_mp_d(z), lost = ~ty_limb_zero(xd, len - left);
    lost |= ~ty_limb_is0(ty_limb_shr(d, xd + (len - left), left, (unsigned)(n % TY_LIMB_BITS)));
    d[left] = ty_limb_add_1(d, d, left, lost & (ty_limb)(neg && floor) & 1);
    ty_mp_fit(z, left + 1, neg);
    return TY_OK;
}

ty_err ty_mp_shr(ty_mp *z, const ty_mp *x, size_t n) { return shift_right(z, x, n, 1); }
ty_err ty_mp_shr_trunc(ty_mp *z, const ty_mp *x, size_t n) { return shift_right(z, x, n, 0); }

/* z = x mod 2^n: the low n bits of |x|, negated modulo 2^n if x is negative. A positive x of at
 * most floor(n/TY_LIMB_BITS) limbs is copied. */
ty_err ty_mp_low(ty_mp *z, const ty_mp *x, size_t n)
{
    if (!x->neg && n / TY_LIMB_BITS >= x->len) return ty_mp_copy(z, x);
    const size_t limbs = TY_MP_LIMBS(n);
    const uint32_t neg = x->neg;
    TY_TRY(ty_mp_grow(z, limbs));
    ty_limb *d = ty_mp_d(z);
    ty_mp_spread(d, limbs, x);
    (void)ty_limb_neg_if(d, limbs, ty_limb_mask(neg));
    if (n % TY_LIMB_BITS) d[limbs - 1] &= ((ty_limb)1 << n % TY_LIMB_BITS) - 1;
    ty_mp_fit(z, limbs, 0);
    return TY_OK;
}

/* --- and, or, xor, not ------------------------------------------------------------------------ */

/* The limbs of an integer in two's complement, the lowest first: -x = ~(x - 1). */
typedef struct signed_limbs {
    const ty_limb *d;
    size_t len;
    ty_limb sign, borrow;
} signed_limbs;

static signed_limbs read_from(const ty_mp *x)
{
    return (signed_limbs){ ty_mp_cd(x), x->len, ty_limb_mask(x->neg), x->neg };
}

static ty_limb next(signed_limbs *s, size_t i)
{
    return ty_limb_sbb(i < s->len ? s->d[i] : 0, 0, &s->borrow) ^ s->sign;
}

typedef enum bit_op { BIT_AND, BIT_OR, BIT_XOR } bit_op;

static ty_limb apply(bit_op op, ty_limb x, ty_limb y)
{
    return op == BIT_AND ? x & y : op == BIT_OR ? x | y : x ^ y;
}

/* The result has one limb more than the longer operand, which its absolute value needs if it is
 * -B^(n-1); z may be x or y, as limb i is read before it is written. */
static ty_err bitwise(ty_mp *z, const ty_mp *x, const ty_mp *y, bit_op op)
{
    const size_t n = (x->len > y->len ? x->len : y->len) + 1;
    TY_TRY(ty_mp_grow(z, n));
    signed_limbs a = read_from(x), b = read_from(y);
    ty_limb *d = ty_mp_d(z);
    const ty_limb sign = apply(op, a.sign, b.sign);
    for (size_t i = 0; i < n; i++) {
        const ty_limb u = next(&a, i), v = next(&b, i);
        d[i] = apply(op, u, v);
    }
    (void)ty_limb_neg_if(d, n, sign);
    ty_mp_fit(z, n, (uint32_t)(sign & 1));
    return TY_OK;
}

ty_err ty_mp_and(ty_mp *z, const ty_mp *x, const ty_mp *y) { return bitwise(z, x, y, BIT_AND); }
ty_err ty_mp_or(ty_mp *z, const ty_mp *x, const ty_mp *y) { return bitwise(z, x, y, BIT_OR); }
ty_err ty_mp_xor(ty_mp *z, const ty_mp *x, const ty_mp *y) { return bitwise(z, x, y, BIT_XOR); }

ty_err ty_mp_not(ty_mp *z, const ty_mp *x)
{
    ty_mp minus_one;
    ty_mp_init(&minus_one);
    ty_mp_set_i64(&minus_one, -1);
    return bitwise(z, x, &minus_one, BIT_XOR);
}
