/* Streams of nonces from a seed: HMAC-DRBG as in RFC 6979, 3.2, over SM3 and SHA-256.
 * time    secret: the seed and all that is derived from it; public: lengths
 * The caller wipes the state. */
#ifndef TY_MAC_HMAC_DRBG_H
#define TY_MAC_HMAC_DRBG_H

#include "sha2/sha2.h"
#include "tongyu/sm3.h"

typedef struct ty_hmac_drbg_sm3 {
    ty_hmac_sm3 k;
    uint8_t v[32];
    int used;
} ty_hmac_drbg_sm3;

typedef struct ty_hmac_drbg_sha256 {
    ty_hmac_sha256 k;
    uint8_t v[32];
    int used;
} ty_hmac_drbg_sha256;

/* steps b to g of the RFC, seed = its int2octets(x) || bits2octets(h) and any additional data [RFC
 * 6979, 3.6] */
void ty_hmac_drbg_sm3_init(ty_hmac_drbg_sm3 *c, const uint8_t *seed, size_t seed_len);
void ty_hmac_drbg_sha256_init(ty_hmac_drbg_sha256 *c, const uint8_t *seed, size_t seed_len);

/* out[out_len] = the next candidate: step h */
void ty_hmac_drbg_sm3_next(uint8_t *out, size_t out_len, ty_hmac_drbg_sm3 *c);
void ty_hmac_drbg_sha256_next(uint8_t *out, size_t out_len, ty_hmac_drbg_sha256 *c);

#endif
