/* The SM2 curve in 32-bit limbs. */
#include "base/bytes.h"
#include "base/ct.h"
#include "ec/ec_sm2.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <string.h>

#define TY_LIMB_BITS  32
#define TY_EC_SM2_OPS ty_ec_sm2_ops_c
#include "ec/ec_sm2.inc"

const ty_tier ty_ec_sm2_tiers[] = {
    { "c",   0,             &ty_ec_sm2_ops_c },
#if defined(__SIZEOF_INT128__)
    { "c64", TY_CPU_WORD64, &ty_ec_sm2_ops_c64 },
#endif
#if defined(TY_HAS_ADX)
    { "adx", TY_CPU_WORD64 | TY_CPU_AVX2 | TY_CPU_BMI2 | TY_CPU_ADX, &ty_ec_sm2_ops_adx },
#endif
    { 0, 0, 0 },
};
