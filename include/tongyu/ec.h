/* Tongyu: binary elliptic curves, y^2 + xy = x^3 + ax^2 + b over GF(2^m): curves, points, key
 * pairs, agreement.
 *
 * They are what deployed smart cards, tags and signatures still use; a new design should use a
 * curve over a prime field. Numbers are big-endian bytes, coordinates len = ty_ec_field_len of
 * them, scalars ty_ec_order_len. Everything is constant time in private keys, scalars and shared
 * secrets; curves, public keys, lengths and verdicts are public. Buffers of one call may not
 * overlap unless its comment says so. Nothing is allocated. */
#ifndef TONGYU_EC_H
#define TONGYU_EC_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* bytes of the longest coordinate or scalar: 1023 bits, of a curve given at run time */
#define TY_EC_MAX 128

/* --- Curves ----------------------------------------------------------------------------------- */

/* A curve: a named one, which the library owns, or one of tongyu/ec_any.h, in the caller's
 * memory. */
typedef struct ty_ec_curve ty_ec_curve;

/* ty_ec_curve_named: the curve of this name ("sect233r1") or dotted OID, or NULL.
 * ty_ec_curve_at: the i-th, weakest first; NULL if i is past the end. */
TY_API const ty_ec_curve *ty_ec_curve_named(const char *name);
TY_API const ty_ec_curve *ty_ec_curve_at(size_t i);

/* "" for a curve given at run time without a name, or without an OID */
TY_API const char *ty_ec_curve_name(const ty_ec_curve *curve);
TY_API const char *ty_ec_curve_oid(const ty_ec_curve *curve);
TY_API size_t ty_ec_field_len(const ty_ec_curve *curve);    /* bytes of a coordinate */
TY_API size_t ty_ec_field_bits(const ty_ec_curve *curve);   /* m */
TY_API size_t ty_ec_order_len(const ty_ec_curve *curve);    /* bytes of a scalar */
TY_API size_t ty_ec_order_bits(const ty_ec_curve *curve);   /* of n, the order of the generator */

/* --- Points ----------------------------------------------------------------------------------- */

/* A public key, a point of order n. The fields are private; that they are a point is checked
 * again when they are used. */
typedef struct ty_ec_pub {
    const ty_ec_curve *curve;
    uint8_t xy[2 * TY_EC_MAX];
} ty_ec_pub;

/* A private key 1 <= d <= n-1 and its public key. The fields are private. ty_wipe it when done. */
typedef struct ty_ec_key {
    ty_ec_pub pub;
    uint8_t d[TY_EC_MAX];
} ty_ec_key;

/* ty_ec_pub_set: pub = the point encoded in in.
 *   in     04 || x || y, or 02|03 || x, where 03 means that y/x is odd; no other encoding
 *   err    TY_ERR_FORMAT: another first byte (hybrid forms included) or length (infinity, 00, is
 *          not a key)
 *          TY_ERR_KEY: a coordinate of degree m or more, not on the curve, or not of order n:
 *          points of order 2 and 4, and sums with such points
 *          pub is then untouched
 *   time   public
 *   spec   [SEC 1 v2, 2.3.4; 3.2.2.1]
 *          cost: two half-traces at most, little compared with a multiplication */
TY_API TY_MUST_CHECK ty_err ty_ec_pub_set(ty_ec_pub *pub, const ty_ec_curve *curve,
                                          const uint8_t *in, size_t in_len);

/* ty_ec_pub_get: out[1 + 2 len] = 04 || x || y.
 * ty_ec_pub_get_compressed: out[1 + len] = 02|03 || x. */
TY_API void ty_ec_pub_get(uint8_t *out, const ty_ec_pub *pub);
TY_API void ty_ec_pub_get_compressed(uint8_t *out, const ty_ec_pub *pub);

/* ty_ec_mul: z = k pub, for any k[order_len].
 *   err    TY_ERR_KEY: pub is not a point of the curve, or the result is infinity (k = 0 mod n)
 *          TY_ERR_FAULT: the machine computed a wrong point.  z is untouched
 *   time   secret: k     alias: z may be pub */
TY_API TY_MUST_CHECK ty_err ty_ec_mul(ty_ec_pub *z, const uint8_t *k, const ty_ec_pub *pub);

/* --- Keys ------------------------------------------------------------------------------------- */

/* ty_ec_keygen: a new key, d uniform in [1, n-1].
 *   in     rng gives order_len bytes per attempt, at most two attempts on average
 *   err    TY_ERR_RNG: the source failed, or gave nothing in range 128 times
 *          TY_ERR_FAULT: the machine computed a wrong point
 *          key is zeroed in both cases
 *   time   secret: d     spec: [SEC 1 v2, 3.2.1] */
TY_API TY_MUST_CHECK ty_err ty_ec_keygen(ty_ec_key *key, const ty_ec_curve *curve,
                                         const ty_rng *rng);

/* ty_ec_key_set: the key whose private scalar is d[d_len].
 *   err    TY_ERR_FORMAT: d_len is not order_len
 *          TY_ERR_KEY: d is not in [1, n-1]
 *          TY_ERR_FAULT as for keygen
 *          key is zeroed in all cases
 *   time   secret: d     alias: d may be key->d */
TY_API TY_MUST_CHECK ty_err ty_ec_key_set(ty_ec_key *key, const ty_ec_curve *curve,
                                          const uint8_t *d, size_t d_len);

/* --- Agreement -------------------------------------------------------------------------------- */

/* ty_ec_ecdh: out[len] = the x coordinate of d pub.
 * ty_ec_ecdh_cofactor: that of h d pub, h the cofactor of the curve.
 *   err    TY_ERR_ARG: pub is of another curve than key
 *          TY_ERR_KEY: pub is not a point of the curve
 *          TY_ERR_FAULT: the machine computed a wrong point
 *          out is untouched in all cases
 *   time   secret: d, out     spec: [SEC 1 v2, 3.3.1 and 3.3.2; SP 800-56A r3, 5.7.1.2] */
TY_API TY_MUST_CHECK ty_err ty_ec_ecdh(uint8_t *out, const ty_ec_pub *pub, const ty_ec_key *key);
TY_API TY_MUST_CHECK ty_err ty_ec_ecdh_cofactor(uint8_t *out, const ty_ec_pub *pub,
                                                const ty_ec_key *key);

#if defined(__cplusplus)
}
#endif
#endif
