/* Points of SM2's curve eight at a time, one in each lane of AVX-512 IFMA: the points that many
 * verifications need. Part of ec_sm2_gfni512.c, after the field and ec_sm2_digits.h.
 *
 * (X : Y : Z) represents x = X/Z^2, y = Y/Z^3, and infinity if Z = 0, as in ec_prime.h.
 *
 * ranges     of coordinates, in multiples of p: X <= 1.1, Y <= 2, Z <= 2.7; of an affine point x <=
 *            1.1, y <= 2. Both formulas below preserve these, step by step in their comments;
 *            tests/formal/sm2.py checks the sums
 * bound      doubling: 3 products, 3 squares, and one product of two terms: 390 VPMADD52, so as
 *            many core cycles where one starts in each (Zen 4), and 840 operations in all, two in
 *            a cycle. Affine addition: 590 and 1150. Measured: docs/speed.md */
#ifndef TY_EC_EC_SM2_EIGHT_H
#define TY_EC_EC_SM2_EIGHT_H

#include "mod/p_sm2_eight.h"

typedef struct eight_point {
    eight x, y, z;
} eight_point;

typedef struct eight_affine {
    eight x, y;
} eight_affine;

/* r = 2p: S = 4xy^2, M = 3 (x - z^2)(x + z^2), X = M^2 - 2S, Y = M (S - X) - 8y^4, Z = 2yz. r may
 * alias p.   In multiples of p: */
static void eight_dbl(eight_point *r, const eight_point *p)
{
    eight zz, yy2, s, m, t, u;
    eight_sqr(&zz, &p->z);                        /* 2.7^2/16 + 1 <= 1.46 */
    eight_sqr_twice(&yy2, &p->y);                 /* 2y^2: 2 (2^2/16 + 1) = 2.5 */
    eight_sub_carry(&t, &p->x, &zz);              /* 1.1 + 2 = 3.1 */
    eight_add(&u, &p->x, &zz);                    /* 2.56 */
    eight_carry(&u);
    eight_mul_twice(&s, &p->x, &yy2);             /* S: 2 (1.1 2.5/16 + 1) <= 2.35 */
    eight_mul_thrice(&m, &t, &u);                 /* M: 3 (3.1 2.56/16 + 1) <= 4.49 */
    eight_mul_twice(&r->z, &p->y, &p->z);         /* 2 (2 2.7/16 + 1) <= 2.68 */
    eight_add(&t, &s, &s);                        /* 4.7 */
    eight_sqr_less(&r->x, &m, &t);                /* folded */
    eight_sub_carry(&t, &s, &r->x);               /* 4.35 */
    eight_mul_less_sqr(&r->y, &m, &t, &yy2);      /* folded; 2 2.5^2 <= 96 */
}

/* x, y = X and Y of the sum of two points with u = x1 Z2^2, s = y1 Z2^3, H = x2 Z1^2 - u and
 * R = y2 Z1^3 - s: X = R^2 - H^3 - 2 u H^2, Y = R (u H^2 - X) - s H^3; and H^2, H^3. In multiples
 * of p, for u <= 1.12, s <= 2, H <= 3.14, R <= 3.17: */
EIGHT_INLINE void eight_sum(eight *x, eight *y, eight *h2, eight *h3, const eight *u,
                            const eight *s, const eight *h, const eight *r)
{
    eight v, t;
    eight_sqr(h2, h);                             /* 1.62 */
    eight_mul(&v, u, h2);                         /* 1.12 */
    eight_mul(h3, h2, h);                         /* 1.32 */
    eight_add(&t, &v, &v);
    eight_add(&t, &t, h3);                        /* 3.56 */
    eight_sqr_less(x, r, &t);                     /* folded */
    eight_sub_carry(&t, &v, x);                   /* 3.12 */
    eight_mul_less(y, r, &t, s, h3);              /* folded; 2 1.32 <= 96 */
}

/* p = p + q, where the masks tell which of them is infinity. Two finite points must not be equal:
 * if they are, or if they are opposite, Z becomes 0 and stays 0. In multiples of p: */
