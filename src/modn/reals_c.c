/* The tiers of ty_reals_ops, and the tier c, which has no kernels. */
#include "modn/reals.h"

const ty_reals_ops ty_reals_ops_c = { 0, NULL, NULL, NULL };

TY_FAMILY_ROWS(reals, TY_REALS_TIERS);
