/* Many messages at once in ECB, CTR and CFB decryption, whose blocks are independent [SP 800-38A,
 * 6.1, 6.3 and 6.5]. Short ones share the rows of sm4_grid.h; long ones fill the kernels by
 * themselves and are processed one at a time. */
#include "base/bytes.h"
#include "base/unroll.h"
#include "many/sm4_grid.h"
#include "many/sm4_rows.h"
#include "tongyu/sm4_many.h"

static ty_sm4_job *job_of(const ty_grid *g, size_t j) { return (ty_sm4_job *)g->jobs + j; }

static const ty_sm4_key *blocks_waits(const ty_grid *g, size_t j)
{
    const ty_sm4_job *job = job_of(g, j);
    return job->err == TY_JOB_WAITS ? job->key : NULL;
}

static void blocks_begin(ty_grid *g, size_t r)
{
    ty_sm4_job *job = job_of(g, g->job[r]);
    g->in[r] = job->in;
    g->out[r] = job->out;
    g->left[r] = job->len;
    g->rk[r] = (const uint8_t *)job->key->enc;
    job->err = TY_OK;
}

/* --- ECB */

static void ecb_begin_decrypt(ty_grid *g, size_t r)
{
    blocks_begin(g, r);
    g->rk[r] = (const uint8_t *)job_of(g, g->job[r])->key->dec;
}

/* Rows that fill a step are read and written in the message's own buffers. */
static void ecb_fill(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        if (ty_grid_full(g, r)) {
            g->from[r] = g->in[r];
            g->to[r] = g->out[r];
        } else {
            memcpy(ty_grid_x(g, r), g->in[r], g->take[r]);
        }
    }
}

static void ecb_drain(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        if (!ty_grid_full(g, r)) memcpy(g->out[r], ty_grid_x(g, r), g->take[r]);
        ty_grid_moved(g, r, g->take[r]);
    }
}

static void ecb_whole(ty_grid *g)
{
    memcpy(g->from, g->in, sizeof g->from);
    memcpy(g->to, g->out, sizeof g->to);
}

static void ecb_alone(ty_grid *g, size_t r)
{
    TY_HELD(sm4, g->ops)
        ->ecb(g->out[r], g->in[r], g->left[r] / 16, (const uint32_t *)(const void *)g->rk[r]);
}

/* --- CTR: state is the counter block */

static void iv_begin(ty_grid *g, size_t r)
{
    blocks_begin(g, r);
    memcpy(g->state[r], job_of(g, g->job[r])->iv, 16);
}

/* Where the message fills its row, the kernel itself adds the keystream. */
static inline void add_message(ty_grid *g, size_t r)
{
    if (!ty_grid_full(g, r)) return;
    g->to[r] = g->out[r];
    g->add[r] = g->in[r];
}

/* counter += n, as a number of 128 bits */
static void add_to_counter(uint8_t counter[16], uint64_t n)
{
    const uint64_t low = ty_get64be(counter + 8) + n;
    ty_put64be(counter + 8, low);
    if (low < n) ty_put64be(counter, ty_get64be(counter) + 1);
}

/* Writes four counter blocks to every row, and advances the counters by four, even in a shorter
 * step, because all messages end with it. Usually there is no carry out of the counter's last byte,
 * and whole vectors are added. */
static void counters(ty_grid *g)
{
    enum { LAST = 15, FOUR = 4 };
    static const uint8_t plus[FOUR + 1][16] = {
        [1] = { [LAST] = 1 }, [2] = { [LAST] = 2 }, [3] = { [LAST] = 3 }, [FOUR] = { [LAST] = 4 }
    };
    for (size_t r = 0; r < TY_GRID; r++) {
        uint8_t *counter = (uint8_t *)g->state[r], *x = ty_grid_x(g, r);
        const ty_v16 first = TY_V16(counter);
        for (size_t c = 0; c < FOUR; c++) TY_V16(x + 16 * c) = first + TY_V16_IN(plus[c]);
        TY_V16(counter) = first + TY_V16_IN(plus[FOUR]);
        if (counter[LAST] >= FOUR) continue;
        memcpy(counter, x, 16);
        for (size_t c = 0; c < FOUR; c++) {
            memcpy(x + 16 * c, counter, 16);
            add_to_counter(counter, 1);
        }
    }
}

