/* GF(2^m): x^(2^floor(m/4)), which an inverse needs three times, computed as a linear map. The
 * table F2_FROBENIUS has the images of x^0, x^1 ... x^(F2_LOOSE - 1), each in whole 256-bit vectors
 * (src/ec_f2/f2_frobenius.c, generated). Every image is read.
 * cost: 2 instructions for each bit, and 2 for each vector; a squaring is 25 to 80 */
#ifndef TY_F2M_F2M_FROBENIUS_H
#define TY_F2M_F2M_FROBENIUS_H

#define F2_FROBENIUS TY_CAT(ty_f2_frobenius_, F2_M)
enum { IMAGE = (F2_W + 3) / 4 };   /* vectors of an image */
extern const uint64_t F2_FROBENIUS[F2_LOOSE][4 * IMAGE];

/* sum += image where `bits` has its sign set, and the next bit becomes the sign */
static F2_INLINE void frobenius_step(v256 *sum, v256 *bits, const uint64_t *image)
{
    const v256 mask = v256_sign64(*bits);
    TY_UNROLL for (int v = 0; v < IMAGE; v++) sum[v] ^= mask & v256_load(image + 4 * v);
    *bits = v256_add64(*bits, *bits);
}

static F2_NOINLINE void fe_frobenius(fe *z, const fe *x)
{
    uint64_t w[F2_W];
    v256 even[IMAGE], odd[IMAGE];
    fe_store(w, x);
    TY_UNROLL for (int v = 0; v < IMAGE; v++) even[v] = odd[v] = v256_zero();
    for (int k = 0; k < F2_W; k++) {   /* both halves of a word at once */
        const int top = F2_LOOSE - 64 * k < 64 ? F2_LOOSE - 64 * k : 64, half = top / 2;
        v256 high = v256_set64(w[k] << (64 - top)), low = v256_set64(w[k] << (64 - half));
        for (int i = 64 * k + half - 1; i > 64 * k; i -= 4)
            TY_UNROLL for (int j = 0; j < 4; j++) {
                frobenius_step(even, &high, F2_FROBENIUS[i + half - j]);
                frobenius_step(odd, &low, F2_FROBENIUS[i - j]);
            }
    }
    TY_UNROLL for (int v = 0; v < IMAGE; v++) even[v] ^= odd[v];
    TY_UNROLL for (int i = 0; i < F2_LANES; i++)
        z->v[i] = i % 2 ? v256_high(even[i / 2]) : v256_low(even[i / 2]);
    ty_wipe(w, sizeof w);
}

#endif
