/* Nonces from HMAC-DRBG: see ecdsa/nonces.h. */
#include "ecdsa/nonces.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "ec/ec_binary.h"

#include <string.h>

enum {
    SCHEME_MAX = 16,
    TRIES = 128          /* all fail with probability 2^-128, if n is just above a power of two */
};

void ty_nonces_bits(uint8_t *out, const uint8_t *in, size_t in_len, size_t bits)
{
    const size_t len = (bits + 7) / 8, have = in_len < len ? in_len : len;
    memset(out, 0, len);
    memcpy(out + len - have, in, have);
    if (in_len < len || bits % 8 == 0) return;
    const unsigned shift = (unsigned)(8 - bits % 8);
    for (size_t i = len; i-- > 0;)
        out[i] = (uint8_t)((i ? out[i - 1] << 8 | out[i] : out[i]) >> shift);
}

static ty_err seed_set(ty_hmac_drbg_sha256 *c, const ty_ec_key *key, const uint8_t *h, size_t h_len,
                       const char *scheme, const ty_rng *rng)
{
    uint8_t seed[2 * TY_EC_MAX + SCHEME_MAX + 32];
    const size_t d_len = ty_ec_n_len(key->pub.curve);
    size_t n = d_len + h_len;
    memcpy(seed, key->d, d_len);
    memcpy(seed + d_len, h, h_len);
    for (; *scheme; scheme++) seed[n++] = (uint8_t)*scheme;
    const int failed = rng && rng->fill(rng->ctx, seed + n, 32) != TY_OK;
    if (!failed) ty_hmac_drbg_sha256_init(c, seed, n + (rng ? 32 : 0));
    ty_wipe(seed, sizeof seed);
    return failed ? TY_ERR_RNG : TY_OK;
}

/* k = the next candidate: 1 if it is in [1, n - 1] */
static int next_nonce(ty_hmac_drbg_sha256 *c, uint8_t *k, const ty_ec_curve *curve)
{
    const size_t len = ty_ec_n_len(curve);
    uint8_t t[TY_EC_MAX];
    ty_hmac_drbg_sha256_next(t, len, c);
    ty_nonces_bits(k, t, len, curve->n_bits);
    ty_wipe(t, sizeof t);
    uint32_t ok = ty_ec_scalar_ok(k, curve);
    TY_PUBLIC(&ok, sizeof ok);           /* reveals nothing about the candidate that is kept */
    return ok != 0;
}

ty_err ty_nonces_sign(uint8_t *sig, const uint8_t *h, size_t h_len, const char *scheme,
                      const ty_ec_key *key, const ty_rng *rng, ty_nonces_try *try, const void *x)
{
    const ty_ec_curve *curve = key->pub.curve;
    ty_hmac_drbg_sha256 drbg;
    uint8_t k[TY_EC_MAX];
    ty_err err = seed_set(&drbg, key, h, h_len, scheme, rng);
    int done = 0;
    for (int i = 0; err == TY_OK && !done && i < TRIES; i++)
        if (next_nonce(&drbg, k, curve)) done = try(sig, k, key, x);
    if (err == TY_OK && done != 1) err = done < 0 ? (ty_err)done : TY_ERR_RNG;
    if (err != TY_OK) memset(sig, 0, 2 * ty_ec_n_len(curve));
    ty_wipe(&drbg, sizeof drbg);
    ty_wipe(k, sizeof k);
    ty_wipe_below_8k();
    return err;
}
