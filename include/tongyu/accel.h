/* Tongyu: the driver of the accelerator for binary curves (rtl/, docs/accelerator.md), for a host
 * with or without an operating system. Keys and points are those of tongyu/ec.h, and so are the
 * results, byte for byte. Everything is constant time in private keys, scalars and shared secrets,
 * on the host and in the device. Nothing is allocated. */
#ifndef TONGYU_ACCEL_H
#define TONGYU_ACCEL_H

#include "tongyu/ec.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_ACCEL_CONTEXTS 4   /* curves that a device holds */

/* Access to the registers: 32-bit words at byte offsets below 256. The bus must keep the order of
 * the calls. */
typedef struct ty_accel_bus {
    uint32_t (*read)(void *ctx, uint32_t offset);
    void (*write)(void *ctx, uint32_t offset, uint32_t value);
    void *ctx;
} ty_accel_bus;

/* A device. The fields are private. Only one thread at a time may use it. Nothing in it is
 * secret. */
typedef struct ty_accel {
    ty_accel_bus bus;
    struct {
        uint8_t poly[32], a[32], b[32];
        uint32_t config;     /* field and steps; 0: the context holds no curve */
    } context[TY_ACCEL_CONTEXTS];
    uint32_t parameters, options, next, blind;
    ty_rng rng;              /* for the blinding of scalars */
} ty_accel;

/* ty_accel_init: finds the device behind the bus, and wipes it.
 *   err    TY_ERR_UNSUPPORTED: there is no accelerator behind the bus, or one of a version that
 *          this driver does not know
 *          TY_ERR_FAULT: it is locked, or does not become idle     dev is zeroed in both cases */
TY_API TY_MUST_CHECK ty_err ty_accel_init(ty_accel *dev, const ty_accel_bus *bus);

/* ty_accel_selftest: the device's known-answer test, of every field that is built in and of generic
 * mode. It takes as long as one multiplication for each.
 *   err    TY_ERR_FAULT: a result is wrong, or the device is locked or does not become idle
 *          TY_ERR_RNG: the random port delivers nothing
 *          TY_ERR_UNSUPPORTED: the device has no such test */
TY_API TY_MUST_CHECK ty_err ty_accel_selftest(ty_accel *dev);

/* ty_accel_has: 1 if the device supports the curve: its field is built in, or generic mode accepts
 * it; else 0. */
TY_API int ty_accel_has(const ty_accel *dev, const ty_ec_curve *curve);

/* ty_accel_blind: from now on the device gets k + r n instead of a scalar k, where n is the order
 * and r is a random number of 32 or 64 bits, drawn again for each multiplication; 0 bits: k itself,
 * as after ty_accel_init. The ladder takes that many more steps. Results are the same.
 *   in     *rng is copied; its ctx must remain valid. May be NULL if bits is 0
 *   err    TY_ERR_ARG: another number of bits
 *          TY_ERR_UNSUPPORTED: the device was not built for it     dev is untouched in both cases
 *   spec   Coron, "Resistance against Differential Power Analysis for Elliptic Curve
 *          Cryptosystems" (1999), 5.1 */
TY_API TY_MUST_CHECK ty_err ty_accel_blind(ty_accel *dev, unsigned bits, const ty_rng *rng);

/* ty_accel_mul: z = k pub, as ty_ec_mul.
 *   err    those of ty_ec_mul
 *          TY_ERR_UNSUPPORTED: ty_accel_has returns 0, or k has more bits than n
 *          TY_ERR_RNG: the random port, or the source for blinding, delivers nothing
 *          TY_ERR_FAULT: the device returned a wrong point or none, or is locked
 *          z is untouched in all cases
 *   time   secret: k     alias: z may be pub */
TY_API TY_MUST_CHECK ty_err ty_accel_mul(ty_accel *dev, ty_ec_pub *z, const uint8_t *k,
                                         const ty_ec_pub *pub);

/* ty_accel_mul_add: z = u p + v q, by two runs of the device, which adds the second multiple to the
 * first; only the sum can be read. Both points are on one curve.
 *   err    those of ty_accel_mul, TY_ERR_KEY also if the sum is infinity
 *          TY_ERR_ARG: the curves differ
 *          TY_ERR_UNSUPPORTED: also, the device is of a version before 1.4
 *          z is untouched in all cases
 *   time   secret: u, v, except whether u p is infinity     alias: z may be p or q */
TY_API TY_MUST_CHECK ty_err ty_accel_mul_add(ty_accel *dev, ty_ec_pub *z, const uint8_t *u,
                                             const ty_ec_pub *p, const uint8_t *v,
                                             const ty_ec_pub *q);

/* ty_accel_ecdh: out[len] = the x coordinate of d pub.     ty_accel_ecdh_cofactor: that of h d pub.
 *   err    those of ty_ec_ecdh and ty_accel_mul
 *          TY_ERR_UNSUPPORTED: also, from ty_accel_ecdh_cofactor, if h is not a power of two
 *          out is untouched in all cases
 *   time   secret: d, out */
TY_API TY_MUST_CHECK ty_err ty_accel_ecdh(ty_accel *dev, uint8_t *out, const ty_ec_pub *pub,
                                          const ty_ec_key *key);
TY_API TY_MUST_CHECK ty_err ty_accel_ecdh_cofactor(ty_accel *dev, uint8_t *out,
                                                   const ty_ec_pub *pub, const ty_ec_key *key);

/* ty_accel_ecdsa_sign, ty_accel_ecdsa_verify: as ty_ecdsa_sign and ty_ecdsa_verify, with the same
 * signatures. The device multiplies the points: one to sign; to verify it computes u G + v pub.
 *   err    those of these two, of ty_accel_mul and, to verify, of ty_accel_mul_add
 *   time   as theirs */
TY_API TY_MUST_CHECK ty_err ty_accel_ecdsa_sign(ty_accel *dev, uint8_t *sig, const uint8_t *digest,
                                                size_t digest_len, const ty_ec_key *key,
                                                const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_accel_ecdsa_verify(ty_accel *dev, const uint8_t *sig, size_t sig_len,
                                                  const uint8_t *digest, size_t digest_len,
                                                  const ty_ec_pub *pub);

/* ty_accel_cycles: the cycles of the device's clock from the start of the last multiplication to
 * its result; after ty_accel_mul_add, those of both multiplications. */
TY_API uint32_t ty_accel_cycles(const ty_accel *dev);

/* ty_accel_reset: aborts an operation that is running, and wipes everything except the curves. Call
 * it when the host no longer waits for a result. */
TY_API void ty_accel_reset(ty_accel *dev);

#if defined(__cplusplus)
}
#endif
#endif
