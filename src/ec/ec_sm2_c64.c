/* The SM2 curve in 64-bit limbs. */
#if defined(__SIZEOF_INT128__)
#include "base/bytes.h"
#include "base/ct.h"
#include "ec/ec_sm2.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <string.h>

#define TY_LEVEL c64
#include "base/level_begin.h"
#define TY_LIMB_BITS  64
#include "ec/ec_sm2_tier.h"

const ty_ec_sm2_ops ty_ec_sm2_ops_c64 = {
    ty_ec_sm2_mul_base_c64, ty_ec_sm2_mul_base_many_c64, ty_ec_sm2_mul_c64, ty_ec_sm2_mul_many_c64,
    ty_ec_sm2_mul_add_vt_c64, ty_ec_sm2_joint_has_x_vt_c64, ty_ec_sm2_table_vt_c64,
    ty_ec_sm2_table_has_x_vt_c64, ty_ec_sm2_checks_vt_c64, TABLE_PAYS, ty_ec_sm2_add_c64,
    ty_ec_sm2_on_curve_c64, ty_ec_sm2_decompress_c64 };
#include "base/level_end.h"
#else
typedef int ty_ec_sm2_c64_is_empty;   /* ISO C requires a declaration in every file */
#endif
