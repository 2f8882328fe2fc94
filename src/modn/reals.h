/* Montgomery products of one number in vectors of doubles: where these have fused multiply-add,
 * four products of 47 bits cost four operations, less than the one product of 64 bits and the two
 * additions with carry that limbs need, from 24 limbs on.
 *
 * digit     an integer in a double, b bits and a sign: |d| <= 2^(b-1) + n + 1
 * number    n digits, x = sum of d[i] 2^(bi), which are not unique
 * loose     |x| < m, m <= 2^(bn)/4
 * kernels   ty_reals_ops; "c" has none
 *
 * R = 2^(bn). Sums of n products of digits are exact: n 2^(2b-2) stays below 2^(b+51), which is
 * enough (see reals_avx2.c). So b = 47 up to 62 digits, 46 up to 126. A product of loose numbers
 * T = xy and q = -T/m mod R, |q| < R/2 (1 + 2^-30), give (T + qm)/R, below
 * m^2/R + m/2 (1 + 2^-30) < m: loose; also for |x| <= R/4, y loose. */
#ifndef TY_MODN_REALS_H
#define TY_MODN_REALS_H

#include "limb/limb.h"

#if defined(__x86_64__) && TY_LIMB_BITS == 64
#  define TY_HAS_REALS
#endif

#define TY_REALS_DIGITS  126   /* n <= this, and even */
#define TY_REALS_PAD     8     /* zeros before and after padded numbers */
#define TY_REALS_ALIGN   32    /* bytes, of t */

/* a digit, in memory that is declared as limbs elsewhere */
#if defined(__GNUC__)
typedef double __attribute__((__may_alias__)) ty_real;
#else
typedef double ty_real;
#endif

/* A modulus: m and -1/m mod R, both padded, unit = 2^b; t: scratch of TY_REALS_WORK(n) doubles */
typedef struct ty_reals {
    size_t n;
    double unit;
    const ty_real *m, *minv;
    ty_real *t;
} ty_reals;

#define TY_REALS_WORK(n) (8 * (n) + 64)

typedef struct ty_reals_ops {
    /* the least number of limbs of a modulus for which these are faster than ty_limb_ops; 0: there
     * are no kernels */
    size_t least;
    /* 0 if the CPU is in a state in which the kernels would be wrong */
    int (*ready)(void);
    /* z = xy/R mod m, loose; x and y [n], z may be one of them */
    void (*mul)(ty_real *z, const ty_real *x, const ty_real *y, const ty_reals *w);
    /* z = z^2/R mod m, loose, count >= 1 times */
    void (*sqrs)(ty_real *z, size_t count, const ty_reals *w);
} ty_reals_ops;

#define TY_REALS_TIERS(X) \
    X(reals, c) TY_ON_X86_64(X(reals, avx2))
TY_FAMILY(reals, TY_REALS_TIERS)

/* b for n digits, and n for a modulus of `bits` bits; 0 if that is too long */
static inline unsigned ty_reals_bits(size_t n) { return n <= 62 ? 47 : 46; }
static inline size_t ty_reals_digits(size_t bits)
{
    size_t n = (bits + 2 + 46) / 47;
    if (n > 62) n = (bits + 2 + 45) / 46;
    n += n % 2;
    return n <= TY_REALS_DIGITS ? n : 0;
}

#endif
