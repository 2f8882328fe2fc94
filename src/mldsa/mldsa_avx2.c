/* ML-DSA's kernels on bytes by AVX2, eight coefficients at a time: `bits` bytes, from 3 to 20.
 *
 * Unpacking: four fields of the lower half and four of the upper half are gathered as 32-bit words by a byte shuffle, each
 * moved down by its place in its first byte (20 + 7 bits fit), and cut. Packing: neighbours are joined to 2 `bits`
 * in 64-bit lanes, moved up to their place in a byte, and two shuffles put the lanes of a half together; where a half
 * ends inside a byte, the upper one takes that byte over.     time: constant but in uniform, and for what small rejects
 *
 * bound: 13 operations for 8 coefficients either way, 420 for a polynomial, 105 core cycles. Measured on Zen 3: 160 to 195;
 * uniform 100, small 260 (eta 2) and 450 (eta 4). */
#include "mldsa/mldsa.h"

#if defined(__x86_64__)
#include "base/ct.h"

#include <immintrin.h>
#include <string.h>

/* Where the fields of a width lie. Half h begins in byte 4 bits h/8, with 4 bits of the half before it where bits is odd. */
typedef struct form {
    uint8_t gather[32];   /* unpacking: for each field its four bytes */
    uint32_t down[8];     /* and how far it is moved down */
    uint64_t up[4];       /* packing: how far a pair is moved up */
    uint8_t odd[32];      /* and where the second pair of each half goes */
    uint8_t seam[16];     /* from the lower half to the upper: the byte they share */
} form;

#define REST(b)       ((b) % 2 * 4)
#define AT(b, r, f)   (((f) * (b) + (r)) / 8)
#define BYTES4(x)     (x), (x) + 1, (x) + 2, (x) + 3
#define GATHER(b, r)  BYTES4(AT(b, r, 0)), BYTES4(AT(b, r, 1)), BYTES4(AT(b, r, 2)), BYTES4(AT(b, r, 3))
#define DOWN(b, r)    (r) % 8, ((b) + (r)) % 8, (2 * (b) + (r)) % 8, (3 * (b) + (r)) % 8
#define FROM(p, j)    ((j) >= (p) && (j) < (p) + 8 ? (j) - (p) + 8 : 0x80)
#define ODD(p)        FROM(p, 0), FROM(p, 1), FROM(p, 2), FROM(p, 3), FROM(p, 4), FROM(p, 5), FROM(p, 6), FROM(p, 7),          \
                      FROM(p, 8), FROM(p, 9), FROM(p, 10), FROM(p, 11), FROM(p, 12), FROM(p, 13), FROM(p, 14), FROM(p, 15)
#define NONE3         0x80, 0x80, 0x80
#define FORM(b)                                                                                                                \
    [b] = { { GATHER(b, 0), GATHER(b, REST(b)) }, { DOWN(b, 0), DOWN(b, REST(b)) },                                            \
            { 0, 2 * (b) % 8, REST(b), (2 * (b) + REST(b)) % 8 }, { ODD(2 * (b) / 8), ODD((2 * (b) + REST(b)) / 8) },          \
            { (b) % 2 ? (b) / 2 : 0x80, NONE3, NONE3, NONE3, NONE3, NONE3 } }

static const form forms[21] = { FORM(3), FORM(4), FORM(6), FORM(10), FORM(13), FORM(18), FORM(20) };

#define TY_TARGET "avx2,popcnt"
#include "base/tier_begin.h"

#define EACH(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < (n); i++)

static inline __m256i load32(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }
static inline __m128i load16(const void *p) { return _mm_loadu_si128((const __m128i *)p); }

/* Groups of eight whose accesses, 16 bytes from the middle of the group, stay inside 32 `bits` bytes. */
static inline size_t inside(size_t bits) { return (32 * bits - 16 - bits / 2) / bits + 1; }

static inline void unpack8(int32_t *a, const uint8_t *in, size_t half, const form *f, __m256i cut, __m256i top, __m256i sign)
{
    const __m256i two = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(in)), load16(in + half), 1);
    const __m256i words = _mm256_srlv_epi32(_mm256_shuffle_epi8(two, load32(f->gather)), load32(f->down));
    const __m256i x = _mm256_and_si256(words, cut);
    _mm256_storeu_si256((__m256i *)(void *)a, _mm256_add_epi32(top, _mm256_sub_epi32(_mm256_xor_si256(x, sign), sign)));
}

