/* Z/q, the prime of ML-DSA, and polynomials of 256 coefficients over it: the kernel list, the tier
 * list.
 *
 * card       cards/q_mldsa.card: q = 2^23 - 2^13 + 1                          [FIPS 204, 4]
 * canonical  [0, q)
 * loose      (-q, q)
 * wide       |x| < 5.1 q: loose coefficients after the eight layers of the transform
 * products   8 products of wide coefficients stay below 2^31 q, so they are summed before one
 *            reduction
 * sums       256 loose coefficients fit in 32 bits: 256 (q - 1) < 2^31
 *
 * Every tier keeps the standard's order of coefficients, also between transforms, and returns the
 * same numbers, except in intt: its contract is the residue class and the range, and m4 returns
 * another representative in places. tests/mod/test_q_mldsa.cc checks the ranges butterfly by
 * butterfly. */
#ifndef TY_MOD_Q_MLDSA_H
#define TY_MOD_Q_MLDSA_H

#include "base/levels.h"
#include "mod/q_mldsa_const.h"
#include "tongyu/base.h"

typedef int32_t ty_q_poly[256];

/* Outputs may be any of the inputs of the same type. gamma2 is TY_Q_GAMMA2_88 or TY_Q_GAMMA2_32.
 * All constant time. */
typedef struct ty_q_ops {
    /* a = NTT(a)     in: loose     out: wide     [FIPS 204, algorithm 41] */
    void (*ntt)(int32_t a[TY_AT_LEAST(256)]);
    /* a = R NTT^-1(a), which cancels the 1/R of a product
     * in, out: loose     [algorithm 42] */
    void (*intt)(int32_t a[TY_AT_LEAST(256)]);
    /* z = (x_0 y_0 + x_1 y_1 + ...)/R by coefficients, n <= 8 products
     * in: wide     out: loose */
    void (*dot)(int32_t z[TY_AT_LEAST(256)], const ty_q_poly *x, const ty_q_poly *y, size_t n);
    /* z = x + y reduced, so that |z| < q/4 wherever that is possible; 1 if any |z| >= bound, else 0
     * in: |x|, |y| < 2q     out: |z| < 0.51 q     bound <= q/4 */
    uint32_t (*add)(int32_t z[TY_AT_LEAST(256)], const int32_t x[TY_AT_LEAST(256)],
                    const int32_t y[TY_AT_LEAST(256)], int32_t bound);
    /* a == t1 2^13 + t0, 0 <= t1 < 2^10, -2^12 < t0 <= 2^12     in: loose     [algorithm 35] */
    void (*power2round)(int32_t t1[TY_AT_LEAST(256)], int32_t t0[TY_AT_LEAST(256)],
                        const int32_t a[TY_AT_LEAST(256)]);
    /* a == w1 2 gamma2 + w0 (mod q), |w0| <= gamma2     in: loose     [algorithm 36] */
    void (*decompose)(int32_t w1[TY_AT_LEAST(256)], int32_t w0[TY_AT_LEAST(256)],
                      const int32_t a[TY_AT_LEAST(256)], int32_t gamma2);
    /* bit i%32 of h[i/32] = 1 where the high part of w1 2 gamma2 + w0 is not w1
     * in: |w0| <= 2 gamma2     returns the number of such bits     [algorithm 39] */
    uint32_t (*make_hint)(uint32_t h[TY_AT_LEAST(8)], const int32_t w1[TY_AT_LEAST(256)],
                          const int32_t w0[TY_AT_LEAST(256)], int32_t gamma2);
    /* w1 = the high part of a, adjusted by the hint h     in: loose     [algorithm 40] */
    void (*use_hint)(int32_t w1[TY_AT_LEAST(256)], const int32_t a[TY_AT_LEAST(256)],
                     const uint32_t h[TY_AT_LEAST(8)], int32_t gamma2);
} ty_q_ops;

#define TY_Q_TIERS(X) \
    X(q, c) TY_ON_X86_64(X(q, avx2) X(q, avx512)) TY_ON_ARM64(X(q, neon)) \
    TY_ON_ARM_DSP_LONG(X(q, m4))
TY_FAMILY(q, TY_Q_TIERS)
extern const ty_q_poly ty_q_zero;

/* Kernels that several tiers use */
uint32_t ty_q_add_c(int32_t z[TY_AT_LEAST(256)], const int32_t x[TY_AT_LEAST(256)],
                    const int32_t y[TY_AT_LEAST(256)], int32_t bound);
void ty_q_power2round_c(int32_t t1[TY_AT_LEAST(256)], int32_t t0[TY_AT_LEAST(256)],
                        const int32_t a[TY_AT_LEAST(256)]);
void ty_q_decompose_c(int32_t w1[TY_AT_LEAST(256)], int32_t w0[TY_AT_LEAST(256)],
                      const int32_t a[TY_AT_LEAST(256)], int32_t gamma2);
uint32_t ty_q_make_hint_c(uint32_t h[TY_AT_LEAST(8)], const int32_t w1[TY_AT_LEAST(256)],
                          const int32_t w0[TY_AT_LEAST(256)], int32_t gamma2);
void ty_q_use_hint_c(int32_t w1[TY_AT_LEAST(256)], const int32_t a[TY_AT_LEAST(256)],
                     const uint32_t h[TY_AT_LEAST(8)], int32_t gamma2);

#endif
