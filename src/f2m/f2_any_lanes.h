/* GF(2)[t]/M for any M, on elements of ANY_W words: the kernels for this size, in 128-bit vectors,
 * at the levels aesni and armce. The includer, a file of src/f2m_any, defines ANY_W and TY_LEVEL,
 * writes the table of these kernels, and ends with level_end.h. Within a function an element is
 * v128[ANY_LANES]; arguments and results are words in memory. */
#ifndef TY_F2M_F2_ANY_LANES_H
#define TY_F2M_F2_ANY_LANES_H

#include "base/unroll.h"
#include "base/vec.h"
#include "f2m/f2_any.h"

#include "base/level_begin.h"
#define V v128
#include "f2m/f2_any_size.h"

static F2_INLINE void load(v128 *z, const uint64_t *x)
{
    /* an odd ANY_W is followed by a word that is zero */
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) z[i] = v128_load(x + 2 * i);
}

static F2_INLINE void store(ty_f2_any_el *z, const v128 *x)
{
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) v128_store(z->w + 2 * i, x[i]);
}

static F2_NOINLINE void any_mul(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any_el *y,
                                const ty_f2_any *f)
{
    wide c;
    v128 a[ANY_LANES], b[ANY_LANES];
    load(a, x->w);
    load(b, y->w);
    clear(&c);
    product(&c, a, b);
    reduce(a, &c, f, ty_f2_any_shape(f));
    store(z, a);
}

static F2_NOINLINE void any_sqr_n(ty_f2_any_el *z, const ty_f2_any_el *x, size_t n,
                                  const ty_f2_any *f)
{
    wide c;
    v128 a[ANY_LANES];
    load(a, x->w);
    while (n--) {
        clear(&c);
        square(&c, a);
        reduce(a, &c, f, ty_f2_any_shape(f));
    }
    store(z, a);
}

static F2_NOINLINE void any_mul_mul(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any_el *y,
                                    const ty_f2_any_el *u, const ty_f2_any_el *v,
                                    const ty_f2_any *f)
{
    wide c;
    v128 a[ANY_LANES], b[ANY_LANES];
    clear(&c);
    load(a, x->w);
    load(b, y->w);
    product(&c, a, b);
    load(a, u->w);
    load(b, v->w);
    product(&c, a, b);
    reduce(a, &c, f, ty_f2_any_shape(f));
    store(z, a);
}

static F2_NOINLINE void any_mul_sqr(ty_f2_any_el *z, const ty_f2_any_el *x, const ty_f2_any_el *y,
                                    const ty_f2_any_el *u, const ty_f2_any *f)
{
    wide c;
    v128 a[ANY_LANES], b[ANY_LANES];
    clear(&c);
    load(a, x->w);
    load(b, y->w);
    product(&c, a, b);
    load(a, u->w);
    square(&c, a);
    reduce(a, &c, f, ty_f2_any_shape(f));
    store(z, a);
}

static F2_INLINE void swap(uint64_t mask, ty_f2_any_el *x, ty_f2_any_el *y)
{
    const v128 m = v128_pair(mask, mask);
    v128 a[ANY_LANES], b[ANY_LANES];
    load(a, x->w);
    load(b, y->w);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) {
        const v128 t = m & (a[i] ^ b[i]);
        a[i] ^= t;
        b[i] ^= t;
    }
    store(x, a);
    store(y, b);
}

/* ty_f2_any_rung with s = X0 Z1, t = X1 Z0; u is s + t, then Z0^2 */
static F2_NOINLINE void any_rung(ty_f2_any_pair *p, uint64_t mask, const ty_f2_any_el *x,
                                 const ty_f2_any_el *root, const ty_f2_any *f)
{
    ty_f2_any_el s, t, u;
    v128 a[ANY_LANES], b[ANY_LANES];
    swap(mask, &p->x0, &p->x1);
    swap(mask, &p->z0, &p->z1);
    any_mul(&s, &p->x0, &p->z1, f);
    any_mul(&t, &p->x1, &p->z0, f);
    load(a, s.w);
    load(b, t.w);
    TY_UNROLL for (int i = 0; i < ANY_LANES; i++) a[i] ^= b[i];
    store(&u, a);
    any_sqr_n(&p->z1, &u, 1, f);
    any_sqr_n(&u, &p->z0, 1, f);
    any_mul_mul(&p->x1, &s, &t, x, &p->z1, f);
    any_mul_sqr(&s, &u, root, &p->x0, f);
    any_sqr_n(&p->x0, &p->x0, 1, f);
    any_mul(&p->z0, &p->x0, &u, f);
    any_sqr_n(&p->x0, &s, 1, f);
}

#endif
