/* Multiples of G and of different points by secret scalars, eight at a time, one in each lane. Part
 * of ec_sm2_gfni512.c, after ec_sm2_eight.h. Everything here takes constant time: digits select by
 * masks and by permutations of registers, and never determine an address or a branch.
 *
 * digits     as in ec_sm2_digits.h, but computed from the scalars' words in lanes when they are
 *            needed. The digits and the order of the sums are those of base_sum and mul in
 *            ec_sm2_tier.h, where it is shown that no two equal points are added
 * tables     that of G is the one of "adx". A row is transposed: then a word of all its 64 entries
 *            fills eight vectors, and each lane takes its own by four VPERMI2Q and three selections
 *            by bits of its digit. Groups of eight share the row. A point's own 16 multiples are in
 *            lanes from the beginning, and are read under masks
 * bound      a row of G: 192 shuffles, one a core cycle; and for each group of eight points, 32
 *            VPERMI2Q, 24 selections and an addition. Measured: docs/speed.md */
#ifndef TY_EC_EC_SM2_EIGHT_MUL_H
#define TY_EC_EC_SM2_EIGHT_MUL_H

#define EIGHT_GROUPS (TY_EC_SM2_MANY / 8)

/* Eight scalars: 2 min(k, n - k), word by word, and the lanes where it was n - k */
typedef struct eight_scalars {
    __m512i word[5];         /* the last is 0 */
    __mmask8 flipped;
} eight_scalars;

/* k[i] in lane i for i < n; the remaining lanes get the first one again */
static __attribute__((noinline)) void eight_scalars_set(eight_scalars *s, const uint8_t (*k)[32],
                                                        size_t n)
{
    uint64_t rows[8][8];
    __m512i w[8];
    ty_n_sm2 one;
    unsigned flipped = 0;
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < 8; i++) {
        ty_n_sm2_set(&one, k[i < n ? i : 0]);
        flipped |= (unsigned)(ty_n_sm2_halve_range(&one, &one) & 1) << i;
        for (int j = 3; j >= 0; j--) rows[i][j] = one.v[j] << 1 | (j ? one.v[j - 1] >> 63 : 0);
    }
    EIGHT_EACH(i, 8) w[i] = _mm512_loadu_si512(rows[i]);
    eight_transpose(w);
    EIGHT_EACH(i, 5) s->word[i] = w[i];
    s->flipped = (__mmask8)flipped;
    ty_wipe(rows, sizeof rows);
    ty_wipe(w, sizeof w);
    ty_wipe(&one, sizeof one);
}

/* digit i of width bits: it depends on width + 1 bits of 2k, the top one of which is its sign */
EIGHT_INLINE eight_digit eight_digit_of(const eight_scalars *s, int width, int i)
{
    const int at = width * i / 64, from = width * i % 64;
    const __m512i all = eight_all((2 << width) - 1);
    const __m512i low = _mm512_srlv_epi64(s->word[at], eight_all(from)),
                  high = _mm512_sllv_epi64(s->word[at + 1], eight_all(64 - from));
    const __m512i window = _mm512_and_si512(_mm512_or_si512(low, high), all);
    const __mmask8 negative = _mm512_test_epi64_mask(window, eight_all(1 << width));
    const __m512i absolute = _mm512_mask_sub_epi64(window, negative, all, window);
    const __m512i m = _mm512_srli_epi64(_mm512_add_epi64(absolute, eight_all(1)), 1);
    return (eight_digit){ m, _mm512_testn_epi64_mask(m, m), negative };
}

/* --- Multiples of G --------------------------------------------------------------------------- */

/* A row of the table: word i, of x and then y, of entries 8b to 8b + 7 */
typedef struct eight_row {
    __m512i word[8][8];      /* [i][b] */
} eight_row;

static void eight_row_set(eight_row *row, const uint8_t *from)
{
    for (int b = 0; b < 8; b++) {
        __m512i w[8];
        EIGHT_EACH(j, 8) w[j] = _mm512_loadu_si512(from + ROW_ENTRY * (8 * b + j));
        eight_transpose(w);
        EIGHT_EACH(i, 8) row->word[i][b] = w[i];
    }
}

