/* What the tiers of x86-64 share: one state by BMI's ANDN and RORX. Vectors of one state gain
 * nothing: see keccak_avx2.c. */
#ifndef TY_KECCAK_KECCAK_X86_H
#define TY_KECCAK_KECCAK_X86_H

#include "keccak/keccak.h"

#if defined(__x86_64__)
void ty_keccak_f1600_avx2(uint64_t a[TY_AT_LEAST(25)]);
void ty_keccak_give_x4_avx2(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a, size_t stride,
                            size_t words);

/* A state of vectors and one of words, each with its other half: their rounds go together, plane by
 * plane, for they use different units, and what a core looks ahead is not much more than a plane of
 * each. */
#    define TY_KECCAK_WOVEN(lanes, vector)                                                         \
        static inline __attribute__((always_inline)) void round##lanes##_1(                        \
            vector *e, const vector *a, uint64_t *f, const uint64_t *b, int i)                     \
        {                                                                                          \
            vector d[5];                                                                           \
            uint64_t g[5];                                                                         \
            theta##lanes(d, a);                                                                    \
            theta1(g, b);                                                                          \
            plane##lanes(e, a, d, 0, i);                                                           \
            plane1(f, b, g, 0, i);                                                                 \
            plane##lanes(e, a, d, 1, i);                                                           \
            plane1(f, b, g, 1, i);                                                                 \
            plane##lanes(e, a, d, 2, i);                                                           \
            plane1(f, b, g, 2, i);                                                                 \
            plane##lanes(e, a, d, 3, i);                                                           \
            plane1(f, b, g, 3, i);                                                                 \
            plane##lanes(e, a, d, 4, i);                                                           \
            plane1(f, b, g, 4, i);                                                                 \
        }                                                                                          \
        static void TY_K(keccak_f1600_x##lanes##_x1)(uint64_t a[TY_AT_LEAST(25)][lanes],           \
                                                     uint64_t b[TY_AT_LEAST(25)])                  \
        {                                                                                          \
            vector e[25], *const v = (vector *)a;                                                  \
            uint64_t f[25];                                                                        \
            for (int i = 0; i < 24; i += 2) {                                                      \
                round##lanes##_1(e, v, f, b, i);                                                   \
                round##lanes##_1(v, e, b, f, i + 1);                                               \
            }                                                                                      \
            ty_wipe(e, sizeof e);                                                                  \
            ty_wipe(f, sizeof f);                                                                  \
        }
#endif

#endif
