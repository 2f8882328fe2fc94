/* Products and squares of integers with the 52-bit products of AVX-512 IFMA, eight at a time
 * (limb_ifma.h has the digits).
 *
 * a product  is V vectors of x times up to 8 V digits of y, V = 2 to 6, and all its sums stay in
 *            registers. The products with digits r, r + 8, r + 16, .. of y are whole vectors apart,
 *            so their lanes are aligned; those with r + 1 are a digit higher. So r goes down from
 *            7, and from row to row the sums move up by a lane:
 *                t = x y[7], x y[15], ..;
 *                t = (t << a digit) + x y[6], x y[14], ..;
 *                and so on to y[0], y[8], ..
 *            Upper halves belong a lane above the lower ones: those of a row are added just before
 *            the sums move up.
 * a square   multiplies x[i] only by the digits after it, about half of them: x moves up by a lane
 *            for each of r = 0 .. 7, so that the lower halves of its products by x[r], x[r + 8], ..
 *            are in the lanes of the sums they belong to, and the upper ones a move later. Then
 *            come twice these sums, and the squares of the digits
 *
 * bound: two operations for eight products: 400 for 32 x 32 limbs, or 40 x 40 digits, 92 for a
 * square of 16. Zen 4 starts one in a core cycle, Intel's server cores two. Measured with the
 * conversions between limbs and digits: in core cycles on Zen 4, products of 16 limbs 230, of 24
 * 350, of 32 520; in TSC cycles on Granite Rapids, products of 24, 32 limbs 196 and 267, squares of
 * 16, 24, 32 limbs 100, 161 and 209 */
#include "limb/limb_x86.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#include "limb/limb_ifma.h"

enum { SQUARE = 15 };   /* limbs; shorter squares are faster with rows of limbs */

/* --- Products --------------------------------------------------------------------------------- */

/* t[v+b] += rows r - 1 down to `to`, each of x[v] by b digits of y */
TY_INLINE void rows(vec *t, const vec *x, const uint64_t *y, int r, int to, const int v,
                    const int b)
{
    const vec zero = _mm512_setzero_si512();
    while (r-- > to) {
        EACH(q, b) {
            const vec d = _mm512_set1_epi64((long long)y[W * q + r]);
            EACH(k, v) t[q + k] = _mm512_madd52hi_epu64(t[q + k], x[k], d);
        }
        EACH(k, v + b - 1) t[v + b - 1 - k] = up(t[v + b - 1 - k], t[v + b - 2 - k]);
        t[0] = up(t[0], zero);
        /* in sums of their own: added to t, every product would delay it by another four cycles */
        vec low[2 * MOST];
        EACH(k, v + b - 1) low[k] = zero;
        EACH(q, b) {
            const vec d = _mm512_set1_epi64((long long)y[W * q + r]);
            EACH(k, v) low[q + k] = _mm512_madd52lo_epu64(low[q + k], x[k], d);
        }
        EACH(k, v + b - 1) t[k] = _mm512_add_epi64(t[k], low[k]);
    }
}

/* z[xn+yn] = xy, both of v vectors of digits */
TY_INLINE void product(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                       const int v)
{
    vec xd[MOST], yd[MOST], t[2 * MOST];
    EACH(i, v) yd[i] = digits(y, yn, i, v);
    EACH(i, v) xd[i] = digits(x, xn, i, v);
    EACH(i, 2 * v) t[i] = _mm512_setzero_si512();
    const uint64_t *const each = (const uint64_t *)(const void *)yd;
    /* digits in the last vector of y */
    const int last = (int)length(yn) - W * (v - 1);
    rows(t, xd, each, W, last, v, v - 1);
    rows(t, xd, each, last, 0, v, v);
    limbs(z, xn + yn, t, 2 * v);
    forget(yd, v);
}

/* --- Squares ---------------------------------------------------------------------------------- */

/* t[] += halves of the products of x[r], x[r + W], .., each by the digits of x after it, where c =
 * x moved up by `moved` lanes. x[W q + r] is in lane r + moved of c[q], c[q + 1], .. taken as one
 * row of lanes: the lanes up to it are left out. */
