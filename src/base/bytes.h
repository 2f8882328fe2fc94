/* Byte order, written so that compilers see one load or store. */
#ifndef TY_BASE_BYTES_H
#define TY_BASE_BYTES_H

#include <stdint.h>

static inline uint32_t ty_get32be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void ty_put32be(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

static inline uint64_t ty_get64be(const uint8_t *p) { return (uint64_t)ty_get32be(p) << 32 | ty_get32be(p + 4); }

static inline void ty_put64be(uint8_t *p, uint64_t x)
{
    ty_put32be(p, (uint32_t)(x >> 32));
    ty_put32be(p + 4, (uint32_t)x);
}

static inline uint64_t ty_get64le(const uint8_t *p)
{
    const uint32_t lo = (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
    const uint32_t hi = (uint32_t)p[7] << 24 | (uint32_t)p[6] << 16 | (uint32_t)p[5] << 8 | p[4];
    return (uint64_t)hi << 32 | lo;
}

static inline void ty_put64le(uint8_t *p, uint64_t x)
{
    for (int i = 0; i < 8; i++) p[i] = (uint8_t)(x >> 8 * i);
}

static inline uint32_t ty_rotl32(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

#endif
