/* Montgomery products of one number whose digits lie side by side in vectors, by the products of 52-bit integers of AVX-512 IFMA:
 * two operations for eight products of digits.
 *
 * digit     52 bits, D = 2^52: a number is n digits in a place of words >= n, zeros above them
 * loose     [0, 4m), m < D^n / 8
 * kernels   ty_ifma_ops: a row per tier; "c" has none
 *
 * R = D^n. The step (m (-1/m mod D) + 1)/D takes the place of m for all digits but the last one, so that a quotient digit is the lowest
 * digit of what is left, as it is: limb/lanes.h says why loose numbers stay loose then. */
#ifndef TY_LIMB_IFMA_H
#define TY_LIMB_IFMA_H

#include "limb/lanes.h"

#define TY_IFMA_DIGITS 160           /* n <= this */
#define TY_IFMA_ALIGN  TY_LANES_ALIGN

/* m and step [words], at aligned addresses; minv = -1/m mod D */
typedef struct ty_ifma {
    size_t n, words;
    const uint64_t *m, *step;
    uint64_t minv;
} ty_ifma;

typedef struct ty_ifma_ops {
    size_t least;   /* limbs of a modulus, from which on these are faster than ty_limb_ops; 0: there are no kernels */
    /* z = xy/R mod m, loose; x and y loose, or x < R/8 and y < m. z may be one of them */
    void (*mul)(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_ifma *w);
    /* z = z^2/R mod m, loose, count times over */
    void (*sqrs)(uint64_t *z, size_t count, const ty_ifma *w);
} ty_ifma_ops;

extern const ty_ifma_ops ty_ifma_ops_c, ty_ifma_ops_gfni512;
#define ty_ifma_ops_c64 ty_ifma_ops_c
#define ty_ifma_ops_aesni ty_ifma_ops_c
#define ty_ifma_ops_adx ty_ifma_ops_c
#define ty_ifma_ops_avx2 ty_ifma_ops_c
#define ty_ifma_ops_vaes ty_ifma_ops_c
#define ty_ifma_ops_gfni ty_ifma_ops_c
#define ty_ifma_ops_avx512 ty_ifma_ops_c
#define ty_ifma_ops_neon ty_ifma_ops_c
#define ty_ifma_ops_armce ty_ifma_ops_c
#define ty_ifma_ops_armsha3 ty_ifma_ops_c
#define ty_ifma_ops_armsm ty_ifma_ops_c
extern const ty_tier ty_ifma_tiers[];

static inline const ty_ifma_ops *ty_ifma_best(void)
{
#if defined(TY_TIER)
    return &TY_CAT(ty_ifma_ops_, TY_TIER);
#else
    return (const ty_ifma_ops *)ty_tier_best(ty_ifma_tiers);
#endif
}

/* The place that n digits need: kernels exist for some numbers of vectors of eight; n <= TY_IFMA_DIGITS */
static inline size_t ty_ifma_words(size_t n)
{
    const size_t v = (n + 7) / 8;
    return 8 * (v <= 6 ? v + (v < 2) : v <= 10 ? v + v % 2 : (v + 3) / 4 * 4);
}

#endif
