/* Scalars written in digits, for ec_binary_vt.inc. */
#include "ec/ec_digits.h"

#include <string.h>

/* d[i]: k = sum of d[i] 2^i for the low `bits` bits of k, each digit 0 or odd in (-8, 8). Where the bit and the carry
 * make 1, they and the next three bits are the digit if below 8; else 16 is borrowed, as a carry past them. */
void ty_ec_digits_vt(int8_t d[TY_AT_LEAST(TY_EC_DIGITS)], const uint8_t *k, size_t bits)
{
    const size_t last = (bits + 7) / 8 - 1;
    unsigned carry = 0;
    memset(d, 0, TY_EC_DIGITS);
    for (size_t i = 0; i <= bits;) {
        unsigned window = 0;
        for (size_t j = 0; j < 4 && i + j < bits; j++) window |= (k[last - (i + j) / 8] >> (i + j) % 8 & 1u) << j;
        const unsigned sum = (window & 1) + carry;
        if (sum == 1) {
            window |= 1;
            carry = window >> 3;
            d[i] = (int8_t)((int)window - 16 * (int)carry);
            i += 4;
        } else {
            carry = sum >> 1;
            i++;
        }
    }
}
