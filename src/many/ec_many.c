/* Many multiplications on binary curves: four neighbouring jobs on one curve are one call of the
 * tier's mul_four, where it has that. */
#include "tongyu/ec_many.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "ec/ec_binary.h"

#include <string.h>

#if !defined(TY_PUBLIC_ONLY)
/* How many jobs take longer one by one than in a call for four, in every field: the tau-adic method
 * of Koblitz curves is faster for one. */
enum { FOUR = 4, ENOUGH = 3, ENOUGH_KOBLITZ = 4 };

/* jobs[which[0]], ... [which[n - 1]], whose points have been checked; 0 < n <= FOUR: the first is
 * repeated in the lanes that are left */
static void mul_group(ty_ec_mul_job *jobs, const size_t *which, size_t n)
{
    const ty_ec_curve *c = jobs[which[0]].pub->curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    uint8_t xy[FOUR][2 * TY_EC_MAX], *z[FOUR];
    const uint8_t *k[FOUR], *p[FOUR];
    uint32_t finite[FOUR];
    for (size_t i = 0; i < FOUR; i++) {
        const ty_ec_mul_job *job = &jobs[which[i < n ? i : 0]];
        z[i] = xy[i];
        k[i] = job->k;
        p[i] = job->pub->xy;
    }
    ops->mul_four(finite, z, k, 8 * ty_ec_n_len(c), p, c);
    TY_PUBLIC(finite, sizeof finite);   /* the jobs' err */
    for (size_t i = 0; i < n; i++) {
        ty_ec_mul_job *job = &jobs[which[i]];
        job->err = finite[i] ? ops->check_again(xy[i], c) : TY_ERR_KEY;
        if (finite[i] && job->err != TY_OK) job->err = TY_ERR_FAULT;
        if (job->err == TY_OK) ty_ec_pub_keep(job->z, c, xy[i]);
    }
    ty_wipe(xy, sizeof xy);
    ty_wipe_below_8k();
}

/* the first jobs, on one curve, up to FOUR: returns how many */
static size_t mul_near(ty_ec_mul_job *jobs, size_t n)
{
    const ty_ec_curve *c = jobs[0].pub->curve;
    const ty_ec_binary_ops *ops = ty_ec_binary_best(c);
    size_t same = 1, which[FOUR], live = 0;
    if (ops->mul_four)
        while (same < FOUR && same < n && jobs[same].pub->curve == c) same++;
    if (same < (c->tau ? ENOUGH_KOBLITZ : ENOUGH)) {
        jobs[0].err = ty_ec_mul(jobs[0].z, jobs[0].k, jobs[0].pub);
        return 1;
    }
    for (size_t i = 0; i < same; i++) {
        jobs[i].err = ops->check_again(jobs[i].pub->xy, c) == TY_OK ? TY_OK : TY_ERR_KEY;
        if (jobs[i].err == TY_OK) which[live++] = i;
    }
    if (live) mul_group(jobs, which, live);
    return same;
}

ty_err ty_ec_many_mul(ty_ec_mul_job *jobs, size_t n)
{
    for (size_t at = 0; at < n;) at += mul_near(jobs + at, n - at);
    for (size_t i = 0; i < n; i++)
        if (jobs[i].err != TY_OK) return jobs[i].err;
    return TY_OK;
}
#endif
