/* Words of Keccak as halves of 32 bits: even bits and odd bits. */
#ifndef TY_KECCAK_HALVES_H
#define TY_KECCAK_HALVES_H

#include <stdint.h>

typedef struct halves {
    uint32_t e, o;   /* bits 0, 2, 4 ...; bits 1, 3, 5 ... */
} halves;

static inline uint32_t rotl(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

/* Exchanges the bits of y at the positions in m with the bits of x that are s positions higher.
 * Number the 64 bits of x and y by their positions, plus 32 for those of y: then this exchanges the
 * top bit of each number with the bit of weight s. */
#define EXCHANGE(x, y, s, m)                         \
    do {                                             \
        const uint32_t t = ((x) >> (s) ^ (y)) & (m); \
        (y) ^= t;                                    \
        (x) ^= t << (s);                             \
    } while (0)

/* Interleaving rotates the six bits of every bit's number by one. That is five exchanges of the top
 * bit with the others, from the lowest to that of weight 16, which moves half-words: six operations
 * each for both words, or four where an operand can be shifted. */
static inline uint64_t together(halves x)
{
    uint32_t lo = x.e, hi = x.o;
    EXCHANGE(lo, hi, 1, 0x55555555);
    EXCHANGE(lo, hi, 2, 0x33333333);
    EXCHANGE(lo, hi, 4, 0x0f0f0f0f);
    EXCHANGE(lo, hi, 8, 0x00ff00ff);
    return (uint64_t)((hi & 0xffff0000) | lo >> 16) << 32 | (hi << 16 | (lo & 0xffff));
}

static inline halves apart(uint64_t x)
{
    const uint32_t low = (uint32_t)x, high = (uint32_t)(x >> 32);
    uint32_t e = high << 16 | (low & 0xffff), o = (high & 0xffff0000) | low >> 16;
    EXCHANGE(e, o, 8, 0x00ff00ff);
    EXCHANGE(e, o, 4, 0x0f0f0f0f);
    EXCHANGE(e, o, 2, 0x33333333);
    EXCHANGE(e, o, 1, 0x55555555);
    return (halves){ e, o };
}
#undef EXCHANGE

#endif
