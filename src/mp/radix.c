/* Radices 2 to 64 and their powers. A chunk is as many digits as fit a limb, and `power` is the
 * radix to the power of their number. Longer numbers are cut in two by powers of `power`, each the
 * square of the one before, which are computed once for a number and used for all its parts. */
#include "mp/radix.h"

#include <string.h>

const char ty_radix_digits[65] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";

ty_radix ty_radix_prepare(int base, unsigned fit)
{
    ty_radix r = { .base = (ty_limb)base, .power = (ty_limb)base, .count = 1 };
    if ((base & (base - 1)) == 0) {
        r.bits = ty_limb_bits(r.base) - 1;
        return r;
    }
    const ty_limb most = (~(ty_limb)0 >> (TY_LIMB_BITS - fit)) / r.base;
    while (r.power <= most) r.power *= r.base, r.count++;
    return r;
}

ty_err ty_radix_mul(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                    const ty_alloc *alloc)
{
    if (xn < yn) {
        const ty_limb *t = x;
        const size_t n = xn;
        x = y, xn = yn;
        y = t, yn = n;
    }
    const size_t need = ty_mp_mul_work(xn, yn);
    ty_limb own[6 * TY_MP_SMALL], *work = ty_mp_take(own, sizeof own / sizeof *own, need, alloc);
    if (!work) return TY_ERR_MEM;
    if (x == y && xn == yn) ty_mp_sqr_limbs(z, x, xn, work);
    else ty_mp_mul_limbs(z, x, xn, y, yn, work);
    ty_mp_give(work, own, need, alloc);
    return TY_OK;
}

/* Drops zero limbs at the top, and drops and counts those at the bottom; a power is not 0. */
static ty_radix_power trimmed(ty_limb *p, size_t n, size_t zeros)
{
    n = ty_limb_len(p, n);
    for (; *p == 0; p++) n--, zeros++;
    const ty_radix_power out = { .p = p, .n = n, .zeros = zeros };
    return out;
}

ty_err ty_radix_powers(ty_radix_power *p, int *levels, const ty_radix *r, size_t limit,
                       ty_limb *room, const ty_alloc *alloc)
{
    *levels = 0;
    if (limit < TY_RADIX_FIRST) return TY_OK;
    const ty_limb_ops *ops = ty_limb_best();
    ty_limb two[2], four[4];   /* TY_RADIX_FIRST is eight */
    ops->sqr(two, &r->power, 1);
    ops->sqr(four, two, 2);
    ops->sqr(room, four, 4);
    p[0] = trimmed(room, TY_RADIX_FIRST, 0);
    room += TY_RADIX_FIRST;
    int i = 1;
    /* in all below 2 `limit` limbs, and 2 for each power */
    for (; 2 * (p[i - 1].n + p[i - 1].zeros) <= limit; i++) {
        const ty_radix_power *last = p + i - 1;
        TY_TRY(ty_radix_mul(room, last->p, last->n, last->p, last->n, alloc));
        p[i] = trimmed(room, 2 * last->n, 2 * last->zeros);
        room += 2 * last->n;
    }
    *levels = i;
    return TY_OK;
}

/* A power mostly divides numbers below its square: with a reciprocal of half its length each half
 * of the quotient takes two products. */
ty_err ty_radix_normalize(ty_radix_power *p, int levels, ty_limb *room, const ty_alloc *alloc)
{
    for (ty_radix_power *end = p + levels; p < end; p++) {
        p->shift = TY_LIMB_BITS - ty_limb_bits(p->p[p->n - 1]);
        (void)ty_limb_shl(p->p, p->p, p->n, p->shift);
        p->v = ty_limb_recip_vt(p->p[p->n - 1]);
        const size_t times = p + 1 < end ? 2 : 1;   /* all but the last one divide more than once */
        if (!ty_mp_newton_pays(times * (p->n + p->zeros), times * p->n)) continue;
        const size_t half = (p->n + p->zeros) / 2 + 2;
        p->rn = half < p->n ? half : p->n;
        p->recip = room;
        TY_TRY(ty_mp_reciprocal_vt(room, p->p + p->n - p->rn, p->rn, p->v, alloc));
        room += p->rn + 1;
    }
    return TY_OK;
}
