/* Tongyu: SM2 (GB/T 32918-2016 = GM/T 0003-2012): keys, signature, encryption, key exchange, on curve sm2p256v1. */
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
#define TY_SM2_OVERHEAD 97                /* ciphertext bytes beyond the message: 65 (C1) + 32 (C3) */

/* A public key, a point of the curve that is not the point at infinity: checked when it is set. Big-endian. */
typedef struct ty_sm2_pub {
    uint8_t x[32], y[32];
} ty_sm2_pub;

/* A private key 1 <= d <= n-2 with what is derived from it. The fields are private. ty_wipe it when done. */
typedef struct ty_sm2_key {
    uint8_t d[32];
    uint8_t inv1d[32];  /* (1 + d)^-1 mod n */
    ty_sm2_pub pub;
} ty_sm2_key;

/* in: 65 bytes 04||x||y, 33 bytes 02|03||x, or 64 bytes x||y.  err TY_ERR_FORMAT (length, lead byte), TY_ERR_KEY (not on curve, x or y >= p) */
TY_API TY_MUST_CHECK ty_err ty_sm2_pub_set(ty_sm2_pub *pub, const uint8_t *in, size_t in_len);
TY_API void ty_sm2_pub_get(uint8_t out[TY_AT_LEAST(65)], const ty_sm2_pub *pub);
TY_API void ty_sm2_pub_get_compressed(uint8_t out[TY_AT_LEAST(33)], const ty_sm2_pub *pub);

TY_API TY_MUST_CHECK ty_err ty_sm2_keygen(ty_sm2_key *key, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_sm2_key_set(ty_sm2_key *key, const uint8_t d[TY_AT_LEAST(32)]);   /* TY_ERR_KEY: not in [1, n-2] */

/* Z of GB/T 32918.2 5.5, and a hash that has absorbed Z, ready for the message.  err TY_ERR_SIZE: id_len > 8191 */
TY_API TY_MUST_CHECK ty_err ty_sm2_z(uint8_t z[TY_AT_LEAST(32)], const uint8_t *id, size_t id_len, const ty_sm2_pub *pub);
TY_API TY_MUST_CHECK ty_err ty_sm2_hash_init(ty_sm3 *h, const uint8_t *id, size_t id_len, const ty_sm2_pub *pub);

/* sig = r || s, big-endian */
TY_API TY_MUST_CHECK ty_err ty_sm2_sign(uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                                        const uint8_t *id, size_t id_len, const ty_sm2_key *key, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_sm2_sign_digest(uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)],
                                               const ty_sm2_key *key, const ty_rng *rng);
TY_API TY_MUST_CHECK ty_err ty_sm2_verify(const uint8_t sig[TY_AT_LEAST(64)], const uint8_t *msg, size_t msg_len,
                                          const uint8_t *id, size_t id_len, const ty_sm2_pub *pub);
TY_API TY_MUST_CHECK ty_err ty_sm2_verify_digest(const uint8_t sig[TY_AT_LEAST(64)], const uint8_t e[TY_AT_LEAST(32)],
                                                 const ty_sm2_pub *pub);

typedef enum ty_sm2_order { TY_SM2_C1C3C2 = 0, TY_SM2_C1C2C3 = 1 } ty_sm2_order;

/* out[msg_len + 97]; msg_len >= 1 */
TY_API TY_MUST_CHECK ty_err ty_sm2_encrypt(uint8_t *out, const uint8_t *msg, size_t msg_len, ty_sm2_order order,
                                           const ty_sm2_pub *pub, const ty_rng *rng);
/* out[in_len - 97]; zeroed on TY_ERR_VERIFY */
TY_API TY_MUST_CHECK ty_err ty_sm2_decrypt(uint8_t *out, const uint8_t *in, size_t in_len, ty_sm2_order order,
                                           const ty_sm2_key *key);

/* out = x coordinate of d * pub (RFC 8998 section 3.3.3) */
TY_API TY_MUST_CHECK ty_err ty_sm2_ecdh(uint8_t out[TY_AT_LEAST(32)], const ty_sm2_pub *pub, const ty_sm2_key *key);

/* Key exchange with confirmation (GB/T 32918.3). */
typedef enum ty_sm2_role { TY_SM2_INITIATOR = 0, TY_SM2_RESPONDER = 1 } ty_sm2_role;
typedef struct ty_sm2_kx {
    ty_sm2_role role;
    uint8_t r[32];
    ty_sm2_pub ephemeral;
} ty_sm2_kx;
TY_API TY_MUST_CHECK ty_err ty_sm2_kx_init(ty_sm2_kx *kx, uint8_t out[TY_AT_LEAST(65)], ty_sm2_role role, const ty_rng *rng);
/* shared[shared_len]; confirm_send = the hash to send, confirm_expect = the hash to receive and compare (ty_equal) */
TY_API TY_MUST_CHECK ty_err ty_sm2_kx_final(uint8_t *shared, size_t shared_len,
                                            uint8_t confirm_send[TY_AT_LEAST(32)], uint8_t confirm_expect[TY_AT_LEAST(32)],
                                            const uint8_t peer_ephemeral[TY_AT_LEAST(65)],
                                            const uint8_t *id, size_t id_len, const uint8_t *peer_id, size_t peer_id_len,
                                            const ty_sm2_pub *peer, const ty_sm2_key *key, ty_sm2_kx *kx);

#if defined(__cplusplus)
}
#endif
#endif
