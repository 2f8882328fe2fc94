/* SM3 on AVX2 and BMI2: the message is expanded four words at a time in vector registers while the rounds run on
 * scalar ones, where RORX rotates without destroying its source. The two meet in a small buffer on the stack. */
#include "sm3/sm3.h"
#if defined(__x86_64__)
#include "base/bytes.h"
#include <immintrin.h>
#define TY_TARGET "avx2,bmi2"
#include "base/tier_begin.h"
#include "sm3/sm3_round.inc"

/* vectors have no rotation below AVX-512 */
#define VROT(x, n) _mm_or_si128(_mm_slli_epi32(x, n), _mm_srli_epi32(x, 32 - (n)))

static inline __m128i xor3(__m128i x, __m128i y, __m128i z) { return _mm_xor_si128(_mm_xor_si128(x, y), z); }

/* x0 .. x3 are W_j .. W_{j+15}, four words each; the result is W_{j+16} .. W_{j+19}, by
 *     W_i = P1(W_{i-16} ^ W_{i-9} ^ (W_{i-3} <<< 15)) ^ (W_{i-13} <<< 7) ^ W_{i-6}.
 * The last word needs the first one, which is only being made: its W_{i-3} enters as zero and is added at the end.
 * P1 is linear, so what is missing there is P1(y <<< 15) = (y <<< 15) ^ (y <<< 30) ^ (y <<< 6), y the first word; on a
 * 64-bit lane that holds y twice, the upper half of a shift is a rotation. */
static inline __m128i expand(__m128i x0, __m128i x1, __m128i x2, __m128i x3)
{
    const __m128i rot8 = _mm_setr_epi8(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14);
    const __m128i i3 = _mm_srli_si128(x3, 4), i9 = _mm_alignr_epi8(x2, x1, 12);
    const __m128i i13 = _mm_alignr_epi8(x1, x0, 12), i6 = _mm_alignr_epi8(x3, x2, 8);
    const __m128i t = xor3(x0, i9, VROT(i3, 15));
    const __m128i u = _mm_xor_si128(t, _mm_shuffle_epi8(t, rot8));   /* P1(t) = t ^ ((t ^ (t <<< 8)) <<< 15) */
    const __m128i w = xor3(_mm_xor_si128(t, VROT(u, 15)), VROT(i13, 7), i6);
    const __m128i y = _mm_shuffle_epi32(w, 0);
    const __m128i z = xor3(_mm_slli_epi64(y, 15), _mm_slli_epi64(y, 30), _mm_slli_epi64(y, 6));
    return _mm_blend_epi32(w, _mm_xor_si128(w, z), 8);
}

/* Four rounds on W_j .. W_{j+3} = x0; then x0 becomes W_{j+16} .. W_{j+19}, which the last groups do not need. The
 * expansion stands before the rounds so that the CPU runs it in their shadow: neither waits for the other. */
#define W(k)  s.w[(k) % 16]
#define WX(k) s.wx[(k) % 16]
#define GROUP(ff, gg, j, x0, x1, x2, x3) do {                                                   \
        _mm_store_si128((__m128i *)(void *)&W(j), x0);                                          \
        _mm_store_si128((__m128i *)(void *)&WX(j), _mm_xor_si128(x0, x1));                      \
        if ((j) < 52) x0 = expand(x0, x1, x2, x3);                                              \
        FOUR(ff, gg, (j), W, WX);                                                               \
    } while (0)
#define SIXTEEN(ff, gg, j) do {                                                                 \
        GROUP(ff, gg, (j), x0, x1, x2, x3);                                                     \
        GROUP(ff, gg, (j) + 4, x1, x2, x3, x0);                                                 \
        GROUP(ff, gg, (j) + 8, x2, x3, x0, x1);                                                 \
        GROUP(ff, gg, (j) + 12, x3, x0, x1, x2);                                                \
    } while (0)

static inline __m128i load(const uint8_t *p)
{
    const __m128i swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), swap);
}

static void blocks(uint32_t v[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    struct { _Alignas(16) uint32_t w[16], wx[16]; } s;   /* W_k and W_k ^ W_{k+4}, at k mod 16 */
    for (; nblocks; nblocks--, in += 64) {
        uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        __m128i x0 = load(in), x1 = load(in + 16), x2 = load(in + 32), x3 = load(in + 48);
        SIXTEEN(ff0, gg0, 0);
        SIXTEEN(ff1, gg1, 16);
        SIXTEEN(ff1, gg1, 32);
        SIXTEEN(ff1, gg1, 48);
        v[0] ^= a; v[1] ^= b; v[2] ^= c; v[3] ^= d; v[4] ^= e; v[5] ^= f; v[6] ^= g; v[7] ^= h;
    }
    ty_wipe(&s, sizeof s);
}

const ty_sm3_ops ty_sm3_ops_avx2 = { blocks };
#include "base/tier_end.h"
#endif
