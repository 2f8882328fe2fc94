/* kP on Koblitz curves, for fields that have some, with the digits of ec_tau.h. Four digits at a
 * time make a column, one of the 16 sums +-P +- tau P +- tau^2 P +- tau^3 P; these are pairs of
 * opposites, so the table has 8. tau squares the coordinates, and those of the representatives P +
 * N too: N = (0, 0), and the constants of the formulas are 0 or 1.
 *
 * bound: for every 4 digits one sum, of 7 products (8 where a is 1) and 2 squarings, and 16
 * squarings, all in pairs; the chain of dependent operations, product, squaring, product, and four
 * squarings, is shorter than that. The table costs 10 sums. The ladder (ec_f2_ladder.h) takes 6
 * products and 4 squarings for each bit. */
#ifndef TY_EC_EC_F2_KOBLITZ_H
#define TY_EC_EC_F2_KOBLITZ_H

#include "ec/ec_f2_complete.h"
#if F2_QUADS
#  include "ec/ec_f2_quads.h"
#endif

typedef struct ec_entry {
    fe2 xs, zt;
} ec_entry;

/* p = tau^n p */
static F2_NOINLINE void ec_tau(ec_xs *p, int n)
{
    fe2 xs, zt;
    fe2_join(&xs, &p->x, &p->s);
    fe2_join(&zt, &p->z, &p->t);
    while (n--) {
        fe2_sqr(&xs, &xs);
        fe2_sqr(&zt, &zt);
    }
    fe2_split(&p->x, &p->s, &xs);
    fe2_split(&p->z, &p->t, &zt);
}

/* p = -p where mask is all ones */
static void ec_xs_minus(ec_xs *p, uint64_t mask)
{
    fe t;
    fe_add(&t, &p->s, &p->t);
    fe_sel(&p->s, mask, &t, &p->s);
}

static void ec_entry_set(ec_entry *e, const ec_xs *p)
{
    fe2_join(&e->xs, &p->x, &p->s);
    fe2_join(&e->zt, &p->z, &p->t);
}

/* p = table[i] of n entries, or its opposite where minus is all ones; every entry is read */
static F2_NOINLINE void ec_pick(ec_xs *p, const ec_entry *table, uint32_t n, uint32_t i,
                                uint64_t minus)
{
    ec_entry e = table[0];
    for (uint32_t k = 1; k < n; k++) {
        const uint64_t mask = ty_mask_zero64(k ^ i);
        fe2_sel(&e.xs, mask, &table[k].xs, &e.xs);
        fe2_sel(&e.zt, mask, &table[k].zt, &e.zt);
    }
    fe2_split(&p->x, &p->s, &e.xs);
    fe2_split(&p->z, &p->t, &e.zt);
    ec_xs_minus(p, minus);
}

/* rest = P, tau P - P, tau P + P. table[i] = tau^3 P +- tau^2 P +- tau P +- P, where the sign of
 * tau^j P is + if bit j of i is set */
static F2_NOINLINE void ec_tau_table(ec_entry rest[3], ec_entry table[8], const ec_xs *p,
                                     const ec_shape *c)
{
    ec_xs low[2][2], high[2], t = *p, u = *p;   /* low[1]: the opposites */
    ec_entry_set(&rest[0], p);
    ec_tau(&t, 1);
    for (int i = 0; i < 2; i++) {
        ec_xs_minus(&u, ~(uint64_t)0);
        ec_xs_add(&low[0][i], &t, &u, c);
        ec_entry_set(&rest[1 + i], &low[0][i]);
        high[i] = low[1][i] = low[0][i];
        ec_tau(&high[i], 2);
        ec_xs_minus(&low[1][i], ~(uint64_t)0);
    }
    /* tau^2 (tau +- 1) +- (tau +- 1): the second is tau + 1 if bits 0 and 1 agree, and is
     * subtracted if bit 1 is clear */
    for (int i = 0; i < 8; i++) {
        ec_xs_add(&t, &high[i >> 2], &low[~i >> 1 & 1][(~i ^ i >> 1) & 1], c);
        ec_entry_set(&table[i], &t);
    }
}

#if F2_QUADS
/* tau^n p */
static F2_INLINE void ec_quad_tau(fe4 *p, int n)
{
    TY_UNROLL for (int i = 0; i < n; i++) fe4_sqr(p, p);
}

/* as ec_tau_table */
static F2_NOINLINE void ec_quad_tau_table(fe4 rest[3], fe4 table[8], const fe4 *p)
{
    fe4 high[2], minus[2], t = *p, u = *p;
    rest[0] = *p;
    ec_quad_tau(&t, 1);
    ec_quad_minus(&u, ~(uint64_t)0);
    ec_quad_add(&rest[1], &t, &u);
    ec_quad_add(&rest[2], &t, p);
    for (int i = 0; i < 2; i++) {
        high[i] = minus[i] = rest[1 + i];
        ec_quad_tau(&high[i], 2);
        ec_quad_minus(&minus[i], ~(uint64_t)0);
    }
    for (int i = 0; i < 8; i++) {
        const fe4 *low = ~i >> 1 & 1 ? minus : rest + 1;
        ec_quad_add(&table[i], &high[i >> 2], &low[(~i ^ i >> 1) & 1]);
    }
}

