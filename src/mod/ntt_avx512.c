/* Products of long integers in double-precision floating point, eight values in a register:
 * AVX-512. Its 32 registers hold eight vectors and their factors, so that three levels are done at
 * once, or two leaves side by side.
 *
 * ranges, in units of p (2^52 is 4.7 p), proved in tests/formal/ntt.py:
 * forward   in 2.25; before three levels the first value is reduced to 0.51, and products of 0.56,
 *           0.58 and 0.6 are added to it: out 2.25, and values that are multiplied are below 3.5. A
 *           leaf does that twice.
 * product   (scaled: 0.56)(2.25) < 1.3 p^2, and its quotient, h/p, has an error below 0.7: out 0.7
 * inverse   in 1.12; sums of four and differences of sums of two are below 4.5. See level_up for
 *           the values that are reduced; the others are sums of two products or of two reduced
 *           values: out 1.12
 * columns, joined   as in ntt_avx2.c
 *
 * bound: a butterfly takes 4 FMAs and 4 sums, of which Zen 4 starts one of each per cycle for eight
 * values: 50 cycles for three levels of 64 values, with the reduction. Measured, in core cycles:
 * 65 from the cache; a leaf, with its roots and transpositions, 140 forward for six levels and 155
 * for the inverse; a whole product of 2^20 bits 70 for each of its 2^15 coefficients, where the
 * avx2 tier takes 90. */
#include "mod/ntt.h"

#if defined(__x86_64__)
#include "base/doubles.h"

#include <immintrin.h>

#include "mod/ntt_digits.h"

#define TY_LEVEL avx512
#include "base/level_begin.h"

#define W       8
#define LEAF    64
#define WIDEST  8
typedef double __attribute__((may_alias)) word;   /* the scratch is declared as limbs */
typedef __m512d vec;

static inline vec load(const word *x) { return _mm512_loadu_pd((const double *)x); }
static inline void store(word *x, vec v) { _mm512_storeu_pd((double *)x, v); }
static inline void store_one(word *x, vec v) { *x = _mm512_cvtsd_f64(v); }
static inline word first(vec x) { return _mm512_cvtsd_f64(x); }
static inline vec all(word x) { return _mm512_set1_pd(x); }
static inline vec add(vec x, vec y) { return _mm512_add_pd(x, y); }
struct consts;
static inline vec sub(vec x, vec y, const struct consts *k)
{
    (void)k;
    return _mm512_sub_pd(x, y);
}

static inline vec rounded(vec x, vec y) { return _mm512_mul_pd(x, y); }
static inline vec times_add(vec x, vec y, vec z) { return _mm512_fmadd_pd(x, y, z); }
static inline vec times_less(vec x, vec y, vec z) { return _mm512_fmsub_pd(x, y, z); }
static inline vec less_times(vec z, vec x, vec y) { return _mm512_fnmadd_pd(x, y, z); }

static inline vec add_if_negative(vec x, vec y)
{
    return _mm512_mask_add_pd(x, _mm512_cmp_pd_mask(x, _mm512_setzero_pd(), _CMP_LT_OQ), x, y);
}

static inline __m512i same(uint64_t x) { return _mm512_set1_epi64((long long)x); }
static inline vec bits_of(__m512i x) { return _mm512_castsi512_pd(x); }

static inline void halves_of(const uint64_t *digits, vec *high, vec *low)
{
    const __m512i d = _mm512_loadu_si512(digits);
    *high = bits_of(_mm512_or_si512(_mm512_srli_epi64(d, 32), same(0x4530000000000000)));
    *low = bits_of(
        _mm512_or_si512(_mm512_and_si512(d, same(0xffffffff)), same(0x4330000000000000)));
}

static inline void put_digits(uint64_t *t, vec x)
{
    const vec unit = bits_of(same(0x4330000000000000));
    _mm512_storeu_si512(t, _mm512_castpd_si512(_mm512_xor_pd(add(x, unit), unit)));
}

