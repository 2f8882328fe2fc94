/* Curves over GF(2^131), every tier. */
#include "mod/f2_131.h"
#define TY_EC_F2_TIERS ty_ec_f2_131_tiers
#define F2_FAR     ty_f2_far_131
#define EC_KOBLITZ 0
#include "ec/ec_f2_tiers.inc"
