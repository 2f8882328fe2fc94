/* GF(2^m): one element in 128-bit vectors, fe, over f2m_vec.h with V = v128.
 *   F2_INLINE_LOOP   1 if formulas other than the ladder's step inline their products, too */
#ifndef TY_F2M_F2M_SINGLE_H
#define TY_F2M_F2M_SINGLE_H

typedef fe_v128 fe;
static const fe fe_one = { { { 1 } } };

static F2_INLINE void fe_add(fe *z, const fe *x, const fe *y) { add_v128(z, x, y); }
static F2_INLINE void fe_sqr_inline(fe *z, const fe *x) { sqr_v128(z, x); }

/* z may alias x or y */
static F2_NOINLINE void fe_mul(fe *z, const fe *x, const fe *y) { mul_v128(z, x, y); }
static F2_NOINLINE void fe_sqr(fe *z, const fe *x) { sqr_v128(z, x); }

/* _ladder: in the ladder's step; _loop: in other formulas that are run for many bits */
static F2_INLINE void fe_mul_ladder(fe *z, const fe *x, const fe *y)
{
    if (F2_INLINE_LADDER) mul_v128(z, x, y);
    else fe_mul(z, x, y);
}

static F2_INLINE void fe_sqr_ladder(fe *z, const fe *x)
{
    if (F2_INLINE_LADDER) sqr_v128(z, x);
    else fe_sqr(z, x);
}

static F2_INLINE void fe_mul_loop(fe *z, const fe *x, const fe *y)
{
    if (F2_INLINE_LOOP) mul_v128(z, x, y);
    else fe_mul(z, x, y);
}

static F2_INLINE void fe_sqr_loop(fe *z, const fe *x)
{
    if (F2_INLINE_LOOP) sqr_v128(z, x);
    else fe_sqr(z, x);
}

static inline void fe_load(fe *z, const uint64_t w[F2_W])
{
    for (int i = 0; i < F2_HIGH; i++) z->v[i] = v128_pair(w[2 * i + 1], w[2 * i]);
    if (F2_ODD) z->v[F2_LANES - 1] = v128_pair(0, w[F2_W - 1]);
}

static inline void fe_store(uint64_t w[F2_W], const fe *x)
{
    uint64_t all[2 * F2_LANES];
    for (int i = 0; i < F2_LANES; i++) v128_store(all + 2 * i, x->v[i]);
    memcpy(w, all, 8 * F2_W);
}

/* w = entry i of the table's 16, each two elements as words; all are read */
static inline void fe_scan(uint64_t w[2 * F2_W], const uint64_t *table, uint32_t i)
{
    v128 t[F2_W];
    TY_UNROLL for (int k = 0; k < F2_W; k++) t[k] = v128_zero();
    for (uint32_t e = 0; e < 16; e++, table += 2 * F2_W) {
        const uint64_t mask = ty_mask_zero64(e ^ i);
        const v128 m = v128_pair(mask, mask);
        TY_UNROLL for (int k = 0; k < F2_W; k++) t[k] ^= (m & v128_load(table + 2 * k));
    }
    TY_UNROLL for (int k = 0; k < F2_W; k++) v128_store(w + 2 * k, t[k]);
}

/* z = mask ? x : y */
static F2_INLINE void fe_sel(fe *z, uint64_t mask, const fe *x, const fe *y)
{
    const v128 m = v128_pair(mask, mask);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) z->v[i] = y->v[i] ^ (m & (x->v[i] ^ y->v[i]));
}

#endif
