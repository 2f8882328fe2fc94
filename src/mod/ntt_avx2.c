/* Products of long numbers with double precision, four values in a register: AVX2 with FMA.
 *
 * Values are whole numbers of at most 53 bits with a sign, which doubles hold exactly; nothing here is approximate but quotients, and
 * of these only the nearest whole number is used. Let |x| < 2^52, w a factor, |w| < p/2, v = w/p with an error of at most
 * 2^-55 (v < 1/2 is rounded to the nearest). Then
 *     h = xw rounded, l = xw - h:    exact, the error of a rounded product is a double
 *     q = xv rounded to a whole number, by adding 3 2^51, where doubles are whole, and taking it off again: |xv| < 2^51 holds
 *     |q - xw/p| <= 1/2 + |x|/2^55:  rounding, and the error of v
 *     r = (h - qp) + l = xw - qp:    |r| <= (1/2 + |x|/2^55) p < 0.63 p, the first difference less than p/2^2 more; both are whole
 *                                    numbers below 2^53, so neither the second FMA nor the sum rounds
 * No product is followed by a sum that a compiler could join to it.
 *
 * ranges, in units of p, of which 2^52 has 4.7, proved in tests/formal/ntt.py:
 * forward   in 1.7; a is reduced to 0.51, products are 0.6: out 0.51 + 2 0.58 < 1.7, what is multiplied is below 2.3. In the second
 *           half of a leaf a is not reduced: out 1.7 + 2 0.58 < 2.9
 * product   (scaled: 0.58)(2.9) < 1.7 p^2 = 2^50.6 p, and its quotient, h/p, has an error of 1/2 + 1.7p 2^-52 < 0.9: out 0.9
 * inverse   in 1.12; sums of four and differences of two sums are below 4.5; out: reduced, or a product, or the sum of two products
 *           of differences of two, each 1/2 + 2.24p/2^55 < 0.56: 1.12
 * columns   forward: a product and a digit, 0.6 + 0.51. Inverse: 1.12 and up to two products on top, 2.4; what is multiplied is 1.12
 *           less what has been reduced: below 1.7
 * joined    2.4, less what is below another prime: 3.5
 *
 * The rounding mode is set to the nearest for the time of a product, exceptions are masked, and what the caller had comes back.
 * bound: a butterfly takes 4 FMAs and 4 sums, which Zen 3 starts two of each a cycle: 2 cycles for four butterflies, 0.56 for a value
 * and two levels with the reduction. Measured, with another thread on the core: 1.0 from the cache; a leaf, with its roots and turns,
 * 3.6 for four levels; a whole product of 2^20 bits 113 cycles for each of its 2^15 coefficients, of 51. */
#include "mod/ntt.h"

#if defined(__x86_64__)
#include "base/doubles.h"

#include <immintrin.h>

#include "mod/ntt_digits.inc"

#define TY_TARGET "avx2,fma,bmi2"
#include "base/tier_begin.h"

#define W 4
typedef double __attribute__((may_alias)) word;   /* the scratch it lies in is of limbs */
typedef __m256d vec;

typedef struct consts {
    vec p, over, magic;   /* the prime, its inverse rounded, 3 2^51 */
} consts;

typedef struct factor {
    vec w, v;
} factor;

static inline vec load(const word *x) { return _mm256_loadu_pd((const double *)x); }
static inline void store(word *x, vec v) { _mm256_storeu_pd((double *)x, v); }
static inline void store_one(word *x, vec v) { *x = _mm256_cvtsd_f64(v); }
static inline word first(vec x) { return _mm256_cvtsd_f64(x); }
static inline vec all(word x) { return _mm256_set1_pd(x); }
static inline vec add(vec x, vec y) { return _mm256_add_pd(x, y); }
static inline vec sub(vec x, vec y, const consts *k)
{
    (void)k;
    return _mm256_sub_pd(x, y);
}

/* between -p/2 and p/2 */
static inline word word_of(uint64_t x, uint64_t p) { return x > p / 2 ? -(word)(p - x) : (word)x; }

static inline consts consts_of(const ty_ntt_prime *prime)
{
    const double p = (double)prime->p;
    const consts k = { all(p), all(1 / p), all(3.0 * ((uint64_t)1 << 51)) };
    return k;
}

