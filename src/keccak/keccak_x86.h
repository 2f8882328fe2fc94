/* What the tiers of x86-64 share: one state by BMI's ANDN and RORX. Vectors of one state gain nothing: see keccak_avx2.c. */
#ifndef TY_KECCAK_KECCAK_X86_H
#define TY_KECCAK_KECCAK_X86_H

#include "keccak/keccak.h"

#if defined(__x86_64__)
void ty_keccak_f1600_bmi2(uint64_t a[TY_AT_LEAST(25)]);
void ty_keccak_give_x4_avx2(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a, size_t stride, size_t words);

/* A state of vectors and one of words, each with its other half, take their rounds in turn: they use different units. */
#define TY_KECCAK_WOVEN(name, lanes, vector, round)                                                                  \
    static void name(uint64_t a[TY_AT_LEAST(25)][lanes], uint64_t b[TY_AT_LEAST(25)])                                \
    {                                                                                                                \
        vector e[25], *const v = (vector *)a;                                                                        \
        uint64_t f[25];                                                                                              \
        for (int i = 0; i < 24; i += 2) {                                                                            \
            round(e, v, i);                                                                                          \
            round1(f, b, i);                                                                                         \
            round(v, e, i + 1);                                                                                      \
            round1(b, f, i + 1);                                                                                     \
        }                                                                                                            \
        ty_wipe(e, sizeof e);                                                                                        \
        ty_wipe(f, sizeof f);                                                                                        \
    }
#endif

#endif
