/* SM2 key agreement for a batch of jobs: up to TY_EC_SM2_MANY points are multiplied by one call of
 * ec->mul_many, in the lanes of vectors where the curve's tier has such a kernel. */
#include "many/sm2_points.h"

enum { MANY = TY_EC_SM2_MANY };

/* TY_OK if job i of n joins the group. TY_ERR_ARG if its `out` overlaps the memory of another job:
 * nothing is written. TY_ERR_KEY if its public key is not valid: `out` is zeroed. */
static ty_err join(const ty_sm2_ecdh_job *job, const ty_sm2_reach *reach, size_t n, size_t i)
{
    if (ty_sm2_overlaps(reach, n, i)) return TY_ERR_ARG;
    if (ty_sm2_pub_ok(job->pub)) return TY_OK;
    memset(job->out, 0, 32);
    return TY_ERR_KEY;
}

static void ecdh_group(ty_sm2_ecdh_job *jobs, size_t n)
{
    const ty_ec_sm2_ops *ec = ty_ec_sm2_best();
    ty_sm2_reach reach[MANY];
    uint8_t d[MANY][32], xy[MANY][64];
    size_t which[MANY], live = 0;
    for (size_t i = 0; i < n; i++)
        reach[i] = (ty_sm2_reach){ jobs[i].out, { jobs[i].pub, jobs[i].key }, 32,
                                   { sizeof *jobs[i].pub, sizeof *jobs[i].key } };
    for (size_t i = 0; i < n; i++) {
        const ty_sm2_ecdh_job *job = &jobs[i];
        if ((jobs[i].err = join(job, reach, n, i)) != TY_OK) continue;
        memcpy(d[live], job->key->d, 32);
        memcpy(xy[live], job->pub->x, 32);
        memcpy(xy[live] + 32, job->pub->y, 32);
        which[live++] = i;
    }
    ec->mul_many(xy, (const uint8_t (*)[32])d, (const uint8_t (*)[64])xy, live);
    for (size_t i = 0; i < live; i++) {
        ty_sm2_ecdh_job *job = &jobs[which[i]];
        uint32_t finite = ty_sm2_finite(xy[i]);
        /* always true for a key that was set: d is not 0 mod n, P has order n */
        TY_PUBLIC(&finite, sizeof finite);
        memcpy(job->out, xy[i], 32);
        if (!finite) job->err = TY_ERR_KEY;
    }
    ty_wipe(d, sizeof d);
    ty_wipe(xy, sizeof xy);
    ty_wipe_below_8k();
}

ty_err ty_sm2_many_ecdh(ty_sm2_ecdh_job *jobs, size_t n)
{
    ty_err first = TY_OK;
    for (size_t at = 0; at < n; at += MANY) ecdh_group(jobs + at, n - at < MANY ? n - at : MANY);
    for (size_t i = 0; i < n && first == TY_OK; i++) first = jobs[i].err;
    return first;
}
