/* Initialisation, memory and copies of an mp_int, and conversion of its digits to limbs and
 * back. */
#include "ltm.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const ty_alloc *ltm_alloc;

void *ltm_take(size_t bytes)
{
    return ltm_alloc ? ltm_alloc->take(ltm_alloc->ctx, bytes) : malloc(bytes);
}

void ltm_give(void *p, size_t bytes)
{
    if (!p) return;
    ty_wipe(p, bytes);
    if (ltm_alloc) ltm_alloc->give(ltm_alloc->ctx, p, bytes);
    else free(p);
}

mp_err ltm_err(ty_err e)
{
    switch (e) {
    case TY_OK: return MP_OKAY;
    case TY_ERR_MEM:
    case TY_ERR_SIZE: return MP_MEM;
    case TY_ERR_ARG:
    case TY_ERR_FORMAT:
    case TY_ERR_NO_INVERSE: return MP_VAL;
    default: return MP_ERR;
    }
}

const char *mp_error_to_string(mp_err code)
{
    switch (code) {
    case MP_OKAY: return "Successful";
    case MP_ERR: return "Unknown error";
    case MP_MEM: return "Out of heap";
    case MP_VAL: return "Value out of range";
    case MP_ITER: return "Max. iterations reached";
    case MP_BUF: return "Buffer overflow";
    }
    return "Invalid error code";
}

/* --- Room ------------------------------------------------------------------------------------- */

mp_err ltm_settle(mp_int *a, size_t n)
{
    if (n > INT_MAX || n > (size_t)-1 / sizeof *a->dp) return MP_MEM;
    mp_digit *dp = ltm_take(n * sizeof *dp);
    if (!dp) return MP_MEM;
    const size_t used = (size_t)a->used;
    if (used) memcpy(dp, a->dp, used * sizeof *dp);
    memset(dp + used, 0, (n - used) * sizeof *dp);
    ltm_give(a->dp, (size_t)a->alloc * sizeof *dp);
    a->dp = dp;
    a->alloc = (int)n;
    return MP_OKAY;
}

mp_err mp_grow(mp_int *a, int size) { return size < 0 ? MP_VAL : ltm_room(a, (size_t)size); }

mp_err mp_shrink(mp_int *a)
{
    const int n = a->used > MP_PREC ? a->used : MP_PREC;
    return n == a->alloc ? MP_OKAY : ltm_settle(a, (size_t)n);
}

void mp_clamp(mp_int *a) { ltm_fit(a, (size_t)a->used, a->sign); }
void mp_zero(mp_int *a) { ltm_fit(a, 0, MP_ZPOS); }

/* --- Initialisation --------------------------------------------------------------------------- */

mp_err mp_init_size(mp_int *a, int size)
{
    if (size < 0) return MP_VAL;
    const mp_int none = { 0, 0, MP_ZPOS, NULL };
    *a = none;
    return ltm_settle(a, size > MP_PREC ? (size_t)size : MP_PREC);
}

mp_err mp_init(mp_int *a) { return mp_init_size(a, 0); }

mp_err mp_init_copy(mp_int *a, const mp_int *b)
{
    LTM_TRY(mp_init_size(a, b->used));
    return mp_copy(b, a);   /* there is room */
}

void mp_clear(mp_int *a)
{
    ltm_give(a->dp, (size_t)a->alloc * sizeof *a->dp);
    a->dp = NULL;
    a->used = a->alloc = 0;
    a->sign = MP_ZPOS;
}

/* Clears the first `count` integers of the list. */
static void clear_list(mp_int *a, va_list list, size_t count)
{
    for (; a && count; count--) {
        mp_clear(a);
        a = va_arg(list, mp_int *);
    }
}

void mp_clear_multi(mp_int *mp, ...)
{
    va_list list;
    va_start(list, mp);
    clear_list(mp, list, (size_t)-1);
    va_end(list);
}

mp_err mp_init_multi(mp_int *mp, ...)
{
    mp_err e = MP_OKAY;
    size_t made = 0;
    va_list list;
    va_start(list, mp);
    for (mp_int *a = mp; a && e == MP_OKAY; a = e == MP_OKAY ? va_arg(list, mp_int *) : NULL) {
        e = mp_init(a);
        made += e == MP_OKAY;
    }
    va_end(list);
    if (e != MP_OKAY) {
        va_start(list, mp);
        clear_list(mp, list, made);
        va_end(list);
    }
    return e;
}

void mp_exch(mp_int *a, mp_int *b)
{
    const mp_int t = *a;
    *a = *b;
    *b = t;
}

mp_err ltm_assign_long(mp_int *c, const mp_int *a, mp_sign sign)
{
    const size_t n = (size_t)a->used;
    if (a != c) {
        LTM_TRY(ltm_room(c, n));
        if (n) memcpy(c->dp, a->dp, n * sizeof *c->dp);
        ltm_clear_above(c, n);
    }
    c->used = (int)n;
    c->sign = n ? sign : MP_ZPOS;
    return MP_OKAY;
}

