/* SM4 by AVX2 with AES-NI: 16 blocks in ymm registers, 4 in xmm for short inputs and chains.
 *
 * Floor: per round of 8 blocks 3 XOR, 2 x 6 for the affine maps, extract, 2 AESENCLAST, insert, 4 shuffles, 2 shifts,
 * 6 XOR = 31 instructions; at four a cycle 32 x 31 / 4 / 128 bytes = 1.94 cycles per byte. The two shuffle ports bind a
 * little later: 8 PSHUFB, 3 shifts... = 14 of them, 32 x 14 / 2 / 128 = 1.75. A chain (CBC encryption) waits
 * some 20 cycles per round: 40 cycles per byte. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "mod/f8_sm4.h"

#define TY_TARGET "avx2,aes"
#include "base/tier_begin.h"

static const uint8_t in_lo[16] = { TY_F8_SM4_IN_LO }, in_hi[16] = { TY_F8_SM4_IN_HI };
static const uint8_t out_lo[16] = { TY_F8_SM4_OUT_LO }, out_hi[16] = { TY_F8_SM4_OUT_HI };
static const uint8_t low_nibbles[16] = { 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15 };
/* ShiftRows sends byte 5 i mod 16 to i, so its inverse takes i from 13 i */
static const uint8_t unshift[16] = { 0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3 };

static inline __m128i aesenclast_128(__m128i x) { return _mm_aesenclast_si128(x, _mm_setzero_si128()); }
static inline __m256i aesenclast_256(__m256i x)
{
    return _mm256_set_m128i(aesenclast_128(_mm256_extracti128_si256(x, 1)), aesenclast_128(_mm256_castsi256_si128(x)));
}

#define SBOX_INC "sm4/sm4_sbox_aesni.inc"
#include "sm4/sm4_x86.inc"

const ty_sm4_ops ty_sm4_ops_avx2 = { schedule, ecb, ctr32, cbc_encrypt, cbc_decrypt, cfb_decrypt, xex };
#include "base/tier_end.h"
#endif
