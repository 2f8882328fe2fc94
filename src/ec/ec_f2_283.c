/* Curves over GF(2^283), every tier. */
#include "mod/f2_283.h"
#define TY_EC_F2_TIERS ty_ec_f2_283_tiers
#define F2_FAR     ty_f2_far_283
#define EC_KOBLITZ 1
#include "ec/ec_f2_tiers.inc"
