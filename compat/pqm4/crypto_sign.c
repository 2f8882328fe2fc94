/* NIST's interface for signatures, as pqm4 uses it: see api.h. Keys are in the standard's encoding,
 * as in NIST's interface, and are used in place. */
#include "api.h"
#include <randombytes.h>

#include "tongyu/mldsa.h"

#include <string.h>

static const ty_mldsa_set set = TONGYU_SET;

static ty_err from_randombytes(void *ctx, uint8_t *out, size_t len)
{
    (void)ctx;
    return randombytes(out, len) == 0 ? TY_OK : TY_ERR_RNG;
}

static const ty_rng rng = { from_randombytes, NULL };

int crypto_sign_keypair(uint8_t *pk, uint8_t *sk)
{
    uint8_t seed[TY_MLDSA_SEED_LEN];
    ty_err err = from_randombytes(NULL, seed, sizeof seed);
    if (err == TY_OK)
        err = ty_mldsa_keygen_encoded(pk, CRYPTO_PUBLICKEYBYTES, sk, CRYPTO_SECRETKEYBYTES, seed,
                                      set);
    ty_wipe(seed, sizeof seed);
    return err == TY_OK ? 0 : -1;
}

int crypto_sign_signature(uint8_t *sig, size_t *siglen, const uint8_t *m, size_t mlen,
                          const uint8_t *sk)
{
    *siglen = CRYPTO_BYTES;
    return ty_mldsa_sign_encoded(sig, CRYPTO_BYTES, m, mlen, NULL, 0, sk, CRYPTO_SECRETKEYBYTES,
                                 &rng) == TY_OK ? 0 : -1;
}

int crypto_sign_verify(const uint8_t *sig, size_t siglen, const uint8_t *m, size_t mlen,
                       const uint8_t *pk)
{
    return ty_mldsa_verify_encoded(sig, siglen, m, mlen, NULL, 0, pk,
                                   CRYPTO_PUBLICKEYBYTES) == TY_OK ? 0 : -1;
}

int crypto_sign(uint8_t *sm, size_t *smlen, const uint8_t *m, size_t mlen, const uint8_t *sk)
{
    size_t siglen;
    memmove(sm + CRYPTO_BYTES, m, mlen);
    *smlen = CRYPTO_BYTES + mlen;
    return crypto_sign_signature(sm, &siglen, sm + CRYPTO_BYTES, mlen, sk);
}

int crypto_sign_open(uint8_t *m, size_t *mlen, const uint8_t *sm, size_t smlen, const uint8_t *pk)
{
    const size_t len = smlen < CRYPTO_BYTES ? 0 : smlen - CRYPTO_BYTES;
    *mlen = 0;
    if (smlen < CRYPTO_BYTES ||
        crypto_sign_verify(sm, CRYPTO_BYTES, sm + CRYPTO_BYTES, len, pk) != 0) {
        memset(m, 0, len);
        return -1;
    }
    memmove(m, sm + CRYPTO_BYTES, len);
    *mlen = len;
    return 0;
}
