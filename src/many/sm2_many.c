/* Many SM2 keys and signatures at once; verifications are in sm2_verify_many.c. Jobs are processed
 * in groups of TY_EC_SM2_MANY. Their points share lanes, where the curve's tier has them, and one
 * inversion (Montgomery's trick); keys also share the inversion of 1 + d. All of it is constant
 * time: which jobs have failed is public, and all others take the same steps. */
#include "tongyu/sm2_many.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "many/sm2_digests.h"

#include <string.h>

enum { MANY = TY_EC_SM2_MANY };

/* keeps the first error of a call, in the order of the jobs */
static void note(ty_err *first, ty_err err)
{
    if (*first == TY_OK) *first = err;
}

/* --- Keys ------------------------------------------------------------------------------------- */

/* z[i] = 1/(1 + d[i]) for n > 0 scalars, none of them -1: one inversion and 3 (n - 1) products */
static void inverses(uint8_t (*z)[32], const uint8_t (*d)[32], size_t n)
{
    static const uint8_t one[32] = { [31] = 1 };
    const ty_n_sm2_ops *ops = ty_n_sm2_best();
    uint8_t t[32], all[32];
    ops->add(z[0], d[0], one);
    for (size_t i = 1; i < n; i++) {
        ops->add(t, d[i], one);
        ops->mul(z[i], z[i - 1], t);   /* the product up to i */
    }
    ops->inv(all, z[n - 1]);
    for (size_t i = n - 1; i > 0; i--) {
        ops->mul(z[i], z[i - 1], all);
        ops->add(t, d[i], one);
        ops->mul(all, all, t);
    }
    memcpy(z[0], all, 32);
    ty_wipe(t, sizeof t);
    ty_wipe(all, sizeof all);
}

static void keygen_group(ty_sm2_keygen_job *jobs, size_t n, const ty_rng *rng)
{
    uint8_t d[MANY][32], inv[MANY][32], xy[MANY][64];
    size_t which[MANY], live = 0;
    for (size_t i = 0; i < n; i++) {
        memset(jobs[i].key, 0, sizeof *jobs[i].key);
        jobs[i].err = ty_sm2_scalar(d[live], 1, rng);
        if (jobs[i].err == TY_OK) which[live++] = i;
    }
    if (live == 0) return;
    inverses(inv, (const uint8_t (*)[32])d, live);
    ty_ec_sm2_best()->mul_base_many(xy, (const uint8_t (*)[32])d, live);
    for (size_t i = 0; i < live; i++) {
        ty_sm2_keygen_job *job = &jobs[which[i]];
        job->err = ty_sm2_key_assemble(job->key, d[i], inv[i], xy[i]);
    }
    ty_wipe(d, sizeof d);
    ty_wipe(inv, sizeof inv);
    ty_wipe_below_8k();
}

ty_err ty_sm2_many_keygen(ty_sm2_keygen_job *jobs, size_t n, const ty_rng *rng)
{
    ty_err first = TY_OK;
    for (size_t at = 0; at < n; at += MANY)
        keygen_group(jobs + at, n - at < MANY ? n - at : MANY, rng);
    for (size_t i = 0; i < n; i++) note(&first, jobs[i].err);
    return first;
}

/* --- Signing ---------------------------------------------------------------------------------- */

typedef struct sign_group {
    uint8_t k[MANY][32], kg[MANY][64], e[MANY][32], fresh[MANY][32], seed[MANY][TY_SM2_SEED];
    ty_sm2_digests digests;
    ty_sm2_sign_job *job[MANY];
    size_t n;
} sign_group;

/* Adds the job to the group, with its digest or message, and with random bytes if there is a
 * source; or returns its error. */
static ty_err join(sign_group *g, ty_sm2_sign_job *job, const ty_rng *rng)
{
    uint8_t *e = g->e[g->n];
    if (job->e) memcpy(e, job->e, 32);
    memset(job->sig, 0, 64);   /* after the digest: sig may overlap it */
    if (!job->e && job->id_len > TY_SM2_ID_MAX) return TY_ERR_SIZE;
    if (rng && rng->fill(rng->ctx, g->fresh[g->n], 32) != TY_OK) return TY_ERR_RNG;
    if (!job->e)
        ty_sm2_digests_add(&g->digests, e, job->msg, job->msg_len, job->id, job->id_len,
                           &job->key->pub);
    g->job[g->n++] = job;
    return TY_OK;
}

/* The first nonce of each job: hedged ones are hashes, computed side by side. */
static void first_nonces(sign_group *g, int hedged)
{
    ty_sm3_job jobs[MANY];
    for (size_t i = 0; i < g->n; i++) {
        const ty_sm2_key *key = g->job[i]->key;
        if (hedged) {
            ty_sm2_seed(g->seed[i], g->e[i], key->d, g->fresh[i]);
            jobs[i] = (ty_sm3_job){ g->k[i], g->seed[i], TY_SM2_SEED };
        } else {
            ty_sm2_nonces nonces;
            ty_sm2_nonces_init(&nonces, g->e[i], key, NULL);
            ty_sm2_nonces_next(g->k[i], &nonces);
            ty_wipe(&nonces, sizeof nonces);
        }
    }
    if (hedged) ty_sm3_many_hash(jobs, g->n);
}

static ty_err sign_all(ty_sm2_sign_job *jobs, size_t n, const ty_rng *rng)
{
    sign_group g;
    ty_err first = TY_OK;
    g.digests.zs = g.digests.texts = g.digests.msgs = 0;
    for (size_t at = 0; at < n;) {
        g.n = 0;
        for (; at < n && g.n < MANY; at++) jobs[at].err = join(&g, &jobs[at], rng);
        ty_sm2_digests_run(&g.digests);
        first_nonces(&g, rng != NULL);
        ty_ec_sm2_best()->mul_base_many(g.kg, (const uint8_t (*)[32])g.k, g.n);
        for (size_t i = 0; i < g.n; i++) {
            ty_sm2_sign_job *job = g.job[i];
            job->err = ty_sm2_sign_seeded(job->sig, g.e[i], job->key, rng ? g.fresh[i] : NULL,
                                          g.k[i], g.kg[i]);
        }
    }
    for (size_t i = 0; i < n; i++) note(&first, jobs[i].err);
    ty_wipe(&g, sizeof g);
    ty_wipe_below_8k();
    return first;
}

ty_err ty_sm2_many_sign(ty_sm2_sign_job *jobs, size_t n, const ty_rng *rng)
{
    return sign_all(jobs, n, rng);
}

ty_err ty_sm2_many_sign_deterministic(ty_sm2_sign_job *jobs, size_t n)
{
    return sign_all(jobs, n, NULL);
}
