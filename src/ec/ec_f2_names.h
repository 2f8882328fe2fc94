/* The curves over one field at one level: what every one of their files needs, and how functions are named. Each has a name
 * of its own in the library, so that profiles tell field and level, and grep finds it in the ops struct.
 *
 * The includer, a file ec_f2_<m>_<level>.c, gives the field's card (F2_M ...) and TY_LEVEL. */
#ifndef TY_EC_EC_F2_NAMES_H
#define TY_EC_EC_F2_NAMES_H

#include "base/ct.h"
#include "ec/ec_binary.h"
#include "mod/f2_size.inc"

#include <string.h>

#define F2_NAME(family, op) TY_CAT(TY_CAT(TY_CAT(ty_##family##_, F2_M), _##op), TY_CAT(_, TY_LEVEL))
#define FE                  F2_NAME(f2, element)
#define FE_(op)             F2_NAME(f2, op)      /* FE_(mul) is ty_f2_233_mul_vaes */
#define EC_(op)             F2_NAME(ec_f2, op)   /* EC_(ladder) is ty_ec_f2_233_ladder_vaes */

#endif
