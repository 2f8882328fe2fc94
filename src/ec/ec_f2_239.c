/* Curves over GF(2^239), every tier. */
#include "mod/f2_239.h"
#define TY_EC_F2_TIERS ty_ec_f2_239_tiers
#define F2_FAR     ty_f2_far_239
#define EC_KOBLITZ 1
#include "ec/ec_f2_tiers.inc"
