/* Many messages at once: a lane holds a message that is being processed, and a step encrypts one
 * block of every lane. A message is divided into segments of whole blocks: those in the caller's
 * buffers, and those that are built here (a last block, padded). Steps run without any checks until
 * the shortest segment ends; then that lane gets its message's next segment, or the next message;
 * and when no message waits, the last lane moves into its place, so that the lanes in use are
 * always the first ones.
 *
 * The sequence of operations depends only on the lengths, and on which keys are the same. */
#ifndef TY_MANY_MULTI_BUFFER_H
#define TY_MANY_MULTI_BUFFER_H

#include "base/bytes.h"
#include "sm4/sm4.h"

#include <stddef.h>
#include <string.h>

enum { TY_MANY = TY_SM4_LANES };

/* In counter mode the blocks of one message are independent, too: k of them fill the kernels as
 * well as k messages do. So if there are n messages, one of at least ty_many_alone_from(n) blocks
 * is faster alone. */
enum { TY_MANY_ALONE_MOST = 40 };
static inline size_t ty_many_alone_from(size_t n)
{
    return n < TY_MANY_ALONE_MOST ? n : TY_MANY_ALONE_MOST;
}

/* The err of jobs that wait, and of those that wait for a second pass; no caller sees them */
#define TY_JOB_WAITS ((ty_err)1)
#define TY_JOB_LATER ((ty_err)2)

/* The step of each mode: x is the lane's block, E the cipher, + is XOR
 *   CBC   x = out = E(x + in)         MAC   x = E(x + in)
 *   CFB   x = out = E(x) + in         OFB   x = E(x), out = x + in
 *   CTR   out = E(counter) + in; the last 32 bits of the counter are incremented */
typedef enum ty_many_mode {
    TY_MANY_CBC,
    TY_MANY_CFB,
    TY_MANY_OFB,
    TY_MANY_MAC,
    TY_MANY_CTR
} ty_many_mode;

/* The state that stays with a message when it moves to another lane */
typedef struct ty_many_slot {
    size_t job;
    uint32_t stage;                  /* counts the message's segments, from 0 */
    uint8_t part[16], more[16];      /* a block built here; state of the mode */
} ty_many_slot;

typedef struct ty_many {
    ty_sm4_lanes l;
    ty_many_slot slot[TY_MANY];
    /* CTR: the counter block's bytes 0 to 7, 8 to 11, and the number in 12 to 15 */
    uint64_t fixed[TY_MANY];
    uint32_t middle[TY_MANY], number[TY_MANY];
    /* the segment of every lane, and the number of its remaining blocks; no secrets from here on */
    const uint8_t *in[TY_MANY];
    uint8_t *out[TY_MANY];
    size_t left[TY_MANY];
    const ty_sm4_key *key[TY_MANY];  /* the lane's */
    uint32_t stale;                  /* bit i: lane i's key is still to be laid out */
    uint8_t at[TY_MANY];             /* its slot */
    const ty_sm4_ops *ops;
    void *jobs;
    size_t n, next, active;          /* jobs; the next one to take; lanes in use */
} ty_many;

/* The functions of a kind of job */
typedef struct ty_many_kind {
    ty_many_mode mode;
    /* job j's key if it waits, else NULL */
    const ty_sm4_key *(*waits)(const ty_many *m, size_t j);
    /* sets up the first segment of the lane's job if its stage is 0, else the next one: 1, or 0 if
     * the job is finished */
    int (*segment)(ty_many *m, size_t lane);
} ty_many_kind;

typedef uint8_t ty_v16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t ty_v2 __attribute__((vector_size(16), aligned(1), may_alias));
#define TY_V16(p) (*(ty_v16 *)(p))
#define TY_V16_IN(p) (*(const ty_v16 *)(p))

/* The first error of n jobs of this size, with err at this offset */
static inline ty_err ty_many_verdict(const void *jobs, size_t n, size_t size, size_t at)
{
    for (size_t j = 0; j < n; j++) {
        const ty_err *err = (const ty_err *)(const void *)((const char *)jobs + size * j + at);
        if (*err != TY_OK) return *err;
    }
    return TY_OK;
}
#define TY_MANY_VERDICT(jobs, n, type) ty_many_verdict(jobs, n, sizeof(type), offsetof(type, err))

static inline uint8_t *ty_many_x(ty_many *m, size_t lane) { return m->l.x + 16 * lane; }
static inline ty_many_slot *ty_many_at(ty_many *m, size_t lane) { return &m->slot[m->at[lane]]; }

