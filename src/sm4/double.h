/* Doubling in GF(2^128) as CMAC and OCB define it: the block is a big-endian number, its top bit
 * x^127 [SP 800-38B, 6.1; RFC 7253, 2]. */
#ifndef TY_SM4_DOUBLE_H
#define TY_SM4_DOUBLE_H

#include "base/bytes.h"
#include "mod/f2_128_x.h"

/* `out` = x times `in`; they may be the same */
static inline void ty_sm4_double(uint8_t out[16], const uint8_t in[16])
{
    uint64_t w[2] = { ty_get64be(in + 8), ty_get64be(in) };
    ty_f2_128_double(w);
    ty_put64be(out, w[1]);
    ty_put64be(out + 8, w[0]);
}

#endif
