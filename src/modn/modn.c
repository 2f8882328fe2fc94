/* Products modulo an odd number on limbs (Montgomery, Math. Comp. 44 (1985)), the engine that every
 * machine has.
 * bound: n^2 limb products and n^2 + n more for the reduction; a square n(n+1)/2 instead of n^2 */
#include "modn/modn.h"

#include <string.h>

/* z = t mod m, loose, for m = B^n - c: t = h B^n + l == l + h c. The limb above that sum is at most
 * c, and c times it has two limbs; if adding these has a carry, the sum is less than B^2 without
 * it, and c can be added without another carry. */
static void fold(ty_limb *z, const ty_modn *w)
{
    const size_t n = w->n;
    const ty_limb c = 0 - w->m[0];
    ty_limb *t = w->t, *h = t + n;
    const ty_limb2 p = ty_limb_product(w->ops->addmul_1(t, h, n, c), c);
    memset(h, 0, n * sizeof *h);
    h[0] = (ty_limb)p, h[1] = (ty_limb)(p >> TY_LIMB_BITS);
    h[0] = c & ty_limb_mask(w->ops->add(t, t, h, n));
    h[1] = 0;
    (void)w->ops->add(z, t, h, n);
}

/* z = t/R mod m, loose */
static void mont_reduce(ty_limb *z, const ty_modn *c)
{
    if (c->folds) fold(z, c);
    else TY_HELD(limb, c->ops)->redc(z, c->t, c->m, c->n, c->minv);
}

static void mont_sqr(ty_limb *z, const ty_modn *c)
{
    if (c->sqr_long) c->sqr_long(c->t, z, c->n, c->work);
    else TY_HELD(limb, c->ops)->sqr(c->t, z, c->n);
    mont_reduce(z, c);
}

void ty_modn_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_modn *c)
{
    if (c->n <= TY_LIMB_MONT) {
        ty_modn_mul_few(z, x, y, c);
        return;
    }
    if (c->mul_long) c->mul_long(c->t, x, y, c->n, c->work);
    else TY_HELD(limb, c->ops)->mul(c->t, x, c->n, y, c->n);
    mont_reduce(z, c);
}

void ty_modn_sqrs(ty_limb *z, size_t count, const ty_modn *c)
{
    if (c->n <= TY_LIMB_MONT) ty_modn_sqrs_few(z, count, c);
    else while (count--) mont_sqr(z, c);
}

void ty_modn_one(ty_limb *z, const ty_modn *c)
{
    memcpy(c->t, c->rr, c->n * sizeof *z);
    memset(c->t + c->n, 0, c->n * sizeof *z);
    mont_reduce(z, c);
}

/* x < R: (x + qm)/R <= m, so one subtraction at most. */
void ty_modn_get(ty_limb *z, const ty_limb *x, const ty_modn *c)
{
    memcpy(c->t, x, c->n * sizeof *z);
    memset(c->t + c->n, 0, c->n * sizeof *z);
    mont_reduce(z, c);
    ty_limb_canon(z, 0, z, c->m, c->n);
}

/* R - m 2^s = R mod m 2^s, where m 2^s has its top bit set, is doubled modulo m 2^s to R 2^k, then
 * squared to R 2^2k and so on to R^2. All are below R. */
void ty_modn_rr_few(ty_limb *rr, const ty_modn *c)
{
    ty_limb up[TY_LIMB_MONT] = { 0 };
    const size_t n = c->n;
    enum { SQUARINGS = 5 };   /* k = 1/32 of the bits of n limbs */
    (void)ty_limb_shl(up, c->m, n, TY_LIMB_BITS - ty_limb_bits(c->m[n - 1]));
    for (size_t i = 0; i < n; i++) rr[i] = up[i];
    (void)ty_limb_neg_if(rr, n, ~(ty_limb)0);
    for (size_t k = n * TY_LIMB_BITS >> SQUARINGS; k; k--)
        ty_limb_canon(rr, c->ops->add(rr, rr, rr, n), rr, up, n);
    ty_modn_sqrs_few(rr, SQUARINGS, c);
    ty_wipe(up, sizeof up);
}
