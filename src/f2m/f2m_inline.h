/* Inlining attributes of the functions of GF(2^m), by compiler. */
#ifndef TY_F2M_F2M_INLINE_H
#define TY_F2M_F2M_INLINE_H

#if defined(__clang__)
/* Every index is a constant once loops are unrolled. Checking each for undefined behaviour, in
 * addition to the checks of the address sanitizer, would double the time of compilation. */
#  define F2_INLINE inline __attribute__((always_inline, no_sanitize("undefined")))
#else
#  define F2_INLINE inline __attribute__((always_inline))
#endif
#define F2_NOINLINE __attribute__((noinline))

#if defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                       \
      __has_feature(undefined_behavior_sanitizer)
#    define F2_SANITIZED
#  endif
#endif

#endif
