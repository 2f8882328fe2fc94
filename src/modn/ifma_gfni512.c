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
#include "modn/ifma.h"

#if defined(TY_HAS_LANES)
#include "base/unroll.h"

#include <immintrin.h>

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#include "modn/ifma_rows.h"

TY_INLINE void product(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_ifma *w, int V)
{
    sum s;
    first_row(&s, x, y, V);
    for (size_t i = 1; i < w->n; i++) row(&s, x, y, w, i, V);
    finish(z, &s, x, w, V);
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
