/* Tongyu: SM2 (GB/T 32918-2016 = GM/T 0003-2012): keys, signature, encryption, key exchange, on
 * curve sm2p256v1.
 *
 * Numbers are big-endian bytes, points are x || y. Everything is constant time in keys, nonces and
 * plaintexts; lengths, public keys, signatures, ciphertexts and verdicts are public. Pointers that
 * carry a length may be NULL if that is 0. Buffers of one call may not overlap unless its comment
 * says so. Nothing is allocated. */
#ifndef TONGYU_SM2_H
#define TONGYU_SM2_H

#include "tongyu/base.h"
#include "tongyu/sm3.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SM2_ID     "1234567812345678"  /* the default signer identity (GM/T 0009-2012, 10) */
#define TY_SM2_ID_LEN 16
#define TY_SM2_ID_MAX 8191                /* ENTL counts bits in 16 bits */
/* ciphertext bytes beyond the message: 65 (C1) + 32 (C3) */
#define TY_SM2_OVERHEAD 97

/* A public key, a point of the curve that is not the point at infinity: checked when it is set, and
 * again when used. */
typedef struct ty_sm2_pub {
    uint8_t x[32], y[32];
} ty_sm2_pub;

/* A private key 1 <= d <= n-2 with what is derived from it. The fields are private. ty_wipe it when
 * done. */
typedef struct ty_sm2_key {
    uint8_t d[32];
    uint8_t inv1d[32];  /* (1 + d)^-1 mod n */
    ty_sm2_pub pub;
} ty_sm2_key;

/* --- Keys ------------------------------------------------------------------------------------- */

/* ty_sm2_pub_set: pub = the point encoded in in.
 *   in     65 bytes 04 || x || y, 64 bytes x || y, or 33 bytes 02|03 || x, where 03 means an odd y
 *   err    TY_ERR_FORMAT: other length or first byte     TY_ERR_KEY: x or y >= p, or no such point
 *          pub is then untouched
 *   time   public     alias: none
 *   spec   [GB/T 32918.1, 4.2.10]     cost: compressed, one field exponentiation more */
TY_API TY_MUST_CHECK ty_err ty_sm2_pub_set(ty_sm2_pub *pub, const uint8_t *in, size_t in_len);

/* ty_sm2_pub_get: out = 04 || x || y.
 * ty_sm2_pub_get_compressed: out = 02|03 || x. [GB/T 32918.1, 4.2.9] */
TY_API void ty_sm2_pub_get(uint8_t out[TY_AT_LEAST(65)], const ty_sm2_pub *pub);
TY_API void ty_sm2_pub_get_compressed(uint8_t out[TY_AT_LEAST(33)], const ty_sm2_pub *pub);

/* ty_sm2_keygen: a new key, d uniform in [1, n-2].
 *   in     rng gives 32 bytes per attempt, nearly always one
 *   err    TY_ERR_RNG: the source failed, or gave nothing in range 64 times
 *          TY_ERR_FAULT: the machine computed a wrong point     key is zeroed in both cases
 *   time   secret: d     spec: [GB/T 32918.1, 6.1] */
TY_API TY_MUST_CHECK ty_err ty_sm2_keygen(ty_sm2_key *key, const ty_rng *rng);

/* ty_sm2_key_set: the key whose private scalar is d.
 *   err    TY_ERR_KEY: d is not in [1, n-2]
 *          TY_ERR_FAULT as for keygen
 *          key is zeroed in both cases
 *   time   secret: d     alias: d may be key->d */
TY_API TY_MUST_CHECK ty_err ty_sm2_key_set(ty_sm2_key *key, const uint8_t d[TY_AT_LEAST(32)]);

/* --- Signature -------------------------------------------------------------------------------- */

/* ty_sm2_z: z = the hash that binds a signature to its signer: SM3(ENTL || id || a || b || G ||
 * pub).
 * ty_sm2_hash_init: h = a hash that has absorbed Z and is ready for the message; its digest is the
 * e of ty_sm2_sign_digest and ty_sm2_verify_digest.
 *   in     id[id_len], of at most TY_SM2_ID_MAX bytes; use TY_SM2_ID where nothing else is agreed.
 *          An empty id is an id of its own, not the default one
 *   err    TY_ERR_SIZE: id_len > 8191; nothing is written
 *   spec   [GB/T 32918.2, 5.5] */
TY_API TY_MUST_CHECK ty_err ty_sm2_z(uint8_t z[TY_AT_LEAST(32)], const uint8_t *id, size_t id_len,
                                     const ty_sm2_pub *pub);
TY_API TY_MUST_CHECK ty_err ty_sm2_hash_init(ty_sm3 *h, const uint8_t *id, size_t id_len,
                                             const ty_sm2_pub *pub);

