/* SM4-CMAC: CBC-MAC with a secret subkey added to the last block, which makes it secure for
 * messages of any length [SP 800-38B]. */
#include "base/tag.h"
#include "mac/sm4_chain.h"
#include "sm4/double.h"
#include "tongyu/sm4_mac.h"

#include <string.h>

enum { IDLE, RUNNING };              /* ty_sm4_cmac.state; a wiped object is IDLE */

void ty_sm4_cmac_init(ty_sm4_cmac_key *key, const uint8_t bytes[TY_AT_LEAST(16)])
{
    uint8_t l[16] = { 0 };
    ty_sm4_init(&key->sm4, bytes);
    ty_sm4_chain_end(l, &key->sm4);
    ty_sm4_double(key->sub[0], l);
    ty_sm4_double(key->sub[1], key->sub[0]);
    ty_wipe(l, sizeof l);
}

void ty_sm4_cmac_start(ty_sm4_cmac *c, const ty_sm4_cmac_key *key)
{
    memset(c, 0, sizeof *c);
    c->key = key;
    c->state = RUNNING;
}

ty_err ty_sm4_cmac_update(ty_sm4_cmac *c, const uint8_t *msg, size_t msg_len)
{
    if (c->state != RUNNING) return TY_ERR_STATE;
    ty_sm4_chain(c->x, &c->used, msg, msg_len, &c->key->sm4);
    return TY_OK;
}

/* x becomes the full tag. */
static ty_err cmac_finish(ty_sm4_cmac *c, size_t tag_len)
{
    if (c->state != RUNNING) return TY_ERR_STATE;
    if (!ty_mac_tag_len_ok(tag_len)) return TY_ERR_ARG;
    if (c->used < 16) c->x[c->used] ^= 0x80;
    ty_sm4_xor(c->x, c->x, c->key->sub[c->used < 16]);
    ty_sm4_chain_end(c->x, &c->key->sm4);
    return TY_OK;
}

ty_err ty_sm4_cmac_final(uint8_t *tag, size_t tag_len, ty_sm4_cmac *c)
{
    const ty_err err = cmac_finish(c, tag_len);
    if (err != TY_OK) return err;
    memcpy(tag, c->x, tag_len);
    ty_wipe(c, sizeof *c);
    return TY_OK;
}

ty_err ty_sm4_cmac_verify(const uint8_t *tag, size_t tag_len, ty_sm4_cmac *c)
{
    ty_err err = cmac_finish(c, tag_len);
    if (err != TY_OK) return err;
    err = ty_tag_verdict(c->x, tag, tag_len);
    ty_wipe(c, sizeof *c);           /* the right tag of a forged message must not stay behind */
    return err;
}

ty_err ty_sm4_cmac_mac(uint8_t *tag, size_t tag_len, const uint8_t *msg, size_t msg_len,
                       const ty_sm4_cmac_key *key)
{
    ty_sm4_cmac c;
    if (!ty_mac_tag_len_ok(tag_len)) return TY_ERR_ARG;
    ty_sm4_cmac_start(&c, key);
    ty_sm4_chain(c.x, &c.used, msg, msg_len, &key->sm4);
    return ty_sm4_cmac_final(tag, tag_len, &c);
}

ty_err ty_sm4_cmac_check(const uint8_t *tag, size_t tag_len, const uint8_t *msg, size_t msg_len,
                         const ty_sm4_cmac_key *key)
{
    ty_sm4_cmac c;
    if (!ty_mac_tag_len_ok(tag_len)) return TY_ERR_ARG;
    ty_sm4_cmac_start(&c, key);
    ty_sm4_chain(c.x, &c.used, msg, msg_len, &key->sm4);
    return ty_sm4_cmac_verify(tag, tag_len, &c);
}