static void ctr_fill(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) add_message(g, r);
    counters(g);
}

static void ctr_whole(ty_grid *g)
{
    counters(g);
    memcpy(g->to, g->out, sizeof g->to);
    memcpy(g->add, g->in, sizeof g->add);
}

static void xor_drain(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        if (!ty_grid_full(g, r))
            ty_grid_xor(g->out[r], g->in[r], ty_grid_x(g, r), g->take[r]);
        ty_grid_moved(g, r, g->take[r]);
    }
}

static void ctr_alone(ty_grid *g, size_t r)
{
    uint8_t counter[16];
    memcpy(counter, g->state[r], 16);
    ty_sm4_ctr(g->out[r], g->in[r], g->left[r], counter, g->key[r]);
}

/* --- CFB decryption: state is the previous ciphertext block */

static void cfb_fill(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        uint8_t *x = ty_grid_x(g, r);
        const size_t n = g->take[r];
        add_message(g, r);
        memcpy(x, g->state[r], 16);
        if (n == TY_GRID_ROW) {
            memcpy(x + 16, g->in[r], TY_GRID_ROW - 16);
            memcpy(g->state[r], g->in[r] + TY_GRID_ROW - 16, 16);   /* out may be in */
        } else if (n > 16) {
            memcpy(x + 16, g->in[r], (n - 1) / 16 * 16);
        }
    }
}

static void cfb_whole(ty_grid *g)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        memcpy(ty_grid_x(g, r), g->state[r], 16);
        memcpy(ty_grid_x(g, r) + 16, g->in[r], TY_GRID_ROW - 16);
        memcpy(g->state[r], g->in[r] + TY_GRID_ROW - 16, 16);   /* out may be in */
    }
    memcpy(g->to, g->out, sizeof g->to);
    memcpy(g->add, g->in, sizeof g->add);
}

static void cfb_alone(ty_grid *g, size_t r)
{
    uint8_t before[16];
    memcpy(before, g->state[r], 16);
    ty_sm4_cfb_decrypt(g->out[r], g->in[r], g->left[r], before, g->key[r]);
}

/* --- The calls */

static const ty_grid_kind ecb = {
    blocks_waits, blocks_begin, NULL, ecb_fill, ecb_drain, ecb_whole, ecb_alone, NULL
};
static const ty_grid_kind ecb_decrypt = {
    blocks_waits, ecb_begin_decrypt, NULL, ecb_fill, ecb_drain, ecb_whole, ecb_alone, NULL
};
static const ty_grid_kind ctr = {
    blocks_waits, iv_begin, NULL, ctr_fill, xor_drain, ctr_whole, ctr_alone, NULL
};
static const ty_grid_kind cfb = {
    blocks_waits, iv_begin, NULL, cfb_fill, xor_drain, cfb_whole, cfb_alone, NULL
};

/* Whether sixteen jobs are valid, of one tier, and of one length that is not better processed
 * alone */
static int are_equal(const ty_sm4_job *jobs, int whole)
{
    const size_t len = jobs->len;
    if (len == 0 || (whole && len % 16) || len / 16 >= ty_grid_alone_from(TY_GRID)) return 0;
    const ty_sm4_ops *ops = jobs->key->ops;
    int other = 0;
    for (size_t r = 0; r < TY_GRID; r++)
        other |= jobs[r].len != len || jobs[r].key->ops != ops ||
                 ty_crosses(jobs[r].out, jobs[r].in, len);
    return !other;
}

/* Processes groups of sixteen equal jobs, up to the first group that is not equal or is of another
 * tier; returns the number of jobs processed. `kind` is a constant in the caller. */
