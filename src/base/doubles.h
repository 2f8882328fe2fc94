/* For files of kernels that depend on the rounding of every sum of doubles. A compiler that may
 * treat doubles as real numbers replaces (x + c) - c by x, and results are silently wrong. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#  error "kernels in doubles need -O2, or -Ofast with -fno-fast-math as the last option"
#endif

/* The levels' targets have FMA, so that a compiler may contract a product and a sum into one
 * operation with one rounding. The pragma forbids Clang to do so. GCC, which has no such pragma,
 * finds nothing to contract: in these files a product of doubles is never a term of a sum. */
#if defined(__clang__)
#  pragma STDC FP_CONTRACT OFF
#endif
