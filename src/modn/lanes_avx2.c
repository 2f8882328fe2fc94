/* Four numbers side by side, by AVX2 and FMA.
 *
 * Measured on Zen 3, in TSC cycles (0.74 per core cycle) for each of the four: 2048 bits, n = 40:
 * a product 1150, a square and its reduction 910, 1.5 and 1.6 times the bound; 4096 bits, n = 79:
 * 4060 and 3130, 1.4 and 1.45 times. The additions sometimes occupy the pipes of FMAs, and
 * operations wait for each other: the sums alone are 1.3 times the bound. */
#include "modn/lanes.h"

#if defined(TY_HAS_LANES)
#include "base/doubles.h"

#include "base/vec.h"

#define TY_LEVEL avx2
#include "base/level_begin.h"
#define V v256
#include "modn/lanes_fma.h"
#include "modn/lanes_mul.h"

static size_t ty_lanes_least_avx2(size_t n) { return (void)n, 3; }

const ty_lanes_ops ty_lanes_ops_avx2 = {
    LANES, ty_lanes_least_avx2, 1, ty_lanes_ready_avx2, ty_lanes_put_avx2, ty_lanes_get_avx2,
    ty_lanes_mul_avx2, ty_lanes_sqrs_avx2, ty_lanes_gather_avx2 };

#include "base/level_end.h"
#endif
