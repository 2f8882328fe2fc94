/* SM4 on bit planes in zmm registers: 512 blocks at once, with VPTERNLOGQ.
 *
 * Lower bound: a round is 32 XOR of three words, 32 of the key (embedded broadcast), 4 x 70 gates,
 * 96 XOR of L: 440 operations, 14080 in 32 rounds; transposing costs 512 shuffles (one port) and
 * 768 others each way. Cascade Lake does two a core cycle: 7040 + 2 x 900 core cycles = 1.08 a
 * byte, ECB; 0.97 for counters, which are not transposed: predicted. Measured on Zen 4, where a
 * store of 512 bits takes two cycles: 1.75 and 1.70.
 *
 * Layout. Plane 32 k + b is bit b of word k of all blocks; the state is 128 planes in memory. So
 *   - rotations rename planes and cost nothing,
 *   - a round key is 32 words of zeros or ones that every block shares,
 *   - counters can be made as planes, without transposing.
 * The order of the blocks in a plane does not matter to the cipher; index_planes describes it. */
#include "sm4/sm4_slice.h"

#if defined(__x86_64__)
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/vec.h"
#include "sm4/sm4_planes.h"

#define TY_LEVEL avx512
#include "base/level_begin.h"

/* Block 4 (16 g + i) + l is bit g of byte i of 128-bit part l. */
#define ROWS(f)                                                                                    \
    f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), \
        f(15)
enum { INDEX_BITS = 9 };
static const union {
    uint8_t b[9][64];
    v512 v[9];
} index_planes = { {
#define BIT(n, i) ((n) >> (i) & 1 ? 0xff : 0)
#define B0(i) BIT(i, 0)
#define B1(i) BIT(i, 1)
#define B2(i) BIT(i, 2)
#define B3(i) BIT(i, 3)
#define ZERO(i) 0
#define ONES(i) 0xff
#define G0(i) 0xaa
#define G1(i) 0xcc
#define G2(i) 0xf0
#define FOUR(f) { ROWS(f), ROWS(f), ROWS(f), ROWS(f) }
    { ROWS(ZERO), ROWS(ONES), ROWS(ZERO), ROWS(ONES) },
    { ROWS(ZERO), ROWS(ZERO), ROWS(ONES), ROWS(ONES) },
    FOUR(B0), FOUR(B1), FOUR(B2), FOUR(B3), FOUR(G0), FOUR(G1), FOUR(G2),
} };

/* sbox(), the circuit, in place on the eight planes of a byte */
#define W v512
#define LUT(t, a, b, c) _mm512_ternarylogic_epi64(a, b, c, t)
#include "sm4/sm4_sbox3.inc"

/* Arrays become registers where loops are unrolled: gcc needs the pragma, clang does it by
 * itself. */
#if defined(__clang__)
#  define UNROLL
#else
#  define UNROLL _Pragma("GCC unroll 16")
#endif

enum { VECTOR = 64, BATCH = 512 };   /* bytes, blocks */

typedef struct slice {
    v512 x[128];              /* the state */
    v512 s[4][8];             /* S of the round, by bytes */
    uint32_t k[32][32];    /* k[r][b]: bit b of round r's key, spread over a word */
} slice;

static void ty_sm4_slice_expand_avx512(slice *t, const uint32_t rk[32])
{
    for (unsigned r = 0; r < 32; r++) {
        const uint32_t k = ty_sm4_plane_key(rk[r], r);
        for (unsigned b = 0; b < 32; b++) t->k[r][b] = 0 - (k >> b & 1);
    }
}

/* x0 += L(S(x1 + x2 + x3 + k)). L(b) = (b + b<<<8)<<<24 + (b + b<<<8 + b<<<16)<<<2: with d = b +
 * b<<<8 and e = d + b<<<16, plane p of byte j gets d of byte j + 1 and e of p - 2, which for p < 2
 * is e of p + 6 one byte down. */
