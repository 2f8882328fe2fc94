/* The table of tiers, and the one that has no lanes. */
#include "modn/lanes.h"

const ty_lanes_ops ty_lanes_ops_c = { 1, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL };

TY_FAMILY_ROWS(lanes, TY_LANES_TIERS);
