/* Tongyu: keys on binary curves, and ECDSA signatures, as DER and PEM. Only the canonical encoding
 * is accepted. */
#ifndef TONGYU_EC_KEY_H
#define TONGYU_EC_KEY_H

#include "tongyu/ec.h"
#include "tongyu/ec_any.h"
#include "tongyu/key.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A file names its curve by the object identifier, if it has one. A curve without an identifier is
 * written with explicit parameters, as ANSI X9.62 defines them (OpenSSL: -param_enc explicit). If
 * its polynomial has neither three nor five terms, which that standard cannot express, NULL is
 * written, and the reader has to know the curve. */

/* The form in which a key was read. */
typedef struct ty_ec_file {
    int private_key;            /* 1: key is complete; 0: only key.pub is set */
    ty_key_form form;
    ty_key_coding coding;
} ty_ec_file;

/* ty_ec_key_read: any of the forms, PEM or DER, recognised by its content.
 *   in     room: NULL for only the curves of ty_ec_curve_at; or zeroed memory, in which a curve of
 *          ty_ec_standard_at is set up if it is the key's; or a curve of ty_ec_any_init, which may
 *          then be the key's as well. key may point into room, which must outlive it.
 *          password may be NULL. Wipe key when done
 *   err    TY_ERR_FORMAT
 *          TY_ERR_UNSUPPORTED: a key of another algorithm or curve, or encrypted in another way
 *          TY_ERR_KEY: scalar out of range, point not on the curve or not of its order, or public
 *          and private key do not match
 *          TY_ERR_ARG: encrypted, and password is NULL
 *          TY_ERR_VERIFY: wrong password, or damaged
 *          TY_ERR_FAULT: the machine computed a wrong point
 *          key and file are zeroed in all cases, and room is unchanged
 *   time   secret: the private key, the password
 *          spec: [RFC 5915] [RFC 5958] [RFC 8018, 6.2] [RFC 5480] [SEC 1 v2, C.4] */
TY_API TY_MUST_CHECK ty_err ty_ec_key_read(ty_ec_key *key, ty_ec_file *file, ty_ec_any *room,
                                           const void *in, size_t in_len, const void *password,
                                           size_t password_len);

/* ty_ec_key_read_limited: the same within limits, see tongyu/key.h. */
TY_API TY_MUST_CHECK ty_err ty_ec_key_read_limited(ty_ec_key *key, ty_ec_file *file,
                                                   ty_ec_any *room, const void *in, size_t in_len,
                                                   const void *password, size_t password_len,
                                                   const ty_key_limits *limits);

/* ty_ec_key_write: a private key, in any form that is written except TY_KEY_SPKI; *out_len: the
 * room at out, on return the bytes written; TY_EC_ENCODED_MAX is always enough. password,
 * iterations and rng are for the encrypted forms only.
 * ty_ec_pub_write: a public key as SubjectPublicKeyInfo, its point compressed if compressed is not
 * 0.
 *   err    TY_ERR_SIZE: too little room; *out_len is then the room needed
 *          TY_ERR_ARG: another form, key has no private key, no password, no rng, or iterations out
 *          of range (1 to 10^7)
 *          TY_ERR_RNG
 *          out is untouched in all cases */
#define TY_EC_ENCODED_MAX 2304
TY_API TY_MUST_CHECK ty_err ty_ec_key_write(void *out, size_t *out_len, const ty_ec_key *key,
                                            ty_key_form form, ty_key_coding coding,
                                            const void *password, size_t password_len,
                                            uint32_t iterations, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_ec_pub_write(void *out, size_t *out_len, const ty_ec_pub *pub,
                                            ty_key_coding coding, int compressed);

/* ty_ecdsa_sig_to_der: *out_len = the length of SEQUENCE { r INTEGER, s INTEGER } in
 * out[TY_ECDSA_DER_MAX], from sig = r || s, order_len bytes each.
 * ty_ecdsa_sig_from_der: the inverse, from in[in_len].
 *   err    TY_ERR_FORMAT: in is not the canonical encoding of 1 <= r, s <= n-1, or bytes follow it;
 *          sig is untouched
 *   time   public     spec: [RFC 3279, 2.2.3] */
#define TY_ECDSA_DER_MAX 268
TY_API void ty_ecdsa_sig_to_der(uint8_t *out, size_t *out_len, const uint8_t *sig,
                                const ty_ec_curve *curve);
TY_API TY_MUST_CHECK ty_err ty_ecdsa_sig_from_der(uint8_t *sig, const uint8_t *in, size_t in_len,
                                                  const ty_ec_curve *curve);

#if defined(__cplusplus)
}
#endif
#endif
