/* Curves over GF(2^163), every tier. */
#include "mod/f2_163.h"
#define TY_EC_F2_TIERS ty_ec_f2_163_tiers
#define F2_FAR     ty_f2_far_163
#define EC_KOBLITZ 1
#include "ec/ec_f2_tiers.inc"
