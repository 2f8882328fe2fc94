/* Tongyu: SM4 (GB/T 32907-2016) in ECB, CBC, CFB, OFB, CTR (GB/T 17964-2021, NIST SP 800-38A), BC,
 * OFBNLF (GB/T 17964-2021) and GCM (SP 800-38D, RFC 8998). XTS is in sm4_xts.h, HCTR in sm4_hctr.h,
 * key wrap in sm4_wrap.h, CCM, OCB and GCM-SIV in sm4_aead.h, MACs in sm4_mac.h.
 *
 * init sets up a key; start begins a message under it; update takes it in chunks of any length;
 * final ends it. In all functions, out and in are the same buffer or do not overlap at all; if they
 * overlap otherwise, functions that can fail return TY_ERR_ARG and leave out untouched; a pointer
 * may be NULL when its length is 0; len counts bytes; any alignment; time depends on lengths and,
 * where a counter carries, on iv, which is public. Objects hold secrets: ty_wipe them when done. A
 * key may be shared by threads. */
#ifndef TONGYU_SM4_H
#define TONGYU_SM4_H

#include "tongyu/base.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SM4_BLOCK 16  /* bytes of a block and of a key */

/* A key, laid out for the tier that was in use at its initialisation. The fields are private. */
typedef struct ty_sm4_key {
    const struct ty_sm4_ops *ops;
    uint32_t enc[32], dec[32];   /* round keys in the order of use */
} ty_sm4_key;

/* ty_sm4_init: key = the round keys of bytes.   time: constant     spec   [GB/T 32907-2016, 7.3] */
TY_API void ty_sm4_init(ty_sm4_key *key, const uint8_t bytes[TY_AT_LEAST(16)]);

/* --- One-shot --------------------------------------------------------------------------------- */

/* ty_sm4_ecb_encrypt and so on: ECB and CBC without padding.
 *   err    TY_ERR_ARG: len is not a multiple of 16; out is untouched
 *   spec   [GB/T 17964-2021, 5 and 6] [SP 800-38A, 6.1 and 6.2] */
TY_API TY_MUST_CHECK ty_err ty_sm4_ecb_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_ecb_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               const uint8_t iv[TY_AT_LEAST(16)],
                                               const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_cbc_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               const uint8_t iv[TY_AT_LEAST(16)],
                                               const ty_sm4_key *key);

/* ty_sm4_ctr: the whole 16-byte block is the counter, big-endian, wrapping mod 2^128. Encryption
 * and decryption are the same; any len.
 *   spec   [GB/T 17964-2021, 9] [SP 800-38A, 6.5] */
TY_API void ty_sm4_ctr(uint8_t *out, const uint8_t *in, size_t len,
                       const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);

/* ty_sm4_cfb_encrypt, ty_sm4_cfb_decrypt: CFB with full-block feedback; ty_sm4_ofb: OFB, in both
 * directions. Any len.
 *   spec   [GB/T 17964-2021, 7 and 8] [SP 800-38A, 6.3 and 6.4] */
TY_API void ty_sm4_cfb_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                               const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);
TY_API void ty_sm4_cfb_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                               const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);
TY_API void ty_sm4_ofb(uint8_t *out, const uint8_t *in, size_t len,
                       const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);

/* CFB with 8 bits of feedback: one call of the cipher for every byte. Any length. Decryption
 * processes several blocks at once. */
TY_API void ty_sm4_cfb8_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);
TY_API void ty_sm4_cfb8_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);

/* CFB with 1 bit of feedback: one call of the cipher for every bit.
 *   in     bits counts BITS, any number; the first is the top bit of in[0]. (bits + 7)/8 bytes are
 *          read and written; the unused bits in the last byte of out become zero */
TY_API void ty_sm4_cfb1_encrypt(uint8_t *out, const uint8_t *in, size_t bits,
                                const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);
TY_API void ty_sm4_cfb1_decrypt(uint8_t *out, const uint8_t *in, size_t bits,
                                const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key);

/* BC, block chaining: C_i = E(P_i XOR F_i), F_1 = iv, F_(i+1) = F_i XOR C_i. An altered bit of the
 * ciphertext alters its whole block and the same bit of every block after it, and nothing detects
 * it: this is not authentication.
 *   err    TY_ERR_ARG: len is not a multiple of 16; out is untouched
 *   spec   [GB/T 17964-2021, 12] */
TY_API TY_MUST_CHECK ty_err ty_sm4_bc_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                              const uint8_t iv[TY_AT_LEAST(16)],
                                              const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_bc_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                              const uint8_t iv[TY_AT_LEAST(16)],
                                              const ty_sm4_key *key);

