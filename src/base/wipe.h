/* Functions that have returned leave data on the stack below the caller's frame, and what compilers
 * spill there has no name in C. Whoever owns a secret calls one of these once, after the last
 * kernel that saw it. */
#ifndef TY_BASE_WIPE_H
#define TY_BASE_WIPE_H

/* About 1 KB: what kernels on words leave, and the functions between. */
void ty_wipe_below_1k(void);

/* About 8 KB: kernels on vectors have more of them than there are registers, up to 64 bytes each,
 * and point multiplications several frames. On microcontrollers, where stacks are short and code is
 * portable, it is 1 KB; what lies deeper there has not been searched. */
#if defined(__x86_64__) || defined(__aarch64__) || \
    (__STDC_HOSTED__ && (!defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'M'))
void ty_wipe_below_8k(void);
#else
#  define ty_wipe_below_8k ty_wipe_below_1k
#endif

#endif
