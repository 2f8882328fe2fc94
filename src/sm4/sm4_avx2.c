/* SM4 with AVX2 and AES-NI: 32 blocks in ymm registers, with an AESENCLAST for each half.
 *
 * Lower bound: the 21 instructions per round of 8 blocks that sm4_rounds_x86.S counts, and three
 * for the halves: 32 x 24 / 128 = 6 instructions per byte, at four a cycle 1.5 cycles per byte; on
 * CPUs with one shuffle port 32 x 10 / 128 = 2.5 cycles per byte. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_aes.h"

#define TY_LEVEL avx2
#include "base/level_begin.h"

static inline v128 aes_last_v128(v128 a, v128 b) { return v128_aes_last(a, b); }
static inline v256 aes_last_v256(v256 a, v256 b)
{
    const v256 t = a ^ b;
    const v128 zero = v128_zero();
    return v256_join(v128_aes_last(v256_low(t), zero), v128_aes_last(v256_high(t), zero));
}
#define V v128
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"
#undef V
#define V v256
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"
/* sm4_rounds_x86.S */
TY_SYSV v128 ty_sm4_one_avx2(v128 block, const uint32_t *rk);
#include "sm4/sm4_words.h"
enum { HAS_TWO = 0, SHORT = 0 };
#include "sm4/sm4_modes.h"
#include "sm4/sm4_schedules.h"

const ty_sm4_ops ty_sm4_ops_avx2 = {
    ty_sm4_schedule_avx2, ty_sm4_schedules_avx2, ty_sm4_ecb_avx2, ty_sm4_ctr32_avx2,
    ty_sm4_ctr32_beside_avx2, 4 * N,
    ty_sm4_cbc_encrypt_avx2, ty_sm4_cbc_decrypt_avx2, ty_sm4_cfb_decrypt_avx2, ty_sm4_xex_avx2,
    ty_sm4_lane_key_avx2, ty_sm4_lane_keys_avx2, ty_sm4_lanes_avx2,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
