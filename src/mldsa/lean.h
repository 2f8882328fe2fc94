/* ML-DSA where memory is short: what key generation, signing and verification share. Keys and
 * signatures stay in the caller's memory, in the standard's encoding; A is sampled and used in
 * pieces of 8 or more coefficients, and is only kept if there is memory left; a polynomial that
 * must be kept is packed, 23 bits a coefficient. The working set is one sponge, one polynomial and
 * a piece of 64 coefficients, and what the operation keeps. */
#ifndef TY_MLDSA_LEAN_H
#define TY_MLDSA_LEAN_H

#include "base/ct.h"
#include "mldsa/mldsa.h"

enum {
    TY_LEAN_PIECE = 64,                        /* coefficients that are worked on together */
    TY_LEAN_PACKED = 256 * 23 / 8,             /* bytes of a packed polynomial */
    /* An encoded private key is rho, K, tr, s1, s2, t0: offsets in it; the length of a polynomial
     * of t0, the largest coefficient of t0, and the length of a polynomial of t1 */
    TY_LEAN_K = 32, TY_LEAN_TR = 64, TY_LEAN_S = 128,
    TY_LEAN_T0 = 416, TY_LEAN_T0_TOP = 1 << 12, TY_LEAN_T1 = 320,
};

/* unrolls a loop four times, unless code is to be short */
#if defined(__OPTIMIZE_SIZE__) || defined(__clang__) || !defined(__GNUC__)
#  define TY_LEAN_FOUR
#else
#  define TY_LEAN_FOUR _Pragma("GCC unroll 4")
#endif

/* q, hidden from the compiler so that it multiplies: three shifts and additions take longer where a
 * product takes one cycle */
static inline int32_t ty_lean_q(void) { return (int32_t)ty_barrier32(TY_Q); }

/* fold() of q_mldsa_one.h */
static inline int32_t ty_lean_fold_one(int32_t x, int32_t q)
{
    return x - ((x + (1 << 22)) >> 23) * q;
}

static inline size_t ty_lean_s_at(const ty_mldsa_row *row, size_t i)
{
    return TY_LEAN_S + 32u * row->eta_bits * i;
}
static inline size_t ty_lean_t0_at(const ty_mldsa_row *row, size_t i)
{
    return ty_lean_s_at(row, (size_t)row->k + row->l) + TY_LEAN_T0 * i;
}

typedef struct ty_lean {
    const ty_mldsa_row *row;
    ty_keccak sponge;
    int32_t piece[TY_LEAN_PIECE + 1];          /* the sampler writes one more than it accepts */
    union {
        ty_q_poly p;
        int8_t e[512];                         /* the negative of a small polynomial, then itself */
        int16_t e2[512];
        uint8_t bytes[1024];
    } __attribute__((aligned(8)));
} ty_lean;

/* What to do with n coefficients a of a polynomial of A, from number `at` on; 8 divides n */
typedef struct ty_lean_use {
    int32_t *sum;                              /* sum[at..] += a y/R, or NULL */
    uint8_t *packed_sum;                       /* the same where it is packed, or NULL */
    const int32_t *y;
    uint8_t *keep;                             /* = a, packed; or NULL */
} ty_lean_use;

/* samples polynomial (i, j) of A and uses it, piece by piece */
void ty_lean_sample_a(ty_lean *s, const uint8_t rho[TY_AT_LEAST(32)], size_t i, size_t j,
                      const ty_lean_use *use);
/* a[256] = the same polynomial; up to 56 words after it are overwritten */
void ty_lean_whole_a(ty_lean *s, int32_t *a, const uint8_t rho[TY_AT_LEAST(32)], size_t i,
                     size_t j);
/* starts SHAKE256 of seed[64] and a number in s->sponge */
void ty_lean_stream(ty_lean *s, const uint8_t seed[TY_AT_LEAST(64)], unsigned number);
/* the challenge whose hash is in[c_len]; uses s->bytes and s->piece; variable time: it is public */
void ty_lean_challenge_vt(ty_mldsa_challenge *out, ty_lean *s, const uint8_t *in);
/* reduces every coefficient x of p, |x| < 8 q, to less than 0.51 q */
void ty_lean_fold(ty_q_poly p);
/* the set whose public keys, or private keys, have len bytes; NULL for none */
const ty_mldsa_row *ty_lean_pub_row(size_t len);
const ty_mldsa_row *ty_lean_key_row(size_t len);

#endif