static void eight_add_affine(eight_point *p, const eight_affine *q, __mmask8 p_inf, __mmask8 q_inf)
{
    eight zz, u, s, h, h2, h3, one;
    eight_point r;
    eight_constant(&one, eight_one_digits);
    eight_sqr(&zz, &p->z);                        /* 1.46 */
    eight_mul(&s, &q->y, &p->z);                  /* 2 2.7/16 + 1 <= 1.34 */
    eight_mul(&u, &q->x, &zz);                    /* 1.11 */
    eight_mul(&s, &s, &zz);                       /* 1.13 */
    eight_sub_carry(&h, &u, &p->x);               /* H: 3.11 */
    eight_sub_carry(&s, &s, &p->y);               /* R: 3.13, as Y <= 2 */
    eight_mul(&r.z, &p->z, &h);                   /* 2.7 3.11/16 + 1 <= 1.53 */
    eight_sum(&r.x, &r.y, &h2, &h3, &p->x, &p->y, &h, &s);
    eight_sel(&r.x, p_inf, &q->x, &r.x);
    eight_sel(&r.y, p_inf, &q->y, &r.y);
    eight_sel(&r.z, p_inf, &one, &r.z);
    eight_sel(&p->x, q_inf, &p->x, &r.x);
    eight_sel(&p->y, q_inf, &p->y, &r.y);
    eight_sel(&p->z, q_inf, &p->z, &r.z);
}

/* The same for a q that is not affine. */
static void eight_add_point(eight_point *p, const eight_point *q, __mmask8 p_inf, __mmask8 q_inf)
{
    eight zz, u, u2, s, s2, h2, h3;
    eight_point r;
    eight_sqr(&zz, &q->z);                        /* 1.46 */
    eight_mul(&s, &p->y, &q->z);                  /* 1.34 */
    eight_mul(&u, &p->x, &zz);                    /* 1.11 */
    eight_mul(&s, &s, &zz);                       /* 1.13 */
    eight_sqr(&zz, &p->z);
    eight_mul(&s2, &q->y, &p->z);
    eight_mul(&u2, &q->x, &zz);
    eight_mul(&s2, &s2, &zz);
    eight_mul(&r.z, &p->z, &q->z);                /* 1.46 */
    eight_sub_carry(&u2, &u2, &u);                /* H: 3.11 */
    eight_sub_carry(&s2, &s2, &s);                /* R: 3.13 */
    eight_mul(&r.z, &r.z, &u2);                   /* 1.29 */
    eight_sum(&r.x, &r.y, &h2, &h3, &u, &s, &u2, &s2);
    eight_sel(&r.x, p_inf, &q->x, &r.x);
    eight_sel(&r.y, p_inf, &q->y, &r.y);
    eight_sel(&r.z, p_inf, &q->z, &r.z);
    eight_sel(&p->x, q_inf, &p->x, &r.x);
    eight_sel(&p->y, q_inf, &p->y, &r.y);
    eight_sel(&p->z, q_inf, &p->z, &r.z);
}

/* The same as eight_add_affine where p->z is not Z but Z^2, and zzz is Z^3: a square less, and
 * nothing waits for Z^2 (coordinates "XYZZ" of the Explicit-Formulas Database). A doubling would
 * take one product more. In multiples of p, for Z^2 <= 1.5 and Z^3 <= 1.3: */
static void eight_add_affine_zz(eight_point *p, eight *zzz, const eight_affine *q, __mmask8 p_inf,
                                __mmask8 q_inf)
{
    eight h, r, h2, h3, x, y, z, one;
    eight_constant(&one, eight_one_digits);
    eight_mul(&h, &q->x, &p->z);                  /* 1.11 */
    eight_mul(&r, &q->y, zzz);                    /* 1.17 */
    eight_sub_carry(&h, &h, &p->x);               /* H: 3.11 */
    eight_sub_carry(&r, &r, &p->y);               /* R: 3.17 */
    eight_sum(&x, &y, &h2, &h3, &p->x, &p->y, &h, &r);
    eight_mul(&z, &p->z, &h2);                    /* 1.5 1.62/16 + 1 <= 1.16 */
    eight_sel(&z, p_inf, &one, &z);
    eight_sel(&p->z, q_inf, &p->z, &z);
    eight_mul(&z, zzz, &h3);                      /* 1.1 */
    eight_sel(&z, p_inf, &one, &z);
    eight_sel(zzz, q_inf, zzz, &z);
    eight_sel(&x, p_inf, &q->x, &x);
    eight_sel(&y, p_inf, &q->y, &y);
    eight_sel(&p->x, q_inf, &p->x, &x);
    eight_sel(&p->y, q_inf, &p->y, &y);
}

/* The digits of eight scalars, those of one position next to each other */
typedef struct eight_digits {
    uint8_t magnitude[DIGITS][8], negative[DIGITS][8];
} eight_digits;

