/* Inverses and greatest common divisors in constant time, by division steps (Bernstein and Yang,
 * "Fast constant-time gcd computation and modular inversion", TCHES 2019).
 *
 * A step takes (delta, f, g), f odd, to (1 - delta, g, (g - f)/2) if delta > 0 and g is odd, else
 * to (1 + delta, f, (g + (g mod 2) f)/2). From delta = 1/2 and 0 <= g <= f <= 2^b, any n >= (9437 b
 * + 1)/4096 steps bring g to 0 and f to +-gcd (Bernstein, "hull-light", 2023; checked by machine in
 * HOL Light, Harrison 2023). STEP_BITS steps at a time depend on the lowest digit only, and give a
 * matrix over 2^STEP_BITS, which is then applied to the whole numbers.
 *
 * Numbers are signed digits of STEP_BITS bits, all but the highest in [0, 2^STEP_BITS). They are
 * stored as 4 times their value, and so are the entries of matrices in products: the upper word of
 * 16 times a product is floor(product/2^STEP_BITS), and no shift of two words is needed.
 * bound: per STEP_BITS steps 4 cycles a step; per digit 4 products for f, g and 6 for d, e, with 8
 * other operations for each 2 products */
#include "base/ct.h"
#include "limb/limb.h"

#include <string.h>

enum { STEP_BITS = TY_LIMB_BITS - 4 };
#if TY_LIMB_BITS == 64
#  if defined(TY_HAS_ADX)
#    define TY_DIV_X86
#  endif
/* otherwise the alignment of the loop of twenty steps costs up to 3 % */
#  define TY_DIV_UNROLL _Pragma("GCC unroll 4")
#  include "limb/divstep64_matrix.h"
typedef int64_t digit;
typedef ty_div_matrix matrix;
__extension__ typedef __int128 wide;
static inline wide times(digit x, digit y) { return (wide)x * y; }
#else
typedef int32_t digit;
typedef int64_t wide;
typedef struct matrix {
    /* (f, g) becomes (u f + v g, q f + r g)/2^STEP_BITS; |u| + |v|, |q| + |r| <= 2^STEP_BITS */
    digit u, v, q, r;
} matrix;
static inline wide times(digit x, digit y) { return ty_mul32s(x, y); }   /* secrets: base/ct.h */
#endif
#define DIGIT_MASK ((ty_limb)-1 >> 4)

_Static_assert(TY_LIMB_STEP_DIGITS(3) == (3 * TY_LIMB_BITS + 2 + STEP_BITS - 1) / STEP_BITS,
               "for numbers of n limbs, and two bits for sign and sum");

/* How many rounds of STEP_BITS steps numbers of b bits take: 2b + floor(1245 b/4096) + 1 steps are
 * enough. Lengths are limited so that nothing overflows. */
static size_t rounds(size_t b)
{
    return (2 * b + (b / 4096 * 1245 + (b % 4096 * 1245 + 4096) / 4096)) / STEP_BITS + 1;
}

/* To the stored form of a digit, from an x that may have more bits than a digit; and back. */
static digit keep(ty_limb x) { return (digit)(x << 4 >> 2); }
static ty_limb plain(digit x) { return (ty_limb)(x >> 2); }

static void from_limbs(digit *z, size_t k, const ty_limb *x, size_t n)
{
    for (size_t i = 0; i < k; i++) {
        const size_t at = i * STEP_BITS / TY_LIMB_BITS, s = i * STEP_BITS % TY_LIMB_BITS;
        ty_limb d = at < n ? x[at] >> s : 0;
        if (s > 4 && at + 1 < n) d |= x[at + 1] << (TY_LIMB_BITS - s);
        z[i] = keep(d);
    }
}

/* x >= 0, below B^n */
static void to_limbs(ty_limb *z, size_t n, const digit *x, size_t k)
{
    memset(z, 0, n * sizeof *z);
    for (size_t i = 0; i < k; i++) {
        const size_t at = i * STEP_BITS / TY_LIMB_BITS, s = i * STEP_BITS % TY_LIMB_BITS;
        if (at < n) z[at] |= plain(x[i]) << s;
        if (s > 4 && at + 1 < n) z[at + 1] |= plain(x[i]) >> (TY_LIMB_BITS - s);
    }
}

