/* GF(2^m): fe2, two elements that undergo the same operations, on levels whose vectors hold one
 * element. Where a vector holds two, fe2 is that of f2m_pairs.h. */
#ifndef TY_F2M_F2M_PAIR_H
#define TY_F2M_F2M_PAIR_H

typedef struct fe2 {
    fe a, b;
} fe2;

static inline void fe2_join(fe2 *z, const fe *a, const fe *b)
{
    z->a = *a;
    z->b = *b;
}

static inline void fe2_split(fe *a, fe *b, const fe2 *x)
{
    *a = x->a;
    *b = x->b;
}

/* z = (x.b, x.a) */
static inline void fe2_swap(fe2 *z, const fe2 *x)
{
    const fe t = x->a;
    z->a = x->b;
    z->b = t;
}

static F2_INLINE void fe2_mul(fe2 *z, const fe2 *x, const fe2 *y)
{
    fe_mul_loop(&z->a, &x->a, &y->a);
    fe_mul_loop(&z->b, &x->b, &y->b);
}

static F2_INLINE void fe2_sqr(fe2 *z, const fe2 *x)
{
    fe_sqr_loop(&z->a, &x->a);
    fe_sqr_loop(&z->b, &x->b);
}

/* The same, for the step of the ladder. */
static F2_INLINE void fe2_mul_ladder(fe2 *z, const fe2 *x, const fe2 *y)
{
    fe_mul_ladder(&z->a, &x->a, &y->a);
    fe_mul_ladder(&z->b, &x->b, &y->b);
}

static F2_INLINE void fe2_sqr_ladder(fe2 *z, const fe2 *x)
{
    fe_sqr_ladder(&z->a, &x->a);
    fe_sqr_ladder(&z->b, &x->b);
}

/* z = mask ? x : y */
static inline void fe2_sel(fe2 *z, uint64_t mask, const fe2 *x, const fe2 *y)
{
    fe_sel(&z->a, mask, &x->a, &y->a);
    fe_sel(&z->b, mask, &x->b, &y->b);
}

#endif
