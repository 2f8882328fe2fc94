/* Numbers into the form in which a power is computed, and back.
 * bound: a division of R^2 by m. Measured on Zen 3, for doubles: a fortieth of a power of 256
 * bits */
#include "mp/powm_form.h"

#include "base/wipe.h"

#include <string.h>

/* --- Limbs ------------------------------------------------------------------------------------ */

static void limbs_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_form *f)
{
    ty_mont_mul(z, x, y, f->m);
}
static void limbs_sqrs(ty_limb *z, size_t count, const ty_form *f) { ty_mont_sqrs(z, count, f->m); }

static const ty_form_kind limbs = { limbs_mul, limbs_sqrs, NULL, NULL, NULL, NULL };

/* --- Other forms ------------------------------------------------------------------------------ */

#if defined(TY_HAS_FORMS)
enum { ALIGN = 64 / sizeof(ty_limb) };

static size_t aligned(size_t words) { return (words + ALIGN - 1) / ALIGN * ALIGN; }

/* Into the form goes xR = (xB^n) (R^2/B^n)/R, out of it xB^n = (xR) B^n/R. work: limbs for R^2, and
 * n more */
static ty_err factors(ty_form *f, ty_limb *work)
{
    const ty_mont *m = f->m;
    const size_t n = m->n, k = 2 * f->bits / 64 + 1;
    ty_limb *r = work + k;
    ty_mont_one(r, m);
    ty_limb_canon(r, 0, r, m->m, n);
    f->kind->put(f->out, r, n, f);
    memset(work, 0, k * sizeof *work);
    work[k - 1] = (ty_limb)1 << 2 * f->bits % 64;
    TY_TRY(ty_mp_reduce(r, work, k, 0, m->m, n, 0, m->alloc));
    ty_mont_get(r, r, m);
    f->kind->put(f->in, r, n, f);
    return TY_OK;
}

static ty_err open_as(ty_form *f)
{
    const size_t words = aligned(f->words), room = aligned(f->room),
                 work = 2 * f->bits / 64 + 1 + f->m->n;
    f->total = room + 2 * words + work + ALIGN;
    f->all = ty_mp_take(f->own, sizeof f->own / sizeof *f->own, f->total, f->m->alloc);
    if (!f->all) return TY_ERR_MEM;
    memset(f->all, 0, f->total * sizeof *f->all);
    ty_limb *p = f->all + (ALIGN - (uintptr_t)f->all / sizeof(ty_limb) % ALIGN) % ALIGN;
    f->in = p + room;
    f->out = f->in + words;
    f->kind->prepare(f, p, f->out + words);
    const ty_err err = factors(f, f->out + words);
    if (err) ty_form_close(f);
    return err;
}
#endif

ty_err ty_form_open(ty_form *f, const ty_mont *m, size_t bits)
{
    f->m = m;
#if defined(TY_HAS_FORMS)
    static const ty_form_kind *const others[] = { &ty_form_ifma, &ty_form_reals };
    for (size_t i = 0; i < sizeof others / sizeof *others && !m->folds; i++) {
        f->kind = others[i];
        if (f->kind->plan(f, bits)) return open_as(f);
    }
#else
    (void)bits;
#endif
    f->kind = &limbs;
    f->words = m->n;
    return TY_OK;
}

void ty_form_close(ty_form *f)
{
#if defined(TY_HAS_FORMS)
    if (f->kind == &limbs) return;
    ty_wipe_below_8k();   /* what compilers put on the stack of a product is some 5 KB at most */
    ty_mp_give(f->all, f->own, f->total, f->m->alloc);
#else
    (void)f;
#endif
}

void ty_form_in(ty_limb *z, const ty_limb *x, const ty_form *f)
{
#if defined(TY_HAS_FORMS)
    if (f->kind != &limbs) {
        f->kind->put(z, x, f->m->n, f);
        f->kind->mul(z, z, f->in, f);
        return;
    }
#endif
    memcpy(z, x, f->words * sizeof *z);
}

void ty_form_out(ty_limb *z, ty_limb *x, const ty_form *f)
{
#if defined(TY_HAS_FORMS)
    if (f->kind != &limbs) {
        f->kind->mul(x, x, f->out, f);
        f->kind->get(z, x, f);
        return;
    }
#endif
    memcpy(z, x, f->words * sizeof *z);
}
