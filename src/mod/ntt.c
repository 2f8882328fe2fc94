/* Lengths, the limbs of a number as digits of a polynomial and back, and the list of tiers. */
#include "mod/ntt.h"
#include "mod/ntt_digits.h"

#include "mod/ntt_primes.inc"

#define SHORT_DIGITS ((size_t)1 << 21)

static unsigned bits_for(size_t xn, size_t yn)
{
    const size_t least = xn < yn ? xn : yn;
    return ty_ntt_digits(least, 64) <= SHORT_DIGITS ? 64 : 56;
}

/* The least K 2^k that suffices, with k such that the smallest node is no smaller than a leaf */
static ty_ntt_plan plan_of(size_t need, unsigned bits)
{
    ty_ntt_plan best = { .bits = bits };
    for (unsigned columns = 1; columns <= 7; columns += 2) {
        size_t step = TY_NTT_LEAF;
        while (columns * step < need) step *= 2;
        if (best.n && columns * step >= best.n) continue;
        best.n = columns * step;
        best.columns = columns;
        best.step = step;
    }
    const size_t first = best.columns >= 4 ? 4 : best.columns - 1;   /* columns of the first part */
    best.roots = best.columns == 1 ? best.n / 2 : first * best.step;
    return best;
}

ty_ntt_plan ty_ntt_plan_for(size_t xn, size_t yn, unsigned bits)
{
    return plan_of(ty_ntt_digits(xn, bits) + ty_ntt_digits(yn, bits), bits);
}

ty_ntt_plan ty_ntt_plan_cycle(size_t n, unsigned bits)
{
    ty_ntt_plan plan = { .columns = 1, .step = TY_NTT_LEAF, .bits = bits };
    while (plan.step < ty_ntt_digits(n, bits)) plan.step *= 2;
    plan.n = plan.step;
    plan.roots = plan.n / 2;
    /* whole limbs: 16 digits of 56 bits are 14 of 64 */
    plan.cycle = plan.n / 8 * bits / (TY_LIMB_BITS / 8);
    return plan;
}

ty_ntt_plan ty_ntt_cycle(size_t n, size_t yn) { return ty_ntt_plan_cycle(n, bits_for(yn, yn)); }

/* Limbs for three transforms, that of the other factor, the roots and their quotients, a block's
 * digits, and the alignment to 64 bytes */
size_t ty_ntt_plan_work(const ty_ntt_plan *plan)
{
    return (4 * (plan->n + TY_NTT_APART) + 2 * plan->roots + 3 * TY_NTT_BLOCK + 8) *
           (64 / TY_LIMB_BITS);
}

int ty_ntt_fits(size_t xn, size_t yn)
{
    /* in digits of the smaller width: half of the longest transform for which there are roots; with
     * limbs of 32 bits a quarter of that */
    const size_t most = (size_t)1 << 30;
    return xn < most / 64 * 56 / (64 / TY_LIMB_BITS) && yn < most / 64 * 56 / (64 / TY_LIMB_BITS);
}

size_t ty_ntt_work(size_t xn, size_t yn)
{
    const ty_ntt_plan plan = ty_ntt_plan_for(xn, yn, bits_for(xn, yn));
    return ty_ntt_plan_work(&plan);
}

void ty_ntt_mul(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn, ty_limb *work)
{
    const ty_ntt_plan plan = ty_ntt_plan_for(xn, yn, bits_for(xn, yn));
    ty_ntt_best()->mul(z, x, xn, y, yn, &plan, work);
}

TY_FAMILY_ROWS(ntt, TY_NTT_TIERS);
