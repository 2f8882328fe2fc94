/* Products of a challenge c and a polynomial e mod x^256 + 1, in bytes of vectors. x^j e is a
 * window of (-e, e): its 256 coefficients from index 256 - j on; c e is the sum of these windows.
 * Included once in a tier, which defines V, a type of base/vec.h. */
#ifndef TY_MLDSA_WINDOWS_H
#define TY_MLDSA_WINDOWS_H

#include "base/unroll.h"
#include "base/vec.h"
#include "mldsa/mldsa.h"

enum { SUMS = 256 / sizeof(V) };

/* sum = the coefficients of c e, for the nonzero coefficients `from` to `to` - 1 of c. A byte holds
 * the sum of 127/eta windows: for eta = 2 that is 63, and c has at most 60; for eta = 4 it is 31,
 * and the 49 of c are added in two parts. */
static inline void sum_windows(V sum[SUMS], const ty_mldsa_challenge *c, size_t from, size_t to,
                               const int8_t *e)
{
    const size_t middle = c->plus < from ? from : c->plus < to ? c->plus : to;
    TY_EACH(i, SUMS) sum[i] = v_zero(V);
    for (size_t j = from; j < middle; j++) {
        const int8_t *w = e + 256 - c->at[j];
        TY_EACH(i, SUMS) sum[i] = v_add8(sum[i], v_load(V, w + sizeof(V) * i));
    }
    for (size_t j = middle; j < to; j++) {
        const int8_t *w = e + 256 - c->at[j];
        TY_EACH(i, SUMS) sum[i] = v_sub8(sum[i], v_load(V, w + sizeof(V) * i));
    }
}

#endif
