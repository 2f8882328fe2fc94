/* Scalars in digits, for multiplications in variable time. */
#ifndef TY_EC_EC_DIGITS_H
#define TY_EC_EC_DIGITS_H

#include "tongyu/base.h"

#define TY_EC_DIGITS 1032   /* for scalars of at most 1024 bits */

void ty_ec_digits_vt(int8_t d[TY_AT_LEAST(TY_EC_DIGITS)], const uint8_t *k, size_t bits);

#endif
