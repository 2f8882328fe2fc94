/* HMAC-SM3: H((key ^ opad) || H((key ^ ipad) || message)), RFC 2104 section 2. */
#include "tongyu/sm3.h"

#include <string.h>

void ty_hmac_sm3_init(ty_hmac_sm3 *c, const uint8_t *key, size_t key_len)
{
    uint8_t pad[TY_SM3_BLOCK] = {0};
    if (key_len > sizeof pad)
        ty_sm3_hash(pad, key, key_len);
    else if (key_len)
        memcpy(pad, key, key_len);

    for (size_t i = 0; i < sizeof pad; i++) pad[i] ^= 0x36;
    ty_sm3_init(&c->inner);
    ty_sm3_update(&c->inner, pad, sizeof pad);

    for (size_t i = 0; i < sizeof pad; i++) pad[i] ^= 0x36 ^ 0x5c;
    ty_sm3_init(&c->outer);
    ty_sm3_update(&c->outer, pad, sizeof pad);

    c->now = c->inner;
    ty_wipe(pad, sizeof pad);
}

void ty_hmac_sm3_update(ty_hmac_sm3 *c, const uint8_t *msg, size_t msg_len) { ty_sm3_update(&c->now, msg, msg_len); }

void ty_hmac_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_hmac_sm3 *c)
{
    uint8_t digest[TY_SM3_LEN];
    ty_sm3_final(digest, &c->now);
    c->now = c->outer;
    ty_sm3_update(&c->now, digest, sizeof digest);
    ty_sm3_final(out, &c->now);
    c->now = c->inner;
    ty_wipe(digest, sizeof digest);
}

void ty_hmac_sm3_mac(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                     const uint8_t *key, size_t key_len)
{
    ty_hmac_sm3 c;
    ty_hmac_sm3_init(&c, key, key_len);
    ty_hmac_sm3_update(&c, msg, msg_len);
    ty_hmac_sm3_final(out, &c);
    ty_wipe(&c, sizeof c);
}
