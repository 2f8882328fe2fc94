/* SM3 on AVX2 and BMI2: one message by the assembly of sm3_rounds_x86.S, eight by vectors.
 *
 * Bound for eight: a rotation is three instructions, two of them shifts for one of two ports. With
 * a byte shuffle each for P0 and P1, a round and its expansion are 52 instructions on four ports,
 * 13 cycles: 1.6 core cycles per byte. */
#include "sm3/sm3.h"
#if defined(__x86_64__)
#include "base/bytes.h"
#include "base/vec.h"

#define TY_LEVEL avx2
#include "base/level_begin.h"
#define V v256
#include "sm3/sm3_lanes.h"

void ty_sm3_blocks_avx2(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);

const ty_sm3_ops ty_sm3_ops_avx2 = { ty_sm3_blocks_avx2, LANES, ty_sm3_step_avx2,
                                     ty_sm3_chain_avx2 };
#    include "base/level_end.h"
#endif
