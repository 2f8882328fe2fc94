/* Points of SM2's curve four at a time, one in each lane of AVX2: multiples of G for many
 * signatures, and the points that many verifications need. Part of ec_sm2_tier.h where
 * TY_EC_SM2_FOUR is defined. Apart from the field, the digits, the tables and the reasons why no
 * equal points are added are those for one point there.
 *
 * ranges     of Jacobian coordinates, in multiples of p: |X| <= 6, |Y| <= 3.2, |Z| <= 1.4, and
 *            tight (mod/p_sm2_four.h). With (-st/32, st/32 + 1) for the product of factors up to s
 *            and t, both formulas below preserve these; tests/formal/bounds.py checks the sums
 * bound      doubling: 3 products, 3 squares and one product of two terms: 2070 operations, 517
 *            core cycles for four; affine addition: 8 products, 3 squares: 2800, 700. Measured on
 *            Zen 3: 810 and 1030, see mod/p_sm2_four.h */
#ifndef TY_EC_EC_SM2_FOUR_H
#define TY_EC_EC_SM2_FOUR_H

#include "mod/p_sm2_four.h"

typedef struct four_point {
    four x, y, z;
} four_point;

typedef struct four_affine {
    four x, y;
} four_affine;

/* r = 2p: with S = 2xy^2, M = 3 (x - z^2)(x + z^2): X = M^2 - 4S, Y = M (2S - X) - 8y^4, Z = 2yz. r
 * may alias p */
static void four_dbl(four_point *r, const four_point *p)
{
    four zz, yy2, s, m, t, u;
    four_sqr(&zz, &p->z);
    four_sqr(&yy2, &p->y);
    four_add(&yy2, &yy2, &yy2);
    four_carry(&yy2, &yy2);              /* 2y^2 */
    four_sub(&t, &p->x, &zz);
    four_add(&u, &p->x, &zz);
    four_mul(&m, &t, &u);
    four_add(&t, &m, &m);
    four_add(&m, &m, &t);
    four_carry(&m, &m);
    four_mul(&s, &p->x, &yy2);
    four_add(&t, &p->y, &p->y);
    four_mul(&r->z, &t, &p->z);
    four_add(&s, &s, &s);                /* 2S */
    four_add(&t, &s, &s);
    four_sqr_less(&r->x, &m, &t);
    four_sub(&s, &s, &r->x);
    four_carry(&s, &s);
    four_add(&t, &yy2, &yy2);
    four_mul_less(&r->y, &m, &s, &t, &yy2);
}

/* p = p + q, where the masks tell which of them is infinity. Two finite points must not be equal:
 * if they are, or if they are opposite, Z becomes 0 and stays 0. */
static void four_add_affine(four_point *p, const four_affine *q, __m256i p_inf, __m256i q_inf)
{
    four zz, u, s, h, h2, h3, v, t;
    four_point r;
    four one;
    FOUR_UNROLL for (int i = 0; i < 9; i++) one.v[i] = four_all(four_one_limbs[i]);
    four_sqr(&zz, &p->z);
    four_mul(&s, &q->y, &p->z);
    four_mul(&u, &q->x, &zz);
    four_mul(&s, &s, &zz);
    four_sub(&h, &u, &p->x);
    four_sub(&s, &s, &p->y);             /* R */
    four_mul(&r.z, &p->z, &h);
    four_sqr(&h2, &h);
    four_mul(&h3, &h2, &h);
    four_mul(&v, &p->x, &h2);
    four_add(&t, &v, &v);
    four_add(&t, &t, &h3);
    four_sqr_less(&r.x, &s, &t);
    four_sub(&t, &v, &r.x);
    four_mul_less(&r.y, &s, &t, &p->y, &h3);
    four_sel(&r.x, p_inf, &q->x, &r.x);
    four_sel(&r.y, p_inf, &q->y, &r.y);
    four_sel(&r.z, p_inf, &one, &r.z);
    four_sel(&p->x, q_inf, &p->x, &r.x);
    four_sel(&p->y, q_inf, &p->y, &r.y);
    four_sel(&p->z, q_inf, &p->z, &r.z);
}

