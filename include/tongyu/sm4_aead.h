/* Tongyu: more authenticated encryption on SM4: CCM (SP 800-38C, RFC 8998), OCB (RFC 7253) and
 * GCM-SIV (RFC 8452). GCM is in <tongyu/sm4.h>. All take additional data, which are authenticated
 * and stay in the clear.
 *
 * Which one: GCM if in doubt. CCM where a protocol asks for it; it is serial and much slower. OCB
 * where its speed without a carry-less multiplier counts. GCM-SIV where nonces might repeat: it
 * then reveals only that two messages are the same.
 *
 * In all functions, out and in are the same buffer or do not overlap at all, tag overlaps neither
 * (else TY_ERR_ARG, and nothing is written); a pointer may be NULL when its length is 0; the time
 * depends on lengths and nonces alone. open leaves nothing but zeros if the tag is wrong. Objects
 * hold secrets: ty_wipe keys when done; final and verify wipe messages. A key may be shared by
 * threads. */
#ifndef TONGYU_SM4_AEAD_H
#define TONGYU_SM4_AEAD_H

#include "tongyu/sm4.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* --- CCM: CTR and CBC-MAC --------------------------------------------------------------------- */

/* A plain ty_sm4_key is all it needs.
 *
 * ty_sm4_ccm_seal: out = in encrypted, tag = its authentication together with aad.
 *   in     nonce_len: 7 to 13, each with its own limit on in_len: below 2^(8 (15 - nonce_len)),
 *          that is 64 KB for 13, 16 MB for 12, ... NEVER use the same nonce twice under one key.
 *          tag_len: 4, 6, 8, ... 16; it is authenticated too; use 16
 *   err    TY_ERR_ARG: nonce_len, tag_len
 *          TY_ERR_SIZE: in_len is over the limit.
 *          out, tag untouched
 *   time   secret: in, aad, the key; public: lengths, nonce
 *   alias  out == in, or apart; tag apart from all others
 *   spec   [SP 800-38C, 6.1 and A.2], [RFC 3610], [RFC 8998, 3.2] */
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_seal(uint8_t *out, uint8_t *tag, size_t tag_len,
                                            const uint8_t *in, size_t in_len, const uint8_t *aad,
                                            size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                                            const ty_sm4_key *key);

/* ty_sm4_ccm_open: check the tag, and only if it is right write the plaintext: a long ciphertext is
 * deciphered twice.
 *   err    TY_ERR_VERIFY: wrong tag; out[0..in_len) is zeroed
 *          TY_ERR_ARG, TY_ERR_SIZE: as for seal, out untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_open(uint8_t *out, const uint8_t *in, size_t in_len,
                                            const uint8_t *tag, size_t tag_len, const uint8_t *aad,
                                            size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                                            const ty_sm4_key *key);

/* One message in chunks: start; aad any number of times; encrypt or decrypt, never both, any number
 * of times; then final or verify. CCM has to know all lengths before the first byte. The key must
 * outlive the message. The fields are private. */
typedef struct ty_sm4_ccm {
    const ty_sm4_key *key;
    uint64_t aad_left, left;     /* bytes that are still to come */
    uint8_t x[16], mask[16];     /* the chaining value of CBC-MAC; the mask of the tag */
    uint8_t counter[16], pad[16];
    /* bytes of the current block that are in x; bytes of pad that are not used yet */
    uint32_t used, pad_left;
    uint8_t tag_len, state;
} ty_sm4_ccm;

/* ty_sm4_ccm_start: begin a message of len bytes with aad_len bytes of additional data and a tag of
 * tag_len.
 *   err    TY_ERR_ARG, TY_ERR_SIZE: as for seal; c then refuses every call */
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_start(ty_sm4_ccm *c, const uint8_t *nonce, size_t nonce_len,
                                             uint64_t aad_len, uint64_t len, size_t tag_len,
                                             const ty_sm4_key *key);