TY_INLINE void by_later(vec *t, const vec *c, const uint64_t *x, const int r, const int moved,
                        const int count, const int upper)
{
    const int left_out = r + moved + 1, skip = left_out / W;
    const __mmask8 rest = (__mmask8)(0xff << left_out % W);
    EACH(q, (count - 2 - r) / W + 1) {
        const vec d = _mm512_set1_epi64((long long)x[W * q + r]);
        EACH(k, (count - 1 + moved) / W + 1 - q - skip) {
            const int from = q + skip + k, to = q + from;
            const __mmask8 lanes = k == 0 ? rest : 0xff;
            t[to] = upper ? _mm512_mask_madd52hi_epu64(t[to], lanes, c[from], d)
                          : _mm512_mask_madd52lo_epu64(t[to], lanes, c[from], d);
        }
    }
}

/* The k-th vector of a square: twice a sum, and the squares of four digits of x, each in two
 * lanes */
TY_INLINE vec with_squares(vec sum, vec x, const int k)
{
    const vec twice = k % 2 ? _mm512_set_epi64(7, 7, 6, 6, 5, 5, 4, 4)
                            : _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
    const vec d = _mm512_permutexvar_epi64(twice, x);
    const vec t = _mm512_mask_madd52lo_epu64(_mm512_add_epi64(sum, sum), 0x55, d, d);
    return _mm512_mask_madd52hi_epu64(t, 0xaa, d, d);
}

/* z[2n] = x^2, of v vectors and at most `count` digits. Up to four vectors the upper halves have
 * sums of their own, so that fewer operations wait for each other; with more, registers would not
 * suffice for both. */
TY_INLINE void square(ty_limb *z, const ty_limb *x, size_t n, const int v, const int count)
{
    vec d[MOST], c[MOST + 1], low[2 * MOST], high[2 * MOST];
    const vec zero = _mm512_setzero_si512();
    const int sums = (2 * count + W - 1) / W, apart = v <= 4;
    EACH(i, v) c[i] = d[i] = digits(x, n, i, v);
    c[v] = zero;
    EACH(i, sums) low[i] = high[i] = zero;
    const uint64_t *const each = (const uint64_t *)(const void *)d;
    EACH(r, W) {
        by_later(low, c, each, r, r, count, 0);
        up_all(c, v);
        by_later(apart ? high : low, c, each, r, r + 1, count, 1);
    }
    EACH(k, sums) {
        const vec sum = apart ? _mm512_add_epi64(low[k], high[k]) : low[k];
        low[k] = with_squares(sum, d[k / 2], k);
    }
    limbs(z, 2 * n, low, sums);
    forget(d, v);
}

/* --- All lengths ------------------------------------------------------------------------------ */

/* Products by the vectors of a factor, squares by a fourth of its digits, rounded up */
typedef void product_fn(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
typedef void square_fn(ty_limb *z, const ty_limb *x, size_t n);
#    define BY_VECTORS(v)                                                                          \
        static void ty_limb_product_##v##_gfni512(ty_limb *z, const ty_limb *x, size_t xn,         \
                                                  const ty_limb *y, size_t yn)                     \
        {                                                                                          \
            product(z, x, xn, y, yn, v);                                                           \
        }
BY_VECTORS(2) BY_VECTORS(3) BY_VECTORS(4) BY_VECTORS(5) BY_VECTORS(6)
#    define SQUARED(count)                                                                         \
        static void ty_limb_square_##count##_gfni512(ty_limb *z, const ty_limb *x, size_t n)       \
        {                                                                                          \
            square(z, x, n, (count + W - 1) / W, count);                                           \
        }
SQUARED(20) SQUARED(24) SQUARED(28) SQUARED(32) SQUARED(40) SQUARED(48)
#define OF(v) [v] = ty_limb_product_##v##_gfni512
static product_fn *const products[] = { OF(2), OF(3), OF(4), OF(5), OF(6) };
#undef OF
#define OF(fourth, count) [fourth] = ty_limb_square_##count##_gfni512
static square_fn *const squares[] = { OF(5, 20), OF(6, 24),  OF(7, 28),  OF(8, 32),
                                      OF(9, 40), OF(10, 40), OF(11, 48), OF(12, 48) };
#undef OF

