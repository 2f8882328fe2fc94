/* SM3 on four messages at once, by SSSE3 and SSE4.1. One message goes as in sm3.c: there are no rotations into another
 * register, and gcc does those rounds as well as any.
 *
 * Bound: as sm3_avx2.c on half the width, and a copy for most instructions: 3.2 core cycles per byte and more. */
#include "sm3/sm3.h"
#if defined(__x86_64__)
#include "base/bytes.h"
#include <immintrin.h>
#define TY_LEVEL aesni
#include "base/level_begin.h"

#define LANES        4
#define V            __m128i
#define ADD(a, b)    _mm_add_epi32(a, b)
#define XOR(a, b)    _mm_xor_si128(a, b)
#define AND(a, b)    _mm_and_si128(a, b)
#define ROT(x, n)    _mm_or_si128(_mm_slli_epi32(x, n), _mm_srli_epi32(x, 32 - (n)))
#define SAME(p)      _mm_set1_epi32((int)*(p))
#define UNPACK(what, a, b) _mm_unpack##what(a, b)
#define BYTES(x, k)  _mm_shuffle_epi8(x, k)
#define WHOLE(in, e, at) _mm_loadu_si128((const __m128i *)(const void *)((in)[e] + (at)))
#include "sm3/sm3_gates.inc"
#include "sm3/sm3_lanes.inc"

const ty_sm3_ops ty_sm3_ops_aesni = { ty_sm3_blocks_c, LANES, ty_sm3_step_aesni, ty_sm3_chain_aesni };
#include "base/level_end.h"
#endif