#include "mod/ntt_doubles.h"

/* --- Three levels of eight vectors ------------------------------------------------------------ */

/* One level, with butterflies of vectors that are h apart; f: the factors of its nodes. x[0] is
 * reduced before the first level. */
TY_INLINE void level_down(vec x[8], unsigned h, const factor *f, const consts *k)
{
    TY_UNROLL for (unsigned i = 0; i < 4; i++) {
        const unsigned node = i / h, n = 2 * h * node + i % h;
        const vec t = times(x[n + h], f[node], k), s = x[n];
        x[n] = add(s, t);
        x[n + h] = sub(s, t, k);
    }
}

/* The inverse of level_down. These are reduced: in the second level the sums of four values; in the
 * third the sums of two sums of two products (n = 1), and of two products of differences of sums
 * (n = 2). */
TY_INLINE void level_up(vec x[8], unsigned h, const factor *f, const consts *k)
{
    TY_UNROLL for (unsigned i = 0; i < 4; i++) {
        const unsigned node = i / h, n = 2 * h * node + i % h;
        const vec s = add(x[n], x[n + h]), d = sub(x[n + h], x[n], k);
        x[n] = (h == 2 && n % 4 == 0) || (h == 4 && (n == 1 || n == 2)) ? reduce(s, k) : s;
        x[n + h] = times(d, f[node], k);
    }
}

/* f = the factors of node j for count = 1, of its children for 2, of their children for 4; those of
 * the inverse in undo_nodes */
TY_INLINE void at_nodes(factor *f, unsigned count, size_t j, const ring *r)
{
    TY_UNROLL for (unsigned i = 0; i < count; i++) f[i] =
        at(r->w + count * j + i, r->v + count * j + i);
}

TY_INLINE void undo_nodes(factor *f, unsigned count, size_t j, const ring *r)
{
    TY_UNROLL for (unsigned i = 0; i < count; i++) f[i] = undo_at(j, count, count - 1 - i, r);
}

static void ty_ntt_forward_8_avx512(word *x, size_t h, size_t j, const ring *r)
{
    const consts k = r->k;
    factor f1[1], f2[2], f4[4];
    at_nodes(f1, 1, j, r);
    at_nodes(f2, 2, j, r);
    at_nodes(f4, 4, j, r);
    for (word *end = x + h; x < end; x += W) {
        vec a[8];
        TY_UNROLL for (unsigned n = 0; n < 8; n++) a[n] = load(x + n * h);
        a[0] = reduce(a[0], &k);
        level_down(a, 4, f1, &k);
        level_down(a, 2, f2, &k);
        level_down(a, 1, f4, &k);
        TY_UNROLL for (unsigned n = 0; n < 8; n++) store(x + n * h, a[n]);
    }
}

static void ty_ntt_inverse_8_avx512(word *x, size_t h, size_t j, const ring *r)
{
    const consts k = r->k;
    factor f1[1], f2[2], f4[4];
    undo_nodes(f1, 1, j, r);
    undo_nodes(f2, 2, j, r);
    undo_nodes(f4, 4, j, r);
    for (word *end = x + h; x < end; x += W) {
        vec a[8];
        TY_UNROLL for (unsigned n = 0; n < 8; n++) a[n] = load(x + n * h);
        level_up(a, 1, f4, &k);
        level_up(a, 2, f2, &k);
        level_up(a, 4, f1, &k);
        TY_UNROLL for (unsigned n = 0; n < 8; n++) store(x + n * h, a[n]);
    }
}

/* --- 64 points in registers: three levels across them, then rows become columns, and three levels
 * within */

static inline vec even(vec x, vec y) { return _mm512_unpacklo_pd(x, y); }
static inline vec odd(vec x, vec y) { return _mm512_unpackhi_pd(x, y); }
static inline vec pairs_02(vec x, vec y) { return _mm512_shuffle_f64x2(x, y, 0x88); }
static inline vec pairs_13(vec x, vec y) { return _mm512_shuffle_f64x2(x, y, 0xdd); }
static inline vec pairs_20(vec x, vec y) { return _mm512_shuffle_f64x2(x, y, 0x22); }
static inline vec pairs_31(vec x, vec y) { return _mm512_shuffle_f64x2(x, y, 0x77); }

