/* Z/p, the field of the SM2 curve (GB/T 32918.5: sm2p256v1).
 *
 * card       cards/p_sm2.card: p = 2^256 - 2^224 - 2^96 + 2^64 - 1
 * loose      none: every element is kept canonical    canonical  [0, p)
 *
 * There are two reductions. Folding brings the top of a product down by the identity, in sums of
 * words, and elements are in the plain domain: the portable tiers, for 32- and 64-bit words.
 * Clearing adds the multiple of p that zeroes the bottom (Montgomery; x is represented by x 2^256
 * mod p): since -1/p == 1 mod 2^64, the quotient digit of a step is the low 64 bits themselves, and
 * adding that multiple of p takes shifts and two carry chains, not a multiplication: for digit m,
 * (t + m p)/2^64 = (t - m)/2^64 + m (2^192 - 2^160 - 2^32 + 1). That is shorter in assembly, where
 * carries stay in the flags: the tiers adx, neon and m4. docs/speed.md compares both, and others,
 * by measurement.
 *
 * The body is p_sm2_words.h, one source for 32- and 64-bit limbs, included by each tier of the
 * curve (src/ec/ec_sm2_*.c): a field product is too short to be called through a table. */
#ifndef TY_MOD_P_SM2_H
#define TY_MOD_P_SM2_H

#include "base/bytes.h"
#include "base/ct.h"
#include "tongyu/base.h"

#include <string.h>

#endif
