/* Keccak-f[1600] by BMI's ANDN and RORX for one state, and for four states in ymm registers.
 *
 * One state. bound: 130 operations a round, 3120; at four a cycle 780 core cycles (Zen 3).
 * Measured: 895. Four states. A rotation is two shifts and an OR, but for 1 (an addition doubles),
 * 8 and 56 (bytes move): 184 operations a round, 4416; four a cycle, of which two shifts: 1104 core
 * cycles. Measured: 1320; with one state beside them 1820, eight 2540 and 3020. */
#include "keccak/keccak_x86.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TY_LEVEL avx2
#include "base/level_begin.h"
#include "keccak/keccak_word64.inc"

/* Told of a CPU, gcc orders the instructions of one state and of four for it and wipes without REP
 * STOS, which is long in
 * beginning: on Zen 3 either of these two takes a fifteenth less time than what it does for
 * none. */
#if defined(__GNUC__) && !defined(__clang__)
#        define TUNED(cpu)                                                                         \
            __attribute__((target(TY_TARGET ",tune=" cpu), optimize("no-schedule-insns2")))
#else
#define TUNED(cpu)
#endif

TUNED("znver1") void ty_keccak_f1600_avx2(uint64_t a[TY_AT_LEAST(25)]) { permute1(a); }

#define BYTES(f)      _mm256_setr_epi64x(f(0), f(0x0808080808080808), f(0), f(0x0808080808080808))
#define UP8(lane)     (0x0605040302010007 + (lane))   /* byte i of the result is byte i - 1 */
#define DOWN8(lane)   (0x0007060504030201 + (lane))
#    define SHIFTED(x, n)                                                                          \
        _mm256_or_si256(n == 1 ? _mm256_add_epi64(x, x) : _mm256_slli_epi64(x, n),                 \
                        _mm256_srli_epi64(x, 64 - (n)))

#    define ROL4(x, n)                                                                             \
        (n == 8    ? _mm256_shuffle_epi8(x, BYTES(UP8))                                            \
         : n == 56 ? _mm256_shuffle_epi8(x, BYTES(DOWN8))                                          \
                   : SHIFTED(x, n))
#    define XOR5_4(v, w, x, y, z)                                                                  \
        _mm256_xor_si256(_mm256_xor_si256(_mm256_xor_si256(v, w), _mm256_xor_si256(x, y)), z)
#    define CHI4(x, y, z) _mm256_xor_si256(x, _mm256_andnot_si256(y, z))
#    define RC4(i)        _mm256_set1_epi64x((long long)ty_keccak_rc[i])
#    define STAY          __asm__ volatile("" : : : "memory")

#    define NAME(part) part##4
#    define STRIDE     1
#    define W          __m256i
#    define ROL        ROL4
#    define XOR        _mm256_xor_si256
#    define XOR5       XOR5_4
#    define PIN        STAY
#    define CHI        CHI4
#    define RC         RC4
#    include "keccak/keccak_round.inc"

#    define NAME(part) part##_half /* four lanes of eight */
#    define STRIDE     2
#    define W          __m256i
#    define ROL        ROL4
#    define XOR        _mm256_xor_si256
#    define XOR5       XOR5_4
#    define PIN        STAY
#    define CHI        CHI4
#    define RC         RC4
#    include "keccak/keccak_round.inc"

/* Of vectors one round is the loop, not two: half the code, whose first time through costs more
 * than the exchange of pointers. Called in turn with others, as samplers do, it saves a twelfth;
 * called again and again on its own, nothing. */
#    define SWAP(t, x, y)                                                                          \
        do {                                                                                       \
            t *const was = x;                                                                      \
            x = y;                                                                                 \
            y = was;                                                                               \
        } while (0)

TUNED("skylake") static void ty_keccak_f1600_x4_avx2(uint64_t a[TY_AT_LEAST(25)][4])
{
    __m256i e[25], *from = (__m256i *)a, *to = e;
    for (int i = 0; i < 24; i++) {
        round4(to, from, i);
        SWAP(__m256i, from, to);
    }
    ty_wipe(e, sizeof e);
}

