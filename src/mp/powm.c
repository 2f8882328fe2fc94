/* Powers modulo m: fixed windows with a table that is read whole for every digit, or sliding
 * windows for public exponents.
 * bound: one squaring per bit of the exponent, one product per window, the table */
#include "mp/powm_form.h"
#include "mp/powm_short.h"

#include <string.h>

/* bits/w products and a table of 2^w: w = 6 pays from about 1500 bits on. */
static unsigned window(size_t bits) { return bits > 1536 ? 6 : bits > 256 ? 5 : bits > 64 ? 4 : 3; }

/* Entry i of a table of powers, from those before: the square of one, or one times the first */
static void next_power(ty_limb *table, size_t i, const ty_form *f)
{
    const size_t n = f->words;
    ty_limb *to = table + i * n;
    if (i % 2) {
        ty_form_mul(to, to - n, table + n, f);
    } else {
        memcpy(to, table + i / 2 * n, n * sizeof *to);
        ty_form_sqrs(to, 1, f);
    }
}

/* x^e from the top, by windows of w bits; table[2^w], acc and factor: f->words each */
static void windows(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, unsigned w,
                    ty_limb *table, ty_form *f)
{
    const size_t n = f->words, count = (size_t)1 << w;
    const ty_mont *m = f->m;
    ty_limb *acc = table + count * n, *factor = acc + n;
    ty_mont_one(factor, m);
    ty_form_in(table, factor, f);
    ty_form_in(table + n, x, f);
    for (size_t i = 2; i < count; i++) next_power(table, i, f);
    size_t at = (en * TY_LIMB_BITS - 1) / w * w;   /* the highest digit may be shorter */
    m->ops->gather(acc, table, n, count, ty_mont_digit(e, en, at, w));
    while (at) {
        at -= w;
        ty_form_sqrs(acc, w, f);
        m->ops->gather(factor, table, n, count, ty_mont_digit(e, en, at, w));
        ty_form_mul(acc, acc, factor, f);
    }
    ty_form_out(z, acc, f);
}

/* From the top: zeros are squarings; a window begins and ends with a one, so the table holds odd
 * powers only. */
static void windows_vt(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, size_t at,
                       unsigned w, ty_limb *table, ty_form *f)
{
    const size_t n = f->words, count = (size_t)1 << (w - 1);
    ty_limb *acc = table + count * n, *square = acc + n;
    ty_form_in(table, x, f);
    if (count > 1) {
        memcpy(square, table, n * sizeof *square);
        ty_form_sqrs(square, 1, f);
    }
    for (size_t i = 1; i < count; i++) ty_form_mul(table + i * n, table + (i - 1) * n, square, f);
    int begun = 0;
    while (at) {
        unsigned take = at < w ? (unsigned)at : w;
        size_t d = ty_mont_digit(e, en, at - take, take);
        if (d >> (take - 1) == 0) {   /* the next bit is zero */
            size_t zeros = 1;
            while (zeros < at && !ty_mont_digit(e, en, at - 1 - zeros, 1)) zeros++;
            ty_form_sqrs(acc, zeros, f);
            at -= zeros;
            continue;
        }
        for (; d % 2 == 0; d /= 2) take--;
        if (begun) ty_form_sqrs(acc, take, f), ty_form_mul(acc, acc, table + d / 2 * n, f);
        else memcpy(acc, table + d / 2 * n, n * sizeof *acc);
        begun = 1;
        at -= take;
    }
    ty_form_out(z, acc, f);
}

/* Words of stack for a table and two numbers more: what 1024 bits take; longer ones come from the
 * allocator. */
enum { OWN = 34 * (TY_LIMB_BITS == 64 ? 26 : 32) };

/* Room for a table and two numbers more, and what runs in it: in constant time where bits is 0,
 * else e has so many bits. */
static ty_err power_of(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, size_t bits,
                       unsigned w, const ty_mont *m)
{
    const size_t count = (size_t)1 << (bits ? w - 1 : w);
    ty_form f;
    ty_limb own[OWN];
    TY_TRY(ty_form_open(&f, m, bits ? bits : en * TY_LIMB_BITS));
    const size_t total = (count + 2) * f.words;
    ty_limb *table = ty_mp_take(own, OWN, total, m->alloc);
    if (table) {
        if (bits) windows_vt(z, x, e, en, bits, w, table, &f);
        else windows(z, x, e, en, w, table, &f);
        ty_mp_give(table, own, total, m->alloc);
    }
    ty_form_close(&f);
    return table ? TY_OK : TY_ERR_MEM;
}

ty_err ty_mont_pow(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, const ty_mont *m)
{
    if (en) return power_of(z, x, e, en, 0, window(en * TY_LIMB_BITS), m);
    ty_mont_one(z, m);
    return TY_OK;
}

ty_err ty_mont_pow_vt(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, const ty_mont *m)
{
    en = ty_limb_len(e, en);
    if (en) {
        const size_t bits = (en - 1) * TY_LIMB_BITS + ty_limb_bits(e[en - 1]);
        return power_of(z, x, e, en, bits,
                        bits > 1536  ? 7
                        : bits > 500 ? 6
                        : bits > 160 ? 5
                        : bits > 40  ? 4
                        : bits > 8   ? 3
                                     : 1,
                        m);
    }
    ty_mont_one(z, m);
    return TY_OK;
}

