/* Keccak-f[1600] on eight states in zmm registers, and on four in ymm ones: a rotation is one
 * instruction, and so is a sum of three words, or chi: VPTERNLOGQ. 32 registers hold the whole
 * state, so memory is only accessed at the beginning and the end.
 *
 * bound: a round is 10 + 5 + 5 of theta's parities (an addition of three, a rotation, an addition),
 * 25 + 24 to apply them and rotate, 25 of chi and one constant: 95 operations, 2280 in 24 rounds.
 * Two a cycle on 512 bits: 1140 core cycles for 8 states; three a cycle on 256 bits: 760 for 4.
 * Measured on Zen 4: 1530 and 830.
 *
 * x8_x1 is assembly, keccak_avx512.S: compiled code that interleaves the two, as in x4_x1, does not
 * keep the words of 470 instructions a round in registers, and took 1.1 to 1.25 times as long on
 * Zen 4 as one after the other. The assembly has not been measured there: words have units of their
 * own on Zen 4, so it should be nearer to its bound than on Intel. x8 by the same macros took 0.975
 * of the compiler's time, and stays in C. */
#include "keccak/keccak_x86.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TY_LEVEL avx512
#include "base/level_begin.h"
#include "keccak/keccak_word64.h"

TY_INLINE v512 add_v512(v512 x, v512 y) { return _mm512_xor_si512(x, y); }
TY_INLINE v512 xor3_v512(v512 x, v512 y, v512 z)
{
    return _mm512_ternarylogic_epi64(x, y, z, 0x96);
}
TY_INLINE v512 parity_v512(const v512 *a, size_t stride)
{
    return xor3_v512(xor3_v512(a[0], a[5 * stride], a[10 * stride]), a[15 * stride],
                     a[20 * stride]);
}
/* a macro, because n is an immediate operand */
#define add_rol_v512(x, y, n) _mm512_rol_epi64(_mm512_xor_si512(x, y), n)
TY_INLINE v512 add_rol1_v512(v512 x, v512 y) { return _mm512_xor_si512(x, _mm512_rol_epi64(y, 1)); }
TY_INLINE v512 chi_v512(v512 x, v512 y, v512 z) { return _mm512_ternarylogic_epi64(x, y, z, 0xd2); }
TY_INLINE v512 constant_v512(int i) { return v_set64(v512, ty_keccak_rc[i]); }
TY_INLINE void pin_v512(void) { }

#define V v512
#include "keccak/keccak_round.h"
#undef V

TY_INLINE v256 add_v256(v256 x, v256 y) { return _mm256_xor_si256(x, y); }
TY_INLINE v256 xor3_v256(v256 x, v256 y, v256 z)
{
    return _mm256_ternarylogic_epi64(x, y, z, 0x96);
}
TY_INLINE v256 parity_v256(const v256 *a, size_t stride)
{
    return xor3_v256(xor3_v256(a[0], a[5 * stride], a[10 * stride]), a[15 * stride],
                     a[20 * stride]);
}
/* a macro, because n is an immediate operand */
#define add_rol_v256(x, y, n) _mm256_rol_epi64(_mm256_xor_si256(x, y), n)
TY_INLINE v256 add_rol1_v256(v256 x, v256 y) { return _mm256_xor_si256(x, _mm256_rol_epi64(y, 1)); }
TY_INLINE v256 chi_v256(v256 x, v256 y, v256 z) { return _mm256_ternarylogic_epi64(x, y, z, 0xd2); }
TY_INLINE v256 constant_v256(int i) { return v_set64(v256, ty_keccak_rc[i]); }
TY_INLINE void pin_v256(void) { }

#define V v256
#include "keccak/keccak_round.h"
#undef V
#include "keccak/keccak_interleaved.h"

static void ty_keccak_f1600_x4_avx512(uint64_t a[TY_AT_LEAST(25)][4]) { permute_v256((v256 *)a); }
static void ty_keccak_f1600_x8_avx512(uint64_t a[TY_AT_LEAST(25)][8]) { permute_v512((v512 *)a); }

void ty_keccak_rounds_x8_x1_avx512(uint64_t a[TY_AT_LEAST(25)][8], uint64_t s[TY_AT_LEAST(25)],
                                   const uint64_t rc[TY_AT_LEAST(24)]);

static void ty_keccak_f1600_x8_x1_avx512(uint64_t a[TY_AT_LEAST(25)][8],
                                         uint64_t s[TY_AT_LEAST(25)])
{
    ty_keccak_rounds_x8_x1_avx512(a, s, ty_keccak_rc);
}

const ty_keccak_ops ty_keccak_ops_avx512 = {
    ty_keccak_f1600_avx2, ty_keccak_f1600_x4_avx512, ty_keccak_f1600_x8_avx512,
    ty_keccak_f1600_avx2, ty_keccak_add_c, ty_keccak_get_c, ty_keccak_sample_vt_c,
    ty_keccak_f1600_x4_x1_avx512, ty_keccak_f1600_x8_x1_avx512, ty_keccak_give_x4_avx2, 8 };

#include "base/level_end.h"
#endif
