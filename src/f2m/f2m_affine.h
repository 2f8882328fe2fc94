/* GF(2^m): x^(2^floor(m/4)) as a linear map, by GFNI: the map is a matrix of 8 by 8 bits for every
 * pair of a byte of the argument and one of the result (src/ec_f2/f2_affine.c, generated). All of
 * them are read. It takes the place of f2m_frobenius.h.
 * cost: for 8 pairs a product of matrices, half a sum of three and a load */
#ifndef TY_F2M_F2M_AFFINE_H
#define TY_F2M_F2M_AFFINE_H

#define F2_FROBENIUS TY_CAT(ty_f2_affine_, F2_M)
/* bytes of an argument; groups of 8 bytes of a result */
enum { FROM = F2_LOOSE / 8, GROUPS = (F2_BYTES + 7) / 8 };
extern const uint64_t F2_FROBENIUS[FROM][8 * GROUPS];

/* out[g] = byte 8 g + i of the image, in half i, for the argument at p[0], p[step] ... of which
 * each is the lowest byte of eight */
static F2_INLINE void affine_sum(v512 out[GROUPS], const uint8_t *p, size_t step)
{
    TY_UNROLL for (int g = 0; g < GROUPS; g++) out[g] = v512_zero();
    for (int i = 0; i + 1 < FROM; i += 2, p += 2 * step) {
        const v512 a = v512_set64(ty_get64le(p)), b = v512_set64(ty_get64le(p + step));
        TY_UNROLL for (int g = 0; g < GROUPS; g++) {
            const v512 m = v512_load(F2_FROBENIUS[i] + 8 * g),
                       n = v512_load(F2_FROBENIUS[i + 1] + 8 * g);
            out[g] = v512_xor3(v512_gf8_affine(a, m, 0), v512_gf8_affine(b, n, 0), out[g]);
        }
    }
    if (FROM % 2) {
        const v512 a = v512_set64(ty_get64le(p));
        TY_UNROLL for (int g = 0; g < GROUPS; g++)
            out[g] ^= v512_gf8_affine(a, v512_load(F2_FROBENIUS[FROM - 1] + 8 * g), 0);
    }
}

/* z = x^(2^floor(m/4)).   z may alias x */
static F2_NOINLINE void fe_frobenius(fe *z, const fe *x)
{
    uint64_t w[2 * F2_LANES + 1] = { 0 };
    uint8_t bytes[8 * GROUPS] = { 0 };
    v512 sum[GROUPS];
    TY_UNROLL for (int i = 0; i < F2_LANES; i++) v128_store(w + 2 * i, x->v[i]);
    affine_sum(sum, (const uint8_t *)w, 1);
    const v512 lowest = v512_set64(0x3830282018100800);   /* byte of every half */
    TY_UNROLL for (int g = 0; g < GROUPS; g++)
        _mm_storel_epi64((__m128i *)(void *)(bytes + 8 * g),
                         v512_part(_mm512_permutexvar_epi8(lowest, sum[g]), 0));
    memset(w, 0, sizeof w);
    memcpy(w, bytes, 8 * GROUPS);
    fe_load(z, w);
    ty_wipe(w, sizeof w);
    ty_wipe(bytes, sizeof bytes);
}

#endif
