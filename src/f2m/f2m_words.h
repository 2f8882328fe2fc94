/* GF(2^m) in 64-bit words and portable C: the engine of the levels c and c64. The includer, a file
 * of src/ec_f2, includes the field's constants (F2_M, F2_K1 ...), and defines TY_LEVEL and
 *     F2_CLMUL(z, x, y)    z[2] = the carry-less product of two words: ty_f2_holes32 or _holes64
 *
 * An element is any polynomial of degree below 64 F2_W, F2_W words, least significant first: the
 * product folds at the word boundary, not at m, so that nothing is shifted twice (partial
 * reduction). */

#ifndef TY_F2M_F2M_WORDS_H
#define TY_F2M_F2M_WORDS_H

#include "base/bytes.h"
#include "base/ct.h"
#include "base/wipe.h"
#include "f2m/f2m_names.h"
#include "f2m/f2m_size.h"
#include "limb/f2_holes.h"

#include <string.h>

typedef struct fe {
    uint64_t w[F2_W];
} fe;

static const fe fe_one = { { 1 } };

static inline void fe_add(fe *z, const fe *x, const fe *y)
{
    for (int i = 0; i < F2_W; i++) z->w[i] = x->w[i] ^ y->w[i];
}

/* c += h x^e for one word h and 0 < e */
static inline void fe_fold_term(uint64_t *c, uint64_t h, unsigned e)
{
    c[e / 64] ^= h << e % 64;
    if (e % 64) c[e / 64 + 1] ^= h >> (64 - e % 64);
}

/* c += h x^(64 W), reduced once by the identity */
static inline void fe_fold_word(uint64_t *c, uint64_t h)
{
    fe_fold_term(c, h, F2_OVER);
    fe_fold_term(c, h, F2_OVER + F2_K1);
    if (F2_K2) {
        fe_fold_term(c, h, F2_OVER + F2_K2);
        fe_fold_term(c, h, F2_OVER + F2_K3);
    }
}

/* z = c, reduced, loose. From the top, each word i >= W of c is replaced by its image, which ends
 * below word i: the greatest exponent, F2_OVER + k1, leaves room for a word below 64 W on every
 * card. */
static inline void fe_reduce(fe *z, uint64_t c[2 * F2_W])
{
    for (int i = 2 * F2_W - 1; i >= F2_W; i--) fe_fold_word(c + i - F2_W, c[i]);
    memcpy(z->w, c, sizeof z->w);
}

/* z = x y. Karatsuba over all pairs of words: x_i y_j + x_j y_i = (x_i + x_j)(y_i + y_j) + x_i y_i
 * + x_j y_j.
 * cost: W (W + 1)/2 word products.   z may alias x or y */
static F2_NOINLINE void fe_mul(fe *z, const fe *x, const fe *y)
{
    uint64_t c[2 * F2_W] = { 0 }, square[F2_W][2], p[2];
    for (int i = 0; i < F2_W; i++) {
        F2_CLMUL(square[i], x->w[i], y->w[i]);
        c[2 * i] ^= square[i][0];
        c[2 * i + 1] ^= square[i][1];
        for (int j = 0; j < i; j++) {
            F2_CLMUL(p, x->w[i] ^ x->w[j], y->w[i] ^ y->w[j]);
            c[i + j] ^= p[0] ^ square[i][0] ^ square[j][0];
            c[i + j + 1] ^= p[1] ^ square[i][1] ^ square[j][1];
        }
    }
    fe_reduce(z, c);
}

/* a zero after every bit of the low half */
static inline uint64_t fe_spread(uint64_t x)
{
    x &= 0xffffffffu;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | x << 2) & 0x3333333333333333u;
    return (x | x << 1) & 0x5555555555555555u;
}

/* z = x^2: the coefficients move apart.   z may alias x */
static inline void fe_sqr_inline(fe *z, const fe *x)
{
    uint64_t c[2 * F2_W];
    for (int i = 0; i < F2_W; i++) {
        c[2 * i] = fe_spread(x->w[i]);
        c[2 * i + 1] = fe_spread(x->w[i] >> 32);
    }
    fe_reduce(z, c);
}

static F2_NOINLINE void fe_sqr(fe *z, const fe *x) { fe_sqr_inline(z, x); }

/* in engines with vectors these are inlined */
static inline void fe_mul_ladder(fe *z, const fe *x, const fe *y) { fe_mul(z, x, y); }
static inline void fe_sqr_ladder(fe *z, const fe *x) { fe_sqr(z, x); }
static inline void fe_mul_loop(fe *z, const fe *x, const fe *y) { fe_mul(z, x, y); }
static inline void fe_sqr_loop(fe *z, const fe *x) { fe_sqr(z, x); }

/* z = mask ? x : y */
static inline void fe_sel(fe *z, uint64_t mask, const fe *x, const fe *y)
{
    for (int i = 0; i < F2_W; i++) z->w[i] = ty_sel64(mask, x->w[i], y->w[i]);
}

/* w = entry i of the table's 16, each two elements as words; all are read */
static inline void fe_scan(uint64_t w[2 * F2_W], const uint64_t *table, uint32_t i)
{
    memset(w, 0, 16 * F2_W);
    for (uint32_t e = 0; e < 16; e++, table += 2 * F2_W) {
        const uint64_t mask = ty_mask_zero64(e ^ i);
        for (int k = 0; k < 2 * F2_W; k++) w[k] ^= table[k] & mask;
    }
}

static inline void fe_load(fe *z, const uint64_t w[F2_W]) { memcpy(z->w, w, sizeof z->w); }
static inline void fe_store(uint64_t w[F2_W], const fe *x) { memcpy(w, x->w, sizeof x->w); }

#include "f2m/f2m_pair.h"

#endif
