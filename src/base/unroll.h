/* TY_UNROLL before a loop of at most twenty turns, whose count is known when a function is
 * compiled: it becomes a row of instructions, with registers for arrays. Clang does not heed GCC's
 * way to say so, and leaves loops as they are that it thinks too long. */
#ifndef TY_BASE_UNROLL_H
#define TY_BASE_UNROLL_H

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

#endif
