/* Montgomery products in doubles by AVX2 and FMA: see reals.h.
 *
 * A sum of products is kept as two doubles: h = 1.5 2^(b+52) plus a multiple of 2^b, and l, the
 * rest. One more product:
 *     u = xy + h        rounded: it lies in [2^(b+52), 2^(b+53)), where doubles are 2^b apart
 *     d = h - u         exact: a multiple of 2^b below 2^(b+53)
 *     xy + d            the rounding error: an integer, at most 2^(b-1) in absolute value, exact;
 *                       it is added to l
 * With n products of digits h stays within 2^(b+51) of its first value, and l is below n 2^(b-1) <
 * 2^53, an exact sum of integers.
 *
 * Four columns are a vector, a tile: row i of a product adds y[i] times the digits of x, i columns
 * higher, to every tile. Four rows at a time run over the tiles, whose sums are in memory, two
 * tiles at a time, so that enough products are independent of each other.
 *
 * A product is reduced in three steps, each with all its columns at once, so that nothing waits for
 * digits of a quotient: T = xy; q = the lower half of T (-1/m); the upper half of T + qm. The lower
 * half of that is known to be zero except for a carry, for which two of its columns are enough.
 *
 * bound: n^2/2 and n^2/2 + 2n products of digits to reduce, n^2/2 + n/2 for a square, n^2 for a
 * product; two pipes for FMAs and two for additions do four of them in a core cycle. Measured on
 * Zen 3: 1.6 to 1.9 cycles for four, which are five to seven instructions, and a core shared with
 * another thread starts three to four in a cycle. */
#include "modn/reals.h"

#if defined(TY_HAS_REALS)
#include "base/doubles.h"
#include "base/unroll.h"

#include <immintrin.h>
#include <string.h>

#define TY_LEVEL avx2
#include "base/level_begin.h"

typedef __m256d vec;
enum { W = 4, R = 4 };   /* lanes, rows at a time */

#define UNROLLED _Pragma("GCC unroll 4")
#define SET1     _mm256_set1_pd
#define LOAD     _mm256_load_pd
#define LOADU    _mm256_loadu_pd
#define STORE    _mm256_store_pd
#define STOREU   _mm256_storeu_pd
#define ADD      _mm256_add_pd
#define SUB      _mm256_sub_pd
#define FMA      _mm256_fmadd_pd

/* Makes the compiler load x once, though a product needs it twice. (MemorySanitizer cannot look
 * through this.) */
#if defined(TY_CT_MSAN)
#  define ONCE(x) ((void)0)
#else
#  define ONCE(x) __asm__("" : "+x"(x))
#endif

/* --- Sums: [tile] of h[W], l[W] --------------------------------------------------------------- */

TY_INLINE size_t tiles_of(size_t columns) { return (columns + W - 1) / W; }
TY_INLINE size_t least(size_t x, size_t y) { return x < y ? x : y; }

TY_INLINE void term(vec *h, vec *l, vec x, vec y)
{
    const vec u = FMA(x, y, *h);
    *l = ADD(*l, FMA(x, y, SUB(*h, u)));
    *h = u;
}

/* K rows on T tiles; x: the digit for row 0 and the first column of the first tile */
TY_INLINE void block(ty_real *sums, const ty_real *x, const vec y[R], int T, int K)
{
    vec h[2], l[2];
    UNROLLED for (int t = 0; t < T; t++) {
        h[t] = LOAD(sums + 2 * W * t);
        l[t] = LOAD(sums + 2 * W * t + W);
    }
    UNROLLED for (int r = 0; r < K; r++)
        UNROLLED for (int t = 0; t < T; t++) {
            vec v = LOADU(x + W * t - r);
            ONCE(v);
            term(h + t, l + t, v, y[r]);
        }
    UNROLLED for (int t = 0; t < T; t++) {
        STORE(sums + 2 * W * t, h[t]);
        STORE(sums + 2 * W * t + W, l[t]);
    }
}

