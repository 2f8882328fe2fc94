/* The list of tiers, and the one that has no kernels. */
#include "modn/pair.h"

const ty_pair_ops ty_pair_ops_c = { 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL };

TY_FAMILY_ROWS(pair, TY_PAIR_TIERS);
