/* The list of tiers, and the one that has no kernels. */
#include "modn/ifma.h"

const ty_ifma_ops ty_ifma_ops_c = { 0, NULL, NULL };

TY_FAMILY_ROWS(ifma, TY_IFMA_TIERS);
