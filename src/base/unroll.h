/* Inlining and unrolling, whatever the compiler's heuristics say. TY_INLINE: the function has no
 * code of its own, and an argument that is constant in a call is constant in its body. TY_UNROLL
 * before a loop of at most twenty iterations, whose count is a constant when the function is
 * compiled: it becomes straight-line code, with registers for arrays. Clang ignores GCC's pragma,
 * and by itself leaves loops that it considers too long. */
#ifndef TY_BASE_UNROLL_H
#define TY_BASE_UNROLL_H

#define TY_INLINE static inline __attribute__((always_inline))

#if defined(__has_feature)
/* the sanitizer checks each index, which takes a compiler minutes in unrolled loops */
#  define TY_CHECKED __has_feature(address_sanitizer)
#else
#  define TY_CHECKED 0
#endif
#if TY_CHECKED
#  define TY_UNROLL
#elif defined(__clang__)
#  define TY_UNROLL _Pragma("clang loop unroll(full)")
#else
#  define TY_UNROLL _Pragma("GCC unroll 20")
#endif

/* for i = 0 .. n - 1, with TY_UNROLL */
#define TY_EACH(i, n) TY_UNROLL for (size_t i = 0; i < (n); i++)

#endif