/* Rows become columns; the inverse is the same. */
TY_INLINE void transpose(vec x[8])
{
    vec a[8], b[8];
    TY_UNROLL for (unsigned i = 0; i < 8; i += 2) {
        a[i] = even(x[i], x[i + 1]);
        a[i + 1] = odd(x[i], x[i + 1]);
    }
    TY_UNROLL for (unsigned i = 0; i < 8; i += 4) {
        TY_UNROLL for (unsigned l = 0; l < 2; l++) {
            b[i + l] = pairs_02(a[i + l], a[i + l + 2]);
            b[i + l + 2] = pairs_13(a[i + l], a[i + l + 2]);
        }
    }
    TY_UNROLL for (unsigned i = 0; i < 4; i++) {
        x[i] = pairs_02(b[i], b[i + 4]);
        x[i + 4] = pairs_13(b[i], b[i + 4]);
    }
}

/* After this and a transposition the lanes are rows 0, 2, 1, 3, 4, 6, 5, 7: the order that the
 * vectors of factors below have. */
static inline void swap_rows(vec x[8])
{
    const vec a = x[1], b = x[5];
    x[1] = x[2], x[2] = a;
    x[5] = x[6], x[6] = b;
}

/* f[i] = x[count l + i] for the lanes l in that order */
TY_INLINE void order(vec *f, unsigned count, const word *x)
{
    const vec a = load(x);
    if (count == 1) f[0] = _mm512_permutex_pd(a, 0xd8);
    if (count == 1) return;
    const vec b = load(x + 8);
    if (count == 2) {
        f[0] = _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 4, 2, 6, 8, 12, 10, 14), b);
        f[1] = _mm512_permutex2var_pd(a, _mm512_setr_epi64(1, 5, 3, 7, 9, 13, 11, 15), b);
        return;
    }
    const vec c = load(x + 16), d = load(x + 24);
    f[0] = pairs_02(even(a, b), even(c, d));
    f[1] = pairs_02(odd(a, b), odd(c, d));
    f[2] = pairs_13(even(a, b), even(c, d));
    f[3] = pairs_13(odd(a, b), odd(c, d));
}

/* f[i] = x[8 count - 1 - (count l + i)]: the same for a table in reverse order */
TY_INLINE void order_mirrored(vec *f, unsigned count, const word *x)
{
    const vec a = load(x);
    if (count == 1) f[0] = _mm512_permutexvar_pd(_mm512_setr_epi64(7, 5, 6, 4, 3, 1, 2, 0), a);
    if (count == 1) return;
    const vec b = load(x + 8);
    if (count == 2) {
        f[0] = _mm512_permutex2var_pd(a, _mm512_setr_epi64(15, 11, 13, 9, 7, 3, 5, 1), b);
        f[1] = _mm512_permutex2var_pd(a, _mm512_setr_epi64(14, 10, 12, 8, 6, 2, 4, 0), b);
        return;
    }
    const vec c = load(x + 16), d = load(x + 24);
    f[0] = pairs_31(odd(d, c), odd(b, a));
    f[1] = pairs_31(even(d, c), even(b, a));
    f[2] = pairs_20(odd(d, c), odd(b, a));
    f[3] = pairs_20(even(d, c), even(b, a));
}

/* As at_nodes and undo_nodes, but for the nodes 8j, 8j + 1, .. 8j + 7 at once: one in each lane, in
 * that order */
TY_INLINE void within(factor *f, unsigned count, size_t j, const ring *r)
{
    vec w[4], v[4];
    order(w, count, r->w + 8 * count * j);
    order(v, count, r->v + 8 * count * j);
    TY_UNROLL for (unsigned i = 0; i < count; i++) f[i].w = w[i], f[i].v = v[i];
}

