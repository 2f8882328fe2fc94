/* Z/n for SM2 in 64-bit limbs: products with mulx, division steps with conditional moves. */
#include "mod/n_sm2.h"
#if defined(TY_HAS_ADX)
#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#define TY_LEVEL adx
#include "base/level_begin.h"
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define TY_OWN(name) TY_K(n_sm2_##name)
#include "mod/sm2_names.h"
#include "limb/limb256.h"
#include "mod/n_sm2_words.h"
#include "mod/n_sm2_ops.h"

const ty_n_sm2_ops ty_n_sm2_ops_adx = {
    ty_n_sm2_reduce_adx, ty_n_sm2_add_adx, ty_n_sm2_sub_adx, ty_n_sm2_mul_adx, ty_n_sm2_inv_adx };
#include "base/level_end.h"
#else
typedef int ty_n_sm2_adx_is_empty;   /* ISO C requires a declaration in every file */
#endif
