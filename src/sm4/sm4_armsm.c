/* SM4 with the instructions that ARMv8.2 has for it: SM4E does four rounds of one block, SM4EKEY
 * makes four round keys. Both take words in the machine's byte order, so the round keys are those
 * of the standard.
 *
 * Each SM4E depends on the one before it, so eight blocks are interleaved, then four, then one.
 * Lower bound: 8 SM4E per block, each with a latency of 4 cycles and a throughput of one a cycle
 * (published for Neoverse V1 and N2): 8 / 16 = 0.5 cycles per byte, and 32 cycles for one block
 * alone. Nothing has been measured: the code has only run under QEMU. */
#include "sm4/sm4.h"
#include "base/unroll.h"
#include "base/wipe.h"

#if defined(TY_AARCH64)
#include <arm_neon.h>
#include <string.h>

#define TY_LEVEL armsm
#include "base/level_begin.h"

typedef struct keys { uint32x4_t k[8]; } keys;

/* Loops over a batch of n blocks, n a constant 8, 4 or 1, are unrolled: blocks and keys stay in
 * registers. */

TY_INLINE keys load_keys(const uint32_t rk[32])
{
    keys k;
    TY_EACH(i, 8) k.k[i] = vld1q_u32(rk + 4 * i);
    return k;
}

TY_INLINE uint8x16_t load(const uint8_t *p) { return vld1q_u8(p); }

/* A block from memory order to words in the machine's order; and back, where the words are output
 * in reverse order, so that all 16 bytes are reversed. */
TY_INLINE uint32x4_t words(uint8x16_t b) { return vreinterpretq_u32_u8(vrev32q_u8(b)); }
TY_INLINE uint8x16_t reversed_bytes(uint32x4_t x)
{
    const uint8x16_t y = vrev64q_u8(vreinterpretq_u8_u32(x));
    return vextq_u8(y, y, 8);
}

TY_INLINE void crypt(uint8x16_t *b, const size_t n, const keys *k)
{
    uint32x4_t x[8];
    TY_EACH(i, n) x[i] = words(b[i]);
    TY_EACH(r, 8)
        TY_EACH(i, n) x[i] = vsm4eq_u32(x[i], k->k[r]);
    TY_EACH(i, n) b[i] = reversed_bytes(x[i]);
}

/* some(8), some(4) and some(1) until no block is left; each of them advances the pointers */
#define BATCHES(some) do { \
        for (; blocks >= 8; blocks -= 8) some(8); \
        for (; blocks >= 4; blocks -= 4) some(4); \
        for (; blocks; blocks--) some(1); \
    } while (0)

/* --- The modes, n blocks at a time ------------------------------------------------------------ */

TY_INLINE void ecb_some(uint8_t *out, const uint8_t *in, const size_t n, const keys *k)
{
    uint8x16_t b[8];
    TY_EACH(i, n) b[i] = load(in + 16 * i);
    crypt(b, n, k);
    TY_EACH(i, n) vst1q_u8(out + 16 * i, b[i]);
}

/* counter: words in the machine's byte order */
TY_INLINE void ctr32_some(uint8_t *out, const uint8_t *in, const size_t n, uint32x4_t counter,
                          const keys *k)
{
    uint8x16_t b[8];
    TY_EACH(i, n)
    b[i] =
        vrev32q_u8(vreinterpretq_u8_u32(vaddq_u32(counter, (uint32x4_t){ 0, 0, 0, (uint32_t)i })));
    crypt(b, n, k);
    TY_EACH(i, n) vst1q_u8(out + 16 * i, veorq_u8(b[i], load(in + 16 * i)));
}

TY_INLINE void xex_some(uint8_t *out, const uint8_t *in, const uint8_t *mask, const size_t n,
                        const keys *k)
{
    uint8x16_t b[8];
    TY_EACH(i, n) b[i] = veorq_u8(load(in + 16 * i), load(mask + 16 * i));
    crypt(b, n, k);
    TY_EACH(i, n) vst1q_u8(out + 16 * i, veorq_u8(b[i], load(mask + 16 * i)));
}

/* In place: every block of `in` is read before the first of `out` is written. Returns the last
 * block of `in`. */
TY_INLINE uint8x16_t cbc_decrypt_some(uint8_t *out, const uint8_t *in, const size_t n,
                                      uint8x16_t before, const keys *k)
{
    uint8x16_t b[8], c[8];
    TY_EACH(i, n) b[i] = c[i] = load(in + 16 * i);
    crypt(b, n, k);
    TY_EACH(i, n) vst1q_u8(out + 16 * i, veorq_u8(b[i], i ? c[i - 1] : before));
    return c[n - 1];
}

