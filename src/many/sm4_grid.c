/* The scheduler of sm4_grid.h: assigns messages to rows and runs the steps. */
#include "many/sm4_grid.h"
#include "base/wipe.h"

void ty_grid_lay(ty_grid *g, const uint8_t *const rk[TY_GRID])
{
    const uint8_t *rows[TY_SM4_LANES];
    if (TY_HELD(sm4, g->ops)->grid_keys) {
        TY_HELD(sm4, g->ops)->grid_keys(g->lay.keys, rk);
        return;
    }
    for (size_t i = 0; i < TY_SM4_LANES; i++) rows[i] = rk[i % TY_GRID];
    TY_HELD(sm4, g->ops)->lane_keys(&g->lay.l, rows, TY_SM4_LANES);
}

/* A step without a grid kernel: blocks c and c + 1 of each row r in lanes r and 16 + r */
static void by_lanes(ty_grid *g)
{
    ty_sm4_lanes *l = &g->lay.l;
    for (size_t c = 0; c < g->depth; c += 2) {
        const size_t lanes = g->depth == 1 ? TY_GRID : 2 * TY_GRID;
        for (size_t i = 0; i < lanes; i++)
            TY_V16(l->x + 16 * i) = TY_V16_IN(g->from[i % TY_GRID] + 16 * (c + i / TY_GRID));
        TY_HELD(sm4, g->ops)->lanes(l, lanes);
        for (size_t i = 0; i < lanes; i++)
            TY_V16(g->to[i % TY_GRID] + 16 * (c + i / TY_GRID)) =
                TY_V16(l->x + 16 * i) ^ TY_V16_IN(g->add[i % TY_GRID] + 16 * (c + i / TY_GRID));
    }
}

void ty_grid_own(ty_grid *g)
{
    static const uint8_t zeros[TY_GRID_ROW];
    for (size_t r = 0; r < TY_GRID; r++) {
        g->from[r] = g->to[r] = ty_grid_x(g, r);
        g->add[r] = zeros;
    }
}

void ty_grid_step(ty_grid *g)
{
    if (TY_HELD(sm4, g->ops)->grid)
        TY_HELD(sm4, g->ops)->grid(g->to, g->from, g->add, g->room, g->depth, g->lay.keys);
    else by_lanes(g);
}

/* Gives waiting jobs to free rows; returns which rows got one. */
static uint32_t take_jobs(ty_grid *g)
{
    uint32_t fresh = 0;
    for (size_t r = 0; r < TY_GRID && g->next < g->n; r++)
        while (!(g->busy >> r & 1) && g->next < g->n) {
            const size_t j = g->next++;
            const ty_sm4_key *key = g->kind->waits(g, j);
            if (key == NULL) continue;
            if (key->ops != g->ops) {
                if (j < g->later) g->later = j;
                continue;
            }
            g->job[r] = j;
            g->key[r] = key;
            g->lead[r] = 0;
            g->busy |= (uint32_t)1 << r;
            g->kind->begin(g, r);
            fresh |= (uint32_t)1 << r;
        }
    return fresh;
}

/* Frees the rows whose messages have ended; returns which. */
static uint32_t leave(ty_grid *g)
{
    uint32_t ended = 0;
    for (size_t r = 0; r < TY_GRID; r++)
        if ((g->left[r] | g->lead[r]) == 0) ended |= (uint32_t)1 << r;
    ended &= g->busy;
    if (g->kind->end)
        for (size_t r = 0; r < TY_GRID; r++)
            if (ended >> r & 1) g->kind->end(g, r);
    g->busy &= ~ended;
    return ended;
}

/* When no job waits any more, finishes the messages that are long compared with the number of those
 * that remain, each alone. Returns 1 if there were any */
static int finish_long(ty_grid *g)
{
    if (g->next < g->n || g->kind->alone == NULL) return 0;
    const size_t alone_from = ty_grid_alone_from((size_t)__builtin_popcount(g->busy));
    int any = 0;
    for (size_t r = 0; r < TY_GRID; r++)
        if ((g->busy >> r & 1) && g->left[r] / 16 >= alone_from) {
            g->kind->alone(g, r);
            g->left[r] = g->lead[r] = 0;
            any = 1;
        }
    return any;
}

