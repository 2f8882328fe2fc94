/* SM4: the tier list, the key, and one-shot ECB and CBC, which check arguments and call the
 * kernels. */
#include "sm4/sm4.h"
#include "base/bytes.h"
#include "base/overlap.h"

#include <string.h>

TY_FAMILY_ROWS(sm4, TY_SM4_TIERS);

void ty_sm4_init_on(ty_sm4_key *key, const ty_sm4_ops *ops, const uint8_t bytes[TY_AT_LEAST(16)])
{
    key->ops = ops;
    TY_HELD(sm4, ops)->schedule(key->enc, bytes);
    for (int i = 0; i < 32; i++) key->dec[i] = key->enc[31 - i];
}

void ty_sm4_init(ty_sm4_key *key, const uint8_t bytes[TY_AT_LEAST(16)])
{
    ty_sm4_init_on(key, ty_sm4_best(), bytes);
}

ty_err ty_sm4_ecb_encrypt(uint8_t *out, const uint8_t *in, size_t len, const ty_sm4_key *key)
{
    if (len % 16 || ty_crosses(out, in, len)) return TY_ERR_ARG;
    TY_HELD(sm4, key->ops)->ecb(out, in, len / 16, key->enc);
    return TY_OK;
}

ty_err ty_sm4_ecb_decrypt(uint8_t *out, const uint8_t *in, size_t len, const ty_sm4_key *key)
{
    if (len % 16 || ty_crosses(out, in, len)) return TY_ERR_ARG;
    TY_HELD(sm4, key->ops)->ecb(out, in, len / 16, key->dec);
    return TY_OK;
}

ty_err ty_sm4_cbc_encrypt(uint8_t *out, const uint8_t *in, size_t len,
                          const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t chain[16];
    if (len % 16 || ty_crosses(out, in, len)) return TY_ERR_ARG;
    memcpy(chain, iv, 16);
    TY_HELD(sm4, key->ops)->cbc_encrypt(out, in, len / 16, chain, key->enc);
    return TY_OK;
}

ty_err ty_sm4_cbc_decrypt(uint8_t *out, const uint8_t *in, size_t len,
                          const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    uint8_t chain[16];
    if (len % 16 || ty_crosses(out, in, len)) return TY_ERR_ARG;
    memcpy(chain, iv, 16);
    TY_HELD(sm4, key->ops)->cbc_decrypt(out, in, len / 16, chain, key->dec);
    return TY_OK;
}