/* err TY_ERR_STATE: out of order, or additional data are missing; TY_ERR_SIZE: more than the length
 * set. c stays as it was. */
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_aad(ty_sm4_ccm *c, const uint8_t *aad, size_t aad_len);
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               ty_sm4_ccm *c);
/* ty_sm4_ccm_decrypt: the bytes it writes are NOT authenticated until ty_sm4_ccm_verify returns
 * TY_OK; do not act on them, and discard them if it fails. ty_sm4_ccm_open does not have this
 * danger. */
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               ty_sm4_ccm *c);
/* ty_sm4_ccm_final: the tag of an encryption; c is wiped.
 *   in     tag_len: as at start
 *   err    TY_ERR_ARG: another tag_len; TY_ERR_SIZE: less than the length set; TY_ERR_STATE: not
 *          started, finished, or decrypting.   c stays as it was */
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_final(uint8_t *tag, size_t tag_len, ty_sm4_ccm *c);
/* ty_sm4_ccm_verify: TY_OK if tag is that of the message decrypted, TY_ERR_VERIFY if not; c is
 * wiped either way.
 *   err    TY_ERR_ARG, TY_ERR_SIZE, TY_ERR_STATE: as for final, but encrypting instead of
 *          decrypting */
TY_API TY_MUST_CHECK ty_err ty_sm4_ccm_verify(const uint8_t *tag, size_t tag_len, ty_sm4_ccm *c);

/* --- OCB -------------------------------------------------------------------------------------- */

/* masks that are kept; for a longer message one more is computed every 2^16 blocks */
#define TY_SM4_OCB_MASKS 16

/* A key and the masks derived from it. The fields are private. */
typedef struct ty_sm4_ocb_key {
    ty_sm4_key sm4;
    uint8_t rest[16], tag[16];             /* L_* and L_$ of the RFC */
    uint8_t mask[TY_SM4_OCB_MASKS][16];    /* L_0, L_1, ... */
} ty_sm4_ocb_key;

/* ty_sm4_ocb_init: key = the round keys of bytes, and the masks.     time: constant */
TY_API void ty_sm4_ocb_init(ty_sm4_ocb_key *key, const uint8_t bytes[TY_AT_LEAST(16)]);

/* ty_sm4_ocb_seal: out = in encrypted, tag = its authentication together with aad.
 *   in     nonce_len: 1 to 15, 12 is usual; all lengths may be mixed under a key. NEVER use the
 *          same nonce twice under one key.
 *          tag_len: 8 to 16; it is authenticated too; use 16
 *   err    TY_ERR_ARG: nonce_len, tag_len; out, tag untouched
 *   time   secret: in, aad, the key; public: lengths, nonce
 *   alias  out == in, or apart; tag apart from all others
 *   limit  2^48 blocks under one key [RFC 7253, 5]: the caller has to count them
 *   spec   [RFC 7253, 4.2] with SM4 for AES */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_seal(uint8_t *out, uint8_t *tag, size_t tag_len,
                                            const uint8_t *in, size_t in_len, const uint8_t *aad,
                                            size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                                            const ty_sm4_ocb_key *key);

/* ty_sm4_ocb_open: the plaintext if the tag is right. OCB's tag is computed from the plaintext, so
 * out holds it during the call; when the call returns it is verified or wiped.
 *   err    TY_ERR_VERIFY: wrong tag; out[0..in_len) is zeroed
 *          TY_ERR_ARG: as for seal, out untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_open(uint8_t *out, const uint8_t *in, size_t in_len,
                                            const uint8_t *tag, size_t tag_len, const uint8_t *aad,
                                            size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                                            const ty_sm4_ocb_key *key);

/* One message in chunks: start; then aad, and encrypt or decrypt, never both, any number of times
 * and in any order; then final or verify. The key must outlive it. The fields are private. */
typedef struct ty_sm4_ocb {
    const ty_sm4_ocb_key *key;
    uint64_t aad_blocks, blocks;           /* whole blocks so far */
    uint8_t aad_offset[16], aad_sum[16], offset[16], checksum[16];   /* as in the RFC */
    uint8_t aad_part[16], part[16];        /* bytes that wait for the rest of their block */
    uint32_t aad_used, used;
    uint8_t tag_len, state;
} ty_sm4_ocb;

/* ty_sm4_ocb_start: begin a message.
 * err TY_ERR_ARG: nonce_len, tag_len; c then refuses every call */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_start(ty_sm4_ocb *c, const uint8_t *nonce, size_t nonce_len,
                                             size_t tag_len, const ty_sm4_ocb_key *key);
