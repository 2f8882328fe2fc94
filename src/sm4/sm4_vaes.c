/* SM4 by AVX2 with VAES: 32 blocks in ymm registers. Floor: sm4_rounds_x86.S, 1.31 cycles per byte at four instructions a
 * cycle, and 5 % to enter and leave the hatted form. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/v128.h"
#include "mod/f8_sm4.h"

#define TY_LEVEL vaes
#include "base/level_begin.h"

static inline __m256i aesenclast_256(__m256i a, __m256i b)
{
    return _mm256_aesenclast_epi128(_mm256_xor_si256(a, b), _mm256_setzero_si256());
}

void ty_sm4_rounds4_vaes(__m256i x[16], const uint32_t rk[32]);   /* sm4_rounds_x86.S */
void ty_sm4_rounds2_vaes(__m256i x[8], const uint32_t rk[32]);
void ty_sm4_rounds1_128_avx2(__m128i x[4], const uint32_t rk[32]);
void ty_sm4_rounds1_256_vaes(__m256i x[4], const uint32_t rk[32]);
__m128i ty_sm4_one_avx2(__m128i block, const uint32_t rk[32]);
__m256i ty_sm4_pair_vaes(__m256i blocks, const uint32_t rk[32]);
void ty_sm4_rounds4_own_vaes(__m256i x[16], const uint32_t *rk);
void ty_sm4_rounds2_own_vaes(__m256i x[8], const uint32_t *rk);
void ty_sm4_rounds1_own_128_avx2(__m128i x[4], const uint32_t *rk);
void ty_sm4_rounds1_own_256_vaes(__m256i x[4], const uint32_t *rk);
#define FOUR  ty_sm4_rounds4_vaes
#define TWO   ty_sm4_rounds2_vaes
#define ALONE ty_sm4_rounds1_256_vaes
#define SMALL ty_sm4_rounds1_128_avx2
#define ONE   ty_sm4_one_avx2
#define PAIR  ty_sm4_pair_vaes
#define FOUR_OWN  ty_sm4_rounds4_own_vaes
#define TWO_OWN   ty_sm4_rounds2_own_vaes
#define ALONE_OWN ty_sm4_rounds1_own_256_vaes
#define SMALL_OWN ty_sm4_rounds1_own_128_avx2
#define WIDTH_INC "sm4/sm4_width256.inc"
#define SBOX_INC "sm4/sm4_sbox_aesni.inc"
#include "sm4/sm4_vector.inc"

const ty_sm4_ops ty_sm4_ops_vaes = {
    ty_sm4_schedule_vaes, ty_sm4_ecb_vaes, ty_sm4_ctr32_vaes, ty_sm4_cbc_encrypt_vaes,
    ty_sm4_cbc_decrypt_vaes, ty_sm4_cfb_decrypt_vaes, ty_sm4_xex_vaes, ty_sm4_lane_key_vaes,
    ty_sm4_lanes_vaes
};
#include "base/level_end.h"
#endif
