/* GF(2^128) by carry-less multiplication: what the tiers with PCLMULQDQ or PMULL share. A sum of
 * products is reduced once. Included after level_begin.h, so that it is compiled for TY_LEVEL. */
#ifndef TY_MOD_F2_128_CLMUL_H
#define TY_MOD_F2_128_CLMUL_H

/* bytes in reverse: an element as the 128-bit integer of f2_128.h */
static const uint8_t reverse[16] = { 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
static inline v128 reversed(v128 x) { return v128_shuf8(x, v128_load(reverse)); }

/* a block of GHASH, with its bytes reversed; or, if swap is 0, one of POLYVAL, whose bytes are in
 * that order already */
static inline v128 swapped(v128 x, const int swap) { return swap ? reversed(x) : x; }

/* a sum of products: low, middle (of weight z^64) and high, 128 bits each */
typedef struct wide { v128 low, middle, high; } wide;

static inline void mul_add(wide *s, v128 x, v128 h)
{
    s->low ^= v128_clmul_ll(x, h);
    s->high ^= v128_clmul_hh(x, h);
    s->middle ^= v128_clmul_hl(x, h);
    s->middle ^= v128_clmul_lh(x, h);
}

/* (x + n0 P)/z^64 for the low word n0 of x: adds (z^57 + z^62 + z^63) n0 one word above n0, and n0
 * two words above. With the words of x exchanged, the word above is at the bottom, and n0 is where
 * it has to be added. */
static inline v128 clear(v128 x)
{
    const v128 p = v128_pair(0, TY_F2_128_DIGIT);
    return v128_swap64(x) ^ v128_clmul_ll(x, p);
}

static inline v128 reduce(wide s)
{
    const v128 low = s.low ^ v128_up64(s.middle);
    const v128 high = s.high ^ v128_down64(s.middle);
    return high ^ clear(clear(low));
}

static inline v128 mul(v128 x, v128 h)
{
    wide s = { v128_zero(), v128_zero(), v128_zero() };
    mul_add(&s, x, h);
    return reduce(s);
}

/* h primed, h z: the top bit of the low word moves into the high word, that of the high word is
 * reduced by z^128 == 1 + z^121 + z^126 + z^127 */
static inline v128 primed(const uint8_t h[16])
{
    const v128 x = reversed(v128_load(h));
    const v128 carry = v128_shr64(x, 63);
    const v128 over = v128_sub64(v128_zero(), v128_zip_hi64(carry, carry));
    const v128 fold = over & v128_pair(TY_F2_128_DIGIT, 1);
    return (v128_shl64(x, 1) | v128_up64(carry)) ^ fold;
}

/* For times_x8 in the order "reflected": exchanges the two lowest bytes and clears the others. */
static const uint8_t exchange[16] = {
    1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
};

/* v = t, t x, ... t x^7, the ladder's first eight */
static inline void eight(v128 v[8], const uint8_t t[16], int reflected)
{
    uint64_t w[2];
    memcpy(w, t, 16);
    if (reflected) {
        const uint64_t top = __builtin_bswap64(w[0]);
        w[0] = __builtin_bswap64(w[1]);
        w[1] = top;
    }
    for (int i = 0; i < 8; i++) {
        v[i] = v128_pair(w[1], w[0]);
        if (reflected) {
            v[i] = reversed(v[i]);
            ty_f2_128_double_reflected(w);
        } else {
            ty_f2_128_double(w);
        }
    }
}

#endif