/* ty_sm2_sign: sig = r || s, an SM2 signature of msg by the signer id.
 * ty_sm2_sign_digest: the same for e = SM3(Z || msg) computed by the caller.
 *   in     rng gives 32 bytes, once. The nonce is a hash of them, d and e together, so that a weak
 *          source does not reveal d; with a source that always gives the same bytes it is as good
 *          as a deterministic nonce
 *   err    TY_ERR_SIZE: id_len > 8191
 *          TY_ERR_RNG
 *          TY_ERR_FAULT: the machine computed a wrong point
 *          sig is zeroed in all cases
 *   time   secret: d, nonce; public: lengths     alias: sig may overlap e, not msg
 *   spec   [GB/T 32918.2, 6.1; the nonce: src/sm2/sm2_nonce.c]
 *          cost: one multiplication of the base point */
TY_API TY_MUST_CHECK ty_err ty_sm2_sign(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg,
                                        size_t msg_len, const uint8_t *id, size_t id_len,
                                        const ty_sm2_key *key, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_sm2_sign_digest(uint8_t sig[TY_AT_LEAST(64)],
                                               const uint8_t e[TY_AT_LEAST(32)],
                                               const ty_sm2_key *key, const ty_rng *rng);

/* ty_sm2_sign_deterministic, ty_sm2_sign_digest_deterministic: the same without a source: the nonce
 * is the one of RFC 6979 with HMAC-SM3, and the same key and message give the same signature again.
 * For machines without randomness, for reproducible builds and tests; where there is a source,
 * ty_sm2_sign is better, because attacks by faults and side channels that need repetition are
 * harder.
 *   err    TY_ERR_SIZE, TY_ERR_FAULT as above; sig is zeroed
 *   time   secret: d; public: lengths     alias: sig may overlap e, not msg
 *   spec   [GB/T 32918.2, 6.1; RFC 6979, 3.2] */
TY_API TY_MUST_CHECK ty_err ty_sm2_sign_deterministic(uint8_t sig[TY_AT_LEAST(64)],
                                                      const uint8_t *msg, size_t msg_len,
                                                      const uint8_t *id, size_t id_len,
                                                      const ty_sm2_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm2_sign_digest_deterministic(uint8_t sig[TY_AT_LEAST(64)],
                                                             const uint8_t e[TY_AT_LEAST(32)],
                                                             const ty_sm2_key *key);

/* ty_sm2_verify: TY_OK if sig is a signature of msg by the holder of pub with the identity id.
 *   err    TY_ERR_VERIFY: it is not, r or s outside [1, n-1] included
 *          TY_ERR_SIZE: id_len > 8191
 *          TY_ERR_KEY: pub is not on the curve
 *   time   public     spec: [GB/T 32918.2, 7.1]     cost: one joint multiplication */
TY_API TY_MUST_CHECK ty_err ty_sm2_verify(const uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg,
                                          size_t msg_len, const uint8_t *id, size_t id_len,
                                          const ty_sm2_pub *pub);
TY_API TY_MUST_CHECK ty_err ty_sm2_verify_digest(const uint8_t sig[TY_AT_LEAST(64)],
                                                 const uint8_t e[TY_AT_LEAST(32)],
                                                 const ty_sm2_pub *pub);

/* ty_sm2_recover_digest: pub = a public key under which sig is a signature of the digest e. There
 * are up to four, numbered by `which`: bit 0 is the parity of y of the signer's point kG, bit 1 is
 * set if its x coordinate is (r - e mod n) + n, not r - e mod n (so rare that in practice there are
 * two candidates). A signer finds the number of its own key by trying.
 *   in     e as for ty_sm2_verify_digest. Where it was made with Z it depends on the key that is
 *          sought: then this call can confirm a guess, but cannot find the key. It is for protocols
 *          whose digest leaves Z out
 *   err    TY_ERR_VERIFY: there is no key of that number (there is no key at all if r or s is
 *          outside [1, n-1], or r + s = n)
 *          TY_ERR_ARG: which > 3     pub is untouched in both cases
 *   time   public     alias: none
 *   spec   [GB/T 32918.2, 7.1, solved for P; the same idea for ECDSA: SEC 1, 4.1.6] */
TY_API TY_MUST_CHECK ty_err ty_sm2_recover_digest(ty_sm2_pub *pub,
                                                  const uint8_t sig[TY_AT_LEAST(64)],
                                                  const uint8_t e[TY_AT_LEAST(32)], unsigned which);

/* --- Signers and verifiers: what messages have in common, computed once ----------------------- */

/* A private key with Z, the hash of the signer's identity and public key. The fields are private.
 * ty_wipe it when done. */
typedef struct ty_sm2_signer {
    ty_sm2_key key;
    uint8_t z[32];
} ty_sm2_signer;

/* A public key with Z of the signer's identity and a table of its multiples, 14 KB: a signature is
 * verified in about a third of the time. Computing the table costs as much as one verification
 * (AVX-512 with IFMA) to three, and pays from the third or the fifth signature on. Where memory is
 * scarce, a ty_sm2_pub is the small form. The fields are private. It may be shared by threads. */
typedef struct ty_sm2_verifier {
    const struct ty_ec_sm2_ops *ops;
    ty_sm2_pub pub;
    uint8_t z[32];
    uint8_t table[14336];
} ty_sm2_verifier;

/* ty_sm2_signer_init, ty_sm2_verifier_init: prepare to sign or verify with the identity id.
 *   err    TY_ERR_SIZE: id_len > 8191
 *          TY_ERR_KEY: pub is not on the curve
 *          the object is then zeroed, and verifies nothing
 *   time   signer: secret: key     alias: none */
TY_API TY_MUST_CHECK ty_err ty_sm2_signer_init(ty_sm2_signer *signer, const ty_sm2_key *key,
                                               const uint8_t *id, size_t id_len);
TY_API TY_MUST_CHECK ty_err ty_sm2_verifier_init(ty_sm2_verifier *verifier, const ty_sm2_pub *pub,
                                                 const uint8_t *id, size_t id_len);

/* ty_sm2_signer_sign: as ty_sm2_sign.
 * ty_sm2_signer_sign_deterministic: as ty_sm2_sign_deterministic.
 * ty_sm2_signer_hash_init: h = a hash that has absorbed Z; ty_sm2_sign_digest with &signer->key
 * takes the digest of h. */
TY_API TY_MUST_CHECK ty_err ty_sm2_signer_sign(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg,
                                               size_t msg_len, const ty_sm2_signer *signer,
                                               const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_sm2_signer_sign_deterministic(uint8_t sig[TY_AT_LEAST(64)],
                                                             const uint8_t *msg, size_t msg_len,
                                                             const ty_sm2_signer *signer);
TY_API void ty_sm2_signer_hash_init(ty_sm3 *h, const ty_sm2_signer *signer);

/* ty_sm2_verifier_verify: as ty_sm2_verify.
 * ty_sm2_verifier_verify_digest: as ty_sm2_verify_digest.
 * ty_sm2_verifier_hash_init: as ty_sm2_hash_init.
 *   err    TY_ERR_VERIFY
 *          TY_ERR_STATE: the verifier was not initialised (init failed, or was not called for a
 *          zeroed object) */
TY_API TY_MUST_CHECK ty_err ty_sm2_verifier_verify(const uint8_t sig[TY_AT_LEAST(64)],
                                                   const uint8_t *msg, size_t msg_len,
                                                   const ty_sm2_verifier *verifier);
TY_API TY_MUST_CHECK ty_err ty_sm2_verifier_verify_digest(const uint8_t sig[TY_AT_LEAST(64)],
                                                          const uint8_t e[TY_AT_LEAST(32)],
                                                          const ty_sm2_verifier *verifier);
TY_API void ty_sm2_verifier_hash_init(ty_sm3 *h, const ty_sm2_verifier *verifier);

/* --- Encryption ------------------------------------------------------------------------------- */

/* The order of the parts: point, hash, ciphertext (the standard) or point, ciphertext, hash (as
 * before 2012). */
typedef enum ty_sm2_order { TY_SM2_C1C3C2 = 0, TY_SM2_C1C2C3 = 1 } ty_sm2_order;

/* ty_sm2_encrypt: out[msg_len + 97] = msg encrypted to pub; C1 begins with 04.
 *   in     msg[msg_len], msg_len >= 1
 *          rng gives 32 bytes per attempt; one-byte messages need a second attempt once in 256
 *          times
 *   err    TY_ERR_ARG: msg_len is 0, or no such order     TY_ERR_SIZE: msg_len > 32 (2^32 - 1)
 *          TY_ERR_KEY: pub is not on the curve; out is untouched in these cases
 *          TY_ERR_RNG     TY_ERR_FAULT: the machine computed a wrong point;
 *          out is zeroed in these cases
 *   time   secret: msg, nonce; public: msg_len     spec: [GB/T 32918.4, 6.1] */
TY_API TY_MUST_CHECK ty_err ty_sm2_encrypt(uint8_t *out, const uint8_t *msg, size_t msg_len,
                                           ty_sm2_order order, const ty_sm2_pub *pub,
                                           const ty_rng *rng);

/* ty_sm2_decrypt: out[in_len - 97] = the message in in[in_len].
 *   err    TY_ERR_ARG: no such order     TY_ERR_SIZE: in_len - 97 > 32 (2^32 - 1); out is untouched
 *          in these cases
 *          TY_ERR_FORMAT: in_len < 98 (out is untouched), or C1 is not 04 and a point of the curve
 *          (out is zeroed)
 *          TY_ERR_VERIFY: not encrypted to this key, in another order, or altered; out is zeroed
 *   time   secret: d, message; public: in_len     spec: [GB/T 32918.4, 7.1] */
TY_API TY_MUST_CHECK ty_err ty_sm2_decrypt(uint8_t *out, const uint8_t *in, size_t in_len,
                                           ty_sm2_order order, const ty_sm2_key *key);

/* --- Agreement -------------------------------------------------------------------------------- */

/* ty_sm2_ecdh: out = the x coordinate of d pub.
 *   err    TY_ERR_KEY: pub is not on the curve, or key was never set; out is untouched
 *   time   secret: d     spec: [RFC 8998, 3.3; RFC 8446, 7.4.2] */
TY_API TY_MUST_CHECK ty_err ty_sm2_ecdh(uint8_t out[TY_AT_LEAST(32)], const ty_sm2_pub *pub,
                                        const ty_sm2_key *key);

/* Key exchange with confirmation (GB/T 32918.3). Both sides call ty_sm2_kx_init, send out to each
 * other, and call ty_sm2_kx_final; the responder then sends its confirmation, the initiator
 * compares it and sends its own. */
typedef enum ty_sm2_role { TY_SM2_INITIATOR = 0, TY_SM2_RESPONDER = 1 } ty_sm2_role;

/* One side of a running exchange. The fields are private and secret; ty_sm2_kx_final wipes them. */
typedef struct ty_sm2_kx {
    ty_sm2_role role;
    uint8_t r[32];
    ty_sm2_pub ephemeral;
} ty_sm2_kx;

/* ty_sm2_kx_init: begins an exchange; out = 04 || x || y is the ephemeral point to send.
 *   in     rng gives 32 bytes per attempt, nearly always one
 *   err    TY_ERR_ARG: no such role
 *          TY_ERR_RNG
 *          TY_ERR_FAULT: the machine computed a wrong point     kx and out are zeroed in all cases
 *   time   secret: r     spec: [GB/T 32918.3, 6.1, A1-A3 and B1-B3] */
TY_API TY_MUST_CHECK ty_err ty_sm2_kx_init(ty_sm2_kx *kx, uint8_t out[TY_AT_LEAST(65)],
                                           ty_sm2_role role, const ty_rng *rng);

/* ty_sm2_kx_get: out = role || r: saves a running exchange for a program that ends before the
 * answer arrives. It is as secret as a private key. As with the struct itself, ty_sm2_kx_final with
 * two different answers for one r would reveal the key's d: wipe the copy once it has been used. */
#define TY_SM2_KX_LEN 33
TY_API void ty_sm2_kx_get(uint8_t out[TY_AT_LEAST(TY_SM2_KX_LEN)], const ty_sm2_kx *kx);

/* ty_sm2_kx_set: the exchange that ty_sm2_kx_get saved; the point that was sent is computed again
 * from r.
 *   err    TY_ERR_FORMAT: no such role
 *          TY_ERR_KEY: r is not in [1, n-1]
 *          TY_ERR_FAULT as for kx_init
 *          kx is zeroed in all cases
 *   time   secret: r */
TY_API TY_MUST_CHECK ty_err ty_sm2_kx_set(ty_sm2_kx *kx,
                                          const uint8_t in[TY_AT_LEAST(TY_SM2_KX_LEN)]);

/* ty_sm2_kx_final: shared[shared_len] = the key; confirm_send = the hash to send; confirm_expect =
 * the hash that the peer must send: compare with ty_equal before the key is used.
 *   in     id[id_len] is our identity, peer_id[peer_id_len] the peer's; peer is its long-term key
 *   err    TY_ERR_FORMAT: peer_ephemeral is not 04 and a point of the curve
 *          TY_ERR_SIZE: an identity is too long, or shared_len > 32 (2^32 - 1)
 *          TY_ERR_KEY: peer is not on the curve, or the shared point is infinity
 *          TY_ERR_ARG: shared_len is 0
 *          TY_ERR_STATE: kx was not started, or has been used
 *          the outputs are zeroed in all cases
 *   time   secret: d, r, all outputs except confirm_send     kx is wiped, whatever happens
 *   spec   [GB/T 32918.3, 6.1, A4-A10 and B4-B10] */
TY_API TY_MUST_CHECK ty_err ty_sm2_kx_final(
    uint8_t *shared, size_t shared_len, uint8_t confirm_send[TY_AT_LEAST(32)],
    uint8_t confirm_expect[TY_AT_LEAST(32)], const uint8_t peer_ephemeral[TY_AT_LEAST(65)],
    const uint8_t *id, size_t id_len, const uint8_t *peer_id, size_t peer_id_len,
    const ty_sm2_pub *peer, const ty_sm2_key *key, ty_sm2_kx *kx);

#if defined(__cplusplus)
}
#endif
#endif
