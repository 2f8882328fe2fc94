/* ML-DSA's public functions that sign and verify with key objects: they hash the message to mu and
 * check arguments; signing and verification themselves are in sign.c, lean_sign.c and verify.c. */
#include "mldsa/mldsa.h"

#include <string.h>

/* mu of a whole message */
static ty_err mu_of(uint8_t mu[64], const uint8_t *msg, size_t msg_len, const uint8_t *ctx,
                    size_t ctx_len, const ty_mldsa_pub *pub)
{
    ty_mldsa_mu running;
    const ty_err err = ty_mldsa_mu_init(&running, ctx, ctx_len, pub);
    if (err != TY_OK) return err;
    ty_mldsa_mu_update(&running, msg, msg_len);
    ty_mldsa_mu_final(mu, &running);
    return TY_OK;
}

#if !defined(TY_PUBLIC_ONLY)
/* The random source is called first: if it fails, there is no secret here yet but the signer. */
static ty_err sign_from(uint8_t *sig, size_t sig_len, const uint8_t mu[64],
                        const ty_mldsa_signer *signer, const ty_rng *rng)
{
    const ty_mldsa_row *row = ty_mldsa_find(signer->pub.set);
    uint8_t rnd[32] = { 0 };
    if (row && sig_len != row->sig_len) return TY_ERR_SIZE;
    memset(sig, 0, sig_len);
    if (!row) return TY_ERR_ARG;
    if (rng && rng->fill(rng->ctx, rnd, sizeof rnd) != TY_OK) {
        ty_wipe(rnd, sizeof rnd);
        return TY_ERR_RNG;
    }
    const ty_err err = ty_mldsa_sign_internal(sig, mu, rnd, signer);
    ty_wipe(rnd, sizeof rnd);
    return err;
}

/* wipes the secrets of a precomputed key: all but the matrix and the public key */
static void forget(ty_mldsa_signer *ready)
{
    const ty_mldsa_row *row = ty_mldsa_find(ready->pub.set);
    const size_t open = row ? (size_t)row->k * row->l : 0, secret = row ? 2u * row->k + row->l : 0;
    ty_wipe(ready->k, sizeof ready->k);
    ty_wipe(ready->polys + open, secret * sizeof ready->polys[0]);
}

/* A key that is used once is precomputed too: otherwise every rejected attempt would need its
 * matrix again. */
ty_err ty_mldsa_sign_mu(uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(64)],
                        const ty_mldsa_key *key, const ty_rng *rng)
{
    ty_mldsa_signer ready __attribute__((aligned(64)));
    ty_err err = ty_mldsa_signer_init(&ready, key);
    if (err == TY_OK) err = ty_mldsa_signer_sign_mu(sig, sig_len, mu, &ready, rng);
    else memset(sig, 0, sig_len);
    forget(&ready);
    return err;
}

ty_err ty_mldsa_signer_sign_mu(uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(64)],
                               const ty_mldsa_signer *signer, const ty_rng *rng)
{
    return sign_from(sig, sig_len, mu, signer, rng);
}

ty_err ty_mldsa_sign_small(uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(64)],
                           const ty_mldsa_key *key, const ty_rng *rng)
{
    const ty_err err =
        ty_mldsa_sign_lean(sig, sig_len, mu, key->bytes, ty_mldsa_find(key->pub.set), rng);
    return err == TY_ERR_FORMAT ? TY_ERR_ARG : err;
}

ty_err ty_mldsa_sign_checked(uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(64)],
                             const ty_mldsa_key *key, const ty_rng *rng)
{
    const ty_err err = ty_mldsa_sign_mu(sig, sig_len, mu, key, rng);
    if (err != TY_OK || ty_mldsa_verify_mu(sig, sig_len, mu, &key->pub) == TY_OK) return err;
    memset(sig, 0, sig_len);
    return TY_ERR_FAULT;
}

