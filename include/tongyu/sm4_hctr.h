/* Tongyu: SM4-HCTR, a tweakable wide-block mode for messages of any length from 16 bytes on (GB/T
 * 17964-2021, 11): the ciphertext is as long as the plaintext, and every bit of it depends on every
 * bit of the plaintext, so that an altered ciphertext decrypts to random-looking bytes throughout.
 * Like XTS it is deterministic and has no tag.
 *
 * out and in are the same buffer or do not overlap at all (else TY_ERR_ARG, and nothing is
 * written); any alignment; time depends on lengths alone. A key may be shared by threads; ty_wipe
 * it when done. */
#ifndef TONGYU_SM4_HCTR_H
#define TONGYU_SM4_HCTR_H

#include "tongyu/sm4.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define TY_SM4_HCTR_KEY 32    /* bytes of a key: first that of the cipher, then that of the hash */
#define TY_SM4_HCTR_MIN 16    /* shortest message */
/* longest, 2^61 - 1 bytes: what is hashed ends with the length in bits, as a 64-bit number */
#define TY_SM4_HCTR_MAX 0x1fffffffffffffffu

/* The two keys. The fields are private. */
typedef struct ty_sm4_hctr_key {
    ty_sm4_key sm4;
    const struct ty_f2_128_ops *hash;
    uint64_t power[8][2];
} ty_sm4_hctr_key;

/* ty_sm4_hctr_init: expand the two keys, which must be independent and random. */
TY_API void ty_sm4_hctr_init(ty_sm4_hctr_key *key, const uint8_t bytes[TY_AT_LEAST(32)]);

/* ty_sm4_hctr_{encrypt,decrypt}: one message.
 *   in     len: any number of bytes from 16 on; a message is processed whole, not in chunks.
 *          tweak: 16 bytes, public
 *   err    TY_ERR_ARG: len < 16     TY_ERR_SIZE: len > TY_SM4_HCTR_MAX.   out is untouched
 *   time   public: len          alias: out == in, or apart
 *   spec   [GB/T 17964-2021, 11]; Wang, Feng, Wu: HCTR (CISC 2005) */
TY_API TY_MUST_CHECK ty_err ty_sm4_hctr_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                const uint8_t tweak[TY_AT_LEAST(16)],
                                                const ty_sm4_hctr_key *key);
TY_API TY_MUST_CHECK ty_err ty_sm4_hctr_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                                                const uint8_t tweak[TY_AT_LEAST(16)],
                                                const ty_sm4_hctr_key *key);

#if defined(__cplusplus)
}
#endif
#endif