/* err TY_ERR_STATE: not started, or finished */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_aad(ty_sm4_ocb *c, const uint8_t *aad, size_t aad_len);
/* ty_sm4_ocb_encrypt: take in[in_len], write every block that is complete; *out_len bytes are
 * written.
 *   out    room for in_len + 15 bytes is always enough; a call writes at most in_len rounded up to
 *          a block
 *   err    TY_ERR_STATE: not started, finished, or decrypting
 *          TY_ERR_ARG: out and in overlap otherwise than below. *out_len = 0, c stays as it was
 *   alias  out == in is allowed, and out may begin before in, by the number of bytes held back:
 *          nothing is written over input that has not been read. Note that a call may write up to
 *          15 bytes more than it takes */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_encrypt(uint8_t *out, size_t *out_len, const uint8_t *in,
                                               size_t in_len, ty_sm4_ocb *c);
/* ty_sm4_ocb_decrypt: likewise; the bytes it writes are NOT authenticated until ty_sm4_ocb_verify
 * returns TY_OK. */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_decrypt(uint8_t *out, size_t *out_len, const uint8_t *in,
                                               size_t in_len, ty_sm4_ocb *c);
/* ty_sm4_ocb_final: the last 0 to 15 bytes of an encryption, and its tag; c is wiped.
 *   in     tag_len: as at start; tag apart from out
 *   err    TY_ERR_ARG: another tag_len, or an overlap; TY_ERR_STATE: not started, finished, or
 *          decrypting.
 *          *out_len = 0, c stays as it was */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_final(uint8_t out[TY_AT_LEAST(15)], size_t *out_len,
                                             uint8_t *tag, size_t tag_len, ty_sm4_ocb *c);
/* ty_sm4_ocb_verify: the last 0 to 15 bytes of a decryption, if tag is right; c is wiped either
 * way.
 *   err    TY_ERR_VERIFY: wrong tag; *out_len = 0
 *          TY_ERR_ARG, TY_ERR_STATE: as for final, but encrypting instead of decrypting */
TY_API TY_MUST_CHECK ty_err ty_sm4_ocb_verify(uint8_t out[TY_AT_LEAST(15)], size_t *out_len,
                                              const uint8_t *tag, size_t tag_len, ty_sm4_ocb *c);

/* --- GCM-SIV ---------------------------------------------------------------------------------- */

/* longest message, and longest additional data, in bytes */
#define TY_SM4_GCM_SIV_MAX ((uint64_t)1 << 36)

/* A plain ty_sm4_key is all it needs: every nonce has its own keys, derived at a cost of about two
 * key set-ups.
 *
 * ty_sm4_gcm_siv_seal: out = in encrypted, tag = its authentication together with aad.
 *   in     a nonce that is repeated under the same key reveals whether message and additional data
 *          are repeated too, and no more; do not rely on it
 *   err    TY_ERR_SIZE: in_len or aad_len over TY_SM4_GCM_SIV_MAX; out, tag untouched
 *   time   secret: in, aad, the key; public: lengths, nonce
 *   alias  out == in, or apart; tag apart from all others
 *   limit  2^32 messages under one key with random nonces, and 2^8 with the same nonce [RFC 8452,
 *          6]: the caller has to count them
 *   spec   [RFC 8452, 4] with SM4 for AES-128. There is no streaming: the tag comes before the
 *          first byte */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_siv_seal(uint8_t *out, uint8_t tag[TY_AT_LEAST(16)],
                                                const uint8_t *in, size_t in_len,
                                                const uint8_t *aad, size_t aad_len,
                                                const uint8_t nonce[TY_AT_LEAST(12)],
                                                const ty_sm4_key *key);

/* ty_sm4_gcm_siv_open: the plaintext if the tag is right. The tag is computed from the plaintext,
 * so out holds it during the call; when the call returns it is verified or wiped.
 *   err    TY_ERR_VERIFY: wrong tag; out[0..in_len) is zeroed
 *          TY_ERR_SIZE: as for seal, out untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_siv_open(uint8_t *out, const uint8_t *in, size_t in_len,
                                                const uint8_t tag[TY_AT_LEAST(16)],
                                                const uint8_t *aad, size_t aad_len,
                                                const uint8_t nonce[TY_AT_LEAST(12)],
                                                const ty_sm4_key *key);

#if defined(__cplusplus)
}
#endif
#endif