TY_INLINE uint8x16_t cfb_decrypt_some(uint8_t *out, const uint8_t *in, const size_t n,
                                      uint8x16_t before, const keys *k)
{
    uint8x16_t b[8], c[8];
    TY_EACH(i, n) c[i] = load(in + 16 * i);
    TY_EACH(i, n) b[i] = i ? c[i - 1] : before;
    crypt(b, n, k);
    TY_EACH(i, n) vst1q_u8(out + 16 * i, veorq_u8(b[i], c[i]));
    return c[n - 1];
}

/* --- The kernels ------------------------------------------------------------------------------ */

static void ty_sm4_schedule_armsm(uint32_t rk[TY_AT_LEAST(32)], const uint8_t key[TY_AT_LEAST(16)])
{
    static const uint32_t fk[4] = TY_SM4_FK;
    uint32x4_t k = veorq_u32(words(load(key)), vld1q_u32(fk));
    for (unsigned r = 0; r < 32; r += 4) {
        const uint32x4_t ck = { ty_sm4_ck(r), ty_sm4_ck(r + 1), ty_sm4_ck(r + 2),
                                ty_sm4_ck(r + 3) };
        k = vsm4ekeyq_u32(k, ck);
        vst1q_u32(rk + r, k);
    }
}

/* Schedules and E(0) of n keys: n chains of SM4EKEY, each followed by one of SM4E. */
TY_INLINE void schedules_some(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                              const size_t n)
{
    static const uint32_t fk[4] = TY_SM4_FK;
    uint32x4_t k[8], x[8];
    TY_EACH(i, n) k[i] = veorq_u32(words(load(bytes + 16 * i)), vld1q_u32(fk));
    TY_EACH(i, n) x[i] = vdupq_n_u32(0);
    for (unsigned r = 0; r < 32; r += 4) {
        const uint32x4_t ck = { ty_sm4_ck(r), ty_sm4_ck(r + 1), ty_sm4_ck(r + 2),
                                ty_sm4_ck(r + 3) };
        TY_EACH(i, n) {
            ty_sm4_key *key = ty_sm4_key_at(first, stride, i);
            k[i] = vsm4ekeyq_u32(k[i], ck);
            const uint32x4_t swapped = vrev64q_u32(k[i]);
            vst1q_u32(key->enc + r, k[i]);
            vst1q_u32(key->dec + 28 - r, vextq_u32(swapped, swapped, 2));
            x[i] = vsm4eq_u32(x[i], k[i]);
        }
    }
    if (h) TY_EACH(i, n) vst1q_u8(h + 16 * i, reversed_bytes(x[i]));
}

/* blocks: the number of keys, under the name that BATCHES counts down */
static __attribute__((noinline))
void ty_sm4_schedules_all_armsm(ty_sm4_key *first, size_t stride, uint8_t *h, const uint8_t *bytes,
                                size_t blocks)
{
#define SOME(n)                                                                                    \
        (schedules_some(first, stride, h, bytes, n), first = ty_sm4_key_at(first, stride, n),      \
         bytes += 16 * n, h = h ? h + 16 * n : NULL)
    BATCHES(SOME);
#undef SOME
}

static void ty_sm4_schedules_armsm(ty_sm4_key *first, size_t stride, uint8_t *h,
                                   const uint8_t *bytes, size_t n)
{
    ty_sm4_schedules_all_armsm(first, stride, h, bytes, n);
    ty_wipe_below_8k();
}

static void ty_sm4_ecb_armsm(uint8_t *out, const uint8_t *in, size_t blocks,
                             const uint32_t rk[TY_AT_LEAST(32)])
{
    const keys k = load_keys(rk);
#define SOME(n) (ecb_some(out, in, n, &k), out += 16 * n, in += 16 * n)
    BATCHES(SOME);
#undef SOME
}

static void ty_sm4_ctr32_armsm(uint8_t *out, const uint8_t *in, size_t blocks,
                               const uint8_t counter[TY_AT_LEAST(16)],
                               const uint32_t rk[TY_AT_LEAST(32)])
{
    const keys k = load_keys(rk);
    uint32x4_t c = words(load(counter));
#define SOME(n)                                                                                    \
        (ctr32_some(out, in, n, c, &k), out += 16 * n, in += 16 * n,                               \
         c = vaddq_u32(c, (uint32x4_t){ 0, 0, 0, n }))
    BATCHES(SOME);
#undef SOME
}

