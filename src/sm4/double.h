/* Doubling in GF(2^128) as CMAC and OCB count it: the block is a big-endian number, its top bit x^127, and
 * x^128 == x^7 + x^2 + x + 1 [SP 800-38B, 6.1; RFC 7253, 2]. */
#ifndef TY_SM4_DOUBLE_H
#define TY_SM4_DOUBLE_H

#include "base/bytes.h"
#include "base/ct.h"

/* out = x in; out may be in */
static inline void ty_sm4_double(uint8_t out[16], const uint8_t in[16])
{
    const uint64_t hi = ty_get64be(in), lo = ty_get64be(in + 8);
    ty_put64be(out, hi << 1 | lo >> 63);
    ty_put64be(out + 8, lo << 1 ^ (ty_mask_bit64(hi >> 63) & 0x87));
}

#endif
