/* Many data units at once in XTS [IEEE 1619-2018, 5; GB/T 17964-2021, 10], each with its two keys:
 * the tweaks are encrypted in rows, then the blocks, each with its mask added before and after.
 * Units with a partial last block, and long ones, are processed alone. */
#include "many/sm4_grid.h"
#include "mod/f2_128_x.h"
#include "tongyu/sm4_many.h"

/* The rows, and the masks of the current step, row by row */
typedef struct xts_run {
    ty_grid g;
    uint8_t mask[TY_GRID * TY_GRID_ROW];
} xts_run;

static ty_sm4_xts_job *job_of(const ty_grid *g, size_t j)
{
    return (ty_sm4_xts_job *)g->jobs + j;
}

static const ty_sm4_key *xts_waits(const ty_grid *g, size_t j)
{
    const ty_sm4_xts_job *job = job_of(g, j);
    return job->err == TY_JOB_WAITS ? &job->key->data : NULL;
}

static void begin_with(ty_grid *g, size_t r, int decrypt)
{
    ty_sm4_xts_job *job = job_of(g, g->job[r]);
    g->in[r] = job->in;
    g->out[r] = job->out;
    g->left[r] = job->len;
    g->rk[r] = (const uint8_t *)(decrypt ? job->key->data.dec : job->key->data.enc);
    job->err = TY_OK;
}

static void xts_begin(ty_grid *g, size_t r) { begin_with(g, r, 0); }
static void xts_begin_decrypt(ty_grid *g, size_t r) { begin_with(g, r, 1); }

/* state = E(tweak) under the tweak key, in memory order, for the set bits of `rows`. */
static void tweaks(ty_grid *g, uint32_t rows)
{
    const uint8_t *rk[TY_GRID];
    for (size_t r = 0; r < TY_GRID; r++) {
        const int fresh = rows >> r & 1;
        rk[r] = fresh ? (const uint8_t *)job_of(g, g->job[r])->key->tweak.enc : g->rk[r];
        if (fresh) memcpy(ty_grid_x(g, r), job_of(g, g->job[r])->tweak, 16);
    }
    g->depth = 1;
    ty_grid_own(g);
    ty_grid_lay(g, rk);
    ty_grid_step(g);
    for (size_t r = 0; r < TY_GRID; r++)
        if (rows >> r & 1) memcpy(g->state[r], ty_grid_x(g, r), 16);
}

/* p = t, t x, t x^2, t x^3, and t becomes t x^4; gb chooses the order of bits: see f2_128_x.h */
static inline void four(uint8_t p[TY_GRID_ROW], uint64_t t[2], const int gb)
{
    uint64_t w[2] = { gb ? TY_BE64(t[1]) : TY_LE64(t[0]), gb ? TY_BE64(t[0]) : TY_LE64(t[1]) };
    for (size_t c = 0; c < 4; c++) {
        const ty_v2 m = { gb ? TY_BE64(w[1]) : TY_LE64(w[0]), gb ? TY_BE64(w[0]) : TY_LE64(w[1]) };
        *(ty_v2 *)(void *)(p + 16 * c) = m;
        if (gb) ty_f2_128_double_reflected(w);
        else ty_f2_128_double(w);
    }
    t[0] = gb ? TY_BE64(w[1]) : TY_LE64(w[0]);
    t[1] = gb ? TY_BE64(w[0]) : TY_LE64(w[1]);
}

static inline void fill_with(ty_grid *g, const int gb)
{
    uint8_t *mask = ((xts_run *)(void *)g)->mask;
    for (size_t r = 0; r < TY_GRID; r++) {
        four(mask + TY_GRID_ROW * r, g->state[r], gb);
        ty_grid_xor(ty_grid_x(g, r), g->in[r], mask + TY_GRID_ROW * r, g->take[r]);
        g->add[r] = mask + TY_GRID_ROW * r;
        if (ty_grid_full(g, r)) g->to[r] = g->out[r];
    }
}

static void fill_ieee(ty_grid *g) { fill_with(g, 0); }
static void fill_gb(ty_grid *g) { fill_with(g, 1); }

static void drain(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        if (!ty_grid_full(g, r)) memcpy(g->out[r], ty_grid_x(g, r), g->take[r]);
        ty_grid_moved(g, r, g->take[r]);
    }
}

static ty_err xts_limits(const ty_sm4_xts_job *job)
{
    if (job->len < TY_SM4_XTS_MIN) return TY_ERR_ARG;
    if (job->len > TY_SM4_XTS_MAX) return TY_ERR_SIZE;
    return ty_crosses(job->out, job->in, job->len) ? TY_ERR_ARG : TY_OK;
}

typedef ty_err xts_one(uint8_t *out, const uint8_t *in, size_t len,
                       const uint8_t tweak[TY_AT_LEAST(16)], const ty_sm4_xts_key *key);

static inline int fits(const ty_sm4_xts_job *job, size_t alone_from)
{
    return job->len % 16 == 0 && job->len / 16 < alone_from;
}

static ty_err xts_many(ty_sm4_xts_job *jobs, size_t n, const ty_grid_kind *kind, xts_one *one)
{
    xts_run w;
    size_t count = 0;
    for (size_t j = 0; j < n; j++) count += fits(&jobs[j], ty_grid_alone_from(TY_GRID)) ? 1 : 0;
    const size_t alone_from = ty_grid_alone_from(count);
    count = 0;
    for (size_t j = 0; j < n; j++) {
        ty_sm4_xts_job *job = &jobs[j];
        if ((job->err = xts_limits(job)) != TY_OK) continue;
        if (fits(job, alone_from)) {
            job->err = TY_JOB_WAITS;
            count++;
        } else {
            job->err = one(job->out, job->in, job->len, job->tweak, job->key);
        }
    }
    if (count) {
        ty_grid_run(&w.g, jobs, n, kind);
        ty_wipe(w.mask, sizeof w.mask);
    }
    return TY_MANY_VERDICT(jobs, n, ty_sm4_xts_job);
}

static const ty_grid_kind ieee = {
    xts_waits, xts_begin, tweaks, fill_ieee, drain, NULL, NULL, NULL
};
static const ty_grid_kind ieee_decrypt = {
    xts_waits, xts_begin_decrypt, tweaks, fill_ieee, drain, NULL, NULL, NULL
};
static const ty_grid_kind gb = {
    xts_waits, xts_begin, tweaks, fill_gb, drain, NULL, NULL, NULL
};
static const ty_grid_kind gb_decrypt = {
    xts_waits, xts_begin_decrypt, tweaks, fill_gb, drain, NULL, NULL, NULL
};

ty_err ty_sm4_many_xts_ieee_encrypt(ty_sm4_xts_job *jobs, size_t n)
{
    return xts_many(jobs, n, &ieee, ty_sm4_xts_ieee_encrypt);
}

ty_err ty_sm4_many_xts_ieee_decrypt(ty_sm4_xts_job *jobs, size_t n)
{
    return xts_many(jobs, n, &ieee_decrypt, ty_sm4_xts_ieee_decrypt);
}

ty_err ty_sm4_many_xts_gb_encrypt(ty_sm4_xts_job *jobs, size_t n)
{
    return xts_many(jobs, n, &gb, ty_sm4_xts_gb_encrypt);
}

ty_err ty_sm4_many_xts_gb_decrypt(ty_sm4_xts_job *jobs, size_t n)
{
    return xts_many(jobs, n, &gb_decrypt, ty_sm4_xts_gb_decrypt);
}
