/* The kernels for x86-64 with BMI2 and ADX: assembly, and a table that is read with vectors. */
#include "limb/limb_x86.h"
#if defined(TY_HAS_ADX)
#include <immintrin.h>
#define TY_LEVEL adx
#include "base/level_begin.h"

static inline __m256i four(const ty_limb *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}
static inline void put(ty_limb *p, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)p, x); }
static inline __m256i same(size_t x) { return _mm256_set1_epi64x((long long)x); }

#define PICK(sum, at) sum = _mm256_or_si256(sum, _mm256_and_si256(mask, four(table + (at))))

/* z[16] = the first 16 limbs of an entry: four sums at once.
 * bound: a load for 4 limbs of each entry, two in a cycle */
static inline void sixteen(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index)
{
    const __m256i want = same(index), one = same(1);
    __m256i k = same(0), a = k, b = k, c = k, d = k;
    for (size_t i = 0; i < count; i++, table += n) {
        const __m256i mask = _mm256_cmpeq_epi64(k, want);
        PICK(a, 0);
        PICK(b, 4);
        PICK(c, 8);
        PICK(d, 12);
        k = _mm256_add_epi64(k, one);
    }
    put(z, a);
    put(z + 4, b);
    put(z + 8, c);
    put(z + 12, d);
}

/* z[8] = the first 8 limbs of an entry */
static inline void eight(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index)
{
    const __m256i want = same(index), one = same(1);
    __m256i k = same(0), a = k, b = k;
    for (size_t i = 0; i < count; i++, table += n) {
        const __m256i mask = _mm256_cmpeq_epi64(k, want);
        PICK(a, 0);
        PICK(b, 4);
        k = _mm256_add_epi64(k, one);
    }
    put(z, a);
    put(z + 4, b);
}

/* z[part] = the first `part` limbs of an entry, 1 to 4: limbs beyond them are neither read nor
 * written. */
static inline void few(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index,
                       size_t part)
{
    const __m256i want = same(index), one = same(1);
    const __m256i lanes = _mm256_cmpgt_epi64(same(part), _mm256_set_epi64x(3, 2, 1, 0));
    __m256i k = same(0), sum = k;
    for (size_t i = 0; i < count; i++, table += n) {
        const __m256i x = _mm256_maskload_epi64((const long long *)(const void *)table, lanes);
        sum = _mm256_or_si256(sum, _mm256_and_si256(_mm256_cmpeq_epi64(k, want), x));
        k = _mm256_add_epi64(k, one);
    }
    _mm256_maskstore_epi64((long long *)(void *)z, lanes, sum);
}

/* z[2] = an entry, of two limbs, for an even count: two entries at a time */
static inline void pairs(ty_limb *z, const ty_limb *table, size_t count, size_t index)
{
    const __m256i want = same(index), two = same(2);
    __m256i k = _mm256_set_epi64x(1, 1, 0, 0), sum = same(0);
    for (size_t i = 0; i < count; i += 2, table += 4) {
        sum = _mm256_or_si256(sum, _mm256_and_si256(_mm256_cmpeq_epi64(k, want), four(table)));
        k = _mm256_add_epi64(k, two);
    }
    const __m128i low = _mm_or_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    _mm_storeu_si128((__m128i *)(void *)z, low);
}

void ty_limb_gather_adx(ty_limb *z, const ty_limb *table, size_t n, size_t count, size_t index)
{
    if (n == 2 && count % 2 == 0) {
        pairs(z, table, count, index);
        return;
    }
    size_t at = 0;
    for (; at + 16 <= n; at += 16) sixteen(z + at, table + at, n, count, index);
    for (; at + 8 <= n; at += 8) eight(z + at, table + at, n, count, index);
    for (; at < n; at += 4) few(z + at, table + at, n, count, index, n - at < 4 ? n - at : 4);
}

const ty_limb_ops ty_limb_ops_adx = {
    ty_limb_add_x86, ty_limb_sub_x86, ty_limb_neg_if_x86, ty_limb_sum_4_x86, ty_limb_mul_1_adx,
    ty_limb_addmul_1_adx, ty_limb_submul_1_adx, ty_limb_mul_adx, ty_limb_sqr_adx,
    ty_limb_product_adx, ty_limb_square_adx, ty_limb_redc_adx, ty_limb_mont_adx, ty_limb_mont2_adx,
    ty_limb_inv_adx, ty_limb_div_adx, ty_limb_gcd_2_avx2, ty_limb_gather_adx, 0 };
#include "base/level_end.h"
#endif
