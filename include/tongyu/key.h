/* Tongyu: SM2 keys, signatures and ciphertexts as DER and PEM. Strict: only the one canonical encoding is read. */
#ifndef TONGYU_KEY_H
#define TONGYU_KEY_H

#include "tongyu/base.h"
#include "tongyu/sm2.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Everywhere: out and in do not overlap. Time depends on what is public: forms, codings, lengths, public keys, signatures
 * and ciphertexts; never on a private key or a password. Nothing is allocated. */

/* ty_sm2_sig_to_der: *out_len = the length of SEQUENCE { r INTEGER, s INTEGER } in out[72], from sig = r || s.
 * ty_sm2_sig_from_der: sig[64] = r || s, from in[in_len], all of it.
 *   err    TY_ERR_FORMAT: not the one encoding of 1 <= r, s <= n-1; sig is untouched
 *   spec   [GB/T 35276-2017, 7.3] */
#define TY_SM2_SIG_DER_MAX 72
TY_API void ty_sm2_sig_to_der(uint8_t out[TY_AT_LEAST(72)], size_t *out_len, const uint8_t sig[TY_AT_LEAST(64)]);
TY_API TY_MUST_CHECK ty_err ty_sm2_sig_from_der(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *in, size_t in_len);

/* ty_sm2_ct_to_der: out = SEQUENCE { x INTEGER, y INTEGER, C3 OCTET STRING, C2 OCTET STRING }, from in = C1 || C3 || C2
 * with C1 = 04 || x || y.   ty_sm2_ct_from_der: the other way. Whether C1 is on the curve only decryption looks at.
 *   in     *out_len: the room at out; on return the bytes written
 *   err    TY_ERR_FORMAT: in is not such a ciphertext     TY_ERR_SIZE: too little room, *out_len is what is needed
 *          out is untouched in both cases
 *   spec   [GB/T 35276-2017, 7.2] */
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

/* ty_key_read: any of the forms above, PEM or DER, recognised by its content.
 *   in     password[password_len]: any bytes; NULL: none
 *   err    TY_ERR_FORMAT: not a canonical encoding of any of them     TY_ERR_UNSUPPORTED: a key of another algorithm or
 *          curve, or encrypted in another way     TY_ERR_KEY: scalar out of range, point not on the curve, or the two
 *          do not belong together     TY_ERR_ARG: encrypted, and password is NULL     TY_ERR_VERIFY: wrong password, or
 *          damaged     key is zeroed in all cases
 *   spec   [RFC 5958] [RFC 8018, 6.2] [RFC 5915] [RFC 5480] */
TY_API TY_MUST_CHECK ty_err ty_key_read(ty_key *key, const void *in, size_t in_len, const void *password, size_t password_len);

/* ty_key_write: out = key in that form.
 *   in     *out_len as in ty_sm2_ct_to_der; TY_KEY_ENCODED_MAX is always enough. The three arguments at the end are for the
 *          two encrypted forms alone: a password, the rounds of PBKDF2 (1 to 10^7), the source of salt and IV
 *   err    TY_ERR_ARG: key has no private half and the form wants one, no password, no source, or rounds out of range
 *          TY_ERR_SIZE: too little room, *out_len is what is needed     TY_ERR_RNG     out is untouched in all cases */
#define TY_KEY_ENCODED_MAX 1024
TY_API TY_MUST_CHECK ty_err ty_key_write(void *out, size_t *out_len, const ty_key *key, ty_key_form form, ty_key_coding coding,
                                         const void *password, size_t password_len, uint32_t iterations, const ty_rng *rng);

#if defined(__cplusplus)
}
#endif
#endif
