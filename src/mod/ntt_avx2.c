/* Products of long integers in double-precision floating point, four values in a register: AVX2
 * with FMA.
 *
 * ranges, in units of p (2^52 is 4.7 p), proved in tests/formal/ntt.py:
 * forward   in 1.7; the first value a is reduced to 0.51, and products are below 0.58: out 0.51 +
 *           2 * 0.58 < 1.7, and values that are multiplied are below 2.3. In the second half of a
 *           leaf a is not reduced: out 1.7 + 2 * 0.58 < 2.9
 * product   (scaled: 0.58)(2.9) < 1.7 p^2 < 2^50.6 p, and its quotient, h/p, has an error of 1/2 +
 *           1.7p 2^-52 < 0.9: out 0.9
 * inverse   in 1.12; sums of four and differences of two sums are below 4.5; out: reduced, or a
 *           product, or the sum of two products of differences of two, each 1/2 + 2.24p/2^55 <
 *           0.56: 1.12
 * columns   forward: a product and a digit, 0.6 + 0.51. Inverse: 1.12 and up to two products more,
 *           2.4; a difference that is multiplied is 1.12 less a reduced value: below 1.7
 * joined    2.4, less a value that is below another prime: 3.5
 *
 * bound: a butterfly takes 4 FMAs and 4 sums, of which Zen 3 starts two of each per cycle: 2 cycles
 * for four butterflies; two levels take 0.56 per value, with the reduction. Measured, with another
 * thread on the core: 1.0 from the cache; a leaf, with its roots and transpositions, 3.6 for four
 * levels; a whole product of 2^20 bits 113 cycles for each of its 2^15 coefficients, with a bound
 * of 51. */
#include "mod/ntt.h"

#if defined(__x86_64__)
#include "base/doubles.h"

#include <immintrin.h>

#include "mod/ntt_digits.h"

#define TY_LEVEL avx2
#include "base/level_begin.h"

#define W       4
#define LEAF    16
#define WIDEST  4
typedef double __attribute__((may_alias)) word;   /* the scratch is declared as limbs */
typedef __m256d vec;

static inline vec load(const word *x) { return _mm256_loadu_pd((const double *)x); }
static inline void store(word *x, vec v) { _mm256_storeu_pd((double *)x, v); }
static inline void store_one(word *x, vec v) { *x = _mm256_cvtsd_f64(v); }
static inline word first(vec x) { return _mm256_cvtsd_f64(x); }
static inline vec all(word x) { return _mm256_set1_pd(x); }
static inline vec add(vec x, vec y) { return _mm256_add_pd(x, y); }
struct consts;
static inline vec sub(vec x, vec y, const struct consts *k)
{
    (void)k;
    return _mm256_sub_pd(x, y);
}

static inline vec rounded(vec x, vec y) { return _mm256_mul_pd(x, y); }
static inline vec times_add(vec x, vec y, vec z) { return _mm256_fmadd_pd(x, y, z); }
static inline vec times_less(vec x, vec y, vec z) { return _mm256_fmsub_pd(x, y, z); }
static inline vec less_times(vec z, vec x, vec y) { return _mm256_fnmadd_pd(x, y, z); }

static inline vec add_if_negative(vec x, vec y)
{
    return add(x, _mm256_and_pd(_mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_LT_OQ), y));
}

