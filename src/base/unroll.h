/* What compilers must do, though they might think better of it. TY_INLINE: this function has no
 * code of its own, and an argument that is constant in a call is constant in its body. TY_UNROLL
 * before a loop of at most twenty turns, whose count is known when a function is compiled: it
 * becomes a row of instructions, with registers for arrays. Clang does not heed GCC's way to say
 * so, and leaves loops as they are that it thinks too long. */
#ifndef TY_BASE_UNROLL_H
#define TY_BASE_UNROLL_H

#define TY_INLINE static inline __attribute__((always_inline))

#if defined(__has_feature)
/* with a check of each index that takes a compiler minutes */
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

/* the same with i = 0 .. n - 1 */
#define TY_EACH(i, n) TY_UNROLL for (size_t i = 0; i < (n); i++)

#endif
