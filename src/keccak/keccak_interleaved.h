/* Four states in vectors and one in words, each with a second array for every other round: their
 * rounds are interleaved plane by plane, as they use different units, and the out-of-order window
 * of a core is not much more than a plane of each. Included once in a tier, after keccak_round.h
 * for v256 and w64. */
#ifndef TY_KECCAK_KECCAK_INTERLEAVED_H
#define TY_KECCAK_KECCAK_INTERLEAVED_H

#include "keccak/keccak.h"

TY_INLINE void round_interleaved(v256 *e, const v256 *a, w64 *f, const w64 *b, int i)
{
    v256 d[5];
    w64 g[5];
    theta_v256(d, a, 1);
    theta_w64(g, b, 1);
    plane_v256(e, a, 1, d, 0, i);
    plane_w64(f, b, 1, g, 0, i);
    plane_v256(e, a, 1, d, 1, i);
    plane_w64(f, b, 1, g, 1, i);
    plane_v256(e, a, 1, d, 2, i);
    plane_w64(f, b, 1, g, 2, i);
    plane_v256(e, a, 1, d, 3, i);
    plane_w64(f, b, 1, g, 3, i);
    plane_v256(e, a, 1, d, 4, i);
    plane_w64(f, b, 1, g, 4, i);
}

static void TY_K(keccak_f1600_x4_x1)(uint64_t a[TY_AT_LEAST(25)][4], uint64_t b[TY_AT_LEAST(25)])
{
    v256 e[25], *const v = (v256 *)a;
    w64 f[25];
    for (int i = 0; i < 24; i += 2) {
        round_interleaved(e, v, f, b, i);
        round_interleaved(v, e, b, f, i + 1);
    }
    ty_wipe(e, sizeof e);
    ty_wipe(f, sizeof f);
}

#endif