/* For lengths that do not suit vectors */
#if defined(TY_HAS_ADX)
#  define rows_mul  ty_limb_mul_adx
#  define rows_sqr  ty_limb_sqr_adx
#else
#  define rows_mul  ty_limb_ops_c.mul
#  define rows_sqr  ty_limb_ops_c.sqr
#endif

/* z[xn+yn] = xy in slices of x, each of as many vectors as y */
static void ty_limb_slices_gfni512(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y,
                                   size_t yn)
{
    ty_limb t[2 * LONGEST];
    const size_t slice = held(vectors(yn));
    ty_limb_mul_gfni512(z, x, slice, y, yn);
    for (size_t at = slice, n; at < xn; at += n) {
        n = xn - at < slice ? xn - at : slice;
        ty_limb_mul_gfni512(t, x + at, n, y, yn);
        const ty_limb c = ty_limb_add(z + at, z + at, t, yn);
        (void)ty_limb_add_1(z + at + yn, t + yn, n, c);
    }
    ty_wipe(t, (slice + yn) * sizeof *t);
}

void ty_limb_mul_gfni512(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn)
{
    if (xn < SHORTEST || yn < SHORTEST) rows_mul(z, x, xn, y, yn);
    else if (xn < yn) ty_limb_mul_gfni512(z, y, yn, x, xn);
    else if (yn > LONGEST) rows_mul(z, x, xn, y, yn);
    else if (xn > held(vectors(yn))) ty_limb_slices_gfni512(z, x, xn, y, yn);
    else {
        products[vectors(yn)](z, x, xn, y, yn);
        forget_spills();
    }
}

void ty_limb_sqr_gfni512(ty_limb *z, const ty_limb *x, size_t n)
{
    if (n < SQUARE || n > LONGEST) {
        rows_sqr(z, x, n);
        return;
    }
    squares[(length(n) + 3) / 4](z, x, n);
    forget_spills();
}

#if defined(TY_HAS_ADX)
/* z[0..8V) = that part of the entry; each entry has n limbs */
TY_INLINE void pick(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index,
                    const int V)
{
    const vec wanted = _mm512_set1_epi64((long long)index), one = _mm512_set1_epi64(1);
    vec k = _mm512_setzero_si512(), x[4];
    EACH(v, V) x[v] = k;
    for (; count; count--, table += n, k = _mm512_add_epi64(k, one)) {
        const __mmask8 here = _mm512_cmpeq_epu64_mask(k, wanted);
        EACH(v, V) x[v] = _mm512_mask_mov_epi64(x[v], here, load(table + W * v));
    }
    EACH(v, V) _mm512_storeu_si512(z + W * v, x[v]);
}

/* Numbers of digits in vectors (modn/ifma.h) by four vectors at a time, others by AVX2. bound: a
 * masked load for eight limbs of each entry; measured on Granite Rapids: 1.3 a cycle */
void ty_limb_gather_gfni512(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index)
{
    if (n % W) {
        ty_limb_gather_adx(z, table, n, count, index);
        return;
    }
    size_t at = 0;
    for (; at + 4 * W <= n; at += 4 * W) pick(z + at, table + at, n, count, index, 4);
    switch ((n - at) / W) {
    case 3: pick(z + at, table + at, n, count, index, 3); break;
    case 2: pick(z + at, table + at, n, count, index, 2); break;
    case 1: pick(z + at, table + at, n, count, index, 1); break;
    default: break;
    }
}

const ty_limb_ops ty_limb_ops_gfni512 = {
    ty_limb_add_x86, ty_limb_sub_x86, ty_limb_neg_if_x86, ty_limb_sum_4_x86, ty_limb_mul_1_adx,
    ty_limb_addmul_1_adx, ty_limb_submul_1_adx, ty_limb_mul_gfni512, ty_limb_sqr_gfni512,
    ty_limb_product_adx, ty_limb_square_adx, ty_limb_redc_adx, ty_limb_mont_adx, ty_limb_mont2_adx,
    ty_limb_inv_adx, ty_limb_div_adx, ty_limb_gcd_2_avx2, ty_limb_gather_gfni512, 1 };
#endif
#include "base/level_end.h"
#endif
