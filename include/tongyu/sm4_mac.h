/* Tongyu: authentication codes on SM4: CMAC (SP 800-38B, ISO/IEC 9797-1 algorithm 5), GMAC (SP
 * 800-38D) and CBC-MAC (ISO/IEC 9797-1 algorithm 1, GB/T 15852.1-2020). If you have a choice, use
 * CMAC: it needs neither a nonce nor a fixed length.
 *
 * In all functions, a message may be NULL when its length is 0; verify compares in a time that
 * depends on tag_len alone. Objects hold secrets: final and verify wipe messages; ty_wipe keys when
 * done. A message object may be copied to fork it; a key may be shared by threads. */
#ifndef TONGYU_SM4_MAC_H
#define TONGYU_SM4_MAC_H

#include "tongyu/sm4.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* --- CMAC ------------------------------------------------------------------------------------- */

/* A key and the two subkeys derived from it. The fields are private. */
typedef struct ty_sm4_cmac_key {
    ty_sm4_key sm4;
    uint8_t sub[2][16];          /* for a last block that is whole, and for one that is not */
} ty_sm4_cmac_key;

/* ty_sm4_cmac_init: key = the round keys of bytes, and the subkeys.     time: constant */
TY_API void ty_sm4_cmac_init(ty_sm4_cmac_key *key, const uint8_t bytes[TY_AT_LEAST(16)]);

/* ty_sm4_cmac_mac: tag = the CMAC of msg[msg_len], cut to tag_len bytes.
 *   in     tag_len: 4 to 16 [SP 800-38B, A.2: below 8 only with a limit on failed attempts]; use 16
 *   err    TY_ERR_ARG: tag_len; tag is untouched
 *   time   secret: msg, the key; public: the lengths
 *   limit  2^48 messages and 2^54 bytes under one key [SP 800-38B, B]: the caller has to count them
 *   spec   [SP 800-38B, 6.2]; RFC 4493 with SM4 for AES */
TY_API TY_MUST_CHECK ty_err ty_sm4_cmac_mac(uint8_t *tag, size_t tag_len, const uint8_t *msg,
                                            size_t msg_len, const ty_sm4_cmac_key *key);

/* ty_sm4_cmac_check: TY_OK if tag is that of msg, TY_ERR_VERIFY if not, TY_ERR_ARG: tag_len. */
TY_API TY_MUST_CHECK ty_err ty_sm4_cmac_check(const uint8_t *tag, size_t tag_len,
                                              const uint8_t *msg, size_t msg_len,
                                              const ty_sm4_cmac_key *key);

/* One message in chunks of any length: start, update any number of times, final or verify. The key
 * must outlive it. The fields are private. */
typedef struct ty_sm4_cmac {
    const ty_sm4_cmac_key *key;
    uint8_t x[16];               /* chaining value, with the bytes of the current block added */
    uint32_t used, state;        /* used: those bytes; 16 wait, because they may be the last */
} ty_sm4_cmac;

TY_API void ty_sm4_cmac_start(ty_sm4_cmac *c, const ty_sm4_cmac_key *key);
/* err TY_ERR_STATE: not started, or finished */
TY_API TY_MUST_CHECK ty_err ty_sm4_cmac_update(ty_sm4_cmac *c, const uint8_t *msg, size_t msg_len);
/* ty_sm4_cmac_final: the tag of the message; c is wiped.
 * err TY_ERR_ARG: tag_len, c stays as it was; TY_ERR_STATE */
TY_API TY_MUST_CHECK ty_err ty_sm4_cmac_final(uint8_t *tag, size_t tag_len, ty_sm4_cmac *c);
/* ty_sm4_cmac_verify: TY_OK or TY_ERR_VERIFY, and c is wiped.
 * err TY_ERR_ARG, TY_ERR_STATE: as for final */
TY_API TY_MUST_CHECK ty_err ty_sm4_cmac_verify(const uint8_t *tag, size_t tag_len, ty_sm4_cmac *c);

/* --- GMAC: GCM with additional data and no message -------------------------------------------- */

/* ty_sm4_gmac_mac: tag of msg[msg_len] under a nonce.
 *   in     the rules are those of ty_sm4_gcm_seal, with msg for aad. NEVER use the same nonce twice
 *          under one key, nor one that GCM used under it: two tags reveal the authentication key,
 *          with which any message can be forged
 *   err    TY_ERR_ARG: tag_len outside 12 to 16, or nonce_len == 0
 *          TY_ERR_SIZE: a length over TY_SM4_GCM_AAD_MAX
 *   time   secret: msg, the key; public: the lengths
 *   spec   [SP 800-38D, 7.1 and 3: GMAC] */
TY_API TY_MUST_CHECK ty_err ty_sm4_gmac_mac(uint8_t *tag, size_t tag_len, const uint8_t *msg,
                                            size_t msg_len, const uint8_t *nonce, size_t nonce_len,
                                            const ty_sm4_gcm_key *key);
/* ty_sm4_gmac_check: TY_OK if tag is that of msg, TY_ERR_VERIFY if not; TY_ERR_ARG, TY_ERR_SIZE: as
 * for mac. */
