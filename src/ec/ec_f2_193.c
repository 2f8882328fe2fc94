/* Curves over GF(2^193), every tier. */
#include "mod/f2_193.h"
#define TY_EC_F2_TIERS ty_ec_f2_193_tiers
#define F2_FAR     ty_f2_far_193
#define EC_KOBLITZ 0
#include "ec/ec_f2_tiers.inc"