static void four_point_get(point z[TY_AT_LEAST(4)], const four_point *p)
{
    ty_p_sm2 x[4], y[4], w[4];
    four_get(x, &p->x);
    four_get(y, &p->y);
    four_get(w, &p->z);
    for (int i = 0; i < 4; i++) z[i] = (point){ x[i], y[i], w[i] };
    ty_wipe(x, sizeof x);
    ty_wipe(y, sizeof y);
    ty_wipe(w, sizeof w);
}

/* digit i of each lane: its magnitude, and as masks whether it is 0, and below 0 */
typedef struct four_digit {
    __m256i magnitude, none, negative;
} four_digit;

FOUR_INLINE four_digit four_digit_at(const digits d[TY_AT_LEAST(4)], int i)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i m = _mm256_set_epi64x(d[3].magnitude[i], d[2].magnitude[i], d[1].magnitude[i],
                                        d[0].magnitude[i]);
    const __m256i s =
        _mm256_set_epi64x(d[3].negative[i], d[2].negative[i], d[1].negative[i], d[0].negative[i]);
    return (four_digit){ m, _mm256_cmpeq_epi64(m, zero), _mm256_sub_epi64(zero, s) };
}

FOUR_INLINE __m256i four_load(const void *p) { return _mm256_loadu_si256((const __m256i *)p); }

/* --- Multiples of G, constant time ------------------------------------------------------------ */

/* a = the entries of a row for the magnitudes, zeros for 0: all are read, once, and each lane keeps
 * its own.
 * bound: per entry 2 loads and 21 operations: 64 in 340 core cycles; measured 390 */
