/* Z/n for SM2 in 64-bit limbs. */
#if defined(__SIZEOF_INT128__)
#include "mod/n_sm2.h"

#include "base/bytes.h"
#include "base/ct.h"

#include <string.h>

#define TY_LIMB_BITS 64
#define TY_N_SM2_OPS ty_n_sm2_ops_c64
#include "limb/limb256.inc"
#include "mod/n_sm2.inc"
#include "mod/n_sm2_ops.inc"
#else
typedef int ty_n_sm2_c64_is_empty;   /* ISO C wants a declaration in every file */
#endif
