/* The SM2 curve in 32-bit limbs, for ARM's DSP instructions. */
#include "ec/ec_sm2.h"
#if defined(TY_ARM_DSP)
#include "base/bytes.h"
#include "base/ct.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <string.h>

#define TY_LEVEL m4
#include "base/level_begin.h"
#define TY_LIMB_BITS 32
#define TY_LIMB_M4
#define TY_P_SM2_M4
#if !defined(__OPTIMIZE_SIZE__)   /* 4.2 KB more for a verification */
#  define TY_EC_SM2_M4_POINTS
#  define TY_N_SM2_M4
#endif
#if !defined(__OPTIMIZE_SIZE__) || !defined(TY_PUBLIC_ONLY)   /* an inversion is 2 KB */
#  define TY_EC_SM2_AFFINE
#endif
#include "ec/ec_sm2_tier.h"

const ty_ec_sm2_ops ty_ec_sm2_ops_m4 = {
    ty_ec_sm2_mul_base_m4, ty_ec_sm2_mul_base_many_m4, ty_ec_sm2_mul_m4, ty_ec_sm2_mul_many_m4,
    ty_ec_sm2_mul_add_vt_m4, ty_ec_sm2_joint_has_x_vt_m4, ty_ec_sm2_table_vt_m4,
    ty_ec_sm2_table_has_x_vt_m4, ty_ec_sm2_checks_vt_m4, TABLE_PAYS, ty_ec_sm2_add_m4,
    ty_ec_sm2_on_curve_m4, ty_ec_sm2_decompress_m4 };
#include "base/level_end.h"
#else
typedef int ty_ec_sm2_m4_is_empty;   /* ISO C requires a declaration in every file */
#endif
