/* SM4 with GFNI in AVX2 width (VEX encoding): no AVX-512, so it also runs on CPUs that have GFNI
 * without it.
 *
 * Lower bound: per round of 8 blocks 2 XOR for the next input, 2 GFNI, 3 shuffles, 5 XOR = 12
 * instructions, 32 x 12 / 128 bytes = 3 per byte. Three vector ports (Intel): 1 cycle per byte.
 * Four (Zen 4): 0.75, measured 1.19, of which 1.10 are the rounds (sm4_rounds_gfni.S). */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_aes.h"

#define TY_LEVEL gfni
#include "base/level_begin.h"

#define V v128
#include "sm4/sm4_sbox_gfni.h"
#include "sm4/sm4_lanes.h"
#undef V
#define V v256
#include "sm4/sm4_sbox_gfni.h"
#include "sm4/sm4_lanes.h"
#include "sm4/sm4_one.h"
static void ty_sm4_rounds1_gfni(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 0); }
static void ty_sm4_rounds1_own_gfni(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 1); }
static void ty_sm4_small_gfni(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 0); }
static void ty_sm4_small_own_gfni(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 1); }
#include "sm4/sm4_words.h"
enum { HAS_TWO = 0, SHORT = 0 };
#include "sm4/sm4_modes.h"
#include "sm4/sm4_schedules.h"

const ty_sm4_ops ty_sm4_ops_gfni = {
    ty_sm4_schedule_gfni, ty_sm4_schedules_gfni, ty_sm4_ecb_gfni, ty_sm4_ctr32_gfni,
    ty_sm4_ctr32_beside_gfni, 4 * N,
    ty_sm4_cbc_encrypt_gfni, ty_sm4_cbc_decrypt_gfni, ty_sm4_cfb_decrypt_gfni, ty_sm4_xex_gfni,
    ty_sm4_lane_key_gfni, ty_sm4_lane_keys_gfni, ty_sm4_lanes_gfni,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
