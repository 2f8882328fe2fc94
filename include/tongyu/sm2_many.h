/* Tongyu: many SM2 operations at once: keys, signatures, verifications, shared points, encryption.
 * Jobs share what a single call cannot: inversions among up to 32 jobs; vector registers among
 * eight (with AVX-512 IFMA, from two or three on), else among four (with AVX2 and ADX: from two on
 * in verification, from three on elsewhere); the hash Z among neighbours with the same identity and
 * key; and a table of multiples among all signatures of one key (as in ty_sm2_verifier, computed if
 * enough of 256 jobs have the same key: seven with registers of eight, eight with those of four,
 * else five).
 *
 * In all functions, a job has the arguments of the function for one operation under the same names,
 * and err, which the call sets. Jobs are independent: an error in one does not affect the others.
 * Within a job the rules on buffers are those of the function for one; no job's output may overlap
 * anything of another job. Keys may be shared. The call returns TY_OK if every job succeeded, else
 * the error of the first that failed. No heap; up to 64 KB of stack, its secrets wiped. With
 * several threads, give each thread a part of the jobs: ty_parallel in <tongyu/os.h>. */
#ifndef TONGYU_SM2_MANY_H
#define TONGYU_SM2_MANY_H

#include "tongyu/sm2.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct ty_sm2_keygen_job {
    ty_sm2_key *key;
    ty_err err;
} ty_sm2_keygen_job;

/* As ty_sm2_keygen.   err of a job TY_ERR_RNG, TY_ERR_FAULT: its key is zeroed */
TY_API TY_MUST_CHECK ty_err ty_sm2_many_keygen(ty_sm2_keygen_job *jobs, size_t n,
                                               const ty_rng *rng);

typedef struct ty_sm2_sign_job {
    uint8_t *sig;                /* 64 bytes */
    const uint8_t *e;            /* the digest, 32 bytes; NULL: it is computed from msg and id */
    const uint8_t *msg;
    size_t msg_len;
    const uint8_t *id;
    size_t id_len;
    const ty_sm2_key *key;
    ty_err err;
} ty_sm2_sign_job;

/* As ty_sm2_sign and ty_sm2_sign_digest; rng gives 32 bytes for each job, in the order of the jobs.
 *   err    of a job TY_ERR_SIZE, TY_ERR_RNG, TY_ERR_FAULT: its sig is zeroed */
TY_API TY_MUST_CHECK ty_err ty_sm2_many_sign(ty_sm2_sign_job *jobs, size_t n, const ty_rng *rng);
/* As ty_sm2_sign_deterministic and ty_sm2_sign_digest_deterministic. */
TY_API TY_MUST_CHECK ty_err ty_sm2_many_sign_deterministic(ty_sm2_sign_job *jobs, size_t n);

typedef struct ty_sm2_verify_job {
    const uint8_t *sig;          /* 64 bytes */
    const uint8_t *e;            /* as in ty_sm2_sign_job */
    const uint8_t *msg;
    size_t msg_len;
    const uint8_t *id;
    size_t id_len;
    const ty_sm2_pub *pub;
    ty_err err;
} ty_sm2_verify_job;

/* As ty_sm2_verify and ty_sm2_verify_digest.   err of a job TY_ERR_VERIFY, TY_ERR_SIZE, TY_ERR_KEY
 *   time   public */
TY_API TY_MUST_CHECK ty_err ty_sm2_many_verify(ty_sm2_verify_job *jobs, size_t n);

/* --- Shared points, encryption ---------------------------------------------------------------- */

/* These functions check for overlaps: if a job's out shares bytes with what another job of the same
 * 32 (the first to the 32nd, and so on) reads or writes, the job fails with TY_ERR_ARG and its out
 * is untouched, because it belongs to the other job as well. */

typedef struct ty_sm2_ecdh_job {
    uint8_t *out;                /* 32 bytes */
    const ty_sm2_pub *pub;
    const ty_sm2_key *key;
    ty_err err;
} ty_sm2_ecdh_job;

/* As ty_sm2_ecdh.   err of a job TY_ERR_KEY: pub is not on the curve, or key was never set; its out
 *   is zeroed     TY_ERR_ARG */
TY_API TY_MUST_CHECK ty_err ty_sm2_many_ecdh(ty_sm2_ecdh_job *jobs, size_t n);

typedef struct ty_sm2_encrypt_job {
    uint8_t *out;                /* msg_len + 97 bytes */
    const uint8_t *msg;
    size_t msg_len;
    ty_sm2_order order;
    const ty_sm2_pub *pub;
    ty_err err;
} ty_sm2_encrypt_job;

/* As ty_sm2_encrypt; rng gives 32 bytes for each job, nearly always once, in the order of the jobs.
 *   err    of a job TY_ERR_ARG, TY_ERR_SIZE: its out is untouched
 *          TY_ERR_KEY, TY_ERR_RNG, TY_ERR_FAULT: its out is zeroed */
TY_API TY_MUST_CHECK ty_err ty_sm2_many_encrypt(ty_sm2_encrypt_job *jobs, size_t n,
                                                const ty_rng *rng);

typedef struct ty_sm2_decrypt_job {
    uint8_t *out;                /* in_len - 97 bytes */
    const uint8_t *in;
    size_t in_len;
    ty_sm2_order order;
    const ty_sm2_key *key;
    ty_err err;
} ty_sm2_decrypt_job;

/* As ty_sm2_decrypt.
 *   err    of a job TY_ERR_ARG, TY_ERR_SIZE, and TY_ERR_FORMAT for in_len < 98: its out is
 *          untouched     TY_ERR_FORMAT, TY_ERR_VERIFY: its out is zeroed */
TY_API TY_MUST_CHECK ty_err ty_sm2_many_decrypt(ty_sm2_decrypt_job *jobs, size_t n);

#if defined(__cplusplus)
}
#endif
#endif
