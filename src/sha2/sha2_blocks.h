/* The compression function of SHA-2, which is the same on words of 32 and of 64 bits (FIPS 180-4,
 * 6.2 and 6.4). Included once in a unit, which defines:
 *
 *   BLOCKS            the function: void BLOCKS(WORD h[8], const uint8_t *in, size_t nblocks);
 *                     BLOCKS_SCOPE: static, or nothing
 *   WORD, GET(p)      the type of a word; one from the message, big-endian
 *   ROUNDS            64 or 80; k[ROUNDS], the constants
 *   BIG0, BIG1        the XOR of three rotations; SMALL0, SMALL1: of two and a shift (4.1.2, 4.1.3)
 */
#ifndef TY_SHA2_SHA2_BLOCKS_H
#define TY_SHA2_SHA2_BLOCKS_H

static inline WORD ch(WORD x, WORD y, WORD z) { return z ^ (x & (y ^ z)); }
static inline WORD maj(WORD x, WORD y, WORD z) { return (x & y) | (z & (x | y)); }

/* One round. The words stay in their variables: the next round uses each under its neighbour's
 * name, and after eight rounds all have their old names again. */
#define ROUND(a, b, c, d, e, f, g, h, i) do {                                                \
        const WORD t = h + BIG1(e) + ch(e, f, g) + k[i] + w[(i) % 16];                       \
        d += t;                                                                              \
        h = t + BIG0(a) + maj(a, b, c);                                                      \
    } while (0)

/* w[] is a window of the message schedule: W_i is at i mod 16, in the place of
 * W_{i-16}. */
static void expand(WORD w[16])
{
    for (int i = 0; i < 16; i++)
        w[i] += SMALL1(w[(i + 14) % 16]) + w[(i + 9) % 16] + SMALL0(w[(i + 1) % 16]);
}

BLOCKS_SCOPE void BLOCKS(WORD v[TY_AT_LEAST(8)], const uint8_t *in, size_t nblocks)
{
    WORD w[16];
    for (; nblocks; nblocks--, in += sizeof w) {
        WORD a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
        for (size_t i = 0; i < 16; i++) w[i] = GET(in + sizeof(WORD) * i);
        for (int i = 0; i < ROUNDS; i += 8) {
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

#endif
