#include "modn/ifma.h"

const ty_ifma_ops ty_ifma_ops_c = { 0, NULL, NULL };

TY_FAMILY_ROWS(ifma, TY_IFMA_TIERS);
