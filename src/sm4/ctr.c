/* Streaming CTR. The kernels count 32 bits; the carry into the upper 96 is made here, once in 2^32 blocks. */
#include "sm4/sm4.h"
#include "base/bytes.h"

#include <string.h>

/* counter += n mod 2^128 */
static void count(uint8_t counter[16], uint32_t n)
{
    uint64_t carry = n;
    for (int i = 12; i >= 0; i -= 4) {
        carry += ty_get32be(counter + i);
        ty_put32be(counter + i, (uint32_t)carry);
        carry >>= 32;
    }
}

/* Whole blocks, in runs that do not carry. */
static void whole(uint8_t *out, const uint8_t *in, size_t blocks, ty_sm4_ctr_stream *c)
{
    const ty_sm4_ops *ops = c->key->ops;
    while (blocks) {
        uint64_t room = ((uint64_t)1 << 32) - ty_get32be(c->counter + 12);
        if (room > 0x80000000u) room = 0x80000000u;          /* so that a run fits 32 bits */
        const size_t some = blocks < room ? blocks : (size_t)room;
        ops->ctr32(out, in, some, c->counter, c->key->enc);
        count(c->counter, (uint32_t)some);
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
}

void ty_sm4_ctr_start(ty_sm4_ctr_stream *c, const uint8_t iv[TY_AT_LEAST(16)], const ty_sm4_key *key)
{
    c->key = key;
    memcpy(c->counter, iv, 16);
    memset(c->pad, 0, 16);
    c->used = 16;
}

void ty_sm4_ctr_update(uint8_t *out, const uint8_t *in, size_t len, ty_sm4_ctr_stream *c)
{
    static const uint8_t zero[16];
    while (len && c->used < 16) {          /* the rest of a block begun earlier */
        *out++ = *in++ ^ c->pad[c->used++];
        len--;
    }
    const size_t rest = len % 16, done = len - rest;
    whole(out, in, done / 16, c);
    if (rest) {
        whole(c->pad, zero, 1, c);
        for (c->used = 0; c->used < rest; c->used++) out[done + c->used] = in[done + c->used] ^ c->pad[c->used];
    }
}
