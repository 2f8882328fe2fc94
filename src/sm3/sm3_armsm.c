/* SM3 with the instructions that ARMv8.2 has for it. The state is two vectors with A and E, the
 * standard's first words, on top; a round is SM3SS1 and the two SM3TT, which move the words along
 * too.
 *
 * Lower bound: SM3SS1 and SM3TT1 depend on each other, 2 + 2 cycles (published for Neoverse V1 and
 * N2), so 64 rounds take 256 cycles, 4 per byte; one such instruction a cycle would allow 64 x 3 +
 * 13 x 2 = 218. Not measured: it has only been run under QEMU. */
#include "sm3/sm3.h"

#if defined(TY_AARCH64)
#include <arm_neon.h>

#define TY_LEVEL armsm
#include "base/level_begin.h"

/* T_j <<< j at [j + 3]: a vector loaded from [j] has it on top, the only word that SM3SS1
 * uses. */
#define ROT(x, n) ((uint32_t)(x) << ((n) % 32) | (uint32_t)(x) >> ((32 - (n) % 32) % 32))
#define T4(c, j)  ROT(c, j), ROT(c, (j) + 1), ROT(c, (j) + 2), ROT(c, (j) + 3)
#define T16(c, j) T4(c, j), T4(c, (j) + 4), T4(c, (j) + 8), T4(c, (j) + 12)
static const uint32_t constants[67] = {
    0, 0, 0, T16(0x79cc4519u, 0), T16(0x7a879d8au, 16), T16(0x7a879d8au, 32), T16(0x7a879d8au, 48)
};

/* x0 .. x3 are W_j .. W_{j+15}; the result is W_{j+16} .. W_{j+19}. */
static inline uint32x4_t expand(uint32x4_t x0, uint32x4_t x1, uint32x4_t x2, uint32x4_t x3)
{
    const uint32x4_t w3 = vextq_u32(x0, x1, 3), w7 = vextq_u32(x1, x2, 3),
                     w10 = vextq_u32(x2, x3, 2);
    return vsm3partw2q_u32(vsm3partw1q_u32(w7, x0, x3), w10, w3);
}

/* Round j + i with W_{j+i} and W_{j+i} ^ W_{j+i+4} at place i of w and wx; `f` is "a" for the first
 * 16 rounds, then "b". */
#define ROUND(f, j, i) do {                                                         \
        const uint32x4_t ss1 = vsm3ss1q_u32(abcd, efgh, vld1q_u32(t + (j) + (i))); \
        abcd = vsm3tt1##f##q_u32(abcd, ss1, wx, i);                                 \
        efgh = vsm3tt2##f##q_u32(efgh, ss1, w, i);                                  \
    } while (0)

/* Four rounds on W_j .. W_{j+3} = x0; then x0 becomes W_{j+16} .. W_{j+19}, which the last groups
 * do not need. */
#define GROUP(f, j, x0, x1, x2, x3) do {                                            \
        const uint32x4_t w = x0, wx = veorq_u32(x0, x1);                            \
        if ((j) < 52) x0 = expand(x0, x1, x2, x3);                                  \
        ROUND(f, j, 0);                                                             \
        ROUND(f, j, 1);                                                             \
        ROUND(f, j, 2);                                                             \
        ROUND(f, j, 3);                                                             \
    } while (0)
#define SIXTEEN(f, j) do {                                                          \
        GROUP(f, (j), x0, x1, x2, x3);                                              \
        GROUP(f, (j) + 4, x1, x2, x3, x0);                                          \
        GROUP(f, (j) + 8, x2, x3, x0, x1);                                          \
        GROUP(f, (j) + 12, x3, x0, x1, x2);                                         \
    } while (0)

static inline uint32x4_t load(const uint8_t *p)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)));
}

/* the four words in reverse order */
static inline uint32x4_t reversed_words(uint32x4_t x)
{
    x = vrev64q_u32(x);
    return vextq_u32(x, x, 2);
}

static void ty_sm3_blocks_armsm(uint32_t v[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    const uint32_t *t = constants;
    uint32x4_t abcd = reversed_words(vld1q_u32(v)), efgh = reversed_words(vld1q_u32(v + 4));
    for (; nblocks; nblocks--, in += 64) {
        /* hides t: otherwise every round computes an address, or the table is copied to the
         * stack */
        __asm__("" : "+r"(t));
        const uint32x4_t abcd0 = abcd, efgh0 = efgh;
        uint32x4_t x0 = load(in), x1 = load(in + 16), x2 = load(in + 32), x3 = load(in + 48);
        SIXTEEN(a, 0);
        SIXTEEN(b, 16);
        SIXTEEN(b, 32);
        SIXTEEN(b, 48);
        abcd = veorq_u32(abcd, abcd0);
        efgh = veorq_u32(efgh, efgh0);
    }
    vst1q_u32(v, reversed_words(abcd));
    vst1q_u32(v + 4, reversed_words(efgh));
}

const ty_sm3_ops ty_sm3_ops_armsm = {
    ty_sm3_blocks_armsm, TY_SM3_ARMCE_LANES, ty_sm3_step_armce, ty_sm3_chain_armce };
#include "base/level_end.h"
#endif
