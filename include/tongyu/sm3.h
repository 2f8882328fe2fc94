/* Tongyu: SM3 (GB/T 32905-2016), HMAC-SM3, the KDF of GB/T 32918.4 and PBKDF2-HMAC-SM3. */
#ifndef TONGYU_SM3_H
#define TONGYU_SM3_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SM3_LEN   32  /* bytes of a digest, and of an HMAC */
#define TY_SM3_BLOCK 64  /* bytes of a block */

/* A running hash. May be copied to fork the state. 104 bytes, alignment of uint64_t; the fields are private. */
typedef struct ty_sm3 {
    uint32_t h[8];
    uint64_t len;                 /* bytes absorbed so far */
    uint8_t block[TY_SM3_BLOCK];  /* the last len mod 64 of them */
} ty_sm3;

/* ty_sm3_init: an empty message. */
TY_API void ty_sm3_init(ty_sm3 *c);

/* ty_sm3_update: append msg[msg_len] to the message. Chunks may have any length; msg may be NULL when msg_len is 0.
 *   limit  2^61 - 1 bytes in one message (its length in bits has to fit 64); beyond that the digest means nothing
 *   time   secret: the message, the state; public: msg_len and the number of bytes absorbed before */
TY_API void ty_sm3_update(ty_sm3 *c, const uint8_t *msg, size_t msg_len);

/* ty_sm3_final: out = the digest of the whole message.
 *   after  c is wiped and must be initialised before it is used again
 *   spec   [GB/T 32905-2016, 5] */
TY_API void ty_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_sm3 *c);

/* ty_sm3_hash: out = SM3(msg), in one call.     alias: out may overlap msg */
TY_API void ty_sm3_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len);

/* A running HMAC-SM3. The two padded key blocks are hashed once, at init. May be copied, like ty_sm3; it is as
 * secret as the key, so ty_wipe it when done. 312 bytes; the fields are private. */
typedef struct ty_hmac_sm3 {
    ty_sm3 now, inner, outer;
} ty_hmac_sm3;

/* ty_hmac_sm3_init: take the key; a key longer than 64 bytes is hashed first, as the RFC says.
 *   in     key[key_len], any length; key may be NULL when key_len is 0
 *   time   secret: the key; public: key_len */
TY_API void ty_hmac_sm3_init(ty_hmac_sm3 *c, const uint8_t *key, size_t key_len);

/* ty_hmac_sm3_update: append to the message; as ty_sm3_update. */
TY_API void ty_hmac_sm3_update(ty_hmac_sm3 *c, const uint8_t *msg, size_t msg_len);

/* ty_hmac_sm3_final: out = the tag. To check a tag, compute it and compare with ty_equal.
 *   after  c is ready for another message under the same key
 *   spec   [RFC 2104, 2] with SM3 */
TY_API void ty_hmac_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_hmac_sm3 *c);

/* ty_hmac_sm3_mac: out = HMAC-SM3(key, msg), in one call; nothing of the key is left behind. */
TY_API void ty_hmac_sm3_mac(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                            const uint8_t *key, size_t key_len);

/* ty_kdf_sm3: out = SM3(z || 1) || SM3(z || 2) || ..., counters of 32 bits, cut to out_len bytes.
 *   in     z[z_len]; out_len may be 0
 *   err    TY_ERR_SIZE: out_len > 32 (2^32 - 1); out is untouched
 *   time   secret: z; public: the lengths           alias: out may overlap z
 *   spec   [GB/T 32918.4-2016, 5.4.3] */
TY_API TY_MUST_CHECK ty_err ty_kdf_sm3(uint8_t *out, size_t out_len, const uint8_t *z, size_t z_len);

/* ty_pbkdf2_sm3: a key from a password, slowly: two compressions for each iteration and each 32 bytes of out.
 *   in     password[password_len], salt[salt_len], any lengths; iterations >= 1
 *   err    TY_ERR_ARG: iterations == 0     TY_ERR_SIZE: out_len > 32 (2^32 - 1)     out is untouched by either
 *   time   secret: password; public: the lengths, iterations           alias: out may not overlap salt
 *   spec   [RFC 8018, 5.2] with HMAC-SM3 */
TY_API TY_MUST_CHECK ty_err ty_pbkdf2_sm3(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
                                          const uint8_t *salt, size_t salt_len, uint32_t iterations);

#if defined(__cplusplus)
}
#endif
#endif
