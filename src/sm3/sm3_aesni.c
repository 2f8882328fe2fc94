/* SM3 on four messages at once, with SSSE3 and SSE4.1. One message is hashed by sm3.c: without
 * rotations into another register, gcc's code for the rounds is as good as any.
 *
 * Bound: as sm3_avx2.c on half the width, and a copy for most instructions: 3.2 core cycles per
 * byte and more. */
#include "sm3/sm3.h"
#if defined(__x86_64__)
#include "base/bytes.h"
#include "base/vec.h"

#define TY_LEVEL aesni
#include "base/level_begin.h"
#define V v128
#include "sm3/sm3_lanes.h"

const ty_sm3_ops ty_sm3_ops_aesni = { ty_sm3_blocks_c, LANES, ty_sm3_step_aesni,
                                      ty_sm3_chain_aesni };
#    include "base/level_end.h"
#endif
