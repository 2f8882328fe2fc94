/* ML-DSA's kernels on bytes with AVX-512 F, BW, DQ, VL: sixteen coefficients at a time, 2 `bits`
 * bytes, read and written under a mask of that length, so that the end is not a special case.
 *
 * Lane l, of 128 bits, holds coefficients 4 l to 4 l + 3, which are the bits from 4 `bits` l on.
 * Only whole words of 32 bits can move between lanes in one step: a lane gets four, beginning with
 * the one in which its bits begin. Within the lane bytes are shuffled, and every field is shifted
 * by its position in its first byte.
 *   unpack   moves words to lanes and bytes to fields, shifts right, masks, subtracts from `top`
 *   pack     joins two fields to 2 `bits` in 64, shifts left to their position in a byte (40 + 7
 *            bits fit); two shuffles put the pairs of a lane together; the words of even and of odd
 *            lanes are ORed, as neighbours may share one. Two even lanes must not share one, as
 *            they would with 3 bits; but up to 6 bits AVX2's method, on bytes, is faster.
 * Rejected candidates are removed from a register by VPCOMPRESSD, and the register is stored: with
 * a destination in memory that instruction takes a hundred cycles on Zen 4.
 * time: constant except in `uniform`, and for which candidates `small` rejects
 *
 * bound, at two operations of 512 bits a cycle, and in parentheses the measurement on Zen 4: unpack
 * 5 for 16 coefficients, 40 core cycles (55); pack 10, 80 (97; AVX2's, up to 6 bits, 50); uniform
 * is AVX2's; small 11, 100 (eta 2, 100) and 160 (eta 4); add_times, for each nonzero coefficient of
 * c, 8 accesses across cache lines and 4 additions: 4 cycles (7). */
#include "mldsa/mldsa.h"

#if defined(__x86_64__)
#include "base/ct.h"
#include "base/unroll.h"

#include <immintrin.h>

/* The positions of the fields of a width. */
typedef struct form {
    /* unpacking: words of each lane; shift of each field to the right */
    uint32_t words[16], down[16];
    uint8_t gather[64];              /* and its four bytes */
    uint64_t up[8];                  /* packing: shift of a pair to the left */
    uint8_t low[64], high[64];       /* and where the first and the second pair of each lane go */
    /* word i of the result is the OR of word even[i], from an even lane, if bit i of is_even is
     * set, and of word odd[i], from an odd lane, if bit i of is_odd is */
    uint32_t even[16], odd[16];
    uint16_t is_even, is_odd;
} form;

#define LANES(m, b)       m(b, 0), m(b, 1), m(b, 2), m(b, 3)
#define WORD(b, l)        ((b) * (l) / 8)                    /* the word in which lane l begins */
#define LAST(b, l)        ((4 * (b) * ((l) + 1) - 1) / 32)   /* the word in which it ends */
/* the first bit of field f, from the beginning of that word */
#define BIT(b, l, f)      (4 * (b) * (l) % 32 + (f) * (b))
#define BYTES4(x)         (x), (x) + 1, (x) + 2, (x) + 3
#define WORDS(b, l)       BYTES4(WORD(b, l))
#define DOWN(b, l)        BIT(b, l, 0) % 8, BIT(b, l, 1) % 8, BIT(b, l, 2) % 8, BIT(b, l, 3) % 8
#    define GATHER(b, l)                                                                           \
        BYTES4(BIT(b, l, 0) / 8), BYTES4(BIT(b, l, 1) / 8), BYTES4(BIT(b, l, 2) / 8),              \
            BYTES4(BIT(b, l, 3) / 8)
#    define UP(b, l)      BIT(b, l, 0) % 8, BIT(b, l, 2) % 8
/* byte j of a shuffle that moves bytes s to s + 7 to p */
#    define FROM(p, s, j) ((j) >= (p) && (j) < (p) + 8 ? (uint8_t)((j) - (p) + (s)) : 0x80)
#    define EIGHT(m, ...)                                                                          \
        m(__VA_ARGS__, 0), m(__VA_ARGS__, 1), m(__VA_ARGS__, 2), m(__VA_ARGS__, 3),                \
            m(__VA_ARGS__, 4), m(__VA_ARGS__, 5), m(__VA_ARGS__, 6), m(__VA_ARGS__, 7)
