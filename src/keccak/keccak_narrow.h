/* Several states with a kernel for one, TY_K(keccak_f1600): each is copied out, permuted and copied
 * back. The additional state of x4_x1 and x8_x1 is in the tier's own form, and permuted by
 * TY_K(keccak_permute). Included once in a tier. */
#ifndef TY_KECCAK_KECCAK_NARROW_H
#define TY_KECCAK_KECCAK_NARROW_H

#include "base/bytes.h"
#include "keccak/keccak.h"

static inline void TY_K(keccak_each)(uint64_t *a, size_t lanes)
{
    uint64_t t[25];
    for (size_t i = 0; i < lanes; i++) {
        for (size_t w = 0; w < 25; w++) t[w] = a[lanes * w + i];
        TY_K(keccak_f1600)(t);
        for (size_t w = 0; w < 25; w++) a[lanes * w + i] = t[w];
    }
    ty_wipe(t, sizeof t);
}

static void TY_K(keccak_f1600_x4)(uint64_t a[TY_AT_LEAST(25)][4]) { TY_K(keccak_each)(a[0], 4); }
static void TY_K(keccak_f1600_x8)(uint64_t a[TY_AT_LEAST(25)][8]) { TY_K(keccak_each)(a[0], 8); }

static void TY_K(keccak_f1600_x4_x1)(uint64_t a[TY_AT_LEAST(25)][4], uint64_t s[TY_AT_LEAST(25)])
{
    TY_K(keccak_each)(a[0], 4);
    TY_K(keccak_permute)(s);
}

static void TY_K(keccak_f1600_x8_x1)(uint64_t a[TY_AT_LEAST(25)][8], uint64_t s[TY_AT_LEAST(25)])
{
    TY_K(keccak_each)(a[0], 8);
    TY_K(keccak_permute)(s);
}

static void TY_K(keccak_give_x4)(uint8_t *const out[TY_AT_LEAST(4)], const uint64_t *a,
                                 size_t stride, size_t words)
{
    for (size_t i = 0; i < 4; i++)
        for (size_t w = 0; w < words; w++) ty_put64le(out[i] + 8 * w, a[stride * w + i]);
}

#endif
