/* Nonces of signatures on binary curves, from HMAC-DRBG over SHA-256 (RFC 6979), hedged if there is
 * a random source. Constant time in d and in the nonces that are kept. */
#ifndef TY_ECDSA_NONCES_H
#define TY_ECDSA_NONCES_H

#include "mac/hmac_drbg.h"
#include "tongyu/ec.h"

/* Tries to sign with the nonce k[order_len], in [1, n - 1]. Returns 1; 0 if another k is needed; or
 * a ty_err. x: its other arguments. */
typedef int ty_nonces_try(uint8_t *sig, const uint8_t *k, const ty_ec_key *key, const void *x);

/* sig[2 order_len] = a signature, by tries with one nonce after the other until one succeeds;
 * zeroed after an error. The seed is d || h[h_len] || scheme || 32 bytes from rng, if there is one;
 * h_len <= TY_EC_MAX. scheme has at most 16 characters, and is empty for ECDSA: two signatures of
 * one digest by two schemes with one nonce would reveal d.
 *   err    TY_ERR_RNG; the errors of a try */
TY_MUST_CHECK ty_err ty_nonces_sign(uint8_t *sig, const uint8_t *h, size_t h_len,
                                    const char *scheme, const ty_ec_key *key, const ty_rng *rng,
                                    ty_nonces_try *try, const void *x);

/* out[ceil(bits/8)] = the leftmost `bits` bits of in[in_len] as a number      [RFC 6979, 2.3.2] */
void ty_nonces_bits(uint8_t *out, const uint8_t *in, size_t in_len, size_t bits);

#endif
