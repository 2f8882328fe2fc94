/* ML-DSA inside the library: parameter rows, the kernels on bytes, sampling, and signing and
 * verification with all inputs given. */
#ifndef TY_MLDSA_MLDSA_H
#define TY_MLDSA_MLDSA_H

#include "base/levels.h"
#include "keccak/keccak_lanes.h"
#include "mod/q_mldsa.h"
#include "tongyu/mldsa.h"

/* A parameter set: FIPS 204, tables 1 and 2, and what follows from them. */
typedef struct ty_mldsa_row {
    ty_mldsa_set set;
    uint8_t k, l;                   /* rows and columns of A */
    uint8_t eta, eta_bits;          /* s1 and s2 have coefficients in [-eta, eta] */
    uint8_t tau;                    /* coefficients of the challenge that are not 0 */
    uint8_t omega;                  /* the maximum number of hints */
    uint8_t z_bits, w1_bits;        /* gamma1 = 2^(z_bits - 1) */
    int32_t gamma1, gamma2, beta;   /* beta = tau eta */
    uint16_t c_len;                 /* bytes of the challenge's hash, lambda/4 */
    uint16_t pub_len, key_len, sig_len;
} ty_mldsa_row;

/* the row of a set; NULL if set is invalid */
const ty_mldsa_row *ty_mldsa_find(ty_mldsa_set set);

/* A challenge c by the positions of its nonzero coefficients: c[at[i]] = 1 for i < plus and -1 for
 * plus <= i < n, n <= 60 */
typedef struct ty_mldsa_challenge {
    uint8_t at[64];
    size_t plus, n;
} ty_mldsa_challenge;

/* --- Kernels on bytes ------------------------------------------------------------------------- */
/* Constant time unless stated otherwise. */
typedef struct ty_mldsa_ops {
    /* out[32 * bits] = the fields top - a[i], or a[i] itself where top is 0, each of `bits` bits,
     * little-endian */
    void (*pack)(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits, int32_t top);
    /* a[i] = top - field i of in[32 * bits], or the field itself where top is 0 */
    void (*unpack)(int32_t a[TY_AT_LEAST(256)], const uint8_t *in, unsigned bits, int32_t top);
    /* A block of SHAKE128 in each of four lanes, word w of lane i in words[stride * w + i]: append
     * to a[i][0..n[i]) its 23-bit candidates that are below q, 3 bytes each, until there are 256.
     * Variable time: A is public [algorithm 14] */
    void (*uniform)(int32_t *const a[TY_AT_LEAST(4)], size_t n[TY_AT_LEAST(4)],
                    const uint64_t *words, size_t stride);
    /* Append to a[0..n), until there are 256: for each candidate x of 4 bits in in[in_len],
     * eta - x mod 5 if x < 15 (eta 2), or eta - x if x < 9 (eta 4); returns the new n. in_len is a
     * multiple of 8. Which candidates are rejected is public, as it reveals nothing about the
     * others     [algorithm 15] */
    size_t (*small)(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in, size_t in_len,
                    int32_t eta);
    /* z += c times a polynomial with coefficients in [-eta, eta], c->n eta <= 240; returns 1 if
     * after that any |z| >= bound, else 0. e[256] to e[511] are that polynomial and e[0] to e[255]
     * its negative, so that its product with x^j is a window: e[256 - j] to e[511 - j]. Addresses
     * depend on c, which is public; nothing depends on z or e.     in: |z| < 2^30 */
    uint32_t (*add_times)(int32_t z[TY_AT_LEAST(256)], const ty_mldsa_challenge *c,
                          const int8_t e[TY_AT_LEAST(512)], int32_t eta, int32_t bound);
    /* Where memory is short: n coefficients at a time, n a multiple of 8 and not 0.
     *   pack_some, unpack_some   as pack and unpack
     *   times                    z += x y/R for canonical x and wide y: adds less than q to |z|
     *   times_packed             the same for a z that is packed, 23 bits a coefficient, and
     *                            canonical before and after
     *   windows                  z += coefficients `at` to `at` + 31 of c e (see add_times) */
    void (*pack_some)(uint8_t *out, const int32_t *a, size_t n, unsigned bits, int32_t top);
    void (*unpack_some)(int32_t *a, const uint8_t *in, size_t n, unsigned bits, int32_t top);
    void (*times)(int32_t *z, const int32_t *x, const int32_t *y, size_t n);
    void (*times_packed)(uint8_t *z, const int32_t *x, const int32_t *y, size_t n);
    void (*windows)(int32_t z[TY_AT_LEAST(32)], const ty_mldsa_challenge *c,
                    const int8_t e[TY_AT_LEAST(512)], size_t at, int32_t eta);
} ty_mldsa_ops;

