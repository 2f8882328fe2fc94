/* The SM2 curve in 32-bit limbs. */
#include "base/bytes.h"
#include "base/ct.h"
#include "ec/ec_sm2.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <string.h>

#define TY_LEVEL c
#include "base/level_begin.h"
#define TY_LIMB_BITS  32
#include "ec/ec_sm2_tier.h"

const ty_ec_sm2_ops ty_ec_sm2_ops_c = {
    ty_ec_sm2_mul_base_c, ty_ec_sm2_mul_base_many_c, ty_ec_sm2_mul_c, ty_ec_sm2_mul_many_c,
    ty_ec_sm2_mul_add_vt_c, ty_ec_sm2_joint_has_x_vt_c, ty_ec_sm2_table_vt_c,
    ty_ec_sm2_table_has_x_vt_c, ty_ec_sm2_checks_vt_c, TABLE_PAYS, ty_ec_sm2_add_c,
    ty_ec_sm2_on_curve_c, ty_ec_sm2_decompress_c };
#include "base/level_end.h"

TY_FAMILY_ROWS(ec_sm2, TY_EC_SM2_TIERS);
