/* Z/p for three primes at once, and transforms over them: products of long integers as products of
 * polynomials.
 *
 * card       cards/ntt.card: three primes k 2^32 + 1, a > b > c
 * size       2^49.76 < p < 2^49.77: 4.5 p < 2^52, and a b c > 2^149
 * digits     of 64 bits while the shorter factor has at most 2^21 of them, so that no coefficient
 *            of the product, a sum of at most 2^21 products of two digits, reaches 2^(128 + 21); of
 *            56 bits for more, up to 2^30
 *
 * A polynomial modulo x^m - c^2 is one modulo x^(m/2) - c and one modulo x^(m/2) + c: from x^m - 1
 * down to linear ones this is a binary tree, whose node j has the children 2j and 2j + 1 below it;
 * the root c that node j needs is w[j], whatever the level: w[0] = 1, w[1] = i, and
 * w[2^k + j] = w[2^k] w[j] where w[2^k] has order 2^(k+2). The values are in the order of the tree,
 * which does not matter for products of values. A transform of 2^k values gives a longer product
 * modulo x^(2^k) - 1, and so the number modulo D^(2^k) - 1, where D is the base of the digits.
 *
 * Lengths are K m for a power m of two and K = 1, 3, 5, 7: the next power of two could be almost
 * twice as long. The bits of K are the nodes that such a transform consists of: 7m = 4m + 2m + m,
 * modulo x^(4m) - 1, x^(2m) - i and x^m - w[3], the nodes that begin at 0, 4m and 6m. Conversion
 * between the polynomial and its residues takes sums of values that are m apart; such values are a
 * column.
 *
 * All of this is data-oblivious: constant time for all values, lengths are public. */
#ifndef TY_MOD_NTT_H
#define TY_MOD_NTT_H

#include "limb/limb.h"

typedef struct ty_ntt_prime {
    uint64_t p, inv113, inv64;   /* the prime, floor(2^113/p), floor(2^64/p) */
    uint64_t roots[30];          /* of orders 2^2, 2^3, .., each the square of the next */
} ty_ntt_prime;
extern const ty_ntt_prime ty_ntt_primes[3];

/* 1/a mod b, 1/(ab) mod c, -1/b mod c, and ab */
typedef struct ty_ntt_garner {
    uint64_t b, c, minus_c, low, high;
} ty_ntt_garner;
extern const ty_ntt_garner ty_ntt_join;

/* The transform for a product: n = `columns` (K) times `step` values; roots: how many w[j] it uses,
 * rounded up to a whole level of the tree; bits: of a digit. Unless cycle is 0, the product is
 * computed modulo B^cycle - 1, B the base of limbs, which is as long as the transform. */
typedef struct ty_ntt_plan {
    size_t n, columns, step, roots;
    unsigned bits;
    size_t cycle;
} ty_ntt_plan;

typedef struct ty_ntt_ops {
    /* z[xn+yn] = xy, or x^2 if y is NULL (and yn = xn), by a plan for these lengths, xn, yn >= 1,
     * with work[ty_ntt_plan_work(plan)]; z overlaps no other argument. If the plan has a cycle:
     * z[cycle] = xy mod B^cycle - 1 for xn, yn <= cycle, where 0 may be returned as B^cycle - 1 */
    void (*mul)(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                const ty_ntt_plan *plan, ty_limb *work);
    unsigned width;   /* values in a vector: the costs of plans follow from it */
} ty_ntt_ops;

/* The plan with digits of 64 or 56 bits; that for a product modulo B^cycle - 1, cycle >= n; and how
 * many limbs of scratch a plan takes */
ty_ntt_plan ty_ntt_plan_for(size_t xn, size_t yn, unsigned bits);
ty_ntt_plan ty_ntt_plan_cycle(size_t n, unsigned bits);
size_t ty_ntt_plan_work(const ty_ntt_plan *plan);

/* Whether there are transforms long enough; if so, z[xn+yn] = xy, like ops->mul, with
 * work[ty_ntt_work(xn, yn)]. */
int ty_ntt_fits(size_t xn, size_t yn);
size_t ty_ntt_work(size_t xn, size_t yn);
void ty_ntt_mul(ty_limb *z, const ty_limb *x, size_t xn, const ty_limb *y, size_t yn,
                ty_limb *work);
/* The plan for a product modulo B^cycle - 1, with the least possible cycle >= n, where the shorter
 * factor has yn limbs */
ty_ntt_plan ty_ntt_cycle(size_t n, size_t yn);

#define TY_NTT_TIERS(X) \
    X(ntt, c) TY_ON_X86_64(X(ntt, avx2) X(ntt, avx512))
TY_FAMILY(ntt, TY_NTT_TIERS)

/* For ntt.c and the body of the tiers: points of the smallest node; digits that are converted at a
 * time; values left free between two transforms in the scratch */
enum { TY_NTT_LEAF = 64, TY_NTT_BLOCK = 128, TY_NTT_APART = 24 };

#endif