/* t = the matrix of STEP_BITS steps on f and g, which depends on that many of their low bits only.
 * zeta = -(delta + 1/2); the new one is returned. */
static digit steps(matrix *t, digit zeta, const digit *f, const digit *g)
{
    ty_limb a = plain(f[0]) | plain(f[1]) << STEP_BITS, b = plain(g[0]) | plain(g[1]) << STEP_BITS;
#if TY_LIMB_BITS == 64
    return ty_div_60(t, zeta, a, b);
#else
    ty_limb u = 1, v = 0, q = 0, r = 1;
    for (int i = 0; i < STEP_BITS; i++) {
        const ty_limb odd = ty_limb_mask(b & 1);
        /* delta > 0 */
        const ty_limb swap = ty_limb_mask((ty_limb)zeta >> (TY_LIMB_BITS - 1)) & odd;
        /* a, u, v are subtracted from b, q, r under swap, else added under odd; then a, u, v become
         * the old b, q, r under swap */
        b += ((a ^ swap) - swap) & odd;
        q += ((u ^ swap) - swap) & odd;
        r += ((v ^ swap) - swap) & odd;
        a += b & swap;
        u += q & swap;
        v += r & swap;
        zeta = (digit)((ty_limb)zeta ^ swap) - 1;
        b >>= 1;
        u <<= 1;
        v <<= 1;
    }
    *t = (matrix){ (digit)u, (digit)v, (digit)q, (digit)r };
    return zeta;
#endif
}

/* x is 16 times a sum of products, *carry the carry from below, which is at most 2^(STEP_BITS + 2):
 * returns the digit of their sum, in stored form, and *carry becomes the carry out of it. */
static digit carried(wide x, digit *carry)
{
    const digit low = (digit)((ty_limb)x >> 4) + *carry;
    *carry = (digit)(x >> TY_LIMB_BITS) + (low >> STEP_BITS);
    return keep((ty_limb)low);
}

static matrix times4(const matrix *t) { return (matrix){ 4 * t->u, 4 * t->v, 4 * t->q, 4 * t->r }; }

/* (f, g) = t (f, g)/2^STEP_BITS, exactly; absolute values do not grow. The lowest digit of the
 * products is 0. */
static void apply(digit *f, digit *g, size_t k, const matrix *t)
{
    const matrix m = times4(t);
    digit cf = (digit)((times(m.u, f[0]) + times(m.v, g[0])) >> TY_LIMB_BITS);
    digit cg = (digit)((times(m.q, f[0]) + times(m.r, g[0])) >> TY_LIMB_BITS);
    for (size_t i = 1; i < k; i++) {
        const digit fi = f[i], gi = g[i];
        f[i - 1] = carried(times(m.u, fi) + times(m.v, gi), &cf);
        g[i - 1] = carried(times(m.q, fi) + times(m.r, gi), &cg);
    }
    f[k - 1] = 4 * cf;
    g[k - 1] = 4 * cg;
}

/* (d, e) = t (d, e)/2^STEP_BITS mod m, where inv = 1/m mod 2^STEP_BITS. In and out: -2m < d, e < m.
 * m is added to the negative ones, so both are in (-m, m) and their combination in (-2^STEP_BITS m,
 * 2^STEP_BITS m); then c m, -2^STEP_BITS < c <= 0, is added to make it a multiple of 2^STEP_BITS:
 * the quotient is in (-2m, m). In total kd m and ke m are added, with factors from -2^(STEP_BITS +
 * 1) + 1 to 2^STEP_BITS; the sums of three products stay below 3 2^(2 STEP_BITS), 16 times that
 * below half of a wide. */
