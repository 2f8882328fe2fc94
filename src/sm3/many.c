/* SM3 of many messages at once. A lane is a message that is being worked on: first its whole blocks, where they lie, then one
 * or two blocks with its end, made here. Steps run without a question until the shortest of those ends; a lane
 * that is through takes the next message, and when there is none, the last lane moves into its place: the lanes at work
 * are always the first ones. What is done depends on the lengths alone. */
#include "sm3/sm3.h"
#include "base/bytes.h"
#include "tongyu/sm3.h"

#include <string.h>

/* All lanes cost as much as this many messages alone, on every tier that has lanes, or more. */
enum { FEW = 2 };

typedef struct many {
    ty_sm3_lanes l;
    uint8_t end[TY_SM3_LANES][2 * TY_SM3_BLOCK];
    const uint8_t *in[TY_SM3_LANES];          /* no secrets from here on */
    size_t left[TY_SM3_LANES];                /* blocks, of the part that the lane is at */
    const ty_sm3_job *job[TY_SM3_LANES];
    uint8_t at_end[TY_SM3_LANES];
    size_t active;
} many;

/* The end of the lane's message, with its padding (GB/T 32905-2016, 5.2) */
static void begin_end(many *m, size_t i)
{
    const ty_sm3_job *job = m->job[i];
    const size_t used = job->len % TY_SM3_BLOCK, blocks = used < TY_SM3_BLOCK - 8 ? 1 : 2;
    uint8_t *end = m->end[i];
    if (used) memcpy(end, job->in + (job->len - used), used);
    memset(end + used, 0, sizeof m->end[i] - used);
    end[used] = 0x80;
    ty_put64be(end + TY_SM3_BLOCK * blocks - 8, (uint64_t)job->len * 8);
    m->in[i] = end;
    m->left[i] = blocks;
    m->at_end[i] = 1;
}

static void begin(many *m, size_t i, const ty_sm3_job *job)
{
    ty_sm3 c;
    ty_sm3_init(&c);
    for (int k = 0; k < 8; k++) m->l.h[k][i] = c.h[k];
    m->job[i] = job;
    m->in[i] = job->in;
    m->left[i] = job->len / TY_SM3_BLOCK;
    m->at_end[i] = 0;
    if (m->left[i] == 0) begin_end(m, i);
}

static void digest(const many *m, size_t i)
{
    for (int k = 0; k < 8; k++) ty_put32be(m->job[i]->out + 4 * k, m->l.h[k][i]);
}

static void advance(many *m, size_t i, size_t blocks)
{
    m->left[i] -= blocks;
    if (m->left[i]) m->in[i] += TY_SM3_BLOCK * blocks;   /* a message may end with its page: no pointer past it */
}

static void steps(many *m, const ty_sm3_ops *ops)
{
    size_t n = m->left[0];
    for (size_t i = 1; i < m->active; i++) n = m->left[i] < n ? m->left[i] : n;
    for (size_t i = 0; i < ops->lanes; i++) m->l.in[i] = m->in[i < m->active ? i : 0];
    ops->step(&m->l, n);
    for (size_t i = 0; i < m->active; i++) advance(m, i, n);
}

/* The same part of one lane's message */
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
    m->in[to] = m->at_end[from] ? m->end[to] + (m->in[from] - m->end[from]) : m->in[from];
    m->left[to] = m->left[from];
    m->at_end[to] = m->at_end[from];
}

static void run(many *m, const ty_sm3_ops *ops, const ty_sm3_job *jobs, size_t n)
{
    size_t next = 0;
    for (m->active = 0; m->active < ops->lanes && next < n; m->active++) begin(m, m->active, &jobs[next++]);
    while (m->active) {
        if (m->active > FEW) steps(m, ops);
        else for (size_t i = 0; i < m->active; i++) alone(m, ops, i);
        for (size_t i = m->active; i-- > 0;) {         /* from the end, so that the last lane is one that goes on */
            if (m->left[i]) continue;
            if (!m->at_end[i]) {
                begin_end(m, i);
                continue;
            }
            digest(m, i);
            if (next < n) begin(m, i, &jobs[next++]);
            else if (i != --m->active) move(m, i, m->active);
        }
    }
}

void ty_sm3_many(const ty_sm3_job *jobs, size_t n)
{
    const ty_sm3_ops *ops = ty_sm3_best();
    if (ops->lanes == 0 || n <= FEW) {
        for (size_t i = 0; i < n; i++) ty_sm3_hash(jobs[i].out, jobs[i].in, jobs[i].len);
        return;
    }
    many m;
    memset(m.l.h, 0, sizeof m.l.h);   /* lanes without a message work too */
    run(&m, ops, jobs, n);
    ty_wipe(&m, offsetof(many, in));
}