#    define PLACE(p, s)                                                                            \
        EIGHT(FROM, p, s), FROM(p, s, 8), FROM(p, s, 9), FROM(p, s, 10), FROM(p, s, 11),           \
            FROM(p, s, 12), FROM(p, s, 13), FROM(p, s, 14), FROM(p, s, 15)
#    define LOW(b, l)   PLACE(BIT(b, l, 0) / 8, 0)
#    define HIGH(b, l)  PLACE(BIT(b, l, 2) / 8, 8)
/* IN: whether word w of the result has bits of lane l. TAKEN: the word of all lanes that becomes
 * word w, from lane l or l + 2; they share none (see above). */
#    define IN(b, l, w) ((w) >= WORD(b, l) && (w) <= LAST(b, l))
#    define TAKEN(b, l, w)                                                                         \
        (IN(b, l, w)         ? 4 * (l) + (w)-WORD(b, l)                                            \
         : IN(b, (l) + 2, w) ? 4 * ((l) + 2) + (w)-WORD(b, (l) + 2)                                \
                             : 0)
/* ten words, as the result has at most 40 bytes */
#define TAKE(b, l)        EIGHT(TAKEN, b, l), TAKEN(b, l, 8), TAKEN(b, l, 9)
#define IS(b, l, w)       (IN(b, l, w) || IN(b, (l) + 2, w)) << (w)
#    define MASK(b, l)                                                                             \
        (IS(b, l, 0) | IS(b, l, 1) | IS(b, l, 2) | IS(b, l, 3) | IS(b, l, 4) | IS(b, l, 5) |       \
         IS(b, l, 6) | IS(b, l, 7) | IS(b, l, 8) | IS(b, l, 9))
#    define FORM(b)                                                                                \
        [b] = { { LANES(WORDS, b) }, { LANES(DOWN, b) }, { LANES(GATHER, b) }, { LANES(UP, b) },   \
                { LANES(LOW, b) },   { LANES(HIGH, b) }, { TAKE(b, 0) },       { TAKE(b, 1) },     \
                MASK(b, 0),          MASK(b, 1) }

static const form forms[21] = { FORM(3), FORM(4), FORM(6), FORM(10), FORM(13), FORM(18), FORM(20) };

#define TY_LEVEL avx512
#include "base/level_begin.h"

typedef __m512i v16;

static inline v16 load(const void *p) { return _mm512_loadu_si512(p); }
static inline v16 all(int32_t x) { return _mm512_set1_epi32(x); }
static inline uint64_t bytes(size_t n) { return ((uint64_t)1 << n) - 1; }   /* a mask, n < 64 */

static void ty_mldsa_unpack_avx512(int32_t a[TY_AT_LEAST(256)], const uint8_t *in, unsigned bits,
                                   int32_t top)
{
    const form *f = &forms[bits];
    const v16 words = load(f->words), gather = load(f->gather), down = load(f->down),
              cut = all((1 << bits) - 1), above = all(top);
    const __mmask16 subtract = top ? 0xffff : 0;
    for (size_t i = 0; i < 256; i += 16, in += 2 * bits) {
        const v16 there =
            _mm512_permutexvar_epi32(words, _mm512_maskz_loadu_epi8(bytes(2 * bits), in));
        const v16 x =
            _mm512_and_si512(_mm512_srlv_epi32(_mm512_shuffle_epi8(there, gather), down), cut);
        _mm512_storeu_si512(a + i, _mm512_mask_sub_epi32(x, subtract, above, x));
    }
}

static void ty_mldsa_pack_avx512(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits,
                                 int32_t top)
{
    if (bits <= 6) {
        ty_mldsa_pack_any_avx2(out, a, bits, top);
        return;
    }
    const form *f = &forms[bits];
    const int to_top = 32 - (int)bits;
    const v16 above = all(top), first = _mm512_maskz_mov_epi32(0x5555, all(to_top)),
              up = load(f->up);
    const v16 low = load(f->low), high = load(f->high), even = load(f->even), odd = load(f->odd);
    const __m128i gap = _mm_cvtsi32_si128(to_top);
    const __mmask16 subtract = top ? 0xffff : 0;
    for (size_t i = 0; i < 256; i += 16, out += 2 * bits) {
        const v16 given = load(a + i), x = _mm512_mask_sub_epi32(given, subtract, above, given);
        /* shifts the lower field left against the upper one, then both right */
        const v16 pair = _mm512_srl_epi64(_mm512_sllv_epi32(x, first), gap),
                  v = _mm512_sllv_epi64(pair, up);
        const v16 lane = _mm512_or_si512(_mm512_shuffle_epi8(v, low), _mm512_shuffle_epi8(v, high));
        const v16 whole = _mm512_or_si512(_mm512_maskz_permutexvar_epi32(f->is_even, even, lane),
                                          _mm512_maskz_permutexvar_epi32(f->is_odd, odd, lane));
        _mm512_mask_storeu_epi8(out, bytes(2 * bits), whole);
    }
}

