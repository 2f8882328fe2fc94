/* Montgomery products modulo several numbers side by side: lane k of every vector belongs to number
 * k.
 *
 * digit     52 bits, D = 2^52; a number is n digits, digit j of all lanes next to each other:
 *           uint64_t [n][lanes]
 * form      a number as the tier multiplies it: its digits are doubles or integers, to which a tier
 *           may leave bits above 52 that do not count; in modn/pair.h all digits of one number are
 *           next to each other
 * loose     [0, 4m), m < D^n / 8
 * kernels   ty_lanes_ops; "c" has one lane and no kernels: ty_limb_ops are used for one number
 *           after the other
 *
 * R = D^n. A quotient digit is (-1/m mod D) times the lowest digit, and waiting for that product,
 * digit after digit, would take longer than all the others. So f = m (-1/m mod D) replaces m: it is
 * -1 modulo D, its quotient digit q is the lowest digit itself, and adding qf to t clears that
 * digit and adds q (f + 1)/D to the rest: (f + 1)/D, the step, has n digits. As f < D m, clearing
 * the n - 1 lowest digits of xy in this way leaves less than (xy + D^(n-1) D m)/D^(n-1), and
 * clearing the last one by m itself leaves less than (that + D m)/D = xy/R + 2m. For loose x and y,
 * 16 m^2/R + 2m <= 4m: loose again; for x < R/8 and y < m it is below 3m, for y = 1 at most 2m.
 *
 * Columns are sums of at most 2n products' lower halves, below D in absolute value, and as many
 * upper ones: less than 2^62. */
#ifndef TY_MODN_LANES_H
#define TY_MODN_LANES_H

#include "limb/limb.h"

#if defined(__x86_64__) && TY_LIMB_BITS == 64
#  define TY_HAS_LANES
#  define TY_LANES_MOST 8            /* lanes */
#else
#  define TY_LANES_MOST 1
#endif

#define TY_LANES_BITS 52
#define TY_LANES_DIGITS 200          /* n <= this */
#define TY_LANES_ALIGN 64            /* bytes, of all arguments of kernels */
/* the n that suffices for every m of `bits` bits */
#define TY_LANES_FOR(bits) (((bits) + 3 + TY_LANES_BITS - 1) / TY_LANES_BITS)

/* Moduli in form: m and step [n][lanes], minv [1][lanes]; t: scratch, [2n][lanes] */
typedef struct ty_lanes {
    size_t n;
    const uint64_t *m, *step, *minv;
    uint64_t *t;
} ty_lanes;

typedef struct ty_lanes_ops {
    size_t lanes;
    /* the least number of moduli, of n digits each, for which these kernels are faster than kernels
     * for fewer moduli at a time; NULL: there are no kernels */
    size_t (*least)(size_t n);
    size_t unit;           /* a number in form takes the memory of a multiple of this many digits */
    /* 0 if the CPU is in a state in which the kernels would be wrong: see lanes_fma.h */
    int (*ready)(void);
    /* [n] digits into form, and back, in place */
    void (*put)(uint64_t *x, size_t n);
    void (*get)(uint64_t *x, size_t n);
    /* z = x y/R mod m;  z = z^2/R mod m, count times. in, out: loose. z may be x or y; n >= 2 */
    void (*mul)(uint64_t *z, const uint64_t *x, const uint64_t *y, const ty_lanes *w);
    void (*sqrs)(uint64_t *z, size_t count, const ty_lanes *w);
    /* lane k of z = lane k of entry index[k] of `table`, which has `count` entries, each a number
     * in form; all are read */
    void (*gather)(uint64_t *z, const uint64_t *table, size_t n, size_t count,
                   const uint64_t *index);
} ty_lanes_ops;

/* how many digits, in every lane, a number of n digits takes in memory, n >= 2 */
static inline size_t ty_lanes_stored(const ty_lanes_ops *ops, size_t n)
{
    return (n + ops->unit - 1) / ops->unit * ops->unit;
}

#define TY_LANES_TIERS(X) \
    X(lanes, c) TY_ON_X86_64(X(lanes, avx2) X(lanes, avx512) X(lanes, gfni512))
TY_FAMILY(lanes, TY_LANES_TIERS)

#endif
