/* Tongyu: ML-DSA keys as DER and PEM (RFC 9881). Only the canonical encoding is accepted. */
#ifndef TONGYU_MLDSA_KEY_H
#define TONGYU_MLDSA_KEY_H

#include "tongyu/key.h"
#include "tongyu/mldsa.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* What a PrivateKeyInfo holds: the seed of 32 bytes, the standard's encoding of the private key, or
 * both. */
typedef enum ty_mldsa_content { TY_MLDSA_SEED, TY_MLDSA_EXPANDED, TY_MLDSA_BOTH } ty_mldsa_content;

/* The form in which a key was read. */
typedef struct ty_mldsa_file {
    int private_key;            /* 1: key is complete; 0: only key.pub is set */
    ty_key_form form;           /* any but the two of SEC 1 */
    ty_key_coding coding;
    ty_mldsa_content content;   /* of a private key */
} ty_mldsa_file;

/* ty_mldsa_key_read: any of the forms, PEM or DER, recognised by its content. password may be NULL.
 * Wipe key when done.
 *   err    TY_ERR_FORMAT     TY_ERR_UNSUPPORTED: a key of another algorithm
 *          TY_ERR_KEY: seed and expanded key do not match, or the expanded key is damaged
 *          (ty_mldsa_key_set)
 *          TY_ERR_ARG: the key is encrypted and password is NULL
 *          TY_ERR_VERIFY: wrong password (or damaged)
 *          key and file are zeroed in all cases
 *   cost   that of a key generation for a private key
 *          stack: 68 KB
 *          spec: [RFC 9881, 4 and 6] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_key_read(ty_mldsa_key *key, ty_mldsa_file *file,
                                              const void *in, size_t in_len, const void *password,
                                              size_t password_len);

/* ty_mldsa_key_read_limited: the same within limits, see tongyu/key.h. */
TY_API TY_MUST_CHECK ty_err ty_mldsa_key_read_limited(ty_mldsa_key *key, ty_mldsa_file *file,
                                                      const void *in, size_t in_len,
                                                      const void *password, size_t password_len,
                                                      const ty_key_limits *limits);

/* ty_mldsa_key_write: a private key with this content, in TY_KEY_PKCS8 or one of the encrypted
 * forms.
 *   *out_len: the room at out, on return the bytes written. password, iterations and rng are for
 *   the encrypted forms only.
 *   err    TY_ERR_SIZE: too little room; *out_len is then the room needed
 *          TY_ERR_ARG: another form, key was never set, a seed that is not known; for an encrypted
 *          form no password, no rng, or iterations out of range (1 to 10^7)
 *          TY_ERR_RNG
 *          out is untouched in all cases */
#define TY_MLDSA_ENCODED_MAX 7168
TY_API TY_MUST_CHECK ty_err ty_mldsa_key_write(void *out, size_t *out_len, const ty_mldsa_key *key,
                                               ty_mldsa_content content, ty_key_form form,
                                               ty_key_coding coding, const void *password,
                                               size_t password_len, uint32_t iterations,
                                               const ty_rng *rng);

/* ty_mldsa_pub_write: the public key as SubjectPublicKeyInfo; *out_len and TY_ERR_SIZE as above.
 *   err    TY_ERR_ARG: pub was never set */
TY_API TY_MUST_CHECK ty_err ty_mldsa_pub_write(void *out, size_t *out_len, const ty_mldsa_pub *pub,
                                               ty_key_coding coding);

#if defined(__cplusplus)
}
#endif
#endif
