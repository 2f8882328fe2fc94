/* HKDF (RFC 5869) with HMAC-SM3. */
#include "tongyu/sm3.h"

#include <string.h>

void ty_hkdf_sm3_extract(uint8_t prk[TY_AT_LEAST(32)], const uint8_t *ikm, size_t ikm_len,
                         const uint8_t *salt, size_t salt_len)
{
    /* HMAC pads a short key with zeros: no salt and 32 zeros are the same key */
    ty_hmac_sm3_mac(prk, ikm, ikm_len, salt, salt_len);
}

ty_err ty_hkdf_sm3_expand(uint8_t *out, size_t out_len, const uint8_t *prk, size_t prk_len,
                          const uint8_t *info, size_t info_len)
{
    if (out_len > (size_t)255 * TY_SM3_LEN) return TY_ERR_SIZE;   /* the counter is a byte */
    ty_hmac_sm3 c;
    uint8_t t[TY_SM3_LEN];
    ty_hmac_sm3_init(&c, prk, prk_len);
    for (uint8_t i = 1; out_len; i++) {
        const size_t n = out_len < sizeof t ? out_len : sizeof t;
        if (i > 1) ty_hmac_sm3_update(&c, t, sizeof t);
        ty_hmac_sm3_update(&c, info, info_len);
        ty_hmac_sm3_update(&c, &i, 1);
        ty_hmac_sm3_final(t, &c);
        memcpy(out, t, n);
        out += n;
        out_len -= n;
    }
    ty_wipe(&c, sizeof c);
    ty_wipe(t, sizeof t);
    return TY_OK;
}

ty_err ty_hkdf_sm3(uint8_t *out, size_t out_len, const uint8_t *ikm, size_t ikm_len,
                   const uint8_t *salt, size_t salt_len, const uint8_t *info, size_t info_len)
{
    uint8_t prk[TY_SM3_LEN];
    ty_hkdf_sm3_extract(prk, ikm, ikm_len, salt, salt_len);
    const ty_err err = ty_hkdf_sm3_expand(out, out_len, prk, sizeof prk, info, info_len);
    ty_wipe(prk, sizeof prk);
    return err;
}
