/* The formatting of CCM before the first byte of a message [SP 800-38C, A]: the limits, the first
 * blocks, the length of the additional data; for calls on one message and on batches. */
#ifndef TY_AEAD_SM4_CCM_H
#define TY_AEAD_SM4_CCM_H

#include "base/tag.h"

#include <string.h>

static inline ty_err ty_ccm_limits(size_t nonce_len, size_t tag_len, uint64_t len)
{
    if (nonce_len < 7 || nonce_len > 13 || tag_len < 4 || tag_len > 16 || tag_len % 2)
        return TY_ERR_ARG;
    /* bytes of the length, and of the counter */
    const size_t width = 15 - nonce_len;
    return width < 8 && len >> 8 * width ? TY_ERR_SIZE : TY_OK;
}

/* counter = Ctr_0, the block that masks the tag; the message's counters follow it */
static inline void ty_ccm_counter(uint8_t counter[TY_AT_LEAST(16)], const uint8_t *nonce,
                                  size_t nonce_len)
{
    memset(counter, 0, 16);
    counter[0] = (uint8_t)(14 - nonce_len);
    memcpy(counter + 1, nonce, nonce_len);
}

/* block = B_0, with which the CBC-MAC begins */
static inline void ty_ccm_first(uint8_t block[TY_AT_LEAST(16)], size_t tag_len, uint64_t len,
                                int has_aad, const uint8_t *nonce, size_t nonce_len)
{
    ty_ccm_counter(block, nonce, nonce_len);
    block[0] |= (uint8_t)((tag_len - 2) / 2 << 3);
    if (has_aad) block[0] |= 0x40;
    for (size_t i = 0; i < 15 - nonce_len; i++) block[15 - i] = (uint8_t)(len >> 8 * i);
}

/* x = the length of the additional data, in one of three forms [SP 800-38C, A.2.2]; returns the
 * number of bytes that it takes */
static inline size_t ty_ccm_aad_len(uint8_t x[TY_AT_LEAST(10)], uint64_t len)
{
    size_t n = 0;
    x[0] = x[1] = 0xff;
    if (len >= 0xff00) {
        n = 2;
        if (len <= 0xffffffffu) x[1] = 0xfe;
    }
    const size_t width = n == 0 ? 2 : x[1] == 0xfe ? 4 : 8;
    for (size_t i = 0; i < width; i++) x[n + i] = (uint8_t)(len >> 8 * (width - 1 - i));
    return n + width;
}

#endif
