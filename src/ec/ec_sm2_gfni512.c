/* The SM2 curve for x86-64 with AVX-512 IFMA: several points eight at a time, and the parts of one
 * verification; everything else is that of the tier "adx". Measured: docs/speed.md */
#include "ec/ec_sm2_adx.h"
#if defined(TY_HAS_ADX)
#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "mod/n_sm2.h"
#include "mod/p_sm2.h"

#include <immintrin.h>
#include <string.h>

#define TY_LEVEL gfni512
#include "base/level_begin.h"
#define TY_LIMB_BITS 64
#define TY_DIV_X86
#define TY_P_SM2_ADX
#define TY_EC_SM2_WIDE
#include "ec/ec_sm2_names.h"
#include "limb/limb256.h"
#include "mod/p_sm2_words.h"
#include "mod/n_sm2_words.h"
#include "ec/ec_sm2_digits.h"
#include "ec/ec_sm2_rows.h"
#include "ec/ec_sm2_eight.h"
#include "ec/ec_sm2_eight_mul.h"
#include "ec/ec_sm2_chain.h"
#include "ec/ec_sm2_eight_one.h"

#define EIGHT_PAYS 3    /* verifications and multiples of G: two cost less one after the other */
#define TIMES_PAYS 2    /* multiples of points */
#define TABLE_PAYS 7    /* a table costs 71 thousand cycles, and saves 12 of 20 thousand: from six
                         * on, and one more for CPUs on which its chain is slower */

/* Groups of eight, the last one filled up with copies if that pays; the rest by "adx". */
static void ty_ec_sm2_mul_base_many_gfni512(uint8_t (*z)[64], const uint8_t (*k)[32], size_t n)
{
    const size_t rest = n % 8 < EIGHT_PAYS ? n % 8 : 0, most = n - rest;
    if (most) eight_base_many(z, k, most);
    if (rest) ty_ec_sm2_mul_base_many_adx(z + most, k + most, rest);
}

static void ty_ec_sm2_mul_many_gfni512(uint8_t (*z)[64], const uint8_t (*k)[32],
                                       const uint8_t (*p)[64], size_t n)
{
    const size_t rest = n % 8 < TIMES_PAYS ? n % 8 : 0, most = n - rest;
    if (most) eight_points_mul(z, k, p, most);
    if (rest) ty_ec_sm2_mul_many_adx(z + most, k + most, p + most, rest);
}

/* whether x + n may be below p, and so a second possible coordinate: then x < p - n < 2^128 */
static int has_two_vt(const uint8_t x[TY_AT_LEAST(32)])
{
    static const uint8_t zeros[16];
    return memcmp(x, zeros, 16) == 0;
}

/* Whether the sum of all lanes has the coordinate x: 1 or 0; or -1 if it is infinity, or if two
 * equal points were added: then a function that adds any two points decides. */
static int total_has_x_vt(eight_total *t, const uint8_t x[TY_AT_LEAST(32)])
{
    eight wanted, none;
    __m512i w[8];
    eight_total_lanes_vt(t);
    if (t->infinite || eight_iszero(&t->sum.z)) return -1;
    EIGHT_EACH(i, 8) w[i] = _mm512_maskz_loadu_epi64(0x0f, x);
    eight_set_bytes(&wanted, &none, w);
    eight_sqr(&t->sum.z, &t->sum.z);
    return eight_has_x(&t->sum, &wanted) != 0;
}

static uint32_t ty_ec_sm2_joint_has_x_vt_gfni512(const uint8_t x[TY_AT_LEAST(32)],
                                                 const uint8_t u[TY_AT_LEAST(32)],
                                                 const uint8_t v[TY_AT_LEAST(32)],
                                                 const uint8_t p[TY_AT_LEAST(64)])
{
    eight_total t;
    int has = -1;
    if (!has_two_vt(x)) {
        eight_total_clear(&t);
        eight_total_base_vt(&t, u);
        eight_total_point_vt(&t, v, p);
        has = total_has_x_vt(&t, x);
    }
    return has < 0 ? ty_ec_sm2_joint_has_x_vt_adx(x, u, v, p) : 0 - (uint32_t)has;
}

