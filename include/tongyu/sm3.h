/* Tongyu: SM3 (GB/T 32905-2016), HMAC-SM3, HKDF-SM3, the KDF of GB/T 32918.4 and
 * PBKDF2-HMAC-SM3. */
#ifndef TONGYU_SM3_H
#define TONGYU_SM3_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SM3_LEN   32  /* bytes of a digest, and of an HMAC */
#define TY_SM3_BLOCK 64  /* bytes of a block */

/* A running hash. May be copied to fork the state. 104 bytes, alignment of uint64_t; the fields are
 * private. */
typedef struct ty_sm3 {
    uint32_t h[8];
    uint64_t len;                 /* bytes absorbed so far */
    uint8_t block[TY_SM3_BLOCK];  /* the last len mod 64 of them */
} ty_sm3;

/* ty_sm3_init: an empty message. */
TY_API void ty_sm3_init(ty_sm3 *c);

/* ty_sm3_update: append msg[msg_len] to the message. Chunks may have any length; msg may be NULL
 * when msg_len is 0.
 *   limit  2^61 - 1 bytes in one message (its length in bits has to fit into 64 bits); beyond that
 *          the digest is meaningless
 *   time   secret: the message, the state; public: msg_len and the number of bytes absorbed
 *          before */
TY_API void ty_sm3_update(ty_sm3 *c, const uint8_t *msg, size_t msg_len);

/* ty_sm3_final: out = the digest of the whole message.
 *   after  c is wiped and must be initialised before it is used again
 *   spec   [GB/T 32905-2016, 5] */
TY_API void ty_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_sm3 *c);

/* ty_sm3_hash: out = SM3(msg), in one call.     alias: out may overlap msg */
TY_API void ty_sm3_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len);

/* One of many messages: the arguments of ty_sm3_hash. */
typedef struct ty_sm3_job {
    uint8_t *out;                 /* 32 bytes */
    const uint8_t *in;            /* may be NULL when len is 0 */
    size_t len;
} ty_sm3_job;

/* ty_sm3_many_hash: the digest of each of n messages, of any lengths. In one message each round
 * waits for the one before; several messages are hashed side by side, up to 4, 8 or 16 on x86-64
 * and 4 on AArch64, which is faster from three on. Messages of similar length are best put next to
 * each other.
 *   time   secret: the messages; public: n and the lengths
 *   alias  no out may overlap any message but its own     stack: about 7 KB, wiped */
TY_API void ty_sm3_many_hash(const ty_sm3_job *jobs, size_t n);

/* A running HMAC-SM3. The two padded key blocks are hashed once, at init. May be copied, like
 * ty_sm3; it is as secret as the key, so ty_wipe it when done. 312 bytes; the fields are
 * private. */
typedef struct ty_hmac_sm3 {
    ty_sm3 now, inner, outer;
} ty_hmac_sm3;

/* ty_hmac_sm3_init: sets the key; a key longer than 64 bytes is hashed first, as the RFC says.
 *   in     key[key_len], any length; key may be NULL when key_len is 0
 *   time   secret: the key; public: key_len */
TY_API void ty_hmac_sm3_init(ty_hmac_sm3 *c, const uint8_t *key, size_t key_len);

/* ty_hmac_sm3_update: append to the message; as ty_sm3_update. */
TY_API void ty_hmac_sm3_update(ty_hmac_sm3 *c, const uint8_t *msg, size_t msg_len);

/* ty_hmac_sm3_final: out = the tag. To check a tag, compute it and compare with ty_equal.
 *   after  c is ready for another message under the same key
 *   spec   [RFC 2104, 2] with SM3 */
TY_API void ty_hmac_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_hmac_sm3 *c);

/* ty_hmac_sm3_mac: out = HMAC-SM3(key, msg), in one call; no trace of the key remains.
 *   time   secret: the key, the message; public: the lengths     alias: out may overlap msg and
 *          key */
TY_API void ty_hmac_sm3_mac(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                            const uint8_t *key, size_t key_len);

/* ty_sm3_many_hmac: HMAC-SM3 of each of n messages, of any lengths, under one key; side by side, as
 * ty_sm3_many_hash does it. A message of up to 55 bytes takes two compressions.
 *   in     key: as ty_hmac_sm3_init leaves it; messages appended to it are ignored
 *   time   secret: the key, the messages; public: n and the lengths
 *   alias  no out may overlap any message but its own     stack: about 9 KB, wiped */
