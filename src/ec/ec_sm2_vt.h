/* Public inputs: verification. Part of ec_sm2_tier.h. Everything here takes variable time. */
#ifndef TY_EC_EC_SM2_VT_H
#define TY_EC_EC_SM2_VT_H

#define NAF_LEN 257

/* k = sum naf[i] 2^i with each naf[i] zero or odd, |naf[i]| < 2^(width-1), and at least width - 1
 * zeros after each odd one; returns the number of digits up to the highest that is not 0. width <=
 * 8 */
static int recode_vt(int8_t naf[TY_AT_LEAST(NAF_LEN)], const uint8_t k[TY_AT_LEAST(32)], int width)
{
    uint32_t carry = 0;
    int len = 0;
    memset(naf, 0, NAF_LEN);
    for (int i = 0; i < NAF_LEN;) {
        const uint32_t v = (i < 256 ? eight_bits(k, i) & ((1u << width) - 1) : 0) + carry;
        /* the carry stays: an even sum of bit and carry passes it on unchanged */
        if ((v & 1) == 0) {
            i++;
            continue;
        }
        carry = v >> (width - 1);
        naf[i] = (int8_t)((int)v - (int)(carry << width));
        len = i + 1;
        i += width;
    }
    return len;
}

/* The chain of joint_vt, from P's odd multiples. It is a function of its own so that its digits are
 * not on the stack while the multiples are computed. */
static __attribute__((noinline)) void joint_chain_vt(point *sum, const uint8_t u[TY_AT_LEAST(32)],
                                                     const uint8_t v[TY_AT_LEAST(32)],
                                                     const multiple odd[TY_AT_LEAST(8)])
{
    int8_t naf_u[NAF_LEN], naf_v[NAF_LEN];
    const int u_len = recode_vt(naf_u, u, BASE_WIDTH), v_len = recode_vt(naf_v, v, WIDTH);
    memset(sum, 0, sizeof *sum);
    for (int i = (u_len > v_len ? u_len : v_len) - 1; i >= 0; i--) {
        const int du = naf_u[i], dv = naf_v[i];
        point_dbl(sum, sum);
        if (du) {
            affine a = base_first[(du < 0 ? -du : du) - 1];
            negate_if(&a.y, ty_limb_mask(du < 0));
            point_add_affine_vt(sum, &a);
        }
        if (dv) {
            multiple q = odd[(dv < 0 ? -dv : dv) / 2];
            negate_if(multiple_y(&q), ty_limb_mask(dv < 0));
            multiple_add_vt(sum, &q);
        }
    }
}

/* sum = uG + vP: one chain of doublings, with an addition wherever either scalar has a digit other
 * than 0. Equal points are doubled. A digit of u is as wide as the entries of row 0 of G's table
 * allow. */
static void joint_vt(point *sum, const uint8_t u[TY_AT_LEAST(32)], const uint8_t v[TY_AT_LEAST(32)],
                     const uint8_t p[TY_AT_LEAST(64)])
{
    multiple odd[8];   /* odd[j] = (2j + 1)P */
    odd_multiples_vt(odd, p);
    joint_chain_vt(sum, u, v, odd);
}

KERNEL uint32_t TY_K(ec_sm2_mul_add_vt)(uint8_t z[TY_AT_LEAST(64)],
                                        const uint8_t u[TY_AT_LEAST(32)],
                                        const uint8_t v[TY_AT_LEAST(32)],
                                        const uint8_t p[TY_AT_LEAST(64)])
{
    point sum;
    joint_vt(&sum, u, v, p);
    return point_get(z, &sum);
}

/* All ones if X = c Z^2 for a c < p that is x mod n, else zero: c is x, or x + n where that is
 * below p (n < p < 2n). No inversion is needed. */
static uint32_t has_x_vt(const point *sum, const uint8_t x[TY_AT_LEAST(32)])
{
    ty_p_sm2 zz, c;
    ty_limb other[TY_LIMBS];
    uint8_t bytes[32];
    if (ty_p_sm2_iszero(&sum->z)) return 0;
    ty_p_sm2_sqr(&zz, &sum->z);
    (void)ty_p_sm2_set(&c, x);
    ty_p_sm2_mul(&c, &c, &zz);
    if (ty_p_sm2_eq(&c, &sum->x)) return (uint32_t)-1;
    ty_limb256_set(other, x);
    if (ty_limb256_add(other, other, ty_n_sm2_modulus.v)) return 0;
    ty_limb256_get(bytes, other);
    if (!ty_p_sm2_set(&c, bytes)) return 0;
    ty_p_sm2_mul(&c, &c, &zz);
    return (uint32_t)ty_p_sm2_eq(&c, &sum->x);
}

