/* Nonces of signatures on binary curves, from HMAC-DRBG over SHA-256 (RFC 6979), hedged if there is a random source. Constant
 * time in d and in the nonces that are kept. */
#ifndef TY_ECDSA_NONCES_H
#define TY_ECDSA_NONCES_H

#include "mac/hmac_drbg.h"
#include "tongyu/ec.h"

enum { TY_NONCES_TRIES = 128 };   /* half may be refused where n is just above a power of two: 2^-128 */

/* The seed is d || h[h_len] || scheme || 32 bytes from rng, if there is one. scheme is empty for ECDSA: two signatures of one
 * digest by two schemes with one nonce would give d away.     h_len <= TY_EC_MAX
 *   err    TY_ERR_RNG */
TY_MUST_CHECK ty_err ty_nonces_init(ty_hmac_drbg_sha256 *c, const ty_ec_key *key, const uint8_t *h, size_t h_len,
                                    const char *scheme, const ty_rng *rng);

/* k[order_len] = the next candidate: 1 if it is in [1, n - 1], and 0 if it has to be thrown away. */
int ty_nonces_next(ty_hmac_drbg_sha256 *c, uint8_t *k, const ty_ec_curve *curve);

/* out[ceil(bits/8)] = the leftmost `bits` bits of in[in_len] as a number      [RFC 6979, 2.3.2] */
void ty_nonces_bits(uint8_t *out, const uint8_t *in, size_t in_len, size_t bits);

#endif
