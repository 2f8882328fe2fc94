#include "ecdsa/nonces.h"
#include "base/ct.h"
#include "ec/ec_binary.h"

#include <string.h>

enum { SCHEME_MAX = 16 };

void ty_nonces_bits(uint8_t *out, const uint8_t *in, size_t in_len, size_t bits)
{
    const size_t len = (bits + 7) / 8, have = in_len < len ? in_len : len;
    memset(out, 0, len);
    memcpy(out + len - have, in, have);
    if (in_len < len || bits % 8 == 0) return;
    const unsigned shift = (unsigned)(8 - bits % 8);
    for (size_t i = len; i-- > 0;) out[i] = (uint8_t)((i ? out[i - 1] << 8 | out[i] : out[i]) >> shift);
}

ty_err ty_nonces_init(ty_hmac_drbg_sha256 *c, const ty_ec_key *key, const uint8_t *h, size_t h_len, const char *scheme,
                      const ty_rng *rng)
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

int ty_nonces_next(ty_hmac_drbg_sha256 *c, uint8_t *k, const ty_ec_curve *curve)
{
    const size_t len = ty_ec_n_len(curve);
    uint8_t t[TY_EC_MAX];
    ty_hmac_drbg_sha256_next(t, len, c);
    ty_nonces_bits(k, t, len, curve->n_bits);
    ty_wipe(t, sizeof t);
    uint32_t ok = ty_ec_scalar_ok(k, curve);
    TY_PUBLIC(&ok, sizeof ok);           /* says nothing about the candidate that is kept */
    return ok != 0;
}
