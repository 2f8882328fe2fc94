/* HMAC (RFC 2104) and PBKDF2 (RFC 8018, 5.2) over a hash that is chosen at run time, for keys that
 * other programs encrypted. hmac.h and pbkdf2.h, for one hash, take half the time.
 * time    depends only on lengths and iterations */
#ifndef TY_MAC_HMAC_ANY_H
#define TY_MAC_HMAC_ANY_H

#include "tongyu/sha2.h"
#include "tongyu/sm3.h"

typedef union ty_hash_state {
    ty_sm3 sm3;
    ty_sha256 sha256;
    ty_sha512 sha512;
} ty_hash_state;

typedef struct ty_hash_kind {
    const char *name;            /* as in "HMAC-SHA-256" */
    size_t block, len;           /* bytes of a block and of a digest */
    void (*init)(ty_hash_state *c);
    void (*update)(ty_hash_state *c, const uint8_t *msg, size_t msg_len);
    /* the bytes after the digest are undefined */
    void (*final)(uint8_t out[TY_AT_LEAST(64)], ty_hash_state *c);
} ty_hash_kind;

extern const ty_hash_kind ty_hash_sm3, ty_hash_sha1, ty_hash_sha224, ty_hash_sha256, ty_hash_sha384,
    ty_hash_sha512, ty_hash_sha512_224, ty_hash_sha512_256;

typedef struct ty_hmac_any {
    const ty_hash_kind *hash;
    ty_hash_state now, inner, outer;
} ty_hmac_any;

void ty_hmac_any_init(ty_hmac_any *c, const ty_hash_kind *hash, const uint8_t *key, size_t key_len);
void ty_hmac_any_update(ty_hmac_any *c, const uint8_t *msg, size_t msg_len);
/* out = the MAC; c is then ready for another message */
void ty_hmac_any_final(uint8_t out[TY_AT_LEAST(64)], ty_hmac_any *c);

/* out[out_len] = PBKDF2 of password and salt.
 *   err    TY_ERR_ARG: no iterations     TY_ERR_SIZE: out_len beyond 2^32 - 1 digests */
TY_MUST_CHECK ty_err ty_pbkdf2_any(uint8_t *out, size_t out_len, const uint8_t *password,
                                   size_t password_len, const uint8_t *salt, size_t salt_len,
                                   uint32_t iterations, const ty_hash_kind *hash);

#endif