static void eight_recode(eight_digits *d, const uint8_t *const k[TY_AT_LEAST(8)], int width,
                         int count)
{
    digits one;
    for (int n = 0; n < 8; n++) {
        recode_bytes(&one, k[n], width, count);
        for (int i = 0; i < count; i++) {
            d->magnitude[i][n] = one.magnitude[i];
            d->negative[i][n] = one.negative[i];
        }
    }
    ty_wipe(&one, sizeof one);
}

/* digit i of each lane: its magnitude, and the lanes where it is 0, and below 0 */
typedef struct eight_digit {
    __m512i magnitude;
    __mmask8 none, negative;
} eight_digit;

EIGHT_INLINE __m512i eight_bytes(const uint8_t b[TY_AT_LEAST(8)])
{
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)b));
}

EIGHT_INLINE eight_digit eight_digit_at(const eight_digits *d, int i)
{
    const __m512i m = eight_bytes(d->magnitude[i]), s = eight_bytes(d->negative[i]);
    return (eight_digit){ m, _mm512_testn_epi64_mask(m, m), _mm512_test_epi64_mask(s, s) };
}

/* --- Multiples of G --------------------------------------------------------------------------- */

/* at = the addresses of the entries for eight lanes in row t of the table of G, the first entry for
 * a digit 0. They are also prefetched, as the table has 148 KB.   time: variable */
EIGHT_INLINE void eight_base_near(const void *at[TY_AT_LEAST(8)], const eight_digits *d, int t)
{
    const uint8_t *row = ty_ec_sm2_base_row_adx(t);
    EIGHT_EACH(n, 8)
    {
        const int m = d->magnitude[t][n];
        at[n] = row + ROW_ENTRY * (m - (m > 0));
        __builtin_prefetch(at[n]);
    }
}

/* s = s + uG, one row after the other without doublings, then s->z is Z^2; s_inf: the lanes where s
 * is infinity */
static void eight_add_base_vt(eight_point *s, __mmask8 s_inf,
                              const uint8_t *const u[TY_AT_LEAST(8)])
{
    eight_digits d;
    eight zz, zzz;
    eight_affine a;
    const void *at[8];
    eight_sqr(&zz, &s->z);
    eight_mul(&zzz, &zz, &s->z);
    s->z = zz;
    eight_recode(&d, u, TY_EC_SM2_BASE_WIDTH, TY_EC_SM2_BASE_ROWS);
    eight_base_near(at, &d, 0);
    for (int t = 0; t < TY_EC_SM2_BASE_ROWS; t++) {
        const eight_digit e = eight_digit_at(&d, t);
        eight_set(&a.x, &a.y, at);
        if (t < TY_EC_SM2_BASE_ROWS - 1) eight_base_near(at, &d, t + 1);
        eight_negate_if(&a.y, &a.y, e.negative);
        eight_add_affine_zz(s, &zzz, &a, s_inf, e.none);
        s_inf &= e.none;
    }
}

/* --- Multiples of a point --------------------------------------------------------------------- */

/* table = P, 2P, ..., 16P of each lane, affine, with one inversion for all. No sum is of equal
 * points: jP + P, 2 <= j <= 15.
 * cost: 8 doublings, 7 additions, 6 products and a square for each of 15 points */
static void eight_multiples(eight_affine table[TY_AT_LEAST(COLS)], const eight_affine *p)
{
    eight_point m;
    eight mz[COLS], z[COLS], inverse, zi, zi2;    /* X and Y are kept in the table */
    table[0] = *p;
    eight_constant(&mz[0], eight_one_digits);
    z[0] = mz[0];
    for (int j = 1; j < COLS; j++) {
        const int from = j % 2 ? j / 2 : j - 1;
        m = (eight_point){ table[from].x, table[from].y, mz[from] };
        if (j % 2) eight_dbl(&m, &m);
        else eight_add_affine(&m, p, 0, 0);
        table[j] = (eight_affine){ m.x, m.y };
        mz[j] = m.z;
        eight_mul(&z[j], &z[j - 1], &mz[j]);      /* the product up to j */
    }
    eight_inv(&inverse, &z[COLS - 1]);
    for (int j = COLS - 1; j > 0; j--) {
        eight_mul(&zi, &inverse, &z[j - 1]);
        eight_mul(&inverse, &inverse, &mz[j]);
        eight_sqr(&zi2, &zi);
        eight_mul(&table[j].x, &table[j].x, &zi2);
        eight_mul(&zi2, &zi2, &zi);
        eight_mul(&table[j].y, &table[j].y, &zi2);
    }
    ty_wipe(&m, sizeof m);
    ty_wipe(mz, sizeof mz);
    ty_wipe(z, sizeof z);
    ty_wipe(&inverse, sizeof inverse);
    ty_wipe(&zi, sizeof zi);
    ty_wipe(&zi2, sizeof zi2);
}

