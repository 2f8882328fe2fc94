/* Words of Keccak as halves of 32 bits: even bits and odd bits. */
#ifndef TY_KECCAK_HALVES_H
#define TY_KECCAK_HALVES_H

#include <stdint.h>

typedef struct halves {
    uint32_t e, o;   /* bits 0, 2, 4 ...; bits 1, 3, 5 ... */
} halves;

static inline uint32_t rotl(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

/* Each bit of m changes places with the one s above it. */
static inline uint32_t swap(uint32_t x, unsigned s, uint32_t m)
{
    const uint32_t t = (x ^ x >> s) & m;
    return x ^ t ^ t << s;
}

/* Even bits go down, odd bits up, groups of twice the length every time; unzip is its own way back in reverse. */
static inline uint32_t unzip(uint32_t x)
{
    x = swap(x, 1, 0x22222222);
    x = swap(x, 2, 0x0c0c0c0c);
    x = swap(x, 4, 0x00f000f0);
    return swap(x, 8, 0x0000ff00);
}

static inline uint32_t zip(uint32_t x)
{
    x = swap(x, 8, 0x0000ff00);
    x = swap(x, 4, 0x00f000f0);
    x = swap(x, 2, 0x0c0c0c0c);
    return swap(x, 1, 0x22222222);
}

static inline halves apart(uint64_t x)
{
    const uint32_t lo = unzip((uint32_t)x), hi = unzip((uint32_t)(x >> 32));
    return (halves){ (lo & 0xffff) | hi << 16, lo >> 16 | (hi & 0xffff0000) };
}

static inline uint64_t together(halves x)
{
    const uint32_t lo = zip((x.e & 0xffff) | x.o << 16), hi = zip(x.e >> 16 | (x.o & 0xffff0000));
    return (uint64_t)hi << 32 | lo;
}

#endif
