/* SM4 with GFNI in zmm registers, 64 blocks at once.
 *
 * Lower bound: a round of 64 blocks, byte by byte (sm4_bytes_gfni512.S), is 28 instructions, 32 x
 * 28 / 1024 bytes = 0.88 per byte, two a cycle; transposing the blocks to bytes and back takes
 * 128 shuffles and 32 GFNI more, 0.16. So 0.52 core cycles per byte. Measured on Zen 4: 0.74 in
 * CTR; with words in lanes, which take ten instructions for 16 blocks, 0.92. On Granite Rapids:
 * 0.64. Fewer than 33 blocks run in lanes (sm4_words_gfni512.S); sixteen messages with a key each
 * by bytes, if there are four blocks of each. */
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
/* In sm4_words_gfni512.S */
TY_SYSV v128 ty_sm4_one_gfni512(v128 block, const uint32_t *rk);

enum { N = 16, GROUP = 16 * N, BATCH = 4 * GROUP };
#include "sm4/sm4_bytes.h"
enum { HAS_TWO = 0, SHORT = 32 };
#include "sm4/sm4_modes.h"

/* In sm4_words_gfni512.S */
void ty_sm4_rounds2_grid_gfni512(V *x, const uint32_t *rk);
void ty_sm4_rounds1_grid_gfni512(V *x, const uint32_t *rk);
/* In sm4_bytes_gfni512.S */
void ty_sm4_bytes_rows_gfni512(uint8_t *const *to, const uint8_t *const *in,
                               const uint8_t *const *add, size_t at, const uint32_t *keys);
void ty_sm4_bytes_rows_ctr32_gfni512(uint8_t *const *to, const uint8_t *in,
                                     const uint8_t *const *add, size_t at, const uint32_t *keys);

/* Byte b of the sixteen words of y in row b, that is in 128-bit part b */
static inline V in_rows(V y)
{
    static const uint8_t places[64] = {
        0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 1, 5, 9, 13, 17, 21, 25, 29,
        33, 37, 41, 45, 49, 53, 57, 61, 2, 6, 10, 14, 18, 22, 26, 30, 34, 38, 42, 46, 50, 54, 58,
        62, 3, 7, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47, 51, 55, 59, 63
    };
    return _mm512_permutexvar_epi8(v_load(V, places), y);
}

/* Four rounds of sixteen keys at a time, whose words are transposed. Of each round byte b of all
 * keys is in row b. */
static void ty_sm4_grid_keys_gfni512(uint32_t keys[TY_AT_LEAST(512)],
                                     const uint8_t *const in[TY_AT_LEAST(16)])
{
    V y[4];
    for (size_t r = 0; r < 32; r += 4) {
        EACH(i) y[i] = v_load_rows(V, in + i, 4 * r);
        V_NAME(transpose)(y);
        EACH(i) v_store(keys + N * (r + i), in_rows(y[i]));
    }
    v_clear_upper(V);
}

/* The inverse of v_load_rows, part i of y to rows[4 i] + at; and the same of y + v_load_rows of
 * add, in single blocks */
static inline void put_rows(uint8_t *const *rows, size_t at, V y)
{
    v128_store(rows[0] + at, v512_part(y, 0));
    v128_store(rows[4] + at, v512_part(y, 1));
    v128_store(rows[8] + at, v512_part(y, 2));
    v128_store(rows[12] + at, v512_part(y, 3));
}

static inline void put_sums(uint8_t *const *rows, const uint8_t *const *add, size_t at, V y)
{
    v128_store(rows[0] + at, v512_part(y, 0) ^ v128_load(add[0] + at));
    v128_store(rows[4] + at, v512_part(y, 1) ^ v128_load(add[4] + at));
    v128_store(rows[8] + at, v512_part(y, 2) ^ v128_load(add[8] + at));
    v128_store(rows[12] + at, v512_part(y, 3) ^ v128_load(add[12] + at));
}

/* Rounds of one or two blocks of every row; group c is block c of all of them. Then to[i] + at =
 * the blocks of row i + those at add[i] + at */
TY_INLINE void grid_rounds(uint8_t *const to[16], const uint8_t *const add[16], size_t at, V *w,
                           const size_t depth, const uint32_t *keys)
{
    V y[4];
    if (depth == 2) ty_sm4_rounds2_grid_gfni512(w, keys);
    else ty_sm4_rounds1_grid_gfni512(w, keys);
    TY_EACH(c, depth) {
        V_NAME(leave)(y, w, depth, c);
        EACH(i) put_sums(to + i, add + i, at + 16 * c, y[i]);
    }
}

TY_INLINE void grid_blocks(uint8_t *const to[16], const uint8_t *const in[16],
                           const uint8_t *const add[16], V *w, const size_t depth,
                           const uint32_t *keys)
{
    V y[4];
    TY_EACH(c, depth) {
        EACH(i) y[i] = v_load_rows(V, in + i, 16 * c);
        V_NAME(enter)(w, depth, c, y);
    }
    grid_rounds(to, add, 0, w, depth, keys);
}

static void ty_sm4_grid_gfni512(uint8_t *const to[TY_AT_LEAST(16)],
                                const uint8_t *const in[TY_AT_LEAST(16)],
                                const uint8_t *const add[TY_AT_LEAST(16)],
                                uint8_t room[TY_AT_LEAST(1024)], size_t depth,
                                const uint32_t keys[TY_AT_LEAST(512)])
{
    V *w = (V *)(void *)room;
    if (depth == 4) ty_sm4_bytes_rows_gfni512(to, in, add, 0, keys);
    else if (depth == 2) grid_blocks(to, in, add, w, 2, keys);
    else grid_blocks(to, in, add, w, 1, keys);
    v_clear_upper(V);
}

