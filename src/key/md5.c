/* MD5: see key/md5.h. */
#include "key/md5.h"
#include "base/bytes.h"
#include "base/wipe.h"

#include <string.h>

/* The first 32 fractional bits of |sin(i + 1)|    [RFC 1321, 3.4] */
static const uint32_t k[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const uint8_t turns[4][4] = {
    { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 }
};

static void compress(uint32_t h[4], const uint8_t in[64])
{
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 64; i++) {
        static const int step[4] = { 1, 5, 3, 7 }, first[4] = { 0, 1, 5, 0 };
        const int round = i / 16;
        const uint8_t *const p = in + 4 * ((first[round] + step[round] * i) % 16);
        const uint32_t word =
            (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
        const uint32_t f = round == 0   ? d ^ (b & (c ^ d))
                           : round == 1 ? c ^ (d & (b ^ c))
                           : round == 2 ? b ^ c ^ d
                                        : c ^ (b | ~d);
        const uint32_t next = b + ty_rotl32(a + f + k[i] + word, turns[round][i % 4]);
        a = d;
        d = c;
        c = b;
        b = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

void ty_md5_init(ty_md5 *c)
{
    static const uint32_t iv[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
    memset(c, 0, sizeof *c);
    memcpy(c->h, iv, sizeof iv);
}

void ty_md5_update(ty_md5 *c, const uint8_t *msg, size_t msg_len)
{
    for (size_t i = 0; i < msg_len; i++) {
        c->block[c->len++ % 64] = msg[i];
        if (c->len % 64 == 0) compress(c->h, c->block);
    }
}

void ty_md5_final(uint8_t out[TY_AT_LEAST(16)], ty_md5 *c)
{
    static const uint8_t one[64] = { 0x80 };
    const uint64_t bits = 8 * c->len;
    uint8_t length[8];
    ty_put64le(length, bits);
    ty_md5_update(c, one, 1 + (119 - c->len % 64) % 64);   /* leaves eight bytes of the block */
    ty_md5_update(c, length, sizeof length);
    for (int i = 0; i < 16; i++) out[i] = (uint8_t)(c->h[i / 4] >> 8 * (i % 4));
    ty_wipe(c, sizeof *c);
    ty_wipe_below_1k();
}
