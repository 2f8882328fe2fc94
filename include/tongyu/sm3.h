/* Tongyu: SM3 (GB/T 32905-2016), HMAC-SM3, the KDF of GB/T 32918.4 and PBKDF2-HMAC-SM3. */
#ifndef TONGYU_SM3_H
#define TONGYU_SM3_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SM3_LEN   32  /* bytes of a digest */
#define TY_SM3_BLOCK 64  /* bytes of a block */

/* A running hash. May be copied to fork the state. 104 bytes; the fields are private. */
typedef struct ty_sm3 {
    uint32_t h[8];
    uint64_t len;
    uint8_t block[TY_SM3_BLOCK];
} ty_sm3;

TY_API void ty_sm3_init(ty_sm3 *c);
TY_API void ty_sm3_update(ty_sm3 *c, const uint8_t *msg, size_t msg_len);
/* ty_sm3_final: out = digest; c is wiped and must be initialised before it is used again. */
TY_API void ty_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_sm3 *c);
TY_API void ty_sm3_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len);

/* A running HMAC-SM3 (RFC 2104). The two padded key blocks are hashed once, at init; final leaves the object
 * ready for another message under the same key. ty_wipe it when done. */
typedef struct ty_hmac_sm3 {
    ty_sm3 now, inner, outer;
} ty_hmac_sm3;

TY_API void ty_hmac_sm3_init(ty_hmac_sm3 *c, const uint8_t *key, size_t key_len);
TY_API void ty_hmac_sm3_update(ty_hmac_sm3 *c, const uint8_t *msg, size_t msg_len);
TY_API void ty_hmac_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_hmac_sm3 *c);
TY_API void ty_hmac_sm3_mac(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                            const uint8_t *key, size_t key_len);

/* ty_kdf_sm3: out = SM3(z || 1) || SM3(z || 2) || ..., cut to out_len.  err TY_ERR_SIZE: out_len > 32 (2^32 - 1) */
TY_API TY_MUST_CHECK ty_err ty_kdf_sm3(uint8_t *out, size_t out_len, const uint8_t *z, size_t z_len);

/* ty_pbkdf2_sm3: RFC 8018 section 5.2 with HMAC-SM3.  err TY_ERR_ARG: iterations == 0  TY_ERR_SIZE */
TY_API TY_MUST_CHECK ty_err ty_pbkdf2_sm3(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
                                          const uint8_t *salt, size_t salt_len, uint32_t iterations);

#if defined(__cplusplus)
}
#endif
#endif
