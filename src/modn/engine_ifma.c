/* The engine of integers in vectors: 52-bit digits side by side, of modn/ifma.h. */
#include "modn/digits52.h"
#include "modn/modn.h"

#if defined(TY_HAS_LANES)

static void ifma_put(ty_limb *z, const ty_limb *x, size_t len, const ty_modn *c)
{
    const size_t n = c->of.ifma.w.n;
    ty_digits52_put(z, 1, n, x, len, 0);
    for (size_t j = n; j < c->words; j++) z[j] = 0;
}

/* A product with a factor below m is less than 3m, which has n + 1 limbs: two subtractions of m at
 * most make it canonical. */
static void ifma_get(ty_limb *x, const ty_limb *z, const ty_modn *c)
{
    const size_t n = c->n;
    ty_limb *t = c->of.ifma.t;
    ty_digits52_get(t, n + 1, z, 1, c->of.ifma.w.n);
    ty_limb_canon(t, 0, t, c->of.ifma.m, n + 1);
    ty_limb_canon(t, 0, t, c->of.ifma.m, n + 1);
    for (size_t i = 0; i < n; i++) x[i] = t[i];
}

static int ifma_plan(ty_modn *c)
{
    const ty_ifma_ops *ops = ty_ifma_best();
    const size_t n = c->n, d = TY_LANES_FOR(n * TY_LIMB_BITS);
    if (!ops->least || n < ops->least || d > TY_IFMA_DIGITS) return 0;
    c->of.ifma.ops = ops;
    c->of.ifma.w.n = d;
    c->words = c->of.ifma.w.words = ty_ifma_words(d);
    c->bits = d * TY_LANES_BITS;
    c->room = 2 * c->words + 2 * (n + 1);
    return 1;
}

static void ifma_prepare(ty_modn *c, ty_limb *p, ty_limb *work)
{
    ty_ifma *w = &c->of.ifma.w;
    ty_limb *step = p + c->words;
    c->of.ifma.m = step + c->words;
    c->of.ifma.t = c->of.ifma.m + c->n + 1;
    for (size_t i = 0; i < c->n; i++) c->of.ifma.m[i] = c->m[i];
    ifma_put(p, c->m, c->n, c);
    w->minv = ty_digits52_step(step, 1, w->n, c->m, c->n, work);
    w->m = p;
    w->step = step;
}

static void ifma_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *c)
{
    c->of.ifma.ops->mul(z, x, y, &c->of.ifma.w);
}
static void ifma_sqrs(ty_limb *z, size_t count, const ty_modn *c)
{
    c->of.ifma.ops->sqrs(z, count, &c->of.ifma.w);
}

const ty_modn_engine ty_modn_ifma = {
    ifma_mul, ifma_sqrs, ifma_plan, ifma_prepare, ifma_put, ifma_get
};
#endif
