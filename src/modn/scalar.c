/* Z/n for an odd n given at run time: Montgomery's product by the kernels of limb/, inverses by
 * division steps. */
#include "modn/scalar.h"

#include <string.h>

typedef ty_limb limb;
#define LIMB_BITS ((size_t)TY_LIMB_BITS)

void ty_scalar_add(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r)
{
    const limb carry = TY_HELD(limb, r->ops)->add(z->w, x->w, y->w, r->limbs);
    ty_limb_canon(z->w, carry, z->w, r->n.w, r->limbs);
}

/* z = x y/R mod n for x < R, y < n: below n R the reduction leaves x y/R mod n or n more. */
void ty_scalar_mul(ty_scalar *z, const ty_scalar *x, const ty_scalar *y, const ty_scalar_ring *r)
{
    limb t[2 * TY_SCALAR_MAX];
    TY_HELD(limb, r->ops)->mul(t, x->w, r->limbs, y->w, r->limbs);
    TY_HELD(limb, r->ops)->redc(z->w, t, r->n.w, r->limbs, r->minus_inv);
    ty_limb_canon(z->w, 0, z->w, r->n.w, r->limbs);
    ty_wipe(t, 2 * r->limbs * sizeof *t);
}

static void load(limb *z, const uint8_t *x, size_t x_len, size_t limbs)
{
    memset(z, 0, limbs * sizeof(limb));
    for (size_t i = 0; i < x_len && i / sizeof(limb) < limbs; i++)
        z[i / sizeof(limb)] |= (limb)x[x_len - 1 - i] << 8 * (i % sizeof(limb));
}

void ty_scalar_ring_init(ty_scalar_ring *r, const uint8_t *n, size_t bits)
{
    memset(r, 0, sizeof *r);
    r->bits = bits;
    r->len = (bits + 7) / 8;
    r->limbs = (bits + LIMB_BITS - 1) / LIMB_BITS;
    r->ops = ty_limb_best();
    load(r->n.w, n, r->len, r->limbs);
    r->minus_inv = ty_limb_minv(r->n.w[0]);

    /* 2^(bits-1) < n is doubled until it is R mod n; then 2R in Montgomery's form is 2, and 2^(bits
     * of R) is R^2 */
    r->one.w[(bits - 1) / LIMB_BITS] = (limb)1 << (bits - 1) % LIMB_BITS;
    const size_t all = r->limbs * LIMB_BITS;
    for (size_t i = bits - 1; i < all; i++) ty_scalar_add(&r->one, &r->one, &r->one, r);
    r->rr = r->one;
    for (size_t bit = (size_t)1 << 10; bit; bit >>= 1) {   /* all < 2^11 */
        ty_scalar_mul(&r->rr, &r->rr, &r->rr, r);
        if (all & bit) ty_scalar_add(&r->rr, &r->rr, &r->rr, r);
    }
}

/* x = high R + low, where there is more of it than limbs: (high R) R, and low R on top */
void ty_scalar_set(ty_scalar *z, const uint8_t *x, size_t x_len, const ty_scalar_ring *r)
{
    const size_t room = r->limbs * sizeof(limb), more = x_len > room ? x_len - room : 0;
    ty_scalar t, high;
    load(t.w, x + more, x_len - more, r->limbs);
    load(high.w, x, more, r->limbs);
    ty_scalar_mul(&t, &t, &r->rr, r);
    if (more) {
        ty_scalar_mul(&high, &high, &r->rr, r);
        ty_scalar_mul(&high, &high, &r->rr, r);
        ty_scalar_add(&t, &t, &high, r);
    }
    *z = t;
    ty_wipe(&t, sizeof t);
    ty_wipe(&high, sizeof high);
}

void ty_scalar_get(uint8_t *out, const ty_scalar *x, const ty_scalar_ring *r)
{
    ty_scalar t, one = { { 1 } };
    ty_scalar_mul(&t, x, &one, r);
    for (size_t i = 0; i < r->len; i++)
        out[r->len - 1 - i] = (uint8_t)(t.w[i / sizeof(limb)] >> 8 * (i % sizeof(limb)));
    ty_wipe(&t, sizeof t);
}

#if TY_LIMB_BITS == 64
#if defined(TY_HAS_ADX)
#  define TY_DIV_X86
#endif
#include "limb/divstep64_apply.h"

enum { DIV_MAX = (64 * TY_SCALAR_MAX - 3) / TY_DIV_BITS + 1 };

