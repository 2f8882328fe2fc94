/* Verification of many ECDSA signatures at once, curve by curve: one inversion gives 1/s for up to
 * MANY signatures of one curve (Montgomery's trick). All data are public. */
#include "tongyu/ecdsa_many.h"
#include "ec/ec_binary.h"
#include "ecdsa/ecdsa.h"

#include <string.h>

/* Up to MANY signatures share an inversion; those of one curve are searched for among NEAR jobs. */
enum { MANY = 32, NEAR = 256 };

typedef struct group {
    ty_scalar_ring ring;
    ty_ecdsa_claim claim[MANY];
    ty_scalar product[MANY];   /* first s[0] ... s[i], then 1/s[i] */
    ty_ecdsa_verify_job *job[MANY];
    size_t n;
} group;

/* product[i] = 1/s[i]: one inversion and 3 (n - 1) products */
static void inverses(group *g)
{
    ty_scalar all;
    g->product[0] = g->claim[0].s;
    for (size_t i = 1; i < g->n; i++)
        ty_scalar_mul(&g->product[i], &g->product[i - 1], &g->claim[i].s, &g->ring);
    ty_scalar_inv(&all, &g->product[g->n - 1], &g->ring);
    for (size_t i = g->n - 1; i > 0; i--) {
        ty_scalar_mul(&g->product[i], &g->product[i - 1], &all, &g->ring);
        ty_scalar_mul(&all, &all, &g->claim[i].s, &g->ring);
    }
    g->product[0] = all;
}

/* Verifies the signatures of the group and sets their jobs' err. */
static void finish_group(group *g)
{
    if (g->n) inverses(g);
    for (size_t i = 0; i < g->n; i++)
        g->job[i]->err =
            ty_ecdsa_claim_check(&g->claim[i], &g->product[i], g->job[i]->pub, &g->ring);
    g->n = 0;
}

/* Verifies all jobs of the first job's curve, then of the next curve that remains, and so on. */
static void verify_near(ty_ecdsa_verify_job *jobs, size_t n, group *g)
{
    uint8_t done[NEAR] = { 0 };
    for (size_t i = 0; i < n; i++) {
        const ty_ec_curve *c = jobs[i].pub->curve;
        if (done[i]) continue;
        ty_scalar_ring_init(&g->ring, c->n, c->n_bits);
        for (size_t j = i; j < n; j++) {
            ty_ecdsa_verify_job *job = &jobs[j];
            if (done[j] || job->pub->curve != c) continue;
            done[j] = 1;
            job->err = ty_ecdsa_claim_set(&g->claim[g->n], job->sig, job->sig_len, job->digest,
                                          job->digest_len, job->pub, &g->ring);
            if (job->err != TY_OK) continue;
            g->job[g->n++] = job;
            if (g->n == MANY) finish_group(g);
        }
        finish_group(g);
    }
}

ty_err ty_ecdsa_many_verify(ty_ecdsa_verify_job *jobs, size_t n)
{
    group g;
    g.n = 0;
    for (size_t at = 0; at < n; at += NEAR)
        verify_near(jobs + at, n - at < NEAR ? n - at : NEAR, &g);
    for (size_t i = 0; i < n; i++)
        if (jobs[i].err != TY_OK) return jobs[i].err;
    return TY_OK;
}
