/* Two numbers side by side, of which each has its digits in vectors of its own (modn/ifma.h): the
 * rows of two products alternate, and one is computed while the other waits for its quotient digit.
 * Of use up to TY_PAIR_DIGITS digits; beyond, one product keeps the units busy by itself.
 *
 * The interface is that of modn/lanes.h, with two lanes. In form, a number's digits are next to
 * each other: uint64_t [2][words], words = ty_lanes_stored, zeros above the n digits. Columns are
 * those of one product, below 4n D (modn/ifma_gfni512.c; tests/formal/limb.py, ifma_ranges).
 * kernels   ty_pair_ops; "c" has none */
#ifndef TY_MODN_PAIR_H
#define TY_MODN_PAIR_H

#include "modn/ifma.h"

#define TY_PAIR_LEAST  9     /* n >= this: two vectors at least */
#define TY_PAIR_DIGITS 32    /* n <= this */

typedef ty_lanes_ops ty_pair_ops;

#define TY_PAIR_TIERS(X) \
    X(pair, c) TY_ON_X86_64(X(pair, gfni512))
TY_FAMILY(pair, TY_PAIR_TIERS)

#endif
