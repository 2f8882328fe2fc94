/* Merkle-Damgard hashes, streaming: blocks as they fill up, padding at the end. Every length here
 * is public. SM3, SHA-256 and SHA-512 are instances of this header with different compression
 * functions, of 8 words and blocks of 16 words.
 *
 *   MD            the state: a struct with h[8], len, block[]
 *   MD_FN(verb)   the name of a function: init, update, final, hash
 *   MD_BITS       of a word: 32 or 64
 *   MD_IV         eight words in braces
 *   MD_BLOCKS     void (word h[8], const uint8_t *in, size_t nblocks): an expression, evaluated
 *                 once per call
 */
#ifndef TY_BASE_MD_H
#define TY_BASE_MD_H

#include "base/bytes.h"
#include "tongyu/base.h"

#include <string.h>

#if MD_BITS == 64
#  define MD_WORD uint64_t
#  define MD_PUT  ty_put64be
#else
#  define MD_WORD uint32_t
#  define MD_PUT  ty_put32be
#endif
#define MD_BLOCK  (2 * MD_BITS)   /* bytes: 16 words */
#define MD_LENGTH (MD_BITS / 4)   /* bytes of the message's length at the end: 2 words */

void MD_FN(init)(MD *c)
{
    static const MD_WORD iv[8] = MD_IV;
    memcpy(c->h, iv, sizeof iv);
    c->len = 0;
    /* so that a copy of the state never copies indeterminate bytes */
    memset(c->block, 0, sizeof c->block);
}

void MD_FN(update)(MD *c, const uint8_t *msg, size_t msg_len)
{
    if (msg_len == 0) return;   /* msg may be NULL */
    void (*const blocks)(MD_WORD *, const uint8_t *, size_t) = MD_BLOCKS;
    const size_t used = c->len % MD_BLOCK;
    c->len += msg_len;
    if (used) {
        const size_t room = MD_BLOCK - used, n = msg_len < room ? msg_len : room;
        memcpy(c->block + used, msg, n);
        msg += n;
        msg_len -= n;
        if (n < room) return;
        blocks(c->h, c->block, 1);
    }
    const size_t whole = msg_len / MD_BLOCK;
    blocks(c->h, msg, whole);
    /* a message that ends with its block may end with its page too: no pointer past it, no read of
     * zero bytes */
    if (msg_len % MD_BLOCK) memcpy(c->block, msg + MD_BLOCK * whole, msg_len % MD_BLOCK);
}

void MD_FN(final)(uint8_t out[TY_AT_LEAST(MD_BITS)], MD *c)
{
    /* a one bit, zeros, and the length in bits in the last two words of a block: one block, or two
     * when fewer bytes are left (GB/T 32905-2016, 5.2; FIPS 180-4, 5.1). Of a length of 128 bits
     * the upper 64 are always zero here */
    void (*const blocks)(MD_WORD *, const uint8_t *, size_t) = MD_BLOCKS;
    size_t used = c->len % MD_BLOCK;
    c->block[used++] = 0x80;
    if (used > MD_BLOCK - MD_LENGTH) {
        memset(c->block + used, 0, MD_BLOCK - used);
        blocks(c->h, c->block, 1);
        used = 0;
    }
    memset(c->block + used, 0, MD_BLOCK - 8 - used);
    ty_put64be(c->block + MD_BLOCK - 8, c->len * 8);
    blocks(c->h, c->block, 1);
    for (int i = 0; i < 8; i++) MD_PUT(out + MD_BITS / 8 * i, c->h[i]);
    ty_wipe(c, sizeof *c);
}

void MD_FN(hash)(uint8_t out[TY_AT_LEAST(MD_BITS)], const uint8_t *msg, size_t msg_len)
{
    MD c;
    MD_FN(init)(&c);
    MD_FN(update)(&c, msg, msg_len);
    MD_FN(final)(out, &c);
}

#endif