/* Append to a[0..n) those of x[8] that are below q, until there are 256; returns the new n */
static inline size_t ty_mldsa_take_vt(int32_t *a, size_t n, const int32_t x[8])
{
    for (size_t i = 0; i < 8 && n < 256; i++)
        if (x[i] < TY_Q) a[n++] = x[i];
    return n;
}

#define TY_MLDSA_TIERS(X) \
    X(mldsa, c) TY_ON_X86_64(X(mldsa, avx2) X(mldsa, avx512)) TY_ON_ARM64(X(mldsa, neon)) \
    TY_ON_ARM_DSP(X(mldsa, m4))
TY_FAMILY(mldsa, TY_MLDSA_TIERS)

/* Kernels that more than one tier uses */
void ty_mldsa_pack_c(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits, int32_t top);
void ty_mldsa_unpack_c(int32_t a[TY_AT_LEAST(256)], const uint8_t *in, unsigned bits, int32_t top);
void ty_mldsa_pack_some_c(uint8_t *out, const int32_t *a, size_t n, unsigned bits, int32_t top);
void ty_mldsa_unpack_some_c(int32_t *a, const uint8_t *in, size_t n, unsigned bits, int32_t top);
void ty_mldsa_times_c(int32_t *z, const int32_t *x, const int32_t *y, size_t n);
void ty_mldsa_times_packed_c(uint8_t *z, const int32_t *x, const int32_t *y, size_t n);
void ty_mldsa_windows_c(int32_t z[TY_AT_LEAST(32)], const ty_mldsa_challenge *c,
                        const int8_t e[TY_AT_LEAST(512)], size_t at, int32_t eta);
size_t ty_mldsa_small_c(int32_t a[TY_AT_LEAST(256)], size_t n, const uint8_t *in, size_t in_len,
                        int32_t eta);
void ty_mldsa_pack_any_avx2(uint8_t *out, const int32_t a[TY_AT_LEAST(256)], unsigned bits,
                            int32_t top);
void ty_mldsa_uniform_avx2(int32_t *const a[TY_AT_LEAST(4)], size_t n[TY_AT_LEAST(4)],
                           const uint64_t *words, size_t stride);

/* The largest number of operations whose serial hashes share the lanes of one sponge */
enum { TY_MLDSA_LANES = 8 };

/* The row and the kernels of one call. */
typedef struct ty_mldsa_env {
    const ty_mldsa_row *row;
    const ty_q_ops *q;
    const ty_mldsa_ops *bytes;
} ty_mldsa_env;

static inline ty_mldsa_env ty_mldsa_env_of(const ty_mldsa_row *row)
{
    return (ty_mldsa_env){ row, ty_q_best(), ty_mldsa_best() };
}
static inline const ty_q_ops *q_of(const ty_mldsa_env *env) { return TY_HELD(q, env->q); }
static inline const ty_mldsa_ops *mldsa_of(const ty_mldsa_env *env)
{
    return TY_HELD(mldsa, env->bytes);
}

/* --- Sampling --------------------------------------------------------------------------------- */
/* rows [first, first + rows) of A in the transformed domain, canonical; row first + i begins at
 * a[stride * i]; the permutations of `extra`, or NULL, are interleaved   [algorithm 32] */
void ty_mldsa_expand_a(ty_q_poly *a, size_t stride, size_t first, size_t rows,
                       const uint8_t rho[TY_AT_LEAST(32)], const ty_mldsa_env *env,
                       ty_keccak_extra *extra);
