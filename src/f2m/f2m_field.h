/* GF(2^m), m odd: an element as words and bytes, and functions that use products and squarings,
 * over the fe of one of the engines f2m_words.h, f2m_vectors.h and f2m_pairs.h, which is included
 * before. Everything is constant time.
 *
 * In an engine an element may have any degree below its size; it is output as its unique
 * representative of degree below m. Intermediate words are wiped: an element may be a shared
 * secret. */
#ifndef TY_F2M_F2M_FIELD_H
#define TY_F2M_F2M_FIELD_H

#include "base/unroll.h"

/* w = its representative of degree below m: the bits from m on are less than a word, and are folded
 * once */
static F2_NOINLINE void fe_canon(uint64_t w[F2_W])
{
    const uint64_t h = w[F2_W - 1] >> F2_M % 64;
    const unsigned k[4] = { 0, F2_K1, F2_K2, F2_K3 };
    w[F2_W - 1] ^= h << F2_M % 64;
    for (int i = 0; i < (F2_K2 ? 4 : 2); i++) {
        w[k[i] / 64] ^= h << k[i] % 64;
        if (k[i] % 64) w[k[i] / 64 + 1] ^= h >> (64 - k[i] % 64);
    }
}

/* all ones if x is 0 in the field */
static F2_NOINLINE uint64_t fe_iszero(const fe *x)
{
    uint64_t w[F2_W], any = 0;
    fe_store(w, x);
    fe_canon(w);
    for (int i = 0; i < F2_W; i++) any |= w[i];
    ty_wipe(w, sizeof w);
    return ty_mask_zero64(any);
}

/* all ones if the trace of x is 1: the sum of x^(2^i), i < m, is linear in the coefficients of x,
 * and depends on few of them, which the card names */
static F2_NOINLINE uint64_t fe_trace(const fe *x)
{
    uint64_t w[F2_W];
    fe_store(w, x);
    fe_canon(w);
    const uint64_t trace = w[0] ^ (F2_T1 ? w[F2_T1 / 64] >> F2_T1 % 64 : 0) ^
                           (F2_T2 ? w[F2_T2 / 64] >> F2_T2 % 64 : 0);
    ty_wipe(w, sizeof w);
    return ty_mask_bit64(trace & 1);
}

/* z = the big-endian polynomial in[F2_BYTES]; all ones if its degree is below m, else zero (and z
 * is loose) */
static F2_NOINLINE uint64_t fe_set(fe *z, const uint8_t in[TY_AT_LEAST(F2_BYTES)])
{
    uint64_t w[F2_W] = { 0 };
    for (int i = 0; i < F2_WHOLE; i++) w[i] = ty_get64be(in + F2_BYTES - 8 * (i + 1));
    for (int i = 0; i < F2_BYTES % 8; i++) w[F2_W - 1] = w[F2_W - 1] << 8 | in[i];
    fe_load(z, w);
    const uint64_t fits = ty_mask_zero64(w[F2_W - 1] >> F2_M % 64);
    ty_wipe(w, sizeof w);
    return fits;
}

/* out[F2_BYTES] = x */
static F2_NOINLINE void fe_get(uint8_t out[TY_AT_LEAST(F2_BYTES)], const fe *x)
{
    uint64_t w[F2_W];
    fe_store(w, x);
    fe_canon(w);
    for (int i = 0; i < F2_WHOLE; i++) ty_put64be(out + F2_BYTES - 8 * (i + 1), w[i]);
    for (int i = 0; i < F2_BYTES % 8; i++)
        out[i] = (uint8_t)(w[F2_W - 1] >> 8 * (F2_BYTES % 8 - 1 - i));
    ty_wipe(w, sizeof w);
}

/* --- products and squarings; the exponents are constants of the field ------------------------- */

/* z = x^(2^n).   z may alias x */
static F2_NOINLINE void fe_sqr_n(fe *z, const fe *x, unsigned n)
{
    fe t = *x;
    while (n--) fe_sqr_inline(&t, &t);
    *z = t;
}

/* z = x^(2^n): by the linear map of f2m_frobenius.h or f2m_affine.h for each floor(m/4) squarings,
 * where there is one; n < m. Without branches if n is a constant.   z may alias x */
static F2_INLINE void fe_sqr_many(fe *z, const fe *x, unsigned n)
{
#if defined(F2_FROBENIUS)
    const unsigned maps = n / (F2_M / 4);
    if (maps) {
        fe_frobenius(z, x);
        TY_UNROLL for (unsigned i = 1; i < 4; i++)
            if (i < maps) fe_frobenius(z, z);
        x = z;
        n %= F2_M / 4;
        if (!n) return;
    }
#endif
    if (n == 1) fe_sqr(z, x);
    else fe_sqr_n(z, x, n);
}

#if defined(F2_FROBENIUS)
#  define F2_UNROLL TY_UNROLL
#else
#  define F2_UNROLL
#endif

/* z = 1/x, and 0 for x = 0: x^(2^m - 2) (Itoh and Tsujii 1988). With b(j) = x^(2^j - 1),
 * b(i + j) = b(i)^(2^j) b(j), so b(m - 1) is computed along the bits of m - 1 from the top: j is
 * doubled, and incremented where a bit is set. Where there are linear maps the loop is unrolled;
 * elsewhere this would only take room.
 * cost: m - 1 squarings, 8 to 13 products.   z may alias x */
static F2_NOINLINE void fe_inv(fe *z, const fe *x)
{
    enum { TOP = F2_M > 512 ? 9 : F2_M > 256 ? 8 : F2_M > 128 ? 7 : 6 };
    fe b = *x, t;
    F2_UNROLL for (int i = TOP - 1; i >= 0; i--) {
        fe_sqr_many(&t, &b, (F2_M - 1) >> (i + 1));
        fe_mul(&b, &b, &t);
        if ((F2_M - 1) >> i & 1) {
            fe_sqr(&t, &b);
            fe_mul(&b, &t, x);
        }
    }
    fe_sqr(z, &b);
    ty_wipe(&b, sizeof b);
    ty_wipe(&t, sizeof t);
}

/* z = the square root of x: x^(2^(m - 1)) */
static F2_NOINLINE void fe_sqrt(fe *z, const fe *x) { fe_sqr_n(z, x, F2_M - 1); }

/* z with z^2 + z = x; returns all ones if there is one, that is, if the trace of x is 0. The other
 * is z + 1.
 * The half-trace: the sum of x^(4^i), 0 <= i <= (m - 1)/2, solves z^2 + z = x + Tr(x).
 * z may not alias x */
static F2_NOINLINE uint64_t fe_solve(fe *z, const fe *x)
{
    fe t;
    *z = *x;
    for (unsigned i = 0; i < (F2_M - 1) / 2; i++) {
        fe_sqr_n(z, z, 2);
        fe_add(z, z, x);
    }
    fe_sqr(&t, z);
    fe_add(&t, &t, z);
    fe_add(&t, &t, x);
    return fe_iszero(&t);
}

#endif
