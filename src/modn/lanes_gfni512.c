/* Eight numbers side by side, by the products of 52-bit integers of AVX-512 IFMA. bound: two
 * operations for a product of digits in eight lanes, one or two a cycle. Measured on Zen 4, which
 * does one: 2.2 cycles for such a product at 2048 bits */
#include "modn/pair.h"

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

/* Fewer moduli are faster in pairs (modn/pair.h; five as two pairs and a single power), or one by
 * one. Measured on Granite Rapids, exponents of 320 bits; the time of eight at once, and of a
 * pair, as a multiple of a single power's:
 *
 *     bits     256  448  512  576  768 1024 1152 1216 1280 1408 1536 1600 1792 2048 3072 4096
 *     eight    2.9  2.8  2.8  2.6  3.2  3.4  3.9  4.0  3.7  4.2  4.3  4.7  4.7  5.0  4.6  4.9
 *     a pair        1.5  1.4  1.1  1.1  1.3  1.4  1.4  1.6  1.6  1.5  1.6
 *
 * A single power's time grows in steps of eight digits, that of lanes with each digit. */
static size_t ty_lanes_least_gfni512(size_t n)
{
    if (n <= 10) return 4;
    return (n > 20 && n <= 24) || (n > 28 && n <= TY_PAIR_DIGITS) ? 6 : 5;
}

const ty_lanes_ops ty_lanes_ops_gfni512 = { LANES,
                                            ty_lanes_least_gfni512,
                                            1,
                                            ty_lanes_ready_gfni512,
                                            ty_lanes_put_gfni512,
                                            ty_lanes_get_gfni512,
                                            ty_lanes_mul_gfni512,
                                            ty_lanes_sqrs_gfni512,
                                            ty_lanes_gather_gfni512 };

#include "base/level_end.h"
#endif
