/* SM3 of many messages at once, a message in each lane. As long as the next messages have one
 * length, all lanes begin and end together. From then on a lane processes its message in parts: if
 * it has a head, first a block assembled here from that and the first bytes; then its whole blocks
 * in place; then one or two blocks with its end, assembled here. Steps run without any test until
 * the shortest of these parts ends. A lane that has finished takes the next message, and if there
 * is none, the last lane is moved into its place, so that the active lanes are always the first
 * ones. What is done depends only on the lengths. */
#include "sm3/sm3.h"
#include "base/bytes.h"
#include "base/wipe.h"
#include "tongyu/sm3.h"

#include <string.h>

/* On every tier with lanes, a step of all of them takes at least as long as this many messages one
 * by one. */
enum { FEW = 2 };

typedef struct many {
    ty_sm3_lanes l;
    uint8_t end[TY_SM3_LANES][2 * TY_SM3_BLOCK];
    const uint8_t *in[TY_SM3_LANES];          /* no secrets from here on */
    size_t left[TY_SM3_LANES];                /* blocks of the lane's present part */
    const ty_sm3_job *job[TY_SM3_LANES];
    const uint8_t *head[TY_SM3_LANES];        /* HEAD bytes in front of the message, or NULL */
    const ty_sm3 *start;                      /* whole blocks in front of every message */
    enum { FRONT, WHOLE, END } part[TY_SM3_LANES];
    size_t active;
} many;

enum { HEAD = TY_SM3_BLOCK / 2 };

/* Writes the last one or two blocks of a message of `total` bytes (GB/T 32905-2016, 5.2), except
 * its `used` bytes behind the last whole block, which the caller then copies to `end`. Returns the
 * number of blocks. */
static size_t pad(uint8_t end[2 * TY_SM3_BLOCK], size_t used, uint64_t total)
{
    const size_t blocks = used < TY_SM3_BLOCK - 8 ? 1 : 2;
    memset(end, 0, 2 * TY_SM3_BLOCK);   /* a constant length: a few stores */
    end[used] = 0x80;
    ty_put64be(end + TY_SM3_BLOCK * blocks - 8, total * 8);
    return blocks;
}

/* The end of the lane's message, with its padding. used: how many bytes are behind the last whole
 * block; still: how many of these are the head's */
static void begin_end(many *m, size_t i)
{
    const ty_sm3_job *job = m->job[i];
    const size_t front = m->head[i] ? HEAD : 0, used = (front + job->len) % TY_SM3_BLOCK;
    const size_t still = front + job->len < TY_SM3_BLOCK ? front : 0;
    uint8_t *end = m->end[i];
    m->left[i] = pad(end, used, m->start->len + front + job->len);
    if (still) memcpy(end, m->head[i], HEAD);
    if (used > still) memcpy(end + still, job->in + (job->len - (used - still)), used - still);
    m->in[i] = end;
    m->part[i] = END;
}

static void begin_whole(many *m, size_t i, size_t from)
{
    const ty_sm3_job *job = m->job[i];
    m->left[i] = (job->len - from) / TY_SM3_BLOCK;
    m->part[i] = WHOLE;
    if (m->left[i]) m->in[i] = job->in + from;
    else begin_end(m, i);
}

static void begin_lane(many *m, size_t i, const ty_sm3_job *job, const uint8_t *head)
{
    for (int k = 0; k < 8; k++) m->l.h[k][i] = m->start->h[k];
    m->job[i] = job;
    m->head[i] = head;
    if (!head) {
        begin_whole(m, i, 0);
    } else if (job->len < TY_SM3_BLOCK - HEAD) {
        begin_end(m, i);
    } else {
        memcpy(m->end[i], head, HEAD);
        memcpy(m->end[i] + HEAD, job->in, TY_SM3_BLOCK - HEAD);
        m->in[i] = m->end[i];
        m->left[i] = 1;
        m->part[i] = FRONT;
    }
}

static void digest(uint8_t *out, const many *m, size_t i)
{
    for (int k = 0; k < 8; k++) ty_put32be(out + 4 * k, m->l.h[k][i]);
}

static void advance(many *m, size_t i, size_t blocks)
{
    m->left[i] -= blocks;
    /* a message may end at the end of a page: no pointer past it */
    if (m->left[i]) m->in[i] += TY_SM3_BLOCK * blocks;
}

static void steps(many *m, const ty_sm3_ops *ops)
{
    size_t n = m->left[0];
    for (size_t i = 1; i < m->active; i++) n = m->left[i] < n ? m->left[i] : n;
    for (size_t i = 0; i < ops->lanes; i++) m->l.in[i] = m->in[i < m->active ? i : 0];
    ops->step(&m->l, n);
    for (size_t i = 0; i < m->active; i++) advance(m, i, n);
}

/* The whole present part of one lane, by the function for one message */
static void alone(many *m, const ty_sm3_ops *ops, size_t i)
{
    uint32_t h[8];
    for (int k = 0; k < 8; k++) h[k] = m->l.h[k][i];
    ops->blocks(h, m->in[i], m->left[i]);
    for (int k = 0; k < 8; k++) m->l.h[k][i] = h[k];
    ty_wipe(h, sizeof h);
    advance(m, i, m->left[i]);
}

