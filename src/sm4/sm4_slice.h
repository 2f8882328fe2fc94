/* SM4 on bit planes as wide as a vector register, 512 blocks (8 KB) at a time. Each function
 * processes only whole batches of 512 and returns the number of blocks done, 0 for short inputs;
 * the caller does the rest. rk holds the standard's round keys, in the machine's byte order. iv is
 * updated, counter and mask are not. Otherwise as in ty_sm4_ops. */
#ifndef TY_SM4_SM4_SLICE_H
#define TY_SM4_SM4_SLICE_H

#include "sm4/sm4.h"

#define TY_SM4_SLICE(tier)                                                                         \
    size_t ty_sm4_slice_ecb_##tier(uint8_t *out, const uint8_t *in, size_t blocks,                 \
                                   const uint32_t rk[TY_AT_LEAST(32)]);                            \
    size_t ty_sm4_slice_ctr32_##tier(uint8_t *out, const uint8_t *in, size_t blocks,               \
                                     const uint8_t counter[TY_AT_LEAST(16)],                       \
                                     const uint32_t rk[TY_AT_LEAST(32)]);                          \
    size_t ty_sm4_slice_cbc_decrypt_##tier(uint8_t *out, const uint8_t *in, size_t blocks,         \
                                           uint8_t iv[TY_AT_LEAST(16)],                            \
                                           const uint32_t rk[TY_AT_LEAST(32)]);                    \
    size_t ty_sm4_slice_cfb_decrypt_##tier(uint8_t *out, const uint8_t *in, size_t blocks,         \
                                           uint8_t iv[TY_AT_LEAST(16)],                            \
                                           const uint32_t rk[TY_AT_LEAST(32)]);                    \
    size_t ty_sm4_slice_xex_##tier(uint8_t *out, const uint8_t *in, const uint8_t *mask,           \
                                   size_t blocks, const uint32_t rk[TY_AT_LEAST(32)]);

#if defined(__x86_64__)
TY_SM4_SLICE(avx512)
#endif

#endif
