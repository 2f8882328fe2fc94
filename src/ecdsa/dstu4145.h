/* DSTU 4145: signing with a given nonce, and the field element of a hash; also for tests with the
 * standard's example. */
#ifndef TY_ECDSA_DSTU4145_H
#define TY_ECDSA_DSTU4145_H

#include "tongyu/dstu4145.h"

/* Signs with the nonce k in [1, n - 1] and h[field_len] of ty_dstu4145_element. Returns 1; 0 if r
 * or s is 0, so that another k is needed; or an error if kP is not a point of the curve */
int ty_dstu4145_sign_with(uint8_t *sig, const uint8_t *k, const ty_ec_key *key, const void *h);

/* h[field_len], big-endian = the field's element for a hash: the hash as a little-endian number,
 * cut at degree m; 1 if that is 0      [DSTU 4145-2002, 5.9] */
void ty_dstu4145_element(uint8_t *h, const uint8_t *hash, size_t hash_len, const ty_ec_curve *c);

#endif