/* to the nearest whole number, of x y */
static inline vec nearest(vec x, vec y, const consts *k)
{
    return _mm256_sub_pd(_mm256_fmadd_pd(x, y, k->magic), k->magic);
}

static inline vec times(vec x, factor f, const consts *k)
{
    const vec h = _mm256_mul_pd(x, f.w), l = _mm256_fmsub_pd(x, f.w, h), q = nearest(x, f.v, k);
    return _mm256_add_pd(_mm256_fnmadd_pd(q, k->p, h), l);
}

/* |x| <= 2^52: 1/p rounded is as good as exact, and nothing that is whole lies nearer to p/2 than 1/2 */
static inline vec reduce(vec x, const consts *k) { return _mm256_fnmadd_pd(nearest(x, k->over, k), k->p, x); }
static inline vec least(vec x, const consts *k) { return reduce(x, k); }

static inline vec product(vec x, vec y, const consts *k)
{
    const vec h = _mm256_mul_pd(x, y), l = _mm256_fmsub_pd(x, y, h), q = nearest(h, k->over, k);
    return _mm256_add_pd(_mm256_fnmadd_pd(q, k->p, h), l);
}

/* w/p: a first guess has an error of two units in its last place; what it misses of w is exact, and corrects it */
static inline vec quotients(vec w, const consts *k)
{
    const vec v = _mm256_mul_pd(w, k->over);
    return _mm256_fmadd_pd(_mm256_fnmadd_pd(v, k->p, w), k->over, v);
}

static inline factor factor_of(word w, const consts *k)
{
    const factor f = { all(w), quotients(all(w), k) };
    return f;
}

static inline vec canonical(vec x, const consts *k)
{
    const vec r = reduce(x, k);
    return _mm256_add_pd(r, _mm256_and_pd(_mm256_cmp_pd(r, _mm256_setzero_pd(), _CMP_LT_OQ), k->p));
}

