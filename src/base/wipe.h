/* Functions that have returned leave data on the stack below the caller's frame, and the values
 * that compilers spill there have no names in C. The owner of a secret calls one of these once,
 * after the last kernel that read it. */
#ifndef TY_BASE_WIPE_H
#define TY_BASE_WIPE_H

/* About 1 KB: the frames of kernels on words, and of the functions between. */
void ty_wipe_below_1k(void);

/* About 8 KB: kernels on vectors spill some of them to the stack, up to 64 bytes each, and point
 * multiplications have several frames. On microcontrollers, where stacks are short and code is
 * portable, it is 1 KB; the stack below that has not been searched for secrets there. */
#if defined(__x86_64__) || defined(__aarch64__) || \
    (__STDC_HOSTED__ && (!defined(__ARM_ARCH_PROFILE) || __ARM_ARCH_PROFILE != 'M'))
void ty_wipe_below_8k(void);
#else
#  define ty_wipe_below_8k ty_wipe_below_1k
#endif

#endif
