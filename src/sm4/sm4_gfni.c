/* SM4 by GFNI in AVX2 width (VEX encoding): no AVX-512, so it also runs on CPUs that have GFNI without it.
 *
 * Floor: per round of 8 blocks 3 XOR, 2 GFNI, 3 shuffles, 2 shifts, 6 XOR = 16 instructions, 32 x 16 / 128 bytes = 4 per
 * byte. Three vector ports (Intel): 1.33 cycles per byte; shuffles, shifts and GFNI share two of them: 0.88. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "mod/f8_sm4.h"

#define TY_TARGET "avx2,gfni"
#include "base/tier_begin.h"

#define IN(set1)  set1((long long)TY_F8_SM4_GFNI_IN)
#define OUT(set1) set1((long long)TY_F8_SM4_GFNI_OUT)
static inline __m128i affine_128(__m128i x)
{
    return _mm_gf2p8affine_epi64_epi8(x, IN(_mm_set1_epi64x), TY_F8_SM4_GFNI_IN_ADD);
}
static inline __m128i affine_inverse_128(__m128i x)
{
    return _mm_gf2p8affineinv_epi64_epi8(x, OUT(_mm_set1_epi64x), TY_F8_SM4_GFNI_OUT_ADD);
}
static inline __m256i affine_256(__m256i x)
{
    return _mm256_gf2p8affine_epi64_epi8(x, IN(_mm256_set1_epi64x), TY_F8_SM4_GFNI_IN_ADD);
}
static inline __m256i affine_inverse_256(__m256i x)
{
    return _mm256_gf2p8affineinv_epi64_epi8(x, OUT(_mm256_set1_epi64x), TY_F8_SM4_GFNI_OUT_ADD);
}

#define SBOX_INC "sm4/sm4_sbox_gfni.inc"
#include "sm4/sm4_x86.inc"

const ty_sm4_ops ty_sm4_ops_gfni = { schedule, ecb, ctr32, cbc_encrypt, cbc_decrypt, cfb_decrypt, xex };
#include "base/tier_end.h"
#endif
