/* SM4 by AVX2 with AES-NI: 32 blocks in ymm registers, whose halves take turns at AESENCLAST.
 *
 * Floor: the 21 instructions per round of 8 blocks that sm4_rounds_x86.S counts, and three for the halves: 32 x 24 / 128
 * bytes = 6 per byte, at four a cycle 1.5 cycles per byte; on CPUs with one shuffle port 32 x 10 / 128 = 2.5. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/v128.h"
#include "mod/f8_sm4.h"

#define TY_LEVEL avx2
#include "base/level_begin.h"

static inline __m128i aesenclast_128(__m128i a, __m128i b);
static inline __m256i aesenclast_256(__m256i a, __m256i b)
{
    const __m256i t = _mm256_xor_si256(a, b);
    const __m128i low = _mm256_castsi256_si128(t), high = _mm256_extracti128_si256(t, 1), zero = _mm_setzero_si128();
    return _mm256_set_m128i(aesenclast_128(high, zero), aesenclast_128(low, zero));
}

void ty_sm4_rounds4_avx2(__m256i x[16], const uint32_t rk[32]);   /* sm4_rounds_x86.S */
void ty_sm4_rounds2_avx2(__m256i x[8], const uint32_t rk[32]);
void ty_sm4_rounds1_128_avx2(__m128i x[4], const uint32_t rk[32]);
void ty_sm4_rounds1_256_avx2(__m256i x[4], const uint32_t rk[32]);
__m128i ty_sm4_one_avx2(__m128i block, const uint32_t rk[32]);
void ty_sm4_rounds4_own_avx2(__m256i x[16], const uint32_t *rk);
void ty_sm4_rounds2_own_avx2(__m256i x[8], const uint32_t *rk);
void ty_sm4_rounds1_own_128_avx2(__m128i x[4], const uint32_t *rk);
void ty_sm4_rounds1_own_256_avx2(__m256i x[4], const uint32_t *rk);
#define FOUR  ty_sm4_rounds4_avx2
#define TWO   ty_sm4_rounds2_avx2
#define ALONE ty_sm4_rounds1_256_avx2
#define SMALL ty_sm4_rounds1_128_avx2
#define ONE   ty_sm4_one_avx2
#define FOUR_OWN  ty_sm4_rounds4_own_avx2
#define TWO_OWN   ty_sm4_rounds2_own_avx2
#define ALONE_OWN ty_sm4_rounds1_own_256_avx2
#define SMALL_OWN ty_sm4_rounds1_own_128_avx2
#define WIDTH_INC "sm4/sm4_width256.inc"
#define SBOX_INC "sm4/sm4_sbox_aesni.inc"
#include "sm4/sm4_vector.inc"

const ty_sm4_ops ty_sm4_ops_avx2 = {
    ty_sm4_schedule_avx2, ty_sm4_ecb_avx2, ty_sm4_ctr32_avx2, ty_sm4_cbc_encrypt_avx2,
    ty_sm4_cbc_decrypt_avx2, ty_sm4_cfb_decrypt_avx2, ty_sm4_xex_avx2, ty_sm4_lane_key_avx2,
    ty_sm4_lanes_avx2
};
#include "base/level_end.h"
#endif
