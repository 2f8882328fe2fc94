/* Tongyu: SM4 (GB/T 32907-2016) in ECB, CBC, CTR and GCM (GB/T 17964-2021, NIST SP 800-38A and 38D, RFC 8998). */
#ifndef TONGYU_SM4_H
#define TONGYU_SM4_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* A key, laid out for the tier it was made on. The fields are private. ty_wipe it when done. */
typedef struct ty_sm4_key {
    const void *ops;
    uint32_t rk[32];
} ty_sm4_key;

TY_API void ty_sm4_init(ty_sm4_key *key, const uint8_t bytes[TY_AT_LEAST(16)]);

/* One-shot. in and out may be the same buffer, or not overlap. len counts bytes. */
TY_API TY_MUST_CHECK ty_err ty_sm4_ecb_encrypt(uint8_t *out, const uint8_t *in, size_t len, const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_ecb_decrypt(uint8_t *out, const uint8_t *in, size_t len, const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);
/* CTR: the whole 16-byte block counts, big-endian, wrapping mod 2^128 */
TY_API void ty_sm4_ctr(uint8_t *out, const uint8_t *in, size_t len,
                       const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);

/* Streaming ECB/CBC: any chunking, with PKCS#7 or no padding. */
/* Streaming CTR: any chunking. */

/* GCM with its own key object (the hash key and its powers are made once). */
typedef struct ty_sm4_gcm_key ty_sm4_gcm_key;
/* ty_sm4_gcm_init(key, bytes[16])
 * ty_sm4_gcm_seal(out, tag, tag_len, in, in_len, aad, aad_len, nonce, nonce_len, key)      tag_len 12..16
 * ty_sm4_gcm_open(out, in, in_len, tag, tag_len, aad, aad_len, nonce, nonce_len, key)      TY_ERR_VERIFY: out zeroed
 * streaming: ty_sm4_gcm (init, aad, encrypt/decrypt update, final -> tag / final verify) */

#if defined(__cplusplus)
}
#endif
#endif