static inline __m256i same(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
static inline vec bits_of(__m256i x) { return _mm256_castsi256_pd(x); }

/* 64 bits in two halves, each below the leading bit of a double whose last place is its unit: 2^84 + high 2^32, 2^52 + low */
static inline vec residues(const uint64_t *digits, const consts *k)
{
    const __m256i d = _mm256_loadu_si256((const __m256i *)(const void *)digits);
    const __m256i high = _mm256_or_si256(_mm256_srli_epi64(d, 32), same(0x4530000000000000));
    const __m256i low = _mm256_blend_epi32(d, same(0x4330000000000000), 0xaa);
    const vec top = _mm256_sub_pd(bits_of(high), bits_of(same(0x4530000000000000)));
    return add(reduce(top, k), _mm256_sub_pd(bits_of(low), bits_of(same(0x4330000000000000))));
}

/* 0 <= x < 2^52 */
static inline void put_digits(uint64_t *t, vec x)
{
    const vec unit = bits_of(same(0x4330000000000000));
    _mm256_storeu_si256((__m256i *)(void *)t, _mm256_castpd_si256(_mm256_xor_pd(add(x, unit), unit)));
}

typedef struct ring ring;
static void leaf_forward(word *x, size_t j, const ring *r);
static void leaf_inverse(word *x, size_t j, const ring *r);
#include "mod/ntt_body.inc"

/* --- 16 points in registers: two levels across them, then rows become columns, and two levels within ---------------------- */

/* The lanes are in the order 0, 2, 1, 3 of rows. */
static inline void turn(vec x[4])
{
    const vec a = _mm256_unpacklo_pd(x[0], x[2]), b = _mm256_unpackhi_pd(x[0], x[2]);
    const vec c = _mm256_unpacklo_pd(x[1], x[3]), d = _mm256_unpackhi_pd(x[1], x[3]);
    x[0] = _mm256_permute2f128_pd(a, c, 0x20);
    x[1] = _mm256_permute2f128_pd(b, d, 0x20);
    x[2] = _mm256_permute2f128_pd(a, c, 0x31);
    x[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

static inline void turn_back(vec x[4])
{
    const vec a = _mm256_unpacklo_pd(x[0], x[1]), b = _mm256_unpackhi_pd(x[0], x[1]);
    const vec c = _mm256_unpacklo_pd(x[2], x[3]), d = _mm256_unpackhi_pd(x[2], x[3]);
    x[0] = _mm256_permute2f128_pd(a, c, 0x20);
    x[2] = _mm256_permute2f128_pd(b, d, 0x20);
    x[1] = _mm256_permute2f128_pd(a, c, 0x31);
    x[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

/* as forward_4 of the body; a is reduced already */
static inline void down(vec x[4], factor f, factor g, factor i, const consts *k)
{
    const vec c = times(x[2], f, k), d = times(x[3], f, k), s = add(x[0], c), t = sub(x[0], c, k);
    const vec u = times(add(x[1], d), g, k), v = times(sub(x[1], d, k), i, k);
    x[0] = add(s, u);
    x[1] = sub(s, u, k);
    x[2] = add(t, v);
    x[3] = sub(t, v, k);
}

/* as inverse_4 */
static inline void up(vec x[4], factor f, factor g, factor i, const consts *k)
{
    const vec s = add(x[0], x[1]), t = add(x[2], x[3]);
    const vec u = times(sub(x[1], x[0], k), g, k), v = times(sub(x[3], x[2], k), i, k);
    x[0] = reduce(add(s, t), k);
    x[1] = add(u, v);
    x[2] = times(sub(t, s, k), f, k);
    x[3] = times(sub(v, u, k), f, k);
}

static void leaf_forward(word *x, size_t j, const ring *r)
{
    const consts k = r->k;
    const word *w = r->w, *v = r->v;
    vec a[4] = { reduce(load(x), &k), load(x + 4), load(x + 8), load(x + 12) };
    down(a, at(w + j, v + j), at(w + 2 * j, v + 2 * j), at(w + 2 * j + 1, v + 2 * j + 1), &k);
    turn(a);
    /* w[4j + c], w[8j + 2c], w[8j + 2c + 1] for c = 0, 2, 1, 3 */
    const factor f = { _mm256_permute4x64_pd(load(w + 4 * j), 0xd8), _mm256_permute4x64_pd(load(v + 4 * j), 0xd8) };
    const vec w0 = load(w + 8 * j), w1 = load(w + 8 * j + 4), v0 = load(v + 8 * j), v1 = load(v + 8 * j + 4);
    const factor g = { _mm256_unpacklo_pd(w0, w1), _mm256_unpacklo_pd(v0, v1) };
    const factor i = { _mm256_unpackhi_pd(w0, w1), _mm256_unpackhi_pd(v0, v1) };
    down(a, f, g, i, &k);
    for (int n = 0; n < 4; n++) store(x + 4 * n, a[n]);
}

static inline vec mirrored(vec x) { return _mm256_permute4x64_pd(x, 0x27); }   /* 3, 1, 2, 0 */
static inline vec halves(vec x) { return _mm256_permute2f128_pd(x, x, 1); }

static void leaf_inverse(word *x, size_t j, const ring *r)
{
    const consts k = r->k;
    const word *w, *v;
    vec a[4] = { load(x), load(x + 4), load(x + 8), load(x + 12) };
    undo(&w, &v, j, 4, r);
    const factor f = { mirrored(load(w)), mirrored(load(v)) };
    undo(&w, &v, j, 8, r);
    const vec w0 = load(w), w1 = load(w + 4), v0 = load(v), v1 = load(v + 4);
    const factor g = { halves(_mm256_unpackhi_pd(w1, w0)), halves(_mm256_unpackhi_pd(v1, v0)) };
    const factor i = { halves(_mm256_unpacklo_pd(w1, w0)), halves(_mm256_unpacklo_pd(v1, v0)) };
    up(a, f, g, i, &k);
    turn_back(a);
    up(a, undo_at(j, 1, 0, r), undo_at(j, 2, 1, r), undo_at(j, 2, 0, r), &k);
    for (int n = 0; n < 4; n++) store(x + 4 * n, a[n]);
}

/* A call between the changes of the mode, so that no compiler moves arithmetic across them. */
static void mul(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn, const ty_ntt_plan *plan, ty_limb *work)
{
    void (*volatile const run)(ty_limb *, const ty_limb *, size_t, const ty_limb *, size_t, const ty_ntt_plan *, ty_limb *) = whole;
    const unsigned was = _mm_getcsr();
    _mm_setcsr(0x1f80);
    run(z, x, xn, y, yn, plan, work);
    _mm_setcsr(was);
}

const ty_ntt_ops ty_ntt_ops_avx2 = { mul };
#include "base/tier_end.h"
#endif