static uint32_t ty_ec_sm2_table_has_x_vt_gfni512(const uint8_t x[TY_AT_LEAST(32)],
                                                 const uint8_t u[TY_AT_LEAST(32)],
                                                 const uint8_t v[TY_AT_LEAST(32)],
                                                 const uint8_t table[TY_AT_LEAST(TY_EC_SM2_TABLE)])
{
    eight_total t;
    int has = -1;
    if (!has_two_vt(x)) {
        eight_total_clear(&t);
        eight_total_table_vt(&t, v, table);
        eight_total_base_vt(&t, u);
        has = total_has_x_vt(&t, x);
    }
    return has < 0 ? ty_ec_sm2_table_has_x_vt_adx(x, u, v, table) : 0 - (uint32_t)has;
}

static void check_one_vt(ty_ec_sm2_check *c)
{
    c->good = c->table ? ty_ec_sm2_table_has_x_vt_gfni512(c->x, c->u, c->v, c->table)
                       : ty_ec_sm2_joint_has_x_vt_gfni512(c->x, c->u, c->v, c->p);
}

/* Up to 8 checks, all with a table or all without; the remaining lanes get the first one again. A
 * lane has Z = 0 if its sum is infinity, or if two equal points were added: then check_one_vt
 * decides. */
static void check_eight_vt(ty_ec_sm2_check *c, size_t some)
{
    const uint8_t *u[8], *v[8], *p[8], *table[8];
    __m512i w[8];
    eight_point sum;
    eight x, none;
    for (size_t j = 0; j < 8; j++) {
        const ty_ec_sm2_check *from = &c[j < some ? j : 0];
        u[j] = from->u;
        v[j] = from->v;
        p[j] = from->p;
        table[j] = from->table;
        w[j] = _mm512_maskz_loadu_epi64(0x0f, from->x);
    }
    if (c->table) eight_table_joint_vt(&sum, u, v, table);
    else eight_joint_vt(&sum, u, v, p);
    eight_set_bytes(&x, &none, w);
    const unsigned infinite = eight_iszero(&sum.z), good = eight_has_x(&sum, &x);
    for (size_t j = 0; j < some; j++) {
        if ((infinite >> j & 1) || has_two_vt(c[j].x)) check_one_vt(&c[j]);
        else c[j].good = 0 - (good >> j & 1);
    }
}

static void ty_ec_sm2_checks_vt_gfni512(ty_ec_sm2_check *c, size_t n)
{
    for (size_t i = 0, some; i < n; i += some) {
        for (some = 1; some < 8 && i + some < n && !c[i].table == !c[i + some].table;) some++;
        if (some < EIGHT_PAYS) check_one_vt(&c[i]), some = 1;
        else check_eight_vt(&c[i], some);
    }
}

const ty_ec_sm2_ops ty_ec_sm2_ops_gfni512 = {
    ty_ec_sm2_mul_base_adx, ty_ec_sm2_mul_base_many_gfni512, ty_ec_sm2_mul_adx,
    ty_ec_sm2_mul_many_gfni512, ty_ec_sm2_mul_add_vt_adx, ty_ec_sm2_joint_has_x_vt_gfni512,
    ty_ec_sm2_table_vt_gfni512, ty_ec_sm2_table_has_x_vt_gfni512, ty_ec_sm2_checks_vt_gfni512,
    TABLE_PAYS, ty_ec_sm2_add_adx, ty_ec_sm2_on_curve_adx, ty_ec_sm2_decompress_adx };
#include "base/level_end.h"
#else
typedef int ty_ec_sm2_gfni512_is_empty;   /* ISO C requires a declaration in every file */
#endif
