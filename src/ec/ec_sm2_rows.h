/* The table of a point that is used often, TY_EC_SM2_TABLE bytes, in each tier of the curve: row r
 * holds the odd multiples 1, 3, ..., 63 of 2^(STEP r) P, affine, in the form of the tier's field.
 *
 * In lanes every scalar has digits at the same positions, none of which is 0. An odd k = 1 + 2
 * sum b_i 64^i, b_i of six bits, is sum d_i 64^i for i < 43 with odd digits d_i = 2 b_i + 1 - 64,
 * except the last, 2 b_42 + 1; an even one is n minus an odd one. */
#ifndef TY_EC_EC_SM2_ROWS_H
#define TY_EC_EC_SM2_ROWS_H

#define ROW_WIDTH 7     /* of a digit: |d| < 2^6 */
#define ROW_ODD   32
#define ROW_COUNT 7
#define ROW_ENTRY 64    /* bytes: x, y */
#if defined(TY_EC_SM2_WIDE)
#  define STEP    42
#else
#  define STEP    40
#endif
_Static_assert(ROW_COUNT * ROW_ODD * ROW_ENTRY == TY_EC_SM2_TABLE, "the size in the header");

#if defined(TY_EC_SM2_WIDE)
#  define ODD_DIGITS 43
_Static_assert(STEP % 6 == 0 && ODD_DIGITS * 6 >= 256 + 1 && ODD_DIGITS <= ROW_COUNT * STEP / 6,
               "digits of six bits fill rows");

static void recode_odd_vt(int8_t d[TY_AT_LEAST(ODD_DIGITS)], const uint8_t v[TY_AT_LEAST(32)])
{
    ty_n_sm2 k;
    uint8_t bytes[32];
    ty_n_sm2_set(&k, v);                 /* v mod n */
    const int even = (k.v[0] & 1) == 0;
    if (even) (void)ty_limb256_sub(k.v, ty_n_sm2_modulus.v, k.v);
    ty_n_sm2_get(bytes, &k);
    for (int i = 0; i < ODD_DIGITS; i++) {
        const int b = (int)(eight_bits(bytes, 6 * i + 1) & 63),
                  digit = 2 * b + 1 - (i < ODD_DIGITS - 1 ? 64 : 0);
        d[i] = (int8_t)(even ? -digit : digit);
    }
}

/* the entry for an odd digit, whatever its sign */
static const uint8_t *odd_entry(const uint8_t *table, int row, int digit)
{
    return table + ROW_ENTRY * (size_t)(ROW_ODD * row + (digit < 0 ? -digit : digit) / 2);
}
#endif

#endif
