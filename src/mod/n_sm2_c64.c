/* Z/n for SM2 in 64-bit limbs. */
#if defined(__SIZEOF_INT128__)
#include "mod/n_sm2.h"

#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#define TY_LEVEL c64
#include "base/level_begin.h"
#define TY_LIMB_BITS 64
#define TY_OWN(name) TY_K(n_sm2_##name)
#include "mod/sm2_names.h"
#include "limb/limb256.h"
#include "mod/n_sm2_words.h"
#include "mod/n_sm2_ops.h"

const ty_n_sm2_ops ty_n_sm2_ops_c64 = {
    ty_n_sm2_reduce_c64, ty_n_sm2_add_c64, ty_n_sm2_sub_c64, ty_n_sm2_mul_c64, ty_n_sm2_inv_c64 };
#include "base/level_end.h"
#else
typedef int ty_n_sm2_c64_is_empty;   /* ISO C requires a declaration in every file */
#endif
