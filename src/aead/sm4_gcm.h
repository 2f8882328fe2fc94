/* What the streaming object and the one-shot calls of SM4-GCM share. */
#ifndef TY_AEAD_SM4_GCM_H
#define TY_AEAD_SM4_GCM_H

#include "base/bytes.h"
#include "base/overlap.h"
#include "base/tag.h"
#include "mod/f2_128.h"
#include "sm4/sm4.h"

#include <string.h>

enum { TY_GCM_PIECE = 256 };   /* blocks */

/* Bytes of a batch of the tiers in ymm registers, which J0 and the head of a message fill */
enum { TY_GCM_BATCH = 32 * 16, TY_GCM_HEAD = TY_GCM_BATCH - 16 };

/* Whether the cipher interleaves single blocks with whole batches, and the message is long enough:
 * then J0 needs no room in a batch, and neither does the incomplete block at the end. */
static inline int ty_gcm_beside(const ty_sm4_gcm_key *key, size_t len)
{
    const size_t batch = TY_HELD(sm4, key->sm4.ops)->batch;
    return TY_SM4_BESIDE && batch && len >= 16 * batch && len >= TY_GCM_BATCH;
}

/* How many bytes of a message are encrypted with J0: all of a short one; of a longer one as many,
 * possibly none, as leave whole batches and perhaps a partial block. */
static inline size_t ty_gcm_head(size_t len)
{
    const size_t odd = len % TY_GCM_BATCH / 16 * 16;
    return len <= TY_GCM_HEAD ? len : odd < TY_GCM_HEAD ? odd : (size_t)TY_GCM_HEAD;
}

/* y absorbs whole blocks */
static inline void ty_gcm_absorb(uint8_t y[16], const uint8_t *in, size_t blocks,
                                 const ty_sm4_gcm_key *key)
{
    TY_HELD(f2_128, key->ghash)->horner(y, in, blocks, (const uint64_t (*)[2])key->power);
}

/* out = in + keystream; counter, of which only the last 32 bits are incremented, advances */
static inline void ty_gcm_ctr(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t counter[16],
                              const ty_sm4_gcm_key *key)
{
    TY_HELD(sm4, key->sm4.ops)->ctr32(out, in, blocks, counter, key->sm4.enc);
    ty_put32be(counter + 12, ty_get32be(counter + 12) + (uint32_t)blocks);
}

/* The same, and y absorbs out, alternately on pieces that stay in the L1 cache. Interleaving the
 * two kernels was tried on Zen 3: the cipher leaves no ports idle, and the hash interleaved with it
 * took 0.15 cycles per byte more than after it. */
static inline void ty_gcm_encrypt(uint8_t *out, const uint8_t *in, size_t blocks,
                                  uint8_t counter[16], uint8_t y[16], const ty_sm4_gcm_key *key)
{
    while (blocks) {
        const size_t some = blocks < TY_GCM_PIECE ? blocks : (size_t)TY_GCM_PIECE;
        ty_gcm_ctr(out, in, some, counter, key);
        ty_gcm_absorb(y, out, some, key);
        blocks -= some;
        in += 16 * some;
        out += 16 * some;
    }
}

/* out = in, 16 bytes at a time, so that short messages take no call of memcpy */
static inline void ty_gcm_copy(uint8_t *out, const uint8_t *in, size_t len)
{
    for (; len >= 16; len -= 16, in += 16, out += 16) memcpy(out, in, 16);
    if (len) memcpy(out, in, len);
}

/* x = in[len] padded with zeros to whole blocks; returns the number of bytes. `in` may be NULL if
 * len is 0 */
static inline size_t ty_gcm_pad(uint8_t *x, const uint8_t *in, size_t len)
{
    if (len % 16) memset(x + (len - len % 16), 0, 16);
    ty_gcm_copy(x, in, len);
    return (len + 15) / 16 * 16;
}

static inline void ty_gcm_lengths(uint8_t x[16], uint64_t a, uint64_t b)
{
    ty_put64be(x, 8 * a);
    ty_put64be(x + 8, 8 * b);
}

/* y absorbs in[len], padded with zeros to whole blocks */
static inline void ty_gcm_absorb_padded(uint8_t y[16], const uint8_t *in, size_t len,
                                        const ty_sm4_gcm_key *key)
{
    uint8_t last[16];
    if (len >= 16) ty_gcm_absorb(y, in, len / 16, key);
    if (len % 16)
        ty_gcm_absorb(y, last, ty_gcm_pad(last, in + (len - len % 16), len % 16) / 16, key);
}

/* j0 = the counter block before the message's first [SP 800-38D, 7.1, step 2] */
static inline void ty_gcm_j0(uint8_t j0[16], const uint8_t *nonce, size_t nonce_len,
                             const ty_sm4_gcm_key *key)
{
    uint8_t x[16];
    if (nonce_len == 12) {
        memcpy(j0, nonce, 12);
        ty_put32be(j0 + 12, 1);
        return;
    }
    memset(j0, 0, 16);
    ty_gcm_absorb_padded(j0, nonce, nonce_len, key);
    ty_gcm_lengths(x, 0, nonce_len);
    ty_gcm_absorb(j0, x, 1, key);
}

static inline int ty_gcm_tag_len_ok(size_t tag_len) { return tag_len >= 12 && tag_len <= 16; }

/* of a one-shot call */
static inline ty_err ty_gcm_limits(size_t tag_len, size_t len, size_t aad_len, size_t nonce_len)
{
    if (!ty_gcm_tag_len_ok(tag_len) || nonce_len == 0) return TY_ERR_ARG;
    if (ty_over(len, TY_SM4_GCM_MAX) || ty_over(aad_len, TY_SM4_GCM_AAD_MAX)) return TY_ERR_SIZE;
    return ty_over(nonce_len, TY_SM4_GCM_AAD_MAX) ? TY_ERR_SIZE : TY_OK;
}

#endif
