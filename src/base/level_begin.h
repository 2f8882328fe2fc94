/* The code between this header and level_end.h is compiled for TY_LEVEL, which the file has defined
 * as a level of base/levels.h. Include <immintrin.h> or <arm_neon.h> and the project's own headers
 * before it: a function that is defined inside is compiled for the level too. */
#include "base/levels.h"

#define TY_TARGET    TY_CAT(TY_TARGET_, TY_LEVEL)
/* TY_K(sm4_ecb) is ty_sm4_ecb_avx2 */
#define TY_K(name)   TY_CAT(TY_CAT(ty_, name), TY_CAT(_, TY_LEVEL))
#define TY_PRAGMA(x) _Pragma(#x)
#define TY_PORTABLE_c   1   /* levels that need no target attribute */
#define TY_PORTABLE_c64 1
#define TY_PORTABLE_m4  1
#if !TY_NEED(TY_LEVEL)
#  error "TY_LEVEL is not a level of this machine: TY_LEVELS in base/levels.h lists them"
#elif TY_CAT(TY_PORTABLE_, TY_LEVEL)
#elif defined(__clang__)
#  define TY_PUSH(t) \
       TY_PRAGMA(clang attribute push(__attribute__((target(t))), apply_to = function))
TY_PUSH(TY_TARGET)
#elif defined(__GNUC__)
#  define TY_PUSH(t) TY_PRAGMA(GCC target(t))
#pragma GCC push_options
TY_PUSH(TY_TARGET)
#endif