/* v[l] = x[limbs] in signed limbs, the last of which takes all the rest */
static void div_set(int64_t *v, int l, const limb *x, int limbs)
{
    for (int i = 0; i < l; i++) {
        const int at = TY_DIV_BITS * i / 64, shift = TY_DIV_BITS * i % 64;
        limb w = x[at] >> shift;
        if (shift && at + 1 < limbs) w |= x[at + 1] << (64 - shift);
        v[i] = (int64_t)(i < l - 1 ? w & TY_DIV_MASK : w);
    }
}

/* x[limbs] = v[l], not negative, and below n */
static void div_get(limb *x, int limbs, const int64_t *v, int l)
{
    memset(x, 0, (size_t)limbs * sizeof(limb));
    for (int i = 0; i < l; i++) {
        const int at = TY_DIV_BITS * i / 64, shift = TY_DIV_BITS * i % 64;
        x[at] |= (limb)v[i] << shift;
        if (shift && at + 1 < limbs) x[at + 1] |= (limb)v[i] >> (64 - shift);
    }
}

/* R^2/(x R) by division steps. From delta = 1/2 and numbers below 2^b, (45907 b + 26313)/19929 of
 * them bring g to 0 (Hvass, Aranha and Spitters, "High-assurance field inversion for curve-based
 * cryptography", 2022): 591 for b = 256, and that many are what Wuille's hull gives, less one. d
 * and e lie in (-2n, n): l limbs have room for b + 2 bits. */
void ty_scalar_inv(ty_scalar *z, const ty_scalar *x, const ty_scalar_ring *r)
{
    const int limbs = (int)r->limbs, l = ((int)r->bits - 3) / TY_DIV_BITS + 1;
    const int rounds = ((45907 * (int)r->bits + 26313) / 19929 + TY_DIV_BITS - 1) / TY_DIV_BITS;
    int64_t m[DIV_MAX], f[DIV_MAX], g[DIV_MAX], d[DIV_MAX] = { 0 }, e[DIV_MAX];
    ty_div_matrix t;
    int64_t zeta = -1;   /* delta = 1/2 */
    div_set(m, l, r->n.w, limbs);
    div_set(g, l, x->w, limbs);
    div_set(e, l, r->rr.w, limbs);
    memcpy(f, m, (size_t)l * sizeof f[0]);
    for (int i = 0; i < rounds; i++) {
        const uint64_t f_low = (uint64_t)f[0] | (l > 1 ? (uint64_t)f[1] << TY_DIV_BITS : 0);
        const uint64_t g_low = (uint64_t)g[0] | (l > 1 ? (uint64_t)g[1] << TY_DIV_BITS : 0);
        zeta = ty_div_60(&t, zeta, f_low, g_low);
        ty_div_apply_mod_l(d, e, &t, m, 0 - r->minus_inv, l);
        ty_div_apply_l(f, g, &t, l);
    }
    /* g = 0, f = +-1, or +-n for x = 0; d = +-1/x in (-2n, n), so after the sign and at most two n
     * it is in [0, n) */
    const int64_t sign = f[l - 1] >> 63;
    ty_div_add_l(d, m, d[l - 1] >> 63, l);
    for (int i = 0; i < l; i++) d[i] = (d[i] ^ sign) - sign;
    ty_div_add_l(d, m, 0, l);
    ty_div_add_l(d, m, d[l - 1] >> 63, l);
    div_get(z->w, limbs, d, l);
    ty_wipe(f, sizeof f);
    ty_wipe(g, sizeof g);
    ty_wipe(d, sizeof d);
    ty_wipe(e, sizeof e);
    ty_wipe(&t, sizeof t);
}
#else
/* x^(n-2), four bits of the public exponent at a time */
void ty_scalar_inv(ty_scalar *z, const ty_scalar *x, const ty_scalar_ring *r)
{
    ty_scalar power[16], t = r->one, e = r->n;
    e.w[0] -= 2;   /* n is odd and at least 3, so that nothing borrows */
    power[0] = r->one;
    for (int i = 1; i < 16; i++) ty_scalar_mul(&power[i], &power[i - 1], x, r);
    for (size_t i = (r->bits + 3) / 4; i-- > 0;) {
        for (int j = 0; j < 4; j++) ty_scalar_mul(&t, &t, &t, r);
        const size_t digit = e.w[4 * i / LIMB_BITS] >> 4 * i % LIMB_BITS & 15;
        ty_scalar_mul(&t, &t, &power[digit], r);
    }
    *z = t;
    ty_wipe(power, sizeof power);
    ty_wipe(&t, sizeof t);
}
#endif

uint32_t ty_scalar_iszero(const ty_scalar *x, const ty_scalar_ring *r)
{
    limb any = 0;
    for (size_t i = 0; i < r->limbs; i++) any |= x->w[i];
    return (uint32_t)ty_mask_zero64(any);
}
