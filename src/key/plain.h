/* SM2 keys as DER that is not encrypted: PrivateKeyInfo, ECPrivateKey, SubjectPublicKeyInfo.
 * Constant time in the private key; whether it is valid is public. */
#ifndef TY_KEY_PLAIN_H
#define TY_KEY_PLAIN_H

#include "key/ec_frame.h"

#define TY_KEY_PLAIN_MAX 150   /* PrivateKeyInfo with everything: 3 + 3 + 21 + 2 + 121 */

/* out[0..result) = DER of the key in one of the three plain forms.    result <= TY_KEY_PLAIN_MAX */
size_t ty_key_encode(uint8_t out[TY_AT_LEAST(TY_KEY_PLAIN_MAX)], const ty_key *key,
                     ty_key_form form, unsigned shape);

/* Reads any of the three; sets private_key, form, sm2 and pub. Accepts exactly what ty_key_encode
 * writes for that key, form and shape: the parser finds these, and the key is then encoded again
 * and compared.
 *   err    TY_ERR_FORMAT, TY_ERR_UNSUPPORTED, TY_ERR_KEY: key then contains no secrets */
TY_MUST_CHECK ty_err ty_key_decode(ty_key *key, unsigned *shape, const uint8_t *der,
                                   size_t der_len);

#endif
