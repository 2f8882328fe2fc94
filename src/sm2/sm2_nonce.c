/* Nonces for signatures, by two methods.
 *
 * Deterministic: HMAC-DRBG (NIST SP 800-90A, 10.1.2; RFC 6979, 3.2) over SM3, seeded by d || e mod
 * n; eighteen compressions.
 *
 * Hedged: candidate i is SM3(fresh || d || e || label || i), fresh being 32 bytes from the caller's
 * source; two compressions. Randomness and key fill the first block; data that others may know or
 * choose is in the second, as EdDSA hashes its message after a secret prefix (RFC 8032, 5.1.6). All
 * such messages have one length, so none is a prefix of another, and the cascade of compressions is
 * a pseudorandom function of the data after the key if one compression is, even if the key is a
 * part of the message, as in HMAC (Bellare, Canetti and Krawczyk, "Pseudorandom functions
 * revisited", 1996). The same holds with `fresh` in place of the key: either alone keeps nonces
 * secret.
 *
 * With both methods two signatures share a nonce only if d, the digest and fresh, where it is used,
 * are the same, and then they are the same signature. */
#include "sm2/sm2_internal.h"

#include <string.h>

static void drbg_init(ty_sm2_nonces *c, const uint8_t e[TY_AT_LEAST(32)],
                      const uint8_t d[TY_AT_LEAST(32)])
{
    uint8_t seed[64];
    memcpy(seed, d, 32);
    ty_n_sm2_best()->reduce(seed + 32, e);   /* bits2octets */
    ty_hmac_drbg_sm3_init(&c->drbg, seed, sizeof seed);
    ty_wipe(seed, sizeof seed);
}

void ty_sm2_seed(uint8_t seed[TY_AT_LEAST(TY_SM2_SEED)], const uint8_t e[TY_AT_LEAST(32)],
                 const uint8_t d[TY_AT_LEAST(32)], const uint8_t fresh[TY_AT_LEAST(32)])
{
    static const uint8_t label_and_0[17] = "tongyu sm2 nonce";
    memcpy(seed, fresh, 32);
    memcpy(seed + 32, d, 32);
    memcpy(seed + 64, e, 32);
    memcpy(seed + 96, label_and_0, 17);
}

void ty_sm2_nonces_init(ty_sm2_nonces *c, const uint8_t e[TY_AT_LEAST(32)], const ty_sm2_key *key,
                        const uint8_t *fresh)
{
    c->hedged = fresh != NULL;
    c->used = 0;
    if (fresh) ty_sm2_seed(c->seed, e, key->d, fresh);
    else drbg_init(c, e, key->d);
}

void ty_sm2_nonces_next(uint8_t k[TY_AT_LEAST(32)], ty_sm2_nonces *c)
{
    if (c->hedged) {
        c->seed[TY_SM2_SEED - 1] = (uint8_t)c->used;
        ty_sm3_hash(k, c->seed, TY_SM2_SEED);
    } else {
        ty_hmac_drbg_sm3_next(k, 32, &c->drbg);
    }
    c->used++;
}

/* The nonces as a ty_rng, for ty_sm2_scalar only, which asks for 32 bytes each time. More than 256
 * of them, the range of `used` in the message, are never needed. */
static ty_err next(void *ctx, uint8_t *out, size_t len)
{
    if (len != 32) return TY_ERR_ARG;
    ty_sm2_nonces_next(out, ctx);
    return TY_OK;
}

ty_rng ty_sm2_nonces_rng(ty_sm2_nonces *c) { return (ty_rng){ next, c }; }
