/* ECDSA's verification in two steps, so that many signatures may share the inverses of their s. All of it is public. */
#ifndef TY_ECDSA_ECDSA_H
#define TY_ECDSA_ECDSA_H

#include "mod/scalar.h"
#include "tongyu/ec.h"

/* A signature (r, s) of a digest, modulo n. */
typedef struct ty_ecdsa_claim {
    ty_scalar e, r, s;
} ty_ecdsa_claim;

/* What can be seen without a multiplication of points; n is the ring of pub's curve.     err    as ty_ecdsa_verify */
TY_MUST_CHECK ty_err ty_ecdsa_claim_set(ty_ecdsa_claim *x, const uint8_t *sig, size_t sig_len, const uint8_t *digest,
                                        size_t digest_len, const ty_ec_pub *pub, const ty_scalar_ring *n);

/* TY_OK if (e w) G + (r w) pub, w = 1/s, has the x coordinate r, or TY_ERR_VERIFY. */
TY_MUST_CHECK ty_err ty_ecdsa_claim_check(const ty_ecdsa_claim *x, const ty_scalar *w, const ty_ec_pub *pub,
                                          const ty_scalar_ring *n);

#endif
