/* Tongyu: ML-DSA (FIPS 204), signatures from module lattices: ML-DSA-44, -65 and -87, pure,
 * pre-hashed, or by mu.
 *
 * Everything is constant time in private keys, seeds and nonces; messages, contexts, public keys,
 * signatures and the number of rejected attempts are public. Pointers that carry a length may be
 * NULL if that is 0. Nothing is allocated; stack use is stated where it is large. Buffers of one
 * call may not overlap. */
#ifndef TONGYU_MLDSA_H
#define TONGYU_MLDSA_H

#include "tongyu/base.h"
#include "tongyu/keccak.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* The parameter sets of FIPS 204, section 4. */
typedef enum ty_mldsa_set { TY_MLDSA_44 = 44, TY_MLDSA_65 = 65, TY_MLDSA_87 = 87 } ty_mldsa_set;

#define TY_MLDSA_SEED_LEN 32
#define TY_MLDSA_MU_LEN   64
#define TY_MLDSA_CTX_MAX  255
/* bytes of the largest public key, private key and signature, those of ML-DSA-87 */
#define TY_MLDSA_PUB_MAX  2592
#define TY_MLDSA_KEY_MAX  4896
#define TY_MLDSA_SIG_MAX  4627

/* ty_mldsa_pub_len, ty_mldsa_key_len, ty_mldsa_sig_len: bytes of an encoded public key (1312, 1952,
 * 2592), private key (2560, 4032, 4896), signature (2420, 3309, 4627); 0 for no such set. */
TY_API size_t ty_mldsa_pub_len(ty_mldsa_set set);
TY_API size_t ty_mldsa_key_len(ty_mldsa_set set);
TY_API size_t ty_mldsa_sig_len(ty_mldsa_set set);

/* --- Keys ------------------------------------------------------------------------------------- */

/* A public key as the standard encodes it, and its hash. The field `bytes` may be read,
 * ty_mldsa_pub_len(set) bytes of it; it is set by ty_mldsa_pub_set. */
typedef struct ty_mldsa_pub {
    ty_mldsa_set set;
    uint8_t bytes[TY_MLDSA_PUB_MAX];
    uint8_t tr[64];
} ty_mldsa_pub;

/* A private key as the standard encodes it, with its seed where that is known, and its public key.
 * Fields may be read: bytes, ty_mldsa_key_len(pub.set) of them; seed, if has_seed is 1. ty_wipe it
 * when done. */
typedef struct ty_mldsa_key {
    ty_mldsa_pub pub;
    uint32_t has_seed;
    uint8_t seed[TY_MLDSA_SEED_LEN];
    uint8_t bytes[TY_MLDSA_KEY_MAX];
} ty_mldsa_key;

/* ty_mldsa_keygen: a new key.
 *   in     rng gives 32 bytes, the seed
 *   err    TY_ERR_ARG: no such set     TY_ERR_RNG     key is zeroed in both cases
 *   time   secret: key     stack: 61 KB     spec: [FIPS 204, algorithm 1] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_keygen(ty_mldsa_key *key, ty_mldsa_set set, const ty_rng *rng);

/* ty_mldsa_key_from_seed: the key derived from seed.
 *   err    TY_ERR_ARG: no such set; key is zeroed
 *   time   secret: key     stack: 61 KB     spec: [FIPS 204, algorithm 6] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_key_from_seed(ty_mldsa_key *key,
                                                   const uint8_t seed[TY_AT_LEAST(32)],
                                                   ty_mldsa_set set);

/* ty_mldsa_key_set: the key encoded in in[in_len], whose length determines its set; its seed is
 * unknown.
 *   err    TY_ERR_FORMAT: no set has keys of in_len bytes
 *          TY_ERR_KEY: a coefficient of s1 or s2 is out of range, or t0 or tr does not belong to s1
 *          and s2
 *          key is zeroed in both cases
 *   time   secret: key     stack: 62 KB
 *          spec: [FIPS 204, algorithm 25]
 *          cost: that of a key generation, for the check */
TY_API TY_MUST_CHECK ty_err ty_mldsa_key_set(ty_mldsa_key *key, const uint8_t *in, size_t in_len);

/* ty_mldsa_pub_set: the public key encoded in in[in_len], whose length determines its set; every
 * string of such a length is a public key.
 *   err    TY_ERR_FORMAT: no set has public keys of in_len bytes; pub is zeroed
 *   time   public     spec: [FIPS 204, algorithm 23] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_pub_set(ty_mldsa_pub *pub, const uint8_t *in, size_t in_len);

/* --- Signature -------------------------------------------------------------------------------- */

