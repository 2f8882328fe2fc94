/* The curves over one field in 128-bit vectors, with the carry-less product: what a file
 * ec_f2_<m>_<level>.c includes. It gives what ec_f2_names.h asks for, and EC_KOBLITZ, 1 if there
 * are curves with b = 1; it ends with level_end.h. */
#ifndef TY_EC_EC_F2_VECTORS_H
#define TY_EC_EC_F2_VECTORS_H

#include "base/vec.h"
#include "ec/ec_f2_names.h"

#include "base/level_begin.h"
#define F2_WARM (F2_HOT && F2_W <= 3)
#if defined(__clang__)
/* Every index is a constant once loops are unrolled; to check each for undefined behaviour, beside
 * the checks of the address sanitizer, would double the time to compile this. */
#  pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#endif
#include "mod/f2_single.inc"
#include "mod/f2_two.inc"
#include "ec/ec_binary_all.inc"
#if defined(__clang__)
#  pragma clang attribute pop
#endif

#endif
