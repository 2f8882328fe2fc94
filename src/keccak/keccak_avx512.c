/* Keccak-f[1600] on eight states in zmm registers, and on four in ymm ones: rotations are
 * instructions, and a VPTERNLOGQ adds three words or does chi. 32 registers hold the whole state,
 * so memory is met at the ends alone.
 *
 * bound: a round is 10 + 5 + 5 of theta's parities (an addition of three, a rotation, an addition),
 * 25 + 24 to apply them and rotate, 25 of chi and one constant: 95 operations, 2280. Two a cycle on
 * 512 bits: 1140 core cycles for 8 states; three a cycle on 256 bits: 760 for 4. Measured on Zen 4:
 * 1530 and 830.
 *
 * Eight states and one go in turn: woven as four and one are, a round is 470 instructions and its
 * words do not stay in registers, which took 1.1 to 1.25 times as long on Zen 4. */
#include "keccak/keccak_x86.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TY_LEVEL avx512
#include "base/level_begin.h"
#include "keccak/keccak_word64.inc"

#define NAME(part)    part##8
#define PERMUTE
#define STRIDE        1
#define W             __m512i
#define ROL           _mm512_rol_epi64
#define XOR           _mm512_xor_si512
#    define XOR5(v, w, x, y, z)                                                                    \
        _mm512_ternarylogic_epi64(_mm512_ternarylogic_epi64(v, w, x, 0x96), y, z, 0x96)
#    define PIN          (void)0
#    define CHI(x, y, z) _mm512_ternarylogic_epi64(x, y, z, 0xd2)
#    define RC(i)        _mm512_set1_epi64((long long)ty_keccak_rc[i])
#    include "keccak/keccak_round.inc"

#    define NAME(part) part##4
#    define PERMUTE
#    define STRIDE 1
#    define W      __m256i
#    define ROL    _mm256_rol_epi64
#    define XOR    _mm256_xor_si256
#    define XOR5(v, w, x, y, z)                                                                    \
        _mm256_ternarylogic_epi64(_mm256_ternarylogic_epi64(v, w, x, 0x96), y, z, 0x96)
#    define PIN          (void)0
#    define CHI(x, y, z) _mm256_ternarylogic_epi64(x, y, z, 0xd2)
#    define RC(i)        _mm256_set1_epi64x((long long)ty_keccak_rc[i])
#    include "keccak/keccak_round.inc"

static void ty_keccak_f1600_x4_avx512(uint64_t a[TY_AT_LEAST(25)][4]) { permute4((__m256i *)a); }
static void ty_keccak_f1600_x8_avx512(uint64_t a[TY_AT_LEAST(25)][8]) { permute8((__m512i *)a); }
TY_KECCAK_WOVEN(4, __m256i)

static void ty_keccak_f1600_x8_x1_avx512(uint64_t a[TY_AT_LEAST(25)][8],
                                         uint64_t b[TY_AT_LEAST(25)])
{
    ty_keccak_f1600_x8_avx512(a);
    ty_keccak_f1600_avx2(b);
}

const ty_keccak_ops ty_keccak_ops_avx512 = {
    ty_keccak_f1600_avx2, ty_keccak_f1600_x4_avx512, ty_keccak_f1600_x8_avx512,
    ty_keccak_f1600_avx2, ty_keccak_add_c, ty_keccak_get_c, ty_keccak_sample_vt_c,
    ty_keccak_f1600_x4_x1_avx512, ty_keccak_f1600_x8_x1_avx512, ty_keccak_give_x4_avx2, 8 };

#include "base/level_end.h"
#endif
