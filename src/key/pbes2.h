/* A private key under a password: EncryptedPrivateKeyInfo with PBES2 (RFC 8018, 6.2), SM4 or AES in
 * CBC mode, and PBKDF2 with any HMAC that the standard names, HMAC-SM3, or scrypt (RFC 7914, 7). */
#ifndef TY_KEY_PBES2_H
#define TY_KEY_PBES2_H

#include "tongyu/key.h"

#define TY_PBES2_SALT           16          /* bytes of salt we write */
#define TY_PBES2_SALT_MAX       64          /* the most that we read */
/* the longest ciphertext, that of ML-DSA-87's PrivateKeyInfo; SM2's has 160 bytes */
#define TY_PBES2_SECRET_MAX     4976
#define TY_PBES2_MAX            (TY_PBES2_SECRET_MAX + TY_PBES2_SALT_MAX + 128)

/* The KDF, or the PRF of PBKDF2. hmacWithSM3 has two identifiers: OpenSSL 3.5 (not 3.0, which has
 * none) and GM/T 0091-2020 A.2 say 1.2.156.10197.1.401.3.1; GM/T 0091-2020 C, GmSSL and gmsm say
 * 1.2.156.10197.1.401.2. We write the first and read both. hmacWithSHA256 is what OpenSSL writes by
 * default, with any cipher. UNNAMED: no PRF is named, which means HMAC-SHA-1. */
typedef enum ty_pbes2_kdf {
    TY_PBES2_401_3_1,
    TY_PBES2_401_2,
    TY_PBES2_SHA1,
    TY_PBES2_SHA224,
    TY_PBES2_SHA256,
    TY_PBES2_SHA384,
    TY_PBES2_SHA512,
    TY_PBES2_SHA512_224,
    TY_PBES2_SHA512_256,
    TY_PBES2_UNNAMED,
    TY_PBES2_SCRYPT
} ty_pbes2_kdf;

typedef enum ty_pbes2_cipher {
    TY_PBES2_SM4,
    TY_PBES2_AES128,
    TY_PBES2_AES192,
    TY_PBES2_AES256
} ty_pbes2_cipher;

typedef struct ty_pbes2 {
    uint8_t salt[TY_PBES2_SALT_MAX], iv[16], secret[TY_PBES2_SECRET_MAX];
    size_t salt_len, secret_len;
    ty_pbes2_kdf kdf;
    ty_pbes2_cipher cipher;
    uint32_t iterations;   /* of PBKDF2 */
    uint64_t n;            /* the costs of scrypt */
    uint32_t r, p;
    int prf_null;          /* the PRF has NULL parameters, as OpenSSL writes, or none */
    int names_length;      /* keyLength is present; optional for a cipher with one key length */
} ty_pbes2;

/* out[0..result) = DER;  0: no room */
size_t ty_pbes2_encode(uint8_t *out, size_t room, const ty_pbes2 *p);

/* *p = the contents of der[der_len], an EncryptedPrivateKeyInfo.
 *   err    TY_ERR_FORMAT   TY_ERR_UNSUPPORTED: other algorithms, or beyond the limits above */
TY_MUST_CHECK ty_err ty_pbes2_decode(ty_pbes2 *p, const uint8_t *der, size_t der_len);

/* The cost of the key derivation in iterations of PBKDF2; each of scrypt's N r p steps is counted
 * as one, and takes about as long. */
uint64_t ty_pbes2_cost(const ty_pbes2 *p);

/* Names for display: "PBKDF2-HMAC-SM3", "SM4-CBC". */
const char *ty_pbes2_kdf_name(ty_pbes2_kdf kdf);
const char *ty_pbes2_cipher_name(ty_pbes2_cipher cipher);
size_t ty_pbes2_key_len(ty_pbes2_cipher cipher);
#define TY_PBES2_KEY_MAX 32

/* The encryption in ty_pbes2_decrypt and ty_pbes2_encrypt, also for formats other than PBES2:
 * out[*out_len] = in[len] in CBC mode with PKCS #7 padding. Room at out: len bytes to decrypt; to
 * encrypt, len + 1 rounded up to whole blocks.
 *   err    TY_ERR_FORMAT: len is not a positive multiple of 16
 *          TY_ERR_VERIFY: the padding, and so the key, is wrong
 *          alias: none */
void ty_pbes2_cbc_encrypt(uint8_t *out, size_t *out_len, const uint8_t *in, size_t len,
                          ty_pbes2_cipher cipher, const uint8_t *key,
                          const uint8_t iv[TY_AT_LEAST(16)]);
TY_MUST_CHECK ty_err ty_pbes2_cbc_decrypt(uint8_t *out, size_t *out_len, const uint8_t *in,
                                          size_t len, ty_pbes2_cipher cipher, const uint8_t *key,
                                          const uint8_t iv[TY_AT_LEAST(16)]);

/* secret = plain[plain_len] and padding, encrypted under the password.
 *   err    TY_ERR_SIZE: plain_len > TY_PBES2_SECRET_MAX - 1     TY_ERR_ARG: the KDF is scrypt */
TY_MUST_CHECK ty_err ty_pbes2_encrypt(ty_pbes2 *p, const uint8_t *plain, size_t plain_len,
                                      const void *password, size_t password_len);

/* plain[0..*plain_len) from secret, within the limits.
 *   err    TY_ERR_VERIFY: the padding, and so the password, is wrong
 *          TY_ERR_UNSUPPORTED: it would cost more than `limits` allows
 *          TY_ERR_FORMAT: scrypt's costs are not valid */
TY_MUST_CHECK ty_err ty_pbes2_decrypt(uint8_t plain[TY_AT_LEAST(TY_PBES2_SECRET_MAX)],
                                      size_t *plain_len, const ty_pbes2 *p, const void *password,
                                      size_t password_len, const ty_key_limits *limits);

#endif
