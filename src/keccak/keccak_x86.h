/* What the tiers of x86-64 share: the permutation of one state with BMI's ANDN and RORX, as vectors
 * are not faster, and the output of four lanes. */
#ifndef TY_KECCAK_KECCAK_X86_H
#define TY_KECCAK_KECCAK_X86_H

#include "keccak/keccak.h"

#if defined(__x86_64__)
void ty_keccak_f1600_avx2(uint64_t a[TY_AT_LEAST(25)]);
void ty_keccak_give_x4_avx2(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a, size_t stride,
                            size_t words);
#endif

#endif
