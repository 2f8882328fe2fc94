/* BC and OFBNLF [GB/T 17964-2021, 12 and 13]. All but BC decryption are sequential. */
#include "sm4/sm4.h"
#include "base/overlap.h"

#include <string.h>

static void bc_encrypt(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t f[16],
                       const ty_sm4_key *key)
{
    uint8_t x[16];
    for (; blocks; blocks--, in += 16, out += 16) {
        ty_sm4_xor(x, in, f);
        TY_HELD(sm4, key->ops)->ecb(x, x, 1, key->enc);
        ty_sm4_xor(f, f, x);
        memcpy(out, x, 16);
    }
}

/* F_i is the sum of iv and all ciphertext before block i: computed for a chunk before `out`, which
 * may be `in`, is written. */
static void bc_decrypt(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t f[16],
                       const ty_sm4_key *key)
{
    uint8_t sums[16 * TY_SM4_CHUNK];
    while (blocks) {
        const size_t some = blocks < TY_SM4_CHUNK ? blocks : TY_SM4_CHUNK;
        for (size_t i = 0; i < some; i++) {
            memcpy(sums + 16 * i, f, 16);
            ty_sm4_xor(f, f, in + 16 * i);
        }
        TY_HELD(sm4, key->ops)->ecb(out, in, some, key->dec);
        for (size_t i = 0; i < some; i++) ty_sm4_xor(out + 16 * i, out + 16 * i, sums + 16 * i);
        in += 16 * some;
        out += 16 * some;
        blocks -= some;
    }
}

void ty_sm4_bc_run(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t f[TY_AT_LEAST(16)],
                   int decrypt, const ty_sm4_key *key)
{
    if (decrypt) bc_decrypt(out, in, blocks, f, key);
    else bc_encrypt(out, in, blocks, f, key);
}

void ty_sm4_ofbnlf_run(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t k[TY_AT_LEAST(16)],
                       int decrypt, const ty_sm4_key *key)
{
    const ty_sm4_ops *ops = TY_HELD(sm4, key->ops);
    ty_sm4_key one;
    for (; blocks; blocks--, in += 16, out += 16) {
        ops->ecb(k, k, 1, key->enc);
        ty_sm4_init_on(&one, ops, k);
        ops->ecb(out, in, 1, decrypt ? one.dec : one.enc);
    }
    ty_wipe(&one, sizeof one);
}

/* --- One-shot --------------------------------------------------------------------------------- */

ty_err ty_sm4_bc_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                         const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t f[16];
    if (len % 16 || ty_crosses(out, in, len)) return TY_ERR_ARG;
    memcpy(f, iv, 16);
    bc_encrypt(out, in, len / 16, f, key);
    return TY_OK;
}

ty_err ty_sm4_bc_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                         const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t f[16];
    if (len % 16 || ty_crosses(out, in, len)) return TY_ERR_ARG;
    memcpy(f, iv, 16);
    bc_decrypt(out, in, len / 16, f, key);
    return TY_OK;
}

static ty_err ofbnlf(uint8_t *out, const uint8_t *in, size_t len, const uint8_t iv[16], int decrypt,
                     const ty_sm4_key *key)
{
    uint8_t k[16];
    if (len % 16 || ty_crosses(out, in, len)) return TY_ERR_ARG;
    memcpy(k, iv, 16);
    ty_sm4_ofbnlf_run(out, in, len / 16, k, decrypt, key);
    ty_wipe(k, sizeof k);
    return TY_OK;
}

ty_err ty_sm4_ofbnlf_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                             const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    return ofbnlf(out, in, len, iv, 0, key);
}

ty_err ty_sm4_ofbnlf_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                             const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    return ofbnlf(out, in, len, iv, 1, key);
}
