/* Montgomery products by AVX-512 IFMA: see ifma.h.
 *
 * All of a number's columns, in V vectors, stay in registers. A row, for a digit of y and one of
 * the quotient, moves them a digit down and adds four products to each: the upper halves belong one
 * column above the lower ones, which is the same column one row later. So row i adds, to the sum
 * after i quotient digits,
 *     x (lower y[i] + upper y[i-1]) + step (lower q[i-1] + upper q[i-2])
 * and has q[i] in its lowest column; the bits of that column above the digit are carried into the
 * next one.
 *
 * Columns stay below 4n D, and are converted to digits once, at the end.
 *
 * bound: 4 V n products, one a core cycle where vectors are processed as two halves (Zen 4), and V
 * + 2 other operations on the same pipes for each row; from quotient digit to quotient digit some
 * 10 cycles, less than a row of three vectors takes. Measured on Zen 4: 16, 23, 44 cycles a row of
 * 3, 5, 10 vectors, and 60 to 120 for each product besides. */
#include "base/unroll.h"
#include "modn/ifma.h"

#if defined(TY_HAS_LANES)
#include <immintrin.h>

#define TY_LEVEL gfni512
#include "base/level_begin.h"

typedef __m512i vec;
enum { W = 8 };   /* digits in a vector */

#define LOAD(p)    _mm512_loadu_si512((const void *)(p))
#define STORE(p,x) _mm512_storeu_si512((void *)(p), x)
#define SET1(x)    _mm512_set1_epi64((long long)(x))
#define ADD        _mm512_add_epi64
/* z + the lower, or upper, half of the product of the digits of x and y, whose bits above 52 are
 * ignored */
#define LO         _mm512_madd52lo_epu64
#define HI         _mm512_madd52hi_epu64
#define DIGIT_MASK (((uint64_t)1 << TY_LANES_BITS) - 1)

/* the lowest column in all lanes; its bits above the digit, in the lowest lane */
TY_INLINE vec lowest(vec x) { return _mm512_broadcastq_epi64(_mm512_castsi512_si128(x)); }
TY_INLINE vec carry(vec x) { return _mm512_maskz_srli_epi64(1, x, TY_LANES_BITS); }

/* columns x moved a digit down, plus more; above is the next vector */
TY_INLINE vec down(vec above, vec x, vec more)
{
    return ADD(_mm512_alignr_epi64(above, x, 1), more);
}

/* z[V] = the columns' digits. After one pass of carries a digit is at most D + 2^10, so the carry
 * out of it is 0 or 1: digits above D - 1 generate one, those equal to it propagate one. An
 * addition of words finds the carries of 64 digits at once. */
TY_INLINE void digits(uint64_t *z, vec *t, int V)
{
    const vec mask = SET1(DIGIT_MASK);
    vec before = SET1(0);
    uint64_t carries[3] = { 0 }, full[3] = { 0 };
    ty_limb in = 0;
    TY_UNROLL for (int v = 0; v < V; v++) {
        const vec c = _mm512_srli_epi64(t[v], TY_LANES_BITS);
        t[v] = ADD(_mm512_and_si512(t[v], mask), _mm512_alignr_epi64(c, before, W - 1));
        carries[v / 8] |= (uint64_t)_mm512_cmpgt_epu64_mask(t[v], mask) << v % 8 * W;
        full[v / 8] |= (uint64_t)_mm512_cmpeq_epu64_mask(t[v], mask) << v % 8 * W;
        before = c;
    }
    TY_UNROLL for (int i = 0; i < (V + 7) / 8; i++) {
        const uint64_t up = carries[i] << 1 | in;
        in = carries[i] >> 63;
        ty_limb c = 0;
        carries[i] = ty_limb_adc(full[i], up, &c) ^ full[i];
        in |= c;
    }
    TY_UNROLL for (int v = 0; v < V; v++) {
        const __mmask8 one = (__mmask8)(carries[v / 8] >> v % 8 * W);
        STORE(z + W * v, _mm512_and_si512(_mm512_mask_add_epi64(t[v], one, t[v], SET1(1)), mask));
    }
}

/* The last quotient digit is for m itself: its lower halves are added in place, then all remaining
 * upper halves in a last row. */
TY_INLINE void last_row(vec *t, const uint64_t *x, vec y, vec q, const ty_ifma *w, int V)
{
    const vec zero = SET1(0), r = LO(zero, lowest(t[0]), SET1(w->minv));
    TY_UNROLL for (int v = 0; v < V; v++) t[v] = LO(t[v], LOAD(w->m + W * v), r);
    const vec c = carry(t[0]);
    TY_UNROLL for (int v = 0; v < V; v++) {
        vec more = HI(v ? zero : c, LOAD(x + W * v), y);
        more = HI(more, LOAD(w->step + W * v), q);
        more = HI(more, LOAD(w->m + W * v), r);
        t[v] = down(v + 1 < V ? t[v + 1] : zero, t[v], more);
    }
}

/* The sum without the lower half of the last quotient digit's product is ready before that digit
 * is: each row waits for that product alone. */
TY_INLINE void product(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_ifma *w, int V)
{
    const vec zero = SET1(0);
    /* this row's digits, and those of the one before */
    vec t[20], y0, y1 = SET1(y[0]), q0, q1 = zero;
    TY_UNROLL for (int v = 0; v < V; v++) t[v] = LO(zero, LOAD(x + W * v), y1);
    for (size_t i = 1; i < w->n; i++, y1 = y0, q1 = q0) {
        const vec c = carry(t[0]);
        y0 = SET1(y[i]), q0 = lowest(t[0]);
        TY_UNROLL for (int v = 0; v < V; v++) {
            const vec a = LOAD(x + W * v), s = LOAD(w->step + W * v);
            const vec more = HI(LO(HI(zero, a, y1), a, y0), s, q1);
            t[v] = down(v + 1 < V ? t[v + 1] : zero, t[v], more);
            if (v == 0) t[0] = ADD(t[0], c);
            t[v] = LO(t[v], s, q0);
        }
    }
    last_row(t, x, y1, q1, w, V);
    digits(z, t, V);
}

typedef void product_fn(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_ifma *w);
#define SIZE(V)                                                                                    \
    static void ty_ifma_product_##V##_gfni512(uint64_t *z, const uint64_t *x, const uint64_t *y,   \
                                              const ty_ifma *w)                                    \
    {                                                                                              \
        product(z, x, y, w, V);                                                                    \
    }
SIZE(2) SIZE(3) SIZE(4) SIZE(5) SIZE(6) SIZE(8) SIZE(10) SIZE(12) SIZE(16) SIZE(20)

static product_fn *ty_ifma_of_words_gfni512(size_t words)
{
#define OF(V) [V] = ty_ifma_product_##V##_gfni512
    static product_fn *const by_vectors[] = {
        OF(2), OF(3), OF(4), OF(5), OF(6), OF(8), OF(10), OF(12), OF(16), OF(20)
    };
    return by_vectors[words / W];
}

static void ty_ifma_mul_gfni512(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_ifma *w)
{
    ty_ifma_of_words_gfni512(w->words)(z, x, y, w);
}

static void ty_ifma_sqrs_gfni512(uint64_t *z, size_t count, const ty_ifma *w)
{
    product_fn *const f = ty_ifma_of_words_gfni512(w->words);
    while (count--) f(z, z, z, w);
}

const ty_ifma_ops ty_ifma_ops_gfni512 = { 9, ty_ifma_mul_gfni512, ty_ifma_sqrs_gfni512 };

#include "base/level_end.h"
#endif
