/* Curves over GF(2^571), every tier. */
#include "mod/f2_571.h"
#define TY_EC_F2_TIERS ty_ec_f2_571_tiers
#define F2_FAR     ty_f2_far_571
#define EC_KOBLITZ 1
#include "ec/ec_f2_tiers.inc"
