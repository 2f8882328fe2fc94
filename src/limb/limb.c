/* Operations that take n steps or fewer, in portable C for every machine. */
#include "limb/limb.h"

ty_limb ty_limb_add_1(ty_limb *z, const ty_limb *x, size_t n, ty_limb c)
{
    for (size_t i = 0; i < n; i++) {
        z[i] = x[i] + c;
        c = z[i] < c;
    }
    return c;
}

ty_limb ty_limb_sub_1(ty_limb *z, const ty_limb *x, size_t n, ty_limb c)
{
    for (size_t i = 0; i < n; i++) {
        const ty_limb xi = x[i];
        z[i] = xi - c;
        c = xi < c;
    }
    return c;
}

ty_limb ty_limb_neg_if(ty_limb *z, size_t n, ty_limb mask)
{
    ty_limb c = mask & 1;   /* -z = ~z + 1 */
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_adc(z[i] ^ mask, 0, &c);
    return c;
}

/* With a carry of at most 3 a sum is at most 4 (B - 1) + 3 < 4B, so the next carry is at most 3. */
ty_limb ty_limb_sum_4(ty_limb *z, const ty_limb *w, const ty_limb *x, const ty_limb *y, size_t n,
                      ty_limb mask)
{
    ty_limb c = mask & 1;
    for (size_t i = 0; i < n; i++) {
        const ty_limb2 t = (ty_limb2)w[i] + x[i] + y[i] + (z[i] ^ mask) + c;
        z[i] = (ty_limb)t;
        c = (ty_limb)(t >> TY_LIMB_BITS);
    }
    return c;
}

ty_limb ty_limb_add_if(ty_limb *z, const ty_limb *x, size_t n, ty_limb mask)
{
    ty_limb c = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_adc(z[i], x[i] & mask, &c);
    return c;
}

/* Two passes: the first computes the borrow of x - m, the second subtracts m or 0. */
void ty_limb_canon(ty_limb *z, ty_limb top, const ty_limb *x, const ty_limb *m, size_t n)
{
    ty_limb b = 0;
    for (size_t i = 0; i < n; i++) (void)ty_limb_sbb(x[i], m[i], &b);
    (void)ty_limb_sbb(top, 0, &b);   /* the borrow survives only if top was 0 */
    const ty_limb keep = ty_limb_mask(b);
    b = 0;
    for (size_t i = 0; i < n; i++) z[i] = ty_limb_sbb(x[i], m[i] & ~keep, &b);
}

void ty_limb_sel(ty_limb *z, ty_limb mask, const ty_limb *x, const ty_limb *y, size_t n)
{
    for (size_t i = 0; i < n; i++) z[i] = y[i] ^ (mask & (x[i] ^ y[i]));
}

void ty_limb_swap_if(ty_limb *x, ty_limb *y, size_t n, ty_limb mask)
{
    for (size_t i = 0; i < n; i++) {
        const ty_limb d = mask & (x[i] ^ y[i]);
        x[i] ^= d;
        y[i] ^= d;
    }
}

ty_limb ty_limb_zero(const ty_limb *x, size_t n)
{
    ty_limb any = 0;
    for (size_t i = 0; i < n; i++) any |= x[i];
    return ty_limb_is0(any);
}

/* The borrows of x - y and y - x give the order without a branch on any limb. */
int ty_limb_cmp(const ty_limb *x, const ty_limb *y, size_t n)
{
    ty_limb less = 0, more = 0;
    for (size_t i = 0; i < n; i++) {
        (void)ty_limb_sbb(x[i], y[i], &less);
        (void)ty_limb_sbb(y[i], x[i], &more);
    }
    return (int)more - (int)less;
}

int ty_limb_cmp_vt(const ty_limb *x, const ty_limb *y, size_t n)
{
    while (n--)
        if (x[n] != y[n]) return x[n] < y[n] ? -1 : 1;
    return 0;
}

/* x >> (TY_LIMB_BITS - s) in two steps, since for s = 0 a shift by all the bits is undefined. */
ty_limb ty_limb_shl(ty_limb *z, const ty_limb *x, size_t n, unsigned s)
{
    const unsigned rest = TY_LIMB_BITS - 1 - s;
    if (n == 0) return 0;
    ty_limb high = x[n - 1];
    const ty_limb out = high >> 1 >> rest;
    for (size_t i = n - 1; i > 0; i--) {
        const ty_limb low = x[i - 1];
        z[i] = high << s | low >> 1 >> rest;
        high = low;
    }
    z[0] = high << s;
    return out;
}

ty_limb ty_limb_shr(ty_limb *z, const ty_limb *x, size_t n, unsigned s)
{
    const unsigned rest = TY_LIMB_BITS - 1 - s;
    if (n == 0) return 0;
    ty_limb low = x[0];
    const ty_limb out = low << 1 << rest;
    for (size_t i = 1; i < n; i++) {
        const ty_limb high = x[i];
        z[i - 1] = low >> s | high << 1 << rest;
        low = high;
    }
    z[n - 1] = low >> s;
    return out;
}

/* Binary search for the highest bit: each step keeps the upper half if it is not 0. */
unsigned ty_limb_bits(ty_limb x)
{
    unsigned bits = 0;
    for (unsigned half = TY_LIMB_BITS / 2; half; half /= 2) {
        const ty_limb high = x >> half, nonzero = ~ty_limb_is0(high);
        bits += half & (unsigned)nonzero;
        x = x ^ (nonzero & (x ^ high));
    }
    return bits + (unsigned)x;
}

/* Newton's iteration: m m = 1 mod 8, so y = m has 3 correct bits, and each step doubles them: 6,
 * 12, 24, 48, 96. */
ty_limb ty_limb_minv(ty_limb m)
{
    ty_limb y = m;
    for (int i = 0; i < 5; i++) y *= 2 - m * y;
    return 0 - y;
}