/* Sets the lane's segment: whole blocks, from `in` to `out`; MACs do not use `out`, which may be
 * NULL. Returns 1 */
static inline int ty_many_blocks(ty_many *m, size_t lane, uint8_t *out, const uint8_t *in,
                                 size_t blocks)
{
    m->in[lane] = in;
    m->out[lane] = out;
    m->left[lane] = blocks;
    return 1;
}

/* Sets a segment of one block, in[len] padded with zeros, which is processed in the slot's part:
 * len <= 16. Returns 1 */
static inline int ty_many_part(ty_many *m, size_t lane, const uint8_t *in, size_t len)
{
    uint8_t *part = ty_many_at(m, lane)->part;
    memset(part, 0, 16);
    if (len) memcpy(part, in, len);
    return ty_many_blocks(m, lane, part, part, 1);
}

/* Sets the lane's counter block. */
static inline void ty_many_counter(ty_many *m, size_t lane, const uint8_t counter[16])
{
    memcpy(&m->fixed[lane], counter, 8);
    memcpy(&m->middle[lane], counter + 8, 4);
    m->number[lane] = (uint32_t)counter[12] << 24 | (uint32_t)counter[13] << 16 |
                      (uint32_t)counter[14] << 8 | counter[15];
}

/* Writes the counter block of lane i to x, and increments the counter. The block is stored as one
 * vector, because a vector load that spans smaller stores would wait for them. */
static inline void ty_many_count(uint8_t *x, ty_many *m, size_t i)
{
    const uint32_t n = TY_BE32(m->number[i]);
    m->number[i]++;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    *(ty_v2 *)(void *)x = (ty_v2){ m->fixed[i], (uint64_t)m->middle[i] << 32 | n };
#else
    *(ty_v2 *)(void *)x = (ty_v2){ m->fixed[i], (uint64_t)n << 32 | m->middle[i] };
#endif
}

/* Lays out the keys of lanes that have a new one. Many at once take little longer than one. */
void ty_many_lay(ty_many *m);

/* CBC and MAC: processes the segment of the only lane in use, as the function for one message
 * would. */
static inline void ty_many_alone(ty_many *m, const ty_many_mode mode)
{
    const uint8_t *in = m->in[0];
    uint8_t *work = (uint8_t *)m->l.work;
    for (size_t some; m->left[0]; m->left[0] -= some, in += 16 * some) {
        some = mode == TY_MANY_CBC || m->left[0] < TY_MANY ? m->left[0] : TY_MANY;
        TY_HELD(sm4, m->ops)
            ->cbc_encrypt(mode == TY_MANY_CBC ? m->out[0] : work, in, some, m->l.x,
                          m->key[0]->enc);
    }
}

/* CTR, when no messages wait any more: finishes the segments that have enough remaining blocks to
 * be processed alone; 1 if there were any. */
static inline int ty_many_finish_long(ty_many *m)
{
    int any = 0;
    if (m->next < m->n) return 0;
    for (size_t i = 0; i < m->active; i++) {
        uint8_t counter[16];
        if (m->left[i] < ty_many_alone_from(m->active)) continue;
        ty_many_count(counter, m, i);
        TY_HELD(sm4, m->ops)->ctr32(m->out[i], m->in[i], m->left[i], counter, m->key[i]->enc);
        ty_wipe(counter, sizeof counter);   /* in GCM it may be a secret */
        m->number[i] += (uint32_t)m->left[i] - 1;
        m->left[i] = 0;
        any = 1;
    }
    return any;
}

/* Does as many steps as the shortest segment has blocks: the loop in which nearly all the time is
 * spent */
