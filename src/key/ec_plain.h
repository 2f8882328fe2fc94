/* Keys on binary curves as DER that is not encrypted. Constant time in the private key; whether it
 * is valid is public. */
#ifndef TY_KEY_EC_PLAIN_H
#define TY_KEY_EC_PLAIN_H

#include "key/ec_frame.h"
#include "tongyu/ec_key.h"

/* The largest lengths: those of a field of 1023 bits. An explicit curve: SEQUENCE { version,
 * field, SEQUENCE { a, b }, generator, order, cofactor }: 4 + 3 + 42 + (4 + 2 x 131) + 261 + 137,
 * the last for order and cofactor, whose product is about 2^1023. A private key without its curve:
 * 4 + 3 + 13 + 4 + 4 + 3 + 131 + (4 + 4 + 258); to this the curve is added, once or twice, as a
 * file may contain it twice. */
#define TY_EC_CURVE_DER_MAX 713
#define TY_EC_PLAIN_ONCE    (428 + TY_EC_CURVE_DER_MAX)
#define TY_EC_PLAIN_MAX     (TY_EC_PLAIN_ONCE + 4 + TY_EC_CURVE_DER_MAX)

/* out[0..result) = DER of the OBJECT IDENTIFIER in dotted form, such as "1.3.132.0.27"; the result
 * is 0 if text is NULL or not valid. */
#define TY_OID_MAX 66
size_t ty_oid_encode(uint8_t out[TY_AT_LEAST(TY_OID_MAX)], const char *text);

/* out[0..result) = the curve's object identifier; if it has none, its explicit parameters; ASN.1
 * NULL if its field polynomial is neither a trinomial nor a pentanomial. */
size_t ty_ec_curve_encode(uint8_t out[TY_AT_LEAST(TY_EC_CURVE_DER_MAX)], const ty_ec_curve *curve);

/* out[0..result) = DER of the public key, or of the private key whose scalar is d. */
size_t ty_ec_encode(uint8_t out[TY_AT_LEAST(TY_EC_PLAIN_MAX)], const ty_ec_pub *pub,
                    const uint8_t *d, ty_key_form form, unsigned shape);

/* Reads any of the three forms; sets private_key and form of file. Accepts exactly what
 * ty_ec_encode writes.
 *   err    as ty_ec_key_read; after one, key contains no secrets, but room may contain a curve */
TY_MUST_CHECK ty_err ty_ec_decode(ty_ec_key *key, ty_ec_file *file, unsigned *shape,
                                  ty_ec_any *room, const uint8_t *der, size_t der_len);

#endif
