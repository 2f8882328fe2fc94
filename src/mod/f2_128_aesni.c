/* GF(2^128) with PCLMULQDQ: eight blocks for one reduction.
 *
 * Lower bound: 4 PCLMULQDQ per block at one per cycle, and 2 per 8 blocks for the reduction: 4.25 /
 * 16 = 0.27 cycles per byte. */
#include "mod/f2_128.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/vec.h"
#include "mod/f2_128_x.h"

#define TY_LEVEL aesni
#include "base/level_begin.h"

#include "mod/f2_128_eight.h"

const ty_f2_128_ops ty_f2_128_ops_aesni = {
    ty_f2_128_powers_aesni, ty_f2_128_horner_aesni, ty_f2_128_polyval_aesni,
    NULL, ty_f2_128_ladder_aesni };
#include "base/level_end.h"
#endif
