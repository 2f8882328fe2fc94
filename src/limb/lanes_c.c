/* The list of tiers, and the one that has no lanes. */
#include "limb/lanes.h"

const ty_lanes_ops ty_lanes_ops_c = { 1, 0, NULL, NULL, NULL, NULL, NULL, NULL };

const ty_tier ty_lanes_tiers[] = {
    { "c",       0, &ty_lanes_ops_c },
#if defined(TY_HAS_LANES)
    { "avx2",    TY_CPU_AVX2 | TY_CPU_FMA, &ty_lanes_ops_avx2 },
    { "avx512",  TY_CPU_AVX512, &ty_lanes_ops_avx512 },
    { "gfni512", TY_CPU_AVX512 | TY_CPU_IFMA, &ty_lanes_ops_gfni512 },
#endif
    { 0, 0, 0 }
};
