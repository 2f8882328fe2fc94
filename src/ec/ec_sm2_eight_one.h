/* One point in eight lanes: a single verification, and the table of a point that is used often.
 * Part of ec_sm2_gfni512.c, after ec_sm2_chain.h. Everything here takes variable time.
 *
 * v P        the points 2^i P follow each other by doublings, which nothing interrupts. Those at
 *            the digits of v's non-adjacent form, 86 on average, are added up eight at a time, a
 *            sum in each lane: eleven additions instead of 43, and no multiples of P
 * u G        37 entries of the table of G, in the same lanes: five additions
 * measured   on Granite Rapids, in thousands of TSC cycles: 255 doublings 40, the additions 13 */
#ifndef TY_EC_EC_SM2_EIGHT_ONE_H
#define TY_EC_EC_SM2_EIGHT_ONE_H

/* The sum of lanes so far, and the lanes where it is infinity */
typedef struct eight_total {
    eight_point sum;
    __mmask8 infinite;
} eight_total;

static void eight_total_clear(eight_total *t)
{
    memset(&t->sum, 0, sizeof t->sum);
    t->infinite = 0xff;
}

/* t = t + u G, row 8 j + n of the table of G in lane n */
static __attribute__((noinline)) void eight_total_base_vt(eight_total *t,
                                                          const uint8_t u[TY_AT_LEAST(32)])
{
    digits d;
    eight_affine a;
    const void *at[8];
    recode_bytes(&d, u, TY_EC_SM2_BASE_WIDTH, TY_EC_SM2_BASE_ROWS);
    for (int j = 0; j < TY_EC_SM2_BASE_ROWS; j += 8) {
        unsigned none = 0, negative = 0;
        for (int n = 0; n < 8; n++) {
            const int row = j + n < TY_EC_SM2_BASE_ROWS ? j + n : 0,
                      m = j + n < TY_EC_SM2_BASE_ROWS ? d.magnitude[row] : 0;
            at[n] = ty_ec_sm2_base_row_adx(row) + ROW_ENTRY * (m - (m > 0));
            none |= (unsigned)(m == 0) << n;
            negative |= (unsigned)d.negative[row] << n;
        }
        eight_set(&a.x, &a.y, at);
        eight_negate_if(&a.y, &a.y, (__mmask8)negative);
        eight_add_affine(&t->sum, &a, t->infinite, (__mmask8)none);
        t->infinite &= (__mmask8)none;
    }
}

/* t = t + p, negative in some lanes, in the first n lanes */
static __attribute__((noinline)) void eight_total_add_vt(eight_total *t, const chain_points *p,
                                                         unsigned negative, size_t n)
{
    const __mmask8 none = (__mmask8)(0xffu << n);
    eight_point q;
    chain_points_get(&q, p);
    eight_negate_if(&q.y, &q.y, (__mmask8)negative);
    eight_add_point(&t->sum, &q, t->infinite, none);
    t->infinite &= none;
}

/* The digits of k's non-adjacent form: bit i of `one` is set where digit i is not 0, of `minus`
 * where it is -1. They are the bits in which k and 3k differ, one place up (Prodinger, 2000). */
static void naf_vt(uint64_t one[TY_AT_LEAST(5)], uint64_t minus[TY_AT_LEAST(5)],
                   const uint8_t k[TY_AT_LEAST(32)])
{
    uint64_t a[5] = { 0 }, b[6] = { 0 };
    uint64_t carry = 0;
    ty_limb256_set(a, k);
    for (int i = 0; i < 5; i++) {                 /* 3a = a + 2a */
        const uint64_t two = a[i] << 1 | (i ? a[i - 1] >> 63 : 0), some = a[i] + two,
                       sum = some + carry;
        carry = (uint64_t)(some < two) | (uint64_t)(sum < some);
        b[i] = sum ^ a[i];
    }
    for (int i = 0; i < 5; i++) {
        one[i] = b[i] >> 1 | b[i + 1] << 63;
        minus[i] = one[i] & (a[i] >> 1 | (i < 4 ? a[i + 1] << 63 : 0));
    }
}

/* t = t + v P. The point is stored after every doubling, and the next one to the same place if the
 * digit is 0: no branch depends on a single digit, only on eight of them that are there. */
