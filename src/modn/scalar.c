/* Z/n for an odd n given at run time: products of modn/modn.h, inverses by division steps. */
#include "modn/scalar.h"
#include "modn/modn.h"

#include <string.h>

typedef ty_limb limb;
#define LIMB_BITS ((size_t)TY_LIMB_BITS)

void ty_scalar_add(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r)
{
    const limb carry = TY_HELD(limb, r->ops)->add(z->w, x->w, y->w, r->limbs);
    ty_limb_canon(z->w, carry, z->w, r->n.w, r->limbs);
}

/* z = x y/R mod n for x < R, y < n: the reduction of a product below n R leaves x y/R mod n or n
 * more. */
void ty_scalar_mul(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r)
{
    ty_modn c;
    limb t[2 * TY_SCALAR_MAX];
    c.ops = r->ops, c.m = r->n.w, c.n = r->limbs, c.minv = r->minus_inv;
    c.folds = 0, c.t = t, c.mul_long = NULL;
    ty_modn_mul(z->w, x->w, y->w, &c);
    ty_limb_canon(z->w, 0, z->w, r->n.w, r->limbs);
    if (r->limbs > TY_LIMB_MONT) ty_wipe(t, 2 * r->limbs * sizeof *t);
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
    r->limbs = (bits + LIMB_BITS - 1) / LIMB_BITS;
    r->ops = ty_limb_best();
    load(r->n.w, n, r->len, r->limbs);
    r->minus_inv = ty_limb_minv(r->n.w[0]);

    /* 2^(bits-1) < n is doubled until it is R mod n. The Montgomery form of 2 is 2R, and that of
     * R = 2^all is R^2 */
    r->one.w[(bits - 1) / LIMB_BITS] = (limb)1 << (bits - 1) % LIMB_BITS;
    const size_t all = r->limbs * LIMB_BITS;
    for (size_t i = bits - 1; i < all; i++) ty_scalar_add(&r->one, &r->one, &r->one, r);
    r->rr = r->one;
    for (size_t bit = (size_t)1 << 10; bit; bit >>= 1) {   /* `all` < 2^11 */
        ty_scalar_mul(&r->rr, &r->rr, &r->rr, r);
        if (all & bit) ty_scalar_add(&r->rr, &r->rr, &r->rr, r);
    }
}

/* x = high R + low if it is longer than the limbs: the result is (high R) R + low R */
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

/* R^2/(x R): the inverse of x R as a number, times R twice. For x = 0 the result is 0. */
void ty_scalar_inv(ty_scalar *z, const ty_scalar *x, const ty_scalar_ring *r)
{
    limb work[TY_LIMB_INV_MOST(TY_SCALAR_MAX)];
    (void)ty_limb_inv(z->w, x->w, r->n.w, r->limbs, r->bits, work);
    ty_scalar_mul(z, z, &r->rr, r);
    ty_scalar_mul(z, z, &r->rr, r);
    ty_wipe(work, ty_limb_inv_work(r->limbs) * sizeof *work);
}

uint32_t ty_scalar_iszero(const ty_scalar *x, const ty_scalar_ring *r)
{
    limb any = 0;
    for (size_t i = 0; i < r->limbs; i++) any |= x->w[i];
    return (uint32_t)ty_mask_zero64(any);
}