/* top - x, or x itself where top is 0: the sign mask is all ones for the first */
static void unpack(int32_t a[TY_AT_LEAST(256)], const uint8_t *in, unsigned bits, int32_t top)
{
    const form *f = &forms[bits];
    const __m256i cut = _mm256_set1_epi32((1 << bits) - 1), above = _mm256_set1_epi32(top), sign = _mm256_set1_epi32(top ? -1 : 0);
    const size_t n = inside(bits), rest = (32 - n) * bits;
    uint8_t end[64];
    for (size_t i = 0; i < n; i++) unpack8(a + 8 * i, in + bits * i, bits / 2, f, cut, above, sign);
    memset(end, 0, sizeof end);
    memcpy(end, in + bits * n, rest);
    for (size_t i = n; i < 32; i++) unpack8(a + 8 * i, end + bits * (i - n), bits / 2, f, cut, above, sign);
    ty_wipe(end, sizeof end);
}

static inline void pack8(uint8_t *out, const int32_t *a, size_t half, const form *f, __m128i gap, __m256i first, __m256i top,
                         __m256i sign)
{
    const __m256i even = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1, -1, -1, -1, -1, -1));
    const __m256i x = _mm256_add_epi32(top, _mm256_sub_epi32(_mm256_xor_si256(load32(a), sign), sign));
    /* the lower field moves up against the upper one, then both down */
    const __m256i pair = _mm256_srl_epi64(_mm256_sllv_epi32(x, first), gap);
    const __m256i v = _mm256_sllv_epi64(pair, load32(f->up));
    const __m256i halves = _mm256_or_si256(_mm256_shuffle_epi8(v, even), _mm256_shuffle_epi8(v, load32(f->odd)));
    const __m128i low = _mm256_castsi256_si128(halves), high = _mm256_extracti128_si256(halves, 1);
    _mm_storeu_si128((__m128i *)(void *)out, low);
    _mm_storeu_si128((__m128i *)(void *)(out + half), _mm_or_si128(high, _mm_shuffle_epi8(low, load16(f->seam))));
}

static void pack(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits, int32_t top)
{
    const form *f = &forms[bits];
    const int up = 32 - (int)bits;
    const __m256i above = _mm256_set1_epi32(top), sign = _mm256_set1_epi32(top ? -1 : 0);
    const __m256i first = _mm256_setr_epi32(up, 0, up, 0, up, 0, up, 0);
    const __m128i gap = _mm_cvtsi32_si128(up);
    const size_t n = inside(bits), rest = (32 - n) * bits;
    uint8_t end[64];
    for (size_t i = 0; i < n; i++) pack8(out + bits * i, a + 8 * i, bits / 2, f, gap, first, above, sign);
    for (size_t i = n; i < 32; i++) pack8(end + bits * (i - n), a + 8 * i, bits / 2, f, gap, first, above, sign);
    memcpy(out + bits * n, end, rest);
    ty_wipe(end, sizeof end);
}

/* Of eight candidates all are taken 124 times of 125; the others are left to the portable tier. */
static size_t uniform(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in, size_t in_len)
{
    const __m256i spread = _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,
                                            4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1);
    const __m256i cut = _mm256_set1_epi32(0x7fffff), q = _mm256_set1_epi32(TY_Q);
    size_t i = 0;
    for (; n <= 248 && i + 24 <= in_len; i += 24) {
        const __m256i two = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(in + i)), load16(in + i + 8), 1);
        const __m256i x = _mm256_and_si256(_mm256_shuffle_epi8(two, spread), cut);
        const __m256i taken = _mm256_cmpgt_epi32(q, x);
        if (_mm256_movemask_epi8(taken) == -1) {
            _mm256_storeu_si256((__m256i *)(void *)(a + n), x);
            n += 8;
        } else {
            n = ty_mldsa_ops_c.uniform(a, n, in + i, 24);
        }
    }
    return ty_mldsa_ops_c.uniform(a, n, in + i, in_len - i);
}

/* row m: the lanes of m's bits, lowest first */
#define L0 0, 1, 2, 3
#define L1 4, 5, 6, 7
#define L2 8, 9, 10, 11
#define L3 12, 13, 14, 15
static const uint8_t together[16][16] = {
    { L0 }, { L0 }, { L1 }, { L0, L1 }, { L2 }, { L0, L2 }, { L1, L2 }, { L0, L1, L2 },
    { L3 }, { L0, L3 }, { L1, L3 }, { L0, L1, L3 }, { L2, L3 }, { L0, L2, L3 }, { L1, L2, L3 }, { L0, L1, L2, L3 },
};

