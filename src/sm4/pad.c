/* Padding: added, and checked in constant time. Every byte of the block is examined in the same
 * way, and the result is computed with masks. */
#include "sm4/sm4.h"
#include "base/ct.h"

#include <string.h>

void ty_sm4_pad_fill(uint8_t x[TY_AT_LEAST(16)], size_t len, ty_sm4_pad pad)
{
    const size_t n = 16 - len;
    memset(x + len, pad == TY_SM4_PAD_PKCS7 ? (int)n : 0, n);
    if (pad == TY_SM4_PAD_ISO7816) x[len] = 0x80;
    if (pad == TY_SM4_PAD_X923) x[15] = (uint8_t)n;
}

/* PKCS #7 and X9.23: the last byte n is the number of padding bytes, and the n - 1 bytes before it
 * are all n if `before` is all ones, or zero if it is 0. Returns n, or 0 if that is not so. */
static uint32_t counted(const uint8_t x[16], uint32_t before)
{
    const uint32_t n = x[15];
    /* n > 16; n == 0 is returned as it is */
    uint32_t wrong = ty_mask_bit32((16 - n) >> 31);
    for (uint32_t i = 0; i < 15; i++) {
        const uint32_t inside = ty_mask_bit32((15 - i - n) >> 31);    /* 15 - i < n */
        wrong |= inside & ~ty_mask_eq32(x[i], n & before);
    }
    return n & ~wrong;
}

/* ISO/IEC 7816-4: from the end, the first byte that is not zero is 0x80. */
static uint32_t marked(const uint8_t x[16])
{
    uint32_t n = 0, seen = 0, wrong = 0;
    for (uint32_t i = 16; i-- > 0;) {
        const uint32_t here = ~seen & ~ty_mask_zero32(x[i]);
        n |= here & (16 - i);
        wrong |= here & ~ty_mask_eq32(x[i], 0x80);
        seen |= here;
    }
    return n & ~wrong;
}

uint32_t ty_sm4_pad_len(const uint8_t x[TY_AT_LEAST(16)], ty_sm4_pad pad)
{
    if (pad == TY_SM4_PAD_ISO7816) return marked(x);
    return counted(x, pad == TY_SM4_PAD_PKCS7 ? 0xffffffffu : 0);
}