static void apply_mod(digit *d, digit *e, const digit *m, size_t k, const matrix *t, ty_limb inv)
{
    const matrix x = times4(t);
    const digit d_neg = d[k - 1] >> (TY_LIMB_BITS - 1), e_neg = e[k - 1] >> (TY_LIMB_BITS - 1);
    digit kd = (t->u & d_neg) + (t->v & e_neg), ke = (t->q & d_neg) + (t->r & e_neg);
    wide sd = times(x.u, d[0]) + times(x.v, e[0]), se = times(x.q, d[0]) + times(x.r, e[0]);
    kd = 4 * (kd - (digit)((inv * ((ty_limb)sd >> 4) + (ty_limb)kd) & DIGIT_MASK));
    ke = 4 * (ke - (digit)((inv * ((ty_limb)se >> 4) + (ty_limb)ke) & DIGIT_MASK));
    digit cd = (digit)((sd + times(m[0], kd)) >> TY_LIMB_BITS),
          ce = (digit)((se + times(m[0], ke)) >> TY_LIMB_BITS);
    for (size_t i = 1; i < k; i++) {
        const digit di = d[i], ei = e[i], mi = m[i];
        d[i - 1] = carried(times(x.u, di) + times(x.v, ei) + times(mi, kd), &cd);
        e[i - 1] = carried(times(x.q, di) + times(x.r, ei) + times(mi, ke), &ce);
    }
    d[k - 1] = 4 * cd;
    e[k - 1] = 4 * ce;
}

/* (d, e) = t (d, e) without division or reduction, of k - 1 digits before and k afterwards. */
static void apply_wide(digit *d, digit *e, size_t k, const matrix *t)
{
    const matrix x = times4(t);
    digit cd = 0, ce = 0;
    for (size_t i = 0; i + 1 < k; i++) {
        const digit di = d[i], ei = e[i];
        d[i] = carried(times(x.u, di) + times(x.v, ei), &cd);
        e[i] = carried(times(x.q, di) + times(x.r, ei), &ce);
    }
    d[k - 1] = 4 * cd;
    e[k - 1] = 4 * ce;
}

/* x = (minus ? -x : x) + (add ? m : 0), carries propagated; m may be NULL with add = 0. A sum of
 * stored digits of two numbers and a carry is in (-2^(STEP_BITS + 3), 2^(STEP_BITS + 3)). */
static void adjust(digit *x, size_t k, ty_limb minus, const digit *m, ty_limb add)
{
    const digit sign = (digit)minus, mask = (digit)add;
    digit c = 0;
    for (size_t i = 0; i < k; i++) {
        c += ((x[i] ^ sign) - sign) + (m ? m[i] & mask : 0);
        x[i] = i + 1 < k ? (digit)((ty_limb)c << 2 >> 2) : c;
        c = (digit)((ty_limb)(c >> (STEP_BITS + 2)) << 2);
    }
}

static ty_limb negative(const digit *x, size_t k)
{
    return ty_limb_mask((ty_limb)x[k - 1] >> (TY_LIMB_BITS - 1));
}

/* Extends x of k digits, with its sign, to `whole` digits. */
static void spread_sign(digit *x, size_t k, size_t whole)
{
    for (; k < whole; k++) {
        x[k] = -4 * (digit)((ty_limb)x[k - 1] >> (TY_LIMB_BITS - 1));
        x[k - 1] = (digit)((ty_limb)x[k - 1] << 2 >> 2);
    }
}

/* --- Inverse ---------------------------------------------------------------------------------- */

/* z = d/2^by mod m, for d in [0, m) and 0 < n TY_LIMB_BITS - by < 2 TY_LIMB_BITS; t[2n] scratch */
static void divide_power(ty_limb *z, const digit *d, size_t k, size_t by, const ty_limb *m,
                         size_t n, ty_limb minv, ty_limb *t)
{
    /* d 2^up, and then a reduction */
    const size_t up = n * TY_LIMB_BITS - by, limbs = up / TY_LIMB_BITS;
    memset(t, 0, 2 * n * sizeof *t);
    to_limbs(z, n, d, k);
    ty_limb *to = t + limbs;
    const ty_limb out = ty_limb_shl(to, z, n, (unsigned)(up % TY_LIMB_BITS));
    if (limbs + n < 2 * n) to[n] = out;
    ty_limb_best()->redc(z, t, m, n, minv);
    ty_limb_canon(z, 0, z, m, n);
}