/* a = the entry of each lane's own table for its digit, zeros for 0: all are read.   time:
 * constant */
EIGHT_INLINE void eight_pick(eight_affine *a, const eight_affine table[TY_AT_LEAST(COLS)],
                             __m512i magnitude)
{
    EIGHT_EACH(i, 5) a->x.v[i] = a->y.v[i] = _mm512_setzero_si512();
    for (int j = 0; j < COLS; j++) {
        const __mmask8 here = _mm512_cmpeq_epi64_mask(magnitude, eight_all(j + 1));
        EIGHT_EACH(i, 5)
        {
            a->x.v[i] = _mm512_mask_mov_epi64(a->x.v[i], here, table[j].x.v[i]);
            a->y.v[i] = _mm512_mask_mov_epi64(a->y.v[i], here, table[j].y.v[i]);
        }
    }
}

/* --- Public inputs: verification, variable time ----------------------------------------------- */

/* The lanes in which x is the x-coordinate of s, for X = x Z^2: no inversion. s->z is Z^2 */
static __mmask8 eight_has_x(const eight_point *s, const eight *x)
{
    eight t;
    eight_mul(&t, &s->z, x);
    eight_sub_carry(&t, &s->x, &t);
    return eight_iszero(&t);
}

/* Lane n of s = u[n] G + v[n] P[n], with s->z = Z^2, and Z = 0 for infinity. Z = 0 also results if
 * two equal points were added, so the caller has to compute such a sum again, with the function for
 * one point. */
static void eight_joint_vt(eight_point *s, const uint8_t *const u[TY_AT_LEAST(8)],
                           const uint8_t *const v[TY_AT_LEAST(8)],
                           const uint8_t *const p[TY_AT_LEAST(8)])
{
    eight_digits d;
    eight_affine a, table[COLS];
    __m512i w[8];
    __mmask8 s_inf = 0xff;
    eight_recode(&d, v, WIDTH, DIGITS);
    for (int n = 0; n < 8; n++) w[n] = _mm512_loadu_si512(p[n]);
    eight_set_bytes(&a.x, &a.y, w);
    eight_multiples(table, &a);
    memset(s, 0, sizeof *s);
    for (int i = DIGITS - 1; i >= 0; i--) {
        const eight_digit e = eight_digit_at(&d, i);
        if (i < DIGITS - 1)
            for (int j = 0; j < WIDTH; j++) eight_dbl(s, s);
        eight_pick(&a, table, e.magnitude);
        eight_negate_if(&a.y, &a.y, e.negative);
        eight_add_affine(s, &a, s_inf, e.none);
        s_inf &= e.none;
    }
    eight_add_base_vt(s, s_inf, u);
}

/* The same with a table of each lane's P (ec_sm2_rows.h). */
static void eight_table_joint_vt(eight_point *s, const uint8_t *const u[TY_AT_LEAST(8)],
                                 const uint8_t *const v[TY_AT_LEAST(8)],
                                 const uint8_t *const table[TY_AT_LEAST(8)])
{
    enum { EACH = STEP / 6 };
    int8_t odd[8][ODD_DIGITS];
    eight_affine a;
    __mmask8 s_inf = 0xff;
    for (int n = 0; n < 8; n++) {
        recode_odd_vt(odd[n], v[n]);
        /* many tables do not fit the caches, and all addresses are known */
        for (int i = 0; i < ODD_DIGITS; i++)
            __builtin_prefetch(odd_entry(table[n], i / EACH, odd[n][i]));
    }
    memset(s, 0, sizeof *s);
    for (int j = EACH - 1; j >= 0; j--) {
        if (j < EACH - 1)
            for (int i = 0; i < 6; i++) eight_dbl(s, s);
        for (int r = 0; r < ROW_COUNT && EACH * r + j < ODD_DIGITS; r++) {
            const void *e[8];
            unsigned negative = 0;
            for (int n = 0; n < 8; n++) {
                const int digit = odd[n][EACH * r + j];
                negative |= (unsigned)(digit < 0) << n;
                e[n] = odd_entry(table[n], r, digit);
            }
            eight_set(&a.x, &a.y, e);
            eight_negate_if(&a.y, &a.y, (__mmask8)negative);
            eight_add_affine(s, &a, s_inf, 0);
            s_inf = 0;
        }
    }
    eight_add_base_vt(s, s_inf, u);
}

#endif
