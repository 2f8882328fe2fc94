/* Many short GCM messages at once [SP 800-38D]: their counter blocks are encrypted in the lanes of
 * multi_buffer.h or the rows of sm4_grid.h; each message is hashed by itself. Messages that are
 * long enough to fill the kernels are processed one at a time, and groups of sixteen messages of
 * one length by sm4_gcm_equal.c. */
#include "aead/sm4_gcm.h"
#include "base/tag.h"
#include "base/wipe.h"
#include "many/sm4_gcm_many.h"
#include "many/sm4_grid.h"

/* y = GHASH of additional data, ciphertext (text) and lengths, in one call if the additional data
 * are short */
static void many_gcm_hash(uint8_t y[16], const ty_sm4_gcm_job *job, const uint8_t *text)
{
    enum { SHORT = 64, MOST = 48 };   /* bytes; blocks, the maximum of both *_alone_from() */
    uint8_t x[SHORT + 16 * MOST + 16];
    size_t n = 0;
    memset(y, 0, 16);
    if (job->aad_len <= SHORT) n = ty_gcm_pad(x, job->aad, job->aad_len);
    else ty_gcm_absorb_padded(y, job->aad, job->aad_len, job->key);
    n += ty_gcm_pad(x + n, text, job->len);
    ty_gcm_lengths(x + n, job->aad_len, job->len);
    ty_gcm_absorb(y, x, n / 16 + 1, job->key);
}

/* --- In lanes: a block of every message at a time */

/* The next blocks of this lane's message: first E(J0), which masks the tag, then the message. When
 * opening, the tag is checked before the first byte is deciphered. */
static inline int lane_segment(ty_many *m, size_t lane, const int opens)
{
    ty_many_slot *slot = ty_many_at(m, lane);
    ty_sm4_gcm_job *job = (ty_sm4_gcm_job *)m->jobs + slot->job;
    const size_t rest = job->len % 16, whole = job->len - rest;
    switch (slot->stage++) {
    case 0:
        ty_gcm_j0(slot->more, job->nonce, job->nonce_len, job->key);
        ty_many_counter(m, lane, slot->more);
        if (opens) many_gcm_hash(slot->more, job, job->in);
        return ty_many_part(m, lane, NULL, 0);
    case 1:
        if (opens) {
            ty_sm4_xor(slot->more, slot->more, slot->part);
            job->err = ty_tag_verdict(slot->more, job->tag, job->tag_len);
            if (job->err != TY_OK) {
                ty_wipe(job->out, job->len);
                return 0;
            }
        } else {
            memcpy(slot->more, slot->part, 16);
        }
        if (whole) return ty_many_blocks(m, lane, job->out, job->in, whole / 16);
        slot->stage++;
        /* fall through */
    case 2:
        if (rest) return ty_many_part(m, lane, job->in + whole, rest);
        slot->stage++;
        /* fall through */
    default:
        if (rest) memcpy(job->out + whole, slot->part, rest);
        job->err = TY_OK;
        if (opens) return 0;
        many_gcm_hash(slot->part, job, job->out);
        ty_sm4_xor(slot->more, slot->more, slot->part);
        memcpy(job->tag, slot->more, job->tag_len);
        return 0;
    }
}

static int lane_seal(ty_many *m, size_t lane) { return lane_segment(m, lane, 0); }
static int lane_open(ty_many *m, size_t lane) { return lane_segment(m, lane, 1); }

static const ty_sm4_key *lane_waits(const ty_many *m, size_t j)
{
    const ty_sm4_gcm_job *job = (const ty_sm4_gcm_job *)m->jobs + j;
    return job->err == TY_JOB_WAITS ? &job->key->sm4 : NULL;
}

static __attribute__((noinline)) void run_lanes(ty_sm4_gcm_job *jobs, size_t n, int opens)
{
    static const ty_many_kind seals = { TY_MANY_CTR, lane_waits, lane_seal };
    static const ty_many_kind open_all = { TY_MANY_CTR, lane_waits, lane_open };
    ty_many m;
    ty_many_run(&m, jobs, n, opens ? &open_all : &seals);
}

/* --- In rows: four blocks of every message at a time */

/* mask: E(J0) when sealing, the hash when opening */
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

