/* SM4-GMAC: GCM with additional data and no message. */
#include "tongyu/sm4_mac.h"

ty_err ty_sm4_gmac_mac(uint8_t *tag, size_t tag_len, const uint8_t *msg, size_t msg_len,
                       const uint8_t *nonce, size_t nonce_len, const ty_sm4_gcm_key *key)
{
    return ty_sm4_gcm_seal(NULL, tag, tag_len, NULL, 0, msg, msg_len, nonce, nonce_len, key);
}

ty_err ty_sm4_gmac_check(const uint8_t *tag, size_t tag_len, const uint8_t *msg, size_t msg_len,
                         const uint8_t *nonce, size_t nonce_len, const ty_sm4_gcm_key *key)
{
    return ty_sm4_gcm_open(NULL, NULL, 0, tag, tag_len, msg, msg_len, nonce, nonce_len, key);
}

ty_err ty_sm4_gmac_start(ty_sm4_gmac *c, const uint8_t *nonce, size_t nonce_len,
                         const ty_sm4_gcm_key *key)
{
    return ty_sm4_gcm_start(&c->gcm, nonce, nonce_len, key);
}

ty_err ty_sm4_gmac_update(ty_sm4_gmac *c, const uint8_t *msg, size_t msg_len)
{
    return ty_sm4_gcm_aad(&c->gcm, msg, msg_len);
}

ty_err ty_sm4_gmac_final(uint8_t *tag, size_t tag_len, ty_sm4_gmac *c)
{
    return ty_sm4_gcm_final(tag, tag_len, &c->gcm);
}

ty_err ty_sm4_gmac_verify(const uint8_t *tag, size_t tag_len, ty_sm4_gmac *c)
{
    return ty_sm4_gcm_verify(tag, tag_len, &c->gcm);
}
