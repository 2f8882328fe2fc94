/* SHA-256 with the instructions of AArch64's Cryptography Extension: SHA256H and SHA256H2 do four
 * rounds, each on one half of the state, A B C D and E F G H.
 *
 * bound: 16 pairs, each depending on the one before, 4 cycles on Neoverse (published): 64 cycles a
 * block and more. Not measured: it has only been run under QEMU. */
#include "sha2/sha2.h"
#include "sha2/sha256_groups.h"

#if defined(TY_AARCH64)
#include <arm_neon.h>

#define TY_LEVEL armce
#include "base/level_begin.h"

/* Four rounds on x0 = W_j .. W_{j+3}; then x0 becomes W_{j+16} .. W_{j+19}, which the last groups
 * do not need. */
#define GROUP(j, x0, x1, x2, x3) do {                                                       \
        const uint32x4_t t = vaddq_u32(x0, vld1q_u32(ty_sha256_k + (j))), before = abcd;    \
        abcd = vsha256hq_u32(abcd, efgh, t);                                                \
        efgh = vsha256h2q_u32(efgh, before, t);                                             \
        if ((j) < 48) x0 = vsha256su1q_u32(vsha256su0q_u32(x0, x1), x2, x3);                \
    } while (0)

static inline uint32x4_t load(const uint8_t *p)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)));
}

static void ty_sha256_blocks_armce(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    uint32x4_t abcd = vld1q_u32(h), efgh = vld1q_u32(h + 4);
    for (; nblocks; nblocks--, in += 64) {
        const uint32x4_t abcd_in = abcd, efgh_in = efgh;
        uint32x4_t w0 = load(in), w1 = load(in + 16), w2 = load(in + 32), w3 = load(in + 48);
        TY_SHA256_SIXTEEN(0);
        TY_SHA256_SIXTEEN(16);
        TY_SHA256_SIXTEEN(32);
        TY_SHA256_SIXTEEN(48);
        abcd = vaddq_u32(abcd, abcd_in);
        efgh = vaddq_u32(efgh, efgh_in);
    }
    vst1q_u32(h, abcd);
    vst1q_u32(h + 4, efgh);
}

const ty_sha256_ops ty_sha256_ops_armce = { ty_sha256_blocks_armce };

#include "base/level_end.h"
#endif