/* The row's first block is E(J0). state is the counter block, its last 32 bits in this machine's
 * byte order. */
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
            number = ty_barrier32(number + 1);   /* may be secret: not a loop's counter */
            memcpy((uint8_t *)w + 12, &n, 4);
            *(ty_v2 *)(void *)(ty_grid_x(g, r) + 16 * c) = (ty_v2){ w[0], w[1] };
        }
        memcpy((uint8_t *)g->state[r] + 12, &number, 4);
    }
}

/* When opening, the tag is checked before the first byte is deciphered. */
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

/* The rest of row r's message: by the call for one message if it has not begun, else from its
 * counter on. */
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

static __attribute__((noinline)) void run_rows(ty_sm4_gcm_job *jobs, size_t n, int opens)
{
    static const ty_grid_kind seals = { gcm_waits,  rows_begin, NULL,       rows_fill,
                                        rows_drain, NULL,       rows_alone, rows_end };
    static const ty_grid_kind open_all = { gcm_waits, rows_begin_open, NULL, rows_fill,
                                           rows_drain_open, NULL, rows_alone_open, NULL };
    gcm_rows w;
    ty_grid_run(&w.g, jobs, n, opens ? &open_all : &seals);
    ty_wipe(w.mask, sizeof w.mask);
    /* counter blocks: those of a nonce that is not 12 bytes long are a hash, and reveal H */
    ty_wipe_below_1k();
}

/* --- The calls */

/* The number of messages that are short enough to share the kernels; longer ones are processed
 * alone. */
static size_t short_ones(const ty_sm4_gcm_job *jobs, size_t n)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++) count += jobs[j].len / 16 + 1 < TY_MANY_ALONE_MOST;
    return count;
}

/* 1 if `count` messages are processed in rows, 0 if in lanes. On Zen 4, sixteen messages of 256
 * bytes take 491 cycles each in rows, and 690 one at a time, as they would be without rows because
 * they fill only half of the lanes; 32 messages of 64 bytes take 222 in lanes and 249 in rows, four
 * of 16 bytes 299 and 390. A tier without a kernel for rows uses lanes only. */
static inline int in_rows(const ty_sm4_gcm_job *jobs, size_t count)
{
    return count > TY_GRID / 2 && count < TY_MANY && TY_HELD(sm4, jobs->key->sm4.ops)->grid;
}

static ty_err gcm_many_run(ty_sm4_gcm_job *all, size_t all_n, int opens)
{
    const size_t done = all_n < TY_GRID ? 0 : ty_gcm_many_equal(all, all_n, opens);
    const size_t n = all_n - done;
    ty_sm4_gcm_job *jobs = done ? all + done : all;
    const size_t count = short_ones(jobs, n);
    const int rows = in_rows(jobs, count);
    const size_t alone_from = rows ? ty_grid_alone_from(count) : ty_many_alone_from(count);
    size_t waiting = 0;
    for (ty_sm4_gcm_job *j = jobs, *end = n ? jobs + n : jobs; j < end; j++) {
        if ((j->err = ty_gcm_many_limits(j)) != TY_OK) continue;
        if (j->len / 16 + 1 < alone_from) {
            j->err = TY_JOB_WAITS;
            waiting++;
        } else if (opens) {
            j->err = ty_sm4_gcm_open(j->out, j->in, j->len, j->tag, j->tag_len, j->aad, j->aad_len,
                                     j->nonce, j->nonce_len, j->key);
        } else {
            j->err = ty_sm4_gcm_seal(j->out, j->tag, j->tag_len, j->in, j->len, j->aad, j->aad_len,
                                     j->nonce, j->nonce_len, j->key);
        }
    }
    if (waiting && rows) run_rows(jobs, n, opens);
    else if (waiting) run_lanes(jobs, n, opens);
    return TY_MANY_VERDICT(all, all_n, ty_sm4_gcm_job);
}

ty_err ty_sm4_many_gcm_seal(ty_sm4_gcm_job *jobs, size_t n) { return gcm_many_run(jobs, n, 0); }
ty_err ty_sm4_many_gcm_open(ty_sm4_gcm_job *jobs, size_t n) { return gcm_many_run(jobs, n, 1); }
