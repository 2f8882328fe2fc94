/* The SM2 curve for x86-64 with BMI2, ADX and AVX2. */
#include "ec/ec_sm2.h"
#if defined(TY_HAS_ADX)
#include "base/bytes.h"
#include "base/ct.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <immintrin.h>
#include <string.h>

#define TY_TARGET "bmi2,adx,avx2"
#include "base/tier_begin.h"
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define TY_P_SM2_ADX
#define TY_EC_SM2_WIDE
#define TY_EC_SM2_AVX2
#define TY_EC_SM2_FOUR
#define TY_EC_SM2_OPS ty_ec_sm2_ops_adx
#include "ec/ec_sm2.inc"
#include "base/tier_end.h"
#else
typedef int ty_ec_sm2_adx_is_empty;   /* ISO C wants a declaration in every file */
#endif
