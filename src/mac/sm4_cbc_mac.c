/* SM4-CBC-MAC with the three paddings of ISO/IEC 9797-1:2011, 6.3. The header explains when it is
 * insecure. */
#include "base/bytes.h"
#include "base/tag.h"
#include "mac/sm4_chain.h"
#include "tongyu/sm4_mac.h"

#include <string.h>

enum { IDLE, RUNNING };              /* ty_sm4_cbc_mac.state; a wiped object is IDLE */

ty_err ty_sm4_cbc_mac_start(ty_sm4_cbc_mac *c, ty_sm4_mac_pad pad, uint64_t msg_len,
                            const ty_sm4_key *key)
{
    memset(c, 0, sizeof *c);
    if (pad != TY_SM4_MAC_ZEROS && pad != TY_SM4_MAC_ONE && pad != TY_SM4_MAC_LENGTH)
        return TY_ERR_ARG;
    if (pad == TY_SM4_MAC_LENGTH) {
        if (msg_len >> 61) return TY_ERR_SIZE;
        c->left = msg_len;
        c->empty = msg_len == 0;
        ty_put64be(c->x + 8, 8 * msg_len);
        c->used = 16;
    }
    c->key = key;
    c->pad = (uint8_t)pad;
    c->state = RUNNING;
    return TY_OK;
}

ty_err ty_sm4_cbc_mac_update(ty_sm4_cbc_mac *c, const uint8_t *msg, size_t msg_len)
{
    if (c->state != RUNNING) return TY_ERR_STATE;
    if (c->pad == TY_SM4_MAC_LENGTH) {
        if (msg_len > c->left) return TY_ERR_SIZE;
        c->left -= msg_len;
    }
    ty_sm4_chain(c->x, &c->used, msg, msg_len, c->key);
    return TY_OK;
}

/* x becomes the full tag. Zeros that pad a block add nothing. With methods 1 and 3 an empty
 * message is a block of zeros: with method 1 that is the empty chain, with method 3 it follows the
 * block of the length. */
static ty_err cbc_mac_finish(ty_sm4_cbc_mac *c, size_t tag_len)
{
    static const uint8_t one[1] = { 0x80 }, zero[1];
    if (c->state != RUNNING) return TY_ERR_STATE;
    if (!ty_mac_tag_len_ok(tag_len)) return TY_ERR_ARG;
    if (c->left) return TY_ERR_SIZE;
    if (c->pad == TY_SM4_MAC_ONE) ty_sm4_chain(c->x, &c->used, one, 1, c->key);
    if (c->pad == TY_SM4_MAC_LENGTH && c->empty) ty_sm4_chain(c->x, &c->used, zero, 1, c->key);
    ty_sm4_chain_end(c->x, c->key);
    return TY_OK;
}

ty_err ty_sm4_cbc_mac_final(uint8_t *tag, size_t tag_len, ty_sm4_cbc_mac *c)
{
    const ty_err err = cbc_mac_finish(c, tag_len);
    if (err != TY_OK) return err;
    memcpy(tag, c->x, tag_len);
    ty_wipe(c, sizeof *c);
    return TY_OK;
}

ty_err ty_sm4_cbc_mac_verify(const uint8_t *tag, size_t tag_len, ty_sm4_cbc_mac *c)
{
    ty_err err = cbc_mac_finish(c, tag_len);
    if (err != TY_OK) return err;
    err = ty_tag_verdict(c->x, tag, tag_len);
    ty_wipe(c, sizeof *c);           /* the right tag of a forged message must not stay behind */
    return err;
}

static ty_err whole(ty_sm4_cbc_mac *c, size_t tag_len, const uint8_t *msg, size_t msg_len,
                    ty_sm4_mac_pad pad, const ty_sm4_key *key)
{
    if (!ty_mac_tag_len_ok(tag_len)) return TY_ERR_ARG;
    const ty_err err = ty_sm4_cbc_mac_start(c, pad, msg_len, key);
    return err == TY_OK ? ty_sm4_cbc_mac_update(c, msg, msg_len) : err;
}

ty_err ty_sm4_cbc_mac_mac(uint8_t *tag, size_t tag_len, const uint8_t *msg, size_t msg_len,
                          ty_sm4_mac_pad pad, const ty_sm4_key *key)
{
    ty_sm4_cbc_mac c;
    const ty_err err = whole(&c, tag_len, msg, msg_len, pad, key);
    return err == TY_OK ? ty_sm4_cbc_mac_final(tag, tag_len, &c) : err;
}

ty_err ty_sm4_cbc_mac_check(const uint8_t *tag, size_t tag_len, const uint8_t *msg, size_t msg_len,
                            ty_sm4_mac_pad pad, const ty_sm4_key *key)
{
    ty_sm4_cbc_mac c;
    const ty_err err = whole(&c, tag_len, msg, msg_len, pad, key);
    return err == TY_OK ? ty_sm4_cbc_mac_verify(tag, tag_len, &c) : err;
}
