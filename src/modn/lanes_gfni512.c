/* Eight numbers side by side, by the products of 52-bit integers of AVX-512 IFMA. bound: two
 * operations for a product of digits in eight lanes, one or two a cycle. Measured on Zen 4, which
 * does one: 2.2 cycles for such a product at 2048 bits */
#include "modn/lanes.h"

#if defined(TY_HAS_LANES)
#include "base/vec.h"

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#define V v512

#define HI_EXCESS       ((uint64_t)0)
#define LO_EXCESS       ((uint64_t)0)
static inline V form(V x) { return x; }
static inline V digit(V x) { return x; }
static inline __attribute__((always_inline)) void product(V *lo, V *hi, V a, V b)
{
    *lo = _mm512_madd52lo_epu64(*lo, a, b);
    *hi = _mm512_madd52hi_epu64(*hi, a, b);
}

static int ty_lanes_ready_gfni512(void) { return 1; }
#include "modn/lanes_mul.h"

const ty_lanes_ops ty_lanes_ops_gfni512 = { LANES,
                                            4,
                                            1,
                                            ty_lanes_ready_gfni512,
                                            ty_lanes_put_gfni512,
                                            ty_lanes_get_gfni512,
                                            ty_lanes_mul_gfni512,
                                            ty_lanes_sqrs_gfni512,
                                            ty_lanes_gather_gfni512 };

#include "base/level_end.h"
#endif
