/* Many key schedules of SM4 at once, a key in every 32-bit word of V. Template, included after
 * sm4_modes.h.
 *   V      the vector type, key_round_<V>() the round of the schedule (sm4_sbox_gfni.h or
 *          sm4_sbox_aes.h)
 *   TY_K   names the kernel, TY_K(sm4_schedules)
 * One key alone takes the latency of its 32 rounds; N of them, the words of V, take no longer, and
 * two groups of N are interleaved. If E(0) is needed, each round key is used in the cipher's
 * round as soon as it is computed.
 *
 * Storing four words of a key takes 2 stores, 1.5 shuffles and an extract, which is longer than the
 * rounds. The tier gfni512 has assembly instead (sm4_keys_gfni512.S): the same in zmm took 40
 * cycles of the TSC a key with 32 keys on Zen 4, 50 with 16; one key alone takes 390. */

#include "base/wipe.h"

/* keys of one iteration */
enum { KEYS = 2 * N };

/* The words in reverse order */
static const uint8_t turn32[16] = { 12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3 };

/* Stores round keys r to r + 3 of n <= N keys, the first of which is at first. */
static inline void TY_K(sm4_store_keys)(ty_sm4_key *first, size_t stride, size_t n, size_t r,
                                        V y[4])
{
    V_NAME(transpose)(y);
    if (n >= N) {
        EACH(i) {
            ty_sm4_key *key = ty_sm4_key_at(first, stride, i);
            v_store_step((uint8_t *)(key->enc + r), 4 * stride, y[i]);
            v_store_step((uint8_t *)(key->dec + 28 - r), 4 * stride,
                         v_shuf8(y[i], v_row(V, turn32)));
        }
        return;
    }
    uint8_t words[GROUP];
    EACH(i) v_store_step(words + 16 * i, 64, y[i]);
    for (size_t i = 0; i < n; i++) {
        ty_sm4_key *key = ty_sm4_key_at(first, stride, i);
        const v128 four = v128_load(words + 16 * i);
        v128_store(key->enc + r, four);
        v128_store(key->dec + 28 - r, v128_shuf8(four, v128_load(turn32)));
    }
    ty_wipe(words, sizeof words);
}

/* n keys in one group or two; `bytes` holds N keys for each group. zero: 1 also writes E(0) under
 * each key to h; 0 does not use h. */
static inline __attribute__((always_inline))
void TY_K(sm4_schedules_some)(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                              size_t n, const size_t groups, const int zero)
{
    static const uint32_t fk[4] = TY_SM4_FK;
    static const uint8_t ck[16] = { 0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 105 };
    uint32_t add[32];
    V k[8], x[8], y[4];
    v128 ck4 = v128_load(ck);
    for (size_t r = 0; r < 32; r += 4, ck4 = v128_add8(ck4, v128_set8(112)))
        v128_store(add + r, to_aes_v128(ck4));
    const v128 swapped = v128_shuf8(v128_load(fk), v128_load(swap32));
    uint8_t fk_bytes[16];
    v128_store(fk_bytes, swapped);
    /* A word includes TY_F8_SM4_C, as round keys do, and so does a sum of three. */
    for (size_t c = 0; c < groups; c++) {
        EACH(i) y[i] = v_load_step(V, bytes + 16 * (N * c + i), 64) ^ v_row(V, fk_bytes);
        V_NAME(enter)(k, groups, c, y);
    }
    for (size_t i = 0; i < 4 * groups; i++) k[i] ^= v_set8(V, TY_F8_SM4_C);
    if (zero)
        for (size_t i = 0; i < 4 * groups; i++) x[i] = v_zero(V);
#define WORD(x, i) (x)[groups * ((i) & 3) + c]
    for (size_t r = 0; r < 32; r += 4) {
        EACH(i) {
            const V ck1 = v_set32(V, add[r + i]);
            for (size_t c = 0; c < groups; c++) {
                V early = v_xor3(WORD(k, i + 1), WORD(k, i + 2), ck1);
                WORD(k, i) = V_NAME(key_round)(WORD(k, i), WORD(k, i + 3), early);
                if (!zero) continue;
                early = v_xor3(WORD(x, i + 1), WORD(x, i + 2), WORD(k, i));
                WORD(x, i) = V_NAME(round)(WORD(x, i), WORD(x, i + 3), early);
            }
        }
        for (size_t c = 0; c < groups; c++) {
            EACH(i) y[i] = WORD(k, i);
            TY_K(sm4_store_keys)(ty_sm4_key_at(first, stride, N * c), stride, n - N * c, r, y);
        }
    }
#undef WORD
    if (zero)
        for (size_t c = 0; c < groups; c++) {
            V_NAME(leave)(y, x, groups, c);
            EACH(i) v_store_step(h + 16 * (N * c + i), 64, y[i]);
        }
    ty_wipe(k, sizeof k);
    ty_wipe(x, sizeof x);
    ty_wipe(y, sizeof y);
}

static __attribute__((noinline))
void TY_K(sm4_schedules_all)(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                             size_t n)
{
    while (n) {
        const size_t some = n < KEYS ? n : KEYS, room = some <= N ? N : KEYS;
        uint8_t filled[16 * KEYS];
        const uint8_t *from = bytes;
        if (some < room) {
            memset(filled, 0, sizeof filled);
            memcpy(filled, bytes, 16 * some);
            from = filled;
        }
        if (room == N && h) TY_K(sm4_schedules_some)(first, stride, h, from, some, 1, 1);
        else if (room == N) TY_K(sm4_schedules_some)(first, stride, h, from, some, 1, 0);
        else if (h) TY_K(sm4_schedules_some)(first, stride, h, from, some, 2, 1);
        else TY_K(sm4_schedules_some)(first, stride, h, from, some, 2, 0);
        if (some < room) ty_wipe(filled, sizeof filled);
        first = ty_sm4_key_at(first, stride, some);
        bytes += 16 * some;
        if (h) h += 16 * some;
        n -= some;
    }
    v_clear_upper(V);
}

static void TY_K(sm4_schedules)(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                                size_t n)
{
    TY_K(sm4_schedules_all)(first, stride, h, bytes, n);
    ty_wipe_below_8k();
}