TY_API TY_MUST_CHECK ty_err ty_sm4_gmac_check(const uint8_t *tag, size_t tag_len,
                                              const uint8_t *msg, size_t msg_len,
                                              const uint8_t *nonce, size_t nonce_len,
                                              const ty_sm4_gcm_key *key);

/* One message in chunks. The key must outlive it. */
typedef struct ty_sm4_gmac {
    ty_sm4_gcm gcm;
} ty_sm4_gmac;

/* ty_sm4_gmac_start: begin a message.
 * err TY_ERR_ARG: nonce_len == 0, TY_ERR_SIZE; c then refuses every call */
TY_API TY_MUST_CHECK ty_err ty_sm4_gmac_start(ty_sm4_gmac *c, const uint8_t *nonce,
                                              size_t nonce_len, const ty_sm4_gcm_key *key);
/* err TY_ERR_STATE: not started, or finished; TY_ERR_SIZE: over the limit, c stays as it was */
TY_API TY_MUST_CHECK ty_err ty_sm4_gmac_update(ty_sm4_gmac *c, const uint8_t *msg, size_t msg_len);
/* As ty_sm4_cmac_final and ty_sm4_cmac_verify, with tag_len 12 to 16. */
TY_API TY_MUST_CHECK ty_err ty_sm4_gmac_final(uint8_t *tag, size_t tag_len, ty_sm4_gmac *c);
TY_API TY_MUST_CHECK ty_err ty_sm4_gmac_verify(const uint8_t *tag, size_t tag_len, ty_sm4_gmac *c);

/* --- CBC-MAC ---------------------------------------------------------------------------------- */

/* UNSAFE FOR MESSAGES OF DIFFERENT LENGTHS. Anyone who has the whole tag t of a one-block message m
 * has a forgery: with TY_SM4_MAC_ZEROS, t is also the tag of m || (m XOR t); with TY_SM4_MAC_ONE,
 * of m || p || (m XOR t), where p is the padding, a block. Use it only where a protocol requires
 * it, and then only where all messages under a key have one length (or with TY_SM4_MAC_LENGTH,
 * whose first block is the length). Never use it with the key of CBC encryption. It is here for
 * existing protocols; use CMAC for anything new. */
typedef enum ty_sm4_mac_pad {
    /* method 1: zeros, as few as needed; an empty message is a block of zeros. Zeros at the end of
     * a message are not distinguished from padding */
    TY_SM4_MAC_ZEROS = 1,
    /* method 2: one bit 1, then zeros; at least the bit */
    TY_SM4_MAC_ONE,
    /* method 3: as method 1, after a block that holds the length in bits */
    TY_SM4_MAC_LENGTH
} ty_sm4_mac_pad;

/* ty_sm4_cbc_mac_mac: tag = CBC-MAC of msg[msg_len], cut to tag_len bytes.
 *   in     tag_len: 4 to 16
 *   err    TY_ERR_ARG: tag_len, or no such padding; tag is untouched
 *          TY_ERR_SIZE: method 3 and msg_len over 2^61 - 1
 *   time   secret: msg, the key; public: the lengths
 *   spec   [ISO/IEC 9797-1:2011, 6.3 and 7.2: MAC algorithm 1, output transformation 1], [GB/T
 *          15852.1-2020, 6 and 7] */
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_mac_mac(uint8_t *tag, size_t tag_len, const uint8_t *msg,
                                               size_t msg_len, ty_sm4_mac_pad pad,
                                               const ty_sm4_key *key);
/* ty_sm4_cbc_mac_check: TY_OK if tag is that of msg, TY_ERR_VERIFY if not; TY_ERR_ARG, TY_ERR_SIZE:
 * as for mac. */
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_mac_check(const uint8_t *tag, size_t tag_len,
                                                 const uint8_t *msg, size_t msg_len,
                                                 ty_sm4_mac_pad pad, const ty_sm4_key *key);

/* One message in chunks. The key must outlive it. The fields are private. */
typedef struct ty_sm4_cbc_mac {
    const ty_sm4_key *key;
    uint64_t left;               /* method 3: bytes that are still to come */
    uint8_t x[16];               /* as in ty_sm4_cmac */
    uint32_t used;
    uint8_t pad, state, empty;
} ty_sm4_cbc_mac;

/* ty_sm4_cbc_mac_start: begin a message. Method 3 has to know its whole length; the others do
 * not read msg_len.
 *   err    TY_ERR_ARG: no such padding, TY_ERR_SIZE: method 3 and msg_len over 2^61 - 1; c then
 *          refuses every call */
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_mac_start(ty_sm4_cbc_mac *c, ty_sm4_mac_pad pad,
                                                 uint64_t msg_len, const ty_sm4_key *key);
/* err TY_ERR_STATE: not started, or finished; TY_ERR_SIZE: method 3 and more than the length set, c
 * stays as it was */
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_mac_update(ty_sm4_cbc_mac *c, const uint8_t *msg,
                                                  size_t msg_len);
/* As ty_sm4_cmac_final and ty_sm4_cmac_verify.
 * err TY_ERR_SIZE: method 3 and less than the length set, c stays as it was */
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_mac_final(uint8_t *tag, size_t tag_len, ty_sm4_cbc_mac *c);
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_mac_verify(const uint8_t *tag, size_t tag_len,
                                                  ty_sm4_cbc_mac *c);

#if defined(__cplusplus)
}
#endif
#endif
