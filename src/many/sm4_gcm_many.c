/* Many short GCM messages at once [SP 800-38D]: their counter blocks go through the cipher in the
 * rows of sm4_grid.h, each record is hashed by itself. Messages that fill the kernels by themselves
 * go the usual way. */
#include "aead/sm4_gcm.h"
#include "base/tag.h"
#include "base/wipe.h"
#include "many/sm4_grid.h"
#include "tongyu/sm4_many.h"

/* y = the hash of additional data, ciphertext and lengths, in one call if the additional data are
 * short */
static void many_gcm_hash(uint8_t y[16], const ty_sm4_gcm_job *job, const uint8_t *text)
{
    enum { SHORT = 64, MOST = 48 };      /* blocks, of ty_many_fair and ty_grid_fair */
    uint8_t x[SHORT + 16 * MOST + 16];
    size_t n = 0;
    memset(y, 0, 16);
    if (job->aad_len <= SHORT) n = ty_gcm_pad(x, job->aad, job->aad_len);
    else ty_gcm_absorb_padded(y, job->aad, job->aad_len, job->key);
    n += ty_gcm_pad(x + n, text, job->len);
    ty_gcm_lengths(x + n, job->aad_len, job->len);
    ty_gcm_absorb(y, x, n / 16 + 1, job->key);
}

/* mask: to seal E(J0), to open the hash */
typedef struct gcm_rows {
    ty_grid g;
    uint8_t mask[TY_GRID][16];
} gcm_rows;

static inline uint8_t *mask_of(ty_grid *g, size_t r) { return ((gcm_rows *)(void *)g)->mask[r]; }

static const ty_sm4_key *gcm_waits(const ty_grid *g, size_t j)
{
    const ty_sm4_gcm_job *job = (const ty_sm4_gcm_job *)g->jobs + j;
    return job->err == TY_JOB_WAITS ? &job->key->sm4 : NULL;
}

static ty_sm4_gcm_job *row_job(const ty_grid *g, size_t r)
{
    return (ty_sm4_gcm_job *)g->jobs + g->job[r];
}

/* The row's first block is E(J0). state is the counter block, its number as this machine has it. */
static void rows_begin(ty_grid *g, size_t r)
{
    ty_sm4_gcm_job *job = row_job(g, r);
    uint8_t j0[16];
    ty_gcm_j0(j0, job->nonce, job->nonce_len, job->key);
    const uint32_t number = ty_get32be(j0 + 12);
    memcpy(g->state[r], j0, 12);
    memcpy((uint8_t *)g->state[r] + 12, &number, 4);
    g->in[r] = job->in;
    g->out[r] = job->out;
    g->left[r] = job->len;
    g->lead[r] = 16;
    g->rk[r] = (const uint8_t *)job->key->sm4.enc;
}

static void rows_begin_open(ty_grid *g, size_t r)
{
    rows_begin(g, r);
    many_gcm_hash(mask_of(g, r), row_job(g, r), row_job(g, r)->in);
}

static void rows_fill(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        uint32_t number;
        uint64_t w[2];
        memcpy(w, g->state[r], 16);
        memcpy(&number, (uint8_t *)w + 12, 4);
        if (g->lead[r] == 0 && ty_grid_full(g, r)) {
            g->to[r] = g->out[r];
            g->add[r] = g->in[r];
        }
        for (size_t c = 0; c < g->depth; c++) {
            const uint32_t n = TY_BE32(number);
            number = ty_barrier32(number + 1);   /* it may be secret: no loop may count in it */
            memcpy((uint8_t *)w + 12, &n, 4);
            *(ty_v2 *)(void *)(ty_grid_x(g, r) + 16 * c) = (ty_v2){ w[0], w[1] };
        }
        memcpy((uint8_t *)g->state[r] + 12, &number, 4);
    }
}

/* To open, the tag is checked as soon as it can be, before the first byte is deciphered. */
static void check_row(ty_grid *g, size_t r)
{
    ty_sm4_gcm_job *job = row_job(g, r);
    uint8_t *full = mask_of(g, r);
    ty_sm4_xor(full, full, ty_grid_x(g, r));
    job->err = ty_tag_verdict(full, job->tag, job->tag_len);
    if (job->err == TY_OK) return;
    ty_wipe(job->out, job->len);
    g->left[r] = 0;
    g->take[r] = 16;
}

static inline void rows_drain_with(ty_grid *g, const int opens)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        const size_t lead = g->lead[r];
        if (lead && opens) check_row(g, r);
        if (lead && !opens) memcpy(mask_of(g, r), ty_grid_x(g, r), 16);
        const size_t n = g->take[r] - lead;
        if (g->to[r] == ty_grid_x(g, r))
            ty_grid_xor(g->out[r], g->in[r], ty_grid_x(g, r) + lead, n);
        ty_grid_moved(g, r, n);
        g->lead[r] = 0;
    }
}

