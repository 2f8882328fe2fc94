/* SM3 on sixteen messages at once, with AVX-512: rotations and gates of three inputs are one
 * instruction each. One message alone is hashed by the assembly of sm3_rounds_x86.S.
 *
 * Bound: 27 instructions for a round and its expansion, on two ports 13.5 cycles: 0.84 core cycles
 * per byte. Measured on Zen 4: 1.22. */
#include "sm3/sm3.h"
#if defined(__x86_64__)
#include "base/bytes.h"
#include "base/vec.h"

#define TY_LEVEL avx512
#include "base/level_begin.h"
#define V v512
#include "sm3/sm3_lanes.h"

void ty_sm3_blocks_avx2(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);

const ty_sm3_ops ty_sm3_ops_avx512 = { ty_sm3_blocks_avx2, LANES, ty_sm3_step_avx512,
                                       ty_sm3_chain_avx512 };
#include "base/level_end.h"
#endif
