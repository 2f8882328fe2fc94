/* ML-DSA's kernels on bytes with AVX2, eight coefficients at a time: `bits` bytes, from 3 to 20.
 *
 * Unpacking: four fields of the lower half and four of the upper half are gathered as 32-bit words
 * by a byte shuffle, each shifted right by its position in its first byte (20 + 7 bits fit), and
 * masked. Packing: neighbours are joined to 2 `bits` in 64-bit lanes, shifted left to their
 * position in a byte, and two shuffles put the lanes of a half together; where a half ends inside a
 * byte, that byte is merged into the upper half.
 * time: constant except in `uniform`, and for which candidates `small` rejects
 *
 * bound: 13 operations for 8 coefficients either way, 420 for a polynomial, 105 core cycles.
 * Measured on Zen 3: 160 to 195; packing up to 6 bits, 32 coefficients in 15 operations, 70;
 * uniform 160, small 200 (eta 2) and 340 (eta 4): half of it for mispredicted branches on
 * rejections. */
#include "mldsa/mldsa.h"

#if defined(__x86_64__)
#include "base/bytes.h"
#include "base/ct.h"
#include "base/unroll.h"

#include <immintrin.h>
#include <string.h>

#include "mldsa/forms.h"

#define TY_LEVEL avx2
#include "base/level_begin.h"

static inline __m256i load32(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline __m128i load16(const void *p) { return _mm_loadu_si128((const __m128i *)p); }

/* the constants of a width: its form, and the operands that mask and shift a field x and turn it
 * into top - x, or leave it if top is 0 */
typedef struct fields {
    const form *f;
    size_t half;        /* the byte where the upper half begins */
    __m256i cut, top, sign, first;
    __m128i gap;
} fields;

static inline fields fields_of(unsigned bits, int32_t top)
{
    const int up = 32 - (int)bits;
    return (fields){ &forms[bits],
                     bits / 2,
                     _mm256_set1_epi32((1 << bits) - 1),
                     _mm256_set1_epi32(top),
                     _mm256_set1_epi32(top ? -1 : 0),
                     _mm256_setr_epi32(up, 0, up, 0, up, 0, up, 0),
                     _mm_cvtsi32_si128(up) };
}

static inline void unpack8(int32_t *a, const uint8_t *in, const fields *s)
{
    const __m256i two =
        _mm256_inserti128_si256(_mm256_castsi128_si256(load16(in)), load16(in + s->half), 1);
    const __m256i words =
        _mm256_srlv_epi32(_mm256_shuffle_epi8(two, load32(s->f->gather)), load32(s->f->down));
    const __m256i x = _mm256_and_si256(words, s->cut);
    _mm256_storeu_si256(
        (__m256i *)(void *)a,
        _mm256_add_epi32(s->top, _mm256_sub_epi32(_mm256_xor_si256(x, s->sign), s->sign)));
}

static inline void pack8(uint8_t *out, const int32_t *a, const fields *s)
{
    const __m256i even = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1));
    const __m256i x =
        _mm256_add_epi32(s->top, _mm256_sub_epi32(_mm256_xor_si256(load32(a), s->sign), s->sign));
    /* shifts the lower field left against the upper one, then both right */
    const __m256i pair = _mm256_srl_epi64(_mm256_sllv_epi32(x, s->first), s->gap);
    const __m256i v = _mm256_sllv_epi64(pair, load32(s->f->up));
    const __m256i halves =
        _mm256_or_si256(_mm256_shuffle_epi8(v, even), _mm256_shuffle_epi8(v, load32(s->f->odd)));
    const __m128i low = _mm256_castsi256_si128(halves), high = _mm256_extracti128_si256(halves, 1);
    _mm_storeu_si128((__m128i *)(void *)out, low);
    _mm_storeu_si128((__m128i *)(void *)(out + s->half),
                     _mm_or_si128(high, _mm_shuffle_epi8(low, load16(s->f->seam))));
}

#include "mldsa/fields.h"

/* Fields of at most 6 bits are first converted to bytes, 32 in a register: two are joined by a
 * product with 1 and 2^bits, two pairs by one with 1 and 2^(2 bits), in 32 bits; for 3 bits two of
 * those once more, in 64. A shuffle removes the unused bytes between them. */
static inline __m256i bytes32(const int32_t a[32])
{
    const __m256i low = _mm256_packs_epi32(load32(a), load32(a + 8)),
                  high = _mm256_packs_epi32(load32(a + 16), load32(a + 24));
    return _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high),
                                       _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

