/* The SM2 curve in 64-bit limbs. */
#if defined(__SIZEOF_INT128__)
#include "base/bytes.h"
#include "base/ct.h"
#include "ec/ec_sm2.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <string.h>

#define TY_LIMB_BITS  64
#define TY_EC_SM2_OPS ty_ec_sm2_ops_c64
#include "ec/ec_sm2.inc"
#else
typedef int ty_ec_sm2_c64_is_empty;   /* ISO C wants a declaration in every file */
#endif
