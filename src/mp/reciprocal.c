/* Reciprocals of long public numbers by Newton's iteration, and Barrett's division with them: one
 * product gives an estimate of the quotient, and another one the remainder; of the latter product
 * only the low limbs are needed, as many as the remainder has.
 * bound: products of n by n limbs: two for a reciprocal of n, one and a half for a quotient of n by
 * a divisor of n; with a reciprocal of half the length and two halves of the quotient three for
 * both
 *
 * X is called a reciprocal of D, of n limbs with the top bit set, if
 *     4 <= B^2n/D - X < 6.
 * It is computed from a reciprocal Y of E, the h = floor(n/2) + 1 highest limbs of D = E B^(n-h) +
 * F. The remainder of Y,
 *     R = B^(n+h) - Y D = B^(n-h) (B^2h - Y E) - Y F,
 * is below 6 B^(n-h) E <= 6D; and above 4E > B, since the first term is at least 4 B^(n-h) E, and F
 * <= B^(n-h) - 1, Y < B^2h/E <= 4E. So it has at most n + 1 limbs, and is determined modulo B^m - B
 * for m > n, where numbers from B on have one representative of m limbs. Newton's step is the sum Y
 * B^(n-h) + C with C = Y R/B^2h, and
 *     B^2n - (Y B^(n-h) + C) D = (R/B^h)^2 < 36 D^2/B^2h <= 36 D/B,
 * as 2h > n and D < B^n. C is computed too small by less than 1 + 2/B: R'' = floor(R/B^(h-1)) makes
 * it smaller by less than Y B^(h-1)/B^2h <= 2/B, and then floor(Y R''/B^(h+1)) by less than 1. So Y
 * B^(n-h) + C rounded in this way is too small by less than 1 + 38/B < 2, and 4 less is a
 * reciprocal. */
#include "mp/mp_internal.h"

#include <string.h>

static inline size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static inline size_t half(size_t n) { return n / 2 + 1; }

/* The length below which a reciprocal is computed faster by division */
static inline size_t least(void)
{
    return larger(ty_mp_thresholds_of(ty_limb_best())->div_newton / 3, 4);
}

/* --- Reciprocals ------------------------------------------------------------------------------ */

/* Scratch of step: R and Y R'', and the scratch of the products */
static size_t step_work(size_t n)
{
    const size_t h = half(n), m = ty_mp_cycle(n + 1, n, h + 1);
    return m + n + 3 + larger(ty_mp_cycle_work(m, n, h + 1), ty_mp_mul_work(h + 1, n - h + 2));
}

/* r[m] = B^k - r modulo B^m - B, m > 2, k < 2m - 1. As B^m is B, a carry out of the top is added to
 * limb 1, and -r = B^m - r - B is ~r + 1 - B. */
static void from_power(ty_limb *r, size_t m, size_t k)
{
    const size_t at = k < m ? k : k - m + 1;
    for (size_t i = 0; i < m; i++) r[i] = ~r[i];
    ty_limb above = ty_limb_add_1(r, r, m, 1);
    above += ty_limb_add_1(r + at, r + at, m - at, 1);
    const ty_limb below = ty_limb_sub_1(r + 1, r + 1, m - 1, 1);
    if (above > below) (void)ty_limb_add_1(r + 1, r + 1, m - 1, 1);
    if (above < below) (void)ty_limb_sub_1(r + 1, r + 1, m - 1, 1);
}

/* Newton's step: x[n + 1] = X, from Y in its h + 1 highest limbs */
static void step(ty_limb *x, const ty_limb *d, size_t n, ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t h = half(n), low = n - h, m = ty_mp_cycle(n + 1, n, h + 1);
    ty_limb *y = x + low, *r = work, *c = r + m, *rest = c + n + 3;
    ty_mp_mul_cycle(r, m, d, n, y, h + 1, rest);
    from_power(r, m, n + h);
    ty_mp_mul_limbs(c, y, h + 1, r + h - 1, low + 2, rest);
    memcpy(x, c + h + 1, low * sizeof *x);
    const ty_limb carry = ops->add(y, y, c + h + 1 + low, 2);
    (void)ty_limb_add_1(y + 2, y + 2, h - 1, carry);
    (void)ty_limb_sub_1(x, x, n + 1, 4);
}

/* x = floor((B^2n - 1)/D) - 4 by division: D B^n is subtracted from the dividend, and B^n added to
 * the quotient */
static ty_err divided(ty_limb *x, const ty_limb *d, size_t n, ty_limb v, ty_limb *work,
                      const ty_alloc *alloc)
{
    for (size_t i = 0; i < n; i++) work[i] = ~(ty_limb)0, work[n + i] = ~d[i];
    TY_TRY(ty_mp_div_limbs_vt(x, work, 2 * n, d, n, v, alloc));
    x[n] = 1;
    (void)ty_limb_sub_1(x, x, n + 1, 4);
    return TY_OK;
}

static ty_err reciprocal(ty_limb *x, const ty_limb *d, size_t n, ty_limb v, ty_limb *work,
                         const ty_alloc *alloc)
{
    if (n < least()) return divided(x, d, n, v, work, alloc);
    const size_t low = n - half(n);
    TY_TRY(reciprocal(x + low, d + low, half(n), v, work, alloc));
    step(x, d, n, work);
    return TY_OK;
}