mp_err mp_copy(const mp_int *a, mp_int *b) { return ltm_assign(b, a, a->sign); }

/* --- Digits and limbs ------------------------------------------------------------------------- */

/* 15 limbs are 16 digits (with limbs of 32 bits, 7 are 8): GROUP and GROUP + 1. Within a group limb
 * j begins 4j bits above the bottom of digit j; the rest of that digit and the next one have 120 -
 * 4j >= 64 bits. */
enum { GROUP = LTM_BITS / LTM_SPARE };

static inline ty_limb limb_of(const mp_digit *x, unsigned j)
{
    return (ty_limb)x[j] >> LTM_SPARE * j | (ty_limb)x[j + 1] << (LTM_BITS - LTM_SPARE * j);
}

void ltm_pack(ty_limb *z, const mp_digit *x, int n)
{
    size_t left = (size_t)n;
    for (; left > GROUP; left -= GROUP + 1, x += GROUP + 1, z += GROUP)
        for (unsigned j = 0; j < GROUP; j++) z[j] = limb_of(x, j);
    unsigned j = 0;
    for (; j + 1 < left; j++) z[j] = limb_of(x, j);
    /* the top digit, whose upper part is limb j: 4j < 60 */
    if (j < left) z[j] = (ty_limb)x[j] >> LTM_SPARE * j;
}

/* Digit j begins 4j bits before limb j. */
static inline mp_digit digit_of(const ty_limb *x, unsigned j)
{
    return (mp_digit)(x[j - 1] >> (TY_LIMB_BITS - LTM_SPARE * j) | x[j] << LTM_SPARE * j) & MP_MASK;
}

void ltm_unpack(mp_digit *z, size_t n, const ty_limb *x, size_t xn)
{
    for (; n > GROUP && xn >= GROUP; n -= GROUP + 1, z += GROUP + 1, xn -= GROUP, x += GROUP) {
        z[0] = (mp_digit)(x[0] & MP_MASK);
        for (unsigned j = 1; j < GROUP; j++) z[j] = digit_of(x, j);
        z[GROUP] = (mp_digit)(x[GROUP - 1] >> LTM_SPARE);
    }
    /* the rest, with zeros where there are no limbs */
    for (unsigned j = 0; j < n; j++) {
        const ty_limb low = j && j <= xn ? x[j - 1] >> (TY_LIMB_BITS - LTM_SPARE * j) : 0;
        const ty_limb high = j < xn && j < GROUP ? x[j] << LTM_SPARE * j : 0;
        z[j] = (mp_digit)((low | high) & MP_MASK);
    }
}

mp_err ltm_get(ty_mp *z, const mp_int *a)
{
    const size_t n = ltm_limbs(a->used);
    ty_mp_open(z, ltm_alloc);
    LTM_TRY(ltm_err(ty_mp_grow(z, n)));
    ltm_pack(ty_mp_d(z), a->dp, a->used);
    z->len = n;
    z->neg = n && a->sign == MP_NEG;
    return MP_OKAY;
}

/* Lengths are public. */
static size_t digits_of(const ty_mp *x)
{
    const size_t n = ty_mp_n(x);
    return n ? ((n - 1) * TY_LIMB_BITS + (size_t)ltm_bits(ty_mp_cd(x)[n - 1]) + LTM_BITS - 1) /
                   LTM_BITS
             : 0;
}

static void put(mp_int *c, const ty_mp *x, size_t n)
{
    ltm_unpack(c->dp, n, ty_mp_cd(x), x->len);
    ltm_fit(c, n, x->neg ? MP_NEG : MP_ZPOS);
}

mp_err ltm_put(mp_int *c, const ty_mp *x)
{
    const size_t n = digits_of(x);
    LTM_TRY(ltm_room(c, n));
    put(c, x, n);
    return MP_OKAY;
}

mp_err ltm_put2(mp_int *c, const ty_mp *x, mp_int *d, const ty_mp *y)
{
    if (c) LTM_TRY(ltm_room(c, digits_of(x)));
    if (d) LTM_TRY(ltm_room(d, digits_of(y)));
    if (c) put(c, x, digits_of(x));
    if (d) put(d, y, digits_of(y));
    return MP_OKAY;
}

mp_err ltm_call(ltm_function *f, mp_int *c, const mp_int *x, const mp_int *y, const mp_int *m)
{
    const mp_int *in[] = { x, y, m };
    ty_mp t[4];
    size_t n = 1;
    mp_err e = MP_OKAY;
    ty_mp_open(t, ltm_alloc);
    for (; n < 4 && in[n - 1] && e == MP_OKAY; n++) e = ltm_get(t + n, in[n - 1]);
    if (e == MP_OKAY) e = ltm_err(f(t));
    if (e == MP_OKAY) e = ltm_put(c, t);
    for (size_t i = 0; i < n; i++)
        if (t[i].heap) ty_mp_clear(t + i);
    ty_wipe(t, n * sizeof *t);   /* all of them at once, which is faster for short numbers */
    return e;
}
