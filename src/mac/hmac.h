/* HMAC: H((key ^ opad) || H((key ^ ipad) || message)), RFC 2104 section 2, for a hash with blocks
 * of 64 bytes and digests of 32. Template, once in a unit:
 *
 *   HMAC            the state: a struct of three hashes: `inner` and `outer`, the states after the
 *                   key's pads, and `now`, the running one
 *   HMAC_FN(verb)   the name of a function: init, update, final, mac
 *   HASH_FN(verb)   the hash: init, update, final, hash
 *   BLOCKS          its compression function, of 64-byte blocks and eight 32-bit words
 *
 * Compression functions leave words of their state on the stack below, which is wiped: whoever
 * knows the states after the pads can forge MACs. */
#ifndef TY_MAC_HMAC_H
#define TY_MAC_HMAC_H

#include "base/bytes.h"
#include "base/wipe.h"

#include <string.h>

static void HMAC_FN(set_key)(HMAC *c, const uint8_t *key, size_t key_len)
{
    uint8_t pad[64] = {0};
    if (key_len > sizeof pad)
        HASH_FN(hash)(pad, key, key_len);
    else if (key_len)
        memcpy(pad, key, key_len);

    for (size_t i = 0; i < sizeof pad; i++) pad[i] ^= 0x36;
    HASH_FN(init)(&c->inner);
    HASH_FN(update)(&c->inner, pad, sizeof pad);

    for (size_t i = 0; i < sizeof pad; i++) pad[i] ^= 0x36 ^ 0x5c;
    HASH_FN(init)(&c->outer);
    HASH_FN(update)(&c->outer, pad, sizeof pad);

    c->now = c->inner;
    ty_wipe(pad, sizeof pad);
}

void HMAC_FN(init)(HMAC *c, const uint8_t *key, size_t key_len)
{
    HMAC_FN(set_key)(c, key, key_len);
    ty_wipe_below_1k();
}

void HMAC_FN(update)(HMAC *c, const uint8_t *msg, size_t msg_len)
{
    const uint64_t before = c->now.len;
    HASH_FN(update)(&c->now, msg, msg_len);
    if (before / 64 != c->now.len / 64) ty_wipe_below_1k();
}

void HMAC_FN(final)(uint8_t out[TY_AT_LEAST(32)], HMAC *c)
{
    /* the outer hash is one block after the key's: the inner digest, a one bit, zeros, the length,
     * 96 bytes */
    uint8_t block[64] = {0};
    HASH_FN(final)(block, &c->now);
    block[32] = 0x80;
    ty_put64be(block + 56, 96 * 8);
    memcpy(c->now.h, c->outer.h, sizeof c->now.h);
    BLOCKS(c->now.h, block, 1);
    for (int i = 0; i < 8; i++) ty_put32be(out + 4 * i, c->now.h[i]);
    c->now = c->inner;
    ty_wipe(block, sizeof block);
    ty_wipe_below_1k();
}

void HMAC_FN(mac)(uint8_t out[TY_AT_LEAST(32)], const uint8_t *msg, size_t msg_len,
                  const uint8_t *key, size_t key_len)
{
    HMAC c;
    HMAC_FN(set_key)(&c, key, key_len);
    HASH_FN(update)(&c.now, msg, msg_len);
    HMAC_FN(final)(out, &c);
    ty_wipe(&c, sizeof c);
}

#endif
