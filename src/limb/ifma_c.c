#include "limb/ifma.h"

const ty_ifma_ops ty_ifma_ops_c = { 0, NULL, NULL };

const ty_tier ty_ifma_tiers[] = {
    { "c", 0, &ty_ifma_ops_c },
#if defined(TY_HAS_LANES)
    { "gfni512", TY_CPU_AVX512 | TY_CPU_IFMA, &ty_ifma_ops_gfni512 },
#endif
    { NULL, 0, NULL },
};
