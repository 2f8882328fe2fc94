/* CFB with full-block feedback, and OFB. Encryption in both is a chain; CFB decryption goes side by side, in the kernels. */
#include "sm4/sm4.h"

#include <string.h>

static void xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++) out[i] = a[i] ^ b[i];
}

void ty_sm4_cfb_encrypt(uint8_t *out, const uint8_t *in, size_t len, const uint8_t iv[TY_AT_LEAST(16)],
                        const ty_sm4_key *key)
{
    const ty_sm4_ops *ops = key->ops;
    uint8_t pad[16];
    const uint8_t *last = iv;
    while (len) {
        const size_t some = len < 16 ? len : 16;
        ops->ecb(pad, last, 1, key->enc);
        xor_bytes(out, in, pad, some);
        last = out;
        out += some;
        in += some;
        len -= some;
    }
    ty_wipe(pad, sizeof pad);
}

void ty_sm4_cfb_decrypt(uint8_t *out, const uint8_t *in, size_t len, const uint8_t iv[TY_AT_LEAST(16)],
                        const ty_sm4_key *key)
{
    const ty_sm4_ops *ops = key->ops;
    const size_t rest = len % 16, done = len - rest;
    uint8_t last[16];
    memcpy(last, iv, 16);
    ops->cfb_decrypt(out, in, done / 16, last, key->enc);
    if (rest) {
        ops->ecb(last, last, 1, key->enc);
        xor_bytes(out + done, in + done, last, rest);
    }
    ty_wipe(last, sizeof last);
}

void ty_sm4_ofb(uint8_t *out, const uint8_t *in, size_t len, const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    const ty_sm4_ops *ops = key->ops;
    uint8_t pad[16];
    memcpy(pad, iv, 16);
    while (len) {
        const size_t some = len < 16 ? len : 16;
        ops->ecb(pad, pad, 1, key->enc);
        xor_bytes(out, in, pad, some);
        out += some;
        in += some;
        len -= some;
    }
    ty_wipe(pad, sizeof pad);
}