TY_KECCAK_WOVEN(4, __m256i)

static void ty_keccak_f1600_x8_avx2(uint64_t a[TY_AT_LEAST(25)][8])
{
    __m256i e[50], *from = (__m256i *)a, *to = e;
    for (int i = 0; i < 24; i++) {
        round_half(to, from, i);
        round_half(to + 1, from + 1, i);
        SWAP(__m256i, from, to);
    }
    ty_wipe(e, sizeof e);
}

/* a plane of words for every two of vectors */
static inline __attribute__((always_inline)) void round8_1(__m256i *e, const __m256i *a,
                                                           uint64_t *f, const uint64_t *b, int i)
{
    __m256i d[5];
    uint64_t g[5];
    theta_half(d, a);
    theta1(g, b);
    plane_half(e, a, d, 0, i);
    plane_half(e, a, d, 1, i);
    plane1(f, b, g, 0, i);
    plane_half(e, a, d, 2, i);
    plane_half(e, a, d, 3, i);
    plane1(f, b, g, 1, i);
    plane_half(e, a, d, 4, i);
    theta_half(d, a + 1);
    plane_half(e + 1, a + 1, d, 0, i);
    plane1(f, b, g, 2, i);
    plane_half(e + 1, a + 1, d, 1, i);
    plane_half(e + 1, a + 1, d, 2, i);
    plane1(f, b, g, 3, i);
    plane_half(e + 1, a + 1, d, 3, i);
    plane_half(e + 1, a + 1, d, 4, i);
    plane1(f, b, g, 4, i);
}

static void ty_keccak_f1600_x8_x1_avx2(uint64_t a[TY_AT_LEAST(25)][8], uint64_t b[TY_AT_LEAST(25)])
{
    __m256i e[50], *from = (__m256i *)a, *to = e;
    uint64_t f[25], *from1 = b, *to1 = f;
    for (int i = 0; i < 24; i++) {
        round8_1(to, from, to1, from1, i);
        SWAP(__m256i, from, to);
        SWAP(uint64_t, from1, to1);
    }
    ty_wipe(e, sizeof e);
    ty_wipe(f, sizeof f);
}

static inline __m256i row(const uint64_t *a)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)a);
}
static inline void put(uint8_t *out, __m256i x) { _mm256_storeu_si256((__m256i *)(void *)out, x); }

/* four words of four lanes are a square that is turned */
void ty_keccak_give_x4_avx2(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a, size_t stride,
                            size_t words)
{
    size_t w = 0;
    for (; w + 4 <= words; w += 4, a += 4 * stride) {
        const __m256i r0 = row(a), r1 = row(a + stride), r2 = row(a + 2 * stride),
                      r3 = row(a + 3 * stride);
        const __m256i s0 = _mm256_unpacklo_epi64(r0, r1), s1 = _mm256_unpackhi_epi64(r0, r1);
        const __m256i s2 = _mm256_unpacklo_epi64(r2, r3), s3 = _mm256_unpackhi_epi64(r2, r3);
        put(out[0] + 8 * w, _mm256_permute2x128_si256(s0, s2, 0x20));
        put(out[1] + 8 * w, _mm256_permute2x128_si256(s1, s3, 0x20));
        put(out[2] + 8 * w, _mm256_permute2x128_si256(s0, s2, 0x31));
        put(out[3] + 8 * w, _mm256_permute2x128_si256(s1, s3, 0x31));
    }
    for (; w < words; w++, a += stride)
        for (size_t i = 0; i < 4; i++) memcpy(out[i] + 8 * w, &a[i], 8);
}

const ty_keccak_ops ty_keccak_ops_avx2 = {
    ty_keccak_f1600_avx2, ty_keccak_f1600_x4_avx2, ty_keccak_f1600_x8_avx2,
    ty_keccak_f1600_avx2, ty_keccak_add_c, ty_keccak_get_c, ty_keccak_sample_vt_c,
    ty_keccak_f1600_x4_x1_avx2, ty_keccak_f1600_x8_x1_avx2, ty_keccak_give_x4_avx2, 8 };

#include "base/level_end.h"
#endif
