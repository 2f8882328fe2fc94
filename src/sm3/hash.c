/* The running hash: blocks as they fill up, padding at the end. Every length here is public. */
#include "sm3/sm3.h"
#include "base/bytes.h"
#include "tongyu/sm3.h"

#include <string.h>

void ty_sm3_init(ty_sm3 *c)
{
    static const uint32_t iv[8] = {   /* GB/T 32905-2016, 4.1 */
        0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e
    };
    memcpy(c->h, iv, sizeof iv);
    c->len = 0;
    memset(c->block, 0, sizeof c->block);   /* so that a copy of the state never copies indeterminate bytes */
}

void ty_sm3_update(ty_sm3 *c, const uint8_t *msg, size_t msg_len)
{
    if (msg_len == 0) return;   /* msg may be NULL */
    const ty_sm3_ops *ops = ty_sm3_best();
    const size_t used = c->len % TY_SM3_BLOCK;
    c->len += msg_len;
    if (used) {
        const size_t room = TY_SM3_BLOCK - used, n = msg_len < room ? msg_len : room;
        memcpy(c->block + used, msg, n);
        msg += n;
        msg_len -= n;
        if (n < room) return;
        ops->blocks(c->h, c->block, 1);
    }
    const size_t whole = msg_len / TY_SM3_BLOCK;
    ops->blocks(c->h, msg, whole);
    /* a message that ends with its block may end with its page too: no pointer past it, no read of zero bytes */
    if (msg_len % TY_SM3_BLOCK) memcpy(c->block, msg + TY_SM3_BLOCK * whole, msg_len % TY_SM3_BLOCK);
}

void ty_sm3_final(uint8_t out[TY_AT_LEAST(32)], ty_sm3 *c)
{
    /* a one bit, zeros, and the length in bits in the last eight bytes of a block: one block, or two when
     * fewer than eight bytes are left (GB/T 32905-2016, 5.2) */
    const ty_sm3_ops *ops = ty_sm3_best();
    size_t used = c->len % TY_SM3_BLOCK;
    c->block[used++] = 0x80;
    if (used > TY_SM3_BLOCK - 8) {
        memset(c->block + used, 0, TY_SM3_BLOCK - used);
        ops->blocks(c->h, c->block, 1);
        used = 0;
    }
    memset(c->block + used, 0, TY_SM3_BLOCK - 8 - used);
    ty_put64be(c->block + TY_SM3_BLOCK - 8, c->len * 8);
    ops->blocks(c->h, c->block, 1);
    for (int i = 0; i < 8; i++) ty_put32be(out + 4 * i, c->h[i]);
    ty_wipe(c, sizeof *c);
}

void ty_sm3_hash(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len)
{
    ty_sm3 c;
    ty_sm3_init(&c);
    ty_sm3_update(&c, msg, msg_len);
    ty_sm3_final(out, &c);
}
