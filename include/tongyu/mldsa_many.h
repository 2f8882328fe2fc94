/* Tongyu: many ML-DSA keys, signatures or verifications at once. Four of them (eight with AVX-512)
 * are computed side by side, so that their hashes fill the lanes of a vectorised sponge; and jobs
 * that name the same key share its matrix.
 *
 * In all functions, a job has the arguments of the function for one operation under the same names,
 * and err, which the call sets. Jobs are independent: an error in one does not affect the others;
 * the results are those of the functions for one, byte for byte. Sets may be mixed; neighbours of
 * one set, and of one key, fill the lanes best. Within a job the rules on buffers are those of the
 * function for one; no job's output may overlap anything of another job. Keys may be shared. The
 * call returns TY_OK if every job succeeded, else the error of the first that failed. No heap. With
 * several threads, give each thread a part of the jobs: ty_parallel in <tongyu/os.h>, grain 16 or
 * more. */
#ifndef TONGYU_MLDSA_MANY_H
#define TONGYU_MLDSA_MANY_H

#include "tongyu/mldsa.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct ty_mldsa_keygen_job {
    ty_mldsa_key *key;
    ty_mldsa_set set;
    const uint8_t *seed;         /* 32 bytes; NULL: they are drawn from rng */
    ty_err err;
} ty_mldsa_keygen_job;

/* As ty_mldsa_keygen and ty_mldsa_key_from_seed; rng, NULL if every job has a seed, gives 32 bytes
 * for each that has none, in the order of the jobs.
 * err of a job TY_ERR_ARG (no such set, no seed and no rng), TY_ERR_RNG: its key is zeroed
 *   time   secret: key     stack: 65 KB */
TY_API TY_MUST_CHECK ty_err ty_mldsa_many_keygen(ty_mldsa_keygen_job *jobs, size_t n,
                                                 const ty_rng *rng);

typedef struct ty_mldsa_sign_job {
    uint8_t *sig;
    size_t sig_len;
    const uint8_t *mu;           /* 64 bytes; NULL: it is computed from msg and ctx */
    const uint8_t *msg;
    size_t msg_len;
    const uint8_t *ctx;
    size_t ctx_len;
    const ty_mldsa_key *key;
    const ty_mldsa_signer *signer;   /* if not NULL, this key */
    ty_err err;
} ty_mldsa_sign_job;

/* As ty_mldsa_sign and the like; rng gives 32 bytes for each job, in the order of the jobs; NULL
 * signs deterministically. Precomputed keys of one set share the lanes whatever the key; other keys
 * are precomputed here, once for up to 64 jobs.
 *   err    of a job those of ty_mldsa_sign
 *   time   secret: key, nonces; public: lengths, msg, attempts, which keys are the same
 *          stack: 290 KB */
TY_API TY_MUST_CHECK ty_err ty_mldsa_many_sign(ty_mldsa_sign_job *jobs, size_t n,
                                               const ty_rng *rng);

typedef struct ty_mldsa_verify_job {
    const uint8_t *sig;
    size_t sig_len;
    const uint8_t *mu;           /* as in ty_mldsa_sign_job */
    const uint8_t *msg;
    size_t msg_len;
    const uint8_t *ctx;
    size_t ctx_len;
    const ty_mldsa_pub *pub;
    const ty_mldsa_verifier *verifier;   /* if not NULL, this key */
    ty_err err;
} ty_mldsa_verify_job;

/* As ty_mldsa_verify and the like.   err of a job TY_ERR_VERIFY, TY_ERR_SIZE, TY_ERR_ARG
 *   time   public     stack: 190 KB */
TY_API TY_MUST_CHECK ty_err ty_mldsa_many_verify(ty_mldsa_verify_job *jobs, size_t n);

#if defined(__cplusplus)
}
#endif
#endif
