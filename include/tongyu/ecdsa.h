/* Tongyu: ECDSA over the curves of tongyu/ec.h (FIPS 186-4, ANSI X9.62).
 *
 * A signature is r || s, ty_ec_order_len bytes each. Digests come from the caller, of any hash
 * (SHA-2, SHA-3, SM3) and any length except 0: if they are longer than the order, only their
 * leftmost bits are used. */
#ifndef TONGYU_ECDSA_H
#define TONGYU_ECDSA_H

#include "tongyu/ec.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* ty_ecdsa_sign: sig[2 order_len] = r || s, a signature of digest[digest_len].
 *   in     rng gives 32 bytes, once, that are mixed into the nonce with d and the digest (hedged);
 *          NULL: the nonce comes from d and the digest alone, as RFC 6979 defines it with
 *          HMAC-SHA-256, and equal calls give equal signatures
 *   err    TY_ERR_ARG: digest_len is 0     TY_ERR_RNG
 *          TY_ERR_FAULT: the machine computed a wrong point     sig is zeroed in all cases
 *   time   secret: d, nonce; a nonce's leading zeros are processed like other bits
 *          alias: none
 *   spec   [FIPS 186-4, 6.4; RFC 6979, 3.2 and 3.6]
 *          cost: one multiplication of the generator */
TY_API TY_MUST_CHECK ty_err ty_ecdsa_sign(uint8_t *sig, const uint8_t *digest, size_t digest_len,
                                          const ty_ec_key *key, const ty_rng *rng);

/* ty_ecdsa_verify: TY_OK if sig[sig_len] is a signature of digest[digest_len] by the holder of pub.
 *   err    TY_ERR_ARG: digest_len as above     TY_ERR_KEY: pub is not a point of the curve
 *          TY_ERR_VERIFY: it is not, which includes r or s outside [1, n-1] and another sig_len
 *   time   public     spec: [FIPS 186-4, 6.4]     cost: one joint multiplication */
TY_API TY_MUST_CHECK ty_err ty_ecdsa_verify(const uint8_t *sig, size_t sig_len,
                                            const uint8_t *digest, size_t digest_len,
                                            const ty_ec_pub *pub);

#if defined(__cplusplus)
}
#endif
#endif