/* a = the entries for the magnitudes; any entry for 0 */
EIGHT_INLINE void eight_row_pick(eight_affine *a, const eight_row *row, __m512i magnitude)
{
    const __m512i at = _mm512_sub_epi64(magnitude, eight_all(1));
    const __mmask8 second = _mm512_test_epi64_mask(at, eight_all(16)),
                   upper = _mm512_test_epi64_mask(at, eight_all(32));
    __m512i w[8];
    EIGHT_EACH(i, 8)
    {
        const __m512i *r = row->word[i];
        const __m512i q0 = _mm512_permutex2var_epi64(r[0], at, r[1]);
        const __m512i q1 = _mm512_permutex2var_epi64(r[2], at, r[3]);
        const __m512i q2 = _mm512_permutex2var_epi64(r[4], at, r[5]);
        const __m512i q3 = _mm512_permutex2var_epi64(r[6], at, r[7]);
        const __m512i low = _mm512_mask_blend_epi64(second, q0, q1),
                      high = _mm512_mask_blend_epi64(second, q2, q3);
        w[i] = _mm512_mask_blend_epi64(upper, low, high);
    }
    eight_spread(&a->x, w);
    eight_spread(&a->y, w + 4);
}

/* sum[g] = k[g] G, up to the sign, for each lane of each group: base_sum of ec_sm2_tier.h */
static __attribute__((noinline)) void eight_base_sums(eight_point *sum, const eight_scalars *k,
                                                      int groups)
{
    eight_row row;
    eight_affine a;
    eight zzz[EIGHT_GROUPS];                      /* and Z^2 in z, until all is added */
    __mmask8 none_yet[EIGHT_GROUPS];
    memset(sum, 0, (size_t)groups * sizeof *sum);
    memset(zzz, 0, (size_t)groups * sizeof *zzz);
    memset(none_yet, 0xff, sizeof none_yet);
    for (int t = 0; t < TY_EC_SM2_BASE_ROWS; t++) {
        eight_row_set(&row, ty_ec_sm2_base_row_adx(t));
        for (int g = 0; g < groups; g++) {
            const eight_digit d = eight_digit_of(&k[g], TY_EC_SM2_BASE_WIDTH, t);
            eight_row_pick(&a, &row, d.magnitude);
            eight_negate_if(&a.y, &a.y, d.negative);
            eight_add_affine_zz(&sum[g], &zzz[g], &a, none_yet[g], d.none);
            none_yet[g] &= d.none;
        }
    }
    for (int g = 0; g < groups; g++) {            /* Z^2 is a Z of the point, too */
        eight_mul(&sum[g].x, &sum[g].x, &sum[g].z);
        eight_mul(&sum[g].y, &sum[g].y, &zzz[g]);
    }
    ty_wipe(&a, sizeof a);
    ty_wipe(zzz, sizeof zzz);
    ty_wipe(none_yet, sizeof none_yet);
    ty_wipe_below_8k();
}

/* --- Output ----------------------------------------------------------------------------------- */

/* zi[g] = 1/Z of p[g], 0 for infinity, with one inversion for all: points_inv of ec_prime.h */
static __attribute__((noinline)) void eight_points_inv(eight *zi, const eight_point *p, int groups)
{
    eight all, z[EIGHT_GROUPS], one;
    __mmask8 infinite[EIGHT_GROUPS];
    eight_constant(&one, eight_one_digits);
    for (int g = 0; g < groups; g++) {
        infinite[g] = eight_iszero(&p[g].z);
        eight_sel(&z[g], infinite[g], &one, &p[g].z);
        if (g) eight_mul(&zi[g], &zi[g - 1], &z[g]);
        else zi[0] = z[0];   /* the product up to g */
    }
    eight_inv(&all, &zi[groups - 1]);
    for (int g = groups - 1; g >= 0; g--) {
        if (g) eight_mul(&zi[g], &all, &zi[g - 1]);
        else zi[0] = all;
        eight_mul(&all, &all, &z[g]);
        EIGHT_EACH(i, 5)
            zi[g].v[i] = _mm512_maskz_mov_epi64((__mmask8)~infinite[g], zi[g].v[i]);
    }
    ty_wipe(&all, sizeof all);
    ty_wipe(z, sizeof z);
    ty_wipe(infinite, sizeof infinite);
}

/* out[i] = x || y of the first n lanes of p or, where flipped, of -p, with zi = 1/Z; zeros for
 * infinity */
