/* Products of integers with the 52-bit products of AVX-512 IFMA, eight at a time.
 *
 * digits     of 52 bits: eight are a vector, and are read from 52 bytes. Sums are kept in lanes of
 *            64 bits until the end. Each is a sum of lower halves of at most n products and upper
 *            halves of as many, n <= 48: less than 96 2^52 < 2^59
 * products   of up to 28 digits: the digits r, r + 8, r + 16, .. of y are whole vectors apart, so
 *            their products by x moved up r lanes are in the lanes of the sums they belong to. x
 *            moves up by a lane for each of r = 0 .. 7. Lower and upper halves have sums of their
 *            own; the upper ones move up a lane at the end.
 *            Of more digits: x moved up is a vector longer, which takes more products. Here the
 *            sums move up, from r = 7 down:
 *                t = x y[7], x y[15], ..;
 *                t = (t << a digit) + x y[6], x y[14], ..;
 *                and so on to y[0], y[8], ..
 *            The upper halves of a row are added just before the sums move up
 * squares    x moves up, for all lengths. x[i] is multiplied by the digits after it only, about
 *            half of them; then come twice these sums, and the squares of the digits
 *
 * bound: two operations for eight products; Zen 4 does one a core cycle, Intel's cores two: 400 for
 * 32 x 32 limbs, or 40 x 40 digits, 132 for 16 x 16 limbs and 82 for a square of 16. Measured with
 * the conversions between limbs and digits, in core cycles on Zen 4: 350 for products of 24
 * limbs, 520 of 32; in TSC cycles on Granite Rapids: products of 12, 16, 24, 32 limbs 90, 110, 197
 * and 268, squares of 16, 24, 32 limbs 100, 161 and 210 */
#include "base/unroll.h"
#include "limb/limb_x86.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TY_LEVEL gfni512
#include "base/level_begin.h"

typedef __m512i vec;
/* digits in a vector, and their bytes; the most vectors in a factor; the most vectors whose masks
 * of lanes, and a carry, one word holds */
enum { W = 8, BYTES = 52, MOST = 6, WORD = 7 };
/* in limbs; for other lengths the kernels with rows of limbs are used */
enum { SHORTEST = 10, SQUARE = 15, LONGEST = BYTES * MOST / 8 };
/* digits, up to which x moves up and not the sums */
enum { IN_PLACE = 28 };
#define DIGIT ((long long)1 << 52)

#define EACH(i, n)  TY_UNROLL for (int i = 0; i < (n); i++)

static inline vec load(const void *p) { return _mm512_loadu_si512(p); }
static inline vec odd_4(void) { return _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0); }
/* x moved up by a lane; lane 0 becomes the highest one of `below` */
static inline vec up(vec x, vec below) { return _mm512_alignr_epi64(x, below, W - 1); }

/* the mask of those of the 64 bytes from `at` on that are among n */
static inline __mmask64 bytes(size_t n, size_t at)
{
    return n <= at ? 0 : _bzhi_u64(~(uint64_t)0, n - at < 64 ? (unsigned)(n - at) : 64);
}

/* --- Limbs and digits ------------------------------------------------------------------------- */

/* Digit d begins at bit 52 d, which is bit 0 or 4 of byte 6.5 d. */
static const uint8_t spread[64] = {
#define FROM(b) b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7
    FROM(0), FROM(6), FROM(13), FROM(19), FROM(26), FROM(32), FROM(39), FROM(45)
};
/* The inverse: odd digits move up by four bits; the 13 bytes of a pair are 7 of one and 6 of the
 * other, whose lowest four bits go to the upper half of the seventh byte. */
static const uint8_t pack[64] = {
#    define PAIR(b)                                                                                \
        b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 9, b + 10, b + 11, b + 12, b + 13, b + 14
    PAIR(0), PAIR(16), PAIR(32), PAIR(48)
};
static const uint8_t lowest[64] = { [6] = 8, [19] = 24, [32] = 40, [45] = 56 };
#    define SEVENTH                                                                                \
        (((uint64_t)1 << 6) | ((uint64_t)1 << 19) | ((uint64_t)1 << 32) | ((uint64_t)1 << 45))

/* The i-th of v vectors of digits of x[n], where n limbs are more than v - 1 vectors hold. The bits
 * above 52 of a lane are not cleared, as products ignore them. */
