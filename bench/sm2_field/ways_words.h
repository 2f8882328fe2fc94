/* What the implementations of the field of SM2 share, and Montgomery's product for any modulus.
 * To be included after limb/limb256.h and mod/p_sm2_words.h. The methods are:
 *
 *     fold     folds the top by the identity of p: sums of words (mod/p_sm2_fold.h)
 *     clear    clears the bottom by multiples of p, which take only shifts because p == -1 mod 2^64
 *              (mod/p_sm2_clear.h)
 *     mont     clears the bottom by multiples of p as for any odd modulus, with products:
 *              Montgomery, word by word
 *     sums     the sums of fold as in the literature, s1 + ... - s14, in 32-bit words only
 *              (sm2_field/ways_32.c)
 *     divide   long division by any number, which estimates quotient words from the top
 *              (sm2_field/ways_32.c) */
#ifndef SM2_FIELD_WAYS_WORDS_H
#define SM2_FIELD_WAYS_WORDS_H

#define TY_WORDS_PER_LIMB (TY_LIMB_BITS / 32)

static inline void ty_limbs_from_words(ty_limb *z, const uint32_t *w, int limbs)
{
    for (int i = 0; i < limbs; i++) {
#if TY_LIMB_BITS == 64
        z[i] = (uint64_t)w[2 * i + 1] << 32 | w[2 * i];
#else
        z[i] = w[i];
#endif
    }
}

static inline void ty_limbs_to_words(uint32_t z[TY_AT_LEAST(8)],
                                     const ty_limb x[TY_AT_LEAST(TY_LIMBS)])
{
    for (int i = 0; i < 8; i++)
        z[i] = (uint32_t)(x[i / TY_WORDS_PER_LIMB] >>
                          (32 * (i % TY_WORDS_PER_LIMB) & (TY_LIMB_BITS - 1)));
}

/* p as any modulus: the asm statement hides the words of p from the compiler. */
static inline const ty_limb *ty_any_modulus(void)
{
    const ty_limb *m = ty_p_sm2_modulus.v;
    __asm__("" : "+r"(m));
    return m;
}
static inline ty_limb ty_any_m0inv(void)
{
    ty_limb m0inv = 1;   /* -1/p mod 2^64 */
    __asm__("" : "+r"(m0inv));
    return m0inv;
}

/* z = xy/2^256 mod m: for each word of y a row of the product and the reduction by one word (CIOS:
 * Koc, Acar and Kaliski, "Analyzing and comparing Montgomery multiplication algorithms", 1996).
 * Before and after a row t < 2m: (t + x y_i + digit m)/B < (2m + (B-1) m + (B-1) m)/B = 2m, as
 * x < m. So one subtraction is enough at the end. z may alias x or y */
static inline void ty_mont_mul(ty_limb *z, const ty_limb *x, const ty_limb *y, const ty_limb *m,
                               ty_limb m0inv)
{
    ty_limb t[TY_LIMBS + 1] = { 0 };
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
        ty_limb c = 0, over = 0;
        TY_UNROLL for (int j = 0; j < TY_LIMBS; j++) t[j] = ty_limb_mac(t[j], x[j], y[i], &c);
        t[TY_LIMBS] = ty_limb_adc(t[TY_LIMBS], c, &over);
        const ty_limb digit = (ty_limb)(t[0] * m0inv);
        c = 0;
        (void)ty_limb_mac(t[0], digit, m[0], &c);
        TY_UNROLL for (int j = 1; j < TY_LIMBS; j++) t[j - 1] = ty_limb_mac(t[j], digit, m[j], &c);
        ty_limb carry = 0;
        t[TY_LIMBS - 1] = ty_limb_adc(t[TY_LIMBS], c, &carry);
        t[TY_LIMBS] = over + carry;
    }
    ty_limb256_canon(z, t[TY_LIMBS], t, m);
}

#endif
