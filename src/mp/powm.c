/* Powers modulo m: fixed windows with a table that is read whole for every digit, or sliding
 * windows for public exponents.
 * bound: one squaring per bit of the exponent, one product per window, the table */
#include "mp/mont.h"
#include "mp/powm_short.h"

#include <string.h>

/* bits/w products and a table of 2^w: w = 6 pays from about 1500 bits on. */
static unsigned window(size_t bits) { return bits > 1536 ? 6 : bits > 256 ? 5 : bits > 64 ? 4 : 3; }

/* Entry i of a table of powers, from earlier ones: the square of entry i/2, or the one before it
 * times entry 1 */
static void next_power(ty_limb *table, size_t i, const ty_modn *c)
{
    const size_t n = c->words;
    ty_limb *to = table + i * n;
    if (i % 2) {
        c->engine->mul(to, to - n, table + n, c);
    } else {
        memcpy(to, table + i / 2 * n, n * sizeof *to);
        c->engine->sqrs(to, 1, c);
    }
}

/* z = x^e, left to right by windows of w bits; table has 2^w entries, then acc and factor, of
 * c->words each */
static void windows(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, unsigned w,
                    ty_limb *table, const ty_modn *c)
{
    const size_t n = c->words, count = (size_t)1 << w;
    ty_limb *acc = table + count * n, *factor = acc + n;
    ty_modn_one(factor, c);
    ty_modn_in(table, factor, c);
    ty_modn_in(table + n, x, c);
    for (size_t i = 2; i < count; i++) next_power(table, i, c);
    size_t at = (en * TY_LIMB_BITS - 1) / w * w;   /* the highest digit may be shorter */
    TY_HELD(limb, c->ops)->gather(acc, table, n, count, ty_limb_window(e, en, at, w));
    while (at) {
        at -= w;
        c->engine->sqrs(acc, w, c);
        TY_HELD(limb, c->ops)->gather(factor, table, n, count, ty_limb_window(e, en, at, w));
        c->engine->mul(acc, acc, factor, c);
    }
    ty_modn_out(z, acc, c);
}

/* z = x^e by sliding windows, left to right, e of `at` bits: zeros are squarings; a window begins
 * and ends with a one, so the table holds odd powers only. */
static void windows_vt(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, size_t at,
                       unsigned w, ty_limb *table, const ty_modn *c)
{
    const size_t n = c->words, count = (size_t)1 << (w - 1);
    ty_limb *acc = table + count * n, *square = acc + n;
    ty_modn_in(table, x, c);
    if (count > 1) {
        memcpy(square, table, n * sizeof *square);
        c->engine->sqrs(square, 1, c);
    }
    for (size_t i = 1; i < count; i++)
        c->engine->mul(table + i * n, table + (i - 1) * n, square, c);
    int begun = 0;
    while (at) {
        unsigned take = at < w ? (unsigned)at : w;
        size_t d = ty_limb_window(e, en, at - take, take);
        if (d >> (take - 1) == 0) {   /* the next bit is zero */
            size_t zeros = 1;
            while (zeros < at && !ty_limb_window(e, en, at - 1 - zeros, 1)) zeros++;
            c->engine->sqrs(acc, zeros, c);
            at -= zeros;
            continue;
        }
        for (; d % 2 == 0; d /= 2) take--;
        if (begun) c->engine->sqrs(acc, take, c), c->engine->mul(acc, acc, table + d / 2 * n, c);
        else memcpy(acc, table + d / 2 * n, n * sizeof *acc);
        begun = 1;
        at -= take;
    }
    ty_modn_out(z, acc, c);
}

/* Words of stack for a table and two more numbers, enough for 1024 bits; longer ones come from the
 * allocator. */
enum { OWN = 34 * (TY_LIMB_BITS == 64 ? 26 : 32) };

/* z = x^e: chooses the engine, and allocates its memory, the table and two more numbers. bits = 0:
 * in constant time; else e is public and has `bits` bits. */
