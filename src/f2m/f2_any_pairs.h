/* Steps (rungs) of the ladder over GF(2)[t]/M for any M of ANY_W words, two products at a time: one
 * size at the level vaes. The includer, a file of src/f2m_any, defines ANY_W and TY_LEVEL, and ends
 * with level_end.h. A pair is the same lanes of two elements, (low, high).
 *
 * A rung is three products and two squarings of pairs, which depend on each other except for one
 * squaring. One rung, for every M, calls these as functions; in fields of 2 to 4 words the most
 * common shapes of M have rungs in which they are inlined.
 *
 * bound: per product of pairs P = L(L + 1) + H(H + 1)/2 carry-less products for L = ceil(W/2) and
 * H = floor(W/2), and those of its reduction: W and 1 for TY_F2_ONE, 2W and 4 for TY_F2_TWO, 2P for
 * TY_F2_DENSE; each takes its port for two cycles in 256-bit registers */
#ifndef TY_F2M_F2_ANY_PAIRS_H
#define TY_F2M_F2_ANY_PAIRS_H

#include "base/unroll.h"
#include "base/vec.h"
#include "f2m/f2_any.h"

#include "base/level_begin.h"
#define V v256
#include "f2m/f2_any_size.h"

enum { ANY_SHAPE = -1 };   /* the shape is looked up, and products are called */

static F2_NOINLINE void any_pair_mul(V *z, const V *x, const V *y, const ty_f2_any *f)
{
    wide c;
    clear(&c);
    product(&c, x, y);
    reduce(z, &c, f, ty_f2_any_shape(f));
}

static F2_NOINLINE void any_pair_sqr(V *z, const V *x, const ty_f2_any *f)
{
    wide c;
    clear(&c);
    square(&c, x);
    reduce(z, &c, f, ty_f2_any_shape(f));
}

static F2_INLINE void pair_mul(V *z, const V *x, const V *y, const ty_f2_any *f, int shape)
{
    wide c;
    if (shape == ANY_SHAPE) {
        any_pair_mul(z, x, y, f);
        return;
    }
    clear(&c);
    product(&c, x, y);
    reduce(z, &c, f, shape);
}

static F2_INLINE void pair_sqr(V *z, const V *x, const ty_f2_any *f, int shape)
{
    wide c;
    if (shape == ANY_SHAPE) {
        any_pair_sqr(z, x, f);
        return;
    }
    clear(&c);
    square(&c, x);
    reduce(z, &c, f, shape);
}

static F2_INLINE void rung(ty_f2_any_pair *p, uint64_t mask, const ty_f2_any_el *x,
                           const ty_f2_any_el *root, const ty_f2_any *f, int shape)
{
    const V m = v_set64(V, mask);
    V a[ANY_LANES], b[ANY_LANES], s[ANY_LANES], t[ANY_LANES], u[ANY_LANES];
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        a[i] = v256_join(v128_load(p->x0.w + 2 * i), v128_load(p->z0.w + 2 * i));
        b[i] = v256_join(v128_load(p->x1.w + 2 * i), v128_load(p->z1.w + 2 * i));
        const V change = m & (a[i] ^ b[i]);
        a[i] ^= change;
        b[i] = v256_swap128(b[i] ^ change);
    }
    pair_mul(s, a, b, f, shape);                                  /* X0 Z1, Z0 X1 */
    pair_sqr(t, a, f, shape);                                     /* X0^2, Z0^2 */
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        a[i] = v256_swap128(t[i]);
        b[i] = v256_join(v128_load(root->w + 2 * i), v256_low(a[i]));
    }
    pair_mul(u, a, b, f, shape);                                  /* root Z0^2, X0^2 Z0^2 */
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        v128_store(p->z0.w + 2 * i, v256_high(u[i]));
        a[i] = v256_blend(s[i] ^ v256_swap128(s[i]), v256_swap128(u[i] ^ t[i]));
    }
    /* (X0 Z1 + X1 Z0)^2, (root Z0^2 + X0^2)^2 */
    pair_sqr(a, a, f, shape);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        v128_store(p->z1.w + 2 * i, v256_low(a[i]));
        v128_store(p->x0.w + 2 * i, v256_high(a[i]));
        t[i] = v256_join(v256_high(s[i]), v128_load(x->w + 2 * i));
        s[i] = v256_join(v256_low(s[i]), v256_low(a[i]));
    }
    pair_mul(s, s, t, f, shape);                                  /* X0 Z1 X1 Z0, x Z */
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++)
        v128_store(p->x1.w + 2 * i, v256_low(s[i]) ^ v256_high(s[i]));
}

/* The rung of one shape: the generated files choose which a size has. */
#define RUNG(name, shape)                                                                          \
    static F2_NOINLINE void name(ty_f2_any_pair *p, uint64_t mask, const ty_f2_any_el *x,          \
                                 const ty_f2_any_el *root, const ty_f2_any *f)                     \
    {                                                                                              \
        rung(p, mask, x, root, f, shape);                                                          \
    }

RUNG(any_rung_other, ANY_SHAPE)
#if ANY_W <= 4
RUNG(any_rung_one, TY_F2_ONE)
#endif
#if ANY_W == 3 || ANY_W == 4
RUNG(any_rung_two, TY_F2_TWO)
RUNG(any_rung_full1, TY_F2_FULL1)
#endif
#if ANY_W == 4
RUNG(any_rung_dense, TY_F2_DENSE)
#endif

#endif
