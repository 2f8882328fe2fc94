/* SM4 by GFNI in AVX2 width (VEX encoding): no AVX-512, so it also runs on CPUs that have GFNI without it.
 *
 * Floor: per round of 8 blocks 2 XOR for the next input, 2 GFNI, 3 shuffles, 5 XOR = 12 instructions, 32 x 12 / 128 bytes
 * = 3 per byte. Three vector ports (Intel): 1 cycle per byte. Four (Zen 4): 0.75, measured 1.19, the rounds being 1.10 of it
 * (sm4_rounds_gfni.S). */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/v128.h"
#include "mod/f8_sm4.h"

#define TY_LEVEL gfni
#include "base/level_begin.h"

#define AFFINE_WIDE(name, op, NAME)                                                                                  \
    static inline __m256i name##_256(__m256i x)                                                                      \
    {                                                                                                                \
        return _mm256_gf2p8##op##_epi64_epi8(x, _mm256_set1_epi64x((long long)TY_F8_SM4_GFNI_##NAME),                 \
                                             TY_F8_SM4_GFNI_##NAME##_ADD);                                           \
    }
#include "sm4/sm4_affine.inc"

void ty_sm4_rounds4_gfni(__m256i x[16], const uint32_t rk[32]);   /* sm4_rounds_gfni.S */
void ty_sm4_rounds2_gfni(__m256i x[8], const uint32_t rk[32]);
void ty_sm4_rounds4_own_gfni(__m256i x[16], const uint32_t *rk);
void ty_sm4_rounds2_own_gfni(__m256i x[8], const uint32_t *rk);
#define FOUR  ty_sm4_rounds4_gfni
#define TWO   ty_sm4_rounds2_gfni
#define FOUR_OWN  ty_sm4_rounds4_own_gfni
#define TWO_OWN   ty_sm4_rounds2_own_gfni
#define WIDTH_INC "sm4/sm4_width256.inc"
#define SBOX_INC "sm4/sm4_sbox_gfni.inc"
#include "sm4/sm4_vector.inc"

const ty_sm4_ops ty_sm4_ops_gfni = {
    ty_sm4_schedule_gfni, ty_sm4_ecb_gfni, ty_sm4_ctr32_gfni, ty_sm4_cbc_encrypt_gfni,
    ty_sm4_cbc_decrypt_gfni, ty_sm4_cfb_decrypt_gfni, ty_sm4_xex_gfni, ty_sm4_lane_key_gfni,
    ty_sm4_lanes_gfni
};
#include "base/level_end.h"
#endif