/* --- Integers --------------------------------------------------------------------------------- */

/* z = x^e, in and out of the form if plain, where x is reduced first. */
static ty_err power(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp_mont *c, int plain,
                    int vt)
{
    const size_t n = c->m.len;
    if (n == 0 || (e->neg && e->len) || (!plain && (x->neg || (x->len > n && ty_mp_n(x) > n))))
        return TY_ERR_ARG;
    ty_mont w;
    ty_limb own[2 * TY_MP_SMALL], *a = ty_mp_take(own, 2 * TY_MP_SMALL, 2 * n, z->alloc);
    if (!a) return TY_ERR_MEM;
    ty_limb *one = a + n;
    ty_err err = ty_mp_grow(z, n);
    if (!err) err = ty_mont_open(&w, c, z->alloc);
    if (!err) {
        if (plain) {
            if (x->len <= n && !x->neg) ty_mp_spread(a, n, x);   /* loose as it is */
            else err = ty_mp_reduce(a, ty_mp_cd(x), x->len, x->neg, w.m, n, vt, z->alloc);
            if (!err) ty_mont_mul(a, a, w.rr, &w);
        } else {
            ty_mp_spread(a, n, x);
        }
        if (!err) err = (vt ? ty_mont_pow_vt : ty_mont_pow)(a, a, ty_mp_cd(e), e->len, &w);
        if (!err) {
            /* a R/R: a product below m R, so that one subtraction is enough */
            ty_mont_one(one, &w);
            ty_limb_canon(one, 0, one, w.m, n);
            if (plain) ty_mont_get(a, a, &w);
            else ty_mont_mul(a, a, one, &w);
            ty_limb_canon(a, 0, a, w.m, n);
            ty_mp_load(z, a, n);
            ty_mp_fix(z, n);
        }
        ty_mont_close(&w);
    }
    ty_mp_give(a, own, 2 * n, z->alloc);
    return err;
}

ty_err ty_mp_mont_pow(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp_mont *c)
{
    return power(z, x, e, c, 0, 0);
}
ty_err ty_mp_mont_pow_vt(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp_mont *c)
{
    return power(z, x, e, c, 0, 1);
}

static ty_err odd_powm(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m, int vt)
{
    ty_mp_mont c;
    TY_TRY(ty_mp_mont_init(&c, m));
    const ty_err err = power(z, x, e, &c, 1, vt);
    ty_mp_mont_clear(&c);
    return err;
}

ty_err ty_mp_powm(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m)
{
    return odd_powm(z, x, e, m, 0);
}

/* From so many limbs on, vectors of integers are faster than folds. */
enum { FOLD_LESS = 32 };

/* As Montgomery's form with R = 1, which ty_mont_open tells by a minv that no modulus has. */
ty_err ty_mp_powm_fold(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m)
{
    const size_t n = ty_mp_n(m);
    if (n >= FOLD_LESS && ty_ifma_best()->least && TY_LANES_FOR(n * TY_LIMB_BITS) <= TY_IFMA_DIGITS)
        return ty_mp_powm(z, x, e, m);
    ty_mp_mont c = { { .alloc = m->alloc }, { .alloc = m->alloc }, 0 };
    ty_mp_set_u64(&c.rr, 1);
    ty_err err = ty_mp_copy(&c.m, m);
    if (!err) err = ty_mp_pad(&c.rr, n * TY_LIMB_BITS);
    if (!err) {
        ty_mp_fix(&c.m, n);
        err = power(z, x, e, &c, 1, 0);
    }
    ty_mp_mont_clear(&c);
    return err;
}

/* Modulo an even number: bit by bit, with divisions. */
static ty_err even_powm_vt(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m)
{
    ty_mp t, base;
    ty_mp_init_with(&t, z->alloc);
    ty_mp_init_with(&base, z->alloc);
    ty_mp_set_u64(&t, 1);
    ty_err err = ty_mp_mod_vt(&base, x, m);
    for (size_t i = ty_mp_bits(e); i-- > 0 && !err;) {
        err = ty_mp_sqrmod_vt(&t, &t, m);
        if (!err && ty_mp_bit(e, i)) err = ty_mp_mulmod_vt(&t, &t, &base, m);
    }
    if (!err) ty_mp_move(z, &t);
    ty_mp_clear(&t);
    ty_mp_clear(&base);
    return err;
}

static ty_err powm_vt(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m)
{
    if (!ty_mp_odd(m)) return even_powm_vt(z, x, e, m);
    const size_t n = ty_mp_n(m);
    if (n <= 2) {
        ty_mp_powm_short_vt(z, x, e, ty_mp_cd(m), n);
        return TY_OK;
    }
    TY_TRY(odd_powm(z, x, e, m, 1));
    ty_mp_fit(z, z->len, 0);
    return TY_OK;
}

ty_err ty_mp_powm_vt(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m)
{
    if (ty_mp_sign(m) <= 0) return TY_ERR_ARG;
    if (!e->neg) return powm_vt(z, x, e, m);
    ty_mp base, up;
    ty_mp_init_with(&base, z->alloc);
    ty_mp_init_with(&up, z->alloc);
    ty_err err = ty_mp_invmod_vt(&base, x, m);
    if (!err) err = ty_mp_abs(&up, e);
    if (!err) err = powm_vt(z, &base, &up, m);
    ty_mp_clear(&base);
    ty_mp_clear(&up);
    return err;
}
