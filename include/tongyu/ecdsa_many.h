/* Tongyu: many ECDSA signatures over binary curves at once: those on one curve, up to 32, share the
 * inversion modulo its order and what is precomputed for it.
 *
 * A job has the arguments of ty_ecdsa_verify under the same names, and err, which the call sets.
 * Jobs are independent: an error in one does not affect the others. Keys may be shared, curves may
 * be mixed. No heap; 30 KB of stack. With several threads, give each thread a part of the jobs:
 * ty_parallel in <tongyu/os.h>. */
#ifndef TONGYU_ECDSA_MANY_H
#define TONGYU_ECDSA_MANY_H

#include "tongyu/ecdsa.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct ty_ecdsa_verify_job {
    const uint8_t *sig;
    size_t sig_len;
    const uint8_t *digest;
    size_t digest_len;
    const ty_ec_pub *pub;
    ty_err err;
} ty_ecdsa_verify_job;

/* ty_ecdsa_many_verify: ty_ecdsa_verify for each of n jobs.
 *   err    in each job's err TY_ERR_VERIFY, TY_ERR_ARG, TY_ERR_KEY, as ty_ecdsa_verify; the call
 *          returns that of the first job that failed
 *   time   public */
TY_API TY_MUST_CHECK ty_err ty_ecdsa_many_verify(ty_ecdsa_verify_job *jobs, size_t n);

#if defined(__cplusplus)
}
#endif
#endif