static inline void ty_sm4_slice_round_avx512(v512 *x0, const v512 *x1, const v512 *x2,
                                             const v512 *x3, v512 s[4][8], const uint32_t k[32])
{
    for (int j = 0; j < 4; j++) {
        v512 b[8];
        UNROLL
        for (int p = 0; p < 8; p++) {
            const int i = 8 * j + p;
            b[p] = v512_xor3(x1[i], x2[i], x3[i]) ^ v512_set32(k[i]);
        }
        sbox(b);
        UNROLL
        for (int p = 0; p < 8; p++) s[j][p] = b[p];
    }
    v512 e[8][4];
    UNROLL
    for (int i = 6; i < 8; i++)
        UNROLL
    for (int j = 0; j < 4; j++) e[i][j] = v512_xor3(s[j][i], s[(j + 3) & 3][i], s[(j + 2) & 3][i]);
    UNROLL
    for (int p = 0; p < 8; p++) {
        v512 d[4];
        UNROLL
        for (int j = 0; j < 4; j++) d[j] = s[j][p] ^ s[(j + 3) & 3][p];
        UNROLL
        for (int j = 0; j < 4; j++) {
            const v512 rotated = p < 2 ? e[p + 6][(j + 3) & 3] : e[p - 2][j];
            x0[8 * j + p] = v512_xor3(x0[8 * j + p], d[(j + 1) & 3], rotated);
        }
        if (p < 6)
            UNROLL
            for (int j = 0; j < 4; j++) e[p][j] = d[j] ^ s[(j + 2) & 3][p];
    }
}

static void ty_sm4_slice_rounds_avx512(slice *t)
{
    v512 *a = t->x, *b = t->x + 32, *c = t->x + 64, *d = t->x + 96;
    for (int r = 0; r < 32; r++) {
        ty_sm4_slice_round_avx512(a, b, c, d, t->s, t->k[r]);
        v512 *const first = a;
        a = b; b = c; c = d; d = first;
    }
}

/* Transposes 16 rows of 16 bytes in every 128-bit part, by four perfect shuffles. Its own
 * inverse. */
static inline void transpose_bytes(v512 v[16])
{
    UNROLL
    for (int level = 0; level < 4; level++) {
        v512 u[16];
        UNROLL
        for (int i = 0; i < 8; i++) {
            u[2 * i] = v512_zip_lo8(v[i], v[i + 8]);
            u[2 * i + 1] = v512_zip_hi8(v[i], v[i + 8]);
        }
        UNROLL
        for (int i = 0; i < 16; i++) v[i] = u[i];
    }
}

/* Exchanges the bits m << s of *a with the bits m of *b. */
static inline void exchange(v512 *a, v512 *b, int s, unsigned m)
{
    const v512 own = v512_set8(m), up = v512_shl64(*b, s), down = v512_shr64(*a, s);
    *a = v512_choose(own, *a, up);
    *b = v512_choose(own, down, *b);
}

/* In every byte, exchanges bit p of v[g] with bit g of v[p]. */
static inline void transpose_bits(v512 v[8])
{
    UNROLL
    for (int i = 0; i < 8; i += 2) exchange(&v[i], &v[i + 1], 1, 0x55);
    UNROLL
    for (int i = 0; i < 4; i++) exchange(&v[i + (i & 2)], &v[i + (i & 2) + 2], 2, 0x33);
    UNROLL
    for (int i = 0; i < 4; i++) exchange(&v[i], &v[i + 4], 4, 0x0f);
}

/* Byte i of a block is byte 3 - i mod 4 of word i / 4: its planes begin at 8 (i ^ 3). */
static void ty_sm4_slice_planes_avx512(slice *t)
{
    for (int i = 0; i < 16; i++) transpose_bits(t->x + 8 * i);
}

/* Loads 512 blocks as planes. Before the bits are transposed, x[8 (i ^ 3) + g] holds byte i of
 * group g, 64 blocks. `first` points to the first vector, `rest` to the second, which the others
 * follow: in a chain the first one is elsewhere. `mask`: NULL, or what is added to the blocks. */