static void rows_drain(ty_grid *g) { rows_drain_with(g, 0); }
static void rows_drain_open(ty_grid *g) { rows_drain_with(g, 1); }

static void rows_end(ty_grid *g, size_t r)
{
    ty_sm4_gcm_job *job = row_job(g, r);
    uint8_t y[16];
    if (job->err != TY_JOB_WAITS) return;
    many_gcm_hash(y, job, job->out);
    ty_sm4_xor(y, y, mask_of(g, r));
    memcpy(job->tag, y, job->tag_len);
    ty_wipe(y, sizeof y);
    job->err = TY_OK;
}

/* A row that has not begun goes the way of one message; else its counter goes on. */
static inline void rows_alone_with(ty_grid *g, size_t r, const int opens)
{
    ty_sm4_gcm_job *j = row_job(g, r);
    if (g->lead[r]) {
        j->err = opens ? ty_sm4_gcm_open(j->out, j->in, j->len, j->tag, j->tag_len, j->aad,
                                         j->aad_len, j->nonce, j->nonce_len, j->key)
                       : ty_sm4_gcm_seal(j->out, j->tag, j->tag_len, j->in, j->len, j->aad,
                                         j->aad_len, j->nonce, j->nonce_len, j->key);
        return;
    }
    const size_t rest = g->left[r] % 16, whole = g->left[r] - rest;
    uint8_t counter[16], last[16] = { 0 };
    uint32_t number;
    memcpy(counter, g->state[r], 16);
    memcpy(&number, counter + 12, 4);
    ty_put32be(counter + 12, number);
    ty_gcm_ctr(g->out[r], g->in[r], whole / 16, counter, j->key);
    if (rest == 0) return;
    memcpy(last, g->in[r] + whole, rest);
    ty_gcm_ctr(last, last, 1, counter, j->key);
    memcpy(g->out[r] + whole, last, rest);
    ty_wipe(last, sizeof last);
}

static void rows_alone(ty_grid *g, size_t r) { rows_alone_with(g, r, 0); }
static void rows_alone_open(ty_grid *g, size_t r) { rows_alone_with(g, r, 1); }

static void run_rows(ty_sm4_gcm_job *jobs, size_t n, int opens)
{
    static const ty_grid_kind seals = { gcm_waits,  rows_begin, NULL, rows_fill,
                                        rows_drain, rows_alone, rows_end };
    static const ty_grid_kind open_all = { gcm_waits, rows_begin_open, NULL, rows_fill,
                                           rows_drain_open, rows_alone_open, NULL };
    gcm_rows w;
    ty_grid_run(&w.g, jobs, n, opens ? &open_all : &seals);
    ty_wipe(w.mask, sizeof w.mask);
}

/* --- The calls */

static ty_err limits(const ty_sm4_gcm_job *job, int seals)
{
    if (ty_crosses(job->out, job->in, job->len)) return TY_ERR_ARG;
    if (seals && ty_touches(job->tag, job->tag_len, job->out, job->len)) return TY_ERR_ARG;
    return ty_gcm_limits(job->tag_len, job->len, job->aad_len, job->nonce_len);
}

/* From how many blocks on a message goes alone where n are short */
static inline size_t fair_of(const ty_sm4_gcm_job *job, size_t n)
{
    return TY_HELD(sm4, job->key->sm4.ops)->grid ? ty_grid_fair(n) : ty_many_fair(n);
}

static inline int alone(const ty_sm4_gcm_job *job, size_t n)
{
    return job->len / 16 + 1 >= fair_of(job, n);
}

/* How many messages could share rows; those that are longer go alone. */
static size_t short_ones(const ty_sm4_gcm_job *jobs, size_t n)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++) count += !alone(&jobs[j], n);
    return count;
}

static ty_err gcm_many_run(ty_sm4_gcm_job *jobs, size_t n, int opens)
{
    const size_t count = short_ones(jobs, n);
    int rows = 0;
    for (ty_sm4_gcm_job *j = jobs, *end = n ? jobs + n : jobs; j < end; j++) {
        if ((j->err = limits(j, !opens)) != TY_OK) continue;
        if (!alone(j, count)) {
            j->err = TY_JOB_WAITS;
            rows = 1;
        } else if (opens) {
            j->err = ty_sm4_gcm_open(j->out, j->in, j->len, j->tag, j->tag_len, j->aad, j->aad_len,
                                     j->nonce, j->nonce_len, j->key);
        } else {
            j->err = ty_sm4_gcm_seal(j->out, j->tag, j->tag_len, j->in, j->len, j->aad, j->aad_len,
                                     j->nonce, j->nonce_len, j->key);
        }
    }
    if (rows) run_rows(jobs, n, opens);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_gcm_job);
}

ty_err ty_sm4_many_gcm_seal(ty_sm4_gcm_job *jobs, size_t n) { return gcm_many_run(jobs, n, 0); }
ty_err ty_sm4_many_gcm_open(ty_sm4_gcm_job *jobs, size_t n) { return gcm_many_run(jobs, n, 1); }
