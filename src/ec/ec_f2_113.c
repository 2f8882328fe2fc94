/* Curves over GF(2^113), every tier. */
#include "mod/f2_113.h"
#define TY_EC_F2_TIERS ty_ec_f2_113_tiers
#define F2_FAR     ty_f2_far_113
#define EC_KOBLITZ 0
#include "ec/ec_f2_tiers.inc"
