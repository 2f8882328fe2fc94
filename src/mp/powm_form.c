/* Numbers into digits in doubles and back, and a modulus prepared for them.
 * bound: a division of R^2 by m, and for -1/m half as many products of limbs as R^2 takes. Measured on Zen 3: a fortieth of a power
 * of 256 bits */
#include "mp/powm_form.h"

#include <string.h>

#if defined(TY_HAS_REALS)

/* From so many bits of an exponent on, what is prepared pays at every length: of 24 limbs it takes what a hundred squarings save, of
 * 44 and more what twenty do. */
#define LEAST_BITS 256

/* z[n] = the digits of x < 2^(bn), x of len limbs; a carry out of the last digit is dropped: modulo 2^(bn). */
static void to_digits(ty_real *z, size_t n, const ty_limb *x, size_t len)
{
    const unsigned b = ty_reals_bits(n);
    int64_t carry = 0;
    for (size_t j = 0; j < n; j++) {
        const int64_t d = (int64_t)(b * j < 64 * len ? ty_mont_digit(x, len, b * j, b) : 0) + carry;
        carry = (d + ((int64_t)1 << (b - 1))) >> b;
        z[j] = (double)(d - (carry << b));
    }
}

/* x[len] = z mod m for |z| < m. BIAS: digits are shifted as numbers above zero */
#define BIAS ((uint64_t)1 << 62)

static void from_digits(ty_limb *x, size_t len, const ty_real *z, size_t n, const ty_limb *m)
{
    const unsigned b = ty_reals_bits(n);
    int64_t carry = 0;
    memset(x, 0, len * sizeof *x);
    for (size_t j = 0; j < n; j++) {
        const int64_t d = (int64_t)z[j] + carry;
        const size_t at = b * j, i = at / 64, s = at % 64;
        const uint64_t v = (uint64_t)d & (((uint64_t)1 << b) - 1);
        carry = (int64_t)(((uint64_t)d + BIAS) >> b) - (int64_t)(BIAS >> b);
        if (i < len) x[i] |= v << s;
        if (s + b > 64 && i + 1 < len) x[i + 1] |= v >> (64 - s);
    }
    (void)ty_limb_add_if(x, m, len, ty_limb_mask((ty_limb)carry & 1));
}

/* z[k] = -1/m mod B^k: what m must be taken times for 1 to vanish. t[k]: scratch */
static void minus_inverse(ty_limb *z, ty_limb *t, size_t k, const ty_mont *m)
{
    memset(t, 0, k * sizeof *t);
    t[0] = 1;
    for (size_t i = 0; i < k; i++) {
        const size_t n = k - i < m->n ? k - i : m->n;
        z[i] = t[i] * m->minv;
        const ty_limb above = m->ops->addmul_1(t + i, m->m, n, z[i]);
        (void)ty_limb_add_1(t + i + n, t + i + n, k - i - n, above);
    }
}

/* Into the form goes xR = (xB^n) (R^2/B^n)/R, out of it xB^n = (xR) B^n/R. work: limbs for R^2 */
static ty_err prepare(ty_form *f, ty_real *md, ty_real *minv, ty_limb *work)
{
    const ty_mont *m = f->m;
    const size_t n = f->words, bits = n * ty_reals_bits(n), k = 2 * bits / 64 + 1;
    ty_limb *r = work + k;
    to_digits(md, n, m->m, m->n);
    minus_inverse(work, r, bits / 64 + 1, m);
    to_digits(minv, n, work, bits / 64 + 1);
    ty_mont_one(r, m);
    ty_limb_canon(r, 0, r, m->m, m->n);
    to_digits(f->out, n, r, m->n);
    memset(work, 0, k * sizeof *work);
    work[k - 1] = (ty_limb)1 << 2 * bits % 64;
    TY_TRY(ty_mp_reduce(r, work, k, 0, m->m, m->n, 0, m->alloc));
    ty_mont_get(r, r, m);
    to_digits(f->in, n, r, m->n);
    return TY_OK;
}

static int suits(const ty_reals_ops *ops, const ty_mont *m, size_t bits)
{
    return ops->least && m->n >= ops->least && !m->folds && bits >= LEAST_BITS && ty_reals_digits(m->n * TY_LIMB_BITS) && ops->ready();
}

static ty_err open_reals(ty_form *f, const ty_reals_ops *ops)
{
    const size_t n = ty_reals_digits(f->m->n * TY_LIMB_BITS), padded = n + 2 * TY_REALS_PAD, align = TY_REALS_ALIGN / sizeof(ty_limb);
    f->total = TY_REALS_WORK(n) + 2 * padded + 2 * n + align;
    f->room = ty_mp_take(f->own, sizeof f->own / sizeof *f->own, f->total, f->m->alloc);
    if (!f->room) return TY_ERR_MEM;
    memset(f->room, 0, f->total * sizeof *f->room);
    ty_limb *work = f->room + (align - (uintptr_t)f->room / sizeof(ty_limb) % align) % align;
    ty_real *m = (ty_real *)work + TY_REALS_WORK(n) + TY_REALS_PAD, *minv = m + padded;
    f->in = minv + n + TY_REALS_PAD;
    f->out = f->in + n;
    f->w = (ty_reals){ n, (double)((uint64_t)1 << ty_reals_bits(n)), m, minv, (ty_real *)work };
    f->words = n;
    f->real = ops;
    const ty_err err = prepare(f, m, minv, work);
    if (err) ty_form_close(f);
    return err;
}
#endif

ty_err ty_form_open(ty_form *f, const ty_mont *m, size_t bits)
{
    f->m = m;
    f->words = m->n;
#if defined(TY_HAS_REALS)
    const ty_reals_ops *ops = ty_reals_best();
    f->real = NULL;
    if (suits(ops, m, bits)) return open_reals(f, ops);
#else
    (void)bits;
#endif
    return TY_OK;
}

void ty_form_close(ty_form *f)
{
#if defined(TY_HAS_REALS)
    if (f->real) ty_mp_give(f->room, f->own, f->total, f->m->alloc);
#else
    (void)f;
#endif
}

void ty_form_in(ty_limb *z, const ty_limb *x, const ty_form *f)
{
#if defined(TY_HAS_REALS)
    if (f->real) {
        to_digits((ty_real *)z, f->words, x, f->m->n);
        f->real->mul((ty_real *)z, (ty_real *)z, f->in, &f->w);
        return;
    }
#endif
    memcpy(z, x, f->words * sizeof *z);
}

void ty_form_out(ty_limb *z, ty_limb *x, const ty_form *f)
{
#if defined(TY_HAS_REALS)
    if (f->real) {
        f->real->mul((ty_real *)x, (ty_real *)x, f->out, &f->w);
        from_digits(z, f->m->n, (ty_real *)x, f->words, f->m->m);
        return;
    }
#endif
    memcpy(z, x, f->words * sizeof *z);
}

void ty_form_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_form *f)
{
#if defined(TY_HAS_REALS)
    if (f->real) {
        f->real->mul((ty_real *)z, (const ty_real *)x, (const ty_real *)y, &f->w);
        return;
    }
#endif
    ty_mont_mul(z, x, y, f->m);
}

void ty_form_sqrs(ty_limb *z, size_t count, const ty_form *f)
{
#if defined(TY_HAS_REALS)
    if (f->real) {
        f->real->sqrs((ty_real *)z, count, &f->w);
        return;
    }
#endif
    ty_mont_sqrs(z, count, f->m);
}
