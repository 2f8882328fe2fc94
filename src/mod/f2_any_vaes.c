/* GF(2)[t]/M for any M with VPCLMULQDQ: the ladder has two products at a time to do. The rest is the tier below. */
#if defined(__x86_64__)
#include "mod/f2_any.h"
#include "base/v128.h"

#if defined(__clang__)   /* as in f2_any_vector.inc */
#  pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#  define FA_UNROLL
#else
#  define FA_UNROLL _Pragma("GCC unroll 16")
#endif
#define FA_HERE inline __attribute__((always_inline))
#define FA_AWAY __attribute__((noinline))

#define TY_TARGET "avx2,pclmul,vpclmulqdq"
#include "base/tier_begin.h"

#define PAIR(low, high)  _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1)
#define TURN(a)          _mm256_permute2x128_si256(a, a, 1)
#define BLEND(low, high) _mm256_blend_epi32(low, high, 0xf0)   /* of each its own half */
#define LOW(a)           _mm256_castsi256_si128(a)
#define HIGH(a)          _mm256_extracti128_si256(a, 1)

#define FA_W    2
#define FA_(op) w2_##op
#include "mod/f2_any_pairs.inc"
#define FA_W    3
#define FA_(op) w3_##op
#include "mod/f2_any_pairs.inc"
#define FA_W    4
#define FA_(op) w4_##op
#include "mod/f2_any_pairs.inc"
#define FA_W    5
#define FA_(op) w5_##op
#include "mod/f2_any_pairs.inc"
#define FA_W    6
#define FA_(op) w6_##op
#include "mod/f2_any_pairs.inc"
#define FA_W    7
#define FA_(op) w7_##op
#include "mod/f2_any_pairs.inc"
#define FA_W    8
#define FA_(op) w8_##op
#include "mod/f2_any_pairs.inc"
#define FA_W    9
#define FA_(op) w9_##op
#include "mod/f2_any_pairs.inc"
#include "base/tier_end.h"

static const ty_f2_any_ops *pick(const ty_f2_any *f) { return ty_f2_any_aesni.pick(f); }

static ty_f2_any_rung rung(const ty_f2_any *f)
{
    static const ty_f2_any_rung sizes[] = { w5_rung_other, w6_rung_other, w7_rung_other, w8_rung_other, w9_rung_other };
    static const ty_f2_any_rung own[3][5] = {
        { w2_rung_one, w2_rung_other, w2_rung_other, w2_rung_other, w2_rung_other },
        { w3_rung_one, w3_rung_two, w3_rung_other, w3_rung_full1, w3_rung_other },
        { w4_rung_one, w4_rung_two, w4_rung_dense, w4_rung_full1, w4_rung_other },
    };
    if (!ty_f2_any_in_lanes(f, f->way)) return ty_f2_any_aesni.rung(f);
    return f->words <= 4 ? own[f->words - 2][ty_f2_any_shape(f)] : sizes[f->words - 5];
}
#if defined(__clang__)
#  pragma clang attribute pop
#endif

const ty_f2_any_tier ty_f2_any_vaes = { pick, rung };
#endif
