/* Powers of public numbers modulo odd numbers of one or two limbs, for which the preparations of
 * powm.c would take as long as twenty products.
 * bound: each product depends on the one before; for one limb its latency is that of two
 * multiplications, the quotient's digit and the last sum, about 13 cycles */
#include "mp/powm_short.h"
#include "mp/mont.h"

enum { WINDOW = 5 };

/* Numbers are arrays of 2 limbs, of which c->n are used. */

/* z = x^e by sliding windows from the top, in Montgomery form and unreduced; e has bits > 0. Zeros
 * between windows are squarings; a window begins and ends with a one, so the table holds odd powers
 * only. */
static void power(ty_limb *z, const ty_limb *x, const ty_limb *e, size_t bits, const ty_modn *c)
{
    const size_t en = (bits - 1) / TY_LIMB_BITS + 1;
    const unsigned w = bits > 160 ? WINDOW : bits > 40 ? 4 : bits > 8 ? 3 : 1;
    ty_limb table[1 << (WINDOW - 1)][2] = { { x[0], x[1] } }, square[2] = { x[0], x[1] };
    if (w > 1) ty_modn_sqrs_few(square, 1, c);
    for (size_t i = 1; i < (size_t)1 << (w - 1); i++)
        ty_modn_mul_few(table[i], table[i - 1], square, c);
    size_t squarings = 0;   /* not done yet */
    for (size_t at = bits; at;) {
        unsigned take = at < w ? (unsigned)at : w;
        size_t d = ty_limb_window(e, en, at - take, take);
        if (d >> (take - 1) == 0) {
            squarings++, at--;
            continue;
        }
        for (; d % 2 == 0; d /= 2) take--;
        if (at == bits) {
            z[0] = table[d / 2][0], z[1] = table[d / 2][1];
        } else {
            ty_modn_sqrs_few(z, squarings + take, c);
            ty_modn_mul_few(z, z, table[d / 2], c);
        }
        at -= take;
        squarings = 0;
    }
    if (squarings) ty_modn_sqrs_few(z, squarings, c);
}

/* z = x[xn] mod m */
static void residue(ty_limb *z, const ty_limb *x, size_t xn, const ty_modn *c)
{
    const ty_limb2 m = ty_limb2_from(c->m, c->n);
    const ty_limb2 r = xn < c->n   ? ty_limb2_from(x, xn)
                       : c->n == 1 ? ty_limb_div_1_vt(NULL, x, xn, c->m[0])
                                   : ty_limb_div_2_vt(NULL, x, xn, m);
    z[0] = (ty_limb)r, z[1] = (ty_limb)(r >> TY_LIMB_BITS);
}

/* Into Montgomery form by a division of x B^n, out of it by a product with 1, which gives at most
 * m. */
void ty_mp_powm_short_vt(ty_mp *z, const ty_mp *x, const ty_mp *e, const ty_limb *m, size_t n)
{
    /* unit + 2 - n is B^n: a one after n zeros */
    static const ty_limb one[2] = { 1, 0 }, unit[3] = { 0, 0, 1 };
    ty_modn c;
    c.ops = ty_limb_best(), c.m = m, c.n = n, c.minv = ty_limb_minv(m[0]);
    const size_t bits = ty_mp_bits(e);
    ty_limb up[4] = { 0 }, r[2], base[2];
    residue(r, ty_mp_cd(x), ty_mp_n(x), &c);
    up[n] = r[0], up[n + 1] = r[1];
    residue(base, up, 2 * n, &c);
    if (bits) power(r, base, ty_mp_cd(e), bits, &c);
    else residue(r, unit + 2 - n, n + 1, &c);
    ty_modn_mul_few(r, r, one, &c);
    ty_limb2 v = ty_limb2_from(r, n);
    const ty_limb2 all = ty_limb2_from(m, n);
    if (v == all) v = 0;
    /* an odd power of a negative number */
    if (x->neg && v && bits && ty_mp_cd(e)[0] & 1) v = all - v;
    ty_limb *d = ty_mp_d(z);
    d[0] = (ty_limb)v, d[1] = (ty_limb)(v >> TY_LIMB_BITS);
    ty_mp_fit(z, 2, 0);
}