static __attribute__((noinline)) void eight_total_point_vt(eight_total *t,
                                                           const uint8_t v[TY_AT_LEAST(32)],
                                                           const uint8_t p[TY_AT_LEAST(64)])
{
    uint64_t one[5], minus[5];
    chain c;
    chain_points points;
    unsigned negative = 0;
    size_t n = 0;
    int most = 256;
    naf_vt(one, minus, v);
    while (most >= 0 && !(one[most / 64] >> most % 64 & 1)) most--;
    chain_set(&c, p);
    memset(&points, 0, sizeof points);
    for (int i = 0; i <= most; i++) {
        if (i) chain_dbl(&c);
        chain_put(&points, n, &c);
        negative |= (unsigned)(minus[i / 64] >> i % 64 & 1) << n;
        n += one[i / 64] >> i % 64 & 1;
        if (n < 8 && i < most) continue;
        eight_total_add_vt(t, &points, negative, n);
        negative = 0;
        n = 0;
    }
}

/* t = the sum of all lanes, in every lane; Z = 0 if two lanes with equal points were added, which a
 * signer can cause */
static __attribute__((noinline)) void eight_total_lanes_vt(eight_total *t)
{
    for (unsigned by = 4; by; by /= 2) {
        eight_point q;
        const __m512i from = _mm512_and_si512(
            _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), eight_all(by)),
            eight_all(7));
        const __mmask8 q_inf = (__mmask8)(t->infinite >> by | t->infinite << (8 - by));
        EIGHT_EACH(i, 5)
        {
            q.x.v[i] = _mm512_permutexvar_epi64(from, t->sum.x.v[i]);
            q.y.v[i] = _mm512_permutexvar_epi64(from, t->sum.y.v[i]);
            q.z.v[i] = _mm512_permutexvar_epi64(from, t->sum.z.v[i]);
        }
        eight_add_point(&t->sum, &q, t->infinite, q_inf);
        t->infinite &= q_inf;
    }
}

/* t = t + v P for the P of a table of ec_sm2_rows.h, t infinite in all lanes: lane r adds up row r,
 * with STEP - 6 doublings. */
static __attribute__((noinline)) void eight_total_table_vt(
    eight_total *t, const uint8_t v[TY_AT_LEAST(32)],
    const uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)])
{
    enum { EACH = STEP / 6 };
    int8_t odd[ODD_DIGITS];
    eight_affine a;
    const void *at[8];
    recode_odd_vt(odd, v);
    for (int j = EACH - 1; j >= 0; j--) {
        unsigned none = 0, negative = 0;
        for (int r = 0; r < 8; r++) {
            const int i = EACH * r + j, there = r < ROW_COUNT && i < ODD_DIGITS,
                      digit = there ? odd[i] : 1;
            at[r] = odd_entry(table, there ? r : 0, digit);
            none |= (unsigned)!there << r;
            negative |= (unsigned)(digit < 0) << r;
        }
        eight_set(&a.x, &a.y, at);
        eight_negate_if(&a.y, &a.y, (__mmask8)negative);
        if (j < EACH - 1)
            for (int i = 0; i < 6; i++) eight_dbl(&t->sum, &t->sum);
        eight_add_affine(&t->sum, &a, t->infinite, (__mmask8)none);
        t->infinite &= (__mmask8)none;
    }
}

/* --- A table ---------------------------------------------------------------------------------- */

/* 2^256 R mod p */
static const int64_t eight_r256_digits[5] = { 0x2000000030, 0x2ffffffff0000, 0x10000000,
                                              0x20000000100, 0x400000 };

/* lanes 0 to ROW_COUNT - 1 of x, y, folded, become the entries of these rows; and back, then the
 * last lane has those of the first one. A folded element may be 2^256 or a little more, which four
 * words do not hold; folded again, it is below. */
EIGHT_INLINE void eight_entries_set(uint8_t *row, const eight *x, const eight *y)
{
    __m512i w[8];
    eight u = *x, v = *y;
    eight_fold(&u);
    eight_fold(&v);
    eight_to_words(w, &u);
    eight_to_words(w + 4, &v);
    eight_transpose(w);
    EIGHT_EACH(r, ROW_COUNT) _mm512_storeu_si512(row + r * ROW_ODD * ROW_ENTRY, w[r]);
}

