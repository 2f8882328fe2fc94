/* Z/n for SM2 in 64-bit limbs: products by mulx, division steps in conditional moves. */
#include "mod/n_sm2.h"
#if defined(TY_HAS_ADX)
#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#define TY_TARGET "bmi2,adx,avx2"
#include "base/tier_begin.h"
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define TY_N_SM2_OPS ty_n_sm2_ops_adx
#include "limb/limb256.inc"
#include "mod/n_sm2.inc"
#include "mod/n_sm2_ops.inc"
#include "base/tier_end.h"
#else
typedef int ty_n_sm2_adx_is_empty;   /* ISO C wants a declaration in every file */
#endif