/* ty_mldsa_sign: sig = a signature of msg in the context ctx.
 *   in     sig_len is ty_mldsa_sig_len of the key's set; ctx[ctx_len], at most 255 bytes, usually
 *          none
 *          rng gives 32 bytes; NULL signs deterministically, which makes fault attacks on the key
 *          easier
 *   err    TY_ERR_SIZE: another sig_len (sig is untouched then), or ctx_len > 255
 *          TY_ERR_ARG: key was never set
 *          TY_ERR_RNG
 *          TY_ERR_FAULT: 814 attempts were rejected, which happens by chance once in 2^256
 *          signatures: the machine computed wrongly
 *          sig is zeroed in these cases
 *   time   secret: key, nonces; public: lengths, msg, attempts     stack: 135 KB
 *   spec   [FIPS 204, algorithm 2; appendix C] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign(uint8_t *sig, size_t sig_len, const uint8_t *msg,
                                          size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                          const ty_mldsa_key *key, const ty_rng *rng);

/* ty_mldsa_verify: TY_OK if sig is a signature of msg in the context ctx by the holder of pub.
 *   err    TY_ERR_VERIFY: it is not; malformed ones and those of a wrong length included
 *          TY_ERR_SIZE: ctx_len > 255     TY_ERR_ARG: pub was never set
 *   time   public     stack: 56 KB     spec: [FIPS 204, algorithm 3] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_verify(const uint8_t *sig, size_t sig_len, const uint8_t *msg,
                                            size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                            const ty_mldsa_pub *pub);

/* --- By mu: long messages in chunks, hashing elsewhere ---------------------------------------- */

/* A message that is being hashed for one public key. The fields are private. */
typedef struct ty_mldsa_mu {
    ty_keccak sponge;
} ty_mldsa_mu;