TY_API void ty_sm3_many_hmac(const ty_sm3_job *jobs, size_t n, const ty_hmac_sm3 *key);

/* ty_kdf_sm3: out = SM3(z || 1) || SM3(z || 2) || ..., counters of 32 bits, cut to out_len bytes.
 *   in     z[z_len]; out_len may be 0
 *   err    TY_ERR_SIZE: out_len > 32 (2^32 - 1); out is untouched
 *   time   secret: z; public: the lengths           alias: out may overlap z
 *   spec   [GB/T 32918.4-2016, 5.4.3] */
TY_API TY_MUST_CHECK ty_err ty_kdf_sm3(uint8_t *out, size_t out_len, const uint8_t *z,
                                       size_t z_len);

/* ty_pbkdf2_sm3: a key from a password, at the cost of two compressions for each iteration and each
 * 32 bytes of out.
 *   in     password[password_len], salt[salt_len], any lengths; iterations >= 1
 *   err    TY_ERR_ARG: iterations == 0
 *          TY_ERR_SIZE: out_len > 32 (2^32 - 1)
 *          out is untouched in both cases
 *   time   secret: password; public: the lengths, iterations
 *          alias: out may not overlap salt
 *   spec   [RFC 8018, 5.2] with HMAC-SM3 */
TY_API TY_MUST_CHECK ty_err ty_pbkdf2_sm3(uint8_t *out, size_t out_len, const uint8_t *password,
                                          size_t password_len, const uint8_t *salt, size_t salt_len,
                                          uint32_t iterations);

/* One of many passwords: the arguments of ty_pbkdf2_sm3. */
typedef struct ty_pbkdf2_sm3_job {
    uint8_t *out;
    size_t out_len;
    const uint8_t *password;
    size_t password_len;
    const uint8_t *salt;
    size_t salt_len;
} ty_pbkdf2_sm3_job;

/* ty_sm3_many_pbkdf2: as ty_pbkdf2_sm3 for each of n passwords, side by side, up to 4, 8 or 16 on
 * x86-64 and 4 on AArch64.
 *   err    TY_ERR_ARG: iterations == 0
 *          TY_ERR_SIZE: an out_len > 32 (2^32 - 1)
 *          no out is touched in either case
 *   time   as ty_pbkdf2_sm3; public: n too
 *   alias  no out may overlap anything of a job     stack: 11 KB, wiped */
TY_API TY_MUST_CHECK ty_err ty_sm3_many_pbkdf2(const ty_pbkdf2_sm3_job *jobs, size_t n,
                                               uint32_t iterations);

/* ty_hkdf_sm3_extract: prk = HMAC-SM3(salt, ikm): a key from material that is secret but not
 * uniform.
 *   in     salt[salt_len], ikm[ikm_len], any lengths; an empty salt is the same as 32 zero bytes
 *   time   secret: ikm, salt; public: the lengths
 *          alias: prk may overlap ikm and salt
 *   spec   [RFC 5869, 2.2] with HMAC-SM3 */
TY_API void ty_hkdf_sm3_extract(uint8_t prk[TY_AT_LEAST(32)], const uint8_t *ikm, size_t ikm_len,
                                const uint8_t *salt, size_t salt_len);

/* ty_hkdf_sm3_expand: out = T(1) || T(2) || ..., T(i) = HMAC-SM3(prk, T(i - 1) || info || i), cut
 * to out_len bytes.
 *   in     prk[prk_len], 32 bytes or more for its full strength; info[info_len]; out_len may be 0
 *   err    TY_ERR_SIZE: out_len > 255 * 32; out is untouched
 *   time   secret: prk; public: the lengths, info
 *          alias: out may overlap prk, not info
 *   spec   [RFC 5869, 2.3] with HMAC-SM3 */
TY_API TY_MUST_CHECK ty_err ty_hkdf_sm3_expand(uint8_t *out, size_t out_len, const uint8_t *prk,
                                               size_t prk_len, const uint8_t *info,
                                               size_t info_len);

/* ty_hkdf_sm3: extract, then expand.
 * err, time: as expand
 * alias: out may overlap ikm and salt, not info */
TY_API TY_MUST_CHECK ty_err ty_hkdf_sm3(uint8_t *out, size_t out_len, const uint8_t *ikm,
                                        size_t ikm_len, const uint8_t *salt, size_t salt_len,
                                        const uint8_t *info, size_t info_len);

#if defined(__cplusplus)
}
#endif
#endif
