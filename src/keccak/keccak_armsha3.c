/* Keccak-f[1600] on two states at once with the instructions that ARMv8.2 has for SHA-3: EOR3 adds
 * three words, RAX1 adds a word rotated by 1, XAR adds two and rotates, BCAX is chi. 25 registers
 * hold the two states, so memory is only accessed at the beginning and the end; four and eight
 * states are processed two at a time. One state alone is processed in words, as in "c64"; so is one
 * beside four or eight, interleaved with them, as it uses other units.
 *
 * bound: a round is 10 EOR3, 5 RAX1, 24 XAR and an EOR, 25 BCAX and one constant: 66 operations,
 * 1584. By published port counts: with one pipe that has them (Neoverse V1, N2) 1536 cycles for two
 * states, with four (Apple M1) 396. Not measured: it has only been run under QEMU. */
#include "keccak/keccak.h"

#if defined(TY_AARCH64)
#include <arm_neon.h>

#define TY_LEVEL armsha3
#include "base/level_begin.h"
#include "keccak/keccak_word64.h"

typedef uint64x2_t two64;
TY_INLINE two64 add_two64(two64 x, two64 y) { return x ^ y; }
TY_INLINE two64 parity_two64(const two64 *a, size_t stride)
{
    return veor3q_u64(veor3q_u64(a[0], a[5 * stride], a[10 * stride]), a[15 * stride],
                      a[20 * stride]);
}
#define add_rol_two64(x, y, n) vxarq_u64(x, y, 64 - (n))   /* n is an immediate operand */
TY_INLINE two64 add_rol1_two64(two64 x, two64 y) { return vrax1q_u64(x, y); }
TY_INLINE two64 chi_two64(two64 x, two64 y, two64 z) { return vbcaxq_u64(x, z, y); }
TY_INLINE two64 constant_two64(int i) { return vdupq_n_u64(ty_keccak_rc[i]); }
TY_INLINE void pin_two64(void) { }

#define V two64
#include "keccak/keccak_round.h"
#undef V

/* Permutes two neighbouring states, whose words k are at a[stride * k], and the state b unless it
 * is NULL. */
static inline __attribute__((always_inline)) void two(uint64_t *a, size_t stride, uint64_t *b)
{
    uint64x2_t s[25], e[25];
    uint64_t f[25];
    for (size_t k = 0; k < 25; k++) s[k] = vld1q_u64(a + stride * k);
    for (int i = 0; i < 24; i += 2) {
        round_two64(e, s, 1, i);
        if (b) round_w64(f, b, 1, i);
        round_two64(s, e, 1, i + 1);
        if (b) round_w64(b, f, 1, i + 1);
    }
    for (size_t k = 0; k < 25; k++) vst1q_u64(a + stride * k, s[k]);
    if (b) ty_wipe(f, sizeof f);
}

static void ty_keccak_f1600_armsha3(uint64_t a[TY_AT_LEAST(25)]) { permute_w64(a); }

static void ty_keccak_f1600_x4_armsha3(uint64_t a[TY_AT_LEAST(25)][4])
{
    for (size_t i = 0; i < 4; i += 2) two(a[0] + i, 4, NULL);
}

static void ty_keccak_f1600_x8_armsha3(uint64_t a[TY_AT_LEAST(25)][8])
{
    for (size_t i = 0; i < 8; i += 2) two(a[0] + i, 8, NULL);
}

static void ty_keccak_f1600_x4_x1_armsha3(uint64_t a[TY_AT_LEAST(25)][4],
                                          uint64_t b[TY_AT_LEAST(25)])
{
    two(a[0], 4, b);
    two(a[0] + 2, 4, NULL);
}

static void ty_keccak_f1600_x8_x1_armsha3(uint64_t a[TY_AT_LEAST(25)][8],
                                          uint64_t b[TY_AT_LEAST(25)])
{
    two(a[0], 8, b);
    for (size_t i = 2; i < 8; i += 2) two(a[0] + i, 8, NULL);
}

/* give_x4 for two lanes: two words of each are transposed at a time. */
static inline void give_two(uint8_t *const out[2], const uint64_t *a, size_t stride, size_t words)
{
    size_t w = 0;
    for (; w + 2 <= words; w += 2, a += 2 * stride) {
        const uint64x2_t r0 = vld1q_u64(a), r1 = vld1q_u64(a + stride);
        vst1q_u8(out[0] + 8 * w, vreinterpretq_u8_u64(vzip1q_u64(r0, r1)));
        vst1q_u8(out[1] + 8 * w, vreinterpretq_u8_u64(vzip2q_u64(r0, r1)));
    }
    for (size_t i = 0; w < words && i < 2; i++) memcpy(out[i] + 8 * w, &a[i], 8);
}

static void ty_keccak_give_x4_armsha3(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a,
                                      size_t stride, size_t words)
{
    give_two(out, a, stride, words);
    give_two(out + 2, a + 2, stride, words);
}

const ty_keccak_ops ty_keccak_ops_armsha3 = {
    ty_keccak_f1600_armsha3, ty_keccak_f1600_x4_armsha3, ty_keccak_f1600_x8_armsha3,
    ty_keccak_f1600_armsha3, ty_keccak_add_c, ty_keccak_get_c, ty_keccak_sample_vt_c,
    ty_keccak_f1600_x4_x1_armsha3, ty_keccak_f1600_x8_x1_armsha3, ty_keccak_give_x4_armsha3, 4 };

#include "base/level_end.h"
#endif