/* K rows, of y[0..K), times factor, on tiles from <= t < to; x: the digit for row 0 and column 0 */
TY_INLINE void rows(ty_real *sums, const ty_real *x, const ty_real *y, double factor, size_t from,
                    size_t to, int K)
{
    vec b[R];
    UNROLLED for (int r = 0; r < K; r++) b[r] = SET1(factor * y[r]);
    for (; from + 2 <= to; from += 2) block(sums + 2 * W * from, x + W * from, b, 2, K);
    if (from < to) block(sums + 2 * W * from, x + W * from, b, 1, K);
}

/* All n rows, n even */
#define BY_ROWS(i, n, DO) do {                     \
        size_t i = 0;                              \
        for (; i + R <= (n); i += R) DO(R);        \
        if (i < (n)) DO(2);                        \
    } while (0)

static void ty_reals_clear_avx2(ty_real *sums, size_t tiles, double top)
{
    for (; tiles--; sums += 2 * W) STORE(sums, SET1(top)), STORE(sums + W, SET1(0));
}

/* the last lane of `before`, then the first three of x */
TY_INLINE vec up(vec before, vec x)
{
    return _mm256_shuffle_pd(_mm256_permute2f128_pd(before, x, 0x21), x, 5);
}

/* z = the digits of the columns' sums, plus `add` unless it is NULL: the part in h, and then a
 * carry below n, go one column up. */
TY_INLINE void digits(ty_real *z, const ty_real *sums, const ty_real *add, size_t tiles,
                      double unit, double top)
{
    const vec down = SET1(1 / unit), big = SET1(top);
    vec h0 = SET1(0), c0 = SET1(0);
    for (size_t t = 0; t < tiles; t++, sums += 2 * W) {
        const vec h = SUB(LOAD(sums), big);
        vec v = FMA(up(h0, h), down, LOAD(sums + W));
        if (add) v = ADD(v, LOADU(add + W * t));
        const vec c = SUB(ADD(v, big), big);   /* v, rounded to a multiple of 2^b */
        STOREU(z + W * t, FMA(up(c0, c), down, SUB(v, c)));
        h0 = h, c0 = c;
    }
}

/* --- Products --------------------------------------------------------------------------------- */

/* The scratch of a kernel: a padded number, T and q, and sums; top: 1.5 2^(b+52) */
typedef struct work {
    size_t n;
    double unit, top;
    ty_real *x, *t, *q, *sums;
} work;

static work ty_reals_begin_avx2(const ty_reals *w)
{
    const size_t n = w->n;
    work k = { n, w->unit, w->unit * 0x1.8p52, NULL, NULL, NULL, w->t };
    k.t = k.sums + 2 * W * tiles_of(2 * n);
    k.q = k.t + W * tiles_of(2 * n);
    k.x = k.q + W * tiles_of(n) + TY_REALS_PAD;
    memset(k.x - TY_REALS_PAD, 0, (n + 2 * TY_REALS_PAD) * sizeof *k.x);
    return k;
}

/* t[2n] = xy, x padded */
static void ty_reals_multiply_avx2(const work *k, const ty_real *x, const ty_real *y)
{
    const size_t n = k->n, tiles = tiles_of(2 * n);
    ty_reals_clear_avx2(k->sums, tiles, k->top);
#define DO(K) rows(k->sums, x - i, y + i, 1, i / W, least(tiles, tiles_of(n + i + K - 1)), K)
    BY_ROWS(i, n, DO);
#undef DO
    digits(k->t, k->sums, NULL, tiles, k->unit, k->top);
}

/* Rows i and i + 1 of a square, on the tile from column 2i on: products of different digits are
 * computed once and doubled. */
