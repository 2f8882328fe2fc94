/* ML-DSA keys as DER that is not encrypted: PrivateKeyInfo and SubjectPublicKeyInfo. Constant time
 * in the private key. */
#ifndef TY_KEY_MLDSA_PLAIN_H
#define TY_KEY_MLDSA_PLAIN_H

#include "tongyu/mldsa_key.h"

/* PrivateKeyInfo with seed and expanded key of ML-DSA-87: 4 + 3 + 13 + 4 + 4 + 34 + 4 + 4896 */
#define TY_MLDSA_PLAIN_MAX 4962

/* out[0..result) = DER of a private key (as TY_KEY_PKCS8), or of a public key (as TY_KEY_SPKI) */
size_t ty_mldsa_encode(uint8_t out[TY_AT_LEAST(TY_MLDSA_PLAIN_MAX)], const ty_mldsa_key *key,
                       ty_mldsa_content content);
size_t ty_mldsa_pub_encode(uint8_t out[TY_AT_LEAST(TY_MLDSA_PLAIN_MAX)], const ty_mldsa_pub *pub);

/* Reads either form; sets private_key, form and content of file. Accepts exactly what the functions
 * above write.
 *   err    TY_ERR_FORMAT, TY_ERR_UNSUPPORTED, TY_ERR_KEY: key is zeroed then */
TY_MUST_CHECK ty_err ty_mldsa_decode(ty_mldsa_key *key, ty_mldsa_file *file, const uint8_t *der,
                                     size_t der_len);

#endif