ty_err ty_mp_reciprocal_vt(ty_limb *x, const ty_limb *d, size_t n, ty_limb v, const ty_alloc *alloc)
{
    size_t need = 0, l = n;
    for (; l >= least(); l = half(l)) need = larger(need, step_work(l));
    need = larger(need, 2 * l);
    ty_limb own[6 * TY_MP_SMALL], *work = ty_mp_take(own, sizeof own / sizeof *own, need, alloc);
    if (!work) return TY_ERR_MEM;
    const ty_err e = reciprocal(x, d, n, v, work, alloc);
    ty_mp_give(work, own, need, alloc);
    return e;
}

/* --- Division by reciprocals ------------------------------------------------------------------ */

/* Scratch of block */
static size_t block_work(size_t dn, size_t qn)
{
    const size_t m = ty_mp_cycle(dn + 1, dn, qn);
    return larger(2 * qn + 1 + ty_mp_mul_work(qn + 1, qn), m + ty_mp_cycle_work(m, dn, qn));
}

/* p[m] = u - p modulo B^m - B, u of un < 2m limbs. Numbers below B have two representatives; p
 * becomes the smaller one. No other number that occurs here has a top limb of all ones. */
static void subtract_from(ty_limb *p, size_t m, const ty_limb *u, size_t un)
{
    const ty_limb_ops *ops = ty_limb_best();
    const ty_limb below = ops->sub(p, u, p, m);
    const ty_limb carry = ops->add(p + 1, p + 1, u + m, un - m);
    const ty_limb above = ty_limb_add_1(p + 1 + un - m, p + 1 + un - m, 2 * m - 1 - un, carry);
    if (above > below) (void)ty_limb_add_1(p + 1, p + 1, m - 1, 1);
    if (above < below) (void)ty_limb_sub_1(p + 1, p + 1, m - 1, 1);
    if (p[m - 1] == ~(ty_limb)0) memset(p + 1, 0, (m - 1) * sizeof *p);
}

/* q[qn] = floor(U/D), u[0..dn) = U mod D, zeros above; U of dn + qn limbs, the upper dn of which
 * are below D, 1 <= qn <= n <= dn. Let U = H B^dn + G. With a reciprocal X of D's n highest limbs,
 * E, and Z = floor(X/B^(n-qn)) the estimate is Q = floor(H Z/B^qn). It is not too large: Z/B^qn <=
 * X/B^n <= (B^2n/E - 4)/B^n, and B^2n/E - B^2n/(E + 1) < 4, so that this is below B^dn/D. And it is
 * at most 9 too small: B^dn/D <= B^n/E, so that B^dn/D - Z/B^qn < 6/B^n + 1/B^qn <= 7/B^qn, and
 *     U/D - Q < G/D + 7H/B^qn + 1 < 2 + 7 + 1.
 * U - QD, below 10 B^dn, is known modulo B^m - B, m > dn. */
static void block(ty_limb *q, ty_limb *u, const ty_limb *d, size_t dn, size_t qn, const ty_limb *x,
                  size_t n, ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    const size_t m = ty_mp_cycle(dn + 1, dn, qn);
    ty_limb *p = work;
    ty_mp_mul_limbs(p, x + n - qn, qn + 1, u + dn, qn, p + 2 * qn + 1);
    memcpy(q, p + qn, qn * sizeof *q);
    ty_mp_mul_cycle(p, m, d, dn, q, qn, p + m);
    subtract_from(p, m, u, dn + qn);
    while (p[dn] || ty_limb_cmp_vt(p, d, dn) >= 0) {
        p[dn] -= ops->sub(p, p, d, dn);
        (void)ty_limb_add_1(q, q, qn, 1);
    }
    memcpy(u, p, dn * sizeof *u);
    memset(u + dn, 0, qn * sizeof *u);
}

/* As few blocks as possible, of almost equal lengths */
ty_err ty_mp_div_reciprocal_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn,
                               const ty_limb *x, size_t n, const ty_alloc *alloc)
{
    size_t at = un - dn;
    const size_t count = (at - 1) / n + 1, qn = (at - 1) / count + 1,
                 first = at - (at - 1) / qn * qn;
    const size_t need = larger(block_work(dn, qn), block_work(dn, first)),
                 total = need + (q ? 0 : at);
    ty_limb own[6 * TY_MP_SMALL], *work = ty_mp_take(own, sizeof own / sizeof *own, total, alloc);
    if (!work) return TY_ERR_MEM;
    ty_limb *quotient = q ? q : work + need;
    for (size_t now = first; at; now = qn) {
        at -= now;
        block(quotient + at, u + at, d, dn, now, x, n, work);
    }
    ty_mp_give(work, own, total, alloc);
    return TY_OK;
}

/* With k blocks of t/k limbs for a quotient of t the reciprocal takes transforms of 4t/k limbs, the
 * estimates 2t, and the remainders k dn: k + 1 blocks are no better once k (k + 1) dn >= 4t. */
ty_err ty_mp_div_newton_vt(ty_limb *q, ty_limb *u, size_t un, const ty_limb *d, size_t dn,
                           ty_limb v, const ty_alloc *alloc)
{
    const size_t t = un - dn;
    size_t k = (t - 1) / dn + 1;
    while (k * (k + 1) < t / dn * 4 + t % dn * 4 / dn) k++;
    const size_t n = (t - 1) / k + 1;
    ty_limb own[6 * TY_MP_SMALL], *x = ty_mp_take(own, sizeof own / sizeof *own, n + 1, alloc);
    if (!x) return TY_ERR_MEM;
    ty_err e = ty_mp_reciprocal_vt(x, d + dn - n, n, v, alloc);
    if (!e) e = ty_mp_div_reciprocal_vt(q, u, un, d, dn, x, n, alloc);
    ty_mp_give(x, own, n + 1, alloc);
    return e;
}