/* Sixteen candidates from eight bytes, looked up, then four at a time moved together. */
static size_t small(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in, size_t in_len, int32_t eta)
{
    const __m128i value2 = _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0);
    const __m128i value4 = _mm_setr_epi8(4, 3, 2, 1, 0, -1, -2, -3, -4, 0, 0, 0, 0, 0, 0, 0);
    const __m128i value = eta == 2 ? value2 : value4, end = _mm_set1_epi8(eta == 2 ? 15 : 9);
    for (size_t i = 0; i + 8 <= in_len; i += 8) {
        const __m128i wide = _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(const void *)(in + i)));
        const __m128i x = _mm_and_si128(_mm_or_si128(wide, _mm_slli_epi16(wide, 4)), _mm_set1_epi8(15));
        uint32_t taken = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(end, x));
        __m128i v = _mm_shuffle_epi8(value, x);
        TY_PUBLIC(&taken, sizeof taken);   /* that a candidate was rejected says nothing of the others */
        for (size_t j = 0; j < 4; j++, taken >>= 4, v = _mm_srli_si128(v, 4)) {
            if (n > 252) return ty_mldsa_ops_c.small(a, n, in + i + 2 * j, in_len - i - 2 * j, eta);
            _mm_storeu_si128((__m128i *)(void *)(a + n), _mm_shuffle_epi8(_mm_cvtepi8_epi32(v), load16(together[taken & 15])));
            n += (size_t)_mm_popcnt_u32(taken & 15);
        }
    }
    return n;
}

/* Sums of 8 bits hold 127/eta places: all 60 of them for eta 2, 31 for eta 4, which has 49 and takes them in two parts.
 * bound: 8 additions from memory a place, every other one over the end of a cache line: 312 to 480, 6 to 8 core cycles a
 * place; a transform and back would be 1500. */
static inline void add_windows(__m256i sum[8], const ty_mldsa_ball *c, size_t from, size_t to, const int8_t *e)
{
    for (size_t j = from; j < to; j++) {
        const int8_t *w = e + 256 - c->at[j];
        EACH(i, 8) sum[i] = _mm256_add_epi8(sum[i], load32(w + 32 * i));
    }
}

static inline void sub_windows(__m256i sum[8], const ty_mldsa_ball *c, size_t from, size_t to, const int8_t *e)
{
    for (size_t j = from; j < to; j++) {
        const int8_t *w = e + 256 - c->at[j];
        EACH(i, 8) sum[i] = _mm256_sub_epi8(sum[i], load32(w + 32 * i));
    }
}

static inline __m256i wide(__m256i sum, int k)
{
    const __m128i half = k / 2 ? _mm256_extracti128_si256(sum, 1) : _mm256_castsi256_si128(sum);
    return _mm256_cvtepi8_epi32(k % 2 ? _mm_srli_si128(half, 8) : half);
}

static uint32_t add_times(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_ball *c, const int8_t e[TY_AT_LEAST(512)], int32_t eta,
                          int32_t bound)
{
    const size_t most = eta == 2 ? 63 : 31;
    const __m256i inside = _mm256_set1_epi32(bound - 1);
    __m256i outside = _mm256_setzero_si256();
    for (size_t from = 0; from < c->n; from += most) {
        const size_t to = c->n - from < most ? c->n : from + most;
        const size_t turn = c->plus < from ? from : c->plus < to ? c->plus : to;
        __m256i sum[8];
        EACH(i, 8) sum[i] = _mm256_setzero_si256();
        add_windows(sum, c, from, turn, e);
        sub_windows(sum, c, turn, to, e);
        outside = _mm256_setzero_si256();   /* after the last part is what counts */
        EACH(i, 8) EACH(k, 4) {
            __m256i *const p = (__m256i *)(void *)(z + 32 * i + 8 * k);
            const __m256i x = _mm256_add_epi32(load32(p), wide(sum[i], k));
            /* negative where x or -x is above; VPABSD says the same, and 32 of them in one block are too much for valgrind */
            const __m256i beyond = _mm256_or_si256(_mm256_sub_epi32(inside, x), _mm256_add_epi32(inside, x));
            outside = _mm256_or_si256(outside, beyond);
            _mm256_storeu_si256(p, x);
        }
    }
    return (0 - (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(outside))) >> 31;
}

const ty_mldsa_ops ty_mldsa_ops_avx2 = { pack, unpack, uniform, small, add_times };

#include "base/tier_end.h"
#endif
