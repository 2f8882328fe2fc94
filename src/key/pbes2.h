/* A private key under a password: EncryptedPrivateKeyInfo with PBES2 (RFC 8018, 6.2), SM4-CBC, and PBKDF2 with
 * HMAC-SM3 or HMAC-SHA-256. */
#ifndef TY_KEY_PBES2_H
#define TY_KEY_PBES2_H

#include "tongyu/base.h"

#define TY_PBES2_SALT           16          /* bytes of salt we write */
#define TY_PBES2_SALT_MAX       64          /* and read */
#define TY_PBES2_ITERATIONS_MAX 10000000    /* more would be an attack on the reader: ten seconds for one key */
#define TY_PBES2_SECRET_MAX     4976        /* bytes of ciphertext: SM2's PrivateKeyInfo takes 160, ML-DSA-87's this */
#define TY_PBES2_MAX            (TY_PBES2_SECRET_MAX + TY_PBES2_SALT_MAX + 128)

/* hmacWithSM3 has two identifiers: OpenSSL 4.0 (not 3.0, which has none) and GM/T 0091-2020 A.2 say 1.2.156.10197.1.401.3.1;
 * GM/T 0091-2020 C, GmSSL and gmsm say 1.2.156.10197.1.401.2. We write the first and read both.
 * hmacWithSHA256 is what OpenSSL writes by default, with any cipher. */
typedef enum ty_pbes2_prf { TY_PBES2_401_3_1, TY_PBES2_401_2, TY_PBES2_SHA256 } ty_pbes2_prf;

typedef struct ty_pbes2 {
    uint8_t salt[TY_PBES2_SALT_MAX], iv[16], secret[TY_PBES2_SECRET_MAX];
    size_t salt_len, secret_len;
    uint32_t iterations;
    ty_pbes2_prf prf;
    int prf_null;      /* the PRF has NULL parameters, as OpenSSL writes, or none */
    int names_length;  /* keyLength 16 is given; optional for a cipher with one key length */
} ty_pbes2;

/* out[0..result) = DER;  0: no room */
size_t ty_pbes2_encode(uint8_t *out, size_t room, const ty_pbes2 *p);

/*   err    TY_ERR_FORMAT   TY_ERR_UNSUPPORTED: other algorithms, or beyond the limits above */
TY_MUST_CHECK ty_err ty_pbes2_decode(ty_pbes2 *p, const uint8_t *der, size_t der_len);

/* secret = SM4-CBC of plain[plain_len] and padding, under the password.   err TY_ERR_SIZE: plain_len > TY_PBES2_SECRET_MAX - 1 */
TY_MUST_CHECK ty_err ty_pbes2_encrypt(ty_pbes2 *p, const uint8_t *plain, size_t plain_len, const void *password,
                                      size_t password_len);

/* plain[0..*plain_len) from secret.   err TY_ERR_VERIFY: the padding is wrong, so the password is */
TY_MUST_CHECK ty_err ty_pbes2_decrypt(uint8_t plain[TY_AT_LEAST(TY_PBES2_SECRET_MAX)], size_t *plain_len, const ty_pbes2 *p,
                                      const void *password, size_t password_len);

#endif
