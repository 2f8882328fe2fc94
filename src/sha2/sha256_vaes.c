/* SHA-256 with the instructions that x86-64 has for it. SHA256RNDS2 is two rounds: from the state
 * as two vectors, A B E F and C D G H with the first word on top, it computes the next A B E F, and
 * the old one is the next C D G H.
 *
 * bound: 32 of them, each depending on the one before, 4 cycles on Zen 3: 128 cycles a block, 2.0 a
 * byte */
#include "sha2/sha2.h"
#if defined(__x86_64__)
#include "sha2/sha256_groups.h"

#include <immintrin.h>

#define TY_LEVEL vaes
#include "base/level_begin.h"

/* W_{j+16} .. W_{j+19}, where x0 .. x3 are W_j .. W_{j+15} */
static inline __m128i expand(__m128i x0, __m128i x1, __m128i x2, __m128i x3)
{
    return _mm_sha256msg2_epu32(
        _mm_add_epi32(_mm_sha256msg1_epu32(x0, x1), _mm_alignr_epi8(x3, x2, 4)), x3);
}

/* Four rounds on x0 = W_j .. W_{j+3}; then x0 becomes W_{j+16} .. W_{j+19}, which the last groups
 * do not need. */
#    define GROUP(j, x0, x1, x2, x3)                                                               \
        do {                                                                                       \
            const __m128i t = _mm_add_epi32(                                                       \
                x0, _mm_loadu_si128((const __m128i *)(const void *)(ty_sha256_k + (j))));          \
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, t);                                           \
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(t, 0x0e));                  \
            if ((j) < 48) x0 = expand(x0, x1, x2, x3);                                             \
        } while (0)

static inline __m128i load(const uint8_t *p)   /* four big-endian words */
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), swap);
}

static void ty_sha256_blocks_vaes(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    __m128i *const low = (__m128i *)(void *)h, *const high = low + 1;
    const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(low), 0xb1),
                  hgfe = _mm_shuffle_epi32(_mm_loadu_si128(high), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    for (; nblocks; nblocks--, in += 64) {
        const __m128i abef_in = abef, cdgh_in = cdgh;
        __m128i w0 = load(in), w1 = load(in + 16), w2 = load(in + 32), w3 = load(in + 48);
        TY_SHA256_SIXTEEN(0);
        TY_SHA256_SIXTEEN(16);
        TY_SHA256_SIXTEEN(32);
        TY_SHA256_SIXTEEN(48);
        abef = _mm_add_epi32(abef, abef_in);
        cdgh = _mm_add_epi32(cdgh, cdgh_in);
    }
    /* words from the lowest on */
    const __m128i abef_up = _mm_shuffle_epi32(abef, 0x1b), ghcd = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(low, _mm_blend_epi16(abef_up, ghcd, 0xf0));
    _mm_storeu_si128(high, _mm_alignr_epi8(ghcd, abef_up, 8));
}

const ty_sha256_ops ty_sha256_ops_vaes = { ty_sha256_blocks_vaes };

#include "base/level_end.h"
#endif