static void ty_sm4_slice_take_avx512(slice *t, const uint8_t *first, const uint8_t *rest,
                                     const uint8_t *mask)
{
    for (int g = 0; g < 8; g++) {
        v512 v[16];
        UNROLL
        for (int i = 0; i < 16; i++)
            v[i] = v512_load(g + i ? rest + VECTOR * (16 * g + i - 1) : first);
        if (mask)
            UNROLL
            for (int i = 0; i < 16; i++) v[i] ^= v512_load(mask + VECTOR * (16 * g + i));
        transpose_bytes(v);
        UNROLL
        for (int i = 0; i < 16; i++) t->x[8 * (i ^ 3) + g] = v[i];
    }
    ty_sm4_slice_planes_avx512(t);
}

/* The inverse, with the words in reverse order. `first`, `rest`: NULL, or what is added. From the
 * end, because CBC adds every block of `in` to the block after it, and `out` may be `in`. */
static void ty_sm4_slice_give_avx512(uint8_t *out, slice *t, const uint8_t *first,
                                     const uint8_t *rest)
{
    ty_sm4_slice_planes_avx512(t);
    for (int g = 7; g >= 0; g--) {
        v512 v[16];
        UNROLL
        for (int i = 0; i < 16; i++) v[i] = t->x[8 * (i ^ 15) + g];
        transpose_bytes(v);
        UNROLL
        for (int i = 15; i >= 0; i--) {
            if (first) v[i] ^= v512_load(g + i ? rest + VECTOR * (16 * g + i - 1) : first);
            v512_store(out + VECTOR * (16 * g + i), v[i]);
        }
    }
}

/* Counters n, n + 1, ... as planes: a ripple-carry addition of n and the number of the block. n may
 * be secret. */
static void ty_sm4_slice_counters_avx512(slice *t, const uint32_t c[3], uint32_t n)
{
    for (int k = 0; k < 3; k++)
        for (int b = 0; b < 32; b++) t->x[32 * k + b] = v512_set32(0 - (c[k] >> b & 1));
    v512 carry = v512_set32(0);
    for (int b = 0; b < 32; b++) {
        const v512 bit = v512_set32(0 - (n >> b & 1)), half = bit ^ carry;
        carry = bit & carry;
        t->x[96 + b] = half;
        if (b < INDEX_BITS) {
            t->x[96 + b] = half ^ index_planes.v[b];
            carry |= half & index_planes.v[b];
        }
    }
}

/* Wipes t, and clears the registers' upper halves: builds without optimisation would not, which
 * slows what follows (and the emulator greatly). */
static void ty_sm4_slice_leave_avx512(slice *t)
{
    v512_clear_upper();
    ty_wipe(t, sizeof *t);
}

size_t ty_sm4_slice_ecb_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                               const uint32_t rk[TY_AT_LEAST(32)])
{
    const size_t whole = blocks - blocks % BATCH;
    if (whole == 0) return 0;
    slice t;
    ty_sm4_slice_expand_avx512(&t, rk);
    for (size_t i = 0; i < whole; i += BATCH, in += 16 * BATCH, out += 16 * BATCH) {
        ty_sm4_slice_take_avx512(&t, in, in + VECTOR, NULL);
        ty_sm4_slice_rounds_avx512(&t);
        ty_sm4_slice_give_avx512(out, &t, NULL, NULL);
    }
    ty_sm4_slice_leave_avx512(&t);
    return whole;
}