static inline __m256i same(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
static inline vec bits_of(__m256i x) { return _mm256_castsi256_pd(x); }

static inline void halves_of(const uint64_t *digits, vec *high, vec *low)
{
    const __m256i d = _mm256_loadu_si256((const __m256i *)(const void *)digits);
    *high = bits_of(_mm256_or_si256(_mm256_srli_epi64(d, 32), same(0x4530000000000000)));
    *low = bits_of(_mm256_blend_epi32(d, same(0x4330000000000000), 0xaa));
}

static inline void put_digits(uint64_t *t, vec x)
{
    const vec unit = bits_of(same(0x4330000000000000));
    _mm256_storeu_si256((__m256i *)(void *)t,
                        _mm256_castpd_si256(_mm256_xor_pd(add(x, unit), unit)));
}

#include "mod/ntt_doubles.h"

/* --- 16 points in registers: two levels across them, then rows become columns, and two levels
 * within */

/* Rows become columns; the lanes of a column are rows 0, 2, 1, 3. */
static inline void transpose(vec x[4])
{
    const vec a = _mm256_unpacklo_pd(x[0], x[2]), b = _mm256_unpackhi_pd(x[0], x[2]);
    const vec c = _mm256_unpacklo_pd(x[1], x[3]), d = _mm256_unpackhi_pd(x[1], x[3]);
    x[0] = _mm256_permute2f128_pd(a, c, 0x20);
    x[1] = _mm256_permute2f128_pd(b, d, 0x20);
    x[2] = _mm256_permute2f128_pd(a, c, 0x31);
    x[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

static inline void transpose_back(vec x[4])
{
    const vec a = _mm256_unpacklo_pd(x[0], x[1]), b = _mm256_unpackhi_pd(x[0], x[1]);
    const vec c = _mm256_unpacklo_pd(x[2], x[3]), d = _mm256_unpackhi_pd(x[2], x[3]);
    x[0] = _mm256_permute2f128_pd(a, c, 0x20);
    x[2] = _mm256_permute2f128_pd(b, d, 0x20);
    x[1] = _mm256_permute2f128_pd(a, c, 0x31);
    x[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

/* like ntt_forward_4 of ntt_body.h; x[0] is reduced already */
static inline void down(vec x[4], factor f, factor g, factor i, const consts *k)
{
    const vec c = times(x[2], f, k), d = times(x[3], f, k), s = add(x[0], c), t = sub(x[0], c, k);
    const vec u = times(add(x[1], d), g, k), v = times(sub(x[1], d, k), i, k);
    x[0] = add(s, u);
    x[1] = sub(s, u, k);
    x[2] = add(t, v);
    x[3] = sub(t, v, k);
}

/* like ntt_inverse_4 */
static inline void up(vec x[4], factor f, factor g, factor i, const consts *k)
{
    const vec s = add(x[0], x[1]), t = add(x[2], x[3]);
    const vec u = times(sub(x[1], x[0], k), g, k), v = times(sub(x[3], x[2], k), i, k);
    x[0] = reduce(add(s, t), k);
    x[1] = add(u, v);
    x[2] = times(sub(t, s, k), f, k);
    x[3] = times(sub(v, u, k), f, k);
}

static void ty_ntt_leaf_forward_avx2(word *x, size_t j, const ring *r)
{
    const consts k = r->k;
    const word *w = r->w, *v = r->v;
    vec a[4] = { reduce(load(x), &k), load(x + 4), load(x + 8), load(x + 12) };
    down(a, at(w + j, v + j), at(w + 2 * j, v + 2 * j), at(w + 2 * j + 1, v + 2 * j + 1), &k);
    transpose(a);
    /* w[4j + c], w[8j + 2c], w[8j + 2c + 1] for c = 0, 2, 1, 3 */
    const factor f = { _mm256_permute4x64_pd(load(w + 4 * j), 0xd8),
                       _mm256_permute4x64_pd(load(v + 4 * j), 0xd8) };
    const vec w0 = load(w + 8 * j), w1 = load(w + 8 * j + 4), v0 = load(v + 8 * j),
              v1 = load(v + 8 * j + 4);
    const factor g = { _mm256_unpacklo_pd(w0, w1), _mm256_unpacklo_pd(v0, v1) };
    const factor i = { _mm256_unpackhi_pd(w0, w1), _mm256_unpackhi_pd(v0, v1) };
    down(a, f, g, i, &k);
    for (int n = 0; n < 4; n++) store(x + 4 * n, a[n]);
}

static inline vec mirrored(vec x) { return _mm256_permute4x64_pd(x, 0x27); }   /* 3, 1, 2, 0 */
static inline vec swap128(vec x) { return _mm256_permute2f128_pd(x, x, 1); }

static void ty_ntt_leaf_inverse_avx2(word *x, size_t j, const ring *r)
{
    const consts k = r->k;
    const word *w, *v;
    vec a[4] = { load(x), load(x + 4), load(x + 8), load(x + 12) };
    undo(&w, &v, j, 4, r);
    const factor f = { mirrored(load(w)), mirrored(load(v)) };
    undo(&w, &v, j, 8, r);
    const vec w0 = load(w), w1 = load(w + 4), v0 = load(v), v1 = load(v + 4);
    const factor g = { swap128(_mm256_unpackhi_pd(w1, w0)), swap128(_mm256_unpackhi_pd(v1, v0)) };
    const factor i = { swap128(_mm256_unpacklo_pd(w1, w0)), swap128(_mm256_unpacklo_pd(v1, v0)) };
    up(a, f, g, i, &k);
    transpose_back(a);
    up(a, undo_at(j, 1, 0, r), undo_at(j, 2, 1, r), undo_at(j, 2, 0, r), &k);
    for (int n = 0; n < 4; n++) store(x + 4 * n, a[n]);
}

static void ty_ntt_leaves_forward_avx2(word *x, size_t count, size_t j, const ring *r)
{
    for (; count; count--, j++, x += LEAF) ty_ntt_leaf_forward_avx2(x, j, r);
}

static void ty_ntt_leaves_inverse_avx2(word *x, size_t count, size_t j, const ring *r)
{
    for (; count; count--, j++, x += LEAF) ty_ntt_leaf_inverse_avx2(x, j, r);
}

const ty_ntt_ops ty_ntt_ops_avx2 = { ty_ntt_mul_avx2, W };
#include "base/level_end.h"
#endif
