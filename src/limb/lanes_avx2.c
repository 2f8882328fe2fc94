/* Four numbers side by side, by AVX2 and FMA.
 *
 * Measured on Zen 3, in TSC cycles (0.74 of a core cycle) for each of the four: 2048 bits, n = 40: a product 1150, a square and its
 * reduction 910, 1.5 and 1.6 times the bound; 4096 bits, n = 79: 4060 and 3130, 1.4 and 1.45 times. The additions take the
 * pipes of FMAs at times, and operations wait for each other: the sums alone are 1.3 times the bound. */
#include "limb/lanes.h"

#if defined(TY_HAS_LANES)
#include "base/doubles.h"

#include <immintrin.h>

#define TY_LEVEL avx2
#include "base/level_begin.h"

typedef __m256i vec;
#define LANES           4
#define LOAD(p)         _mm256_load_si256((const vec *)(const void *)(p))
#define STORE(p, x)     _mm256_store_si256((vec *)(void *)(p), x)
#define SET1(x)         _mm256_set1_epi64x((long long)(x))
#define ADD             _mm256_add_epi64
#define SUB             _mm256_sub_epi64
#define AND             _mm256_and_si256
#define OR              _mm256_or_si256
#define XOR             _mm256_xor_si256
#define SHR52(x)        _mm256_srli_epi64(x, 52)
#define PICK(x, y, z)   AND(x, _mm256_cmpeq_epi64(y, z))
#define REAL            _mm256_castsi256_pd
#define BITS            _mm256_castpd_si256
#define REAL_SET1(x)    BITS(_mm256_set1_pd(x))
#define REAL_ADD(x, y)  BITS(_mm256_add_pd(REAL(x), REAL(y)))
#define REAL_SUB(x, y)  BITS(_mm256_sub_pd(REAL(x), REAL(y)))
#define FMA(x, y, z)    BITS(_mm256_fmadd_pd(REAL(x), REAL(y), REAL(z)))
#include "limb/lanes_fma.inc"
#include "limb/lanes.inc"

const ty_lanes_ops ty_lanes_ops_avx2 = {
    LANES, 3, ty_lanes_ready_avx2, ty_lanes_put_avx2, ty_lanes_get_avx2, ty_lanes_mul_avx2,
    ty_lanes_sqrs_avx2, ty_lanes_gather_avx2 };

#include "base/level_end.h"
#endif
