/* Montgomery products of one number whose digits are side by side in vectors, by the products of
 * 52-bit integers of AVX-512 IFMA: two operations for eight products of digits.
 *
 * digit     52 bits, D = 2^52: a number is n digits in `words` >= n words, zeros above them
 * loose     [0, 4m), m < D^n / 8
 * kernels   ty_ifma_ops; "c" has none
 *
 * R = D^n. The step (m (-1/m mod D) + 1)/D replaces m for all digits but the last one, so that a
 * quotient digit is the lowest digit of the remaining sum itself. See modn/lanes.h for why loose
 * numbers stay loose then. */
#ifndef TY_MODN_IFMA_H
#define TY_MODN_IFMA_H

#include "modn/lanes.h"

#define TY_IFMA_DIGITS 160           /* n <= this */
#define TY_IFMA_ALIGN  TY_LANES_ALIGN

/* m and step [words], at aligned addresses; minv = -1/m mod D */
typedef struct ty_ifma {
    size_t n, words;
    const uint64_t *m, *step;
    uint64_t minv;
} ty_ifma;

typedef struct ty_ifma_ops {
    /* the least number of limbs of a modulus for which these are faster than ty_limb_ops; 0: there
     * are no kernels */
    size_t least;
    /* z = xy/R mod m, loose; x and y loose, or x < R/8 and y < m. z may be one of them */
    void (*mul)(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_ifma *w);
    /* z = z^2/R mod m, loose, count times */
    void (*sqrs)(uint64_t *z, size_t count, const ty_ifma *w);
} ty_ifma_ops;

#define TY_IFMA_TIERS(X) \
    X(ifma, c) TY_ON_X86_64(X(ifma, gfni512))
TY_FAMILY(ifma, TY_IFMA_TIERS)

/* The words that n digits need, as kernels exist for certain numbers of vectors of eight; n <=
 * TY_IFMA_DIGITS */
static inline size_t ty_ifma_words(size_t n)
{
    const size_t v = (n + 7) / 8;
    return 8 * (v <= 6 ? v + (v < 2) : v <= 10 ? v + v % 2 : (v + 3) / 4 * 4);
}

#endif
