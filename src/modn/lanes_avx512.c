/* Eight numbers side by side, by AVX-512 without IFMA. bound: a product of digits in eight lanes
 * takes five operations (lanes_fma.h), two a cycle: 2.5 core cycles. Measured on Zen 4: 3.0 at 2048
 * bits */
#include "modn/lanes.h"

#if defined(TY_HAS_LANES)
#include "base/doubles.h"

#include "base/vec.h"

#define TY_LEVEL avx512
#include "base/level_begin.h"
#define V v512
#include "modn/lanes_fma.h"
#include "modn/lanes_mul.h"

/* Measured on Granite Rapids: eight at once take 3.0 to 3.8 times as long as one, at 256 to 2048
 * bits. */
static size_t ty_lanes_least_avx512(size_t n) { return (void)n, 4; }

const ty_lanes_ops ty_lanes_ops_avx512 = {
    LANES, ty_lanes_least_avx512, 1, ty_lanes_ready_avx512, ty_lanes_put_avx512,
    ty_lanes_get_avx512, ty_lanes_mul_avx512, ty_lanes_sqrs_avx512, ty_lanes_gather_avx512 };

#include "base/level_end.h"
#endif