/* OFBNLF, OFB with a nonlinear function: K_i = E_K(K_(i-1)), K_0 = iv, C_i = E_(K_i)(P_i): a key of
 * its own for every block, which costs a key schedule and two calls of the cipher. Never use the
 * same iv twice under one key.
 *   err    TY_ERR_ARG: len is not a multiple of 16; out is untouched
 *   spec   [GB/T 17964-2021, 13] */
TY_API TY_MUST_CHECK ty_err ty_sm4_ofbnlf_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                  const uint8_t iv[TY_AT_LEAST(16)],
                                                  const ty_sm4_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_ofbnlf_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                  const uint8_t iv[TY_AT_LEAST(16)],
                                                  const ty_sm4_key *key);

/* --- Streaming: every mode above, one message in chunks --------------------------------------- */

typedef enum ty_sm4_mode {
    /* whole blocks */
    TY_SM4_ECB_ENCRYPT, TY_SM4_ECB_DECRYPT, TY_SM4_CBC_ENCRYPT, TY_SM4_CBC_DECRYPT,
    TY_SM4_BC_ENCRYPT, TY_SM4_BC_DECRYPT, TY_SM4_OFBNLF_ENCRYPT, TY_SM4_OFBNLF_DECRYPT,
    /* whole bytes: any length, never padded; CTR and OFB are the same in both directions */
    TY_SM4_CTR, TY_SM4_OFB, TY_SM4_CFB_ENCRYPT, TY_SM4_CFB_DECRYPT,
    TY_SM4_CFB8_ENCRYPT, TY_SM4_CFB8_DECRYPT, TY_SM4_CFB1_ENCRYPT, TY_SM4_CFB1_DECRYPT
} ty_sm4_mode;

/* How a message becomes whole blocks. All but NONE append 1 to 16 bytes, so that they can always be
 * removed. */
typedef enum ty_sm4_pad {
    TY_SM4_PAD_NONE,             /* the message must be whole blocks */
    /* each appended byte holds the number of appended bytes [RFC 5652, 6.3] */
    TY_SM4_PAD_PKCS7,
    /* 0x80, then zeros                                      [ISO/IEC 7816-4] */
    TY_SM4_PAD_ISO7816,
    /* zeros, then a byte with the number of appended bytes  [ANSI X9.23] */
    TY_SM4_PAD_X923
} ty_sm4_pad;

/* One message. The key must outlive it. The fields are private. */
typedef struct ty_sm4_stream {
    const ty_sm4_key *key;
    uint8_t iv[16], held[16];
    /* input bytes that wait for the rest of their block; keystream bytes that are not used yet */
    uint32_t held_len;
    uint8_t mode, pad, state;
} ty_sm4_stream;

/* ty_sm4_start: begin a message.
 *   in     iv has 16 bytes; it is not read in ECB and may be NULL there
 *   err    TY_ERR_ARG: no such mode or padding, or a padding for a mode of whole bytes; c then
 *          refuses every call */
TY_API TY_MUST_CHECK ty_err ty_sm4_start(ty_sm4_stream *c, ty_sm4_mode mode, ty_sm4_pad pad,
                                         const uint8_t *iv, const ty_sm4_key *key);

/* ty_sm4_update: take in[in_len], write every block that is complete; *out_len bytes are written.
 *   out    room for in_len + 15 bytes is always enough; a call writes at most in_len rounded up to
 *          a block.
 *          Decryption with padding holds the last block back for final. The modes of whole bytes
 *          write in_len bytes
 *   err    TY_ERR_STATE: not started, or finished
 *          TY_ERR_ARG: out and in overlap otherwise than below.
 *          *out_len = 0
 *   alias  out == in is allowed: nothing is written over input that has not been read. Note that a
 *          call may write up to 15 bytes more than it takes. In modes of whole blocks out may also
 *          begin before in, by the number of bytes held back, so that a message can be processed in
 *          place */
TY_API TY_MUST_CHECK ty_err ty_sm4_update(uint8_t *out, size_t *out_len, const uint8_t *in,
                                          size_t in_len, ty_sm4_stream *c);

/* ty_sm4_final: write the remaining bytes (0 or 16 bytes when encrypting, 0 to 15 when decrypting)
 * and wipe c.
 *   out    room for 16 bytes
 *   err    TY_ERR_FORMAT: the message is not whole blocks, or its padding is wrong, *out_len = 0
 *          and out is untouched;
 *          TY_ERR_STATE
 *   time   the padding check takes the same time whatever the bytes are. The verdict itself is an
 *          oracle for anyone who can submit ciphertexts (Vaudenay, 2002): CBC needs a MAC over the
 *          ciphertext, checked first. Prefer GCM */
TY_API TY_MUST_CHECK ty_err ty_sm4_final(uint8_t out[TY_AT_LEAST(16)], size_t *out_len,
                                         ty_sm4_stream *c);

