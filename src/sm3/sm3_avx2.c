/* SM3 on AVX2 and BMI2: one message by the assembly of sm3_rounds_x86.S, eight by vectors.
 *
 * Bound of eight: a rotation is three instructions, two of them shifts for one of two ports. With P0 and P1 by a byte shuffle
 * each, a round and its expansion are 52 instructions on four ports, 13 cycles: 1.6 core cycles per byte. */
#include "sm3/sm3.h"
#if defined(__x86_64__)
#include "base/bytes.h"
#include <immintrin.h>
#define TY_LEVEL avx2
#include "base/level_begin.h"

#define LANES        8
#define V            __m256i
#define ADD(a, b)    _mm256_add_epi32(a, b)
#define XOR(a, b)    _mm256_xor_si256(a, b)
#define AND(a, b)    _mm256_and_si256(a, b)
#define ROT(x, n)    _mm256_or_si256(_mm256_slli_epi32(x, n), _mm256_srli_epi32(x, 32 - (n)))
#define SAME(p)      _mm256_set1_epi32((int)*(p))
#define UNPACK(what, a, b) _mm256_unpack##what(a, b)
#define BYTES(x, k)  _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(k))
#define WHOLE(in, e, at) \
    _mm256_inserti128_si256(_mm256_castsi128_si256(sixteen((in)[e] + (at))), sixteen((in)[(e) + 4] + (at)), 1)
static inline __m128i sixteen(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
#include "sm3/sm3_gates.inc"
#include "sm3/sm3_lanes.inc"

void ty_sm3_blocks_avx2(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks);

const ty_sm3_ops ty_sm3_ops_avx2 = { ty_sm3_blocks_avx2, LANES, ty_sm3_step_avx2, ty_sm3_chain_avx2 };
#include "base/level_end.h"
#endif
