/* SM4 with the AES instructions of ARMv8's Cryptography Extension: 16 blocks at a time. AESE adds
 * its key before the bytes go through the S-box, where x86's AESENCLAST adds it after: so the last
 * addition before the S-box is part of AESE.
 *
 * Lower bound: per round of 4 blocks 2 EOR for the next input, AESE, a shift, AND, 4 lookups, 2
 * EOR, TBL, EOR, 3 TBL, 3 EOR = 19 instructions. By published port counts: two vector pipes
 * (Neoverse N1) 32 x 19 / 2 / 64 = 4.75 cycles per byte, four (Neoverse V1, Apple M1) 2.4. Not
 * measured: it has only been run under QEMU. */
#include "sm4/sm4.h"

#if defined(TY_AARCH64)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_aes.h"

#define TY_LEVEL armce
#include "base/level_begin.h"

static inline v128 aes_last_v128(v128 a, v128 b) { return v128_aes_last(a, b); }
#define V v128
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"
#include "sm4/sm4_one.h"
static void ty_sm4_rounds4_own_armce(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 4, rk, 1); }
NOINLINE void ty_sm4_rounds2_armce(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 2, rk, 0); }
static void ty_sm4_rounds2_own_armce(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 2, rk, 1); }
static void ty_sm4_rounds1_armce(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 0); }
static void ty_sm4_rounds1_own_armce(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 1); }
static void ty_sm4_small_armce(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 0); }
static void ty_sm4_small_own_armce(v128 *x, const uint32_t *rk) { rounds_v128(x, 1, rk, 1); }
NOINLINE void ty_sm4_rounds4_armce(V *x, const uint32_t *rk, v128 *beside)
{
    V_NAME(rounds)(x, 4, rk, 0);
    if (beside) ty_sm4_small_armce(beside, rk);
}
#include "sm4/sm4_words.h"
enum { HAS_TWO = 0, SHORT = 0 };
#include "sm4/sm4_modes.h"
#include "sm4/sm4_schedules.h"

const ty_sm4_ops ty_sm4_ops_armce = {
    ty_sm4_schedule_armce, ty_sm4_schedules_armce, ty_sm4_ecb_armce, ty_sm4_ctr32_armce,
    ty_sm4_ctr32_beside_armce, 4 * N,
    ty_sm4_cbc_encrypt_armce, ty_sm4_cbc_decrypt_armce, ty_sm4_cfb_decrypt_armce, ty_sm4_xex_armce,
    ty_sm4_lane_key_armce, ty_sm4_lane_keys_armce, ty_sm4_lanes_armce,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
