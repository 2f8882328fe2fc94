/* Everything between this header and tier_end.h is compiled for the instruction set in TY_TARGET, so the
 * build needs no per-file flags:  #define TY_TARGET "avx2"  #include "base/tier_begin.h" ...
 * Include <immintrin.h> and the project's own headers before it: an inline function defined inside is
 * compiled for the tier too. No include guard: a file may open the pair more than once. */
#define TY_PRAGMA(x) _Pragma(#x)
#if defined(__clang__)
#  define TY_PUSH(t) TY_PRAGMA(clang attribute push(__attribute__((target(t))), apply_to = function))
TY_PUSH(TY_TARGET)
#elif defined(__GNUC__)
#  define TY_PUSH(t) TY_PRAGMA(GCC target(t))
#pragma GCC push_options
TY_PUSH(TY_TARGET)
#endif
