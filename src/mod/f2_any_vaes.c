/* GF(2)[t]/M for any M with VPCLMULQDQ: the ladder has two products at a time to do. The rest is
 * the tier below. */
#include "mod/f2_any.h"
#if defined(__x86_64__)
#include "base/vec.h"

#if defined(__clang__)   /* as in f2_any_vector.inc */
#  pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#  define FA_UNROLL
#else
#  define FA_UNROLL _Pragma("GCC unroll 16")
#endif
#define FA_HERE inline __attribute__((always_inline))
#define FA_AWAY __attribute__((noinline))

#define TY_LEVEL vaes
#include "base/level_begin.h"

#define FA_W    2
#define FA_(op) TY_K(f2_any_w2_##op)
#include "mod/f2_any_pairs.inc"
#define FA_W    3
#define FA_(op) TY_K(f2_any_w3_##op)
#include "mod/f2_any_pairs.inc"
#define FA_W    4
#define FA_(op) TY_K(f2_any_w4_##op)
#include "mod/f2_any_pairs.inc"
#define FA_W    5
#define FA_(op) TY_K(f2_any_w5_##op)
#include "mod/f2_any_pairs.inc"
#define FA_W    6
#define FA_(op) TY_K(f2_any_w6_##op)
#include "mod/f2_any_pairs.inc"
#define FA_W    7
#define FA_(op) TY_K(f2_any_w7_##op)
#include "mod/f2_any_pairs.inc"
#define FA_W    8
#define FA_(op) TY_K(f2_any_w8_##op)
#include "mod/f2_any_pairs.inc"
#define FA_W    9
#define FA_(op) TY_K(f2_any_w9_##op)
#include "mod/f2_any_pairs.inc"

#define RUNG(size, shape) TY_K(f2_any_w##size##_rung_##shape)

static ty_f2_any_rung ty_f2_any_rung_vaes(const ty_f2_any *f)
{
    static const ty_f2_any_rung sizes[] = { RUNG(5, other), RUNG(6, other), RUNG(7, other), RUNG(8, other), RUNG(9, other) };
    static const ty_f2_any_rung own[3][5] = {
        { RUNG(2, one), RUNG(2, other), RUNG(2, other), RUNG(2, other), RUNG(2, other) },
        { RUNG(3, one), RUNG(3, two), RUNG(3, other), RUNG(3, full1), RUNG(3, other) },
        { RUNG(4, one), RUNG(4, two), RUNG(4, dense), RUNG(4, full1), RUNG(4, other) },
    };
    if (!ty_f2_any_in_lanes(f, f->way)) return ty_f2_any_rung_aesni(f);
    return f->words <= 4 ? own[f->words - 2][ty_f2_any_shape(f)] : sizes[f->words - 5];
}
#if defined(__clang__)
#  pragma clang attribute pop
#endif

const ty_f2_any_ops ty_f2_any_ops_vaes = { ty_f2_any_pick_aesni, ty_f2_any_rung_vaes };
#include "base/level_end.h"
#endif
