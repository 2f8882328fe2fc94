/* Scalars of SM2's curve in signed digits. Part of each tier of the curve, after mod/n_sm2_words.h.
 *
 * A scalar k < 2^255 is sum d_i 2^(wi) with digits |d_i| <= 2^(w-1) (Booth, 1951): d_i depends on
 * bits wi-1 .. wi+w-1. Constant-time multiplication first replaces k by min(k, n - k) <= (n-1)/2,
 * and negates the result if needed. This is what makes incomplete addition safe there: see base_sum
 * and mul in ec_sm2_tier.h. */
#ifndef TY_EC_EC_SM2_DIGITS_H
#define TY_EC_EC_SM2_DIGITS_H

#define WIDTH  5    /* of a digit of the small table, and of verification */
#define COLS   16   /* entries of such a table */
#define DIGITS 52

/* The digits of mul. With short words and little memory the smaller table is faster, as reading
 * half as many entries saves more time than twelve more additions take. */
#if defined(TY_P_SM2_M4)
#  define MUL_WIDTH  4
#  define MUL_DIGITS 64
#else
#  define MUL_WIDTH  WIDTH
#  define MUL_DIGITS DIGITS
#endif
#define MUL_COLS (1 << (MUL_WIDTH - 1))

typedef struct digits {
    uint8_t magnitude[MUL_DIGITS];
    uint8_t negative[MUL_DIGITS];    /* 0 or 1 */
} digits;

/* bits at .. at+7 of k, for -1 <= at: bit -1 is 0, and so is everything from bit 256 on */
static uint32_t eight_bits(const uint8_t k[TY_AT_LEAST(32)], int at)
{
    if (at < 0) return (uint32_t)k[31] << 1 & 255;
    const int i = 31 - at / 8;
    const uint32_t two = (i >= 0 ? k[i] : 0) | (i > 0 ? (uint32_t)k[i - 1] << 8 : 0);
    return two >> at % 8 & 255;
}

/* d = the digits of k: any 256 bits if width * count > 256, else k < 2^(width * count - 1) */
static inline void recode_bytes(digits *d, const uint8_t k[TY_AT_LEAST(32)], int width, int count)
{
    const uint32_t window = (2u << width) - 1;
    for (int i = 0; i < count; i++) {
        const uint32_t w = eight_bits(k, width * i - 1) & window, neg = w >> width;
        const uint32_t absolute = w ^ (window & (0 - neg));   /* negative: window - w */
        d->magnitude[i] = (uint8_t)((absolute + 1) >> 1);
        d->negative[i] = (uint8_t)neg;
    }
}

static inline void recode(digits *d, const ty_n_sm2 *k, int width, int count)
{
    uint8_t bytes[32];
    ty_n_sm2_get(bytes, k);
    recode_bytes(d, bytes, width, count);
    ty_wipe(bytes, sizeof bytes);
}

#endif
