/* GF(2^128), the field of GHASH: the card, the kernel list and the tier list.
 * modulus    m = x^128 + x^7 + x^2 + x + 1                                    [SP 800-38D, 6.3]
 * irreducible  m
 * law        x^128 == x^7 + x^2 + x + 1                                        (mod m)
 * mont       P = 1 + x^121 + x^126 + x^127 + x^128, P == 1                     (mod x^64)
 * bytes      x^0 is the TOP bit of byte 0, x^127 the bottom bit of byte 15: the standard's "little end first"
 * words      an element a(x) read big-endian is the integer A(z) = z^127 a(1/z), two words {lo, hi}
 *            In z the modulus is P, and the last line above says that the digit that clears the low word is the low
 *            word itself, as for SM2's prime
 * product    C z^128 = A B z mod P: Montgomery's product of A and B z. So a factor used often is kept as B z
 *            ("primed"), and primed times primed is primed
 * canonical  every 128-bit value is, so there is nothing to canonise
 * time       depends on the number of blocks alone */
#ifndef TY_MOD_F2_128_H
#define TY_MOD_F2_128_H

#include "base/cpu.h"
#include "tongyu/base.h"

typedef struct ty_f2_128_ops {
    /* power = what horner wants to know of h, in this tier's layout */
    void (*powers)(uint64_t power[TY_AT_LEAST(8)][2], const uint8_t h[TY_AT_LEAST(16)]);
    /* y = (...((y + in_0) h + in_1) h + ...) h over the 16-byte blocks of in; any alignment; blocks may be 0 */
    void (*horner)(uint8_t y[TY_AT_LEAST(16)], const uint8_t *in, size_t blocks,
                   const uint64_t power[TY_AT_LEAST(8)][2]);
    /* m = t, t x, t x^2, ... for n blocks, then t = t x^n: the masks of XTS, in the order "number" (little-endian) or
     * "reflected" of f2_128_x.h */
    void (*ladder)(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected);
} ty_f2_128_ops;

/* the portable ladder */
void ty_f2_128_ladder(uint8_t *m, size_t n, uint8_t t[TY_AT_LEAST(16)], int reflected);

extern const ty_f2_128_ops ty_f2_128_ops_c;
#if defined(__SIZEOF_INT128__)
extern const ty_f2_128_ops ty_f2_128_ops_c64;
#endif
#if defined(__x86_64__)
extern const ty_f2_128_ops ty_f2_128_ops_aesni, ty_f2_128_ops_vaes;
#  define ty_f2_128_ops_avx2   ty_f2_128_ops_aesni
#  define ty_f2_128_ops_adx    ty_f2_128_ops_aesni
#  define ty_f2_128_ops_gfni   ty_f2_128_ops_vaes
#  define ty_f2_128_ops_avx512 ty_f2_128_ops_aesni
#  define ty_f2_128_ops_gfni512 ty_f2_128_ops_vaes
#endif
#if defined(TY_AARCH64)
extern const ty_f2_128_ops ty_f2_128_ops_armce;
#  define ty_f2_128_ops_neon    ty_f2_128_ops_c64
#  define ty_f2_128_ops_armsha3 ty_f2_128_ops_armce
#  define ty_f2_128_ops_armsm   ty_f2_128_ops_armce
#endif
extern const ty_tier ty_f2_128_tiers[];

static inline const ty_f2_128_ops *ty_f2_128_best(void)
{
#if defined(TY_TIER)
    return &TY_CAT(ty_f2_128_ops_, TY_TIER);
#else
    return (const ty_f2_128_ops *)ty_tier_best(ty_f2_128_tiers);
#endif
}

#endif
