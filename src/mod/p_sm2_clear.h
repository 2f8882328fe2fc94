/* Clearing in Z/p for SM2: t/2^256 mod p, 64 bits at a time from the bottom, where p == -1 mod 2^64
 * makes the quotient digit the low 64 bits themselves, and adding that multiple of p takes shifts
 * and two carry chains, no product. See mod/p_sm2.h. Part of mod/p_sm2_words.h.
 * time: constant */
#ifndef TY_MOD_P_SM2_CLEAR_H
#define TY_MOD_P_SM2_CLEAR_H

/* w = (w + m p)/2^64 with m = w mod 2^64, for any w < 2^256; the result is below p + 2^161 < 2^256.
 * w + m p = (w - m) + 2^64 m (2^192 - 2^160 - 2^32 + 1); the bracket times m is `plus` - `minus`
 * below, never negative, and since the whole sum fits in 256 bits the last carry is 0. */
static inline void ty_p_sm2_clear64(ty_limb w[TY_LIMBS])
{
    ty_limb d[TY_LIMBS];
#if TY_LIMB_BITS == 64
    const ty_limb m = w[0];
    const ty_limb plus[TY_LIMBS] = { m, 0, 0, m };
    const ty_limb minus[TY_LIMBS] = { m << 32, m >> 32, m << 32, m >> 32 };
    const ty_limb rest[TY_LIMBS] = { w[1], w[2], w[3], 0 };
#else
    const ty_limb m0 = w[0], m1 = w[1];
    const ty_limb plus[TY_LIMBS] = { m0, m1, 0, 0, 0, 0, m0, m1 };
    const ty_limb minus[TY_LIMBS] = { 0, m0, m1, 0, 0, m0, m1, 0 };
    const ty_limb rest[TY_LIMBS] = { w[2], w[3], w[4], w[5], w[6], w[7], 0, 0 };
#endif
    (void)ty_limb256_sub(d, plus, minus);
    (void)ty_limb256_add(w, rest, d);
}

/* z = t/2^256 mod p, for t < p 2^256: clear the low half 64 bits at a time, then add the high half.
 * The cleared half is (low + M p)/2^256 <= p with M < 2^256, and high < p: the sum is below 2p. */
static inline void ty_p_sm2_clear(ty_limb z[TY_AT_LEAST(TY_LIMBS)],
                                  const ty_limb t[TY_AT_LEAST(2 * TY_LIMBS)])
{
    ty_limb w[TY_LIMBS];
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) w[i] = t[i];
    TY_UNROLL for (int i = 0; i < 4; i++) ty_p_sm2_clear64(w);
    const ty_limb c = ty_limb256_add(w, w, t + TY_LIMBS);
    ty_limb256_canon(z, c, w, ty_p_sm2_modulus.v);
}

#endif
