/* The curves over one field in 128-bit vectors, and two elements at once in 256-bit vectors where
 * the ladder and verification have two to multiply: what a file ec_f2_<m>_<level>.c includes. It
 * gives what ec_f2_names.h asks for, and EC_KOBLITZ, 1 if there are curves with b = 1; it ends with
 * level_end.h. */
#ifndef TY_EC_EC_F2_PAIRS_H
#define TY_EC_EC_F2_PAIRS_H

#include "base/vec.h"
#include "ec/ec_f2_names.h"

#include "base/level_begin.h"
#define F2_WARM  (F2_HOT && F2_W <= 5)
#if !defined(TY_SMALL_TABLES)   /* a build option: 138 KB less, and an inversion is squarings alone */
#  define F2_FAR TY_CAT(ty_f2_far_, F2_M)
#endif
#if defined(__clang__)
/* Every index is a constant once loops are unrolled; to check each for undefined behaviour, beside
 * the checks of the address sanitizer, would double the time to compile this. */
#  pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#endif
#include "mod/f2_single.inc"
#define FEV      FE_(two)
#define FEV_(op) FE_(two_##op)
#define V        v256
#include "mod/f2_clmul.inc"
#undef V
#undef FEV
#undef FEV_
#include "mod/f2_two_wide.inc"
#if defined(F2_FAR)
#  include "mod/f2_far.inc"
#endif
#include "ec/ec_binary_all.inc"
#if defined(__clang__)
#  pragma clang attribute pop
#endif

#endif
