/* What the tiers with AES instructions share: the tables of src/mod/f8_sm4.inc, each of 16 bytes,
 * and byte shuffles: entry i is the place in the source of byte i of the result. A byte "in AES
 * form" is one in the representation of the AES field (src/mod/f8_sm4.h). */
#ifndef TY_SM4_SM4_AES_H
#define TY_SM4_SM4_AES_H

#include "base/vec.h"
#include "mod/f8_sm4.h"

#define TABLE(name, NAME)                                                                          \
    static const uint8_t name##_lo[16] = { TY_F8_SM4_##NAME##_LO },                                \
                         name##_hi[16] = { TY_F8_SM4_##NAME##_HI }
TABLE(to_aes, TO);
TABLE(from_aes, FROM);
TABLE(first, FIRST);
TABLE(middle, MIDDLE);
TABLE(last, LAST);
TABLE(key0, KEY0);
TABLE(key1, KEY1);
TABLE(key2, KEY2);
TABLE(key3, KEY3);
#undef TABLE

static const uint8_t low_nibbles[16] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15
};
static const uint8_t swap32[16] = { 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12 };
/* up, up2 and up3 rotate every word left by 8, 16 and 24 bits. Words are big-endian, as in memory:
 * every byte moves up by one, two or three places. */
static const uint8_t up[16]  = { 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12 };
static const uint8_t up2[16] = { 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13 };
static const uint8_t up3[16] = { 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14 };

/* ShiftRows moves byte 5 i mod 16 to i, so its inverse, unshift, moves byte 13 i mod 16 to i.
 * unshift_up and unshift_up2 are unshift followed by up and by up2; shifted_up is up for rows that
 * are still shifted: shifted_up followed by unshift equals unshift followed by up. */
static const uint8_t unshift[16]     = { 0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3 };
static const uint8_t unshift_up[16]  = { 13, 10, 7, 0, 1, 14, 11, 4, 5, 2, 15, 8, 9, 6, 3, 12 };
static const uint8_t unshift_up2[16] = { 10, 7, 0, 13, 14, 11, 4, 1, 2, 15, 8, 5, 6, 3, 12, 9 };
static const uint8_t shifted_up[16]  = { 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8 };

/* For rounds that every mode calls: one copy in each tier */
#define NOINLINE static __attribute__((noinline))

/* Unrolls a loop over the four words: at -O2 compilers would keep the loop, and the words in
 * memory. */
#define EACH(i) _Pragma("GCC unroll 4") for (size_t i = 0; i < 4; i++)

#endif
