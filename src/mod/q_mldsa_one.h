/* One coefficient of ML-DSA at a time, portable: the operations of the kernels of q_mldsa.c.
 * All constant time. */
#ifndef TY_MOD_Q_MLDSA_ONE_H
#define TY_MOD_Q_MLDSA_ONE_H

#include "base/ct.h"
#include "mod/q_mldsa.h"

/* t/R.
 * m = t/q mod R, so t - m q == 0 (mod R).
 * |t| < 2^31 q and |m| <= 2^31, so the quotient is in (-q, q); where t = b z with |z| <= q/2, it is
 * at most |b| q/2^33 + q/2 away from 0, and that is below 0.505 q for |b| < 5.1 q. */
static inline int32_t redc(int64_t t)
{
    const int32_t m = (int32_t)((uint32_t)t * (uint32_t)TY_Q_INV);
    return (int32_t)((t - ty_mul32s(m, TY_Q)) >> 32);
}

/* a loose coefficient, canonical */
static inline int32_t canon(int32_t a) { return a + ((a >> 31) & TY_Q); }

/* Fold at 2^23 == 2^13 - 1: x = t 2^23 + r with |r| <= 2^22 becomes r + t (2^13 - 1). |x| < 4q
 * gives |t| <= 4, so |result| <= 2^22 + 4 * 8191 < 0.51 q. If x has a representative below q/4,
 * it is this one: if it were another, this one would be above 0.75 q. */
static inline int32_t fold(int32_t x)
{
    const int32_t t = (x + (1 << 22)) >> 23;
    return x - t * TY_Q;
}

/* top bit set where |z| >= bound */
static inline uint32_t beyond(int32_t z, int32_t bound)
{
    const int32_t sign = z >> 31;
    return (uint32_t)(bound - 1 - ((z ^ sign) - sign));
}

/* floor((a + gamma2 - 1)/(2 gamma2)), which is 0..m where m = (q - 1)/(2 gamma2), 44 or 16; high
 * parts end at m - 1, see split.
 *   2 gamma2 = 2^11 93:  y = x >> 11 is below 4139, and y/93 = y 2819 >> 18, since 93 * 2819 =
 *                        2^18 + 23 and 23 y < 2^18
 *   2 gamma2 = 2^9 1023: y = x >> 9 = 1024 u + v = 1023 u + (u + v), and u + v < 2 * 1023, so that
 *                        u + v reaches 1023 exactly where u + v + 1 carries into u */
static inline int32_t high_part(int32_t a, int32_t gamma2)
{
    const int32_t x = a + gamma2 - 1;
    if (gamma2 == TY_Q_GAMMA2_88) return (x >> 11) * 2819 >> 18;
    return ((x >> 9) + (x >> 19) + 1) >> 10;
}

/* (q - 1)/(2 gamma2), without a division where gamma2 is not a constant */
static inline int32_t parts(int32_t gamma2) { return gamma2 == TY_Q_GAMMA2_88 ? 44 : 16; }

/* The last interval, around q - 1, belongs to 0: there w0 is a - q, one less than a - m 2
 * gamma2. */
static inline int32_t split(int32_t *w0, int32_t a, int32_t gamma2)
{
    const int32_t m = parts(gamma2), w1 = high_part(a, gamma2);
    const int32_t last = (m - 1 - w1) >> 31;
    *w0 = a - w1 * 2 * gamma2 + last;
    return w1 & ~last;
}

/* 1 if w0 is outside [-gamma2, gamma2], or is -gamma2, which belongs to the interval below, except
 * for w1 = 0: there the interval around 0 begins at -gamma2, the one place where q - 1 is not
 * divided evenly. */
static inline uint32_t hint_bit(int32_t w1, int32_t w0, int32_t gamma2)
{
    const uint32_t above = (uint32_t)(gamma2 - w0) >> 31, nonzero = (uint32_t)-w1 >> 31;
    const uint32_t below = (uint32_t)(w0 + gamma2 - (int32_t)nonzero) >> 31;
    return above | below;
}

#endif