TY_INLINE vec digits(const ty_limb *x, size_t n, int i, const int v)
{
    const uint8_t *const at = (const uint8_t *)x + BYTES * i;
    const vec t =
        i < v - 2 ? load(at) : _mm512_maskz_loadu_epi8(bytes(8 * n, BYTES * (size_t)i), at);
    return _mm512_srlv_epi64(_mm512_permutexvar_epi8(load(spread), t), odd_4());
}

/* z[n] from sums t[v], where n limbs are more than v - 2 vectors hold. First the bits above 52 are
 * added to the next lane, so that digits are at most 2^52 + 2^7 - 2. Then the remaining carries are
 * 0 or 1, and one addition propagates them through the lanes of a word: `more` are the digits above
 * 2^52 - 1, which generate a carry, `full` those equal to it, which propagate one. A digit that
 * generates a carry is less than 2^7 without it: a carry into it generates no other. */
TY_INLINE void limbs(ty_limb *z, size_t n, vec *t, const int v)
{
    const vec digit = _mm512_set1_epi64(DIGIT - 1), minus_1 = _mm512_set1_epi64(-1);
    vec below = _mm512_setzero_si512();
    uint64_t more[2] = { 0, 0 }, full[2] = { 0, 0 };
    EACH(i, v) {
        const vec high = _mm512_srli_epi64(t[i], 52);
        t[i] = _mm512_add_epi64(_mm512_and_si512(t[i], digit), up(high, below));
        below = high;
        more[i / WORD] |= (uint64_t)_mm512_cmpgt_epu64_mask(t[i], digit) << W * (i % WORD);
        full[i / WORD] |= (uint64_t)_mm512_cmpeq_epu64_mask(t[i], digit) << W * (i % WORD);
    }
    const uint64_t first = ((more[0] << 1) + full[0]) ^ full[0];
    const uint64_t second = ((more[1] << 1 | (first >> W * WORD)) + full[1]) ^ full[1];
    /* without bit 52 of a digit that generated a carry */
    const vec ones = _mm512_set1_epi8(-1), own = _mm512_mask_set1_epi8(ones, SEVENTH, 15);
    EACH(i, v) {
        const __mmask8 one = (__mmask8)((i < WORD ? first : second) >> W * (i % WORD));
        const vec d = _mm512_sllv_epi64(_mm512_mask_sub_epi64(t[i], one, t[i], minus_1), odd_4());
        const vec low = _mm512_and_si512(_mm512_permutexvar_epi8(load(pack), d), own);
        const vec all =
            _mm512_or_si512(low, _mm512_maskz_permutexvar_epi8(SEVENTH, load(lowest), d));
        uint8_t *const at = (uint8_t *)z + BYTES * i;
        if (i < v - 3) _mm512_storeu_si512(at, all);   /* the last 12 bytes are written again */
        else _mm512_mask_storeu_epi8(at, bytes(8 * n, BYTES * (size_t)i), all);
    }
}

/* --- Products --------------------------------------------------------------------------------- */

/* the digits of n limbs, and the vectors that hold them */
static inline size_t length(size_t n) { return (16 * n + 12) / 13; }
static inline size_t vectors(size_t n) { return (8 * n + BYTES - 1) / BYTES; }

/* the room of digits, which are as secret as the factors */
TY_INLINE void forget(vec *d, const int v)
{
    EACH(i, v) d[i] = _mm512_setzero_si512();
    __asm__ volatile("" : : "r"(d) : "memory");
}

/* x[v] moved up by a lane, to x[v+1] */
TY_INLINE void up_all(vec *x, const int v)
{
    EACH(k, v) x[v - k] = up(x[v - k], x[v - k - 1]);
    x[0] = up(x[0], _mm512_setzero_si512());
}

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

/* z[xn+yn] = xy, both of v vectors and at most `count` digits; x moves up */
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

/* The same for x[r], x[r + W], .., each by the digits of x after it only. x[W q + r] leaves out the
 * lowest lanes of c[q] up to itself, which are 2r + 1, and where they are W or more all of c[q]. */
TY_INLINE void by_later(vec *low, vec *high, const vec *c, const uint64_t *x, const int r,
                        const int count)
{
    const int skip = (2 * r + 1) / W;
    const __mmask8 rest = (__mmask8)(0xff << (2 * r + 1) % W);
    EACH(q, (count - 2 - r) / W + 1) {
        const vec d = _mm512_set1_epi64((long long)x[W * q + r]);
        EACH(k, (count - 1 + r) / W + 1 - q - skip) {
            const int from = q + skip + k, to = q + from;
            const __mmask8 lanes = k == 0 ? rest : 0xff;
            low[to] = _mm512_mask_madd52lo_epu64(low[to], lanes, c[from], d);
            high[to] = _mm512_mask_madd52hi_epu64(high[to], lanes, c[from], d);
        }
    }
}

