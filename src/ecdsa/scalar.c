/* Z/n for an odd n given at run time, by Montgomery's product, in 64-bit limbs where the compiler multiplies them. */
#include "ecdsa/scalar.h"
#include "base/ct.h"

#include <string.h>

typedef ty_scalar_limb limb;
#define LIMB_BITS (8 * (int)sizeof(limb))
#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;
#else
typedef uint64_t wide;
#endif

/* z = x - n, and one more limb on top of x: the borrow, 0 or 1, that is left */
static limb sub_n(limb *z, const limb *x, limb top, const ty_scalar_ring *r)
{
    limb borrow = 0;
    for (size_t i = 0; i < r->limbs; i++) {
        const wide t = (wide)x[i] - r->n.w[i] - borrow;
        z[i] = (limb)t;
        borrow = (limb)(t >> LIMB_BITS) & 1;
    }
    return (limb)(((wide)top - borrow) >> LIMB_BITS) & 1;
}

/* z = x mod n for x + top R below 2n */
static void once(limb *z, const limb *x, limb top, const ty_scalar_ring *r)
{
    limb t[TY_SCALAR_MAX];
    const limb keep = (limb)ty_mask_bit64(sub_n(t, x, top, r));
    for (size_t i = 0; i < r->limbs; i++) z[i] = t[i] ^ (keep & (t[i] ^ x[i]));
    ty_wipe(t, sizeof t);
}

void ty_scalar_add(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r)
{
    limb t[TY_SCALAR_MAX], carry = 0;
    for (size_t i = 0; i < r->limbs; i++) {
        const wide s = (wide)x->w[i] + y->w[i] + carry;
        t[i] = (limb)s;
        carry = (limb)(s >> LIMB_BITS);
    }
    once(z->w, t, carry, r);
    ty_wipe(t, sizeof t);
}

/* z = x y/R mod n for x < R, y < n. A step makes t = (t + x_i y + m n)/B, m such that the low limb goes. It keeps t < 2n:
 * (2n + (B-1)n + (B-1)n)/B = 2n; so t[l] is 0 or 1. A product, a limb and a carry: (B-1)^2 + 2(B-1) = B^2 - 1. */
void ty_scalar_mul(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r)
{
    const size_t l = r->limbs;
    limb t[TY_SCALAR_MAX + 1] = { 0 };
    for (size_t i = 0; i < l; i++) {
        const limb xi = x->w[i];
        wide p = (wide)xi * y->w[0] + t[0];
        const limb m = (limb)((limb)p * r->minus_inv);
        wide q = (wide)m * r->n.w[0] + (limb)p;
        for (size_t j = 1; j < l; j++) {
            p = (wide)xi * y->w[j] + t[j] + (limb)(p >> LIMB_BITS);
            q = (wide)m * r->n.w[j] + (limb)p + (limb)(q >> LIMB_BITS);
            t[j - 1] = (limb)q;
        }
        q = (wide)t[l] + (limb)(p >> LIMB_BITS) + (limb)(q >> LIMB_BITS);
        t[l - 1] = (limb)q;
        t[l] = (limb)(q >> LIMB_BITS);
    }
    once(z->w, t, t[l], r);
    ty_wipe(t, sizeof t);
}

static void load(limb *z, const uint8_t *x, size_t x_len, size_t limbs)
{
    memset(z, 0, limbs * sizeof(limb));
    for (size_t i = 0; i < x_len && i / sizeof(limb) < limbs; i++)
        z[i / sizeof(limb)] |= (limb)x[x_len - 1 - i] << 8 * (i % sizeof(limb));
}

void ty_scalar_ring_init(ty_scalar_ring *r, const uint8_t *n, size_t bits)
{
    memset(r, 0, sizeof *r);
    r->bits = bits;
    r->len = (bits + 7) / 8;
    r->limbs = (bits + (size_t)LIMB_BITS - 1) / (size_t)LIMB_BITS;
    load(r->n.w, n, r->len, r->limbs);
    limb inv = 1;   /* right to one bit; a step of Newton doubles that */
    for (int i = 0; i < 6; i++) inv *= 2 - r->n.w[0] * inv;
    r->minus_inv = 0 - inv;

    /* 2^(bits-1) < n is doubled until it is R mod n; then 2R in Montgomery's form is 2, and 2^(bits of R) is R^2 */
    r->one.w[(bits - 1) / (size_t)LIMB_BITS] = (limb)1 << (bits - 1) % (size_t)LIMB_BITS;
    const size_t all = r->limbs * (size_t)LIMB_BITS;
    for (size_t i = bits - 1; i < all; i++) ty_scalar_add(&r->one, &r->one, &r->one, r);
    r->rr = r->one;
    for (size_t bit = (size_t)1 << 10; bit; bit >>= 1) {   /* all < 2^11 */
        ty_scalar_mul(&r->rr, &r->rr, &r->rr, r);
        if (all & bit) ty_scalar_add(&r->rr, &r->rr, &r->rr, r);
    }
}

/* x = high R + low, where there is more of it than limbs: (high R) R, and low R on top */
void ty_scalar_set(ty_scalar *z, const uint8_t *x, size_t x_len, const ty_scalar_ring *r)
{
    const size_t room = r->limbs * sizeof(limb), more = x_len > room ? x_len - room : 0;
    ty_scalar t, high;
    load(t.w, x + more, x_len - more, r->limbs);
    load(high.w, x, more, r->limbs);
    ty_scalar_mul(&t, &t, &r->rr, r);
    if (more) {
        ty_scalar_mul(&high, &high, &r->rr, r);
        ty_scalar_mul(&high, &high, &r->rr, r);
        ty_scalar_add(&t, &t, &high, r);
    }
    *z = t;
    ty_wipe(&t, sizeof t);
    ty_wipe(&high, sizeof high);
}

void ty_scalar_get(uint8_t *out, const ty_scalar *x, const ty_scalar_ring *r)
{
    ty_scalar t, one = { { 1 } };
    ty_scalar_mul(&t, x, &one, r);
    for (size_t i = 0; i < r->len; i++)
        out[r->len - 1 - i] = (uint8_t)(t.w[i / sizeof(limb)] >> 8 * (i % sizeof(limb)));
    ty_wipe(&t, sizeof t);
}

/* x^(n-2), four bits of the public exponent at a time */
void ty_scalar_inv(ty_scalar *z, const ty_scalar *x, const ty_scalar_ring *r)
{
    ty_scalar power[16], t = r->one, e = r->n;
    e.w[0] -= 2;   /* n is odd and at least 3, so that nothing borrows */
    power[0] = r->one;
    for (int i = 1; i < 16; i++) ty_scalar_mul(&power[i], &power[i - 1], x, r);
    for (size_t i = (r->bits + 3) / 4; i-- > 0;) {
        for (int j = 0; j < 4; j++) ty_scalar_mul(&t, &t, &t, r);
        const size_t digit = e.w[4 * i / (size_t)LIMB_BITS] >> 4 * i % (size_t)LIMB_BITS & 15;
        ty_scalar_mul(&t, &t, &power[digit], r);
    }
    *z = t;
    ty_wipe(power, sizeof power);
    ty_wipe(&t, sizeof t);
}

uint32_t ty_scalar_iszero(const ty_scalar *x, const ty_scalar_ring *r)
{
    limb any = 0;
    for (size_t i = 0; i < r->limbs; i++) any |= x->w[i];
    return (uint32_t)ty_mask_zero64(any);
}