KERNEL uint32_t TY_K(ec_sm2_joint_has_x_vt)(const uint8_t x[TY_AT_LEAST(32)],
                                            const uint8_t u[TY_AT_LEAST(32)],
                                            const uint8_t v[TY_AT_LEAST(32)],
                                            const uint8_t p[TY_AT_LEAST(64)])
{
    point sum;
    joint_vt(&sum, u, v, p);
    return has_x_vt(&sum, x);
}

/* --- A point that is used often --------------------------------------------------------------- */

/* Row r of its table holds the odd multiples 1, 3, ..., 63 of 2^(STEP r) P, affine. A digit at
 * bit STEP r + i of either scalar is then an addition from row r after doubling i, so that there
 * are STEP doublings in all and not 256. STEP is large enough for seven rows to hold all digits,
 * and such that 2^(STEP r) G begins a row of G's own table: every G_ROWS-th. cost of
 * table_has_x_vt: 42 doublings, 2 x 32 affine additions (40, 32 + 43 with the small table of G). */
#include "ec/ec_sm2_rows.h"

#if defined(TY_EC_SM2_WIDE)
#  define G_ROWS 6      /* rows of 7 bits */
#  define G_STEP STEP
#elif BASE_EVERY == 1
#  define G_ROWS 2      /* rows of 20 bits */
#  define G_STEP STEP
#else                   /* of 80 bits, or one of all: more doublings for u than for v */
#  define G_ROWS 1
#  define G_STEP (BASE_ROWS > 1 ? 20 * BASE_EVERY : STEP * ROW_COUNT)
#endif
#define G_COUNT ((STEP * ROW_COUNT + G_STEP - 1) / G_STEP)
_Static_assert(STEP *ROW_COUNT >= NAF_LEN && G_ROWS * (G_COUNT - 1) < BASE_ROWS,
               "every digit has its row");
_Static_assert(sizeof(affine) == ROW_ENTRY, "an entry");

/* row[j] = (2j + 1)b, affine; one inversion for the row. b is then 2^STEP b.
 * No sum here is of equal or opposite points: (2j + 1)b + 2b, and 2j + 3 < n. */
static void table_row_vt(uint8_t *row, affine *b)
{
    point odd[ROW_ODD], next;
    ty_p_sm2 zi[ROW_ODD + 1];
    ready twice;
    affine a;
    point_lift(&odd[0], b);
    point_dbl(&twice.p, &odd[0]);
    point_ready(&twice);
    for (int j = 1; j < ROW_ODD; j++) point_add(&odd[j], &odd[j - 1], &twice, 0, 0);
    points_inv(zi, odd, ROW_ODD);
    for (int j = 0; j < ROW_ODD; j++) {
        affine_by(&a, &odd[j], &zi[j]);
        memcpy(row + sizeof a * (size_t)j, &a, sizeof a);
    }
    next = twice.p;
    for (int i = 1; i < STEP; i++) point_dbl(&next, &next);
    points_inv(zi, &next, 1);
    affine_by(b, &next, &zi[0]);
}

KERNEL void TY_K(ec_sm2_table_vt)(uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)],
                                  const uint8_t p[TY_AT_LEAST(64)])
{
    affine b;
    (void)affine_set(&b, p);
    for (size_t r = 0; r < ROW_COUNT; r++) table_row_vt(table + r * ROW_ODD * sizeof b, &b);
}

KERNEL uint32_t TY_K(ec_sm2_table_has_x_vt)(const uint8_t x[TY_AT_LEAST(32)],
                                            const uint8_t u[TY_AT_LEAST(32)],
                                            const uint8_t v[TY_AT_LEAST(32)],
                                            const uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)])
{
    int8_t naf_u[G_STEP * G_COUNT] = { 0 }, naf_v[STEP * ROW_COUNT] = { 0 };
    affine a;
    point sum;
    (void)recode_vt(naf_u, u, BASE_WIDTH);
    (void)recode_vt(naf_v, v, ROW_WIDTH);
    memset(&sum, 0, sizeof sum);
    for (int i = G_STEP - 1; i >= 0; i--) {
        point_dbl(&sum, &sum);
        for (int r = 0; r < G_COUNT; r++) {
            const int du = naf_u[G_STEP * r + i];
            if (du) {
                a = base_row(G_ROWS * r)[(du < 0 ? -du : du) - 1];
                negate_if(&a.y, ty_limb_mask(du < 0));
                point_add_affine_vt(&sum, &a);
            }
        }
        for (int r = 0; r < ROW_COUNT && i < STEP; r++) {
            const int dv = naf_v[STEP * r + i];
            if (dv) {
                memcpy(&a, table + sizeof a * (size_t)(ROW_ODD * r + (dv < 0 ? -dv : dv) / 2),
                       sizeof a);
                negate_if(&a.y, ty_limb_mask(dv < 0));
                point_add_affine_vt(&sum, &a);
            }
        }
    }
    return has_x_vt(&sum, x);
}

#endif
