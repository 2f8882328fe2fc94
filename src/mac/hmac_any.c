/* HMAC and PBKDF2 over a hash that is chosen at run time. */
#include "mac/hmac_any.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "sha2/sha1.h"

#include <string.h>

/* Each hash behind one interface. For truncated digests, final writes only their length. */
#define KIND(id, title, field, block, len)                                                         \
    static void id##_init(ty_hash_state *c) { ty_##id##_init(&c->field); }                         \
    static void id##_update(ty_hash_state *c, const uint8_t *m, size_t n)                          \
    {                                                                                              \
        ty_##field##_update(&c->field, m, n);                                                      \
    }                                                                                              \
    static void id##_final(uint8_t *out, ty_hash_state *c) { ty_##id##_final(out, &c->field); }    \
    const ty_hash_kind ty_hash_##id = { title, block, len, id##_init, id##_update, id##_final };

KIND(sm3, "SM3", sm3, TY_SM3_BLOCK, TY_SM3_LEN)
KIND(sha224, "SHA-224", sha256, TY_SHA256_BLOCK, TY_SHA224_LEN)
KIND(sha256, "SHA-256", sha256, TY_SHA256_BLOCK, TY_SHA256_LEN)
KIND(sha384, "SHA-384", sha512, TY_SHA512_BLOCK, TY_SHA384_LEN)
KIND(sha512, "SHA-512", sha512, TY_SHA512_BLOCK, TY_SHA512_LEN)
KIND(sha512_224, "SHA-512/224", sha512, TY_SHA512_BLOCK, TY_SHA512_224_LEN)
KIND(sha512_256, "SHA-512/256", sha512, TY_SHA512_BLOCK, TY_SHA512_256_LEN)

static void sha1_init(ty_hash_state *c) { ty_sha1_init(&c->sha256); }
static void sha1_update(ty_hash_state *c, const uint8_t *msg, size_t len)
{
    ty_sha1_update(&c->sha256, msg, len);
}
static void sha1_final(uint8_t *out, ty_hash_state *c) { ty_sha1_final(out, &c->sha256); }
const ty_hash_kind ty_hash_sha1 = { "SHA-1",   TY_SHA256_BLOCK, TY_SHA1_LEN,
                                    sha1_init, sha1_update,     sha1_final };

void ty_hmac_any_init(ty_hmac_any *c, const ty_hash_kind *hash, const uint8_t *key, size_t key_len)
{
    uint8_t pad[TY_SHA512_BLOCK] = { 0 };
    c->hash = hash;
    if (key_len > hash->block) {
        uint8_t digest[64];
        hash->init(&c->now);
        hash->update(&c->now, key, key_len);
        hash->final(digest, &c->now);
        memcpy(pad, digest, hash->len);
        ty_wipe(digest, sizeof digest);
    } else if (key_len) {
        memcpy(pad, key, key_len);
    }
    for (size_t i = 0; i < hash->block; i++) pad[i] ^= 0x36;
    hash->init(&c->inner);
    hash->update(&c->inner, pad, hash->block);
    for (size_t i = 0; i < hash->block; i++) pad[i] ^= 0x36 ^ 0x5c;
    hash->init(&c->outer);
    hash->update(&c->outer, pad, hash->block);
    c->now = c->inner;
    ty_wipe(pad, sizeof pad);
    ty_wipe_below_1k();
}

void ty_hmac_any_update(ty_hmac_any *c, const uint8_t *msg, size_t msg_len)
{
    c->hash->update(&c->now, msg, msg_len);
}

void ty_hmac_any_final(uint8_t out[TY_AT_LEAST(64)], ty_hmac_any *c)
{
    uint8_t digest[64];
    c->hash->final(digest, &c->now);
    c->now = c->outer;
    c->hash->update(&c->now, digest, c->hash->len);
    c->hash->final(out, &c->now);
    c->now = c->inner;
    ty_wipe(digest, sizeof digest);
    ty_wipe_below_1k();
}

/* t = U_1 ^ ... ^ U_iterations, where u is U_1 */
static void chain(uint8_t t[64], uint8_t u[64], ty_hmac_any *c, uint32_t iterations)
{
    const size_t len = c->hash->len;
    memcpy(t, u, len);
    while (--iterations) {
        ty_hmac_any_update(c, u, len);
        ty_hmac_any_final(u, c);
        for (size_t i = 0; i < len; i++) t[i] ^= u[i];
    }
}

ty_err ty_pbkdf2_any(uint8_t *out, size_t out_len, const uint8_t *password, size_t password_len,
                     const uint8_t *salt, size_t salt_len, uint32_t iterations,
                     const ty_hash_kind *hash)
{
    if (iterations == 0) return TY_ERR_ARG;
    /* the block counter has 32 bits */
    if ((uint64_t)out_len > (uint64_t)0xffffffff * hash->len) return TY_ERR_SIZE;
    ty_hmac_any c;
    uint8_t counter[4], t[64], u[64];
    ty_hmac_any_init(&c, hash, password, password_len);
    for (uint32_t i = 1; out_len; i++) {
        const size_t n = out_len < hash->len ? out_len : hash->len;
        ty_put32be(counter, i);
        ty_hmac_any_update(&c, salt, salt_len);
        ty_hmac_any_update(&c, counter, sizeof counter);
        ty_hmac_any_final(u, &c);
        chain(t, u, &c, iterations);
        memcpy(out, t, n);
        out += n;
        out_len -= n;
    }
    ty_wipe(&c, sizeof c);
    ty_wipe(t, sizeof t);
    ty_wipe(u, sizeof u);
    ty_wipe_below_1k();
    return TY_OK;
}
