/* The list of tiers, and the one that has no kernels. */
#include "limb/reals.h"

const ty_reals_ops ty_reals_ops_c = { 0, NULL, NULL, NULL };

const ty_tier ty_reals_tiers[] = {
    { "c",    0, &ty_reals_ops_c },
#if defined(TY_HAS_REALS)
    { "avx2", TY_CPU_AVX2 | TY_CPU_FMA, &ty_reals_ops_avx2 },
#endif
    { 0, 0, 0 }
};