/* The k-th vector of a square: twice the sums, upper halves a lane above the lower ones, and the
 * squares of four digits of x, each in two lanes */
TY_INLINE vec with_squares(vec low, vec high, vec below, vec x, const int k)
{
    const vec twice = k % 2 ? _mm512_set_epi64(7, 7, 6, 6, 5, 5, 4, 4)
                            : _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0);
    const vec d = _mm512_permutexvar_epi64(twice, x), sum = _mm512_add_epi64(low, up(high, below));
    const vec t = _mm512_mask_madd52lo_epu64(_mm512_add_epi64(sum, sum), 0x55, d, d);
    return _mm512_mask_madd52hi_epu64(t, 0xaa, d, d);
}

/* z[2n] = x^2, of v vectors and at most `count` digits */
TY_INLINE void square(ty_limb *z, const ty_limb *x, size_t n, const int v, const int count)
{
    vec d[MOST], c[MOST + 1], low[2 * MOST], high[2 * MOST], t[2 * MOST];
    const vec zero = _mm512_setzero_si512();
    const int sums = (2 * count + W - 1) / W;
    EACH(i, v) c[i] = d[i] = digits(x, n, i, v);
    c[v] = zero;
    EACH(i, sums) low[i] = high[i] = zero;
    const uint64_t *const each = (const uint64_t *)(const void *)d;
    EACH(r, W) {
        by_later(low, high, c, each, r, count);
        up_all(c, v);
    }
    EACH(k, sums) t[k] = with_squares(low[k], high[k], k ? high[k - 1] : zero, d[k / 2], k);
    limbs(z, 2 * n, t, sums);
    forget(d, v);
}

/* --- All lengths ------------------------------------------------------------------------------ */

/* Functions by the vectors of the longer factor, or by a fourth of its digits, rounded up */
typedef void product_fn(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
typedef void square_fn(ty_limb *z, const ty_limb *x, size_t n);
#    define BY_VECTORS(v)                                                                          \
        static void ty_limb_product_##v##_gfni512(ty_limb *z, const ty_limb *x, size_t xn,         \
                                                  const ty_limb *y, size_t yn)                     \
        {                                                                                          \
            product(z, x, xn, y, yn, v);                                                           \
        }
BY_VECTORS(4) BY_VECTORS(5) BY_VECTORS(6)
#    define BY_DIGITS(count)                                                                       \
        static void ty_limb_product_in_place_##count##_gfni512(                                    \
            ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn)                  \
        {                                                                                          \
            product_in_place(z, x, xn, y, yn, (count + W - 1) / W, count);                         \
        }
BY_DIGITS(16) BY_DIGITS(20) BY_DIGITS(24) BY_DIGITS(28)
#    define SQUARED(count)                                                                         \
        static void ty_limb_square_##count##_gfni512(ty_limb *z, const ty_limb *x, size_t n)       \
        {                                                                                          \
            square(z, x, n, (count + W - 1) / W, count);                                           \
        }
SQUARED(20) SQUARED(24) SQUARED(28) SQUARED(32) SQUARED(40) SQUARED(48)
#define OF(v) [v] = ty_limb_product_##v##_gfni512
static product_fn *const products[] = { OF(4), OF(5), OF(6) };
#undef OF
#define OF(fourth, count) [fourth] = ty_limb_product_in_place_##count##_gfni512
static product_fn *const products_in_place[] = { OF(4, 16), OF(5, 20), OF(6, 24), OF(7, 28) };
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

static inline size_t held(size_t v) { return BYTES * v / 8; }   /* limbs */

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
    else if (length(xn) > IN_PLACE) products[vectors(yn)](z, x, xn, y, yn);
    else products_in_place[(length(xn) + 3) / 4](z, x, xn, y, yn);
}

void ty_limb_sqr_gfni512(ty_limb *z, const ty_limb *x, size_t n)
{
    if (n < SQUARE || n > LONGEST) rows_sqr(z, x, n);
    else squares[(length(n) + 3) / 4](z, x, n);
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
static void ty_limb_gather_gfni512(ty_limb *z, const ty_limb *table, size_t n, size_t count,
                                   size_t index)
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
