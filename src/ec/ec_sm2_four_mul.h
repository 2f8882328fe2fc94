/* Multiples of different points by secret scalars, four at a time, one in each lane of AVX2. Part
 * of ec_sm2_many.h, after ec_sm2_four.h. Constant time: tables are read whole, and digits select by
 * masks. Digits, and the reasons why no equal points are added, are those of mul in ec_sm2_tier.h.
 *
 * bound      255 doublings and 52 affine additions, 168 thousand core cycles for four points with
 *            ec_sm2_four.h, and for each addition a scan of a table of 16 entries, of 18 vectors
 *            each: 592 operations, 150 core cycles */
#ifndef TY_EC_EC_SM2_FOUR_MUL_H
#define TY_EC_EC_SM2_FOUR_MUL_H

/* a = the entry of each lane's own table for its digit, zeros for digit 0; all entries are read */
static void four_table_scan(four_affine *a, const four_table *table, __m256i magnitude)
{
    FOUR_UNROLL for (int i = 0; i < 9; i++) a->x.v[i] = a->y.v[i] = _mm256_setzero_si256();
    for (int j = 0; j < COLS; j++) {
        const __m256i here = _mm256_cmpeq_epi64(magnitude, four_all(j + 1));
        FOUR_UNROLL for (int i = 0; i < 9; i++) {
            const __m256i x = _mm256_and_si256(here, four_load(table->limb[j][2 * i])),
                          y = _mm256_and_si256(here, four_load(table->limb[j][2 * i + 1]));
            a->x.v[i] = _mm256_or_si256(a->x.v[i], x);
            a->y.v[i] = _mm256_or_si256(a->y.v[i], y);
        }
    }
}

/* s = the sum of the digits' multiples of each lane's point */
static __attribute__((noinline)) void four_ladder(four_point *s, const four_table *table,
                                                  const digits d[TY_AT_LEAST(4)])
{
    four_affine a;
    __m256i s_inf = four_all(-1);
    memset(s, 0, sizeof *s);
    for (int i = DIGITS - 1; i >= 0; i--) {
        const four_digit e = four_digit_at(d, i);
        if (i < DIGITS - 1)
            for (int j = 0; j < WIDTH; j++) four_dbl(s, s);
        four_table_scan(&a, table, e.magnitude);
        four_negate_if(&a.y, &a.y, e.negative);
        four_add_affine(s, &a, s_inf, e.none);
        s_inf = _mm256_and_si256(s_inf, e.none);
    }
    ty_wipe(&a, sizeof a);
}

/* d[i], flipped[i] = the digits of min(k, n - k), and whether it is n - k; lanes from n on get the
 * first scalar again */
static __attribute__((noinline)) void four_scalars(digits d[TY_AT_LEAST(4)],
                                                   ty_limb flipped[TY_AT_LEAST(4)],
                                                   const uint8_t (*k)[32], size_t n)
{
    ty_n_sm2 scalar;
    for (size_t i = 0; i < 4; i++) {
        ty_n_sm2_set(&scalar, k[i < n ? i : 0]);
        flipped[i] = ty_n_sm2_halve_range(&scalar, &scalar);
        recode(&d[i], &scalar, WIDTH, DIGITS);
    }
    ty_wipe(&scalar, sizeof scalar);
}

/* z[i] = the point in lane i, for i < n, or its negative where flipped[i] */
static __attribute__((noinline)) void four_points_get(uint8_t (*z)[64], const four_point *s,
                                                      const ty_limb flipped[TY_AT_LEAST(4)],
                                                      size_t n)
{
    point sum[4];
    ty_p_sm2 zi[4];
    four_point_get(sum, s);
    points_inv(zi, sum, n);
    for (size_t i = 0; i < n; i++) {
        negate_if(&sum[i].y, flipped[i]);
        (void)point_get_by(z[i], &sum[i], &zi[i]);
    }
    ty_wipe(sum, sizeof sum);
    ty_wipe(zi, sizeof zi);
}

/* z[i] = k[i] p[i] for i < n, n from 1 to 4 */
static __attribute__((noinline)) void four_points_mul(uint8_t (*z)[64], const uint8_t (*k)[32],
                                                 const uint8_t (*p)[64], size_t n)
{
    four_table table;
    four_point s;
    digits d[4];
    affine pa[4];
    ty_limb flipped[4];
    four_scalars(d, flipped, k, n);
    for (size_t i = 0; i < 4; i++) (void)affine_set(&pa[i], p[i < n ? i : 0]);
    four_multiples(&table, pa);
    four_ladder(&s, &table, d);
    four_points_get(z, &s, flipped, n);
    ty_wipe(flipped, sizeof flipped);
    ty_wipe(d, sizeof d);
    ty_wipe(&s, sizeof s);
    ty_wipe_below_8k();
}

#endif
