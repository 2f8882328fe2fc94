/* Keccak-f[1600] on 25 words (FIPS 202, 3.2 and 3.3). Template, parameters:
 *   V                           a word: 64 bits of each of one or more states
 *   V_NAME(add)(x, y)           this and the following are functions of the includer, inline:
 *                               the sum of words, which is the exclusive or
 *   V_NAME(parity)(a, stride)   the sum of words 0, 5, 10, 15, 20 from a on
 *   V_NAME(add_rol)(x, y, n)    x + y rotated left by n, a constant, 0 < n < 64
 *   V_NAME(add_rol1)(x, y)      x + (y rotated left by 1)
 *   V_NAME(chi)(x, y, z)        x + (1 + y) z in each bit
 *   V_NAME(constant)(i)         iota's constant of round i, in each state
 *   V_NAME(pin)()               between parities and planes: an empty asm if the compiler's own
 *                               order is slower
 *
 * Word k of a state is a[stride * k]; stride is a constant of the caller. Word x + 5y is the
 * standard's A[x, y]. Theta adds d[x] to column x; rho and pi move A[x, y], rotated, to place y of
 * plane 2x + 3y, so plane y of the result gathers the words (x + 3y) mod 5 + 5x; chi works inside a
 * plane. Each plane is read from a[], written to e[], and not read again in the round: no word has
 * to be saved. After two rounds the state is in a[] again.
 *
 * Cost of a round: 20 sums for the parities and 5 + 25 to apply them, 5 + 24 rotations, 25 chi and
 * one constant. */
#include "base/unroll.h"

#include <string.h>


/* d: what theta adds to the columns of a */
TY_INLINE void V_NAME(theta)(V d[5], const V *a, size_t stride)
{
    const V c0 = V_NAME(parity)(a, stride), c1 = V_NAME(parity)(a + stride, stride);
    const V c2 = V_NAME(parity)(a + 2 * stride, stride),
            c3 = V_NAME(parity)(a + 3 * stride, stride);
    const V c4 = V_NAME(parity)(a + 4 * stride, stride);
    d[0] = V_NAME(add_rol1)(c4, c1);
    d[1] = V_NAME(add_rol1)(c0, c2);
    d[2] = V_NAME(add_rol1)(c1, c3);
    d[3] = V_NAME(add_rol1)(c2, c4);
    d[4] = V_NAME(add_rol1)(c3, c0);
    V_NAME(pin)();
}

/* plane y of e = a after round i */
#define IN(k, n) V_NAME(add_rol)(a[(k) * stride], d[(k) % 5], n)
#define PLANE(b0, last, k1, r1, k2, r2, k3, r3, k4, r4)                                            \
    do {                                                                                           \
        const V x0 = b0, x1 = IN(k1, r1), x2 = IN(k2, r2), x3 = IN(k3, r3), x4 = IN(k4, r4);       \
        e[0] = last(V_NAME(chi)(x0, x1, x2));                                                      \
        e[stride] = V_NAME(chi)(x1, x2, x3);                                                       \
        e[2 * stride] = V_NAME(chi)(x2, x3, x4);                                                   \
        e[3 * stride] = V_NAME(chi)(x3, x4, x0);                                                   \
        e[4 * stride] = V_NAME(chi)(x4, x0, x1);                                                   \
    } while (0)
#define IOTA(x) V_NAME(add)(x, V_NAME(constant)(i))
TY_INLINE void V_NAME(plane)(V *e, const V *a, size_t stride, const V d[5], int y, int i)
{
    e += 5 * stride * (size_t)y;
    switch (y) {
    case 0: PLANE(V_NAME(add)(a[0], d[0]), IOTA, 6, 44, 12, 43, 18, 21, 24, 14); break;
    case 1: PLANE(IN(3, 28), , 9, 20, 10, 3, 16, 45, 22, 61); break;
    case 2: PLANE(IN(1, 1), , 7, 6, 13, 25, 19, 8, 20, 18); break;
    case 3: PLANE(IN(4, 27), , 5, 36, 11, 10, 17, 15, 23, 56); break;
    default: PLANE(IN(2, 62), , 8, 55, 14, 39, 15, 41, 21, 2); break;
    }
}
#undef IOTA
#undef PLANE
#undef IN

/* e = a after round i */
TY_INLINE void V_NAME(round)(V *e, const V *a, size_t stride, int i)
{
    V d[5];
    V_NAME(theta)(d, a, stride);
    V_NAME(plane)(e, a, stride, d, 0, i);
    V_NAME(plane)(e, a, stride, d, 1, i);
    V_NAME(plane)(e, a, stride, d, 2, i);
    V_NAME(plane)(e, a, stride, d, 3, i);
    V_NAME(plane)(e, a, stride, d, 4, i);
}

/* All 24 rounds, in place. e is wiped: the state before any round reveals the input, as Keccak-f is
 * invertible. */
TY_INLINE void V_NAME(permute)(V *a)
{
    V e[25];
    for (int i = 0; i < 24; i += 2) {
        V_NAME(round)(e, a, 1, i);
        V_NAME(round)(a, e, 1, i + 1);
    }
    memset(e, 0, sizeof e);
    __asm__ volatile("" : : "r"(e) : "memory");
}