/* --- GCM -------------------------------------------------------------------------------------- */

/* A key with the powers of its hash key, computed once. The fields are private. */
typedef struct ty_sm4_gcm_key {
    ty_sm4_key sm4;
    const struct ty_f2_128_ops *ghash;
    uint64_t power[8][2];        /* H, H^2, ... H^8, in the layout of their tier */
} ty_sm4_gcm_key;

/* ty_sm4_gcm_init: key = the round keys of bytes, and the powers of H.     time: constant */
TY_API void ty_sm4_gcm_init(ty_sm4_gcm_key *key, const uint8_t bytes[TY_AT_LEAST(16)]);

#define TY_SM4_GCM_MAX     0xfffffffe0u              /* longest message, 2^36 - 32 bytes */
/* longest additional data and nonce, 2^61 - 1 bytes */
#define TY_SM4_GCM_AAD_MAX 0x1fffffffffffffffu

/* ty_sm4_gcm_seal: out = in encrypted, tag = its authentication together with aad.
 *   in     nonce: 1 byte or more, 12 is the fast and usual length. NEVER use the same nonce twice
 *          under one key: that reveals the XOR of the messages and the authentication key. aad may
 *          be NULL when aad_len is 0, and so may in and out when in_len is 0.   tag_len: 12 to 16
 *          [SP 800-38D, 5.2.1.2]; use 16
 *   err    TY_ERR_ARG: tag_len, nonce_len == 0, or an overlap
 *          TY_ERR_SIZE: a length is over its limit.
 *          out, tag untouched
 *   alias  out == in, or apart; tag apart from all others
 *   spec   [SP 800-38D, 7.1], [RFC 8998, 3.2] */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_seal(uint8_t *out, uint8_t *tag, size_t tag_len,
                                            const uint8_t *in, size_t in_len, const uint8_t *aad,
                                            size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                                            const ty_sm4_gcm_key *key);

/* ty_sm4_gcm_open: check the tag, and only if it is right write the plaintext.
 *   err    TY_ERR_VERIFY: wrong tag; out[0..in_len) is zeroed
 *          TY_ERR_ARG, TY_ERR_SIZE: as for seal, out untouched */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_open(uint8_t *out, const uint8_t *in, size_t in_len,
                                            const uint8_t *tag, size_t tag_len, const uint8_t *aad,
                                            size_t aad_len, const uint8_t *nonce, size_t nonce_len,
                                            const ty_sm4_gcm_key *key);

/* One message in chunks: start; aad any number of times; encrypt or decrypt, never both, any number
 * of times; then final or verify. The key must outlive it. The fields are private. */
typedef struct ty_sm4_gcm {
    const ty_sm4_gcm_key *key;
    uint64_t aad_len, len;       /* bytes so far */
    uint32_t state, has_mask, waits;   /* waits: bytes in wait[] */
    uint8_t y[16];               /* the running GHASH */
    uint8_t wait[128];           /* bytes that are not hashed yet, with room for the lengths */
    /* next counter block, running keystream block, E(J0) */
    uint8_t counter[16], pad[16], mask[16];
} ty_sm4_gcm;

/* ty_sm4_gcm_start: begin a message.
 * err TY_ERR_ARG: nonce_len == 0, TY_ERR_SIZE; c then refuses every call */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_start(ty_sm4_gcm *c, const uint8_t *nonce, size_t nonce_len,
                                             const ty_sm4_gcm_key *key);
/* err TY_ERR_STATE: out of order; TY_ERR_SIZE: over the limit. The object stays as it was. */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_aad(ty_sm4_gcm *c, const uint8_t *aad, size_t aad_len);
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               ty_sm4_gcm *c);
/* ty_sm4_gcm_decrypt: the bytes it writes are NOT authenticated until ty_sm4_gcm_verify returns
 * TY_OK; do not act on them, and discard them if it fails. ty_sm4_gcm_open does not have this
 * danger. */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                               ty_sm4_gcm *c);
/* ty_sm4_gcm_final: the tag of an encryption; c is wiped.
 *   err    TY_ERR_ARG: tag_len, c is not wiped
 *          TY_ERR_STATE: not started, finished, or decrypting */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_final(uint8_t *tag, size_t tag_len, ty_sm4_gcm *c);
/* ty_sm4_gcm_verify: TY_OK if tag is that of the message decrypted, TY_ERR_VERIFY if not; c is
 * wiped either way.
 *   err    TY_ERR_ARG, TY_ERR_STATE: as for final, but encrypting instead of decrypting */
TY_API TY_MUST_CHECK ty_err ty_sm4_gcm_verify(const uint8_t *tag, size_t tag_len, ty_sm4_gcm *c);

#if defined(__cplusplus)
}
#endif
#endif
