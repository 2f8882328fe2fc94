/* Four ladders at once, each in a lane of 512-bit vectors: four scalars, four points, one curve.
 * Where one ladder waits for its own products, here every instruction serves four.
 * cost: for a bit of all four 6 products and 4 squarings; one inversion */
#ifndef TY_EC_EC_F2_FOUR_H
#define TY_EC_EC_F2_FOUR_H

#include "ec/ec_f2_ladder.h"

typedef struct ec_four {   /* X and Z of four points */
    fe4 x, z;
} ec_four;

static F2_INLINE void ec_four_add(fe4 *z, const fe4 *x, const fe4 *y) { add_v512(z, x, y); }

/* A step as ec_rung: sum is doubled in lanes where mask is all ones, else twice. */
static F2_INLINE void ec_four_rung(ec_four *twice, ec_four *sum, v512 mask, const fe4 *x,
                                   const fe4 *root)
{
    fe4 s, t, u, v;
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        u.v[i] = v512_choose(mask, sum->x.v[i], twice->x.v[i]);
        v.v[i] = v512_choose(mask, sum->z.v[i], twice->z.v[i]);
    }
    fe4_mul_ladder(&s, &twice->x, &sum->z);
    fe4_mul_ladder(&t, &sum->x, &twice->z);
    fe4_sqr_ladder(&u, &u);
    fe4_sqr_ladder(&v, &v);
    fe4_mul_ladder(&twice->z, &u, &v);
    fe4_mul_ladder(&v, &v, root);
    ec_four_add(&u, &u, &v);
    fe4_sqr_ladder(&twice->x, &u);
    ec_four_add(&u, &s, &t);
    fe4_sqr_ladder(&sum->z, &u);
    fe4_mul_ladder(&u, &sum->z, x);
    fe4_mul_ladder(&s, &s, &t);
    ec_four_add(&sum->x, &u, &s);
}

/* d = word i of k + (k >> 1), of which bit j says whether bits j and j + 1 of k differ */
static uint64_t ec_four_word(const uint8_t *k, size_t len, size_t i)
{
    uint64_t w = 0, above = 0;
    for (size_t j = 0; j < 9; j++) {
        const size_t at = 8 * i + j;
        const uint64_t byte = at < len ? k[len - 1 - at] : 0;
        if (j < 8) w |= byte << 8 * j;
        else above = byte;
    }
    return w ^ (w >> 1 | above << 63);
}

static F2_NOINLINE void ec_four_ladder(ec_pair r[4], const uint8_t *const k[4], size_t bits,
                                       const ec_affine p[4], const fe *root)
{
    const size_t len = (bits + 7) / 8;
    ec_four twice, sum;
    fe zero;
    fe4 x, roots;
    v512 step = v512_zero();
    memset(&zero, 0, sizeof zero);
    fe4_join(&x, &p[0].x, &p[1].x, &p[2].x, &p[3].x);
    fe4_join(&roots, root, root, root, root);
    fe4_join(&twice.x, &fe_one, &fe_one, &fe_one, &fe_one);
    fe4_join(&twice.z, &zero, &zero, &zero, &zero);
    sum.x = x;
    sum.z = twice.x;
    for (size_t i = bits; i-- > 0;) {
        if (i + 1 == bits || i % 64 == 63) {   /* the next word, whose bit i becomes the sign */
            v128 lane[4];
            for (int j = 0; j < 4; j++) {
                uint64_t w = ec_four_word(k[j], len, i / 64) << (63 - i % 64);
                /* bits above `bits` do not count */
                if (i + 1 == bits)
                    w = (w & ~((uint64_t)1 << 63)) |
                        (uint64_t)(k[j][len - 1 - i / 8] >> i % 8 & 1) << 63;
                lane[j] = v128_pair(w, w);
            }
            step = v512_join(lane[0], lane[1], lane[2], lane[3]);
            ty_wipe(lane, sizeof lane);
        }
        ec_four_rung(&twice, &sum, _mm512_srai_epi64(step, 63), &x, &roots);
        step = v512_add64(step, step);
    }
    fe x0[4], z0[4], x1[4], z1[4];
    fe4_split(&x0[0], &x0[1], &x0[2], &x0[3], &twice.x);
    fe4_split(&z0[0], &z0[1], &z0[2], &z0[3], &twice.z);
    fe4_split(&x1[0], &x1[1], &x1[2], &x1[3], &sum.x);
    fe4_split(&z1[0], &z1[1], &z1[2], &z1[3], &sum.z);
    for (int j = 0; j < 4; j++) {
        const uint64_t odd = ty_mask_bit64(k[j][len - 1] & 1);
        fe_sel(&r[j].x0, odd, &x1[j], &x0[j]);
        fe_sel(&r[j].z0, odd, &z1[j], &z0[j]);
        fe_sel(&r[j].x1, odd, &x0[j], &x1[j]);
        fe_sel(&r[j].z1, odd, &z0[j], &z1[j]);
    }
    ty_wipe(&step, sizeof step);
    ty_wipe(&twice, sizeof twice);
    ty_wipe(&sum, sizeof sum);
    ty_wipe(x0, sizeof x0);
    ty_wipe(z0, sizeof z0);
    ty_wipe(x1, sizeof x1);
    ty_wipe(z1, sizeof z1);
}

static void ec_mul_four(uint32_t finite[4], uint8_t *const z[4], const uint8_t *const k[4],
                        size_t bits, const uint8_t *const p[4], const ty_ec_curve *curve)
{
    ec_constants c;
    ec_affine a[4], q;
    ec_pair r[4];
    fe d[4], before[4], t;
    ec_constants_set(&c, curve);
    for (int j = 0; j < 4; j++) (void)ec_affine_set(&a[j], p[j]);
    ec_four_ladder(r, k, bits, a, &c.root);
    /* one inversion for the four of ec_recover (Montgomery 1987); 1 in place of 0 */
    for (int j = 0; j < 4; j++) {
        fe_mul(&t, &r[j].z0, &r[j].z1);
        fe_mul(&d[j], &t, &a[j].x);
        fe_sel(&d[j], fe_iszero(&d[j]), &fe_one, &d[j]);
        before[j] = d[j];
        if (j) fe_mul(&before[j], &before[j - 1], &d[j]);
    }
    fe_inv(&t, &before[3]);
    for (int j = 3; j >= 0; j--) {
        fe i = t;
        if (j) {
            fe_mul(&i, &t, &before[j - 1]);
            fe_mul(&t, &t, &d[j]);
        }
        finite[j] = (uint32_t)ec_recover_with(&q, &r[j], &a[j], &i);
        fe_get(z[j], &q.x);
        fe_get(z[j] + F2_BYTES, &q.y);
        ty_wipe(&i, sizeof i);
    }
    ty_wipe(r, sizeof r);
    ty_wipe(d, sizeof d);
    ty_wipe(before, sizeof before);
    ty_wipe(&t, sizeof t);
    ty_wipe(&q, sizeof q);
    ty_wipe_below_8k();
}

#endif
