/* Powers modulo different numbers in the lanes of vectors (modn/lanes.h), or in pairs
 * (modn/pair.h). Jobs of equal lengths share the lanes; ty_mp_powm does the remaining ones, and
 * those with an error.
 *
 * bound: as in powm.c, with the products of modn/lanes.h for all lanes at once */
#include "base/wipe.h"
#include "modn/digits52.h"
#include "mp/mont.h"

#include <string.h>

/* The err of a job that is not done yet; it is never returned. */
#define WAITS ((ty_err)1)

#if defined(TY_HAS_LANES)
enum {
    REACH = 64,         /* how many jobs are searched for those of one length */
    OWN = 16 * 1024 / 8 /* words of stack for a table and the group's numbers */
};

/* A window costs a product and reading the table, which for w = 6 takes half a product's time. */
static unsigned window(size_t bits) { return bits > 3072 ? 6 : bits > 256 ? 5 : bits > 64 ? 4 : 3; }

/* `count` jobs in the lanes, and the first one again in the remaining lanes: moduli of n limbs or d
 * digits, exponents of en limbs */
typedef struct group {
    const ty_lanes_ops *ops;
    ty_mp_powm_job *job[TY_LANES_MOST];
    size_t count, n, en, d, stored;
    unsigned w;
    /* [stored][lanes], of which d digits are used; t twice that, table 2^w times */
    uint64_t *m, *step, *rr, *one, *acc, *factor, *t, *table;
    uint64_t *minv, *index;                                     /* [1][lanes] */
} group;

/* --- Numbers into lanes and back -------------------------------------------------------------- */

/* lane k of z[d] = x[n], which has at most d digits */
static void spread(uint64_t *z, const group *g, size_t k, const ty_limb *x, size_t n)
{
    ty_digits52_put(z + k, g->ops->lanes, g->d, x, n, 0);
}

/* Job k's modulus and its constants, and x in acc. work: limbs for R^2 and for a residue */
static ty_err load(group *g, size_t k, ty_limb *work)
{
    const ty_mp_powm_job *job = g->job[k < g->count ? k : 0];
    const size_t n = g->n, rn = 2 * TY_LANES_BITS * g->d / 64 + 1;
    const ty_limb *m = ty_mp_cd(job->m);
    const ty_alloc *alloc = g->job[0]->z->alloc;
    ty_limb *r = work + rn;
    spread(g->m, g, k, m, n);
    g->minv[k] = ty_digits52_step(g->step + k, g->ops->lanes, g->d, m, n, work);
    memset(work, 0, rn * sizeof *work);
    work[rn - 1] = (ty_limb)1 << 2 * TY_LANES_BITS * g->d % 64;   /* R^2 */
    TY_TRY(ty_mp_reduce(r, work, rn, 0, m, n, 0, alloc));
    spread(g->rr, g, k, r, n);
    if (job->x->len <= n && !job->x->neg) ty_mp_spread(r, n, job->x);   /* below R/8 */
    else TY_TRY(ty_mp_reduce(r, ty_mp_cd(job->x), job->x->len, job->x->neg, m, n, 0, alloc));
    spread(g->acc, g, k, r, n);
    r[0] = 1;
    spread(g->one, g, k, r, 1);
    return TY_OK;
}

/* Job k's result from acc, which is at most 2m. */
static ty_err unload(group *g, size_t k, ty_limb *work)
{
    ty_mp_powm_job *job = g->job[k];
    const ty_limb *m = ty_mp_cd(job->m);
    const size_t n = g->n;
    ty_digits52_get(work, n + 1, g->acc + k, g->ops->lanes, g->d);
    ty_limb_canon(work, work[n], work, m, n);
    ty_limb_canon(work, 0, work, m, n);
    TY_TRY(ty_mp_grow(job->z, n));
    ty_mp_load(job->z, work, n);
    ty_mp_fix(job->z, n);
    return TY_OK;
}

/* --- Powers ----------------------------------------------------------------------------------- */

/* z = every lane's entry for the w bits of its exponent from bit `at` on */
static void pick(group *g, uint64_t *z, size_t at)
{
    for (size_t k = 0; k < g->ops->lanes; k++)
        g->index[k] = ty_limb_window(ty_mp_cd(g->job[k < g->count ? k : 0]->e), g->en, at, g->w);
    g->ops->gather(z, g->table, g->d, (size_t)1 << g->w, g->index);
}

