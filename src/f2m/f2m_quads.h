/* GF(2^m): fe4, four elements that undergo the same operations, in the 128-bit lanes of 512-bit
 * vectors, on levels where a carry-less product of that width is as fast as one of 128 bits. */
#ifndef TY_F2M_F2M_QUADS_H
#define TY_F2M_F2M_QUADS_H

#define V v512
#include "f2m/f2m_vec.h"
#undef V

typedef fe_v512 fe4;

/* lanes i and j of a, then lanes k and l of b; constants */
#define V512_LANES(a, b, i, j, k, l)                                                               \
    _mm512_shuffle_i64x2(a, b, (i) | (j) << 2 | (k) << 4 | (l) << 6)
/* a, but the lanes of the set from b; bit i of the set stands for lane i */
#define V512_SET(a, set, b) _mm512_mask_mov_epi64(a, V512_MASK(set), b)
#define V512_MASK(set)                                                                             \
    (__mmask8)(((set) & 1) * 3 | ((set) >> 1 & 1) * 12 | ((set) >> 2 & 1) * 48 | ((set) >> 3) * 192)

static F2_INLINE void fe4_join(fe4 *z, const fe *a, const fe *b, const fe *c, const fe *d)
{
    TY_UNROLL for (int i = 0; i < F2_LANES; i++)
        z->v[i] = v512_join(a->v[i], b->v[i], c->v[i], d->v[i]);
}

static F2_INLINE void fe4_split(fe *a, fe *b, fe *c, fe *d, const fe4 *x)
{
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        a->v[i] = v512_part(x->v[i], 0);
        b->v[i] = v512_part(x->v[i], 1);
        c->v[i] = v512_part(x->v[i], 2);
        d->v[i] = v512_part(x->v[i], 3);
    }
}

static F2_NOINLINE void fe4_mul_call(fe4 *z, const fe4 *x, const fe4 *y) { mul_v512(z, x, y); }
static F2_NOINLINE void fe4_sqr_call(fe4 *z, const fe4 *x) { sqr_v512(z, x); }
static F2_INLINE void fe4_mul_ladder(fe4 *z, const fe4 *x, const fe4 *y)
{
    if (F2_INLINE_LADDER) mul_v512(z, x, y);
    else fe4_mul_call(z, x, y);
}

static F2_INLINE void fe4_sqr_ladder(fe4 *z, const fe4 *x)
{
    if (F2_INLINE_LADDER) sqr_v512(z, x);
    else fe4_sqr_call(z, x);
}

static F2_INLINE void fe4_mul(fe4 *z, const fe4 *x, const fe4 *y) { mul_v512(z, x, y); }
static F2_INLINE void fe4_sqr(fe4 *z, const fe4 *x) { sqr_v512(z, x); }

#endif
