/* Products of 52-bit digits by fused multiply-add. Template, for a level with FMA.
 *   V   a vector of 64-bit integers, or of the doubles that have the same bits
 *
 * A digit is a double. With rounding to nearest, and a and b at most 2^52 - 1, so that ab <= 2^104
 * - 2^53 + 1:
 *     h = ab + 2^104          is in [2^104, 2^105), where doubles are 2^52 apart: h = 2^104 +
 *                             2^52 H, H <= 2^52 - 2, and L = ab - 2^52 H is at most 2^51 in
 *                             absolute value
 *     c - h, c = 2^104 - 3 2^51 is -2^51 (3 + 2H), and 3 + 2H < 2^53: exact; c itself is 2^51 (2^53
 *     - 3)
 *     l = ab + (c - h)        is L - 3 2^51, an integer in [-2^53, -2^52]: exact
 * As integers, doubles of one binade differ by the number of steps between them, its upper end
 * included: h is H and the exponent 1023 + 104 in bits 52 to 62; l is 2^51 - L, the exponent 1023 +
 * 52 and the sign.
 *
 * bound: two FMAs, a subtraction, two integer additions. Zen 3 has two pipes for the first, two for
 * the second, and these four for the last: 1.25 core cycles for four lanes */
#define HI_EXCESS ((uint64_t)1127 << 52)
#define LO_EXCESS (0 - ((uint64_t)1 << 63) - ((uint64_t)1075 << 52) - ((uint64_t)1 << 51))
static inline __attribute__((always_inline)) void product(V *lo, V *hi, V a, V b)
{
    const V c = v_set_f64(V, 0x1p104 - 0x1.8p52);
    const V h = v_fma_f64(a, b, v_set_f64(V, 0x1p104)), rest = v_sub_f64(c, h);
    const V l = v_fma_f64(a, b, rest);
    *hi = v_add64(*hi, h);
    *lo = v_sub64(*lo, l);
}

/* The double x + 2^52 has x in the bits below its exponent. */
static inline V form(V x)
{
    const V big = v_set_f64(V, 0x1p52), y = x | big;
    return v_sub_f64(y, big);
}
static inline V digit(V x)
{
    const V big = v_set_f64(V, 0x1p52);
    return v_add_f64(x, big) ^ big;
}

/* Whether rounding is to nearest and inexact results do not trap. A caller may have changed that,
 * which is rare, and public. */
static int TY_K(lanes_ready)(void)
{
    const unsigned precision_masked = 1u << 12, rounding = 3u << 13;
    return (_mm_getcsr() & (precision_masked | rounding)) == precision_masked;
}
