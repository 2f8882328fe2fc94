/* Tongyu: SM2 keys, signatures and ciphertexts as DER and PEM. Strict: only the one canonical encoding is read. */
#ifndef TONGYU_KEY_H
#define TONGYU_KEY_H

#include "tongyu/base.h"
#include "tongyu/sm2.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Signature: SEQUENCE { r INTEGER, s INTEGER } (GB/T 35276, 7.3). At most 72 bytes. */
#define TY_SM2_SIG_DER_MAX 72
TY_API void ty_sm2_sig_to_der(uint8_t out[TY_AT_LEAST(72)], size_t *out_len, const uint8_t sig[TY_AT_LEAST(64)]);
TY_API TY_MUST_CHECK ty_err ty_sm2_sig_from_der(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *in, size_t in_len);

/* Ciphertext: SEQUENCE { x INTEGER, y INTEGER, C3 OCTET STRING, C2 OCTET STRING } (GB/T 35276, 7.2) from and to C1C3C2.
 * *out_len: in, the room at out; out, the bytes written.  TY_ERR_SIZE: too little room, *out_len is what is needed */
TY_API TY_MUST_CHECK ty_err ty_sm2_ct_to_der(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);
TY_API TY_MUST_CHECK ty_err ty_sm2_ct_from_der(uint8_t *out, size_t *out_len, const uint8_t *in, size_t in_len);

typedef enum ty_key_form {
    TY_KEY_PKCS8,               /* private: PrivateKeyInfo (RFC 5958) */
    TY_KEY_PKCS8_PBES2,         /* private: EncryptedPrivateKeyInfo, PBES2 with PBKDF2-HMAC-SM3 and SM4-CBC */
    TY_KEY_PKCS8_PBES2_SHA256,  /* the same with PBKDF2-HMAC-SHA-256: OpenSSL before 4.0 has no HMAC-SM3 there */
    TY_KEY_SEC1,                /* private: ECPrivateKey (RFC 5915) */
    TY_KEY_SPKI                 /* public: SubjectPublicKeyInfo (RFC 5480) */
} ty_key_form;

typedef enum ty_key_coding { TY_KEY_PEM, TY_KEY_DER } ty_key_coding;

/* What was read: private_key says whether sm2 holds a private key; pub is set either way. ty_wipe it when done. */
typedef struct ty_key {
    int private_key;
    ty_key_form form;
    ty_key_coding coding;
    ty_sm2_key sm2;
    ty_sm2_pub pub;
} ty_key;

/* ty_key_read: any of the forms above, PEM or DER, recognised by its content. password may be NULL.
 *   err TY_ERR_FORMAT, TY_ERR_UNSUPPORTED, TY_ERR_KEY
 *       TY_ERR_ARG: the key is encrypted and password is NULL     TY_ERR_VERIFY: wrong password (or damaged) */
TY_API TY_MUST_CHECK ty_err ty_key_read(ty_key *key, const void *in, size_t in_len, const void *password, size_t password_len);

/* ty_key_write: *out_len as in ty_sm2_ct_to_der. password, iterations and rng are for the two encrypted forms only. */
#define TY_KEY_ENCODED_MAX 1024
TY_API TY_MUST_CHECK ty_err ty_key_write(void *out, size_t *out_len, const ty_key *key, ty_key_form form, ty_key_coding coding,
                                         const void *password, size_t password_len, uint32_t iterations, const ty_rng *rng);

#if defined(__cplusplus)
}
#endif
#endif