size_t ty_sm4_slice_ctr32_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                                 const uint8_t counter[TY_AT_LEAST(16)],
                                 const uint32_t rk[TY_AT_LEAST(32)])
{
    const size_t whole = blocks - blocks % BATCH;
    if (whole == 0) return 0;
    const uint32_t c[3] = { ty_get32be(counter), ty_get32be(counter + 4), ty_get32be(counter + 8) };
    uint32_t n = ty_get32be(counter + 12);
    slice t;
    ty_sm4_slice_expand_avx512(&t, rk);
    for (size_t i = 0; i < whole; i += BATCH, in += 16 * BATCH, out += 16 * BATCH) {
        ty_sm4_slice_counters_avx512(&t, c, n);
        ty_sm4_slice_rounds_avx512(&t);
        ty_sm4_slice_give_avx512(out, &t, in, in + VECTOR);
        /* GCM's counter may be secret: the compiler must not count the loop with it */
        n = ty_barrier32(n + BATCH);
    }
    ty_sm4_slice_leave_avx512(&t);
    return whole;
}

/* before = iv and the first blocks of `in`, a vector; iv = the last block of `in`. Called before
 * `out`, which may be `in`, is written. */
static void ty_sm4_slice_chain_avx512(uint8_t before[VECTOR], uint8_t iv[16], const uint8_t *in)
{
    memcpy(before, iv, 16);
    memcpy(before + 16, in, VECTOR - 16);
    memcpy(iv, in + 16 * BATCH - 16, 16);
}

size_t ty_sm4_slice_cbc_decrypt_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                                       uint8_t iv[TY_AT_LEAST(16)],
                                       const uint32_t rk[TY_AT_LEAST(32)])
{
    const size_t whole = blocks - blocks % BATCH;
    if (whole == 0) return 0;
    uint8_t before[VECTOR];
    slice t;
    ty_sm4_slice_expand_avx512(&t, rk);
    for (size_t i = 0; i < whole; i += BATCH, in += 16 * BATCH, out += 16 * BATCH) {
        ty_sm4_slice_take_avx512(&t, in, in + VECTOR, NULL);
        ty_sm4_slice_rounds_avx512(&t);
        ty_sm4_slice_chain_avx512(before, iv, in);
        ty_sm4_slice_give_avx512(out, &t, before, in + VECTOR - 16);
    }
    ty_sm4_slice_leave_avx512(&t);
    return whole;
}

size_t ty_sm4_slice_cfb_decrypt_avx512(uint8_t *out, const uint8_t *in, size_t blocks,
                                       uint8_t iv[TY_AT_LEAST(16)],
                                       const uint32_t rk[TY_AT_LEAST(32)])
{
    const size_t whole = blocks - blocks % BATCH;
    if (whole == 0) return 0;
    uint8_t before[VECTOR];
    slice t;
    ty_sm4_slice_expand_avx512(&t, rk);
    for (size_t i = 0; i < whole; i += BATCH, in += 16 * BATCH, out += 16 * BATCH) {
        ty_sm4_slice_chain_avx512(before, iv, in);
        ty_sm4_slice_take_avx512(&t, before, in + VECTOR - 16, NULL);
        ty_sm4_slice_rounds_avx512(&t);
        ty_sm4_slice_give_avx512(out, &t, in, in + VECTOR);
    }
    ty_sm4_slice_leave_avx512(&t);
    return whole;
}

size_t ty_sm4_slice_xex_avx512(uint8_t *out, const uint8_t *in, const uint8_t *mask, size_t blocks,
                               const uint32_t rk[TY_AT_LEAST(32)])
{
    const size_t whole = blocks - blocks % BATCH;
    if (whole == 0) return 0;
    slice t;
    ty_sm4_slice_expand_avx512(&t, rk);
    for (size_t i = 0; i < whole;
         i += BATCH, in += 16 * BATCH, mask += 16 * BATCH, out += 16 * BATCH) {
        ty_sm4_slice_take_avx512(&t, in, in + VECTOR, mask);
        ty_sm4_slice_rounds_avx512(&t);
        ty_sm4_slice_give_avx512(out, &t, mask, mask + VECTOR);
    }
    ty_sm4_slice_leave_avx512(&t);
    return whole;
}

#include "base/level_end.h"
#endif
