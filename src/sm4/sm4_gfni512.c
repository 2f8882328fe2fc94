/* SM4 with GFNI in zmm registers, 64 blocks at once.
 *
 * Lower bound: a round of 64 blocks, byte by byte (sm4_bytes_gfni512.S), is 28 instructions, 32 x
 * 28 / 1024 bytes = 0.88 per byte, two a cycle; transposing the blocks to bytes and back takes
 * 128 shuffles and 32 GFNI more, 0.16. So 0.52 core cycles per byte. Measured on Zen 4: 0.74 in
 * CTR; with words in lanes, which take ten instructions for 16 blocks, 0.92. Fewer than 33 blocks
 * run in lanes. */
#include "sm4/sm4.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/unroll.h"
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

enum { N = 16, GROUP = 16 * N, BATCH = 4 * GROUP };
#include "sm4/sm4_bytes.h"
enum { HAS_TWO = 0 };
#include "sm4/sm4_modes.h"

/* In sm4_rounds_gfni.S */
void ty_sm4_rounds4_grid_gfni512(V *x, const uint32_t *rk);
void ty_sm4_rounds2_grid_gfni512(V *x, const uint32_t *rk);
void ty_sm4_rounds1_grid_gfni512(V *x, const uint32_t *rk);

/* Four rounds of sixteen keys at a time, whose words are transposed */
static void ty_sm4_grid_keys_gfni512(uint32_t keys[TY_AT_LEAST(512)],
                                     const uint8_t *const in[TY_AT_LEAST(16)])
{
    V y[4];
    for (size_t r = 0; r < 32; r += 4) {
        EACH(i) y[i] = v_load_rows(V, in + i, 4 * r);
        V_NAME(transpose)(y);
        EACH(i) v_store(keys + N * (r + i), y[i]);
    }
    v_clear_upper(V);
}

/* Transposes sixteen vectors of sixteen words. */
static inline __attribute__((always_inline)) void transpose16(V y[16])
{
    EACH(a) V_NAME(transpose)(y + 4 * a);
    EACH(i) {
        const V a = _mm512_shuffle_i32x4(y[i], y[4 + i], 0x44);
        const V b = _mm512_shuffle_i32x4(y[i], y[4 + i], 0xee);
        const V c = _mm512_shuffle_i32x4(y[8 + i], y[12 + i], 0x44);
        const V d = _mm512_shuffle_i32x4(y[8 + i], y[12 + i], 0xee);
        y[i] = _mm512_shuffle_i32x4(a, c, 0x88);
        y[4 + i] = _mm512_shuffle_i32x4(a, c, 0xdd);
        y[8 + i] = _mm512_shuffle_i32x4(b, d, 0x88);
        y[12 + i] = _mm512_shuffle_i32x4(b, d, 0xdd);
    }
}

/* Four blocks of every row. Group c is block c of all rows. Rows were often just written, a block
 * at a time, so they are read in blocks: a load across several stores would wait for them. */
static void four_columns(uint8_t *const to[16], const uint8_t *const in[16],
                         const uint8_t *const add[16], V w[16], const uint32_t *keys)
{
    V y[16];
    EACH(c) {
        EACH(i) y[i] = v_load_rows(V, in + i, 16 * c);
        V_NAME(enter)(w, 4, c, y);
    }
    ty_sm4_rounds4_grid_gfni512(w, keys);
    EACH(c) EACH(i) y[4 * c + i] = V_NAME(from_aes)(w[4 * (3 - i) + c]);
    transpose16(y);
    TY_EACH(i, 16) v_store(to[i], y[i] ^ v_load(V, add[i]));
}

static void ty_sm4_grid_gfni512(uint8_t *const to[TY_AT_LEAST(16)],
                                const uint8_t *const in[TY_AT_LEAST(16)],
                                const uint8_t *const add[TY_AT_LEAST(16)],
                                uint8_t room[TY_AT_LEAST(1024)], size_t depth,
                                const uint32_t keys[TY_AT_LEAST(512)])
{
    V *w = (V *)(void *)room, y[4];
    if (depth == 4) {
        four_columns(to, in, add, w, keys);
        v_clear_upper(V);
        return;
    }
    for (size_t c = 0; c < depth; c++) {
        EACH(i) y[i] = v_load_rows(V, in + i, 16 * c);
        V_NAME(enter)(w, depth, c, y);
    }
    if (depth == 2) ty_sm4_rounds2_grid_gfni512(w, keys);
    else ty_sm4_rounds1_grid_gfni512(w, keys);
    for (size_t c = 0; c < depth; c++) {
        uint8_t blocks[GROUP];
        V_NAME(leave)(y, w, depth, c);
        EACH(i) v_store_step(blocks + 16 * i, 64, y[i]);
        for (size_t i = 0; i < 16; i++)
            v128_store(to[i] + 16 * c, v128_load(blocks + 16 * i) ^ v128_load(add[i] + 16 * c));
        ty_wipe(blocks, sizeof blocks);
    }
    v_clear_upper(V);
}

/* 16 keys, in sm4_keys_gfni512.S */
void ty_sm4_keys16_gfni512(uint32_t *const keys[16], const uint8_t bytes[256],
                           const uint32_t ck[32], uint8_t *h);

/* Fewer than sixteen keys are filled up with keys of zeros, whose schedules go where the first
 * key's goes: that one is stored last. */
static void ty_sm4_schedules_gfni512(ty_sm4_key *first, size_t stride, uint8_t *h,
                                     const uint8_t *bytes, size_t n)
{
    enum { KEYS = 16 };
    static const uint8_t ck[16] = { 0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 105 };
    uint32_t constants[32], *keys[KEYS];
    v128 ck4 = v128_load(ck);
    for (size_t r = 0; r < 32; r += 4, ck4 = v128_add8(ck4, v128_set8(112)))
        v128_store(constants + r, to_aes_v128(ck4));
    for (size_t at = 0; at < n; at += KEYS) {
        const size_t some = n - at < KEYS ? n - at : KEYS;
        uint8_t filled[16 * KEYS];
        for (size_t i = 0; i < KEYS; i++)
            keys[i] = ty_sm4_key_at(first, stride, i < some ? at + i : at)->enc;
        if (some < KEYS) {
            memset(filled, 0, sizeof filled);
            memcpy(filled, bytes + 16 * at, 16 * some);
        }
        ty_sm4_keys16_gfni512(keys, some < KEYS ? filled : bytes + 16 * at, constants,
                              h ? h + 16 * at : NULL);
        if (some < KEYS) ty_wipe(filled, sizeof filled);
    }
}

const ty_sm4_ops ty_sm4_ops_gfni512 = {
    ty_sm4_schedule_gfni512, ty_sm4_schedules_gfni512, ty_sm4_ecb_gfni512, ty_sm4_ctr32_gfni512,
    ty_sm4_ctr32_beside_gfni512, 4 * N,
    ty_sm4_cbc_encrypt_gfni512, ty_sm4_cbc_decrypt_gfni512, ty_sm4_cfb_decrypt_gfni512,
    ty_sm4_xex_gfni512, ty_sm4_lane_key_gfni512, ty_sm4_lane_keys_gfni512, ty_sm4_lanes_gfni512,
    ty_sm4_grid_keys_gfni512, ty_sm4_grid_gfni512, ty_sm4_ocb_gfni512, ty_sm4_ctr32le_gfni512
};
#include "base/level_end.h"
#endif
