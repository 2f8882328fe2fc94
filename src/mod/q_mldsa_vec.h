/* Kernels of Z/q in vectors. Included once in a tier, before its own functions, which are
 *   V            a vector of sizeof(V)/4 coefficients
 *   load, store  a vector from and to any address; add, sub: in each lane
 *   times        b z/R for a power z that all lanes share, p[0], and after it z/q mod R
 *   times_each   the same with a power for each lane
 *   canon        loose coefficients made canonical
 *   split        w1 and w0 of canonical coefficients a, as in q_mldsa_one.h
 *   dot_of, use_hint_with   ty_q_dot and ty_q_use_hint for an n and a gamma2 that are constants */
#ifndef TY_MOD_Q_MLDSA_VEC_H
#define TY_MOD_Q_MLDSA_VEC_H

#include "base/unroll.h"
#include "mod/q_mldsa.h"

TY_INLINE V load(const int32_t *p);
TY_INLINE void store(int32_t *p, V x);
TY_INLINE V add(V x, V y);
TY_INLINE V sub(V x, V y);
TY_INLINE V times(V b, const int32_t *p);
TY_INLINE V times_each(V b, const int32_t *p);
TY_INLINE V canon(V x);
TY_INLINE V split(V *w0, V a, int32_t gamma2);
TY_INLINE void dot_of(int32_t z[256], const ty_q_poly *x, const ty_q_poly *y, size_t n);
TY_INLINE void use_hint_with(int32_t w1[256], const int32_t a[256], const uint32_t h[8],
                             int32_t gamma2);

/* Butterflies: (a, b) <- (a + b p, a - b p), (a, b) <- (a + b, (a - b) p) */
TY_INLINE void step(V *a, V *b, V t)
{
    *b = sub(*a, t);
    *a = add(*a, t);
}
TY_INLINE void up(V *a, V *b, const int32_t *p) { step(a, b, times(*b, p)); }
TY_INLINE void up_each(V *a, V *b, const int32_t *p) { step(a, b, times_each(*b, p)); }

TY_INLINE void down(V *a, V *b, const int32_t *p)
{
    const V d = sub(*a, *b);
    *a = add(*a, *b);
    *b = times(d, p);
}
TY_INLINE void down_each(V *a, V *b, const int32_t *p)
{
    const V d = sub(*a, *b);
    *a = add(*a, *b);
    *b = times_each(d, p);
}

/* The lengths that occur are written out: ending so short a loop 16 to 64 times costs as much as
 * the products. */
static void TY_K(q_dot)(int32_t z[TY_AT_LEAST(256)], const ty_q_poly *x, const ty_q_poly *y,
                        size_t n)
{
    switch (n) {
    case 1: dot_of(z, x, y, 1); break;
    case 4: dot_of(z, x, y, 4); break;
    case 5: dot_of(z, x, y, 5); break;
    case 6: dot_of(z, x, y, 6); break;
    case 7: dot_of(z, x, y, 7); break;
    case 8: dot_of(z, x, y, 8); break;
    default: dot_of(z, x, y, n);
    }
}

TY_INLINE void decompose_with(int32_t w1[256], int32_t w0[256], const int32_t a[256],
                              int32_t gamma2)
{
    for (size_t i = 0; i < 256; i += sizeof(V) / 4) {
        V low;
        store(w1 + i, split(&low, canon(load(a + i)), gamma2));
        store(w0 + i, low);
    }
}

static void TY_K(q_decompose)(int32_t w1[TY_AT_LEAST(256)], int32_t w0[TY_AT_LEAST(256)],
                              const int32_t a[TY_AT_LEAST(256)], int32_t gamma2)
{
    if (gamma2 == TY_Q_GAMMA2_88) decompose_with(w1, w0, a, TY_Q_GAMMA2_88);
    else decompose_with(w1, w0, a, TY_Q_GAMMA2_32);
}

static void TY_K(q_use_hint)(int32_t w1[TY_AT_LEAST(256)], const int32_t a[TY_AT_LEAST(256)],
                             const uint32_t h[TY_AT_LEAST(8)], int32_t gamma2)
{
    if (gamma2 == TY_Q_GAMMA2_88) use_hint_with(w1, a, h, TY_Q_GAMMA2_88);
    else use_hint_with(w1, a, h, TY_Q_GAMMA2_32);
}

#endif
