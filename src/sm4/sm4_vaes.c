/* SM4 with AVX2 and VAES: 32 blocks in ymm registers. Lower bound: sm4_rounds_x86.S, 1.31 cycles
 * per byte at four instructions a cycle, and 5 % to enter and leave AES form. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_aes.h"

#define TY_LEVEL vaes
#include "base/level_begin.h"

static inline v128 aes_last_v128(v128 a, v128 b) { return v128_aes_last(a, b); }
static inline v256 aes_last_v256(v256 a, v256 b) { return v256_aes_last(a, b); }
#define V v128
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"
#undef V
#define V v256
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"

/* sm4_rounds_x86.S; in 128 bits those of "avx2" */
TY_SYSV v128 ty_sm4_one_avx2(v128 block, const uint32_t *rk);
void ty_sm4_small_avx2(v128 *x, const uint32_t *rk);
void ty_sm4_small_own_avx2(v128 *x, const uint32_t *rk);
TY_SYSV v256 ty_sm4_pair_vaes(v256 blocks, const uint32_t *rk);

static inline v128 ty_sm4_one_vaes(v128 block, const uint32_t *rk)
{
    return ty_sm4_one_avx2(block, rk);
}
static inline void ty_sm4_small_vaes(v128 *x, const uint32_t *rk) { ty_sm4_small_avx2(x, rk); }
static inline void ty_sm4_small_own_vaes(v128 *x, const uint32_t *rk)
{
    ty_sm4_small_own_avx2(x, rk);
}
static inline void ty_sm4_two_vaes(uint8_t *out, const uint8_t *in, v128 a, v128 b,
                                   const uint32_t *rk)
{
    const v256 y = from_aes_v256(ty_sm4_pair_vaes(to_aes_v256(v256_join(a, b)), rk));
    v256_store(out, y ^ (in ? v256_load(in) : v256_zero()));
}
#include "sm4/sm4_words.h"
enum { HAS_TWO = 1, SHORT = 0 };
#include "sm4/sm4_modes.h"
#include "sm4/sm4_schedules.h"

const ty_sm4_ops ty_sm4_ops_vaes = {
    ty_sm4_schedule_vaes, ty_sm4_schedules_vaes, ty_sm4_ecb_vaes, ty_sm4_ctr32_vaes,
    ty_sm4_ctr32_beside_vaes, 4 * N,
    ty_sm4_cbc_encrypt_vaes, ty_sm4_cbc_decrypt_vaes, ty_sm4_cfb_decrypt_vaes, ty_sm4_xex_vaes,
    ty_sm4_lane_key_vaes, ty_sm4_lane_keys_vaes, ty_sm4_lanes_vaes,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
