/* One round of SM3, for every tier. */
#ifndef TY_SM3_SM3_ROUND_H
#define TY_SM3_SM3_ROUND_H

/* Round j adds T_j <<< j, where T_j is the first constant for j < 16 and the second from there on.
 * Only j mod 32 matters for the rotation. The compiler folds all of this into immediate
 * operands. */
#define ROT(x, n) ((uint32_t)(x) << ((n) % 32) | (uint32_t)(x) >> ((32 - (n) % 32) % 32))
#define T(j)      ((j) < 16 ? ROT(0x79cc4519u, j) : ROT(0x7a879d8au, j))

static inline uint32_t p0(uint32_t x) { return x ^ ty_rotl32(x, 9) ^ ty_rotl32(x, 17); }
static inline uint32_t p1(uint32_t x) { return x ^ ty_rotl32(x, 15) ^ ty_rotl32(x, 23); }

/* The Boolean functions: parity in the first 16 rounds, then majority and choice. Majority is
 * written as a sum of two terms with no bit in common, choice with two gates instead of three. */
static inline uint32_t ff0(uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; }
static inline uint32_t gg0(uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; }
static inline uint32_t ff1(uint32_t x, uint32_t y, uint32_t z) { return (x & y) + (z & (x ^ y)); }
static inline uint32_t gg1(uint32_t x, uint32_t y, uint32_t z) { return z ^ (x & (y ^ z)); }

/* One round. The standard shifts all eight registers down by one; here they stay where they are and
 * the caller rotates their names: what was d becomes the new a, what was h the new e. w is W_j, wx
 * is W_j ^ W_{j+4}. The sums add last what is ready last: ss1 depends on the a and e of the round
 * before. */
#define ROUND(ff, gg, a, b, c, d, e, f, g, h, j, w, wx) do {               \
        const uint32_t a12 = ty_rotl32(a, 12);                             \
        const uint32_t ss1 = ty_rotl32(a12 + (e) + T(j), 7);               \
        (d) = (d) + ff(a, b, c) + (wx) + (ss1 ^ a12);                      \
        (h) = p0((h) + gg(e, f, g) + (w) + ss1);                           \
        (b) = ty_rotl32(b, 9);                                             \
        (f) = ty_rotl32(f, 19);                                            \
    } while (0)

/* After four rounds the eight names are where they were. w(k) is W_k and wx(k) is W_k ^
 * W_{k+4}. */
#define FOUR(ff, gg, j, w, wx) do {                                                    \
        ROUND(ff, gg, a, b, c, d, e, f, g, h, (j), w(j), wx(j));                       \
        ROUND(ff, gg, d, a, b, c, h, e, f, g, (j) + 1, w((j) + 1), wx((j) + 1));       \
        ROUND(ff, gg, c, d, a, b, g, h, e, f, (j) + 2, w((j) + 2), wx((j) + 2));       \
        ROUND(ff, gg, b, c, d, a, f, g, h, e, (j) + 3, w((j) + 3), wx((j) + 3));       \
    } while (0)

#endif
