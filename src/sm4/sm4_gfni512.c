/* SM4 by GFNI in zmm registers, 64 blocks at once.
 *
 * Lower bound: per round of 16 blocks 2 GFNI, 3 shuffles, and 8 XOR, of which VPTERNLOG makes 5 =
 * 10 instructions, 32 x 10 / 256 bytes = 1.25 per byte. Ice Lake does two a cycle, its shuffles and
 * GFNI on one port each, Zen 4 too: 0.63 core cycles per byte. Measured on Zen 4: 0.92, the rounds
 * being 0.78 of it (sm4_rounds_gfni.S); ahead of bit planes at any length. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_aes.h"

#define TY_LEVEL gfni512
#include "base/level_begin.h"

#define V v128
#include "sm4/sm4_sbox_gfni.h"
#include "sm4/sm4_lanes.h"
#undef V
#define V v512
#include "sm4/sm4_sbox_gfni.h"
#include "sm4/sm4_lanes.h"
#include "sm4/sm4_one.h"
static void ty_sm4_rounds1_gfni512(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 0); }
static void ty_sm4_rounds1_own_gfni512(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 1); }
static void ty_sm4_small_gfni512(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 0); }
static void ty_sm4_small_own_gfni512(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 1); }
enum { HAS_TWO = 0 };
#include "sm4/sm4_modes.h"
#include "sm4/sm4_schedules.h"

const ty_sm4_ops ty_sm4_ops_gfni512 = {
    ty_sm4_schedule_gfni512, ty_sm4_schedules_gfni512, ty_sm4_ecb_gfni512, ty_sm4_ctr32_gfni512,
    ty_sm4_ctr32_beside_gfni512, 4 * N,
    ty_sm4_cbc_encrypt_gfni512, ty_sm4_cbc_decrypt_gfni512, ty_sm4_cfb_decrypt_gfni512,
    ty_sm4_xex_gfni512, ty_sm4_lane_key_gfni512, ty_sm4_lanes_gfni512
};
#include "base/level_end.h"
#endif
