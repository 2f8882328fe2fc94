/* Folding in Z/p for SM2: v mod p by the identity 2^256 == 2^224 + 2^96 - 2^64 + 1, with no product
 * and no Montgomery domain. See mod/p_sm2.h. Part of mod/p_sm2_words.h.
 * time: constant
 *
 * With v = sum c_i 2^(32 i) and every c_i, i >= 8, carried down by the identity until nothing is
 * above 2^256, the words are
 *     r0 = c0 + c8 + c9 + c10 + c11 + c12 + 2 c13 + 2 c14 + 2 c15
 *     r1 = c1 + c9 + c10 + c11 + c12 + c13 + 2 c14 + 2 c15
 *     r2 = c2 - c8 - c9 - c13 - c14
 *     r3 = c3 + c8 + c11 + c12 + 2 c13 + c14 + c15
 *     r4 = c4 + c9 + c12 + c13 + 2 c14 + c15
 *     r5 = c5 + c10 + c13 + c14 + 2 c15
 *     r6 = c6 + c11 + c14 + c15
 *     r7 = c7 + c8 + c9 + c10 + c11 + 2 c12 + 2 c13 + 2 c14 + 3 c15
 * 58 additions; with the sums a, b, d, e and s below, 34 in words of 32 bits. Each c_i is
 * multiplied by a positive number, 2^(32 i) mod p, so the value F = sum r_i 2^(32 i) is never
 * negative; and it is below 14.0000000010 p for any v < 2^512 (13.9999999996 p for v < p^2), hence
 * its carry k above 2^256 is 0..13. Both are proved in tests/formal/bounds.py.
 *
 * Then k is folded once more: F - k p = F - k 2^256 + k (2^224 + 2^96 - 2^64 + 1), which is below
 * 2p: for k <= 12 it is below 2^256 + 12 (2^256 - p) < 2p, and for k = 13 below 14.0000000010 p -
 * 13 p. */
#ifndef TY_MOD_P_SM2_FOLD_H
#define TY_MOD_P_SM2_FOLD_H

/* A word and room above it for a sum of signed words. Shifting a negative one right keeps its sign,
 * in GCC and Clang. */
#if TY_LIMB_BITS == 64
__extension__ typedef __int128 ty_fold_sum;
#else
typedef int64_t ty_fold_sum;
#endif

/* z = F - k p, made canonical, for the low words of F in w and its carry k = 0..13 */
static inline void ty_p_sm2_fold_carry(ty_limb z[TY_AT_LEAST(TY_LIMBS)],
                                       const ty_limb w[TY_AT_LEAST(TY_LIMBS)], ty_limb k)
{
#if TY_LIMB_BITS == 64
    const ty_limb add[TY_LIMBS] = { k, (k << 32) - k, 0, k << 32 };
#else
    /* (k << 32) - k in two words: the upper one is k - 1, or 0 for k = 0 */
    const ty_limb below = 0 - k;
    const ty_limb add[TY_LIMBS] = { k, 0, below, k - (below >> 31), 0, 0, 0, k };
#endif
    ty_limb s[TY_LIMBS];
    const ty_limb c = ty_limb256_add(s, w, add);
    ty_limb256_canon(z, c, s, ty_p_sm2_modulus.v);
}

/* z = v mod p, for any v < 2^512.   z may alias v */
static inline void ty_p_sm2_fold(ty_limb z[TY_AT_LEAST(TY_LIMBS)],
                                 const ty_limb v[TY_AT_LEAST(2 * TY_LIMBS)])
{
    ty_limb w[TY_LIMBS];
#if TY_LIMB_BITS == 64
    /* Pairs of 32-bit words are the 64-bit words themselves, h0 to h3, which are
     * (c9 c8) (c11 c10) (c13 c12) (c15 c14), or straddle two of them, m0 to m3 */
    const uint64_t h0 = v[4], h1 = v[5], h2 = v[6], h3 = v[7];
    const uint64_t m0 = h0 >> 32 | h1 << 32, m1 = h1 >> 32 | h2 << 32;   /* (c10 c9) (c12 c11) */
    const uint64_t m2 = h2 >> 32 | h3 << 32, m3 = h3 >> 32;              /* (c14 c13) (0 c15) */
    const uint64_t c8 = (uint32_t)h0, c10 = (uint32_t)h1, c12 = (uint32_t)h2, c14 = (uint32_t)h3;
    const uint64_t c9 = (uint32_t)m0, c11 = (uint32_t)m1, c13 = (uint32_t)m2;
    const uint64_t a = c8 + c9, b = c13 + c14, d = c11 + c12, e = c14 + m3;
    /* r0 - c0, below 11 2^32 */
    const uint64_t s = a + c10 + d + b + e + c13 + m3;
    /* shared by r1 r0, r5 r4, r7 r6 */
    const ty_fold_sum up = (ty_fold_sum)m2 + h3 + m3, odd = (ty_fold_sum)m0 + h2;
    ty_fold_sum t = up + up + odd + h0 + h1 + m1 + v[0];
    w[0] = (uint64_t)t;
    t = (t >> 64) + v[1] + ((ty_fold_sum)(c8 + d + c13 + b + m3) << 32) - (a + b);
    w[1] = (uint64_t)t;
    t = (t >> 64) + v[2] + up + odd + h3;
    w[2] = (uint64_t)t;
    /* r7 = s + c12 + c15, r6 = c11 + c14 + c15 */
    t = (t >> 64) + v[3] + ((ty_fold_sum)s << 32) + m1 + h3 + m3;
    w[3] = (uint64_t)t;
#else
    const ty_fold_sum c8 = v[8], c9 = v[9], c10 = v[10], c11 = v[11], c12 = v[12], c13 = v[13],
                      c14 = v[14], c15 = v[15];
    const ty_fold_sum a = c8 + c9, b = c13 + c14, d = c11 + c12, e = c14 + c15;
    /* r0 - c0, below 11 2^32 */
    const ty_fold_sum s = a + c10 + d + b + e + c13 + c15;
    const ty_fold_sum r[TY_LIMBS] = {
        s,
        s - c8 - c13,
        -a - b,
        c8 + d + c13 + b + c15,
        c9 + c12 + b + e,
        c10 + b + c15 + c15,
        c11 + e,
        s + c12 + c15,
    };
    ty_fold_sum t = 0;
    TY_UNROLL for (int i = 0; i < TY_LIMBS; i++) {
        t = (t >> 32) + r[i] + v[i];
        w[i] = (uint32_t)t;
    }
#endif
    ty_p_sm2_fold_carry(z, w, (ty_limb)(t >> TY_LIMB_BITS));
}

#endif