/* ty_mldsa_mu_init, _update, _final: mu = the hash that pure ML-DSA signs, of a message in any
 * number of chunks.
 *   err    init: TY_ERR_SIZE: ctx_len > 255
 *          TY_ERR_ARG: pub was never set; mu is then zeroed, and the result of final is not the mu
 *          of any message
 *   spec   [FIPS 204, algorithm 7, line 6] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_mu_init(ty_mldsa_mu *mu, const uint8_t *ctx, size_t ctx_len,
                                             const ty_mldsa_pub *pub);
TY_API void ty_mldsa_mu_update(ty_mldsa_mu *mu, const uint8_t *msg, size_t msg_len);
TY_API void ty_mldsa_mu_final(uint8_t out[TY_AT_LEAST(TY_MLDSA_MU_LEN)], ty_mldsa_mu *mu);

/* ty_mldsa_sign_mu, ty_mldsa_verify_mu: as ty_mldsa_sign and ty_mldsa_verify, with the message as
 * its mu.     stack: 135 KB and 56 KB */
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign_mu(uint8_t *sig, size_t sig_len,
                                             const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                             const ty_mldsa_key *key, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_mldsa_verify_mu(const uint8_t *sig, size_t sig_len,
                                               const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                               const ty_mldsa_pub *pub);

/* --- HashML-DSA: a digest is signed ----------------------------------------------------------- */

/* The hash functions of FIPS 204, algorithm 4, and after them SM3, which the standard does not
 * name. */
typedef enum ty_mldsa_hash {
    TY_MLDSA_SHA2_224,
    TY_MLDSA_SHA2_256,
    TY_MLDSA_SHA2_384,
    TY_MLDSA_SHA2_512,
    TY_MLDSA_SHA2_512_224,
    TY_MLDSA_SHA2_512_256,
    TY_MLDSA_SHA3_224,
    TY_MLDSA_SHA3_256,
    TY_MLDSA_SHA3_384,
    TY_MLDSA_SHA3_512,
    TY_MLDSA_SHAKE128, /* 32 bytes of output */
    TY_MLDSA_SHAKE256, /* 64 bytes of output */
    TY_MLDSA_SM3
} ty_mldsa_hash;

/* ty_mldsa_hash_len: bytes of a digest, 0 for no such hash. */
TY_API size_t ty_mldsa_hash_len(ty_mldsa_hash hash);

/* ty_mldsa_mu_hash: mu of a digest: for ty_mldsa_sign_mu and the like.
 *   in     digest[digest_len] = hash(message)
 *   err    TY_ERR_ARG: no such hash, digest_len is not ty_mldsa_hash_len(hash), or pub was never
 *          set
 *          TY_ERR_SIZE: ctx_len > 255     mu is zeroed in these cases
 *   spec   [FIPS 204, algorithm 4, lines 5 to 23] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_mu_hash(uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                             const uint8_t *digest, size_t digest_len,
                                             ty_mldsa_hash hash, const uint8_t *ctx, size_t ctx_len,
                                             const ty_mldsa_pub *pub);

/* ty_mldsa_sign_hash, ty_mldsa_verify_hash: as ty_mldsa_sign and ty_mldsa_verify, errors of
 * ty_mldsa_mu_hash included.
 *   stack: 135 KB and 56 KB     spec: [FIPS 204, algorithms 4, 5] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign_hash(uint8_t *sig, size_t sig_len, const uint8_t *digest,
                                               size_t digest_len, ty_mldsa_hash hash,
                                               const uint8_t *ctx, size_t ctx_len,
                                               const ty_mldsa_key *key, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_mldsa_verify_hash(const uint8_t *sig, size_t sig_len,
                                                 const uint8_t *digest, size_t digest_len,
                                                 ty_mldsa_hash hash, const uint8_t *ctx,
                                                 size_t ctx_len, const ty_mldsa_pub *pub);

/* --- Precomputed keys, for many signatures or verifications with one key ---------------------- */

/* A private key with its matrix and t0 transformed and s1, s2 unpacked, 82 KB: signing is then
 * faster and needs 51 KB of stack. The fields are private and do not depend on the machine's tiers.
 * Aligned to a cache line, 64 bytes, it is faster by 1 or 2 %. ty_wipe it when done. */
typedef struct ty_mldsa_signer {
    /* A by rows, s1, s2, t0; first, so that they are aligned to cache lines if the object is */
    int32_t polys[56 + 7 + 8 + 8][256];
    ty_mldsa_pub pub;
    uint8_t k[32];
} ty_mldsa_signer;

/* A public key with its matrix and vector transformed, 67 KB. */
typedef struct ty_mldsa_verifier {
    int32_t polys[8 * 8][256];   /* for each row: the row of A, then the polynomial of t1 */
    ty_mldsa_pub pub;
} ty_mldsa_verifier;

/* ty_mldsa_signer_init, ty_mldsa_verifier_init: prepare a key.
 * err TY_ERR_ARG: the key was never set; *signer or *verifier is zeroed */
TY_API TY_MUST_CHECK ty_err ty_mldsa_signer_init(ty_mldsa_signer *signer, const ty_mldsa_key *key);
TY_API TY_MUST_CHECK ty_err ty_mldsa_verifier_init(ty_mldsa_verifier *verifier,
                                                   const ty_mldsa_pub *pub);

/* ty_mldsa_signer_sign, _sign_mu, ty_mldsa_verifier_verify, _verify_mu: as the functions above,
 * with the same results.     stack: 51 KB, 17 KB */
TY_API TY_MUST_CHECK ty_err ty_mldsa_signer_sign(uint8_t *sig, size_t sig_len, const uint8_t *msg,
                                                 size_t msg_len, const uint8_t *ctx, size_t ctx_len,
                                                 const ty_mldsa_signer *signer, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_mldsa_signer_sign_mu(uint8_t *sig, size_t sig_len,
                                                    const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                                    const ty_mldsa_signer *signer,
                                                    const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_mldsa_verifier_verify(const uint8_t *sig, size_t sig_len,
                                                     const uint8_t *msg, size_t msg_len,
                                                     const uint8_t *ctx, size_t ctx_len,
                                                     const ty_mldsa_verifier *verifier);
TY_API TY_MUST_CHECK ty_err ty_mldsa_verifier_verify_mu(
    const uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
    const ty_mldsa_verifier *verifier);

/* --- Against faults --------------------------------------------------------------------------- */

/* ty_mldsa_sign_checked: as ty_mldsa_sign_mu, and the signature is verified before it is returned,
 * against faults.
 *   err    TY_ERR_FAULT also: it did not verify; sig is zeroed
 *   stack: 135 KB */
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign_checked(uint8_t *sig, size_t sig_len,
                                                  const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                                  const ty_mldsa_key *key, const ty_rng *rng);

/* --- For little memory ------------------------------------------------------------------------ */

/* Keys are read where they are, in flash for instance, in the standard's encoding. The signatures
 * are the same as above. A signature takes 5.1, 6.6 or 8.0 KB of stack on a Cortex-M4 (44, 65, 87)
 * and generates the matrix again in each attempt; a build with TY_MLDSA_RAM (docs/firmware.md)
 * takes that many bytes, and keeps as much of the matrix as fits into them. While a call that signs
 * runs, no other thread may read sig: it may hold a part of a response that is then rejected. */

/* ty_mldsa_keygen_encoded: the public and the private key derived from seed.
 *   err    TY_ERR_ARG: no such set
 *          TY_ERR_SIZE: pub_len or key_len is wrong; nothing is written
 *   time   secret: key     stack: 18 KB     spec: [FIPS 204, algorithm 6] */
TY_API TY_MUST_CHECK ty_err ty_mldsa_keygen_encoded(
    uint8_t *pub, size_t pub_len, uint8_t *key, size_t key_len,
    const uint8_t seed[TY_AT_LEAST(TY_MLDSA_SEED_LEN)], ty_mldsa_set set);

/* ty_mldsa_sign_encoded: as ty_mldsa_sign; ty_mldsa_sign_encoded_mu: as ty_mldsa_sign_mu.
 *   in     key[key_len] as the standard encodes it, from a trusted place: that t0 and tr belong to
 *          s1 and s2 is not checked, ty_mldsa_key_set does that
 *   err    TY_ERR_FORMAT: no set has keys of key_len bytes
 *          TY_ERR_KEY: a coefficient of s1 or s2 is out of range
 *          TY_ERR_ARG: a set above the build's TY_MLDSA_LARGEST     sig is zeroed in these cases */
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign_encoded(uint8_t *sig, size_t sig_len, const uint8_t *msg,
                                                  size_t msg_len, const uint8_t *ctx,
                                                  size_t ctx_len, const uint8_t *key,
                                                  size_t key_len, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign_encoded_mu(uint8_t *sig, size_t sig_len,
                                                     const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                                     const uint8_t *key, size_t key_len,
                                                     const ty_rng *rng);

/* ty_mldsa_sign_from_seed: the same with the key derived from seed. That key is generated first; it
 * is on the stack, ty_mldsa_key_len bytes, in addition to what key generation and then signing
 * need.
 *   err    TY_ERR_ARG: no such set, or one above the build's TY_MLDSA_LARGEST; sig is zeroed
 *   stack: 23 KB */
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign_from_seed(
    uint8_t *sig, size_t sig_len, const uint8_t *msg, size_t msg_len, const uint8_t *ctx,
    size_t ctx_len, const uint8_t seed[TY_AT_LEAST(TY_MLDSA_SEED_LEN)], ty_mldsa_set set,
    const ty_rng *rng);

/* ty_mldsa_sign_small: ty_mldsa_sign_encoded_mu with the encoding that is part of key.
 * err TY_ERR_ARG: key was never set */
TY_API TY_MUST_CHECK ty_err ty_mldsa_sign_small(uint8_t *sig, size_t sig_len,
                                                const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
                                                const ty_mldsa_key *key, const ty_rng *rng);

/* ty_mldsa_verify_encoded, _mu, ty_mldsa_mu_init_encoded: as ty_mldsa_verify, ty_mldsa_verify_mu
 * and ty_mldsa_mu_init, with the public key as the standard encodes it.
 *   err    TY_ERR_FORMAT: no set has public keys of pub_len bytes
 *   time   public     stack: 12 KB at most */
TY_API TY_MUST_CHECK ty_err ty_mldsa_verify_encoded(const uint8_t *sig, size_t sig_len,
                                                    const uint8_t *msg, size_t msg_len,
                                                    const uint8_t *ctx, size_t ctx_len,
                                                    const uint8_t *pub, size_t pub_len);
TY_API TY_MUST_CHECK ty_err ty_mldsa_verify_encoded_mu(
    const uint8_t *sig, size_t sig_len, const uint8_t mu[TY_AT_LEAST(TY_MLDSA_MU_LEN)],
    const uint8_t *pub, size_t pub_len);
TY_API TY_MUST_CHECK ty_err ty_mldsa_mu_init_encoded(ty_mldsa_mu *mu, const uint8_t *ctx,
                                                     size_t ctx_len, const uint8_t *pub,
                                                     size_t pub_len);

#if defined(__cplusplus)
}
#endif
#endif
