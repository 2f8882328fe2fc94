/* SM3 on four messages at once with ASIMD, which every AArch64 machine of the level "armce" has.
 * One message is hashed by sm3.c.
 *
 * Bound: a rotation is a shift and a shift with insertion. With P0 and P1 as one rotation and one
 * move of bytes each, a round and its expansion are 39 instructions, 16 of them shifts: on the four
 * vector ports of a Neoverse V1, where two shift, 9.75 cycles, 2.4 per byte. Not
 * measured: it has only been run under QEMU. */
#include "sm3/sm3.h"
#if defined(TY_AARCH64)
#include "base/bytes.h"
#include "base/vec.h"

#define TY_LEVEL armce
#include "base/level_begin.h"
#define V v128
#include "sm3/sm3_lanes.h"

const ty_sm3_ops ty_sm3_ops_armce = { ty_sm3_blocks_c, LANES, ty_sm3_step_armce,
                                      ty_sm3_chain_armce };
#    include "base/level_end.h"
#endif
