/* Tongyu: SHA-2 (FIPS 180-4): SHA-224 and SHA-256, by the CPU's SHA instructions where it has
 * them; SHA-384, SHA-512, SHA-512/224 and SHA-512/256, in portable C. For other standards that need
 * SHA-2: pre-hashed signatures, keys that other programs encrypted. */
#ifndef TONGYU_SHA2_H
#define TONGYU_SHA2_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SHA224_LEN     28  /* bytes of a digest */
#define TY_SHA256_LEN     32
#define TY_SHA384_LEN     48
#define TY_SHA512_LEN     64
#define TY_SHA512_224_LEN 28
#define TY_SHA512_256_LEN 32

#define TY_SHA256_BLOCK 64  /* bytes of a block, also for SHA-224 */
#define TY_SHA512_BLOCK 128

/* A running SHA-256 or SHA-224. May be copied to fork the state. 104 bytes, alignment of uint64_t;
 * the fields are private. */
typedef struct ty_sha256 {
    uint32_t h[8];
    uint64_t len;                    /* bytes absorbed so far */
    uint8_t block[TY_SHA256_BLOCK];  /* the last len mod 64 of them */
} ty_sha256;

/* A running SHA-512, SHA-384, SHA-512/224 or SHA-512/256: 200 bytes. */
typedef struct ty_sha512 {
    uint64_t h[8];
    uint64_t len;
    uint8_t block[TY_SHA512_BLOCK];
} ty_sha512;

/* ty_sha*_init: an empty message. */
TY_API void ty_sha224_init(ty_sha256 *c);
TY_API void ty_sha256_init(ty_sha256 *c);
TY_API void ty_sha384_init(ty_sha512 *c);
TY_API void ty_sha512_init(ty_sha512 *c);
TY_API void ty_sha512_224_init(ty_sha512 *c);
TY_API void ty_sha512_256_init(ty_sha512 *c);

/* ty_sha256_update, ty_sha512_update: append msg[msg_len] to the message of any hash with that
 * state. Chunks may have any length; msg may be NULL when msg_len is 0.
 *   limit  2^61 - 1 bytes in one message (the standard allows 2^125 - 1 for SHA-512 and its kind);
 *          beyond it the digest is meaningless
 *   time   secret: the message, the state; public: msg_len and the number of bytes absorbed
 *          before */
TY_API void ty_sha256_update(ty_sha256 *c, const uint8_t *msg, size_t msg_len);
TY_API void ty_sha512_update(ty_sha512 *c, const uint8_t *msg, size_t msg_len);

/* ty_sha*_final: out = the digest of the whole message, by the function that c was initialised for.
 *   after  c is wiped and must be initialised before it is used again
 *   spec   [FIPS 180-4, 6] */
TY_API void ty_sha224_final(uint8_t out[TY_AT_LEAST(28)], ty_sha256 *c);
TY_API void ty_sha256_final(uint8_t out[TY_AT_LEAST(32)], ty_sha256 *c);
TY_API void ty_sha384_final(uint8_t out[TY_AT_LEAST(48)], ty_sha512 *c);
TY_API void ty_sha512_final(uint8_t out[TY_AT_LEAST(64)], ty_sha512 *c);
TY_API void ty_sha512_224_final(uint8_t out[TY_AT_LEAST(28)], ty_sha512 *c);
TY_API void ty_sha512_256_final(uint8_t out[TY_AT_LEAST(32)], ty_sha512 *c);

/* ty_sha*_hash: out = the digest of msg, in one call.     alias: out may overlap msg */
TY_API void ty_sha224_hash(uint8_t out[TY_AT_LEAST(28)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha256_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha384_hash(uint8_t out[TY_AT_LEAST(48)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha512_hash(uint8_t out[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha512_224_hash(uint8_t out[TY_AT_LEAST(28)], const uint8_t *msg, size_t msg_len);
TY_API void ty_sha512_256_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len);

#if defined(__cplusplus)
}
#endif
#endif
