/* Integers of limbs as vectors of digits for AVX-512 IFMA, which limb_gfni512.c and limb_clmul512.c
 * share; included between base/level_begin.h and base/level_end.h.
 *
 * digits     of 52 bits: eight are a vector, and are read from 52 bytes. Sums are kept in lanes of
 *            64 bits until the end. Each is a sum of lower halves of at most n products and upper
 *            halves of as many, n <= 48: less than 96 2^52 < 2^59 */
#ifndef TY_LIMB_LIMB_IFMA_H
#define TY_LIMB_LIMB_IFMA_H

#include "base/unroll.h"
#include "limb/limb.h"

typedef __m512i vec;
/* digits in a vector, and their bytes; the most vectors in a factor; the most vectors whose masks
 * of lanes, and a carry, one word holds */
enum { W = 8, BYTES = 52, MOST = 6, WORD = 7 };
/* in limbs; for other lengths the kernels with rows of limbs are used */
enum { SHORTEST = 10, LONGEST = BYTES * MOST / 8 };
#define DIGIT ((long long)1 << 52)

#define EACH(i, n)  TY_UNROLL for (int i = 0; i < (n); i++)

static inline vec load(const void *p) { return _mm512_loadu_si512(p); }
static inline vec odd_4(void) { return _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0); }
/* x moved up by a lane; lane 0 becomes the highest one of `below` */
static inline vec up(vec x, vec below) { return _mm512_alignr_epi64(x, below, W - 1); }

/* the mask of those of the 64 bytes from `at` on that are among n */
static inline __mmask64 bytes(size_t n, size_t at)
{
    return n <= at ? 0 : _bzhi_u64(~(uint64_t)0, n - at < 64 ? (unsigned)(n - at) : 64);
}

/* --- Limbs and digits ------------------------------------------------------------------------- */

/* Digit d begins at bit 52 d, which is bit 0 or 4 of byte 6.5 d. */
static const uint8_t spread[64] = {
#define FROM(b) b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7
    FROM(0), FROM(6), FROM(13), FROM(19), FROM(26), FROM(32), FROM(39), FROM(45)
};
/* The inverse: odd digits move up by four bits; the 13 bytes of a pair are 7 of one and 6 of the
 * other, whose lowest four bits go to the upper half of the seventh byte. */
static const uint8_t pack[64] = {
#    define PAIR(b)                                                                                \
        b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 9, b + 10, b + 11, b + 12, b + 13, b + 14
    PAIR(0), PAIR(16), PAIR(32), PAIR(48)
};
static const uint8_t lowest[64] = { [6] = 8, [19] = 24, [32] = 40, [45] = 56 };
#    define SEVENTH                                                                                \
        (((uint64_t)1 << 6) | ((uint64_t)1 << 19) | ((uint64_t)1 << 32) | ((uint64_t)1 << 45))

/* The i-th of v vectors of digits of x[n], where n limbs are more than v - 1 vectors hold. The bits
 * above 52 of a lane are not cleared, as products ignore them. */
TY_INLINE vec digits(const ty_limb *x, size_t n, int i, const int v)
{
    const uint8_t *const at = (const uint8_t *)x + BYTES * i;
    const vec t =
        i < v - 2 ? load(at) : _mm512_maskz_loadu_epi8(bytes(8 * n, BYTES * (size_t)i), at);
    return _mm512_srlv_epi64(_mm512_permutexvar_epi8(load(spread), t), odd_4());
}

/* z[n] from sums t[v], where n limbs are more than v - 2 vectors hold. First the bits above 52 are
 * added to the next lane, so that digits are at most 2^52 + 2^7 - 2. Then the remaining carries are
 * 0 or 1, and one addition propagates them through the lanes of a word: `more` are the digits above
 * 2^52 - 1, which generate a carry, `full` those equal to it, which propagate one. A digit that
 * generates a carry is less than 2^7 without it: a carry into it generates no other. */
TY_INLINE void limbs(ty_limb *z, size_t n, vec *t, const int v)
{
    const vec digit = _mm512_set1_epi64(DIGIT - 1), minus_1 = _mm512_set1_epi64(-1);
    vec below = _mm512_setzero_si512();
    uint64_t more[2] = { 0, 0 }, full[2] = { 0, 0 };
    EACH(i, v) {
        const vec high = _mm512_srli_epi64(t[i], 52);
        t[i] = _mm512_add_epi64(_mm512_and_si512(t[i], digit), up(high, below));
        below = high;
        more[i / WORD] |= (uint64_t)_mm512_cmpgt_epu64_mask(t[i], digit) << W * (i % WORD);
        full[i / WORD] |= (uint64_t)_mm512_cmpeq_epu64_mask(t[i], digit) << W * (i % WORD);
    }
    const uint64_t first = ((more[0] << 1) + full[0]) ^ full[0];
    const uint64_t second = ((more[1] << 1 | (first >> W * WORD)) + full[1]) ^ full[1];
    /* without bit 52 of a digit that generated a carry */
    const vec ones = _mm512_set1_epi8(-1), own = _mm512_mask_set1_epi8(ones, SEVENTH, 15);
    EACH(i, v) {
        const __mmask8 one = (__mmask8)((i < WORD ? first : second) >> W * (i % WORD));
        const vec d = _mm512_sllv_epi64(_mm512_mask_sub_epi64(t[i], one, t[i], minus_1), odd_4());
        const vec low = _mm512_and_si512(_mm512_permutexvar_epi8(load(pack), d), own);
        const vec all =
            _mm512_or_si512(low, _mm512_maskz_permutexvar_epi8(SEVENTH, load(lowest), d));
        uint8_t *const at = (uint8_t *)z + BYTES * i;
        if (i < v - 3) _mm512_storeu_si512(at, all);   /* the last 12 bytes are written again */
        else _mm512_mask_storeu_epi8(at, bytes(8 * n, BYTES * (size_t)i), all);
    }
}

/* the number of digits of n limbs, and of the vectors that hold them */
static inline size_t length(size_t n) { return (16 * n + 12) / 13; }
static inline size_t vectors(size_t n) { return (8 * n + BYTES - 1) / BYTES; }
static inline size_t held(size_t v) { return BYTES * v / 8; }   /* limbs in v vectors */

/* clears d[v], whose digits are as secret as the factors */
TY_INLINE void forget(vec *d, const int v)
{
    EACH(i, v) d[i] = _mm512_setzero_si512();
    __asm__ volatile("" : : "r"(d) : "memory");
}

/* Called after a product or a square, by its caller: Clang spills some of their vectors, which are
 * then below that caller's frame; GCC spills none. No kernel has a frame of 2 KB. */
#if defined(__clang__)
static __attribute__((noinline)) void forget_spills(void)
{
    vec room[32];
    for (int i = 0; i < 32; i++) room[i] = _mm512_setzero_si512();
    __asm__ volatile("" : : "r"(room) : "memory");
}
#else
static inline void forget_spills(void) {}
#endif

/* x[v] moved up by a lane, to x[v+1] */
TY_INLINE void up_all(vec *x, const int v)
{
    EACH(k, v) x[v - k] = up(x[v - k], x[v - k - 1]);
    x[0] = up(x[0], _mm512_setzero_si512());
}

#endif
