/* The carry-less product of two words, from integer products with holes.
 *
 * Let x_i, class i, be the bits of x at the positions that are i mod 4. In the integer product x_i
 * y_j the columns that can be non-zero are four apart, so a column's sum may reach 15 without
 * touching the next one, and its lowest bit is the carry-less sum. Sixteen such products and masks
 * give the whole product (an old idea: T. Pornin's BearSSL uses it with half products).
 *
 * time    constant where the integer product is: on every 64-bit CPU; on Cortex-M4, M33 and M7; on
 *         Cortex-M3 because ty_mul32 computes it from products of 16 bits */
#ifndef TY_LIMB_F2_HOLES_H
#define TY_LIMB_F2_HOLES_H

#include "base/ct.h"

/* 32 x 32 -> 64: eight bits to a class, so that a column reaches at most 8 */
static inline uint64_t ty_f2_holes_mul32(uint32_t x, uint32_t y)
{
    const uint32_t holes = 0x11111111u;
    uint64_t z = 0;
    for (int k = 0; k < 4; k++) {
        uint64_t sum = 0;
        for (int i = 0; i < 4; i++)
            sum ^= ty_mul32(x & holes << i, y & holes << ((k - i) & 3));
        z |= sum & 0x1111111111111111u << k;
    }
    return z;
}

/* z = x y, 64 x 64 -> 128, for CPUs of 32 bits: Karatsuba's three products of halves.
 * cost: 48 multiplications */
static inline void ty_f2_holes32(uint64_t z[2], uint64_t x, uint64_t y)
{
    const uint32_t x0 = (uint32_t)x, x1 = (uint32_t)(x >> 32), y0 = (uint32_t)y,
                   y1 = (uint32_t)(y >> 32);
    const uint64_t low = ty_f2_holes_mul32(x0, y0), high = ty_f2_holes_mul32(x1, y1);
    const uint64_t middle = ty_f2_holes_mul32(x0 ^ x1, y0 ^ y1) ^ low ^ high;
    z[0] = low ^ middle << 32;
    z[1] = high ^ middle >> 32;
}

#if defined(__SIZEOF_INT128__)
/* The same for CPUs that multiply 64 x 64 -> 128. A class has 16 members, and one column could
 * reach 16: so only the low 60 bits of x, 15 to a class, are multiplied like this, and its top four
 * are added as shifts of y.
 * cost: 16 multiplications */
static inline void ty_f2_holes64(uint64_t z[2], uint64_t x, uint64_t y)
{
    __extension__ typedef unsigned __int128 u128;
    const uint64_t holes = 0x1111111111111111u, low60 = x & ~((uint64_t)15 << 60);
    u128 sum = 0;
    for (int k = 0; k < 4; k++) {
        u128 part = 0;
        for (int i = 0; i < 4; i++)
            part ^= (u128)(low60 & holes << i) * (y & holes << ((k - i) & 3));
        sum |= part & ((u128)(holes << k) << 64 | holes << k);
    }
    for (int i = 60; i < 64; i++) sum ^= (u128)(y & ty_mask_bit64(x >> i & 1)) << i;
    z[0] = (uint64_t)sum;
    z[1] = (uint64_t)(sum >> 64);
}
#endif

#endif
