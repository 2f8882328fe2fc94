/* SHA-1: its compression function in portable C, and its other functions by base/md.h. */
#include "sha2/sha1.h"
#include "base/bytes.h"

/* Twenty steps from step `first` on, with their function of b, c, d and their constant
 * [FIPS 180-4, 4.1.1, 4.2.1 and 6.1.2] */
#define TWENTY(first, function, constant)                                                   \
    for (int t = (first); t < (first) + 20; t++) {                                          \
        const uint32_t next = ty_rotl32(a, 5) + (function) + e + (constant) + w[t];         \
        e = d;                                                                              \
        d = c;                                                                              \
        c = ty_rotl32(b, 30);                                                               \
        b = a;                                                                              \
        a = next;                                                                           \
    }

static void compress(uint32_t h[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    uint32_t w[80];
    for (; nblocks; nblocks--, in += TY_SHA256_BLOCK) {
        uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
        for (int t = 0; t < 16; t++) w[t] = ty_get32be(in + 4 * t);
        for (int t = 16; t < 80; t++)
            w[t] = ty_rotl32(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
        TWENTY(0, d ^ (b & (c ^ d)), 0x5a827999)
        TWENTY(20, b ^ c ^ d, 0x6ed9eba1)
        TWENTY(40, (b & c) | (d & (b | c)), 0x8f1bbcdc)
        TWENTY(60, b ^ c ^ d, 0xca62c1d6)
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
        h[4] += e;
    }
    ty_wipe(w, sizeof w);
}

#define MD          ty_sha256
#define MD_FN(verb) ty_sha1_##verb
#define MD_BITS     32
#define MD_BLOCKS   compress
#define MD_IV       { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0, 0, 0, 0 }
#include "base/md.h"