TY_INLINE void undo_within(factor *f, unsigned count, size_t j, const ring *r)
{
    const word *one, *other;
    vec w[4], v[4];
    undo(&one, &other, j, 8 * count, r);
    order_mirrored(w, count, one);
    order_mirrored(v, count, other);
    TY_UNROLL for (unsigned i = 0; i < count; i++) f[i].w = w[i], f[i].v = v[i];
}

/* Leaves that are transformed together, level by level: in a single one each level would wait for
 * the one before. */
enum { SIDE = 2 };

TY_INLINE void forward_leaves(word *x, unsigned count, size_t j, const ring *r)
{
    const consts k = r->k;
    vec a[SIDE][8];
    factor f[4];
    TY_UNROLL for (unsigned n = 0; n < 8 * count; n++) a[n / 8][n % 8] = load(x + 8 * n);
    TY_UNROLL for (unsigned l = 0; l < count; l++) a[l][0] = reduce(a[l][0], &k);
    TY_UNROLL for (unsigned h = 4; h; h /= 2) {
        TY_UNROLL for (unsigned l = 0; l < count; l++) {
            at_nodes(f, 4 / h, j + l, r);
            level_down(a[l], h, f, &k);
        }
    }
    TY_UNROLL for (unsigned l = 0; l < count; l++) {
        swap_rows(a[l]);
        transpose(a[l]);
        a[l][0] = reduce(a[l][0], &k);
    }
    TY_UNROLL for (unsigned h = 4; h; h /= 2) {
        TY_UNROLL for (unsigned l = 0; l < count; l++) {
            within(f, 4 / h, j + l, r);
            level_down(a[l], h, f, &k);
        }
    }
    TY_UNROLL for (unsigned n = 0; n < 8 * count; n++) store(x + 8 * n, a[n / 8][n % 8]);
}

TY_INLINE void inverse_leaves(word *x, unsigned count, size_t j, const ring *r)
{
    const consts k = r->k;
    vec a[SIDE][8];
    factor f[4];
    TY_UNROLL for (unsigned n = 0; n < 8 * count; n++) a[n / 8][n % 8] = load(x + 8 * n);
    TY_UNROLL for (unsigned h = 1; h < 8; h *= 2) {
        TY_UNROLL for (unsigned l = 0; l < count; l++) {
            undo_within(f, 4 / h, j + l, r);
            level_up(a[l], h, f, &k);
        }
    }
    TY_UNROLL for (unsigned l = 0; l < count; l++) {
        transpose(a[l]);
        swap_rows(a[l]);
    }
    TY_UNROLL for (unsigned h = 1; h < 8; h *= 2) {
        TY_UNROLL for (unsigned l = 0; l < count; l++) {
            undo_nodes(f, 4 / h, j + l, r);
            level_up(a[l], h, f, &k);
        }
    }
    TY_UNROLL for (unsigned n = 0; n < 8 * count; n++) store(x + 8 * n, a[n / 8][n % 8]);
}

static void ty_ntt_leaves_forward_avx512(word *x, size_t count, size_t j, const ring *r)
{
    for (; count >= SIDE; count -= SIDE, j += SIDE, x += SIDE * LEAF) forward_leaves(x, SIDE, j, r);
    for (; count; count--, j++, x += LEAF) forward_leaves(x, 1, j, r);
}

static void ty_ntt_leaves_inverse_avx512(word *x, size_t count, size_t j, const ring *r)
{
    for (; count >= SIDE; count -= SIDE, j += SIDE, x += SIDE * LEAF) inverse_leaves(x, SIDE, j, r);
    for (; count; count--, j++, x += LEAF) inverse_leaves(x, 1, j, r);
}

const ty_ntt_ops ty_ntt_ops_avx512 = { ty_ntt_mul_avx512, W };
#include "base/level_end.h"
#endif
