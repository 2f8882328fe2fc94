/* The compression functions of SHA-2; and HMAC-SHA-256 and PBKDF2-HMAC-SHA-256, for keys that other
 * programs encrypted, which are not part of the public interface.
 * spec    FIPS 180-4, 6.2 and 6.4; RFC 2104; RFC 8018, 5.2
 * state   eight words in the machine's own byte order; messages are big-endian
 * time    depends only on lengths and iterations: there are only additions, rotations and bitwise
 *         functions
 * tiers   of SHA-256: c portable, vaes and armce with the SHA-256 instructions
 * The functions behave as those of SM3, which are documented in tongyu/sm3.h. */
#ifndef TY_SHA2_SHA2_H
#define TY_SHA2_SHA2_H

#include "base/levels.h"
#include "tongyu/sha2.h"

/* h = CF(... CF(CF(h, first block), second block) ...), nblocks blocks of 64 or 128 bytes; `in` has
 * any alignment, and h may not overlap it. nblocks = 0 is allowed and reads nothing */
typedef struct ty_sha256_ops {
    void (*blocks)(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);
} ty_sha256_ops;
void ty_sha512_blocks(uint64_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);

extern const uint32_t ty_sha256_k[64];   /* the constants of the rounds */
#define TY_SHA256_TIERS(X) X(sha256, c) TY_ON_X86_64(X(sha256, vaes)) TY_ON_ARM64(X(sha256, armce))
TY_FAMILY(sha256, TY_SHA256_TIERS)

typedef struct ty_hmac_sha256 {
    ty_sha256 now, inner, outer;
} ty_hmac_sha256;

void ty_hmac_sha256_init(ty_hmac_sha256 *c, const uint8_t *key, size_t key_len);
void ty_hmac_sha256_update(ty_hmac_sha256 *c, const uint8_t *msg, size_t msg_len);
void ty_hmac_sha256_final(uint8_t out[TY_AT_LEAST(32)], ty_hmac_sha256 *c);
void ty_hmac_sha256_mac(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                        const uint8_t *key, size_t key_len);

TY_MUST_CHECK ty_err ty_pbkdf2_sha256(uint8_t *out, size_t out_len, const uint8_t *password,
                                      size_t password_len, const uint8_t *salt, size_t salt_len,
                                      uint32_t iterations);

#endif
