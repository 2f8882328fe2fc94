/* The complete formulas of ec_f2_complete.h for a = 0 and b = 1, four products at once. A point is
 * (X : S : Z : U) with U = S + T, in the four lanes of a vector. With U1 U2 = D the sum becomes
 *     X = D + S1 S2, Z = F + G, S = G (S1 S2) + F D, U = G D + F (S1 S2)
 * where F = (X1 X2)^2 and G = (Z1 Z2)^2: two products and a squaring of vectors, in which no lane
 * is idle. The opposite of a point has S and U exchanged. */
#ifndef TY_EC_EC_F2_QUADS_H
#define TY_EC_EC_F2_QUADS_H

#include "ec/ec_f2_complete.h"

/* whether a curve's points are added here */
static inline int ec_quad_fits(const ec_shape *c) { return c->unit && !c->a; }

static F2_INLINE void ec_quad_set(fe4 *q, const ec_xs *p)
{
    fe u;
    fe_add(&u, &p->s, &p->t);
    fe4_join(q, &p->x, &p->s, &p->z, &u);
}

static F2_INLINE void ec_quad_get(ec_xs *p, const fe4 *q)
{
    fe u;
    fe4_split(&p->x, &p->s, &p->z, &u, q);
    fe_add(&p->t, &p->s, &u);
}

/* r = (X : w0 + w1 : Z : w2 + w3), for x with X in lane 0, z with Z in lane 2 */
static F2_INLINE void ec_quad_of(fe4 *r, const fe4 *w, const fe4 *x, const fe4 *z)
{
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        const v512 sums = w->v[i] ^ V512_LANES(w->v[i], w->v[i], 1, 0, 3, 2);
        r->v[i] = V512_SET(V512_SET(sums, 1, x->v[i]), 4, z->v[i]);
    }
}

/* r = p + q.   r may alias p or q */
static F2_INLINE void ec_quad_add(fe4 *r, const fe4 *p, const fe4 *q)
{
    fe4 m, a, b, x, z;
    fe4_mul(&m, p, q);                    /* X1 X2, S1 S2, Z1 Z2, D */
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        a.v[i] = V512_LANES(m.v[i], m.v[i], 1, 3, 3, 1);
        b.v[i] = V512_LANES(m.v[i], m.v[i], 2, 0, 2, 0);
    }
    fe4_sqr(&b, &b);                      /* G, F, G, F */
    fe4_mul(&m, &a, &b);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        x.v[i] = a.v[i] ^ V512_LANES(a.v[i], a.v[i], 1, 0, 3, 2);
        z.v[i] = b.v[i] ^ V512_LANES(b.v[i], b.v[i], 1, 0, 3, 2);
    }
    ec_quad_of(r, &m, &x, &z);
}

/* p = 2p:  X = T^2, Z = (X + Z)^4, S = Z S^2 + X^4 T^2, U = Z U^2 + X^4 T^2 */
static F2_INLINE void ec_quad_double(fe4 *p)
{
    fe4 a, b;
    fe4_sqr(p, p);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        const v512 s = p->v[i], t = s ^ V512_LANES(s, s, 2, 3, 0, 1);   /* X^2 + Z^2, T^2, again */
        a.v[i] = V512_SET(s, 5, V512_LANES(t, t, 1, 0, 3, 2));          /* T^2, S^2, T^2, U^2 */
        b.v[i] = V512_SET(V512_LANES(s, s, 0, 0, 0, 0), 10, V512_LANES(t, t, 1, 0, 3, 2));
    }
    fe4_sqr(&b, &b);                      /* X^4, Z, X^4, Z */
    fe4_mul(p, &a, &b);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++)
        b.v[i] = V512_LANES(b.v[i], b.v[i], 1, 0, 3, 2);
    ec_quad_of(p, p, &a, &b);
}

/* p = -p where minus is all ones */
static F2_INLINE void ec_quad_minus(fe4 *p, uint64_t minus)
{
    const v512 same = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0),
               other = _mm512_set_epi64(4, 4, 0, 0, 4, 4, 0, 0);
    const v512 order = same ^ (other & v512_set64(minus));
    TY_UNROLL for (int i = 0; i < F2_LANES; i++)
        p->v[i] = _mm512_permutexvar_epi64(order, p->v[i]);
}

/* p = table[i] of n entries, or its opposite where minus is all ones; every entry is read */
static F2_INLINE void ec_quad_pick(fe4 *p, const fe4 *table, uint32_t n, uint32_t i, uint64_t minus)
{
    const v512 at = v512_set64(i);
    fe4 sum = table[0];
    TY_UNROLL for (int v = 0; v < F2_LANES; v++) sum.v[v] = v512_pick64(sum.v[v], at, v512_zero());
    TY_UNROLL for (uint32_t k = 1; k < n; k++)
        TY_UNROLL for (int v = 0; v < F2_LANES; v++)
            sum.v[v] ^= v512_pick64(table[k].v[v], at, v512_set64(k));
    *p = sum;
    ec_quad_minus(p, minus);
}

#endif
