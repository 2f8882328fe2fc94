/* SM4 by AVX-512 with AES-NI: 64 blocks in zmm registers, whose quarters take turns at AESENCLAST; from 512 blocks on bit
 * planes (sm4_slice_avx512.c).
 *
 * Floor of the first, per round of 16 blocks: 4 AESENCLAST, 3 extracts and 3 inserts, a shift, 2 AND, 8 shuffles, and 7 XOR by
 * fives and threes = 28 instructions, of which the 14 that move bytes have one port on Cascade Lake: 32 x 14 / 256 bytes = 1.75
 * core cycles per byte, 1.6 TSC cycles predicted. For CPUs without GFNI: where there is GFNI nothing comes here. On Zen 4, made to,
 * it takes 2.35 core cycles, and two chains 3.7, where "avx2" takes 2.3: words go through memory in the middle of a chain of
 * latencies that 512 bits make longer. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/v128.h"
#include "mod/f8_sm4.h"
#include "sm4/sm4_slice.h"

#define TY_LEVEL avx512
#include "base/level_begin.h"

static inline __m128i aesenclast_128(__m128i a, __m128i b);
static inline __m512i quarters(__m128i a, __m128i b, __m128i c, __m128i d);
static inline __m512i aesenclast_512(__m512i a, __m512i b)
{
    const __m512i x = _mm512_xor_si512(a, b);
    const __m128i zero = _mm_setzero_si128();
    return quarters(aesenclast_128(_mm512_castsi512_si128(x), zero), aesenclast_128(_mm512_extracti32x4_epi32(x, 1), zero),
                    aesenclast_128(_mm512_extracti32x4_epi32(x, 2), zero), aesenclast_128(_mm512_extracti32x4_epi32(x, 3), zero));
}

__m128i ty_sm4_one_avx2(__m128i block, const uint32_t rk[32]);   /* sm4_rounds_x86.S */
void ty_sm4_rounds1_128_avx2(__m128i x[4], const uint32_t rk[32]);
void ty_sm4_rounds1_own_128_avx2(__m128i x[4], const uint32_t *rk);
#define ONE   ty_sm4_one_avx2
#define SMALL ty_sm4_rounds1_128_avx2
#define SMALL_OWN ty_sm4_rounds1_own_128_avx2
#define WIDTH_INC "sm4/sm4_width512.inc"
#define SBOX_INC "sm4/sm4_sbox_aesni.inc"
#include "sm4/sm4_vector.inc"
#include "sm4/sm4_long.inc"

const ty_sm4_ops ty_sm4_ops_avx512 = {
    ty_sm4_schedule_avx512, ty_sm4_long_ecb_avx512, ty_sm4_long_ctr32_avx512,
    ty_sm4_cbc_encrypt_avx512, ty_sm4_long_cbc_decrypt_avx512, ty_sm4_long_cfb_decrypt_avx512,
    ty_sm4_long_xex_avx512, ty_sm4_lane_key_avx512, ty_sm4_lanes_avx512
};
#include "base/level_end.h"
#endif