TY_INLINE size_t equal_jobs(ty_grid *g, ty_sm4_job *jobs, size_t n, int whole,
                            const ty_grid_kind *kind)
{
    size_t done = 0;
    g->jobs = jobs;
    for (; n - done >= TY_GRID && are_equal(jobs + done, whole); done += TY_GRID) {
        /* ty_grid_wipe knows one tier */
        if (done && jobs[done].key->ops != g->ops) break;
        g->ops = jobs[done].key->ops;
        for (size_t r = 0; r < TY_GRID; r++) {
            g->job[r] = done + r;
            kind->begin(g, r);
        }
        ty_grid_equal(g, kind);
    }
    if (done) ty_grid_wipe(g);
    return done;
}

/* whole: lengths must be multiples of 16; one: processes a job alone */
TY_INLINE ty_err blocks_run(ty_sm4_job *jobs, size_t n, int whole, const ty_grid_kind *kind,
                            void (*one)(const ty_sm4_job *job))
{
    ty_grid g;
    size_t count = equal_jobs(&g, jobs, n, whole, kind);
    if (count == n) return TY_OK;
    jobs += count, n -= count;
    count = 0;
    for (size_t j = 0; j < n; j++)
        count += jobs[j].len && jobs[j].len / 16 < ty_grid_alone_from(TY_GRID) ? 1 : 0;
    const size_t alone_from = ty_grid_alone_from(count);
    count = 0;
    for (size_t j = 0; j < n; j++) {
        ty_sm4_job *job = &jobs[j];
        job->err = TY_ERR_ARG;
        if ((whole && job->len % 16) || ty_crosses(job->out, job->in, job->len)) continue;
        job->err = TY_OK;
        if (job->len / 16 >= alone_from) {
            one(job);
        } else if (job->len) {
            job->err = TY_JOB_WAITS;
            count++;
        }
    }
    if (count) ty_grid_run(&g, jobs, n, kind);
    return TY_MANY_VERDICT(jobs, n, ty_sm4_job);
}

/* --- Sixteen messages of one length, by the kernels for rows alone */

/* Whether the message is not faster alone */
static inline int is_short(const ty_sm4_job *job)
{
    return job->len / 16 < ty_grid_alone_from(TY_GRID);
}

/* ECB of groups of sixteen; returns the number of jobs processed. */
static __attribute__((noinline)) size_t ecb_rows(ty_sm4_job *jobs, size_t n, int decrypt)
{
    static const uint8_t zeros[TY_GRID_ROW];
    uint8_t room[TY_GRID * TY_GRID_ROW] __attribute__((aligned(64)));
    ty_rows s;
    const uint8_t *add[TY_GRID];
    size_t done = 0, lengths = 0;
    for (size_t r = 0; r < TY_GRID; r++) add[r] = zeros;
    for (; n - done >= TY_GRID && is_short(jobs + done); done += TY_GRID) {
        if (!ty_rows_of(&s, jobs + done, TY_GRID, 16, decrypt)) break;
        const ty_sm4_ops *ops = TY_HELD(sm4, jobs[done].key->ops);
        ops->grid_keys(s.keys, s.rk);
        for (size_t left = jobs[done].len, step;; left -= step) {
            step = left >= TY_GRID_ROW ? TY_GRID_ROW : left >= 32 ? 32 : 16;
            ops->grid(s.out, s.in, add, room, step / 16, s.keys);
            if (left == step) break;
            for (size_t r = 0; r < TY_GRID; r++) {
                s.in[r] += step;
                s.out[r] += step;
            }
        }
        lengths |= jobs[done].len;
    }
    if (done) ty_wipe(s.keys, sizeof s.keys);
    if (lengths % TY_GRID_ROW) ty_wipe(room, sizeof room);   /* else it was not used */
    return done;
}