/* The chain stays in AES form, and its words in vectors. The output of the rounds has a block's
 * words in reverse order. */
static void ty_sm4_grid_cbc_gfni512(uint8_t *const out[TY_AT_LEAST(16)],
                                    const uint8_t *const in[TY_AT_LEAST(16)],
                                    const uint8_t *const iv[TY_AT_LEAST(16)], size_t blocks,
                                    uint8_t room[TY_AT_LEAST(256)],
                                    const uint32_t keys[TY_AT_LEAST(512)])
{
    V *w = (V *)(void *)room, chain[4], y[4];
    EACH(i) y[i] = v_load_rows(V, iv + i, 0);
    V_NAME(enter)(chain, 1, 0, y);
    for (size_t at = 0; at < 16 * blocks; at += 16) {
        EACH(i) y[i] = v_load_rows(V, in + i, at);
        V_NAME(enter)(w, 1, 0, y);
        EACH(i) w[i] ^= chain[i];
        ty_sm4_rounds1_grid_gfni512(w, keys);
        EACH(i) chain[i] = w[3 - i];
        V_NAME(leave)(y, w, 1, 0);
        EACH(i) put_rows(out + i, at, y[i]);
    }
    v_clear_upper(V);
}

/* The words of sixteen counter blocks; the last one is the number, and not in AES form */
typedef struct counters16 { V word[4]; } counters16;

/* One or two blocks of every row, from the counters n on */
TY_INLINE void grid_counters(uint8_t *const out[16], const uint8_t *const in[16], size_t at,
                             const counters16 *s, uint32_t n, V *w, const size_t depth,
                             const uint32_t *keys)
{
    TY_EACH(c, depth) {
        const V number = v_add32(s->word[3], v_set32(V, n + (uint32_t)c));
        for (size_t i = 0; i < 3; i++) w[depth * i + c] = s->word[i];
        w[depth * 3 + c] = V_NAME(to_aes)(v_shuf8(number, v_row(V, swap32)));
    }
    grid_rounds(out, in, at, w, depth, keys);
}

/* Four blocks of every row. w holds the bytes of the first three words in rows; it gets those of
 * the number, byte b of all four blocks side by side. */
TY_INLINE void grid_four(uint8_t *const out[16], const uint8_t *const in[16], size_t at,
                         const counters16 *s, uint32_t n, V *w, const uint32_t *keys)
{
    V y[4];
    EACH(c) {
        const V number = v_add32(s->word[3], v_set32(V, n + (uint32_t)c));
        y[c] = in_rows(V_NAME(to_aes)(v_shuf8(number, v_row(V, swap32))));
    }
    const V a = _mm512_shuffle_i32x4(y[0], y[1], 0x44), b = _mm512_shuffle_i32x4(y[0], y[1], 0xee);
    const V c = _mm512_shuffle_i32x4(y[2], y[3], 0x44), d = _mm512_shuffle_i32x4(y[2], y[3], 0xee);
    v_store(w + 3, _mm512_shuffle_i32x4(a, c, 0x88));
    v_store(w + 4, _mm512_shuffle_i32x4(a, c, 0xdd));
    v_store(w + 5, _mm512_shuffle_i32x4(b, d, 0x88));
    v_store(w + 6, _mm512_shuffle_i32x4(b, d, 0xdd));
    ty_sm4_bytes_rows_ctr32_gfni512(out, (const uint8_t *)w, in, at, keys);
}

static void ty_sm4_grid_ctr32_gfni512(uint8_t *const out[TY_AT_LEAST(16)],
                                      const uint8_t *const in[TY_AT_LEAST(16)], size_t blocks,
                                      const uint8_t counters[TY_AT_LEAST(256)], uint32_t ahead,
                                      uint8_t room[TY_AT_LEAST(1024)],
                                      const uint32_t keys[TY_AT_LEAST(512)])
{
    V *w = (V *)(void *)room;
    counters16 s;
    size_t b = 0;
    EACH(i) s.word[i] = v_load_step(V, counters + 16 * i, 64);
    V_NAME(transpose)(s.word);
    for (size_t i = 0; i < 3; i++) s.word[i] = V_NAME(to_aes)(s.word[i]);
    s.word[3] = v_add32(v_shuf8(s.word[3], v_row(V, swap32)), v_set32(V, ahead));
    if (blocks >= 4)
        for (size_t i = 0; i < 3; i++) v_store(w + i, in_rows(s.word[i]));
    for (; blocks - b >= 4; b += 4) grid_four(out, in, 16 * b, &s, (uint32_t)b, w, keys);
    if (blocks - b >= 2) {
        grid_counters(out, in, 16 * b, &s, (uint32_t)b, w, 2, keys);
        b += 2;
    }
    if (b < blocks) grid_counters(out, in, 16 * b, &s, (uint32_t)b, w, 1, keys);
    ty_wipe(&s, sizeof s);
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
    ty_sm4_grid_keys_gfni512, ty_sm4_grid_gfni512, ty_sm4_grid_cbc_gfni512,
    ty_sm4_grid_ctr32_gfni512, ty_sm4_ocb_gfni512, ty_sm4_ctr32le_gfni512
};
#include "base/level_end.h"
#endif