/* s = l polynomials of s1 and k of s2, coefficients in [-eta, eta]   [algorithm 33] */
void ty_mldsa_expand_s(ty_q_poly *s, const uint8_t rho[TY_AT_LEAST(64)], const ty_mldsa_env *env);
/* y = polynomials kappa, kappa + 1, ... of the mask, coefficients in (-gamma1, gamma1]: n <= 8 of
 * them, and as many more as fill the lanes; returns how many in all, 4 or 8   [algorithm 34] */
size_t ty_mldsa_expand_mask(ty_q_poly *y, size_t n, const uint8_t rho[TY_AT_LEAST(64)],
                            unsigned kappa, const ty_mldsa_env *env);
/* wipes what ty_mldsa_expand_mask left on the stack: called once, after its last call, from the
 * same function */
void ty_mldsa_mask_forget(void);
/* ty_mldsa_challenge_vt: challenge[i] = the challenge whose hash is in[i][c_len], for i < n <= 8.
 * ty_mldsa_challenge_from_vt: the one whose hash is in[c_len]; `block` is the first block of
 * SHAKE256 of it, and may be overwritten. Variable time: challenges are public   [algorithm 29] */
void ty_mldsa_challenge_vt(ty_mldsa_challenge *const *challenge, const uint8_t *const *in, size_t n,
                      const ty_mldsa_row *row);
void ty_mldsa_challenge_from_vt(ty_mldsa_challenge *out, uint8_t block[TY_AT_LEAST(136)],
                                const uint8_t *in, const ty_mldsa_row *row);
/* c = `one` times the challenge, as a polynomial */
void ty_mldsa_challenge_poly(int32_t c[TY_AT_LEAST(256)], const ty_mldsa_challenge *challenge,
                             int32_t one);

/* --- Hashes ----------------------------------------------------------------------------------- */
/* out[out_len] = SHAKE256(a || b); what the state held is wiped */
void ty_mldsa_h(uint8_t *out, size_t out_len, ty_keccak_piece a, ty_keccak_piece b);
/* mu of n <= 8 messages, each with its context, of valid lengths     [algorithms 2 and 7] */
typedef struct ty_mldsa_text {
    const uint8_t *msg, *ctx;
    size_t msg_len, ctx_len;
    const ty_mldsa_pub *pub;
} ty_mldsa_text;
void ty_mldsa_mu_lanes(uint8_t *const *mu, const ty_mldsa_text *in, size_t n);
/* starts mu for the public key with hash tr; TY_ERR_SIZE for a context of more than 255 bytes */
ty_err ty_mldsa_mu_of_tr(ty_mldsa_mu *mu, const uint8_t *ctx, size_t ctx_len,
                         const uint8_t tr[TY_AT_LEAST(64)]);
