/* GF(2^m) in 128-bit vectors, and two elements at once, fe2, in 256-bit vectors where the ladder
 * and verification have two products at a time: the engine of the level vaes. The includer, a file
 * of src/ec_f2, includes the field's constants (F2_M, F2_K1 ...), defines TY_LEVEL, and ends with
 * level_end.h. */
#ifndef TY_F2M_F2M_PAIRS_H
#define TY_F2M_F2M_PAIRS_H

#include "base/bytes.h"
#include "base/ct.h"
#include "base/unroll.h"
#include "base/vec.h"
#include "base/wipe.h"
#include "f2m/f2m_names.h"
#include "f2m/f2m_size.h"

#include <string.h>

#include "base/level_begin.h"
#if F2_CLMUL512   /* a << n, and the upper n bits of b below, in each half of the vectors */
#  define F2_SHLD(V, a, b, n) TY_CAT(F2_SHLD_, V)(a, b, n)
#  define F2_SHLD_v128        _mm_shldi_epi64
#  define F2_SHLD_v256        _mm256_shldi_epi64
#  define F2_SHLD_v512        _mm512_shldi_epi64
#endif
#define F2_INLINE_LOOP (F2_INLINE_LADDER && F2_W <= 5)
#define V v128
#include "f2m/f2m_vec.h"
#undef V
#define V v256
#include "f2m/f2m_vec.h"
#undef V
#include "f2m/f2m_single.h"

/* Two elements in a 256-bit vector, each in its half. f2m_pair.h has the same for other levels. */
typedef fe_v256 fe2;

static F2_INLINE void fe2_join(fe2 *z, const fe *a, const fe *b)
{
    TY_UNROLL for (int i = 0; i < F2_LANES; i++)
        z->v[i] = v256_join(a->v[i], b->v[i]);
}

static F2_INLINE void fe2_split(fe *a, fe *b, const fe2 *x)
{
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        a->v[i] = v256_low(x->v[i]);
        b->v[i] = v256_high(x->v[i]);
    }
}

static F2_NOINLINE void fe2_mul_call(fe2 *z, const fe2 *x, const fe2 *y) { mul_v256(z, x, y); }
static F2_NOINLINE void fe2_sqr_call(fe2 *z, const fe2 *x) { sqr_v256(z, x); }

static F2_INLINE void fe2_mul(fe2 *z, const fe2 *x, const fe2 *y)
{
    if (F2_INLINE_LOOP) mul_v256(z, x, y);
    else fe2_mul_call(z, x, y);
}

static F2_INLINE void fe2_sqr(fe2 *z, const fe2 *x)
{
    if (F2_INLINE_LOOP) sqr_v256(z, x);
    else fe2_sqr_call(z, x);
}

/* in the ladder's step */
static F2_INLINE void fe2_mul_ladder(fe2 *z, const fe2 *x, const fe2 *y)
{
    if (F2_INLINE_LADDER) mul_v256(z, x, y);
    else fe2_mul_call(z, x, y);
}

static F2_INLINE void fe2_sqr_ladder(fe2 *z, const fe2 *x)
{
    if (F2_INLINE_LADDER) sqr_v256(z, x);
    else fe2_sqr_call(z, x);
}

/* z = (x.b, x.a) */
static F2_INLINE void fe2_swap(fe2 *z, const fe2 *x)
{
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) z->v[i] = v256_swap128(x->v[i]);
}

/* z = mask ? x : y */
static F2_INLINE void fe2_sel(fe2 *z, uint64_t mask, const fe2 *x, const fe2 *y)
{
    const v256 m = v256_set64(mask);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++)
        z->v[i] = y->v[i] ^ (m & (x->v[i] ^ y->v[i]));
}

#if F2_CLMUL512
#  include "f2m/f2m_quads.h"
#endif

#if !defined(TY_SMALL_TABLES) /* a build option: 190 KB less, and slower inversions */
#  if F2_GFNI
#    include "f2m/f2m_affine.h"
#  else
#    include "f2m/f2m_frobenius.h"
#  endif
#endif

#endif
