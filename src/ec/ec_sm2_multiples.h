/* The table of P, 2P, ..., MUL_COLS P that mul reads. Part of ec_sm2_tier.h.
 *     multiple       a point of it
 *     multiples      makes it. No sum is of equal points: jP + P has 2 <= j < MUL_COLS
 *     multiple_scan  z = table[magnitude - 1], every entry of which is read
 *     multiple_y     where to negate it
 *     multiple_add   r = p + q, where the masks say which of them is infinity
 * Where an inversion takes as long as six additions it is worth to have them affine: an entry has
 * two fifths of the words, and an addition three products less. */
#ifndef TY_EC_EC_SM2_MULTIPLES_H
#define TY_EC_EC_SM2_MULTIPLES_H

#if defined(TY_P_SM2_M4)
typedef affine multiple;

/* Z of jP is not 0, since j < n: one inversion for all (Montgomery, 1987), as in points_inv. A
 * function by itself, so that its numbers do not lie on the stack while the table is used. */
static __attribute__((noinline)) void multiples(multiple table[TY_AT_LEAST(MUL_COLS)],
                                                const affine *p)
{
    ty_p_sm2 z[MUL_COLS], upto[MUL_COLS], all, zi;   /* upto[j] is the product of z[1] to z[j] */
    point q;
    table[0] = *p;
    z[0] = upto[0] = ty_p_sm2_one;
    for (int j = 1; j < MUL_COLS; j++) {
        if (j % 2) {
            q.x = table[j / 2].x, q.y = table[j / 2].y, q.z = z[j / 2];
            point_dbl(&q, &q);
        } else {
            point_add_affine(&q, &q, p, 0, 0, NULL);
        }
        table[j].x = q.x, table[j].y = q.y, z[j] = q.z;
        ty_p_sm2_mul(&upto[j], &upto[j - 1], &z[j]);
    }
    ty_p_sm2_inv(&all, &upto[MUL_COLS - 1]);
    for (int j = MUL_COLS - 1; j > 0; j--) {
        ty_p_sm2_mul(&zi, &all, &upto[j - 1]);
        ty_p_sm2_mul(&all, &all, &z[j]);
        q.x = table[j].x, q.y = table[j].y;
        affine_by(&table[j], &q, &zi);
    }
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
#endif

#endif
