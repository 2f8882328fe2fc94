/* Products of 10 to 22 limbs with AVX-512 IFMA where a core starts two such operations in a cycle:
 * the sums of limb_gfni512.c stay where they are, and a factor moves.
 *
 * a product  the digits r, r + 8, r + 16, .. of y are whole vectors apart, so their products by x
 *            moved up r lanes are in the lanes of the sums they belong to. x moves up by a lane for
 *            each of r = 0 .. 7. Lower and upper halves have sums of their own; the upper ones move
 *            up a lane at the end. As x moved up is a vector longer, this takes more operations for
 *            products than to move the sums, but fewer others, and its sums do not wait for moves
 *
 * bound: two operations for eight products, 132 for 16 x 16 limbs, two in a core cycle. Measured
 * with the conversions between limbs and digits, in TSC cycles on Granite Rapids: 91, 112 and 163
 * for 10, 16 and 20 limbs, where moving the sums takes 111, 156 and 187. Zen 4 starts one operation
 * in a cycle, and has not been measured. */
#include "limb/limb_x86.h"

#if defined(TY_HAS_ADX)
#include <immintrin.h>

#define TY_LEVEL clmul512
#include "base/level_begin.h"
#include "limb/limb_ifma.h"

enum { IN_PLACE = 28 };   /* the most digits for which x moves up, and not the sums */

/* low[], high[] += halves of the products of x by y[r], y[r + W], .., where c = x moved up by r
 * lanes; both have `count` digits */
TY_INLINE void by_lane(vec *low, vec *high, const vec *c, const uint64_t *y, const int r,
                       const int count)
{
    EACH(q, (count - 1 - r) / W + 1) {
        const vec d = _mm512_set1_epi64((long long)y[W * q + r]);
        EACH(k, (count - 1 + r) / W + 1) {
            low[q + k] = _mm512_madd52lo_epu64(low[q + k], c[k], d);
            high[q + k] = _mm512_madd52hi_epu64(high[q + k], c[k], d);
        }
    }
}

/* z[xn+yn] = xy; x and y have v vectors, and at most `count` digits */
TY_INLINE void product_in_place(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y,
                                size_t yn, const int v, const int count)
{
    vec d[MOST], c[MOST + 1], low[2 * MOST], high[2 * MOST], t[2 * MOST];
    const vec zero = _mm512_setzero_si512();
    const int sums = (2 * count + W - 1) / W;
    EACH(i, v) d[i] = digits(y, yn, i, v);
    EACH(i, v) c[i] = digits(x, xn, i, v);
    c[v] = zero;
    EACH(i, sums) low[i] = high[i] = zero;
    const uint64_t *const each = (const uint64_t *)(const void *)d;
    EACH(r, W) {
        by_lane(low, high, c, each, r, count);
        up_all(c, v);
    }
    EACH(k, sums) t[k] = _mm512_add_epi64(low[k], up(high[k], k ? high[k - 1] : zero));
    limbs(z, xn + yn, t, sums);
    forget(d, v);
}

/* by a fourth of the digits of the longer factor, rounded up */
typedef void product_fn(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
#  define BY_DIGITS(count)                                                                         \
      static void ty_limb_product_##count##_clmul512(ty_limb *z, const ty_limb *x, size_t xn,      \
                                                     const ty_limb *y, size_t yn)                  \
      {                                                                                            \
          product_in_place(z, x, xn, y, yn, (count + W - 1) / W, count);                           \
      }
BY_DIGITS(16) BY_DIGITS(20) BY_DIGITS(24) BY_DIGITS(28)
#define OF(fourth, count) [fourth] = ty_limb_product_##count##_clmul512
static product_fn *const products[] = { OF(4, 16), OF(5, 20), OF(6, 24), OF(7, 28) };
#undef OF

static void ty_limb_mul_clmul512(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y,
                                 size_t yn)
{
    if (xn < yn) ty_limb_mul_clmul512(z, y, yn, x, xn);
    else if (yn < SHORTEST || length(xn) > IN_PLACE || vectors(xn) != vectors(yn))
        ty_limb_mul_gfni512(z, x, xn, y, yn);
    else {
        products[(length(xn) + 3) / 4](z, x, xn, y, yn);
        forget_spills();
    }
}

const ty_limb_ops ty_limb_ops_clmul512 = {
    ty_limb_add_x86, ty_limb_sub_x86, ty_limb_neg_if_x86, ty_limb_sum_4_x86, ty_limb_mul_1_adx,
    ty_limb_addmul_1_adx, ty_limb_submul_1_adx, ty_limb_mul_clmul512, ty_limb_sqr_gfni512,
    ty_limb_product_adx, ty_limb_square_adx, ty_limb_redc_adx, ty_limb_mont_adx, ty_limb_mont2_adx,
    ty_limb_inv_adx, ty_limb_div_adx, ty_limb_gcd_2_avx2, ty_limb_gather_gfni512, 1 };
#include "base/level_end.h"
#endif