static __attribute__((noinline)) void eight_point_get(uint8_t (*out)[64], const eight_point *p,
                                                      const eight *zi, __mmask8 flipped, size_t n)
{
    __m512i w[8];
    eight x, y, zi2;
    eight_sqr(&zi2, zi);
    eight_mul(&x, &p->x, &zi2);                   /* 1.1 */
    eight_mul(&y, &p->y, &zi2);
    eight_mul(&y, &y, zi);                        /* 1.1 */
    eight_negate_if(&y, &y, flipped);             /* 2 */
    eight_get_bytes(w, &x, &y);
    for (size_t i = 0; i < n; i++) _mm512_storeu_si512(out[i], w[i]);
    ty_wipe(w, sizeof w);
    ty_wipe(&x, sizeof x);
    ty_wipe(&y, sizeof y);
    ty_wipe(&zi2, sizeof zi2);
}

/* out[i] = the point in lane i % 8 of sum[i / 8], or its negative where the scalar was flipped, in
 * affine coordinates, for i < n. The sums are wiped. */
static void eight_points_get(uint8_t (*out)[64], eight_point *sum, const eight_scalars *k, size_t n)
{
    eight zi[EIGHT_GROUPS];
    const int groups = (int)((n + 7) / 8);
    eight_points_inv(zi, sum, groups);
    for (int g = 0; g < groups; g++) {
        const size_t from = 8 * (size_t)g;
        eight_point_get(out + from, &sum[g], &zi[g], k[g].flipped, n - from < 8 ? n - from : 8);
    }
    ty_wipe(zi, sizeof zi);
    ty_wipe(sum, (size_t)groups * sizeof *sum);
}

/* z[i] = k[i] G, n of 1 to TY_EC_SM2_MANY */
static __attribute__((noinline)) void eight_base_many(uint8_t (*z)[64], const uint8_t (*k)[32],
                                                      size_t n)
{
    eight_scalars scalars[EIGHT_GROUPS];
    eight_point sum[EIGHT_GROUPS];
    const size_t groups = (n + 7) / 8;
    size_t g = 0;
    do eight_scalars_set(&scalars[g], k + 8 * g, n - 8 * g);
    while (++g < groups);
    eight_base_sums(sum, scalars, (int)groups);
    eight_points_get(z, sum, scalars, n);
    ty_wipe(scalars, groups * sizeof scalars[0]);
    ty_wipe_below_8k();
}

/* --- Multiples of points ---------------------------------------------------------------------- */

/* sum = k P, up to the sign, in each lane for the point P with these multiples in the table: mul of
 * ec_sm2_tier.h */
static __attribute__((noinline)) void eight_ladder(eight_point *sum, const eight_scalars *k,
                                                   const eight_affine table[TY_AT_LEAST(COLS)])
{
    eight_affine a;
    __mmask8 none_yet = 0xff;
    memset(sum, 0, sizeof *sum);
    for (int i = DIGITS - 1; i >= 0; i--) {
        const eight_digit d = eight_digit_of(k, WIDTH, i);
        if (i < DIGITS - 1)
            for (int j = 0; j < WIDTH; j++) eight_dbl(sum, sum);
        eight_pick(&a, table, d.magnitude);
        eight_negate_if(&a.y, &a.y, d.negative);
        eight_add_affine(sum, &a, none_yet, d.none);
        none_yet &= d.none;
    }
    ty_wipe(&a, sizeof a);
}

/* the multiples of p[i] in lane i for i < n; the remaining lanes get the first one again */
static __attribute__((noinline)) void eight_table_of(eight_affine table[TY_AT_LEAST(COLS)],
                                                     const uint8_t (*p)[64], size_t n)
{
    eight_affine a;
    __m512i w[8];
    for (size_t i = 0; i < 8; i++) w[i] = _mm512_loadu_si512(p[i < n ? i : 0]);
    eight_set_bytes(&a.x, &a.y, w);
    eight_multiples(table, &a);
}

/* z[i] = k[i] p[i], n of 1 to TY_EC_SM2_MANY */
static __attribute__((noinline)) void eight_points_mul(uint8_t (*z)[64], const uint8_t (*k)[32],
                                                  const uint8_t (*p)[64], size_t n)
{
    eight_affine table[COLS];
    eight_scalars scalars[EIGHT_GROUPS];
    eight_point sum[EIGHT_GROUPS];
    const size_t groups = (n + 7) / 8;
    size_t g = 0;
    do {
        eight_scalars_set(&scalars[g], k + 8 * g, n - 8 * g);
        eight_table_of(table, p + 8 * g, n - 8 * g);
        eight_ladder(&sum[g], &scalars[g], table);
    } while (++g < groups);
    eight_points_get(z, sum, scalars, n);
    ty_wipe(table, sizeof table);
    ty_wipe(scalars, groups * sizeof scalars[0]);
    ty_wipe_below_8k();
}

#endif