/* At first d x = 2^(STEP_BITS i) f and e x = 2^(STEP_BITS i) g (mod m) after i rounds, as long as d
 * and e, both at most 2^(STEP_BITS i), are certainly below m; from then on the power stays the
 * same, and it is divided out at the end. */
static ty_limb invert(ty_limb *z, const ty_limb *x, const ty_limb *m, size_t n, size_t total,
                      digit *work)
{
    const size_t k = TY_LIMB_STEP_DIGITS(n), wide_rounds = (n - 1) * TY_LIMB_BITS / STEP_BITS;
    digit *f = work, *g = f + k, *d = g + k, *e = d + k, *mod = e + k, zeta = -1;
    matrix t;
    from_limbs(f, k, m, n);
    from_limbs(g, k, x, n);
    memcpy(mod, f, k * sizeof *mod);
    memset(d, 0, 2 * k * sizeof *d);
    e[0] = 4;
    const ty_limb minv = ty_limb_minv(m[0]), inv = (0 - minv) & DIGIT_MASK;
    for (size_t i = 0; i < total; i++) {
        zeta = steps(&t, zeta, f, g);
        if (i < wide_rounds) apply_wide(d, e, i + 2, &t);
        else apply_mod(d, e, mod, k, &t, inv);
        if (i + 1 == wide_rounds) spread_sign(d, i + 2, k), spread_sign(e, i + 2, k);
        apply(f, g, k, &t);
    }
    const ty_limb sign = negative(f, k);
    adjust(f, k, sign, NULL, 0);               /* the gcd: is it 1? */
    ty_limb other = (ty_limb)f[0] ^ 4;
    for (size_t i = 1; i < k; i++) other |= (ty_limb)f[i];
    adjust(d, k, 0, mod, negative(d, k));      /* (-m, m) */
    adjust(d, k, sign, mod, 0);
    adjust(d, k, 0, mod, negative(d, k));      /* [0, m) */
    divide_power(z, d, k, wide_rounds * STEP_BITS, m, n, minv, (ty_limb *)f);
    ty_wipe(&t, sizeof t);
    return ~ty_limb_is0(other);
}

size_t ty_limb_inv_work(size_t n)
{
    return ty_limb_best()->inv ? TY_LIMB_INV_WORK(n) : 5 * TY_LIMB_STEP_DIGITS(n);
}

ty_limb ty_limb_inv(ty_limb *z, const ty_limb *x, const ty_limb *m, size_t n, size_t bits,
                    ty_limb *work)
{
    const ty_limb_ops *ops = ty_limb_best();
    if (ops->inv) return ops->inv(z, x, m, n, rounds(bits), work);
    return invert(z, x, m, n, rounds(bits), (digit *)work);
}

/* --- Greatest common divisor ------------------------------------------------------------------ */

/* The digits for n limbs also hold three times an n-limb number, with a sign: k STEP_BITS >= n
 * TY_LIMB_BITS + 2, and the highest has two bits more. */
void ty_limb_gcd(ty_limb *x, const ty_limb *y, size_t n, ty_limb *work)
{
    const size_t k = TY_LIMB_STEP_DIGITS(n);
    digit *f = (digit *)work, *g = f + k, zeta = -1;
    from_limbs(f, k, x, n);
    from_limbs(g, k, y, n);
    /* f + 2g >= g, odd, and with the same gcd */
    for (int i = 0; i < 2; i++) adjust(f, k, 0, g, ~(ty_limb)0);
    for (size_t i = rounds(n * TY_LIMB_BITS + 2); i; i--) {
        matrix m;
        zeta = steps(&m, zeta, f, g);
        apply(f, g, k, &m);
    }
    adjust(f, k, negative(f, k), NULL, 0);
    to_limbs(x, n, f, k);
}
