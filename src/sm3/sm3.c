/* SM3's compression function in portable C: the definition, and the tier list. */
#include "sm3/sm3.h"
#include "base/bytes.h"

/* Round j adds T_j <<< j, where T_j is the first constant for j < 16 and the second from there on. Only
 * j mod 32 matters for the rotation. The compiler folds all of this into immediate operands. */
#define ROT(x, n) ((uint32_t)(x) << ((n) % 32) | (uint32_t)(x) >> ((32 - (n) % 32) % 32))
#define T(j)      ((j) < 16 ? ROT(0x79cc4519u, j) : ROT(0x7a879d8au, j))

static inline uint32_t p0(uint32_t x) { return x ^ ty_rotl32(x, 9) ^ ty_rotl32(x, 17); }
static inline uint32_t p1(uint32_t x) { return x ^ ty_rotl32(x, 15) ^ ty_rotl32(x, 23); }

/* The Boolean functions: parity in the first 16 rounds, then majority and choice. Majority is written as a
 * sum of two terms with no bit in common, choice with two gates instead of three. */
static inline uint32_t ff0(uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; }
static inline uint32_t gg0(uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; }
static inline uint32_t ff1(uint32_t x, uint32_t y, uint32_t z) { return (x & y) | (z & (x | y)); }
static inline uint32_t gg1(uint32_t x, uint32_t y, uint32_t z) { return z ^ (x & (y ^ z)); }

/* One round. The standard shifts all eight registers down by one; here they stay where they are and the
 * caller rotates their names: what was d becomes the new a, what was h the new e. w is W_j, x is W_{j+4}. */
#define ROUND(ff, gg, a, b, c, d, e, f, g, h, j, w, x) do {                \
        const uint32_t a12 = ty_rotl32(a, 12);                             \
        const uint32_t ss1 = ty_rotl32(a12 + (e) + T(j), 7);               \
        (d) += ff(a, b, c) + (ss1 ^ a12) + ((w) ^ (x));                    \
        (h) = p0((h) + gg(e, f, g) + ss1 + (w));                           \
        (b) = ty_rotl32(b, 9);                                             \
        (f) = ty_rotl32(f, 19);                                            \
    } while (0)

/* w[] is a window of the expanded message: before round j it holds W_{j-12} .. W_{j+3}, word k at k mod 16, and
 * W_{j+4} takes the place of the oldest. The first twelve rounds find it there already. */
#define W(k)      w[(k) % 16]
#define EXPAND(j) (W((j) + 4) = p1(W((j) + 4) ^ W((j) + 11) ^ ty_rotl32(W((j) + 1), 15)) \
                              ^ ty_rotl32(W((j) + 7), 7) ^ W((j) + 14))

/* Four rounds bring the eight names back to where they were. */
#define FOUR(ff, gg, next, j) do {                                              \
        ROUND(ff, gg, a, b, c, d, e, f, g, h, (j), W(j), next(j));              \
        ROUND(ff, gg, d, a, b, c, h, e, f, g, (j) + 1, W((j) + 1), next((j) + 1)); \
        ROUND(ff, gg, c, d, a, b, g, h, e, f, (j) + 2, W((j) + 2), next((j) + 2)); \
        ROUND(ff, gg, b, c, d, a, f, g, h, e, (j) + 3, W((j) + 3), next((j) + 3)); \
    } while (0)
#define HAVE(j) W((j) + 4)
#define SIXTEEN(j) do {                                                    \
        FOUR(ff1, gg1, EXPAND, (j)); FOUR(ff1, gg1, EXPAND, (j) + 4);      \
        FOUR(ff1, gg1, EXPAND, (j) + 8); FOUR(ff1, gg1, EXPAND, (j) + 12); \
    } while (0)

static void blocks(uint32_t v[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    uint32_t w[16];
    for (; nblocks; nblocks--, in += 64) {
        uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        for (int i = 0; i < 16; i++) w[i] = ty_get32be(in + 4 * i);
        FOUR(ff0, gg0, HAVE, 0);
        FOUR(ff0, gg0, HAVE, 4);
        FOUR(ff0, gg0, HAVE, 8);
        FOUR(ff0, gg0, EXPAND, 12);
        SIXTEEN(16);
        SIXTEEN(32);
        SIXTEEN(48);
        v[0] ^= a; v[1] ^= b; v[2] ^= c; v[3] ^= d; v[4] ^= e; v[5] ^= f; v[6] ^= g; v[7] ^= h;
    }
    ty_wipe(w, sizeof w);
}

const ty_sm3_ops ty_sm3_ops_c = { blocks };

const ty_tier ty_sm3_tiers[] = {
    { "c", 0, &ty_sm3_ops_c },
    { 0, 0, 0 }
};