TY_INLINE void diagonal(ty_real *sums, const ty_real *x)
{
    const vec first = _mm256_setr_pd(1, 2, 2, 2), second = _mm256_setr_pd(0, 0, 1, 2);
    vec h = LOAD(sums), l = LOAD(sums + W);
    term(&h, &l, _mm256_mul_pd(LOADU(x), first), SET1(x[0]));
    term(&h, &l, _mm256_mul_pd(LOADU(x - 1), second), SET1(x[1]));
    STORE(sums, h), STORE(sums + W, l);
}

/* Rows i to i + K - 1 of a square: x points at digit i, sums at the tile of column 2i. */
TY_INLINE void square_rows(ty_real *sums, const ty_real *x, size_t tiles, int K)
{
    diagonal(sums, x);
    if (K == R) {
        rows(sums, x, x, 2, 1, 2, 2);
        diagonal(sums + 2 * W, x + 2);
    }
    rows(sums, x, x, 2, (size_t)K / 2, tiles, K);
}

/* t[2n] = x^2, x padded */
static void ty_reals_square_avx2(const work *k, const ty_real *x)
{
    const size_t n = k->n, tiles = tiles_of(2 * n);
    ty_reals_clear_avx2(k->sums, tiles, k->top);
#define DO(K) square_rows(k->sums + W * i, x + i, least(tiles, tiles_of(n + i + K - 1)) - i / 2, K)
    BY_ROWS(i, n, DO);
#undef DO
    digits(k->t, k->sums, NULL, tiles, k->unit, k->top);
}

/* x = t/R mod m. The sum is computed from column n - 2 on; the first two columns are zero except
 * for their carry. The last tile may have two columns too many, to which the words after t, those
 * of q, are added; the results are cleared. */
static void ty_reals_reduce_avx2(const work *k, const ty_reals *w)
{
    const size_t n = k->n, low = tiles_of(n), high = tiles_of(n + 2);
    ty_reals_clear_avx2(k->sums, low, k->top);
#define DO(K) rows(k->sums, w->minv - i, k->t + i, 1, i / W, low, K)
    BY_ROWS(i, n, DO);
#undef DO
    digits(k->q, k->sums, NULL, low, k->unit, k->top);
    ty_reals_clear_avx2(k->sums, high, k->top);
#define DO(K) rows(k->sums, w->m + n - 2 - i, k->q + i, 1, 0, least(high, tiles_of(i + K + 1)), K)
    BY_ROWS(i, n, DO);
#undef DO
    digits(k->x - 2, k->sums, k->t + n - 2, high, k->unit, k->top);
    memset(k->x - 2, 0, 2 * sizeof *k->x);
    memset(k->x + n, 0, W * sizeof *k->x);
}

/* --- The kernels ------------------------------------------------------------------------------ */

static void ty_reals_mul_avx2(ty_real *z, const ty_real *x, const ty_real *y, const ty_reals *w)
{
    const work k = ty_reals_begin_avx2(w);
    memcpy(k.x, x, k.n * sizeof *x);
    ty_reals_multiply_avx2(&k, k.x, y);
    ty_reals_reduce_avx2(&k, w);
    memcpy(z, k.x, k.n * sizeof *z);
}

static void ty_reals_sqrs_avx2(ty_real *z, size_t count, const ty_reals *w)
{
    const work k = ty_reals_begin_avx2(w);
    memcpy(k.x, z, k.n * sizeof *z);
    while (count--) {
        ty_reals_square_avx2(&k, k.x);
        ty_reals_reduce_avx2(&k, w);
    }
    memcpy(z, k.x, k.n * sizeof *z);
}

/* Whether rounding is to nearest and inexact results do not trap. A caller may have changed that,
 * which is rare, and public. */
static int ty_reals_ready_avx2(void)
{
    const unsigned precision_masked = 1u << 12, rounding = 3u << 13;
    return (_mm_getcsr() & (precision_masked | rounding)) == precision_masked;
}

const ty_reals_ops ty_reals_ops_avx2 = {
    24, ty_reals_ready_avx2, ty_reals_mul_avx2, ty_reals_sqrs_avx2 };

#include "base/level_end.h"
#endif