/* acc = acc^e, with the conversions to Montgomery form and back */
static void raise(group *g)
{
    const ty_lanes_ops *ops = g->ops;
    const ty_lanes w = { g->d, g->m, g->step, g->minv, g->t };
    const size_t words = g->stored * ops->lanes, bits = g->en * TY_LIMB_BITS;
    uint64_t *const inputs[] = { g->m, g->step, g->rr, g->one, g->acc };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) ops->put(inputs[i], g->d);
    ops->put(g->minv, 1);
    ops->mul(g->table, g->rr, g->one, &w);
    ops->mul(g->table + words, g->acc, g->rr, &w);
    for (size_t i = 2; i < (size_t)1 << g->w; i++) {
        uint64_t *to = g->table + i * words;
        if (i % 2) {
            ops->mul(to, to - words, g->table + words, &w);
        } else {
            memcpy(to, g->table + i / 2 * words, words * sizeof *to);
            ops->sqrs(to, 1, &w);
        }
    }
    size_t at = (bits - 1) / g->w * g->w;   /* the highest window may be shorter */
    pick(g, g->acc, at);
    while (at) {
        at -= g->w;
        ops->sqrs(g->acc, g->w, &w);
        pick(g, g->factor, at);
        ops->mul(g->acc, g->acc, g->factor, &w);
    }
    ops->mul(g->acc, g->acc, g->one, &w);
    ops->get(g->acc, g->d);
}

/* Divides the memory at p, which is aligned, among the group's numbers. The table is scratch before
 * it is filled and after its last use. */
static void place(group *g, uint64_t *p)
{
    const size_t lanes = g->ops->lanes, words = g->stored * lanes;
    uint64_t **const all[] = { &g->m, &g->step, &g->rr, &g->one, &g->acc, &g->factor };
    g->minv = p;
    g->index = p + lanes;
    p += TY_LANES_MOST * 2;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++, p += words) *all[i] = p;
    g->t = p;
    g->table = p + 2 * words;
}

static ty_err run(group *g)
{
    const size_t lanes = g->ops->lanes, pad = TY_LANES_ALIGN / 8;
    const size_t total = (((size_t)1 << g->w) + 8) * g->stored * lanes + 2 * TY_LANES_MOST + pad;
    const ty_alloc *alloc = g->job[0]->z->alloc;
    uint64_t own[OWN], *p = ty_mp_take(own, OWN, total, alloc);
    if (!p) return TY_ERR_MEM;
    place(g, p + (pad - (uintptr_t)p / 8 % pad) % pad);
    ty_err err = TY_OK;
    for (size_t k = 0; k < lanes && !err; k++) err = load(g, k, g->table);
    if (!err) {
        raise(g);
        for (size_t k = 0; k < g->count; k++) g->job[k]->err = unload(g, k, g->table);
    }
    ty_mp_give(p, own, total, alloc);
    ty_wipe_below_8k();   /* kernels may spill vectors */
    return err;
}

/* --- Groups ----------------------------------------------------------------------------------- */

/* Whether m is odd and positive, and e not negative and of at least one limb: these facts are
 * public, as lengths are. */
static int suits(const ty_mp_powm_job *job)
{
    int odd = ty_mp_odd(job->m);
    TY_PUBLIC(&odd, sizeof odd);
    return odd && !job->m->neg && job->e->len && !job->e->neg;
}

/* Collects the jobs that are not done and have the first one's lengths, and chooses the kernels for
 * them; 0 if they are too few to be faster than one after the other. */
static int find(group *g, ty_mp_powm_job *jobs, size_t n)
{
    g->n = ty_mp_n(jobs->m);
    const ty_lanes_ops *lanes = ty_modn_lanes(g->n);
    if (!lanes || !suits(jobs)) return 0;
    g->count = 0;
    g->en = jobs->e->len;
    g->d = TY_LANES_FOR(g->n * 64);
    g->w = window(g->en * 64);
    for (size_t i = 0; i < n && i < REACH && g->count < lanes->lanes; i++)
        if (jobs[i].err == WAITS && suits(jobs + i) && ty_mp_n(jobs[i].m) == g->n &&
            jobs[i].e->len == g->en)
            g->job[g->count++] = jobs + i;
    g->ops = ty_modn_lanes_for(g->n, g->count);
    if (!g->ops) return 0;
    if (g->count > g->ops->lanes) g->count = g->ops->lanes;
    g->stored = ty_lanes_stored(g->ops, g->d);
    return 1;
}

/* Does the first job, and in the same group others of its lengths if there are enough. */
static void one_group(ty_mp_powm_job *jobs, size_t n)
{
    group g;
    if (!find(&g, jobs, n)) {
        jobs->err = ty_mp_powm(jobs->z, jobs->x, jobs->e, jobs->m);
        return;
    }
    const ty_err err = run(&g);
    if (err)
        for (size_t k = 0; k < g.count; k++) g.job[k]->err = err;
}
#else
static void one_group(ty_mp_powm_job *jobs, size_t n)
{
    (void)n;
    jobs->err = ty_mp_powm(jobs->z, jobs->x, jobs->e, jobs->m);
}
#endif

ty_err ty_mp_many_powm(ty_mp_powm_job *jobs, size_t n)
{
    ty_err first = TY_OK;
    for (size_t i = 0; i < n; i++) jobs[i].err = WAITS;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].err == WAITS) one_group(jobs + i, n - i);
    for (size_t i = n; i-- > 0;)
        if (jobs[i].err) first = jobs[i].err;
    return first;
}
