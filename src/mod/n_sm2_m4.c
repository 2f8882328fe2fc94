/* Z/n for SM2 in 32-bit limbs, for ARM's DSP instructions: the product is assembly. */
#include "mod/n_sm2.h"
#if defined(TY_ARM_DSP)
#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#define TY_LEVEL m4
#include "base/level_begin.h"
#define TY_LIMB_BITS 32
#define TY_LIMB_M4
#if !defined(__OPTIMIZE_SIZE__)   /* 0.8 KB more */
#  define TY_N_SM2_M4
#endif
#define TY_OWN(name) TY_K(n_sm2_##name)
#include "mod/sm2_names.h"
#include "limb/limb256.h"
#include "mod/n_sm2_words.h"
#include "mod/n_sm2_ops.h"

const ty_n_sm2_ops ty_n_sm2_ops_m4 = {
    ty_n_sm2_reduce_m4, ty_n_sm2_add_m4, ty_n_sm2_sub_m4, ty_n_sm2_mul_m4, ty_n_sm2_inv_m4 };
#include "base/level_end.h"
#else
typedef int ty_n_sm2_m4_is_empty;   /* ISO C requires a declaration in every file */
#endif
