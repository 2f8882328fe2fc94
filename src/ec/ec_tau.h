/* Scalars in base tau, for Koblitz curves: y^2 + xy = x^3 + ax^2 + 1, a of 0 or 1.
 *
 * The map tau(x, y) = (x^2, y^2) takes such a curve to itself, and satisfies tau^2 + 2 = mu tau
 * with mu = 1 for a = 1, -1 for a = 0. So Z[tau] acts on its points, and a "doubling" may be two
 * squarings. On points of order n, delta = (tau^m - 1)/(tau - 1) acts as 0: its norm is n, and k
 * may be replaced by any r that differs by a multiple of delta; the shortest have a norm of about n
 * (Solinas 2000). Such an r is written with the digits -1 and 1 only, none of them 0 (Okeya, Takagi
 * and Vuillaume 2005), and always with the same number of them:
 *     r = s_0 + s_1 tau + ... + s_(L-1) tau^(L-1) + tau^L (rest)
 * with a rest of +-1, +-(tau - 1) or +-(tau + 1). Everything here is constant time in k. */
#ifndef TY_EC_EC_TAU_H
#define TY_EC_EC_TAU_H

#include "tongyu/base.h"

enum { TY_EC_TAU_WORDS = 9 };   /* for L bits: L = 576 for m = 571 */

/* Constants in the ring with tau^2 + 2 = tau, where a curve's tau is mu times that: numbers in
 * two's complement */
typedef struct ty_ec_tau {
    int mu;
    uint16_t digits;            /* L, a multiple of 4 */
    uint16_t bits;              /* of the longest k */
    uint16_t scale;             /* in words: 2^(64 scale) is 2^8 times 2^bits or more */
    uint16_t words, g_words;    /* of the d, of the g */
    /* d0, d1: delta = d0 + d1 tau.  g0, g1: 2^(64 scale) (d0 + d1)/n and -d1/n, to the nearest */
    const uint64_t *constants;
} ty_ec_tau;

typedef struct ty_ec_tau_form {
    uint64_t plus[TY_EC_TAU_WORDS];   /* bit i: s_i is 1, not -1 */
    uint64_t rest_minus;              /* all ones: the rest is the opposite of ... */
    uint32_t rest;                    /* 0: 1.  1: tau - 1.  2: tau + 1 */
} ty_ec_tau_form;

/* the form of the low `bits` bits of k[ceil(bits/8)], bits <= c->bits.
 * time: depends on bits alone; the caller wipes the form */
void ty_ec_tau_set(ty_ec_tau_form *form, const uint8_t *k, size_t bits, const ty_ec_tau *c);

#endif
