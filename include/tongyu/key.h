/* Tongyu: SM2 keys, signatures and ciphertexts as DER and PEM. Only the canonical encoding is
 * accepted. */
#ifndef TONGYU_KEY_H
#define TONGYU_KEY_H

#include "tongyu/base.h"
#include "tongyu/sm2.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* In all functions, out and in do not overlap. Time depends only on public data (forms, codings,
 * lengths, public keys, signatures and ciphertexts), never on a private key or a password. Nothing
 * is allocated. */

/* ty_sm2_sig_to_der: *out_len = the length of SEQUENCE { r INTEGER, s INTEGER } in out[72], from
 * sig = r || s.
 * ty_sm2_sig_from_der: sig[64] = r || s, from in[in_len].
 *   err    TY_ERR_FORMAT: in is not the canonical encoding of 1 <= r, s <= n-1, or bytes follow it;
 *          sig is untouched
 *   spec   [GB/T 35276-2017, 7.3] */
#define TY_SM2_SIG_DER_MAX 72
TY_API void ty_sm2_sig_to_der(uint8_t out[TY_AT_LEAST(72)], size_t *out_len,
                              const uint8_t sig[TY_AT_LEAST(64)]);
TY_API TY_MUST_CHECK ty_err ty_sm2_sig_from_der(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *in,
                                                size_t in_len);

/* ty_sm2_ct_to_der: out = SEQUENCE { x INTEGER, y INTEGER, C3 OCTET STRING, C2 OCTET STRING }, from
 * in = C1 || C3 || C2 with C1 = 04 || x || y.
 * ty_sm2_ct_from_der: the inverse. Whether C1 is on the curve is only checked by decryption.
 *   in     *out_len: the room at out; on return the number of bytes written
 *   err    TY_ERR_FORMAT: in is not such a ciphertext
 *          TY_ERR_SIZE: too little room; *out_len is then the room needed
 *          out is untouched in both cases
 *   spec   [GB/T 35276-2017, 7.2] */
TY_API TY_MUST_CHECK ty_err ty_sm2_ct_to_der(uint8_t *out, size_t *out_len, const uint8_t *in,
                                             size_t in_len);
TY_API TY_MUST_CHECK ty_err ty_sm2_ct_from_der(uint8_t *out, size_t *out_len, const uint8_t *in,
                                               size_t in_len);

typedef enum ty_key_form {
    TY_KEY_PKCS8,               /* private: PrivateKeyInfo (RFC 5958) */
    /* private: EncryptedPrivateKeyInfo, PBES2 with PBKDF2-HMAC-SM3 and SM4-CBC */
    TY_KEY_PKCS8_PBES2,
    /* the same with PBKDF2-HMAC-SHA-256: OpenSSL 3.0 has no PBKDF2-HMAC-SM3 */
    TY_KEY_PKCS8_PBES2_SHA256,
    TY_KEY_SEC1,                /* private: ECPrivateKey (RFC 5915) */
    TY_KEY_SPKI,                /* public: SubjectPublicKeyInfo (RFC 5480) */
    /* private: PBES2 with PBKDF2-HMAC-SHA-256 and AES-256-CBC, OpenSSL's default */
    TY_KEY_PKCS8_PBES2_AES256,
    /* only read, never written: */
    /* PBES2 with another cipher (SM4 or AES in CBC mode), HMAC (SHA-1, SHA-2), or scrypt */
    TY_KEY_PKCS8_PBES2_OTHER,
    /* the shrouded key bag of PKCS #12 (RFC 7292), with PBES2; its MAC is not examined */
    TY_KEY_PKCS12,
    /* ECPrivateKey in PEM with Proc-Type and DEK-Info lines: the KDF is one iteration of MD5 */
    TY_KEY_SEC1_OPENSSL,
    /* SM2EnvelopedKey (GB/T 35276-2017, 7.4), read only by ty_key_from_enveloped */
    TY_KEY_ENVELOPED
} ty_key_form;

typedef enum ty_key_coding { TY_KEY_PEM, TY_KEY_DER } ty_key_coding;

/* A key, and the form in which it was read. private_key: 1 if sm2 holds a private key, else 0; pub
 * is set in both cases. ty_wipe it when done. */
typedef struct ty_key {
    int private_key;
    ty_key_form form;
    ty_key_coding coding;
    ty_sm2_key sm2;
    ty_sm2_pub pub;
} ty_key;

/* ty_key_read: a key in any of the forms above except TY_KEY_ENVELOPED, PEM or DER, recognised by
 * its content.
 *   in     password[password_len]: any bytes; NULL: none
 *   err    TY_ERR_FORMAT: not a canonical encoding of any of them
 *          TY_ERR_UNSUPPORTED: a key of another algorithm or curve, or encrypted in another way
 *          TY_ERR_KEY: scalar out of range, point not on the curve, or public and private key do
 *          not match
 *          TY_ERR_ARG: encrypted, and password is NULL
 *          TY_ERR_VERIFY: wrong password, or damaged
 *          key is zeroed in all cases
 *   spec   [RFC 5958] [RFC 8018, 6.2] [RFC 5915] [RFC 5480] */
