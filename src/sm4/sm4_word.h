/* SM4 on one block, portable: the S-box on the four bytes of a word. Template; TY_K names its
 * functions.
 *
 * A chain (CBC, CMAC, the key schedule) has one block at a time, which would use only four bits of
 * each plane of sm4_bitslice.h. Here the bytes stay in place, and the field is represented as a
 * tower: a byte is a Y + b with a and b in GF(16) = GF(2)[u] / (u^4 + u + 1) and Y^2 = Y + nu, so
 * that
 *     1/(a Y + b) = (a (Y + 1) + b) / n,    n = b^2 + a (b + nu a)
 * [Itoh and Tsujii 1988]. A multiplication by a bit is an AND with that bit spread over its byte:
 * no table, no multiplication instruction, no branch on data. Constants: src/mod/f8_sm4.inc, by
 * tools/gen.py.
 *
 * Modelled cycles on a Cortex-M4, GCC 12 -O2: a block 7,300 with the stack wiped, 7,000 each in a
 * chain; on planes 13,400, the same as for eight blocks. */
#ifndef TY_SM4_SM4_WORD_H
#define TY_SM4_SM4_WORD_H

#include "base/bytes.h"
#include "base/ct.h"
#include "base/unroll.h"
#include "mod/f8_sm4.h"

/* bit i of every byte; the barrier keeps compilers from masking it again when it is spread */
#define BITS(x, i)  ty_barrier32((x) >> (i) & 0x01010101u)
#define SPREAD8(t)  (((t) << 8) - (t))          /* 0xff where t has a one, 0 where it has none */
#define SPREAD4(t)  (((t) << 4) - (t))          /* 0x0f */
#define EVERY(byte) ((byte) * 0x01010101u)      /* of constants */

/* for every byte of x: add + the sum of the columns where it has ones */
static inline uint32_t linear(uint32_t x, const uint8_t column[8], uint8_t add)
{
    uint32_t y = EVERY(add);
    TY_UNROLL for (unsigned i = 0; i < 8; i++) y ^= SPREAD8(BITS(x, i)) & EVERY(column[i]);
    return y;
}

/* b^2 + a (b + nu a) in the low half of every byte; the high half is undefined */
static inline uint32_t norm(uint32_t a, uint32_t b)
{
    static const uint8_t nu[4] = { TY_F8_SM4_TOWER_NU };   /* times u^i */
    uint32_t n = (b | b << 2) & 0x33333333u;
    n = (n | n << 1) & 0x55555555u;                        /* squared: zeros between its bits */
    TY_UNROLL for (unsigned i = 0; i < 4; i++) n ^= (SPREAD4(BITS(a, i)) & (b ^ EVERY(nu[i]))) << i;
    const uint32_t high = n >> 4 & 0x07070707u;            /* u^4 = u + 1 */
    return n ^ high ^ high << 1;
}

/* d[i] = bit i of 1/n, 0 for 0, at the lowest bit of every byte; the other bits are undefined */
static inline void inverse16(uint32_t d[4], uint32_t n)
{
    const uint32_t n0 = n, n1 = n >> 1, n2 = n >> 2, n3 = n >> 3;
    const uint32_t n12 = n1 ^ n2, n123 = n12 ^ n3, all = n123 ^ (n1 & n2 & n3);
    d[0] = all ^ (n1 & n2) ^ (n0 & ~(n2 & ~n1));
    d[1] = (n3 & ~n1) ^ (n1 & n2) ^ (n0 & (n12 ^ (n1 & n3)));
    d[2] = n2 ^ n3 ^ (n0 & (n123 ^ (n2 & n3)));
    d[3] = all ^ (n3 & (n0 ^ n12));
}

/* The S-box on every byte of x */
static uint32_t TY_K(sm4_tau)(uint32_t x)
{
    static const uint8_t in[8] = { TY_F8_SM4_TOWER_IN }, out[8] = { TY_F8_SM4_TOWER_OUT };
    uint32_t d[4], y = linear(x, in, TY_F8_SM4_TOWER_IN_ADD), z = 0;
    inverse16(d, norm(y >> 4 & 0x0f0f0f0fu, y & 0x0f0f0f0fu));
    TY_UNROLL for (unsigned i = 0; i < 4; i++) {
        z ^= SPREAD8(BITS(d[i], 0)) & y;
        /* y <- u y, in both halves of every byte */
        const uint32_t top = y >> 3 & 0x11111111u;
        y = (y ^ top) << 1 ^ top ^ top << 4;
    }
    return linear(z, out, TY_F8_SM4_TOWER_OUT_ADD);
}

#define ROUND(a, b, c, d, rk) do { \
        const uint32_t s = TY_K(sm4_tau)((b) ^ (c) ^ (d) ^ (rk)); \
        (a) ^= s ^ ty_rotl32(s, 2) ^ ty_rotl32(s, 10) ^ ty_rotl32(s, 18) ^ ty_rotl32(s, 24); \
    } while (0)

static void TY_K(sm4_one)(uint8_t out[16], const uint8_t in[16], const uint32_t rk[32])
{
    uint32_t x[4];
    for (int i = 0; i < 4; i++) x[i] = ty_get32be(in + 4 * i);
    for (unsigned i = 0; i < 32; i += 4) {
        ROUND(x[0], x[1], x[2], x[3], rk[i]);
        ROUND(x[1], x[2], x[3], x[0], rk[i + 1]);
        ROUND(x[2], x[3], x[0], x[1], rk[i + 2]);
        ROUND(x[3], x[0], x[1], x[2], rk[i + 3]);
    }
    for (int i = 0; i < 4; i++) ty_put32be(out + 4 * i, x[3 - i]);
    ty_wipe(x, sizeof x);
}

#undef BITS
#undef SPREAD8
#undef SPREAD4
#undef EVERY
#undef ROUND
#endif