static ty_err power_of(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, size_t bits,
                       unsigned w, ty_modn *c, const ty_alloc *alloc)
{
    const size_t count = (size_t)1 << (bits ? w - 1 : w);
    ty_limb own[OWN], own_engine[TY_MODN_SMALL], *memory = NULL;
    const size_t room = ty_modn_choose(c, bits ? bits : en * TY_LIMB_BITS);
    if (room) {
        memory = ty_mp_take(own_engine, TY_MODN_SMALL, room, alloc);
        if (!memory) return TY_ERR_MEM;
        ty_modn_start(c, memory);
    }
    const size_t total = (count + 2) * c->words;
    ty_limb *table = ty_mp_take(own, OWN, total, alloc);
    if (table) {
        if (bits) windows_vt(z, x, e, en, bits, w, table, c);
        else windows(z, x, e, en, w, table, c);
        ty_mp_give(table, own, total, alloc);
    }
    if (room) {
        ty_modn_stop(c);
        ty_mp_give(memory, own_engine, room, alloc);
    }
    return table ? TY_OK : TY_ERR_MEM;
}

/* z = x^e, unreduced, e of en limbs; in constant time, or for public exponents (sliding windows) */
static ty_err pow_ct(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, ty_modn *c,
                     const ty_alloc *alloc)
{
    if (en) return power_of(z, x, e, en, 0, window(en * TY_LIMB_BITS), c, alloc);
    ty_modn_one(z, c);
    return TY_OK;
}

static ty_err pow_vt(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t en, ty_modn *c,
                     const ty_alloc *alloc)
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
                        c, alloc);
    }
    ty_modn_one(z, c);
    return TY_OK;
}

/* --- Integers --------------------------------------------------------------------------------- */

/* z = x^e mod m. If `plain`, x is any integer, which is reduced and converted to Montgomery form,
 * and z is converted back; else both are in Montgomery form. */
static ty_err power(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp_mont *c, int plain,
                    int vt)
{
    const size_t n = c->m.len;
    if (n == 0 || (e->neg && e->len) || (!plain && (x->neg || (x->len > n && ty_mp_n(x) > n))))
        return TY_ERR_ARG;
    ty_modn w;
    ty_mp_products room;
    ty_limb own[2 * TY_MP_SMALL], *a = ty_mp_take(own, 2 * TY_MP_SMALL, 2 * n, z->alloc);
    if (!a) return TY_ERR_MEM;
    ty_limb *one = a + n;
    ty_err err = ty_mp_grow(z, n);
    if (!err) err = ty_mp_modn_open(&w, &room, c, z->alloc);
    if (!err) {
        if (plain) {
            if (x->len <= n && !x->neg) ty_mp_spread(a, n, x);   /* need not be reduced */
            else err = ty_mp_reduce(a, ty_mp_cd(x), x->len, x->neg, w.m, n, vt, z->alloc);
            if (!err) ty_modn_mul(a, a, w.rr, &w);
        } else {
            ty_mp_spread(a, n, x);
        }
        if (!err) err = (vt ? pow_vt : pow_ct)(a, a, ty_mp_cd(e), e->len, &w, z->alloc);
        if (!err) {
            /* a R/R: a product below m R, so that one subtraction is enough */
            ty_modn_one(one, &w);
            ty_limb_canon(one, 0, one, w.m, n);
            if (plain) ty_modn_get(a, a, &w);
            else ty_modn_mul(a, a, one, &w);
            ty_limb_canon(a, 0, a, w.m, n);
            ty_mp_load(z, a, n);
            ty_mp_fix(z, n);
        }
        ty_mp_modn_close(&room);
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

/* As in Montgomery form, with R = 1, which ty_mp_modn_open recognizes by minv = 0. */
ty_err ty_mp_powm_fold(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_mp *m)
{
    const size_t n = ty_mp_n(m);
    if (!ty_modn_folds(n)) return ty_mp_powm(z, x, e, m);
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
