/* Z/n, the scalars of the SM2 curve: n, a prime, is the number of its points (GB/T 32918.5:
 * sm2p256v1).
 *
 * card       cards/n_sm2.card: n is 2^256 - 2^224 - 1.1 2^127
 * loose      none: every scalar is kept canonical    canonical  [0, n)
 *
 * Scalars cross this interface as 32 big-endian bytes, the form in which they come from hashes,
 * keys and random sources and go into signatures; inside a function they are limbs, and products
 * pass through Montgomery form. */
#ifndef TY_MOD_N_SM2_H
#define TY_MOD_N_SM2_H

#include "base/levels.h"
#include "tongyu/base.h"

/* Inputs are below n unless stated otherwise, and outputs always. z may alias x or y. Constant
 * time. */
typedef struct ty_n_sm2_ops {
    /* z = x mod n, any x */
    void (*reduce)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)]);
    void (*add)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)],
                const uint8_t y[TY_AT_LEAST(32)]);
    void (*sub)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)],
                const uint8_t y[TY_AT_LEAST(32)]);
    void (*mul)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)],
                const uint8_t y[TY_AT_LEAST(32)]);
    /* z = 1/x, and 0 for x = 0 */
    void (*inv)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)]);
} ty_n_sm2_ops;

#define TY_N_SM2_TIERS(X) \
    X(n_sm2, c) TY_ON_WORD64(X(n_sm2, c64)) TY_ON_ADX(X(n_sm2, adx)) TY_ON_ARM_DSP(X(n_sm2, m4))
TY_FAMILY(n_sm2, TY_N_SM2_TIERS)
extern const uint8_t ty_n_sm2_order[32];   /* n, big-endian */

/* all ones if 1 <= x <= n - 1 - slack, else zero, for x as 32 big-endian bytes and slack 0 or 1:
 * the range of a nonce (slack 0) or of a private key (slack 1).   time: constant */
uint32_t ty_n_sm2_valid(const uint8_t x[TY_AT_LEAST(32)], uint32_t slack);

#endif