TY_API TY_MUST_CHECK ty_err ty_key_read(ty_key *key, const void *in, size_t in_len,
                                        const void *password, size_t password_len);

/* ty_key_from_enveloped: the SM2 key in in[in_len], an SM2EnvelopedKey in DER, which an authority
 * made for the recipient.
 *   err    TY_ERR_FORMAT
 *          TY_ERR_UNSUPPORTED: encrypted with a cipher other than SM4
 *          TY_ERR_VERIFY: not for this recipient, or damaged: the private key does not match the
 *          public key in the message     key is zeroed in all cases
 *   time   secret: both private keys     spec: [GB/T 35276-2017, 7.4] */
TY_API TY_MUST_CHECK ty_err ty_key_from_enveloped(ty_key *key, const void *in, size_t in_len,
                                                  const ty_sm2_key *recipient);

/* The cost that a reader accepts for the derivation of a key from a password. Functions named
 * _limited take it; the others, and NULL, allow TY_KEY_ITERATIONS iterations (four seconds)
 * and no scrypt, which needs memory.
 *   iterations   the maximum for PBKDF2, whose iterations are counted for each block of output (of
 *                the digest's length), and for N r p of scrypt, a unit of which takes about as long
 *   memory       for scrypt, aligned as by malloc; it is overwritten, and wiped afterwards. NULL:
 *                scrypt is refused */
#define TY_KEY_ITERATIONS 10000000
typedef struct ty_key_limits {
    uint64_t iterations;
    void *memory;
    size_t memory_len;
} ty_key_limits;

/* ty_key_read_limited: ty_key_read with limits.
 *   err    TY_ERR_UNSUPPORTED: also if the cost exceeds the limits, before a key is derived */
TY_API TY_MUST_CHECK ty_err ty_key_read_limited(ty_key *key, const void *in, size_t in_len,
                                                const void *password, size_t password_len,
                                                const ty_key_limits *limits);

/* ty_key_cost_get: *cost = how a key file, of any algorithm, is encrypted, and the cost of deriving
 * its key from the password.
 *   err    TY_ERR_FORMAT, TY_ERR_UNSUPPORTED: as ty_key_read, for errors in the file that do not
 *          depend on the password; *cost is then zeroed */
typedef struct ty_key_cost {
    int encrypted;             /* 1 or 0; if 0, so are all other fields */
    ty_key_form form;
    ty_key_coding coding;
    const char *kdf, *cipher;  /* names for display: "PBKDF2-HMAC-SM3", "SM4-CBC" */
    uint64_t iterations;       /* as in ty_key_limits */
    size_t memory;             /* for scrypt; 0: another KDF, or more than a size_t can hold */
} ty_key_cost;
TY_API TY_MUST_CHECK ty_err ty_key_cost_get(ty_key_cost *cost, const void *in, size_t in_len);

/* ty_key_decrypt: out = the key in an encrypted file, of any algorithm, as unencrypted DER. For
 * callers that do not yet know which reader to call: the KDF runs only once.
 *   in     *out_len as in ty_sm2_ct_to_der; TY_KEY_DECRYPTED_MAX is always enough
 *   err    those of ty_key_read_limited for the file and its password
 *          TY_ERR_ARG: not encrypted, or password is NULL
 *          TY_ERR_SIZE: too little room; *out_len is then the room needed
 *          TY_ERR_VERIFY: also if the plaintext does not begin like PrivateKeyInfo, or, for
 *          TY_KEY_SEC1_OPENSSL, like ECPrivateKey: if it is PEM or a key encrypted twice, and
 *          nearly always if the password is wrong. If a reader returns TY_ERR_FORMAT for out, it
 *          would return TY_ERR_VERIFY for the file */
#define TY_KEY_DECRYPTED_MAX 5168
TY_API TY_MUST_CHECK ty_err ty_key_decrypt(void *out, size_t *out_len, const void *in,
                                           size_t in_len, const void *password, size_t password_len,
                                           const ty_key_limits *limits);

/* ty_key_write: out = key in that form.
 *   in     *out_len as in ty_sm2_ct_to_der; TY_KEY_ENCODED_MAX is always enough. Only the encrypted
 *          forms use password, iterations (of PBKDF2, 1 to 10^7) and rng (for salt and IV)
 *   err    TY_ERR_ARG: a form that is only read; key has no private key and the form needs one; no
 *          password, no rng, or iterations out of range
 *          TY_ERR_SIZE: too little room; *out_len is then the room needed
 *          TY_ERR_RNG
 *          out is untouched in all cases */
#define TY_KEY_ENCODED_MAX 1024
TY_API TY_MUST_CHECK ty_err ty_key_write(void *out, size_t *out_len, const ty_key *key,
                                         ty_key_form form, ty_key_coding coding,
                                         const void *password, size_t password_len,
                                         uint32_t iterations, const ty_rng *rng);

#if defined(__cplusplus)
}
#endif
#endif
