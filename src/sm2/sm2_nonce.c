/* Nonces for signatures: HMAC-DRBG (NIST SP 800-90A, 10.1.2; RFC 6979, 3.2) over SM3.
 *
 * The seed is d || e mod n, for a deterministic signature, or d || e mod n || 32 bytes from the caller's source, for a
 * hedged one. Two signatures share a nonce only if d, e mod n and those bytes are all the same, and then they are the
 * same signature. */
#include "sm2/sm2_internal.h"

#include <string.h>

/* v = HMAC(k, v) */
static void turn(ty_sm2_nonces *c)
{
    ty_hmac_sm3_update(&c->keyed, c->v, 32);
    ty_hmac_sm3_final(c->v, &c->keyed);
}

/* k = HMAC(k, v || tag || seed), v = HMAC(k, v): the update of HMAC-DRBG */
static void update(ty_sm2_nonces *c, uint8_t tag, const uint8_t *seed, size_t seed_len)
{
    uint8_t k[32];
    ty_hmac_sm3_update(&c->keyed, c->v, 32);
    ty_hmac_sm3_update(&c->keyed, &tag, 1);
    if (seed_len) ty_hmac_sm3_update(&c->keyed, seed, seed_len);
    ty_hmac_sm3_final(k, &c->keyed);
    ty_hmac_sm3_init(&c->keyed, k, 32);
    ty_wipe(k, sizeof k);
    turn(c);
}

void ty_sm2_nonces_init(ty_sm2_nonces *c, const uint8_t e[TY_AT_LEAST(32)], const ty_sm2_key *key,
                        const uint8_t *fresh, size_t fresh_len)
{
    static const uint8_t zero[32] = { 0 };
    uint8_t seed[96];
    memcpy(seed, key->d, 32);
    ty_n_sm2_best()->reduce(seed + 32, e);   /* bits2octets */
    if (fresh_len) memcpy(seed + 64, fresh, 32);
    const size_t seed_len = fresh_len ? 96 : 64;
    ty_hmac_sm3_init(&c->keyed, zero, 32);
    memset(c->v, 1, 32);
    c->used = 0;
    update(c, 0, seed, seed_len);
    update(c, 1, seed, seed_len);
    ty_wipe(seed, sizeof seed);
}

/* The next candidate: 32 bytes, one HMAC block. As a ty_rng it serves ty_sm2_scalar alone, which asks for just that. */
static ty_err next(void *ctx, uint8_t *out, size_t len)
{
    ty_sm2_nonces *c = ctx;
    if (len != 32) return TY_ERR_ARG;
    if (c->used) update(c, 0, NULL, 0);   /* the last one was not accepted */
    turn(c);
    memcpy(out, c->v, 32);
    c->used = 1;
    return TY_OK;
}

ty_rng ty_sm2_nonces_rng(ty_sm2_nonces *c) { return (ty_rng){ next, c }; }
