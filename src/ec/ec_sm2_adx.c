/* The SM2 curve for x86-64 with BMI2, ADX and AVX2. */
#include "ec/ec_sm2_adx.h"
#if defined(TY_HAS_ADX)
#include "base/bytes.h"
#include "base/ct.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <immintrin.h>
#include <string.h>

#define TY_LEVEL adx
#include "base/level_begin.h"
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define TY_P_SM2_ADX
#define TY_EC_SM2_WIDE
#define TY_EC_SM2_AVX2
#define TY_EC_SM2_FOUR
#define TY_EC_SM2_SHARED
#include "ec/ec_sm2_tier.h"

_Static_assert(BASE_WIDTH == TY_EC_SM2_BASE_WIDTH && BASE_ROWS == TY_EC_SM2_BASE_ROWS &&
                   sizeof(affine) == 64,
               "the table that gfni512 uses, too");

const uint8_t *ty_ec_sm2_base_row_adx(int t) { return (const uint8_t *)base_row(t); }

const ty_ec_sm2_ops ty_ec_sm2_ops_adx = {
    ty_ec_sm2_mul_base_adx, ty_ec_sm2_mul_base_many_adx, ty_ec_sm2_mul_adx, ty_ec_sm2_mul_many_adx,
    ty_ec_sm2_mul_add_vt_adx, ty_ec_sm2_joint_has_x_vt_adx, ty_ec_sm2_table_vt_adx,
    ty_ec_sm2_table_has_x_vt_adx, ty_ec_sm2_checks_vt_adx, TABLE_PAYS, ty_ec_sm2_add_adx,
    ty_ec_sm2_on_curve_adx, ty_ec_sm2_decompress_adx };
#include "base/level_end.h"
#else
typedef int ty_ec_sm2_adx_is_empty;   /* ISO C requires a declaration in every file */
#endif
