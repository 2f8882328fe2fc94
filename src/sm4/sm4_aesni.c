/* SM4 with AES-NI in xmm registers, for CPUs without AVX2: 16 blocks at a time.
 *
 * Lower bound: sm4_rounds_x86.S counts 21 instructions per round of one chain, here of 4 blocks: 32
 * x 21 / 64 bytes = 10.5 per byte, and copies, as an instruction overwrites its first operand: at
 * four a cycle more than 2.6 cycles per byte. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_aes.h"

#define TY_LEVEL aesni
#include "base/level_begin.h"

static inline v128 aes_last_v128(v128 a, v128 b) { return v128_aes_last(a, b); }
#define V v128
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"
#include "sm4/sm4_one.h"
static void ty_sm4_rounds4_own_aesni(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 4, rk, 1); }
NOINLINE void ty_sm4_rounds2_aesni(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 2, rk, 0); }
static void ty_sm4_rounds2_own_aesni(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 2, rk, 1); }
static void ty_sm4_rounds1_aesni(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 0); }
static void ty_sm4_rounds1_own_aesni(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 1); }
static void ty_sm4_small_aesni(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 0); }
static void ty_sm4_small_own_aesni(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 1); }
NOINLINE void ty_sm4_rounds4_aesni(V *x, const uint32_t *rk, v128 *beside)
{
    V_NAME(rounds)(x, 4, rk, 0);
    if (beside) ty_sm4_small_aesni(beside, rk);
}
#include "sm4/sm4_words.h"
enum { HAS_TWO = 0, SHORT = 0 };
#include "sm4/sm4_modes.h"
#include "sm4/sm4_schedules.h"

const ty_sm4_ops ty_sm4_ops_aesni = {
    ty_sm4_schedule_aesni, ty_sm4_schedules_aesni, ty_sm4_ecb_aesni, ty_sm4_ctr32_aesni,
    ty_sm4_ctr32_beside_aesni, 4 * N,
    ty_sm4_cbc_encrypt_aesni, ty_sm4_cbc_decrypt_aesni, ty_sm4_cfb_decrypt_aesni, ty_sm4_xex_aesni,
    ty_sm4_lane_key_aesni, ty_sm4_lane_keys_aesni, ty_sm4_lanes_aesni,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