static inline __attribute__((always_inline)) void pack_few(uint8_t *out, const int32_t a[256],
                                                           int bits, int32_t top, __m128i gather)
{
    const __m256i above = _mm256_set1_epi8((char)top), sign = _mm256_set1_epi8(top ? -1 : 0);
    const __m256i two = _mm256_set1_epi16((short)(1 | 256 << bits)),
                  four = _mm256_set1_epi32(1 | 0x10000 << 2 * bits);
    uint8_t end[32];
    for (size_t i = 0; i < 8; i++, out += 4 * bits) {
        const __m256i x = _mm256_add_epi8(
            above, _mm256_sub_epi8(_mm256_xor_si256(bytes32(a + 32 * i), sign), sign));
        __m256i y = _mm256_madd_epi16(_mm256_maddubs_epi16(x, two), four);
        if (bits == 3) y = _mm256_or_si256(y, _mm256_srli_epi64(y, 32 - 12));
        y = _mm256_shuffle_epi8(y, _mm256_broadcastsi128_si256(gather));
        /* the next store overwrites what one writes beyond its part */
        uint8_t *const to = i < 7 ? out : end;
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(y));
        _mm_storeu_si128((__m128i *)(void *)(to + 2 * bits), _mm256_extracti128_si256(y, 1));
    }
    memcpy(out - 4 * bits, end, (size_t)(4 * bits));
    ty_wipe(end, sizeof end);
}

void ty_mldsa_pack_any_avx2(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits,
                            int32_t top)
{
    switch (bits) {
    case 3:
        pack_few(out, a, 3, top,
                 _mm_setr_epi8(0, 1, 2, 8, 9, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
        break;
    case 4:
        pack_few(out, a, 4, top,
                 _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1));
        break;
    case 6:
        pack_few(out, a, 6, top,
                 _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
        break;
    default: ty_mldsa_pack_avx2(out, a, bits, top);
    }
}

/* Three words of four lanes, transposed, are eight candidates of each: words 0 and 1 in one half of
 * a register, 1 and 2 in the other. */
static inline void candidates(__m256i x[4], const uint64_t *words, size_t stride)
{
    const __m256i spread = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, 4,
                                            5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1);
    const __m256i r0 = load32(words), r1 = load32(words + stride), r2 = load32(words + 2 * stride);
    const __m256i even = _mm256_unpacklo_epi64(r0, r1), even2 = _mm256_unpacklo_epi64(r1, r2);
    const __m256i odd = _mm256_unpackhi_epi64(r0, r1), odd2 = _mm256_unpackhi_epi64(r1, r2);
    x[0] = _mm256_permute2x128_si256(even, even2, 0x20);
    x[1] = _mm256_permute2x128_si256(odd, odd2, 0x20);
    x[2] = _mm256_permute2x128_si256(even, even2, 0x31);
    x[3] = _mm256_permute2x128_si256(odd, odd2, 0x31);
    TY_EACH(i, 4)
    x[i] = _mm256_and_si256(_mm256_shuffle_epi8(x[i], spread), _mm256_set1_epi32(0x7fffff));
}

/* Stores at a[4] the lanes of v whose bits are set in `taken`, moved together, and anything after
 * them; returns their number. */
static inline size_t append4(int32_t *a, __m128i v, uint32_t taken)
{
    _mm_storeu_si128((__m128i *)(void *)a, _mm_shuffle_epi8(v, load16(together[taken])));
    return (size_t)_mm_popcnt_u32(taken);
}

/* Appends the candidates of x that are below q to a[0..n), up to 256; returns the new n. */
static inline size_t append8(int32_t *a, size_t n, __m256i x)
{
    int32_t all[8];
    if (n > 248) {
        _mm256_storeu_si256((__m256i *)(void *)all, x);
        return ty_mldsa_take_vt(a, n, all);
    }
    const uint32_t taken = (uint32_t)_mm256_movemask_ps(
        _mm256_castsi256_ps(_mm256_sub_epi32(x, _mm256_set1_epi32(TY_Q))));
    n += append4(a + n, _mm256_castsi256_si128(x), taken & 15);
    return n + append4(a + n, _mm256_extracti128_si256(x, 1), taken >> 4);
}

/* Eight candidates of each lane at a time: all 32 are accepted 31 times in 32, and are then stored
 * as they are. */
void ty_mldsa_uniform_avx2(int32_t *const a[TY_AT_LEAST(4)], size_t n[TY_AT_LEAST(4)],
                           const uint64_t *words, size_t stride)
{
    size_t most = 0;
    TY_EACH(i, 4) most = n[i] > most ? n[i] : most;
    TY_EACH(w, 7) {
        __m256i x[4];
        candidates(x, words, stride);
        const __m256i high =
            _mm256_max_epi32(_mm256_max_epi32(x[0], x[1]), _mm256_max_epi32(x[2], x[3]));
        const __m256i beyond = _mm256_cmpgt_epi32(high, _mm256_set1_epi32(TY_Q - 1));
        if (most <= 248 && _mm256_testz_si256(beyond, beyond)) {
            TY_EACH(i, 4) {
                _mm256_storeu_si256((__m256i *)(void *)(a[i] + n[i]), x[i]);
                n[i] += 8;
            }
        } else {
            TY_EACH(i, 4) n[i] = append8(a[i], n[i], x[i]);
        }
        most += 8;
        words += 3 * stride;
        if (most >= 256 && n[0] + n[1] + n[2] + n[3] == 4 * 256) return;
    }
}

/* Sixteen candidates in a word: the bits that make a field too high are combined in its lowest bit,
 * and PEXT moves the other fields together. All sixteen lanes are stored; near the end of a, in
 * `last`. */
static size_t ty_mldsa_small_avx2(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in,
                                  size_t in_len, int32_t eta)
{
    const __m128i value2 = _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0);
    const __m128i value4 = _mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0);
    const __m128i value = eta == 2 ? value2 : value4;
    int32_t last[16];
    for (size_t i = 0; n < 256 && i < in_len; i += 8) {
        const uint64_t x = ty_get64le(in + i), low = eta == 2 ? x & x >> 1 : x | x >> 1;
        /* too high: 15, or 9 to 15 */
        uint64_t high = (eta == 2 ? low & low >> 2 : (low | x >> 2) & x >> 3) & 0x1111111111111111;
        /* which candidates are rejected reveals nothing about the others */
        TY_PUBLIC(&high, sizeof high);
        const __m128i pairs = _mm_cvtsi64_si128((long long)_pext_u64(x, ~(15 * high)));
        const __m128i nibbles = _mm_unpacklo_epi8(pairs, _mm_srli_epi64(pairs, 4));
        const __m128i v = _mm_shuffle_epi8(value, _mm_and_si128(nibbles, _mm_set1_epi8(15)));
        int32_t *const to = n <= 240 ? a + n : last;
        _mm256_storeu_si256((__m256i *)(void *)to, _mm256_cvtepi8_epi32(v));
        _mm256_storeu_si256((__m256i *)(void *)(to + 8),
                            _mm256_cvtepi8_epi32(_mm_srli_si128(v, 8)));
        const size_t taken = 16 - (size_t)_mm_popcnt_u64(high), room = 256 - n,
                     count = taken < room ? taken : room;
        if (to == last) memcpy(a + n, last, count * sizeof a[0]);
        n += count;
    }
    ty_wipe(last, sizeof last);
    return n;
}

