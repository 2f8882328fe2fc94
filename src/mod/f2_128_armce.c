/* GF(2^128) with PMULL of ARMv8's Cryptography Extension: eight blocks for one reduction.
 *
 * Lower bound: per block 4 PMULL, 4 EOR, TBL and EXT, and per 8 blocks 2 PMULL and ten others for
 * the reduction: 11.5 instructions. By published port counts: two vector pipes, one of which
 * multiplies (Neoverse N1), 11.5 / 2 / 16 = 0.36 cycles per byte; four (Neoverse V1, Apple M1)
 * 0.18. Not measured: the code has only run under QEMU. */
#include "mod/f2_128.h"

#if defined(TY_AARCH64)
#include <string.h>

#include "base/vec.h"
#include "mod/f2_128_x.h"

#define TY_LEVEL armce
#include "base/level_begin.h"

#include "mod/f2_128_eight.h"

const ty_f2_128_ops ty_f2_128_ops_armce = {
    ty_f2_128_powers_armce, ty_f2_128_horner_armce, ty_f2_128_polyval_armce,
    NULL, ty_f2_128_ladder_armce };
#include "base/level_end.h"
#endif
