/* Z/n for an odd n of at most 1024 bits given at run time: the scalars of ECDSA, where n is the
 * order of a curve.
 *
 * A scalar is `limbs` limbs, least significant first, canonical, in Montgomery form: x is kept as
 * x R mod n, R = 2^(bits of all limbs). Everything is constant time in the values; n and its length
 * are public. */
#ifndef TY_MODN_SCALAR_H
#define TY_MODN_SCALAR_H

#include "limb/limb.h"

#define TY_SCALAR_MAX   (1024 / TY_LIMB_BITS)
#define TY_SCALAR_BYTES sizeof(ty_limb)

typedef struct ty_scalar {
    ty_limb w[TY_SCALAR_MAX];
} ty_scalar;

typedef struct ty_scalar_ring {
    const ty_limb_ops *ops;    /* of the tier it was made on */
    ty_scalar n, one, rr;      /* n; R mod n; R^2 mod n */
    ty_limb minus_inv;         /* -1/n mod 2^(bits of a limb) */
    size_t limbs, bits, len;   /* of n; len = ceil(bits/8) */
} ty_scalar_ring;

/* r = the ring of the odd number n[ceil(bits/8)], big-endian, whose top bit is bit `bits` - 1 */
void ty_scalar_ring_init(ty_scalar_ring *r, const uint8_t *n, size_t bits);

/* z = the big-endian number x[x_len] mod n, for any x below R^2 */
void ty_scalar_set(ty_scalar *z, const uint8_t *x, size_t x_len, const ty_scalar_ring *r);

/* out[len] = x */
void ty_scalar_get(uint8_t *out, const ty_scalar *x, const ty_scalar_ring *r);

/* z may alias x or y. ty_scalar_inv: for a prime n; the inverse of 0 is 0 */
void ty_scalar_add(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r);
void ty_scalar_mul(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r);
void ty_scalar_inv(ty_scalar *z, const ty_scalar *x, const ty_scalar_ring *r);

/* all ones if x is 0, else zero */
uint32_t ty_scalar_iszero(const ty_scalar *x, const ty_scalar_ring *r);

#endif
