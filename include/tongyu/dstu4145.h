/* Tongyu: signatures of DSTU 4145-2002, the Ukrainian standard, over binary curves with a
 * polynomial basis.
 *
 * Its curves are among those of ty_ec_standard_at, but the scheme works over any curve of
 * tongyu/ec.h. Hashes come from the caller (the standard's is GOST 34.311-95); as little-endian
 * bytes, cut to m bits, they are an element of the field. A signature is r || s, ty_ec_order_len
 * bytes each, little-endian: the standard's encoding in the shortest length that it allows.
 *
 * A key pair is one of tongyu/ec.h, but the standard's public key is Q = -dP, where P is the
 * generator. */
#ifndef TONGYU_DSTU4145_H
#define TONGYU_DSTU4145_H

#include "tongyu/ec.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* ty_dstu4145_pub: q = -pub: the standard's public key for a key pair's, and the other way round.
 * alias: q may be pub */
TY_API void ty_dstu4145_pub(ty_ec_pub *q, const ty_ec_pub *pub);

/* ty_dstu4145_sign: sig[2 order_len], a signature of hash[hash_len].
 *   in     rng as in ty_ecdsa_sign: hedged, or NULL and deterministic; for the same key and hash
 *          ECDSA has other nonces
 *   err    TY_ERR_ARG: hash_len is 0
 *          TY_ERR_RNG
 *          TY_ERR_FAULT: the machine computed a wrong point
 *          sig is zeroed in all cases
 *   time   secret: d, nonce     alias: none
 *   spec   [DSTU 4145-2002, 12]     cost: one multiplication of the generator */
TY_API TY_MUST_CHECK ty_err ty_dstu4145_sign(uint8_t *sig, const uint8_t *hash, size_t hash_len,
                                             const ty_ec_key *key, const ty_rng *rng);

/* ty_dstu4145_verify: TY_OK if sig[sig_len] is a signature of hash[hash_len] by the holder of q,
 * the standard's public key (ty_dstu4145_pub).
 *   err    TY_ERR_ARG: hash_len is 0     TY_ERR_KEY: q is not a point of the curve
 *          TY_ERR_VERIFY: it is not, which includes r or s outside [1, n-1] and another sig_len
 *   time   public     spec: [DSTU 4145-2002, 13]     cost: one joint multiplication */
TY_API TY_MUST_CHECK ty_err ty_dstu4145_verify(const uint8_t *sig, size_t sig_len,
                                               const uint8_t *hash, size_t hash_len,
                                               const ty_ec_pub *q);

#if defined(__cplusplus)
}
#endif
#endif