/* bound: for each nonzero coefficient of c 8 additions from memory, every other one across a cache
 * line: 312 to 480, 6 to 8 core cycles each; a transform and back would be 1500. */
#define V v256
#include "mldsa/windows.h"

static inline __m256i wide(__m256i sum, size_t k)
{
    const __m128i half = k / 2 ? _mm256_extracti128_si256(sum, 1) : _mm256_castsi256_si128(sum);
    return _mm256_cvtepi8_epi32(k % 2 ? _mm_srli_si128(half, 8) : half);
}

static uint32_t ty_mldsa_add_times_avx2(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_challenge *c,
                                        const int8_t e[TY_AT_LEAST(512)], int32_t eta,
                                        int32_t bound)
{
    const size_t most = eta == 2 ? 63 : 31;
    const __m256i inside = _mm256_set1_epi32(bound - 1);
    __m256i outside = _mm256_setzero_si256();
    for (size_t from = 0; from < c->n; from += most) {
        const size_t to = c->n - from < most ? c->n : from + most;
        V sum[SUMS];
        sum_windows(sum, c, from, to, e);
        outside = _mm256_setzero_si256();   /* only the sums after the last part count */
        TY_EACH(i, 8) TY_EACH(k, 4) {
            __m256i *const p = (__m256i *)(void *)(z + 32 * i + 8 * k);
            const __m256i x = _mm256_add_epi32(load32(p), wide(sum[i], k));
            /* negative if x or -x is above; VPABSD would do, but 32 of them in one basic block are
             * too many for valgrind */
            const __m256i beyond =
                _mm256_or_si256(_mm256_sub_epi32(inside, x), _mm256_add_epi32(inside, x));
            outside = _mm256_or_si256(outside, beyond);
            _mm256_storeu_si256(p, x);
        }
    }
    return (0 - (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(outside))) >> 31;
}

const ty_mldsa_ops ty_mldsa_ops_avx2 = { ty_mldsa_pack_any_avx2,  ty_mldsa_unpack_avx2,
                                         ty_mldsa_uniform_avx2,   ty_mldsa_small_avx2,
                                         ty_mldsa_add_times_avx2, ty_mldsa_pack_some_c,
                                         ty_mldsa_unpack_some_c,  ty_mldsa_times_c,
                                         ty_mldsa_times_packed_c, ty_mldsa_windows_c };

#    include "base/level_end.h"
#endif