static void four_scan(four_affine *a, const affine row[TY_AT_LEAST(64)], __m256i magnitude)
{
    const __m256i one = four_all(1), w0 = _mm256_permute4x64_epi64(magnitude, 0x00);
    const __m256i w1 = _mm256_permute4x64_epi64(magnitude, 0x55),
                  w2 = _mm256_permute4x64_epi64(magnitude, 0xaa);
    const __m256i w3 = _mm256_permute4x64_epi64(magnitude, 0xff);
    __m256i x0 = _mm256_setzero_si256(), x1 = x0, x2 = x0, x3 = x0, y0 = x0, y1 = x0, y2 = x0,
            y3 = x0, j = one;
    for (int i = 0; i < BASE_COLS; i++, j = _mm256_add_epi64(j, one)) {
        const __m256i x = four_load(row[i].x.v), y = four_load(row[i].y.v);
#define KEEP(n)                                                                                    \
    do {                                                                                           \
        const __m256i mask = _mm256_cmpeq_epi64(j, w##n);                                          \
        x##n = _mm256_or_si256(x##n, _mm256_and_si256(mask, x));                                   \
        y##n = _mm256_or_si256(y##n, _mm256_and_si256(mask, y));                                   \
    } while (0)
        KEEP(0);
        KEEP(1);
        KEEP(2);
        KEEP(3);
#undef KEEP
    }
    four_spread(&a->x, x0, x1, x2, x3);
    four_spread(&a->y, y0, y1, y2, y3);
}

/* sum[i] = k[i] G, i < 4: base_sum in each lane */
static void base_sum_four(point sum[TY_AT_LEAST(4)], const uint8_t (*k)[32])
{
    ty_n_sm2 scalar;
    digits d[4];
    ty_limb flipped[4];
    four_affine a;
    four_point s;
    __m256i s_inf = four_all(-1);
    for (int i = 0; i < 4; i++) {
        ty_n_sm2_set(&scalar, k[i]);
        flipped[i] = ty_n_sm2_halve_range(&scalar, &scalar);
        recode(&d[i], &scalar, BASE_WIDTH, BASE_ROWS);
    }
    memset(&s, 0, sizeof s);
    for (int t = 0; t < BASE_ROWS; t++) {
        const four_digit e = four_digit_at(d, t);
        four_scan(&a, base_row(t), e.magnitude);
        four_negate_if(&a.y, &a.y, e.negative);
        four_add_affine(&s, &a, s_inf, e.none);
        s_inf = _mm256_and_si256(s_inf, e.none);
    }
    four_point_get(sum, &s);
    for (int i = 0; i < 4; i++) negate_if(&sum[i].y, flipped[i]);
    ty_wipe(&scalar, sizeof scalar);
    ty_wipe(d, sizeof d);
    ty_wipe(&a, sizeof a);
    ty_wipe(&s, sizeof s);
}

/* --- Public inputs: verification, variable time ----------------------------------------------- */

/* Each lane's own table of COLS entries, where limb i of x is at 2i, of y at 2i + 1 */
typedef struct four_table {
    int64_t limb[COLS][18][4];
} four_table;

static void four_table_put(four_table *table, int at, const four_affine *a)
{
    FOUR_UNROLL for (int i = 0; i < 9; i++) {
        _mm256_storeu_si256((__m256i *)(void *)table->limb[at][2 * i], a->x.v[i]);
        _mm256_storeu_si256((__m256i *)(void *)table->limb[at][2 * i + 1], a->y.v[i]);
    }
}

/* a = entry m - 1 of each lane's table for its digit i of magnitude m; any entry for m = 0 */
static void four_table_pick(four_affine *a, const four_table *table, const digits d[TY_AT_LEAST(4)],
                            int i)
{
    const int64_t (*l[4])[4];
    for (int n = 0; n < 4; n++) l[n] = table->limb[d[n].magnitude[i] ? d[n].magnitude[i] - 1 : 0];
    FOUR_UNROLL for (int j = 0; j < 9; j++) {
        a->x.v[j] =
            _mm256_set_epi64x(l[3][2 * j][3], l[2][2 * j][2], l[1][2 * j][1], l[0][2 * j][0]);
        a->y.v[j] = _mm256_set_epi64x(l[3][2 * j + 1][3], l[2][2 * j + 1][2], l[1][2 * j + 1][1],
                                      l[0][2 * j + 1][0]);
    }
}

/* table = P, 2P, ..., 16P of each lane, affine, with one inversion for all. No sum is of equal
 * points: jP + P, 2 <= j <= 15.
 * cost: 8 doublings, 7 additions, 6 products and a square for each of 15 points */
static void four_multiples(four_table *table, const affine p[TY_AT_LEAST(4)])
{
    const __m256i no = _mm256_setzero_si256();
    four_point m[COLS], all;
    four z[COLS], inverse, zi, zi2;
    four_affine a;
    point scalar[4];
    ty_p_sm2 one_by_one[4];
    four_spread(&a.x, four_load(p[0].x.v), four_load(p[1].x.v), four_load(p[2].x.v),
                four_load(p[3].x.v));
    four_spread(&a.y, four_load(p[0].y.v), four_load(p[1].y.v), four_load(p[2].y.v),
                four_load(p[3].y.v));
    four_table_put(table, 0, &a);
    m[0].x = a.x;
    m[0].y = a.y;
    FOUR_UNROLL for (int i = 0; i < 9; i++) m[0].z.v[i] = four_all(four_one_limbs[i]);
    z[0] = m[0].z;
    for (int j = 1; j < COLS; j++) {
        if (j % 2) {
            four_dbl(&m[j], &m[j / 2]);
        } else {
            m[j] = m[j - 1];
            four_add_affine(&m[j], &a, no, no);
        }
        four_mul(&z[j], &z[j - 1], &m[j].z);   /* the product up to j */
    }
    memset(&all, 0, sizeof all);
    all.z = z[COLS - 1];
    four_point_get(scalar, &all);
    points_inv(one_by_one, scalar, 4);
    four_set(&inverse, one_by_one);
    for (int j = COLS - 1; j > 0; j--) {
        four_mul(&zi, &inverse, &z[j - 1]);
        four_mul(&inverse, &inverse, &m[j].z);
        four_sqr(&zi2, &zi);
        four_mul(&a.x, &m[j].x, &zi2);
        four_mul(&a.y, &m[j].y, &zi2);
        four_mul(&a.y, &a.y, &zi);
        four_table_put(table, j, &a);
    }
    ty_wipe(scalar, sizeof scalar);
    ty_wipe(one_by_one, sizeof one_by_one);
}

/* a = the entry of a row of G's table for each lane's digit i; any entry for 0 */
static void four_base_pick(four_affine *a, const affine *row, const digits d[TY_AT_LEAST(4)], int i)
{
    const affine *e[4];
    for (int n = 0; n < 4; n++) e[n] = &row[d[n].magnitude[i] ? d[n].magnitude[i] - 1 : 0];
    four_spread(&a->x, four_load(e[0]->x.v), four_load(e[1]->x.v), four_load(e[2]->x.v),
                four_load(e[3]->x.v));
    four_spread(&a->y, four_load(e[0]->y.v), four_load(e[1]->y.v), four_load(e[2]->y.v),
                four_load(e[3]->y.v));
}

/* s = s + uG, one row after the other without doublings; s_inf: the lanes where s is infinity */
static void four_add_base_vt(four_point *s, __m256i s_inf, const uint8_t *const u[TY_AT_LEAST(4)])
{
    digits d[4];
    four_affine a;
    for (int n = 0; n < 4; n++) recode_bytes(&d[n], u[n], BASE_WIDTH, BASE_ROWS);
    for (int t = 0; t < BASE_ROWS; t++) {
        const four_digit e = four_digit_at(d, t);
        four_base_pick(&a, base_row(t), d, t);
        four_negate_if(&a.y, &a.y, e.negative);
        four_add_affine(s, &a, s_inf, e.none);
        s_inf = _mm256_and_si256(s_inf, e.none);
    }
}

/* sum[n] = u[n] G + v[n] P[n], with Z = 0 for infinity. Z = 0 also results if two equal points were
 * added, so the caller has to compute such a sum again, with the function for one point. */
static void four_joint_vt(point sum[TY_AT_LEAST(4)], const uint8_t *const u[TY_AT_LEAST(4)],
                          const uint8_t *const v[TY_AT_LEAST(4)],
                          const uint8_t *const p[TY_AT_LEAST(4)])
{
    digits d[4];
    four_table table;
    four_affine a;
    four_point s;
    affine pa[4];
    __m256i s_inf = four_all(-1);
    for (int n = 0; n < 4; n++) {
        (void)affine_set(&pa[n], p[n]);
        recode_bytes(&d[n], v[n], WIDTH, DIGITS);
    }
    four_multiples(&table, pa);
    memset(&s, 0, sizeof s);
    for (int i = DIGITS - 1; i >= 0; i--) {
        const four_digit e = four_digit_at(d, i);
        if (i < DIGITS - 1)
            for (int j = 0; j < WIDTH; j++) four_dbl(&s, &s);
        four_table_pick(&a, &table, d, i);
        four_negate_if(&a.y, &a.y, e.negative);
        four_add_affine(&s, &a, s_inf, e.none);
        s_inf = _mm256_and_si256(s_inf, e.none);
    }
    four_add_base_vt(&s, s_inf, u);
    four_point_get(sum, &s);
}

/* The same with a table of each lane's P (ec_sm2_rows.h). */
static void four_table_joint_vt(point sum[TY_AT_LEAST(4)], const uint8_t *const u[TY_AT_LEAST(4)],
                                const uint8_t *const v[TY_AT_LEAST(4)],
                                const uint8_t *const table[TY_AT_LEAST(4)])
{
    enum { EACH = STEP / 6 };
    int8_t odd[4][ODD_DIGITS];
    four_affine a;
    four_point s;
    __m256i s_inf = four_all(-1);
    for (int n = 0; n < 4; n++) {
        recode_odd_vt(odd[n], v[n]);
        /* many tables do not fit the caches, and all addresses are known */
        for (int i = 0; i < ODD_DIGITS; i++)
            __builtin_prefetch(odd_entry(table[n], i / EACH, odd[n][i]));
    }
    memset(&s, 0, sizeof s);
    for (int j = EACH - 1; j >= 0; j--) {
        if (j < EACH - 1)
            for (int i = 0; i < 6; i++) four_dbl(&s, &s);
        for (int r = 0; r < ROW_COUNT && EACH * r + j < ODD_DIGITS; r++) {
            const uint8_t *e[4];
            int64_t sign[4];
            for (int n = 0; n < 4; n++) {
                const int digit = odd[n][EACH * r + j];
                sign[n] = digit < 0 ? -1 : 0;
                e[n] = odd_entry(table[n], r, digit);
            }
            four_spread(&a.x, four_load(e[0]), four_load(e[1]), four_load(e[2]), four_load(e[3]));
            four_spread(&a.y, four_load(e[0] + 32), four_load(e[1] + 32), four_load(e[2] + 32),
                        four_load(e[3] + 32));
            four_negate_if(&a.y, &a.y, four_load(sign));
            four_add_affine(&s, &a, s_inf, _mm256_setzero_si256());
            s_inf = _mm256_setzero_si256();
        }
    }
    four_add_base_vt(&s, s_inf, u);
    four_point_get(sum, &s);
}

#endif
