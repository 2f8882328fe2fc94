/* One point doubled many times, by AVX-512 IFMA with up to four products at a time: what a
 * verification waits for. Part of ec_sm2_gfni512.c, after ec_sm2_eight.h.
 *
 * Jacobian coordinates with T = Z^2, in multiples of p: X, Y folded, Z <= 2.3, T <= 1.4. A doubling
 * has three products after each other, side by side in lanes 0 to 3:
 *     M/3 = (X - T)(X + T)     Y Z                  Y^2
 *     M^2                      S = 2X 2Y^2          4Y^4 = (2Y^2)^2      T' = 2T 2Y^2
 *     M (S - X')               in all lanes
 * and then X' = M^2 - 2S, Y' = M (S - X') - 8Y^4, Z' = 2YZ, T' = 4Y^2 T. tests/formal/sm2.py checks
 * the sums.
 *
 * bound      460 vector instructions, three a core cycle; three products that wait for each other,
 *            58 each, and 14 for the sums between them: 190. Measured on Granite Rapids: 245 core
 *            cycles, 160 of TSC, where one doubling after the other with mulx takes 226 of TSC
 * time       constant */
#ifndef TY_EC_EC_SM2_CHAIN_H
#define TY_EC_EC_SM2_CHAIN_H

#include "mod/p_sm2_quad.h"

/* x, y in all lanes, z in lane 1, and the factors X - T, 2X, X + T, 2T in lanes 0 to 3 */
typedef struct chain {
    quad x, y, z, factors;
} chain;

/* the factors, carried, for a folded x and t of up to 1.5 p with digits of 60 bits, both in all
 * lanes */
EIGHT_INLINE void chain_factors(quad *f, const quad *x, const quad *t)
{
    quad p2;
    quad_times_p(&p2, 2, 0, 0, 0);
    EIGHT_EACH(i, 5)
    {
        const __m256i u = _mm256_mask_mov_epi64(x->v[i], 8, t->v[i]),
                      v = _mm256_mask_mov_epi64(t->v[i], 2, x->v[i]);
        f->v[i] = _mm256_mask_sub_epi64(_mm256_add_epi64(u, v), 1, u, v);
        f->v[i] = _mm256_add_epi64(f->v[i], p2.v[i]);
    }
    quad_carry(f);
}

/* c = 2c.   In multiples of p: */
EIGHT_INLINE void chain_dbl(chain *c)
{
    quad a, b, r, m, s, d, t, w;
    quad_zero(&w);
    EIGHT_EACH(i, 5)
    {
        b.v[i] = _mm256_mask_permutex_epi64(c->z.v[i], 1, c->factors.v[i], 2);
        b.v[i] = _mm256_mask_mov_epi64(b.v[i], 4, c->y.v[i]);
        a.v[i] = _mm256_mask_mov_epi64(c->y.v[i], 1, c->factors.v[i]);
    }
    quad_mul_add(&r, &a, &b, &w);                 /* 3.1 2.5/16 + 1 <= 1.5; 1.2; 1.1 */
    EIGHT_EACH(i, 5)
    {
        const __m256i two = _mm256_add_epi64(r.v[i], r.v[i]);
        r.v[i] = _mm256_mask_add_epi64(two, 1, two, r.v[i]);
    }
    quad_carry(&r);                               /* M 4.5; Z' 2.3; 2Y^2 2.2 */
    EIGHT_EACH(i, 5)
    {
        b.v[i] = _mm256_permutex_epi64(r.v[i], 0xa8);             /* lanes 0 2 2 2 */
        a.v[i] = _mm256_mask_mov_epi64(c->factors.v[i], 5, r.v[i]);
        m.v[i] = _mm256_permutex_epi64(r.v[i], 0x00);
    }
    c->z = r;
    quad_times_p(&w, 21, 8, 0, 0);
    quad_mul_add(&d, &a, &b, &w);                 /* M^2 2.3, + 21; S 1.3, + 8; 4Y^4 1.4; T' 1.4 */
    quad_times_p(&w, 5, 5, 5, 5);
    EIGHT_EACH(i, 5)
    {
        const __m256i mm = _mm256_permutex_epi64(d.v[i], 0x00),
                      y4 = _mm256_permutex_epi64(d.v[i], 0xaa);
        s.v[i] = _mm256_permutex_epi64(d.v[i], 0x55);
        t.v[i] = _mm256_permutex_epi64(d.v[i], 0xff);
        c->x.v[i] = _mm256_sub_epi64(_mm256_sub_epi64(mm, s.v[i]), s.v[i]);   /* M^2 - 2S + 5 */
        d.v[i] = _mm256_sub_epi64(s.v[i], c->x.v[i]);                         /* S - X' + 3 */
        w.v[i] = _mm256_sub_epi64(_mm256_sub_epi64(w.v[i], y4), y4);
    }
    quad_carry(&d);                               /* 3 1.3 + 3 = 6.9 */
    quad_mul_add(&c->y, &m, &d, &w);              /* 4.5 6.9/16 + 1 + 5 <= 8 */
    quad_fold(&c->x);
    chain_factors(&c->factors, &c->x, &t);
    quad_fold(&c->y);
}

/* c = 2^n c */
static __attribute__((noinline)) void chain_dbl_times(chain *c, int n)
{
    chain k = *c;
    for (int i = 0; i < n; i++) chain_dbl(&k);
    *c = k;
}

/* c = p, x || y */
static void chain_set(chain *c, const uint8_t p[TY_AT_LEAST(64)])
{
    eight x, y;
    __m512i w[8];
    EIGHT_EACH(i, 8) w[i] = _mm512_loadu_si512(p);
    eight_set_bytes(&x, &y, w);
    eight_fold(&x);
    eight_fold(&y);
    EIGHT_EACH(i, 5)
    {
        c->x.v[i] = _mm512_castsi512_si256(x.v[i]);
        c->y.v[i] = _mm512_castsi512_si256(y.v[i]);
        c->z.v[i] = quad_all(eight_one_digits[i]);
    }
    chain_factors(&c->factors, &c->x, &c->z);
}

/* Points in lanes, before they are in vectors: digit i of x at [i], of y at [5 + i], of z at
 * [10 + i] */
typedef struct chain_points {
    int64_t digit[15][8];
} chain_points;

/* lane n of p = c */
EIGHT_INLINE void chain_put(chain_points *p, size_t n, const chain *c)
{
    EIGHT_EACH(i, 5)
    {
        const __m128i x = _mm256_castsi256_si128(c->x.v[i]), y = _mm256_castsi256_si128(c->y.v[i]),
                      z = _mm256_castsi256_si128(c->z.v[i]);
        _mm_storel_epi64((__m128i *)(void *)&p->digit[i][n], x);
        _mm_storel_epi64((__m128i *)(void *)&p->digit[5 + i][n], y);
        p->digit[10 + i][n] = _mm_extract_epi64(z, 1);
    }
}

EIGHT_INLINE void chain_points_get(eight_point *q, const chain_points *p)
{
    EIGHT_EACH(i, 5)
    {
        q->x.v[i] = _mm512_loadu_si512(p->digit[i]);
        q->y.v[i] = _mm512_loadu_si512(p->digit[5 + i]);
        q->z.v[i] = _mm512_loadu_si512(p->digit[10 + i]);
    }
}

#endif
