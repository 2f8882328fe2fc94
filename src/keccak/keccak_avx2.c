/* Keccak-f[1600] on one state with BMI's ANDN and RORX, and on four states in ymm registers.
 *
 * One state. bound: 130 operations a round, 3120; at four a cycle 780 core cycles (Zen 3).
 * Measured: 895. Four states. A rotation is two shifts and an OR, except those by 1 (an addition
 * doubles), 8 and 56 (bytes move): 184 operations a round, 4416; at four a cycle, at most two of
 * them shifts, 1104 core cycles. Measured: 1320; with one more state interleaved 1820; eight
 * states: 2540 and 3020. */
#include "keccak/keccak_x86.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TY_LEVEL avx2
#include "base/level_begin.h"
#include "keccak/keccak_word64.h"

/* With a CPU to tune for, gcc schedules the instructions of one state and of four for it and wipes
 * without REP STOS, which takes long to start: on Zen 3 tuning for either of the two CPUs named
 * below saves a fifteenth of the time that gcc's default takes. */
#if defined(__GNUC__) && !defined(__clang__)
#  define TUNED(cpu)                                                                               \
      __attribute__((target(TY_TARGET ",tune=" cpu), optimize("no-schedule-insns2")))
#else
#define TUNED(cpu)
#endif

TUNED("znver1") void ty_keccak_f1600_avx2(uint64_t a[TY_AT_LEAST(25)]) { permute_w64(a); }

/* which byte goes to each place: in lanes 0 and 2, and in 1 and 3 */
#define UP8(lane)   (0x0605040302010007 + (lane))
#define DOWN8(lane) (0x0007060504030201 + (lane))
#define BYTES(f)    _mm256_setr_epi64x(f(0), f(0x0808080808080808), f(0), f(0x0808080808080808))
TY_INLINE v256 rol_v256(v256 x, int n)
{
    if (n == 8) return v_shuf8(x, BYTES(UP8));
    if (n == 56) return v_shuf8(x, BYTES(DOWN8));
    return _mm256_or_si256(n == 1 ? v_add64(x, x) : _mm256_slli_epi64(x, n),
                           _mm256_srli_epi64(x, 64 - n));
}
TY_INLINE v256 add_v256(v256 x, v256 y) { return _mm256_xor_si256(x, y); }
TY_INLINE v256 parity_v256(const v256 *a, size_t stride)
{
    return add_v256(add_v256(add_v256(a[0], a[5 * stride]),
                             add_v256(a[10 * stride], a[15 * stride])),
                    a[20 * stride]);
}
TY_INLINE v256 add_rol_v256(v256 x, v256 y, int n) { return rol_v256(_mm256_xor_si256(x, y), n); }
TY_INLINE v256 add_rol1_v256(v256 x, v256 y) { return _mm256_xor_si256(x, rol_v256(y, 1)); }
TY_INLINE v256 chi_v256(v256 x, v256 y, v256 z)
{
    return _mm256_xor_si256(x, _mm256_andnot_si256(y, z));
}
TY_INLINE v256 constant_v256(int i) { return v_set64(v256, ty_keccak_rc[i]); }
TY_INLINE void pin_v256(void) { __asm__ volatile("" : : : "memory"); }

#define V v256
#include "keccak/keccak_round.h"
#undef V
#include "keccak/keccak_interleaved.h"

/* With vectors the loop is one round, not two: half the code, whose first execution costs more than
 * the exchange of pointers. Where calls alternate with those of other functions, as in samplers,
 * that saves a twelfth of the time; in repeated calls of this function alone, nothing. */
#define SWAP(t, x, y)                                                                              \
    do {                                                                                           \
        t *const was = x;                                                                          \
        x = y;                                                                                     \
        y = was;                                                                                   \
    } while (0)

TUNED("skylake") static void ty_keccak_f1600_x4_avx2(uint64_t a[TY_AT_LEAST(25)][4])
{
    v256 e[25], *from = (v256 *)a, *to = e;
    for (int i = 0; i < 24; i++) {
        round_v256(to, from, 1, i);
        SWAP(v256, from, to);
    }
    ty_wipe(e, sizeof e);
}

static void ty_keccak_f1600_x8_avx2(uint64_t a[TY_AT_LEAST(25)][8])
{
    v256 e[50], *from = (v256 *)a, *to = e;
    for (int i = 0; i < 24; i++) {
        round_v256(to, from, 2, i);
        round_v256(to + 1, from + 1, 2, i);
        SWAP(v256, from, to);
    }
    ty_wipe(e, sizeof e);
}

/* one round: a plane of the state in words after every two planes of vectors */
TY_INLINE void round8_1(v256 *e, const v256 *a, uint64_t *f, const uint64_t *b, int i)
{
    v256 d[5];
    uint64_t g[5];
    theta_v256(d, a, 2);
    theta_w64(g, b, 1);
    plane_v256(e, a, 2, d, 0, i);
    plane_v256(e, a, 2, d, 1, i);
    plane_w64(f, b, 1, g, 0, i);
    plane_v256(e, a, 2, d, 2, i);
    plane_v256(e, a, 2, d, 3, i);
    plane_w64(f, b, 1, g, 1, i);
    plane_v256(e, a, 2, d, 4, i);
    theta_v256(d, a + 1, 2);
    plane_v256(e + 1, a + 1, 2, d, 0, i);
    plane_w64(f, b, 1, g, 2, i);
    plane_v256(e + 1, a + 1, 2, d, 1, i);
    plane_v256(e + 1, a + 1, 2, d, 2, i);
    plane_w64(f, b, 1, g, 3, i);
    plane_v256(e + 1, a + 1, 2, d, 3, i);
    plane_v256(e + 1, a + 1, 2, d, 4, i);
    plane_w64(f, b, 1, g, 4, i);
}

static void ty_keccak_f1600_x8_x1_avx2(uint64_t a[TY_AT_LEAST(25)][8], uint64_t b[TY_AT_LEAST(25)])
{
    v256 e[50], *from = (v256 *)a, *to = e;
    uint64_t f[25], *from1 = b, *to1 = f;
    for (int i = 0; i < 24; i++) {
        round8_1(to, from, to1, from1, i);
        SWAP(v256, from, to);
        SWAP(uint64_t, from1, to1);
    }
    ty_wipe(e, sizeof e);
    ty_wipe(f, sizeof f);
}

static inline v256 row(const uint64_t *a)
{
    return _mm256_loadu_si256((const v256 *)(const void *)a);
}
static inline void put(uint8_t *out, v256 x) { _mm256_storeu_si256((v256 *)(void *)out, x); }

/* four words of four lanes are a square, which is transposed */
void ty_keccak_give_x4_avx2(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a, size_t stride,
                            size_t words)
{
    size_t w = 0;
    for (; w + 4 <= words; w += 4, a += 4 * stride) {
        const v256 r0 = row(a), r1 = row(a + stride), r2 = row(a + 2 * stride),
                   r3 = row(a + 3 * stride);
        const v256 s0 = _mm256_unpacklo_epi64(r0, r1), s1 = _mm256_unpackhi_epi64(r0, r1);
        const v256 s2 = _mm256_unpacklo_epi64(r2, r3), s3 = _mm256_unpackhi_epi64(r2, r3);
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
