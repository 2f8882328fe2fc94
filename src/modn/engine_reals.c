/* The engine of doubles: digits of modn/reals.h.
 * bound: for -1/m half as many products of limbs as R^2 takes */
#include "modn/modn.h"

#include <string.h>

#if defined(TY_HAS_REALS)

/* a carry out of the last digit is dropped: modulo R */
static void reals_put(ty_limb *z, const ty_limb *x, size_t len, const ty_modn *c)
{
    const unsigned b = ty_reals_bits(c->words);
    ty_real *to = (ty_real *)z;
    int64_t carry = 0;
    for (size_t j = 0; j < c->words; j++) {
        const size_t bits = b * j < 64 * len ? ty_limb_window(x, len, b * j, b) : 0;
        const int64_t d = (int64_t)bits + carry;
        carry = (d + ((int64_t)1 << (b - 1))) >> b;
        to[j] = (double)(d - (carry << b));
    }
}

/* |z| < m. BIAS makes digits positive for the shift */
#define BIAS ((uint64_t)1 << 62)

static void reals_get(ty_limb *x, const ty_limb *z, const ty_modn *c)
{
    const unsigned b = ty_reals_bits(c->words);
    const size_t len = c->n;
    int64_t carry = 0;
    memset(x, 0, len * sizeof *x);
    for (size_t j = 0; j < c->words; j++) {
        const int64_t d = (int64_t)((const ty_real *)z)[j] + carry;
        const size_t at = b * j, i = at / 64, s = at % 64;
        const uint64_t v = (uint64_t)d & (((uint64_t)1 << b) - 1);
        carry = (int64_t)(((uint64_t)d + BIAS) >> b) - (int64_t)(BIAS >> b);
        if (i < len) x[i] |= v << s;
        if (s + b > 64 && i + 1 < len) x[i + 1] |= v >> (64 - s);
    }
    (void)ty_limb_add_if(x, c->m, len, ty_limb_mask((ty_limb)carry & 1));
}

/* z[k] = -1/m mod B^k: the multiple of m that cancels 1. t[k]: scratch */
static void minus_inverse(ty_limb *z, ty_limb *t, size_t k, const ty_modn *c)
{
    memset(t, 0, k * sizeof *t);
    t[0] = 1;
    for (size_t i = 0; i < k; i++) {
        const size_t n = k - i < c->n ? k - i : c->n;
        z[i] = t[i] * c->minv;
        const ty_limb above = c->ops->addmul_1(t + i, c->m, n, z[i]);
        (void)ty_limb_add_1(t + i + n, t + i + n, k - i - n, above);
    }
}

static int reals_plan(ty_modn *c)
{
    const ty_reals_ops *ops = ty_reals_best();
    const size_t n = ty_reals_digits(c->n * TY_LIMB_BITS);
    if (!ops->least || c->n < ops->least || !n || !ops->ready()) return 0;
    c->of.real.ops = ops;
    c->words = n;
    c->bits = n * ty_reals_bits(n);
    c->room = TY_REALS_WORK(n) + 2 * (n + 2 * TY_REALS_PAD);
    return 1;
}

static void reals_prepare(ty_modn *c, ty_limb *p, ty_limb *work)
{
    const size_t n = c->words, len = c->bits / 64 + 1;
    ty_limb *md = p + TY_REALS_WORK(n) + TY_REALS_PAD, *minv = md + n + 2 * TY_REALS_PAD;
    reals_put(md, c->m, c->n, c);
    minus_inverse(work, p, len, c);
    reals_put(minv, work, len, c);
    c->of.real.w = (ty_reals){ n, (double)((uint64_t)1 << ty_reals_bits(n)), (ty_real *)md,
                               (ty_real *)minv, (ty_real *)p };
}

static void reals_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *c)
{
    c->of.real.ops->mul((ty_real *)z, (const ty_real *)x, (const ty_real *)y, &c->of.real.w);
}

static void reals_sqrs(ty_limb *z, size_t count, const ty_modn *c)
{
    c->of.real.ops->sqrs((ty_real *)z, count, &c->of.real.w);
}

const ty_modn_engine ty_modn_reals = { reals_mul,     reals_sqrs, reals_plan,
                                       reals_prepare, reals_put,  reals_get };
#endif
