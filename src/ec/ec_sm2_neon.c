/* The SM2 curve for AArch64: 64-bit limbs, the field in assembly. */
#include "ec/ec_sm2.h"
#if defined(TY_AARCH64)
#include "base/bytes.h"
#include "base/ct.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <string.h>

#define TY_LEVEL neon
#include "base/level_begin.h"
#define TY_LIMB_BITS 64
#define TY_P_SM2_NEON
#include "ec/ec_sm2_tier.h"

const ty_ec_sm2_ops ty_ec_sm2_ops_neon = {
    ty_ec_sm2_mul_base_neon, ty_ec_sm2_mul_base_many_neon, ty_ec_sm2_mul_neon,
    ty_ec_sm2_mul_many_neon, ty_ec_sm2_mul_add_vt_neon, ty_ec_sm2_joint_has_x_vt_neon,
    ty_ec_sm2_table_vt_neon, ty_ec_sm2_table_has_x_vt_neon, ty_ec_sm2_checks_vt_neon, TABLE_PAYS,
    ty_ec_sm2_add_neon, ty_ec_sm2_on_curve_neon, ty_ec_sm2_decompress_neon };
#include "base/level_end.h"
#else
typedef int ty_ec_sm2_neon_is_empty;   /* ISO C requires a declaration in every file */
#endif
