/* Byte order, written so that compilers see one load or store. */
#ifndef TY_BASE_BYTES_H
#define TY_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t ty_get32be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Stores go through memcpy: of two adjacent ones, written byte by byte, gcc 12 makes a vector of
 * sixteen bytes, which it then assembles one byte at a time. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#  define TY_BE32(x) (x)
#  define TY_BE64(x) (x)
#  define TY_LE64(x) __builtin_bswap64(x)
#else
#  define TY_BE32(x) __builtin_bswap32(x)
#  define TY_BE64(x) __builtin_bswap64(x)
#  define TY_LE64(x) (x)
#endif

static inline void ty_put32be(uint8_t *p, uint32_t x)
{
    const uint32_t y = TY_BE32(x);
    memcpy(p, &y, 4);
}

static inline uint64_t ty_get64be(const uint8_t *p)
{
    return (uint64_t)ty_get32be(p) << 32 | ty_get32be(p + 4);
}

static inline void ty_put64be(uint8_t *p, uint64_t x)
{
    const uint64_t y = TY_BE64(x);
    memcpy(p, &y, 8);
}

static inline uint64_t ty_get64le(const uint8_t *p)
{
    const uint32_t lo = (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
    const uint32_t hi = (uint32_t)p[7] << 24 | (uint32_t)p[6] << 16 | (uint32_t)p[5] << 8 | p[4];
    return (uint64_t)hi << 32 | lo;
}

static inline void ty_put64le(uint8_t *p, uint64_t x)
{
    const uint64_t y = TY_LE64(x);
    memcpy(p, &y, 8);
}

static inline uint32_t ty_rotl32(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

/* Whether two names are equal. strcmp would be another function that the freestanding library
 * needs. */
static inline int ty_same_name(const char *a, const char *b)
{
    for (; *a && *a == *b; a++, b++) { }
    return *a == *b;
}

#endif
