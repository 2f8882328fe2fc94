/* SHA-256 in portable C (FIPS 180-4, 6.2). */
#include "sha2/sha2.h"
#include "base/bytes.h"

#define MD          ty_sha256
#define MD_FN(verb) ty_sha256_##verb
#define MD_BLOCKS   ty_sha256_blocks
#define MD_IV       { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 }
#include "base/md.inc"   /* IV: the first 32 fractional bits of the square roots of the first 8 primes (5.3.3) */

/* The first 32 fractional bits of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* FIPS 180-4, 4.1.2. A rotation to the right by n is one to the left by 32 - n. */
static inline uint32_t ch(uint32_t x, uint32_t y, uint32_t z) { return z ^ (x & (y ^ z)); }
static inline uint32_t maj(uint32_t x, uint32_t y, uint32_t z) { return (x & y) | (z & (x | y)); }
static inline uint32_t big0(uint32_t x) { return ty_rotl32(x, 30) ^ ty_rotl32(x, 19) ^ ty_rotl32(x, 10); }
static inline uint32_t big1(uint32_t x) { return ty_rotl32(x, 26) ^ ty_rotl32(x, 21) ^ ty_rotl32(x, 7); }
static inline uint32_t small0(uint32_t x) { return ty_rotl32(x, 25) ^ ty_rotl32(x, 14) ^ x >> 3; }
static inline uint32_t small1(uint32_t x) { return ty_rotl32(x, 15) ^ ty_rotl32(x, 13) ^ x >> 10; }

/* One round. The words do not move: the next round calls them by their neighbours' names, and after eight rounds
 * everybody has the old name again. */
#define ROUND(a, b, c, d, e, f, g, h, i) do {                                                \
        const uint32_t t = h + big1(e) + ch(e, f, g) + k[i] + w[(i) % 16];                   \
        d += t;                                                                              \
        h = t + big0(a) + maj(a, b, c);                                                      \
    } while (0)

/* w[] is a window of the message schedule: W_i lives at i mod 16, and takes the place of W_{i-16}. */
static void expand(uint32_t w[16])
{
    for (int i = 0; i < 16; i++) w[i] += small1(w[(i + 14) % 16]) + w[(i + 9) % 16] + small0(w[(i + 1) % 16]);
}

void ty_sha256_blocks(uint32_t v[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    uint32_t w[16];
    for (; nblocks; nblocks--, in += TY_SHA256_BLOCK) {
        uint32_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        for (int i = 0; i < 16; i++) w[i] = ty_get32be(in + 4 * i);
        for (int i = 0; i < 64; i += 8) {
            if (i >= 16 && i % 16 == 0) expand(w);
            ROUND(a, b, c, d, e, f, g, h, i);
            ROUND(h, a, b, c, d, e, f, g, i + 1);
            ROUND(g, h, a, b, c, d, e, f, i + 2);
            ROUND(f, g, h, a, b, c, d, e, i + 3);
            ROUND(e, f, g, h, a, b, c, d, i + 4);
            ROUND(d, e, f, g, h, a, b, c, i + 5);
            ROUND(c, d, e, f, g, h, a, b, i + 6);
            ROUND(b, c, d, e, f, g, h, a, i + 7);
        }
        v[0] += a; v[1] += b; v[2] += c; v[3] += d; v[4] += e; v[5] += f; v[6] += g; v[7] += h;
    }
    ty_wipe(w, sizeof w);
}
