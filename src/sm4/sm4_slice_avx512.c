/* SM4 on bit planes in zmm registers: 512 blocks at once, by VPTERNLOGQ.
 *
 * Floor: a round is 32 XOR of three words, 32 of the key (embedded broadcast), 4 x 70 gates, 96 XOR of L: 440 operations,
 * 14080 in 32 rounds; transposing costs 512 shuffles (one port) and 768 others each way. Cascade Lake does two a core cycle:
 * 7040 + 2 x 900 core cycles = 1.08 a byte, ECB; 0.97 for counters, which are not transposed: predicted. Measured on Zen 4,
 * where a store of 512 bits takes two cycles: 1.75 and 1.70. */
#include "sm4/sm4_slice.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_planes.h"

#define TY_LEVEL avx512
#include "base/level_begin.h"

typedef __m512i W;
#define LANES          4
#define LUT(t, a, b, c) _mm512_ternarylogic_epi64(a, b, c, t)
#define XOR3(a, b, c)  LUT(0x96, a, b, c)
#define UNPACK_LO8     _mm512_unpacklo_epi8
#define UNPACK_HI8     _mm512_unpackhi_epi8
#define LOAD(p)        _mm512_loadu_si512(p)
#define STORE(p, a)    _mm512_storeu_si512(p, a)
#define ALL(w)         _mm512_set1_epi32((int)(w))
/* t ? the other's bits, moved : one's own */
#define EXCHANGE(a, b, s, m)                                                                                         \
    do {                                                                                                             \
        const W t = _mm512_set1_epi8(m), up = _mm512_slli_epi64(b, s), down = _mm512_srli_epi64(a, s);               \
        a = LUT(0xca, t, a, up);                                                                                     \
        b = LUT(0xca, t, down, b);                                                                                   \
    } while (0)

/* Block 4 (16 g + i) + l is bit g of byte i of lane l. */
#define ROWS(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)
enum { INDEX_BITS = 9 };
static const union { uint8_t b[9][64]; W v[9]; } index_planes = { {
#define BIT(n, i) ((n) >> (i) & 1 ? 0xff : 0)
#define B0(i) BIT(i, 0)
#define B1(i) BIT(i, 1)
#define B2(i) BIT(i, 2)
#define B3(i) BIT(i, 3)
#define ZERO(i) 0
#define ONES(i) 0xff
#define G0(i) 0xaa
#define G1(i) 0xcc
#define G2(i) 0xf0
#define FOUR(f) { ROWS(f), ROWS(f), ROWS(f), ROWS(f) }
    { ROWS(ZERO), ROWS(ONES), ROWS(ZERO), ROWS(ONES) }, { ROWS(ZERO), ROWS(ZERO), ROWS(ONES), ROWS(ONES) },
    FOUR(B0), FOUR(B1), FOUR(B2), FOUR(B3), FOUR(G0), FOUR(G1), FOUR(G2),
} };
#define INDEX index_planes.v

#include "sm4/sm4_sbox3.inc"
#include "sm4/sm4_slice.inc"

#include "base/level_end.h"
#endif