static void ty_sm4_xex_armsm(uint8_t *out, const uint8_t *in, const uint8_t *mask, size_t blocks,
                             const uint32_t rk[TY_AT_LEAST(32)])
{
    const keys k = load_keys(rk);
#define SOME(n) (xex_some(out, in, mask, n, &k), out += 16 * n, in += 16 * n, mask += 16 * n)
    BATCHES(SOME);
#undef SOME
}

static void ty_sm4_cbc_encrypt_armsm(uint8_t *out, const uint8_t *in, size_t blocks,
                                     uint8_t iv[TY_AT_LEAST(16)],
                                     const uint32_t rk[TY_AT_LEAST(32)])
{
    const keys k = load_keys(rk);
    uint8x16_t chain = load(iv);
    for (; blocks; blocks--, in += 16, out += 16) {
        chain = veorq_u8(chain, load(in));
        crypt(&chain, 1, &k);
        vst1q_u8(out, chain);
    }
    vst1q_u8(iv, chain);
}

static void ty_sm4_cbc_decrypt_armsm(uint8_t *out, const uint8_t *in, size_t blocks,
                                     uint8_t iv[TY_AT_LEAST(16)],
                                     const uint32_t rk[TY_AT_LEAST(32)])
{
    const keys k = load_keys(rk);
    uint8x16_t before = load(iv);
#define SOME(n) (before = cbc_decrypt_some(out, in, n, before, &k), out += 16 * n, in += 16 * n)
    BATCHES(SOME);
#undef SOME
    vst1q_u8(iv, before);
}

static void ty_sm4_cfb_decrypt_armsm(uint8_t *out, const uint8_t *in, size_t blocks,
                                     uint8_t iv[TY_AT_LEAST(16)],
                                     const uint32_t rk[TY_AT_LEAST(32)])
{
    const keys k = load_keys(rk);
    uint8x16_t before = load(iv);
#define SOME(n) (before = cfb_decrypt_some(out, in, n, before, &k), out += 16 * n, in += 16 * n)
    BATCHES(SOME);
#undef SOME
    vst1q_u8(iv, before);
}

/* A key for every block: the round keys of lane i are contiguous, at key.word[i]. */
static void ty_sm4_lane_key_armsm(ty_sm4_lanes *l, size_t lane, const uint32_t rk[TY_AT_LEAST(32)])
{
    memcpy(l->key.word[lane], rk, sizeof l->key.word[lane]);
}

static void ty_sm4_lane_keys_armsm(ty_sm4_lanes *l, const uint8_t *const rows[TY_AT_LEAST(32)],
                                   size_t n)
{
    for (size_t i = 0; i < n; i++) memcpy(l->key.word[i], rows[i], sizeof l->key.word[i]);
}

TY_INLINE void lanes_some(ty_sm4_lanes *l, size_t from, const size_t n)
{
    uint32x4_t x[8];
    TY_EACH(i, n) x[i] = words(load(l->x + 16 * (from + i)));
    TY_EACH(r, 8)
        TY_EACH(i, n) x[i] = vsm4eq_u32(x[i], vld1q_u32(l->key.word[from + i] + 4 * r));
    TY_EACH(i, n) vst1q_u8(l->x + 16 * (from + i), reversed_bytes(x[i]));
}

static void ty_sm4_lanes_armsm(ty_sm4_lanes *l, size_t blocks)
{
    size_t from = 0;
#define SOME(n) (lanes_some(l, from, n), from += n)
    BATCHES(SOME);
#undef SOME
}

const ty_sm4_ops ty_sm4_ops_armsm = {
    ty_sm4_schedule_armsm, ty_sm4_schedules_armsm, ty_sm4_ecb_armsm, ty_sm4_ctr32_armsm, NULL, 0,
    ty_sm4_cbc_encrypt_armsm, ty_sm4_cbc_decrypt_armsm, ty_sm4_cfb_decrypt_armsm, ty_sm4_xex_armsm,
    ty_sm4_lane_key_armsm, ty_sm4_lane_keys_armsm, ty_sm4_lanes_armsm,
    NULL, NULL, NULL, NULL, NULL, NULL
};
#include "base/level_end.h"
#endif
