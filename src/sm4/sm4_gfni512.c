/* SM4 by GFNI in zmm registers, 64 blocks at once.
 *
 * Floor: per round of 16 blocks 2 GFNI, 3 shuffles, and 8 XOR, of which VPTERNLOG makes 5 = 10 instructions, 32 x 10 / 256
 * bytes = 1.25 per byte. Ice Lake does two a cycle, its shuffles and GFNI on one port each, Zen 4 too: 0.63 core cycles per
 * byte. Measured on Zen 4: 0.92, the rounds being 0.78 of it (sm4_rounds_gfni.S); ahead of bit planes at any length. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/v128.h"
#include "mod/f8_sm4.h"

#define TY_LEVEL gfni512
#include "base/level_begin.h"

#define AFFINE_WIDE(name, op, NAME)                                                                                  \
    static inline __m512i name##_512(__m512i x)                                                                      \
    {                                                                                                                \
        return _mm512_gf2p8##op##_epi64_epi8(x, _mm512_set1_epi64((long long)TY_F8_SM4_GFNI_##NAME),                  \
                                             TY_F8_SM4_GFNI_##NAME##_ADD);                                           \
    }
#include "sm4/sm4_affine.inc"

void ty_sm4_rounds4_gfni512(__m512i x[16], const uint32_t rk[32]);   /* sm4_rounds_gfni.S */
void ty_sm4_rounds2_gfni512(__m512i x[8], const uint32_t rk[32]);
void ty_sm4_rounds2_own_gfni512(__m512i x[8], const uint32_t *rk);
#define FOUR  ty_sm4_rounds4_gfni512
#define TWO   ty_sm4_rounds2_gfni512
#define TWO_OWN   ty_sm4_rounds2_own_gfni512
#define WIDTH_INC "sm4/sm4_width512.inc"
#define SBOX_INC "sm4/sm4_sbox_gfni.inc"
#include "sm4/sm4_vector.inc"

const ty_sm4_ops ty_sm4_ops_gfni512 = {
    ty_sm4_schedule_gfni512, ty_sm4_ecb_gfni512, ty_sm4_ctr32_gfni512, ty_sm4_cbc_encrypt_gfni512,
    ty_sm4_cbc_decrypt_gfni512, ty_sm4_cfb_decrypt_gfni512, ty_sm4_xex_gfni512,
    ty_sm4_lane_key_gfni512, ty_sm4_lanes_gfni512
};
#include "base/level_end.h"
#endif
