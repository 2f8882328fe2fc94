/* GF(2^128), the field of GHASH: the kernel list and the tier list.
 * card       cards/f2_128.card: m = x^128 + x^7 + x^2 + x + 1                 [SP 800-38D, 6.3]
 * bytes      x^0 is the TOP bit of byte 0, x^127 the bottom bit of byte 15: the standard's "little
 *            end first"
 * words      an element a(x), read big-endian, is A(z) = z^127 a(1/z), bit i being the coefficient
 *            of z^i: two words {lo, hi}. In z the modulus is the card's P. As P == 1 (mod z^64),
 *            the digit that clears the low word is that word itself, as for SM2's prime
 * product    C z^128 = A B z mod P: Montgomery's product of A and B z. So a factor used often is
 *            kept as B z ("primed"), and primed times primed is primed
 * canonical  every 128-bit value
 * time       depends on the number of blocks alone
 * tiers      c        a bit at a time, 32-bit words
 *            c64      carry-less products from 64-bit integer products
 *            aesni    PCLMULQDQ, eight blocks for one reduction
 *            vaes     the same, two products per instruction
 *            gfni512  four products per instruction, up to 32 blocks for one reduction
 *            armce    PMULL, eight blocks for one reduction */
#ifndef TY_MOD_F2_128_H
#define TY_MOD_F2_128_H

#include "base/levels.h"
#include "tongyu/base.h"

typedef struct ty_f2_128_ops {
    /* power = h, or its powers, as horner and polyval of this tier use them */
    void (*powers)(uint64_t power[TY_AT_LEAST(8)][2], const uint8_t h[TY_AT_LEAST(16)]);
    /* y = (...((y + in_0) h + in_1) h + ...) h over the 16-byte blocks of in; any alignment; blocks
     * may be 0 */
    void (*horner)(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                   const uint64_t power[TY_AT_LEAST(8)][2]);
    /* the same, with the bytes of every block and of y in the opposite order: POLYVAL of
     * RFC 8452 */
    void (*polyval)(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                    const uint64_t power[TY_AT_LEAST(8)][2]);
    /* horner of sixteen messages of `blocks` blocks each: y + 16 i, in[i] and power[i] are those of
     * message i. NULL if it would not be faster than one by one */
    void (*horner16)(uint8_t y[TY_AT_LEAST(256)], const uint8_t *const in[TY_AT_LEAST(16)],
                     size_t blocks, const uint64_t (*const power[TY_AT_LEAST(16)])[2]);
    /* m = t, t x, t x^2, ... for n blocks, then t = t x^n: the masks of XTS, in the order "number"
     * (little-endian) or "reflected" of f2_128_x.h */
    void (*ladder)(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected);
} ty_f2_128_ops;

#define TY_F2_128_TIERS(X) X(f2_128, c) TY_ON_WORD64(X(f2_128, c64))                               \
    TY_ON_X86_64(X(f2_128, aesni) X(f2_128, vaes) X(f2_128, gfni512))                              \
    TY_ON_ARM64(X(f2_128, armce))
TY_FAMILY(f2_128, TY_F2_128_TIERS)

/* the ladder of the tiers without vectors, and of the others for fewer than eight steps */
void ty_f2_128_ladder_c(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected);

#endif
