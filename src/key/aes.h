/* AES (FIPS 197), portable: for private keys that other programs encrypted; not part of the public
 * interface.
 *   time   constant in key and data: the S-box is computed, x^254 and an affine map, for the eight
 *          bytes of a word at once; there is no table. About 5 us a block on Zen 4; an SM2 key
 *          takes ten blocks */
#ifndef TY_KEY_AES_H
#define TY_KEY_AES_H

#include "tongyu/base.h"

typedef struct ty_aes {
    uint64_t round_key[15][2];   /* two columns a word, the first byte lowest */
    unsigned rounds;
} ty_aes;

/* key_len: 16, 24 or 32 */
void ty_aes_init(ty_aes *c, const uint8_t *key, size_t key_len);

/* out = in, len bytes of whole blocks, in CBC mode (SP 800-38A, 6.2).     alias: out may be in */
void ty_aes_cbc_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                        const uint8_t iv[TY_AT_LEAST(16)], const ty_aes *c);
void ty_aes_cbc_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                        const uint8_t iv[TY_AT_LEAST(16)], const ty_aes *c);

#endif
