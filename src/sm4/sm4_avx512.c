/* SM4 with AVX-512 and AES-NI: 64 blocks in zmm registers, with an AESENCLAST for each quarter; 512
 * blocks or more as bit planes (sm4_slice_avx512.c).
 *
 * Lower bound of the former, per round of 16 blocks: 4 AESENCLAST, 3 extracts and 3 inserts, a
 * shift, 2 AND, 8 shuffles, and 7 XOR of two or three words = 28 instructions, of which the 14 that
 * move bytes have one port on Cascade Lake: 32 x 14 / 256 bytes = 1.75 core cycles per byte, 1.6
 * TSC cycles predicted. This is for CPUs without GFNI; others choose a stronger tier. If Zen 4 is
 * made to use it, it takes 2.35 core cycles per byte with four groups interleaved, 3.7 with two;
 * "avx2" takes 2.3. Words are stored and loaded within the dependency chain, whose latencies are
 * longer for 512 bits. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_aes.h"
#include "sm4/sm4_slice.h"

#define TY_LEVEL avx512
#include "base/level_begin.h"

static inline v128 aes_last_v128(v128 a, v128 b) { return v128_aes_last(a, b); }
static inline v512 aes_last_v512(v512 a, v512 b)
{
    const v512 t = a ^ b;
    const v128 zero = v128_zero();
    const v128 x0 = v512_part(t, 0), x1 = v512_part(t, 1);
    const v128 x2 = v512_part(t, 2), x3 = v512_part(t, 3);
    return v512_join(v128_aes_last(x0, zero), v128_aes_last(x1, zero),
                     v128_aes_last(x2, zero), v128_aes_last(x3, zero));
}
#define V v128
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"
#undef V
#define V v512
#include "sm4/sm4_sbox_aes.h"
#include "sm4/sm4_lanes.h"

/* sm4_rounds_x86.S: as for "avx2" */
TY_SYSV v128 ty_sm4_one_avx2(v128 block, const uint32_t *rk);
void ty_sm4_small_avx2(v128 *x, const uint32_t *rk);
void ty_sm4_small_own_avx2(v128 *x, const uint32_t *rk);
static inline v128 ty_sm4_one_avx512(v128 block, const uint32_t *rk)
{
    return ty_sm4_one_avx2(block, rk);
}
static inline void ty_sm4_small_avx512(v128 *x, const uint32_t *rk) { ty_sm4_small_avx2(x, rk); }
static inline void ty_sm4_small_own_avx512(v128 *x, const uint32_t *rk)
{
    ty_sm4_small_own_avx2(x, rk);
}
NOINLINE void ty_sm4_rounds2_avx512(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 2, rk, 0); }
static void ty_sm4_rounds2_own_avx512(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 2, rk, 1); }
static void ty_sm4_rounds1_avx512(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 0); }
static void ty_sm4_rounds1_own_avx512(V *x, const uint32_t *rk) { V_NAME(rounds)(x, 1, rk, 1); }
NOINLINE void ty_sm4_rounds4_avx512(V *x, const uint32_t *rk, v128 *beside)
{
    V_NAME(rounds)(x, 4, rk, 0);
    if (beside) ty_sm4_small_avx512(beside, rk);
}
#include "sm4/sm4_words.h"
enum { HAS_TWO = 0, SHORT = 0 };
#include "sm4/sm4_modes.h"
#include "sm4/sm4_schedules.h"

/* Long inputs go to bit planes, 512 blocks at a time, and the rest to the kernels above. The planes
 * need plain round keys: without the constant that a round key includes (src/mod/f8_sm4.h), out of
 * AES form, and in the machine's byte order. */
enum { LONG = 512 };   /* blocks */

static void plain_keys(uint32_t k[32], const uint32_t rk[32])
{
    for (int i = 0; i < 32; i += 4) {
        const v128 k4 = v128_load(rk + i) ^ v128_set8(TY_F8_SM4_C);
        v128_store(k + i, v128_shuf8(from_aes_v128(k4), v128_load(swap32)));
    }
}

#define PLANES(call)                                                                               \
    do {                                                                                           \
        uint32_t k[32];                                                                            \
        if (blocks < LONG) break;                                                                  \
        plain_keys(k, rk);                                                                         \
        done = call;                                                                               \
        ty_wipe(k, sizeof k);                                                                      \
    } while (0)

static void ty_sm4_long_ecb_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                                   const uint32_t rk[TY_AT_LEAST(32)])
{
    size_t done = 0;
    if (blocks == 0) return;
    PLANES(ty_sm4_slice_ecb_avx512(out, in, blocks, k));
    ty_sm4_ecb_avx512(out + 16 * done, in + 16 * done, blocks - done, rk);
}

static void ty_sm4_long_ctr32_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                                     const uint8_t counter[TY_AT_LEAST(16)],
                                     const uint32_t rk[TY_AT_LEAST(32)])
{
    uint8_t next[16];
    size_t done = 0;
    if (blocks == 0) return;
    PLANES(ty_sm4_slice_ctr32_avx512(out, in, blocks, counter, k));
    if (done == blocks) return;
    memcpy(next, counter, 12);
    ty_put32be(next + 12, ty_get32be(counter + 12) + (uint32_t)done);
    ty_sm4_ctr32_avx512(out + 16 * done, in + 16 * done, blocks - done, next, rk);
    ty_wipe(next, sizeof next);
}

static void ty_sm4_long_cbc_decrypt_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                                           uint8_t iv[TY_AT_LEAST(16)],
                                           const uint32_t rk[TY_AT_LEAST(32)])
{
    size_t done = 0;
    if (blocks == 0) return;
    PLANES(ty_sm4_slice_cbc_decrypt_avx512(out, in, blocks, iv, k));
    ty_sm4_cbc_decrypt_avx512(out + 16 * done, in + 16 * done, blocks - done, iv, rk);
}

static void ty_sm4_long_cfb_decrypt_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                                           uint8_t iv[TY_AT_LEAST(16)],
                                           const uint32_t rk[TY_AT_LEAST(32)])
{
    size_t done = 0;
    if (blocks == 0) return;
    PLANES(ty_sm4_slice_cfb_decrypt_avx512(out, in, blocks, iv, k));
    ty_sm4_cfb_decrypt_avx512(out + 16 * done, in + 16 * done, blocks - done, iv, rk);
}

static void ty_sm4_long_xex_avx512(uint8_t *out, const uint8_t *in, const uint8_t *mask,
                                   size_t blocks, const uint32_t rk[TY_AT_LEAST(32)])
{
    size_t done = 0;
    if (blocks == 0) return;
    PLANES(ty_sm4_slice_xex_avx512(out, in, mask, blocks, k));
    ty_sm4_xex_avx512(out + 16 * done, in + 16 * done, mask + 16 * done, blocks - done, rk);
}
#undef PLANES

const ty_sm4_ops ty_sm4_ops_avx512 = {
    ty_sm4_schedule_avx512, ty_sm4_schedules_avx512, ty_sm4_long_ecb_avx512,
    ty_sm4_long_ctr32_avx512, ty_sm4_ctr32_beside_avx512, 0,   /* planes need 512 blocks at once */
    ty_sm4_cbc_encrypt_avx512, ty_sm4_long_cbc_decrypt_avx512,
    ty_sm4_long_cfb_decrypt_avx512, ty_sm4_long_xex_avx512, ty_sm4_lane_key_avx512,
    ty_sm4_lane_keys_avx512, ty_sm4_lanes_avx512,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