ty_err ty_mldsa_sign(uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                     const uint8_t *ctx, size_t ctx_len, const ty_mldsa_key *key, const ty_rng *rng)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    const ty_err err = mu_of(mu, msg, msg_len, ctx, ctx_len, &key->pub);
    if (err == TY_OK) return ty_mldsa_sign_mu(sig, sig_len, mu, key, rng);
    memset(sig, 0, sig_len);
    return err;
}

ty_err ty_mldsa_signer_sign(uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                            const uint8_t *ctx, size_t ctx_len, const ty_mldsa_signer *signer,
                            const ty_rng *rng)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    const ty_err err = mu_of(mu, msg, msg_len, ctx, ctx_len, &signer->pub);
    if (err == TY_OK) return ty_mldsa_signer_sign_mu(sig, sig_len, mu, signer, rng);
    memset(sig, 0, sig_len);
    return err;
}

ty_err ty_mldsa_sign_hash(uint8_t *sig, size_t sig_len, const uint8_t *digest, size_t digest_len,
                          ty_mldsa_hash hash, const uint8_t *ctx, size_t ctx_len,
                          const ty_mldsa_key *key, const ty_rng *rng)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    const ty_err err = ty_mldsa_mu_hash(mu, digest, digest_len, hash, ctx, ctx_len, &key->pub);
    if (err == TY_OK) return ty_mldsa_sign_mu(sig, sig_len, mu, key, rng);
    memset(sig, 0, sig_len);
    return err;
}
#endif

static ty_err verify_from(const uint8_t *sig, size_t sig_len, const uint8_t mu[64],
                          const ty_mldsa_pub *pub, const ty_mldsa_verifier *ready)
{
    const ty_mldsa_row *row = ty_mldsa_find(pub->set);
    ty_mldsa_verifying job;
    if (!row) return TY_ERR_ARG;
    const ty_mldsa_env env = ty_mldsa_env_of(row);
    job.sig = sig;
    job.sig_len = sig_len;
    job.pub = pub;
    job.ready = ready;
    memcpy(job.mu_w1, mu, 64);
    ty_mldsa_verify_lanes(&job, 1, &env);
    return job.err;
}

ty_err ty_mldsa_verify_mu(const uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(64)],
                          const ty_mldsa_pub *pub)
{
    return verify_from(sig, sig_len, mu, pub, NULL);
}

ty_err ty_mldsa_verifier_verify_mu(const uint8_t *sig, size_t sig_len,
                                   const uint8_t mu[TY_AT_LEAST(64)],
                                   const ty_mldsa_verifier *verifier)
{
    return verify_from(sig, sig_len, mu, &verifier->pub, verifier);
}

ty_err ty_mldsa_verify(const uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len,
                       const uint8_t *ctx, size_t ctx_len, const ty_mldsa_pub *pub)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    const ty_err err = mu_of(mu, msg, msg_len, ctx, ctx_len, pub);
    return err == TY_OK ? ty_mldsa_verify_mu(sig, sig_len, mu, pub) : err;
}

ty_err ty_mldsa_verifier_verify(const uint8_t *sig, size_t sig_len, const uint8_t *msg,
                                size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                const ty_mldsa_verifier *verifier)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    const ty_err err = mu_of(mu, msg, msg_len, ctx, ctx_len, &verifier->pub);
    return err == TY_OK ? ty_mldsa_verifier_verify_mu(sig, sig_len, mu, verifier) : err;
}

ty_err ty_mldsa_verify_hash(const uint8_t *sig, size_t sig_len, const uint8_t *digest,
                            size_t digest_len, ty_mldsa_hash hash, const uint8_t *ctx,
                            size_t ctx_len, const ty_mldsa_pub *pub)
{
    uint8_t mu[TY_MLDSA_MU_LEN];
    const ty_err err = ty_mldsa_mu_hash(mu, digest, digest_len, hash, ctx, ctx_len, pub);
    return err == TY_OK ? ty_mldsa_verify_mu(sig, sig_len, mu, pub) : err;
}