EIGHT_INLINE void eight_entries_get(eight *x, eight *y, const uint8_t *row)
{
    __m512i w[8];
    EIGHT_EACH(r, ROW_COUNT) w[r] = _mm512_loadu_si512(row + r * ROW_ODD * ROW_ENTRY);
    w[ROW_COUNT] = w[0];
    eight_transpose(w);
    eight_from_words(x, w, 0);
    eight_from_words(y, w + 4, 0);
}

/* P, 2^STEP P, ..., one in each lane, and P again in the last one */
static void eight_rows_vt(eight_point *b, const uint8_t p[TY_AT_LEAST(64)])
{
    chain c;
    chain_points points;
    chain_set(&c, p);
    chain_put(&points, ROW_COUNT, &c);
    chain_put(&points, 0, &c);
    for (size_t r = 1; r < ROW_COUNT; r++) {
        chain_dbl_times(&c, STEP);
        chain_put(&points, r, &c);
    }
    chain_points_get(b, &points);
}

/* X and Y, folded, of b, b + 2b, 3b + 2b, ... of each lane, in the places of the entries; h[j], the
 * quotient of the Z of entry j and the one before; and the last Z. 2b and the last sum have the
 * same Z (Meloni, 2007).
 * No sum is of equal or opposite points: jb + 2b, j odd, j + 2 < n. In multiples of p: */
static void eight_table_sums_vt(uint8_t *table, eight h[TY_AT_LEAST(ROW_ODD)], eight *z,
                                const eight_point *b)
{
    eight_point twice;
    eight x, y, t, u, v;
    /* with the Z of 2b, which is 2yz, b has X = 4xy^2, Y = 8y^4 */
    eight_sqr_twice(&t, &b->y);
    eight_mul_twice(&x, &b->x, &t);
    eight_sqr_twice(&y, &t);
    eight_fold(&x);
    eight_fold(&y);
    eight_dbl(&twice, b);
    *z = twice.z;                                 /* 2.7 */
    eight_entries_set(table, &x, &y);
    for (int j = 1; j < ROW_ODD; j++) {
        eight_sub_carry(&h[j], &twice.x, &x);     /* 3.2 */
        eight_mul(z, z, &h[j]);                   /* 1.6 */
        eight_sqr(&t, &h[j]);                     /* 1.7 */
        eight_mul(&twice.x, &twice.x, &t);        /* 1.2 */
        eight_mul(&u, &x, &t);                    /* 1.2 */
        eight_sub_carry(&v, &twice.y, &y);        /* 4 */
        eight_sub_carry(&t, &twice.x, &u);        /* 3.2 */
        eight_mul(&twice.y, &twice.y, &t);        /* 2 3.2/16 + 1 = 1.4 */
        eight_add(&u, &u, &twice.x);              /* 2.4 */
        eight_sqr_less(&x, &v, &u);               /* folded */
        eight_sub_carry(&t, &twice.x, &x);        /* 3.2 */
        eight_mul(&y, &v, &t);                    /* 1.8 */
        eight_sub(&y, &y, &twice.y);
        eight_add_p(&y, 4);                       /* 2.6 to 5.8 */
        eight_fold(&y);
        eight_entries_set(table + j * ROW_ENTRY, &x, &y);
    }
}

/* The table of ec_sm2_rows.h, a row in each lane. One inversion gives all 1/Z, from the last one
 * down. Factors 2^256 R are divided by R twice, to get the form of ty_p_sm2.
 * cost: for each entry 10 products and 3 squares */
static void ty_ec_sm2_table_vt_gfni512(uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)],
                                       const uint8_t p[TY_AT_LEAST(64)])
{
    eight h[ROW_ODD], x, y, z, zz, factor;
    eight_point b;
    eight_rows_vt(&b, p);
    eight_table_sums_vt(table, h, &z, &b);
    eight_inv(&z, &z);
    eight_constant(&factor, eight_r256_digits);
    for (int j = ROW_ODD - 1; j >= 0; j--) {
        eight_entries_get(&x, &y, table + j * ROW_ENTRY);
        eight_sqr(&zz, &z);
        eight_mul(&zz, &zz, &factor);
        eight_mul(&y, &y, &z);
        eight_mul(&x, &x, &zz);
        eight_mul(&y, &y, &zz);
        eight_plain(&x, &x);
        eight_plain(&y, &y);
        eight_entries_set(table + j * ROW_ENTRY, &x, &y);
        if (j) eight_mul(&z, &z, &h[j]);
    }
}

#endif
