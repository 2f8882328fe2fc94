/* Z/p for SM2 four at a time, an element in each lane of 256 bits with AVX-512 IFMA: for products
 * that wait for each other, where four side by side are enough. Part of ec_sm2_gfni512.c, after
 * mod/p_sm2_eight.h, which explains form, ranges, folding and reduction: all of them are the same.
 *
 * order      four lanes take three vector instructions a core cycle, eight lanes two. Here the time
 *            until the result is there counts: a column is reduced as soon as it is complete
 * bound      50 + 10 VPMADD52 and 32 others. Measured on Granite Rapids, in core cycles: 58 for a
 *            product and its carries that wait for the one before, 40 if they need not wait
 * time       constant */
#ifndef TY_MOD_P_SM2_QUAD_H
#define TY_MOD_P_SM2_QUAD_H

typedef struct quad {
    __m256i v[5];
} quad;

EIGHT_INLINE __m256i quad_all(int64_t x) { return _mm256_set1_epi64x(x); }

EIGHT_INLINE void quad_zero(quad *z) { EIGHT_EACH(i, 5) z->v[i] = _mm256_setzero_si256(); }

/* z = a p, b p, c p, d p in its four lanes, for up to 21 p: not carried */
EIGHT_INLINE void quad_times_p(quad *z, int64_t a, int64_t b, int64_t c, int64_t d)
{
    static const int64_t p[5] = { EIGHT_P0, EIGHT_P1, 0, 0, EIGHT_P4 };
    EIGHT_EACH(i, 5) z->v[i] = _mm256_set_epi64x(d * p[i], c * p[i], b * p[i], a * p[i]);
}

/* as eight_carry */
EIGHT_INLINE void quad_carry(quad *z)
{
    const __m256i digit = quad_all(((int64_t)1 << 52) - 1);
    EIGHT_EACH(i, 4)
    {
        z->v[i + 1] = _mm256_add_epi64(z->v[i + 1], _mm256_srai_epi64(z->v[i], 52));
        z->v[i] = _mm256_and_si256(z->v[i], digit);
    }
}

/* as eight_fold */
EIGHT_INLINE void quad_fold(quad *z)
{
    const __m256i t = _mm256_srai_epi64(z->v[4], 48);
    z->v[0] = _mm256_add_epi64(z->v[0], t);
    z->v[1] = _mm256_add_epi64(
        z->v[1], _mm256_sub_epi64(_mm256_slli_epi64(t, 44), _mm256_slli_epi64(t, 12)));
    z->v[4] = _mm256_and_si256(z->v[4], quad_all(((int64_t)1 << 48) - 1));
    z->v[4] = _mm256_add_epi64(z->v[4], _mm256_slli_epi64(t, 16));
    quad_carry(z);
}

/* z = w + x y/R, not carried, for carried x, y and digits of w below 2^58: the digits of z have 60
 * bits. low[k] is column k, but for the upper halves in the columns that are reduced, in high[k]:
 * two chains of sums instead of one. s as in eight_reduce. */
EIGHT_INLINE void quad_mul_add(quad *z, const quad *x, const quad *y, const quad *w)
{
    const __m256i a = quad_all(((int64_t)1 << 44) - ((int64_t)1 << 12)),
                  zero = _mm256_setzero_si256();
    __m256i low[10], high[5], s[7], carry = zero;
    EIGHT_EACH(k, 5) low[k] = high[k] = zero;
    EIGHT_EACH(k, 5) low[k + 5] = w->v[k];
    s[0] = s[1] = zero;
    EIGHT_EACH(i, 5)
    {
        EIGHT_EACH(j, 5)
        {
            const int k = i + j;
            low[k] = _mm256_madd52lo_epu64(low[k], x->v[i], y->v[j]);
            if (k < 4) high[k + 1] = _mm256_madd52hi_epu64(high[k + 1], x->v[i], y->v[j]);
            else low[k + 1] = _mm256_madd52hi_epu64(low[k + 1], x->v[i], y->v[j]);
        }
        __m256i t = _mm256_add_epi64(low[i], high[i]);
        if (i == 4) t = _mm256_add_epi64(t, _mm256_slli_epi64(s[1], 4));
        t = _mm256_add_epi64(t, carry);
        t = _mm256_sub_epi64(t, s[i]);
        s[i + 1] = _mm256_madd52lo_epu64(s[i + 1], t, a);
        s[i + 2] = _mm256_madd52hi_epu64(zero, t, a);
        carry = _mm256_srai_epi64(t, 52);
    }
    EIGHT_EACH(i, 5)
    {
        __m256i t = low[i + 5];
        if (i == 0) t = _mm256_add_epi64(t, carry);
        if (i < 2) t = _mm256_sub_epi64(t, s[i + 5]);
        z->v[i] = _mm256_add_epi64(t, _mm256_slli_epi64(s[i + 2], 4));
    }
}

#endif
