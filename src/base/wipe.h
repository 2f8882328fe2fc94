/* The stack below the caller's frame, where functions that have returned kept what found no register: what compilers spill there no
 * line of C names. Whoever owns a secret calls one of these, once, when it is done: after the last kernel that saw it. */
#ifndef TY_BASE_WIPE_H
#define TY_BASE_WIPE_H

/* About 1 KB: what kernels on words leave, and the functions between. */
void ty_wipe_below_1k(void);

/* About 8 KB: kernels on vectors have more of them than there are registers, up to 64 bytes each. Where the library has no such
 * kernels stacks are short, and 1 KB is enough. */
#if defined(__x86_64__) || defined(__aarch64__)
void ty_wipe_below_8k(void);
#else
#  define ty_wipe_below_8k ty_wipe_below_1k
#endif

#endif
