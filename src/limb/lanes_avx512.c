/* Eight numbers side by side, by AVX-512 without IFMA.
 * bound: two 512-bit operations a cycle, 2.5 core cycles for a product of eight lanes. Measured on Zen 4: 3.0 at 2048 bits */
#include "limb/lanes.h"

#if defined(TY_HAS_LANES)
#include "base/doubles.h"

#include <immintrin.h>

#define TY_LEVEL avx512
#include "base/level_begin.h"
#include "limb/lanes_zmm.inc"

#define REAL            _mm512_castsi512_pd
#define BITS            _mm512_castpd_si512
#define REAL_SET1(x)    BITS(_mm512_set1_pd(x))
#define REAL_ADD(x, y)  BITS(_mm512_add_pd(REAL(x), REAL(y)))
#define REAL_SUB(x, y)  BITS(_mm512_sub_pd(REAL(x), REAL(y)))
#define FMA(x, y, z)    BITS(_mm512_fmadd_pd(REAL(x), REAL(y), REAL(z)))
#include "limb/lanes_fma.inc"
#include "limb/lanes.inc"

const ty_lanes_ops ty_lanes_ops_avx512 = {
    LANES, 4, ty_lanes_ready_avx512, ty_lanes_put_avx512, ty_lanes_get_avx512, ty_lanes_mul_avx512,
    ty_lanes_sqrs_avx512, ty_lanes_gather_avx512 };

#include "base/level_end.h"
#endif
