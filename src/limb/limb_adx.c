/* The kernels for x86-64 with BMI2 and ADX: assembly, and a table that is read with vectors. */
#include "limb/limb.h"
#if defined(TY_HAS_ADX)
#include <immintrin.h>
#define TY_TARGET "avx2"
#include "base/tier_begin.h"

ty_limb ty_limb_add_adx(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
ty_limb ty_limb_sub_adx(ty_limb *z, const ty_limb *x, const ty_limb *y, size_t n);
ty_limb ty_limb_mul_1_adx(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
ty_limb ty_limb_addmul_1_adx(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
ty_limb ty_limb_submul_1_adx(ty_limb *z, const ty_limb *x, size_t n, ty_limb y);
void ty_limb_mul_adx(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn);
void ty_limb_sqr_adx(ty_limb *z, const ty_limb *x, size_t n);
void ty_limb_redc_adx(ty_limb *z, ty_limb *t, const ty_limb *m, size_t n, ty_limb minv);

static inline __m256i four(const ty_limb *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
static inline void put(ty_limb *p, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)p, x); }
static inline __m256i same(size_t x) { return _mm256_set1_epi64x((long long)x); }

/* z[4 v] = limbs 0 to 4v of the entries, v <= 4: as many sums at once.   bound: a load per vector and entry, two in a cycle */
static inline void columns(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index, int v)
{
    const __m256i want = same(index), one = same(1);
    __m256i k = same(0), sum[4] = { k, k, k, k };
    for (size_t i = 0; i < count; i++, table += n) {
        const __m256i mask = _mm256_cmpeq_epi64(k, want);
        for (int j = 0; j < v; j++) sum[j] = _mm256_or_si256(sum[j], _mm256_and_si256(mask, four(table + 4 * j)));
        k = _mm256_add_epi64(k, one);
    }
    for (int j = 0; j < v; j++) put(z + 4 * j, sum[j]);
}

static void gather(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index)
{
    size_t at = 0;
    for (; at + 16 <= n; at += 16) columns(z + at, table + at, n, count, index, 4);
    for (; at + 4 <= n; at += 4) columns(z + at, table + at, n, count, index, 1);
    for (; at < n; at++) {
        ty_limb sum = 0;
        for (size_t k = 0; k < count; k++) sum |= table[k * n + at] & ty_limb_is0((ty_limb)(k ^ index));
        z[at] = sum;
    }
}

const ty_limb_ops ty_limb_ops_adx = { ty_limb_add_adx, ty_limb_sub_adx, ty_limb_mul_1_adx, ty_limb_addmul_1_adx,
                                      ty_limb_submul_1_adx, ty_limb_mul_adx, ty_limb_sqr_adx, ty_limb_redc_adx, gather };
#include "base/tier_end.h"
#endif
