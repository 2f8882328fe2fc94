/* ML-DSA where memory is short: what its three operations share. Keys and signatures stay where the
 * caller has them, in the standard's encoding; A is sampled and used 8 coefficients and more at a
 * time and never there as a whole; and a polynomial that must be kept is packed, 23 bits a
 * coefficient. One sponge, one polynomial and a piece of 64 coefficients are the working set, and
 * beside them what the operation keeps. */
#ifndef TY_MLDSA_LEAN_H
#define TY_MLDSA_LEAN_H

#include "base/ct.h"
#include "mldsa/mldsa.h"

enum {
    TY_LEAN_PIECE = 64,                        /* coefficients that are worked on together */
    TY_LEAN_PACKED = 256 * 23 / 8,             /* bytes of a packed polynomial */
    /* offsets in an encoded private key: rho, K, tr, s1 and s2, t0; and bytes of polynomials */
    TY_LEAN_K = 32, TY_LEAN_TR = 64, TY_LEAN_S = 128,
    TY_LEAN_T0 = 416, TY_LEAN_T0_TOP = 1 << 12, TY_LEAN_T1 = 320,
};

/* four turns of a loop in a row, where code may be long */
#if defined(__OPTIMIZE_SIZE__) || defined(__clang__) || !defined(__GNUC__)
#  define TY_LEAN_FOUR
#else
#  define TY_LEAN_FOUR _Pragma("GCC unroll 4")
#endif

/* q as a number that the compiler does not know, so that it multiplies: three shifts and sums are
 * dearer where a product takes a cycle */
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
    int32_t piece[TY_LEAN_PIECE + 1];          /* the sampler writes one behind what it takes */
    union {
        ty_q_poly p;
        int8_t e[512];                         /* a small polynomial and before it its negative */
        int16_t e2[512];
        uint8_t bytes[1024];
    } __attribute__((aligned(8)));
} ty_lean;

/* What to do with n coefficients of a polynomial of A from number `at` on: n is a multiple of 8 */
typedef struct ty_lean_use {
    int32_t *sum;                              /* sum[at..] += a y/R, or NULL */
    uint8_t *packed_sum;                       /* the same where it is packed, or NULL */
    const int32_t *y;
    uint8_t *keep;                             /* is packed here, or NULL */
} ty_lean_use;

/* polynomial (i, j) of A, piece by piece */
void ty_lean_sample_a(ty_lean *s, const uint8_t rho[TY_AT_LEAST(32)], size_t i, size_t j,
                      const ty_lean_use *use);
/* the same polynomial in a[256], and up to 56 words behind it are written, too */
void ty_lean_whole_a(ty_lean *s, int32_t *a, const uint8_t rho[TY_AT_LEAST(32)], size_t i,
                     size_t j);
/* SHAKE256 of seed[64] and a number, from its beginning */
void ty_lean_stream(ty_lean *s, const uint8_t seed[TY_AT_LEAST(64)], unsigned number);
/* the challenge with hash in[c_len]; uses s->bytes and s->piece; variable time: it is public */
void ty_lean_challenge_vt(ty_mldsa_challenge *out, ty_lean *s, const uint8_t *in);
/* every |x| < 8 q of p comes below 0.51 q */
void ty_lean_fold(ty_q_poly p);
/* the set whose public keys, or private keys, have so many bytes; NULL for none */
const ty_mldsa_row *ty_lean_pub_row(size_t len);
const ty_mldsa_row *ty_lean_key_row(size_t len);

#endif