/* mu of a message that already carries what algorithms 2 to 5 put before it: H(tr || msg) */
void ty_mldsa_mu_raw(uint8_t mu[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                     const ty_mldsa_pub *pub);

/* --- Keys ------------------------------------------------------------------------------------- */
/* n <= 8 keys of one set from their seeds, which must not be in the keys     [algorithm 6] */
void ty_mldsa_keys_expand(ty_mldsa_key *const *key, const uint8_t (*seed)[32], size_t n,
                          const ty_mldsa_env *env);

/* the same key in its encodings, with little memory; pub may be NULL */
void ty_mldsa_expand_encoded(uint8_t *pub, uint8_t *key, const uint8_t seed[TY_AT_LEAST(32)],
                             const ty_mldsa_row *row);

/* --- Keys, transformed ------------------------------------------------------------------------ */
/* ty_mldsa_s: e, in the form of add_times, of polynomial i of s1 (i < l) or i - l of -s2.
 * ty_mldsa_t0, ty_mldsa_t1: p = NTT of polynomial i of t0, or of t1 2^13 */
void ty_mldsa_s(int8_t e[TY_AT_LEAST(512)], size_t i, const ty_mldsa_key *key,
                const ty_mldsa_env *env);
void ty_mldsa_t0(int32_t p[TY_AT_LEAST(256)], size_t i, const ty_mldsa_key *key,
                 const ty_mldsa_env *env);
void ty_mldsa_t1(int32_t p[TY_AT_LEAST(256)], size_t i, const ty_mldsa_pub *pub,
                 const ty_mldsa_env *env);

/* --- Hints ------------------------------------------------------------------------------------ */
/* out[omega + k] = the positions of the bits of h, polynomial by polynomial; at most omega bits are
 * set   [algorithm 20] */
void ty_mldsa_hint_pack(uint8_t *out, uint32_t h[][8], const ty_mldsa_row *row);
/* the inverse: 0 if the positions in a polynomial do not ascend, a count decreases or exceeds
 * omega, or the unused positions are not zero; else 1
 * variable time: signatures are public   [algorithm 21] */
int ty_mldsa_hint_unpack_vt(uint32_t h[][8], const uint8_t *in, const ty_mldsa_row *row);

/* --- Signing and verifying with all inputs given ---------------------------------------------- */
/* how many signatures or messages fill the sponge's lanes */
static inline size_t ty_mldsa_lanes(void) { return ty_keccak_best()->lanes; }

/* A signature to compute: all but err are inputs. sig[sig_len] is zeroed if it fails. */
typedef struct ty_mldsa_signing {
    uint8_t *sig;
    uint8_t mu[64], rho[64];        /* rho: rho'' of algorithm 7, the seed of the masks */
    const ty_mldsa_signer *from;
    ty_err err;
} ty_mldsa_signing;

/* The state of one signature that is being computed; secret */
typedef struct ty_mldsa_sign_lane {
    ty_q_poly y[7 + 3], w0[8];
    ty_mldsa_challenge challenge;
    uint8_t mu_w1[64 + 1024];       /* mu and w1, packed: the challenge is their hash */
    uint8_t c_hash[64];
    ty_mldsa_signing *job;
    size_t have;                    /* masks in y: those of this attempt, and of the next */
    unsigned kappa, attempts;       /* number of the next mask; attempts so far */
} __attribute__((aligned(64))) ty_mldsa_sign_lane;

/* rho'' of n <= 8 jobs, each from its key, its rnd[32] and its mu     [algorithm 7, line 7] */
void ty_mldsa_sign_seed(ty_mldsa_signing *job, uint8_t (*rnd)[32], size_t n);
/* Does all n jobs, of one set, in lane[0..lanes), 1 to 8 of them, which are wiped; sets sig and
 * err of each */
void ty_mldsa_sign_lanes(ty_mldsa_signing *job, size_t n, ty_mldsa_sign_lane *lane, size_t lanes,
                         const ty_mldsa_env *env);
/* sig[sig_len] = the signature of mu with the random string rnd; the set of signer is valid */
ty_err ty_mldsa_sign_internal(uint8_t *sig, const uint8_t mu[TY_AT_LEAST(64)],
                              const uint8_t rnd[TY_AT_LEAST(32)], const ty_mldsa_signer *signer);

/* with little memory, from an encoded key; TY_ERR_FORMAT if row is NULL */
ty_err ty_mldsa_sign_lean(uint8_t *sig, size_t sig_len,
                          const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)], const uint8_t *key,
                          const ty_mldsa_row *row, const ty_rng *rng);

/* A signature to verify. Inputs: sig, sig_len, mu at the beginning of mu_w1, pub, and ready, which
 * may be NULL */
typedef struct ty_mldsa_verifying {
    const uint8_t *sig;
    size_t sig_len;
    const ty_mldsa_pub *pub;
    const ty_mldsa_verifier *ready;
    ty_err err;
    /* z and -c, transformed; this and the rest are scratch */
    ty_q_poly v[8] __attribute__((aligned(64)));
    uint32_t h[8][8];
    uint8_t mu_w1[64 + 1024];       /* mu and w1, packed */
} __attribute__((aligned(64))) ty_mldsa_verifying;

/* n <= 8 jobs of one set; err is TY_OK or TY_ERR_VERIFY */
void ty_mldsa_verify_lanes(ty_mldsa_verifying *job, size_t n, const ty_mldsa_env *env);

#endif
