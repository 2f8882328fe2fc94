/* Many SM2 verifications at once: digests side by side, points in the lanes that the curve's tier
 * has, and a table of multiples for a key with many signatures. All of it is public, and takes
 * variable time. */
#include "many/sm2_digests.h"
#include "tongyu/sm2_many.h"

/* Jobs of one key are searched for among NEAR jobs. */
enum { NEAR = 256, MANY = TY_EC_SM2_MANY };
_Static_assert(NEAR - 1 <= UINT8_MAX, "a place fits in a byte");

typedef struct group {
    const ty_ec_sm2_ops *ec;
    ty_sm2_digests digests;
    uint8_t e[MANY][32];
    ty_sm2_verify_job *job[MANY];
    size_t n;
} group;

/* Verifies the jobs of the group and sets their err. */
static void answer_group(group *g, const ty_sm2_verifier *table)
{
    size_t which[MANY], live = 0;
    ty_sm2_digests_run(&g->digests);
    for (size_t i = 0; i < g->n; i++) {
        ty_sm2_verify_job *job = g->job[i];
        ty_ec_sm2_check *c = &g->digests.checks[live];
        job->err = TY_ERR_VERIFY;
        if (!ty_sm2_verify_begin(c->x, c->v, job->sig, g->e[i])) continue;
        memcpy(c->u, job->sig + 32, 32);
        memcpy(c->p, job->pub->x, 32);
        memcpy(c->p + 32, job->pub->y, 32);
        c->table = table ? table->table : NULL;
        which[live++] = i;
    }
    g->ec->checks_vt(g->digests.checks, live);
    for (size_t i = 0; i < live; i++)
        if (g->digests.checks[i].good) g->job[which[i]]->err = TY_OK;
    g->n = 0;
}

/* Adds the job to the group, or sets its error. The key of a table has been checked. */
static void join(group *g, ty_sm2_verify_job *job, const ty_sm2_verifier *table)
{
    uint8_t *e = g->e[g->n];
    job->err = !job->e && job->id_len > TY_SM2_ID_MAX ? TY_ERR_SIZE
               : !table && !ty_sm2_pub_ok(job->pub)   ? TY_ERR_KEY
                                                      : TY_OK;
    if (job->err != TY_OK) return;
    if (job->e) memcpy(e, job->e, 32);
    else ty_sm2_digests_add(&g->digests, e, job->msg, job->msg_len, job->id, job->id_len, job->pub);
    g->job[g->n++] = job;
    if (g->n == MANY) answer_group(g, table);
}

/* First, key by key, the jobs of keys with enough jobs for a table, and of the key that the last
 * table was computed for; then the rest, whatever their keys. */
static void verify_near(group *g, ty_sm2_verify_job *jobs, size_t n, ty_sm2_verifier *table)
{
    uint8_t seen[NEAR] = { 0 }, done[NEAR] = { 0 };
    for (size_t i = 0; i < n; i++) {
        uint8_t same[NEAR];
        size_t count = 0;
        if (seen[i]) continue;
        for (size_t j = i; j < n; j++) {
            if (seen[j] || !ty_sm2_same_pub(jobs[j].pub, jobs[i].pub)) continue;
            same[count++] = (uint8_t)j;
            seen[j] = 1;
        }
        int use = table->ops && ty_sm2_same_pub(&table->pub, jobs[i].pub);
        if (!use && count >= g->ec->table_pays)
            use = ty_sm2_verifier_init(table, jobs[i].pub, NULL, 0) == TY_OK;
        if (!use) continue;
        for (size_t j = 0; j < count; j++) {
            join(g, &jobs[same[j]], table);
            done[same[j]] = 1;
        }
        answer_group(g, table);
    }
    for (size_t i = 0; i < n; i++)
        if (!done[i]) join(g, &jobs[i], NULL);
    answer_group(g, NULL);
}

ty_err ty_sm2_many_verify(ty_sm2_verify_job *jobs, size_t n)
{
    ty_sm2_verifier table;
    group g;
    g.ec = ty_ec_sm2_best();
    g.n = g.digests.zs = g.digests.texts = g.digests.msgs = 0;
    table.ops = NULL;
    for (size_t at = 0; at < n; at += NEAR)
        verify_near(&g, jobs + at, n - at < NEAR ? n - at : NEAR, &table);
    for (size_t i = 0; i < n; i++)
        if (jobs[i].err != TY_OK) return jobs[i].err;
    return TY_OK;
}
