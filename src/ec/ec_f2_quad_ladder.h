/* The ladder of ec_f2_ladder.h with four products at once: x (X0 Z1 + X1 Z0)^2 is the square of
 * sqrt(x) (X0 Z1 + X1 Z0), so that a step is a product of a pair, one of four elements and their
 * squares. */
#ifndef TY_EC_EC_F2_QUAD_LADDER_H
#define TY_EC_EC_F2_QUAD_LADDER_H

/* q = (X : Z of twice, X : Z of sum) to the next step's; the sum is doubled where mask is all ones
 *     s = X0 Z1, t = X1 Z0, sum: Z = (s + t)^2, X = (sqrt(x) (s + t))^2 + s t
 *     twice: Z = X^2 Z^2, X = (X^2 + root Z^2)^2 */
static F2_INLINE void ec_quad_rung(fe4 *q, uint64_t mask, const fe2 *root, const fe2 *rx)
{
    const v512 first = _mm512_set_epi64(3, 2, 1, 0, 3, 2, 1, 0);
    const v512 order = first ^ (v512_set64(mask) & v512_set64(4));
    fe2 a, b, d, p;
    fe4 left, right, out, f;
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        a.v[i] = v512_low(V512_LANES(q->v[i], q->v[i], 0, 2, 0, 2));
        b.v[i] = v512_low(V512_LANES(q->v[i], q->v[i], 3, 1, 3, 1));
        d.v[i] = v512_low(_mm512_permutexvar_epi64(order, q->v[i]));
    }
    fe2_mul_ladder(&p, &a, &b);
    fe2_sqr_ladder(&d, &d);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        const v256 sum = p.v[i] ^ v256_swap128(p.v[i]);
        const v256 l0 = _mm256_permute2x128_si256(root->v[i], d.v[i], 0x20),
                   l1 = _mm256_permute2x128_si256(rx->v[i], p.v[i], 0x20),
                   r0 = _mm256_permute4x64_epi64(d.v[i], 0xee),
                   r1 = _mm256_blend_epi32(sum, p.v[i], 0xf0);
        left.v[i] = _mm512_inserti64x4(_mm512_castsi256_si512(l0), l1, 1);
        right.v[i] = _mm512_inserti64x4(_mm512_castsi256_si512(r0), r1, 1);
    }
    fe4_mul_ladder(&out, &left, &right);   /* root Z^2, X^2 Z^2, sqrt(x) (s + t), s t */
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        const v512 h = _mm512_maskz_shuffle_i64x2(V512_MASK(9), left.v[i], right.v[i],
                                                  1 | 1 << 2 | 2 << 4 | 2 << 6);
        f.v[i] = h ^ V512_SET(out.v[i], 8, v512_zero());
    }
    fe4_sqr_ladder(&f, &f);
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) {
        const v512 st = _mm512_maskz_shuffle_i64x2(V512_MASK(4), out.v[i], out.v[i],
                                                  3 | 3 << 2 | 3 << 4 | 3 << 6);
        q->v[i] = V512_SET(f.v[i], 2, out.v[i]) ^ st;
    }
}

/* r = kP and (k + 1)P, from x of P, as there */
static F2_NOINLINE void ec_ladder(ec_pair *r, const uint8_t *k, size_t bits, const fe *x,
                                  const fe *root)
{
    const size_t last = (bits + 7) / 8 - 1;
    uint32_t before = 0;
    fe zero, rx;
    fe2 roots, rxs;
    fe4 q;
    memset(&zero, 0, sizeof zero);
    fe_sqr_many(&rx, x, F2_M - 1);
    fe2_join(&roots, root, root);
    fe2_join(&rxs, &rx, &rx);
    fe4_join(&q, &fe_one, &zero, x, &fe_one);
    for (size_t i = bits; i-- > 0;) {
        const uint32_t bit = (uint32_t)k[last - i / 8] >> i % 8 & 1;
        ec_quad_rung(&q, ty_mask_bit64(bit ^ before), &roots, &rxs);
        before = bit;
    }
    const uint64_t mask = ty_mask_bit64(before);
    fe x0, z0, x1, z1;
    fe4_split(&x0, &z0, &x1, &z1, &q);
    fe_sel(&r->x0, mask, &x1, &x0);
    fe_sel(&r->z0, mask, &z1, &z0);
    fe_sel(&r->x1, mask, &x0, &x1);
    fe_sel(&r->z1, mask, &z0, &z1);
    ty_wipe(&q, sizeof q);
    ty_wipe(&x0, sizeof x0);
    ty_wipe(&z0, sizeof z0);
    ty_wipe(&x1, sizeof x1);
    ty_wipe(&z1, sizeof z1);
}

#endif
