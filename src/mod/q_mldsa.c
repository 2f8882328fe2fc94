/* Z/q of ML-DSA, portable: the definition of every kernel, and the tier list.
 *
 * A product is reduced by clearing its low half (Montgomery): redc divides by R = 2^32. The
 * tables hold the powers of 1753 times R, so that redc leaves the product with the power itself:
 * coefficients never leave the plain domain, except for the 1/R of dot, which intt cancels.
 * time: constant */
#include "mod/q_mldsa.h"
#include "mod/q_mldsa_one.h"

#include "mod/q_mldsa.inc"

/* Cooley and Tukey: (a, b) <- (a + zeta b, a - zeta b). A layer adds less than 0.51 q, eight of
 * them 4.1 q: no reduction anywhere. */
static void ty_q_ntt_c(int32_t a[TY_AT_LEAST(256)])
{
    size_t k = 1;
    for (size_t len = 128; len > 0; len >>= 1)
        for (size_t start = 0; start < 256; start += 2 * len, k++)
            for (size_t i = start; i < start + len; i++) {
                const int32_t t = redc(ty_mul32s(zeta[k], a[i + len]));
                a[i + len] = a[i] - t;
                a[i] += t;
            }
}

/* Gentleman and Sande: (a, b) <- (a + b, (a - b)/zeta). Sums double with every layer: after seven
 * 128 (q - 1), and the last adds two of those, 2^31 - 2.1 million at most. That layer also
 * multiplies both halves by R/256. */
static void ty_q_intt_c(int32_t a[TY_AT_LEAST(256)])
{
    size_t first = 128;   /* the layer's first power, 128 / len */
    for (size_t len = 1; len < 128; len <<= 1, first >>= 1) {
        size_t k = first;
        for (size_t start = 0; start < 256; start += 2 * len, k++)
            for (size_t i = start; i < start + len; i++) {
                const int32_t s = a[i], t = a[i + len];
                a[i] = s + t;
                a[i + len] = redc(ty_mul32s(zeta_inv[k], s - t));
            }
    }
    for (size_t i = 0; i < 128; i++) {
        const int32_t s = a[i], t = a[i + 128];
        a[i] = redc(ty_mul32s(TY_Q_SCALE, s + t));
        a[i + 128] = redc(ty_mul32s(TY_Q_LAST, s - t));
    }
}

/* 8 * 5.1^2 q^2 = 208.1 q^2 < 2^31 q; divided by R that is 0.41 q, and m q/R adds q/2. */
static void ty_q_dot_c(int32_t z[TY_AT_LEAST(256)], const ty_q_poly *x, const ty_q_poly *y,
                       size_t n)
{
    for (size_t i = 0; i < 256; i++) {
        int64_t t = 0;
        for (size_t j = 0; j < n; j++) t += ty_mul32s(x[j][i], y[j][i]);
        z[i] = redc(t);
    }
}

uint32_t ty_q_add_c(int32_t z[TY_AT_LEAST(256)], const int32_t x[TY_AT_LEAST(256)],
                    const int32_t y[TY_AT_LEAST(256)], int32_t bound)
{
    uint32_t large = 0;
    for (size_t i = 0; i < 256; i++) {
        z[i] = fold(x[i] + y[i]);
        large |= beyond(z[i], bound);
    }
    return large >> 31;
}

void ty_q_power2round_c(int32_t t1[TY_AT_LEAST(256)], int32_t t0[TY_AT_LEAST(256)],
                        const int32_t a[TY_AT_LEAST(256)])
{
    for (size_t i = 0; i < 256; i++) {
        const int32_t x = canon(a[i]), high = (x + (1 << 12) - 1) >> 13;
        t1[i] = high;
        t0[i] = x - (high << 13);
    }
}

static inline void decompose_with(int32_t w1[256], int32_t w0[256], const int32_t a[256],
                                  int32_t gamma2)
{
    for (size_t i = 0; i < 256; i++) w1[i] = split(&w0[i], canon(a[i]), gamma2);
}

void ty_q_decompose_c(int32_t w1[TY_AT_LEAST(256)], int32_t w0[TY_AT_LEAST(256)],
                      const int32_t a[TY_AT_LEAST(256)], int32_t gamma2)
{
    if (gamma2 == TY_Q_GAMMA2_88) decompose_with(w1, w0, a, TY_Q_GAMMA2_88);
    else decompose_with(w1, w0, a, TY_Q_GAMMA2_32);
}

uint32_t ty_q_make_hint_c(uint32_t h[TY_AT_LEAST(8)], const int32_t w1[TY_AT_LEAST(256)],
                          const int32_t w0[TY_AT_LEAST(256)], int32_t gamma2)
{
    uint32_t count = 0;
    for (size_t i = 0; i < 8; i++) {
        h[i] = 0;
        for (size_t j = 0; j < 32; j++) {
            const int32_t low = w0[32 * i + j], high = w1[32 * i + j];
            const uint32_t bit = hint_bit(high, low, gamma2);
            h[i] |= bit << j;
            count += bit;
        }
    }
    return count;
}

static inline void use_hint_with(int32_t w1[256], const int32_t a[256], const uint32_t h[8],
                                 int32_t gamma2)
{
    const int32_t m = parts(gamma2);
    for (size_t i = 0; i < 256; i++) {
        const int32_t bit = (int32_t)(h[i / 32] >> i % 32 & 1);
        int32_t w0, high = split(&w0, canon(a[i]), gamma2);
        const int32_t step = 1 + 2 * ((w0 - 1) >> 31);   /* 1 for w0 > 0, else -1 */
        high += step & -bit;
        high += m & (high >> 31);                        /* -1 becomes m - 1 */
        w1[i] = high & ~((m - 1 - high) >> 31);          /* m becomes 0 */
    }
}

void ty_q_use_hint_c(int32_t w1[TY_AT_LEAST(256)], const int32_t a[TY_AT_LEAST(256)],
                     const uint32_t h[TY_AT_LEAST(8)], int32_t gamma2)
{
    if (gamma2 == TY_Q_GAMMA2_88) use_hint_with(w1, a, h, TY_Q_GAMMA2_88);
    else use_hint_with(w1, a, h, TY_Q_GAMMA2_32);
}

const ty_q_ops ty_q_ops_c = {
    ty_q_ntt_c, ty_q_intt_c, ty_q_dot_c, ty_q_add_c, ty_q_power2round_c, ty_q_decompose_c,
    ty_q_make_hint_c, ty_q_use_hint_c };

const ty_q_poly ty_q_zero = { 0 };

TY_FAMILY_ROWS(q, TY_Q_TIERS);
