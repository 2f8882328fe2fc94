/* For files of kernels that count on how each single sum of doubles is rounded. A compiler that may
 * treat them as real numbers makes x of (x + c) - c, and results wrong without a word. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#  error "kernels in doubles need -O2, or -Ofast with -fno-fast-math as the last option"
#endif

/* The levels' targets have FMA, so that a compiler may join a product and a sum to one rounding.
 * The pragma forbids it to Clang. GCC, which has no such pragma, finds nothing to join: in these
 * files a product of doubles is never a term of a sum. */
#if defined(__clang__)
#  pragma STDC FP_CONTRACT OFF
#endif