static void move(many *m, size_t to, size_t from)
{
    for (int k = 0; k < 8; k++) m->l.h[k][to] = m->l.h[k][from];
    memcpy(m->end[to], m->end[from], sizeof m->end[to]);
    m->job[to] = m->job[from];
    m->in[to] = m->part[from] == WHOLE ? m->in[from] : m->end[to] + (m->in[from] - m->end[from]);
    m->left[to] = m->left[from];
    m->head[to] = m->head[from];
    m->part[to] = m->part[from];
}

static void begin_next(many *m, size_t i, const ty_sm3_job *jobs, const uint8_t (*heads)[HEAD],
                       size_t next)
{
    begin_lane(m, i, &jobs[next], heads ? heads[next] : NULL);
}

/* 1 if the n messages have one length */
static int equal_lengths(const ty_sm3_job *jobs, size_t n)
{
    size_t differ = 0;
    for (size_t i = 1; i < n; i++) differ |= jobs[i].len ^ jobs[0].len;
    return differ == 0;
}

/* A message in every lane, all of one length and without heads */
static void hash_equal(many *m, const ty_sm3_ops *ops, const ty_sm3_job *jobs)
{
    const size_t len = jobs[0].len, whole = len / TY_SM3_BLOCK, used = len % TY_SM3_BLOCK;
    for (int k = 0; k < 8; k++)
        for (size_t i = 0; i < TY_SM3_LANES; i++) m->l.h[k][i] = m->start->h[k];
    for (size_t i = 0; i < ops->lanes; i++) m->l.in[i] = jobs[i].in;
    if (whole) ops->step(&m->l, whole);
    size_t blocks = 0;
    for (size_t i = 0; i < ops->lanes; i++) {
        uint8_t *end = m->end[used ? i : 0];   /* the same for all, if it is padding alone */
        if (used || i == 0) blocks = pad(end, used, m->start->len + len);
        if (used) memcpy(end, jobs[i].in + (len - used), used);
        m->l.in[i] = end;
    }
    ops->step(&m->l, blocks);
    for (size_t i = 0; i < ops->lanes; i++) digest(jobs[i].out, m, i);
}

static void run(many *m, const ty_sm3_ops *ops, const ty_sm3_job *jobs,
                const uint8_t (*heads)[HEAD], size_t n)
{
    size_t next = 0;
    for (; !heads && n - next >= ops->lanes && equal_lengths(jobs + next, ops->lanes);
         next += ops->lanes)
        hash_equal(m, ops, jobs + next);
    for (m->active = 0; m->active < ops->lanes && next < n; m->active++)
        begin_next(m, m->active, jobs, heads, next++);
    while (m->active) {
        if (m->active > FEW) steps(m, ops);
        else for (size_t i = 0; i < m->active; i++) alone(m, ops, i);
        /* from the end, so that the last lane, which may be moved, has been checked before */
        for (size_t i = m->active; i-- > 0;) {
            if (m->left[i]) continue;
            if (m->part[i] != END) {
                if (m->part[i] == FRONT) begin_whole(m, i, TY_SM3_BLOCK - HEAD);
                else begin_end(m, i);
                continue;
            }
            digest(m->job[i]->out, m, i);
            if (next < n) begin_next(m, i, jobs, heads, next++);
            else if (i != --m->active) move(m, i, m->active);
        }
    }
}

static void hash_one(const ty_sm3_job *job, const uint8_t *head, const ty_sm3 *start)
{
    ty_sm3 c = *start;
    if (head) ty_sm3_update(&c, head, HEAD);
    ty_sm3_update(&c, job->in, job->len);
    ty_sm3_final(job->out, &c);
}

static void hash_from(const ty_sm3 *start, const ty_sm3_job *jobs, const uint8_t (*heads)[HEAD],
                      size_t n)
{
    const ty_sm3_ops *ops = ty_sm3_best();
    if (ops->lanes == 0 || n <= FEW) {
        for (size_t i = 0; i < n; i++) hash_one(&jobs[i], heads ? heads[i] : NULL, start);
        return;
    }
    many m;
    m.start = start;
    memset(m.l.h, 0, sizeof m.l.h);   /* lanes without a message are processed, too */
    run(&m, ops, jobs, heads, n);
    ty_wipe(&m, offsetof(many, in));
}

void ty_sm3_many_behind(const ty_sm3_job *jobs, const uint8_t (*heads)[32], size_t n)
{
    ty_sm3 start;
    ty_sm3_init(&start);
    hash_from(&start, jobs, heads, n);
}

void ty_sm3_many_hash(const ty_sm3_job *jobs, size_t n) { ty_sm3_many_behind(jobs, NULL, n); }

/* The two padded key blocks are hashed already: a short message takes two compressions. */
void ty_sm3_many_hmac(const ty_sm3_job *jobs, size_t n, const ty_hmac_sm3 *key)
{
    enum { AT_ONCE = 2 * TY_SM3_LANES };
    ty_sm3_job outer[AT_ONCE];
    for (size_t i = 0, k; i < n; i += k) {
        k = n - i < AT_ONCE ? n - i : AT_ONCE;
        hash_from(&key->inner, jobs + i, NULL, k);
        for (size_t j = 0; j < k; j++) {
            uint8_t *out = jobs[i + j].out;
            outer[j] = (ty_sm3_job){ out, out, TY_SM3_LEN };
        }
        hash_from(&key->outer, outer, NULL, k);
    }
    if (n) ty_wipe_below_8k();
}
