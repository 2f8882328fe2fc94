/* kG by a comb (Lim and Lee 1994) with the digits -1 and 1 only (Hamburg 2012).
 *
 * An odd number below 2^L is the sum of s_i 2^i, i < L, with s_i = 2 u_i - 1, where the u_i are the
 * bits of half of it, and u_(L-1) = 1. With L = 5 d and d = 2 e, the digits at j, j + d ... j + 4 d
 * for one j make one column: 32 values, in pairs of opposites. The table has, for j = 0 and for j =
 * e, the 16 columns whose highest digit is 1. So
 *     kG = sum over j < e of 2^j (column j + 2^e column (j + e)):  e - 1 doublings, 2e - 1 sums.
 * Every addition scans the 16 points of its half of the table. */
#ifndef TY_EC_EC_F2_COMB_H
#define TY_EC_EC_F2_COMB_H

#include "ec/ec_f2_complete.h"
#if F2_QUADS
#  include "ec/ec_f2_quads.h"
#endif

#define EC_TEETH 5

/* u = the odd one of k and k + n, halved, with a 1 at bit L - 1, in words; returns e. k is below
 * 2^n_bits, and so is that half */
static size_t ec_comb_set(uint64_t u[F2_W + 1], const uint8_t *k, const ty_ec_curve *curve)
{
    const size_t len = ty_ec_n_len(curve),
                 e = (size_t)(curve->n_bits + 1 + 2 * EC_TEETH - 1) / (2 * EC_TEETH);
    const size_t top = 2 * EC_TEETH * e - 1;
    const uint32_t even = ~ty_mask_bit32(k[len - 1] & 1u);
    uint32_t carry = 0;
    memset(u, 0, 8 * (F2_W + 1));
    for (size_t i = 0; i < len; i++, carry >>= 8) {
        carry += (uint32_t)k[len - 1 - i] + (curve->n[len - 1 - i] & even);
        u[i / 8] |= (uint64_t)(carry & 0xff) << 8 * (i % 8);
    }
    u[len / 8] |= (uint64_t)carry << 8 * (len % 8);
    for (size_t i = 0; i < F2_W; i++) u[i] = u[i] >> 1 | u[i + 1] << 63;
    u[F2_W] >>= 1;
    u[top / 64] |= (uint64_t)1 << top % 64;
    return e;
}

/* The column at j: returns its index below 16; *minus = all ones if it is the opposite of that */
static uint32_t ec_comb_column(uint32_t *minus, const uint64_t u[F2_W + 1], size_t j, size_t d)
{
    uint32_t bits = 0;
    for (size_t t = 0; t < EC_TEETH; t++, j += d) bits |= (uint32_t)(u[j / 64] >> j % 64 & 1) << t;
    *minus = ~ty_mask_bit32(bits >> (EC_TEETH - 1));
    return (bits ^ *minus) & ((1u << (EC_TEETH - 1)) - 1);
}

/* p = the entry w, or its opposite where minus is all ones */
static F2_NOINLINE void ec_flat_load(ec_flat *p, const uint64_t w[2 * F2_W], uint32_t minus)
{
    fe zero, t;
    memset(&zero, 0, sizeof zero);
    fe_load(&p->x, w);
    fe_load(&p->s, w + F2_W);
    fe_sel(&t, (uint64_t)0 - (minus & 1), &p->x, &zero);
    fe_add(&p->s, &p->s, &t);
}

#if F2_QUADS
/* p = entry i of the 16, each x and s, as a point, or its opposite where minus is all ones */
static F2_INLINE void ec_quad_entry(fe4 *p, const uint64_t *table, uint32_t i, uint32_t minus)
{
    const v512 at = v512_set64(i), one = v512_pair(0, 1);
    v512 e = v512_zero();
    TY_UNROLL for (uint32_t k = 0; k < 16; k++)
        e ^= v512_pick64(v512_load(table + 8 * k), at, v512_set64(k));
    const v512 u = e ^ V512_LANES(e, e, 2, 3, 0, 1);   /* T = X, as Z = 1 */
    p->v[0] = V512_SET(V512_LANES(e, u, 0, 2, 0, 0), 4, one);
    p->v[1] = V512_SET(V512_LANES(e, u, 1, 3, 1, 1), 4, v512_zero());
    ec_quad_minus(p, (uint64_t)0 - (minus & 1));
}

static F2_NOINLINE void ec_quad_comb(ec_xs *r, const uint8_t *k, const ty_ec_curve *curve)
{
    uint64_t u[F2_W + 1];
    const uint64_t *table = curve->base + 2 * F2_W;
    const size_t e = ec_comb_set(u, k, curve);
    fe4 sum, p, q;
    for (size_t j = e; j-- > 0;) {
        uint32_t minus, at = ec_comb_column(&minus, u, j, 2 * e);
        ec_quad_entry(&p, table, at, minus);
        at = ec_comb_column(&minus, u, j + e, 2 * e);
        ec_quad_entry(&q, table + 16 * 2 * F2_W, at, minus);
        ec_quad_add(&p, &p, &q);
        if (j + 1 == e) {
            sum = p;
        } else {
            ec_quad_double(&sum);
            ec_quad_add(&sum, &sum, &p);
        }
    }
    ec_quad_get(r, &sum);
    ty_wipe(u, sizeof u);
    ty_wipe(&sum, sizeof sum);
    ty_wipe(&p, sizeof p);
    ty_wipe(&q, sizeof q);
}
#endif

/* r = kG for k below 2^n_bits. If `open`, entries are indexed, not scanned for: for public k. */
static F2_NOINLINE void ec_comb(ec_xs *r, const uint8_t *k, const ty_ec_curve *curve,
                                const ec_shape *c, int open)
{
    uint64_t u[F2_W + 1], w[2 * F2_W];
    ec_flat p;
#if F2_QUADS
    if (ec_quad_fits(c)) {
        ec_quad_comb(r, k, curve);
        return;
    }
#endif
    const size_t e = ec_comb_set(u, k, curve);
    int started = 0;
    for (size_t j = e; j-- > 0;) {
        if (started) ec_xs_double(r, c);
        for (size_t half = 0; half < 2; half++) {
            uint32_t minus;
            const uint64_t *table = curve->base + 2 * F2_W + half * 16 * 2 * F2_W;
            const uint32_t at = ec_comb_column(&minus, u, j + half * e, 2 * e);
            if (open) {
                ec_flat_load(&p, table + at * 2 * F2_W, minus);
            } else {
                fe_scan(w, table, at);
                ec_flat_load(&p, w, minus);
            }
            if (started) {
                ec_xs_add_flat(r, &p, c);
            } else {
                r->x = r->t = p.x;
                r->s = p.s;
                r->z = fe_one;
                started = 1;
            }
        }
    }
    if (open) return;
    ty_wipe(u, sizeof u);
    ty_wipe(w, sizeof w);
    ty_wipe(&p, sizeof p);
}

static uint32_t ec_mul_base(uint8_t *z, const uint8_t *k, const ty_ec_curve *curve)
{
    ec_shape c;
    ec_xs r;
    ec_affine q;
    ec_shape_set(&c, curve);
    ec_comb(&r, k, curve, &c, 0);
    const uint64_t finite = ec_xs_get(&q, &r, &c);
    fe_get(z, &q.x);
    fe_get(z + F2_BYTES, &q.y);
    ty_wipe(&r, sizeof r);
    ty_wipe(&q, sizeof q);
    return (uint32_t)finite;
}

#endif
