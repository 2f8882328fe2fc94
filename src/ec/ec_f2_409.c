/* Curves over GF(2^409), every tier. */
#include "mod/f2_409.h"
#define TY_EC_F2_TIERS ty_ec_f2_409_tiers
#define F2_FAR     ty_f2_far_409
#define EC_KOBLITZ 1
#include "ec/ec_f2_tiers.inc"
