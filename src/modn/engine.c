/* The choice of the engine for a power modulo an odd number, and conversion of numbers to its form
 * and back.
 * bound: for the preparation, a division of R^2 by m. Measured on Zen 3, for doubles: a fortieth of
 * a power whose exponent has 256 bits */
#include "modn/modn.h"

#include "base/wipe.h"

#include <string.h>

const ty_modn_engine ty_modn_limbs = { ty_modn_mul, ty_modn_sqrs, NULL, NULL, NULL, NULL };

/* --- The choice ------------------------------------------------------------------------------- */

#if defined(TY_HAS_ENGINES)
enum { ALIGN = 64 / sizeof(ty_limb) };

static size_t aligned(size_t words) { return (words + ALIGN - 1) / ALIGN * ALIGN; }

/* The faster one first; bits: the length of the shortest exponent for which the preparation pays at
 * the lengths that `plan` accepts. For vectors of integers that is the exponent of most RSA keys,
 * 2^16 + 1; for doubles the preparation takes as long as a hundred squarings save at 24 limbs, and
 * as twenty save at 44 and more. */
static const struct {
    const ty_modn_engine *engine;
    size_t bits;
} others[] = { { &ty_modn_ifma, 17 }, { &ty_modn_reals, 256 } };

/* limbs of scratch for the preparation: R^2 and its residue, and a copy of m */
static size_t scratch(const ty_modn *c) { return 2 * c->bits / 64 + 2 + 2 * c->n; }
#endif

size_t ty_modn_choose(ty_modn *c, size_t bits)
{
#if defined(TY_HAS_ENGINES)
    for (size_t i = 0; i < sizeof others / sizeof *others && !c->folds; i++) {
        c->engine = others[i].engine;
        if (bits >= others[i].bits && c->engine->plan(c))
            return aligned(c->room) + 2 * aligned(c->words) + scratch(c) + ALIGN;
    }
#else
    (void)bits;
#endif
    c->engine = &ty_modn_limbs;
    c->words = c->n;
    return 0;
}

/* From this number of limbs on, vectors of integers are faster than limbs with R = 1. */
enum { FOLD_LESS = 32 };

int ty_modn_folds(size_t n)
{
    return n < FOLD_LESS || !ty_ifma_best()->least ||
           TY_LANES_FOR(n * TY_LIMB_BITS) > TY_IFMA_DIGITS;
}

/* Two limbs have products of their own that are as fast. */
const ty_lanes_ops *ty_modn_lanes(size_t n)
{
    const ty_lanes_ops *ops = ty_lanes_best();
    if (!ops->least || n == 2 || TY_LANES_FOR(n * TY_LIMB_BITS) > TY_LANES_DIGITS) return NULL;
    return ops->ready() ? ops : NULL;
}

const ty_lanes_ops *ty_modn_lanes_for(size_t n, size_t count)
{
    const ty_lanes_ops *lanes = ty_modn_lanes(n);
    const ty_pair_ops *pair = ty_pair_best();
    const size_t d = TY_LANES_FOR(n * TY_LIMB_BITS);
    if (lanes && count >= lanes->least(d)) return lanes;
    if (!pair->least || d < TY_PAIR_LEAST || d > TY_PAIR_DIGITS) return NULL;
    return count >= pair->least(d) ? pair : NULL;
}

/* --- Into an engine and out of it ------------------------------------------------------------- */

#if defined(TY_HAS_ENGINES)
/* To the engine's form: xR = (xB^n) (R^2/B^n)/R; from it: xB^n = (xR) B^n/R. */
static void factors(ty_modn *c, ty_limb *work)
{
    const size_t n = c->n, k = 2 * c->bits / 64 + 1;
    const unsigned up = TY_LIMB_BITS - ty_limb_bits(c->m[n - 1]);
    ty_limb *d = work + k + 1, *r = d + n;
    ty_modn_one(r, c);
    ty_limb_canon(r, 0, r, c->m, n);
    c->engine->put(c->out, r, n, c);
    memset(work, 0, k * sizeof *work);
    work[k - 1] = (ty_limb)1 << 2 * c->bits % 64;
    work[k] = ty_limb_shl(work, work, k, up);
    (void)ty_limb_shl(d, c->m, n, up);
    ty_limb_div(NULL, work, k + 1, d, n, ty_limb_recip(d[n - 1]), 0);
    (void)ty_limb_shr(r, work, n, up);
    ty_modn_get(r, r, c);
    c->engine->put(c->in, r, n, c);
}

void ty_modn_start(ty_modn *c, ty_limb *memory)
{
    const size_t words = aligned(c->words), room = aligned(c->room);
    memset(memory, 0, (room + 2 * words + scratch(c) + ALIGN) * sizeof *memory);
    ty_limb *p = memory + (ALIGN - (uintptr_t)memory / sizeof(ty_limb) % ALIGN) % ALIGN;
    c->in = p + room;
    c->out = c->in + words;
    c->engine->prepare(c, p, c->out + words);
    factors(c, c->out + words);
}

void ty_modn_stop(ty_modn *c)
{
    c->engine = &ty_modn_limbs;
    ty_wipe_below_8k();   /* a product takes some 5 KB of stack at most */
}

void ty_modn_in(ty_limb *z, const ty_limb *x, const ty_modn *c)
{
    if (c->engine == &ty_modn_limbs) {
        memcpy(z, x, c->words * sizeof *z);
        return;
    }
    c->engine->put(z, x, c->n, c);
    c->engine->mul(z, z, c->in, c);
}

void ty_modn_out(ty_limb *z, ty_limb *x, const ty_modn *c)
{
    if (c->engine == &ty_modn_limbs) {
        memcpy(z, x, c->words * sizeof *z);
        return;
    }
    c->engine->mul(x, x, c->out, c);
    c->engine->get(z, x, c);
}
#else
void ty_modn_start(ty_modn *c, ty_limb *memory) { (void)c, (void)memory; }
void ty_modn_stop(ty_modn *c) { (void)c; }
void ty_modn_in(ty_limb *z, const ty_limb *x, const ty_modn *c)
{
    memcpy(z, x, c->words * sizeof *z);
}
void ty_modn_out(ty_limb *z, ty_limb *x, const ty_modn *c) { memcpy(z, x, c->words * sizeof *z); }
#endif
