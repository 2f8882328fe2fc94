/* Declarations that the files of the SM2 schemes share, among them the functions by which tests
 * reach branches that do not occur by chance. */
#ifndef TY_SM2_SM2_INTERNAL_H
#define TY_SM2_SM2_INTERNAL_H

#include "ec/ec_sm2.h"
#include "mac/hmac_drbg.h"
#include "mod/n_sm2.h"
#include "tongyu/sm2.h"

/* A source that returns an unusable value this many times in a row is broken: for a good one the
 * probability is below 2^-256 (2^-8 per try at worst, for one-byte messages; 2^-32 for scalars). */
#define TY_SM2_TRIES 64

/* k = a uniform scalar in [1, n - 1 - slack], by rejection of 32-byte strings from rng.
 * err TY_ERR_RNG: the source failed, or gave nothing usable in TY_SM2_TRIES tries; k is zeroed
 * time: discarded values are public, the one kept is secret */
TY_MUST_CHECK ty_err ty_sm2_scalar(uint8_t k[TY_AT_LEAST(32)], uint32_t slack, const ty_rng *rng);

/* 1 if pub is a point of the curve. Calls repeat the check of ty_sm2_pub_set, because callers may
 * fill the struct themselves; it costs less than a hundredth of a multiplication. */
int ty_sm2_pub_ok(const ty_sm2_pub *pub);

/* The nonces of a signature: those of RFC 6979 over SM3 if `fresh` is NULL, else hashes of
 * fresh[32], d and e; see sm2_nonce.c. A source of fresh bytes that repeats itself, or is known to
 * others, does not reveal d. */
#define TY_SM2_SEED 113
typedef struct ty_sm2_nonces {
    int hedged, used;
    uint8_t seed[TY_SM2_SEED];   /* hedged: the message that is hashed */
    ty_hmac_drbg_sm3 drbg;       /* else: the generator of RFC 6979 */
} ty_sm2_nonces;
void ty_sm2_nonces_init(ty_sm2_nonces *c, const uint8_t e[TY_AT_LEAST(32)], const ty_sm2_key *key,
                        const uint8_t *fresh);
/* 32 bytes, of any value */
void ty_sm2_nonces_next(uint8_t k[TY_AT_LEAST(32)], ty_sm2_nonces *c);
/* the same nonces as a source, which is valid as long as *c is */
ty_rng ty_sm2_nonces_rng(ty_sm2_nonces *c);

/* seed = the message whose SM3 is the first hedged nonce */
void ty_sm2_seed(uint8_t seed[TY_AT_LEAST(TY_SM2_SEED)], const uint8_t e[TY_AT_LEAST(32)],
                 const uint8_t d[TY_AT_LEAST(32)], const uint8_t fresh[TY_AT_LEAST(32)]);

/* Three steps of a signature, each of which calls the one before:
 *     _with_nonce    one attempt, with this k in [1, n-1]: 1 and sig, or 0 where the standard says
 *                    to take another k; sig is then untouched. kg is kG as ty_ec_sm2_ops.mul_base
 *                    writes it, or NULL. err (negative): TY_ERR_FAULT if kG is not on the curve,
 *                    which only a computation fault can cause
 *     _from          attempts with the nonces of a source, until one succeeds
 *     _seeded        the same with the nonces of ty_sm2_nonces_init, whose `fresh` may be NULL. If
 *                    the first of them and its kG have been computed already, they are passed as k,
 *                    which may be out of range, and kg; else both are NULL */
TY_MUST_CHECK int ty_sm2_sign_with_nonce(uint8_t sig[TY_AT_LEAST(64)],
                                         const uint8_t e[TY_AT_LEAST(32)], const ty_sm2_key *key,
                                         const uint8_t k[TY_AT_LEAST(32)], const uint8_t *kg);
TY_MUST_CHECK ty_err ty_sm2_sign_from(uint8_t sig[TY_AT_LEAST(64)],
                                      const uint8_t e[TY_AT_LEAST(32)], const ty_sm2_key *key,
                                      const ty_rng *nonces);
TY_MUST_CHECK ty_err ty_sm2_sign_seeded(uint8_t sig[TY_AT_LEAST(64)],
                                        const uint8_t e[TY_AT_LEAST(32)], const ty_sm2_key *key,
                                        const uint8_t *fresh, const uint8_t *k, const uint8_t *kg);

/* key = d and the values derived from it: inv1d = 1/(1 + d), xy = dG. err TY_ERR_FAULT: xy is not
 * on the curve, after a computation fault; key is zeroed. d and inv1d may be those of key */
TY_MUST_CHECK ty_err ty_sm2_key_assemble(ty_sm2_key *key, const uint8_t d[TY_AT_LEAST(32)],
                                         const uint8_t inv1d[TY_AT_LEAST(32)],
                                         const uint8_t xy[TY_AT_LEAST(64)]);

/* Check the arguments of an encryption or decryption, except keys and points: TY_ERR_ARG,
 * TY_ERR_SIZE; TY_ERR_FORMAT: too short for a ciphertext */
TY_MUST_CHECK ty_err ty_sm2_encrypt_begin(size_t msg_len, ty_sm2_order order);
TY_MUST_CHECK ty_err ty_sm2_decrypt_begin(size_t in_len, ty_sm2_order order);

/* where C2 and C3 begin in a ciphertext for a message of msg_len bytes */
static inline size_t ty_sm2_c2_at(ty_sm2_order order)
{
    return order == TY_SM2_C1C3C2 ? TY_SM2_OVERHEAD : TY_SM2_OVERHEAD - 32;
}
static inline size_t ty_sm2_c3_at(ty_sm2_order order, size_t msg_len)
{
    return order == TY_SM2_C1C3C2 ? TY_SM2_OVERHEAD - 32 : TY_SM2_OVERHEAD - 32 + msg_len;
}

/* out = in xor t, with t = KDF(x2 || y2, len); returns all ones if t is all zero, in which case the
 * standard requires another k. `in` may not overlap `out` */
uint32_t ty_sm2_mask_message(uint8_t *out, const uint8_t *in, size_t len,
                             const uint8_t xy[TY_AT_LEAST(64)]);

/* c3 = SM3(x2 || msg || y2) */
void ty_sm2_checksum(uint8_t c3[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                     const uint8_t xy[TY_AT_LEAST(64)]);

/* text[TY_SM2_Z_TEXT + id_len] = the message whose hash is Z; returns its length. id_len <=
 * TY_SM2_ID_MAX */
#define TY_SM2_Z_TEXT 194
size_t ty_sm2_z_text(uint8_t *text, const uint8_t *id, size_t id_len, const ty_sm2_pub *pub);

/* e = SM3(z || msg) */
void ty_sm2_digest(uint8_t e[TY_AT_LEAST(32)], const uint8_t z[TY_AT_LEAST(32)], const uint8_t *msg,
                   size_t msg_len);

/* The part of verification before the point: returns 1 and sets t = r + s and x, such that the
 * signature is good if and only if the x coordinate of sG + tP is x mod n; or returns 0 if it
 * cannot be good: r or s outside [1, n-1], or r + s = n. */
int ty_sm2_verify_begin(uint8_t x[TY_AT_LEAST(32)], uint8_t t[TY_AT_LEAST(32)],
                        const uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)]);

#endif
