/* The portable tier of ty_limb_ops: schoolbook methods, which define what every kernel computes. */
#include "limb/limb.h"

#include <string.h>

static ty_limb ty_limb_add_c(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n)
{
    ty_limb c = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_adc(x[i], y[i], &c);
    return c;
}

static ty_limb ty_limb_sub_c(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n)
{
    ty_limb b = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_sbb(x[i], y[i], &b);
    return b;
}

static ty_limb ty_limb_mul_1_c(ty_limb *z, const ty_limb *x, size_t n, ty_limb y)
{
    ty_limb c = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_mac(0, x[i], y, &c);
    return c;
}

static ty_limb ty_limb_addmul_1_c(ty_limb *z, const ty_limb *x, size_t n, ty_limb y)
{
    ty_limb c = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_mac(z[i], x[i], y, &c);
    return c;
}

/* x y + c <= (B - 1)^2 + B - 1 = (B - 1) B, so the upper limb is B - 1 only if the lower one is 0;
 * then nothing is borrowed, and c + b does not overflow. */
static ty_limb ty_limb_submul_1_c(ty_limb *z, const ty_limb *x, size_t n, ty_limb y)
{
    ty_limb c = 0;
    for (size_t i = 0; i < n; i++) {
        const ty_limb low = ty_limb_mac(0, x[i], y, &c);
        ty_limb b = 0;
        z[i] = ty_limb_sbb(z[i], low, &b);
        c += b;
    }
    return c;
}

static void ty_limb_mul_c(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn)
{
    z[xn] = ty_limb_mul_1_c(z, x, xn, y[0]);
    for (size_t i = 1; i < yn; i++) z[xn + i] = ty_limb_addmul_1_c(z + i, x, xn, y[i]);
}

/* The products above the diagonal once, doubled, and the squares added. */
static void ty_limb_sqr_c(ty_limb *z, const ty_limb *x, size_t n)
{
    z[0] = z[2 * n - 1] = 0;
    if (n > 1) z[n] = ty_limb_mul_1_c(z + 1, x + 1, n - 1, x[0]);
    for (size_t i = 1; i + 1 < n; i++)
        z[n + i] = ty_limb_addmul_1_c(z + 2 * i + 1, x + i + 1, n - i - 1, x[i]);
    ty_limb out = 0, c = 0;   /* the bit that left the doubled number, the carry of the sum */
    for (size_t i = 0; i < n; i++) {
        const ty_limb lo = z[2 * i], hi = z[2 * i + 1];
        const ty_limb2 s = ty_limb_product(x[i], x[i]);
        z[2 * i] = ty_limb_adc(lo << 1 | out, (ty_limb)s, &c);
        z[2 * i + 1] =
            ty_limb_adc(hi << 1 | lo >> (TY_LIMB_BITS - 1), (ty_limb)(s >> TY_LIMB_BITS), &c);
        out = hi >> (TY_LIMB_BITS - 1);
    }
}

/* t + qm, 0 <= q < B^n, is a multiple of B^n and below B^2n + m B^n: the quotient is below B^n + m,
 * so where it has a carry one subtraction of m brings it below B^n. */
static void ty_limb_redc_c(ty_limb *z, ty_limb *t, const ty_limb *m, size_t n, ty_limb minv)
{
    ty_limb carry = 0, b = 0;
    for (size_t i = 0; i < n; i++) {
        const ty_limb c = ty_limb_addmul_1_c(t + i, m, n, t[i] * minv);
        t[n + i] = ty_limb_adc(t[n + i], c, &carry);
    }
    const ty_limb mask = ty_limb_mask(carry);
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_sbb(t[n + i], m[i] & mask, &b);
}

/* For each limb of y, t = (t + x y[i] + q m)/B with the q for which B divides the sum. t stays
 * below 2 B^n: (2 B^n - 1 + 2 (B^n - 1)(B - 1))/B < 2 B^n. Before the division it may need a bit
 * more than n + 1 limbs, hence two carries. */
static void ty_limb_mont_c(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_limb *m,
                           size_t n, ty_limb minv)
{
    ty_limb t[TY_LIMB_MONT + 1] = { 0 }, b = 0;
    for (size_t i = 0; i < n; i++) {
        ty_limb c = 0, over = 0, up = 0;
        for (size_t j = 0; j < n; j++) t[j] = ty_limb_mac(t[j], x[j], y[i], &c);
        t[n] = ty_limb_adc(t[n], c, &over);
        const ty_limb q = t[0] * minv;
        c = 0;
        (void)ty_limb_mac(t[0], m[0], q, &c);
        for (size_t j = 1; j < n; j++) t[j - 1] = ty_limb_mac(t[j], m[j], q, &c);
        t[n - 1] = ty_limb_adc(t[n], c, &up);
        t[n] = over + up;
    }
    const ty_limb mask = ty_limb_mask(t[n]);
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_sbb(t[i], m[i] & mask, &b);
    ty_wipe(t, sizeof t);
}

static void ty_limb_mont2_c(ty_limb *z, const ty_limb *m, size_t n, ty_limb minv, size_t count)
{
    while (count--) ty_limb_mont_c(z, z, z, m, n, minv);
}

static void ty_limb_gather_c(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index)
{
    memset(z, 0, n * sizeof *z);
    for (size_t k = 0; k < count; k++, table += n) {
        const ty_limb mask = ty_limb_is0((ty_limb)(k ^ index));
        for (size_t i = 0; i < n; i++) z[i] |= table[i] & mask;
    }
}

const ty_limb_ops ty_limb_ops_c = {
    ty_limb_add_c, ty_limb_sub_c, ty_limb_neg_if, ty_limb_sum_4, ty_limb_mul_1_c,
    ty_limb_addmul_1_c, ty_limb_submul_1_c, ty_limb_mul_c, ty_limb_sqr_c, NULL, NULL,
    ty_limb_redc_c, ty_limb_mont_c, ty_limb_mont2_c, NULL, NULL, NULL, ty_limb_gather_c, 0 };

TY_FAMILY_ROWS(limb, TY_LIMB_TIERS);
