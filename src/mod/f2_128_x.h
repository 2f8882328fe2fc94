/* GF(2^128), multiplication by x, for the modes that double: XTS in both forms, CMAC and OCB.
 * field      that of f2_128.h (cards/f2_128.card), whatever the order of the bits
 * words      {lo, hi}, a 128-bit number, which the caller converts from and to bytes:
 *              number     x^i is bit i. Little-endian: XTS of IEEE 1619. Big-endian: CMAC, OCB
 *              reflected  x^i is bit 127 - i; big-endian. GHASH's order (f2_128.h), and XTS of GB/T
 *                         17964-2021
 *            So the two forms of XTS read the same 16 bytes as different polynomials: reversing the
 *            bits of every byte turns one reading into the other. Reflected, x^128 is 0xe1 in the
 *            top byte: x^0, x^1, x^2 and x^7
 * time       constant */
#ifndef TY_MOD_F2_128_X_H
#define TY_MOD_F2_128_X_H

#include "base/ct.h"
#include "mod/f2_128_const.h"

/* w = w x in the order "number": the bit that leaves at the top is x^128 == 0x87 */
static inline void ty_f2_128_double(uint64_t w[2])
{
    const uint64_t over = ty_mask_bit64(w[1] >> 63);
    w[1] = w[1] << 1 | w[0] >> 63;
    w[0] = w[0] << 1 ^ (over & TY_F2_128_CARRY);
}

/* w = w x in the order "reflected": the bit that leaves at the bottom returns as z^120 + z^125 +
 * z^126 + z^127 */
static inline void ty_f2_128_double_reflected(uint64_t w[2])
{
    const uint64_t over = ty_mask_bit64(w[0] & 1);
    w[0] = w[0] >> 1 | w[1] << 63;
    w[1] = w[1] >> 1 ^ (over & (uint64_t)TY_F2_128_CARRY_REFLECTED << 56);
}

#endif