/* Appends the lanes of x in the mask `taken` to a[0..n), up to 256; returns the new n. */
static inline size_t append(int32_t *a, size_t n, v16 x, uint32_t taken)
{
    const size_t count = (size_t)_mm_popcnt_u32(taken), fit = count < 256 - n ? count : 256 - n;
    _mm512_mask_storeu_epi32(a + n, (__mmask16)bytes(fit),
                             _mm512_maskz_compress_epi32((__mmask16)taken, x));
    return n + fit;
}

/* Sixteen candidates from eight bytes, whose values are looked up. */
static size_t ty_mldsa_small_avx512(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in,
                                    size_t in_len, int32_t eta)
{
    const __m128i value2 = _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0);
    const __m128i value4 = _mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0);
    const __m128i value = eta == 2 ? value2 : value4, end = _mm_set1_epi8(eta == 2 ? 15 : 9);
    for (size_t i = 0; n < 256 && i + 8 <= in_len; i += 8) {
        const __m128i wide =
            _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(in + i)));
        const __m128i x =
            _mm_and_si128(_mm_or_si128(wide, _mm_slli_epi16(wide, 4)), _mm_set1_epi8(15));
        uint32_t taken = _mm_cmplt_epi8_mask(x, end);
        /* which candidates are rejected reveals nothing about the others */
        TY_PUBLIC(&taken, sizeof taken);
        n = append(a, n, _mm512_cvtepi8_epi32(_mm_shuffle_epi8(value, x)), taken);
    }
    return n;
}

#define V v512
#include "mldsa/windows.h"

/* z += sum; `most` becomes the largest |z| so far in each lane */
static inline void add_sum(int32_t z[64], v16 sum, v16 *most)
{
    const __m128i part[4] = { _mm512_castsi512_si128(sum), _mm512_extracti32x4_epi32(sum, 1),
                              _mm512_extracti32x4_epi32(sum, 2),
                              _mm512_extracti32x4_epi32(sum, 3) };
    TY_EACH(k, 4) {
        const v16 x = _mm512_add_epi32(load(z + 16 * k), _mm512_cvtepi8_epi32(part[k]));
        *most = _mm512_max_epi32(*most, _mm512_abs_epi32(x));
        _mm512_storeu_si512(z + 16 * k, x);
    }
}

static uint32_t ty_mldsa_add_times_avx512(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_challenge *c,
                                          const int8_t e[TY_AT_LEAST(512)], int32_t eta,
                                          int32_t bound)
{
    const size_t places = eta == 2 ? 63 : 31;
    v16 most = _mm512_setzero_si512();
    for (size_t from = 0; from < c->n; from += places) {
        const size_t to = c->n - from < places ? c->n : from + places;
        V sum[SUMS];
        sum_windows(sum, c, from, to, e);
        most = _mm512_setzero_si512();   /* only the sums after the last part count */
        TY_EACH(i, 4) add_sum(z + 64 * i, sum[i], &most);
    }
    return (0 - (uint32_t)_mm512_cmpge_epi32_mask(most, all(bound))) >> 31;
}

const ty_mldsa_ops ty_mldsa_ops_avx512 = { ty_mldsa_pack_avx512,      ty_mldsa_unpack_avx512,
                                           ty_mldsa_uniform_avx2,     ty_mldsa_small_avx512,
                                           ty_mldsa_add_times_avx512, ty_mldsa_pack_some_c,
                                           ty_mldsa_unpack_some_c,    ty_mldsa_times_c,
                                           ty_mldsa_times_packed_c,   ty_mldsa_windows_c };

#    include "base/level_end.h"
#endif
