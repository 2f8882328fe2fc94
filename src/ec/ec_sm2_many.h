/* Several points at once. Part of ec_sm2_tier.h: four at a time, in lanes, where TY_EC_SM2_FOUR is
 * defined, else one after the other; for fewer than four, some lanes work on copies if that is
 * faster. */
#ifndef TY_EC_EC_SM2_MANY_H
#define TY_EC_EC_SM2_MANY_H

#if defined(TY_EC_SM2_FOUR)
#  include "ec/ec_sm2_four.h"
#  include "ec/ec_sm2_four_mul.h"
#  define TIMES_PAYS 3
#  define TABLE_PAYS 8    /* a table costs 280 thousand cycles, and saves 39 of 62 thousand */
#else
#  define TABLE_PAYS 5
#endif

/* sum[i] = k[i] G; returns how many were computed: those that fill lanes */
static size_t base_sums(point *sum, const uint8_t (*k)[32], size_t n)
{
    size_t i = 0;
#if defined(TY_EC_SM2_FOUR)
    for (; i + 4 <= n; i += 4) base_sum_four(sum + i, k + i);
    if (n - i == 3) {                    /* one is computed twice */
        point lanes[4];
        uint8_t again[4][32];
        memcpy(again, k[i], 3 * 32);
        memcpy(again[3], k[i], 32);
        base_sum_four(lanes, (const uint8_t (*)[32])again);
        memcpy(&sum[i], lanes, 3 * sizeof lanes[0]);
        ty_wipe(lanes, sizeof lanes);
        ty_wipe(again, sizeof again);
        i = n;
    }
#else
    (void)sum, (void)k, (void)n;
#endif
    return i;
}

/* One inversion for all (Montgomery's trick, points_inv). */
KERNEL void TY_K(ec_sm2_mul_base_many)(uint8_t (*z)[64], const uint8_t (*k)[32], size_t n)
{
    point sum[TY_EC_SM2_MANY];
    ty_p_sm2 zi[TY_EC_SM2_MANY];
    memset(sum, 0, sizeof sum);
    for (size_t i = base_sums(sum, k, n); i < n; i++) base_sum(&sum[i], k[i]);
    points_inv(zi, sum, n);
    for (size_t i = 0; i < n; i++) (void)point_get_by(z[i], &sum[i], &zi[i]);
    ty_wipe(sum, n * sizeof sum[0]);
    ty_wipe(zi, n * sizeof zi[0]);
    ty_wipe_below_8k();
}

/* Lanes need not be full: four_points_mul is faster from three points on. */
KERNEL void TY_K(ec_sm2_mul_many)(uint8_t (*z)[64], const uint8_t (*k)[32], const uint8_t (*p)[64],
                                  size_t n)
{
    size_t i = 0;
#if defined(TY_EC_SM2_FOUR)
    for (; n - i >= TIMES_PAYS; i += n - i < 4 ? n - i : 4)
        four_points_mul(z + i, k + i, p + i, n - i < 4 ? n - i : 4);
#endif
    for (; i < n; i++) (void)TY_K(ec_sm2_mul)(z[i], k[i], p[i]);
}

static void check_one_vt(ty_ec_sm2_check *c)
{
    c->good = c->table ? TY_K(ec_sm2_table_has_x_vt)(c->x, c->u, c->v, c->table)
                       : TY_K(ec_sm2_joint_has_x_vt)(c->x, c->u, c->v, c->p);
}

#if defined(TY_EC_SM2_FOUR)
/* 2 to 4 checks, all with a table or all without; the remaining lanes get the first one again. A
 * lane has Z = 0 if its sum is infinity, or if two equal points were added: then check_one_vt
 * decides. */
static void check_four_vt(ty_ec_sm2_check *c, size_t some)
{
    const uint8_t *u[4], *v[4], *p[4], *table[4];
    point sum[4];
    for (size_t j = 0; j < 4; j++) {
        const ty_ec_sm2_check *from = &c[j < some ? j : 0];
        u[j] = from->u;
        v[j] = from->v;
        p[j] = from->p;
        table[j] = from->table;
    }
    if (c->table) four_table_joint_vt(sum, u, v, table);
    else four_joint_vt(sum, u, v, p);
    for (size_t j = 0; j < some; j++) {
        if (ty_p_sm2_iszero(&sum[j].z)) check_one_vt(&c[j]);
        else c[j].good = has_x_vt(&sum[j], c[j].x);
    }
}

KERNEL void TY_K(ec_sm2_checks_vt)(ty_ec_sm2_check *c, size_t n)
{
    for (size_t i = 0, some; i < n; i += some) {
        for (some = 1; some < 4 && i + some < n && !c[i].table == !c[i + some].table;) some++;
        if (some > 1) check_four_vt(&c[i], some);
        else check_one_vt(&c[i]);
    }
}
#else
KERNEL void TY_K(ec_sm2_checks_vt)(ty_ec_sm2_check *c, size_t n)
{
    for (size_t i = 0; i < n; i++) check_one_vt(&c[i]);
}
#endif

#endif