/* A step of rows of any lengths */
static void step_any_rows(ty_grid *g)
{
    size_t most = 0;
    for (size_t r = 0; r < TY_GRID; r++) {
        const size_t all = g->lead[r] + g->left[r];
        g->take[r] = (uint8_t)(all < TY_GRID_ROW ? all : TY_GRID_ROW);
        if (g->take[r] > most) most = g->take[r];
    }
    g->depth = most <= 16 ? 1 : most <= 32 ? 2 : 4;
    ty_grid_own(g);
    g->kind->fill(g);
    ty_grid_step(g);
    g->kind->drain(g);
}

/* The number of steps that the messages of all rows fill completely */
static size_t whole_steps(const ty_grid *g)
{
    size_t least = g->left[0];
    if (g->kind->whole == NULL || g->busy != TY_GRID_ALL) return 0;
    for (size_t r = 0; r < TY_GRID; r++) {
        if (g->lead[r]) return 0;
        if (g->left[r] < least) least = g->left[r];
    }
    return least / TY_GRID_ROW;
}

static void step_whole_rows(ty_grid *g, size_t steps)
{
    g->depth = TY_GRID_ROW / 16;
    ty_grid_own(g);
    for (size_t i = 0; i < steps; i++) {
        g->kind->whole(g);
        ty_grid_step(g);
        for (size_t r = 0; r < TY_GRID; r++) {
            g->in[r] += TY_GRID_ROW;
            g->out[r] += TY_GRID_ROW;
        }
    }
    for (size_t r = 0; r < TY_GRID; r++) g->left[r] -= TY_GRID_ROW * steps;
}

void ty_grid_equal(ty_grid *g, const ty_grid_kind *kind)
{
    const size_t whole = g->left[0] / TY_GRID_ROW;
    g->kind = kind;
    memset(g->lead, 0, sizeof g->lead);
    ty_grid_lay(g, g->rk);
    if (whole) step_whole_rows(g, whole);
    if (g->left[0]) step_any_rows(g);
}

/* Steps until a message ends */
static void steps(ty_grid *g)
{
    do {
        const size_t whole = whole_steps(g);
        if (whole) step_whole_rows(g, whole);
        else step_any_rows(g);
    } while (!leave(g));
}

/* Sets up the rows without a message: no bytes, and the first job's key, so that steps may include
 * them. */
static void clear_rows(ty_grid *g, const ty_sm4_key *first)
{
    for (size_t r = 0; r < TY_GRID; r++) {
        if (g->busy >> r & 1) continue;
        g->left[r] = g->lead[r] = 0;
        g->state[r][0] = g->state[r][1] = 0;
        g->in[r] = g->out[r] = ty_grid_x(g, r);
        g->rk[r] = (const uint8_t *)first->enc;
    }
}

/* Processes all waiting jobs with keys of tier g->ops, from g->next on; `first` is the first
 * one's key */
static void tier(ty_grid *g, const ty_sm4_key *first)
{
    g->busy = 0;
    uint32_t fresh = take_jobs(g);       /* rows whose keys are still to be laid out */
    if (g->busy != TY_GRID_ALL) clear_rows(g, first);
    while (g->busy) {
        if (finish_long(g)) {
            leave(g);
        } else {
            if (fresh) {
                if (g->kind->prepare) g->kind->prepare(g, fresh);
                ty_grid_lay(g, g->rk);
                fresh = 0;
            }
            steps(g);
        }
        fresh |= take_jobs(g);
    }
}

/* how many bytes at the start of a grid may hold secrets, for keys of this tier */
static size_t used_by(const ty_sm4_ops *ops)
{
    const ty_grid *g = NULL;
    return offsetof(ty_grid, lay) + (TY_HELD(sm4, ops)->grid ? sizeof g->lay.keys : sizeof g->lay);
}

void ty_grid_wipe(ty_grid *g) { ty_wipe(g, used_by(g->ops)); }

/* A key keeps the tier that it was set up for, and with it a layout (ty_tier_limit): each tier is a
 * pass of its own. */
void ty_grid_run(ty_grid *g, void *jobs, size_t n, const ty_grid_kind *kind)
{
    g->jobs = jobs;
    g->n = n;
    g->kind = kind;
    size_t used = 0, j = 0;
    while (kind->waits(g, j) == NULL) j++;
    for (; j < n; j = g->later) {
        const ty_sm4_key *key = kind->waits(g, j);
        g->ops = key->ops;
        g->next = j;
        g->later = n;
        tier(g, key);
        if (used < used_by(g->ops)) used = used_by(g->ops);
    }
    ty_wipe(g, used);
}
