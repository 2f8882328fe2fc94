/* Two Montgomery products at a time by AVX-512 IFMA: see pair.h, and ifma_gfni512.c for a row.
 *
 * bound: for each of n rows of both, 8 V products of eight digits and 2 (2 V + 3) other operations,
 * two a cycle: 21 core cycles at V = 3, where a row of one number alone takes some 15, as it waits
 * for its quotient digit. Measured on Granite Rapids, against one after the other: 1.75 times as
 * fast at V = 2, 1.43 at V = 3, 1.17 at V = 4, 1.06 at V = 5. */
#include "modn/pair.h"

#if defined(TY_HAS_LANES)
#include "base/unroll.h"
#include "base/wipe.h"

#include <immintrin.h>
#include <string.h>

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#include "modn/ifma_rows.h"

enum { MOST = TY_PAIR_DIGITS };

/* of a number of n digits */
static inline size_t vectors(size_t n) { return (n + W - 1) / W; }

/* lane k of the moduli, as one modulus */
TY_INLINE ty_ifma of_lane(const ty_lanes *w, int k, int V)
{
    return (ty_ifma){ w->n, (size_t)(W * V), w->m + W * V * k, w->step + W * V * k, w->minv[k] };
}

TY_INLINE void products(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_lanes *w, int V)
{
    const ty_ifma w0 = of_lane(w, 0, V), w1 = of_lane(w, 1, V);
    const uint64_t *const x1 = x + W * V, *const y1 = y + W * V;
    sum s0, s1;
    first_row(&s0, x, y, V);
    first_row(&s1, x1, y1, V);
    for (size_t i = 1; i < w->n; i++) {
        row(&s0, x, y, &w0, i, V);
        row(&s1, x1, y1, &w1, i, V);
    }
    finish(z, &s0, x, &w0, V);
    finish(z + W * V, &s1, x1, &w1, V);
}

static void ty_pair_mul_gfni512(uint64_t *z, const uint64_t *x, const uint64_t *y,
                                const ty_lanes *w)
{
    switch (vectors(w->n)) {
    case 2: products(z, x, y, w, 2); break;
    case 3: products(z, x, y, w, 3); break;
    default: products(z, x, y, w, 4); break;
    }
}

static void ty_pair_sqrs_gfni512(uint64_t *z, size_t count, const ty_lanes *w)
{
    while (count--) ty_pair_mul_gfni512(z, z, z, w);
}

/* The integers that quotient digits are computed with (n = 1) stay side by side. */
static void ty_pair_put_gfni512(uint64_t *x, size_t n)
{
    uint64_t t[2 * MOST];
    if (n == 1) return;
    const size_t words = W * vectors(n);
    memcpy(t, x, 2 * n * sizeof *t);
    memset(x, 0, 2 * words * sizeof *x);
    for (size_t j = 0; j < n; j++) x[j] = t[2 * j], x[words + j] = t[2 * j + 1];
    ty_wipe(t, sizeof t);
}

static void ty_pair_get_gfni512(uint64_t *x, size_t n)
{
    uint64_t t[2 * MOST];
    if (n == 1) return;
    const size_t words = W * vectors(n);
    memcpy(t, x, n * sizeof *t);
    memcpy(t + n, x + words, n * sizeof *t);
    for (size_t j = 0; j < n; j++) x[2 * j] = t[j], x[2 * j + 1] = t[n + j];
    ty_wipe(t, sizeof t);
}

/* An entry's vectors share the comparison with the index. */
TY_INLINE void pick(uint64_t *z, const uint64_t *table, size_t count, const uint64_t *index, int V)
{
    const vec w0 = SET1(index[0]), w1 = SET1(index[1]), one = SET1(1);
    vec i = SET1(0), x[2 * MOST / W];
    TY_UNROLL for (int v = 0; v < 2 * V; v++) x[v] = i;
    for (; count; count--, table += 2 * W * V, i = ADD(i, one)) {
        const __mmask8 here0 = _mm512_cmpeq_epu64_mask(i, w0);
        const __mmask8 here1 = _mm512_cmpeq_epu64_mask(i, w1);
        TY_UNROLL for (int v = 0; v < 2 * V; v++)
            x[v] = _mm512_mask_mov_epi64(x[v], v < V ? here0 : here1, LOAD(table + W * v));
    }
    TY_UNROLL for (int v = 0; v < 2 * V; v++) STORE(z + W * v, x[v]);
}

static void ty_pair_gather_gfni512(uint64_t *z, const uint64_t *table, size_t n, size_t count,
                                   const uint64_t *index)
{
    switch (vectors(n)) {
    case 2: pick(z, table, count, index, 2); break;
    case 3: pick(z, table, count, index, 3); break;
    default: pick(z, table, count, index, 4); break;
    }
}

static int ty_pair_ready_gfni512(void) { return 1; }

static size_t ty_pair_least_gfni512(size_t n) { return (void)n, 2; }

const ty_pair_ops ty_pair_ops_gfni512 = { 2,
                                          ty_pair_least_gfni512,
                                          W,
                                          ty_pair_ready_gfni512,
                                          ty_pair_put_gfni512,
                                          ty_pair_get_gfni512,
                                          ty_pair_mul_gfni512,
                                          ty_pair_sqrs_gfni512,
                                          ty_pair_gather_gfni512 };

#include "base/level_end.h"
#endif