/* The last, incomplete block of every message; it is number `ahead` */
static void ctr_rest(ty_rows *s, size_t rest, const uint8_t *counters, uint32_t ahead,
                     uint8_t *room, const ty_sm4_ops *ops)
{
    uint8_t x[16 * TY_GRID], *to[TY_GRID];
    for (size_t r = 0; r < TY_GRID; r++) {
        to[r] = x + 16 * r;
        memcpy(to[r], s->in[r] + 16 * (size_t)ahead, rest);
    }
    ops->grid_ctr32(to, (const uint8_t *const *)to, 1, counters, ahead, room, s->keys);
    for (size_t r = 0; r < TY_GRID; r++) memcpy(s->out[r] + 16 * (size_t)ahead, to[r], rest);
    ty_wipe(x, sizeof x);
}

/* CTR, the same. The kernel increments 32 bits of the counters: none of them may carry. */
static __attribute__((noinline)) size_t ctr_rows(ty_sm4_job *jobs, size_t n)
{
    uint8_t room[TY_GRID * TY_GRID_ROW] __attribute__((aligned(64))), counters[16 * TY_GRID];
    ty_rows s;
    size_t done = 0;
    for (; n - done >= TY_GRID && is_short(jobs + done); done += TY_GRID) {
        if (!ty_rows_of(&s, jobs + done, TY_GRID, 1, 0)) break;
        const ty_sm4_ops *ops = TY_HELD(sm4, jobs[done].key->ops);
        const size_t rest = jobs[done].len % 16, blocks = jobs[done].len / 16;
        int carries = 0;
        for (size_t r = 0; r < TY_GRID; r++) {
            memcpy(counters + 16 * r, s.iv[r], 16);
            carries |= ty_get32be(s.iv[r] + 12) > UINT32_MAX - (uint32_t)blocks;
        }
        if (carries) break;
        ops->grid_keys(s.keys, s.rk);
        if (blocks) ops->grid_ctr32(s.out, s.in, blocks, counters, 0, room, s.keys);
        if (rest) ctr_rest(&s, rest, counters, (uint32_t)blocks, room, ops);
    }
    if (done == 0) return 0;
    ty_wipe(s.keys, sizeof s.keys);
    ty_wipe(room, sizeof room);
    return done;
}

static void ecb_one(const ty_sm4_job *job)
{
    TY_HELD(sm4, job->key->ops)->ecb(job->out, job->in, job->len / 16, job->key->enc);
}

static void ecb_one_decrypt(const ty_sm4_job *job)
{
    TY_HELD(sm4, job->key->ops)->ecb(job->out, job->in, job->len / 16, job->key->dec);
}

static void ctr_one(const ty_sm4_job *job)
{
    ty_sm4_ctr(job->out, job->in, job->len, job->iv, job->key);
}

static void cfb_one(const ty_sm4_job *job)
{
    ty_sm4_cfb_decrypt(job->out, job->in, job->len, job->iv, job->key);
}

ty_err ty_sm4_many_ecb_encrypt(ty_sm4_job *jobs, size_t n)
{
    const size_t done = ecb_rows(jobs, n, 0);
    return done == n ? TY_OK : blocks_run(jobs + done, n - done, 1, &ecb, ecb_one);
}

ty_err ty_sm4_many_ecb_decrypt(ty_sm4_job *jobs, size_t n)
{
    const size_t done = ecb_rows(jobs, n, 1);
    return done == n ? TY_OK
                     : blocks_run(jobs + done, n - done, 1, &ecb_decrypt, ecb_one_decrypt);
}

ty_err ty_sm4_many_ctr(ty_sm4_job *jobs, size_t n)
{
    const size_t done = ctr_rows(jobs, n);
    return done == n ? TY_OK : blocks_run(jobs + done, n - done, 0, &ctr, ctr_one);
}

ty_err ty_sm4_many_cfb_decrypt(ty_sm4_job *jobs, size_t n)
{
    return blocks_run(jobs, n, 0, &cfb, cfb_one);
}
