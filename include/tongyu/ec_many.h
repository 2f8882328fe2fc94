/* Tongyu: many multiplications of points of binary curves at once, each with its own secret scalar
 * and point. Neighbouring jobs on one curve share vector registers and an inversion, four at a
 * time, where the CPU and the curve have such a kernel; the others are computed one by one.
 *
 * A job has the arguments of ty_ec_mul under the same names, and err, which the call sets. Jobs are
 * independent: an error in one does not affect the others. z may be the job's own pub; no job's z
 * may overlap anything else of any job. Curves may be mixed. No heap; 14 KB of stack, its secrets
 * wiped. With several threads, give each thread a part of the jobs: ty_parallel in
 * <tongyu/os.h>. */
#ifndef TONGYU_EC_MANY_H
#define TONGYU_EC_MANY_H

#include "tongyu/ec.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct ty_ec_mul_job {
    ty_ec_pub *z;
    const uint8_t *k;            /* order_len bytes */
    const ty_ec_pub *pub;
    ty_err err;
} ty_ec_mul_job;

/* ty_ec_many_mul: ty_ec_mul for each of n jobs; n may be 0.
 *   err    in each job's err TY_ERR_KEY, TY_ERR_FAULT, as ty_ec_mul, z then untouched; the call
 *          returns that of the first job in order that failed
 *   time   secret: each k     alias: z may be the job's own pub */
TY_API TY_MUST_CHECK ty_err ty_ec_many_mul(ty_ec_mul_job *jobs, size_t n);

#if defined(__cplusplus)
}
#endif
#endif
