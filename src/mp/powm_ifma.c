/* Powers in 52-bit digits side by side in vectors: the form of modn/ifma.h. */
#include "mp/digits52.h"
#include "mp/powm_form.h"

#if defined(TY_HAS_LANES)

/* From so many bits of an exponent on, what is prepared pays: for that of most RSA keys, 2^16 + 1,
 * from ten limbs on. */
#define LEAST_BITS 17

static void ifma_put(ty_limb *z, const ty_limb *x, size_t len, const ty_form *f)
{
    const size_t n = f->of.ifma.w.n;
    ty_digits52_put(z, 1, n, x, len, 0);
    for (size_t j = n; j < f->words; j++) z[j] = 0;
}

/* A product with a factor below m is less than 3m: two subtractions, with a limb more. */
static void ifma_get(ty_limb *x, const ty_limb *z, const ty_form *f)
{
    const size_t n = f->m->n;
    ty_limb *t = f->of.ifma.t;
    ty_digits52_get(t, n + 1, z, 1, f->of.ifma.w.n);
    ty_limb_canon(t, 0, t, f->of.ifma.m, n + 1);
    ty_limb_canon(t, 0, t, f->of.ifma.m, n + 1);
    for (size_t i = 0; i < n; i++) x[i] = t[i];
}

static int ifma_plan(ty_form *f, size_t bits)
{
    const ty_ifma_ops *ops = ty_ifma_best();
    const size_t n = f->m->n, d = TY_LANES_FOR(n * TY_LIMB_BITS);
    if (!ops->least || n < ops->least || bits < LEAST_BITS || d > TY_IFMA_DIGITS) return 0;
    f->of.ifma.ops = ops;
    f->of.ifma.w.n = d;
    f->words = f->of.ifma.w.words = ty_ifma_words(d);
    f->bits = d * TY_LANES_BITS;
    f->room = 2 * f->words + 2 * (n + 1);
    return 1;
}

static void ifma_prepare(ty_form *f, ty_limb *p, ty_limb *work)
{
    const ty_mont *m = f->m;
    ty_ifma *w = &f->of.ifma.w;
    ty_limb *step = p + f->words;
    f->of.ifma.m = step + f->words;
    f->of.ifma.t = f->of.ifma.m + m->n + 1;
    for (size_t i = 0; i < m->n; i++) f->of.ifma.m[i] = m->m[i];
    ifma_put(p, m->m, m->n, f);
    w->minv = ty_digits52_step(step, 1, w->n, m->m, m->n, work);
    w->m = p;
    w->step = step;
}

static void ifma_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_form *f)
{
    f->of.ifma.ops->mul(z, x, y, &f->of.ifma.w);
}
static void ifma_sqrs(ty_limb *z, size_t count, const ty_form *f)
{
    f->of.ifma.ops->sqrs(z, count, &f->of.ifma.w);
}

const ty_form_kind ty_form_ifma = {
    ifma_mul, ifma_sqrs, ifma_plan, ifma_prepare, ifma_put, ifma_get
};
#endif
