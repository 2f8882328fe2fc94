/* SM4 on bit planes in ymm registers: 256 blocks at once, without an AES instruction.
 *
 * Floor: a round is 64 XOR and 32 of the key, 4 x 105 gates, 128 XOR of L: 644 operations, 20608 in 32 rounds; transposing
 * costs 1664 each way. At four a cycle (Zen 3) 1.46 cycles per byte, at three (Skylake) 1.95. Measured on Zen 3 at 1.35
 * cycles of the core per TSC cycle: 1.84 TSC cycles = 2.5 cycles per byte at 32 KB, where the "avx2" tier by AESENCLAST takes 1.78. So no
 * tier takes it yet: it is kept for CPUs with one shuffle port, where its floor is the lower one (1.95 against 2.5), and
 * nobody has measured it there. */
#include "sm4/sm4_slice.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "sm4/sm4_planes.h"

#define TY_TARGET "avx2"
#include "base/tier_begin.h"

typedef __m256i W;
#define LANES          2
#define SLICE(name)    ty_sm4_slice_##name##_avx2
#define XOR3(a, b, c)  ((a) ^ (b) ^ (c))
#define UNPACK_LO8     _mm256_unpacklo_epi8
#define UNPACK_HI8     _mm256_unpackhi_epi8
#define LOAD(p)        _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define STORE(p, a)    _mm256_storeu_si256((__m256i *)(void *)(p), a)
#define ALL(w)         _mm256_set1_epi32((int)(w))
#define EXCHANGE(a, b, s, m)                                                                                         \
    do {                                                                                                             \
        const W t = (_mm256_srli_epi64(a, s) ^ (b)) & _mm256_set1_epi8(m);                                           \
        b ^= t;                                                                                                      \
        a ^= _mm256_slli_epi64(t, s);                                                                                \
    } while (0)

/* Block 2 (16 g + i) + l is bit g of byte i of lane l. */
#define ROWS(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), f(15)
enum { INDEX_BITS = 8 };
static const union { uint8_t b[8][32]; W v[8]; } index_planes = { {
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
    { ROWS(ZERO), ROWS(ONES) }, { ROWS(B0), ROWS(B0) }, { ROWS(B1), ROWS(B1) }, { ROWS(B2), ROWS(B2) },
    { ROWS(B3), ROWS(B3) }, { ROWS(G0), ROWS(G0) }, { ROWS(G1), ROWS(G1) }, { ROWS(G2), ROWS(G2) },
} };
#define INDEX index_planes.v

#include "sm4/sm4_sbox.inc"
#include "sm4/sm4_slice.inc"

#include "base/tier_end.h"
#endif
