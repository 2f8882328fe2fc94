/* ECDSA signing with another implementation of point multiplication; and verification in two steps,
 * so that many signatures can share one inversion of their s, where all values are public. */
#ifndef TY_ECDSA_ECDSA_H
#define TY_ECDSA_ECDSA_H

#include "modn/scalar.h"
#include "tongyu/ec.h"

/* Point multiplication by another implementation, such as the accelerator: xy = k pub, where pub
 * may be the generator, k in [1, n - 1]. */
typedef struct ty_ecdsa_engine {
    ty_err (*mul)(void *ctx, uint8_t *xy, const uint8_t *k, const ty_ec_pub *pub);
    void *ctx;
} ty_ecdsa_engine;

/* ty_ecdsa_sign with the engine's points; NULL: the library's own.
 *   err    as there, and the engine's */
TY_MUST_CHECK ty_err ty_ecdsa_sign_by(uint8_t *sig, const uint8_t *digest, size_t digest_len,
                                      const ty_ec_key *key, const ty_rng *rng,
                                      const ty_ecdsa_engine *engine);

/* A signature (r, s) of a digest, modulo n. */
typedef struct ty_ecdsa_claim {
    ty_scalar e, r, s;
} ty_ecdsa_claim;

/* Checks the arguments before any point is multiplied, and sets *x; n is the ring of pub's curve.
 *   err    as ty_ecdsa_verify */
TY_MUST_CHECK ty_err ty_ecdsa_claim_set(ty_ecdsa_claim *x, const uint8_t *sig, size_t sig_len,
                                        const uint8_t *digest, size_t digest_len,
                                        const ty_ec_pub *pub, const ty_scalar_ring *n);

/* u = e w, v = r w, order_len bytes each, for w = 1/s: the signature is valid if the x of uG + v
 * pub is r mod n. */
void ty_ecdsa_claim_scalars(uint8_t *u, uint8_t *v, const ty_ecdsa_claim *x, const ty_scalar *w,
                            const ty_scalar_ring *n);

/* TY_OK if the x of (e w) G + (r w) pub is r mod n, for w = 1/s, else TY_ERR_VERIFY. */
TY_MUST_CHECK ty_err ty_ecdsa_claim_check(const ty_ecdsa_claim *x, const ty_scalar *w,
                                          const ty_ec_pub *pub, const ty_scalar_ring *n);

#endif