/* q = column j of the digits, from their table for P; j < 16 TY_EC_TAU_WORDS */
static F2_INLINE void ec_quad_column(fe4 *q, const fe4 table[8], const ty_ec_tau_form *f, size_t j)
{
    const uint32_t column = (uint32_t)(f->plus[j / 16] >> 4 * (j % 16)) & 15;
    const uint32_t minus = ty_mask_bit32(column >> 3 ^ 1);
    ec_quad_pick(q, table, 8, (column ^ minus) & 7, (uint64_t)0 - (minus & 1));
}

/* r = kP as below, the digits in two halves: the upper ones multiply tau^(4 half) P, with a table
 * of its own, so that there are half as many squarings, and the sum of two entries does not wait
 * for r */
static F2_NOINLINE void ec_quad_tau_times(ec_xs *r, const uint8_t *k, size_t bits, const ec_xs *p,
                                          const ty_ec_curve *curve)
{
    const size_t columns = curve->tau->digits / 4, half = (columns + 1) / 2;
    fe4 rest[3], low[8], high[8], sum, q, t;
    ec_xs upper = *p;   /* X = 1, T = Z */
    ty_ec_tau_form f;
    ty_ec_tau_set(&f, k, bits, curve->tau);
    ec_quad_set(&q, p);
    ec_quad_tau_table(rest, low, &q);
    fe_sqr_many(&upper.s, &p->s, (unsigned)(4 * half));
    fe_sqr_many(&upper.z, &p->z, (unsigned)(4 * half));
    upper.t = upper.z;
    ec_quad_set(&q, &upper);
    ec_quad_tau_table(rest, high, &q);
    ec_quad_pick(&sum, rest, 3, f.rest, f.rest_minus);
    if (columns % 2) {
        ec_quad_column(&q, low, &f, half - 1);
        ec_quad_add(&sum, &sum, &q);
    }
    for (size_t j = columns - half; j-- > 0;) {
        ec_quad_column(&q, low, &f, j);
        ec_quad_column(&t, high, &f, j + half);
        ec_quad_add(&q, &q, &t);
        ec_quad_tau(&sum, 4);
        ec_quad_add(&sum, &sum, &q);
    }
    ec_quad_get(r, &sum);
    ty_wipe(&f, sizeof f);
    ty_wipe(&q, sizeof q);
    ty_wipe(&t, sizeof t);
    ty_wipe(&sum, sizeof sum);
}
#endif

/* r = kP for P of order n, bits <= curve->tau->bits */
static void ec_tau_times(ec_xs *r, const uint8_t *k, size_t bits, const ec_affine *p,
                         const ty_ec_curve *curve, const ec_shape *c)
{
    ec_entry rest[3], table[8];
    ec_xs q;
    ty_ec_tau_form f;
    ec_xs_set(&q, p, c);
#if F2_QUADS
    if (ec_quad_fits(c)) {
        ec_quad_tau_times(r, k, bits, &q, curve);
        return;
    }
#endif
    ec_tau_table(rest, table, &q, c);
    ty_ec_tau_set(&f, k, bits, curve->tau);
    ec_pick(r, rest, 3, f.rest, f.rest_minus);
    for (size_t j = curve->tau->digits / 4; j-- > 0;) {
        const uint32_t column = (uint32_t)(f.plus[j / 16] >> 4 * (j % 16)) & 15;
        const uint32_t minus = ty_mask_bit32(column >> 3 ^ 1);
        ec_pick(&q, table, 8, (column ^ minus) & 7, (uint64_t)0 - (minus & 1));
        ec_tau(r, 4);
        ec_xs_add(r, r, &q, c);
    }
    ty_wipe(&f, sizeof f);
    ty_wipe(&q, sizeof q);
}

static uint32_t ec_mul_koblitz(uint8_t *z, const uint8_t *k, size_t bits, const uint8_t *p,
                               const ty_ec_curve *curve)
{
    ec_shape c;
    ec_affine a;
    ec_xs r;
    if (!curve->tau || bits > curve->tau->bits) return ec_mul(z, k, bits, p, curve);
    ec_shape_set(&c, curve);
    (void)ec_affine_set(&a, p);
    ec_tau_times(&r, k, bits, &a, curve, &c);
    const uint64_t finite = ec_xs_get(&a, &r, &c);
    fe_get(z, &a.x);
    fe_get(z + F2_BYTES, &a.y);
    ty_wipe(&r, sizeof r);
    ty_wipe(&a, sizeof a);
    ty_wipe_below_8k();
    return (uint32_t)finite;
}

#endif
