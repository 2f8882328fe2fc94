/* CTR. The kernels count 32 bits; the carry into the upper 96 is added here, once in 2^32
 * blocks. */
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
static void whole(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                  const ty_sm4_key *key)
{
    const ty_sm4_ops *ops = TY_HELD(sm4, key->ops);
    while (blocks) {
        uint64_t room = ((uint64_t)1 << 32) - ty_get32be(counter + 12);
        if (room > 0x80000000u) room = 0x80000000u;          /* so that a run fits 32 bits */
        const size_t some = blocks < room ? blocks : (size_t)room;
        ops->ctr32(out, in, some, counter, key->enc);
        count(counter, (uint32_t)some);
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
}

enum { TOGETHER = 16 * 32 };   /* bytes of a batch of the tiers in ymm registers */

/* The end of a message, len < TOGETHER, whose last block is incomplete: alone, that block would
 * take as long as twenty. `pad` receives the unused keystream of the last block, at its place in
 * the block. */
static void end(uint8_t *out, const uint8_t *in, size_t len, uint8_t counter[16], uint8_t pad[16],
                const ty_sm4_key *key)
{
    static const uint8_t zero[16];
    uint8_t text[TOGETHER];
    const size_t piece = len % 16, full = len - piece + 16;
    if (len < 16) {
        whole(pad, zero, 1, counter, key);
        for (size_t i = 0; i < len; i++) out[i] = in[i] ^ pad[i];
        return;
    }
    memcpy(text, in, len);
    memset(text + len, 0, full - len);
    whole(text, text, full / 16, counter, key);
    memcpy(out, text, len);
    memcpy(pad + piece, text + len, full - len);
    ty_wipe(text, full);
}

void ty_sm4_ctr_run(uint8_t *out, const uint8_t *in, size_t len, uint8_t counter[TY_AT_LEAST(16)],
                    uint8_t pad[TY_AT_LEAST(16)], uint32_t *left, const ty_sm4_key *key)
{
    /* the rest of a block begun earlier */
    for (; len && *left; len--) *out++ = *in++ ^ pad[16 - (*left)--];
    const size_t rest = len % 16 ? len % TOGETHER : 0, done = len - rest;
    whole(out, in, done / 16, counter, key);
    if (rest == 0) return;
    end(out + done, in + done, rest, counter, pad, key);
    *left = (uint32_t)(16 - rest % 16);
}

void ty_sm4_ctr(uint8_t *out, const uint8_t *in, size_t len, const uint8_t iv[TY_AT_LEAST(16)],
                const ty_sm4_key *key)
{
    uint8_t counter[16], pad[16];
    uint32_t left = 0;
    memcpy(counter, iv, 16);
    ty_sm4_ctr_run(out, in, len, counter, pad, &left, key);
    if (left) ty_wipe(pad, sizeof pad);
}
