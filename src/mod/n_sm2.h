/* Z/n, the scalars of the SM2 curve: n is the prime number of its points (GB/T 32918.5: sm2p256v1).
 *
 * modulus    n = 0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123
 * law        2^256 == 0x00000001000000000000000000000000 * 2^128 + 0x8dfc2094de39fad4ac440bf6c62abedd   (mod n)
 * mont       0x327f9e8872350975 * n == -1            (mod 2^64)
 * mont       0x72350975 * n == -1                    (mod 2^32)
 * mont       2^512 == 0x1eb5e412a22b3d3b620fc84c3affe0d43464504ade6fa2fa901192af7c114f20   (mod n)
 * loose      none: every scalar is kept canonical    canonical  [0, n)
 *
 * Scalars cross this interface as 32 big-endian bytes, the form in which they come from hashes, keys and random
 * sources and go into signatures; inside a function they are limbs, and products pass through Montgomery form. */
#ifndef TY_MOD_N_SM2_H
#define TY_MOD_N_SM2_H

#include "base/cpu.h"
#include "tongyu/base.h"

/* Inputs are below n unless a line says otherwise; outputs are. z may alias x or y. Constant time. */
typedef struct ty_n_sm2_ops {
    void (*reduce)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)]);   /* z = x mod n, any x */
    void (*add)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)], const uint8_t y[TY_AT_LEAST(32)]);
    void (*sub)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)], const uint8_t y[TY_AT_LEAST(32)]);
    void (*mul)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)], const uint8_t y[TY_AT_LEAST(32)]);
    void (*inv)(uint8_t z[TY_AT_LEAST(32)], const uint8_t x[TY_AT_LEAST(32)]);      /* z = 1/x, and 0 for x = 0 */
} ty_n_sm2_ops;

extern const ty_n_sm2_ops ty_n_sm2_ops_c, ty_n_sm2_ops_c64;
#if defined(TY_HAS_ADX)
extern const ty_n_sm2_ops ty_n_sm2_ops_adx;
#else
#  define ty_n_sm2_ops_adx  ty_n_sm2_ops_c64
#endif
#define ty_n_sm2_ops_aesni  ty_n_sm2_ops_c64
#define ty_n_sm2_ops_avx2   ty_n_sm2_ops_c64
#define ty_n_sm2_ops_vaes   ty_n_sm2_ops_adx
#define ty_n_sm2_ops_gfni   ty_n_sm2_ops_adx
#define ty_n_sm2_ops_avx512 ty_n_sm2_ops_adx
#define ty_n_sm2_ops_gfni512 ty_n_sm2_ops_adx
#define ty_n_sm2_ops_neon   ty_n_sm2_ops_c64
#define ty_n_sm2_ops_armce  ty_n_sm2_ops_c64
#define ty_n_sm2_ops_armsha3 ty_n_sm2_ops_c64
#define ty_n_sm2_ops_armsm  ty_n_sm2_ops_c64
extern const ty_tier ty_n_sm2_tiers[];
extern const uint8_t ty_n_sm2_order[32];   /* n, big-endian */

static inline const ty_n_sm2_ops *ty_n_sm2_best(void)
{
#if defined(TY_TIER)
    return &TY_CAT(ty_n_sm2_ops_, TY_TIER);
#else
    return (const ty_n_sm2_ops *)ty_tier_best(ty_n_sm2_tiers);
#endif
}

/* all ones if 1 <= x <= n - 1 - slack, else zero, for x as 32 big-endian bytes and slack 0 or 1: the range of a nonce
 * (slack 0) or of a private key (slack 1).   time: constant */
uint32_t ty_n_sm2_valid(const uint8_t x[TY_AT_LEAST(32)], uint32_t slack);

#endif
