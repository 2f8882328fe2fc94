/* The tables of P, 2P, ..., MUL_COLS P, which mul reads, and of P, 3P, ..., 15P for verification.
 * Part of ec_sm2_tier.h.
 *     multiple          an entry of either table
 *     multiples         computes the first. No sum is of equal points: jP + P has 2 <= j < MUL_COLS
 *     odd_multiples_vt  computes the second, with sums jP + 2P
 *     multiple_scan     z = table[magnitude - 1], every entry of which is read
 *     multiple_y        the coordinate to negate
 *     multiple_add      r = p + q, where the masks tell which of them is infinity
 *     multiple_add_vt   p = p + q for any p
 * Where an inversion takes only as long as six additions, affine entries are worth it: they have
 * two fifths of the words, and an addition takes three products fewer. */
#ifndef TY_EC_EC_SM2_MULTIPLES_H
#define TY_EC_EC_SM2_MULTIPLES_H

#if defined(TY_EC_SM2_AFFINE)
typedef affine multiple;

#define MULTIPLES 8   /* in either table */

/* Makes every point affine: table[j] has X and Y, z[j] its Z, which is not 0. One inversion serves
 * all but the first, whose Z is 1 (Montgomery, 1987), as in points_inv. */
static __attribute__((noinline)) void multiples_affine(multiple table[TY_AT_LEAST(MULTIPLES)],
                                                       ty_p_sm2 z[TY_AT_LEAST(MULTIPLES)])
{
    ty_p_sm2 upto[MULTIPLES], all, zi;   /* upto[j] is the product of z[1] to z[j] */
    point q;
    upto[0] = ty_p_sm2_one;
    for (int j = 1; j < MULTIPLES; j++) ty_p_sm2_mul(&upto[j], &upto[j - 1], &z[j]);
    ty_p_sm2_inv(&all, &upto[MULTIPLES - 1]);
    for (int j = MULTIPLES - 1; j > 0; j--) {
        ty_p_sm2_mul(&zi, &all, &upto[j - 1]);
        ty_p_sm2_mul(&all, &all, &z[j]);
        q.x = table[j].x, q.y = table[j].y;
        affine_by(&table[j], &q, &zi);
    }
}

static void multiple_put(multiple *table, ty_p_sm2 *z, const point *p)
{
    table->x = p->x, table->y = p->y, *z = p->z;
}

/* These functions are not inlined, so that their variables are not on the stack together, nor while
 * a table is used. */
#define APART static __attribute__((noinline)) void

APART multiples_chain(multiple table[TY_AT_LEAST(MUL_COLS)], ty_p_sm2 z[TY_AT_LEAST(MUL_COLS)],
                      const affine *p)
{
    point q;
    point_lift(&q, p);
    multiple_put(&table[0], &z[0], &q);
    for (int j = 1; j < MUL_COLS; j++) {
        if (j % 2) {
            q.x = table[j / 2].x, q.y = table[j / 2].y, q.z = z[j / 2];
            point_dbl(&q, &q);
        } else {
            point_add_affine(&q, &q, p, 0, 0, NULL);
        }
        multiple_put(&table[j], &z[j], &q);
    }
}

APART odd_multiples_chain_vt(multiple table[TY_AT_LEAST(MULTIPLES)],
                             ty_p_sm2 z[TY_AT_LEAST(MULTIPLES)], const affine *p)
{
    point twice;
    ready q;
    point_lift(&q.p, p);
    point_dbl(&twice, &q.p);
    multiple_put(&table[0], &z[0], &q.p);
    for (int j = 1; j < MULTIPLES; j++) {
        point_ready(&q);
        point_add(&q.p, &twice, &q, 0, 0);
        multiple_put(&table[j], &z[j], &q.p);
    }
}

APART multiples(multiple table[TY_AT_LEAST(MUL_COLS)], const affine *p)
{
    _Static_assert(MUL_COLS == MULTIPLES, "one size for both tables");
    ty_p_sm2 z[MULTIPLES];
    multiples_chain(table, z, p);
    multiples_affine(table, z);
}

APART odd_multiples_vt(multiple table[TY_AT_LEAST(MULTIPLES)], const uint8_t p[TY_AT_LEAST(64)])
{
    ty_p_sm2 z[MULTIPLES];
    affine a;
    (void)affine_set(&a, p);
    odd_multiples_chain_vt(table, z, &a);
    multiples_affine(table, z);
}

static inline void multiple_scan(multiple *z, const multiple *table, uint32_t magnitude)
{
    _Static_assert(MUL_COLS == 8, "as many as ec_sm2_m4.S adds up");
    ty_ec_sm2_scan_8_m4(z, table, magnitude);
}

static inline ty_p_sm2 *multiple_y(multiple *q) { return &q->y; }

static inline void multiple_add(point *r, const point *p, const multiple *q, ty_limb p_inf,
                                ty_limb q_inf)
{
    point_add_affine(r, p, q, p_inf, q_inf, NULL);
}

static inline void multiple_add_vt(point *p, const multiple *q) { point_add_affine_vt(p, q); }
#else
typedef ready multiple;

static void multiples(multiple table[TY_AT_LEAST(MUL_COLS)], const affine *p)
{
    point_lift(&table[0].p, p);
    for (int j = 1; j < MUL_COLS; j++) {
        if (j % 2) point_dbl(&table[j].p, &table[j / 2].p);
        else point_add_affine(&table[j].p, &table[j - 1].p, p, 0, 0, NULL);
    }
    for (int j = 0; j < MUL_COLS; j++) point_ready(&table[j]);
}

static void odd_multiples_vt(multiple table[TY_AT_LEAST(8)], const uint8_t p[TY_AT_LEAST(64)])
{
    affine a;
    point twice;
    (void)affine_set(&a, p);
    point_lift(&table[0].p, &a);
    point_dbl(&twice, &table[0].p);
    for (int j = 0; j < 8; j++) {
        point_ready(&table[j]);
        if (j < 7) point_add(&table[j + 1].p, &twice, &table[j], 0, 0);
    }
}

static inline void multiple_scan(multiple *z, const multiple *table, uint32_t magnitude)
{
    ready_scan(z, table, MUL_COLS, magnitude);
}

static inline ty_p_sm2 *multiple_y(multiple *q) { return &q->p.y; }

static inline void multiple_add(point *r, const point *p, const multiple *q, ty_limb p_inf,
                                ty_limb q_inf)
{
    point_add(r, p, q, p_inf, q_inf);
}

/* complete: handles infinity and equal points */
static void multiple_add_vt(point *p, const multiple *q)
{
    ty_p_sm2 h, rr;
    point t;
    if (ty_p_sm2_iszero(&p->z)) {
        *p = q->p;
        return;
    }
    point_sum(&t, &h, &rr, p, q);
    if (ty_p_sm2_iszero(&h) & ty_p_sm2_iszero(&rr)) point_dbl(p, p);
    else *p = t;
}
#endif

#endif
