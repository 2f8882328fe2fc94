/* Many short SM4 messages at once in the modes whose blocks are independent: sixteen rows, each a
 * message with its key, are encrypted four blocks at a time (ty_sm4_ops.grid; a tier without that
 * kernel uses its lanes, for two blocks of every message at a time). A row whose message ends gets
 * the next one, and then all keys are laid out again, which takes a sixth of a step. When no
 * message waits any more and few remain, those long enough to fill the kernels are finished alone.
 *
 * The sequence of operations depends only on the lengths and the tiers of keys. */
#ifndef TY_MANY_SM4_GRID_H
#define TY_MANY_SM4_GRID_H

#include "base/overlap.h"
#include "many/multi_buffer.h"
#include "sm4/sm4.h"

enum { TY_GRID = 16, TY_GRID_ROW = 64, TY_GRID_ALL = 0xffff };

typedef struct ty_grid {
    /* the blocks to be encrypted, a row for each message, and the kernel's scratch space */
    uint8_t x[TY_GRID * TY_GRID_ROW] __attribute__((aligned(64)));
    uint8_t room[TY_GRID * TY_GRID_ROW] __attribute__((aligned(64)));
    /* the mode's state of a message: a counter, a block, a mask */
    uint64_t state[TY_GRID][2];
    union {
        uint32_t keys[512];
        ty_sm4_lanes l;              /* where the tier has no grid */
    } lay;
    /* no secrets from here on. The message of every row. left: its remaining bytes, 0 if the row
     * has none; lead: bytes of the row before those of the message; take: bytes of this step, lead
     * included */
    const uint8_t *in[TY_GRID];
    uint8_t *out[TY_GRID];
    size_t left[TY_GRID], job[TY_GRID];
    uint8_t lead[TY_GRID], take[TY_GRID];
    uint32_t busy;                   /* bit r: row r has a message */
    const ty_sm4_key *key[TY_GRID];
    const uint8_t *rk[TY_GRID];
    /* the operands of the current step, see fill below; usually the message's own buffers where it
     * fills its row */
    uint8_t *to[TY_GRID];
    const uint8_t *from[TY_GRID], *add[TY_GRID];
    const ty_sm4_ops *ops;
    void *jobs;
    size_t n, next, depth;
    size_t later;                    /* the first job skipped because of its tier; n: none */
    const struct ty_grid_kind *kind;
} ty_grid;

typedef struct ty_grid_kind {
    /* job j's key if it waits, else NULL */
    const ty_sm4_key *(*waits)(const ty_grid *g, size_t j);
    /* sets up row r for its job: in, out, left, lead, state, rk */
    void (*begin)(ty_grid *g, size_t r);
    /* NULL, or prepares the rows of this mask before their first step; it may lay out keys */
    void (*prepare)(ty_grid *g, uint32_t rows);
    /* Called before and after a step, which computes to[r] = E(from[r]) + add[r], depth blocks
     * each, of which take[r] bytes are used. Before fill, from[r] and to[r] point at row r of x,
     * and add[r] at zeros; rows without a message may keep these. drain advances in, out and
     * left. */
    void (*fill)(ty_grid *g);
    void (*drain)(ty_grid *g);
    /* NULL, or called instead of fill and drain while every row has a message that fills it: sets
     * from, to and add where they must differ from what they are before fill */
    void (*whole)(ty_grid *g);
    /* processes the rest of row r's message alone; NULL: messages stay in their rows */
    void (*alone)(ty_grid *g, size_t r);
    /* NULL, or called when row r's message ends */
    void (*end)(ty_grid *g, size_t r);
} ty_grid_kind;

/* Processes the jobs that wait; there is at least one */
void ty_grid_run(ty_grid *g, void *jobs, size_t n, const ty_grid_kind *kind);
/* Sixteen messages of one length, for which the caller has called begin: nothing has to be
 * scheduled. `kind` has `whole`, and neither `prepare` nor `end`. The tier of keys is the same in
 * all calls, and after the last one the caller wipes with ty_grid_wipe. */
void ty_grid_equal(ty_grid *g, const ty_grid_kind *kind);
void ty_grid_wipe(ty_grid *g);
/* ty_grid_own: points `from` and `to` at the rows of x, and `add` at zeros. ty_grid_lay: lays out
 * the rows' keys rk[] for the kernel. ty_grid_step: encrypts `depth` blocks of every row */
void ty_grid_own(ty_grid *g);
void ty_grid_lay(ty_grid *g, const uint8_t *const rk[TY_GRID]);
void ty_grid_step(ty_grid *g);

/* If there are n short messages, one of at least this many blocks is faster alone. */
static inline size_t ty_grid_alone_from(size_t n)
{
    if (n <= 1) return 0;
    return n < TY_GRID ? 2 * n - 2 : 48;
}

static inline uint8_t *ty_grid_x(ty_grid *g, size_t r) { return g->x + TY_GRID_ROW * r; }

/* out = in + x, n bytes */
static inline void ty_grid_xor(uint8_t *out, const uint8_t *in, const uint8_t *x, size_t n)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16) TY_V16(out + i) = TY_V16_IN(in + i) ^ TY_V16_IN(x + i);
    for (; i < n; i++) out[i] = in[i] ^ x[i];
}

/* 1 if the row uses all bytes of the step: then, if none of them is lead, the step may read and
 * write the message's own buffers. */
static inline int ty_grid_full(const ty_grid *g, size_t r)
{
    return g->take[r] == 16 * g->depth;
}

/* Advances the row's message by n bytes. */
static inline void ty_grid_moved(ty_grid *g, size_t r, size_t n)
{
    if (n == 0) return;   /* an empty message may have no address */
    g->in[r] += n;
    g->out[r] += n;
    g->left[r] -= n;
}

#endif
