/* Products of a challenge and a polynomial as sums of the polynomial's windows, in bytes of
 * vectors. Included once in a tier, which gives V, a type of base/vec.h. */
#ifndef TY_MLDSA_WINDOWS_H
#define TY_MLDSA_WINDOWS_H

#include "base/unroll.h"
#include "base/vec.h"
#include "mldsa/mldsa.h"

enum { SUMS = 256 / sizeof(V) };

/* sum = the coefficients of c e, for the part of c in places from to to - 1. A byte holds a sum of
 * 127/eta
 * places: all 60 of them for eta 2, 31 for eta 4, which has 49 and takes them in two parts. */
static inline void sum_windows(V sum[SUMS], const ty_mldsa_challenge *c, size_t from, size_t to,
                               const int8_t *e)
{
    const size_t turn = c->plus < from ? from : c->plus < to ? c->plus : to;
    TY_EACH(i, SUMS) sum[i] = v_zero(V);
    for (size_t j = from; j < turn; j++) {
        const int8_t *w = e + 256 - c->at[j];
        TY_EACH(i, SUMS) sum[i] = v_add8(sum[i], v_load(V, w + sizeof(V) * i));
    }
    for (size_t j = turn; j < to; j++) {
        const int8_t *w = e + 256 - c->at[j];
        TY_EACH(i, SUMS) sum[i] = v_sub8(sum[i], v_load(V, w + sizeof(V) * i));
    }
}

#endif