static inline __attribute__((always_inline)) void ty_many_steps(ty_many *m, const ty_many_mode mode)
{
    const size_t n = m->active;
    uint8_t *const x = m->l.x;
    size_t steps = m->left[0];
    if (n == 1 && (mode == TY_MANY_CBC || mode == TY_MANY_MAC)) {
        ty_many_alone(m, mode);
        return;
    }
    if (mode == TY_MANY_CTR && ty_many_finish_long(m)) return;
    if (n > 1 && m->stale) ty_many_lay(m);
    for (size_t i = 1; i < n; i++) steps = m->left[i] < steps ? m->left[i] : steps;
    for (size_t at = 0; at < 16 * steps; at += 16) {
        for (size_t i = 0; i < n; i++) {
            if (mode == TY_MANY_CBC || mode == TY_MANY_MAC)
                TY_V16(x + 16 * i) ^= TY_V16_IN(m->in[i] + at);
            if (mode == TY_MANY_CTR) ty_many_count(x + 16 * i, m, i);
        }
        if (n == 1) TY_HELD(sm4, m->ops)->ecb(x, x, 1, m->key[0]->enc);
        else TY_HELD(sm4, m->ops)->lanes(&m->l, n);
        for (size_t i = 0; i < n; i++) {
            ty_v16 y = TY_V16(x + 16 * i);
            if (mode == TY_MANY_MAC) continue;
            if (mode != TY_MANY_CBC) y ^= TY_V16_IN(m->in[i] + at);
            TY_V16(m->out[i] + at) = y;
            if (mode == TY_MANY_CFB) TY_V16(x + 16 * i) = y;
        }
    }
    for (size_t i = 0; i < n; i++) {
        m->in[i] += 16 * steps;
        if (m->out[i]) m->out[i] += 16 * steps;   /* MACs have no output */
        m->left[i] -= steps;
    }
}

/* Sets the lane's key, which ty_many_lay lays out if it is a new one. */
static inline void ty_many_key(ty_many *m, size_t lane, const ty_sm4_key *key)
{
    if (m->key[lane] == key) return;
    m->key[lane] = key;
    m->stale |= (uint32_t)1 << lane;
}

/* Gives the lane the next waiting job that has a segment; empty ones are finished at once. Returns
 * 0 if no job waits */
static inline __attribute__((always_inline)) int ty_many_take(ty_many *m, size_t lane,
                                                              const ty_many_kind *kind)
{
    while (m->next < m->n) {
        ty_many_slot *slot = ty_many_at(m, lane);
        const ty_sm4_key *key = kind->waits(m, m->next);
        slot->job = m->next++;
        slot->stage = 0;
        if (key == NULL || key->ops != m->ops) continue;
        if (!kind->segment(m, lane)) continue;
        ty_many_key(m, lane, key);
        return 1;
    }
    return 0;
}

/* Moves a message to another lane; the two lanes exchange their slots. */
static inline void ty_many_move(ty_many *m, size_t to, size_t from)
{
    const uint8_t at = m->at[to];
    m->at[to] = m->at[from];
    m->at[from] = at;
    m->in[to] = m->in[from];
    m->out[to] = m->out[from];
    m->left[to] = m->left[from];
    m->fixed[to] = m->fixed[from];
    m->middle[to] = m->middle[from];
    m->number[to] = m->number[from];
    TY_V16(ty_many_x(m, to)) = TY_V16(ty_many_x(m, from));
    ty_many_key(m, to, m->key[from]);
}

/* Processes all waiting jobs with keys of tier m->ops, from m->next on */
static inline __attribute__((always_inline)) void ty_many_tier(ty_many *m, const ty_many_kind *kind)
{
    m->active = 0;
    while (m->active < TY_MANY && ty_many_take(m, m->active, kind)) m->active++;
    while (m->active) {
        ty_many_steps(m, kind->mode);
        for (size_t lane = 0; lane < m->active; lane++)
            if (m->left[lane] == 0 && !kind->segment(m, lane)) ty_many_take(m, lane, kind);
        /* from the end, so that the last lane is always one in use */
        for (size_t lane = m->active; lane-- > 0;)
            if (m->left[lane] == 0 && lane != --m->active) ty_many_move(m, lane, m->active);
    }
}

/* Processes all waiting jobs. A key keeps the tier that it was set up for, and with it a layout
 * (ty_tier_limit): each tier is a pass of its own. */
static inline __attribute__((always_inline)) void ty_many_run(ty_many *m, void *jobs, size_t n,
                                                              const ty_many_kind *kind)
{
    m->jobs = jobs;
    m->n = n;
    m->ops = NULL;
    for (size_t j = 0; j < n; j++) {
        const ty_sm4_key *key = kind->waits(m, j);
        if (key == NULL) continue;
        if (m->ops == NULL) {
            m->stale = 0;
            for (size_t i = 0; i < TY_MANY; i++) {
                m->key[i] = NULL;
                m->at[i] = (uint8_t)i;
            }
        }
        m->ops = key->ops;
        m->next = j;
        ty_many_tier(m, kind);
    }
    if (m->ops) ty_wipe(m, offsetof(ty_many, in));
}

#endif
